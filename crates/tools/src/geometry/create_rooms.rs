//! Rooms and the partitions between them.

use crate::modelling::{Point, author, level};
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
    name: String,
    /// Corners [[x, y], …] in mm, to the middle of partitions; where they reach the outer walls they are cut at them.
    boundary: Option<Vec<Point>>,
    /// m², instead of a boundary.
    area: Option<f64>,
    /// What it is used for.
    usage: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    /// Storey, by id or name; its outer walls must be there.
    level_id: String,
    /// All with a boundary, or all with an area: then they are laid out in two rows along a corridor.
    rooms: Vec<Room>,
    /// mm; default 100.
    #[serde(default = "partition")]
    partition_thickness: f64,
    /// mm, for a layout by area; default 1200.
    #[serde(default = "corridor")]
    corridor_width: f64,
    /// Clear height in mm; default that of the storey's walls.
    height: Option<f64>,
    /// Set a door (900 by 2100) into every room; default false: the answer only says where they fit.
    #[serde(default)]
    doors: bool,
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
            "Divide a storey inside its outer walls into rooms (IfcSpace) with partition walls between them, and doors so \
             that every room is reached if doors=true. Areas answered are net, between faces.",
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
    let author = &mut author(call);
    let storey = level(author, &input.level_id)?;
    let rooms = input
        .rooms
        .into_iter()
        .enumerate()
        .map(|(i, room)| {
            let outline =
                room.boundary.map(|points| boundary(&format!("rooms[{i}].boundary"), &points)).transpose()?;
            Ok(NewRoom { name: room.name, usage: room.usage, boundary: outline, area: room.area })
        })
        .collect::<Result<Vec<_>, Fault>>()?;
    let new = NewRooms {
        storey,
        rooms,
        partition: input.partition_thickness,
        corridor: input.corridor_width,
        height: input.height,
        doors: input.doors,
    };
    rooms::create(author, &new)
}
