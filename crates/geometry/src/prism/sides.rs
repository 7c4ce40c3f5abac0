//! The prism's own sides and ends, laid where they meet the inside of the body.

use super::{
    ASIDE, CutError, Limits, Slope,
    faces::push_area,
    height,
    section::{Body, CuttingPlane, section},
};
use crate::{
    math::Bounds,
    region::{self, Loop},
    solid::Face,
};
use glam::{DVec2, DVec3};

/// The prism's end where it is inside the body.
pub(super) fn lay_end(
    body: &Body,
    slope: Slope,
    up: bool,
    loops: &[Loop],
    out: &mut Vec<Face>,
) -> Result<(), CutError> {
    let outward = if up { -ASIDE } else { ASIDE };
    let plane = CuttingPlane {
        origin: DVec3::new(0.0, 0.0, slope[2]),
        across: DVec3::new(-slope[0], -slope[1], 1.0),
        along: [DVec3::X, DVec3::Y],
    };
    let cut = both_sides(body, &plane, outward)?;
    for area in region::intersection(&cut, loops) {
        push_area(&area, !up, &|p: DVec2| p.extend(height(slope, p)), out);
    }
    Ok(())
}

/// One side of the prism, over the edge from `a` to `b`, where it is inside the body.
pub(super) fn lay_side(
    body: &Body,
    a: DVec2,
    b: DVec2,
    limits: &Limits,
    out: &mut Vec<Face>,
) -> Result<(), CutError> {
    let (dx, dy) = (b.x - a.x, b.y - a.y);
    let len = dx.hypot(dy);
    if len < 1e-9 {
        return Ok(());
    }
    let (tx, ty) = (dx / len, dy / len);
    let at = |s: f64| DVec2::new(a.x + tx * s, a.y + ty * s);
    let Some(strip) = limits.strip(0.0, len, &at) else { return Ok(()) };
    let place = |p: &DVec2| DVec3::new(a.x + tx * p.x, a.y + ty * p.x, p.y);
    if !Bounds::from_points(strip.iter().map(place)).meets(&body.reach, 2.0 * ASIDE) {
        return Ok(());
    }
    // loops run counter-clockwise (holes clockwise), so outside is to the right
    let plane = CuttingPlane {
        origin: a.extend(0.0),
        across: DVec3::new(ty, -tx, 0.0),
        along: [DVec3::new(tx, ty, 0.0), DVec3::Z],
    };
    let cut = both_sides(body, &plane, ASIDE)?;
    if cut.is_empty() {
        return Ok(());
    }
    for area in region::intersection(&cut, &[strip]) {
        push_area(&area, true, &|p: DVec2| place(&p), out);
    }
    Ok(())
}

/// Returns the area in which the body is on both sides of a plane of the prism. Where it is only on the outer side it already has a face there
/// (an earlier opening's), which stays.
fn both_sides(body: &Body, plane: &CuttingPlane, outward: f64) -> Result<Vec<Loop>, CutError> {
    let outer = section(body, plane, outward)?;
    let in_plane =
        |f: &Face| f.loops.first().is_some_and(|l| l.iter().all(|&p| plane.distance(p).abs() < ASIDE));
    if outer.is_empty() || !body.near(plane, 2.0 * ASIDE).any(in_plane) {
        return Ok(outer);
    }
    let inner = section(body, plane, -outward)?;
    Ok(region::intersection(&outer, &inner).iter().flat_map(|a| a.loops().cloned()).collect())
}
