//! Where two elements lie on each other: the faces of one that meet faces of the other from the opposite side.

use super::{Element, near::middle, triangle::Triangle};
use crate::{
    math::{Bounds, Frame, P2, P3, add, cross, dot, scale, sub, unit},
    region::{self, Area, Loop},
};
use std::collections::{BTreeMap, BTreeSet};

/// Faces whose directions differ by more than this (the sine of half a degree) do not lie on each other.
const LEAN: f64 = 0.009;

/// One flat piece of a contact.
#[derive(Debug, Clone, PartialEq)]
pub struct Patch {
    /// The plane: x and y span it, z points out of the first element.
    pub frame: Frame,
    /// The area in coordinates of the plane, in metres.
    pub area: Area,
}

/// Where two elements lie on each other.
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
    pub fn polygons(&self) -> impl Iterator<Item = Vec<Vec<P3>>> {
        let lift = |p: &Patch, l: &Loop| l.iter().map(|q| p.frame.point([q[0], q[1], 0.0])).collect();
        self.patches.iter().map(move |p| p.area.loops().map(|l| lift(p, l)).collect())
    }

    /// The middle of the largest piece.
    pub fn middle(&self) -> Option<P3> {
        let largest = self.patches.iter().max_by(|a, b| a.area.size().total_cmp(&b.area.size()))?;
        let outer = &largest.area.outer;
        let sum = outer.iter().fold([0.0; 2], |s: P2, p| [s[0] + p[0], s[1] + p[1]]);
        let n = outer.len().max(1) as f64;
        Some(largest.frame.point([sum[0] / n, sum[1] / n, 0.0]))
    }
}

/// Faces of the first element in one plane, and the faces of the second that lie on them.
#[derive(Default)]
struct Plane {
    normal: P3,
    origin: P3,
    own: BTreeSet<u32>,
    others: BTreeSet<u32>,
}

/// Where faces of two elements lie on each other from opposite sides, no farther apart than `tolerance` metres.
pub fn contact(a: &Element, b: &Element, tolerance: f64) -> Contact {
    let origin = middle(&a.bounds(), &b.bounds());
    let mut planes: BTreeMap<[i64; 4], Plane> = BTreeMap::new();
    a.tree().pairs(b.tree(), tolerance, |left, right| {
        for &l in left {
            let Some((s, n)) = face(a, l, origin) else { continue };
            for &r in right {
                let Some((t, m)) = face(b, r, origin) else { continue };
                let opposite = dot(n, m) < 0.0 && crate::math::length(cross(n, m)) < LEAN;
                if !opposite || !Bounds::from_points(s).meets(&Bounds::from_points(t), tolerance) {
                    continue;
                }
                // the faces may lean a little: near enough where they are, not where the plane ends
                let over = t.map(|p| dot(n, sub(p, s[0])));
                let (low, high) = (over[0].min(over[1]).min(over[2]), over[0].max(over[1]).max(over[2]));
                if low > tolerance || high < -tolerance {
                    continue;
                }
                let key = [n[0] * 1e3, n[1] * 1e3, n[2] * 1e3, dot(n, s[0]) * 1e4].map(|v| v.round() as i64);
                let plane = planes.entry(key).or_default();
                (plane.normal, plane.origin) = (n, s[0]);
                plane.own.insert(l);
                plane.others.insert(r);
            }
        }
    });
    let patches = planes.into_values().flat_map(|plane| {
        let frame = Frame::from_axes(plane.origin, plane.normal, crate::math::perpendicular(plane.normal));
        let flat = |e: &Element, of: &BTreeSet<u32>| -> Vec<Loop> {
            let corners = of.iter().filter_map(|&i| e.triangle(i, origin));
            let loops: Vec<Loop> = corners.map(|t| shadow(t, &frame)).collect();
            region::union(&loops).into_iter().flat_map(|a| std::iter::once(a.outer).chain(a.holes)).collect()
        };
        let shared = region::intersection(&flat(a, &plane.own), &flat(b, &plane.others));
        let world = Frame { o: add(frame.o, origin), ..frame };
        shared.into_iter().map(move |area| Patch { frame: world, area })
    });
    Contact { patches: patches.collect() }
}

fn face(e: &Element, number: u32, origin: P3) -> Option<(Triangle, P3)> {
    let t = e.triangle(number, origin)?;
    let n = cross(sub(t[1], t[0]), sub(t[2], t[0]));
    Some((t, unit(scale(n, 1e6))?))
}

/// A triangle in the plane's coordinates, counter-clockwise.
fn shadow(t: Triangle, frame: &Frame) -> Loop {
    let mut flat: Loop = t
        .map(|p| {
            let d = sub(p, frame.o);
            [dot(d, frame.x), dot(d, frame.y)]
        })
        .to_vec();
    if crate::math::signed_area(&[flat.as_slice(), &flat[..1]].concat()) < 0.0 {
        flat.reverse();
    }
    flat
}
