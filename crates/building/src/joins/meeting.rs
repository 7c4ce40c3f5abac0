//! Joining a wall with those of its storey that it meets: end to end, or an end on the path of another.

use super::corner::{Arm, tee};
use super::ends::{MEETING, is_fixed, lies_in, refit};
use super::links::{Kind, link, links};
use crate::author::Author;
use crate::host::{self, Wall};
use crate::polygon::distance_to_segment;
use crate::relations::End;
use contract::Fault;
use geometry::Bounds;
use glam::DVec2;
use ifc::{Id, relations};
use std::collections::BTreeSet;

/// Walls whose axes are farther off than this are not looked at, in mm: more than walls are thick.
const AROUND: f64 = 3000.0;

/// The parts in which an arc is looked along for what is near it.
const CHORDS: u32 = 16;

/// The places where two walls meet: that of the first, and that of the second.
pub type Places = (End, End);

/// Joins a wall at some of its ends, and with walls that end on it if its path is among them. Answers the relations made
/// and the other walls that were drawn again.
pub fn meet(author: &mut Author, id: Id, at: &[End]) -> Result<(Vec<Id>, Vec<Id>), Fault> {
    let Ok(wall) = Wall::read_any(author, id) else { return Ok(Default::default()) };
    let around = around(author, &wall);
    let mut found: Vec<(Places, Id)> = Vec::new();
    for end in at.iter().copied().filter(|end| !lies_on_another(&wall, *end, &around)) {
        let here: Vec<(Places, Id)> =
            around.iter().filter_map(|other| Some((place(author, &wall, end, other)?, other.id))).collect();
        // what stops at a face is not cut by what ends in the same point
        let on_path = here.iter().any(|((own, there), _)| *own != End::Path && *there == End::Path);
        found.extend(
            here.into_iter().filter(|((own, there), _)| !on_path || *own == End::Path || *there == End::Path),
        );
    }
    let mut made = Vec::new();
    let mut touched = BTreeSet::new();
    for ((own, there), other) in found {
        if links(author, id).iter().any(|l| l.other == other && l.own == own && l.there == there) {
            continue;
        }
        // what runs through comes first, else what was there
        let pair = if own == End::Path { [(id, own), (other, there)] } else { [(other, there), (id, own)] };
        made.push(link(author, pair, Kind::Auto)?);
        touched.insert(other);
    }
    if !made.is_empty() {
        refit(author, id)?;
    }
    let mut drawn = Vec::new();
    for other in touched {
        if refit(author, other)? {
            drawn.push(other);
        }
    }
    Ok((made, drawn))
}

/// Joins ends of walls that were joined before a change and are no longer with what they lie in now. Answers the walls drawn again.
pub fn rejoin(author: &mut Author, joined: &BTreeSet<(Id, End)>) -> Result<BTreeSet<Id>, Fault> {
    let mut drawn = BTreeSet::new();
    for (id, end) in joined {
        let is_free = author.edit.contains(*id) && links(author, *id).iter().all(|link| link.own != *end);
        if !is_free {
            continue;
        }
        let (made, others) = meet(author, *id, &[*end])?;
        if !made.is_empty() {
            drawn.insert(*id);
        }
        drawn.extend(others);
    }
    Ok(drawn)
}

/// The ends of walls that are joined.
pub fn joined(author: &Author, walls: &BTreeSet<Id>) -> BTreeSet<(Id, End)> {
    let of = |id: &Id| links(author, *id).into_iter().map(|link| (*id, link.own)).collect::<Vec<_>>();
    walls.iter().flat_map(of).filter(|(_, end)| *end != End::Path).collect()
}

/// The walls of its storey that a wall meets, whoever made them.
pub fn touching(author: &Author, id: Id) -> Vec<Id> {
    let Ok(wall) = Wall::read_any(author, id) else { return Vec::new() };
    let around = around(author, &wall).into_iter();
    around.filter(|other| places(&wall, other).is_some()).map(|other| other.id).collect()
}

/// True if a wall that ends in the same place lies on this one: such a corner has no cut, and stays as it is.
fn lies_on_another(wall: &Wall, end: End, around: &[Wall]) -> bool {
    if end == End::Path {
        return false;
    }
    let arm = Arm::at_end(wall, end);
    around.iter().any(|other| {
        end_at(other, arm.corner).is_some_and(|there| Arm::at_end(other, there).away.dot(arm.away) > 0.9998)
    })
}

/// The other walls of a wall's storey, as far as they are near and can be read.
fn around(author: &Author, wall: &Wall) -> Vec<Wall> {
    let Some(storey) = relations::storey_of(author.edit, wall.id) else { return Vec::new() };
    // an arc is followed by its chords
    let parts: u32 = if wall.line().is_bent() { CHORDS } else { 1 };
    let at = |i: u32| wall.at(wall.length * f64::from(i) / f64::from(parts)).truncate();
    let path: Vec<DVec2> = (0..=parts).map(at).collect();
    // most of a storey is far off, which its axes tell without their bodies
    let near = |id: Id| {
        host::axis_in_plan(author, id).is_none_or(|(a, b)| {
            path.array_windows::<2>().any(|[start, end]| {
                let apart = [(*start, a, b), (*end, a, b), (a, *start, *end), (b, *start, *end)];
                apart.into_iter().any(|(p, from, to)| distance_to_segment(p, from, to) < AROUND)
            })
        })
    };
    let base = wall.at(0.0).z;
    let corners = path.iter().flat_map(|p| [p.extend(base), p.extend(base + wall.height)]);
    let own = Bounds::from_points(corners.map(|point| point / 1000.0));
    let far =
        author.surroundings().map(|known| known.beyond(storey, own, AROUND / 1000.0)).unwrap_or_default();
    // what is far off is not even looked up
    relations::Links::of_one(author.edit)
        .listed(storey, relations::CONTAINS, "RelatedElements")
        .into_iter()
        .filter(|id| {
            *id != wall.id && !far.contains(id) && author.edit.get(*id).is_some_and(|w| w.is_a("IfcWall"))
        })
        .filter(|id| near(*id))
        .filter_map(|id| Wall::read_any(author, id).ok())
        .filter(|other| share_height(wall, other))
        .collect()
}

/// True if two walls stand beside each other at some height.
fn share_height(a: &Wall, b: &Wall) -> bool {
    let (low, high) = (a.frame.translation.z, b.frame.translation.z);
    low + 1.0 < high + b.height && high + 1.0 < low + a.height
}

/// The places at which an end of a wall, or its path, meets another wall.
fn place(author: &Author, wall: &Wall, at: End, other: &Wall) -> Option<Places> {
    // where they are is looked at first: most are apart, and what else is asked is read from the model
    if at == End::Path {
        let free = |end: End| links(author, other.id).iter().all(|l| l.own != end);
        return [End::Start, End::End]
            .into_iter()
            .find(|end| ends_on(other, *end, wall) && !is_fixed(author, other) && free(*end))
            .map(|end| (End::Path, end));
    }
    let corner = Arm::at_end(wall, at).corner;
    let end = end_at(other, corner).or_else(|| ends_on(wall, at, other).then_some(End::Path));
    end.filter(|_| !is_fixed(author, wall)).map(|end| (at, end))
}

/// The end of a wall that is in this place.
fn end_at(wall: &Wall, corner: DVec2) -> Option<End> {
    [End::Start, End::End].into_iter().find(|end| Arm::at_end(wall, *end).corner.distance(corner) <= MEETING)
}

/// True if an end of a wall lies in the body of another, away from its ends, and can be stopped at its face.
fn ends_on(wall: &Wall, end: End, other: &Wall) -> bool {
    let arm = Arm::at_end(wall, end);
    end_at(other, arm.corner).is_none()
        && lies_in(other, arm.corner)
        && tee(&arm, &Arm::through(other, arm.corner)).is_some()
}

/// The places at which two walls meet, wherever that is: end to end before end on path.
pub fn places(a: &Wall, b: &Wall) -> Option<Places> {
    const BOTH: [End; 2] = [End::Start, End::End];
    if !share_height(a, b) {
        return None;
    }
    let ends = BOTH.into_iter().find_map(|end| Some((end, end_at(b, Arm::at_end(a, end).corner)?)));
    ends.or_else(|| BOTH.into_iter().find(|end| ends_on(a, *end, b)).map(|end| (end, End::Path)))
        .or_else(|| BOTH.into_iter().find(|end| ends_on(b, *end, a)).map(|end| (End::Path, end)))
}
