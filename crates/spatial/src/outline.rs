//! Outlines in plan: the floor that a body has, seen from above, and what lies on it.

use geometry::{
    Solid,
    region::{self, Area, Loop},
};

/// Faces whose normal looks down at least so steeply are floor: to 60 degrees from the level, as under ramps and stairs.
const DOWN: f64 = -0.5;

/// The floor of a body in plan: what its lower faces cover together.
pub fn floor(solid: &Solid) -> Vec<Area> {
    let lower = solid.faces.iter().filter(|face| face.normal().is_some_and(|n| n.z < DOWN));
    // seen from above a face that looks down runs clockwise: turned, outer loops and holes keep their parts
    let flat = |l: &Vec<glam::DVec3>| -> Loop { l.iter().rev().map(|p| p.truncate()).collect() };
    let loops: Vec<Loop> = lower.flat_map(|face| &face.loops).map(flat).collect();
    region::union(&loops)
}

/// The size of areas in square metres.
pub fn size(areas: &[Area]) -> f64 {
    // no areas are 0 and not -0
    areas.iter().map(Area::size).fold(0.0, |sum, size| sum + size)
}
