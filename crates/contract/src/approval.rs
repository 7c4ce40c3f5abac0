//! A change that waits for somebody's yes.

use crate::{Action, DiffSummary, ModelId, VersionId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The state of an approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ApprovalStatus {
    /// It waits.
    Pending,
    /// Somebody said yes, and it was committed.
    Approved,
    /// Somebody said no.
    Rejected,
    /// Nobody said anything in time.
    Expired,
}

impl ApprovalStatus {
    /// As it is kept and asked for.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Approved => "approved",
            Self::Rejected => "rejected",
            Self::Expired => "expired",
        }
    }

    /// The one of this spelling.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Pending, Self::Approved, Self::Rejected, Self::Expired]
            .into_iter()
            .find(|status| status.as_str() == name)
    }
}

/// A step on the way of such a change, as the event log has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ApprovalStep {
    /// The approval.
    pub approval_id: String,
    /// The state it has come to with this event.
    pub status: ApprovalStatus,
}

/// A gate that holds up a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HeldBy {
    /// Its name.
    pub gate: String,
    /// Why it asks, in a sentence.
    pub reason: String,
    /// Roles that may decide at it.
    pub may_decide: Vec<String>,
    /// True if it is one of the strictest, whose approvers decide.
    pub decides: bool,
}

/// A change that waits, or waited, for somebody's yes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ApprovalRecord {
    /// Its id.
    pub approval_id: String,
    /// Its state.
    pub status: ApprovalStatus,
    /// The tool that was called.
    pub tool: String,
    /// The action that it approves.
    pub action: Action,
    /// The principal that asked.
    pub requested_by: String,
    /// Why, in the agent's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// The strictest gate that asks for it.
    pub gate: String,
    /// Why it asks, in a sentence.
    pub reason: String,
    /// Roles that may decide: one of these, and where none is common to the strictest gates one of each.
    pub may_decide: Vec<String>,
    /// All gates that hold it up, where they are more than one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gates: Vec<HeldBy>,
    /// The model; for one that is not there yet, the id it will have.
    pub model_id: ModelId,
    /// Its name.
    pub model: String,
    /// The version that the change was made on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<VersionId>,
    /// The changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changes: Option<DiffSummary>,
    /// Unix time in milliseconds.
    pub requested_ms: u64,
    /// Unix time in milliseconds from which on nobody can say yes.
    pub expires_ms: u64,
    /// The principal that decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided_by: Option<String>,
    /// True if it was the person at the client that had asked, whom the gate trusts with it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_person: bool,
    /// Unix time in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided_ms: Option<u64>,
    /// The comment on the decision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// The version that it became.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<VersionId>,
}
