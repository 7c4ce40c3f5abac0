//! The part that two elements share: the volume, exactly, and how thick the shared body is, without building it.
//!
//! The shared body's surface is made of the parts of either surface that lie in the other. By the divergence theorem its volume
//! is a sum over the corners, edges and crossings of these parts alone (Franklin and Kankanhalli 1993), to which every corner and
//! every crossing adds by itself: nothing has to be sorted, joined or closed. That the sum of the parts' vector areas is zero
//! shows that none is missing. Which parts lie inside is decided by [`super::exact`].

use super::{
    Element,
    crossing::{Flat, cross_triangles, direction},
    depth::{Contact, Corner, Direction, Directions, depth},
    exact::{self, Edges},
    inside::around,
    near::middle,
};
use crate::{csg, math::Bounds};
use glam::DVec3;
use std::collections::HashMap;

/// The body that two elements share.
#[derive(Debug, Clone, PartialEq)]
pub struct Overlap {
    /// The shared volume in cubic metres; nothing where one of the two does not enclose any, or where the surfaces contradict
    /// themselves.
    pub volume: Option<f64>,
    /// The depth of the penetration in metres: the least way, square to a face that bounds what is shared, on which the shared
    /// body comes out of the other element. A beam that ends 50 mm deep in a wall has 50 mm. Where there is no way out, as for
    /// a pipe that goes right through, the least thickness of the shared body: the pipe's or the wall's.
    pub depth: f64,
    /// The box around what is shared.
    pub bounds: Bounds,
}

/// One of the two, as far as it comes near the other. Coordinates are less the common origin.
struct Part<'e> {
    element: &'e Element,
    origin: DVec3,
    of: Edges,
    /// The place in the list of each triangle that comes near.
    places: HashMap<u32, usize>,
    flat: Vec<Flat>,
}

/// The sums over one of the surfaces.
#[derive(Default)]
struct Sums {
    volume: f64,
    area: f64,
    gap: DVec3,
}

impl Sums {
    /// Adds twice the area that a boundary from `p` to `q` sweeps about the triangle's first corner.
    fn add(&mut self, t: &mut Flat, p: DVec3, q: DVec3, times: f64) {
        let v = t.corners[0];
        let twice = times * t.normal.dot((p - v).cross(q - v));
        self.volume += t.normal.dot(v) * twice / 6.0;
        self.area += twice / 2.0;
        t.inside += twice / 2.0;
        self.gap += t.normal * (twice / 2.0);
    }
}

impl<'e> Part<'e> {
    fn new(element: &'e Element, other: &Bounds, origin: DVec3, of: Edges) -> Part<'e> {
        let mut part = Part { element, origin, of, places: HashMap::new(), flat: Vec::new() };
        element.tree().each(
            |b| b.meets(other, MARGIN),
            |number| {
                let world = element.triangle(number, DVec3::ZERO);
                let meets = world.is_some_and(|t| Bounds::from_points(t).meets(other, MARGIN));
                if let (true, Some(corners)) = (meets, element.triangle(number, origin))
                    && exact::has_area(corners)
                    && let Some(normal) = direction(corners)
                {
                    part.places.insert(number, part.flat.len());
                    part.flat.push(Flat {
                        corners,
                        bounds: Bounds::from_points(corners),
                        normal,
                        shared: false,
                        inside: 0.0,
                    });
                }
            },
        );
        part
    }
}

/// Ways in which the second element is really moved when its surface or the first's has cracks where edges of the other lie:
/// far more than rounding leaves open, far less than anybody builds. In metres.
const NUDGES: [DVec3; 3] =
    [DVec3::ZERO, DVec3::new(0.73e-8, 0.41e-8, 0.97e-8), DVec3::new(-0.53e-8, 0.89e-8, -0.37e-8)];

/// Boxes are this much wider than what they hold when the other is looked for in them, in metres.
const MARGIN: f64 = 1e-7;

/// Returns the body that two elements share. `None` where their surfaces neither cross nor one lies in the other.
pub fn overlap(a: &Element, b: &Element) -> Option<Overlap> {
    if !a.bounds().meets(&b.bounds(), 0.0) {
        return None;
    }
    let solid = a.is_solid() && b.is_solid();
    let mut shared = Shared::new(a, b, NUDGES[0]);
    for nudge in NUDGES.into_iter().skip(1) {
        if !solid || shared.is_whole() {
            break;
        }
        shared = Shared::new(a, b, nudge);
    }
    if shared.corners.is_empty() {
        return None;
    }
    let bounds = Bounds::from_points(shared.corners.iter().map(|c| c.at + shared.origin));
    let (a_volume, b_volume) = (a.measures().volume, b.measures().volume);
    let summed = (shared.first.volume + shared.second.volume) * a_volume.signum() * b_volume.signum();
    // bodies of one element that overlap each other count twice there: sometimes the sum tells
    let DVec3 { x, y, z } = bounds.size();
    let most = (x * y * z).min(a_volume.abs()).min(b_volume.abs());
    let is_sum = shared.is_simple && shared.is_whole() && summed <= most + 1e-6 * (most + area_of(&bounds));
    let volume = match (solid, is_sum) {
        (false, _) => None,
        (true, true) => Some(summed),
        (true, false) => csg::shared_volume(a.mesh(), b.mesh()).ok(),
    };
    let Contact { area, away } = shared.contact;
    let (depth, bounds) = match (volume, away.try_normalize()) {
        // they only lie on each other
        (Some(volume), _) if volume <= ROUNDING * (1.0 + area) => (volume.max(0.0) / area.max(1.0), bounds),
        (Some(volume), Some(away)) if is_sum => {
            Shared::apart(a, b, away * APART, volume).unwrap_or_else(|| (shared.depth(Some(volume)), bounds))
        }
        _ => (shared.depth(volume.filter(|_| is_sum)), bounds),
    };
    Some(Overlap { volume, depth, bounds })
}

/// The way, in metres, on which two that lie on each other in places are moved from each other there, before it is asked how deep they go
/// into each other elsewhere: what they share where they only touch would else count as far as it reaches.
const APART: f64 = 2e-7;
/// The share by which a volume may differ when the two are moved so.
const SAME: f64 = 1e-3;
/// A shared volume in cubic metres, for each square metre of contact, that rounding leaves.
const ROUNDING: f64 = 1e-9;

/// The surface of a box in square metres.
fn area_of(b: &Bounds) -> f64 {
    let DVec3 { x, y, z } = b.size();
    2.0 * (x * y + y * z + z * x)
}

/// The parts found of the shared body.
struct Shared {
    origin: DVec3,
    first: Sums,
    second: Sums,
    corners: Vec<Corner>,
    directions: Vec<Direction>,
    /// The area in which the two only lie on each other, as far as it was counted with either surface.
    contact: Contact,
    /// True if each surface winds once around whatever it winds around.
    is_simple: bool,
}

impl Shared {
    /// Returns true if the parts of both surfaces close.
    fn is_whole(&self) -> bool {
        let gap = (self.first.gap + self.second.gap).length();
        gap <= 1e-6 * (self.first.area.abs() + self.second.area.abs()) + 1e-9
    }

    /// The mean depth of the shared volume behind the faces of the one that has fewer of them there. Faces with nothing between them and the
    /// other's have no volume behind them.
    fn mean_depth(&self, volume: f64) -> f64 {
        volume / (self.first.area.abs().min(self.second.area.abs()) - self.contact.area)
    }

    /// How deep the two go into each other, where they share so much.
    fn depth(&self, volume: Option<f64>) -> f64 {
        let mean = volume.map(|v| self.mean_depth(v)).filter(|mean| *mean > 0.0);
        depth(&self.corners, &self.directions, mean.unwrap_or(f64::INFINITY))
    }

    /// How deep the two go into each other where they do not only lie on each other, and the box around that; nothing where the parts found
    /// are not those of the same volume.
    fn apart(a: &Element, b: &Element, way: DVec3, volume: f64) -> Option<(f64, Bounds)> {
        let apart = Shared::new(a, b, way);
        let found = (apart.first.volume + apart.second.volume).abs();
        let is_same = apart.is_whole() && (found - volume.abs()).abs() <= SAME * volume.abs();
        let bounds = Bounds::from_points(apart.corners.iter().map(|c| c.at + apart.origin));
        (is_same && !apart.corners.is_empty()).then(|| (apart.depth(Some(volume)), bounds))
    }

    fn new(a: &Element, b: &Element, nudge: DVec3) -> Shared {
        let (a_box, b_box) = (a.bounds(), b.bounds());
        let origin = middle(&a_box, &b_box);
        let mut first = Part::new(a, &b_box, origin, Edges::OfFirst);
        let mut second = Part::new(b, &a_box, origin - nudge, Edges::OfSecond);
        let mut shared = Shared {
            origin,
            first: Sums::default(),
            second: Sums::default(),
            corners: Vec::new(),
            directions: Vec::new(),
            contact: Contact::default(),
            is_simple: true,
        };
        a.tree().pairs(b.tree(), MARGIN, |left, right| {
            for l in left {
                let Some(&i) = first.places.get(l) else { continue };
                let Some(s) = first.flat.get_mut(i) else { continue };
                for r in right {
                    let Some(&j) = second.places.get(r) else { continue };
                    let Some(t) = second.flat.get_mut(j) else { continue };
                    if s.bounds.meets(&t.bounds, 0.0) {
                        shared.cross(s, t);
                    }
                }
            }
        });
        shared.corners_inside(&mut first, &second);
        shared.corners_inside(&mut second, &first);
        let directions = directions(&[first, second], &shared.corners);
        shared.contact = directions.contact();
        shared.directions = directions.finish(&shared.corners);
        shared
    }

    /// Adds what two triangles have in common.
    fn cross(&mut self, s: &mut Flat, t: &mut Flat) {
        let Some(ends) = cross_triangles(s, t) else { return };
        // in the first triangle the shared part's boundary runs along the crossing from where an edge of its own leaves the other
        // body, or an edge of the other enters this one
        let [one, other] = ends;
        let is_start = (one.of == Edges::OfFirst) == (one.step < 0);
        let [p, q] = if is_start { [one.at, other.at] } else { [other.at, one.at] };
        self.first.add(s, p, q, 1.0);
        self.second.add(t, q, p, 1.0);
        for end in ends {
            let (sums, of) = match end.of {
                Edges::OfFirst => (&mut self.first, &mut *s),
                Edges::OfSecond => (&mut self.second, &mut *t),
            };
            sums.add(of, end.at, end.to, f64::from(end.step));
            self.corners.push(Corner { at: end.at, bound: end.of.others() });
        }
        (s.shared, t.shared) = (true, true);
    }

    /// Adds what the corners of one add that lie inside the other.
    fn corners_inside(&mut self, part: &mut Part<'_>, other: &Part<'_>) {
        if !other.element.is_solid() {
            return;
        }
        let within = other.element.bounds();
        let sums = if part.of == Edges::OfFirst { &mut self.first } else { &mut self.second };
        let mut known: HashMap<[u64; 3], i32> = HashMap::new();
        for t in &mut part.flat {
            for (i, j) in [(0, 1), (1, 2), (2, 0)] {
                let p = t.corners[i];
                if !around(&within, p + other.origin, MARGIN) {
                    continue;
                }
                let times = *known.entry(p.to_array().map(f64::to_bits)).or_insert_with(|| {
                    let times = other.element.winding(p, other.origin, part.of);
                    if times != 0 {
                        self.corners.push(Corner { at: p, bound: part.of.own() });
                    }
                    times
                });
                if times != 0 {
                    t.shared = true;
                    self.is_simple &= times.abs() == 1;
                    let q = t.corners[j];
                    sums.add(t, p, q, f64::from(times));
                }
            }
        }
    }
}

/// The directions of the faces that bound what is shared or lie beside it, for which of two faces that lie on each other bounds it is
/// chosen by rounding. A surface without inside has no thickness to measure by.
fn directions(parts: &[Part<'_>; 2], corners: &[Corner]) -> Directions {
    let any = parts.iter().any(|part| part.element.is_solid());
    let around = Bounds::from_points(corners.iter().map(|c| c.at));
    let mut found = Directions::default();
    let faces = || {
        let parts = parts.iter().filter(|part| !any || part.element.is_solid());
        parts.flat_map(|part| part.flat.iter().map(|t| (t, part.of)))
    };
    // a surface bounds nothing: faces beside it that run as it does would say that it has no depth in a body
    let all = parts.iter().all(|part| part.element.is_solid());
    for (face, _) in faces().filter(|(t, _)| t.shared || (all && t.bounds.meets(&around, MARGIN))) {
        found.add(face);
    }
    faces().for_each(|(face, of)| found.stand(face, of));
    found
}
