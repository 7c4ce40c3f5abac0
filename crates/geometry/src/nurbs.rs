//! B-splines, rational or not: knots, basis functions (Piegl and Tiller, The NURBS Book, A2.1 to A2.3), curves and surfaces.
//!
//! What is made here was checked first: knots ascend and are as many as the points and the degree need, weights are positive. So
//! evaluation cannot fail. Lengths in metres; parameters are those of the file.

use crate::{
    curve::DEFLECTION,
    math::{Bounds, P3, add, cross, dot, length, scale, sub, unit},
};
use std::f64::consts::TAU;

/// Degrees beyond this are no shapes of buildings but mistakes.
pub const MAX_DEGREE: usize = 24;
/// Control points of one curve or surface at most.
pub const MAX_CONTROLS: usize = 200_000;
/// Grid lines of one direction of a surface at most.
const MAX_LINES: usize = 512;
/// Grid points of a surface at most.
const MAX_SAMPLES: usize = 1_000_000;
/// Grid lines of one direction that the search for a nearest point begins from, at most.
const MOST_TRIED: usize = 64;

/// A knot vector with its degree.
#[derive(Debug, Clone, PartialEq)]
pub struct Knots {
    degree: usize,
    vector: Vec<f64>,
}

/// The basis functions that are not nought at a parameter, their derivatives, and the number of the first.
struct Basis {
    first: usize,
    values: Vec<f64>,
    slopes: Vec<f64>,
}

impl Knots {
    /// Knots for `controls` points, each with how often it counts. The error says what does not fit.
    pub fn new(degree: usize, knots: &[(f64, usize)], controls: usize) -> Result<Knots, String> {
        if degree == 0 || degree > MAX_DEGREE {
            return Err(format!("has the degree {degree}"));
        }
        if controls <= degree {
            return Err(format!("has {controls} control points, too few for its degree {degree}"));
        }
        let count: usize = knots.iter().map(|(_, times)| times).fold(0, |a, b| a.saturating_add(*b));
        if count != controls + degree + 1 || knots.iter().any(|(_, times)| *times == 0) {
            return Err("has knots that do not fit its points".to_owned());
        }
        let ascends = knots.windows(2).all(|pair| matches!(pair, [a, b] if a.0 < b.0));
        if !ascends || !knots.iter().all(|(k, _)| k.is_finite()) {
            return Err("has knots that do not ascend".to_owned());
        }
        let vector: Vec<f64> = knots.iter().flat_map(|&(k, times)| std::iter::repeat_n(k, times)).collect();
        let made = Knots { degree, vector };
        let (from, to) = made.domain();
        if to - from <= 1e-12 * (from.abs() + to.abs()) {
            return Err("has knots without a span between them".to_owned());
        }
        Ok(made)
    }

    /// The parameters between which the points decide the shape.
    pub fn domain(&self) -> (f64, f64) {
        let at = |i: usize| self.vector.get(i).copied().unwrap_or_default();
        (at(self.degree), at(self.vector.len() - self.degree - 1))
    }

    /// The distinct knots within the domain, its ends included.
    pub fn spans(&self) -> Vec<f64> {
        let (from, to) = self.domain();
        let least = (to - from) * 1e-9;
        let mut all: Vec<f64> = self.vector.iter().copied().filter(|k| *k >= from && *k <= to).collect();
        all.dedup_by(|b, a| *b - *a < least);
        if let Some(last) = all.last_mut() {
            *last = to;
        }
        all
    }

    fn basis(&self, t: f64) -> Basis {
        let p = self.degree;
        let (from, to) = self.domain();
        let t = t.clamp(from, to);
        let last = self.vector.len() - p - 2;
        let span = self.vector.partition_point(|k| *k <= t).saturating_sub(1).clamp(p, last);
        let knot = |i: usize| self.vector.get(i).copied().unwrap_or(to);
        // a span of nothing at the very end: the one before it that is something
        let span = (p..=span).rev().find(|s| knot(s + 1) > knot(*s)).unwrap_or(span);
        let mut values = vec![1.0];
        let mut slopes = vec![0.0];
        for degree in 1..=p {
            let share = |numerator: f64, low: f64, high: f64| {
                if high > low { numerator / (high - low) } else { 0.0 }
            };
            let mut next = vec![0.0; degree + 1];
            if degree == p {
                slopes = vec![0.0; p + 1];
            }
            for (j, value) in values.iter().enumerate() {
                // this function of the lower degree stands between these knots
                let (low, high) = (knot(span + 1 + j - degree), knot(span + 1 + j));
                next[j] += value * share(high - t, low, high);
                next[j + 1] += value * share(t - low, low, high);
                if degree == p {
                    let slope = value * share(p as f64, low, high);
                    slopes[j] -= slope;
                    slopes[j + 1] += slope;
                }
            }
            values = next;
        }
        Basis { first: span - p, values, slopes }
    }
}

/// A point with its weight multiplied in.
pub type Weighted = [f64; 4];

/// Multiplies weights in; the error says what is wrong with them.
pub fn weighted(points: &[P3], weights: Option<&[f64]>) -> Result<Vec<Weighted>, String> {
    let Some(weights) = weights else { return Ok(points.iter().map(|p| [p[0], p[1], p[2], 1.0]).collect()) };
    if weights.len() != points.len() {
        return Err(format!("has {} weights for {} points", weights.len(), points.len()));
    }
    if !weights.iter().all(|w| *w > 1e-12 && *w < 1e12) {
        return Err("has weights that are not positive".to_owned());
    }
    Ok(points.iter().zip(weights).map(|(p, w)| [p[0] * w, p[1] * w, p[2] * w, *w]).collect())
}

fn projected(p: Weighted) -> P3 {
    [p[0] / p[3], p[1] / p[3], p[2] / p[3]]
}

/// The derivative of a rational function from that of its weighted points.
fn slope(p: Weighted, d: Weighted) -> P3 {
    let at = projected(p);
    std::array::from_fn(|i| (d[i] - d[3] * at[i]) / p[3])
}

fn gather(sum: &mut Weighted, p: &Weighted, by: f64) {
    for (s, v) in sum.iter_mut().zip(p) {
        *s += v * by;
    }
}

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
    pub fn at(&self, t: f64) -> P3 {
        let basis = self.knots.basis(t);
        let mut sum = [0.0; 4];
        for (p, n) in self.controls.iter().skip(basis.first).zip(&basis.values) {
            gather(&mut sum, p, *n);
        }
        projected(sum)
    }

    /// Points along it from one parameter to another: chords stray at most [`DEFLECTION`] and turn by at most a 32nd of a full turn.
    /// At most `limit` of them.
    pub fn chain(&self, from: f64, to: f64, limit: usize) -> Vec<P3> {
        self.told(from, to, limit).into_iter().map(|(_, p)| p).collect()
    }

    /// As [`SplineCurve::chain`], each point with its parameter.
    pub fn told(&self, from: f64, to: f64, limit: usize) -> Vec<(f64, P3)> {
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

    fn halved(&self, a: (f64, P3), b: (f64, P3), depth: usize, limit: usize, into: &mut Vec<(f64, P3)>) {
        let middle = (f64::midpoint(a.0, b.0), self.at(f64::midpoint(a.0, b.0)));
        if depth == 0 || into.len() >= limit || !bends(a.1, middle.1, b.1) {
            return;
        }
        self.halved(a, middle, depth - 1, limit, into);
        into.push(middle);
        self.halved(middle, b, depth - 1, limit, into);
    }
}

/// Whether a chord from `a` to `b` is not enough for a curve by way of `p`.
fn bends(a: P3, p: P3, b: P3) -> bool {
    let (ap, pb) = (sub(p, a), sub(b, p));
    let stray = length(sub(p, scale(add(a, b), 0.5)));
    let Some((u, v)) = unit(ap).zip(unit(pb)) else { return false };
    // the angle between the halves is half of what the whole turns by
    let turns = length(cross(u, v)).atan2(dot(u, v));
    length(sub(b, a)) > 1e-5 && (stray > DEFLECTION || turns > TAU / 64.0)
}

/// A B-spline surface: rows of points along `u`, one row for each step in `v`.
#[derive(Debug, Clone, PartialEq)]
pub struct SplineSurface {
    /// Knots of the two directions.
    pub knots: [Knots; 2],
    /// Points, those of the first `u` first: `u` outer, `v` inner, as files list them.
    pub controls: Vec<Weighted>,
    /// How many of them for one `u`.
    pub columns: usize,
    /// Parameters of the lines of a grid that is fine enough to stand for it, by direction.
    pub lines: [Vec<f64>; 2],
    /// Whether the first and last line of a direction are the same.
    pub closed: [bool; 2],
    /// The points where the lines cross, `u` outer.
    samples: Vec<P3>,
    /// The diagonal of the box around it.
    size: f64,
}

impl SplineSurface {
    /// A surface by checked knots and points. The error says when it would need more than a million points.
    pub fn new(knots: [Knots; 2], controls: Vec<Weighted>, columns: usize) -> Result<SplineSurface, String> {
        let size = {
            let bounds = Bounds::of(controls.iter().map(|p| projected(*p)));
            length(bounds.size())
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
    pub fn at(&self, uv: [f64; 2]) -> (P3, P3, P3) {
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
                let chain: Vec<P3> = (0..=STEPS).map(point).collect();
                let (a, b) = (chain[0], chain[STEPS]);
                let along = unit(sub(b, a));
                let stray = chain.iter().map(|p| {
                    let d = sub(*p, a);
                    along.map_or(length(d), |n| length(sub(d, scale(n, dot(d, n)))))
                });
                let stray = stray.fold(0.0, f64::max);
                let steps: Vec<P3> = chain.windows(2).filter_map(|w| unit(sub(w[1], w[0]))).collect();
                let turn: f64 =
                    steps.windows(2).map(|w| length(cross(w[0], w[1])).atan2(dot(w[0], w[1]))).sum();
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
        let meets = found.iter().all(|(a, _, b)| length(sub(*a, *b)) < 1e-6 + self.size * 1e-6);
        // a direction that is all one point is no ring
        found.retain(|(a, middle, _)| length(sub(*a, *middle)) > self.size * 1e-4);
        meets && !found.is_empty()
    }

    /// Whether the whole line at this end of `direction` is one point.
    pub fn is_pole(&self, direction: usize, at_end: bool) -> bool {
        let (from, to) = self.knots[direction].domain();
        let t = if at_end { to } else { from };
        let point = |across: f64| self.at(if direction == 0 { [t, across] } else { [across, t] }).0;
        let all: Vec<P3> = self.probes(1 - direction).into_iter().map(point).collect();
        all.iter().all(|p| length(sub(*p, all[0])) < self.size * 1e-6)
    }

    /// The parameters of the nearest point, tried from a hint first, and whether `u` may be anything there.
    pub fn parameters(&self, p: P3, near: Option<[f64; 2]>) -> ([f64; 2], bool) {
        let distance = |uv: &[f64; 2]| length(sub(self.at(*uv).0, p));
        let found = near.map(|hint| self.approach(hint, p));
        let good = 1e-7 + self.size * 1e-7;
        let uv = found.filter(|uv| distance(uv) < good).unwrap_or_else(|| {
            let (rows, columns) = (self.lines[0].len(), self.lines[1].len());
            // a few thousand of the grid's points are enough to begin from
            let (skip, skip_within) = (rows.div_ceil(MOST_TRIED), columns.div_ceil(MOST_TRIED));
            let mut best = (f64::INFINITY, 0, 0);
            for i in (0..rows).step_by(skip) {
                for k in (0..columns).step_by(skip_within) {
                    let far = self.samples.get(i * columns + k).map_or(f64::INFINITY, |s| length(sub(*s, p)));
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
        let free = length(self.at(uv).1) * (to - from) < self.size * 1e-6;
        (uv, free)
    }

    /// Gauss and Newton's way to the nearest point.
    fn approach(&self, mut uv: [f64; 2], p: P3) -> [f64; 2] {
        let domains = [self.knots[0].domain(), self.knots[1].domain()];
        for _ in 0..24 {
            let (at, du, dv) = self.at(uv);
            let r = sub(p, at);
            let (a, b, c) = (dot(du, du), dot(du, dv), dot(dv, dv));
            let (x, y) = (dot(du, r), dot(dv, r));
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
