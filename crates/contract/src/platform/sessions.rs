//! The session: what a client is working on from one call to the next.

use crate::{BoxFuture, Fault, ModelId, ModelRecord, VersionId};
use std::path::PathBuf;

/// The file of a session's model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionFile {
    /// Its path, in full.
    pub path: PathBuf,
    /// True if another has written to it since, so that it no longer holds what the session knows.
    pub was_changed: bool,
}

/// The session of the call.
pub trait Sessions: Send + Sync {
    /// The model this call is about: `model_id` if given, else the session's; a Fault if there is none.
    fn current_model(&self) -> BoxFuture<'_, Result<ModelRecord, Fault>>;

    /// The version this call is about: `model_version` if given, else the head.
    fn current_version(&self) -> BoxFuture<'_, Result<VersionId, Fault>>;

    /// The branch that this call reads and changes: the one that `model_version` names, else the session's, else `main`.
    fn current_branch(&self) -> BoxFuture<'_, Result<String, Fault>>;

    /// Makes a model the session's own. Answers the token by which later calls find the session, where the transport
    /// gives them nothing else to find it by.
    fn set_current_model<'a>(&'a self, model: &'a ModelId) -> BoxFuture<'a, Result<Option<String>, Fault>>;

    /// Unix time in milliseconds at which the session took a model up; zero where it did not.
    fn session_since<'a>(&'a self, model: &'a ModelId) -> BoxFuture<'a, Result<u64, Fault>>;

    /// The file that the session loaded a model from, or saved it to last; none where it came from no file of this machine.
    fn model_file<'a>(&'a self, model: &'a ModelId) -> BoxFuture<'a, Result<Option<SessionFile>, Fault>>;

    /// Has the session remember this path, as the caller wrote it, as the file of its model.
    fn set_model_file<'a>(
        &'a self,
        model: &'a ModelId,
        path: &'a str,
    ) -> BoxFuture<'a, Result<PathBuf, Fault>>;

    /// The text that the session remembers under a name.
    fn slot<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<Option<String>, Fault>>;

    /// Has the session remember a text under a name. Answers the token as above.
    fn set_slot<'a>(&'a self, name: &'a str, text: &'a str) -> BoxFuture<'a, Result<Option<String>, Fault>>;

    /// Forgets what the session was working on.
    fn clear_session(&self) -> BoxFuture<'_, Result<(), Fault>>;
}
