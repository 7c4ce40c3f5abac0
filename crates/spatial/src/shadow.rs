//! The shadow in plan of the part of a body between two heights: what is not free to walk on there.
//!
//! A closed body's shadow is its cut at the lower height and all its faces between the two. Of bodies of very many faces the hull
//! in each half metre counts.

use crate::{facet::loops_of, plan::hull};
use geometry::Bounds;
use geometry::query::Element;
use geometry::region::{self, Loop};
use geometry::section::{self, Plane};
use glam::{DVec2, DVec3};
use std::collections::BTreeMap;

/// Faces beyond this number are not united one by one.
const MANY: usize = 600;
/// Smaller faces are gathered by squares of this side then, in metres.
const SQUARE: f64 = 0.5;

/// The shadow as loops, outer ones counter-clockwise.
pub fn shadow(element: &Element, low: f64, high: f64) -> Vec<Loop> {
    cast(element, low, high, |_| true)
}

/// The shadow as it is within a box; what lies beyond may be missing.
pub fn shadow_within(element: &Element, low: f64, high: f64, plan: &Bounds) -> Vec<Loop> {
    let meets = |face: &Loop| {
        let own = Bounds::from_points(face.iter().map(|p| p.extend(plan.min.z)));
        own.meets(plan, 0.0)
    };
    cast(element, low, high, meets)
}

fn cast(element: &Element, low: f64, high: f64, is_asked: impl Fn(&Loop) -> bool) -> Vec<Loop> {
    let b = element.bounds();
    if b.is_empty() || b.max.z <= low || b.min.z >= high {
        return Vec::new();
    }
    let mut loops = faces(element, low, high);
    loops.retain(is_asked);
    if loops.len() > MANY {
        loops = gathered(loops);
    }
    if b.min.z < low
        && let Some(plane) = Plane::level(low)
    {
        let cut = section::of_mesh(element.mesh(), &plane);
        loops.extend(cut.areas.into_iter().flat_map(|a| std::iter::once(a.outer).chain(a.holes)));
    }
    loops_of(&region::union(&loops))
}

/// Small faces gathered into the hulls of those in each square, so that a railing round a terrace leaves its middle free; large ones as
/// they are.
fn gathered(faces: Vec<Loop>) -> Vec<Loop> {
    let mut squares: BTreeMap<[i64; 2], Vec<DVec2>> = BTreeMap::new();
    let mut gathered: Vec<Loop> = Vec::new();
    for face in faces {
        let first = face.first().copied().unwrap_or_default();
        if face.iter().any(|p| p.distance(first) > SQUARE) {
            gathered.push(face);
        } else {
            let square = (first / SQUARE).floor();
            squares.entry([square.x as i64, square.y as i64]).or_default().extend(face);
        }
    }
    gathered.extend(squares.into_values().map(hull).filter(|hull| hull.len() > 2));
    gathered
}

/// The faces between two heights seen from above, each counter-clockwise.
fn faces(element: &Element, low: f64, high: f64) -> Vec<Loop> {
    let mesh = element.mesh();
    let mut loops = Vec::new();
    for corners in &mesh.triangles {
        let at = |i: u32| mesh.positions.get(i as usize).copied();
        let (Some(a), Some(b), Some(c)) = (at(corners[0]), at(corners[1]), at(corners[2])) else { continue };
        let twice = (b - a).truncate().perp_dot((c - a).truncate());
        if twice.abs() < 1e-9 || a.z.max(b.z).max(c.z) <= low || a.z.min(b.z).min(c.z) >= high {
            continue;
        }
        let clipped = clip(clip(vec![a, b, c], low, 1.0), high, -1.0);
        let mut flat: Loop = clipped.iter().map(|p| p.truncate()).collect();
        if twice < 0.0 {
            flat.reverse();
        }
        if flat.len() > 2 {
            loops.push(flat);
        }
    }
    loops
}

/// The part of a convex polygon above a height (`way` 1) or below it (-1).
fn clip(points: Vec<DVec3>, height: f64, way: f64) -> Vec<DVec3> {
    let over = |p: &DVec3| (p.z - height) * way;
    if points.iter().all(|p| over(p) >= 0.0) {
        return points;
    }
    let mut kept = Vec::with_capacity(points.len() + 1);
    for (p, q) in points.iter().zip(points.iter().cycle().skip(1)) {
        let (hp, hq) = (over(p), over(q));
        if hp >= 0.0 {
            kept.push(*p);
        }
        if (hp < 0.0) != (hq < 0.0) {
            kept.push(*p + (*q - *p) * (hp / (hp - hq)));
        }
    }
    kept
}

/// The distance of a point from the line between two others.
pub fn to_line(p: DVec2, a: DVec2, b: DVec2) -> f64 {
    nearest_on(p, a, b).distance(p)
}

/// The point of the line between two points that is nearest to one.
pub fn nearest_on(p: DVec2, a: DVec2, b: DVec2) -> DVec2 {
    let d = b - a;
    let share = (p - a).dot(d) / d.length_squared().max(f64::MIN_POSITIVE);
    a + d * share.clamp(0.0, 1.0)
}
