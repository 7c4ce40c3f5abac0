//! Floorings and ceilings that cover a whole room keep to its outline.

use super::{Followed, spaces};
use crate::author::Author;
use crate::{measured, solids};
use contract::Fault;
use glam::{DVec2, DVec3};
use ifc::relations::Links;
use ifc::{Id, relations};
use std::collections::BTreeSet;

/// Outlines nearer than this are the same, in mm.
const SAME: f64 = 3.0;

/// Draws the coverings of a room anew that lay over all of it.
pub(super) fn follow(
    author: &mut Author,
    room: Id,
    drawn: &[Id],
    was: &[DVec2],
    now: &[DVec2],
    followed: &mut Followed,
) -> Result<(), Fault> {
    let mut all: BTreeSet<Id> = Links::of_one(author.edit).coverings_of(room).into_iter().collect();
    all.extend(relations::contained(author.edit, room));
    all.retain(|id| !drawn.contains(id) && author.edit.get(*id).is_some_and(|c| c.is_a("IfcCovering")));
    for covering in all {
        let Ok(frame) = author.frame(covering) else { continue };
        let prism = solids::prism_of(author.edit, covering, author.units().length_mm);
        let Some(prism) = prism.filter(|_| frame.is_upright()) else { continue };
        let outline: Vec<DVec2> =
            prism.outline.iter().map(|p| frame.transform_point3(p.extend(0.0)).truncate()).collect();
        let lies_on =
            |one: &[DVec2], other: &[DVec2]| one.iter().all(|p| other.iter().any(|q| p.distance(*q) < SAME));
        if !lies_on(&outline, was) || !lies_on(was, &outline) {
            let flat =
                prism.height < 200.0 && crate::polygon::area(&outline) > crate::polygon::area(was) / 2.0;
            if flat {
                followed.leave(
                    author.edit,
                    covering,
                    "It does not cover the whole room, so how it follows is for you to say.",
                );
            }
            continue;
        }
        if !prism.plain {
            followed.leave(author.edit, covering, "Its body is not one upright extrusion.");
            continue;
        }
        let own: Vec<DVec2> =
            now.iter().map(|p| frame.into_own(p.extend(frame.translation.z))).map(DVec3::truncate).collect();
        spaces::draw(author, covering, &own, &prism)?;
        measured::requantify(author, covering)?;
        followed.add(covering);
    }
    Ok(())
}
