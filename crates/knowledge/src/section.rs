//! A section: a text of a corpus that is found, read and cited by itself.

use serde::{Deserialize, Serialize};

/// A section of a corpus.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Section {
    /// The corpus that it is of: `ifc`, `rules`, `tools`, … or a user's own.
    pub corpus: String,
    /// Its address, which nothing else has: `ifc/IfcWall`, `guides/editing.md#undo`. What stands before `#` is its document.
    pub location: String,
    /// Its title.
    pub title: String,
    /// The titles above it, outermost first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<String>,
    /// The kinds that it is asked for by: `entity`, `Architecture`, ….
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// The versions that it is true for: `IFC4X3`, `25.2`; none if it hangs on no version.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub versions: Vec<String>,
    /// The language of its text; none where it is of names and numbers, or not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<Language>,
    /// The page that it begins on, counted from one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
    /// Its text.
    pub text: String,
    /// Further names that it is found by, as if they were titles: names in other languages, abbreviations.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
}

/// A language of texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// English.
    En,
    /// German.
    De,
}

impl Section {
    /// The address of the document that it is of: its own without what follows `#`.
    pub fn document(&self) -> &str {
        document(&self.location)
    }

    /// The last part of its address: `IfcWall`, `Pset_WallCommon`, `GEM051`; none for a part of a document.
    pub fn identifier(&self) -> Option<&str> {
        if self.location.contains('#') {
            return None;
        }
        self.location.rsplit('/').next().filter(|name| !name.is_empty())
    }
}

/// The address of the document that an address is in.
pub fn document(location: &str) -> &str {
    location.split('#').next().unwrap_or(location)
}
