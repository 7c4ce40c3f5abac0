//! Closed lines on a surface, laid out in the plane of its parameters: unrolled where the surface comes round again, joined along a
//! seam or closed by a pole where a line goes around.

use super::{Corner, Line, range};
use crate::math::signed_area;
use crate::surface::{Steps, Surface};
use glam::{DVec2, DVec3};

/// The parameters of a loop's points, each as near to the one before as the surface's coming round lets it.
pub(super) fn unrolled(surface: &Surface, l: &[DVec3], start: u32) -> Result<Line, String> {
    let periods = surface.periods();
    let [low_pole, high_pole] = surface.poles();
    let mut near = None;
    let mut found: Vec<([f64; 2], bool)> = Vec::with_capacity(l.len());
    let size = crate::math::Bounds::from_points(l.iter().copied()).size();
    let reach = 0.005 + 0.02 * size.length();
    for p in l {
        let (uv, free) = surface.parameters(*p, near);
        let off = (surface.point(uv) - *p).length();
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
                corners.push(Corner { at: DVec2::new(before[0], v), point });
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
                corners.push(Corner { at: DVec2::new(u, v), point: at });
                u
            }
            None => nearest(raw[0], before[0], 0),
        };
        before = [u, nearest(raw[1], before[1], 1)];
        if step < n {
            corners.push(Corner { at: before.into(), point });
        }
    }
    let around = [0, 1].map(|i| periods[i].map_or(0, |p| ((before[i] - start_uv[i]) / p).round() as i32));
    Ok(Line { corners, around })
}

/// Lines that go around are joined to each other or closed by a pole; the others stay.
pub(super) fn close(
    surface: &Surface,
    lines: Vec<Line>,
    steps: &[Steps; 2],
    points: &mut Vec<DVec3>,
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
    points: &mut Vec<DVec3>,
) -> Vec<Corner> {
    let told = |at: DVec2| [steps[0].count_to(at.x), steps[1].count_to(at.y)];
    let full = (steps[i].count_to(period) - steps[i].count_to(0.0)).abs().max(1e-9);
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
            let at = [0, 1].map(|j| {
                let (x, y) = (steps[j].count_to(end.at[j]), steps[j].count_to(begin.at[j]));
                steps[j].parameter(x + (y - x) * share)
            });
            points.push(surface.point(at));
            Corner { at: at.into(), point: points.len() as u32 - 1 }
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
    points: &mut Vec<DVec3>,
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
    points.push(surface.point([first.at.x, v]));
    let point = points.len() as u32 - 1;
    let mut all = line.corners;
    all.push(Corner { at: DVec2::new(first.at.x + way, first.at.y), ..first });
    all.push(Corner { at: DVec2::new(first.at.x + way, v), point });
    all.push(Corner { at: DVec2::new(first.at.x, v), point });
    Ok(all)
}

/// Brings all lines into the turn where the largest stands, and answers that one's area, in square steps.
pub(super) fn gathered(surface: &Surface, steps: &[Steps; 2], lines: &mut [Vec<Corner>]) -> f64 {
    let area = |l: &Vec<Corner>| {
        let mut flat: Vec<DVec2> = l.iter().map(|c| c.at).collect();
        flat.extend(flat.first().copied());
        signed_area(&flat)
    };
    let sizes: Vec<f64> = lines.iter().map(area).collect();
    let outer = (0..lines.len()).max_by(|a, b| sizes[*a].abs().total_cmp(&sizes[*b].abs())).unwrap_or(0);
    let (low, high) = range(lines.get(outer).into_iter().flatten().map(|c| c.at));
    for (i, period) in surface.periods().into_iter().enumerate() {
        let Some(period) = period else { continue };
        let turn = steps[i].count_to(period) - steps[i].count_to(0.0);
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
