//! Rooms keep to the faces of their walls.

use super::faces::{Face, Moved};
use super::{Followed, coverings, outline};
use crate::author::Author;
use crate::furniture::house;
use crate::lookup::label;
use crate::solids::{self, Prism};
use crate::{polygon, space, totals};
use contract::Fault;
use glam::{DVec2, DVec3};
use ifc::{Id, relations};
use std::collections::BTreeSet;

/// Fits the rooms that walls bounded before they moved, and what covers their floors and ceilings.
pub(super) fn follow(
    author: &mut Author,
    moved: &[Moved],
    reshaped: &BTreeSet<Id>,
    followed: &mut Followed,
) -> Result<(), Fault> {
    let storeys: BTreeSet<Id> =
        moved.iter().filter_map(|moved| relations::storey_of(author.edit, moved.wall)).collect();
    let (mut changed, mut drawn) = (BTreeSet::new(), Vec::new());
    for storey in storeys {
        let rooms = relations::children(author.edit, storey).into_iter();
        let rooms: Vec<Id> = rooms
            .filter(|id| author.edit.get(*id).is_some_and(|s| s.is_a("IfcSpace")) && !reshaped.contains(id))
            .collect();
        for room in rooms {
            if fit(author, room, moved, followed)? {
                changed.insert(storey);
                drawn.push(room);
            }
        }
    }
    for room in drawn {
        house::settle_in(author, room)?;
    }
    for storey in changed {
        totals::of_storey(author, storey)?;
    }
    Ok(())
}

/// The reason for which a room stays as another program drew it.
const NO_PRISM: &str =
    "Its body is not one upright extrusion, so it could not be drawn anew between its walls.";
/// Rooms nearer to a wall than this in their boxes lie at it, in mm.
const BESIDE: f64 = 20.0;

/// Returns true if the box of a room met one of the walls as they were.
fn lies_at(author: &Author, room: Id, moved: &[Moved]) -> bool {
    let Some(room) = geometry::bounds(author.edit, room) else { return false };
    moved.iter().any(|wall| {
        let (low, high) = polygon::bounds(&wall.was);
        let in_plan =
            room.min.truncate().cmple(high + BESIDE).all() && room.max.truncate().cmpge(low - BESIDE).all();
        in_plan && wall.heights[0] < room.max.z - BESIDE && wall.heights[1] > room.min.z + BESIDE
    })
}

/// Returns true if the room was drawn again.
fn fit(author: &mut Author, room: Id, moved: &[Moved], followed: &mut Followed) -> Result<bool, Fault> {
    let Ok(frame) = author.frame(room) else { return Ok(false) };
    let Some(prism) = solids::prism_of(author.edit, room, author.units().length_mm) else {
        if lies_at(author, room, moved) {
            followed.leave(author.edit, room, NO_PRISM);
        }
        return Ok(false);
    };
    if !frame.is_upright() {
        return Ok(false);
    }
    let was: Vec<DVec2> =
        prism.outline.iter().map(|p| frame.transform_point3(p.extend(0.0)).truncate()).collect();
    let base = frame.translation.z + prism.base;
    let beside =
        |moved: &&Moved| moved.heights[0] < base + prism.height - 10.0 && moved.heights[1] > base + 10.0;
    let by: Vec<&Moved> = moved.iter().filter(beside).collect();
    let faces: Vec<Face> = by.iter().flat_map(|moved| moved.faces.iter().copied()).collect();
    let now = match outline::moved(&was, &faces) {
        outline::Outcome::Same => return Ok(false),
        outline::Outcome::Moved(now) => now,
        outline::Outcome::Lost => {
            let walls: Vec<String> = by.iter().map(|moved| label(author.edit, moved.wall)).collect();
            let ids: Vec<String> =
                by.iter().map(|moved| crate::lookup::guid(author.edit, moved.wall)).collect();
            return Err(Fault::constraint(format!(
                "The room {} cannot follow {}: nothing of its floor would be left between its walls. Move the wall less far, or delete the room first.",
                label(author.edit, room),
                walls.join(", ")
            ))
            .with("elements", std::iter::once(crate::lookup::guid(author.edit, room)).chain(ids).collect::<Vec<_>>()));
        }
    };
    if !prism.plain {
        followed.leave(author.edit, room, NO_PRISM);
        return Ok(false);
    }
    let own: Vec<DVec2> =
        now.iter().map(|p| frame.into_own(p.extend(frame.translation.z))).map(DVec3::truncate).collect();
    draw(author, room, &own, &prism)?;
    space::requantify(author, room)?;
    followed.add(room);
    let ours = crate::covering::refit(author, room)?;
    for covering in &ours {
        followed.add(*covering);
    }
    coverings::follow(author, room, &ours, &was, &now, followed)?;
    Ok(true)
}

/// Draws an upright body anew over another outline.
pub(super) fn draw(author: &mut Author, id: Id, outline: &[DVec2], was: &Prism) -> Result<(), Fault> {
    let solid = author.upright(outline, &was.holes, was.base, was.height)?;
    let body = author.body(&[solid])?;
    author.replace_representation(id, "Body", body)
}
