//! Rooms keep to the faces of their walls.

use super::faces::{Face, Moved};
use super::{Followed, coverings, outline};
use crate::author::Author;
use crate::frame::Frame;
use crate::furniture::house;
use crate::host::Wall;
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
    around: &BTreeSet<Id>,
    reshaped: &BTreeSet<Id>,
    followed: &mut Followed,
) -> Result<(), Fault> {
    let storeys: BTreeSet<Id> =
        moved.iter().filter_map(|moved| relations::storey_of(author.edit, moved.wall)).collect();
    let (mut changed, mut drawn) = (BTreeSet::new(), Vec::new());
    for storey in storeys {
        let rooms = relations::children(author.edit, storey).into_iter();
        let rooms: Vec<Id> =
            rooms.filter(|id| author.edit.get(*id).is_some_and(|s| s.is_a("IfcSpace"))).collect();
        let mut fits = Vec::new();
        for room in rooms.iter().filter(|room| !reshaped.contains(room)) {
            fits.extend(fit(author, *room, moved, followed)?);
        }
        keep_out_of_walls(author, moved, around, &mut fits, followed);
        keep_apart(author, &rooms, &mut fits, followed);
        for fit in fits {
            draw_fitted(author, &fit, followed)?;
            changed.insert(storey);
            drawn.push(fit.room);
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

/// A room that follows its walls: its body, and its outline in the world as it was and as it is to be.
struct Fit {
    room: Id,
    frame: Frame,
    prism: Prism,
    was: Vec<DVec2>,
    now: Vec<DVec2>,
}

/// The least area in plan that two rooms share, in mm²; of less they touch.
const SHARED: f64 = 200.0;

/// Leaves rooms as they were that would take what another has: between them stands a wall that does not part them any more.
fn keep_apart(author: &Author, rooms: &[Id], fits: &mut Vec<Fit>, followed: &mut Followed) {
    if fits.is_empty() {
        return;
    }
    let standing: Vec<(Id, Vec<DVec2>, [f64; 2])> = rooms
        .iter()
        .filter_map(|room| {
            let (outline, prism, frame) = in_plan(author, *room)?;
            let base = frame.translation.z + prism.base;
            Some((*room, outline, [base, base + prism.height]))
        })
        .collect();
    while let Some((at, other)) = first_shared(&standing, fits) {
        let fit = fits.remove(at);
        let why = format!(
            "It would reach into the room {}: the wall between them does not part them there. Draw one of them anew with modify_parameter boundary_points.",
            label(author.edit, other)
        );
        followed.leave(author.edit, fit.room, why);
    }
}

/// The least area in plan that a room takes of a wall when it follows another into it, in mm²; less is the end of a stem.
const ENTERED: f64 = 2e4;

/// Leaves rooms as they were that would follow a wall into another above or below it, which stays.
fn keep_out_of_walls(
    author: &Author,
    moved: &[Moved],
    around: &BTreeSet<Id>,
    fits: &mut Vec<Fit>,
    followed: &mut Followed,
) {
    if fits.is_empty() {
        return;
    }
    let (low, high) =
        polygon::bounds(&fits.iter().flat_map(|fit| fit.now.iter().copied()).collect::<Vec<_>>());
    let reach = geometry::Bounds { min: low.extend(-1e9), max: high.extend(1e9) }.scaled(0.001);
    let mut walls = Vec::new();
    for storey in around {
        let far = author.surroundings().map(|known| known.beyond(*storey, reach, 0.0)).unwrap_or_default();
        let held = relations::contained(author.edit, *storey).into_iter();
        walls.extend(
            held.filter(|id| author.edit.get(*id).is_some_and(|wall| wall.is_a("IfcWall")))
                .filter(|id| !far.contains(id) && !moved.iter().any(|moved| moved.wall == *id))
                .filter_map(|id| Wall::read(author, id).ok())
                .map(|wall| (space::outline_in_world(&wall), wall)),
        );
    }
    fits.retain(|fit| {
        let base = fit.frame.translation.z + fit.prism.base;
        let (from, to) = (base + BESIDE, base + fit.prism.height - BESIDE);
        let entered = walls.iter().find(|(outline, wall)| {
            let foot = wall.frame.translation.z;
            foot < to
                && foot + wall.height > from
                && shared(&fit.now, outline) > shared(&fit.was, outline) + ENTERED
        });
        let Some((_, wall)) = entered else { return true };
        let why = format!(
            "It would reach into the wall {}, which stays. Move that in the same call.",
            label(author.edit, wall.id)
        );
        followed.leave(author.edit, fit.room, why);
        false
    });
}

/// The area that two outlines share, in mm².
fn shared(a: &[DVec2], b: &[DVec2]) -> f64 {
    let ((low, high), (from, to)) = (polygon::bounds(a), polygon::bounds(b));
    if low.cmpge(to).any() || from.cmpge(high).any() {
        return 0.0;
    }
    let both = crate::regions::intersection(&[a.to_vec()], &[b.to_vec()]);
    both.iter().map(|r| polygon::area(&r.outer)).sum()
}

/// The first room that would share space with another as that will be, and did not before; with that other.
fn first_shared(standing: &[(Id, Vec<DVec2>, [f64; 2])], fits: &[Fit]) -> Option<(usize, Id)> {
    fits.iter().enumerate().find_map(|(at, fit)| {
        let (_, _, own) = standing.iter().find(|(id, ..)| *id == fit.room)?;
        let other = standing.iter().find(|(id, was, heights)| {
            let now = fits.iter().find(|other| other.room == *id).map_or(was, |other| &other.now);
            *id != fit.room
                && own[0] + 1.0 < heights[1]
                && heights[0] + 1.0 < own[1]
                && shared(&fit.now, now) > shared(&fit.was, was) + SHARED
        })?;
        Some((at, other.0))
    })
}

/// The outline of a room in the world, with its body and its placement; none where that is no upright extrusion.
fn in_plan(author: &Author, room: Id) -> Option<(Vec<DVec2>, Prism, Frame)> {
    let frame = author.frame(room).ok().filter(Frame::is_upright)?;
    let prism = solids::prism_of(author.edit, room, author.units().length_mm)?;
    let outline = prism.outline.iter().map(|p| frame.transform_point3(p.extend(0.0)).truncate()).collect();
    Some((outline, prism, frame))
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

/// The way in which a room follows the walls that moved; `None` where it does not.
fn fit(author: &Author, room: Id, moved: &[Moved], followed: &mut Followed) -> Result<Option<Fit>, Fault> {
    let Some((was, prism, frame)) = in_plan(author, room) else {
        let is_prism = solids::prism_of(author.edit, room, author.units().length_mm).is_some();
        if !is_prism && lies_at(author, room, moved) {
            followed.leave(author.edit, room, NO_PRISM);
        }
        return Ok(None);
    };
    let base = frame.translation.z + prism.base;
    let beside =
        |moved: &&Moved| moved.heights[0] < base + prism.height - 10.0 && moved.heights[1] > base + 10.0;
    let by: Vec<&Moved> = moved.iter().filter(beside).collect();
    let faces: Vec<Face> = by.iter().flat_map(|moved| moved.faces.iter().copied()).collect();
    let now = match outline::moved(&was, &faces) {
        outline::Outcome::Same => return Ok(None),
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
        return Ok(None);
    }
    Ok(Some(Fit { room, frame, prism, was, now }))
}

/// Draws a room anew as it follows its walls, with what covers it.
fn draw_fitted(author: &mut Author, fit: &Fit, followed: &mut Followed) -> Result<(), Fault> {
    let Fit { room, frame, prism, was, now } = fit;
    let own: Vec<DVec2> =
        now.iter().map(|p| frame.into_own(p.extend(frame.translation.z))).map(DVec3::truncate).collect();
    draw(author, *room, &own, prism)?;
    space::requantify(author, *room)?;
    followed.add(*room);
    let ours = crate::covering::refit(author, *room)?;
    for covering in &ours {
        followed.add(*covering);
    }
    coverings::follow(author, *room, &ours, was, now, followed)
}

/// Draws an upright body anew over another outline.
pub(super) fn draw(author: &mut Author, id: Id, outline: &[DVec2], was: &Prism) -> Result<(), Fault> {
    let solid = author.upright(outline, &was.holes, was.base, was.height)?;
    let body = author.body(&[solid])?;
    author.replace_representation(id, "Body", body)
}
