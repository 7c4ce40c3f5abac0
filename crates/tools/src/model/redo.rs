//! Makes undone edits again, as a new version. After any other change there is nothing to redo.

use crate::Tool;
use crate::steps::{self, Way};
use contract::{Effect, EventType, ModelUse, Server, Toolset};
use serde_json::json;

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("redo", Effect::Modify, |platform, input| {
        Box::pin(steps::take(platform, input, Way::Forth))
    })
    .any_kind()
    .also_on(Server::Energy)
    .title("Redo")
    .description(
        "Makes the last undone change again (or several), as a new version; not after another change.",
    )
    .toolset(Toolset::Versions)
    .model(ModelUse::Current)
    .event(EventType::EditsRedone)
    .example("The last change", json!({}))
}
