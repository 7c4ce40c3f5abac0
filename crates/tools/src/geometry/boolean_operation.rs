//! The union, difference or intersection of two elements.

use crate::modelling::author;
use crate::{IfcCall, Tool};
use building::boolean::{self, BooleanAnswer, NewBoolean};
use building::lookup;
use contract::{Effect, EventType, Fault, Toolset};
use geometry::csg::Op;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Operation {
    Union,
    Difference,
    Intersection,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    /// Element, id or name; its body becomes the result.
    element_a: String,
    /// The other element, id or name.
    element_b: String,
    /// difference is element_a less element_b.
    operation_type: Operation,
    /// false deletes element_b afterwards.
    #[serde(default = "keep")]
    keep_b: bool,
}

fn keep() -> bool {
    true
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("boolean_operation", Effect::Modify, run)
        .description(
            "Makes element_a's body the union, difference or intersection with element_b's. element_a keeps its \
             id, properties, openings and place, its quantities follow. Written as IfcBooleanResult where both \
             are single solids with parameters, else as faces. Refused where nothing would be left or change.",
        )
        .toolset(Toolset::Detailing)
        .destructive()
        .event(EventType::BooleanApplied)
        .example(
            "A wall less the column in it",
            json!({ "element_a": "Wall 1", "element_b": "Column 1", "operation_type": "difference" }),
        )
}

fn run(call: &mut IfcCall, input: Input) -> Result<BooleanAnswer, Fault> {
    let author = &mut author(call);
    let a = lookup::product(author.edit, "element_a", &input.element_a)?;
    let b = lookup::product(author.edit, "element_b", &input.element_b)?;
    let op = match input.operation_type {
        Operation::Union => Op::Union,
        Operation::Difference => Op::Difference,
        Operation::Intersection => Op::Intersection,
    };
    boolean::combine(author, &NewBoolean { a, b, op, keep_b: input.keep_b })
}
