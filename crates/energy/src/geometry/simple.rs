//! Rectangles that are given by a corner, length, height, azimuth and tilt, and windows by their place in a wall.

use super::Surface;
use crate::idf::Object;
use crate::integrity::{Point, area_vector, length};

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
pub(super) fn surface(object: Object<'_>) -> Result<Vec<Point>, String> {
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
        [
            start[0] - x * azimuth.cos() - y * tilt.cos() * azimuth.sin(),
            start[1] + x * azimuth.sin() - y * tilt.cos() * azimuth.cos(),
            start[2] + y * tilt.sin(),
        ]
    };
    Ok(vec![at(0.0, up), at(0.0, 0.0), at(across, 0.0), at(across, up)])
}

/// The corners of a window: its start is counted from the lower left corner of what it lies in.
pub(super) fn window(object: Object<'_>, host: &Surface) -> Result<Vec<Point>, String> {
    let number = |field: &str| object.number(field);
    let (Some(across), Some(up)) = (number("length"), number("height")) else {
        return Err("its length or height is not a number".to_owned());
    };
    let (x, z) =
        (number("starting_x_coordinate").unwrap_or(0.0), number("starting_z_coordinate").unwrap_or(0.0));
    let normal = area_vector(&host.corners);
    let size = length(normal);
    if size <= 0.0 {
        return Err(format!("the surface `{}` has no area", host.name));
    }
    let normal = normal.map(|part| part / size);
    // along the surface to the right, as seen from outside; what lies flat has the world's x for it
    let level = normal[0].hypot(normal[1]);
    let right = if level > 1e-6 { [-normal[1] / level, normal[0] / level, 0.0] } else { [1.0, 0.0, 0.0] };
    let upward = [
        normal[1] * right[2] - normal[2] * right[1],
        normal[2] * right[0] - normal[0] * right[2],
        normal[0] * right[1] - normal[1] * right[0],
    ];
    let dot = |a: Point, b: Point| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let least =
        |axis: Point| host.corners.iter().map(|corner| dot(*corner, axis)).fold(f64::INFINITY, f64::min);
    let (left, low) = (least(right), least(upward));
    let depth = host.corners.first().map_or(0.0, |corner| dot(*corner, normal));
    let at = |along: f64, above: f64| -> Point {
        std::array::from_fn(|axis| {
            let part = |vector: Point| vector.get(axis).copied().unwrap_or_default();
            (left + along) * part(right) + (low + above) * part(upward) + depth * part(normal)
        })
    };
    Ok(vec![at(x, z + up), at(x, z), at(x + across, z), at(x + across, z + up)])
}
