//! What lies around a room: the slab that it stands on or lies under, and the walls along its sides with their openings.

use super::Room;
use crate::author::Author;
use crate::host::{self, Slab, Wall};
use crate::polygon::{area, direction};
use crate::project::elevation_of;
use crate::regions;
use crate::space::walls_on;
use glam::{DVec2, DVec3};
use ifc::{Id, relations};

/// How far a slab's face may lie from a room's, in mm: screed and plaster are often left out.
const NEAR: f64 = 300.0;
/// How far a wall's face may lie from a room's side, in mm.
const TOUCHES: f64 = 30.0;

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

/// The walls of a room's storey.
pub(super) fn walls(author: &Author, room: &Room) -> Vec<Wall> {
    walls_on(author, room.storey)
}

/// Which of some walls lies most along a side from `a` to `b`, and the openings in all that do, as seen from `a`.
pub(super) fn beside(author: &Author, walls: &[Wall], a: DVec2, b: DVec2) -> (Option<Id>, Vec<Open>) {
    let Some(along) = direction(a, b) else { return (None, Vec::new()) };
    let length = a.distance(b);
    let mut longest: Option<(f64, Id)> = None;
    let mut open = Vec::new();
    for wall in walls {
        let seen = |p: DVec2| wall.frame.into_own(p.extend(wall.frame.translation.z));
        let (from, to) = (seen(a), seen(b));
        let level = (from.y - to.y).abs() < TOUCHES;
        let at_face = (from.y - wall.faces.0).abs().min((from.y - wall.faces.1).abs()) < TOUCHES;
        let reach = wall.reach();
        let shared = from.x.max(to.x).min(reach.1) - from.x.min(to.x).max(reach.0);
        if !level || !at_face || shared < 50.0 {
            continue;
        }
        if longest.is_none_or(|(most, _)| shared > most) {
            longest = Some((shared, wall.id));
        }
        for (_, extent) in host::openings(author, wall.id, &wall.frame) {
            // a recess on the other face is none here
            let face = if (from.y - wall.faces.0).abs() < TOUCHES { wall.faces.0 } else { wall.faces.1 };
            if extent.low.y > face + 1.0 || extent.high.y < face - 1.0 {
                continue;
            }
            let place =
                |x: f64| (wall.frame.transform_point3(DVec3::new(x, 0.0, 0.0)).truncate() - a).dot(along);
            let (p, q) = (place(extent.low.x), place(extent.high.x));
            let (low, high) = (p.min(q).max(0.0), p.max(q).min(length));
            if high - low > 1.0 {
                let z = wall.frame.translation.z;
                open.push(Open { along: (low, high), heights: (z + extent.low.z, z + extent.high.z) });
            }
        }
    }
    (longest.map(|(_, id)| id), open)
}
