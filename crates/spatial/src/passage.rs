//! Doors, windows and openings, with the rooms on both sides of each.
//!
//! Lines through an opening are followed to both sides until they enter a room. An opening that wholly lies within one room, or a
//! recess that does not go through its host, leads nowhere.

use crate::{
    Rooms,
    elements::Elements,
    facet::extent,
    through::{directions, thinnest, through_host},
};
use geometry::{
    Shaper, Solid,
    math::orthonormal,
    query::Ray,
    region::{self, Area, Loop},
};
use glam::{DAffine3, DVec2, DVec3};
use ifc::{Id, Value, relations::Links};
use std::collections::HashMap;

/// The kind of a passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PassageKind {
    /// An IfcDoor.
    Door,
    /// An IfcWindow.
    Window,
    /// An opening that nothing fills.
    Opening,
}

/// One side of a passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// A room, by its place in [`Rooms::rooms`].
    Room(usize),
    /// The open air.
    Outdoors,
    /// A part of the building without a room.
    Building,
}

/// The two sides of a part of a passage.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Crossing {
    /// The side that the passage's z axis comes from, and the one that it goes to.
    pub sides: [Side; 2],
    /// The part of the passage that lies between these two, from 0 to 1.
    pub share: f64,
}

/// A door, a window or an opening.
#[derive(Debug, Clone, PartialEq)]
pub struct Passage {
    /// The door or window, else the opening.
    pub element: Id,
    /// Its kind.
    pub kind: PassageKind,
    /// The IfcOpeningElement; a door in a curtain wall has none.
    pub opening: Option<Id>,
    /// The wall, slab or other element that is opened.
    pub host: Option<Id>,
    /// The middle; z goes through, x runs along the host, y up.
    pub frame: DAffine3,
    /// Width of the opening in metres, along x.
    pub width: f64,
    /// Height of the opening in metres, along y; in a slab the other of its two lengths.
    pub height: f64,
    /// Area of the opening in m².
    pub area: f64,
    /// The sides, the largest part first.
    pub crossings: Vec<Crossing>,
}

impl Passage {
    /// The height of its lowest point, in metres of the world.
    pub fn sill(&self) -> f64 {
        self.frame.translation.z - self.frame.y_axis.z.abs() * self.height / 2.0
    }

    /// True if it opens a slab or roof and not a wall.
    pub fn is_level(&self) -> bool {
        self.frame.z_axis.z.abs() > 0.7
    }

    /// The rooms that it opens, each with the other side and its share of the passage.
    pub fn from_room(&self, room: usize) -> impl Iterator<Item = (Side, f64)> {
        let own = Side::Room(room);
        self.crossings.iter().filter_map(move |c| match c.sides {
            [a, b] if a == own && b != own => Some((b, c.share)),
            [a, b] if b == own && a != own => Some((a, c.share)),
            _ => None,
        })
    }

    /// The direction out of a room, at length one.
    pub fn outward(&self, room: usize) -> DVec3 {
        let ends_in = |c: &&Crossing| c.sides[1] == Side::Room(room);
        if self.crossings.iter().any(|c| ends_in(&c)) { -self.frame.z_axis } else { self.frame.z_axis }
    }
}

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

/// All doors and windows, and the openings that nothing fills and that go through.
pub fn passages(shaper: &Shaper<'_>, links: &Links<'_>, elements: &Elements, rooms: &Rooms) -> Vec<Passage> {
    let model = shaper.reader.model;
    let mut reader = PassageReader { shaper, links, elements, rooms, hosts: HashMap::new() };
    let mut found = Vec::new();
    for (class, kind) in [("IfcDoor", PassageKind::Door), ("IfcWindow", PassageKind::Window)] {
        for filling in model.of_class(class) {
            found.extend(reader.filling(filling, kind));
        }
    }
    for opening in model.of_class("IfcOpeningElement") {
        found.extend(reader.void(opening));
    }
    found
}

struct PassageReader<'a> {
    shaper: &'a Shaper<'a>,
    links: &'a Links<'a>,
    elements: &'a Elements,
    rooms: &'a Rooms,
    /// The directions of hosts' faces.
    hosts: HashMap<Id, Vec<(DVec3, f64)>>,
}

impl PassageReader<'_> {
    fn filling(&mut self, filling: Id, kind: PassageKind) -> Option<Passage> {
        let opening = self.links.opening_of_filling(filling);
        // what shares an opening with others is asked by its own body
        let alone = opening.filter(|o| self.links.fillings_of(*o).len() == 1);
        let solids = alone.and_then(|o| self.solids(o)).or_else(|| self.solids(filling))?;
        let host = opening.and_then(|o| self.links.host_of_opening(o));
        let through = host.and_then(|h| self.through(h, &solids)).or_else(|| {
            let instance = self.shaper.reader.model.get(filling)?;
            let frame = self.shaper.reader.world(instance.reference("ObjectPlacement")?)?;
            Some(thinnest(&frame, &self.solids(filling).unwrap_or_else(|| solids.clone())))
        })?;
        let passage = self.passage(filling, kind, (opening, host), &solids, through)?;
        Some(passage)
    }

    /// An opening without a filling; none for a recess.
    fn void(&mut self, opening: Id) -> Option<Passage> {
        let instance = self.shaper.reader.model.get(opening)?;
        let is_recess = matches!(instance.attr("PredefinedType"), Value::Enum(kind) if kind == "RECESS");
        let host = self.links.host_of_opening(opening)?;
        if is_recess || !self.links.fillings_of(opening).is_empty() {
            return None;
        }
        let solids = self.solids(opening)?;
        let through = self.through(host, &solids)?;
        let passage =
            self.passage(opening, PassageKind::Opening, (Some(opening), Some(host)), &solids, through)?;
        (passage.area > SMALLEST && self.goes_through(host, &passage, &solids)).then_some(passage)
    }

    fn solids(&self, id: Id) -> Option<Vec<Solid>> {
        let bodies = self.shaper.gross_bodies(id).ok()?;
        (!bodies.all.is_empty()).then(|| bodies.iter().cloned().collect())
    }

    fn through(&mut self, host: Id, opening: &[Solid]) -> Option<DVec3> {
        let known = self.hosts.entry(host).or_insert_with(|| directions(self.shaper, host));
        through_host(known, opening)
    }

    fn passage(
        &self,
        element: Id,
        kind: PassageKind,
        (opening, host): (Option<Id>, Option<Id>),
        solids: &[Solid],
        through: DVec3,
    ) -> Option<Passage> {
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
        let (depth, half) = self.host_at(host, centre, through, (far - near) / 2.0);
        let frame = DAffine3 { translation: centre + through * depth, ..frame };
        let size = high - low;
        let crossings = self.crossings(&frame, size, half);
        Some(Passage {
            element,
            kind,
            opening,
            host,
            frame,
            width: size.x,
            height: size.y,
            area: outline.iter().map(Area::size).sum(),
            crossings,
        })
    }

    /// Returns the place of the host's middle along a line through the opening, from its centre, and half of the host's thickness, in
    /// metres.
    fn host_at(&self, host: Option<Id>, centre: DVec3, through: DVec3, half: f64) -> (f64, f64) {
        let reach = half + 0.5;
        let crossed = self.elements.crossed(centre - through * reach, through, 2.0 * reach);
        let own = crossed.iter().filter(|c| Some(c.element) == host).map(|c| (c.from - reach, c.to - reach));
        let range = own.reduce(|(a, b), (c, d)| (a.min(c), b.max(d)));
        range.map_or((0.0, half.min(REACH / 2.0)), |(from, to)| (from.midpoint(to), (to - from) / 2.0))
    }

    fn crossings(&self, frame: &DAffine3, size: DVec2, half: f64) -> Vec<Crossing> {
        let mut found: Vec<([Side; 2], u32)> = Vec::new();
        let mut asked = 0_u32;
        for (u, v) in PLACES.iter().flat_map(|u| PLACES.map(|v| (*u, v))) {
            let place = DVec2::new(size.x * (u - 0.5), size.y * (v - 0.5));
            let from = frame.transform_point3(place.extend(0.0));
            let reach = (half + BEYOND).max(REACH);
            let sides = [-frame.z_axis, frame.z_axis].map(|way| self.side(from, way, reach, half));
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
    fn side(&self, from: DVec3, way: DVec3, reach: f64, half: f64) -> Side {
        if let Some(room) = self.rooms.at(from + way * (half + 0.02)).first() {
            return Side::Room(*room);
        }
        let ray = Ray::new(from, way).map(|ray| ray.up_to(reach));
        let hits = ray.map(|ray| self.rooms.index().hits(&ray)).unwrap_or_default();
        match hits.iter().find(|hit| !hit.is_from_inside(way)) {
            Some(hit) => Side::Room(hit.element.0 as usize),
            None if self.elements.encloses(from + way * (half + 0.1)) => Side::Building,
            None => Side::Outdoors,
        }
    }

    /// Returns true if an opening is as deep as its host is thick, in its middle.
    fn goes_through(&self, host: Id, passage: &Passage, solids: &[Solid]) -> bool {
        let (centre, through) = (passage.frame.translation, passage.frame.z_axis);
        let depths = solids.iter().flat_map(Solid::points).map(|p| (p - centre).dot(through));
        let (near, far) = depths.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        let reach = far.max(-near) + 0.5;
        let crossed = self.elements.crossed(centre - through * reach, through, 2.0 * reach);
        let own = crossed.iter().filter(|c| c.element == host);
        let slack = 0.005;
        own.map(|c| (c.from - reach, c.to - reach))
            .all(|(from, to)| near <= from + slack && far >= to - slack)
    }
}
