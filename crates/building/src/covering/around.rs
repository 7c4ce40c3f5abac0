//! What lies around a room: the slab that it stands on or lies under, and the walls along its sides with their openings.

use super::Room;
use crate::author::Author;
use crate::host::{self, Slab, Wall};
use crate::polygon::{area, bounds, direction};
use crate::project::elevation_of;
use crate::regions;
use crate::space::walls_on;
use glam::{DVec2, DVec3};
use ifc::{Id, relations};

/// How far a slab's face may lie from a room's, in mm: screed and plaster are often left out.
const NEAR: f64 = 300.0;
/// How far a wall's face may lie from a room's side, in mm.
const TOUCHES: f64 = 30.0;
/// Stretches of a side up to this length belong to it where no wall's face lies there, in mm: the ends of walls, reveals.
const GAP: f64 = 700.0;

/// The slab whose top (or underside) is at about a height over most of an outline.
pub(super) fn slab_at(author: &Author, storey: Id, outline: &[DVec2], z: f64, top: bool) -> Option<Id> {
    let here = elevation_of(author, storey);
    let building = relations::aggregate_parent(author.edit, storey);
    let storeys = building.map(|building| relations::children(author.edit, building)).unwrap_or_default();
    // a ceiling's slab belongs to the next storey, or as a roof to this one
    let next = storeys
        .iter()
        .copied()
        .filter(|id| author.edit.get(*id).is_some_and(|s| s.is_a("IfcBuildingStorey")))
        .filter(|id| elevation_of(author, *id) > here + 1.0)
        .min_by(|a, b| elevation_of(author, *a).total_cmp(&elevation_of(author, *b)));
    let mut slabs = Vec::new();
    for storey in std::iter::once(storey).chain(next) {
        for id in relations::contained(author.edit, storey) {
            let Some(element) = author.edit.get(id) else { continue };
            if element.is_a("IfcSlab") {
                slabs.push(id);
            } else if element.is_a("IfcRoof") {
                slabs.extend(relations::children(author.edit, id));
            }
        }
    }
    let mut best: Option<(f64, Id)> = None;
    for id in slabs {
        let Ok(slab) = Slab::read(author, id) else { continue };
        let low = slab.frame.translation.z + slab.base;
        let face = if top { low + slab.thickness } else { low };
        if (face - z).abs() > NEAR {
            continue;
        }
        let over: f64 = regions::intersection(&[slab.outline_in_world()], &[outline.to_vec()])
            .iter()
            .map(|region| area(&region.outer))
            .sum();
        if over > 0.5 * area(outline) && best.is_none_or(|(most, _)| over > most) {
            best = Some((over, id));
        }
    }
    best.map(|(_, id)| id)
}

/// A part of a side that is open: from and to along it, and heights in the world.
pub(super) struct Open {
    pub(super) along: (f64, f64),
    pub(super) heights: (f64, f64),
}

/// The walls of a room's storey, and whether all of them could be read.
pub(super) fn walls(author: &Author, room: &Room) -> (Vec<Wall>, bool) {
    let walls = walls_on(author, room.storey);
    let all = relations::contained(author.edit, room.storey);
    let count = all.into_iter().filter(|id| author.edit.get(*id).is_some_and(|w| w.is_a("IfcWall"))).count();
    let is_whole = walls.len() == count;
    (walls, is_whole)
}

/// The walls of other storeys that stand at the height of a room, such as those that run through several.
pub(super) fn walls_beyond(author: &Author, room: &Room) -> Vec<Wall> {
    let building = relations::aggregate_parent(author.edit, room.storey);
    let storeys = building.map(|building| relations::children(author.edit, building)).unwrap_or_default();
    let others = storeys.into_iter().filter(|id| *id != room.storey);
    let mut walls: Vec<Wall> = others.flat_map(|storey| walls_on(author, storey)).collect();
    walls.retain(|wall| {
        let foot = wall.frame.translation.z;
        foot < room.floor + 0.5 * room.height && foot + wall.height > room.floor + 0.5 * room.height
    });
    walls
}

/// The walls and openings along a side of a room.
#[derive(Default)]
pub(super) struct Beside {
    /// The wall that lies along most of it.
    pub(super) covers: Option<Id>,
    /// Openings in walls, and what is above walls that are low, as seen from the side's start.
    pub(super) open: Vec<Open>,
    /// From and to of the stretches that have walls.
    pub(super) walled: Vec<(f64, f64)>,
}

impl Beside {
    /// The stretches of a side of some length that no wall lies along.
    pub(super) fn gaps(&self, length: f64) -> Vec<(f64, f64)> {
        let mut walled = self.walled.clone();
        walled.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (mut gaps, mut at) = (Vec::new(), 0.0);
        for (from, to) in walled {
            if from - at > GAP {
                gaps.push((at, from));
            }
            at = f64::max(at, to);
        }
        if length - at > GAP {
            gaps.push((at, length));
        }
        gaps
    }
}

/// The stretch of a wall's face on one side, along its axis.
fn face(wall: &Wall, y: f64) -> (f64, f64) {
    let on_face: Vec<DVec2> = wall.outline.iter().filter(|p| (p.y - y).abs() < TOUCHES).copied().collect();
    let (low, high) = bounds(if on_face.len() > 1 { &on_face } else { &wall.outline });
    (low.x, high.x)
}

/// The part of some walls that lies along a side from `a` to `b` of a room that ends at a height.
pub(super) fn beside(author: &Author, walls: &[Wall], a: DVec2, b: DVec2, top: f64) -> Beside {
    let Some(along) = direction(a, b) else { return Beside::default() };
    let length = a.distance(b);
    let mut longest: Option<(f64, Id)> = None;
    let mut found = Beside::default();
    for wall in walls {
        let seen = |p: DVec2| wall.frame.into_own(p.extend(wall.frame.translation.z));
        let (from, to) = (seen(a), seen(b));
        let level = (from.y - to.y).abs() < TOUCHES;
        let at_face = (from.y - wall.faces.0).abs().min((from.y - wall.faces.1).abs()) < TOUCHES;
        let own_face = if (from.y - wall.faces.0).abs() < TOUCHES { wall.faces.0 } else { wall.faces.1 };
        let reach = face(wall, own_face);
        let shared = from.x.max(to.x).min(reach.1) - from.x.min(to.x).max(reach.0);
        if !level || !at_face || shared < 50.0 {
            continue;
        }
        if longest.is_none_or(|(most, _)| shared > most) {
            longest = Some((shared, wall.id));
        }
        let z = wall.frame.translation.z;
        let seen = |from: f64, to: f64| {
            let place =
                |x: f64| (wall.frame.transform_point3(DVec3::new(x, 0.0, 0.0)).truncate() - a).dot(along);
            let (p, q) = (place(from), place(to));
            (p.min(q).max(0.0), p.max(q).min(length))
        };
        let stretch = seen(reach.0, reach.1);
        found.walled.push(stretch);
        if z + wall.height < top - 1.0 {
            found.open.push(Open { along: stretch, heights: (z + wall.height, f64::INFINITY) });
        }
        for (_, extent) in host::openings(author, wall.id, &wall.frame) {
            // a recess on the other face is none here
            if extent.low.y > own_face + 1.0 || extent.high.y < own_face - 1.0 {
                continue;
            }
            let (low, high) = seen(extent.low.x, extent.high.x);
            if high - low > 1.0 {
                found.open.push(Open { along: (low, high), heights: (z + extent.low.z, z + extent.high.z) });
            }
        }
    }
    found.covers = longest.map(|(_, id)| id);
    found
}
