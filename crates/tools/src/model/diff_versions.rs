//! The difference between two versions of a model.

use crate::{Reply, Tool};
use contract::{
    DiffRaw, DiffSummary, Effect, Fault, ModelUse, Server, Sessions, Toolset, VersionId, Versions,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The detail of a difference.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Detail {
    /// Counts by class, named elements, storeys, properties.
    #[default]
    Summary,
    /// Every attribute of every instance.
    Raw,
}

/// The tool's arguments.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Input {
    /// Version to compare from.
    base: String,
    /// Version to compare to; without it the newest.
    target: Option<String>,
    /// raw: every attribute before and after.
    #[serde(default)]
    detail: Detail,
}

/// The difference.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    base: VersionId,
    target: VersionId,
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<DiffSummary>,
    #[serde(skip_serializing_if = "Option::is_none")]
    raw: Option<DiffRaw>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("diff_versions", Effect::Query, |platform, input| Box::pin(run(platform, input)))
        .any_kind()
        .also_on(Server::Energy)
        .title("Compare versions")
        .description(
            "What was added, removed and modified between two versions of the model. Version ids come from list_versions.",
        )
        .toolset(Toolset::Versions)
        .model(ModelUse::Current)
        .example("Since a version", json!({ "base": "3f2a90c1" }))
}

async fn run(platform: &(impl Sessions + Versions + ?Sized), input: Input) -> Result<Reply<Output>, Fault> {
    let model = platform.current_model().await?;
    let base = platform.version(&model.model_id, &input.base).await?.version;
    let target = match &input.target {
        Some(target) => platform.version(&model.model_id, target).await?.version,
        None => platform.current_version().await?,
    };
    let (raw, summary) = platform.diff(&model.model_id, &base, &target).await?;
    let (summary, raw) = match input.detail {
        Detail::Summary => (Some(summary), None),
        Detail::Raw => (None, Some(raw)),
    };
    Ok(Reply::new(Output { base, target, summary, raw }))
}
