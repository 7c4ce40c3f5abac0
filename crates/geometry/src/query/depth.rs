//! The depth of a penetration: how far one element has to be moved to leave the other, or how thick what they share is.
//!
//! A body is no deeper in another than it is thick between two planes square to a direction. Of the directions of all faces around the
//! shared body those lead out that have a face of one element at one end, and at the other the end of the other element.

use super::{
    crossing::Flat,
    exact::Edges,
    triangle::{Triangle, nearest_on_triangle},
};
use glam::DVec3;
use std::collections::BTreeMap;

/// Directions beyond this number are not tried.
const DIRECTIONS: usize = 96;

/// A convex body is at most so often as thick in its least direction as it has volume to each half of its surface: its inscribed ball has at
/// least 1/(2√3) of its least width as radius (Steinhagen 1922), and its volume is at least a third of that radius times its surface.
const CONVEX: f64 = 5.2;

/// A corner of the shared body, and whose surface bounds it there.
#[derive(Clone, Copy)]
pub(super) struct Corner {
    pub(super) at: DVec3,
    pub(super) bound: u8,
}

const BY_FIRST: u8 = 1;
const BY_SECOND: u8 = 2;
const BOTH: u8 = BY_FIRST | BY_SECOND;

impl Edges {
    /// Whose surface bounds a body at a corner of these edges' mesh.
    pub(super) fn own(self) -> u8 {
        if self == Edges::OfFirst { BY_FIRST } else { BY_SECOND }
    }

    /// Whose surface bounds a body where one of these edges goes through a face.
    pub(super) fn others(self) -> u8 {
        BOTH - self.own()
    }
}

/// A face that is square to a direction.
struct Level {
    /// The heights between which it lies.
    between: [f64; 2],
    own: u8,
    /// 1 where it looks along the direction, 0 where against it.
    side: usize,
    /// The area that lies in the other, in square metres.
    inside: f64,
    corners: Triangle,
}

/// A direction square to faces around the shared body.
pub(super) struct Direction {
    normal: DVec3,
    /// The size of the face that has this normal: of faces that are about parallel, the normal of a splinter is the least certain.
    size: f64,
    /// True if one of its faces bounds the shared body for certain.
    is_shared: bool,
    faces: Vec<Level>,
}

/// An end of the shared body in a direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct End {
    /// Whose surface bounds the body there: whose face lies there, or where none does, whose corners.
    own: u8,
    /// True where faces of both lie in one plane, as the tops of two walls do.
    is_flush: bool,
}

impl End {
    /// Returns true if one can leave the other between these ends: one is the first's surface and the other the second's. Between two that
    /// are flush neither goes into the other.
    fn leads_out(self, other: End) -> bool {
        self.own != 0 && other.own != 0 && self.own | other.own == BOTH && !(self.is_flush && other.is_flush)
    }
}

/// Faces of two bodies that look at each other and have nothing between them.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Contact {
    /// Their area in square metres.
    pub(super) area: f64,
    /// The way on which the second leaves the first there, as long as the area is large.
    pub(super) away: DVec3,
}

/// The directions of many faces, about equal ones as one.
#[derive(Default)]
pub(super) struct Directions(BTreeMap<[i64; 3], Direction>);

impl Directions {
    /// Adds the direction of a face, unless it is known.
    pub(super) fn add(&mut self, face: &Flat) {
        let [size, width] = extent(&face.corners);
        if width < SPLINTER {
            return;
        }
        let key = self.key(face.normal).unwrap_or_else(|| cell(face.normal, 0.0));
        let found = self.0.entry(key).or_insert(Direction {
            normal: face.normal,
            size,
            is_shared: false,
            faces: Vec::new(),
        });
        found.is_shared |= face.shared;
        if found.size < size {
            (found.normal, found.size) = (face.normal, size);
        }
    }

    /// Adds a face of one of the meshes to the direction that it is square to, if that is known.
    pub(super) fn stand(&mut self, face: &Flat, of: Edges) {
        let Some(direction) = self.key(face.normal).and_then(|key| self.0.get_mut(&key)) else { return };
        let [a, b, c] = face.corners.map(|p| p.dot(direction.normal));
        let between = [a.min(b).min(c), a.max(b).max(c)];
        direction.faces.push(Level {
            between,
            own: of.own(),
            side: usize::from(face.normal.dot(direction.normal) > 0.0),
            inside: face.inside,
            corners: face.corners,
        });
    }

    /// The key under which a direction or its opposite is known. Directions on either side of a cell's edge are about equal, too.
    fn key(&self, normal: DVec3) -> Option<[i64; 3]> {
        let cells = [normal, -normal].into_iter().flat_map(|n| {
            let [low, high] = [cell(n, -BESIDE), cell(n, BESIDE)];
            (0..8).map(move |corner| {
                std::array::from_fn(|i| if corner >> i & 1 == 0 { low[i] } else { high[i] })
            })
        });
        let mut known = cells.filter(|key| self.0.contains_key(key));
        known.next()
    }

    /// Returns where faces of the two that look at each other lie in one plane, as far as they bound the shared body: where bodies stand on
    /// each other rounding says that they do or do not.
    pub(super) fn contact(&self) -> Contact {
        self.0.values().map(Direction::contact).fold(Contact::default(), |all, own| Contact {
            area: all.area + own.area,
            away: all.away + own.away,
        })
    }

    /// Returns the directions of faces that bound the shared body, of very many those of the largest faces. A face that only may do so has to
    /// lie at an end of it.
    pub(super) fn finish(self, corners: &[Corner]) -> Vec<Direction> {
        let mut all: Vec<Direction> = self.0.into_values().collect();
        all.retain(|direction| direction.is_shared || direction.is_at_an_end(corners));
        if all.len() > DIRECTIONS {
            all.sort_by(|a, b| b.size.total_cmp(&a.size));
            all.truncate(DIRECTIONS);
        }
        all
    }
}

/// Cells of directions in each unit of length, and the share of one within which a direction may be of the next, too.
const CELLS: f64 = 500.0;
const BESIDE: f64 = 0.05;
/// Faces narrower than this, in metres, have a direction of their own only by rounding.
const SPLINTER: f64 = 1e-5;

fn cell(normal: DVec3, more: f64) -> [i64; 3] {
    normal.to_array().map(|v| (v * CELLS + more).round() as i64)
}

/// Faces whose heights differ by no more than this, in metres, lie in one plane.
const FLAT: f64 = 1e-7;

/// Heights that are no farther apart than this are one, of a body between two heights.
fn reach_of([low, high]: [f64; 2]) -> f64 {
    (1e-6 * (high - low)).max(1e-7)
}

/// The area of a triangle and its least height.
fn extent(&[a, b, c]: &[DVec3; 3]) -> [f64; 2] {
    let twice = (b - a).cross(c - a).length();
    let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
    [twice / 2.0, if longest > 0.0 { twice / longest } else { 0.0 }]
}

impl Direction {
    fn contact(&self) -> Contact {
        let is_flat = |f: &&Level| f.inside != 0.0 && f.between[1] - f.between[0] <= FLAT;
        let mut faces: Vec<&Level> = self.faces.iter().filter(is_flat).collect();
        faces.sort_by(|a, b| a.between[0].total_cmp(&b.between[0]));
        let planes = faces.chunk_by(|a, b| b.between[0] - a.between[0] <= FLAT);
        let mut contact = Contact::default();
        for plane in planes {
            let size = |own: u8, side: usize| {
                let own = plane.iter().filter(|f| f.own == own && f.side == side);
                own.map(|f| f.inside).sum::<f64>().abs()
            };
            let along = size(BY_FIRST, 1).min(size(BY_SECOND, 0));
            let against = size(BY_FIRST, 0).min(size(BY_SECOND, 1));
            contact.area += along + against;
            contact.away += self.normal * (along - against);
        }
        contact
    }

    /// Returns the heights between which the corners lie.
    fn extent(&self, corners: &[Corner]) -> [f64; 2] {
        let heights = corners.iter().map(|c| c.at.dot(self.normal));
        heights.fold([f64::MAX, f64::MIN], |[low, high], h| [low.min(h), high.max(h)])
    }

    /// Returns the end of the body at a height.
    fn end(&self, corners: &[Corner], at: f64, reach: f64) -> End {
        let there = self.corners_at(corners, at, reach);
        match self.faces_at(&there, at, reach) {
            0 => End { own: there.iter().fold(0, |all, c| all | c.bound), is_flush: false },
            own => End { own, is_flush: own == BOTH },
        }
    }

    fn corners_at(&self, corners: &[Corner], at: f64, reach: f64) -> Vec<Corner> {
        corners.iter().filter(|c| (c.at.dot(self.normal) - at).abs() <= reach).copied().collect()
    }

    /// Returns whose faces lie at a height and have one of these corners on them. That is asked of their places: which of two faces that
    /// lie on each other bounds the shared body is chosen by rounding.
    fn faces_at(&self, there: &[Corner], at: f64, reach: f64) -> u8 {
        let level = self.faces.iter().filter(|f| f.between.iter().all(|h| (h - at).abs() <= reach));
        let touches =
            |f: &&Level| there.iter().any(|c| c.at.distance(nearest_on_triangle(c.at, f.corners)) <= reach);
        level.filter(touches).fold(0, |all, f| all | f.own)
    }

    /// Returns true if a face lies at an end of the body.
    fn is_at_an_end(&self, corners: &[Corner]) -> bool {
        let ends = self.extent(corners);
        let reach = reach_of(ends);
        ends.into_iter().any(|at| self.faces_at(&self.corners_at(corners, at, reach), at, reach) != 0)
    }
}

/// Returns the least way out along one of the directions, in metres; where none leads out, the least thickness. Where `mean`, the mean depth
/// behind the faces, is less than that of any convex body so thick, the body is a rim, and `mean` is its depth.
pub(super) fn depth(corners: &[Corner], directions: &[Direction], mean: f64) -> f64 {
    let (mut out, mut flush, mut through) = (f64::INFINITY, f64::INFINITY, f64::INFINITY);
    for direction in directions {
        let [low, high] = direction.extent(corners);
        let thick = high - low;
        through = through.min(thick);
        if thick >= out {
            continue;
        }
        let reach = reach_of([low, high]);
        if thick <= reach {
            // both ends are one plane: surfaces that only lie on each other
            return thick;
        }
        let [foot, top] = [low, high].map(|at| direction.end(corners, at, reach));
        if foot.is_flush || top.is_flush {
            flush = if foot.leads_out(top) { flush.min(thick) } else { flush };
        } else if foot.leads_out(top) {
            out = thick;
        }
    }
    // a cabinet leaves the thin floor that it stands through upwards, but a wall does not leave one that it crosses over its top
    let out = if flush <= through { flush } else { out };
    let depth = if out.is_finite() { out } else { through };
    match depth.is_finite() {
        true if depth.min(through) > CONVEX * mean => mean,
        true => depth,
        false => 0.0,
    }
}
