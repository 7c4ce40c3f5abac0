//! A straight wall.

use crate::modelling::{Point, author, level};
use crate::{IfcCall, Tool};
use building::polygon::{height_of, plan_point};
use building::wall::{self, LocationLine, NewWall, WallAnswer, WallKind};
use contract::{Effect, EventType, Fault};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Kind {
    #[default]
    Exterior,
    Interior,
    Partition,
}

#[derive(Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Line {
    #[default]
    #[serde(alias = "center")]
    Centre,
    Left,
    Right,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    /// [x, y] or [x, y, z] in mm; z above the storey.
    start: Point,
    /// [x, y].
    end: Point,
    /// mm.
    #[serde(default = "height")]
    height: f64,
    /// mm.
    #[serde(default = "thickness")]
    thickness: f64,
    /// exterior, interior or partition; written as IsExternal.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    wall_type: Kind,
    /// Storey, id or name.
    level_id: String,
    /// Name.
    #[schemars(extend("x-seldom" = true))]
    name: Option<String>,
    /// The line that start and end are on, seen from start to end: centre, left or right.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    location_line: Line,
    /// Material of its layer.
    #[schemars(extend("x-seldom" = true))]
    material: Option<String>,
}

fn height() -> f64 {
    3000.0
}

fn thickness() -> f64 {
    200.0
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("create_wall", Effect::Create, run)
        .description(
            "Makes a straight wall on a storey; its length is that from start to end. A closed outline: \
             create_building_shell.",
        )
        .event(EventType::WallCreated)
        .example(
            "A wall 7 m long",
            json!({ "start": [0, 0], "end": [7000, 0], "height": 3000, "level_id": "Ground Floor" }),
        )
}

fn run(call: &mut IfcCall, input: Input) -> Result<WallAnswer, Fault> {
    let author = &mut author(call);
    let storey = level(author, &input.level_id)?;
    let (start, end) = (plan_point("start", &input.start)?, plan_point("end", &input.end)?);
    if input.end.len() == 3 && (height_of(&input.end) - height_of(&input.start)).abs() > 0.1 {
        return Err(Fault::invalid(
            "end",
            "`start` and `end` have different z; a wall stands on one height.",
        ));
    }
    let new = NewWall {
        storey,
        start,
        end,
        base: height_of(&input.start),
        height: input.height,
        thickness: input.thickness,
        kind: match input.wall_type {
            Kind::Exterior => WallKind::Exterior,
            Kind::Interior => WallKind::Interior,
            Kind::Partition => WallKind::Partition,
        },
        line: match input.location_line {
            Line::Centre => LocationLine::Centre,
            Line::Left => LocationLine::Left,
            Line::Right => LocationLine::Right,
        },
        name: input.name,
        material: input.material,
        cuts: None,
    };
    let wall = wall::create(author, &new)?;
    wall::answer(author, wall)
}
