//! Steps back and forth through a model's history, as `undo` and `redo` take them.

use crate::Reply;
use contract::{Fault, Sessions, Versions};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

const MOST: i32 = 1000;

/// The tool's arguments.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Input {
    /// The number of changes.
    #[schemars(extend("default" = 1, "x-seldom" = true))]
    steps: Option<i32>,
}

/// The tool's answer.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// Changes taken; fewer than asked for where there were not as many.
    steps: u32,
}

/// The direction of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Changes are taken back.
    Back,
    /// Changes taken back are made again.
    Forth,
}

/// Takes the steps on the current model.
pub async fn take(
    platform: &(impl Sessions + Versions + ?Sized),
    input: Input,
    way: Way,
) -> Result<Reply<Output>, Fault> {
    let steps = input.steps.unwrap_or(1);
    if !(1..=MOST).contains(&steps) {
        return Err(Fault::invalid("steps", format!("`steps` has to be 1 to {MOST}.")));
    }
    let model = platform.current_model().await?;
    let (signed, status) = match way {
        Way::Back => (steps, "undone"),
        Way::Forth => (-steps, "redone"),
    };
    let (committed, steps) = platform.undo(&model.model_id, signed).await?;
    Ok(Reply::new(Output { steps }).status(status).committed(committed))
}
