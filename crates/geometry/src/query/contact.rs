//! Contacts of two elements: the faces of one that meet faces of the other from the opposite side.

use super::{Element, near::middle, triangle::Triangle};
use crate::math::orthonormal;
use crate::{
    math::Bounds,
    region::{self, Area, Loop},
};
use glam::{DAffine3, DVec2, DVec3};
use ifc::placement::unit;
use std::collections::{BTreeMap, BTreeSet};

/// Faces whose directions differ by more than this (the sine of half a degree) do not lie on each other.
const LEAN: f64 = 0.009;

/// One flat piece of a contact.
#[derive(Debug, Clone, PartialEq)]
pub struct Patch {
    /// The plane: x and y span it, z points out of the first element.
    pub frame: DAffine3,
    /// The area in coordinates of the plane, in metres.
    pub area: Area,
}

/// The contact of two elements.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Contact {
    /// Flat pieces that do not overlap.
    pub patches: Vec<Patch>,
}

impl Contact {
    /// The whole area in square metres.
    pub fn area(&self) -> f64 {
        self.patches.iter().map(|p| p.area.size()).sum()
    }

    /// The boundaries and holes in space, in metres of the world.
    pub fn polygons(&self) -> impl Iterator<Item = Vec<Vec<DVec3>>> {
        let lift = |p: &Patch, l: &Loop| l.iter().map(|q| p.frame.transform_point3(q.extend(0.0))).collect();
        self.patches.iter().map(move |p| p.area.loops().map(|l| lift(p, l)).collect())
    }

    /// The middle of the largest piece.
    pub fn middle(&self) -> Option<DVec3> {
        let largest = self.patches.iter().max_by(|a, b| a.area.size().total_cmp(&b.area.size()))?;
        let outer = &largest.area.outer;
        let middle = outer.iter().sum::<DVec2>() / outer.len().max(1) as f64;
        Some(largest.frame.transform_point3(middle.extend(0.0)))
    }
}

/// Faces of the first element in one plane, and the faces of the second that lie on them.
#[derive(Default)]
struct Coplanar {
    normal: DVec3,
    origin: DVec3,
    own: BTreeSet<u32>,
    others: BTreeSet<u32>,
}

/// Returns the areas in which faces of two elements lie on each other from opposite sides, no farther apart than `tolerance` metres.
pub fn contact(a: &Element, b: &Element, tolerance: f64) -> Contact {
    let origin = middle(&a.bounds(), &b.bounds());
    let mut planes: BTreeMap<[i64; 4], Coplanar> = BTreeMap::new();
    a.tree().pairs(b.tree(), tolerance, |left, right| {
        for &l in left {
            let Some(s) = a.triangle(l, origin) else { continue };
            let Some(n) = outward(s) else { continue };
            let around = Bounds::from_points(s);
            for &r in right {
                let Some(t) = b.triangle(r, origin) else { continue };
                // the faces may lean a little: near enough where they are, not where the plane ends
                let over = t.map(|p| n.dot(p - s[0]));
                let is_above = over.iter().all(|d| *d > tolerance);
                if is_above || over.iter().all(|d| *d < -tolerance) {
                    continue;
                }
                let m = (t[1] - t[0]).cross(t[2] - t[0]);
                let is_opposite = n.dot(m) < 0.0 && n.cross(m).length() < LEAN * m.length();
                if !is_opposite || !around.meets(&Bounds::from_points(t), tolerance) {
                    continue;
                }
                let key = [n.x * 1e3, n.y * 1e3, n.z * 1e3, n.dot(s[0]) * 1e4].map(|v| v.round() as i64);
                let plane = planes.entry(key).or_default();
                (plane.normal, plane.origin) = (n, s[0]);
                plane.own.insert(l);
                plane.others.insert(r);
            }
        }
    });
    let patches = planes.into_values().flat_map(|plane| {
        let frame = orthonormal(plane.origin, plane.normal, crate::math::perpendicular(plane.normal));
        let flat = |e: &Element, of: &BTreeSet<u32>| -> Vec<Loop> {
            let corners = of.iter().filter_map(|&i| e.triangle(i, origin));
            corners.map(|t| shadow(t, &frame)).collect()
        };
        let shared = region::shared(&flat(a, &plane.own), &flat(b, &plane.others));
        let world = DAffine3 { translation: frame.translation + origin, ..frame };
        shared.into_iter().map(move |area| Patch { frame: world, area })
    });
    Contact { patches: patches.collect() }
}

/// The direction that a triangle faces, at length one; none where it has no area.
fn outward(t: Triangle) -> Option<DVec3> {
    unit((t[1] - t[0]).cross(t[2] - t[0]) * 1e6)
}

/// A triangle in the plane's coordinates, counter-clockwise.
fn shadow(t: Triangle, frame: &DAffine3) -> Loop {
    let mut flat: Loop = t
        .map(|p| {
            let d = p - frame.translation;
            DVec2::new(d.dot(frame.x_axis), d.dot(frame.y_axis))
        })
        .to_vec();
    if crate::math::signed_area(&[flat.as_slice(), &flat[..1]].concat()) < 0.0 {
        flat.reverse();
    }
    flat
}
