//! The changes that wait for somebody's yes.

use crate::{Reply, Tool};
use contract::{ApprovalRecord, Approvals, Effect, Fault};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The tool's arguments.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Input {
    /// Decided or expired ones, too.
    #[serde(default)]
    all: bool,
    /// At most 200.
    #[schemars(extend("default" = 20, "minimum" = 1, "maximum" = 200, "x-seldom" = true))]
    limit: Option<u32>,
    /// `next_cursor` of the page before.
    #[schemars(extend("x-seldom" = true))]
    cursor: Option<String>,
}

/// A page of them, the latest first.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    approvals: Vec<ApprovalRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("list_approvals", Effect::Query, |platform, input| Box::pin(run(platform, input)))
        .title("Approvals")
        .description(
            "Changes that wait for somebody's approval: who asked, what would change, why it needs one, which roles may \
             decide, until when.",
        )
        .example("What waits", json!({}))
}

async fn run(platform: &(impl Approvals + ?Sized), input: Input) -> Result<Reply<Output>, Fault> {
    let limit = crate::input::limit(input.limit, 20, 200)?;
    let page = platform.approvals(!input.all, limit, input.cursor.as_deref()).await?;
    Ok(Reply::new(Output { approvals: page.items, next_cursor: page.next_cursor }))
}
