//! A piece of furniture or a sanitary object.

use crate::modelling::{Point, author, level};
use crate::{IfcCall, Tool};
use building::anything::colour;
use building::furniture::{self, At, FurnitureAnswer, Kind, NewFurniture, Side};
use building::{Author, lookup, polygon};
use contract::{Effect, EventType, Fault, Toolset};
use glam::DVec2;
use ifc::Id;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Compass {
    North,
    East,
    South,
    West,
}

impl Compass {
    fn side(self) -> Side {
        match self {
            Self::North => Side::North,
            Self::East => Side::East,
            Self::South => Side::South,
            Self::West => Side::West,
        }
    }
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    /// bed, double_bed, table, round_table, coffee_table, chair, desk, sofa, armchair, wardrobe, shelf, kitchen_run, wc, basin,
    /// shower, bath or lift_car.
    kind: String,
    /// Room (IfcSpace), id or name; it finds a free place along a wall. Or a point.
    room: Option<String>,
    /// In the room: north, east, south or west (y is north), a wall's id or name, or `middle` of the room.
    wall: Option<String>,
    /// mm to its middle along the wall, from its left end seen from the room; without it the free place next to the wall's middle.
    #[schemars(extend("x-seldom" = true))]
    offset: Option<f64>,
    /// Middle of its footprint, [x, y] or [x, y, z] in mm, z above the storey.
    point: Option<Point>,
    /// Degrees counter-clockwise, with a point; at 0 its front looks north.
    #[schemars(extend("x-seldom" = true))]
    rotation: Option<f64>,
    /// The way that its front looks, with a point or in the middle of a room.
    #[schemars(extend("x-seldom" = true))]
    facing: Option<Compass>,
    /// Storey, id or name; with a point.
    level_id: Option<String>,
    /// mm along its back; sizes have defaults.
    #[schemars(extend("x-seldom" = true))]
    width: Option<f64>,
    /// mm from back to front.
    #[schemars(extend("x-seldom" = true))]
    depth: Option<f64>,
    /// mm, to the rim of what holds water.
    #[schemars(extend("x-seldom" = true))]
    height: Option<f64>,
    /// Name.
    #[schemars(extend("x-seldom" = true))]
    name: Option<String>,
    /// Of most of it.
    #[schemars(extend("x-seldom" = true))]
    material: Option<String>,
    /// Of most of it: #rrggbb or a word such as oak.
    #[schemars(extend("x-seldom" = true))]
    colour: Option<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("create_furniture", Effect::Create, run)
        .title("Create furniture, sanitary objects")
        .description(
            "Puts a piece of furniture, a sanitary object or a lift car into a room, along a wall or in its middle, \
             or at a point. Refused where it does not fit, with the free places; doors are kept clear.",
        )
        .toolset(Toolset::Furnishing)
        .event(EventType::FurnitureCreated)
        .example(
            "A desk at a point, looking south",
            json!({ "kind": "desk", "point": [44000, 44000], "facing": "south", "level_id": "Ground Floor" }),
        )
        .example(
            "A bed along a wall of a room",
            json!({ "kind": "double_bed", "room": "room", "wall": "north", "offset": 2000 }),
        )
        .example(
            "A kitchen of 3.6 m in oak",
            json!({
                "kind": "kitchen_run", "point": [48000, 44000], "rotation": 90, "width": 3600, "colour": "oak",
                "level_id": "Ground Floor"
            }),
        )
}

fn run(call: &mut IfcCall, input: Input) -> Result<FurnitureAnswer, Fault> {
    let author = &mut author(call);
    let kind = Kind::read(&input.kind)?;
    let size = furniture::size(author, kind, [input.width, input.depth, input.height])?;
    let (storey, at) = at(author, &input)?;
    let spot = furniture::placed(author, storey, kind, size, &at)?;
    let new = NewFurniture {
        kind,
        size,
        spot,
        name: input.name,
        material: input.material,
        colour: input.colour.map(|text| colour::read("colour", &text)).transpose()?,
    };
    let element = furniture::create(author, &new)?;
    furniture::answer(author, element, size)
}

/// Refuses a parameter that means nothing beside others.
fn without<T>(field: &str, given: Option<&T>, beside: &str) -> Result<(), Fault> {
    match given {
        Some(_) => Err(Fault::invalid(field, format!("`{field}` means nothing {beside}; leave it out."))),
        None => Ok(()),
    }
}

/// The place that is asked for, and the storey that is named.
fn at(author: &mut Author, input: &Input) -> Result<(Option<Id>, At), Fault> {
    let storey = input.level_id.as_deref().map(|text| level(author, text)).transpose()?;
    match (&input.point, &input.room) {
        (Some(point), None) => {
            without("wall", input.wall.as_ref(), "with a point")?;
            without("offset", input.offset.as_ref(), "with a point")?;
            let plan = polygon::plan_point("point", point)?;
            let facing = match (input.rotation, input.facing) {
                (Some(_), Some(_)) => {
                    return Err(Fault::invalid("facing", "Give either `rotation` or `facing`, not both."));
                }
                (Some(rotation), None) if !rotation.is_finite() || rotation.abs() > 36_000.0 => {
                    return Err(Fault::invalid("rotation", "`rotation` is given in degrees."));
                }
                (Some(rotation), None) => turned(rotation),
                (None, Some(facing)) => facing.side().direction(),
                (None, None) => {
                    author.assume("its front looks north");
                    DVec2::Y
                }
            };
            Ok((storey, At::Point(plan.extend(polygon::height_of(point)), facing.to_array())))
        }
        (None, Some(room)) => {
            without("rotation", input.rotation.as_ref(), "in a room; use `facing`")?;
            let found = lookup::element(author.edit, "room", room, &["IfcSpace"], "a room")?;
            if let Some(storey) = storey
                && ifc::relations::storey_of(author.edit, found) != Some(storey)
            {
                return Err(Fault::invalid(
                    "level_id",
                    "The room is on another storey; leave `level_id` out.",
                ));
            }
            let wall = input.wall.as_deref().map(str::trim);
            if wall.is_some_and(|wall| ["middle", "center", "centre"].contains(&wall.to_lowercase().as_str()))
            {
                without("offset", input.offset.as_ref(), "in the middle of a room")?;
                let facing = input.facing.map(|facing| facing.side().direction().to_array());
                return Ok((storey, At::Middle(found, facing)));
            }
            without("facing", input.facing.as_ref(), "along a wall: it looks into the room")?;
            if input.offset.is_some() && wall.is_none() {
                return Err(Fault::invalid("wall", "`offset` is counted along a wall; say which by `wall`."));
            }
            if let Some(offset) = input.offset {
                building::measures::finite("offset", offset)?;
            }
            let (side, own) = match wall.map(|wall| (wall, wall.to_lowercase())) {
                None => (None, None),
                Some((text, word)) => match word.as_str() {
                    "north" => (Some(Side::North), None),
                    "east" => (Some(Side::East), None),
                    "south" => (Some(Side::South), None),
                    "west" => (Some(Side::West), None),
                    _ => {
                        let noun = "north, east, south, west, middle or a wall";
                        (None, Some(lookup::element(author.edit, "wall", text, &["IfcWall"], noun)?))
                    }
                },
            };
            Ok((storey, At::Wall(found, side, own, input.offset)))
        }
        _ => Err(Fault::invalid(
            "room",
            "Say where it stands: either `room` (and `wall` if it matters) or `point` with `level_id`.",
        )),
    }
}

/// The direction that a front looks in when turned from north, exact for quarters.
fn turned(degrees: f64) -> DVec2 {
    match degrees.rem_euclid(360.0) {
        0.0 => DVec2::Y,
        90.0 => DVec2::NEG_X,
        180.0 => DVec2::NEG_Y,
        270.0 => DVec2::X,
        other => DVec2::from_angle(other.to_radians()).rotate(DVec2::Y),
    }
}
