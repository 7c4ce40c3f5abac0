//! Adds many objects at once.

use crate::energy_objects::{BUDGET, still_wrong};
use crate::{EnergyCall, Tool};
use contract::{Effect, EventType, Fault};
use energy::edit::{Fields, NewObject};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// An object to be added.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct New {
    /// Its type.
    #[schemars(extend("x-seldom" = true))]
    object_type: String,
    /// Its name, if the type has one.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    name: String,
    /// Its fields by key or name.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    fields: Fields,
}

/// Objects of one type, a row each.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Table {
    /// Their type.
    #[schemars(extend("x-seldom" = true))]
    object_type: String,
    /// `name` and keys of fields, in the order of the rows' values.
    #[schemars(extend("x-seldom" = true))]
    columns: Vec<String>,
    /// A list of values for each object; null leaves a field blank.
    #[schemars(extend("x-seldom" = true))]
    rows: Vec<Vec<Value>>,
}

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// As add_object takes them, in order; later ones may refer to earlier ones.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    objects: Vec<New>,
    /// Or as tables, shorter where many are of one type; after `objects`.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    tables: Vec<Table>,
    /// All or none; else each by itself.
    #[schemars(extend("default" = true, "x-seldom" = true))]
    atomic: Option<bool>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Refused {
    /// Its place in `objects`.
    index: usize,
    reason: String,
}

/// The tool's answer.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Output {
    added: usize,
    /// Names, or handles, in order, to a bound.
    names: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    refused: Vec<Refused>,
    /// Findings that validate_model would still have of them, to a bound.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    still_wrong: Vec<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::energy("batch_add_objects", Effect::Modify, run)
        .description("Adds objects in one step, all or none.")
        .event(EventType::ElementCreated)
        .example(
            "A material and a construction of it",
            json!({"objects": [
                {"object_type": "Material:NoMass", "name": "Panel", "fields": {"roughness": "Rough", "thermal_resistance": 2.5}},
                {"object_type": "Construction", "name": "Panel wall", "fields": {"outside_layer": "Panel"}}
            ]}),
        )
        .example(
            "Two schedules, as a table",
            json!({"tables": [{
                "object_type": "Schedule:Constant",
                "columns": ["name", "hourly_value"],
                "rows": [["Always on", 1], ["Always off", 0]]
            }]}),
        )
}

impl Table {
    fn objects(self, at: usize) -> Result<Vec<NewObject>, Fault> {
        let width = self.columns.len();
        let mut objects = Vec::with_capacity(self.rows.len());
        for (row, values) in self.rows.into_iter().enumerate() {
            if values.len() != width {
                let message = format!("The row has {} values for {width} columns.", values.len());
                return Err(Fault::invalid(&format!("tables[{at}].rows[{row}]"), message));
            }
            let (mut name, mut fields) = (String::new(), Fields::new());
            for (column, value) in self.columns.iter().zip(values) {
                match value {
                    Value::String(text) if column.eq_ignore_ascii_case("name") => name = text,
                    Value::Null => {}
                    value => drop(fields.insert(column.clone(), value)),
                }
            }
            objects.push(NewObject { object_type: self.object_type.clone(), name, fields });
        }
        Ok(objects)
    }
}

fn run(call: &mut EnergyCall<'_>, input: Input) -> Result<Output, Fault> {
    let mut objects: Vec<NewObject> = input
        .objects
        .into_iter()
        .map(|new| NewObject { object_type: new.object_type, name: new.name, fields: new.fields })
        .collect();
    for (at, table) in input.tables.into_iter().enumerate() {
        objects.extend(table.objects(at)?);
    }
    if objects.is_empty() {
        return Err(Fault::invalid("objects", "Give at least one object, in `objects` or `tables`."));
    }
    let mut output = Output::default();
    let mut handles = Vec::new();
    if input.atomic.unwrap_or(true) {
        handles = call.document.add_all(&objects)?;
    } else {
        for (index, outcome) in call.document.add_each(&objects).into_iter().enumerate() {
            match outcome {
                Ok(handle) => handles.push(handle),
                Err(fault) => output.refused.push(Refused { index, reason: fault.message }),
            }
        }
    }
    output.added = handles.len();
    output.still_wrong = still_wrong(&call.document, &handles);
    let mut spent = 0;
    for object in handles.into_iter().filter_map(|handle| call.document.object(handle)) {
        let name = object.label();
        spent += name.len() + 4;
        if spent > BUDGET / 2 {
            break;
        }
        output.names.push(name);
    }
    output.refused.truncate(50);
    Ok(output)
}
