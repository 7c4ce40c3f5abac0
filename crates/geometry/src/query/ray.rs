//! Rays and the elements that they meet: a viewer's pick, a free height, a line of sight.

use super::{Element, Index, triangle::hit};
use crate::math::Bounds;
use glam::DVec3;
use ifc::Id;
use ifc::placement::unit;
use std::ops::ControlFlow;

/// The distance behind a ray, in metres, beyond which it meets nothing, whatever rounding does.
const APART: f64 = 1e-6;

/// A half line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ray {
    origin: DVec3,
    direction: DVec3,
    reach: f64,
}

/// A meeting of a ray with an element.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// The element.
    pub element: Id,
    /// The number of the triangle in the element's mesh.
    pub triangle: u32,
    /// The point, in metres of the world.
    pub point: DVec3,
    /// The triangle's outward normal at length one.
    pub normal: DVec3,
    /// The distance from the ray's origin, in metres.
    pub distance: f64,
}

impl Hit {
    /// Returns true if a ray of this direction comes from inside.
    pub fn is_from_inside(&self, direction: DVec3) -> bool {
        self.normal.dot(direction) > 0.0
    }
}

impl Ray {
    /// A ray from a point in a direction of any length. `None` where a number is not finite or there is no direction.
    pub fn new(origin: DVec3, direction: DVec3) -> Option<Ray> {
        let sound = origin.is_finite();
        unit(direction).filter(|_| sound).map(|direction| Ray { origin, direction, reach: f64::INFINITY })
    }

    /// Returns the ray ended after so many metres.
    pub fn up_to(self, metres: f64) -> Ray {
        Ray { reach: metres, ..self }
    }

    /// Its direction at length one.
    pub fn direction(&self) -> DVec3 {
        self.direction
    }

    /// Returns true if the ray goes through a box, a hair's breadth given: what is outside of it meets nothing in it.
    pub fn may_meet(&self, b: &Bounds) -> bool {
        self.may_reach(b) && self.slabs().meets(b)
    }

    /// Returns false if a box lies behind the ray, or beside one that runs along an axis: that takes no division.
    fn may_reach(&self, b: &Bounds) -> bool {
        let (low, high) = (b.min - self.origin, b.max - self.origin);
        let d = self.direction;
        let is_behind =
            |d: f64, low: f64, high: f64| (d >= 0.0 && high < -APART) || (d <= 0.0 && low > APART);
        !(is_behind(d.x, low.x, high.x) || is_behind(d.y, low.y, high.y) || is_behind(d.z, low.z, high.z))
    }

    /// The box around the ray, which is without end where the ray is.
    pub fn bounds(&self) -> Bounds {
        let [from, along] = [self.origin.to_array(), self.direction.to_array()];
        let mut end = from;
        for ((end, along), from) in end.iter_mut().zip(along).zip(from) {
            // along an axis that it does not leave, an endless ray stays where it is
            *end = if along == 0.0 { from } else { from + along * self.reach };
        }
        let end = DVec3::from_array(end);
        Bounds { min: self.origin.min(end), max: self.origin.max(end) }
    }

    fn slabs(&self) -> Slabs {
        // along an axis that the ray does not leave, all of a box is at one end of the line or the other
        let share = |d: f64| if d == 0.0 { 1e300 } else { d.recip() };
        let inverse = DVec3::new(share(self.direction.x), share(self.direction.y), share(self.direction.z));
        Slabs { origin: self.origin, inverse, reach: self.reach }
    }

    fn hit(&self, element: &Element, triangle: u32) -> Option<Hit> {
        // from the ray's origin, so that far coordinates lose nothing
        let corners = element.triangle(triangle, self.origin)?;
        let distance = hit(DVec3::ZERO, self.direction, corners)?;
        let normal = element.normal(triangle)?;
        let point = self.origin + self.direction * distance;
        (distance >= 0.0 && distance <= self.reach).then_some(Hit {
            element: element.id(),
            triangle,
            point,
            normal,
            distance,
        })
    }
}

/// A ray as boxes are asked whether they lie on it: between the planes of their sides (Kay and Kajiya 1986).
struct Slabs {
    origin: DVec3,
    /// One over its direction.
    inverse: DVec3,
    reach: f64,
}

impl Slabs {
    fn meets(&self, b: &Bounds) -> bool {
        self.entry(b) < f64::INFINITY
    }

    /// Returns the distance along the ray at which a box begins; infinity where it is missed.
    #[inline]
    fn entry(&self, b: &Bounds) -> f64 {
        // as processors compare, which `f64::min` and `max` do not: nothing here is no number
        let less = |a: f64, b: f64| if a < b { a } else { b };
        let more = |a: f64, b: f64| if a > b { a } else { b };
        let (low, high) = ((b.min - self.origin) * self.inverse, (b.max - self.origin) * self.inverse);
        let from = more(more(less(low.x, high.x), less(low.y, high.y)), more(less(low.z, high.z), 0.0));
        let to = less(less(more(low.x, high.x), more(low.y, high.y)), less(more(low.z, high.z), self.reach));
        // a hair of slack for rounding: the triangles decide
        if from <= to + 1e-9 * (1.0 + to.abs()) { from } else { f64::INFINITY }
    }
}

/// The nearer of two hits; of equal ones that of the smaller numbers, so that the answer does not depend on the tree.
fn nearer(a: Option<Hit>, b: Hit) -> Option<Hit> {
    let order = |h: &Hit| (h.element, h.triangle);
    match a {
        Some(a) if a.distance < b.distance || (a.distance == b.distance && order(&a) < order(&b)) => Some(a),
        _ => Some(b),
    }
}

impl Element {
    /// Returns the first hit of a ray on this element, from inside or outside.
    pub fn first_hit(&self, ray: &Ray) -> Option<Hit> {
        let (slabs, mut first) = (ray.slabs(), None::<Hit>);
        self.tree().closest(
            ray.reach,
            |b| slabs.entry(b),
            |triangle, best| {
                if let Some(hit) = ray.hit(self, triangle).filter(|h| h.distance <= best) {
                    first = nearer(first, hit);
                    return hit.distance.min(best);
                }
                best
            },
        );
        first
    }

    /// Returns true if a ray meets this element anywhere, from inside or outside.
    pub fn is_hit(&self, ray: &Ray) -> bool {
        let look = |triangle| match ray.hit(self, triangle) {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        };
        let slabs = ray.slabs();
        self.tree().visit(|b| slabs.meets(b), look).is_break()
    }

    /// Everywhere a ray goes in or out of this element, the nearest first. Where it meets the edge between two triangles of one
    /// direction it counts once.
    pub fn hits(&self, ray: &Ray) -> Vec<Hit> {
        let (slabs, mut hits) = (ray.slabs(), Vec::new());
        self.tree().each(
            |b| slabs.meets(b),
            |triangle| {
                hits.extend(ray.hit(self, triangle));
            },
        );
        hits.sort_by(|a, b| a.distance.total_cmp(&b.distance).then(a.triangle.cmp(&b.triangle)));
        let out = |h: &Hit| h.is_from_inside(ray.direction);
        let mut kept: Vec<Hit> = Vec::with_capacity(hits.len());
        for hit in hits {
            let near = |k: &&Hit| hit.distance - k.distance <= 1e-9 * (1.0 + hit.distance);
            let twice = kept.iter().rev().take_while(near).any(|k| out(k) == out(&hit));
            if !twice {
                kept.push(hit);
            }
        }
        kept
    }
}

impl Index {
    /// Returns the first hit of a ray among the elements that `wanted` accepts.
    pub fn first_hit(&self, ray: &Ray, wanted: impl Fn(Id) -> bool) -> Option<Hit> {
        let (slabs, mut first) = (ray.slabs(), None::<Hit>);
        self.closest(
            ray.reach,
            |b| slabs.entry(b),
            |element, best| {
                let hit = if wanted(element.id()) { element.first_hit(&ray.up_to(best)) } else { None };
                if let Some(hit) = hit {
                    first = nearer(first, hit);
                    return hit.distance.min(best);
                }
                best
            },
        );
        first
    }

    /// An element that a ray meets, whichever is found first, among those that `wanted` accepts.
    pub fn any_hit(&self, ray: &Ray, wanted: impl Fn(Id) -> bool) -> Option<Id> {
        let (slabs, mut met) = (ray.slabs(), None);
        let look = |element: &std::sync::Arc<Element>| {
            if !wanted(element.id()) || !element.is_hit(ray) {
                return ControlFlow::Continue(());
            }
            met = Some(element.id());
            ControlFlow::Break(())
        };
        let _ = self.visit(|b| slabs.meets(b), look);
        met
    }

    /// Everything a ray goes through, the nearest first.
    pub fn hits(&self, ray: &Ray) -> Vec<Hit> {
        let (slabs, mut hits) = (ray.slabs(), Vec::new());
        self.each(
            |b| slabs.meets(b),
            |element| {
                hits.extend(element.hits(ray));
            },
        );
        hits.sort_by(|a, b| {
            a.distance.total_cmp(&b.distance).then((a.element, a.triangle).cmp(&(b.element, b.triangle)))
        });
        hits
    }
}

/// The distance of a point from another, for callers that sort by it.
pub(super) fn apart(a: DVec3, b: DVec3) -> f64 {
    (a - b).length()
}
