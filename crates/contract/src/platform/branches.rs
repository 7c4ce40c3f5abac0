//! Branches: begun, gone to, given up, merged.

use super::{BoxFuture, Committed};
use crate::{EventId, Fault, RefRecord, VersionId};
use serde_json::{Map, Value};

/// A branch that came, went or was gone to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BranchMoved {
    /// Its name, and where it points or pointed.
    pub branch: RefRecord,
    /// The event recorded, if one was.
    pub event_id: Option<EventId>,
    /// The token by which later calls find the session, where the transport gives them nothing else to find it by.
    pub session: Option<String>,
}

/// The outcome of a merge.
#[derive(Debug, Clone, PartialEq)]
pub struct BranchMerged {
    /// The commit; none if the target had all of the source already.
    pub committed: Option<Committed>,
    /// The version that both sides come from.
    pub base: VersionId,
    /// The version that was merged.
    pub source: VersionId,
    /// The token by which later calls find the session, where the transport gives them nothing else to find it by.
    pub session: Option<String>,
}

/// The branches of this call's model.
pub trait Branches: Send + Sync {
    /// Begins a branch at a branch or version, or where the call is, and with `switch` makes it the session's own.
    fn create_branch<'a>(
        &'a self,
        name: &'a str,
        from: Option<&'a str>,
        switch: bool,
    ) -> BoxFuture<'a, Result<BranchMoved, Fault>>;

    /// Makes a branch the session's own.
    fn switch_branch<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<BranchMoved, Fault>>;

    /// Gives up a branch; its versions stay.
    fn delete_branch<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<BranchMoved, Fault>>;

    /// Adds what was done on a branch or up to a version to another branch, which becomes the session's own. `resolve` has
    /// `ours` (the target's) or `theirs` by the keys of conflicts; conflicts that are left are a Fault, and nothing is
    /// committed. Where both sides were merged into each other, several versions are a nearest common one: `ancestor` says
    /// which one the changes are counted from, if that matters.
    fn merge_branch<'a>(
        &'a self,
        source: &'a str,
        target: &'a str,
        resolve: &'a Map<String, Value>,
        ancestor: Option<&'a str>,
    ) -> BoxFuture<'a, Result<BranchMerged, Fault>>;
}
