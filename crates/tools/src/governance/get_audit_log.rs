//! The audit log: who did what, when, and why.

use crate::input::limit;
use crate::{Reply, Tool};
use contract::{AuditFilter, AuditLog, AuditRecord, Effect, Fault, Models};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

const DEFAULT: u32 = 20;
const MOST: u32 = 200;

/// The tool's arguments.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Input {
    /// Only calls on this model: id or name.
    model_id: Option<String>,
    /// Only calls by this principal.
    principal: Option<String>,
    /// Only calls of this tool.
    tool: Option<String>,
    /// From this time on: `2026-11-23` or `2026-11-23T08:30:00Z`, UTC.
    since: Option<String>,
    /// Before this time.
    until: Option<String>,
    /// At most 200.
    #[schemars(extend("default" = DEFAULT, "minimum" = 1, "maximum" = MOST, "x-seldom" = true))]
    limit: Option<u32>,
    /// `next_cursor` of the page before.
    #[schemars(extend("x-seldom" = true))]
    cursor: Option<String>,
    /// With each call's answer, manifest, and hashes of the rows that were written with it.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    details: bool,
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
    Tool::platform("get_audit_log", Effect::Query, |platform, input| Box::pin(run(platform, input)))
        .title("Audit log")
        .description(
            "Every call with caller, tool, arguments, outcome, versions before and after, and the reasoning given, the \
             latest first. Append-only; each entry's hash covers the one before.",
        )
        .example("The latest", json!({ "limit": 10 }))
        .example("What was deleted since", json!({ "tool": "delete_elements", "since": "2026-11-01" }))
}

async fn run(platform: &(impl AuditLog + Models + ?Sized), input: Input) -> Result<Reply<Output>, Fault> {
    let model = match &input.model_id {
        Some(wanted) => Some(platform.model(wanted).await?.model_id),
        None => None,
    };
    let filter = AuditFilter {
        model,
        principal: input.principal,
        tool: input.tool,
        since_ms: time("since", input.since.as_deref())?,
        until_ms: time("until", input.until.as_deref())?,
    };
    let limit = limit(input.limit, DEFAULT, MOST)?;
    let mut page = platform.audit(&filter, limit, input.cursor.as_deref()).await?;
    if !input.details {
        for entry in &mut page.items {
            (entry.result, entry.manifest, entry.rows) = (Value::Null, None, Vec::new());
        }
    }
    Ok(Reply::new(Output { entries: page.items, next_cursor: page.next_cursor }))
}

/// A date or a time of RFC 3339, the one or other sign left out, as Unix time in milliseconds.
fn time(field: &str, text: Option<&str>) -> Result<Option<u64>, Fault> {
    let Some(text) = text else { return Ok(None) };
    let whole = if text.len() == "2026-11-23".len() { format!("{text}T00:00:00Z") } else { text.to_owned() };
    let time = humantime::parse_rfc3339_weak(&whole).map_err(|_| {
        Fault::invalid(field, format!("{text:?} is no time. Write 2026-11-23 or 2026-11-23T08:30:00Z (UTC)."))
    })?;
    let since = time.duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    Ok(Some(u64::try_from(since.as_millis()).unwrap_or(u64::MAX)))
}
