//! The line of versions that a session works on.

use crate::{Reply, Tool};
use contract::{Branches, Effect, Fault, ModelUse, Toolset, VersionId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The tool's arguments.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Input {
    /// `main` or a branch.
    name: String,
}

/// The tool's answer.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    branch: String,
    head: VersionId,
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("switch_branch", Effect::Query, |platform, input| Box::pin(run(platform, input)))
        .any_kind()
        .title("Switch to a branch")
        .side_effects()
        .idempotent()
        .description("Works on another branch of the model from now on; `main` is the first.")
        .toolset(Toolset::Branches)
        .model(ModelUse::Current)
        .example("Back to main", json!({ "name": "main" }))
}

async fn run(platform: &(impl Branches + ?Sized), input: Input) -> Result<Reply<Output>, Fault> {
    let moved = platform.switch_branch(&input.name).await?;
    Ok(Reply::new(Output { branch: moved.branch.name, head: moved.branch.version, session: moved.session }))
}
