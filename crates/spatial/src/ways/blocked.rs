//! Reasons why there is no way: what stands between two places for a traveller, and what would open it.
//!
//! The same way is looked for with one demand less at a time: with all doors open, for one as narrow as a hand, and for one who climbs
//! everything. Along the first way that there is then, all that the traveller cannot pass is told.

use super::Ways;
use super::mesh::{Mesh, takes};
use super::route::Route;
use super::search::Spot;
use super::traveller::Traveller;
use crate::shadow::shadow;
use geometry::query::Element;
use glam::{DVec2, DVec3};
use ifc::Id;
use std::collections::{BTreeSet, HashSet};

/// Something that is in the way. Lengths in metres.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// A door that is shut, by its place in the premises.
    Shut(usize),
    /// A door that is too narrow: its place and its clear width.
    Door(usize, f64),
    /// A gap that is too narrow: its width, its middle, and what stands on both sides.
    Gap(f64, DVec3, Vec<Id>),
    /// A flight of stairs that the traveller does not take.
    Stair(usize),
    /// A slope that is too steep.
    Slope(usize),
    /// A flight that is too narrow, and its clear width.
    Flight(usize, f64),
    /// A step that is too high: its height and place.
    Step(f64, DVec3),
    /// Headroom that is too low: its height, its place, and what hangs there.
    Headroom(f64, DVec3, Id),
    /// Nothing leads across: the nearest points of both sides, and what stands between them.
    Wall(DVec3, DVec3, Vec<Id>),
    /// The two lie on different levels, and neither stair, ramp nor lift that can be read joins these.
    Levels(f64, f64),
}

/// Distance in metres between two places of a way that are looked at.
const PACE: f64 = 0.05;

/// Tells what is in the way of a traveller between two sets of places, given as points on its floors; empty where nothing was
/// found that would open it.
pub fn blocks(ways: &Ways, mesh: &Mesh, from: &[DVec3], to: &[DVec3]) -> Vec<Block> {
    let wanted = mesh.traveller;
    let none = BTreeSet::new();
    let spots = |mesh: &Mesh, points: &[DVec3]| -> Vec<Spot> {
        points.iter().filter_map(|p| mesh.spot(*p, 0.6).or_else(|| mesh.nearest(*p, 1.0))).collect()
    };
    if !mesh.closed.is_empty() {
        let open = ways.mesh(&wanted, &none);
        if let Some((_, route)) = ways.way(&open, &spots(&open, from), &spots(&open, to)) {
            let shut = route.doors.iter().map(|d| d.door).filter(|d| mesh.closed.contains(d));
            return shut.map(Block::Shut).collect();
        }
    }
    let thin = ways.mesh(&wanted.wide(Traveller::slightest().width), &none);
    if let Some((_, route)) = ways.way(&thin, &spots(&thin, from), &spots(&thin, to)) {
        return too_narrow(ways, &thin, &wanted, &route);
    }
    let slight = ways.mesh(&Traveller::slightest(), &none);
    let (start, end) = (spots(&slight, from), spots(&slight, to));
    if let Some((_, route)) = ways.way(&slight, &start, &end) {
        let mut found = too_narrow(ways, &slight, &wanted, &route);
        found.extend(too_steep(ways, &wanted, &route));
        found.extend(underfoot_and_overhead(ways, &wanted, &route));
        return found;
    }
    apart(ways, &slight, &start, &end).into_iter().collect()
}

fn too_narrow(ways: &Ways, mesh: &Mesh, wanted: &Traveller, route: &Route) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    for passage in &route.doors {
        let Some(door) = ways.premises.doors.get(passage.door) else { continue };
        if door.clear < wanted.width - 1e-6 {
            found.push(Block::Door(passage.door, door.clear));
        }
    }
    for climb in &route.flights {
        let Some(flight) = ways.premises.flights.get(climb.flight) else { continue };
        if flight.width < wanted.width - 1e-6 {
            found.push(Block::Flight(climb.flight, flight.width));
        }
    }
    let is_at_door = |at: DVec3| {
        ways.premises.doors.iter().any(|door| {
            let d = at.truncate() - door.middle;
            d.dot(door.along).abs() < door.width / 2.0 + 0.3
                && d.dot(door.through()) > door.across[0] - 0.2
                && d.dot(door.through()) < door.across[1] + 0.2
        })
    };
    let mut gaps: Vec<super::Narrow> = Vec::new();
    for place in route.narrow_places(mesh) {
        if place.width >= wanted.width - 1e-6 || is_at_door(place.at) {
            continue;
        }
        // of places close to each other the narrowest is told
        match gaps.iter_mut().find(|known| known.at.distance(place.at) < 1.0) {
            Some(known) if place.width < known.width => *known = place,
            Some(_) => {}
            None => gaps.push(place),
        }
    }
    for gap in gaps {
        let sides =
            gap.ends.iter().filter_map(|end| standing_at(ways, wanted, end.extend(gap.at.z))).collect();
        found.push(Block::Gap(gap.width, gap.at, sides));
    }
    found
}

/// The element that stands at a border point of what is free.
fn standing_at(ways: &Ways, wanted: &Traveller, p: DVec3) -> Option<Id> {
    let (low, high) = (p.z + wanted.step, p.z + wanted.height);
    let near = |e: &&std::sync::Arc<Element>| {
        let b = e.bounds();
        b.min.z < high && b.max.z > low && (0..2).all(|i| b.min[i] - 0.01 <= p[i] && p[i] <= b.max[i] + 0.01)
    };
    let at = p.truncate();
    let off = |e: &Element| {
        let loops = shadow(e, low, high);
        let edges = loops.iter().flat_map(|l| l.iter().zip(l.iter().cycle().skip(1)));
        edges.map(|(a, b)| crate::shadow::to_line(at, *a, *b)).fold(f64::INFINITY, f64::min)
    };
    let found = ways.premises.obstacles.iter().filter(near).map(|e| (off(e), e.id()));
    found.filter(|(off, _)| *off < 0.01).min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, id)| id)
}

fn too_steep(ways: &Ways, wanted: &Traveller, route: &Route) -> Vec<Block> {
    let flights = route
        .flights
        .iter()
        .filter_map(|climb| Some((climb.flight, ways.premises.flights.get(climb.flight)?)));
    flights
        .filter(|(_, flight)| !takes(&wanted.wide(0.0), flight))
        .map(|(number, flight)| if flight.is_stair { Block::Stair(number) } else { Block::Slope(number) })
        .collect()
}

/// Steps that are too high and what hangs too low along a way.
fn underfoot_and_overhead(ways: &Ways, wanted: &Traveller, route: &Route) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    let mut last: Option<f64> = None;
    for pair in route.points.windows(2) {
        let (p, q) = (pair[0], pair[1]);
        if (p.z - q.z).abs() > 1e-9 {
            last = None;
            continue;
        }
        let count = (p.distance(q) / PACE).ceil().max(1.0) as usize;
        for i in 0..=count {
            let at = p + (q - p) * (i as f64 / count as f64);
            let Some(height) = floor_under(ways, at) else { continue };
            let step = last.map_or(0.0, |known| height - known);
            if step.abs() > wanted.step + 1e-6 {
                found.push(Block::Step(step, at.with_z(height)));
            }
            last = Some(height);
            if let Some((element, room)) = overhead(ways, at.with_z(height), wanted.height) {
                let is_known = |b: &Block| matches!(b, Block::Headroom(.., id) if *id == element);
                if !found.iter().any(is_known) {
                    found.push(Block::Headroom(room, at, element));
                }
            }
        }
    }
    found
}

/// The height of the highest floor within a step of a point.
fn floor_under(ways: &Ways, p: DVec3) -> Option<f64> {
    let near = ways.premises.floors.iter().filter(|f| (f.height - p.z).abs() < 0.25);
    let under = near.filter(|f| crate::facet::holds(&f.loops, p.truncate())).map(|f| f.height);
    under.reduce(f64::max)
}

/// The element that hangs less than a height over a point, and how high it hangs.
fn overhead(ways: &Ways, p: DVec3, height: f64) -> Option<(Id, f64)> {
    let ray = geometry::query::Ray::new(p + DVec3::Z * 0.5, DVec3::Z)?.up_to(height - 0.5);
    let hits = ways.premises.obstacles.iter().filter_map(|e| e.first_hit(&ray));
    let first = hits.min_by(|a, b| a.distance.total_cmp(&b.distance))?;
    Some((first.element, first.distance + 0.5))
}

/// The gap between two parts of a mesh that no way joins.
fn apart(ways: &Ways, mesh: &Mesh, from: &[Spot], to: &[Spot]) -> Option<Block> {
    let reached =
        |spots: &[Spot]| -> HashSet<u32> { spots.iter().map(|s| mesh.island(s.triangle)).collect() };
    let (own, other) = (reached(from), reached(to));
    let corners = |islands: &HashSet<u32>| -> Vec<(u32, DVec3)> {
        let triangles = mesh.net.triangles.iter().zip(&mesh.net.islands).filter(|(_, i)| islands.contains(i));
        let on_layers = triangles.filter(|(t, _)| mesh.layer_of(t.sheet).is_some());
        on_layers
            .flat_map(|(t, _)| {
                t.corners.map(|c| (t.sheet, mesh.net.points.get(c as usize).copied().unwrap_or_default()))
            })
            .collect()
    };
    let (left, right) = (corners(&own), corners(&other));
    let mut best: Option<(f64, DVec3, DVec3)> = None;
    for (sheet, p) in &left {
        for (_, q) in right.iter().filter(|(other, _)| other == sheet) {
            let far = p.distance(*q);
            if best.is_none_or(|(known, ..)| far < known) {
                best = Some((far, *p, *q));
            }
        }
    }
    let Some((_, p, q)) = best else {
        let height = |spots: &[Spot]| spots.first().map(|s| s.point.z);
        return Some(Block::Levels(height(from)?, height(to)?));
    };
    let (low, high) = (p.z + mesh.traveller.step, p.z + mesh.traveller.height);
    let between = ways.premises.obstacles.iter().filter(|e| {
        let own = geometry::Bounds::from_points([p.with_z(low), q.with_z(high)]);
        e.bounds().meets(&own, 0.0)
            && shadow(e, low, high).iter().any(|l| meets(l, p.truncate(), q.truncate()))
    });
    Some(Block::Wall(p, q, between.map(|e| e.id()).collect()))
}

/// Returns true if a line crosses a loop or lies in it.
fn meets(l: &[DVec2], p: DVec2, q: DVec2) -> bool {
    let owned = l.to_vec();
    let side = |a: DVec2, b: DVec2, c: DVec2| (b - a).perp_dot(c - a);
    let crosses =
        |a: DVec2, b: DVec2| side(p, q, a) * side(p, q, b) <= 0.0 && side(a, b, p) * side(a, b, q) <= 0.0;
    l.iter().zip(l.iter().cycle().skip(1)).any(|(a, b)| crosses(*a, *b)) || crate::facet::holds([&owned], p)
}
