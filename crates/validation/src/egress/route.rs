//! Ways out: from the farthest place of each room to every exit, as far as the threshold of its door, and how far two of them are one.

use super::enclosure::StairEnclosure;
use super::parameters::Parameters;
use crate::Subject;
use glam::{DVec2, DVec3};
use rayon::prelude::*;
use spatial::ways::search::{Found, ways};
use spatial::ways::{Door, Farthest, Mesh, Route, Spot, Traveller, farthest};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The ways of a building to its exits.
pub(super) struct Network<'a> {
    pub subject: &'a Subject<'a>,
    pub mesh: Arc<Mesh>,
    /// The exits that are reached.
    pub exits: Vec<ReachedExit>,
}

/// A place where travel ends: a door outside, or one into an exit stairway.
#[derive(Debug, Clone)]
pub(super) struct ReachedExit {
    /// The door, by its place in the premises.
    pub door: usize,
    /// The spot at its threshold.
    pub spot: Spot,
    /// The exit stairway, by its place in the list of stairs.
    pub stair: Option<usize>,
    /// The way on through the exit stairway to the door by which one leaves it.
    pub onward: Option<WayOut>,
}

/// A way out.
#[derive(Debug, Clone, PartialEq)]
pub struct WayOut {
    /// The place of the exit in [`super::Analysis::exits`].
    pub exit: usize,
    /// Its length in metres, to the threshold of the exit.
    pub length: f64,
    /// The points where it turns, in metres of the world.
    pub points: Vec<DVec3>,
    /// The doors that it passes, by their places in the premises, each with the distance at which; the exit is the last.
    pub doors: Vec<(usize, f64)>,
    /// The flights that it takes, by their places in the premises.
    pub flights: Vec<usize>,
}

/// Two ways that come apart farther than this have parted: what the two sides of a door differ, in metres.
const APART: f64 = 0.35;
/// The step along a way, in metres.
const STEP: f64 = 0.1;

impl<'a> Network<'a> {
    pub fn new(subject: &'a Subject<'a>, parameters: &Parameters, stairs: &[StairEnclosure]) -> Self {
        let traveller = Traveller::new(spatial::ways::Kind::Foot).wide(parameters.width);
        let mesh = subject.ways.mesh(&traveller, &BTreeSet::new());
        let mut own = Self { subject, mesh, exits: Vec::new() };
        let left = own.doors_outside();
        let is_of_stair = |door: usize| {
            let sides = subject.ways.premises.beside.get(door).copied().unwrap_or_default();
            stairs.iter().position(|stair| stair.is_exit && stair.is_left_by(sides))
        };
        let (inner, outer): (Vec<_>, Vec<_>) =
            left.into_iter().partition(|(door, _)| is_of_stair(*door).is_some());
        let outside = |(door, spot)| ReachedExit { door, spot, stair: None, onward: None };
        own.exits = outer.into_iter().map(outside).collect();
        for (number, stair) in stairs.iter().enumerate().filter(|(_, stair)| stair.is_exit) {
            let leaves: Vec<(usize, Spot)> =
                inner.iter().filter(|(door, _)| is_of_stair(*door) == Some(number)).copied().collect();
            let entered = own.doors_into(stair).into_iter().map(|(door, spot)| ReachedExit {
                door,
                spot,
                stair: Some(number),
                onward: own.onward(spot, &leaves),
            });
            let entered: Vec<ReachedExit> = entered.collect();
            own.exits.extend(entered);
        }
        own
    }

    /// The doors outside that are reached, each with the spot at its threshold.
    fn doors_outside(&self) -> Vec<(usize, Spot)> {
        let premises = &self.subject.ways.premises;
        let outside = self.subject.ways.outside(&self.mesh).into_iter();
        let door = |(exit, outside): (usize, Spot)| {
            let door = premises.exits.get(exit)?.door;
            Some((door, self.threshold(door).unwrap_or(outside)))
        };
        outside.filter_map(door).collect()
    }

    /// The doors into a stair from other rooms, each with the spot at its threshold.
    fn doors_into(&self, stair: &StairEnclosure) -> Vec<(usize, Spot)> {
        let rooms = &self.subject.layout.rooms.rooms;
        let is_inside = |room: usize| rooms.get(room).is_some_and(|own| !own.is_outside);
        let beside = self.subject.ways.premises.beside.iter().enumerate();
        let doors = beside.filter(|(_, sides)| stair.is_entered_by(**sides, is_inside));
        doors.filter_map(|(door, _)| Some((door, self.threshold(door)?))).collect()
    }

    /// The spot at the threshold of a door.
    fn threshold(&self, door: usize) -> Option<Spot> {
        let door = self.subject.ways.premises.doors.get(door)?;
        let across = f64::midpoint(door.across[0], door.across[1]);
        self.mesh.spot(door.at(0.0, across).extend(door.sill + 0.1), 0.3)
    }

    /// The shortest way from a spot to one of some doors.
    fn onward(&self, from: Spot, doors: &[(usize, Spot)]) -> Option<WayOut> {
        let spots: Vec<Spot> = doors.iter().map(|(_, spot)| *spot).collect();
        let found = ways(&self.mesh.net, &[from], &spots).into_iter().enumerate();
        let (target, found) = found
            .filter_map(|(target, found)| Some((target, found?)))
            .min_by(|a, b| a.1.length.total_cmp(&b.1.length))?;
        let route = Route::new(&self.mesh, &self.subject.ways.premises, &found);
        Some(Self::told(0, doors.get(target)?.0, &route))
    }

    /// The farthest place of each room.
    pub fn farthest(&self) -> Vec<Option<Farthest>> {
        let spots: Vec<Spot> = self.exits.iter().map(|exit| exit.spot).collect();
        if spots.is_empty() {
            return vec![None; self.subject.layout.rooms.rooms.len()];
        }
        farthest(&self.mesh, self.subject.ways.rooms(), &spots)
    }

    /// The ways from each of some places to the exits, the shortest first; that with what it passes. One search for each exit finds
    /// them all.
    pub fn ways_out(&self, from: &[Spot]) -> Vec<Vec<WayOut>> {
        let by_exit: Vec<Vec<Option<Found>>> =
            self.exits.par_iter().map(|exit| ways(&self.mesh.net, &[exit.spot], from)).collect();
        let of = |place: usize| {
            let found = by_exit.iter().enumerate();
            let mut all: Vec<(usize, &Found)> =
                found.filter_map(|(exit, ways)| Some((exit, ways.get(place)?.as_ref()?))).collect();
            all.sort_by(|a, b| a.1.length.total_cmp(&b.1.length).then(a.0.cmp(&b.0)));
            all.into_iter()
                .enumerate()
                .map(|(rank, (exit, found))| self.way(exit, found, rank == 0))
                .collect()
        };
        (0..from.len()).into_par_iter().map(of).collect()
    }

    /// A way that was found from an exit, the other way round; with what it passes where that is asked.
    fn way(&self, exit: usize, found: &Found, is_told: bool) -> WayOut {
        let points: Vec<DVec3> = found.points.iter().rev().copied().collect();
        if !is_told {
            return WayOut { exit, length: found.length, points, doors: Vec::new(), flights: Vec::new() };
        }
        let last = points.len().saturating_sub(2);
        let shortcuts = found.shortcuts.iter().map(|(lift, at)| (*lift, last.saturating_sub(*at))).collect();
        let turned = Found { length: found.length, source: found.source, points, shortcuts };
        let last = self.exits.get(exit).map_or(usize::MAX, |exit| exit.door);
        Self::told(exit, last, &Route::new(&self.mesh, &self.subject.ways.premises, &turned))
    }

    /// A route to an exit, whose door is the last that it passes.
    fn told(exit: usize, last: usize, route: &Route) -> WayOut {
        let mut doors: Vec<(usize, f64)> = route
            .doors
            .iter()
            .map(|passage| (passage.door, distance_along(&route.points, passage.at)))
            .collect();
        // the way ends at the threshold of the exit, and so does not cross it
        if doors.iter().all(|(door, _)| *door != last) {
            doors.push((last, route.length));
        }
        let mut flights: Vec<usize> = route.flights.iter().map(|climb| climb.flight).collect();
        flights.dedup();
        WayOut { exit, length: route.length, points: route.points.clone(), doors, flights }
    }

    /// The length of the common path: from the start of the shortest way to where another leaves it for another exit; its whole length
    /// where there is no other.
    pub fn common_path(&self, all: &[WayOut]) -> f64 {
        let Some((first, others)) = all.split_first() else { return 0.0 };
        let shared = |other: &WayOut| self.shared(first, other);
        // two doors into one stair are one exit
        let stair = |way: &WayOut| self.exits.get(way.exit).and_then(|exit| exit.stair);
        let is_another = |other: &&WayOut| stair(first).is_none() || stair(other) != stair(first);
        others.iter().filter(is_another).map(shared).min_by(f64::total_cmp).unwrap_or(first.length)
    }

    /// The length over which two ways from one place are one.
    fn shared(&self, first: &WayOut, other: &WayOut) -> f64 {
        let doors = &self.subject.ways.premises.doors;
        let is_passed = |door: &usize| doors.get(*door).is_some_and(|door| crosses(door, &other.points));
        // the last is the exit itself
        let inner = first.doors.split_last().map(|(_, inner)| inner).unwrap_or_default();
        let by_door = inner.iter().take_while(|(door, _)| is_passed(door)).last().map_or(0.0, |(_, at)| *at);
        by_door.max(together(&first.points, &other.points)).min(first.length)
    }
}

/// Returns true if a line goes through a door at its height.
fn crosses(door: &Door, points: &[DVec3]) -> bool {
    points.windows(2).any(|pair| {
        let (p, q) = (pair[0], pair[1]);
        let is_level = p.z > door.sill - 0.3 && p.z < door.sill + 0.35;
        is_level && door.is_crossed(p.truncate(), q.truncate())
    })
}

/// The length over which one line runs along another from its start; where they part, to about where they begin to.
fn together(line: &[DVec3], other: &[DVec3]) -> f64 {
    let mut walked = 0.0;
    for pair in line.windows(2) {
        let length = pair[0].distance(pair[1]);
        let steps = (length / STEP).ceil().max(1.0);
        for step in 1..=steps as usize {
            let share = step as f64 / steps;
            if off_line(pair[0].lerp(pair[1], share), other) > APART {
                return (walked + length * share - APART).max(0.0);
            }
        }
        walked += length;
    }
    walked
}

/// The distance of a point from a line.
fn off_line(p: DVec3, line: &[DVec3]) -> f64 {
    let to = |pair: &[DVec3]| {
        let d = pair[1] - pair[0];
        let t = ((p - pair[0]).dot(d) / d.length_squared().max(1e-18)).clamp(0.0, 1.0);
        p.distance(pair[0] + d * t)
    };
    line.windows(2).map(to).fold(f64::INFINITY, f64::min)
}

/// How far along a line the point of it nearest to another lies.
fn distance_along(line: &[DVec3], p: DVec3) -> f64 {
    let (mut walked, mut best) = (0.0, (f64::INFINITY, 0.0));
    for pair in line.windows(2) {
        let d = pair[1] - pair[0];
        let t = ((p - pair[0]).dot(d) / d.length_squared().max(1e-18)).clamp(0.0, 1.0);
        let off = p.distance(pair[0] + d * t);
        if off < best.0 {
            best = (off, walked + d.length() * t);
        }
        walked += d.length();
    }
    best.1
}

/// The direction in plan in which a line goes through a door; none where it ends there.
pub(super) fn direction_through(door: &Door, points: &[DVec3]) -> Option<DVec2> {
    let crossing = points.windows(2).find(|pair| {
        let is_level = pair[0].z > door.sill - 0.3 && pair[0].z < door.sill + 0.35;
        is_level && door.is_crossed(pair[0].truncate(), pair[1].truncate())
    });
    let last = || points.windows(2).rfind(|pair| pair[0].distance(pair[1]) > 1e-6);
    let pair = crossing.or_else(last)?;
    let along = (pair[1] - pair[0]).truncate().dot(door.through());
    (along.abs() > 1e-9).then(|| door.through() * along.signum())
}
