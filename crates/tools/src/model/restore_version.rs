//! Back to an older version, as a new one: what came between stays in the history.

use crate::{Reply, Tool};
use contract::{Effect, EventType, Fault, ModelUse, Server, Sessions, Toolset, VersionId, Versions};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The tool's arguments.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Input {
    /// Version to go back to; its first digits are enough.
    model_version: String,
}

/// The tool's answer.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    restored: VersionId,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("restore_version", Effect::Modify, |platform, input| Box::pin(run(platform, input)))
        .any_kind()
        .also_on(Server::Energy)
        .title("Restore a version")
        .description(
            "Makes the model as it was in an older version, as a new version on top: nothing is lost, and undo takes it back.",
        )
        .toolset(Toolset::Versions)
        .model(ModelUse::Current)
        .event(EventType::VersionRestored)
        .idempotent()
        .example("Back to a version", json!({ "model_version": "3f2a90c1" }))
}

async fn run(platform: &(impl Sessions + Versions + ?Sized), input: Input) -> Result<Reply<Output>, Fault> {
    let model = platform.current_model().await?;
    let restored = platform.version(&model.model_id, &input.model_version).await?.version;
    let reply = Reply::new(Output { restored: restored.clone() });
    Ok(match platform.restore(&model.model_id, &restored).await? {
        Some(committed) => reply.status("restored").committed(committed),
        None => reply.status("unchanged"),
    })
}
