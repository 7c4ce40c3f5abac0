//! Whether a chain of straight edges in space meets itself: two edges that are no neighbours come nearer to each other than the
//! precision, or two neighbours run back over each other.

use glam::DVec3;
use std::cell::Cell;

/// Two edges of a chain that meet, each by the place of its first point.
pub(super) type Meeting = (usize, usize);

/// Up to so many edges are compared each with each.
const FEW: usize = 24;

/// The first meeting of edges. A closed chain goes on from its last point to its first. `left` is how many comparisons may still be
/// made; at nought the answer is that nothing was found.
pub(super) fn meeting(points: &[DVec3], closed: bool, precision: f64, left: &Cell<usize>) -> Option<Meeting> {
    let is_sound = precision.is_finite() && precision > 0.0 && points.iter().all(|point| point.is_finite());
    if !is_sound {
        return None;
    }
    // a point given twice is another rule's matter
    let mut kept: Vec<(usize, DVec3)> = Vec::with_capacity(points.len());
    for (at, point) in points.iter().enumerate() {
        if kept.last().is_none_or(|(_, last)| last.distance(*point) >= precision) {
            kept.push((at, *point));
        }
    }
    let comes_back = |kept: &[(usize, DVec3)]| match kept {
        [(_, first), .., (_, last)] => first.distance(*last) < precision,
        _ => false,
    };
    let mut round = closed;
    if comes_back(&kept) {
        kept.pop();
        round = true;
    }
    let nexts = kept.iter().skip(1).chain(kept.first().filter(|_| round));
    let edges: Vec<Edge> =
        kept.iter().zip(nexts).map(|((at, from), (_, to))| Edge::new(*at, *from, *to, precision)).collect();
    if edges.len() < 2 || (round && edges.len() < 3) {
        return None;
    }
    let pairs = Pairs { edges: &edges, round, precision };
    if edges.len() <= FEW {
        return (1..edges.len()).find_map(|b| (0..b).find_map(|a| pairs.meet(a, b)));
    }
    sweep(&pairs, left)
}

/// Compares the edges whose extents along the longest axis overlap.
fn sweep(pairs: &Pairs<'_>, left: &Cell<usize>) -> Option<Meeting> {
    let all =
        |pick: fn(DVec3, DVec3) -> DVec3, of: fn(&Edge) -> DVec3| pairs.edges.iter().map(of).reduce(pick);
    let extent = all(DVec3::max, |edge| edge.high)? - all(DVec3::min, |edge| edge.low)?;
    let axis = (0..3).max_by(|a, b| extent[*a].total_cmp(&extent[*b]))?;
    let mut order: Vec<usize> = (0..pairs.edges.len()).collect();
    let low = |at: usize| pairs.edges.get(at).map_or(0.0, |edge| edge.low[axis]);
    let high = |at: usize| pairs.edges.get(at).map_or(0.0, |edge| edge.high[axis]);
    order.sort_by(|a, b| low(*a).total_cmp(&low(*b)));
    let mut open: Vec<usize> = Vec::new();
    for at in order {
        let from = low(at);
        open.retain(|other| high(*other) >= from);
        let rest = left.get().saturating_sub(open.len());
        left.set(rest);
        if rest == 0 {
            return None;
        }
        if let Some(found) = open.iter().find_map(|other| pairs.meet((*other).min(at), (*other).max(at))) {
            return Some(found);
        }
        open.push(at);
    }
    None
}

struct Edge {
    /// The place of its first point in the chain.
    at: usize,
    from: DVec3,
    to: DVec3,
    low: DVec3,
    high: DVec3,
}

impl Edge {
    fn new(at: usize, from: DVec3, to: DVec3, precision: f64) -> Self {
        let margin = DVec3::splat(precision);
        Self { at, from, to, low: from.min(to) - margin, high: from.max(to) + margin }
    }
}

struct Pairs<'e> {
    edges: &'e [Edge],
    round: bool,
    precision: f64,
}

impl Pairs<'_> {
    fn meet(&self, a: usize, b: usize) -> Option<Meeting> {
        let (first, second) = (self.edges.get(a)?, self.edges.get(b)?);
        let near = first.low.cmple(second.high).all() && second.low.cmple(first.high).all();
        if !near {
            return None;
        }
        let follows = a + 1 == b || (self.round && a == 0 && b + 1 == self.edges.len());
        let meets =
            if follows { self.runs_back(first, second) } else { distance(first, second) < self.precision };
        meets.then_some((first.at, second.at))
    }

    /// True if two neighbours are parallel and overlap in more than the point that they share.
    fn runs_back(&self, a: &Edge, b: &Edge) -> bool {
        let (run, other) = (a.to - a.from, b.to - b.from);
        let (length, other_length) = (run.length(), other.length());
        if run.cross(other).length() >= self.precision * length * other_length {
            return false;
        }
        let along = |point: DVec3| (point - a.from).dot(run) / length;
        let (from, to) = (along(b.from), along(b.to));
        let before = from <= self.precision && to <= self.precision;
        let after = from >= length - self.precision && to >= length - self.precision;
        !before && !after
    }
}

/// The distance of two straight edges.
fn distance(a: &Edge, b: &Edge) -> f64 {
    let (u, v, r) = (a.to - a.from, b.to - b.from, a.from - b.from);
    let (uu, vv, uv) = (u.dot(u), v.dot(v), u.dot(v));
    let (ur, vr) = (u.dot(r), v.dot(r));
    let across = uu * vv - uv * uv;
    let mut s = if across > 1e-12 * uu * vv { ((uv * vr - ur * vv) / across).clamp(0.0, 1.0) } else { 0.0 };
    let mut t = (uv * s + vr) / vv;
    if !(0.0..=1.0).contains(&t) {
        t = t.clamp(0.0, 1.0);
        s = ((uv * t - ur) / uu).clamp(0.0, 1.0);
    }
    let nearest = (a.from + u * s).distance(b.from + v * t);
    // of parallel edges the nearest place may be at either end of either
    let to_edge = |point: DVec3, edge: &Edge, run: DVec3, square: f64| {
        let along = ((point - edge.from).dot(run) / square).clamp(0.0, 1.0);
        point.distance(edge.from + run * along)
    };
    nearest
        .min(to_edge(a.from, b, v, vv))
        .min(to_edge(a.to, b, v, vv))
        .min(to_edge(b.from, a, u, uu))
        .min(to_edge(b.to, a, u, uu))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(points: &[[f64; 2]], closed: bool, expect: Option<Meeting>) {
        let points: Vec<DVec3> = points.iter().map(|[x, y]| DVec3::new(*x, *y, 0.0)).collect();
        assert_eq!(meeting(&points, closed, 1e-5, &Cell::new(10_000_000)), expect, "{points:?}");
    }

    #[test]
    fn edges_that_cross_touch_or_run_back_are_found() {
        let square = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]];
        check(&square, true, None);
        check(&[[0.0, 0.0], [4.0, 4.0], [4.0, 0.0], [0.0, 4.0]], true, Some((0, 2)));
        // a point on the line between two others is redundant, no fault
        check(&[[0.0, 0.0], [2.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]], true, None);
        // forwards, back, and forwards again on one line
        check(&[[0.0, 0.0], [3.0, 0.0], [1.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]], true, Some((0, 1)));
        // a corner that touches the opposite edge
        check(&[[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [2.0, 0.0], [0.0, 4.0]], true, Some((0, 2)));
        check(&[[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [2.0, 1e-6], [0.0, 4.0]], true, Some((0, 2)));
        check(&[[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [2.0, 1e-3], [0.0, 4.0]], true, None);
    }

    #[test]
    fn a_chain_that_ends_where_it_began_is_closed() {
        check(&[[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 0.0]], false, None);
        check(&[[0.0, 0.0], [4.0, 4.0], [4.0, 0.0], [0.0, 4.0]], false, Some((0, 2)));
    }

    #[test]
    fn many_edges_are_compared_as_few_are() {
        let mut points: Vec<DVec3> = (0..2000)
            .map(|at| f64::from(at) / 2000.0 * std::f64::consts::TAU)
            .map(|angle| DVec3::new(angle.cos(), angle.sin(), 0.5))
            .collect();
        let left = Cell::new(1_000_000);
        assert_eq!(meeting(&points, true, 1e-5, &left), None);
        points[1500] = DVec3::new(1.5, 0.0, 0.5);
        assert!(meeting(&points, true, 1e-5, &left).is_some());
        assert_eq!(meeting(&points, true, 1e-5, &Cell::new(10)), None);
        points[7] = DVec3::new(f64::NAN, 0.0, 0.0);
        assert_eq!(meeting(&points, true, 1e-5, &left), None);
    }
}
