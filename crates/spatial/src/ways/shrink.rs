//! Areas drawn in by a distance: where the middle of a disc can be that stays within them.
//!
//! Along sides the border moves in by the distance; about corners that point inward it is an arc, drawn as a polygon around it with 32
//! corners to the full circle, so that the disc never comes nearer than it may, and nowhere stays farther off than half a
//! hundredth of the distance.

use crate::shadow::loops_of;
use geometry::region::{self, Area, Loop};
use glam::DVec2;
use std::f64::consts::PI;

/// Angle of a piece of an arc.
const PIECE: f64 = PI / 16.0;

/// Returns areas drawn in by a distance in metres.
pub fn shrink(areas: &[Area], by: f64) -> Vec<Area> {
    let loops: Vec<Loop> = areas.iter().flat_map(|a| a.loops().cloned()).collect();
    if by <= 0.0 {
        return areas.to_vec();
    }
    let mut taken: Vec<Loop> = Vec::new();
    for l in &loops {
        let n = l.len();
        for i in 0..n {
            let (a, b, c) = (l[i], l[(i + 1) % n], l[(i + 2) % n]);
            let (u, v) = ((b - a).normalize_or_zero(), (c - b).normalize_or_zero());
            // the inside lies to the left
            let (inward, next) = (u.perp(), v.perp());
            taken.push(vec![a, b, b + inward * by, a + inward * by]);
            let turn = u.perp_dot(v).atan2(u.dot(v));
            if turn < -1e-9 {
                taken.push(sector(b, inward, next, -turn, by));
            }
        }
    }
    region::less_all(&loops, &taken)
}

/// The sector about a corner from one direction clockwise to another, its arc drawn around the circle.
fn sector(at: DVec2, from: DVec2, to: DVec2, angle: f64, by: f64) -> Loop {
    let count = (angle / PIECE).ceil().max(1.0);
    let piece = angle / count;
    let outer = by / (piece / 2.0).cos();
    let mut points = vec![at, at + to * by];
    for i in (0..count as usize).rev() {
        let turn = -(i as f64 + 0.5) * piece;
        points.push(at + DVec2::from_angle(turn).rotate(from) * outer);
    }
    points.push(at + from * by);
    points
}

/// Returns the middle and the radius of a largest circle in areas, to a millimetre (the search by quartered cells of `polylabel`).
pub fn largest_circle(areas: &[Area]) -> Option<(DVec2, f64)> {
    let loops = loops_of(areas.to_vec());
    let edges: Vec<[DVec2; 2]> = loops
        .iter()
        .flat_map(|l| l.iter().copied().zip(l.iter().copied().cycle().skip(1)))
        .map(|(a, b)| [a, b])
        .collect();
    let (low, high) = loops
        .iter()
        .flatten()
        .fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(l, h), p| (l.min(*p), h.max(*p)));
    if edges.is_empty() {
        return None;
    }
    let clear = |p: DVec2| {
        let off = edges.iter().map(|[a, b]| crate::shadow::to_line(p, *a, *b)).fold(f64::INFINITY, f64::min);
        if crate::facet::holds(&loops, p) { off } else { -off }
    };
    let size = (high - low).min_element().max((high - low).max_element() / 16.0).max(1e-3);
    let half = size / 2.0;
    let mut cells: Vec<(DVec2, f64, f64)> = Vec::new();
    let mut best = (low, f64::NEG_INFINITY);
    let mut y = low.y + half;
    while y < high.y + half {
        let mut x = low.x + half;
        while x < high.x + half {
            let p = DVec2::new(x, y);
            cells.push((p, half, clear(p)));
            x += size;
        }
        y += size;
    }
    while let Some(at) = (0..cells.len()).max_by(|a, b| {
        let most = |i: usize| cells[i].2 + cells[i].1 * std::f64::consts::SQRT_2;
        most(*a).total_cmp(&most(*b))
    }) {
        let (p, half, off) = cells.swap_remove(at);
        if off > best.1 {
            best = (p, off);
        }
        if off + half * std::f64::consts::SQRT_2 <= best.1 + 1e-3 || cells.len() > 4000 {
            break;
        }
        for (sx, sy) in [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)] {
            let q = p + DVec2::new(sx, sy) * half;
            cells.push((q, half / 2.0, clear(q)));
        }
    }
    (best.1 > 0.0).then_some(best)
}
