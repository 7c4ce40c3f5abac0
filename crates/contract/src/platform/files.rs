//! Files: kept in the bucket, found there, linked, written to paths.

use super::BoxFuture;
use crate::{Fault, ModelId, Page, VersionId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A file in the bucket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BucketFile {
    /// Where it lies on this machine.
    pub path: PathBuf,
    /// SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
    /// Size in bytes.
    pub size: u64,
}

/// A link that needs no other right and holds for a while.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TimedLink {
    /// Where it leads.
    pub url: String,
    /// Unix time in milliseconds until which it holds.
    pub expires_ms: u64,
}

/// A file of a library: one of the operator's, or one that the caller sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LibraryFile {
    /// Its name, with its ending.
    pub name: String,
    /// Its key in the bucket; none where it lies in the library's folder.
    pub key: Option<String>,
    /// Where it lies on this machine.
    pub path: PathBuf,
    /// Size in bytes.
    pub size: u64,
}

/// A file that was kept in the bucket.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KeptFile {
    /// The name that operations call it by; empty for an upload.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub role: String,
    /// Its name.
    pub name: String,
    /// Its key: operation and name.
    pub key: String,
    /// Where a browser finds it.
    pub href: String,
    /// Its media type.
    pub media_type: String,
    /// SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
    /// Size in bytes.
    pub size: u64,
    /// Unix time in milliseconds at which it was kept.
    pub time_ms: u64,
    /// The version that it was made of, if it was made of one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_version: Option<VersionId>,
}

impl KeptFile {
    /// The same file as an operation is given it under this role.
    #[must_use]
    pub fn as_role(self, role: &str) -> Self {
        Self { role: role.to_owned(), ..self }
    }
}

/// The caller's files.
pub trait Files: Send + Sync {
    /// The file that an operation made or a client uploaded, by its key, with its name and media type.
    fn file<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Result<(BucketFile, String, String), Fault>>;

    /// A file of the caller's by its key, or by the name under which it was uploaded last.
    fn find_file<'a>(&'a self, key_or_name: &'a str) -> BoxFuture<'a, Result<Option<KeptFile>, Fault>>;

    /// Files that the caller gave or had made, the latest first.
    fn files<'a>(
        &'a self,
        limit: u32,
        cursor: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Page<KeptFile>, Fault>>;

    /// The files of a library with these endings (without the dot): those of its folder by their names, then those that the caller sent,
    /// the latest first, and of one name only the latest.
    fn library_files<'a>(
        &'a self,
        library: &'a str,
        endings: &'a [&'a str],
    ) -> BoxFuture<'a, Result<Vec<LibraryFile>, Fault>>;

    /// Files that were made of a version of a model that is there for the caller, the latest first.
    fn files_of_version<'a>(
        &'a self,
        model: &'a ModelId,
        version: &'a VersionId,
        limit: u32,
    ) -> BoxFuture<'a, Result<Vec<KeptFile>, Fault>>;

    /// Keeps a file that the caller gives, under a name of its choice.
    fn keep_file<'a>(
        &'a self,
        name: &'a str,
        media_type: &'a str,
        bytes: &'a [u8],
    ) -> BoxFuture<'a, Result<KeptFile, Fault>>;

    /// Keeps a file of at most so many bytes that lies at a path as the caller wrote it in the parameter `field`; only for callers at
    /// this machine. None where there is no such file.
    fn keep_local<'a>(
        &'a self,
        field: &'a str,
        path: &'a str,
        media_type: &'a str,
        max_bytes: u64,
    ) -> BoxFuture<'a, Result<Option<KeptFile>, Fault>>;

    /// A link from which whoever has it may read a file for so long.
    fn link_to<'a>(
        &'a self,
        file: &'a BucketFile,
        name: &'a str,
        media_type: &'a str,
        seconds: u64,
    ) -> BoxFuture<'a, Result<TimedLink, Fault>>;

    /// A link to which whoever has it may send one file of this name within so long; it is then one of the caller's uploads.
    fn link_for<'a>(
        &'a self,
        name: &'a str,
        max_bytes: Option<u64>,
        seconds: u64,
    ) -> BoxFuture<'a, Result<TimedLink, Fault>>;

    /// Writes a file of the bucket to a path as the caller wrote it in the parameter `field`; only for callers at this machine,
    /// and never over a file that is there. Answers the path in full.
    fn write_file<'a>(
        &'a self,
        key: &'a str,
        field: &'a str,
        path: &'a str,
    ) -> BoxFuture<'a, Result<PathBuf, Fault>>;

    /// Writes a file of the bucket, whatever its key, to a path that has to end in this extension, by the same rules.
    fn export_file<'a>(
        &'a self,
        file: &'a BucketFile,
        field: &'a str,
        path: &'a str,
        extension: &'a str,
    ) -> BoxFuture<'a, Result<PathBuf, Fault>>;
}
