//! Versions: listed, compared, brought back, written as files.

use super::{BoxFuture, BucketFile};
use crate::{
    DiffRaw, DiffSummary, EventId, Fault, Manifest, ModelId, Page, RefRecord, VersionId, VersionRecord,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A commit that was made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Committed {
    /// The model.
    pub model_id: ModelId,
    /// The version that is now its head.
    pub version: VersionId,
    /// The version before, if it had one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<VersionId>,
    /// The event recorded.
    pub event_id: EventId,
    /// The changes, where the operation told them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changes: Option<DiffSummary>,
}

/// The versions of a model.
pub trait Versions: Send + Sync {
    /// Versions of a model from its head back.
    fn versions<'a>(
        &'a self,
        model: &'a ModelId,
        limit: u32,
        cursor: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Page<VersionRecord>, Fault>>;

    /// Every version of a model, of all its branches, no version before one that it comes from.
    fn history<'a>(
        &'a self,
        model: &'a ModelId,
        limit: u32,
        cursor: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Page<VersionRecord>, Fault>>;

    /// One version; `id` is a branch's name, `head`, or the version's id, which may be shortened to its first digits where
    /// that is unambiguous.
    fn version<'a>(&'a self, model: &'a ModelId, id: &'a str) -> BoxFuture<'a, Result<VersionRecord, Fault>>;

    /// Returns how a version came about; none for one that was made before manifests were kept.
    fn manifest<'a>(
        &'a self,
        model: &'a ModelId,
        version: &'a VersionId,
    ) -> BoxFuture<'a, Result<Option<Manifest>, Fault>>;

    /// The refs of a model, by name.
    fn refs<'a>(&'a self, model: &'a ModelId) -> BoxFuture<'a, Result<Vec<RefRecord>, Fault>>;

    /// The difference between two versions of a model; its summary names `named` elements, or as many as usual.
    fn diff<'a>(
        &'a self,
        model: &'a ModelId,
        base: &'a VersionId,
        target: &'a VersionId,
        named: Option<u32>,
    ) -> BoxFuture<'a, Result<(DiffRaw, DiffSummary), Fault>>;

    /// Makes an older version's content the head again, as a new version. `None` if the head is no different.
    fn restore<'a>(
        &'a self,
        model: &'a ModelId,
        version: &'a VersionId,
    ) -> BoxFuture<'a, Result<Option<Committed>, Fault>>;

    /// Takes `steps` edits back, or with a negative number makes undone edits again, as a new version. Answers how many
    /// it was: fewer where there are not as many. A Fault if there is none.
    fn undo<'a>(&'a self, model: &'a ModelId, steps: i32) -> BoxFuture<'a, Result<(Committed, u32), Fault>>;

    /// The whole file of a version, in the bucket.
    fn materialise<'a>(
        &'a self,
        model: &'a ModelId,
        version: &'a VersionId,
    ) -> BoxFuture<'a, Result<BucketFile, Fault>>;

    /// Writes the whole file of a version to a path as the caller wrote it; only for callers at this machine. A file
    /// that is there is replaced in one step with `overwrite`, and is a Fault without. Answers the path in full.
    fn save<'a>(
        &'a self,
        model: &'a ModelId,
        version: &'a VersionId,
        path: &'a str,
        overwrite: bool,
    ) -> BoxFuture<'a, Result<BucketFile, Fault>>;

    /// The same for one that is to leave: to a path where nothing is, and without keeping the file here.
    fn write_version<'a>(
        &'a self,
        model: &'a ModelId,
        version: &'a VersionId,
        path: &'a str,
    ) -> BoxFuture<'a, Result<BucketFile, Fault>>;
}
