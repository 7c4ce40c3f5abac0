//! The direction in which an opening goes through its host, and in which one passes what fills it.

use geometry::{Shaper, Solid, math::vector_area};
use glam::{DAffine3, DVec3};
use ifc::Id;

/// The directions of an element's faces, each with the area that looks that way or against it in m², the largest first.
pub fn directions(shaper: &Shaper<'_>, element: Id) -> Vec<(DVec3, f64)> {
    let Ok(bodies) = shaper.gross_bodies(element) else { return Vec::new() };
    let mut directions: Vec<(DVec3, f64)> = Vec::new();
    for face in bodies.iter().flat_map(|s| &s.faces) {
        let Some(n) = face.normal() else { continue };
        let size = face.loops.iter().map(|l| vector_area(l)).sum::<DVec3>().length();
        match directions.iter_mut().find(|(m, _)| m.dot(n).abs() > 0.999) {
            Some((_, sum)) => *sum += size,
            None => directions.push((n, size)),
        }
    }
    directions.sort_by(|a, b| b.1.total_cmp(&a.1));
    directions
}

/// The direction of most of the host's faces that the opening has faces along too; `directions` are those of the host.
pub fn through_host(directions: &[(DVec3, f64)], opening: &[Solid]) -> Option<DVec3> {
    let parallel = |n: &DVec3| {
        let mut faces = opening.iter().flat_map(|s| &s.faces).filter_map(geometry::Face::normal);
        faces.any(|m| m.dot(*n).abs() > 0.999)
    };
    directions.iter().map(|(n, _)| *n).find(parallel)
}

/// The direction through what fills no opening: its own y axis, unless it is much thinner along another.
pub fn thinnest(frame: &DAffine3, solids: &[Solid]) -> DVec3 {
    let extent = |axis: DVec3| {
        let along = solids.iter().flat_map(Solid::points).map(|p| p.dot(axis));
        let (low, high) = along.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        high - low
    };
    let others = [frame.x_axis, frame.z_axis].into_iter().min_by(|a, b| extent(*a).total_cmp(&extent(*b)));
    others.filter(|other| extent(frame.y_axis) > 1.5 * extent(*other)).unwrap_or(frame.y_axis)
}
