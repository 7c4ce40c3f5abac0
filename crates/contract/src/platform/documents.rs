//! Collections of documents: what callers gave to be searched, in parts, each change of a collection a version that stays.

use super::BoxFuture;
use crate::{Fault, Operation};
use serde_json::Value;

/// A collection of documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collection {
    /// Its name: the corpus that it is searched as.
    pub name: String,
    /// The model whose readers may read it; without one it is its maker's alone.
    pub model: Option<String>,
    /// The version of it that is there now.
    pub version: String,
    /// Unix time in milliseconds of that version.
    pub time_ms: u64,
    /// SHA-256 of its content, in hexadecimal.
    pub sha256: String,
}

/// A change of a collection.
#[derive(Debug, Clone, PartialEq)]
pub struct CollectionChanged {
    /// The collection as it is now; none where nothing is in it.
    pub collection: Option<Collection>,
    /// The answer of the operation that changed it.
    pub answer: Value,
}

/// Collections that are there for the caller.
pub trait Documents: Send + Sync {
    /// The collections, by their names.
    fn collections(&self) -> BoxFuture<'_, Result<Vec<Collection>, Fault>>;

    /// The files of documents in a folder of this machine and those below it, by their paths, as the caller wrote the folder in the
    /// parameter `field`; only for callers at this machine. None where it is no folder.
    fn documents_in<'a>(
        &'a self,
        field: &'a str,
        folder: &'a str,
        most: usize,
    ) -> BoxFuture<'a, Result<Option<Vec<String>>, Fault>>;

    /// Changes a collection: the operation is given what it is now, as a file of the role `collection`, and these files of the caller's,
    /// named in the parameter `field` by key, upload or path, as files of the role `document`. The first file that it makes is the
    /// collection's next version; where it makes none, the collection stays. Where somebody else changed it meanwhile the operation runs
    /// again. A collection belongs to the model that is named by id or name, else to the caller.
    fn change_collection<'a>(
        &'a self,
        name: &'a str,
        of_model: Option<&'a str>,
        operation: Operation,
        field: &'a str,
        files: &'a [String],
    ) -> BoxFuture<'a, Result<CollectionChanged, Fault>>;
}
