//! Doors between rooms: on the widest stretches of partition that two rooms share, as few as let every room be reached
//! from the corridor, or where there is none from the largest room; doors that are wished come first.

use super::layout::Plot;
use super::partitions::Partition;
use super::wishes::{BESIDE, Unmet, Use, Wishes, entrance};
use crate::author::Author;
use crate::filling::Filling;
use crate::lookup::guid;
use crate::opening::{self, NewOpening, Place};
use crate::polygon::{area, direction, edges};
use crate::regions;
use contract::Fault;
use glam::DVec2;
use ifc::Id;

/// Height of a door in mm.
const HEIGHT: f64 = 2100.0;

/// Ground in mm² that two leaves, or a leaf and a wall, may share by rounding.
const TOUCHING: f64 = 1e4;

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
    /// True if it hangs at its left, seen the way that it opens: to the left of the partition.
    pub hangs_left: bool,
    /// From where to where along the partition its centre may be.
    free: [f64; 2],
    /// The room to the left of the partition, into which it opens.
    opens_to: usize,
}

impl DoorPlace {
    /// The length of partition that is left beside the door.
    fn room(&self) -> f64 {
        self.free[1] - self.free[0] + self.width
    }

    /// The same place in the partition turned round, of this length: it opens to the other side.
    fn turned(&self, length: f64) -> Self {
        let [low, high] = self.free;
        let [a, b] = self.rooms;
        let opens_to = if self.opens_to == a { b } else { a };
        Self { along: length - self.along, free: [length - high, length - low], opens_to, ..*self }
    }

    /// The ground that its leaf sweeps.
    fn swept(&self, partition: &Partition, thickness: f64) -> Vec<DVec2> {
        let Some(along) = direction(partition.start, partition.end) else { return Vec::new() };
        let hinge = if self.hangs_left { -self.width / 2.0 } else { self.width / 2.0 };
        let middle = partition.start + along * (self.along + hinge) + along.perp() * thickness / 2.0;
        let closed = if self.hangs_left { along } else { -along };
        let tip = |step: u32| {
            let (sin, cos) = (f64::from(step) * 15f64.to_radians()).sin_cos();
            middle + (closed * cos + along.perp() * sin) * self.width
        };
        let mut swept: Vec<DVec2> = std::iter::once(middle).chain((0..=6).map(tip)).collect();
        if !self.hangs_left {
            swept.reverse();
        }
        swept
    }
}

/// The places of the doors that are wished, and of as few more as let every room be reached; and what could not be met. Partitions are
/// turned so that doors open into the rooms that they lead to, where they can.
pub(super) fn places(
    rooms: &[Vec<DVec2>],
    partitions: &mut [Partition],
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
    hang(&mut chosen, rooms, partitions, wishes.partition);
    (chosen, unmet)
}

/// Hangs the doors of each partition so that their leaves hit no wall and meet no other leaf: to the side that they lead to, at the left or
/// right, in the middle of their stretch or nearer to an end. Where none is free, as far as they can.
fn hang(chosen: &mut [DoorPlace], rooms: &[Vec<DVec2>], partitions: &mut [Partition], thickness: f64) {
    let mut swept: Vec<Vec<DVec2>> = Vec::new();
    for (number, partition) in partitions.iter_mut().enumerate() {
        let own: Vec<usize> = (0..chosen.len()).filter(|i| chosen[*i].partition == number).collect();
        let doors: Vec<DoorPlace> = own.iter().map(|i| chosen[*i]).collect();
        if doors.is_empty() {
            continue;
        }
        let turned: Vec<DoorPlace> = doors.iter().map(|door| door.turned(partition.length())).collect();
        let led = |doors: &[DoorPlace]| doors.iter().filter(|door| door.opens_to == door.rooms[0]).count();
        let mut ways = [(partition.clone(), doors), (partition.turned(), turned)];
        ways.sort_by_key(|(_, doors)| std::cmp::Reverse(led(doors)));
        let tried = ways.map(|(partition, doors)| {
            let (doors, ground, free) = hung(&doors, rooms, &partition, thickness, &swept);
            (partition, doors, ground, free)
        });
        let Some((way, doors, ground, _)) = tried.into_iter().rev().max_by_key(|(.., free)| *free) else {
            continue;
        };
        *partition = way;
        swept.extend(ground);
        for (i, door) in own.into_iter().zip(doors) {
            chosen[i] = door;
        }
    }
}

/// Hangs the doors of one partition beside what other leaves sweep; answers them, what they sweep, and how many of them are free.
fn hung(
    doors: &[DoorPlace],
    rooms: &[Vec<DVec2>],
    partition: &Partition,
    thickness: f64,
    others: &[Vec<DVec2>],
) -> (Vec<DoorPlace>, Vec<Vec<DVec2>>, usize) {
    let (mut hung, mut swept, mut count) = (Vec::new(), Vec::<Vec<DVec2>>::new(), 0);
    for door in doors {
        let [low, high] = door.free;
        let at = [door.along, low, high, f64::midpoint(low, door.along), f64::midpoint(high, door.along)];
        let mut ways = at.into_iter().flat_map(|along| {
            [true, false].map(|hangs_left| DoorPlace { along: along.round(), hangs_left, ..*door })
        });
        let is_free = |way: &DoorPlace| {
            let own = [way.swept(partition, thickness)];
            let shared = |other: &Vec<DVec2>| -> f64 {
                let parts = regions::intersection(&own, std::slice::from_ref(other));
                parts.iter().map(|part| area(&part.outer).abs()).sum()
            };
            let whole: f64 = own.iter().map(|swept| area(swept).abs()).sum();
            rooms.get(way.opens_to).is_some_and(|room| whole - shared(room) <= TOUCHING)
                && !others.iter().chain(&swept).any(|other| shared(other) > TOUCHING)
        };
        let free = ways.find(is_free);
        count += usize::from(free.is_some());
        let door = free.unwrap_or(*door);
        swept.push(door.swept(partition, thickness));
        hung.push(door);
    }
    (hung, swept, count)
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
                    let beside = BESIDE + width / 2.0;
                    shared.push(DoorPlace {
                        rooms: [*a, *b],
                        partition: i,
                        along: f64::midpoint(from, to).round(),
                        width,
                        hangs_left: true,
                        free: [from + beside, to - beside],
                        opens_to: if *on_left { *a } else { *b },
                    });
                }
            }
        }
    }
    shared.sort_by(|a, b| b.room().total_cmp(&a.room()).then(a.rooms.cmp(&b.rooms)));
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
        operation: Some(if place.hangs_left { "SINGLE_SWING_LEFT" } else { "SINGLE_SWING_RIGHT" }.to_owned()),
        name: Some(format!("Door to {room}")),
    };
    let (opening, door) = opening::create(author, &new)?;
    Ok(guid(author.edit, door.unwrap_or(opening)))
}
