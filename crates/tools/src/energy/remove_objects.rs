//! Removes every object of a type.

use crate::{EnergyCall, Tool};
use contract::{Effect, EventType, Fault};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// Their type.
    #[schemars(extend("x-seldom" = true))]
    object_type: String,
    /// Also then.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    force: bool,
}

/// The tool's answer.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    removed: usize,
    /// The number of references that lead to nothing now.
    left_dangling: usize,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::energy("remove_objects", Effect::Modify, run)
        .description("Removes all objects of one type, all or none; refused while others refer to one of them, unless `force`.")
        .event(EventType::ElementsDeleted)
        .destructive()
        .example("Every output variable", json!({"object_type": "Output:Variable"}))
}

fn run(call: &mut EnergyCall<'_>, input: Input) -> Result<Output, Fault> {
    let removed = call.document.remove_all(&input.object_type, input.force)?;
    Ok(Output {
        removed: removed.len(),
        left_dangling: removed.iter().map(|removed| removed.referred_to_by.len()).sum(),
    })
}
