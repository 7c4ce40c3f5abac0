//! Makes undone edits again, as a new version. After any other change there is nothing to redo.

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
    /// Changes made again; fewer than asked for where there were not as many.
    steps: u32,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("redo", Effect::Modify, run)
        .title("Redo")
        .description(
            "Makes the last undone change again (or several, with steps), as a new version. Nothing can be redone after another change.",
        )
        .model(ModelUse::Current)
        .event("EditsRedone")
        .example("The last change", json!({}))
}

fn run(platform: &dyn Platform, input: Input) -> BoxFuture<'_, Result<Reply<Output>, Fault>> {
    Box::pin(async move {
        let steps = input.steps.unwrap_or(1);
        if !(1..=MOST).contains(&steps) {
            return Err(Fault::invalid("steps", format!("`steps` has to be 1 to {MOST}.")));
        }
        let model = platform.current_model().await?;
        let (committed, steps) = platform.undo(&model.model_id, -steps).await?;
        Ok(Reply::of(Output { steps }).status("redone").committed(committed))
    })
}
