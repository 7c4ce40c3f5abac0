//! B-spline curves, and chords along them.

use super::{Knots, Weighted, gather, projected};
use crate::curve::DEFLECTION;
use glam::DVec3;
use ifc::placement::unit;
use std::f64::consts::TAU;

/// A B-spline curve.
#[derive(Debug, Clone, PartialEq)]
pub struct SplineCurve {
    /// Its knots.
    pub knots: Knots,
    /// As many as the knots were made for.
    pub controls: Vec<Weighted>,
}

impl SplineCurve {
    /// The point at a parameter; beyond the ends, the end.
    pub fn at(&self, t: f64) -> DVec3 {
        let basis = self.knots.basis(t);
        let mut sum = [0.0; 4];
        for (p, n) in self.controls.iter().skip(basis.first).zip(&basis.values) {
            gather(&mut sum, p, *n);
        }
        projected(sum)
    }

    /// Points along it from one parameter to another: chords stray at most [`DEFLECTION`] and turn by at most a 32nd of a full turn.
    /// At most `limit` of them.
    pub fn chain(&self, from: f64, to: f64, limit: usize) -> Vec<DVec3> {
        self.told(from, to, limit).into_iter().map(|(_, p)| p).collect()
    }

    /// As [`SplineCurve::chain`], each point with its parameter.
    pub fn told(&self, from: f64, to: f64, limit: usize) -> Vec<(f64, DVec3)> {
        let mut cuts: Vec<f64> = self.knots.spans();
        cuts.retain(|k| *k > from.min(to) && *k < from.max(to));
        if from > to {
            cuts.reverse();
        }
        cuts.push(to);
        let mut points = vec![(from, self.at(from))];
        let mut last = from;
        for cut in cuts {
            // three pieces to a span at least: a curve of the third degree may pass its own chord in the middle
            for k in 1..=3 {
                let a = last + (cut - last) * f64::from(k - 1) / 3.0;
                let b = if k == 3 { cut } else { last + (cut - last) * f64::from(k) / 3.0 };
                let end = (b, self.at(b));
                self.halved((a, self.at(a)), end, 7, limit, &mut points);
                points.push(end);
            }
            last = cut;
        }
        points
    }

    fn halved(
        &self,
        a: (f64, DVec3),
        b: (f64, DVec3),
        depth: usize,
        limit: usize,
        into: &mut Vec<(f64, DVec3)>,
    ) {
        let middle = (f64::midpoint(a.0, b.0), self.at(f64::midpoint(a.0, b.0)));
        if depth == 0 || into.len() >= limit || !bends(a.1, middle.1, b.1) {
            return;
        }
        self.halved(a, middle, depth - 1, limit, into);
        into.push(middle);
        self.halved(middle, b, depth - 1, limit, into);
    }
}

/// Returns true if a chord from `a` to `b` is not enough for a curve by way of `p`.
fn bends(a: DVec3, p: DVec3, b: DVec3) -> bool {
    let (ap, pb) = (p - a, b - p);
    let stray = (p - (a + b) * 0.5).length();
    let Some((u, v)) = unit(ap).zip(unit(pb)) else { return false };
    // the angle between the halves is half of what the whole turns by
    let turns = u.cross(v).length().atan2(u.dot(v));
    (b - a).length() > 1e-5 && (stray > DEFLECTION || turns > TAU / 64.0)
}
