//! Adds a copy of an object.

use crate::energy_objects::{Row, Shown, find, row};
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
    /// Of the copy; empty where there is none.
    #[schemars(extend("x-seldom" = true))]
    new_name: String,
}

/// The copy.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    object: Row,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::energy("duplicate_object", Effect::Modify, run)
        .description("Adds a copy of an object under another name, to which nothing refers.")
        .event(EventType::ElementCreated)
        .example("A material", json!({"object_type": "Material", "name": "Brick", "new_name": "Thin brick"}))
}

fn run(call: &mut EnergyCall<'_>, input: Input) -> Result<Output, Fault> {
    let handle = find(&call.document, &input.object_type, &input.name)?.handle();
    let copy = call.document.duplicate(handle, &input.new_name)?;
    let object = call.document.object(copy).ok_or_else(|| Fault::backend("The copy was lost."))?;
    Ok(Output { object: row(object, Shown::None) })
}
