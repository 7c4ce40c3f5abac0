//! The premises of a version, all that matters to who goes about in it: floors, flights, doors, lifts, what stands in the way, and the ground outside.
//!
//! The ground is taken as level at the height of the lowest door that leads outside, for 5 m around the building; terrain that is
//! modelled is not read. A door leads outside where a room lies on one side and the open air on the other, whatever the file says of it (many
//! programs write IsExternal as false and mean nothing by it); where that cannot be told, where the file says so or nothing is built beyond one side. It is an exit if its threshold is at most 1.5 m off the ground: others lead to balconies.

use super::doors::{Door, doors};
use super::flights::{Flight, flights};
use super::floors::{Floor, floors};
use crate::facet::holds;
use crate::passage::{Passage, Side};
use crate::{Layout, Rooms};
use geometry::query::{Element, Index, Ray};
use geometry::region::{self, Loop};
use geometry::{Bounds, Scene, Shaper};
use glam::{DVec2, DVec3};
use ifc::Id;
use ifc::relations::Links;
use std::sync::Arc;

/// A lift.
#[derive(Debug, Clone)]
pub struct Lift {
    /// The element.
    pub element: Id,
    /// The box around it, or around its shaft.
    pub bounds: Bounds,
}

/// A door that leads outside at the height of the ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Exit {
    /// The place of the door in [`Premises::doors`].
    pub door: usize,
    /// A point outside, on the ground before it.
    pub outside: DVec3,
}

/// All that matters to who goes about.
#[derive(Debug, Default)]
pub struct Premises {
    /// Level floors.
    pub floors: Vec<Floor>,
    /// Places of rooms under which no floor is modelled, so that they stand on their own.
    pub unsupported: Vec<usize>,
    /// Flights of stairs and ramps.
    pub flights: Vec<Flight>,
    /// Doors and open passages.
    pub doors: Vec<Door>,
    /// The rooms on both sides of each door, by their places, before it and behind it.
    pub beside: Vec<[Option<usize>; 2]>,
    /// Lifts.
    pub lifts: Vec<Lift>,
    /// The elements that stand in the way.
    pub obstacles: Vec<Arc<Element>>,
    /// Height of the ground outside, where a door leads there.
    pub ground: Option<f64>,
    /// Doors that lead outside at the height of the ground.
    pub exits: Vec<Exit>,
}

/// The width of the ground around a building, in metres.
pub const AROUND: f64 = 5.0;
/// A threshold higher than this over the ground, in metres, is a balcony's.
const BALCONY: f64 = 1.5;
/// An opening goes down at most this far below the floor, in metres.
const ROUGH: f64 = 0.3;
/// The distance off a wall at which a point is looked at, in metres.
const OFF: f64 = 0.3;
/// Classes that one passes through, walks on, or does not meet.
const NO_OBSTACLES: [&str; 8] = [
    "IfcSpatialElement",
    "IfcSpatialStructureElement",
    "IfcDoor",
    "IfcOpeningElement",
    "IfcGeographicElement",
    "IfcVirtualElement",
    "IfcAnnotation",
    "IfcTransportElement",
];

impl Premises {
    /// Reads the premises of a version.
    pub fn from_scene(scene: &Scene, index: &Index, layout: &Layout) -> Premises {
        let rooms = &layout.rooms;
        let model = scene.model();
        let shaper = Shaper::plain(model);
        let links = Links::of_many(model);
        let (mut all, unsupported) = floors(&links, index, rooms);
        let (flights, landings) = flights(&links, index);
        all.extend(landings);
        let is_obstacle = |id: Id| {
            model.get(id).is_some_and(|i| {
                let is_flooring =
                    i.is_a("IfcCovering") && links.predefined_type(id).is_some_and(|kind| kind == "FLOORING");
                !is_flooring && !NO_OBSTACLES.iter().any(|class| i.is_a(class))
            })
        };
        let mut obstacles: Vec<Arc<Element>> =
            index.iter().filter(|e| is_obstacle(e.id())).map(Arc::clone).collect();
        obstacles.sort_by_key(|e| e.id());
        let mut premises = Premises {
            floors: all,
            unsupported,
            flights,
            doors: doors(&shaper, &links, index),
            lifts: lifts(&links, index),
            obstacles,
            ..Premises::default()
        };
        let floors = &premises.floors;
        premises.doors.retain_mut(|door| match threshold(door, floors) {
            Some(height) => {
                door.sill = height;
                true
            }
            // an opening above the floor is a hatch or a window
            None => !door.is_open,
        });
        premises.beside = premises.doors.iter().map(|door| beside(door, rooms)).collect();
        premises.go_outside(layout);
        premises
    }

    /// Finds the doors that lead outside, and the height of the ground.
    fn go_outside(&mut self, layout: &Layout) {
        let outer: Vec<(usize, usize)> = (0..self.doors.len())
            .filter_map(|number| Some((number, self.outer_side(number, layout)?)))
            .collect();
        let sills = outer.iter().filter_map(|(number, _)| self.doors.get(*number)).map(|door| door.sill);
        let ground = sills.fold(f64::INFINITY, f64::min);
        if !ground.is_finite() {
            return;
        }
        self.ground = Some(ground);
        let mut exits = Vec::new();
        for (number, side) in outer {
            let Some(door) = self.doors.get(number).filter(|door| door.sill - ground <= BALCONY) else {
                continue;
            };
            let outside = door.sides(0.6)[side].with_z(door.sill);
            exits.push(Exit { door: number, outside });
        }
        self.exits = exits;
    }

    /// The side on which a door leads outside, if it does.
    fn outer_side(&self, number: usize, layout: &Layout) -> Option<usize> {
        let rooms = &layout.rooms;
        let door = self.doors.get(number).filter(|door| !door.is_open || !rooms.rooms.is_empty())?;
        let passage = layout.passages.iter().find(|p| p.element == door.element);
        if let Some(side) = passage.and_then(|passage| outdoors(passage, door)) {
            return Some(side);
        }
        if door.is_external == Some(false) {
            return None;
        }
        let inside = self
            .beside
            .get(number)?
            .map(|room| room.and_then(|room| rooms.rooms.get(room)).is_some_and(|room| !room.is_outside));
        let ends = door.sides(OFF);
        let ways = [-door.through(), door.through()];
        let is_free = |side: usize| {
            let from = ends[side].with_z(f64::midpoint(door.sill, door.head));
            let ray = Ray::new(from, ways[side].extend(0.0));
            let meets = |ray: &Ray| self.obstacles.iter().any(|e| e.first_hit(ray).is_some());
            ray.is_some_and(|ray| !meets(&ray.up_to(60.0)))
        };
        match inside {
            [true, false] if door.is_external == Some(true) || is_free(1) => Some(1),
            [false, true] if door.is_external == Some(true) || is_free(0) => Some(0),
            [false, false] if !door.is_open => match [is_free(0), is_free(1)] {
                [true, false] => Some(0),
                [false, true] => Some(1),
                _ => None,
            },
            _ => None,
        }
    }

    /// The ground as areas: around the building, less what lies within it.
    pub fn ground_loops(&self, rooms: &Rooms) -> Vec<Loop> {
        let Some(ground) = self.ground else { return Vec::new() };
        let near = |b: &Bounds| b.min.z < ground + 3.0 && b.max.z > ground - 1.0;
        let built =
            self.obstacles.iter().map(|e| e.bounds()).filter(near).fold(Bounds::EMPTY, |all, b| all.join(&b));
        if built.is_empty() {
            return Vec::new();
        }
        let (low, high) =
            (built.min.truncate() - DVec2::splat(AROUND), built.max.truncate() + DVec2::splat(AROUND));
        let inner = rooms
            .rooms
            .iter()
            .filter(|room| !room.is_outside && room.foot < ground + 2.0 && room.top > ground + 0.2);
        let mut within: Vec<Loop> =
            inner.flat_map(|room| &room.floor).flat_map(|a| a.loops().cloned()).collect();
        // what is floor is not ground
        let level = self.floors.iter().filter(|f| (f.height - ground).abs() < 0.6);
        within.extend(level.flat_map(|f| f.loops.iter().cloned()));
        let within = crate::facet::loops_of(&region::union(&within));
        crate::facet::loops_of(&region::less_all(&[region::rectangle(low, high)], &within))
    }

    /// The room that a point lies in, by plan and height.
    pub fn room_at(rooms: &Rooms, p: DVec3) -> Option<usize> {
        let near = |room: &&crate::Room| p.z > room.foot - 0.3 && p.z < room.top;
        let holding = |room: &crate::Room| room.floor.iter().any(|a| holds(a.loops(), p.truncate()));
        let found = rooms.rooms.iter().enumerate().filter(|(_, room)| near(room) && holding(room));
        // of rooms over each other the one whose floor is the nearest below
        found.max_by(|a, b| a.1.foot.total_cmp(&b.1.foot)).map(|(number, _)| number)
    }
}

/// The side of a door that lies outdoors while a room lies on the other.
fn outdoors(passage: &Passage, door: &Door) -> Option<usize> {
    let is_room = |side: Side| matches!(side, Side::Room(_));
    let to = passage.crossings.iter().find_map(|crossing| match crossing.sides {
        [a, Side::Outdoors] if is_room(a) => Some(1.0),
        [Side::Outdoors, b] if is_room(b) => Some(-1.0),
        _ => None,
    })?;
    let out = passage.frame.z_axis.truncate() * to;
    Some(usize::from(out.dot(door.through()) > 0.0))
}

/// The height of a door's threshold: of the higher floor beside it where that lies a little over the lower edge of its opening, which
/// often goes down to the rough floor; none where no floor lies there.
fn threshold(door: &Door, floors: &[Floor]) -> Option<f64> {
    let ends = door.sides(OFF).map(DVec3::truncate);
    let near = floors.iter().filter(|f| f.height > door.sill - 0.05 && f.height < door.sill + ROUGH);
    let beside = near.filter(|f| ends.iter().any(|p| holds(&f.loops, *p)));
    beside.map(|f| f.height).reduce(f64::max)
}

/// The rooms on both sides of a door.
fn beside(door: &Door, rooms: &Rooms) -> [Option<usize>; 2] {
    let far = door.sides(OFF);
    let near = door.sides(0.05);
    [0, 1].map(|side| Premises::room_at(rooms, far[side]).or_else(|| Premises::room_at(rooms, near[side])))
}

/// The lifts of a model.
fn lifts(links: &Links<'_>, index: &Index) -> Vec<Lift> {
    let model = links.model();
    let mut found = Vec::new();
    for id in model.of_class("IfcTransportElement") {
        let kind = links.predefined_type(id).unwrap_or_default();
        let stated = model.get(id).and_then(|i| i.enumeration("OperationType")).unwrap_or_default();
        let is_lift = [kind, stated].iter().any(|k| ["ELEVATOR", "LIFTINGGEAR"].contains(&k.as_str()));
        if let (true, Some(element)) = (is_lift, index.get(id)) {
            found.push(Lift { element: id, bounds: element.bounds() });
        }
    }
    found
}
