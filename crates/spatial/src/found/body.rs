//! The body of a room over its floor: upright to the ceiling of each part.

use super::ceiling::Part;
use geometry::{
    Face, Solid,
    math::orthonormal,
    region::{self, Area, Loop},
};
use glam::{DAffine3, DVec2, DVec3};
use std::collections::BTreeMap;

/// The body between a level floor and the ceilings of its parts, normals outward.
pub(crate) fn column(floor: &[Area], foot: f64, parts: &[Part]) -> Solid {
    let mut faces: Vec<Face> = Vec::new();
    for area in floor {
        // a floor looks down: seen from above it runs clockwise
        let turned = |l: &Loop| l.iter().rev().map(|p| p.extend(foot)).collect();
        faces.push(Face { loops: area.loops().map(turned).collect() });
    }
    let mut walls: BTreeMap<[i64; 3], Upright> = BTreeMap::new();
    for part in parts {
        let lift = |p: &DVec2| p.extend(part.height(*p).max(foot));
        faces.push(Face { loops: part.area.loops().map(|l| l.iter().map(lift).collect()).collect() });
        for l in part.area.loops() {
            for (a, b) in l.iter().zip(l.iter().cycle().skip(1)) {
                side(&mut walls, [*a, *b], foot, part);
            }
        }
    }
    for upright in walls.values() {
        // sides that two parts share cancel as far as both are high
        faces.extend(upright.faces(&upright.out, &upright.back, false));
        faces.extend(upright.faces(&upright.back, &upright.out, true));
    }
    Solid::new(faces, true)
}

/// Sides of parts in one upright plane: those that look along its normal, and those that look back.
struct Upright {
    plane: DAffine3,
    out: Vec<Loop>,
    back: Vec<Loop>,
}

/// Adds the side of a part over one of its edges; the part lies at the left of the edge.
fn side(walls: &mut BTreeMap<[i64; 3], Upright>, [a, b]: [DVec2; 2], foot: f64, part: &Part) {
    let Some(along) = (b - a).try_normalize() else { return };
    let outward = -along.perp();
    // one plane for both directions
    let is_back = outward.x < -1e-6 || (outward.x.abs() <= 1e-6 && outward.y < 0.0);
    let normal = if is_back { -outward } else { outward };
    let key = [normal.x * 1e4, normal.y * 1e4, normal.dot(a) * 1e4].map(|v| v.round() as i64);
    // the same plane may have been rounded to the next number
    let known = (-1..=1).map(|by| [key[0], key[1], key[2] + by]).find(|k| walls.contains_key(k));
    let fresh = || Upright {
        plane: orthonormal(a.extend(0.0), normal.extend(0.0), DVec3::Z.cross(normal.extend(0.0))),
        out: Vec::new(),
        back: Vec::new(),
    };
    let upright = walls.entry(known.unwrap_or(key)).or_insert_with(fresh);
    let flat = |p: DVec2, z: f64| {
        let d = p.extend(0.0) - upright.plane.translation;
        DVec2::new(d.dot(upright.plane.x_axis), z)
    };
    let corners = vec![
        flat(a, foot),
        flat(b, foot),
        flat(b, part.height(b).max(foot)),
        flat(a, part.height(a).max(foot)),
    ];
    let corners = Area::new(corners, Vec::new()).outer;
    if is_back { upright.back.push(corners) } else { upright.out.push(corners) }
}

impl Upright {
    fn faces(&self, own: &[Loop], others: &[Loop], is_back: bool) -> Vec<Face> {
        let lift = |p: &DVec2| self.plane.translation + self.plane.x_axis * p.x + DVec3::Z * p.y;
        let face = |area: Area| {
            let loops = area.loops().map(|l| {
                let points = l.iter().map(lift);
                // x runs to the right and z up as seen against the normal, so that counter-clockwise looks along it
                if is_back { points.rev().collect() } else { points.collect() }
            });
            Face { loops: loops.collect() }
        };
        region::less_all(own, others).into_iter().map(face).collect()
    }
}
