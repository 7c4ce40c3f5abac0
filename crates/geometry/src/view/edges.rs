//! Lines that may be seen, flat.

use super::Flat;
use crate::{section::Plane, wire::Wire};
use glam::DVec2;

/// The shortest line that is drawn, in metres.
const SHORT: f64 = 1e-4;

/// A line that may be seen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Edge {
    /// Its ends.
    pub ends: [Flat; 2],
}

impl Edge {
    /// Keeps what lies between two depths; whether something does.
    pub(super) fn clip(&mut self, near: f64, far: f64) -> bool {
        let [a, b] = self.ends;
        let (mut from, mut to) = (0.0_f64, 1.0_f64);
        for (start, end) in [(a.z - near, b.z - near), (far - a.z, far - b.z)] {
            if start < 0.0 && end < 0.0 {
                return false;
            }
            if start < 0.0 {
                from = from.max(start / (start - end));
            }
            if end < 0.0 {
                to = to.min(start / (start - end));
            }
        }
        self.ends = [self.at(from), self.at(to)];
        from < to
    }

    /// The point at a share of its length.
    pub(super) fn at(&self, t: f64) -> Flat {
        let [a, b] = self.ends;
        a + (b - a) * t
    }

    /// The length of it on the plane.
    pub(super) fn long(&self) -> f64 {
        let [a, b] = self.ends;
        (b - a).truncate().length()
    }

    /// A part of it on the plane, unless it is too short to be drawn.
    pub(super) fn part(&self, from: f64, to: f64) -> Option<[DVec2; 2]> {
        if (to - from) * self.long() < SHORT {
            return None;
        }
        let (a, b) = (self.at(from), self.at(to));
        Some([a.truncate(), b.truncate()])
    }
}

/// The lines of a wire in a plane, as the plane's viewer sees them.
pub(super) fn lines(wire: &Wire, plane: &Plane, crease: f64) -> Vec<Edge> {
    let flat: Vec<Flat> = wire.points().iter().map(|p| super::laid(*p, plane)).collect();
    let edge = |corners: [u32; 2]| {
        let [a, b] = corners.map(|corner| flat.get(corner as usize).copied());
        Some(Edge { ends: [a?, b?] })
    };
    let seen = wire.seen_from(plane.frame().z_axis, crease).filter_map(edge);
    seen.filter(|edge| edge.long() >= SHORT).collect()
}
