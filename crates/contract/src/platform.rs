//! What a platform tool may ask of the system it runs in: models, versions, sessions, audit, and operations on models.
//!
//! Service implements it for one call of one principal; every method acts in that principal's name.

use crate::{Artifact, DiffRaw, DiffSummary, EventId, Fault, ModelId, ModelKind, Operation, VersionId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::pin::Pin;

/// A future that a trait object returns.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Who calls.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Principal {
    /// The name that audit records.
    pub name: String,
    /// Roles held.
    pub roles: Vec<String>,
    /// Whether the caller sits at this machine, so that paths mean its own files.
    pub local: bool,
}

/// A model as the store knows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModelRecord {
    /// Its id.
    pub model_id: ModelId,
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: ModelKind,
    /// The head of its main ref.
    pub head: VersionId,
    /// Unix time in milliseconds.
    pub created_ms: u64,
    /// Unix time in milliseconds of the head.
    pub changed_ms: u64,
}

/// A version as the store knows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct VersionRecord {
    /// Its id.
    pub version: VersionId,
    /// The version it came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<VersionId>,
    /// The tool that made it.
    pub tool: String,
    /// Who made it.
    pub author: String,
    /// Why, in the agent's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// Unix time in milliseconds.
    pub time_ms: u64,
    /// The event that records it.
    pub event_id: EventId,
    /// The event's type, such as `WallCreated`.
    pub event_type: String,
    /// The earlier version whose content it brought back, if undo, redo or a restore made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_as: Option<VersionId>,
    /// What changed, in a few lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changes: Option<DiffSummary>,
}

/// A name that points to a version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RefRecord {
    /// `main` or a branch.
    pub name: String,
    /// The version it points to.
    pub version: VersionId,
}

/// A fact of the event log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EventRecord {
    /// Its id.
    pub event_id: EventId,
    /// Position in the log.
    pub sequence: u64,
    /// Its type, such as `WallCreated`.
    pub event_type: String,
    /// The model it concerns.
    pub model_id: ModelId,
    /// The version it made.
    pub version: VersionId,
    /// Who.
    pub actor: String,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// Unix time in milliseconds.
    pub time_ms: u64,
}

/// One entry of the audit log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AuditRecord {
    /// Position in the log.
    pub sequence: u64,
    /// Unix time in milliseconds.
    pub time_ms: u64,
    /// Who.
    pub principal: String,
    /// The program that called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
    /// What was called.
    pub tool: String,
    /// With which arguments; large ones are cut and say so.
    pub arguments: Value,
    /// The model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_id: Option<ModelId>,
    /// The version before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version_before: Option<VersionId>,
    /// The version after.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version_after: Option<VersionId>,
    /// The event, if something changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event_id: Option<EventId>,
    /// `ok`, or the fault.
    pub outcome: Value,
    /// Why, in the agent's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// Microseconds from call to answer.
    pub duration_us: u64,
    /// Hash over this entry and the hash before it.
    pub hash: String,
}

/// One page of a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Page<T> {
    /// The rows.
    pub items: Vec<T>,
    /// Give this to get the next page; absent on the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

/// What a client is working on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionState {
    /// The current IFC model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ifc: Option<ModelId>,
    /// The current energy model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub energyplus: Option<ModelId>,
}

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
    /// What changed, where the operation said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changes: Option<DiffSummary>,
}

/// The system, seen from one call.
pub trait Platform: Send + Sync {
    /// Who calls.
    fn principal(&self) -> &Principal;

    /// The model this call is about: `model_id` if given, else the session's; a Fault if there is none.
    fn current_model(&self) -> BoxFuture<'_, Result<ModelRecord, Fault>>;

    /// The version this call is about: `model_version` if given, else the head.
    fn current_version(&self) -> BoxFuture<'_, Result<VersionId, Fault>>;

    /// Makes a model the session's own.
    fn set_current_model<'a>(&'a self, model: &'a ModelId) -> BoxFuture<'a, Result<(), Fault>>;

    /// One model.
    fn model<'a>(&'a self, model: &'a ModelId) -> BoxFuture<'a, Result<ModelRecord, Fault>>;

    /// Models, the latest changed first.
    fn models<'a>(
        &'a self,
        limit: u32,
        cursor: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Page<ModelRecord>, Fault>>;

    /// Versions of a model from its head back.
    fn versions<'a>(
        &'a self,
        model: &'a ModelId,
        limit: u32,
        cursor: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Page<VersionRecord>, Fault>>;

    /// One version; `id` may be shortened to its first digits where that is unambiguous.
    fn version<'a>(&'a self, model: &'a ModelId, id: &'a str) -> BoxFuture<'a, Result<VersionRecord, Fault>>;

    /// The versions that undo and redo would go to: (`steps` back, `steps` forward) as far as there are any.
    fn undo_target<'a>(&'a self, model: &'a ModelId, steps: i32) -> BoxFuture<'a, Result<VersionId, Fault>>;

    /// Makes a file a new model (or, with `into`, a new version of one), after reading it whole.
    fn import<'a>(
        &'a self,
        file: &'a Path,
        name: &'a str,
        kind: ModelKind,
        into: Option<&'a ModelId>,
    ) -> BoxFuture<'a, Result<(Committed, Artifact), Fault>>;

    /// Makes an older version's content the head again, as a new version.
    fn restore<'a>(
        &'a self,
        model: &'a ModelId,
        version: &'a VersionId,
        event_type: &'a str,
    ) -> BoxFuture<'a, Result<Committed, Fault>>;

    /// The whole file of a version, in the bucket.
    fn materialise<'a>(
        &'a self,
        model: &'a ModelId,
        version: &'a VersionId,
    ) -> BoxFuture<'a, Result<(PathBuf, String), Fault>>;

    /// What differs between two versions of a model.
    fn diff<'a>(
        &'a self,
        model: &'a ModelId,
        base: &'a VersionId,
        target: &'a VersionId,
    ) -> BoxFuture<'a, Result<(DiffRaw, DiffSummary), Fault>>;

    /// Runs a query on this call's model and version.
    fn query(&self, operation: Operation) -> BoxFuture<'_, Result<Artifact, Fault>>;

    /// Audit entries, the latest first.
    fn audit<'a>(
        &'a self,
        limit: u32,
        cursor: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Page<AuditRecord>, Fault>>;

    /// The address under which a person's browser reaches the viewer and the bucket, without a slash at its end.
    fn public_url(&self) -> String;
}
