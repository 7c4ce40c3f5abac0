//! Elements, turned about an upright axis.

use crate::arranged::{Standing, all_standing, chosen};
use crate::modelling::{Point, author};
use crate::{IfcCall, Tool};
use building::arranging::{carrying, turns};
use building::measures::mm;
use building::{lookup, polygon};
use contract::{Effect, EventType, Fault, Toolset};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    /// Ids, names, a category (`doors`) or selectors.
    element_ids: Vec<String>,
    /// Degrees, counter-clockwise seen from above.
    angle: f64,
    /// [x, y] in mm to turn about; default: the middle of all.
    origin: Option<Point>,
}

/// The tool's answer.
#[derive(Serialize, JsonSchema)]
pub struct Output {
    /// The elements asked for; the first 200.
    rotated: Vec<Standing>,
    /// GlobalIds of what went along, as of every change.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(skip)]
    regenerated: Vec<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("rotate_elements", Effect::Modify, run)
        .description(
            "Turns elements about an upright axis, all together. Openings, doors, windows and parts go along; walls \
             part from neighbours they no longer touch.",
        )
        .toolset(Toolset::Arranging)
        .event(EventType::ElementsRotated)
        .example("A wall by a right angle", json!({ "element_ids": ["Wall 1"], "angle": 90, "origin": [0, 0] }))
        .example("About its own middle", json!({ "element_ids": ["Wall 1"], "angle": -30 }))
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let author = &mut author(call);
    let ids = chosen(author, "element_ids", &input.element_ids)?;
    let degrees = turns::angle("angle", input.angle)?;
    let origin = if let Some(point) = &input.origin {
        polygon::plan_point("origin", point)?
    } else {
        let bounds =
            geometry::bounds_of_many(author.edit, &ids).into_iter().flatten().reduce(|a, b| a.join(&b));
        let Some(bounds) = bounds else {
            return Err(Fault::invalid(
                "origin",
                "These elements have no shape to take the middle of; give `origin` as [x, y] in mm.",
            ));
        };
        let middle = bounds.min.midpoint(bounds.max).truncate();
        author.assume(format!("origin [{}, {}]", mm(middle.x), mm(middle.y)));
        middle
    };
    let along = carrying::turn(author, &ids, &turns::about(origin, degrees))?;
    let regenerated = along.into_iter().map(|id| lookup::guid(author.edit, id)).collect();
    Ok(Output { rotated: all_standing(author, &ids), regenerated })
}
