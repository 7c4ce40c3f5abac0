//! One parameter of one element.

use crate::modelling::author;
use crate::{IfcCall, Tool};
use building::{lookup, parameters};
use contract::{Effect, EventType, Fault};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    /// Element, id or name.
    element_id: String,
    /// Wall: height, thickness, start, end, length. Opening, door: width, height, sill, along, host. Slab, roof:
    /// thickness, boundary_points; pitch, overhang. Space: height, boundary_points. Storey: elevation. Any:
    /// attribute, Pset.Property.
    parameter_name: String,
    /// mm, or points; of properties in the file's units.
    value: Value,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("modify_parameter", Effect::Modify, run)
        .description("Changes one parameter of an element; body, openings, quantities and totals follow.")
        .idempotent()
        .event(EventType::ElementModified)
        .example(
            "A higher wall",
            json!({ "element_id": "Wall 1", "parameter_name": "height", "value": 3200 }),
        )
}

fn run(call: &mut IfcCall, input: Input) -> Result<parameters::Modified, Fault> {
    let author = &mut author(call);
    let classes = ["IfcObject", "IfcTypeObject"];
    let id = lookup::element(author.edit, "element_id", &input.element_id, &classes, "an element")?;
    parameters::modify(author, id, &input.parameter_name, &input.value)
}
