//! The parts of the body's faces that a prism leaves.

use super::{ASIDE, Limits, Slope, height, meets};
use crate::{
    math::Bounds,
    region::{self, Area, Loop},
    solid::Face,
};
use glam::{DVec2, DVec3};
use ifc::placement::unit;

/// Faces leaning less than this (a cosine) from the prism's direction are cut in their own plane.
const STEEP: f64 = 0.3;

/// Areas that reach farther than this in a face's own plane, in metres, are not told finely enough there.
const FARTHEST: f64 = 1000.0;

/// The part of `loops` where `slope` is above zero; where it is zero all over the face, `inward` decides.
fn above_zero(loops: Vec<Loop>, slope: Slope, inward: f64, face: &Bounds, extent: &Bounds) -> Vec<Loop> {
    let corners = region::rectangle(face.min.truncate(), face.max.truncate());
    let values = corners.into_iter().map(|p| height(slope, p));
    let (least, most) = values.fold((f64::MAX, f64::MIN), |(a, b), v| (a.min(v), b.max(v)));
    let same = least.abs().max(most.abs()) < ASIDE;
    if (same && inward >= 0.0) || (!same && least >= -ASIDE) {
        return loops;
    }
    if same || most <= ASIDE {
        return Vec::new();
    }
    let steep = slope[0].hypot(slope[1]);
    // a rectangle on the positive side of the line where the slope is zero
    let n = DVec2::new(slope[0] / steep, slope[1] / steep);
    let centre = extent.centre().truncate();
    let off = height(slope, centre) / steep;
    let foot = centre - n * off;
    let r = 2.0 * (extent.size().x + extent.size().y + off.abs() + 1.0);
    let at = |a: f64, b: f64| foot + n.perp() * a + n * b;
    let half = vec![at(-r, 0.0), at(r, 0.0), at(r, r), at(-r, r)];
    region::intersection(&loops, &[half]).iter().flat_map(|a| a.loops().cloned()).collect()
}

/// A face that one can see along the prism's direction: cut in the prism's own plane.
pub(super) fn cut_lying(
    face: &Face,
    n: DVec3,
    (loops, is_endless): (&[Loop], bool),
    extent: &Bounds,
    limits: &Limits,
    out: &mut Vec<Face>,
) {
    let own = Bounds::from_points(face.loops.iter().flatten().copied());
    let Some(&p0) = face.loops.first().and_then(|l| l.first()).filter(|_| meets(&own, extent)) else {
        out.push(face.clone());
        return;
    };
    let exact = [-n.x / n.z, -n.y / n.z, n.dot(p0) / n.z];
    if n.z.abs() < STEEP && cut_steep(face, (p0, n), if is_endless { None } else { Some(loops) }, limits, out)
    {
        return;
    }
    // the inside of the body, seen from this face, is at this side of it
    let inward = -ASIDE / n.z;
    let less = |a: Slope, b: Slope| [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    let mut cut = loops.to_vec();
    if let Some(low) = limits.low {
        cut = above_zero(cut, less(exact, low), inward, &own, extent);
    }
    if let Some(high) = limits.high {
        cut = above_zero(cut, less(high, exact), -inward, &own, extent);
    }
    if cut.is_empty() {
        out.push(face.clone());
        return;
    }
    let flat: Vec<Loop> = face.loops.iter().map(|l| l.iter().map(|p| p.truncate()).collect()).collect();
    let left = region::difference(&flat, &cut);
    push_areas(face, &flat, &left, n.z < 0.0, |p| p.extend(height(exact, p)), out);
}

/// A face seen nearly edge-on, by a point of it and its normal: cut in its own plane, in which nothing is drawn together. What is rounded
/// in the prism's plane would come back many times as far off. Answers false for what reaches too far in the face's plane.
fn cut_steep(
    face: &Face,
    (origin, n): (DVec3, DVec3),
    loops: Option<&[Loop]>,
    limits: &Limits,
    out: &mut Vec<Face>,
) -> bool {
    let Some(along) = unit(DVec3::Z.cross(n)) else { return false };
    let up = n.cross(along);
    let flat: Vec<Loop> = face
        .loops
        .iter()
        .map(|l| l.iter().map(|p| *p - origin).map(|d| DVec2::new(d.dot(along), d.dot(up))).collect())
        .collect();
    let boxed = |loops: &[Loop]| Bounds::from_points(loops.iter().flatten().map(|p| p.extend(0.0)));
    let own = boxed(&flat);
    let mut cut: Vec<Loop> = match loops {
        None => vec![region::rectangle(own.min.truncate() - 1.0, own.max.truncate() + 1.0)],
        Some(loops) => {
            // the place in the face above a point of the prism's plane
            let above = |p: &DVec2| {
                let from = *p - origin.truncate();
                let side = from.dot(along.truncate());
                DVec2::new(
                    side,
                    (from - along.truncate() * side).dot(up.truncate()) / up.truncate().length_squared(),
                )
            };
            loops.iter().map(|l| l.iter().map(above).collect()).collect()
        }
    };
    let extent = boxed(&cut);
    if extent.size().max_element() > FARTHEST {
        return false;
    }
    // how far the face lies above an end, told by places in its own plane
    let over = |end: Slope| {
        let rise = |v: DVec3| v.z - end[0] * v.x - end[1] * v.y;
        [rise(along), rise(up), rise(origin) - end[2]]
    };
    // the inside of the body, seen from this face, is at this side of it
    let inward = -ASIDE / n.z;
    if let Some(low) = limits.low {
        cut = above_zero(cut, over(low), inward, &own, &extent);
    }
    if let Some(high) = limits.high {
        cut = above_zero(cut, over(high).map(|v| -v), -inward, &own, &extent);
    }
    if cut.is_empty() {
        out.push(face.clone());
        return true;
    }
    let left = region::difference(&flat, &cut);
    push_areas(face, &flat, &left, false, |p| origin + (along * p.x + up * p.y), out);
    true
}

/// A face seen edge-on: the prism crosses it in upright strips.
pub(super) fn cut_upright(
    face: &Face,
    n: DVec3,
    loops: &[Loop],
    extent: &Bounds,
    limits: &Limits,
    out: &mut Vec<Face>,
) {
    let own = Bounds::from_points(face.loops.iter().flatten().copied());
    let basis = unit(DVec3::Z.cross(n)).zip(face.loops.first().and_then(|l| l.first()).copied());
    let Some((along, p0)) = basis.filter(|_| Bounds::meets(&flat_box(&own), extent, 2.0 * ASIDE)) else {
        out.push(face.clone());
        return;
    };
    let up = n.cross(along);
    let at = |s: f64| p0.truncate() + along.truncate() * s;
    let mut strips: Vec<Loop> = Vec::new();
    for (s0, s1) in crossings(loops, p0.truncate(), along.truncate(), -n.truncate() * ASIDE) {
        let strip = limits.strip(s0, s1, &at);
        strips.extend(strip.map(|l| l.iter().map(|p| DVec2::new(p.x, (p.y - p0.z) / up.z)).collect()));
    }
    if strips.is_empty() {
        out.push(face.clone());
        return;
    }
    let project = |p: &DVec3| {
        let d = *p - p0;
        DVec2::new(d.dot(along), d.dot(up))
    };
    let flat: Vec<Loop> = face.loops.iter().map(|l| l.iter().map(project).collect()).collect();
    let left = region::difference(&flat, &strips);
    push_areas(face, &flat, &left, false, |p| p0 + (along * p.x + up * p.y), out);
}

fn flat_box(b: &Bounds) -> Bounds {
    Bounds { min: b.min.with_z(0.0), max: b.max.with_z(0.0) }
}

/// Adds what is left of a face, or the face as it was where nothing went.
fn push_areas(
    face: &Face,
    flat: &[Loop],
    left: &[Area],
    reversed: bool,
    lift: impl Fn(DVec2) -> DVec3,
    out: &mut Vec<Face>,
) {
    let before: f64 = flat.iter().map(|l| crate::math::signed_area(l)).sum::<f64>().abs();
    let after: f64 = left.iter().map(Area::size).sum();
    if (before - after).abs() < 1e-9 {
        out.push(face.clone());
        return;
    }
    for area in left {
        push_area(area, reversed, &lift, out);
    }
}

pub(super) fn push_area(area: &Area, reversed: bool, lift: &impl Fn(DVec2) -> DVec3, out: &mut Vec<Face>) {
    let loops = area
        .loops()
        .map(|l| {
            let points = l.iter().map(|&p| lift(p));
            if reversed { points.rev().collect() } else { points.collect() }
        })
        .collect();
    out.push(Face { loops });
}

/// The stretches of a line that, looked at from `aside` of it, lie inside the loops (even-odd), as pairs of parameters.
fn crossings(loops: &[Loop], origin: DVec2, along: DVec2, aside: DVec2) -> Vec<(f64, f64)> {
    let shift = aside.y * along.x - aside.x * along.y;
    let side = |p: DVec2| (p.y - origin.y) * along.x - (p.x - origin.x) * along.y;
    let param = |p: DVec2| (p.x - origin.x) * along.x + (p.y - origin.y) * along.y;
    let mut hits: Vec<f64> = Vec::new();
    for l in loops {
        for (i, &a) in l.iter().enumerate() {
            let b = l.get((i + 1) % l.len()).copied().unwrap_or(a);
            let (sa, sb) = (side(a), side(b));
            if (sa >= shift) != (sb >= shift) {
                let t = (sa / (sa - sb)).clamp(0.0, 1.0);
                hits.push(param(a) * (1.0 - t) + param(b) * t);
            }
        }
    }
    hits.sort_by(f64::total_cmp);
    hits.chunks_exact(2).map(|p| (p[0], p[1])).filter(|(a, b)| b - a > 1e-9).collect()
}
