//! Polygons as gbXML has them: one loop without holes, and the rectangle around it.

use geometry::Face;
use geometry::region::{self, Area};
use glam::{DAffine3, DVec2, DVec3};
use xml::Writer;

/// A number to a hundredth of a millimetre, without an exponent.
pub(super) fn number(v: f64) -> String {
    let rounded = (v * 1e5).round() / 1e5 + 0.0;
    if rounded.is_finite() { format!("{rounded}") } else { "0".to_owned() }
}

/// A loop of points.
pub(super) fn point_loop(writer: &mut Writer, points: &[DVec3]) {
    writer.open("PolyLoop");
    for p in points {
        cartesian(writer, *p);
    }
    writer.close();
}

fn cartesian(writer: &mut Writer, p: DVec3) {
    writer.open("CartesianPoint");
    for v in p.to_array() {
        writer.leaf("Coordinate", &number(v));
    }
    writer.close();
}

/// The outline and the holes as one loop: each hole is reached from the outline over a slit of no width, there and back.
fn keyhole<P: Copy>(outer: &[P], holes: &[Vec<P>], distance: impl Fn(P, P) -> f64) -> Vec<P> {
    let mut whole: Vec<P> = outer.to_vec();
    for hole in holes.iter().filter(|hole| hole.len() > 2) {
        let mut best: Option<(f64, usize, usize)> = None;
        for (i, a) in whole.iter().enumerate() {
            for (j, b) in hole.iter().enumerate() {
                let d = distance(*a, *b);
                if best.is_none_or(|(known, ..)| d < known) {
                    best = Some((d, i, j));
                }
            }
        }
        let Some((_, i, j)) = best else { continue };
        let back = whole.get(i).copied();
        let around = hole.iter().cycle().skip(j).take(hole.len() + 1).copied();
        let slit: Vec<P> = around.chain(back).collect();
        let rest = whole.split_off(i + 1);
        whole.extend(slit);
        whole.extend(rest);
    }
    whole
}

/// Times that an area is cut for the sake of holes.
const CUTS: usize = 12;

/// An area as areas without holes: it is cut across the middle of each. What is still in one piece after many cuts keeps its holes.
pub(super) fn without_holes(area: &Area) -> Vec<Area> {
    let mut done = Vec::new();
    let mut open = vec![(area.clone(), 0)];
    while let Some((area, cuts)) = open.pop() {
        let hole = area.holes.first().filter(|_| cuts < CUTS);
        let ends = hole.and_then(spatial::facet::extent).zip(spatial::facet::extent(&area.outer));
        let Some(((from, to), (low, high))) = ends else {
            done.push(area);
            continue;
        };
        let middle = f64::midpoint(from.x, to.x);
        let loops: Vec<region::Loop> = area.loops().cloned().collect();
        let (low, high) = (low - DVec2::ONE, high + DVec2::ONE);
        let halves = [
            region::rectangle(low, DVec2::new(middle, high.y)),
            region::rectangle(DVec2::new(middle, low.y), high),
        ];
        let parts = halves.into_iter().flat_map(|half| region::intersection(&loops, &[half]));
        open.extend(parts.filter(|part| part.size() > 1e-6).map(|part| (part, cuts + 1)));
    }
    done
}

/// A face of a body as one loop; nothing if it has no area.
pub(super) fn of_face(face: &Face) -> Option<Vec<DVec3>> {
    face.normal()?;
    let (outer, holes) = face.loops.split_first()?;
    (outer.len() > 2).then(|| keyhole(outer, holes, |a: DVec3, b: DVec3| a.distance_squared(b)))
}

/// An area of a plane as one loop in space, anticlockwise seen from where the plane's z points.
pub(super) fn of_area(plane: &DAffine3, area: &Area) -> Vec<DVec3> {
    let flat = keyhole(&area.outer, &area.holes, |a: DVec2, b: DVec2| a.distance_squared(b));
    flat.into_iter().map(|p| plane.transform_point3(p.extend(0.0))).collect()
}

/// The rectangle around an area, and the directions in which it looks.
pub(super) fn rectangle(writer: &mut Writer, plane: &DAffine3, area: &Area) {
    let low = area.outer.iter().copied().reduce(DVec2::min).unwrap_or_default();
    let high = area.outer.iter().copied().reduce(DVec2::max).unwrap_or_default();
    let normal = plane.z_axis;
    let is_level = normal.truncate().length() < 1e-6;
    let azimuth = if is_level { 0.0 } else { normal.x.atan2(normal.y).to_degrees().rem_euclid(360.0) };
    let tilt = normal.z.clamp(-1.0, 1.0).acos().to_degrees();
    writer.open("RectangularGeometry");
    writer.leaf("Azimuth", &number(azimuth));
    cartesian(writer, plane.transform_point3(low.extend(0.0)));
    writer.leaf("Tilt", &number(tilt));
    writer.leaf("Height", &number(high.y - low.y)).leaf("Width", &number(high.x - low.x)).close();
}
