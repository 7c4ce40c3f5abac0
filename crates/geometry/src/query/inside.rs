//! Tells if a point is in a body, by how often the surface winds around it, so that bodies that overlap within one element do not
//! cancel each other, and gaps of a surface that nearly closes do not turn the answer.

use super::{
    Element, Index,
    exact::{self, Edges},
    triangle::Triangle,
};
use crate::math::Bounds;
use glam::DVec3;
use ifc::Id;
use std::f64::consts::PI;

/// A direction that no building is drawn in.
const ASKEW: DVec3 = DVec3::new(0.211_324_87, 0.371_748_03, 0.903_992_61);

impl Element {
    /// Returns true if a point lies in the element. Of a closed surface that is exact, and a point in the surface
    /// itself counts to one side or the other; of one with gaps it is so where the surface covers more than half of
    /// what one sees from the point.
    pub fn contains(&self, p: DVec3) -> bool {
        if !around(&self.bounds(), p, 0.0) {
            return false;
        }
        if self.is_solid() { self.winding(DVec3::ZERO, p, Edges::OfFirst) != 0 } else { self.covers(p) }
    }

    /// Returns the number of times that a closed surface winds around the point `p + origin`: 1 inside a body, 0 outside, -1 inside a body that is
    /// inside out. `of` says whether the point is the first mesh's or the second's.
    pub(super) fn winding(&self, p: DVec3, origin: DVec3, of: Edges) -> i32 {
        let bounds = self.bounds();
        let way = ASKEW * (2.0 * bounds.size().length() + 1.0);
        let (start, end) = (p + origin, p + origin + way);
        let edge = [p, p + way];
        let reached = |b: &Bounds| {
            let (mut from, mut to) = (0.0_f64, 1.0_f64);
            for i in 0..3 {
                // the way goes up along each axis
                from = from.max((b.min[i] - start[i]) / (end[i] - start[i]));
                to = to.min((b.max[i] - start[i]) / (end[i] - start[i]));
            }
            from <= to + 1e-9
        };
        let mut steps = 0;
        self.tree().each(reached, |number| {
            if let Some(t) = self.triangle(number, origin) {
                steps += exact::step(edge, t, of);
            }
        });
        -steps
    }

    /// The generalised winding number (Jacobson et al. 2013): what part of all directions the triangles cover, by solid angles.
    fn covers(&self, p: DVec3) -> bool {
        let count = self.mesh().triangles.len() as u32;
        let sum: f64 = (0..count).filter_map(|i| self.triangle(i, p)).map(solid_angle).sum();
        sum.abs() > 2.0 * PI
    }
}

/// The solid angle of a triangle seen from the origin, with its sign (van Oosterom and Strackee 1983).
fn solid_angle([a, b, c]: Triangle) -> f64 {
    let (la, lb, lc) = (a.length(), b.length(), c.length());
    let spat = a.dot(b.cross(c));
    let rest = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
    2.0 * spat.atan2(rest)
}

/// Returns true if a box that is wider by a margin, in metres, holds a point.
pub(super) fn around(b: &Bounds, p: DVec3, margin: f64) -> bool {
    (0..3).all(|i| b.min[i] - margin <= p[i] && p[i] <= b.max[i] + margin)
}

impl Index {
    /// The elements that a point is in, in the order of their numbers.
    pub fn at_point(&self, p: DVec3) -> Vec<Id> {
        let mut found = Vec::new();
        self.each(
            |b| around(b, p, 0.0),
            |element| {
                if element.contains(p) {
                    found.push(element.id());
                }
            },
        );
        found.sort_unstable();
        found
    }
}

impl Element {
    /// Returns the distance of a point outside (positive) or inside (negative) of the surface, in metres.
    pub fn signed_distance(&self, p: DVec3) -> Option<f64> {
        let (d, q) = self.nearest_surface_point(p, f64::INFINITY)?;
        debug_assert!(((p - q).length() - d).abs() <= 1e-6 * (1.0 + d));
        Some(if self.contains(p) { -d } else { d })
    }
}
