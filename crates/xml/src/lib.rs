//! XML 1.0 with namespaces: documents of strangers read into a tree that knows where each part stands, and trees written.
//!
//! Read are elements, attributes, text and CDATA. A document type is refused, and with it every entity but the five of the
//! language: so nothing is fetched and nothing grows. Size, depth and number of elements are bounded.

mod quick;
mod read;
mod text;
mod tree;
mod write;

pub use read::{Limits, Problem, read};
pub use tree::{Attribute, Element, Place};
pub use write::Writer;

#[cfg(test)]
mod tests;
