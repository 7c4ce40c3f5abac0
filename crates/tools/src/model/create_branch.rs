//! A line of versions beside `main`: work that can be looked at, merged or given up as a whole.

use crate::{Reply, Tool};
use contract::{Branches, Effect, EventType, Fault, ModelUse, Toolset, VersionId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The tool's arguments.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Input {
    /// Letters, digits, `.`, `_`, `-`, `/`.
    name: String,
    /// Branch or version; default: where the session is.
    from: Option<String>,
    /// Work on it from now on.
    #[schemars(extend("default" = true))]
    switch: Option<bool>,
}

/// The branch.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    branch: String,
    head: VersionId,
    #[serde(skip_serializing_if = "Option::is_none")]
    event_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("create_branch", Effect::Create, |platform, input| Box::pin(run(platform, input)))
        .any_kind()
        .title("Create a branch")
        .description(
            "Begins a branch of the model and works on it: changes stay there until merge_branch. model_version of any tool also takes a branch's name.",
        )
        .toolset(Toolset::Branches)
        .model(ModelUse::Current)
        .event(EventType::BranchCreated)
        .example("A variant", json!({ "name": "variant-a" }))
}

async fn run(platform: &(impl Branches + ?Sized), input: Input) -> Result<Reply<Output>, Fault> {
    let switch = input.switch.unwrap_or(true);
    let moved = platform.create_branch(&input.name, input.from.as_deref(), switch).await?;
    Ok(Reply::new(Output {
        branch: moved.branch.name,
        head: moved.branch.version,
        event_id: moved.event_id.map(|id| id.0),
        session: moved.session,
    })
    .status("created"))
}
