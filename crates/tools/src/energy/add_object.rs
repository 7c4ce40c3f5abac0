//! Adds one object.

use crate::energy_objects::{Row, Shown, row, still_wrong};
use crate::energy_results::weight;
use crate::{EnergyCall, Tool};
use contract::{Effect, EventType, Fault};
use energy::edit::Fields;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Characters of fields that are answered as they were taken.
const ECHOED: usize = 600;

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// Such as `Zone`.
    object_type: String,
    /// If the type has one.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    name: String,
    /// By key or name. Repeated groups are a list: `"vertices": [[0, 0, 3], ...]`.
    #[serde(default)]
    fields: Fields,
}

/// The object as it is now.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    object: Row,
    /// Findings that validate_model would still have of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    still_wrong: Vec<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::energy("add_object", Effect::Modify, run)
        .description("Adds an object. Fields are checked against the schema and spelt as it does; a name that is taken is refused.")
        .event(EventType::ElementCreated)
        .example("A zone", json!({"object_type": "Zone", "name": "North office", "fields": {"multiplier": 2}}))
}

fn run(call: &mut EnergyCall<'_>, input: Input) -> Result<Output, Fault> {
    let handle = call.document.add(&input.object_type, &input.name, &input.fields)?;
    let object = call.document.object(handle).ok_or_else(|| Fault::backend("The object was lost."))?;
    // as the schema spells them, unless they are many
    let mut shown = row(object, Shown::All);
    if weight(&shown.fields) > ECHOED {
        shown.fields = Value::Null;
    }
    Ok(Output { object: shown, still_wrong: still_wrong(&call.document, &[handle]) })
}
