//! How doors, windows and openings are read from a version.
//!
//! Each is read by itself, so that the next version takes over those that nothing reached.

use crate::{
    Rooms,
    asked::{Asked, Change},
    elements::{Elements, FEW},
    facet::extent,
    passage::{Crossing, Passage, PassageKind, Side},
    through::{directions, thinnest, through_host},
    touched::Touched,
};
use geometry::{
    Bounds, Shaper, Solid,
    math::orthonormal,
    query::Ray,
    region::{self, Area, Loop},
};
use glam::{DAffine3, DVec2, DVec3};
use ifc::{Id, Value, relations::Links};
use rayon::prelude::*;
use std::{
    collections::{BTreeSet, HashMap, HashSet},
    sync::Arc,
};

/// The farthest that a room may begin beyond the faces of the host, in metres: finishes and linings that are not modelled.
const BEYOND: f64 = 0.4;
/// The least reach from the middle of a passage, in metres, where the host has no shape.
const REACH: f64 = 0.6;
/// The least part of a passage that counts as leading between two sides.
const LEAST_SHARE: f64 = 0.15;
/// The smallest opening that counts, in m²: less is a hole for a pipe.
const SMALLEST: f64 = 0.05;
/// The places at which a passage is asked, as parts of its width and height.
const PLACES: [f64; 3] = [0.2, 0.5, 0.8];

/// A door, window or opening as the file tells of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Told {
    element: Id,
    kind: PassageKind,
    opening: Option<Id>,
    host: Option<Id>,
    /// True if the opening is filled by nothing else.
    is_alone: bool,
}

/// A passage, or why there is none, with what it was read from.
#[derive(Debug, Clone)]
pub(crate) struct Read {
    told: Told,
    passage: Option<Arc<Passage>>,
    /// The elements that were asked on the way.
    asked: Asked,
    /// The box around all points at which rooms were asked.
    around: Bounds,
}

impl Read {
    /// Bytes that it takes, about.
    pub(crate) fn weight(&self) -> u64 {
        150 + self.asked.weight()
    }
}

/// The passages of a version before, and what differs since.
pub(crate) struct Before<'a> {
    pub(crate) reads: &'a Arc<Vec<Arc<Read>>>,
    pub(crate) reshaped: &'a BTreeSet<Id>,
    pub(crate) touched: &'a Touched,
    pub(crate) change: &'a Change,
    /// The boxes around the rooms that differ, of both versions.
    pub(crate) rooms: &'a [Bounds],
    /// The numbers of rooms now, by those of before.
    pub(crate) numbers: &'a [Option<usize>],
}

impl Before<'_> {
    /// The passage as it was read, where nothing that it was read from differs.
    fn known(&self, read: &Arc<Read>) -> Option<Arc<Read>> {
        let sources = [Some(read.told.element), read.told.opening, read.told.host];
        let is_reshaped = sources.iter().flatten().any(|id| self.reshaped.contains(id));
        let is_near = self.rooms.iter().any(|b| b.meets(&read.around, 0.01));
        if is_reshaped || is_near || !read.asked.holds(self.change) {
            return None;
        }
        let number = |room: usize| self.numbers.get(room).copied().flatten();
        let passage = read.passage.as_deref();
        let mut rooms = passage.into_iter().flat_map(Passage::sides).filter_map(Side::room);
        if rooms.all(|room| number(room) == Some(room)) {
            return Some(Arc::clone(read));
        }
        let mut passage = passage?.clone();
        for side in passage.crossings.iter_mut().flat_map(|crossing| &mut crossing.sides) {
            if let Side::Room(room) = side {
                *room = number(*room)?;
            }
        }
        Some(Arc::new(Read { passage: Some(passage.into()), ..Read::clone(read) }))
    }

    /// The passage as it was, where it is read to be the same between the same rooms.
    fn same_passage<'r>(&self, old: &'r Read, new: &Read) -> Option<&'r Arc<Passage>> {
        let sides = |passage: &Passage| passage.sides().filter_map(Side::room).collect::<Vec<_>>();
        let known = old.passage.as_ref().filter(|passage| Some(*passage) == new.passage.as_ref())?;
        let stays = |room: usize| self.numbers.get(room).copied().flatten() == Some(room);
        (old.told == new.told && sides(known).into_iter().all(stays)).then_some(known)
    }

    /// Returns true if the doors, windows and openings, and what is told of them, are what they were.
    fn are_told_same(&self) -> bool {
        !self.touched.reaches_class(&["IfcDoor", "IfcWindow", "IfcOpeningElement"])
    }
}

/// All doors and windows, and the openings, each with the passage that it is; those of a version before are taken over where they hold. Beside
/// them the elements that were read anew.
pub(crate) fn reads(
    shaper: &Shaper<'_>,
    links: &Links<'_>,
    elements: &Elements,
    rooms: &Rooms,
    before: Option<&Before<'_>>,
) -> (Arc<Vec<Arc<Read>>>, HashSet<Id>) {
    let is_same = before.is_some_and(Before::are_told_same);
    let of_before = before.map(|before| before.reads.as_slice()).unwrap_or_default();
    let mut places: Places<'_> =
        of_before.iter().filter(|_| !is_same).map(|read| (read.told.element, read)).collect();
    // doors, windows and openings each are mostly in order
    places.sort_by_key(|(element, _)| *element);
    let told = if is_same {
        of_before.iter().map(|read| read.told).collect()
    } else {
        told(links, before.map(|before| (before.touched, &places)))
    };
    let known = |(place, told): (usize, &Told)| {
        let read = if is_same { of_before.get(place) } else { read_of(&places, told.element) };
        before?.known(read.filter(|read| read.told == *told)?)
    };
    let known: Vec<Option<Arc<Read>>> = told.iter().enumerate().map(known).collect();
    let is_taken_over = |(now, then): (&Option<Arc<Read>>, &Arc<Read>)| {
        now.as_ref().is_some_and(|now| Arc::ptr_eq(now, then))
    };
    if let Some(before) = before.filter(|_| is_same && known.iter().zip(of_before).all(is_taken_over)) {
        return (Arc::clone(before.reads), HashSet::new());
    }
    let of_fresh = told.iter().zip(&known).filter(|(_, known)| known.is_none()).map(|(told, _)| told);
    let of_fresh: Vec<&Told> = of_fresh.collect();
    let hosts: HashSet<Id> = of_fresh.iter().filter_map(|told| told.host).collect();
    let hosts: Vec<Id> = hosts.into_iter().collect();
    let of_host = |host: &Id| (*host, directions(shaper, *host));
    let is_few = of_fresh.len() < FEW;
    let hosts =
        if is_few { hosts.iter().map(of_host).collect() } else { hosts.par_iter().map(of_host).collect() };
    let reader = PassageReader { shaper, elements, rooms, hosts };
    let read = |told: &&Told| reader.read(**told);
    // only what is read anew is shared out
    let read: Vec<Read> =
        if is_few { of_fresh.iter().map(read).collect() } else { of_fresh.par_iter().map(read).collect() };
    let mut read = read.into_iter();
    let mut fresh = HashSet::new();
    let mut reads = Vec::with_capacity(known.len());
    for (place, known) in known.into_iter().enumerate() {
        let Some(mut read) = known.is_none().then(|| read.next()).flatten() else {
            reads.extend(known);
            continue;
        };
        let element = read.told.element;
        let old = if is_same { of_before.get(place) } else { read_of(&places, element) };
        match old.zip(before).and_then(|(old, before)| before.same_passage(old, &read)) {
            // what is made of it is seen to be the same
            Some(same) => read.passage = Some(Arc::clone(same)),
            None => {
                fresh.insert(element);
            }
        }
        reads.push(read.into());
    }
    (reads.into(), fresh)
}

/// The area as it lies about a point.
fn about(mut area: Area, middle: DVec2) -> Area {
    for point in area.holes.iter_mut().chain([&mut area.outer]).flatten() {
        *point -= middle;
    }
    area
}

/// The passages among what was read.
pub(crate) fn passages(reads: &[Arc<Read>]) -> Vec<Arc<Passage>> {
    reads.iter().filter_map(|read| read.passage.clone()).collect()
}

/// The difference to a version before, and the passages read of it.
type Known<'a> = (&'a Touched, &'a Places<'a>);

/// The passages that were read, sorted by element.
type Places<'a> = Vec<(Id, &'a Arc<Read>)>;

fn read_of<'a>(places: &Places<'a>, element: Id) -> Option<&'a Arc<Read>> {
    let place = places.binary_search_by_key(&element, |(other, _)| *other).ok()?;
    places.get(place).map(|(_, read)| *read)
}

/// All doors, windows and openings that nothing fills, without recesses; what a version before told is taken over where it holds.
fn told(links: &Links<'_>, before: Option<Known<'_>>) -> Vec<Told> {
    let model = links.model();
    // the outer option: whether it is known; the inner: what of
    let known = |element: Id| -> Option<Option<Told>> {
        let (touched, reads) = before.filter(|(touched, _)| !touched.reaches(element))?;
        let told = read_of(reads, element).map(|read| read.told);
        let is_opening_same = told.and_then(|told| told.opening).is_none_or(|o| !touched.reaches(o));
        is_opening_same.then_some(told)
    };
    let mut found = Vec::new();
    for (class, kind) in [("IfcDoor", PassageKind::Door), ("IfcWindow", PassageKind::Window)] {
        for element in model.of_class(class) {
            if let Some(told) = known(element).flatten() {
                found.push(told);
                continue;
            }
            let opening = links.opening_of_filling(element);
            let host = opening.and_then(|o| links.host_of_opening(o));
            let is_alone = opening.is_some_and(|o| links.fillings_of(o).len() == 1);
            found.push(Told { element, kind, opening, host, is_alone });
        }
    }
    for opening in model.of_class("IfcOpeningElement") {
        if let Some(told) = known(opening) {
            found.extend(told);
            continue;
        }
        let Some(instance) = model.get(opening) else { continue };
        let is_recess = matches!(instance.attr("PredefinedType"), Value::Enum(kind) if kind == "RECESS");
        let host = links.host_of_opening(opening);
        if !is_recess && host.is_some() && links.fillings_of(opening).is_empty() {
            let kind = PassageKind::Opening;
            found.push(Told { element: opening, kind, opening: Some(opening), host, is_alone: true });
        }
    }
    found
}

struct PassageReader<'a> {
    shaper: &'a Shaper<'a>,
    elements: &'a Elements,
    rooms: &'a Rooms,
    /// The directions of hosts' faces.
    hosts: HashMap<Id, Vec<(DVec3, f64)>>,
}

impl PassageReader<'_> {
    fn read(&self, told: Told) -> Read {
        let mut read = Read { told, passage: None, asked: Asked::default(), around: Bounds::EMPTY };
        let passage = match told.kind {
            PassageKind::Opening => self.void(&mut read),
            PassageKind::Door | PassageKind::Window => self.filling(&mut read),
        };
        read.passage = passage.map(Arc::new);
        read
    }

    fn filling(&self, read: &mut Read) -> Option<Passage> {
        let Told { element: filling, opening, host, is_alone, .. } = read.told;
        // what shares an opening with others is asked by its own body
        let alone = opening.filter(|_| is_alone);
        let solids = alone.and_then(|o| self.solids(o)).or_else(|| self.solids(filling))?;
        let through = host.and_then(|h| self.through(h, &solids)).or_else(|| {
            let instance = self.shaper.reader.model.get(filling)?;
            let frame = self.shaper.reader.world(instance.reference("ObjectPlacement")?)?;
            Some(thinnest(&frame, &self.solids(filling).unwrap_or_else(|| solids.clone())))
        })?;
        self.passage(read, &solids, through)
    }

    /// An opening without a filling; none for a recess.
    fn void(&self, read: &mut Read) -> Option<Passage> {
        let host = read.told.host?;
        let solids = self.solids(read.told.element)?;
        let through = self.through(host, &solids)?;
        let passage = self.passage(read, &solids, through)?;
        (passage.area > SMALLEST && self.goes_through(host, &passage, &solids, &mut read.asked))
            .then_some(passage)
    }

    fn solids(&self, id: Id) -> Option<Vec<Solid>> {
        let bodies = self.shaper.gross_bodies(id).ok()?;
        (!bodies.all.is_empty()).then(|| bodies.iter().cloned().collect())
    }

    fn through(&self, host: Id, opening: &[Solid]) -> Option<DVec3> {
        through_host(self.hosts.get(&host)?, opening)
    }

    fn passage(&self, read: &mut Read, solids: &[Solid], through: DVec3) -> Option<Passage> {
        let Told { element, kind, opening, host, .. } = read.told;
        let level = DVec3::Z.cross(through);
        let x = if level.length() > 1e-3 { level } else { DVec3::X };
        let frame = orthonormal(solids.iter().flat_map(Solid::points).next()?, through, x);
        let flat = |p: DVec3| {
            let d = p - frame.translation;
            DVec2::new(d.dot(frame.x_axis), d.dot(frame.y_axis))
        };
        let seen =
            solids.iter().flat_map(|s| &s.faces).filter(|f| f.normal().is_some_and(|n| n.dot(through) > 0.2));
        let loops: Vec<Loop> =
            seen.filter_map(|f| f.loops.first()).map(|l| l.iter().map(|p| flat(*p)).collect()).collect();
        let outline = region::union(&loops);
        let (low, high) = extent(outline.iter().flat_map(|area| &area.outer))?;
        let depths = solids.iter().flat_map(Solid::points).map(|p| (p - frame.translation).dot(through));
        let (near, far) = depths.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        let middle = low.midpoint(high);
        let centre = frame.transform_point3(middle.extend(near.midpoint(far)));
        let (depth, half) = self.host_at(host, centre, through, (far - near) / 2.0, &mut read.asked);
        let frame = DAffine3 { translation: centre + through * depth, ..frame };
        let size = high - low;
        let crossings = self.crossings(&frame, size, half, read);
        Some(Passage {
            element,
            kind,
            opening,
            host,
            frame,
            width: size.x,
            height: size.y,
            area: outline.iter().map(Area::size).sum(),
            outline: outline.into_iter().map(|area| about(area, middle)).collect(),
            crossings,
        })
    }

    /// Returns the place of the host's middle along a line through the opening, from its centre, and half of the host's thickness, in
    /// metres.
    fn host_at(
        &self,
        host: Option<Id>,
        centre: DVec3,
        through: DVec3,
        half: f64,
        asked: &mut Asked,
    ) -> (f64, f64) {
        let reach = half + 0.5;
        let crossed = self.elements.crossed(centre - through * reach, through, 2.0 * reach, asked);
        let own = crossed.iter().filter(|c| Some(c.element) == host).map(|c| (c.from - reach, c.to - reach));
        let range = own.reduce(|(a, b), (c, d)| (a.min(c), b.max(d)));
        range.map_or((0.0, half.min(REACH / 2.0)), |(from, to)| (from.midpoint(to), (to - from) / 2.0))
    }

    fn crossings(&self, frame: &DAffine3, size: DVec2, half: f64, read: &mut Read) -> Vec<Crossing> {
        let mut found: Vec<([Side; 2], u32)> = Vec::new();
        let mut asked = 0_u32;
        for (u, v) in PLACES.iter().flat_map(|u| PLACES.map(|v| (*u, v))) {
            let place = DVec2::new(size.x * (u - 0.5), size.y * (v - 0.5));
            let from = frame.transform_point3(place.extend(0.0));
            let reach = (half + BEYOND).max(REACH);
            let sides = [-frame.z_axis, frame.z_axis].map(|way| self.side(from, way, reach, half, read));
            asked += 1;
            match found.iter_mut().find(|(known, _)| *known == sides) {
                Some((_, count)) => *count += 1,
                None => found.push((sides, 1)),
            }
        }
        let share = |count: u32| f64::from(count) / f64::from(asked.max(1));
        found.retain(|(_, count)| share(*count) >= LEAST_SHARE);
        found.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        found.into_iter().map(|(sides, count)| Crossing { sides, share: share(count) }).collect()
    }

    /// Follows a line from the middle of a passage to its side: the room that it is in just beyond the host, as rooms may reach into
    /// doorways, else the next that it enters.
    fn side(&self, from: DVec3, way: DVec3, reach: f64, half: f64, read: &mut Read) -> Side {
        let asked_at = Bounds::from_points([from, from + way * reach.max(half + 0.02)]);
        read.around = read.around.join(&asked_at);
        if let Some(room) = self.rooms.at(from + way * (half + 0.02)).first() {
            return Side::Room(*room);
        }
        let ray = Ray::new(from, way).map(|ray| ray.up_to(reach));
        let hits = ray.map(|ray| self.rooms.index().hits(&ray)).unwrap_or_default();
        match hits.iter().find(|hit| !hit.is_from_inside(way)) {
            Some(hit) => Side::Room(hit.element.0 as usize),
            None if self.elements.encloses(from + way * (half + 0.1), &mut read.asked) => Side::Building,
            None => Side::Outdoors,
        }
    }

    /// Returns true if an opening is as deep as its host is thick, in its middle.
    fn goes_through(&self, host: Id, passage: &Passage, solids: &[Solid], asked: &mut Asked) -> bool {
        let (centre, through) = (passage.frame.translation, passage.frame.z_axis);
        let depths = solids.iter().flat_map(Solid::points).map(|p| (p - centre).dot(through));
        let (near, far) = depths.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        let reach = far.max(-near) + 0.5;
        let crossed = self.elements.crossed(centre - through * reach, through, 2.0 * reach, asked);
        let own = crossed.iter().filter(|c| c.element == host);
        let slack = 0.005;
        own.map(|c| (c.from - reach, c.to - reach))
            .all(|(from, to)| near <= from + slack && far >= to - slack)
    }
}
