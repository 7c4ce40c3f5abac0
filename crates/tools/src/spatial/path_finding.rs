//! The shortest way of somebody between two rooms, with the doors and stairs on it; or what stands in the way.

use crate::places::PlaceInput;
use crate::routes::{self, By, Demands, End, Obstacle, RouteAnswer, Turning};
use crate::{IfcCall, Tool};
use contract::{Effect, Fault};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use spatial::ways::blocks;

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// Room, element, `outside`, or point [x, y, z] in mm.
    from_room: PlaceInput,
    to_room: PlaceInput,
    /// Width in mm; default 600 on foot, 800 by wheelchair, 1000 bed, 700 cart.
    clearance: Option<f64>,
    /// Traveller.
    #[serde(default)]
    by: By,
    /// Headroom in mm.
    #[schemars(extend("default" = 2000, "x-seldom" = true))]
    height: Option<f64>,
    /// Doors that are shut; all others count as open.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    closed_doors: Vec<String>,
}

/// The way, or why there is none.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    found: bool,
    from: String,
    to: String,
    #[serde(flatten)]
    route: Option<RouteAnswer>,
    /// Things that would have to go or be made, where there is no way.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    obstacles: Vec<Obstacle>,
    /// Turning space at both ends, for who needs it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    turning: Vec<Turning>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("path_finding", Effect::Query, run)
        .title("Shortest way")
        .description(
            "Finds the shortest way between two rooms for a person, wheelchair, bed or cart: length, time, doors, stairs, narrowest place. Without a way it says what would open one.",
        )
        .example("Out of a building", json!({ "from_room": [4500, 3500, 0], "to_room": "outside" }))
        .example(
            "By wheelchair",
            json!({ "from_room": "outside", "to_room": [4500, 3500, 0], "by": "wheelchair", "clearance": 900 }),
        )
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let demands = Demands {
        by: input.by,
        clearance: input.clearance,
        height: input.height,
        closed: &input.closed_doors,
    };
    let traveller = routes::traveller(&demands)?;
    let (ways, index) = (call.ways()?, call.index()?);
    routes::check_floors(&ways)?;
    let model = call.edit.model();
    let closed = routes::closed(model, &ways, demands.closed)?;
    let mesh = ways.mesh(&traveller, &closed);
    let from = routes::end(call, &ways, &mesh, &index, "from_room", &input.from_room)?;
    let to = routes::end(call, &ways, &mesh, &index, "to_room", &input.to_room)?;
    let found = ways.way(&mesh, &from.spots, &to.spots);
    let mut obstacles: Vec<Obstacle> = Vec::new();
    if found.is_none() {
        obstacles.extend([&from, &to].into_iter().filter_map(routes::no_room));
        let blocks = blocks(&ways, &mesh, &from.points, &to.points);
        obstacles.extend(blocks.iter().map(|block| routes::obstacle(model, &ways, &traveller, block)));
    }
    let rooms: Vec<usize> = [&from, &to].iter().filter_map(|end| end.room).collect();
    let with_outside = [&from, &to].iter().any(|end| !end.exits.is_empty());
    let mut notes = routes::assumptions(&ways, with_outside);
    if [&from, &to].iter().any(|end| end.room.is_some() && end.label != "point") {
        notes
            .push("A room is the point of its floor that is farthest from all that stands in it.".to_owned());
    }
    let label = |end: &End| end.label.clone();
    Ok(Output {
        found: found.is_some(),
        from: label(&from),
        to: label(&to),
        route: found.map(|(_, route)| routes::told(model, &ways, &route)),
        obstacles,
        turning: routes::turning(&ways, &mesh, &rooms),
        notes,
    })
}
