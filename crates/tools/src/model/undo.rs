//! Takes back the latest edits, as a new version: what was undone stays in the history and redo brings it back.

use crate::Tool;
use crate::steps::{self, Way};
use contract::{Effect, EventType, ModelUse, Server, Toolset};
use serde_json::json;

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("undo", Effect::Modify, |platform, input| {
        Box::pin(steps::take(platform, input, Way::Back))
    })
    .any_kind()
    .also_on(Server::Energy)
    .title("Undo")
    .description(
        "Takes back the model's last change (or several), whoever made it, as a new version. redo makes it \
             again.",
    )
    .toolset(Toolset::Model)
    .toolset(Toolset::Versions)
    .model(ModelUse::Current)
    .event(EventType::EditsUndone)
    .example("The last change", json!({}))
}
