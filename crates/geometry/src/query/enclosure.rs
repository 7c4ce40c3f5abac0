//! Parts of space to select by: boxes, what a camera sees, and prisms over an area; which elements reach into one, and which lie
//! in it wholly.

use super::{Element, Index};
use crate::{
    math::Bounds,
    region::{Area, Loop},
};
use glam::{DVec2, DVec3};
use ifc::Id;
use ifc::placement::unit;
use std::ops::ControlFlow;

/// The position of an element to a part of space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lies {
    /// It shares nothing with it.
    Outside,
    /// It reaches into it.
    Across,
    /// It lies in it wholly.
    Inside,
}

/// The side of a plane that its normal points away from.
#[derive(Debug, Clone, Copy, PartialEq)]
struct HalfSpace {
    normal: DVec3,
    /// A point of the plane.
    at: DVec3,
}

impl HalfSpace {
    fn over(&self, p: DVec3) -> f64 {
        self.normal.dot(p - self.at)
    }
}

/// A part of space. Its boundary belongs to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Enclosure {
    /// The planes that it lies between: of a prism foot and top alone.
    planes: Vec<HalfSpace>,
    /// In plan.
    area: Option<Area>,
    /// A point in it.
    inner: DVec3,
    bounds: Bounds,
}

impl Enclosure {
    /// Makes the enclosure between the corners of a box, in metres.
    pub fn cuboid(bounds: Bounds) -> Enclosure {
        let mut planes = Vec::with_capacity(6);
        for normal in DVec3::AXES {
            planes.push(HalfSpace { normal, at: bounds.max });
            planes.push(HalfSpace { normal: -normal, at: bounds.min });
        }
        Enclosure { planes, area: None, inner: bounds.centre(), bounds }
    }

    /// A prism over an area in plan, between two heights, in metres. `None` where the area has no size.
    pub fn prism(area: Area, foot: f64, top: f64) -> Option<Enclosure> {
        let outer = area.outer.iter().map(|p| p.extend(0.0));
        let mut bounds = Bounds::from_points(outer);
        if area.size() <= 0.0 || foot > top || !(foot + top).is_finite() {
            return None;
        }
        (bounds.min.z, bounds.max.z) = (foot, top);
        let inner = within(&area)?;
        let up = DVec3::Z;
        let planes =
            vec![HalfSpace { normal: up, at: bounds.max }, HalfSpace { normal: -up, at: bounds.min }];
        let inner = inner.extend(f64::midpoint(foot, top));
        Some(Enclosure { planes, area: Some(area), inner, bounds })
    }

    /// Makes the enclosure that a camera sees between two distances: `eye`, where it looks, what is up, the opening
    /// angle from top to bottom in radians, width over height, and the two distances in metres. `None` where that is
    /// no pyramid.
    pub fn view(
        eye: DVec3,
        target: DVec3,
        up: DVec3,
        angle: f64,
        aspect: f64,
        [near, far]: [f64; 2],
    ) -> Option<Enclosure> {
        let ahead = unit(target - eye)?;
        let right = unit(ahead.cross(up))?;
        let up = right.cross(ahead);
        let sound = angle > 0.0 && angle < std::f64::consts::PI && aspect > 0.0 && near >= 0.0 && far > near;
        if !sound || !eye.is_finite() || !far.is_finite() {
            return None;
        }
        let (y, x) = ((angle / 2.0).tan(), (angle / 2.0).tan() * aspect);
        let corner = |sx: f64, sy: f64, d: f64| {
            let side = right * (sx * x * d) + up * (sy * y * d);
            eye + (ahead * d + side)
        };
        let mut planes = vec![
            HalfSpace { normal: ahead, at: eye + ahead * far },
            HalfSpace { normal: -ahead, at: eye + ahead * near },
        ];
        for s in [1.0, -1.0] {
            let sideways = unit(right * s - ahead * x)?;
            let upwards = unit(up * s - ahead * y)?;
            planes.extend([sideways, upwards].map(|normal| HalfSpace { normal, at: eye }));
        }
        let signs = [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)];
        let corners = signs.into_iter().flat_map(|(sx, sy)| [corner(sx, sy, near), corner(sx, sy, far)]);
        let inner = eye + ahead * f64::midpoint(near, far);
        Some(Enclosure { planes, area: None, inner, bounds: Bounds::from_points(corners) })
    }

    /// The box around it.
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Returns true if a box lies wholly beyond one of the planes, or beside.
    fn misses(&self, b: &Bounds) -> bool {
        let lowest = |h: &HalfSpace| h.over(DVec3::select(h.normal.cmpgt(DVec3::ZERO), b.min, b.max));
        !self.bounds.meets(b, 0.0) || self.planes.iter().any(|h| lowest(h) > 0.0)
    }

    /// Returns the position of a triangle.
    fn lies(&self, triangle: [DVec3; 3]) -> Lies {
        let mut polygon = triangle.to_vec();
        let mut inside = true;
        for plane in &self.planes {
            inside &= polygon.iter().all(|p| plane.over(*p) <= 0.0);
            polygon = clipped(&polygon, plane);
            if polygon.is_empty() {
                return Lies::Outside;
            }
        }
        let in_plan = self.area.as_ref().map_or(Lies::Inside, |area| lies_in(&polygon, area));
        match in_plan {
            Lies::Inside if inside => Lies::Inside,
            Lies::Outside => Lies::Outside,
            _ => Lies::Across,
        }
    }

    /// Returns the position of an element.
    pub fn holds(&self, element: &Element) -> Lies {
        if self.misses(&element.bounds()) {
            return Lies::Outside;
        }
        let tree = element.tree();
        let (mut inside, mut outside, mut across) = (0, false, false);
        let _ = tree.visit(
            |b| !self.misses(b),
            |number| {
                match element.triangle(number, DVec3::ZERO).map_or(Lies::Outside, |t| self.lies(t)) {
                    Lies::Outside => outside = true,
                    Lies::Inside => inside += 1,
                    Lies::Across => across = true,
                }
                across |= outside && inside > 0;
                if across { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        if across || (inside > 0 && inside < tree.len()) {
            Lies::Across
        } else if inside > 0 {
            Lies::Inside
        } else if element.is_solid() && element.contains(self.inner) {
            // no surface in it, but it lies in the body
            Lies::Across
        } else {
            Lies::Outside
        }
    }
}

/// A convex polygon less what lies over a plane.
fn clipped(polygon: &[DVec3], plane: &HalfSpace) -> Vec<DVec3> {
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    let Some(&last) = polygon.last() else { return kept };
    let (mut a, mut ha) = (last, plane.over(last));
    for &b in polygon {
        let hb = plane.over(b);
        if (ha > 0.0) != (hb > 0.0) {
            kept.push(a + (b - a) * (ha / (ha - hb)).clamp(0.0, 1.0));
        }
        if hb <= 0.0 {
            kept.push(b);
        }
        (a, ha) = (b, hb);
    }
    kept
}

/// Returns the position of a polygon in space to an area in plan.
fn lies_in(polygon: &[DVec3], area: &Area) -> Lies {
    let shadow: Vec<DVec2> = polygon.iter().map(|p| p.truncate()).collect();
    let cuts = area.loops().any(|l| edges(l).any(|e| edges(&shadow).any(|f| cross_over(e, f))));
    if cuts {
        return Lies::Across;
    }
    let held = shadow.iter().filter(|p| is_in(area, **p)).count();
    // an outline or a hole may lie within the polygon
    let around =
        area.loops().filter_map(|l| l.first()).any(|&p| is_in_loop(&shadow, p) && !shadow.contains(&p));
    match held {
        0 if around => Lies::Across,
        0 => Lies::Outside,
        n if n == shadow.len() && !around => Lies::Inside,
        _ => Lies::Across,
    }
}

fn edges(l: &[DVec2]) -> impl Iterator<Item = [DVec2; 2]> {
    l.iter().zip(l.iter().skip(1).chain(l.first())).map(|(a, b)| [*a, *b])
}

/// Returns true if two lines cross each other properly; lines that only touch do not.
fn cross_over([a, b]: [DVec2; 2], [c, d]: [DVec2; 2]) -> bool {
    let turn = |p: DVec2, q: DVec2, r: DVec2| (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
    turn(a, b, c) * turn(a, b, d) < 0.0 && turn(c, d, a) * turn(c, d, b) < 0.0
}

/// Returns true if a loop goes around a point, by how often a line to the right crosses it; a point on it counts.
fn is_in_loop(l: &[DVec2], p: DVec2) -> bool {
    let mut odd = false;
    for [a, b] in edges(l) {
        let d = b - a;
        let t = (p - a).dot(d) / d.length_squared().max(f64::MIN_POSITIVE);
        if p.distance(a + d * t.clamp(0.0, 1.0)) < 1e-9 {
            return true;
        }
        if (a.y > p.y) != (b.y > p.y) && p.x < a.x + d.x * (p.y - a.y) / d.y {
            odd = !odd;
        }
    }
    odd
}

fn is_in(area: &Area, p: DVec2) -> bool {
    is_in_loop(&area.outer, p) && !area.holes.iter().any(|h| is_in_loop(h, p))
}

/// A point in an area: the middle of one of the triangles it is made of.
fn within(area: &Area) -> Option<DVec2> {
    let loops: Vec<Loop> = area.loops().cloned().collect();
    let points: Vec<DVec2> = loops.iter().flatten().copied().collect();
    let triangles = crate::region::triangles(&loops);
    let corner = |i: &u32| points.get(*i as usize).copied();
    let size = |t: &[DVec2; 3]| crate::math::signed_area(&[t[0], t[1], t[2], t[0]]).abs();
    let t = triangles
        .chunks_exact(3)
        .filter_map(|t| Some([corner(t.first()?)?, corner(t.get(1)?)?, corner(t.get(2)?)?]))
        .max_by(|a, b| size(a).total_cmp(&size(b)))?;
    Some(DVec2::new((t[0].x + t[1].x + t[2].x) / 3.0, (t[0].y + t[1].y + t[2].y) / 3.0))
}

impl Index {
    /// The elements that reach into a part of space or lie in it, each with which; in the order of their numbers.
    pub fn in_enclosure(&self, enclosure: &Enclosure) -> Vec<(Id, Lies)> {
        let mut found = Vec::new();
        self.each(
            |b| !enclosure.misses(b),
            |element| {
                let lies = enclosure.holds(element);
                if lies != Lies::Outside {
                    found.push((element.id(), lies));
                }
            },
        );
        found.sort_unstable_by_key(|(id, _)| *id);
        found
    }
}
