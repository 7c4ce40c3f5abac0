//! What is told of a message: the objects that it speaks of, and its text cut to a length.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The most characters of a message that are repeated.
const CHARACTERS: usize = 400;

/// An object of the model that messages speak of.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct ObjectSpoken {
    /// Its type.
    pub object_type: String,
    /// Its name, or handle where it has none.
    pub name: String,
    /// The field, as the text form calls it, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The value that stands in that field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

/// A text, cut where it grows long.
pub fn cut(text: &str) -> String {
    match text.char_indices().nth(CHARACTERS) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}
