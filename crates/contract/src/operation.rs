//! What is asked of an Execution Service: an operation, on which models and files, within which limits.

use crate::{ModelId, ModelKind, OperationId, VersionId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The effect of an operation on a model; names the endpoint it is sent to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Effect {
    /// Reads only.
    Query,
    /// Adds to a model, or makes one.
    Create,
    /// Changes or removes what is there.
    Modify,
}

impl Effect {
    /// The endpoint's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Query => "query",
            Self::Create => "create",
            Self::Modify => "modify",
        }
    }
}

/// An operation in terms that every back end understands: what a tool's name and parameters say, and nothing of how.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Operation {
    /// Query, create or modify.
    pub effect: Effect,
    /// The operation's name, such as `create_wall`.
    pub name: String,
    /// Its parameters, as its schema in `/info` describes them.
    #[serde(default)]
    pub params: Value,
}

impl Operation {
    /// The key under which the answer of this query on a version may be kept: everything that it depends on, this version of the
    /// program included.
    pub fn key_on(&self, version: &VersionId) -> String {
        let params = crate::canonical_json(&self.params);
        format!("{}/{version}/{params}/{}", self.name, env!("CARGO_PKG_VERSION"))
    }
}

/// The location of bytes: beside the request or behind a link, never behind a credential.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Source {
    /// A file in a folder that the worker may read.
    Path(String),
    /// A presigned address.
    Href(String),
    /// The bytes themselves, in base64; for small deltas.
    Inline(String),
}

impl Source {
    /// Bytes carried in the request itself.
    pub fn inline(bytes: &[u8]) -> Self {
        use base64::Engine as _;
        Self::Inline(base64::engine::general_purpose::STANDARD.encode(bytes))
    }

    /// The bytes of an inline source; `None` for the others and for broken base64.
    pub fn inline_bytes(&self) -> Option<Vec<u8>> {
        use base64::Engine as _;
        match self {
            Self::Inline(text) => base64::engine::general_purpose::STANDARD.decode(text).ok(),
            Self::Path(_) | Self::Href(_) => None,
        }
    }
}

/// A model in a request: which version, and what to open it from. Without `base` the worker answers from the versions
/// it holds open, or with the Fault `VersionNotOpen`, upon which the caller sends the same request with sources.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelInput {
    /// The operation's name for it: `model` for the one it works on, `base` and `target` of a difference, ….
    pub role: String,
    /// The model.
    pub id: ModelId,
    /// The version asked for.
    pub version: VersionId,
    /// The kind of model.
    pub kind: ModelKind,
    /// The nearest whole file at or before the version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<Source>,
    /// The version that `base` is a file of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_version: Option<VersionId>,
    /// The deltas from `base_version` to `version`, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deltas: Vec<Source>,
}

impl ModelInput {
    /// A version that is only named: whoever holds it open needs nothing else, and others ask for its sources.
    pub fn named(role: &str, id: ModelId, version: VersionId, kind: ModelKind) -> Self {
        let role = role.to_owned();
        Self { role, id, version, kind, base: None, base_version: None, deltas: Vec::new() }
    }
}

/// A model and a version of it; without a version, the head of its main ref.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct ModelRef {
    /// The model.
    pub id: ModelId,
    /// The version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<VersionId>,
}

/// A file beside the models: an IDS, a BCF, a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FileInput {
    /// The operation's name for it.
    pub role: String,
    /// Its location.
    pub source: Source,
    /// SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
    /// Its media type.
    pub media_type: String,
}

/// The amounts that one call may use. Zero means the host's own limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Bytes of the logical result.
    pub result_bytes: u64,
    /// Milliseconds of wall time.
    pub wall_ms: u64,
    /// Bytes of memory.
    pub memory_bytes: u64,
}

/// The caller, for the manifest and for the owner history that an edit writes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Actor {
    /// The principal's name.
    pub principal: String,
    /// The program that called, such as an MCP client's name and version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<String>,
}

/// The body of `/query`, `/create` and `/modify`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// Identifies this operation; the same on a retry.
    pub operation_id: OperationId,
    /// The operation.
    pub operation: Operation,
    /// The adapter that is to do it, by its name in `/info`. Absent: the one that the service prefers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backend: Option<String>,
    /// True if the caller named that adapter: a call that it does not resolve itself is refused, and not left to another kernel.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub strict: bool,
    /// The models it works on.
    #[serde(default)]
    pub models: Vec<ModelInput>,
    /// The files it works on.
    #[serde(default)]
    pub files: Vec<FileInput>,
    /// Limits for this call.
    #[serde(default)]
    pub limits: Limits,
    /// Unix time in milliseconds after which the answer is of no use. Zero: none.
    #[serde(default)]
    pub deadline_ms: u64,
    /// Unix time in milliseconds at which the operation was first asked for; the same on a retry, so that a retry
    /// writes the same owner history.
    pub time_ms: u64,
    /// The caller.
    #[serde(default)]
    pub actor: Actor,
    /// Why, in the agent's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// A folder the worker may write result files to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scratch: Option<String>,
}

impl Request {
    /// The model with this role.
    pub fn model(&self, role: &str) -> Option<&ModelInput> {
        self.models.iter().find(|model| model.role == role)
    }
}
