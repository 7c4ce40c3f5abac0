//! Sets fields of an object.

use crate::energy_objects::{find, still_wrong};
use crate::{EnergyCall, Tool};
use contract::{Effect, EventType, Fault};
use energy::edit::Fields;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// Its type.
    #[schemars(extend("x-seldom" = true))]
    object_type: String,
    /// Empty for the only one of its type.
    name: String,
    /// By key or name; null clears. A list takes the place of all repeated groups.
    fields: Fields,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Changed {
    field: String,
    before: String,
    after: String,
}

/// The tool's answer.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    object_type: String,
    name: String,
    /// The fields that changed, to a bound; `field_count` says how many.
    fields: Vec<Changed>,
    field_count: usize,
    /// Findings that validate_model would still have of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    still_wrong: Vec<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::energy("update_object", Effect::Modify, run)
        .description("Sets fields of one object; answers each value before and after.")
        .event(EventType::ElementModified)
        .idempotent()
        .example(
            "Turn the building",
            json!({"object_type": "Building", "name": "", "fields": {"north_axis": 30}}),
        )
}

fn run(call: &mut EnergyCall<'_>, input: Input) -> Result<Output, Fault> {
    let handle = find(&call.document, &input.object_type, &input.name)?.handle();
    let changes = call.document.update(handle, &input.fields)?;
    let object = call.document.object(handle).ok_or_else(|| Fault::backend("The object was lost."))?;
    Ok(Output {
        object_type: object.type_name().to_owned(),
        name: object.label(),
        field_count: changes.len(),
        fields: changes
            .into_iter()
            .take(60)
            .map(|it| Changed { field: it.field, before: it.before, after: it.after })
            .collect(),
        still_wrong: still_wrong(&call.document, &[handle]),
    })
}
