//! B-splines, rational or not: knots, basis functions (Piegl and Tiller, The NURBS Book, A2.1 to A2.3), curves and surfaces.
//!
//! Curves and surfaces are checked before they are made: knots ascend and are as many as the points and the degree need, weights are positive. So
//! evaluation cannot fail. Lengths in metres; parameters are those of the file.

use glam::DVec3;
mod curve;
mod surface;
#[cfg(test)]
mod tests;

pub use curve::SplineCurve;
pub use surface::SplineSurface;

/// Degrees beyond this are no shapes of buildings but mistakes.
pub const MAX_DEGREE: usize = 24;
/// Control points of one curve or surface at most.
pub const MAX_CONTROLS: usize = 200_000;

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
pub fn weighted(points: &[DVec3], weights: Option<&[f64]>) -> Result<Vec<Weighted>, String> {
    let Some(weights) = weights else { return Ok(points.iter().map(|p| [p.x, p.y, p.z, 1.0]).collect()) };
    if weights.len() != points.len() {
        return Err(format!("has {} weights for {} points", weights.len(), points.len()));
    }
    if !weights.iter().all(|w| *w > 1e-12 && *w < 1e12) {
        return Err("has weights that are not positive".to_owned());
    }
    Ok(points.iter().zip(weights).map(|(p, w)| [p.x * w, p.y * w, p.z * w, *w]).collect())
}

fn projected(p: Weighted) -> DVec3 {
    DVec3::new(p[0] / p[3], p[1] / p[3], p[2] / p[3])
}

/// The derivative of a rational function from that of its weighted points.
fn slope(p: Weighted, d: Weighted) -> DVec3 {
    let at = projected(p);
    (DVec3::new(d[0], d[1], d[2]) - d[3] * at) / p[3]
}

fn gather(sum: &mut Weighted, p: &Weighted, by: f64) {
    for (s, v) in sum.iter_mut().zip(p) {
        *s += v * by;
    }
}
