//! The grid in the plane of parameters: its points within the lines.

use super::MAX_INNER;
use crate::delaunay::Corner;
use glam::DVec2;
use std::collections::HashSet;

/// The distance from the border, in steps, that the grid keeps.
const MARGIN: f64 = 0.45;

/// The sides of closed lines.
fn sides(lines: &[Vec<Corner>]) -> impl Iterator<Item = (&Corner, &Corner)> {
    lines.iter().flat_map(|l| l.iter().zip(l.iter().skip(1).chain(l.first())))
}

/// The grid's points that lie within the lines and not too near to them.
pub(super) fn grid(lines: &[Vec<Corner>], low: DVec2, high: DVec2) -> Result<Vec<DVec2>, String> {
    let (from, to) = (low.y.ceil() as i64, high.y.floor() as i64);
    let mut crossings: Vec<Vec<f64>> = vec![Vec::new(); (to - from + 1).max(0) as usize];
    let mut near: HashSet<[i64; 2]> = HashSet::new();
    let mut looked_at = 0;
    for (a, b) in sides(lines) {
        let (p, q) = (a.at, b.at);
        let (bottom, top) = if p.y < q.y { (p, q) } else { (q, p) };
        let mut row = bottom.y.ceil() as i64;
        // a row through a corner meets the side above it only
        while (row as f64) < top.y {
            let share = (row as f64 - bottom.y) / (top.y - bottom.y);
            if let Some(found) = crossings.get_mut((row - from) as usize) {
                found.push(bottom.x + (top.x - bottom.x) * share);
            }
            row += 1;
        }
        let pieces = (p.distance(q) / 0.25).ceil().max(1.0) as usize;
        for k in 0..=pieces.min(100_000) {
            let share = k as f64 / pieces as f64;
            let at = p + (q - p) * share;
            let corner = at.round();
            if at.distance(corner) < MARGIN {
                near.insert(corner.to_array().map(|v| v as i64));
            }
        }
        looked_at += pieces + (top.y - bottom.y) as usize;
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
                    inner.push(DVec2::new(column as f64, row as f64));
                }
            }
        }
        if inner.len() > MAX_INNER {
            return Err("would need too many triangles".to_owned());
        }
    }
    debug_assert!(inner.iter().all(|p| p.x >= low.x - 1.0 && p.x <= high.x + 1.0));
    Ok(inner)
}
