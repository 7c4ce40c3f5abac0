//! Elements, mirrored in an upright plane.

use crate::arranged::{Standing, all_standing, chosen};
use crate::modelling::{Point, author};
use crate::{IfcCall, Tool};
use building::arranging::mirroring;
use building::{lookup, polygon};
use contract::{Effect, EventType, Fault, Toolset};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    /// Ids, names, a category (`doors`) or selectors.
    element_ids: Vec<String>,
    /// Two points [[x, y], [x, y]] in mm on the mirror.
    line: Vec<Point>,
    /// Keep the originals and answer their mirror images.
    #[serde(default)]
    copy: bool,
}

/// The tool's answer.
#[derive(Serialize, JsonSchema)]
pub struct Output {
    /// The elements, or with `copy` their images; the first 200.
    mirrored: Vec<Standing>,
    /// GlobalIds of what went along, as of every change.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(skip)]
    regenerated: Vec<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("mirror_elements", Effect::Modify, run)
        .description(
            "Mirrors elements over a line in plan, or with copy makes mirror images beside them. Doors and windows \
             change hands. What cannot be mirrored is refused by name.",
        )
        .toolset(Toolset::Arranging)
        .event(EventType::ElementsMirrored)
        .example(
            "The other half",
            json!({ "element_ids": ["Wall 1"], "line": [[-30000, 0], [-30000, 1000]], "copy": true }),
        )
        .example("Over a slanting line", json!({ "element_ids": ["Wall 1"], "line": [[0, 0], [1000, 1000]] }))
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let author = &mut author(call);
    let ids = chosen(author, "element_ids", &input.element_ids)?;
    let [a, b] = &input.line[..] else {
        return Err(Fault::invalid(
            "line",
            format!("`line` has {} points; give two, [[x, y], [x, y]] in mm.", input.line.len()),
        ));
    };
    let line = (polygon::plan_point("line[0]", a)?, polygon::plan_point("line[1]", b)?);
    let mirrored = mirroring::mirror(author, &ids, line, input.copy)?;
    let regenerated = mirrored.along.into_iter().map(|id| lookup::guid(author.edit, id)).collect();
    Ok(Output { mirrored: all_standing(author, &mirrored.elements), regenerated })
}
