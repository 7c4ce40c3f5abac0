//! The objects of one type.

use crate::energy_objects::{Row, Shown, row, type_in};
use crate::energy_results::{fit, weight};
use crate::{EnergyCall, Tool};
use contract::{Effect, Fault};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// Such as `Zone`.
    #[schemars(extend("x-seldom" = true))]
    object_type: String,
    /// At most as many.
    #[schemars(extend("default" = 50, "minimum" = 1, "maximum" = 1000, "x-seldom" = true))]
    limit: Option<usize>,
    /// Each with all its fields.
    #[schemars(extend("x-seldom" = true))]
    include_all_fields: Option<bool>,
    /// `next_cursor` of the answer before.
    #[schemars(extend("x-seldom" = true))]
    cursor: Option<String>,
}

/// The objects, in the order of the model.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    objects: Vec<Row>,
    /// Fields that all of these have alike, where they would make the answer long.
    #[serde(skip_serializing_if = "Map::is_empty")]
    same: Map<String, Value>,
    total: usize,
    /// The place to go on from, where there are more.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::energy("list_objects", Effect::Query, run)
        .description("The model's objects of one type with the fields that it requires, or with all.")
        .example("Every zone with its fields", json!({"object_type": "Zone", "include_all_fields": true}))
}

fn run(call: &mut EnergyCall<'_>, input: Input) -> Result<Output, Fault> {
    let document = &call.document;
    let total = document.of_type(&input.object_type).count();
    if total == 0 {
        type_in(document, &input.object_type)?;
    }
    let limit = crate::input::limit(input.limit, 50, 1_000)?;
    let from = crate::input::cursor(input.cursor.as_deref())?;
    let fields = if input.include_all_fields.unwrap_or(false) { Shown::All } else { Shown::Required };
    let mut objects: Vec<Row> = document
        .of_type(&input.object_type)
        .skip(from)
        .take(limit)
        .map(|object| Row { object_type: None, ..row(object, fields) })
        .collect();
    let mut same = Map::new();
    if weight(&objects) > ROOM && objects.len() > 1 {
        same = alike(&mut objects);
    }
    let more = fit(&mut objects, MOST.saturating_sub(weight(&same)));
    let shown = from + objects.len();
    let next_cursor = (more > 0 || shown < total).then(|| shown.to_string());
    Ok(Output { objects, same, total, next_cursor })
}

/// Characters of objects with all their fields; of more the fields that all have alike are told once.
const ROOM: usize = 3_000;
/// Characters of objects in one answer.
const MOST: usize = 12_500;

/// Takes the fields out of objects that all of them have with the same value.
fn alike(objects: &mut [Row]) -> Map<String, Value> {
    let Some(Value::Object(first)) = objects.first().map(|row| row.fields.clone()) else { return Map::new() };
    let mut same = first;
    for row in objects.iter() {
        same.retain(|name, value| row.fields.get(name) == Some(value));
    }
    for row in objects.iter_mut() {
        if let Value::Object(fields) = &mut row.fields {
            fields.retain(|name, _| !same.contains_key(name));
            if fields.is_empty() {
                row.fields = Value::Null;
            }
        }
    }
    same
}
