//! Rooms and the partitions between them.

use crate::modelling::{Point, adding, level};
use crate::{IfcCall, Tool};
use building::polygon::boundary;
use building::rooms::{self, NewRoom, NewRooms, RoomsAnswer};
use contract::{Effect, EventType, Fault};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Room {
    /// Name.
    #[schemars(extend("x-seldom" = true))]
    name: String,
    /// Corners [[x, y], …] in mm, to the middle of partitions.
    boundary: Option<Vec<Point>>,
    /// m².
    area: Option<f64>,
    /// Its use.
    #[schemars(extend("x-seldom" = true))]
    usage: Option<String>,
    /// Needs an outer wall.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    outer_wall: bool,
    /// Least clear width in mm.
    #[schemars(extend("x-seldom" = true))]
    min_width: Option<f64>,
    /// Length by width at most.
    #[schemars(extend("x-seldom" = true))]
    max_ratio: Option<f64>,
    /// mm; without it the common one.
    #[schemars(extend("x-seldom" = true))]
    door_width: Option<f64>,
    /// A wet room; without it by name and use.
    #[schemars(extend("x-seldom" = true))]
    wet: Option<bool>,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    /// Storey with its outer walls, id or name.
    level_id: String,
    /// All with boundary, or all with area, to be laid out.
    rooms: Vec<Room>,
    /// mm.
    #[serde(default = "partition")]
    #[schemars(extend("x-seldom" = true))]
    partition_thickness: f64,
    /// mm, for a layout by area.
    #[serde(default = "corridor")]
    #[schemars(extend("x-seldom" = true))]
    corridor_width: f64,
    /// Clear height in mm; without it that of the storey's walls.
    #[schemars(extend("x-seldom" = true))]
    height: Option<f64>,
    /// Set doors (900 by 2100) so that every room is reached.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    doors: bool,
    /// Pairs of names with a door between, `[["bedroom_1", "hallway_1"]]`; doors are set then.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    connect: Vec<[String; 2]>,
    /// mm.
    #[serde(default = "door")]
    #[schemars(extend("x-seldom" = true))]
    door_width: f64,
    /// Wet rooms side by side.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    wet_together: bool,
}

fn door() -> f64 {
    900.0
}

fn partition() -> f64 {
    100.0
}

fn corridor() -> f64 {
    1200.0
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("create_rooms", Effect::Create, run)
        .description(
            "Divides a storey inside its outer walls into rooms (IfcSpace) with partitions; areas are net.",
        )
        .event(EventType::RoomsCreated)
        .example(
            "Three rooms and a corridor",
            json!({
                "level_id": "Ground Floor", "doors": true,
                "rooms": [
                    { "name": "living_room_1", "area": 30 }, { "name": "bedroom_1", "area": 14 },
                    { "name": "bathroom_1", "area": 6 }
                ]
            }),
        )
}

fn run(call: &mut IfcCall, input: Input) -> Result<RoomsAnswer, Fault> {
    let author = &mut adding(call);
    let storey = level(author, &input.level_id)?;
    let rooms = input
        .rooms
        .into_iter()
        .enumerate()
        .map(|(i, room)| {
            let outline =
                room.boundary.map(|points| boundary(&format!("rooms[{i}].boundary"), &points)).transpose()?;
            Ok(NewRoom {
                name: room.name,
                usage: room.usage,
                boundary: outline,
                area: room.area,
                outer_wall: room.outer_wall,
                min_width: room.min_width,
                max_ratio: room.max_ratio,
                door_width: room.door_width,
                wet: room.wet,
            })
        })
        .collect::<Result<Vec<_>, Fault>>()?;
    let new = NewRooms {
        storey,
        rooms,
        partition: input.partition_thickness,
        corridor: input.corridor_width,
        height: input.height,
        doors: input.doors,
        connect: input.connect,
        door_width: input.door_width,
        wet_together: input.wet_together,
    };
    rooms::create(author, &new)
}
