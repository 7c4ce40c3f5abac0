//! A room.

use crate::modelling::{Point, author, level};
use crate::{IfcCall, Tool};
use building::lookup;
use building::polygon::boundary;
use building::space::{self, NewSpace, SpaceAnswer};
use contract::{Effect, EventType, Fault, Toolset};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    /// Corners [[x, y], …] of the inner faces in mm, in order; or walls.
    boundary_points: Option<Vec<Point>>,
    /// Walls around it, ids or names; their inner faces become its outline.
    walls: Option<Vec<String>>,
    /// Storey, id or name.
    level_id: String,
    /// Clear height in mm; without it that of the storey's walls.
    height: Option<f64>,
    /// Name or number of the room.
    name: Option<String>,
    /// Full name.
    #[schemars(extend("x-seldom" = true))]
    long_name: Option<String>,
    /// Its use.
    #[schemars(extend("x-seldom" = true))]
    usage: Option<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("create_space", Effect::Create, run)
        .title("Create space (room)")
        .description(
            "Makes a room (IfcSpace) from its corners or the walls around it. For several rooms with partitions \
             use create_rooms.",
        )
        .toolset(Toolset::Detailing)
        .event(EventType::SpaceCreated)
        .example(
            "A kitchen",
            json!({
                "boundary_points": [[200, 200], [4000, 200], [4000, 3800], [200, 3800]],
                "level_id": "Ground Floor", "name": "kitchen"
            }),
        )
}

fn run(call: &mut IfcCall, input: Input) -> Result<SpaceAnswer, Fault> {
    let author = &mut author(call);
    let storey = level(author, &input.level_id)?;
    let outline = match (&input.boundary_points, &input.walls) {
        (Some(points), None) => boundary("boundary_points", points)?,
        (None, Some(walls)) => {
            let ids = walls
                .iter()
                .enumerate()
                .map(|(i, wall)| {
                    lookup::element(author.edit, &format!("walls[{i}]"), wall, &["IfcWall"], "a wall")
                })
                .collect::<Result<Vec<_>, _>>()?;
            space::between(author, "walls", &ids)?
        }
        _ => {
            return Err(Fault::invalid(
                "boundary_points",
                "Give either boundary_points [[x, y], …] in mm or walls (ids or names), not both and not neither.",
            ));
        }
    };
    let new = NewSpace {
        storey,
        outline,
        height: input.height.unwrap_or_else(|| space::clear_height(author, storey)),
        name: input.name,
        long_name: input.long_name,
        usage: input.usage,
    };
    let space = space::create(author, &new)?;
    space::answer(author, space)
}
