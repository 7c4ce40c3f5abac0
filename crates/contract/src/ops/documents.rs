//! Documents of callers, read in parts.

use super::PlatformOperation;
use crate::Effect;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Reads documents (the files `document`, by the names in their media types) into a collection (the file `collection`, if there is one),
/// and writes the collection as it is then as the file `collection`; none where nothing changed. A document whose name and content are
/// there already is not read again.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ReadDocuments {
    /// The collection's name: the corpus of its sections.
    pub corpus: String,
    /// Tags of the documents that are read.
    pub tags: Vec<String>,
    /// Names of documents that are taken out.
    pub remove: Vec<String>,
    /// The principal who gives them.
    pub by: String,
}

/// A document of a collection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DocumentRead {
    /// Its name in the collection.
    pub name: String,
    /// `added`, `updated`, `unchanged` or `removed`.
    pub what: String,
    /// The parts that it is found by.
    pub sections: usize,
    /// Its pages, where it has pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pages: Option<u32>,
    /// Parts of it that were not read, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A file that is no document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NotRead {
    /// Its name.
    pub name: String,
    /// The reason.
    pub why: String,
}

/// The fate of the documents.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DocumentsRead {
    /// Those that were given or taken out.
    pub documents: Vec<DocumentRead>,
    /// Files that could not be read.
    pub not_read: Vec<NotRead>,
    /// Documents of the collection now.
    pub count: usize,
    /// Sections of the collection now.
    pub sections: usize,
}

impl PlatformOperation for ReadDocuments {
    type Answer = DocumentsRead;
    const NAME: &'static str = "read_documents";
    const EFFECT: Effect = Effect::Query;
}
