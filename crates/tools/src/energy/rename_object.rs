//! Renames an object and all that refers to it.

use crate::energy_objects::find;
use crate::{EnergyCall, Tool};
use contract::{Effect, EventType, Fault};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// Its type.
    #[schemars(extend("x-seldom" = true))]
    object_type: String,
    /// Its name.
    #[schemars(extend("x-seldom" = true))]
    old_name: String,
    /// Its new name.
    #[schemars(extend("x-seldom" = true))]
    new_name: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Followed {
    object_type: String,
    name: String,
    field: String,
}

/// The tool's answer.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    name: String,
    /// References that were changed with it, to a bound.
    references: Vec<Followed>,
    reference_count: usize,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::energy("rename_object", Effect::Modify, run)
        .description("Renames an object everywhere: its own name and every reference to it.")
        .event(EventType::ElementModified)
        .example("A zone", json!({"object_type": "Zone", "old_name": "ZONE 1", "new_name": "Kitchen"}))
}

fn run(call: &mut EnergyCall<'_>, input: Input) -> Result<Output, Fault> {
    let handle = find(&call.document, &input.object_type, &input.old_name)?.handle();
    let changes = call.document.rename(handle, &input.new_name)?;
    let others: Vec<_> = changes.into_iter().filter(|change| change.handle != handle).collect();
    Ok(Output {
        name: call.document.object(handle).map(|object| object.label()).unwrap_or_default(),
        reference_count: others.len(),
        references: others
            .into_iter()
            .take(50)
            .map(|it| Followed { object_type: it.object_type, name: it.name, field: it.field })
            .collect(),
    })
}
