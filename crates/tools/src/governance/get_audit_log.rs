//! Who did what, when, and why.

use crate::{Reply, Tool};
use contract::{AuditFilter, AuditRecord, BoxFuture, Effect, Fault, Platform};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Which entries.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Input {
    /// Only calls on this model: id or name.
    model_id: Option<String>,
    /// At most 200; default 20.
    limit: Option<u32>,
    /// `next_cursor` of the page before.
    cursor: Option<String>,
}

/// A page of entries, the latest first.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    entries: Vec<AuditRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("get_audit_log", Effect::Query, run)
        .title("Audit log")
        .description(
            "Every call with caller, tool, arguments, outcome, versions before and after, and the reasoning given, the \
             latest first. Append-only; each entry's hash covers the one before.",
        )
        .example("The latest", json!({ "limit": 10 }))
}

fn run(platform: &dyn Platform, input: Input) -> BoxFuture<'_, Result<Reply<Output>, Fault>> {
    Box::pin(async move {
        let model = match &input.model_id {
            Some(wanted) => Some(platform.model(wanted).await?.model_id),
            None => None,
        };
        let filter = AuditFilter { model, ..AuditFilter::default() };
        let page = platform.audit(&filter, input.limit.unwrap_or(20), input.cursor.as_deref()).await?;
        Ok(Reply::of(Output { entries: page.items, next_cursor: page.next_cursor }))
    })
}
