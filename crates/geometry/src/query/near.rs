//! Distances: elements from a point, two elements from each other, in space, in plan and in height.

use super::{
    Element, Index,
    ray::apart,
    tree::{gaps, to_box},
    triangle::{self, Triangle, nearest_on_triangle},
};
use crate::math::Bounds;
use glam::DVec3;
use ifc::Id;

/// The point of an element that is nearest to some point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearest {
    /// The element.
    pub element: Id,
    /// The distance in metres; 0 for a point inside a solid.
    pub distance: f64,
    /// Its nearest point: for a point inside a solid that point itself.
    pub point: DVec3,
}

/// The distance of two elements.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Distance {
    /// The least distance of their surfaces in metres; 0 where they meet.
    pub metres: f64,
    /// The two points that are nearest, the first element's first.
    pub points: [DVec3; 2],
}

/// The part of a distance that counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Measure {
    Space,
    Plan,
}

impl Measure {
    fn flat(self, p: DVec3) -> DVec3 {
        match self {
            Measure::Space => p,
            Measure::Plan => p.with_z(0.0),
        }
    }
}

impl Element {
    /// The point of the surface that is nearest to `p`, if it is no farther than `reach` metres, and how far it is.
    pub fn nearest_surface_point(&self, p: DVec3, reach: f64) -> Option<(f64, DVec3)> {
        let mut best: Option<(f64, DVec3)> = None;
        self.tree().closest(
            reach,
            |b| to_box(p, b),
            |number, limit| {
                let Some(corners) = self.triangle(number, p) else { return limit };
                let q = nearest_on_triangle(DVec3::ZERO, corners);
                let d = q.length();
                if d > limit || best.is_some_and(|(known, _)| d >= known) {
                    return limit;
                }
                best = Some((d, p + q));
                d
            },
        );
        best
    }

    /// The least distance to another element's surface, if it is no more than `reach` metres. One inside the other without
    /// touching has the distance of the two surfaces.
    pub fn distance(&self, other: &Element, reach: f64) -> Option<Distance> {
        self.apart(other, reach, Measure::Space)
    }

    /// The least distance in plan (the elements' shadows on the ground), if it is no more than `reach` metres.
    pub fn plan_distance(&self, other: &Element, reach: f64) -> Option<Distance> {
        self.apart(other, reach, Measure::Plan)
    }

    /// The height between the top of the lower and the foot of the higher element, in metres; 0 where they share a level.
    pub fn height_between(&self, other: &Element) -> f64 {
        gaps(&self.bounds(), &other.bounds()).z
    }

    /// The distance of the middles of the two boxes, in metres.
    pub fn centre_distance(&self, other: &Element) -> f64 {
        apart(self.bounds().centre(), other.bounds().centre())
    }

    fn apart(&self, other: &Element, reach: f64, measure: Measure) -> Option<Distance> {
        if self.bounds().is_empty() || other.bounds().is_empty() {
            return None;
        }
        // near the place where both are, numbers are small and rounding is too
        let origin = middle(&self.bounds(), &other.bounds());
        let bound = |a: &Bounds, b: &Bounds| measure.flat(gaps(a, b)).length();
        let corners = |e: &Element, of: &[u32]| -> Vec<(Triangle, Bounds)> {
            of.iter()
                .filter_map(|&i| e.triangle(i, origin))
                .map(|t| t.map(|p| measure.flat(p)))
                .map(|t| (t, Bounds::from_points(t)))
                .collect()
        };
        let mut best: Option<Distance> = None;
        self.tree().closest_pairs(other.tree(), reach, bound, |left, right, mut limit| {
            let right = corners(other, right);
            for (s, s_box) in corners(self, left) {
                for (t, t_box) in &right {
                    if bound(&s_box, t_box) > limit || best.is_some_and(|b| b.metres == 0.0) {
                        continue;
                    }
                    let (metres, points) = triangle::distance(s, *t);
                    if metres <= limit && best.is_none_or(|b| metres < b.metres) {
                        best = Some(Distance { metres, points: points.map(|p| p + origin) });
                        limit = metres;
                    }
                }
            }
            limit
        });
        best
    }
}

/// A point between two boxes.
pub(super) fn middle(a: &Bounds, b: &Bounds) -> DVec3 {
    Bounds { min: a.min.max(b.min), max: a.max.min(b.max) }.centre()
}

impl Index {
    /// The elements nearest to a point, at most `count` and none farther than `reach` metres, the nearest first; of equally near
    /// ones (all that the point is inside of) the smaller number first.
    pub fn nearest(&self, p: DVec3, count: usize, reach: f64) -> Vec<Nearest> {
        let mut found: Vec<Nearest> = Vec::new();
        if count == 0 || !p.is_finite() {
            return found;
        }
        self.closest(
            reach,
            |b| to_box(p, b),
            |element, best| {
                let near =
                    if element.contains(p) { Some((0.0, p)) } else { element.nearest_surface_point(p, best) };
                if let Some((distance, point)) = near {
                    found.push(Nearest { element: element.id(), distance, point });
                    found.sort_by(|a, b| a.distance.total_cmp(&b.distance).then(a.element.cmp(&b.element)));
                    found.truncate(count);
                }
                if found.len() < count { reach } else { found.last().map_or(reach, |n| n.distance) }
            },
        );
        found
    }

    /// The elements that come nearer than `reach` metres to an element, with their distance; in the order of their numbers.
    pub fn around(&self, element: &Element, reach: f64) -> Vec<(Id, Distance)> {
        let mut near = Vec::new();
        self.each(
            |b| b.meets(&element.bounds(), reach),
            |other| {
                if other.id() != element.id() {
                    near.push(other.clone());
                }
            },
        );
        let mut found: Vec<(Id, Distance)> =
            near.iter().filter_map(|o| Some((o.id(), element.distance(o, reach)?))).collect();
        found.sort_by_key(|(id, _)| *id);
        found
    }
}

impl Distance {
    /// From the first element's nearest point to the second's.
    pub fn vector(&self) -> DVec3 {
        self.points[1] - self.points[0]
    }
}
