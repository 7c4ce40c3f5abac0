//! The direction that a body is known by: the normal of what is flat, the axis of what is long; and the angle between two.
//!
//! The three directions are those of its faces: the one that most of its surface looks along, the one square to it that has most
//! of the rest, and the one square to both. The body is flat where its extent along one of them is less than half of either
//! other, long where one is more than twice either other; walls and slabs come out flat, columns, beams and pipes long.

use geometry::query::Element;
use glam::DVec3;
use ifc::placement::unit;

/// The form of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Thin in one direction: the direction is its normal.
    Flat,
    /// Long in one direction: the direction is its axis.
    Long,
}

/// The direction of a body at length one, and whether it is a normal or an axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Line {
    /// Normal or axis.
    pub form: Form,
    /// The direction; either way along it is meant.
    pub along: DVec3,
}

/// Directions this near to each other, by the cosine, are one.
const SAME: f64 = 0.9998;
/// Directions beyond this number are those of a round body and change nothing.
const MANY: usize = 256;

/// Returns the direction that a body is known by; `None` for one that is about as thick in all directions, such as a cube or a ball.
pub fn line(body: &Element) -> Option<Line> {
    let mut directions: Vec<(DVec3, f64)> = Vec::new();
    let mesh = body.mesh();
    for (number, corners) in mesh.triangles.iter().enumerate() {
        let at = |i: u32| mesh.positions.get(i as usize).copied();
        let (Some(a), Some(b), Some(c)) = (at(corners[0]), at(corners[1]), at(corners[2])) else { continue };
        let Some(normal) = body.normal(number as u32) else { continue };
        let area = (b - a).cross(c - a).length() / 2.0;
        if let Some((_, sum)) = directions.iter_mut().find(|(known, _)| known.dot(normal).abs() > SAME) {
            *sum += area;
        } else if directions.len() < MANY {
            directions.push((normal, area));
        }
    }
    directions.sort_by(|a, b| b.1.total_cmp(&a.1));
    let first = directions.first()?.0;
    let second = directions.iter().map(|(d, _)| *d).find(|d| d.dot(first).abs() < 0.02);
    let second =
        second.or_else(|| unit(first.cross(if first.z.abs() < 0.9 { DVec3::Z } else { DVec3::X })))?;
    let axes = [first, second, unit(first.cross(second))?];
    let extent = |axis: DVec3| {
        let heights = mesh.positions.iter().map(|p| p.dot(axis));
        let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        high - low
    };
    let mut sized = axes.map(|axis| (extent(axis), axis));
    sized.sort_by(|a, b| a.0.total_cmp(&b.0));
    let [thin, middle, long] = sized;
    if thin.0 < middle.0 / 2.0 {
        // a board that is much longer than wide is still a board, a bar is about as wide as thick
        return Some(Line { form: Form::Flat, along: thin.1 });
    }
    (long.0 > 2.0 * middle.0).then_some(Line { form: Form::Long, along: long.1 })
}

/// Returns the angle between two bodies in degrees, 0 to 90: between the planes of flat ones, the axes of long ones, or the axis of one and
/// the plane of the other.
pub fn angle(a: Line, b: Line) -> f64 {
    let cosine = a.along.dot(b.along).abs().min(1.0);
    let sine = a.along.cross(b.along).length();
    let between = sine.atan2(cosine).to_degrees();
    if a.form == b.form { between } else { 90.0 - between }
}
