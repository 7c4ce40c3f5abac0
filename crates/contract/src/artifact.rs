//! What every operation returns: changes as deltas, files, the logical result, the difference, and a manifest of how it
//! came about; and the compact form of it that an agent reads.

use crate::{
    Actor, DiffRaw, DiffSummary, EventId, ModelId, ModelKind, ModelRef, OperationId, Source, VersionId,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// One model changed or made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// The role of the model changed, or `new` for one that this operation made.
    pub role: String,
    /// The kind of model.
    pub kind: ModelKind,
    /// The delta, encoded (see `Delta`): to the version given in the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delta: Option<Source>,
    /// The whole file, for a model that is new.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<FileOut>,
}

/// A file that an operation made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FileOut {
    /// The operation's name for it.
    pub role: String,
    /// A name to store it under.
    pub name: String,
    /// Where it is: a path in the scratch folder, an address it was uploaded to, or the bytes.
    pub source: Source,
    /// SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
    /// Size in bytes.
    pub size: u64,
    /// Its media type.
    pub media_type: String,
}

/// One model that an operation read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ManifestInput {
    /// Its role in the request.
    pub role: String,
    /// Which model and version.
    #[serde(flatten)]
    pub model: ModelRef,
}

/// How an artifact came about; enough to do it again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Manifest {
    /// The operation's id.
    pub operation_id: OperationId,
    /// The operation's name.
    pub tool: String,
    /// The adapter that ran it.
    pub adapter: String,
    /// The adapter's version.
    pub adapter_version: String,
    /// The inputs that it read.
    pub inputs: Vec<ManifestInput>,
    /// SHA-256 over the parameters as canonical JSON, in hexadecimal.
    pub params_sha256: String,
    /// Unix time in milliseconds at which the adapter began.
    pub started_ms: u64,
    /// How long it took, in microseconds.
    pub duration_us: u64,
    /// Who asked.
    pub actor: Actor,
    /// Why, in the agent's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// The walls between the operation and the rest of the machine, such as `landlock 7` and `seccomp`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sandbox: Vec<String>,
}

/// The result of an operation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Artifact {
    /// How it came about.
    pub manifest: Manifest,
    /// Models changed or made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
    /// Files made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<FileOut>,
    /// The operation's answer, as its output schema describes it.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub result: Value,
    /// The difference in a few lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diff_summary: Option<DiffSummary>,
    /// The difference whole; left out unless the operation asks for it (it can be made again from the delta).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diff_raw: Option<DiffRaw>,
    /// The type of event that a change is, such as `WallCreated`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event_type: Option<String>,
}

/// A thing to open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Link {
    /// Its title.
    pub title: String,
    /// Where it is.
    pub href: String,
}

/// A picture that is shown beside an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Its media type, such as `image/png`.
    pub media_type: String,
    /// Its bytes, as base64.
    pub base64: String,
}

impl Picture {
    /// A picture of these bytes.
    pub fn new(media_type: &str, bytes: &[u8]) -> Self {
        use base64::Engine as _;
        let base64 = base64::engine::general_purpose::STANDARD.encode(bytes);
        Self { media_type: media_type.to_owned(), base64 }
    }
}

/// The compact form of an artifact that an agent reads. Bounded in size; nothing is said twice.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChatArtifact {
    /// `ok`, `created`, `modified`, `deleted`, `unchanged`, or `preview` for a dry run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// The operation's answer; its members stand beside the others.
    #[serde(flatten)]
    pub result: Map<String, Value>,
    /// The model, where it is not the session's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_id: Option<ModelId>,
    /// The version that is now current.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_version: Option<VersionId>,
    /// The event that the change was recorded as.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event_id: Option<EventId>,
    /// The change in a few lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changes: Option<DiffSummary>,
    /// Things to open.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<Link>,
    /// Pictures to look at. They are no part of the JSON: a transport that can show pictures sends them beside it, and each is behind
    /// one of the links.
    #[serde(skip)]
    pub pictures: Vec<Picture>,
}
