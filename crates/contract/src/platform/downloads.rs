//! Archives from public collections: fetched once from there or from a mirror, kept, and read by an operation.

use super::{BoxFuture, KeptFile, QueryAnswer};
use crate::{Fault, Operation};
use serde_json::Value;

/// A problem with fetching a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FetchProblem {
    /// Nothing answers there, or not to the end; why.
    Unreachable(String),
    /// There is no such file.
    Missing,
    /// It has more bytes than are taken.
    TooLarge,
    /// It leads to another host: its name.
    Elsewhere(String),
}

/// A reason why a download came to nothing.
#[derive(Debug, Clone, PartialEq)]
pub enum DownloadFault {
    /// It was not fetched.
    NotFetched {
        /// The address.
        address: String,
        /// The problem.
        problem: FetchProblem,
    },
    /// Anything else.
    Fault(Fault),
}

impl From<Fault> for DownloadFault {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// An archive that is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DownloadDraft<'a> {
    /// The collection, by its name in the settings.
    pub collection: &'a str,
    /// The path below it.
    pub path: &'a str,
    /// The media type.
    pub media_type: &'a str,
    /// The most bytes that are taken.
    pub max_bytes: u64,
}

/// An archive that is here.
#[derive(Debug, Clone, PartialEq)]
pub struct Downloaded {
    /// The address that it was fetched from.
    pub address: String,
    /// SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
    /// True if it was here already.
    pub was_here: bool,
    /// The answer of the operation that read it.
    pub result: Value,
    /// The files that it made of it; for a dry run without keys, for they are not kept.
    pub files: Vec<KeptFile>,
}

/// Downloads from the collections that the settings name.
pub trait Downloads: Send + Sync {
    /// Fetches an archive, unless it is here, has a query read it, to which it is given as the file `archive`, and keeps the files that
    /// the query makes. One that cannot be read is not kept.
    fn download<'a>(
        &'a self,
        draft: DownloadDraft<'a>,
        operation: Operation,
    ) -> BoxFuture<'a, Result<Downloaded, DownloadFault>>;

    /// Has a back end answer a query on what is installed with it, and keeps the files that it makes; a Fault where that back end is not
    /// here.
    fn installed<'a>(
        &'a self,
        backend: &'a str,
        operation: Operation,
    ) -> BoxFuture<'a, Result<QueryAnswer, Fault>>;
}
