//! Surfaces by two parameters: planes, cylinders, cones, spheres, tori, what a curve sweeps along a line or about an axis, B-splines.
//!
//! A surface here is without bounds of its own; [`patch`] makes triangles of the part that lies within closed lines. Lengths in metres,
//! angles in radians. Where a curve is swept, its points stand for it, and the parameter along it counts them.

mod nearest;
pub mod patch;
mod read;
mod steps;
#[cfg(test)]
mod tests;
mod told;

pub use steps::Steps;

use crate::{curve::chords, nurbs::SplineSurface};
use glam::{DAffine3, DVec3};
use std::f64::consts::{FRAC_PI_2, TAU};

/// A surface, `u` first. Normals point where `dP/du × dP/dv` does.
#[derive(Debug, Clone, PartialEq)]
pub enum Surface {
    /// `u` and `v` are the frame's x and y.
    Plane(DAffine3),
    /// `u` is the angle about the frame's z, `v` the height along it.
    Cylinder {
        /// Its axis is z.
        frame: DAffine3,
        /// In metres.
        radius: f64,
    },
    /// As a cylinder whose radius grows by `slope` metres for each metre of height.
    Cone {
        /// Its axis is z.
        frame: DAffine3,
        /// At height nought.
        radius: f64,
        /// The tangent of half the angle of the cone.
        slope: f64,
    },
    /// `u` is longitude, `v` latitude.
    Sphere {
        /// About the origin.
        frame: DAffine3,
        /// In metres.
        radius: f64,
    },
    /// `u` goes about the frame's z, `v` about the tube, from the outside upwards.
    Torus {
        /// Its axis is z.
        frame: DAffine3,
        /// Of the circle within the tube.
        major: f64,
        /// Of the tube.
        minor: f64,
    },
    /// A curve moved along a direction: `u` counts the curve's points, `v` is how far.
    Extruded {
        /// The curve.
        curve: Vec<DVec3>,
        /// The direction, at length one.
        along: DVec3,
    },
    /// A curve turned about an axis: `u` is the angle, `v` counts the curve's points.
    Revolved {
        /// The axis is its z.
        frame: DAffine3,
        /// The curve as radius, height and angle at the beginning.
        curve: Vec<DVec3>,
    },
    /// By control points.
    Spline(Box<SplineSurface>),
}

impl Surface {
    /// The point at two parameters.
    pub fn point(&self, [u, v]: [f64; 2]) -> DVec3 {
        match self {
            Surface::Plane(frame) => frame.transform_point3(DVec3::new(u, v, 0.0)),
            Surface::Cylinder { frame, radius } => {
                frame.transform_point3(DVec3::new(radius * u.cos(), radius * u.sin(), v))
            }
            Surface::Cone { frame, radius, slope } => {
                let r = radius + v * slope;
                frame.transform_point3(DVec3::new(r * u.cos(), r * u.sin(), v))
            }
            Surface::Sphere { frame, radius } => {
                let r = radius * v.cos();
                frame.transform_point3(DVec3::new(r * u.cos(), r * u.sin(), radius * v.sin()))
            }
            Surface::Torus { frame, major, minor } => {
                let r = major + minor * v.cos();
                frame.transform_point3(DVec3::new(r * u.cos(), r * u.sin(), minor * v.sin()))
            }
            Surface::Extruded { curve, along } => on_chain(curve, u) + *along * v,
            Surface::Revolved { frame, curve } => {
                let DVec3 { x: r, y: height, z: start } = on_chain(curve, v);
                frame.transform_point3(DVec3::new(r * (u + start).cos(), r * (u + start).sin(), height))
            }
            Surface::Spline(spline) => {
                let wrap = |t: f64, i: usize| {
                    let (from, to) = spline.knots[i].domain();
                    if spline.closed[i] && !(from..=to).contains(&t) {
                        from + (t - from).rem_euclid(to - from)
                    } else {
                        t
                    }
                };
                spline.at([wrap(u, 0), wrap(v, 1)]).0
            }
        }
    }

    /// Returns the period of a parameter, after which the same points come again.
    pub fn periods(&self) -> [Option<f64>; 2] {
        match self {
            Surface::Plane(_) => [None, None],
            Surface::Cylinder { .. } | Surface::Cone { .. } | Surface::Sphere { .. } => [Some(TAU), None],
            Surface::Torus { .. } => [Some(TAU), Some(TAU)],
            Surface::Extruded { curve, .. } => [is_ring(curve).then(|| (curve.len() - 1) as f64), None],
            Surface::Revolved { curve, .. } => [Some(TAU), is_ring(curve).then(|| (curve.len() - 1) as f64)],
            Surface::Spline(spline) => [0, 1].map(|i| {
                let (from, to) = spline.knots[i].domain();
                spline.closed[i].then_some(to - from)
            }),
        }
    }

    /// The lower and upper `v` at which all `u` are one point.
    pub fn poles(&self) -> [Option<f64>; 2] {
        match self {
            Surface::Cone { radius, slope, .. } if *slope != 0.0 => {
                let apex = -radius / slope;
                if *slope > 0.0 { [Some(apex), None] } else { [None, Some(apex)] }
            }
            Surface::Sphere { .. } => [Some(-FRAC_PI_2), Some(FRAC_PI_2)],
            Surface::Revolved { curve, .. } => {
                let touches = |p: Option<&DVec3>| p.is_some_and(|p| p.x < 1e-7);
                let last = (curve.len().max(1) - 1) as f64;
                [touches(curve.first()).then_some(0.0), touches(curve.last()).then_some(last)]
            }
            Surface::Spline(spline) => {
                let (from, to) = spline.knots[1].domain();
                [spline.is_pole(1, false).then_some(from), spline.is_pole(1, true).then_some(to)]
            }
            _ => [None, None],
        }
    }

    /// The ends of the parameters where the surface has such, for one that is drawn whole.
    pub fn limits(&self) -> Option<[[f64; 2]; 2]> {
        let round = [0.0, TAU];
        match self {
            Surface::Sphere { .. } => Some([round, [-FRAC_PI_2, FRAC_PI_2]]),
            Surface::Torus { .. } => Some([round, round]),
            Surface::Revolved { curve, .. } => Some([round, [0.0, (curve.len().max(1) - 1) as f64]]),
            Surface::Spline(spline) => Some([0, 1].map(|i| {
                let (from, to) = spline.knots[i].domain();
                [from, to]
            })),
            _ => None,
        }
    }

    /// The steps of a grid for the part between these parameters: chords stray about a millimetre, as on circles.
    pub fn steps(&self, low: [f64; 2], high: [f64; 2]) -> [Steps; 2] {
        let whole = |i: usize| Steps::Even(low[i], (high[i] - low[i]).max(1e-9));
        // what bends in both directions falls short in both: half as many chords again, as for turned profiles
        let turn = |radius: f64, share: f64| {
            Steps::Even(0.0, TAU / chords(radius, share * TAU).max((32.0 * share) as usize) as f64)
        };
        match self {
            Surface::Plane(_) => [whole(0), whole(1)],
            Surface::Cylinder { radius, .. } => [turn(*radius, 1.0), whole(1)],
            Surface::Cone { radius, slope, .. } => {
                let widest = (radius + low[1] * slope).abs().max((radius + high[1] * slope).abs());
                [turn(widest, 1.0), whole(1)]
            }
            Surface::Sphere { radius, .. } => [turn(*radius, 1.5), turn(*radius, 1.5)],
            Surface::Torus { major, minor, .. } => [turn(major + minor, 1.5), turn(*minor, 1.5)],
            Surface::Extruded { .. } => [Steps::Even(0.0, 1.0), whole(1)],
            Surface::Revolved { curve, .. } => {
                let widest = curve.iter().map(|p| p.x).fold(0.0, f64::max);
                [turn(widest, 1.5), Steps::Even(0.0, 1.0)]
            }
            Surface::Spline(spline) => {
                [0, 1].map(|i| Steps::Lines(spline.lines[i].clone(), spline.closed[i]))
            }
        }
    }
}

/// Returns true if a chain ends where it begins.
fn is_ring(chain: &[DVec3]) -> bool {
    chain.len() > 3 && chain.first().zip(chain.last()).is_some_and(|(a, b)| (*a - *b).length() < 1e-6)
}

/// The point of a chain at a number of points along it; beyond its ends straight on, or round again where it closes.
fn on_chain(chain: &[DVec3], at: f64) -> DVec3 {
    let last = chain.len().max(2) - 1;
    let at = if is_ring(chain) { at.rem_euclid(last as f64) } else { at };
    let i = (at.floor().max(0.0) as usize).min(last - 1);
    match (chain.get(i), chain.get(i + 1)) {
        (Some(a), Some(b)) => *a + (*b - *a) * (at - i as f64),
        (Some(a), None) => *a,
        _ => DVec3::ZERO,
    }
}

/// The axis and curve of a surface of revolution from points of the curve.
fn revolved(frame: DAffine3, curve: &[DVec3]) -> Surface {
    let mut chain: Vec<DVec3> = Vec::with_capacity(curve.len());
    for p in curve {
        let d = *p - frame.translation;
        let [x, y, z] = [d.dot(frame.x_axis), d.dot(frame.y_axis), d.dot(frame.z_axis)];
        let r = x.hypot(y);
        // the axis has no angle of its own, and angles go on where they were
        let before = chain.last().map(|q| q.z);
        let angle = if r < 1e-9 { before.unwrap_or(f64::NAN) } else { y.atan2(x) };
        let angle = before
            .filter(|b| b.is_finite())
            .map_or(angle, |b| b + (angle - b + TAU / 2.0).rem_euclid(TAU) - TAU / 2.0);
        chain.push(DVec3::new(r, z, angle));
    }
    let first = chain.iter().map(|p| p.z).find(|a| a.is_finite()).unwrap_or(0.0);
    for p in chain.iter_mut().filter(|p| !p.z.is_finite()) {
        p.z = first;
    }
    Surface::Revolved { frame, curve: chain }
}

/// The normal that both parameters' directions give, by small differences; for tests and for curves on surfaces.
pub fn normal(surface: &Surface, uv: [f64; 2]) -> DVec3 {
    let size = 1e-5;
    let across = |d: [f64; 2]| {
        let at = |s: f64| surface.point([uv[0] + s * d[0], uv[1] + s * d[1]]);
        at(size) - at(-size)
    };
    across([1.0, 0.0]).cross(across([0.0, 1.0]))
}
