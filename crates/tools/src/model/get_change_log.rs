//! The changes since the session took the model up.

use crate::input::limit;
use crate::modelling::iso_time;
use crate::{Reply, Tool};
use contract::{Effect, EventType, Fault, ModelUse, Server, Sessions, Toolset, VersionRecord, Versions};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

const DEFAULT: u32 = 20;
/// Characters of a version's id.
const VERSION: usize = 12;
/// Elements that a row names.
const NAMED: usize = 4;
const MOST: u32 = 200;

/// The tool's arguments.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Input {
    /// At most 200.
    #[schemars(extend("default" = DEFAULT, "minimum" = 1, "maximum" = MOST, "x-seldom" = true))]
    limit: Option<u32>,
}

/// A change in one row.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Row {
    tool: String,
    event_type: EventType,
    /// Elements added, modified and removed, by class, with the names of the first.
    #[serde(skip_serializing_if = "String::is_empty")]
    summary: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning: Option<String>,
    author: String,
    /// UTC.
    time: String,
    /// The first characters of the version's id, which name it.
    model_version: String,
}

impl From<VersionRecord> for Row {
    fn from(version: VersionRecord) -> Self {
        let changes = version.changes.unwrap_or_default();
        let counted = [("+", &changes.added), ("~", &changes.modified), ("-", &changes.removed)];
        let parts = counted.iter().flat_map(|(sign, classes)| {
            classes.iter().map(move |(class, count)| format!("{sign}{count} {class}"))
        });
        let mut summary = parts.collect::<Vec<_>>().join(", ");
        let named = changes.elements.iter().filter_map(|element| element.name.as_deref());
        let named: Vec<&str> = named.filter(|name| !name.is_empty()).take(NAMED).collect();
        if !named.is_empty() {
            let more = changes.elements.len().saturating_sub(named.len());
            let more = if more > 0 { " …" } else { "" };
            summary = format!("{summary}: {}{more}", named.join(", "));
        }
        Self {
            summary,
            tool: version.tool,
            event_type: version.event_type,
            reasoning: version.reasoning,
            author: version.author,
            time: iso_time(version.time_ms),
            model_version: version.version.as_str().chars().take(VERSION).collect(),
        }
    }
}

/// The changes, the newest first.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    changes: Vec<Row>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("get_change_log", Effect::Query, |platform, input| Box::pin(run(platform, input)))
        .any_kind()
        .also_on(Server::Energy)
        .title("Change log")
        .description("What was changed in the model in this session, newest first; list_versions has the whole history.")
        .toolset(Toolset::Files)
        .model(ModelUse::Current)
        .example("The latest changes", json!({ "limit": 5 }))
}

async fn run(platform: &(impl Sessions + Versions + ?Sized), input: Input) -> Result<Reply<Output>, Fault> {
    let limit = limit(input.limit, DEFAULT, MOST)?;
    let model = platform.current_model().await?;
    let since = platform.session_since(&model.model_id).await?;
    let newest = platform.current_version().await?;
    let page = platform.versions(&model.model_id, limit, Some(newest.as_str())).await?;
    let recent = page.items.into_iter().take_while(|version| version.time_ms >= since);
    Ok(Reply::new(Output { changes: recent.map(Row::from).collect() }))
}
