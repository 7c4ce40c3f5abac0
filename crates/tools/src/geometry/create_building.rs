//! A whole building from one description: outline, storeys, rooms with the doors between them, a stair, openings by side, a roof.

use super::create_building_shell::Roof;
use super::create_openings::{Entry, Hosts, Made, opening_answers, wish};
use super::create_rooms::{Room, Stair, read};
use crate::model::create_project;
use crate::modelling::author;
use crate::outlines::Outline;
use crate::{IfcCall, Tool};
use building::Author;
use building::lookup;
use building::openings::{self, of_wish};
use building::project::StoreyAnswer;
use building::rooms::{self, NewRoom, NewRooms, RoomsAnswer, Unmet};
use building::shell::{self, NewShell, ShellAnswer, ShellLevel, ShellStorey};
use building::stairs::StairAnswer;
use contract::{Condition, Effect, EventType, Fault};
use glam::DVec2;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Storey {
    /// Name.
    #[schemars(extend("x-seldom" = true))]
    name: Option<String>,
    /// Floor to floor, mm.
    #[schemars(extend("x-seldom" = true))]
    height: Option<f64>,
    /// As in create_rooms; one that has the whole floor needs a name alone.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    rooms: Vec<Room>,
    /// Pairs of room names with a door between; the stair's room may be one.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    connect: Vec<[String; 2]>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected the number of storeys, or a list of {name, height, rooms, connect}")]
enum Storeys {
    /// The number.
    Count(u32),
    /// Each, from the lowest up.
    List(Vec<Storey>),
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    /// Begins a new model for it: name, site, building, address, schema, units as in create_project. Without it the session's model.
    #[schemars(extend("x-seldom" = true))]
    project: Option<create_project::Input>,
    /// Corners [[x, y], …] in mm, or a form; side 1 from the first corner on, of a form its south.
    #[schemars(extend("x-seldom" = true))]
    outline: Outline,
    /// A count, or a list from the lowest up.
    #[schemars(extend("x-seldom" = true))]
    storeys: Storeys,
    /// mm, floor to floor.
    #[serde(default = "storey_height")]
    #[schemars(extend("x-seldom" = true))]
    storey_height: f64,
    /// Elevation of the lowest storey in mm.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    elevation: f64,
    /// mm, of outer walls.
    #[serde(default = "thickness")]
    #[schemars(extend("x-seldom" = true))]
    wall_thickness: f64,
    /// mm, of slabs and roof.
    #[serde(default = "thickness")]
    #[schemars(extend("x-seldom" = true))]
    floor_thickness: f64,
    /// mm.
    #[serde(default = "partition")]
    #[schemars(extend("x-seldom" = true))]
    partition_thickness: f64,
    /// mm, of a hallway that is laid out.
    #[serde(default = "corridor")]
    #[schemars(extend("x-seldom" = true))]
    corridor_width: f64,
    /// mm, of doors between rooms.
    #[serde(default = "door")]
    #[schemars(extend("x-seldom" = true))]
    door_width: f64,
    /// Wet rooms side by side.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    wet_together: bool,
    /// Through all storeys that have rooms by area: name of its room, width, shape.
    #[schemars(extend("x-seldom" = true))]
    stair: Option<Stair>,
    /// As in create_openings; hosts may be "side 1".
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    openings: Vec<Entry>,
    /// flat, shed, gable, hip, mansard, none.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    roof: Roof,
    /// Degrees, of a roof that is not flat.
    #[schemars(extend("x-seldom" = true))]
    pitch: Option<f64>,
    /// mm that the roof stands out.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    overhang: f64,
    /// Patterns for walls, floors, roof: "perimeter_wall_{n}"; {side}, {storey}.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    names: Patterns,
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
struct Patterns {
    /// Outer walls.
    walls: Option<String>,
    /// Slabs.
    floors: Option<String>,
    /// The roof.
    roof: Option<String>,
}

fn storey_height() -> f64 {
    3000.0
}

fn thickness() -> f64 {
    200.0
}

fn partition() -> f64 {
    100.0
}

fn corridor() -> f64 {
    1200.0
}

fn door() -> f64 {
    900.0
}

/// An outer wall.
#[derive(Serialize, JsonSchema)]
struct Wall {
    /// The side of the outline, from 1.
    side: usize,
    /// GlobalId.
    wall_id: String,
}

/// A room.
#[derive(Serialize, JsonSchema)]
struct RoomMade {
    /// GlobalId of the space.
    space_id: String,
    /// Name.
    name: String,
    /// Floor area in m².
    area: f64,
    /// Area asked for, where it is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    area_asked: Option<f64>,
}

/// A door between rooms.
#[derive(Serialize, JsonSchema)]
struct DoorMade {
    /// The rooms.
    rooms: [String; 2],
    /// GlobalId.
    door_id: String,
}

/// A storey.
#[derive(Serialize, JsonSchema)]
struct StoreyMade {
    /// GlobalId.
    level_id: String,
    /// Name.
    name: String,
    /// Elevation in mm.
    elevation: f64,
    /// Outer walls by side.
    walls: Vec<Wall>,
    /// GlobalId of the slab.
    floor_id: String,
    /// Rooms.
    rooms: Vec<RoomMade>,
    /// GlobalIds of the partitions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    partition_ids: Vec<String>,
    /// Doors between rooms.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    doors: Vec<DoorMade>,
    /// Wishes that could not be met.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unmet: Vec<Unmet>,
}

/// An opening that was asked for by side or host.
#[derive(Serialize, JsonSchema)]
struct OpeningMade {
    /// The entry it was asked for in, from 0.
    entry: usize,
    /// GlobalId of the door or window, else of the opening.
    id: String,
    /// Name.
    name: String,
    /// GlobalId of the host.
    host_id: String,
}

/// The building as made.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Answer {
    /// Storeys, lowest first.
    storeys: Vec<StoreyMade>,
    /// GlobalId of the roof.
    #[serde(skip_serializing_if = "Option::is_none")]
    roof_id: Option<String>,
    /// The storey that the roof rests on.
    #[serde(skip_serializing_if = "Option::is_none")]
    roof_level: Option<StoreyAnswer>,
    /// The stair.
    #[serde(skip_serializing_if = "Option::is_none")]
    stair: Option<StairAnswer>,
    /// Openings, in the order asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    openings: Vec<OpeningMade>,
    /// m² inside the outline.
    footprint_area: f64,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("create_building", Effect::Create, run)
        .description(
            "Makes a whole building; `project` {name} begins a new model. outline: corners, or {form: rectangle|l|u|regular, width, depth, \
             cut_width, cut_depth, sides, side}. storeys: a count, or [{name, height, rooms: [{name, area or boundary}], connect: \
             [[room, room]]}]; by area on several with a stair. openings: [{hosts: side 1, north, outer_walls or a room, each_side, count or \
             location, width, height, opening_type}]. roof: flat|shed|gable|hip|mansard.",
        )
        .makes_model_when(Condition::given("project"), "project.name")
        .event(EventType::BuildingCreated)
        .example(
            "A house with three rooms",
            json!({
                "outline": { "form": "rectangle", "width": 10000, "depth": 8000, "origin": [0, 20000] },
                "storeys": [{ "name": "Ground Floor", "rooms": [
                    { "name": "living", "area": 36 }, { "name": "bedroom", "area": 18 }, { "name": "bath", "area": 7 }
                ], "connect": [["living", "bedroom"], ["living", "bath"]] }],
                "openings": [
                    { "hosts": "side 1", "location": { "at": "center" }, "width": 1000, "height": 2100, "opening_type": "door" },
                    { "hosts": ["north", "east"], "each_side": 1, "width": 1200, "height": 1200, "opening_type": "window" }
                ],
                "roof": "gable"
            }),
        )
}

fn run(call: &mut IfcCall, input: Input) -> Result<Answer, Fault> {
    let Input { project, outline, storeys, openings, .. } = input;
    let footprint = outline.corners("outline")?;
    let storeys = match storeys {
        Storeys::Count(count) if count <= 200 => (0..count)
            .map(|_| Storey { name: None, height: None, rooms: Vec::new(), connect: Vec::new() })
            .collect(),
        Storeys::Count(_) => Vec::new(),
        Storeys::List(list) => list,
    };
    if input.pitch.is_some() && input.roof == Roof::None {
        return Err(Fault::invalid(
            "pitch",
            "A building without a roof has no `pitch`; leave it out, or give roof=gable.",
        ));
    }
    if let Some(project) = project {
        create_project::run(call, project).map_err(|fault| within(fault, "project"))?;
    }
    let author = &mut author(call);
    let new = NewShell {
        footprint,
        storeys: storeys
            .iter()
            .map(|storey| ShellStorey {
                name: storey.name.clone(),
                height: storey.height.unwrap_or(input.storey_height),
            })
            .collect(),
        elevation: input.elevation,
        wall_thickness: input.wall_thickness,
        floor_thickness: input.floor_thickness,
        roof: input.roof.known(),
        pitch: input.pitch,
        overhang: input.overhang,
        spaces: false,
        names: shell::Names {
            walls: input.names.walls,
            floors: input.names.floors,
            spaces: None,
            roof: input.names.roof,
        },
    };
    let made = shell::create(author, &new)?;
    let common = Common {
        partition: input.partition_thickness,
        corridor: input.corridor_width,
        door_width: input.door_width,
        wet_together: input.wet_together,
    };
    let (rooms, stair) = furnish(author, &made, storeys, input.stair, &common)?;
    let openings = cut(author, &made, openings)?;
    let ShellAnswer { storeys, roof_level, roof_id, footprint_area, .. } = made;
    let storeys = storeys.into_iter().zip(rooms).map(|(level, rooms)| storey_made(level, rooms)).collect();
    Ok(Answer { storeys, roof_id, roof_level, stair, openings, footprint_area })
}

/// The sizes and wishes common to the rooms of every storey.
struct Common {
    partition: f64,
    corridor: f64,
    door_width: f64,
    wet_together: bool,
}

impl Common {
    fn of_storey(&self, storey: ifc::Id, rooms: Vec<NewRoom>, connect: Vec<[String; 2]>) -> NewRooms {
        NewRooms {
            storey,
            rooms,
            partition: self.partition,
            corridor: self.corridor,
            height: None,
            doors: true,
            connect,
            door_width: self.door_width,
            wet_together: self.wet_together,
        }
    }
}

/// The rooms of each storey, if it has any, and the stair through those that have.
type Furnished = (Vec<Option<RoomsAnswer>>, Option<StairAnswer>);

/// Makes the rooms of all storeys: around one stair where several have rooms by area, else storey by storey.
fn furnish(
    author: &mut Author,
    made: &ShellAnswer,
    storeys: Vec<Storey>,
    stair: Option<Stair>,
    common: &Common,
) -> Result<Furnished, Fault> {
    let several = storeys.iter().filter(|storey| !storey.rooms.is_empty()).count() > 1;
    let mut asked: Vec<Option<NewRooms>> = Vec::with_capacity(storeys.len());
    for (i, (storey, level)) in storeys.into_iter().zip(&made.storeys).enumerate() {
        if storey.rooms.is_empty() {
            if !storey.connect.is_empty() {
                let field = format!("storeys[{i}].connect");
                return Err(Fault::invalid(&field, "`connect` names rooms; give `rooms` beside it."));
            }
            asked.push(None);
            continue;
        }
        let id = lookup::storey(author.edit, "storeys", &level.level_id)?;
        let mut rooms = read(&format!("storeys[{i}].rooms"), storey.rooms)?;
        if let [only] = rooms.as_mut_slice()
            && only.area.is_none()
            && only.boundary.is_none()
        {
            // a room that has the floor to itself
            if several {
                only.area = Some(made.footprint_area);
            } else {
                only.boundary = Some(made.inner_outline.iter().copied().map(DVec2::from).collect());
            }
        }
        asked.push(Some(common.of_storey(id, rooms, storey.connect)));
    }
    let with_rooms = asked.iter().flatten().count();
    let by_area = asked.iter().flatten().all(|new| new.rooms.iter().all(|room| room.boundary.is_none()));
    if stair.is_some() && (with_rooms < 2 || !by_area) {
        let problem = "A `stair` leads through several storeys whose `rooms` are given by `area`, and is laid out with them; \
                       otherwise make it with create_stair.";
        return Err(Fault::invalid("stair", problem));
    }
    if with_rooms < 2 || !by_area {
        let mut rooms = Vec::with_capacity(asked.len());
        for (i, new) in asked.into_iter().enumerate() {
            let made = new.map(|new| rooms::create(author, &new)).transpose();
            rooms.push(made.map_err(|fault| within(fault, &format!("storeys[{i}]")))?);
        }
        return Ok((rooms, None));
    }
    let has_rooms: Vec<bool> = asked.iter().map(Option::is_some).collect();
    let stair = stair.unwrap_or_default().into();
    let storeys = rooms::Storeys { storeys: asked.into_iter().flatten().collect(), stair };
    let done = rooms::create_all(author, storeys)?;
    let mut done_rooms =
        std::iter::once(done.lowest).chain(done.storeys.into_iter().map(|storey| storey.made));
    let rooms = has_rooms.into_iter().map(|has| if has { done_rooms.next() } else { None }).collect();
    Ok((rooms, done.stair))
}

/// Cuts the openings; `side 1` stands for the outer walls of that side.
fn cut(author: &mut Author, made: &ShellAnswer, openings: Vec<Entry>) -> Result<Vec<OpeningMade>, Fault> {
    let mut wishes = Vec::with_capacity(openings.len());
    for (i, mut entry) in openings.into_iter().enumerate() {
        if let Some(hosts) = entry.hosts.take() {
            let found = with_sides(author, made, hosts, entry.level_id.as_deref(), entry.is_door());
            entry.hosts = Some(found.map_err(|fault| of_wish(i, fault))?);
        }
        wishes.push(wish(author, entry).map_err(|fault| of_wish(i, fault))?);
    }
    let cut = openings::create(author, &wishes)?;
    opening_answers(author, cut)?
        .into_iter()
        .map(|Made { entry, opening }| {
            Ok(OpeningMade {
                entry,
                id: opening.filling_id.unwrap_or(opening.opening_id),
                name: opening.name,
                host_id: opening.host_id,
            })
        })
        .collect()
}

/// Puts the walls of a side in the place of `side 1`: those of the storey named, else doors in the lowest and all else on every storey.
fn with_sides(
    author: &Author,
    made: &ShellAnswer,
    hosts: Hosts,
    level: Option<&str>,
    is_door: bool,
) -> Result<Hosts, Fault> {
    let texts = match hosts {
        Hosts::One(one) => vec![one],
        Hosts::Many(many) => many,
    };
    let level = level.map(|text| lookup::storey(author.edit, "level_id", text)).transpose()?;
    let level = level.map(|id| lookup::guid(author.edit, id));
    let sides = made.storeys.first().map_or(0, |storey| storey.walls.len());
    let mut found = Vec::new();
    for text in texts {
        let lower = text.trim().to_lowercase();
        let Some(number) = lower.strip_prefix("side").and_then(|rest| rest.trim().parse::<usize>().ok())
        else {
            found.push(text);
            continue;
        };
        if number == 0 || number > sides {
            let problem = format!("There is no {text}; the outline has sides 1 to {sides}.");
            return Err(Fault::invalid("hosts", problem));
        }
        let storeys = made.storeys.iter().enumerate().filter(|(n, storey)| match &level {
            Some(level) => storey.level_id == *level,
            None => !is_door || *n == 0,
        });
        let walls = storeys.flat_map(|(_, storey)| &storey.walls).filter(|wall| wall.side == number);
        found.extend(walls.map(|wall| wall.wall_id.clone()));
    }
    Ok(Hosts::Many(found))
}

fn storey_made(level: ShellLevel, rooms: Option<RoomsAnswer>) -> StoreyMade {
    let rooms = rooms.unwrap_or_else(|| RoomsAnswer {
        rooms: Vec::new(),
        partitions: Vec::new(),
        doors: Vec::new(),
        unmet: Vec::new(),
    });
    StoreyMade {
        level_id: level.level_id,
        name: level.name,
        elevation: level.elevation,
        walls: level.walls.into_iter().map(|wall| Wall { side: wall.side, wall_id: wall.wall_id }).collect(),
        floor_id: level.floor_id,
        rooms: rooms
            .rooms
            .into_iter()
            .map(|room| RoomMade {
                area_asked: room.area_asked.filter(|asked| (asked - room.area).abs() > 0.005 * asked),
                space_id: room.space_id,
                name: room.name,
                area: room.area,
            })
            .collect(),
        partition_ids: rooms.partitions.into_iter().map(|partition| partition.wall_id).collect(),
        doors: rooms
            .doors
            .into_iter()
            .filter_map(|door| Some(DoorMade { rooms: door.rooms, door_id: door.door_id? }))
            .collect(),
        unmet: rooms.unmet,
    }
}

/// A Fault about a field within another.
fn within(mut fault: Fault, outer: &str) -> Fault {
    let field = match fault.data.get("field").and_then(|field| field.as_str()) {
        Some(field) if field.starts_with(outer) => return fault,
        Some(field) if !field.is_empty() => format!("{outer}.{field}"),
        _ => outer.to_owned(),
    };
    fault.data.insert("field".into(), field.into());
    fault
}
