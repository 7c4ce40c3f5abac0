//! The slope of a slab, as an angle and the way it rises or by the heights of its corners.

use crate::polygon::height_of;
use contract::Fault;
use glam::{DVec2, DVec3};

/// The steepest slope of a slab in degrees.
pub const STEEPEST: f64 = 60.0;

/// How a slab leans.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lean {
    /// The point in plan at which its top is as high as is said.
    pub from: DVec2,
    /// How its top rises, in mm per mm in plan.
    pub gradient: DVec2,
}

/// How a slab over an outline leans: by `slope`, degrees to the level and the way it rises in degrees from x, then from its lowest
/// corner; or by the z of its corners, then from the first. None for a level one.
pub fn lean(
    outline: &[DVec2],
    points: &[Vec<f64>],
    slope: Option<(f64, f64)>,
) -> Result<Option<Lean>, Fault> {
    let top = points.first().map_or(0.0, |p| height_of(p));
    let uneven = points.iter().position(|p| (height_of(p) - top).abs() > 0.1);
    match (slope, uneven) {
        (None, None) => Ok(None),
        (None, Some(i)) => by_heights(outline, points, i).map(Some),
        (Some(_), Some(i)) => Err(Fault::invalid(
            &format!("boundary_points[{i}]"),
            "Give either `slope`, or a z for every corner: both say how the slab leans.",
        )),
        (Some((pitch, direction)), None) => by_angle(outline, pitch, direction),
    }
}

fn by_angle(outline: &[DVec2], pitch: f64, direction: f64) -> Result<Option<Lean>, Fault> {
    if !(pitch.is_finite() && (0.0..=STEEPEST).contains(&pitch)) {
        return Err(Fault::invalid(
            "slope.pitch",
            format!("`slope.pitch` is {pitch}°; a slab leans by 0 to {STEEPEST} degrees. Turn `slope.direction` to have it rise the other way."),
        )
        .with("largest", STEEPEST));
    }
    if !(direction.is_finite() && direction.abs() <= 360.0) {
        return Err(Fault::invalid(
            "slope.direction",
            format!(
                "`slope.direction` is {direction}; it is an angle in plan, counter-clockwise from x, from 0 to 360 degrees."
            ),
        ));
    }
    let gradient = DVec2::from_angle(direction.to_radians()) * pitch.to_radians().tan();
    let lowest = outline.iter().copied().min_by(|a, b| a.dot(gradient).total_cmp(&b.dot(gradient)));
    Ok(lowest.filter(|_| gradient.length() > 1e-9).map(|from| Lean { from, gradient }))
}

fn by_heights(outline: &[DVec2], points: &[Vec<f64>], uneven: usize) -> Result<Lean, Fault> {
    let corners: Vec<DVec3> =
        outline.iter().zip(points).map(|(p, given)| p.extend(height_of(given))).collect();
    let first = corners.first().copied().unwrap_or_default();
    // the first corner beside the first two that is not in line with them
    let way = corners.get(1).map_or(DVec3::X, |p| *p - first);
    let aside = |p: &DVec3| way.truncate().perp_dot((*p - first).truncate()).abs();
    let third = corners.iter().copied().find(|p| aside(p) > 1e-3 * way.length() * p.distance(first));
    let across = way.cross(third.unwrap_or(first + DVec3::Y) - first);
    let gradient = -across.truncate() / across.z;
    let at = |p: DVec3| first.z + (p - first).truncate().dot(gradient);
    if let Some((off, fits)) = corners
        .iter()
        .map(|p| at(*p).round())
        .enumerate()
        .zip(&corners)
        .find_map(|((i, fits), p)| ((p.z - at(*p)).abs() > 1.0).then_some((i, fits)))
    {
        return Err(Fault::invalid(
            &format!("boundary_points[{off}]"),
            format!("The corners' heights do not lie in one plane: corner {off} would fit at z {fits}. Give that, or the same z for all."),
        )
        .with("fits", fits));
    }
    if gradient.length() > STEEPEST.to_radians().tan() {
        return Err(Fault::invalid(
            &format!("boundary_points[{uneven}]"),
            format!(
                "These heights make a slab that leans by {:.1}°; it can lean by up to {STEEPEST} degrees.",
                gradient.length().atan().to_degrees()
            ),
        )
        .with("largest", STEEPEST));
    }
    Ok(Lean { from: first.truncate(), gradient })
}
