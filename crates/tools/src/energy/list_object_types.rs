//! The types of object that a version of EnergyPlus knows, by group.

use crate::energy_objects::schema_of;
use crate::{EnergyCall, Tool};
use contract::{Effect, Fault};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// One group, such as Thermal Zones and Surfaces.
    #[schemars(extend("x-seldom" = true))]
    group: Option<String>,
    /// Version of EnergyPlus; without it the model's.
    #[schemars(extend("x-seldom" = true))]
    version: Option<String>,
    /// At most as many.
    #[schemars(extend("default" = 50, "minimum" = 1, "maximum" = 1000, "x-seldom" = true))]
    limit: Option<usize>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Group {
    group: String,
    types: usize,
}

/// Groups, or the types of one.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Output {
    version: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    groups: Vec<Group>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    types: Vec<String>,
    total: usize,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::energy("list_object_types", Effect::Query, run)
        .description("The groups of object types that EnergyPlus knows; with `group`, the types in it.")
        .in_terms_of_model("version")
        .example("The types of a group", json!({"group": "Thermal Zones and Surfaces", "limit": 5}))
}

fn run(call: &mut EnergyCall<'_>, input: Input) -> Result<Output, Fault> {
    let schema = schema_of(&call.document, input.version.as_deref())?;
    let limit = crate::input::limit(input.limit, 50, 1_000)?;
    let mut output = Output { version: schema.version().to_owned(), ..Output::default() };
    let Some(group) = input.group else {
        output.total = schema.types().len();
        output.groups = schema
            .groups()
            .into_iter()
            .map(|group| Group {
                types: schema.types().iter().filter(|it| &*it.group == group).count(),
                group: group.to_owned(),
            })
            .collect();
        return Ok(output);
    };
    let types = schema.types().iter().filter(|it| it.group.eq_ignore_ascii_case(group.trim()));
    let names: Vec<String> = types.map(|it| it.name.to_string()).collect();
    if names.is_empty() {
        return Err(Fault::invalid(
            "group",
            format!("EnergyPlus {} has no group {group:?}.", output.version),
        )
        .with("allowed", schema.groups()));
    }
    output.total = names.len();
    output.types = names.into_iter().take(limit).collect();
    Ok(output)
}
