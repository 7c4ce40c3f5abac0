//! Rooms that walls reach into since a change: their edges lie on the faces of their walls and follow these, but an end of a wall in the
//! middle of a room cuts nothing out of it, which is told.

use super::{Followed, storeys_of, with_reader};
use crate::author::Author;
use crate::host::Wall;
use crate::lookup::label;
use crate::polygon::{area, bounds};
use crate::{regions, solids, space};
use glam::DVec2;
use ifc::{Id, Model, relations};
use std::collections::BTreeSet;

/// The area that a room and a wall may share in plan without a word, in mm².
const LEAST: f64 = 2_000.0;
/// Heights that share no more than this are beside each other, in mm.
const HEIGHT: f64 = 10.0;

/// A body as it stands: its outline in the world and its lowest and highest z.
type Standing = (Vec<DVec2>, [f64; 2]);

/// Tells of the rooms that walls reach into and did not before: walls that were moved or shaped anew, and any where the room itself was;
/// on the storeys of the walls and next to these, since a room may be higher than its storey.
pub(super) fn tell(author: &Author, before: &Model, reshaped: &BTreeSet<Id>, followed: &mut Followed) {
    let is = |id: Id, class: &str| author.edit.get(id).is_some_and(|e| e.is_a(class));
    let changed: BTreeSet<Id> = reshaped.iter().copied().filter(|id| is(*id, "IfcWall")).collect();
    let storeys = storeys_of(author.edit, changed.iter().copied());
    let rooms: Vec<Id> = storeys
        .iter()
        .flat_map(|storey| relations::children(author.edit, *storey))
        .filter(|id| is(*id, "IfcSpace") && !reshaped.contains(id))
        .collect();
    let mut concerned = changed.clone();
    // where no room was drawn anew only the walls that changed are asked about
    if rooms.iter().any(|id| followed.regenerated.contains(id)) {
        let held = storeys.iter().flat_map(|storey| relations::contained(author.edit, *storey));
        concerned.extend(held.filter(|id| is(*id, "IfcWall")));
    }
    let walls: Vec<(Id, Standing)> =
        concerned.into_iter().filter_map(|id| Some((id, wall(author, id)?))).collect();
    for room_id in rooms {
        let Some(stands) = room(author, room_id) else { continue };
        let is_drawn = followed.regenerated.contains(&room_id);
        for (id, now) in walls.iter().filter(|(id, _)| is_drawn || changed.contains(id)) {
            let shared = shared(&stands, now);
            if shared < LEAST {
                continue;
            }
            let before = with_reader(before, |reader| {
                Some(self::shared(&room(reader, room_id)?, &wall(reader, *id)?))
            });
            if before.is_some_and(|before| shared > before + LEAST) {
                let why = format!(
                    "The wall {} reaches into it by {:.3} m² and cuts nothing out of it. Give it other boundary_points, or the wall another place.",
                    label(author.edit, *id),
                    shared / 1e6
                );
                followed.leave(author.edit, room_id, why);
            }
        }
    }
}

fn wall(author: &Author, id: Id) -> Option<Standing> {
    let wall = Wall::read_any(author, id).ok()?;
    let base = wall.frame.translation.z;
    Some((space::outline_in_world(&wall), [base, base + wall.height]))
}

fn room(author: &Author, id: Id) -> Option<Standing> {
    let frame = author.frame(id).ok().filter(crate::frame::Frame::is_upright)?;
    let prism = solids::prism_of(author.edit, id, author.units().length_mm)?;
    let outline = prism.outline.iter().map(|p| frame.transform_point3(p.extend(0.0)).truncate()).collect();
    let base = frame.translation.z + prism.base;
    Some((outline, [base, base + prism.height]))
}

/// The area in plan that two bodies share, in mm².
fn shared((one, low): &Standing, (other, high): &Standing) -> f64 {
    if low[0].max(high[0]) > low[1].min(high[1]) - HEIGHT {
        return 0.0;
    }
    let ((a, b), (c, d)) = (bounds(one), bounds(other));
    if a.cmpgt(d).any() || c.cmpgt(b).any() {
        return 0.0;
    }
    let both = regions::intersection(std::slice::from_ref(one), std::slice::from_ref(other));
    both.iter().map(|region| area(&region.outer)).sum()
}
