//! The stretch of a curve between two points on it: the edges of faces.

use super::arc;
use crate::{
    math::Bounds,
    read::{MAX_DEPTH, Reader, ShapeError},
};
use glam::DVec3;
use ifc::Id;
use std::f64::consts::TAU;

impl Reader<'_> {
    /// The points of a curve from `a` to `b`, which lie on it, along it or (not `forward`) against it. On a closed curve from a point
    /// to itself it goes all the way around.
    pub fn stretch(&self, id: Id, [a, b]: [DVec3; 2], forward: bool) -> Result<Vec<DVec3>, ShapeError> {
        let mut curve = self.get(id)?;
        for _ in 0..MAX_DEPTH {
            match curve.reference("Curve3D") {
                Some(inner) => curve = self.get(inner)?,
                None => break,
            }
        }
        if curve.is_a("IfcLine") {
            return Ok(vec![a, b]);
        }
        if curve.is_a("IfcConic") {
            let (frame, rx, ry) = self.conic(&curve)?;
            let angle = |p: DVec3| {
                let d = p - frame.translation;
                (d.dot(frame.y_axis) / ry).atan2(d.dot(frame.x_axis) / rx)
            };
            let (from, to) = (angle(a), angle(b));
            let mut sweep = if forward { (to - from).rem_euclid(TAU) } else { -(from - to).rem_euclid(TAU) };
            if sweep.abs() < 1e-9 || TAU - sweep.abs() < 1e-9 {
                sweep = if forward { TAU } else { -TAU };
            }
            return ended(id, arc(self.fineness, &frame, rx, ry, from, from + sweep), a, b);
        }
        let mut chain = self.curve(curve.id(), 0)?;
        if !forward {
            chain.reverse();
        }
        let same = |p: DVec3, q: DVec3| (p - q).length() < 1e-6;
        let ring = chain.len() > 2 && chain.first().zip(chain.last()).is_some_and(|(p, q)| same(*p, *q));
        let from = along(&chain, a, true);
        let to = if ring && same(a, b) { from } else { along(&chain, b, false) };
        let count = chain.len() - 1;
        let between = |low: f64, high: f64| {
            chain
                .iter()
                .enumerate()
                .filter(move |(i, _)| *i as f64 > low && (*i as f64) < high)
                .map(|(_, p)| *p)
        };
        let whole = count as f64;
        let mut points = vec![a];
        if ring && from >= to {
            // the chain's first point is its last as well
            points.extend(between(from, whole));
            points.extend(chain.first());
            points.extend(between(0.0, to));
        } else if from > to {
            return Err(ShapeError::new(
                id,
                "is a curve that comes to the end of an edge before its beginning",
            ));
        } else {
            points.extend(between(from, to));
        }
        points.push(b);
        ended(id, points, a, b)
    }
}

/// A chain whose ends are just these, if they are not far from it; points next to its ends that are as good as them are left out.
fn ended(id: Id, mut chain: Vec<DVec3>, a: DVec3, b: DVec3) -> Result<Vec<DVec3>, ShapeError> {
    let reach = 0.005 + 0.02 * Bounds::from_points(chain.iter().copied()).size().length();
    let inner = chain.len().saturating_sub(1).max(1);
    let next = [chain.get(1), chain.get(inner - 1)];
    let far = |end: DVec3, own: Option<&DVec3>, next: Option<&DVec3>| match (own, next) {
        (Some(own), Some(next)) => {
            let (d, to) = (*next - *own, end - *own);
            let square = d.dot(d);
            let share = if square > 0.0 { (to.dot(d) / square).clamp(0.0, 1.0) } else { 0.0 };
            (to - d * share).length()
        }
        _ => 0.0,
    };
    let off = far(a, chain.first(), next[0]).max(far(b, chain.last(), next[1]));
    if off >= reach || off.is_nan() {
        return Err(ShapeError::new(id, format!("is {off:.3} m from the end of an edge along it")));
    }
    let last = chain.len() - 1;
    chain[0] = a;
    chain[last] = b;
    let mut at = 0;
    chain.retain(|p| {
        at += 1;
        at == 1 || at == last + 1 || ((*p - a).length() > 1e-7 && (*p - b).length() > 1e-7)
    });
    Ok(chain)
}

/// Returns the place of a point on a chain; where it comes by twice (at the ends of a ring), as early or as late as can be.
fn along(chain: &[DVec3], p: DVec3, early: bool) -> f64 {
    let mut best = (f64::INFINITY, 0.0);
    for (i, pair) in chain.windows(2).enumerate() {
        let &[a, b] = pair else { continue };
        let (d, to) = (b - a, p - a);
        let square = d.dot(d);
        let share = if square > 0.0 { (to.dot(d) / square).clamp(0.0, 1.0) } else { 0.0 };
        let far = (p - (a + d * share)).length();
        let nearer = if early { far < best.0 - 1e-7 } else { far <= best.0 + 1e-7 };
        if nearer {
            best = (far.min(best.0), i as f64 + share);
        }
    }
    best.1
}
