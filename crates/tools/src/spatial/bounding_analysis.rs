//! The elements that bound one: whose faces lie on its own, on which side and with which area.

use crate::elements::brief;
use crate::places::{body, element_or_room, mm_point, own_parts, rounded};
use crate::{IfcCall, Tool};
use contract::{Effect, Fault};
use geometry::query::Index;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use spatial::queries::{Side, bounding, faces_by_side};

/// Contacts of one answer at most.
const MOST: usize = 200;

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// Id, or a name that one element bears; rooms too.
    element_id: String,
    /// mm by which faces may be apart and still bound.
    #[schemars(extend("default" = 5, "minimum" = 0, "maximum" = 500, "x-seldom" = true))]
    gap: Option<f64>,
}

/// A contact.
#[derive(Debug, Serialize, JsonSchema)]
struct Neighbour {
    /// Id, name, class.
    #[serde(flatten)]
    element: Map<String, Value>,
    /// Of the element asked for: `top`, `bottom`, or the compass direction that it looks in.
    side: String,
    /// m².
    contact_area: Value,
    /// Middle of the contact, mm.
    at: [Value; 3],
}

/// A side of the element.
#[derive(Debug, Serialize, JsonSchema)]
struct Face {
    side: String,
    /// m² of its own face.
    area: Value,
    /// m² on which elements lie, rooms not counted.
    covered: Value,
}

/// The elements that bound it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    element: Map<String, Value>,
    /// Its sides, the largest first.
    sides: Vec<Face>,
    /// The largest contact first.
    bounding_elements: Vec<Neighbour>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("bounding_analysis", Effect::Query, run)
        .title("What bounds an element")
        .kept()
        .description("Lists the elements that lie on the faces of one element or room, by side, with the contact area.")
        .example("A wall", json!({ "element_id": "Wall 1" }))
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let gap = crate::input::bounded("gap", input.gap, 5.0, [0.0, 500.0])? / 1000.0;
    let model = call.edit.model();
    let id = element_or_room(call, "element_id", &input.element_id)?;
    let index: std::sync::Arc<Index> = call.index()?;
    let own = body(call, "element_id", &index, id)?;
    let parts = own_parts(model, id);
    // what fills an opening of it bounds it; the opening and its own parts do not
    let is_part = |other: ifc::Id| {
        parts.contains(&other) && !model.get(other).is_some_and(|i| i.is_a("IfcDoor") || i.is_a("IfcWindow"))
    };
    let found = bounding(&index, &own, gap, |other| other == id || !is_part(other));
    let is_room = |id: ifc::Id| model.get(id).is_some_and(|i| i.is_a("IfcSpace"));
    let north = crate::georeference::true_north(model).unwrap_or(0.0);
    let mut sides: Vec<(Side, f64, f64)> =
        faces_by_side(&own).into_iter().map(|(side, area)| (side, area, 0.0)).collect();
    for one in found.iter().filter(|one| !is_room(one.element)) {
        if let Some(side) = sides.iter_mut().find(|(known, ..)| known.is_same(one.side)) {
            side.2 += one.area;
        }
    }
    let largest = sides.iter().map(|(_, area, _)| *area).fold(0.0, f64::max);
    let count = sides.len();
    sides.retain(|(_, area, covered)| *area >= 0.01 * largest || *covered > 0.0);
    sides.truncate(24);
    let mut notes = Vec::new();
    if sides.len() < count {
        notes.push(format!("{} small sides are not listed.", count - sides.len()));
    }
    if found.is_empty() {
        notes.push(format!(
            "No face of another element lies within {} mm of its faces.",
            rounded(gap * 1000.0)
        ));
    }
    if found.len() > MOST {
        notes.push(format!("{} contacts; the largest {MOST} are listed.", found.len()));
    }
    let face = |(side, area, covered): (Side, f64, f64)| Face {
        side: side_word(side, north),
        area: rounded(area),
        covered: rounded(covered.min(area)),
    };
    let row = |one: &spatial::queries::Bounding| Neighbour {
        element: brief(model, one.element),
        side: side_word(one.side, north),
        contact_area: rounded(one.area),
        at: mm_point(one.at),
    };
    Ok(Output {
        element: brief(model, id),
        sides: sides.into_iter().map(face).collect(),
        bounding_elements: found.iter().take(MOST).map(row).collect(),
        notes,
    })
}

/// The word for a side, upright ones by the eighth of the compass; `north` is the angle of true north clockwise from +y.
fn side_word(side: Side, north: f64) -> String {
    match side {
        Side::Top => "top".to_owned(),
        Side::Bottom => "bottom".to_owned(),
        Side::Upright(way) => crate::computed::compass(way.x, way.y, north).to_owned(),
    }
}
