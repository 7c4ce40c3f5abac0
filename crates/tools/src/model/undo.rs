//! Takes back the latest edits, as a new version: what was undone stays in the history and redo brings it back.

use crate::{Reply, Tool};
use contract::{BoxFuture, Effect, Fault, ModelUse, Platform};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

const MOST: i32 = 1000;

/// How far.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Input {
    /// How many changes; default 1.
    steps: Option<i32>,
}

/// How far it went.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// Changes taken back; fewer than asked for where there were not as many.
    steps: u32,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("undo", Effect::Modify, run)
        .title("Undo")
        .description(
            "Takes back the last change of the model (or several, with steps), whoever made it, as a new version. redo makes it again.",
        )
        .model(ModelUse::Current)
        .event("EditsUndone")
        .example("The last change", json!({}))
}

fn run(platform: &dyn Platform, input: Input) -> BoxFuture<'_, Result<Reply<Output>, Fault>> {
    Box::pin(async move {
        let steps = input.steps.unwrap_or(1);
        if !(1..=MOST).contains(&steps) {
            return Err(Fault::invalid("steps", format!("`steps` has to be 1 to {MOST}.")));
        }
        let model = platform.current_model().await?;
        let (committed, steps) = platform.undo(&model.model_id, steps).await?;
        Ok(Reply::of(Output { steps }).status("undone").committed(committed))
    })
}
