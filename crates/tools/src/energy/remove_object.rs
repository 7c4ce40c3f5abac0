//! Removes one object.

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
    /// Its name, or handle such as `#12`.
    #[schemars(extend("x-seldom" = true))]
    name: String,
    /// Also then.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    force: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Referrer {
    object_type: String,
    name: String,
    field: String,
}

/// The tool's answer.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    removed: String,
    /// Objects that still refer to it, to nothing now; to a bound.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_dangling: Vec<Referrer>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::energy("remove_object", Effect::Modify, run)
        .description("Removes an object; refused while others refer to it, naming them, unless `force`.")
        .event(EventType::ElementsDeleted)
        .destructive()
        .example("A schedule", json!({"object_type": "Schedule:Constant", "name": "Old", "force": true}))
}

fn run(call: &mut EnergyCall<'_>, input: Input) -> Result<Output, Fault> {
    let handle = find(&call.document, &input.object_type, &input.name)?.handle();
    let removed = call.document.remove(handle, input.force)?;
    let left = removed.referred_to_by.into_iter().take(50);
    Ok(Output {
        removed: format!("{}: {}", removed.object_type, removed.name),
        left_dangling: left.map(|(object_type, name, field)| Referrer { object_type, name, field }).collect(),
    })
}
