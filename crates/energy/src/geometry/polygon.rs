//! The types of surfaces, their corners as they are given, and the areas within.

use crate::idf::Object;
use glam::{DVec3, dvec3};

/// Types of surfaces given by their corners, that enclose zones.
pub const DETAILED: [&str; 4] =
    ["BuildingSurface:Detailed", "Wall:Detailed", "RoofCeiling:Detailed", "Floor:Detailed"];

/// Types of surfaces given by length and height, that enclose zones.
pub const SIMPLE: [&str; 13] = [
    "Wall:Exterior",
    "Wall:Adiabatic",
    "Wall:Underground",
    "Wall:Interzone",
    "Roof",
    "Ceiling:Adiabatic",
    "Ceiling:Interzone",
    "Floor:GroundContact",
    "Floor:Adiabatic",
    "Floor:Interzone",
    "WallExterior",
    "RoofCeiling",
    "Floor",
];

/// Returns the corners of a surface, in metres; none where one is not a number.
pub fn corners(object: Object<'_>) -> Option<Vec<DVec3>> {
    let groups: Vec<Vec<&str>> = object.groups().collect();
    // windows have four corners as fields of their own
    let first = object.about().and_then(|about| about.position("vertex_1_x_coordinate"));
    let own: Vec<&str> =
        first.filter(|_| groups.is_empty()).into_iter().flat_map(|at| object.values().skip(at)).collect();
    let points =
        groups.iter().map(Vec::as_slice).chain(own.chunks(3).filter(|corner| !corner.concat().is_empty()));
    points
        .map(|corner| match corner {
            [x, y, z] => Some(dvec3(x.parse().ok()?, y.parse().ok()?, z.parse().ok()?)),
            _ => None,
        })
        .collect()
}

/// Returns twice the area of a polygon, in m², as a vector along its normal (Newell's formula).
pub fn area_vector(points: &[DVec3]) -> DVec3 {
    let mut sum = DVec3::ZERO;
    for (a, b) in points.iter().zip(points.iter().cycle().skip(1)) {
        let (less, more) = (*a - *b, *a + *b);
        sum += dvec3(less.y * more.z, less.z * more.x, less.x * more.y);
    }
    sum
}

/// Returns the area of a surface or window that is given by its corners, in m².
pub fn area(object: Object<'_>) -> Option<f64> {
    Some(area_vector(&corners(object)?).length() / 2.0)
}
