//! B-spline surfaces, grids that are fine enough for them, and the parameters of points on them.

use super::{Knots, Weighted, gather, projected, slope};
use crate::curve::DEFLECTION;
use crate::math::Bounds;
use glam::DVec3;
use ifc::placement::unit;
use std::f64::consts::TAU;

/// Grid lines of one direction of a surface at most.
const MAX_LINES: usize = 512;
/// Grid points of a surface at most.
const MAX_SAMPLES: usize = 1_000_000;
/// Grid lines of one direction that the search for a nearest point begins from, at most.
const MOST_TRIED: usize = 64;

/// A B-spline surface: rows of points along `u`, one row for each step in `v`.
#[derive(Debug, Clone, PartialEq)]
pub struct SplineSurface {
    /// Knots of the two directions.
    pub knots: [Knots; 2],
    /// Points, those of the first `u` first: `u` outer, `v` inner, as files list them.
    pub controls: Vec<Weighted>,
    /// The number of them for one `u`.
    pub columns: usize,
    /// Parameters of the lines of a grid that is fine enough to stand for it, by direction.
    pub lines: [Vec<f64>; 2],
    /// True for a direction whose first and last line are the same.
    pub closed: [bool; 2],
    /// The points where the lines cross, `u` outer.
    samples: Vec<DVec3>,
    /// The diagonal of the box around it.
    size: f64,
}

impl SplineSurface {
    /// A surface by checked knots and points. The error says when it would need more than a million points.
    pub fn new(knots: [Knots; 2], controls: Vec<Weighted>, columns: usize) -> Result<SplineSurface, String> {
        let size = {
            let bounds = Bounds::from_points(controls.iter().map(|p| projected(*p)));
            bounds.size().length()
        };
        let mut made = SplineSurface {
            knots,
            controls,
            columns,
            lines: [Vec::new(), Vec::new()],
            closed: [false; 2],
            samples: Vec::new(),
            size,
        };
        made.lines = [made.lines_of(0), made.lines_of(1)];
        made.closed = [made.is_closed(0), made.is_closed(1)];
        let [us, vs] = &made.lines;
        if us.len().saturating_mul(vs.len()) > MAX_SAMPLES {
            return Err(format!("bends so much that it needs {} times {} points", us.len(), vs.len()));
        }
        made.samples =
            us.iter().flat_map(|u| vs.iter().map(|v| made.at([*u, *v]).0).collect::<Vec<_>>()).collect();
        Ok(made)
    }

    /// Point and both derivatives; beyond its ends, at them.
    pub fn at(&self, uv: [f64; 2]) -> (DVec3, DVec3, DVec3) {
        let (u, v) = (self.knots[0].basis(uv[0]), self.knots[1].basis(uv[1]));
        let (mut p, mut du, mut dv) = ([0.0; 4], [0.0; 4], [0.0; 4]);
        for ((i, n), ns) in u.values.iter().enumerate().zip(&u.slopes) {
            let row = (u.first + i) * self.columns + v.first;
            for ((c, m), ms) in self.controls.iter().skip(row).zip(&v.values).zip(&v.slopes) {
                gather(&mut p, c, n * m);
                gather(&mut du, c, ns * m);
                gather(&mut dv, c, n * ms);
            }
        }
        (projected(p), slope(p, du), slope(p, dv))
    }

    /// A few parameters of a direction that show how the surface bends across it.
    fn probes(&self, direction: usize) -> Vec<f64> {
        let spans = self.knots[direction].spans();
        let every = spans.len().div_ceil(12).max(1);
        let mut found: Vec<f64> =
            spans.windows(2).step_by(every).flat_map(|w| [w[0], f64::midpoint(w[0], w[1])]).collect();
        found.extend(spans.last());
        found
    }

    fn lines_of(&self, direction: usize) -> Vec<f64> {
        let probes = self.probes(1 - direction);
        let spans = self.knots[direction].spans();
        let most = (MAX_LINES / spans.len().max(1)).clamp(1, 32);
        let mut lines: Vec<f64> = spans.first().copied().into_iter().collect();
        for span in spans.windows(2) {
            let &[from, to] = span else { continue };
            let mut parts: f64 = 1.0;
            for across in &probes {
                const STEPS: usize = 8;
                let point = |k: usize| {
                    let t = from + (to - from) * k as f64 / STEPS as f64;
                    self.at(if direction == 0 { [t, *across] } else { [*across, t] }).0
                };
                let chain: Vec<DVec3> = (0..=STEPS).map(point).collect();
                let (a, b) = (chain[0], chain[STEPS]);
                let along = unit(b - a);
                let stray = chain.iter().map(|p| {
                    let d = *p - a;
                    along.map_or(d.length(), |n| (d - n * d.dot(n)).length())
                });
                let stray = stray.fold(0.0, f64::max);
                let steps: Vec<DVec3> = chain.windows(2).filter_map(|w| unit(w[1] - w[0])).collect();
                let turn: f64 =
                    steps.windows(2).map(|w| w[0].cross(w[1]).length().atan2(w[0].dot(w[1]))).sum();
                // both directions stray: finer than a curve alone, as spheres are
                parts = parts.max((stray / DEFLECTION).sqrt().min(turn / (TAU / 128.0)));
                parts = parts.max(turn / (TAU / 48.0));
            }
            let parts = (parts.ceil() as usize).clamp(1, most);
            lines.extend((1..=parts).map(|k| from + (to - from) * k as f64 / parts as f64));
        }
        lines
    }

    fn is_closed(&self, direction: usize) -> bool {
        let (from, to) = self.knots[direction].domain();
        let pair = |across: f64| {
            let at = |t: f64| self.at(if direction == 0 { [t, across] } else { [across, t] }).0;
            (at(from), at(f64::midpoint(from, to)), at(to))
        };
        let mut found = self.probes(1 - direction).into_iter().map(pair).collect::<Vec<_>>();
        let meets = found.iter().all(|(a, _, b)| (*a - *b).length() < 1e-6 + self.size * 1e-6);
        // a direction that is all one point is no ring
        found.retain(|(a, middle, _)| (*a - *middle).length() > self.size * 1e-4);
        meets && !found.is_empty()
    }

    /// Returns true if the whole line at this end of `direction` is one point.
    pub fn is_pole(&self, direction: usize, at_end: bool) -> bool {
        let (from, to) = self.knots[direction].domain();
        let t = if at_end { to } else { from };
        let point = |across: f64| self.at(if direction == 0 { [t, across] } else { [across, t] }).0;
        let all: Vec<DVec3> = self.probes(1 - direction).into_iter().map(point).collect();
        all.iter().all(|p| (*p - all[0]).length() < self.size * 1e-6)
    }

    /// The parameters of the nearest point, tried from a hint first, and whether `u` may be anything there.
    pub fn parameters(&self, p: DVec3, near: Option<[f64; 2]>) -> ([f64; 2], bool) {
        let distance = |uv: &[f64; 2]| (self.at(*uv).0 - p).length();
        let found = near.map(|hint| self.approach(hint, p));
        let good = 1e-7 + self.size * 1e-7;
        let uv = found.filter(|uv| distance(uv) < good).unwrap_or_else(|| {
            let (rows, columns) = (self.lines[0].len(), self.lines[1].len());
            // a few thousand of the grid's points are enough to begin from
            let (skip, skip_within) = (rows.div_ceil(MOST_TRIED), columns.div_ceil(MOST_TRIED));
            let mut best = (f64::INFINITY, 0, 0);
            for i in (0..rows).step_by(skip) {
                for k in (0..columns).step_by(skip_within) {
                    let far = self.samples.get(i * columns + k).map_or(f64::INFINITY, |s| (*s - p).length());
                    if far < best.0 {
                        best = (far, i, k);
                    }
                }
            }
            let line = |lines: &[f64], i: usize| lines.get(i).copied().unwrap_or_default();
            let start = [line(&self.lines[0], best.1), line(&self.lines[1], best.2)];
            let other = self.approach(start, p);
            found.filter(|uv| distance(uv) < distance(&other)).unwrap_or(other)
        });
        let (from, to) = self.knots[0].domain();
        let free = self.at(uv).1.length() * (to - from) < self.size * 1e-6;
        (uv, free)
    }

    /// Gauss and Newton's way to the nearest point.
    fn approach(&self, mut uv: [f64; 2], p: DVec3) -> [f64; 2] {
        let domains = [self.knots[0].domain(), self.knots[1].domain()];
        for _ in 0..24 {
            let (at, du, dv) = self.at(uv);
            let r = p - at;
            let (a, b, c) = (du.dot(du), du.dot(dv), dv.dot(dv));
            let (x, y) = (du.dot(r), dv.dot(r));
            let little = 1e-12 * (a + c) + 1e-300;
            let (a, c) = (a + little, c + little);
            let det = a * c - b * b;
            if det <= 0.0 {
                break;
            }
            let step = [(c * x - b * y) / det, (a * y - b * x) / det];
            let mut moved = 0.0;
            for i in 0..2 {
                let (from, to) = domains[i];
                let mut next = uv[i] + step[i].clamp(-(to - from) / 4.0, (to - from) / 4.0);
                if self.closed[i] {
                    next = from + (next - from).rem_euclid(to - from);
                }
                let next = next.clamp(from, to);
                moved += (next - uv[i]).abs() / (to - from);
                uv[i] = next;
            }
            if moved < 1e-12 {
                break;
            }
        }
        uv
    }
}
