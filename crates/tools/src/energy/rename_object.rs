//! Renames an object and all that refers to it.

use crate::energy_objects::find;
use crate::{EnergyCall, Tool};
use contract::{Effect, EventType, Fault};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;

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

/// The tool's answer.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    name: String,
    /// Fields of other objects that were changed with it, by type.
    references: BTreeMap<String, usize>,
    reference_count: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    notice: Option<String>,
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
    let mut references: BTreeMap<String, usize> = BTreeMap::new();
    for change in changes.into_iter().filter(|change| change.handle != handle) {
        *references.entry(change.object_type).or_default() += 1;
    }
    Ok(Output {
        name: call.document.object(handle).map(|object| object.label()).unwrap_or_default(),
        reference_count: references.values().sum(),
        references,
        notice: columns_of(call, &input.old_name),
    })
}

/// A word on files whose columns are headed by the names of surfaces, which nothing here can change.
fn columns_of(call: &EnergyCall<'_>, old: &str) -> Option<String> {
    let files: Vec<String> =
        call.document.of_type("Schedule:File:Shading").map(|object| object.label()).collect();
    (!files.is_empty()).then(|| {
        format!(
            "The file of {} has columns headed by names of surfaces; one headed {old} keeps that name.",
            files.join(", ")
        )
    })
}
