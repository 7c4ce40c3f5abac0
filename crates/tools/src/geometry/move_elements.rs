//! Elements, by a vector.

use crate::arranged::{LISTED, chosen};
use crate::modelling::author;
use crate::{IfcCall, Tool};
use building::measures::mm;
use building::storey::above_storey;
use building::{lookup, movement};
use contract::{Effect, EventType, Fault, Toolset};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    /// Ids, names, a category (`doors`) or selectors.
    element_ids: Vec<String>,
    /// [dx, dy] or [dx, dy, dz] in mm.
    by: Vec<f64>,
}

#[derive(Serialize, JsonSchema)]
struct Moved {
    /// GlobalId.
    id: String,
    /// Class.
    class: String,
    /// Name.
    name: String,
    /// Origin of its placement now: world x and y, z above its storey, in mm.
    position: [f64; 3],
}

/// The tool's answer.
#[derive(Serialize, JsonSchema)]
pub struct Output {
    /// The elements asked for; openings, doors and windows in them moved along.
    moved: Vec<Moved>,
    /// The number of those asked for.
    count: usize,
    /// GlobalIds of others that followed, such as beams at a column.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    regenerated: Vec<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("move_elements", Effect::Modify, run)
        .description(
            "Moves elements by a vector. Openings, doors and windows go with their wall; moved themselves they \
             stay in it. Neighbours' ends follow a wall moved across.",
        )
        .toolset(Toolset::Detailing)
        .event(EventType::ElementsMoved)
        .example("A wall half a metre to the side", json!({ "element_ids": ["Wall 1"], "by": [0, 500] }))
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let by = match input.by[..] {
        [x, y] => [x, y, 0.0],
        [x, y, z] => [x, y, z],
        _ => return Err(Fault::invalid("by", "`by` must be [dx, dy] or [dx, dy, dz] in mm.")),
    };
    let author = &mut author(call);
    let ids = chosen(author, "element_ids", &input.element_ids)?;
    let followed = movement::shift(author, &ids, by.into())?;
    let regenerated = followed.into_iter().map(|id| lookup::guid(author.edit, id)).collect();
    let count = ids.len();
    let moved = ids
        .into_iter()
        .take(LISTED)
        .map(|id| {
            let origin = author.frame(id)?.translation;
            Ok(Moved {
                id: lookup::guid(author.edit, id),
                class: author.edit.get(id).map(|e| e.class_name().to_owned()).unwrap_or_default(),
                name: lookup::label(author.edit, id),
                position: above_storey(author, id, origin).to_array().map(mm),
            })
        })
        .collect::<Result<Vec<_>, Fault>>()?;
    Ok(Output { moved, count, regenerated })
}
