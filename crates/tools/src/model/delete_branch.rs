//! The end of a branch: its name goes, its versions stay.

use crate::{Reply, Tool};
use contract::{Action, Branches, Effect, EventType, Fault, ModelUse, Toolset, VersionId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The tool's arguments.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Input {
    /// A branch; never `main`.
    name: String,
}

/// The tool's answer.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    branch: String,
    /// The version it pointed to: create_branch from here brings it back.
    head: VersionId,
    #[serde(skip_serializing_if = "Option::is_none")]
    event_id: Option<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("delete_branch", Effect::Modify, |platform, input| Box::pin(run(platform, input)))
        .action(Action::Delete)
        .any_kind()
        .title("Delete a branch")
        .description("Removes a branch's name, merged or not; its versions stay, and create_branch from its head brings it back.")
        .toolset(Toolset::Branches)
        .model(ModelUse::Current)
        .destructive()
        .event(EventType::BranchDeleted)
        .example("A variant given up", json!({ "name": "variant-a" }))
}

async fn run(platform: &(impl Branches + ?Sized), input: Input) -> Result<Reply<Output>, Fault> {
    let moved = platform.delete_branch(&input.name).await?;
    Ok(Reply::new(Output {
        branch: moved.branch.name,
        head: moved.branch.version,
        event_id: moved.event_id.map(|id| id.0),
    })
    .status("deleted"))
}
