//! Corpora of documents as sections, a full-text index over them, and the reading of documents of users.
//!
//! Bytes and values in, values out: it asks no network and no clock, and what it is told of other parts of the program (rules, tools,
//! packs) it is told by its caller. It has no model of language either: vectors come from elsewhere, and are only kept and compared
//! here.

mod collection;
pub mod corpora;
mod fused;
mod index;
pub mod read;
mod section;
pub mod vectors;
mod words;

pub use collection::{Became, Collection, Given, Kept, MOST_DOCUMENTS};
pub use fused::fused;
pub use index::{
    Answer, Changed, Correction, Filter, Hit, Index, IndexError, LONGEST_TEXT, MOST_HITS, MOST_SECTIONS,
    SectionVectors, Snippet, Unmade, fingerprint, in_english,
};
pub use section::{Language, Section, document};
