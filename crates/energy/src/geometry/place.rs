//! From the frame in which corners are given to the one frame of the scene.

use super::polygon::corners;
use crate::idf::{Document, Object};
use glam::{DVec3, dvec3};

/// The rules by which a document gives its corners.
pub(super) struct Placing<'a> {
    document: &'a Document,
    /// True if corners of surfaces are in the world's frame.
    world: bool,
    /// The building's turn from north, in degrees; zero in the world's frame, where it is ignored.
    pub(super) north_axis: f64,
    /// True if corners are given clockwise, as seen from outside.
    clockwise: bool,
}

/// Turns clockwise, seen from above.
fn turned(point: DVec3, degrees: f64) -> DVec3 {
    if degrees == 0.0 {
        return point;
    }
    let (sin, cos) = degrees.to_radians().sin_cos();
    dvec3(point.x * cos + point.y * sin, point.y * cos - point.x * sin, point.z)
}

impl<'a> Placing<'a> {
    pub(super) fn from_document(document: &'a Document) -> Self {
        let rules = document.of_type("GlobalGeometryRules").next();
        let system =
            rules.and_then(|rules| rules.get("coordinate_system")).unwrap_or_default().to_lowercase();
        let world =
            system.starts_with("world") || system.starts_with("wcs") || system.starts_with("absolute");
        let axis = document.of_type("Building").next().and_then(|building| building.number("north_axis"));
        let way = rules.and_then(|rules| rules.get("vertex_entry_direction")).unwrap_or_default();
        let clockwise = way.eq_ignore_ascii_case("clockwise");
        Self { document, world, north_axis: if world { 0.0 } else { axis.unwrap_or(0.0) }, clockwise }
    }

    /// The corners of an object that gives them one by one, counter-clockwise as seen from outside.
    pub(super) fn detailed(&self, object: Object<'_>) -> Result<Vec<DVec3>, String> {
        match corners(object) {
            Some(mut corners) if corners.len() >= 3 => {
                if self.clockwise {
                    corners.reverse();
                }
                Ok(corners)
            }
            Some(corners) => Err(format!("it has {} corners", corners.len())),
            None => Err("a coordinate of its corners is not a number".to_owned()),
        }
    }

    pub(super) fn is_world(&self) -> bool {
        self.world
    }

    /// Corners in the frame of a zone.
    pub(super) fn in_zone(&self, zone: &str, corners: Vec<DVec3>) -> Result<Vec<DVec3>, String> {
        if self.world {
            return Ok(corners);
        }
        // a surface may name a space, which stands in the frame of its zone
        let named = self.document.get("Zone", zone);
        let object = named.ok_or_else(|| {
            format!("its corners are in the frame of the zone `{zone}`, which is not there")
        })?;
        let number = |field: &str| object.number(field).unwrap_or(0.0);
        let angle = number("direction_of_relative_north");
        let origin = dvec3(number("x_origin"), number("y_origin"), number("z_origin"));
        let place = |corner| turned(turned(corner, angle) + origin, self.north_axis);
        Ok(corners.into_iter().map(place).collect())
    }

    /// Corners in the frame of the building.
    pub(super) fn in_building(&self, corners: Vec<DVec3>) -> Vec<DVec3> {
        corners.into_iter().map(|corner| turned(corner, self.north_axis)).collect()
    }
}
