//! The navigation mesh of a version for one traveller: where its middle can be, floor by floor and over flights, joined to one net.
//!
//! Each layer's free area is drawn in by half the width. A flight meets its two floors along its lowest and its highest line: there the
//! area is cut off exactly at the line, so that both share the edge.

use super::flights::{Flight, is_straight};
use super::layers::{Layer, layers};
use super::net::{Net, Shortcut};
use super::premises::Premises;
use super::search::Spot;
use super::shrink::shrink;
use super::traveller::Traveller;
use super::triangulate::triangulate;
use crate::Rooms;
use crate::facet::holds;
use crate::{facet::loops_of, plan::largest_circle, shadow::shadow};
use geometry::region::{self, Area, Loop};
use glam::{DVec2, DVec3};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

/// A sheet of the net.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sheet {
    /// A layer, by its place.
    Layer(usize),
    /// A flight, by its place in the premises.
    Flight(usize),
}

/// A navigation mesh.
#[derive(Debug, Clone)]
pub struct Mesh {
    /// The traveller it is for.
    pub traveller: Traveller,
    /// Doors that are shut, by their places in the premises.
    pub closed: BTreeSet<usize>,
    /// The layers.
    pub layers: Vec<Layer>,
    /// The free areas of each layer, drawn in by half the traveller's width.
    shrunk: Vec<Vec<Area>>,
    /// The areas of each layer where the traveller's middle can be.
    pub within: Vec<Vec<Area>>,
    /// The triangles of these.
    triangles: Vec<Vec<[DVec2; 3]>>,
    /// The net over all of them.
    pub net: Net,
    /// The sheets of the net, by the numbers that its triangles have.
    pub sheets: Vec<Sheet>,
    /// The layers that each flight joins, below and above; of a flight that is left out, none.
    pub joins: Vec<Option<[usize; 2]>>,
    /// The spot of each room, once it was asked for.
    spots: Vec<OnceLock<Option<Spot>>>,
}

/// An area is drawn in by this much less, in metres, so that a passage that is just wide enough stays one.
const SLACK: f64 = 1e-5;
/// The most by which a floor may differ in height from where a flight ends, in metres.
const OFF: f64 = 0.15;
/// The widest gap between a flight and its floor, in metres, that one steps over.
const LAP: f64 = 0.15;
/// Points nearer than this along a line, in metres, are one.
const SAME: f64 = 1e-5;
/// The precision of largest circles, in metres.
const CIRCLE: f64 = 1e-3;

/// An end of a flight on a layer.
struct Mouth {
    flight: usize,
    is_top: bool,
    layer: usize,
    /// Left and right end of the line as one goes up.
    line: [DVec2; 2],
    /// The part of the flight at the line.
    part: Loop,
    /// The floor just before the line, which a gap may part from the flight.
    lap: Loop,
}

impl Mesh {
    /// Makes the mesh for a traveller; doors of `closed` are shut.
    pub fn new(premises: &Premises, rooms: &Rooms, traveller: &Traveller, closed: &BTreeSet<usize>) -> Mesh {
        Mesh::following(None, premises, rooms, traveller, closed)
    }

    /// The same, where the mesh of a version before may be known: layers that are the same are taken over.
    pub fn following(
        before: Option<&Mesh>,
        premises: &Premises,
        rooms: &Rooms,
        traveller: &Traveller,
        closed: &BTreeSet<usize>,
    ) -> Mesh {
        let known = before.map(|mesh| mesh.layers.as_slice()).unwrap_or_default();
        let mut layers = layers(premises, rooms, traveller, closed, known);
        let by = (traveller.width / 2.0 - SLACK).max(0.0);
        let mut joins: Vec<Option<[usize; 2]>> = Vec::new();
        let mut mouths = Vec::new();
        for (number, flight) in premises.flights.iter().enumerate() {
            let found = if takes(traveller, flight) { ends(number, flight, &layers, by) } else { None };
            joins.push(found.as_ref().map(|[low, high]| [low.layer, high.layer]));
            mouths.extend(found.into_iter().flatten());
        }
        for mouth in &mouths {
            let layer = &mut layers[mouth.layer];
            let mut loops = loops_of(&std::mem::take(&mut layer.free));
            loops.push(mouth.part.clone());
            loops.extend(lap(premises, mouth, layer.height, traveller));
            layer.free = region::union(&loops);
        }
        let cut = |(number, layer): (usize, &Layer)| {
            let own: Vec<Loop> =
                mouths.iter().filter(|m| m.layer == number).map(|m| m.part.clone()).collect();
            let shrunk = before
                .and_then(|mesh| mesh.shrunk(&layer.free, by))
                .unwrap_or_else(|| shrink(&layer.free, by));
            let cut =
                if own.is_empty() { shrunk.clone() } else { region::less_all(&loops_of(&shrunk), &own) };
            (shrunk, cut)
        };
        let (shrunk, mut within): (Vec<Vec<Area>>, Vec<Vec<Area>>) =
            layers.par_iter().enumerate().map(cut).unzip();
        let mut rows: BTreeMap<(usize, bool), Vec<DVec3>> = BTreeMap::new();
        for mouth in &mouths {
            let height = layers[mouth.layer].height;
            let row = open(&mut within[mouth.layer], mouth.line, by);
            let row = row.into_iter().map(|p| p.extend(height)).collect();
            rows.insert((mouth.flight, mouth.is_top), row);
        }
        let mut sheets: Vec<Sheet> = (0..layers.len()).map(Sheet::Layer).collect();
        let triangles = |areas: &Vec<Area>| {
            let known = before.and_then(|mesh| mesh.triangles(areas));
            known.unwrap_or_else(|| areas.iter().flat_map(triangulate).collect())
        };
        let triangles: Vec<Vec<[DVec2; 3]>> = within.par_iter().map(triangles).collect();
        let mut faces: Vec<([DVec3; 3], u32)> = Vec::new();
        for (number, (triangles, layer)) in triangles.iter().zip(&layers).enumerate() {
            faces.extend(triangles.iter().map(|t| (t.map(|p| p.extend(layer.height)), number as u32)));
        }
        for (number, flight) in premises.flights.iter().enumerate() {
            let (Some(low), Some(high)) = (rows.get(&(number, false)), rows.get(&(number, true))) else {
                continue;
            };
            let sheet = sheets.len() as u32;
            sheets.push(Sheet::Flight(number));
            faces.extend(strip(flight, low, high, by).into_iter().map(|t| (t, sheet)));
        }
        let stops = stops(premises, traveller, &layers, &mut faces);
        let mut net = Net::new(&faces);
        net.shortcuts = shortcuts(&net, &stops);
        let spots = vec![OnceLock::new(); rooms.rooms.len()];
        let traveller = *traveller;
        let closed = closed.clone();
        Mesh { traveller, closed, layers, shrunk, within, triangles, net, sheets, joins, spots }
    }

    /// The area drawn in, where a layer is free as one of this mesh.
    fn shrunk(&self, free: &[Area], by: f64) -> Option<Vec<Area>> {
        let is_same = (self.traveller.width / 2.0 - SLACK).max(0.0) == by;
        let at = self.layers.iter().position(|layer| is_same && layer.free == free)?;
        self.shrunk.get(at).cloned()
    }

    /// The triangles of areas that are those of one of its layers.
    fn triangles(&self, areas: &[Area]) -> Option<Vec<[DVec2; 3]>> {
        let at = self.within.iter().position(|within| within == areas)?;
        self.triangles.get(at).cloned()
    }

    /// The layer that a sheet is, if it is one.
    pub fn layer_of(&self, sheet: u32) -> Option<usize> {
        match self.sheets.get(sheet as usize) {
            Some(Sheet::Layer(number)) => Some(*number),
            _ => None,
        }
    }

    /// The spot under a point: on the highest sheet at most half a metre above it and at most `below` metres under it.
    pub fn spot(&self, p: DVec3, below: f64) -> Option<Spot> {
        let found = self.net.under(p, |_| true).into_iter();
        let near = found.filter(|(_, q)| q.z <= p.z + 0.5 && q.z >= p.z - below);
        let best = near.max_by(|a, b| a.1.z.total_cmp(&b.1.z))?;
        Some(Spot { triangle: best.0, point: best.1 })
    }

    /// The part of a room's floor where the middle of the traveller can be, with the layer that it is on.
    pub fn within_room(&self, rooms: &Rooms, number: usize) -> Option<(usize, Vec<Area>)> {
        let room = rooms.rooms.get(number)?;
        let own: Vec<Loop> = room.floor.iter().flat_map(|a| a.loops().cloned()).collect();
        let mut best: Option<(f64, usize, Vec<Area>)> = None;
        for (at, layer) in self.layers.iter().enumerate() {
            if layer.height < room.foot - 0.3 || layer.height > room.foot + 0.5 {
                continue;
            }
            let areas = region::intersection(&loops_of(self.within.get(at)?), &own);
            let size: f64 = areas.iter().map(Area::size).sum();
            if size > 0.0 && best.as_ref().is_none_or(|(known, ..)| size > *known) {
                best = Some((size, at, areas));
            }
        }
        best.map(|(_, layer, areas)| (layer, areas))
    }

    /// The point of a room that lies farthest from all that stands in the way, among those where the traveller can be.
    pub fn room_spot(&self, rooms: &Rooms, number: usize) -> Option<Spot> {
        *self.spots.get(number)?.get_or_init(|| self.middle(rooms, number))
    }

    fn middle(&self, rooms: &Rooms, number: usize) -> Option<Spot> {
        let (layer, areas) = self.within_room(rooms, number)?;
        let largest = areas.iter().max_by(|a, b| a.size().total_cmp(&b.size()))?;
        let (middle, _) = largest_circle(std::slice::from_ref(largest), CIRCLE)?;
        self.spot_on(layer, middle)
    }

    /// The diameter of the largest circle in metres that is free on a room's floor.
    pub fn turning_circle(&self, rooms: &Rooms, number: usize) -> f64 {
        let Some(room) = rooms.rooms.get(number) else { return 0.0 };
        let own: Vec<Loop> = room.floor.iter().flat_map(|a| a.loops().cloned()).collect();
        let on_floor =
            self.layers.iter().filter(|l| l.height > room.foot - 0.3 && l.height < room.foot + 0.5);
        let free = on_floor.map(|l| region::intersection(&loops_of(&l.free), &own));
        let circles = free.filter_map(|areas| largest_circle(&areas, CIRCLE));
        circles.map(|(_, radius)| 2.0 * radius).fold(0.0, f64::max)
    }

    /// A spot on a layer.
    pub fn spot_on(&self, layer: usize, p: DVec2) -> Option<Spot> {
        let height = self.layers.get(layer)?.height;
        let found = self.net.under(p.extend(height), |sheet| self.layer_of(sheet) == Some(layer));
        let near = || self.net.nearest(p.extend(height), 0.05, |sheet| self.layer_of(sheet) == Some(layer));
        let (triangle, point) = found.into_iter().next().or_else(near)?;
        Some(Spot { point, triangle })
    }

    /// The spot nearest to a point within so many metres.
    pub fn nearest(&self, p: DVec3, reach: f64) -> Option<Spot> {
        self.net.nearest(p, reach, |_| true).map(|(triangle, point)| Spot { point, triangle })
    }

    /// The island that a triangle belongs to; islands that a lift joins are two.
    pub fn island(&self, triangle: u32) -> u32 {
        self.net.islands.get(triangle as usize).copied().unwrap_or(super::net::NONE)
    }

    /// About how many bytes it takes, for caches.
    pub fn weight(&self) -> u64 {
        let loops = self.layers.iter().flat_map(|l| l.free.iter().flat_map(Area::loops).chain(&l.floors));
        self.net.weight() + loops.map(|l| l.len() as u64 * 16).sum::<u64>()
    }
}

/// Returns true if the traveller goes over such a flight.
pub fn takes(traveller: &Traveller, flight: &Flight) -> bool {
    let kind = if flight.is_stair { traveller.stairs } else { flight.slope <= traveller.slope + 1e-6 };
    kind && flight.width >= traveller.width - 1e-6
}

/// The directions in which a flight begins and ends, at length one.
fn ways(flight: &Flight) -> Option<[DVec2; 2]> {
    let middle = |l: &[DVec3; 2]| ((l[0] + l[1]) / 2.0).truncate();
    let (first, last) = (flight.lines.first()?, flight.lines.last()?);
    // square to the line, towards the rest of the flight
    let square = |l: &[DVec3; 2], toward: DVec2| {
        let way = (l[1] - l[0]).truncate().perp().normalize_or_zero();
        if way.dot(toward) < 0.0 { -way } else { way }
    };
    let second = flight.lines.get(1)?;
    let before = flight.lines.get(flight.lines.len().checked_sub(2)?)?;
    Some([square(first, middle(second) - middle(first)), square(last, middle(last) - middle(before))])
}

/// Finds the layers that a flight joins.
fn ends(number: usize, flight: &Flight, layers: &[Layer], by: f64) -> Option<[Mouth; 2]> {
    let [up, out] = ways(flight)?;
    let (first, last) = (flight.lines.first()?, flight.lines.last()?);
    let reach = by + 0.1;
    // where the first or the last tread is level with the floor, the body has it twice
    let mouth = |line: &[DVec3; 2], heights: [f64; 2], away: DVec2, is_top: bool| {
        let [a, b] = line.map(DVec3::truncate);
        let middle = (a + b) / 2.0;
        let is_there = |layer: &Layer| {
            [0.05, 0.2, 0.4].iter().any(|far| {
                let p = middle + away * *far;
                layer.free.iter().any(|area| holds(area.loops(), p))
            })
        };
        let off = |layer: &Layer| {
            heights.map(|h| (layer.height - h).abs()).into_iter().fold(f64::INFINITY, f64::min)
        };
        let fits = layers.iter().enumerate().filter(|(_, l)| off(l) <= OFF && is_there(l));
        let (layer, _) = fits.min_by(|a, b| off(a.1).total_cmp(&off(b.1)))?;
        let [l, r] = if is_top { [a + away * -reach, b + away * -reach] } else { [a, b] };
        let part = vec![l, r, r - away_part(away, is_top) * reach, l - away_part(away, is_top) * reach];
        let lap = if is_top {
            vec![a, b, b + away * LAP, a + away * LAP]
        } else {
            vec![a + away * LAP, b + away * LAP, b, a]
        };
        Some(Mouth { flight: number, is_top, layer, line: [a, b], part, lap })
    };
    let low = mouth(first, [flight.foot, flight.foot + flight.riser], -up, false)?;
    let high = mouth(last, [flight.top, flight.top - flight.riser], out, true)?;
    (low.layer != high.layer).then_some([low, high])
}

/// The floor just before a flight's end, less what stands on it.
fn lap(premises: &Premises, mouth: &Mouth, height: f64, traveller: &Traveller) -> Vec<Loop> {
    let (low, high) = (height + traveller.step.max(0.01), height + traveller.height);
    let own = premises.flights.get(mouth.flight).map(|f| f.element);
    let points = mouth.lap.iter().flat_map(|p| [p.extend(low), p.extend(high)]);
    let bounds = geometry::Bounds::from_points(points);
    let near = premises.obstacles.iter().filter(|e| Some(e.id()) != own && e.bounds().meets(&bounds, 0.0));
    let taken: Vec<Loop> = near.flat_map(|e| shadow(e, low, high)).collect();
    loops_of(&region::less_all(std::slice::from_ref(&mouth.lap), &taken))
}

/// The direction from a part's lower edge against which it extends: both parts extend up the flight from their lower edge.
fn away_part(away: DVec2, is_top: bool) -> DVec2 {
    if is_top { -away } else { away }
}

/// Opens the borders of a layer along the line of a flight's end: gives both the same corners there. Answers the flight's own row
/// of points, from left to right.
fn open(areas: &mut [Area], [a, b]: [DVec2; 2], by: f64) -> Vec<DVec2> {
    let (way, length) = ((b - a).normalize_or_zero(), a.distance(b));
    let (low, high) = (by, length - by);
    let mut points: Vec<(f64, DVec2)> = Vec::new();
    for area in areas.iter_mut() {
        for l in std::iter::once(&mut area.outer).chain(&mut area.holes) {
            let mut made: Loop = Vec::with_capacity(l.len());
            for (i, p) in l.iter().enumerate() {
                made.push(*p);
                let q = l[(i + 1) % l.len()];
                let off = |p: DVec2| way.perp_dot(p - a).abs();
                let (s, t) = ((*p - a).dot(way), (q - a).dot(way));
                let (from, to) = (s.min(t).max(low), s.max(t).min(high));
                if off(*p) > 2e-6 || off(q) > 2e-6 || to - from < 1e-3 {
                    continue;
                }
                let mut ends = [from, to].map(|x| {
                    if (x - s).abs() < SAME {
                        (s, *p)
                    } else if (x - t).abs() < SAME {
                        (t, q)
                    } else {
                        (x, *p + (q - *p) * ((x - s) / (t - s)))
                    }
                });
                points.extend(ends);
                if s > t {
                    ends.reverse();
                }
                made.extend(ends.into_iter().map(|(_, x)| x).filter(|x| x != p && *x != q));
            }
            *l = made;
        }
    }
    points.sort_by(|p, q| p.0.total_cmp(&q.0));
    points.dedup_by(|p, q| p.1 == q.1);
    if points.first().is_none_or(|p| p.0 > low + SAME) {
        points.insert(0, (low, a + way * low));
    }
    if points.last().is_none_or(|p| p.0 < high - SAME) {
        points.push((high, a + way * high));
    }
    points.into_iter().map(|(_, p)| p).collect()
}

/// The triangles of a flight between its lowest and its highest row of points.
fn strip(flight: &Flight, low: &[DVec3], high: &[DVec3], by: f64) -> Vec<[DVec3; 3]> {
    let middle = |l: &[DVec3; 2]| ((l[0] + l[1]) / 2.0).truncate();
    let mut runs = vec![0.0];
    for pair in flight.lines.windows(2) {
        runs.push(runs.last().copied().unwrap_or(0.0) + middle(&pair[0]).distance(middle(&pair[1])));
    }
    let whole = runs.last().copied().unwrap_or(1.0).max(f64::MIN_POSITIVE);
    let (Some(foot), Some(top)) = (low.first().map(|p| p.z), high.first().map(|p| p.z)) else {
        return Vec::new();
    };
    let mut rows: Vec<Vec<DVec3>> = vec![low.to_vec()];
    if !is_straight(flight) {
        let inner = flight.lines.iter().zip(&runs).skip(1).take(flight.lines.len().saturating_sub(2));
        for ([a, b], run) in inner {
            let z = foot + (top - foot) * run / whole;
            let way = (*b - *a).truncate().normalize_or_zero();
            let ends = [a.truncate() + way * by, b.truncate() - way * by];
            rows.push(ends.map(|p| p.extend(z)).to_vec());
        }
    }
    rows.push(high.to_vec());
    let mut faces = Vec::new();
    for pair in rows.windows(2) {
        let (p, q) = (&pair[0], &pair[1]);
        let (mut i, mut j) = (0, 0);
        while i + 1 < p.len() || j + 1 < q.len() {
            let share = |k: usize, row: &[DVec3]| (k + 1) as f64 / row.len().max(2).saturating_sub(1) as f64;
            if j + 1 >= q.len() || (i + 1 < p.len() && share(i, p) <= share(j, q)) {
                faces.push([p[i], p[i + 1], q[j]]);
                i += 1;
            } else {
                faces.push([p[i], q[j + 1], q[j]]);
                j += 1;
            }
        }
    }
    faces
}

/// A place where a lift stops.
struct Stop {
    lift: usize,
    point: DVec3,
}

/// Finds where lifts stop, and parts the triangles there so that each stop is a corner.
fn stops(
    premises: &Premises,
    traveller: &Traveller,
    layers: &[Layer],
    faces: &mut Vec<([DVec3; 3], u32)>,
) -> Vec<Stop> {
    let mut found = Vec::new();
    for (number, lift) in premises.lifts.iter().enumerate() {
        let size = lift.bounds.size();
        if size.x.min(size.y) < traveller.width {
            continue;
        }
        for (sheet, layer) in layers.iter().enumerate() {
            let (low, high) = (lift.bounds.min.truncate(), lift.bounds.max.truncate());
            let off = |p: DVec2| p.distance(p.clamp(low, high));
            let doors = layer.doors.iter().filter_map(|door| premises.doors.get(*door));
            let near = doors
                .filter(|door| off(door.middle) < 1.0)
                .min_by(|a, b| off(a.middle).total_cmp(&off(b.middle)));
            let is_beside = layer.height > lift.bounds.min.z - 0.5 && layer.height < lift.bounds.max.z;
            let wanted = match near {
                Some(door) => {
                    let [p, q] = door.sides(traveller.width / 2.0 + 0.05).map(DVec3::truncate);
                    if off(p) >= off(q) { p } else { q }
                }
                None if is_beside => lift.bounds.centre().truncate(),
                None => continue,
            };
            let reach = if near.is_some() { 0.5 } else { size.x.max(size.y) / 2.0 + 1.5 };
            if let Some(point) = part(faces, sheet as u32, wanted.extend(layer.height), reach) {
                found.push(Stop { lift: number, point });
            }
        }
    }
    found
}

/// Parts the triangle of a sheet that is nearest to a point, so that the point of it that is nearest is a corner.
fn part(faces: &mut Vec<([DVec3; 3], u32)>, sheet: u32, p: DVec3, reach: f64) -> Option<DVec3> {
    let mut best: Option<(f64, DVec3)> = None;
    for (corners, _) in faces.iter().filter(|(_, own)| *own == sheet) {
        let on = nearest_in(corners, p);
        let far = on.distance(p);
        if far <= reach && best.is_none_or(|(known, ..)| far < known) {
            best = Some((far, on));
        }
    }
    let (.., on) = best?;
    // on an edge it parts the triangles on both sides
    let holding: Vec<usize> =
        (0..faces.len()).filter(|i| faces[*i].1 == sheet && holds_point(&faces[*i].0, on)).collect();
    for i in holding.into_iter().rev() {
        let ([a, b, c], _) = faces.swap_remove(i);
        for [q, r] in [[a, b], [b, c], [c, a]] {
            if (r - q).truncate().perp_dot((on - q).truncate()) > 1e-9 {
                faces.push(([q, r, on], sheet));
            }
        }
    }
    Some(on)
}

fn holds_point([a, b, c]: &[DVec3; 3], p: DVec3) -> bool {
    [(*a, *b), (*b, *c), (*c, *a)]
        .iter()
        .all(|(q, r)| (*r - *q).truncate().perp_dot((p - *q).truncate()) >= -1e-9)
}

fn nearest_in([a, b, c]: &[DVec3; 3], p: DVec3) -> DVec3 {
    let edges = [(*a, *b), (*b, *c), (*c, *a)];
    if edges.iter().all(|(q, r)| (*r - *q).truncate().perp_dot((p - *q).truncate()) >= 0.0) {
        return p;
    }
    let near =
        edges.map(|(q, r)| crate::shadow::nearest_on(p.truncate(), q.truncate(), r.truncate()).extend(p.z));
    near.into_iter().min_by(|a, b| a.distance(p).total_cmp(&b.distance(p))).unwrap_or(p)
}

/// The rides between all stops of each lift.
fn shortcuts(net: &Net, stops: &[Stop]) -> Vec<Shortcut> {
    let corner = |p: DVec3| net.points.iter().position(|q| *q == p).map(|i| i as u32);
    let mut found = Vec::new();
    for (i, a) in stops.iter().enumerate() {
        for b in stops.iter().skip(i + 1).filter(|b| b.lift == a.lift) {
            if let (Some(p), Some(q)) = (corner(a.point), corner(b.point)) {
                let length = (a.point.z - b.point.z).abs();
                found.push(Shortcut { ends: [p, q], length, number: a.lift as u32 });
            }
        }
    }
    found
}
