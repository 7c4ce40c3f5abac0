//! Somebody's yes or no to a change that waits for it.

use crate::{Reply, Tool};
use contract::{Action, ApprovalRecord, Approvals, Effect, Fault};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Yes or no.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// Commit it.
    Approve,
    /// Leave it.
    Reject,
}

/// On which, and what.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Input {
    /// From list_approvals, or from the Fault that asked for it.
    approval_id: String,
    /// Yes or no.
    decision: Decision,
    /// A remark on the decision.
    comment: Option<String>,
}

/// The tool's answer.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    approval: ApprovalRecord,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("decide_approval", Effect::Modify, |platform, input| Box::pin(run(platform, input)))
        .action(Action::Approve)
        .title("Decide on an approval")
        .description(
            "Approves or rejects a change that waits. Approving commits exactly what was previewed; if the model moved on \
             meanwhile it answers a conflict. Not for one's own requests.",
        )
        .example("Yes", json!({ "approval_id": "0199a0c4-6a53-7a2e-9c7e-3f4f4a1f0c11", "decision": "approve" }))
}

async fn run(platform: &(impl Approvals + ?Sized), input: Input) -> Result<Reply<Output>, Fault> {
    let approve = input.decision == Decision::Approve;
    let (approval, committed) =
        platform.decide_approval(&input.approval_id, approve, input.comment.as_deref()).await?;
    let status = approval.status.as_str();
    let reply = Reply::new(Output { approval }).status(status);
    Ok(match committed {
        Some(committed) => reply.committed(committed),
        None => reply,
    })
}
