//! Areas drawn in by a distance: where the middle of a disc can be that stays within them.
//!
//! Along sides the border moves in by the distance; about corners that point inward it is an arc, drawn as a polygon around it with 32
//! corners to the full circle, so that the disc never comes nearer than it may, and nowhere stays farther off than half a
//! hundredth of the distance.

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
