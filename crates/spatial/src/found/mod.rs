//! Rooms that the file does not have: what walls, curtain walls, roofs and virtual boundaries enclose on a storey.
//!
//! Walls are cut a hand's breadth over the floor, with their openings left in, and what they go around is a room where it has a floor. Its
//! ceiling is what comes next above each part of it: slabs, roofs, ceilings; through a hole in the floor above the room goes on into
//! the next storey. What has a floor and no ceiling, beside rooms that have one, lies outdoors. Gaps between walls to a few
//! centimetres are closed. Rooms that nothing parts but a change of use are one.

mod body;
mod ceiling;
mod floors;
mod walls;

use crate::{Origin, Room, Storey, asked::Change, elements::Elements, facet::extent, outline};
use body::column;
use ceiling::{Underside, under};
use floors::{floor, floor_level, free};
use geometry::{Bounds, Scene, Shaper, query::Index, region::Area};
use ifc::{Id, relations::Links};
use std::{cell::OnceCell, sync::Arc};
use walls::{LowWall, Plan, WITHIN, Walls};

/// The least height of a room where it is highest, in metres; what is lower is a crawl space or the space above a ceiling.
const LEAST_HEIGHT: f64 = 1.6;
/// The height over the floor at which walls are cut, in metres.
const CUT: f64 = 0.2;
/// The most that the floor of a room may lie below or above its storey, in metres.
const OFF: f64 = 1.2;
/// The height of a room without a ceiling in the highest storey, in metres.
const OPEN_HEIGHT: f64 = 2.5;

/// The rooms that were found on a storey.
#[derive(Debug, Clone)]
pub(crate) struct FoundStorey {
    storey: Id,
    /// Each with whether it has a ceiling.
    rooms: Vec<(Room, bool)>,
    /// True if walls go around a floor, be it the floor of a room or not: what is above counts.
    is_enclosed: bool,
    /// The height below which floors and walls were looked for, in metres.
    top: f64,
    /// The low walls, each with whether it is a parapet.
    low_walls: Vec<LowWall>,
}

impl FoundStorey {
    /// Returns true if what lies in one of these boxes may matter on the storey.
    fn is_near(&self, storey: &Storey, changed: &[Bounds]) -> bool {
        let low = storey.elevation - OFF / 2.0 - OFF - 0.1;
        let high = if self.is_enclosed { f64::INFINITY } else { self.top };
        changed.iter().any(|b| b.max.z > low && b.min.z < high)
    }

    /// The same after a change, if neither it nor whatever else differs in these boxes matters on the storey.
    fn after(
        &self,
        storey: &Storey,
        search: &Search<'_>,
        change: &Change,
        changed: &[Bounds],
    ) -> Option<FoundStorey> {
        if self.is_near(storey, changed) {
            return None;
        }
        let again = |wall: &LowWall| {
            if wall.asked.holds(change) {
                return Some(wall.clone());
            }
            search.walls.low_wall(wall.element).filter(|again| again.is_parapet == wall.is_parapet)
        };
        let low_walls = self.low_walls.iter().map(again).collect::<Option<_>>()?;
        Some(FoundStorey { low_walls, ..self.clone() })
    }
}

/// Returns true if a change leaves all that was found on storeys as it was.
pub(crate) fn stay(storeys: &[Storey], found: &[FoundStorey], change: &Change, changed: &[Bounds]) -> bool {
    let stays = |found: &FoundStorey| {
        let storey = storeys.iter().find(|storey| storey.id == found.storey);
        storey.is_some_and(|storey| !found.is_near(storey, changed))
            && found.low_walls.iter().all(|wall| wall.asked.holds(change))
    };
    found.iter().all(stays)
}

/// The rooms that were found in a version before, and the boxes of all that differs since.
pub(crate) struct Before<'a> {
    pub(crate) storeys: &'a [Storey],
    pub(crate) found: &'a [FoundStorey],
    pub(crate) changed: &'a [Bounds],
    /// The elements among that.
    pub(crate) change: &'a Change,
}

/// Finds the rooms of some storeys, by their places in the list; `known` are rooms by place that are there already.
pub(crate) fn rooms(
    version: Version<'_>,
    storeys: &[Storey],
    wanted: &[usize],
    known: &Index,
    before: Option<&Before<'_>>,
) -> (Vec<Room>, Vec<FoundStorey>) {
    let search = Search::new(version);
    let mut taken = known.clone();
    let before = before.filter(|before| before.storeys == storeys);
    let mut changed = before.map(|before| before.changed.to_vec()).unwrap_or_default();
    let mut found: Vec<FoundStorey> = Vec::new();
    for (number, storey) in storeys.iter().enumerate().filter(|(n, _)| wanted.contains(n)) {
        let old = before.and_then(|before| before.found.iter().find(|found| found.storey == storey.id));
        let same =
            old.zip(before).and_then(|(old, before)| old.after(storey, &search, before.change, &changed));
        let here = same.unwrap_or_else(|| {
            let mut here = search.on_storey(storeys, number, storey, &taken);
            for (room, _) in &mut here.rooms {
                // the same body as before is the same to all that was read from it
                let same = old.and_then(|old| old.rooms.iter().find(|(known, _)| known.id == room.id));
                if let Some((same, _)) = same.filter(|(same, _)| same.solid == room.solid) {
                    room.solid = Arc::clone(&same.solid);
                }
            }
            let differing = old.iter().flat_map(|old| &old.rooms).chain(&here.rooms);
            changed.extend(differing.map(|(room, _)| room.solid.bounds()));
            here
        });
        for (room, _) in &here.rooms {
            // numbers of their own, beyond those of the rooms that are known
            taken.insert(Id(u32::MAX - taken.len() as u32), room.solid.mesh());
        }
        found.push(here);
    }
    // a model of walls alone has no ceilings: there nothing is outdoors for the want of one
    let all = || found.iter().flat_map(|found| &found.rooms);
    let has_ceilings = all().any(|(_, is_covered)| *is_covered);
    let told =
        |(room, is_covered): &(Room, bool)| Room { is_outside: has_ceilings && !*is_covered, ..room.clone() };
    let rooms = all().map(told).collect();
    (rooms, found)
}

/// The version that rooms are looked for in.
#[derive(Clone, Copy)]
pub(crate) struct Version<'a> {
    pub(crate) scene: &'a Scene,
    pub(crate) shaper: &'a Shaper<'a>,
    pub(crate) links: &'a Links<'a>,
    pub(crate) elements: &'a Elements,
}

/// The parts of a model that rooms are found between.
struct Search<'a> {
    version: Version<'a>,
    walls: Walls<'a>,
    undersides: OnceCell<Vec<Underside>>,
}

impl<'a> Search<'a> {
    fn new(version: Version<'a>) -> Search<'a> {
        Search { version, walls: Walls::new(version), undersides: OnceCell::new() }
    }

    /// The floors near a storey: what one may stand on, as it is drawn.
    fn floors(&self, storey: &Storey) -> Index {
        let scene = self.version.scene;
        let is_near = |id: &Id| {
            let bounds = scene.entry(*id).map_or(Bounds::EMPTY, |entry| entry.bounds);
            bounds.max.z > storey.elevation - 3.0 * OFF && bounds.min.z < storey.elevation + 3.0 * OFF
        };
        let floors = ["IfcSlab", "IfcCovering", "IfcFooting", "IfcRamp", "IfcRoof"];
        let ids = floors.iter().flat_map(|class| scene.model().of_class(class)).filter(is_near);
        ids.filter_map(|id| Some((id, scene.shape(id).filter(|s| !s.is_box)?.mesh().into()))).collect()
    }

    /// The rooms of a storey, the `number`th of a list; `taken` are rooms by place that are there already.
    fn on_storey(&self, storeys: &[Storey], number: usize, storey: &Storey, taken: &Index) -> FoundStorey {
        let floors = self.floors(storey);
        let known = floor_level(&floors, storey.elevation);
        let level = known.unwrap_or(storey.elevation);
        let (plan, low_walls) = self.walls.plan(level + CUT, level);
        let top = (level + CUT + WITHIN).max(storey.elevation + OFF / 2.0);
        let mut found =
            FoundStorey { storey: storey.id, rooms: Vec::new(), is_enclosed: false, top, low_walls };
        // what walls of the rooms below enclose under a roof is the air over these
        let is_air = known.is_none() && storey.next.is_none() && self.has_floor_elsewhere(storeys, storey);
        for area in plan.enclosed().into_iter().filter(|_| !is_air) {
            let Some((foot, floor)) = floor(&floors, area, (level, known.is_some())) else { continue };
            found.is_enclosed = true;
            let Some(floor) = free(floor, foot, taken) else { continue };
            found.rooms.extend(self.room(number, storey, &plan, foot, floor));
        }
        // what lies nearer to another storey's level is looked for there
        found.rooms.retain(|(room, _)| is_nearest(storeys, storey, room.foot));
        found.rooms.sort_by(|(a, _), (b, _)| place(a).total_cmp(&place(b)));
        let said = if storey.name.trim().is_empty() {
            format!("Storey {}", number + 1)
        } else {
            storey.name.clone()
        };
        for (place, (room, _)) in found.rooms.iter_mut().enumerate() {
            room.name = format!("{} room {}", said, place + 1);
            room.id.clone_from(&room.name);
        }
        found
    }

    /// Returns true if another storey has a floor that is drawn.
    fn has_floor_elsewhere(&self, storeys: &[Storey], own: &Storey) -> bool {
        let mut others = storeys.iter().filter(|other| other.id != own.id);
        others.any(|other| floor_level(&self.floors(other), other.elevation).is_some())
    }

    /// The room over a floor, and whether it has a ceiling.
    fn room(
        &self,
        number: usize,
        storey: &Storey,
        plan: &Plan,
        foot: f64,
        floor: Vec<Area>,
    ) -> Option<(Room, bool)> {
        let top = storey.next.filter(|next| *next > foot + LEAST_HEIGHT).unwrap_or_else(|| {
            let walls = plan.top.max(foot);
            if walls > foot + LEAST_HEIGHT { walls } else { foot + OPEN_HEIGHT }
        });
        let undersides = self.undersides.get_or_init(|| ceiling::undersides(self.version.scene));
        let (parts, covered) = under(undersides, &floor, foot, top);
        let solid = column(&floor, foot, &parts);
        let bounds = solid.bounds();
        if bounds.max.z - foot < LEAST_HEIGHT {
            return None;
        }
        let room = Room {
            id: String::new(),
            name: String::new(),
            long_name: String::new(),
            origin: Origin::Found,
            storey: Some(number),
            is_outside: false,
            floor,
            foot,
            top: bounds.max.z,
            solid: solid.into(),
            is_closed: true,
        };
        let size = outline::size(&room.floor);
        Some((room, covered > 0.1 * size))
    }
}

/// Returns true if no other storey's level is nearer to a height.
fn is_nearest(storeys: &[Storey], own: &Storey, height: f64) -> bool {
    let apart = |s: &Storey| (s.elevation - height).abs();
    storeys.iter().all(|other| apart(own) <= apart(other) + 0.01)
}

/// Rooms are numbered from the west to the east in strips of two metres from the south to the north.
fn place(room: &Room) -> f64 {
    let (low, _) = extent(room.floor.iter().flat_map(|a| &a.outer)).unwrap_or_default();
    (low.y / 2.0).floor() * 1e6 + low.x
}
