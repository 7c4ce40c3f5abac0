//! Rectangles that are given by a corner, length, height, azimuth and tilt, and windows by their place in a wall.

use super::Surface;
use super::polygon::area_vector;
use crate::idf::Object;
use glam::{DVec3, dvec3};

/// Windows and doors that are given by measures.
pub(super) const WINDOWS: [&str; 6] =
    ["Window", "Door", "GlazedDoor", "Window:Interzone", "Door:Interzone", "GlazedDoor:Interzone"];

/// The azimuth and tilt that a type has where its fields are blank.
fn usual(type_name: &str) -> (f64, f64) {
    let first = type_name.split(':').next().unwrap_or_default();
    match first {
        "Floor" => (0.0, 180.0),
        "Roof" | "Ceiling" => (0.0, 0.0),
        _ => (0.0, 90.0),
    }
}

/// The corners of a surface, counter-clockwise from its upper left one, as seen from outside.
pub(super) fn surface(object: Object<'_>) -> Result<Vec<DVec3>, String> {
    let number = |field: &str| object.number(field);
    let across = number("length");
    let up = number("height").or_else(|| number("width"));
    let (Some(across), Some(up)) = (across, up) else {
        return Err("its length, height or width is not a number".to_owned());
    };
    let (azimuth, tilt) = usual(object.type_name());
    let azimuth = number("azimuth_angle").unwrap_or(azimuth).to_radians();
    let tilt = number("tilt_angle").unwrap_or(tilt).to_radians();
    let start = ["starting_x_coordinate", "starting_y_coordinate", "starting_z_coordinate"]
        .map(|name| number(name).unwrap_or(0.0));
    let at = |x: f64, y: f64| {
        dvec3(
            start[0] - x * azimuth.cos() - y * tilt.cos() * azimuth.sin(),
            start[1] + x * azimuth.sin() - y * tilt.cos() * azimuth.cos(),
            start[2] + y * tilt.sin(),
        )
    };
    Ok(vec![at(0.0, up), at(0.0, 0.0), at(across, 0.0), at(across, up)])
}

/// The corners of a window: its start is counted from the lower left corner of what it lies in.
pub(super) fn window(object: Object<'_>, host: &Surface) -> Result<Vec<DVec3>, String> {
    let number = |field: &str| object.number(field);
    let (Some(across), Some(up)) = (number("length"), number("height")) else {
        return Err("its length or height is not a number".to_owned());
    };
    let (x, z) =
        (number("starting_x_coordinate").unwrap_or(0.0), number("starting_z_coordinate").unwrap_or(0.0));
    let normal = area_vector(&host.corners);
    let size = normal.length();
    if size <= 0.0 {
        return Err(format!("the surface `{}` has no area", host.name));
    }
    let normal = normal / size;
    // along the surface to the right, as seen from outside; what lies flat has the world's x for it
    let level = normal.x.hypot(normal.y);
    let right = if level > 1e-6 { dvec3(-normal.y / level, normal.x / level, 0.0) } else { DVec3::X };
    let upward = normal.cross(right);
    let least =
        |axis: DVec3| host.corners.iter().map(|corner| corner.dot(axis)).fold(f64::INFINITY, f64::min);
    let (left, low) = (least(right), least(upward));
    let depth = host.corners.first().map_or(0.0, |corner| corner.dot(normal));
    let at = |along: f64, above: f64| right * (left + along) + upward * (low + above) + normal * depth;
    Ok(vec![at(x, z + up), at(x, z), at(x + across, z), at(x + across, z + up)])
}
