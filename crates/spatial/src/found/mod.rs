//! Rooms that the file does not have: what walls, curtain walls, roofs and virtual boundaries enclose on a storey.
//!
//! Walls are cut a hand's breadth over the floor, with their openings left in, and what they go around is a room where it has a floor. Its
//! ceiling is what comes next above each part of it: slabs, roofs, ceilings; through a hole in the floor above the room goes on into
//! the next storey. What has a floor and no ceiling, beside rooms that have one, lies outdoors. Gaps between walls to a few
//! centimetres are closed. Rooms that nothing parts but a change of use are one.

mod body;
mod ceiling;
mod walls;

use crate::{
    Origin, Room, Storey,
    elements::Elements,
    facet::{counts, extent, loops_of},
    outline,
};
use body::column;
use ceiling::{Underside, under};
use geometry::{
    Scene, Shaper,
    math::signed_area,
    query::{Index, Ray},
    region::{self, Area, Loop},
};
use glam::{DVec2, DVec3};
use ifc::{Id, relations::Links};
use walls::{Plan, Walls};

/// The least area of a room, in m²; what is smaller is a duct or a cavity.
const LEAST_AREA: f64 = 0.5;
/// The least width of a room, were it a strip, in metres.
const LEAST_WIDTH: f64 = 0.35;
/// The least height of a room where it is highest, in metres; what is lower is a crawl space or the space above a ceiling.
const LEAST_HEIGHT: f64 = 1.6;
/// The height over the floor at which walls are cut, in metres.
const CUT: f64 = 0.2;
/// The most that the floor of a room may lie below or above its storey, in metres.
const OFF: f64 = 1.2;
/// The part of a room that must have a floor.
const FLOORED: f64 = 0.3;
/// The largest hole in a floor that is part of the room around it, in m²: a stair comes up there. A larger one is air of the room below.
const STAIR: f64 = 6.0;
/// The height of a room without a ceiling in the highest storey, in metres.
const OPEN_HEIGHT: f64 = 2.5;

/// The parts of a model that rooms are found between.
pub(crate) struct Search {
    walls: Walls,
    undersides: Vec<Underside>,
    /// Floors: what one may stand on, as it is drawn.
    floors: Index,
}

impl Search {
    pub(crate) fn new(scene: &Scene, shaper: &Shaper<'_>, links: &Links<'_>, elements: &Elements) -> Search {
        let floors = ["IfcSlab", "IfcCovering", "IfcFooting", "IfcRamp", "IfcRoof"];
        let ids = floors.iter().flat_map(|class| scene.model().of_class(class));
        let meshes = ids.filter_map(|id| Some((id, scene.shape(id).filter(|s| !s.is_box)?.mesh().into())));
        Search {
            walls: Walls::new(scene, shaper, links, elements),
            undersides: ceiling::undersides(scene),
            floors: meshes.collect(),
        }
    }

    /// The rooms of some storeys, by their places in the list; `known` are rooms by place that are there already.
    pub(crate) fn rooms(&self, storeys: &[Storey], wanted: &[usize], known: &Index) -> Vec<Room> {
        let mut found: Vec<(Room, bool)> = Vec::new();
        let mut taken = known.clone();
        for (number, storey) in storeys.iter().enumerate().filter(|(n, _)| wanted.contains(n)) {
            let mut here = self.on_storey(number, storey, &taken);
            // what lies nearer to another storey's level is looked for there
            here.retain(|(room, _)| is_nearest(storeys, storey, room.foot));
            here.sort_by(|(a, _), (b, _)| place(a).total_cmp(&place(b)));
            let said = if storey.name.trim().is_empty() {
                format!("Storey {}", number + 1)
            } else {
                storey.name.clone()
            };
            for (place, (room, _)) in here.iter_mut().enumerate() {
                room.name = format!("{} room {}", said, place + 1);
                room.id.clone_from(&room.name);
            }
            for (room, _) in &here {
                // numbers of their own, beyond those of the rooms that are known
                taken.insert(Id(u32::MAX - taken.len() as u32), room.solid.mesh());
            }
            found.extend(here);
        }
        // a model of walls alone has no ceilings: there nothing is outdoors for the want of one
        let has_ceilings = found.iter().any(|(_, is_covered)| *is_covered);
        for (room, is_covered) in &mut found {
            room.is_outside = has_ceilings && !*is_covered;
        }
        found.into_iter().map(|(room, _)| room).collect()
    }

    /// The rooms of a storey, and whether each has a ceiling.
    fn on_storey(&self, number: usize, storey: &Storey, taken: &Index) -> Vec<(Room, bool)> {
        let known = self.floor_level(storey.elevation);
        let level = known.unwrap_or(storey.elevation);
        let plan = self.walls.plan(level + CUT, level);
        plan.enclosed()
            .into_iter()
            .filter_map(|area| self.room(number, storey, (level, known.is_some()), &plan, area, taken))
            .collect()
    }

    /// The height of most floors near a storey's level, in metres.
    fn floor_level(&self, elevation: f64) -> Option<f64> {
        let mut levels: Vec<(f64, f64)> = Vec::new();
        for element in self.floors.iter().filter(|e| {
            let b = e.bounds();
            b.max.z > elevation - OFF && b.min.z < elevation + OFF
        }) {
            let mesh = element.mesh();
            for t in &mesh.triangles {
                let [Some(a), Some(b), Some(c)] = t.map(|i| mesh.positions.get(i as usize)) else { continue };
                let cross = (*b - *a).cross(*c - *a);
                if cross.z < 0.999 * cross.length() || cross.z <= 0.0 || (a.z - elevation).abs() > OFF / 2.0 {
                    continue;
                }
                match levels.iter_mut().find(|(z, _)| (*z - a.z).abs() < 0.005) {
                    Some((_, sum)) => *sum += cross.z / 2.0,
                    None => levels.push((a.z, cross.z / 2.0)),
                }
            }
        }
        let most = levels.iter().map(|(_, area)| *area).fold(0.0, f64::max);
        // of a slab and the finish on it the finish
        levels.into_iter().filter(|(_, area)| *area > 0.4 * most).map(|(z, _)| z).reduce(f64::max)
    }

    fn room(
        &self,
        number: usize,
        storey: &Storey,
        (level, has_floors): (f64, bool),
        plan: &Plan,
        area: Area,
        taken: &Index,
    ) -> Option<(Room, bool)> {
        let loops: Vec<Loop> = area.loops().cloned().collect();
        // a storey whose floor nobody drew is floor all over
        let (foot, floored) = if has_floors { self.floor_under(&loops, level)? } else { (level, 1.0) };
        let floor = self.with_floor(&loops, floored, foot);
        let floor: Vec<Area> =
            floor.into_iter().filter(|a| is_wide(a) && !is_taken(a, foot, taken)).collect();
        if outline::size(&floor) < LEAST_AREA {
            return None;
        }
        let top = storey.next.filter(|next| *next > foot + LEAST_HEIGHT).unwrap_or_else(|| {
            let walls = plan.top.max(foot);
            if walls > foot + LEAST_HEIGHT { walls } else { foot + OPEN_HEIGHT }
        });
        let (parts, covered) = under(&self.undersides, &floor, foot, top);
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
            solid,
            is_closed: true,
        };
        let size = outline::size(&room.floor);
        Some((room, covered > 0.1 * size))
    }

    /// The height of the floor under an area, and the part of the area that has one; `None` where it has none.
    fn floor_under(&self, loops: &[Loop], level: f64) -> Option<(f64, f64)> {
        let mut heights: Vec<(f64, f64)> = Vec::new();
        let mut whole = 0.0;
        for (p, weight) in samples(loops) {
            whole += weight;
            let from = p.extend(level + CUT);
            let Some(ray) = Ray::new(from, -DVec3::Z).map(|r| r.up_to(OFF)) else { continue };
            if let Some(hit) = self.floors.first_hit(&ray, |_| true) {
                match heights.iter_mut().find(|(z, _)| (*z - hit.point.z).abs() < 0.02) {
                    Some((_, sum)) => *sum += weight,
                    None => heights.push((hit.point.z, weight)),
                }
            }
        }
        let floored: f64 = heights.iter().map(|(_, weight)| weight).sum();
        let (foot, _) = heights.into_iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
        let share = floored / whole.max(1e-9);
        (share >= FLOORED).then_some((foot, share))
    }

    /// An area less the large holes in its floor.
    fn with_floor(&self, loops: &[Loop], floored: f64, foot: f64) -> Vec<Area> {
        let whole = region::even_odd(loops);
        let size = outline::size(&whole);
        if size * (1.0 - floored) < STAIR {
            return whole;
        }
        let covered = self.upper_faces(foot);
        let open = region::difference(loops, &loops_of(&covered));
        let holes: Vec<Area> = open.into_iter().filter(|hole| hole.size() > STAIR).collect();
        if holes.is_empty() { whole } else { region::difference(loops, &loops_of(&holes)) }
    }

    /// The floors near a height, in plan.
    fn upper_faces(&self, foot: f64) -> Vec<Area> {
        let mut loops: Vec<Loop> = Vec::new();
        for element in self.floors.iter() {
            let mesh = element.mesh();
            for t in &mesh.triangles {
                let [Some(a), Some(b), Some(c)] = t.map(|i| mesh.positions.get(i as usize)) else { continue };
                let cross = (*b - *a).cross(*c - *a);
                if cross.z > 0.5 * cross.length() && cross.z > 1e-9 && (a.z - foot).abs() < OFF {
                    loops.push([a, b, c].map(|p| p.truncate()).to_vec());
                }
            }
        }
        region::union(&loops)
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

fn is_wide(area: &Area) -> bool {
    counts(area) && crate::facet::width(area) > LEAST_WIDTH
}

/// Returns true if an area is air of a room that is known.
fn is_taken(area: &Area, foot: f64, taken: &Index) -> bool {
    let loops: Vec<Loop> = area.loops().cloned().collect();
    let (mut within, mut whole) = (0.0, 0.0);
    for (p, weight) in samples(&loops) {
        whole += weight;
        if !taken.at_point(p.extend(foot + 0.5)).is_empty() {
            within += weight;
        }
    }
    within > 0.5 * whole
}

/// Points in an area, the middles of its triangles, each with its share of the area in m².
fn samples(loops: &[Loop]) -> Vec<(DVec2, f64)> {
    let points: Vec<DVec2> = loops.iter().flatten().copied().collect();
    let mut found = Vec::new();
    for t in region::triangles(loops).as_chunks::<3>().0 {
        let [Some(a), Some(b), Some(c)] = t.map(|i| points.get(i as usize).copied()) else { continue };
        let size = signed_area(&[a, b, c, a]).abs();
        for (wa, wb, wc) in [(0.6, 0.2, 0.2), (0.2, 0.6, 0.2), (0.2, 0.2, 0.6)] {
            found.push((a * wa + b * wb + c * wc, size / 3.0));
        }
    }
    found
}
