//! The history of a model, from its newest version back.

use crate::input::limit;
use crate::{Reply, Tool};
use contract::{
    Effect, EventType, Fault, Manifest, ModelUse, RefRecord, Server, Sessions, Toolset, VersionId,
    VersionRecord, Versions,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

const DEFAULT: u32 = 20;
const MOST: u32 = 200;

/// The tool's arguments.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Input {
    /// At most 200.
    #[schemars(extend("default" = DEFAULT, "minimum" = 1, "maximum" = MOST, "x-seldom" = true))]
    limit: Option<u32>,
    /// `next_cursor` of the page before.
    #[schemars(extend("x-seldom" = true))]
    cursor: Option<String>,
    /// With how each came about: adapter, its version, inputs, times, confinement.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    manifests: bool,
}

/// A version in one row.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Row {
    version: VersionId,
    /// The version that was merged.
    #[serde(skip_serializing_if = "Option::is_none")]
    merged: Option<VersionId>,
    event_type: EventType,
    tool: String,
    author: String,
    time_ms: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning: Option<String>,
    /// The earlier version whose content it brought back.
    #[serde(skip_serializing_if = "Option::is_none")]
    same_as: Option<VersionId>,
    /// Instances added, removed and modified.
    #[serde(skip_serializing_if = "Option::is_none")]
    instances: Option<u64>,
    /// How it came about; absent of a version that was made before this was kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    manifest: Option<Manifest>,
}

impl From<VersionRecord> for Row {
    fn from(version: VersionRecord) -> Self {
        Self {
            version: version.version,
            merged: version.merged,
            event_type: version.event_type,
            tool: version.tool,
            author: version.author,
            time_ms: version.time_ms,
            reasoning: version.reasoning,
            same_as: version.same_as,
            instances: version.changes.map(|changes| changes.instances),
            manifest: None,
        }
    }
}

/// A page of versions, the newest first.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// The branch that this is the history of.
    branch: String,
    /// The version that each branch points to.
    branches: Vec<RefRecord>,
    versions: Vec<Row>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("list_versions", Effect::Query, |platform, input| Box::pin(run(platform, input)))
        .any_kind()
        .also_on(Server::Energy)
        .title("List versions")
        .description("The model's history, newest first: by what, by whom, when and why; and its branches.")
        .toolset(Toolset::Versions)
        .model(ModelUse::Current)
        .example("The latest versions", json!({ "limit": 5 }))
        .example("How the head came about", json!({ "limit": 1, "manifests": true }))
}

async fn run(platform: &(impl Sessions + Versions + ?Sized), input: Input) -> Result<Reply<Output>, Fault> {
    let model = platform.current_model().await?;
    let start = platform.current_version().await?;
    let cursor = input.cursor.unwrap_or(start.0);
    let limit = limit(input.limit, DEFAULT, MOST)?;
    let page = platform.versions(&model.model_id, limit, Some(&cursor)).await?;
    let mut versions: Vec<Row> = page.items.into_iter().map(Row::from).collect();
    if input.manifests {
        for row in &mut versions {
            row.manifest = platform.manifest(&model.model_id, &row.version).await?;
        }
    }
    let branch = platform.current_branch().await?;
    let branches = platform.refs(&model.model_id).await?;
    Ok(Reply::new(Output { branch, branches, versions, next_cursor: page.next_cursor }))
}
