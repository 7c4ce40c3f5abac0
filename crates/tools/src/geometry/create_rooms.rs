//! Rooms and the partitions between them.

use crate::modelling::{Point, adding, author, level};
use crate::{IfcCall, Tool};
use building::lookup;
use building::polygon::boundary;
use building::rooms::{self, NewCore, NewRoom, NewRooms, Storeys, StoreysAnswer};
use building::stairs::layout::Shape;
use contract::{Effect, EventType, Fault};
use ifc::Id;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Room {
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
    /// Storey with outer walls, id or name.
    level_id: String,
    /// All with boundary, or all by area.
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
    /// Storeys above with their rooms by area, laid out with these around one stair.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    storeys: Vec<Above>,
    /// The stair through all storeys, where there are several.
    #[schemars(extend("x-seldom" = true))]
    stair: Option<Stair>,
}

/// A storey above.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Above {
    /// Storey, id or name.
    level_id: String,
    /// Its rooms, by area.
    rooms: Vec<Room>,
    /// Pairs of names with a door between; the stair's room may be one.
    #[serde(default)]
    connect: Vec<[String; 2]>,
}

/// The stair.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Stair {
    /// Name of its room; without it Stair.
    name: Option<String>,
    /// Of its flights, mm.
    #[schemars(extend("default" = 1000))]
    width: Option<f64>,
    /// u, or between two storeys straight or l; chosen where left out.
    shape: Option<Form>,
}

/// The shape of the stair.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Form {
    Straight,
    L,
    U,
}

impl From<Stair> for NewCore {
    fn from(stair: Stair) -> Self {
        let shape = stair.shape.map(|form| match form {
            Form::Straight => Shape::Straight,
            Form::L => Shape::L,
            Form::U => Shape::U,
        });
        Self { name: stair.name, width: stair.width, shape }
    }
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
            "Divides a storey, or several around a stair, into rooms (IfcSpace) with partitions; areas are net.",
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

fn run(call: &mut IfcCall, mut input: Input) -> Result<StoreysAnswer, Fault> {
    if input.storeys.is_empty() {
        if input.stair.is_some() {
            let message = "`stair` leads through several storeys; name those above in `storeys`, or make it with create_stair.";
            return Err(Fault::invalid("stair", message));
        }
        let author = &mut adding(call);
        let storey = level(author, &input.level_id)?;
        let (rooms, connect) = (std::mem::take(&mut input.rooms), std::mem::take(&mut input.connect));
        let new = asked(&input, storey, read("rooms", rooms)?, connect);
        let lowest = rooms::create(author, &new)?;
        return Ok(StoreysAnswer { lowest, storeys: Vec::new(), stair: None });
    }
    let author = &mut author(call);
    let storey = level(author, &input.level_id)?;
    let (rooms, connect) = (std::mem::take(&mut input.rooms), std::mem::take(&mut input.connect));
    let mut storeys = vec![asked(&input, storey, read("rooms", rooms)?, connect)];
    for (i, above) in std::mem::take(&mut input.storeys).into_iter().enumerate() {
        let field = format!("storeys[{i}].level_id");
        let storey = lookup::storey(author.edit, &field, &above.level_id)?;
        let rooms = read(&format!("storeys[{i}].rooms"), above.rooms)?;
        storeys.push(asked(&input, storey, rooms, above.connect));
    }
    let stair = input.stair.take().unwrap_or_default().into();
    rooms::create_all(author, Storeys { storeys, stair })
}

/// The rooms of a storey, with what holds for all of them.
fn asked(input: &Input, storey: Id, rooms: Vec<NewRoom>, connect: Vec<[String; 2]>) -> NewRooms {
    NewRooms {
        storey,
        rooms,
        partition: input.partition_thickness,
        corridor: input.corridor_width,
        height: input.height,
        doors: input.doors,
        connect,
        door_width: input.door_width,
        wet_together: input.wet_together,
    }
}

/// Reads a list of rooms; `field` is where it was given.
pub(super) fn read(field: &str, rooms: Vec<Room>) -> Result<Vec<NewRoom>, Fault> {
    rooms
        .into_iter()
        .enumerate()
        .map(|(i, room)| {
            let outline = room
                .boundary
                .map(|points| boundary(&format!("{field}[{i}].boundary"), &points))
                .transpose()?;
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
        .collect()
}
