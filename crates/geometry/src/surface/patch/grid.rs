//! The grid in the plane of parameters: its points within the lines.

use super::MAX_INNER;
use crate::delaunay::Corner;
use crate::math::P2;
use std::collections::HashSet;

/// How near to the border, in steps, the grid keeps out.
const MARGIN: f64 = 0.45;

/// The sides of closed lines.
fn sides(lines: &[Vec<Corner>]) -> impl Iterator<Item = (&Corner, &Corner)> {
    lines.iter().flat_map(|l| l.iter().zip(l.iter().skip(1).chain(l.first())))
}

/// The grid's points that lie within the lines and not too near to them.
pub(super) fn grid(lines: &[Vec<Corner>], low: P2, high: P2) -> Result<Vec<P2>, String> {
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
