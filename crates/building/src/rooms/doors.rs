//! Doors between rooms: on the widest stretches of partition that two rooms share, as few as let every room be reached
//! from the corridor, or where there is none from the largest room.

use super::partitions::Partition;
use crate::author::Author;
use crate::filling::Filling;
use crate::lookup::guid;
use crate::opening::{self, NewOpening, Place};
use crate::polygon::{area, direction, edges};
use contract::Fault;
use glam::DVec2;
use ifc::Id;

/// Width of a door in mm.
const WIDTH: f64 = 900.0;
/// Height of a door in mm.
const HEIGHT: f64 = 2100.0;
/// The length of partition that must be free beside a door on each side, in mm.
const BESIDE: f64 = 50.0;

/// A place for a door.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DoorPlace {
    /// The rooms it joins; the first is the one that is reached through it.
    pub rooms: [usize; 2],
    /// The partition it is in.
    pub partition: usize,
    /// Its centre along the partition.
    pub along: f64,
    /// The length of the shared stretch in mm.
    room: f64,
}

/// The places that let every room be reached that can be.
pub fn places(
    rooms: &[Vec<DVec2>],
    partitions: &[Partition],
    thickness: f64,
    corridor: Option<usize>,
) -> Vec<DoorPlace> {
    let mut shared = Vec::new();
    for (i, partition) in partitions.iter().enumerate() {
        let sides: Vec<(usize, [f64; 2], bool)> = rooms
            .iter()
            .enumerate()
            .flat_map(|(room, outline)| {
                faces(outline, partition, thickness).into_iter().map(move |(s, l)| (room, s, l))
            })
            .collect();
        for (a, x, on_left) in &sides {
            for (b, y, other_left) in &sides {
                if on_left == other_left || a == b {
                    continue;
                }
                let (from, to) = (x[0].max(y[0]), x[1].min(y[1]));
                if to - from >= WIDTH + 2.0 * BESIDE {
                    let along = f64::midpoint(from, to).round();
                    shared.push(DoorPlace { rooms: [*a, *b], partition: i, along, room: to - from });
                }
            }
        }
    }
    shared.sort_by(|a, b| b.room.total_cmp(&a.room).then(a.rooms.cmp(&b.rooms)));
    let largest = (0..rooms.len()).max_by(|a, b| {
        let size = |i: &usize| rooms.get(*i).map_or(0.0, |r| area(r));
        size(a).total_cmp(&size(b))
    });
    let Some(first) = corridor.or(largest) else { return Vec::new() };
    let mut reached = vec![first];
    let mut chosen = Vec::new();
    // rooms nearest the start first, so that the corridor serves all that it can
    let mut at = 0;
    while let Some(from) = reached.get(at).copied() {
        at += 1;
        for place in &shared {
            if place.rooms[1] == from && !reached.contains(&place.rooms[0]) {
                reached.push(place.rooms[0]);
                chosen.push(*place);
            }
        }
    }
    chosen
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
pub fn set(
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
        width: WIDTH,
        height: HEIGHT.min(height),
        filling: Filling::Door,
        operation: None,
        name: Some(format!("Door to {room}")),
    };
    let (opening, door) = opening::create(author, &new)?;
    Ok(guid(author.edit, door.unwrap_or(opening)))
}
