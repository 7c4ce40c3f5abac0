//! The names that a field may hold in this model.

use crate::energy_objects::{BUDGET, type_of};
use crate::{EnergyCall, Tool};
use contract::{Effect, Fault};
use energy::references::Names;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// Such as `BuildingSurface:Detailed`.
    object_type: String,
    /// Such as `construction_name`.
    field_name: String,
}

/// The tool's answer.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    field: String,
    /// The lists whose members may stand there.
    lists: Vec<String>,
    names: Vec<String>,
    total: usize,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::energy("get_available_references", Effect::Query, run)
        .description("The names in this model that a reference field may hold.")
        .example(
            "Zones that a surface may belong to",
            json!({"object_type": "BuildingSurface:Detailed", "field_name": "zone_name"}),
        )
}

fn run(call: &mut EnergyCall<'_>, input: Input) -> Result<Output, Fault> {
    let document = &call.document;
    let about = type_of(document.schema(), &input.object_type)?;
    let position = about.position(&input.field_name).ok_or_else(|| {
        let near = energy::schema::nearest(&input.field_name, about.all_fields().map(|field| &*field.key), 5);
        let message =
            format!("{} has no field {:?}. See describe_object_type.", about.name, input.field_name);
        Fault::invalid("field_name", message).with("near_matches", near)
    })?;
    let (field, group) =
        about.field_at(position).ok_or_else(|| Fault::invalid("field_name", "No such field."))?;
    if field.lists.is_empty() {
        let references: Vec<&str> =
            about.all_fields().filter(|field| !field.lists.is_empty()).map(|field| &*field.key).collect();
        let message = format!(
            "`{}` refers to nothing. Fields of {} that do: {}.",
            field.key,
            about.name,
            references.join(", ")
        );
        return Err(Fault::invalid("field_name", message));
    }
    let names = Names::from_document(document);
    let all = names.available(about, position);
    let mut spent = 0;
    let within = all.iter().take_while(|name| {
        spent += name.len() + 4;
        spent < BUDGET
    });
    Ok(Output {
        field: field.name_in(group),
        lists: field.lists.iter().map(ToString::to_string).collect(),
        names: within.map(|name| (*name).to_owned()).collect(),
        total: all.len(),
    })
}
