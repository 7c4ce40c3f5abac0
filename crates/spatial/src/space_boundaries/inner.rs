//! Boundaries of doors, windows and unfilled openings: as much of each as a room sees, in the plane of the face around it.

use super::{Facing, Level, SpaceBoundary, faces, facing_to};
use crate::{
    Layout,
    facet::{Facet, counts},
    passage::{Passage, PassageKind, Side},
};
use geometry::region::{self, Area, Loop};
use std::collections::{BTreeSet, HashMap};

/// The farthest that the face around an opening may lie from the middle of the opening, in metres.
const REACH: f64 = 1.2;
/// Faces within this (the cosine of 25 degrees) of an opening's plane are around it.
const PARALLEL: f64 = 0.9;
/// The least part of an opening, in its area, that is a boundary.
const LEAST: f64 = 0.05;

/// Adds to the boundaries of hosts those within them, of some rooms.
pub(super) fn add(layout: &Layout, level: Level, rooms: &BTreeSet<usize>, list: &mut Vec<SpaceBoundary>) {
    let mut hosts: HashMap<usize, Vec<usize>> = HashMap::new();
    for (at, host) in list.iter().enumerate() {
        hosts.entry(host.room).or_default().push(at);
    }
    let numbers: BTreeSet<usize> =
        rooms.iter().flat_map(|room| layout.passages_at(*room)).map(|(number, _)| number).collect();
    for passage in numbers.into_iter().filter_map(|number| layout.passages.get(number)) {
        let leads = passage.crossings.iter().filter(|crossing| crossing.sides[0] != crossing.sides[1]);
        let sides: BTreeSet<usize> =
            leads.flat_map(|crossing| crossing.sides).filter_map(Side::room).collect();
        let from = list.len();
        for room in sides.intersection(rooms).copied() {
            let own = hosts.get(&room).map(Vec::as_slice).unwrap_or_default();
            let seen = seen(list, own, passage, room);
            let made: Vec<SpaceBoundary> = match level {
                Level::First => seen.into_iter().take(1).collect(),
                Level::Second => seen,
            }
            .into_iter()
            .filter_map(|(at, area)| inner(layout, list.get(at)?, at, passage, area))
            .collect();
            list.extend(made);
        }
        if level == Level::Second {
            correspond(list, from);
        }
    }
}

/// The parts of an opening that a room sees, each with the boundary of the host that it lies within; the largest first, on one face.
fn seen(list: &[SpaceBoundary], hosts: &[usize], passage: &Passage, room: usize) -> Vec<(usize, Area)> {
    let out = passage.outward(room);
    let loops = passage.outline.iter().flat_map(Area::loops).cloned().collect();
    let outline = Facet::in_plane(room, passage.frame, loops);
    let mut found: Vec<(usize, Area, f64)> = Vec::new();
    for (at, host) in hosts.iter().filter_map(|at| Some((*at, list.get(*at)?))) {
        let facet = host.facet();
        let apart = facet.height(passage.frame.translation);
        if facet.normal().dot(out) < PARALLEL || apart.abs() > REACH {
            continue;
        }
        let whole = facet.project(&outline, &outline.loops);
        let loops: Vec<Loop> = host.area.loops().cloned().collect();
        let shared = region::intersection(&loops, &whole).into_iter().filter(counts);
        if let Some(area) = shared.max_by(|a, b| a.size().total_cmp(&b.size()))
            && area.size() > LEAST * faces::size(&region::even_odd(&whole))
        {
            found.push((at, area, apart));
        }
    }
    found.sort_by(|a, b| b.1.size().total_cmp(&a.1.size()));
    // a recess has several faces one behind the other: the one that shows most of the opening is around it
    let Some(first) = found.first().map(|first| first.2) else { return Vec::new() };
    found.retain(|(.., apart)| (apart - first).abs() < 0.05);
    found.into_iter().map(|(at, area, _)| (at, area)).collect()
}

fn inner(
    layout: &Layout,
    host: &SpaceBoundary,
    at: usize,
    passage: &Passage,
    area: Area,
) -> Option<SpaceBoundary> {
    let others: Vec<Side> = passage.from_room(host.room).map(|(side, _)| side).collect();
    let there = host.behind.map(Side::Room).filter(|side| others.contains(side));
    let side = there.or_else(|| others.first().copied())?;
    let facing = match facing_to(layout, side) {
        // a door below the ground leads outdoors all the same
        Facing::Earth => Facing::External,
        other => other,
    };
    let is_second = host.level == Level::Second;
    Some(SpaceBoundary {
        room: host.room,
        level: host.level,
        element: Some(passage.element),
        is_virtual: passage.kind == PassageKind::Opening,
        facing,
        is_end: false,
        behind: match side {
            Side::Room(other) if is_second => Some(other),
            _ => None,
        },
        plane: host.plane,
        area,
        parent: Some(at),
        corresponding: None,
    })
}

/// Ties the boundaries of one opening, from a place in the list on, that look at each other: those whose hosts do, else the largest.
fn correspond(list: &mut [SpaceBoundary], from: usize) {
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for by_hosts in [true, false] {
        for a in from..list.len() {
            for b in a + 1..list.len() {
                let taken = pairs.iter().any(|(x, y)| [a, b].contains(x) || [a, b].contains(y));
                let (Some(one), Some(other)) = (list.get(a), list.get(b)) else { continue };
                let host = |boundary: &SpaceBoundary| boundary.parent.and_then(|at| list.get(at));
                let are_hosts = host(one).and_then(|host| host.corresponding) == other.parent;
                let look = one.behind == Some(other.room) && other.behind == Some(one.room);
                if !taken && look && (are_hosts || !by_hosts) {
                    pairs.push((a, b));
                }
            }
        }
    }
    for (a, b) in pairs {
        for (own, other) in [(a, b), (b, a)] {
            if let Some(boundary) = list.get_mut(own) {
                boundary.corresponding = Some(other);
            }
        }
    }
}
