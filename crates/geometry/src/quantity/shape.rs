//! Measures of bodies that several kinds of element need: main directions, extents, cuts midway, views from below, faces by direction.

use crate::{
    bodies::Bodies,
    math::{Bounds, vector_area},
    region::{self, Loop},
    section::{self, Outline, Plane},
};
use glam::DVec3;
use ifc::placement::unit;

/// Directions of faces told apart at most; round bodies have many, and none of theirs is the main one.
const MAX_DIRECTIONS: usize = 256;

/// The vector area of every face: its direction is the normal, its length the area.
pub(super) fn faces(bodies: &Bodies) -> impl Iterator<Item = DVec3> {
    bodies.iter().flat_map(|s| &s.faces).map(|f| f.loops.iter().map(|l| vector_area(l)).sum())
}

/// The area of the faces whose normal passes a test, in square metres.
pub(super) fn area_of(bodies: &Bodies, test: impl Fn(DVec3) -> bool) -> f64 {
    faces(bodies).filter(|v| unit(*v).is_some_and(&test)).map(DVec3::length).sum()
}

/// The directions of the faces that pass a test, the one with the most area (both ways counted) first, each with its area.
pub(super) fn directions(bodies: &Bodies, test: impl Fn(DVec3) -> bool) -> Vec<(DVec3, f64)> {
    let mut found: Vec<(DVec3, f64)> = Vec::new();
    for v in faces(bodies) {
        let Some(n) = unit(v).filter(|n| test(*n)) else { continue };
        if let Some((_, area)) = found.iter_mut().find(|(m, _)| m.dot(n).abs() > 0.9999) {
            *area += v.length();
        } else if found.len() < MAX_DIRECTIONS {
            found.push((n, v.length()));
        }
    }
    found.sort_by(|a, b| b.1.total_cmp(&a.1));
    found
}

/// The least and greatest distance along a direction.
pub(super) fn extent(bodies: &Bodies, along: DVec3) -> (f64, f64) {
    let points = bodies.iter().flat_map(crate::Solid::points);
    points.map(|p| p.dot(along)).fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)))
}

/// The size along a direction.
pub(super) fn size(bodies: &Bodies, along: DVec3) -> f64 {
    let (low, high) = extent(bodies, along);
    high - low
}

/// The plane across a direction, midway; x as the hint says.
pub(super) fn middle(bodies: &Bodies, across: DVec3, x: DVec3) -> Option<Plane> {
    let centre = Bounds::from_points(bodies.iter().flat_map(crate::Solid::points)).centre();
    let (low, high) = extent(bodies, across);
    let off = f64::midpoint(low, high) - centre.dot(across);
    Plane::new(centre + across * off, across, x)
}

/// Returns the outline that a plane cuts of all bodies together.
pub(super) fn cut(bodies: &Bodies, plane: &Plane) -> Outline {
    section::of_solids(bodies.iter(), plane)
}

/// The bodies as seen from below, on the ground.
pub(super) fn ground_view(bodies: &Bodies) -> Outline {
    let centre = Bounds::from_points(bodies.iter().flat_map(crate::Solid::points)).centre();
    let mut loops: Vec<Loop> = Vec::new();
    for face in bodies.iter().flat_map(|s| &s.faces) {
        if face.normal().is_some_and(|n| n.z < -1e-4) {
            // seen from below they run clockwise; turned round, holes stay holes
            let flat = |l: &Vec<DVec3>| l.iter().rev().map(|p| *p - centre).map(DVec3::truncate).collect();
            loops.extend(face.loops.iter().map(flat));
        }
    }
    Outline { areas: region::union(&loops), ..Outline::default() }
}

/// The level direction across a level direction.
pub(super) fn beside(n: DVec3) -> DVec3 {
    unit(DVec3::Z.cross(n)).unwrap_or(DVec3::X)
}
