//! The library of a model: types and what they are made of, groups, classifications, documents, colours, names.
//!
//! What is in it is shared by many elements: a change of a type reaches all its occurrences, and is refused where one of them
//! cannot follow.

pub mod buildup;
pub mod classifications;
pub mod documents;
pub mod groups;
pub mod layers;
pub mod materials;
pub mod renaming;
pub mod retyping;
pub mod styles;
pub mod types;
