//! The part of a surface that lies within closed lines, as triangles.
//!
//! The lines come with their points in space, and these points are the corners of the triangles at the border: neighbouring faces that
//! share an edge share its points, and a shell of such faces is closed. The lines are brought to the plane of the two parameters, told
//! in steps of a grid that is fine enough, so that a triangle of about one step is flat enough in any direction. There a constrained
//! Delaunay triangulation joins the lines with the grid's points that lie within.
//!
//! On surfaces that come round again a line may go around: two such lines are joined along a seam, one is closed by a pole. A line
//! through a pole (as along the seam of a sphere) has there a point for each direction it comes and goes in. It is not tried to mend
//! lines that cross themselves.

use super::{Steps, Surface};
use crate::math::{P2, P3, length, signed_area, sub};
use spade::{ConstrainedDelaunayTriangulation, HasPosition, Point2, Triangulation};
use std::collections::{HashMap, HashSet};

/// Grid points within one face at most, and steps along one side of its box.
const MAX_INNER: usize = 400_000;
const MAX_STEPS: f64 = 20_000.0;
/// Points of the bounds of one face at most, and how much may be looked at for all of them together.
const MAX_BORDER: usize = 200_000;
const MAX_SEARCH: usize = 1_000_000_000;
/// How near to the border, in steps, the grid keeps out.
const MARGIN: f64 = 0.45;

/// A corner in the plane of parameters and the number of its point in space.
#[derive(Debug, Clone, Copy)]
struct Corner {
    at: P2,
    point: u32,
}

impl HasPosition for Corner {
    type Scalar = f64;
    fn position(&self) -> Point2<f64> {
        Point2::new(self.at[0], self.at[1])
    }
}

/// A closed line in the plane of parameters, and how often it goes around in each direction until it meets its first corner again.
struct Line {
    corners: Vec<Corner>,
    around: [i32; 2],
}

/// Triangles of the part of `surface` within the loops. `same` says that the loops, which have the inside on their left seen from the
/// side the face looks to, are seen from the side of the surface's normal. Triangles look the way the face does. The error is a reason.
pub fn within(surface: &Surface, loops: &[Vec<P3>], same: bool) -> Result<Vec<[P3; 3]>, String> {
    let mut points: Vec<P3> = Vec::new();
    let mut lines: Vec<Line> = Vec::new();
    let border: usize = loops.iter().map(Vec::len).sum();
    if border > MAX_BORDER || border.saturating_mul(surface.pieces()) > MAX_SEARCH {
        return Err(format!("has {border} points at its bounds, too many for its surface"));
    }
    for l in loops {
        let mut own = l.clone();
        if !same {
            own.reverse();
        }
        own.dedup_by(|a, b| length(sub(*a, *b)) < 1e-9);
        while own.len() > 1 && own.first().zip(own.last()).is_some_and(|(a, b)| length(sub(*a, *b)) < 1e-9) {
            own.pop();
        }
        if own.len() < 2 {
            continue;
        }
        let start = points.len() as u32;
        points.extend_from_slice(&own);
        lines.push(unrolled(surface, &own, start)?);
    }
    if lines.is_empty() {
        let limits = surface.limits().ok_or("has no bounds")?;
        return whole(surface, limits, same);
    }
    let (mut low, mut high) = range(lines.iter().flat_map(|l| &l.corners).map(|c| c.at));
    if lines.iter().filter(|l| l.around != [0, 0]).count() == 1 {
        // a pole closes it
        for v in surface.poles().into_iter().flatten() {
            (low[1], high[1]) = (low[1].min(v), high[1].max(v));
        }
    }
    let steps = surface.steps(low, high);
    let closed = close(surface, lines, &steps, &mut points)?;
    let mut flat: Vec<Vec<Corner>> = closed
        .into_iter()
        .map(|l| {
            l.into_iter().map(|c| Corner { at: [steps[0].of(c.at[0]), steps[1].of(c.at[1])], ..c }).collect()
        })
        .collect();
    let outer = gathered(surface, &steps, &mut flat);
    let (low, high) = range(flat.iter().flatten().map(|c| c.at));
    if !(high[0] - low[0] < MAX_STEPS && high[1] - low[1] < MAX_STEPS) {
        return Err("would need too many triangles".to_owned());
    }
    let inner = grid(&flat, low, high)?;
    let triangles = triangulated(&flat, &inner)?;
    let at = |c: &Corner| {
        if c.point == u32::MAX {
            surface.point([steps[0].parameter(c.at[0]), steps[1].parameter(c.at[1])])
        } else {
            points.get(c.point as usize).copied().unwrap_or_default()
        }
    };
    // lines that go the other way than the face says they do: the lines are right, as on flat faces
    let turned = outer < 0.0;
    let made: Vec<[P3; 3]> = triangles
        .iter()
        .map(|[a, b, c]| if same ^ turned { [at(a), at(b), at(c)] } else { [at(a), at(c), at(b)] })
        .filter(|[a, b, c]| a != b && b != c && c != a)
        .collect();
    if made.is_empty() {
        return Err("has bounds that enclose nothing".to_owned());
    }
    Ok(made)
}

/// Triangles of all of a surface between ends of its parameters. The error is a reason.
pub fn whole(surface: &Surface, [us, vs]: [[f64; 2]; 2], same: bool) -> Result<Vec<[P3; 3]>, String> {
    let steps = surface.steps([us[0].min(us[1]), vs[0].min(vs[1])], [us[0].max(us[1]), vs[0].max(vs[1])]);
    let lines = [(0, us), (1, vs)].map(|(i, [from, to])| {
        let (a, b) = (steps[i].of(from), steps[i].of(to));
        let (a, b) = (a.min(b), a.max(b));
        let count = if b - a < MAX_STEPS { (b - a).ceil() as usize } else { usize::MAX };
        let first = (a + 1e-6).floor() + 1.0;
        let inner = (0..count.min(MAX_INNER)).map(|k| first + k as f64).take_while(|k| *k < b - 1e-6);
        let mut all: Vec<f64> = std::iter::once(from.min(to))
            .chain(inner.map(|k| steps[i].parameter(k)))
            .chain([from.max(to)])
            .collect();
        all.dedup();
        if count == usize::MAX || all.len() < 2 || !all.iter().all(|v| v.is_finite()) {
            all.clear();
        }
        all
    });
    if lines.iter().any(Vec::is_empty) || lines[0].len().saturating_mul(lines[1].len()) > MAX_INNER {
        return Err("has no sound extent, or would need too many triangles".to_owned());
    }
    let [us, vs] = &lines;
    let round = |i: usize, l: &[f64]| {
        let full = l.last().zip(l.first()).map_or(0.0, |(b, a)| b - a);
        surface.periods()[i].is_some_and(|p| (p - full).abs() < 1e-6 * p)
    };
    let (round_u, round_v) = (round(0, us), round(1, vs));
    let rows: Vec<Vec<P3>> =
        us.iter().map(|u| vs.iter().map(|v| surface.point([*u, *v])).collect()).collect();
    let point = |i: usize, k: usize| {
        let i = if round_u && i + 1 == us.len() { 0 } else { i };
        let k = if round_v && k + 1 == vs.len() { 0 } else { k };
        rows[i][k]
    };
    let mut made = Vec::with_capacity(2 * us.len() * vs.len());
    let same_point = |a: P3, b: P3| length(sub(a, b)) < 1e-9;
    for i in 0..us.len() - 1 {
        for k in 0..vs.len() - 1 {
            let [a, b, c, d] = [point(i, k), point(i + 1, k), point(i + 1, k + 1), point(i, k + 1)];
            for [a, b, c] in [[a, b, c], [a, c, d]] {
                if !(same_point(a, b) || same_point(b, c) || same_point(c, a)) {
                    made.push(if same { [a, b, c] } else { [a, c, b] });
                }
            }
        }
    }
    Ok(made)
}

/// The points around all of a surface between ends of its parameters, counter-clockwise in their plane.
pub fn rim(surface: &Surface, [us, vs]: [[f64; 2]; 2]) -> Vec<P3> {
    let steps = surface.steps([us[0], vs[0]], [us[1], vs[1]]);
    let corners = [[us[0], vs[0]], [us[1], vs[0]], [us[1], vs[1]], [us[0], vs[1]]];
    let mut points = Vec::new();
    for (a, b) in corners.iter().zip(corners.iter().skip(1).chain(corners.first())) {
        let (p, q) = ([0, 1].map(|i| steps[i].of(a[i])), [0, 1].map(|i| steps[i].of(b[i])));
        let pieces = (p[0] - q[0]).abs().max((p[1] - q[1]).abs()).ceil().clamp(1.0, 4096.0) as usize;
        points.extend((0..pieces).map(|k| {
            let share = k as f64 / pieces as f64;
            surface.point([0, 1].map(|i| steps[i].parameter(p[i] + (q[i] - p[i]) * share)))
        }));
    }
    points
}

fn range(points: impl Iterator<Item = P2>) -> (P2, P2) {
    let start = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    points.fold(start, |(low, high), p| {
        ([low[0].min(p[0]), low[1].min(p[1])], [high[0].max(p[0]), high[1].max(p[1])])
    })
}

/// The parameters of a loop's points, each as near to the one before as the surface's coming round lets it.
fn unrolled(surface: &Surface, l: &[P3], start: u32) -> Result<Line, String> {
    let periods = surface.periods();
    let [low_pole, high_pole] = surface.poles();
    let mut near = None;
    let mut found: Vec<([f64; 2], bool)> = Vec::with_capacity(l.len());
    let size = crate::math::Bounds::of(l.iter().copied()).size();
    let reach = 0.005 + 0.02 * length(size);
    for p in l {
        let (uv, free) = surface.parameters(*p, near);
        let off = length(sub(surface.point(uv), *p));
        if off >= reach || off.is_nan() {
            return Err(format!("has a bound {off:.3} m off its surface"));
        }
        near = Some(uv);
        found.push((uv, free));
    }
    let n = l.len();
    let first = (0..n).find(|i| !found[*i].1).ok_or("has a bound that is one point")?;
    let nearest = |raw: f64, before: f64, i: usize| match periods[i] {
        Some(period) => raw + ((before - raw) / period).round() * period,
        None => raw,
    };
    let start_uv = found[first].0;
    let mut before = start_uv;
    let mut pole: Option<(f64, u32, usize)> = None;
    let mut corners: Vec<Corner> = Vec::with_capacity(n + 4);
    for step in 0..=n {
        let i = (first + step) % n;
        let (raw, free) = found[i];
        let point = start + i as u32;
        if free {
            let end = [low_pole, high_pole].into_iter().flatten();
            let v = end.min_by(|a, b| (a - raw[1]).abs().total_cmp(&(b - raw[1]).abs())).unwrap_or(raw[1]);
            if pole.is_none() {
                corners.push(Corner { at: [before[0], v], point });
                pole = Some((v, point, corners.len()));
            }
            before[1] = v;
            continue;
        }
        let u = match pole.take() {
            Some((v, at, _)) => {
                // the inside is on the left: below an upper pole the line goes on to lesser u, above a lower one to greater
                let u = match periods[0] {
                    Some(period) => {
                        let turn = (raw[0] - before[0]).rem_euclid(period);
                        let turn = if turn < 1e-6 || turn > period - 1e-6 { 0.0 } else { turn };
                        if high_pole.is_some_and(|h| (h - v).abs() < 1e-9) {
                            before[0] + turn - period
                        } else {
                            before[0] + if turn > 0.0 { turn } else { period }
                        }
                    }
                    None => raw[0],
                };
                corners.push(Corner { at: [u, v], point: at });
                u
            }
            None => nearest(raw[0], before[0], 0),
        };
        before = [u, nearest(raw[1], before[1], 1)];
        if step < n {
            corners.push(Corner { at: before, point });
        }
    }
    let around = [0, 1].map(|i| periods[i].map_or(0, |p| ((before[i] - start_uv[i]) / p).round() as i32));
    Ok(Line { corners, around })
}

/// Lines that go around are joined to each other or closed by a pole; the others stay.
fn close(
    surface: &Surface,
    lines: Vec<Line>,
    steps: &[Steps; 2],
    points: &mut Vec<P3>,
) -> Result<Vec<Vec<Corner>>, String> {
    let (mut going, mut closed) = (Vec::new(), Vec::new());
    for line in lines {
        if line.around == [0, 0] { closed.push(line.corners) } else { going.push(line) }
    }
    let periods = surface.periods();
    match <[Line; 2]>::try_from(going) {
        Ok([mut a, mut b]) => {
            let i = usize::from(a.around[0] == 0);
            let single = |l: &Line| l.around[i].abs() == 1 && l.around[1 - i] == 0;
            let period =
                periods[i].filter(|_| single(&a) && single(&b)).ok_or("has bounds that go around oddly")?;
            let mean = |l: &Line| l.corners.iter().map(|c| c.at[1 - i]).sum::<f64>() / l.corners.len() as f64;
            if a.around[i] == b.around[i] {
                // one of them was written the wrong way round: seen with u to the right, the lower one goes right
                let wrong = if (mean(&a) < mean(&b)) == (a.around[0] == 1) { &mut b } else { &mut a };
                wrong.corners.reverse();
                wrong.around[i] *= -1;
            }
            if a.around[i] < 0 {
                std::mem::swap(&mut a, &mut b);
            }
            if let Some(other) = periods[1 - i] {
                // both directions come round: the inside is on the left of the first
                let up = if i == 0 { 1.0 } else { -1.0 };
                let gap = (up * (mean(&b) - mean(&a))).rem_euclid(other) * up;
                let by = mean(&a) + gap - mean(&b);
                for c in &mut b.corners {
                    c.at[1 - i] += by;
                }
            }
            closed.push(joined(surface, a, b, (i, period), steps, points));
        }
        Err(mut going) => match (going.pop(), going.is_empty()) {
            (None, _) => {}
            (Some(line), true) => closed.push(capped(surface, line, periods[0], points)?),
            _ => return Err("has three bounds or more that go around".to_owned()),
        },
    }
    Ok(closed)
}

/// Two lines that go around in opposite directions become one, by way of a seam.
fn joined(
    surface: &Surface,
    a: Line,
    b: Line,
    (i, period): (usize, f64),
    steps: &[Steps; 2],
    points: &mut Vec<P3>,
) -> Vec<Corner> {
    let told = |at: P2| [steps[0].of(at[0]), steps[1].of(at[1])];
    let full = (steps[i].of(period) - steps[i].of(0.0)).abs().max(1e-9);
    // the seam stands where the lines are nearest; lines of many points are tried at some of them
    let (skip_a, skip_b) = (a.corners.len().div_ceil(256), b.corners.len().div_ceil(256));
    let mut best = (f64::INFINITY, 0, 0);
    for (m, p) in a.corners.iter().enumerate().step_by(skip_a) {
        let p = told(p.at);
        for (n, q) in b.corners.iter().enumerate().step_by(skip_b) {
            let q = told(q.at);
            let mut d = [q[0] - p[0], q[1] - p[1]];
            d[i] -= (d[i] / full).round() * full;
            let far = d[0] * d[0] + d[1] * d[1];
            if far < best.0 {
                best = (far, m, n);
            }
        }
    }
    let shifted = |c: &Corner, by: f64| {
        let mut at = c.at;
        at[i] += by;
        Corner { at, ..*c }
    };
    // from the seam once around: the corners before it come a turn later
    let turned = |l: &Line, from: usize| -> Vec<Corner> {
        let way = f64::from(l.around[i]) * period;
        let (early, late) = l.corners.split_at(from);
        let mut all: Vec<Corner> = late.to_vec();
        all.extend(early.iter().map(|c| shifted(c, way)));
        all.extend(late.first().map(|c| shifted(c, way)));
        all
    };
    let (one, mut two) = (turned(&a, best.1), turned(&b, best.2));
    let (Some(end), Some(begin)) = (one.last().copied(), two.first().copied()) else { return one };
    let by = ((end.at[i] - begin.at[i]) / period).round() * period;
    for c in &mut two {
        c.at[i] += by;
    }
    let begin = shifted(&begin, by);
    let (p, q) = (told(end.at), told(begin.at));
    let pieces = (p[0] - q[0]).abs().max((p[1] - q[1]).abs()).ceil().clamp(1.0, 512.0) as usize;
    let seam: Vec<Corner> = (1..pieces)
        .map(|k| {
            let share = k as f64 / pieces as f64;
            let at: P2 = [0, 1].map(|j| {
                let (x, y) = (steps[j].of(end.at[j]), steps[j].of(begin.at[j]));
                steps[j].parameter(x + (y - x) * share)
            });
            points.push(surface.point(at));
            Corner { at, point: points.len() as u32 - 1 }
        })
        .collect();
    let back: Vec<Corner> = seam.iter().rev().map(|c| shifted(c, -period)).collect();
    [one, seam, two, back].concat()
}

/// A line that goes around, closed by the pole on its left, or by the only one there is.
fn capped(
    surface: &Surface,
    mut line: Line,
    period: Option<f64>,
    points: &mut Vec<P3>,
) -> Result<Vec<Corner>, String> {
    let period = period.filter(|_| line.around[0].abs() == 1 && line.around[1] == 0);
    let period = period.ok_or("has a bound that goes around oddly")?;
    let [low, high] = surface.poles();
    let (left, right) = if line.around[0] > 0 { (high, low) } else { (low, high) };
    let v = match (left, right) {
        (Some(v), _) => v,
        (None, Some(v)) => {
            line.corners.reverse();
            line.around[0] *= -1;
            v
        }
        _ => return Err("has a bound that goes around, and nothing closes it".to_owned()),
    };
    let Some(first) = line.corners.first().copied() else { return Err("has no bounds".to_owned()) };
    let way = f64::from(line.around[0]) * period;
    points.push(surface.point([first.at[0], v]));
    let point = points.len() as u32 - 1;
    let mut all = line.corners;
    all.push(Corner { at: [first.at[0] + way, first.at[1]], ..first });
    all.push(Corner { at: [first.at[0] + way, v], point });
    all.push(Corner { at: [first.at[0], v], point });
    Ok(all)
}

/// Brings all lines into the turn where the largest stands, and answers that one's area, in square steps.
fn gathered(surface: &Surface, steps: &[Steps; 2], lines: &mut [Vec<Corner>]) -> f64 {
    let area = |l: &Vec<Corner>| {
        let mut flat: Vec<P2> = l.iter().map(|c| c.at).collect();
        flat.extend(flat.first().copied());
        signed_area(&flat)
    };
    let sizes: Vec<f64> = lines.iter().map(area).collect();
    let outer = (0..lines.len()).max_by(|a, b| sizes[*a].abs().total_cmp(&sizes[*b].abs())).unwrap_or(0);
    let (low, high) = range(lines.get(outer).into_iter().flatten().map(|c| c.at));
    for (i, period) in surface.periods().into_iter().enumerate() {
        let Some(period) = period else { continue };
        let turn = steps[i].of(period) - steps[i].of(0.0);
        let middle = f64::midpoint(low[i], high[i]);
        for (k, line) in lines.iter_mut().enumerate() {
            let (a, b) = range(line.iter().map(|c| c.at));
            let by = ((middle - f64::midpoint(a[i], b[i])) / turn).round() * turn;
            if k != outer && by != 0.0 {
                for c in line.iter_mut() {
                    c.at[i] += by;
                }
            }
        }
    }
    sizes.get(outer).copied().unwrap_or(0.0)
}

/// The sides of closed lines.
fn sides(lines: &[Vec<Corner>]) -> impl Iterator<Item = (&Corner, &Corner)> {
    lines.iter().flat_map(|l| l.iter().zip(l.iter().skip(1).chain(l.first())))
}

/// The grid's points that lie within the lines and not too near to them.
fn grid(lines: &[Vec<Corner>], low: P2, high: P2) -> Result<Vec<P2>, String> {
    let (from, to) = (low[1].ceil() as i64, high[1].floor() as i64);
    let mut crossings: Vec<Vec<f64>> = vec![Vec::new(); (to - from + 1).max(0) as usize];
    let mut near: HashSet<[i64; 2]> = HashSet::new();
    let mut looked_at = 0;
    for (a, b) in sides(lines) {
        let (p, q) = (a.at, b.at);
        let (bottom, top) = if p[1] < q[1] { (p, q) } else { (q, p) };
        let mut row = bottom[1].ceil() as i64;
        // a row through a corner meets the side above it only
        while (row as f64) < top[1] {
            let share = (row as f64 - bottom[1]) / (top[1] - bottom[1]);
            if let Some(found) = crossings.get_mut((row - from) as usize) {
                found.push(bottom[0] + (top[0] - bottom[0]) * share);
            }
            row += 1;
        }
        let pieces = ((q[0] - p[0]).hypot(q[1] - p[1]) / 0.25).ceil().max(1.0) as usize;
        for k in 0..=pieces.min(100_000) {
            let share = k as f64 / pieces as f64;
            let at = [p[0] + (q[0] - p[0]) * share, p[1] + (q[1] - p[1]) * share];
            let corner = at.map(|v| v.round() as i64);
            if (at[0] - corner[0] as f64).hypot(at[1] - corner[1] as f64) < MARGIN {
                near.insert(corner);
            }
        }
        looked_at += pieces + (top[1] - bottom[1]) as usize;
        if looked_at > 40 * MAX_INNER {
            return Err("would need too many triangles".to_owned());
        }
    }
    let mut inner = Vec::new();
    for (k, found) in crossings.iter_mut().enumerate() {
        found.sort_by(f64::total_cmp);
        let row = from + k as i64;
        for pair in found.chunks_exact(2) {
            for column in pair[0].ceil() as i64..=pair[1].floor() as i64 {
                if !near.contains(&[column, row]) {
                    inner.push([column as f64, row as f64]);
                }
            }
        }
        if inner.len() > MAX_INNER {
            return Err("would need too many triangles".to_owned());
        }
    }
    debug_assert!(inner.iter().all(|p| p[0] >= low[0] - 1.0 && p[0] <= high[0] + 1.0));
    Ok(inner)
}

/// The triangles within the lines, counter-clockwise, with the grid's points.
fn triangulated(lines: &[Vec<Corner>], inner: &[P2]) -> Result<Vec<[Corner; 3]>, String> {
    let mut net: ConstrainedDelaunayTriangulation<Corner> = ConstrainedDelaunayTriangulation::new();
    let odd = |_| "has bounds that cannot be laid flat".to_owned();
    let mut handles = Vec::with_capacity(lines.len());
    for line in lines {
        let mut own = Vec::with_capacity(line.len());
        for c in line {
            // what is as good as nought is nought to the triangulation
            let at = c.at.map(|v| if v.abs() < 1e-12 { 0.0 } else { v });
            own.push(net.insert(Corner { at, ..*c }).map_err(odd)?);
        }
        handles.push(own);
    }
    // a side that a line goes along twice, in and out again, divides nothing
    let mut borders: HashMap<[usize; 2], bool> = HashMap::new();
    for line in &handles {
        for (a, b) in line.iter().zip(line.iter().skip(1).chain(line.first())).filter(|(a, b)| a != b) {
            let made = net.try_add_constraint(*a, *b);
            if made.is_empty() {
                return Err("has bounds that cross".to_owned());
            }
            for edge in made {
                let ends = net.directed_edge(edge).vertices().map(|v| v.index());
                *borders.entry([ends[0].min(ends[1]), ends[0].max(ends[1])]).or_default() ^= true;
            }
        }
    }
    for p in inner {
        net.insert(Corner { at: *p, point: u32::MAX }).map_err(odd)?;
    }
    // from outside in: each border that is crossed changes sides
    let mut neighbours: Vec<Vec<(usize, bool)>> = vec![Vec::new(); net.num_all_faces()];
    for edge in net.undirected_edges() {
        let directed = edge.as_directed();
        let (a, b) = (directed.face().index(), directed.rev().face().index());
        let ends = directed.vertices().map(|v| v.index());
        let key = [ends[0].min(ends[1]), ends[0].max(ends[1])];
        let border = borders.get(&key).copied().unwrap_or(false);
        neighbours[a].push((b, border));
        neighbours[b].push((a, border));
    }
    let outside = net.outer_face().index();
    let mut inside: Vec<Option<bool>> = vec![None; net.num_all_faces()];
    inside[outside] = Some(false);
    let mut open = vec![(outside, false)];
    while let Some((face, own)) = open.pop() {
        for &(next, border) in &neighbours[face] {
            if inside[next].is_none() {
                inside[next] = Some(own ^ border);
                open.push((next, own ^ border));
            }
        }
    }
    let made = net.inner_faces().filter(|f| inside.get(f.index()).copied().flatten() == Some(true));
    Ok(made.map(|f| f.vertices().map(|v| *v.data())).collect())
}
