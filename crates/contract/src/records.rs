//! What the store keeps of models, versions, branches, events, calls and sessions, as tools read it.

use crate::{
    ApprovalStep, DiffSummary, EventId, EventType, Manifest, ModelId, ModelKind, OperationId, VersionId,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

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
    /// The version that was merged into that one, if it is a merge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merged: Option<VersionId>,
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
    /// The type of that event.
    pub event_type: EventType,
    /// The earlier version whose content it brought back, if undo, redo or a restore made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_as: Option<VersionId>,
    /// The change in a few lines.
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

/// A model at its beginning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModelBegun {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: ModelKind,
    /// The model that it was made from, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Box<ModelOrigin>>,
}

/// The origin of a model that was made from a version of another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModelOrigin {
    /// The other model.
    pub model_id: ModelId,
    /// The version of it.
    pub version: VersionId,
    /// The ids of elements of the other by the names of what they became here, such as GlobalIds of spaces by names of zones.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub elements: BTreeMap<String, String>,
}

/// The subject of an event: the elements that a change touched, and the parameters that it was asked for with.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EventSubject {
    /// The elements, to a bound, those added first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub elements: Vec<SubjectElement>,
    /// The parameters of the call; large ones are cut and say so.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub parameters: Value,
}

/// An element that an event is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SubjectElement {
    /// GlobalId or, of an EnergyPlus object, type and name.
    pub id: String,
    /// Class, such as `IfcWall`.
    pub class: String,
}

impl EventSubject {
    /// The subject of a change with this summary, asked for with these parameters.
    pub fn of_change(summary: Option<&DiffSummary>, parameters: Value) -> Self {
        let touched = summary.into_iter().flat_map(|summary| &summary.elements);
        let elements =
            touched.map(|element| SubjectElement { id: element.id.clone(), class: element.class.clone() });
        Self { elements: elements.collect(), parameters }
    }
}

/// A fact of the event log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EventRecord {
    /// Its id.
    pub event_id: EventId,
    /// Position in the log.
    pub sequence: u64,
    /// The type of the event.
    pub event_type: EventType,
    /// The model it concerns.
    pub model_id: ModelId,
    /// The version it made, or is about; none where a model that is not there yet waits for approval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<VersionId>,
    /// The ref that points to that version since, or that is gone since where the event says so; none where no ref moved.
    #[serde(default, rename = "branch", skip_serializing_if = "Option::is_none")]
    pub ref_name: Option<String>,
    /// The model that began with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub begun: Option<ModelBegun>,
    /// The fate of a change that waits or waited for approval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval: Option<ApprovalStep>,
    /// The elements and parameters that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<EventSubject>,
    /// The tool that was called.
    pub tool: String,
    /// SHA-256 over its parameters as canonical JSON.
    pub params_sha256: String,
    /// The operation; the same on a retry.
    pub operation_id: OperationId,
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
    /// The tool that was called.
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
    /// The answer; large members are cut and say so.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub result: Value,
    /// How the latest operation of the call came about: adapter, its version, inputs, times, confinement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub manifest: Option<Manifest>,
    /// Why, in the agent's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// Microseconds from call to answer.
    pub duration_us: u64,
    /// The rows that were written with it, each with a hash over all its columns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<WrittenRow>,
    /// Hash over this entry and the hash before it.
    pub hash: String,
}

/// A row of the database as an audit entry vouches for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WrittenRow {
    /// The table: `models`, `versions`, `checkpoints`, `refs`, `events`, `approvals`.
    pub table: String,
    /// The row's key; of a ref, model and name with a slash between.
    pub key: String,
    /// SHA-256 over the canonical JSON of an object of all columns that are not null. Absent where the row was removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// The first eight digits of each column's own SHA-256, in the order of the table, so that a changed one can be named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub columns: Option<String>,
}

/// Which entries of the audit log; all where nothing is said.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AuditFilter {
    /// About this model.
    pub model: Option<ModelId>,
    /// By this principal.
    pub principal: Option<String>,
    /// Of this tool.
    pub tool: Option<String>,
    /// From this Unix time in milliseconds on.
    pub since_ms: Option<u64>,
    /// Before this Unix time in milliseconds.
    pub until_ms: Option<u64>,
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

/// A file of the client's machine that holds a model, as it was when it was read or written last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModelFile {
    /// Its path, in full.
    pub path: String,
    /// Bytes.
    pub size: u64,
    /// Unix time in milliseconds at which it was written; none where the file system does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modified_ms: Option<u64>,
}

/// A job of the session's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionJob {
    /// Its id.
    pub job_id: String,
    /// The kind of the model that it works on.
    pub kind: ModelKind,
}

/// The state of a client's session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionState {
    /// The kind of the model that it took up last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latest: Option<ModelKind>,
    /// The current IFC model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ifc: Option<ModelId>,
    /// The branch of it; `main` where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ifc_branch: Option<String>,
    /// Unix time in milliseconds at which it became that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ifc_since_ms: Option<u64>,
    /// The current energy model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub energyplus: Option<ModelId>,
    /// The branch of it; `main` where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub energyplus_branch: Option<String>,
    /// Unix time in milliseconds at which it became that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub energyplus_since_ms: Option<u64>,
    /// The file that the IFC model was loaded from, or saved to last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ifc_file: Option<ModelFile>,
    /// The file that the energy model was loaded from, or saved to last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub energyplus_file: Option<ModelFile>,
    /// The latest jobs on its models, by the names that tools gave them; forgotten when another model takes the place of theirs.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub jobs: BTreeMap<String, SessionJob>,
    /// Whatever else tools remember from one call to the next, by the names that they gave it, such as the key of a file.
    #[serde(flatten)]
    pub slots: BTreeMap<String, String>,
}
