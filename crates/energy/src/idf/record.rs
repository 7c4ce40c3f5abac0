//! An object by itself: the handle that it keeps, and its values where they are not the text of a file.

use crate::schema::Text;
use serde_json::Value;
use std::fmt;

/// The identity of an object for as long as its model lives: through edits, and in every version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
pub struct Handle(pub u32);

impl fmt::Display for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

impl std::str::FromStr for Handle {
    type Err = std::num::ParseIntError;

    /// `#12`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.trim().trim_start_matches('#').parse().map(Self)
    }
}

/// An object that is not the text it was read from: added, changed, or read from epJSON.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Record {
    /// The type, as the schema spells it where it knows it.
    pub type_name: Text,
    /// Its number in the schema.
    pub number: Option<u32>,
    /// Values in the order of the text form.
    pub values: Vec<Box<str>>,
    /// Its key in epJSON, where it has no name.
    pub key: Option<Box<str>>,
    /// Members of epJSON that the schema has no field for.
    pub extra: Vec<(String, Value)>,
}
