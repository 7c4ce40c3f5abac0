//! Work that outlasts the call that asked for it: what is kept of it, and how it is looked for.

use crate::{ModelId, VersionId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// How far a job is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum JobState {
    /// Nobody has begun it yet.
    Queued,
    /// A gateway is at it.
    Running,
    /// It came to a result.
    Done,
    /// It came to a Fault.
    Failed,
    /// It was given up because somebody asked for that.
    Cancelled,
}

impl JobState {
    /// Each of them.
    pub const ALL: [Self; 5] = [Self::Queued, Self::Running, Self::Done, Self::Failed, Self::Cancelled];

    /// As it is kept and asked for.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    /// The one of this spelling.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == name)
    }

    /// True if nothing more becomes of it.
    pub fn is_over(self) -> bool {
        !matches!(self, Self::Queued | Self::Running)
    }
}

/// A job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JobRecord {
    /// Its id.
    pub job_id: String,
    /// The kind of work, by the name of the worker that does it.
    pub kind: String,
    /// How far it is.
    pub state: JobState,
    /// In whose name it is done.
    pub principal: String,
    /// The model that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_id: Option<ModelId>,
    /// The version of that model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<VersionId>,
    /// With which parameters.
    pub parameters: Value,
    /// How often it was begun: more than once where the gateway that was at it went away.
    pub attempts: u32,
    /// True if somebody asked for it to end, and it has not ended yet.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_ending: bool,
    /// The last report of its progress.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub progress: Option<Value>,
    /// Its result, or the Fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Value>,
    /// Unix time in milliseconds.
    pub created_ms: u64,
    /// Unix time in milliseconds of the last sign of life.
    pub updated_ms: u64,
}

/// The part that the results of all jobs have in common.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JobResult {
    /// The way the work ended, where it says so: [`JobResult::CANCELLED`] where it was broken off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// The files that it left.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<JobFile>,
    /// The rest of its answer; its members stand beside the others.
    #[serde(flatten)]
    pub answer: Map<String, Value>,
}

impl JobResult {
    /// The status of work that was broken off because somebody asked for that.
    pub const CANCELLED: &'static str = "cancelled";

    /// True if the work says of itself that it was broken off.
    pub fn is_cancelled(&self) -> bool {
        self.status.as_deref() == Some(Self::CANCELLED)
    }
}

/// A file that a job left, kept in the bucket.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JobFile {
    /// Its role in the work.
    pub role: String,
    /// Its key in the bucket.
    pub key: String,
    /// Its name.
    pub name: String,
    /// Bytes.
    pub size: u64,
    /// Its address for a browser.
    pub href: String,
}

/// A new job, as it is submitted.
#[derive(Debug, Clone, PartialEq)]
pub struct JobDraft {
    /// The kind of work.
    pub kind: String,
    /// The model that it is about, and its version.
    pub about: Option<(ModelId, VersionId)>,
    /// With which parameters.
    pub parameters: Value,
}

/// Which jobs are wanted; what is not said does not matter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JobFilter {
    /// In whose name.
    pub principal: Option<String>,
    /// About which model.
    pub model: Option<ModelId>,
    /// Of which kind.
    pub kind: Option<String>,
    /// How far.
    pub state: Option<JobState>,
}
