//! The objects of one type.

use crate::energy_objects::{Row, rows, type_of};
use crate::{EnergyCall, Tool};
use contract::{Effect, Fault};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// Such as `Zone`.
    object_type: String,
    /// At most as many.
    #[schemars(extend("default" = 50, "minimum" = 1, "maximum" = 1000, "x-seldom" = true))]
    limit: Option<usize>,
    /// Each with all its fields.
    #[schemars(extend("x-seldom" = true))]
    include_all_fields: Option<bool>,
}

/// The objects, in the order of the model.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    objects: Vec<Row>,
    total: usize,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::energy("list_objects", Effect::Query, run)
        .description("The objects of one type in the model, with all their fields if asked for.")
        .example("Every zone with its fields", json!({"object_type": "Zone", "include_all_fields": true}))
}

fn run(call: &mut EnergyCall<'_>, input: Input) -> Result<Output, Fault> {
    let document = &call.document;
    let total = document.of_type(&input.object_type).count();
    if total == 0 {
        type_of(document.schema(), &input.object_type)?;
    }
    let limit = crate::input::limit(input.limit, 50, 1_000)?;
    let with_fields = input.include_all_fields.unwrap_or(false);
    let objects = rows(document.of_type(&input.object_type), limit, with_fields);
    Ok(Output { objects, total })
}
