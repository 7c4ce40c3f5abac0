//! Rigid maps of the world, in mm: shifts, turns about an upright axis, reflections in an upright plane.

use crate::frame::Frame;
use crate::measures::finite;
use contract::Fault;
use glam::{DAffine3, DMat3, DVec2, DVec3};

/// A vector in the world, in mm.
pub type Vector = DVec3;

/// Returns a turn about an upright axis through a point in plan, counter-clockwise seen from above.
pub fn about(origin: DVec2, degrees: f64) -> Frame {
    let (sin, cos) = sine_and_cosine(degrees);
    let turn = DMat3::from_cols(DVec3::new(cos, sin, 0.0), DVec3::new(-sin, cos, 0.0), DVec3::Z);
    let origin = origin.extend(0.0);
    Frame(DAffine3 { matrix3: turn, translation: origin - turn * origin })
}

/// Returns the reflection in the upright plane over a line through two points in plan.
pub fn across(a: DVec2, b: DVec2) -> Option<DAffine3> {
    let along = crate::polygon::direction(a, b)?;
    let (c, s) = (along.x * along.x - along.y * along.y, 2.0 * along.x * along.y);
    let matrix3 = DMat3::from_cols(DVec3::new(c, s, 0.0), DVec3::new(s, -c, 0.0), DVec3::Z);
    let origin = a.extend(0.0);
    Some(DAffine3 { matrix3, translation: origin - matrix3 * origin })
}

/// Reads an angle in degrees.
pub fn angle(field: &str, degrees: f64) -> Result<f64, Fault> {
    let bounded = finite(field, degrees)?;
    if bounded.abs() > 360.0 {
        return Err(Fault::invalid(
            field,
            format!("`{field}` is {degrees}; it is an angle from -360 to 360 degrees."),
        ));
    }
    Ok(bounded)
}

/// Sine and cosine, exact at quarter turns so that what was square stays so.
fn sine_and_cosine(degrees: f64) -> (f64, f64) {
    let whole = degrees.rem_euclid(360.0);
    let quarters = [(0.0, (0.0, 1.0)), (90.0, (1.0, 0.0)), (180.0, (0.0, -1.0)), (270.0, (-1.0, 0.0))];
    match quarters.into_iter().find(|(at, _)| (whole - at).abs() < 1e-9) {
        Some((_, exact)) => exact,
        None => whole.to_radians().sin_cos(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_turn_is_exact_and_a_reflection_undoes_itself() {
        let turned = about(DVec2::new(1000.0, 0.0), 90.0).transform_point3(DVec3::new(2000.0, 0.0, 5.0));
        assert_eq!(turned, DVec3::new(1000.0, 1000.0, 5.0));
        let mirror = across(DVec2::ZERO, DVec2::new(1.0, 1.0)).unwrap();
        let p = DVec3::new(3.0, 7.0, 1.0);
        assert!(mirror.transform_point3(p).abs_diff_eq(DVec3::new(7.0, 3.0, 1.0), 1e-12));
        assert!(mirror.transform_point3(mirror.transform_point3(p)).abs_diff_eq(p, 1e-9));
        assert!(across(DVec2::ZERO, DVec2::ZERO).is_none());
    }
}
