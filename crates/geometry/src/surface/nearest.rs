//! The point of a surface that is nearest to a point in space, by its parameters.

use super::{Surface, on_chain};
use glam::{DAffine3, DVec3};
use std::f64::consts::TAU;

impl Surface {
    /// The number of pieces that are looked at to find the nearest point.
    pub(crate) fn pieces(&self) -> usize {
        match self {
            Surface::Extruded { curve, .. } | Surface::Revolved { curve, .. } => curve.len(),
            _ => 1,
        }
    }

    /// The parameters of the point of the surface that is nearest, by way of a hint, and whether `u` may be anything there.
    pub fn parameters(&self, p: DVec3, near: Option<[f64; 2]>) -> ([f64; 2], bool) {
        let in_frame = |frame: &DAffine3| {
            let d = p - frame.translation;
            [d.dot(frame.x_axis), d.dot(frame.y_axis), d.dot(frame.z_axis)]
        };
        match self {
            Surface::Plane(frame) => {
                let [x, y, _] = in_frame(frame);
                ([x, y], false)
            }
            Surface::Cylinder { frame, .. } => {
                let [x, y, z] = in_frame(frame);
                ([y.atan2(x), z], false)
            }
            Surface::Cone { frame, slope, radius } => {
                let [x, y, z] = in_frame(frame);
                // beyond the apex the radius counts backwards
                let turn = if radius + z * slope < 0.0 { -1.0 } else { 1.0 };
                ([(turn * y).atan2(turn * x), z], x.hypot(y) < 1e-6)
            }
            Surface::Sphere { frame, radius } => {
                let [x, y, z] = in_frame(frame);
                let r = x.hypot(y);
                ([y.atan2(x), z.atan2(r)], r < 1e-6 * radius.max(1.0))
            }
            Surface::Torus { frame, major, minor } => {
                let [x, y, z] = in_frame(frame);
                let (r, mut u) = (x.hypot(y), y.atan2(x));
                let mut out = r - major;
                // a tube wider than its ring passes through the axis to the other side
                if minor > major && (out.hypot(z) - minor).abs() > ((-r - major).hypot(z) - minor).abs() {
                    out = -r - major;
                    u += TAU / 2.0;
                }
                ([u, z.atan2(out)], false)
            }
            Surface::Extruded { curve, along } => {
                let across = |q: DVec3| q - *along * q.dot(*along);
                let flat: Vec<DVec3> = curve.iter().map(|q| across(*q)).collect();
                let u = nearest_on(&flat, across(p), near.map(|n| n[0]), self.periods()[0].is_none());
                ([u, (p - on_chain(curve, u)).dot(*along)], false)
            }
            Surface::Revolved { frame, curve } => {
                let [x, y, z] = in_frame(frame);
                let r = x.hypot(y);
                let flat: Vec<DVec3> = curve.iter().map(|q| q.with_z(0.0)).collect();
                let v =
                    nearest_on(&flat, DVec3::new(r, z, 0.0), near.map(|n| n[1]), self.periods()[1].is_none());
                ([y.atan2(x) - on_chain(curve, v).z, v], r < 1e-6)
            }
            Surface::Spline(spline) => {
                let near = near.map(|hint| {
                    [0, 1].map(|i| {
                        let (from, to) = spline.knots[i].domain();
                        if spline.closed[i] { from + (hint[i] - from).rem_euclid(to - from) } else { hint[i] }
                    })
                });
                spline.parameters(p, near)
            }
        }
    }
}

/// Returns the place of the nearest point on a chain. Of several that are as near, the nearest to the hint. An open chain's first and last pieces
/// reach beyond its ends.
fn nearest_on(chain: &[DVec3], p: DVec3, near: Option<f64>, open: bool) -> f64 {
    let last = chain.len().max(2) - 2;
    let mut best = (f64::INFINITY, f64::INFINITY, 0.0);
    for (i, pair) in chain.windows(2).enumerate() {
        let &[a, b] = pair else { continue };
        let (d, to) = (b - a, p - a);
        let square = d.dot(d);
        let share = if square > 0.0 { to.dot(d) / square } else { 0.0 };
        let low = if open && i == 0 { f64::NEG_INFINITY } else { 0.0 };
        let high = if open && i == last { f64::INFINITY } else { 1.0 };
        let share = share.clamp(low, high);
        let far = (to - d * share).length();
        let at = i as f64 + share;
        let off = near.map_or(0.0, |n| (at - n).abs());
        if far < best.0 - 1e-9 || (far < best.0 + 1e-9 && off < best.1) {
            best = (far.min(best.0), off, at);
        }
    }
    best.2
}
