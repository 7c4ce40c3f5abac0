//! Doors between rooms: on the widest stretches of partition that two rooms share, as few as let every room be reached
//! from the corridor, or where there is none from the largest room; doors that are wished come first.

use super::layout::Plot;
use super::partitions::Partition;
use super::wishes::{BESIDE, Unmet, Use, Wishes, entrance};
use crate::author::Author;
use crate::filling::Filling;
use crate::lookup::guid;
use crate::opening::{self, NewOpening, Place};
use crate::polygon::{direction, edges};
use contract::Fault;
use glam::DVec2;
use ifc::Id;

/// Height of a door in mm.
const HEIGHT: f64 = 2100.0;

/// A place for a door.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct DoorPlace {
    /// The rooms it joins; the first is the one that is reached through it.
    pub rooms: [usize; 2],
    /// The partition it is in.
    pub partition: usize,
    /// Its centre along the partition.
    pub along: f64,
    /// The width of the door in mm.
    pub width: f64,
    /// The length of the shared stretch in mm.
    room: f64,
}

/// The places of the doors that are wished, and of as few more as let every room be reached; and what could not be met.
pub(super) fn places(
    rooms: &[Vec<DVec2>],
    partitions: &[Partition],
    plots: &[Plot],
    wishes: &Wishes,
) -> (Vec<DoorPlace>, Vec<Unmet>) {
    let shared = possible(rooms, partitions, plots, wishes);
    let mut unmet = Vec::new();
    let Some(first) = entrance(wishes, plots) else { return (Vec::new(), unmet) };
    let name = |i: usize| plots.get(i).map_or_else(String::new, |plot| wishes.name(plot));
    let mut chosen: Vec<DoorPlace> = Vec::new();
    for pair in &wishes.connect {
        let [Some(a), Some(b)] = pair.map(|room| plots.iter().position(|plot| plot.room == Some(room)))
        else {
            continue;
        };
        // the one that is nearer to the entrance leads to the other
        let is_from = |i: usize| i == first || plots.get(i).is_some_and(|p| wishes.used(p) == Use::Hall);
        let (to, from) = if is_from(a) && !is_from(b) { (b, a) } else { (a, b) };
        if let Some(place) = shared.iter().find(|place| place.rooms == [to, from]) {
            chosen.push(*place);
        } else {
            let say = format!("{} and {} share no partition with room for a door.", name(a), name(b));
            unmet.push(Unmet { wish: "connect", rooms: vec![name(a), name(b)], say });
        }
    }
    // rooms nearest the start first, so that the corridor serves all that it can; through bedrooms and bathrooms only where
    // there is no other way
    let mut reached = vec![first];
    for stage in 0..3 {
        let mut at = 0;
        while let Some(from) = reached.get(at).copied() {
            at += 1;
            let there: Vec<usize> = chosen
                .iter()
                .filter_map(|place| match place.rooms {
                    [to, by] if by == from => Some(to),
                    [by, to] if by == from => Some(to),
                    _ => None,
                })
                .collect();
            for to in there {
                if !reached.contains(&to) {
                    reached.push(to);
                }
            }
            for place in shared.iter().filter(|place| place.rooms[1] == from) {
                let to = place.rooms[0];
                let leads = wishes.leads(plots, first, from, to);
                if reached.contains(&to) || !(leads || stage == 2) {
                    continue;
                }
                // one that a wished door leads to later is not given a second door
                let is_wished = chosen.iter().any(|known| known.rooms.contains(&to));
                if is_wished && stage == 0 {
                    continue;
                }
                if !leads {
                    let say = format!("{} is reached only through {}.", name(to), name(from));
                    unmet.push(Unmet { wish: "access", rooms: vec![name(to), name(from)], say });
                }
                reached.push(to);
                chosen.push(*place);
            }
        }
    }
    for i in (0..plots.len()).filter(|i| !reached.contains(i)) {
        let say = format!("{} is reached by no door: no partition around it has room for one.", name(i));
        unmet.push(Unmet { wish: "access", rooms: vec![name(i)], say });
    }
    (chosen, unmet)
}

/// Everywhere a door fits between two rooms, the widest stretches first.
fn possible(
    rooms: &[Vec<DVec2>],
    partitions: &[Partition],
    plots: &[Plot],
    wishes: &Wishes,
) -> Vec<DoorPlace> {
    let mut shared = Vec::new();
    for (i, partition) in partitions.iter().enumerate() {
        let sides: Vec<(usize, [f64; 2], bool)> = rooms
            .iter()
            .enumerate()
            .flat_map(|(room, outline)| {
                faces(outline, partition, wishes.partition).into_iter().map(move |(s, l)| (room, s, l))
            })
            .collect();
        for (a, x, on_left) in &sides {
            for (b, y, other_left) in &sides {
                if on_left == other_left || a == b {
                    continue;
                }
                let (Some(one), Some(other)) = (plots.get(*a), plots.get(*b)) else { continue };
                let width = wishes.door(one, other);
                // other partitions may go on in the same line
                let [low, high] = [
                    partition.cuts.start[0].max(partition.cuts.start[1]),
                    partition.cuts.end[0].min(partition.cuts.end[1]),
                ];
                let (from, to) = (x[0].max(y[0]).max(low), x[1].min(y[1]).min(high));
                if to - from >= width + 2.0 * BESIDE {
                    let along = f64::midpoint(from, to).round();
                    let place = DoorPlace { rooms: [*a, *b], partition: i, along, width, room: to - from };
                    shared.push(place);
                }
            }
        }
    }
    shared.sort_by(|a, b| b.room.total_cmp(&a.room).then(a.rooms.cmp(&b.rooms)));
    shared
}

/// The stretches of a partition that a room lies against, and on which side: true for its left.
fn faces(room: &[DVec2], partition: &Partition, thickness: f64) -> Vec<([f64; 2], bool)> {
    let Some(d) = direction(partition.start, partition.end) else { return Vec::new() };
    edges(room)
        .filter_map(|(a, b)| {
            let parallel = direction(a, b).is_some_and(|e| d.perp_dot(e).abs() < 1e-4);
            let aside = d.perp_dot(a - partition.start);
            if !parallel || (aside.abs() - thickness / 2.0).abs() > 2.0 {
                return None;
            }
            let (s, e) = ((a - partition.start).dot(d), (b - partition.start).dot(d));
            Some(([s.min(e), s.max(e)], aside > 0.0))
        })
        .collect()
}

/// Sets a door at a place; answers its GlobalId.
pub(super) fn set(
    author: &mut Author,
    wall: Id,
    place: &DoorPlace,
    room: &str,
    height: f64,
) -> Result<String, Fault> {
    let new = NewOpening {
        host: wall,
        place: Place::Along(place.along),
        sill: Some(0.0),
        width: place.width,
        height: HEIGHT.min(height),
        filling: Filling::Door,
        operation: None,
        name: Some(format!("Door to {room}")),
    };
    let (opening, door) = opening::create(author, &new)?;
    Ok(guid(author.edit, door.unwrap_or(opening)))
}
