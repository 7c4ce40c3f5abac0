//! Slabs and flat roofs follow the walls whose faces they were drawn over: a slab whose edge lay on a face keeps it there, a roof its
//! overhang. An edge on which a wall of another storey still stands is not drawn in under it.

use super::Followed;
use super::faces::{Face, Moved};
use super::outline::{self, Outcome};
use crate::author::Author;
use crate::host::{Slab, Wall};
use crate::lookup::label;
use crate::measures::mm;
use crate::parameters;
use crate::polygon::{area, direction, edges};
use crate::space::outline_in_world;
use contract::Fault;
use glam::DVec2;
use ifc::{Id, relations};
use serde_json::json;
use std::collections::BTreeSet;

/// Slabs and walls nearer than this in height touch, in mm.
const TOUCH: f64 = 10.0;
/// The widest overhang that a roof keeps, in mm.
const OVERHANG: f64 = 1_500.0;

/// Draws anew the slabs on these storeys whose edges lay on faces that moved.
pub(super) fn follow(
    author: &mut Author,
    moved: &[Moved],
    storeys: &BTreeSet<Id>,
    reshaped: &BTreeSet<Id>,
    followed: &mut Followed,
) -> Result<(), Fault> {
    for (plate, is_roof) in plates(author, storeys) {
        if reshaped.contains(&plate) {
            continue;
        }
        let Ok(slab) = Slab::read(author, plate) else { continue };
        let low = slab.frame.translation.z + slab.base;
        let meets = |m: &&Moved| m.heights[0] <= low + slab.thickness + TOUCH && m.heights[1] >= low - TOUCH;
        let by: Vec<&Moved> = moved.iter().filter(meets).collect();
        let was = slab.outline_in_world();
        let mut faces: Vec<Face> = by.iter().flat_map(|moved| moved.faces.iter().copied()).collect();
        if is_roof {
            faces.extend(by.iter().filter_map(|moved| overhanging(&was, moved)));
        }
        let now = match outline::moved(&was, &faces) {
            Outcome::Same => continue,
            Outcome::Moved(now) => now,
            Outcome::Lost => {
                followed.leave(author.edit, plate, "Its outline would cross itself or be lost.");
                continue;
            }
        };
        if !slab.plain {
            let why = "Its body is not one upright extrusion, so it could not be drawn anew over its walls.";
            followed.leave(author.edit, plate, why);
            continue;
        }
        if area(&now) < area(&was)
            && let Some(wall) = still_there(author, storeys, moved, &slab, &was, &now)
        {
            let why = format!("{} still stands on its edge.", label(author.edit, wall));
            followed.leave(author.edit, plate, why);
            continue;
        }
        let points: Vec<[f64; 2]> = now.iter().map(|p| [mm(p.x), mm(p.y)]).collect();
        // a slab whose openings would be cut off stays as it was
        let savepoint = author.edit.savepoint();
        let drawn = parameters::modify(author, plate, "boundary_points", &json!(points));
        let settled = if drawn.is_err() { author.edit.roll_back(&savepoint) } else { Ok(()) };
        settled.and_then(|()| author.edit.release(&savepoint)).map_err(|e| crate::author::refused(&e))?;
        match drawn {
            Ok(_) => {
                followed.add(plate);
                let whole = relations::aggregate_parent(author.edit, plate);
                let is_whole = |id: &Id| author.edit.get(*id).is_some_and(|w| w.is_a("IfcRoof"));
                if let Some(roof) = whole.filter(is_whole) {
                    followed.add(roof);
                }
            }
            Err(fault) => followed.leave(author.edit, plate, fault.message),
        }
    }
    Ok(())
}

/// The slabs on these storeys, and whether each is a roof's.
fn plates(author: &Author, storeys: &BTreeSet<Id>) -> Vec<(Id, bool)> {
    let mut found = Vec::new();
    let is_a = |id: Id, class: &str| author.edit.get(id).is_some_and(|e| e.is_a(class));
    for held in storeys.iter().flat_map(|storey| relations::contained(author.edit, *storey)) {
        if is_a(held, "IfcSlab") {
            found.push((held, relations::predefined_type(author.edit, held).as_deref() == Some("ROOF")));
        } else if is_a(held, "IfcRoof") && !crate::roof::is_kept(author, held) {
            let parts =
                relations::children(author.edit, held).into_iter().filter(|part| is_a(*part, "IfcSlab"));
            found.extend(parts.map(|part| (part, true)));
        }
    }
    found
}

/// The nearer face of a wall, seen from an edge of a roof that runs along outside of it, brought onto that edge.
fn overhanging(outline: &[DVec2], moved: &Moved) -> Option<Face> {
    let mut best: Option<(f64, Face)> = None;
    for (p, q) in edges(outline) {
        let Some(d) = direction(p, q) else { continue };
        for face in &moved.faces {
            let Some(f) = direction(face.from, face.to).filter(|f| f.perp_dot(d).abs() < 1e-4) else {
                continue;
            };
            let offset = f.perp_dot(p - face.from);
            let (a, b) = (d.dot(face.from - p), d.dot(face.to - p));
            let shared = a.max(b).min(p.distance(q)) - a.min(b).max(0.0);
            let near =
                offset.abs() > 2.0 && offset.abs() <= OVERHANG && shared > 0.5 * face.from.distance(face.to);
            if near && best.as_ref().is_none_or(|(known, _)| offset.abs() < known.abs()) {
                best = face.beside(offset, offset.abs()).map(|face| (offset, face));
            }
        }
    }
    best.map(|(_, face)| face)
}

/// A wall that did not move, and part of which touches a slab only where it is no more.
fn still_there(
    author: &Author,
    storeys: &BTreeSet<Id>,
    moved: &[Moved],
    slab: &Slab,
    was: &[DVec2],
    now: &[DVec2],
) -> Option<Id> {
    let low = slab.frame.translation.z + slab.base;
    let high = low + slab.thickness;
    let lost = crate::regions::difference(&[was.to_vec()], &[now.to_vec()]);
    let lost: Vec<Vec<DVec2>> = lost.into_iter().map(|region| region.outer).collect();
    let walls = storeys.iter().flat_map(|storey| relations::contained(author.edit, *storey));
    walls
        .filter(|id| author.edit.get(*id).is_some_and(|w| w.is_a("IfcWall")))
        .filter(|id| !moved.iter().any(|moved| moved.wall == *id))
        .find(|id| {
            let Ok(wall) = Wall::read(author, *id) else { return false };
            let base = wall.frame.translation.z;
            // what stands on it, or what bears it
            let touches = (base - high).abs() <= TOUCH || (base + wall.height - low).abs() <= TOUCH;
            let on_it = || {
                let body = outline_in_world(&wall);
                let shared: f64 = crate::regions::intersection(&lost, std::slice::from_ref(&body))
                    .iter()
                    .map(|region| area(&region.outer))
                    .sum();
                // its neighbours' ends lie there, too; a wall along the edge lies there with all its length
                shared > 0.5 * area(&body).min(lost.iter().map(|l| area(l)).sum())
            };
            touches && on_it()
        })
}
