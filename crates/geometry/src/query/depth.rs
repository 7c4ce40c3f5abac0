//! The depth of a penetration: how far one element has to be moved to leave the other, or how thick what they share is.
//!
//! A body is no deeper in another than it is thick between two planes square to a direction. Of the directions of all faces around the
//! shared body those lead out that have a face of one element at one end, and at the other the end of the other element.

use super::{crossing::Flat, exact::Edges};
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

impl Edges {
    /// Whose surface bounds a body at a corner of these edges' mesh.
    pub(super) fn own(self) -> u8 {
        if self == Edges::OfFirst { BY_FIRST } else { BY_SECOND }
    }

    /// Whose surface bounds a body where one of these edges goes through a face.
    pub(super) fn others(self) -> u8 {
        BY_FIRST + BY_SECOND - self.own()
    }
}

/// A face that is square to a direction.
struct Level {
    /// The heights between which it lies.
    between: [f64; 2],
    own: u8,
    /// True if it bounds the shared body.
    bounds: bool,
}

/// A direction square to faces that bound the shared body.
pub(super) struct Direction {
    normal: DVec3,
    faces: Vec<Level>,
}

/// The directions of many faces, about equal ones as one.
#[derive(Default)]
pub(super) struct Directions(BTreeMap<[i64; 3], Direction>);

impl Directions {
    /// Adds a face of one of the meshes: with its direction if it bounds the shared body, else to a direction that is known.
    pub(super) fn add(&mut self, face: &Flat, of: Edges) {
        let turn = face.normal.to_array().iter().find(|v| v.abs() > 1e-3).map_or(1.0, |v| v.signum());
        let normal = face.normal * turn;
        let key = normal.to_array().map(|v| (v * 500.0).round() as i64);
        if face.shared {
            self.0.entry(key).or_insert(Direction { normal, faces: Vec::new() });
        }
        if let Some(direction) = self.0.get_mut(&key) {
            let [a, b, c] = face.corners.map(|p| p.dot(direction.normal));
            let between = [a.min(b).min(c), a.max(b).max(c)];
            direction.faces.push(Level { between, own: of.own(), bounds: face.shared });
        }
    }

    /// Returns the directions, of very many some.
    pub(super) fn finish(self) -> Vec<Direction> {
        let step = self.0.len().div_ceil(DIRECTIONS).max(1);
        self.0.into_values().step_by(step).collect()
    }
}

impl Direction {
    /// Returns the heights between which the corners lie.
    fn extent(&self, corners: &[Corner]) -> [f64; 2] {
        let heights = corners.iter().map(|c| c.at.dot(self.normal));
        heights.fold([f64::MAX, f64::MIN], |[low, high], h| [low.min(h), high.max(h)])
    }

    /// Returns whose surface bounds the body at a height: whose face lies there, or where none does, whose corners. Nobody's where faces
    /// of both lie in one plane, as the tops of two walls do: neither goes into the other there.
    fn bound(&self, corners: &[Corner], at: f64, reach: f64) -> u8 {
        let is_there = |h: f64| (h - at).abs() <= reach;
        let faces = || self.faces.iter().filter(|f| f.between.into_iter().all(is_there));
        if faces().any(|f| f.bounds) {
            let all = faces().fold(0, |all, f| all | f.own);
            return if all == BY_FIRST | BY_SECOND { 0 } else { all };
        }
        let there = corners.iter().filter(|c| is_there(c.at.dot(self.normal)));
        there.fold(0, |all, c| all | c.bound)
    }
}

/// Returns the least way out along one of the directions, in metres; where none leads out, the least thickness. Where `mean`, the mean depth
/// behind the faces, is less than that of any convex body so thick, the body is a rim, and `mean` is its depth.
pub(super) fn depth(corners: &[Corner], directions: &[Direction], mean: f64) -> f64 {
    let (mut out, mut through) = (f64::INFINITY, f64::INFINITY);
    for direction in directions {
        let [low, high] = direction.extent(corners);
        let thick = high - low;
        through = through.min(thick);
        if thick >= out {
            continue;
        }
        let reach = (1e-6 * thick).max(1e-7);
        if thick <= reach {
            // both ends are one plane: surfaces that only lie on each other
            return thick;
        }
        let bound = |at: f64| direction.bound(corners, at, reach);
        // one end is the first's surface and the other the second's
        let (foot, top) = (bound(low), bound(high));
        if foot != 0 && top != 0 && foot | top == BY_FIRST | BY_SECOND {
            out = thick;
        }
    }
    let depth = if out.is_finite() { out } else { through };
    match depth.is_finite() {
        true if depth.min(through) > CONVEX * mean => mean,
        true => depth,
        false => 0.0,
    }
}
