//! Two triangles that go through each other: where, and which way their edges run there. Decided by [`super::exact`].

use super::{
    exact::{self, Edges},
    triangle::{Triangle, nearest_on_lines, nearest_on_triangle},
};
use crate::math::Bounds;
use glam::DVec3;
use ifc::placement::unit;

/// A triangle with its direction.
pub(super) struct Flat {
    pub(super) corners: Triangle,
    pub(super) bounds: Bounds,
    pub(super) normal: DVec3,
    /// True if some of it lies in the other.
    pub(super) shared: bool,
    /// The area that lies in the other, in square metres.
    pub(super) inside: f64,
}

/// The normal at length one, also of slivers.
pub(super) fn direction([a, b, c]: Triangle) -> Option<DVec3> {
    let n = (b - a).cross(c - a);
    let size = n.to_array().iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    (size > 0.0 && size.is_finite()).then(|| unit(n * (1.0 / size))).flatten()
}

/// Returns the point in which an edge goes through a triangle's plane, the same whichever way the edge runs.
fn crossing([p, q]: [DVec3; 2], t: &Flat) -> DVec3 {
    let (p, q) = if p.to_array().iter().lt(q.to_array().iter()) { (p, q) } else { (q, p) };
    let v = t.corners[0];
    let (hp, hq) = (t.normal.dot(p - v), t.normal.dot(q - v));
    let d = hp - hq;
    let share = if d == 0.0 { 0.5 } else { (hp / d).clamp(0.0, 1.0) };
    let at = p + (q - p) * share;
    // along the plane rounding puts it anywhere on the edge, and the triangle is elsewhere
    let is_along = d.abs() <= ALONG * (q - p).abs().max_element();
    if is_along && nearest_on_triangle(at, t.corners).distance(at) > NEAR {
        let [a, b, c] = t.corners;
        let sides = [[a, b], [b, c], [c, a]].map(|side| nearest_on_lines([p, q], side));
        let nearest = sides.into_iter().min_by(|x, y| x.0.distance(x.1).total_cmp(&y.0.distance(y.1)));
        return nearest.map_or(at, |(own, _)| own);
    }
    at
}

/// An edge that rises so little from a plane, for each metre of it, lies along it.
const ALONG: f64 = 1e-6;
/// A place no farther from a triangle than this, in metres, is on it.
const NEAR: f64 = 1e-8;

/// A crossing of an edge of one triangle with another triangle.
#[derive(Clone, Copy)]
pub(super) struct End {
    /// Whose edge it is.
    pub(super) of: Edges,
    /// The ends of the edge.
    pub(super) to: DVec3,
    /// The point in which it goes through.
    pub(super) at: DVec3,
    /// The way it passes: in (1) or out (-1).
    pub(super) step: i32,
}

/// Returns the line that two triangles have in common, between two places where an edge of one goes through the
/// other.
pub(super) fn cross_triangles(s: &Flat, t: &Flat) -> Option<[End; 2]> {
    let ss = s.corners.map(|p| exact::side(p, t.corners, Edges::OfFirst));
    if ss[0] == ss[1] && ss[1] == ss[2] {
        return None;
    }
    let ts = t.corners.map(|p| exact::side(p, s.corners, Edges::OfSecond));
    if ts[0] == ts[1] && ts[1] == ts[2] {
        return None;
    }
    let mut found = None;
    for (of, own, signs, other) in [(Edges::OfFirst, s, ss, t), (Edges::OfSecond, t, ts, s)] {
        for (i, j) in [(0, 1), (1, 2), (2, 0)] {
            let edge = [own.corners[i], own.corners[j]];
            if signs[i] == signs[j] || !exact::goes_through(edge, other.corners, of) {
                continue;
            }
            let one = End { of, to: edge[1], at: crossing(edge, other), step: signs[i] };
            match found {
                None => found = Some(one),
                Some(first) => return Some([first, one]),
            }
        }
    }
    None
}
