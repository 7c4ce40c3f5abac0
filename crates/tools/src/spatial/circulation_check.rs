//! Circulation: one way with all exits and what stands in it, or, for all rooms in one call, which of them are reached and how far they are.

use crate::places::PlaceInput;
use crate::routes::{self, By, Demands, DoorPassed, End, Obstacle, RouteAnswer, Turning};
use crate::{IfcCall, Tool};
use contract::{Effect, Fault};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use spatial::ways::{Mesh, Spot, Ways, blocks, search};
use std::collections::HashSet;

/// Rooms without a way for which it is told what would open one, at most.
const EXPLAINED: usize = 12;

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// Room, element, `outside`, or point [x, y, z] in mm.
    start: PlaceInput,
    /// The same, or `rooms` for every room.
    end: PlaceInput,
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

/// A room and the way to it.
#[derive(Debug, Serialize, JsonSchema)]
struct Reached {
    id: String,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    storey: Option<String>,
    /// mm of the way; absent where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    distance: Option<Value>,
    /// The place of the room that is farthest from start; of several exits each place counts from its nearest.
    #[serde(skip_serializing_if = "Option::is_none")]
    farthest: Option<FarthestPlace>,
    /// The exit that is nearest, by its door's id.
    #[serde(skip_serializing_if = "Option::is_none")]
    exit: Option<String>,
    /// Changes that would open a way.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    obstacles: Vec<Obstacle>,
}

/// The farthest place of a room.
#[derive(Debug, Serialize, JsonSchema)]
struct FarthestPlace {
    /// mm of the way.
    distance: Value,
    at: [Value; 3],
}

/// An exit and the way to it.
#[derive(Debug, Serialize, JsonSchema)]
struct ExitReached {
    #[serde(flatten)]
    door: DoorPassed,
    /// mm; absent where there is no way.
    #[serde(skip_serializing_if = "Option::is_none")]
    distance: Option<Value>,
}

/// The circulation.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Output {
    /// True if there is a way; of `rooms`, to all of them.
    reachable: bool,
    from: String,
    to: String,
    #[serde(flatten)]
    route: Option<RouteAnswer>,
    /// Every exit, for `outside`, the nearest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    exits: Vec<ExitReached>,
    /// Every room, for `rooms`, those without a way first, then the farthest.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rooms: Vec<Reached>,
    /// Changes that would open a way, where there is none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    obstacles: Vec<Obstacle>,
    /// Turning space in the rooms at both ends, for who needs it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    turning: Vec<Turning>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("circulation_check", Effect::Query, run)
        .title("Circulation")
        .description(
            "Checks how one gets from start to end: way, exits, obstacles; with end `rooms` how far every room and its farthest place are, and what cuts off those that are not reached.",
        )
        .example("Every room from outside", json!({ "start": "outside", "end": "rooms" }))
        .example("From a point to all exits", json!({ "start": [4500, 3500, 0], "end": "outside" }))
}

/// The model, ways and mesh that one call works on.
struct Work<'c> {
    call: &'c IfcCall,
    ways: &'c Ways,
    mesh: &'c Mesh,
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
    let closed = routes::closed(call.edit.model(), &ways, demands.closed)?;
    let mesh = ways.mesh(&traveller, &closed);
    let work = Work { call, ways: &ways, mesh: &mesh };
    if is_rooms(&input.start) {
        return Err(Fault::invalid(
            "start",
            "`rooms` is an end: give `start` a place, such as outside, and `end` rooms.",
        ));
    }
    let from = routes::end(call, &ways, &mesh, &index, "start", &input.start)?;
    if is_rooms(&input.end) {
        return work.to_rooms(&from);
    }
    let to = routes::end(call, &ways, &mesh, &index, "end", &input.end)?;
    Ok(work.one(&from, &to))
}

fn is_rooms(given: &PlaceInput) -> bool {
    matches!(given, PlaceInput::Element(text) if text.trim().eq_ignore_ascii_case("rooms"))
}

impl Work<'_> {
    fn one(&self, from: &End, to: &End) -> Output {
        let (ways, model) = (self.ways, self.call.edit.model());
        let found = ways.way(self.mesh, &from.spots, &to.spots);
        let mut obstacles: Vec<Obstacle> = Vec::new();
        if found.is_none() {
            obstacles.extend([from, to].into_iter().filter_map(routes::no_room));
            obstacles.extend(self.blocked(&from.points, &to.points));
        }
        let mut exits = Vec::new();
        for (end, other) in [(from, to), (to, from)] {
            if end.label == "outside" && other.label != "outside" {
                exits = self.exits(end, &other.spots);
            }
        }
        let rooms: Vec<usize> = [from, to].iter().filter_map(|end| end.room).collect();
        let with_outside = [from, to].iter().any(|end| !end.exits.is_empty());
        Output {
            reachable: found.is_some(),
            from: from.label.clone(),
            to: to.label.clone(),
            route: found.map(|(_, route)| routes::told(model, ways, &route)),
            exits,
            obstacles,
            turning: routes::turning(ways, self.mesh, &rooms),
            notes: routes::assumptions(ways, with_outside),
            ..Output::default()
        }
    }

    fn blocked(&self, from: &[glam::DVec3], to: &[glam::DVec3]) -> Vec<Obstacle> {
        let model = self.call.edit.model();
        let found = blocks(self.ways, self.mesh, from, to);
        found.iter().map(|block| routes::obstacle(model, self.ways, &self.mesh.traveller, block)).collect()
    }

    /// All exits with their distances from some places, by one search.
    fn exits(&self, outside: &End, from: &[Spot]) -> Vec<ExitReached> {
        let model = self.call.edit.model();
        let lengths = search::lengths(&self.mesh.net, from, &outside.spots);
        let length = |exit: usize| {
            let at = outside.exits.iter().position(|known| *known == exit)?;
            lengths.get(at).copied().flatten()
        };
        let all = self.ways.premises.exits.iter().enumerate();
        let mut told: Vec<(f64, ExitReached)> = all
            .filter_map(|(number, exit)| {
                let metres = length(number);
                let door = routes::door(model, self.ways, exit.door)?;
                Some((
                    metres.unwrap_or(f64::INFINITY),
                    ExitReached { door, distance: metres.map(routes::tenth) },
                ))
            })
            .collect();
        told.sort_by(|a, b| a.0.total_cmp(&b.0));
        told.into_iter().map(|(_, exit)| exit).collect()
    }

    /// The ways to all rooms, by one search.
    fn to_rooms(&self, from: &End) -> Result<Output, Fault> {
        let rooms = self.ways.rooms();
        if rooms.rooms.is_empty() {
            // says what there is instead of rooms
            rooms.find("end", "rooms")?;
        }
        let ends: Vec<End> =
            (0..rooms.rooms.len()).map(|n| routes::room_end(self.ways, self.mesh, n)).collect();
        let placed: Vec<(usize, Spot)> =
            ends.iter().enumerate().filter_map(|(n, end)| Some((n, *end.spots.first()?))).collect();
        let targets: Vec<Spot> = placed.iter().map(|(_, spot)| *spot).collect();
        let found = search::ways(&self.mesh.net, &from.spots, &targets);
        let mut lengths: Vec<Option<(f64, usize)>> = vec![None; ends.len()];
        for ((number, _), way) in placed.iter().zip(found) {
            if let (Some(slot), Some(way)) = (lengths.get_mut(*number), way) {
                *slot = Some((way.length, way.source));
            }
        }
        let farthest = spatial::ways::farthest(self.mesh, rooms, &from.spots);
        let mut told: Vec<(f64, Reached)> = Vec::new();
        let mut explained = 0;
        for (number, (room, end)) in rooms.rooms.iter().zip(&ends).enumerate() {
            let way = lengths.get(number).copied().flatten();
            let mut obstacles: Vec<Obstacle> = Vec::new();
            if way.is_none() {
                explained += 1;
                obstacles.extend(routes::no_room(end));
                if explained <= EXPLAINED {
                    obstacles.extend(self.blocked(&from.points, &end.points));
                }
            }
            let exit = way.and_then(|(_, source)| self.ways.premises.exits.get(*from.exits.get(source)?));
            let exit = exit.and_then(|exit| self.ways.premises.doors.get(exit.door));
            told.push((
                way.map_or(f64::INFINITY, |(length, _)| length),
                Reached {
                    id: room.id.clone(),
                    name: room.label(),
                    storey: room.storey.and_then(|s| rooms.storeys.get(s)).map(|s| s.name.clone()),
                    distance: way.map(|(length, _)| routes::tenth(length)),
                    farthest: farthest.get(number).copied().flatten().map(|place| FarthestPlace {
                        distance: routes::tenth(place.length),
                        at: place.spot.point.to_array().map(routes::tenth),
                    }),
                    exit: exit.map(|door| crate::id_of(self.call.edit.model(), door.element)),
                    obstacles,
                },
            ));
        }
        told.sort_by(|a, b| b.0.total_cmp(&a.0));
        let cut_off = told.iter().filter(|(length, _)| length.is_infinite()).count();
        let mut notes = routes::assumptions(self.ways, !from.exits.is_empty());
        notes.push("The distance of a room is that of the point of its floor that is farthest from all that stands in it.".to_owned());
        if cut_off > 0 {
            notes.push(format!("{cut_off} of {} rooms are not reached.", told.len()));
        }
        if cut_off > EXPLAINED {
            notes.push(format!("What would open a way is told of {EXPLAINED} of them."));
        }
        let mut seen = HashSet::new();
        notes.retain(|note| seen.insert(note.clone()));
        Ok(Output {
            reachable: cut_off == 0,
            from: from.label.clone(),
            to: "rooms".to_owned(),
            rooms: told.into_iter().map(|(_, room)| room).collect(),
            notes,
            obstacles: routes::no_room(from).into_iter().collect(),
            ..Output::default()
        })
    }
}
