//! What a prism leaves of the faces of the body.

use super::{ASIDE, Limits, Slope, height, meets};
use crate::{
    math::{Bounds, P2, P3, add, cross, dot, scale, sub, unit},
    region::{self, Area, Loop},
    solid::Face,
};

/// The part of `loops` where `slope` is above zero; where it is zero all over the face, `inward` decides.
fn above_zero(loops: Vec<Loop>, slope: Slope, inward: f64, face: &Bounds, extent: &Bounds) -> Vec<Loop> {
    let corners = [
        [face.min[0], face.min[1]],
        [face.max[0], face.min[1]],
        [face.max[0], face.max[1]],
        [face.min[0], face.max[1]],
    ];
    let values = corners.map(|p| height(slope, p));
    let (least, most) = values.iter().fold((f64::MAX, f64::MIN), |(a, b), v| (a.min(*v), b.max(*v)));
    let same = least.abs().max(most.abs()) < ASIDE;
    if (same && inward >= 0.0) || (!same && least >= -ASIDE) {
        return loops;
    }
    if same || most <= ASIDE {
        return Vec::new();
    }
    let steep = slope[0].hypot(slope[1]);
    // a rectangle on the positive side of the line where the slope is zero
    let n = [slope[0] / steep, slope[1] / steep];
    let t = [-n[1], n[0]];
    let centre = [extent.centre()[0], extent.centre()[1]];
    let off = height(slope, centre) / steep;
    let foot = [centre[0] - n[0] * off, centre[1] - n[1] * off];
    let r = 2.0 * (extent.size()[0] + extent.size()[1] + off.abs() + 1.0);
    let at = |a: f64, b: f64| [foot[0] + t[0] * a + n[0] * b, foot[1] + t[1] * a + n[1] * b];
    let half = vec![at(-r, 0.0), at(r, 0.0), at(r, r), at(-r, r)];
    region::intersection(&loops, &[half]).iter().flat_map(|a| a.loops().cloned()).collect()
}

/// A face that one can see along the prism's direction: cut in the prism's own plane.
pub(super) fn cut_lying(
    face: &Face,
    n: P3,
    loops: &[Loop],
    extent: &Bounds,
    limits: &Limits,
    out: &mut Vec<Face>,
) {
    let own = Bounds::from_points(face.loops.iter().flatten().copied());
    let Some(&p0) = face.loops.first().and_then(|l| l.first()).filter(|_| meets(&own, extent)) else {
        out.push(face.clone());
        return;
    };
    let exact = [-n[0] / n[2], -n[1] / n[2], dot(n, p0) / n[2]];
    // the inside of the body, seen from this face, is at this side of it
    let inward = -ASIDE / n[2];
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
    let flat: Vec<Loop> = face.loops.iter().map(|l| l.iter().map(|p| [p[0], p[1]]).collect()).collect();
    let left = region::difference(&flat, &cut);
    push_areas(face, &flat, &left, n[2] < 0.0, |p| [p[0], p[1], height(exact, p)], out);
}

/// A face seen edge-on: the prism crosses it in upright strips.
pub(super) fn cut_upright(
    face: &Face,
    n: P3,
    loops: &[Loop],
    extent: &Bounds,
    limits: &Limits,
    out: &mut Vec<Face>,
) {
    let own = Bounds::from_points(face.loops.iter().flatten().copied());
    let basis = unit(cross([0.0, 0.0, 1.0], n)).zip(face.loops.first().and_then(|l| l.first()).copied());
    let Some((along, p0)) = basis.filter(|_| Bounds::meets(&flat_box(&own), extent, 2.0 * ASIDE)) else {
        out.push(face.clone());
        return;
    };
    let up = cross(n, along);
    let at = |s: f64| [p0[0] + along[0] * s, p0[1] + along[1] * s];
    let mut strips: Vec<Loop> = Vec::new();
    for (s0, s1) in crossings(loops, [p0[0], p0[1]], [along[0], along[1]], [-n[0] * ASIDE, -n[1] * ASIDE]) {
        let strip = limits.strip(s0, s1, &at);
        strips.extend(strip.map(|l| l.iter().map(|p| [p[0], (p[1] - p0[2]) / up[2]]).collect()));
    }
    if strips.is_empty() {
        out.push(face.clone());
        return;
    }
    let project = |p: &P3| {
        let d = sub(*p, p0);
        [dot(d, along), dot(d, up)]
    };
    let flat: Vec<Loop> = face.loops.iter().map(|l| l.iter().map(project).collect()).collect();
    let left = region::difference(&flat, &strips);
    push_areas(face, &flat, &left, false, |p| add(p0, add(scale(along, p[0]), scale(up, p[1]))), out);
}

fn flat_box(b: &Bounds) -> Bounds {
    Bounds { min: [b.min[0], b.min[1], 0.0], max: [b.max[0], b.max[1], 0.0] }
}

/// Adds what is left of a face, or the face as it was where nothing went.
fn push_areas(
    face: &Face,
    flat: &[Loop],
    left: &[Area],
    reversed: bool,
    lift: impl Fn(P2) -> P3,
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

pub(super) fn push_area(area: &Area, reversed: bool, lift: &impl Fn(P2) -> P3, out: &mut Vec<Face>) {
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
fn crossings(loops: &[Loop], origin: P2, along: P2, aside: P2) -> Vec<(f64, f64)> {
    let shift = aside[1] * along[0] - aside[0] * along[1];
    let side = |p: P2| (p[1] - origin[1]) * along[0] - (p[0] - origin[0]) * along[1];
    let param = |p: P2| (p[0] - origin[0]) * along[0] + (p[1] - origin[1]) * along[1];
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
