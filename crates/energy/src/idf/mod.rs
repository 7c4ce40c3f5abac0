//! Models of EnergyPlus as documents: read from the text form (IDF) or from epJSON, changed, and written back.
//!
//! A document keeps the file it was read from. An object that nobody touched is written as it stood, with its comments,
//! its spacing and its place; a document that nobody touched is written byte for byte. Changes lie above the file in a
//! persistent map, so that a copy of a document costs nothing and every version of a model can be held open.
//! A document is read by the schema of the version that it says it is of; what was made by another schema is brought over (`across`).
//! What a document does not do: say whether its objects keep to the schema (`check`), or touch the disk.

mod across;
mod base;
mod delta;
mod diff;
mod document;
mod epjson;
mod json;
mod lexer;
mod object;
mod open;
mod problem;
mod record;
#[cfg(test)]
mod tests;
mod version;
mod write;

pub use base::Format;
pub use delta::{Delta, DeltaError};
pub use diff::{diff, summary};
pub use document::Document;
pub use epjson::{body, number};
pub(crate) use epjson::{plain, set as set_value};
pub use object::{FieldValue, Object};
pub use problem::{OpenError, Problem, ProblemCode};
pub use record::{Handle, Record};
