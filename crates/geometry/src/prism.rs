//! Cutting a body by a prism: how openings leave their walls and slabs, and how half spaces clip a gable.
//!
//! A prism is an area of a plane, drawn along the plane's normal between two limits that may slope or be absent. Every
//! face of the body is cut in two dimensions; the prism's own sides and ends are laid where they meet the inside of the body.
//! Faces that lie exactly in one of the prism's (a door's sill in the wall's foot, an opening as deep as its wall) are decided by
//! looking a few micrometres to the side where the body is.

use crate::{
    math::{Bounds, Frame, P2, P3, add, cross, dot, scale, sub, unit},
    region::{self, Area, Loop},
    solid::{Face, Solid},
};
use foldhash::{HashMap, HashMapExt};

/// How far beside a face one looks to tell inside from outside, in metres.
pub(crate) const ASIDE: f64 = 5e-6;

/// Faces leaning less than this (a cosine) from a direction count as parallel to it.
const UPRIGHT: f64 = 1e-4;

/// A height over the plane, as `u·[0] + v·[1] + [2]`.
pub type Slope = [f64; 3];

/// What is to be taken away.
#[derive(Debug, Clone)]
pub struct Prism {
    /// The area, by the even-odd rule, in the frame's xy plane; `None` for the whole plane.
    pub area: Option<Vec<Loop>>,
    /// Where it is: orthonormal, z is the direction in which it is drawn.
    pub frame: Frame,
    /// Its lower end; `None` for endless.
    pub low: Option<Slope>,
    /// Its upper end; `None` for endless.
    pub high: Option<Slope>,
}

impl Prism {
    /// The prism of an area in the xy plane of `base` drawn along `direction` (in base's coordinates) by `depth`; the
    /// direction may lean. `None` where it has no volume or the frame scales.
    pub fn extrusion(area: &Area, base: &Frame, direction: P3, depth: f64) -> Option<Prism> {
        let d = unit(base.vector(direction))?;
        let normal = unit(cross(base.x, base.y))?;
        let lean = dot(d, normal);
        if lean.abs() < 1e-6 || !base.is_rigid() {
            return None;
        }
        // the prism is drawn along d: its cross-section is the area seen along d, its ends are the leaning caps
        let frame = Frame::from_axes(base.o, d, base.x);
        let (fx, fy) = (frame.x, frame.y);
        let flat = |p: &P2| {
            let v = base.vector([p[0], p[1], 0.0]);
            [dot(v, fx), dot(v, fy)]
        };
        let low = [-dot(fx, normal) / lean, -dot(fy, normal) / lean, 0.0];
        let high = [low[0], low[1], depth];
        let (low, high) = if depth < 0.0 { (high, low) } else { (low, high) };
        Some(Prism {
            area: Some(area.loops().map(|l| l.iter().map(flat).collect()).collect()),
            frame,
            low: Some(low),
            high: Some(high),
        })
    }

    /// The half space below (or with `above` beyond) a plane given by a point and a normal.
    pub fn half_space(point: P3, normal: P3, above: bool) -> Prism {
        let frame = Frame::from_axes(point, normal, [1.0, 0.0, 0.0]);
        let (low, high) = if above { (Some([0.0; 3]), None) } else { (None, Some([0.0; 3])) };
        Prism { area: None, frame, low, high }
    }

    /// A closed body as prisms that fill it without overlap, if it can be seen from some side so that every line of sight goes in
    /// once and out once: boxes, wedges, anything convex. Drawn along the direction that needs the fewest, and of those the
    /// shortest, which is the wall's thickness for an opening.
    pub fn of_solid(solid: &Solid) -> Option<Vec<Prism>> {
        let merged;
        let solid = if solid.faces.iter().any(|f| f.loops.iter().any(|l| l.len() < 4)) {
            merged = solid.merged();
            &merged
        } else {
            solid
        };
        if !solid.closed || solid.faces.len() < 4 || solid.faces.len() > 300 {
            return None;
        }
        let normals: Vec<P3> = solid.faces.iter().filter_map(Face::normal).collect();
        if normals.len() != solid.faces.len() {
            return None;
        }
        let mut candidates: Vec<(usize, f64, P3)> = Vec::new();
        for &n in normals.iter().take(64) {
            let upper = normals.iter().filter(|m| dot(n, **m) > UPRIGHT).count();
            let lower = normals.iter().filter(|m| dot(n, **m) < -UPRIGHT).count();
            let along = Bounds::of(solid.points().map(|p| [dot(p, n), 0.0, 0.0]));
            candidates.push((upper * lower, along.size()[0], n));
        }
        candidates.sort_by_key(|c| (c.0, (c.1 * 1e4) as i64));
        candidates.iter().take(4).filter(|c| c.0 <= 64).find_map(|c| Prism::along(solid, c.2))
    }

    /// The body as prisms along one direction, or `None` where a line of sight meets it twice.
    fn along(solid: &Solid, direction: P3) -> Option<Vec<Prism>> {
        let origin = solid.points().next()?;
        let frame = Frame::from_axes(origin, direction, [1.0, 0.0, 0.0]);
        let local = solid.moved(&frame.inverse()?);
        let (mut upper, mut lower) = (Vec::new(), Vec::new());
        for face in &local.faces {
            let n = face.normal()?;
            if n[2].abs() <= UPRIGHT {
                continue;
            }
            let p = *face.loops.first()?.first()?;
            let slope = [-n[0] / n[2], -n[1] / n[2], dot(n, p) / n[2]];
            let loops: Vec<Loop> =
                face.loops.iter().map(|l| l.iter().map(|p| [p[0], p[1]]).collect()).collect();
            if n[2] > 0.0 { upper.push((slope, loops)) } else { lower.push((slope, loops)) }
        }
        let covered = |faces: &[(Slope, Vec<Loop>)]| {
            let each: f64 = faces
                .iter()
                .map(|(_, ls)| ls.iter().map(|l| crate::math::signed_area(l)).sum::<f64>().abs())
                .sum();
            let all: Vec<Loop> = faces.iter().flat_map(|(_, ls)| ls.iter().cloned()).collect();
            let once: f64 = region::union(&all).iter().map(Area::size).sum();
            ((each - once).abs() < 1e-6 + 1e-4 * each).then_some(each)
        };
        let (above, below) = (covered(&upper)?, covered(&lower)?);
        if (above - below).abs() > 1e-6 + 1e-4 * above {
            return None;
        }
        let mut prisms = Vec::new();
        for (high, top) in &upper {
            for (low, bottom) in &lower {
                let shared = region::intersection(top, bottom);
                if !shared.is_empty() {
                    let area = shared.iter().flat_map(|a| a.loops().cloned()).collect();
                    prisms.push(Prism { area: Some(area), frame, low: Some(*low), high: Some(*high) });
                }
            }
        }
        (!prisms.is_empty()).then_some(prisms)
    }

    /// Another prism with the same direction and ends, moved by a rigid map.
    pub fn moved(&self, by: &Frame) -> Option<Prism> {
        if !by.is_rigid() {
            return None;
        }
        let frame = by.after(&self.frame);
        if by.determinant() > 0.0 {
            return Some(Prism { frame, ..self.clone() });
        }
        // a mirror: keep the frame right-handed by turning y over
        let frame = Frame { y: scale(frame.y, -1.0), ..frame };
        let turn = |s: Slope| [s[0], -s[1], s[2]];
        Some(Prism {
            area: self
                .area
                .as_ref()
                .map(|ls| ls.iter().map(|l| l.iter().map(|p| [p[0], -p[1]]).collect()).collect()),
            frame,
            low: self.low.map(turn),
            high: self.high.map(turn),
        })
    }
}

/// Why a cut was not made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CutError {
    /// The body's faces do not close, so inside and outside cannot be told.
    #[error("the body is not closed")]
    Open,
    /// The prism has no area or no direction.
    #[error("the cutting body is degenerate")]
    Degenerate,
    /// Too many faces for the number of edges to cut by.
    #[error("the two bodies have too many faces")]
    Large,
}

/// `solid` less `prism`; the same solid again where they do not meet.
pub fn subtract(solid: &Solid, prism: &Prism) -> Result<Solid, CutError> {
    Ok(cut_out(solid, prism)?.unwrap_or_else(|| solid.clone()))
}

/// `solid` less `prism`; `None` where they do not meet and the solid stays as it is.
pub fn cut_out(solid: &Solid, prism: &Prism) -> Result<Option<Solid>, CutError> {
    if !solid.closed {
        return Err(CutError::Open);
    }
    let to = prism.frame.inverse().ok_or(CutError::Degenerate)?;
    let body = Body::new(solid.moved(&to));
    let reach = body.reach;
    if reach.is_empty() {
        return Ok(None);
    }
    let whole = rectangle(&reach, 1.0 + reach.size()[0].max(reach.size()[1]));
    let areas = match &prism.area {
        Some(loops) => region::even_odd(loops),
        None => vec![Area::new(whole.clone(), Vec::new())],
    };
    let loops: Vec<Loop> = areas.iter().flat_map(|a| a.loops().cloned()).collect();
    let extent = Bounds::of(loops.iter().flatten().map(|p| [p[0], p[1], 0.0]));
    if extent.is_empty() {
        return Err(CutError::Degenerate);
    }
    let limits =
        Limits { low: prism.low, high: prism.high, below: reach.min[2] - 1.0, above: reach.max[2] + 1.0 };
    let edges: usize = loops.iter().map(Vec::len).sum();
    if edges.saturating_mul(body.solid.faces.len()) > 100_000_000 {
        return Err(CutError::Large);
    }
    if !meets(&extent, &reach) || limits.misses(&body.solid) {
        return Ok(None);
    }

    let mut faces = Vec::with_capacity(body.solid.faces.len() + edges + 2);
    for face in &body.solid.faces {
        let Some(normal) = face.normal() else { continue };
        if normal[2].abs() < UPRIGHT {
            cut_upright(face, normal, &loops, &extent, &limits, &mut faces);
        } else {
            cut_lying(face, normal, &loops, &extent, &limits, &mut faces);
        }
    }
    for (slope, up) in [(prism.low, true), (prism.high, false)] {
        if let Some(slope) = slope {
            lay_end(&body, slope, up, &loops, &mut faces)?;
        }
    }
    if prism.area.is_some() {
        for l in &loops {
            for (i, &a) in l.iter().enumerate() {
                let b = l.get((i + 1) % l.len()).copied().unwrap_or(a);
                lay_side(&body, a, b, &limits, &mut faces)?;
            }
        }
    }
    Ok(Some(Solid::new(faces, true).moved(&prism.frame)))
}

/// The two ends, and values beyond the body that stand for endless.
struct Limits {
    low: Option<Slope>,
    high: Option<Slope>,
    below: f64,
    above: f64,
}

/// A slope's value at a point of the plane.
pub(crate) fn height(slope: Slope, p: P2) -> f64 {
    slope[0] * p[0] + slope[1] * p[1] + slope[2]
}

impl Limits {
    /// The part of an upright plane between the ends, from `s0` to `s1` along a line of the prism's plane: as (s, height).
    fn strip(&self, s0: f64, s1: f64, at: &dyn Fn(f64) -> P2) -> Option<Loop> {
        let low = |p: P2| self.low.map_or(self.below, |s| height(s, p));
        let high = |p: P2| self.high.map_or(self.above, |s| height(s, p));
        let room = |s: f64| high(at(s)) - low(at(s));
        // the ends may slope towards each other and cross: nothing is left beyond
        let (d0, d1) = (room(s0), room(s1));
        if d0 <= 0.0 && d1 <= 0.0 {
            return None;
        }
        let meet = s0 + (s1 - s0) * d0 / (d0 - d1);
        let (s0, s1) = (if d0 < 0.0 { meet } else { s0 }, if d1 < 0.0 { meet } else { s1 });
        let (a, b) = (at(s0), at(s1));
        Some(vec![[s0, low(a)], [s1, low(b)], [s1, high(b)], [s0, high(a)]])
    }

    /// Whether the body lies wholly below the lower or above the upper end.
    fn misses(&self, solid: &Solid) -> bool {
        let beyond = |test: &dyn Fn(P3) -> bool| solid.points().all(test);
        self.low.is_some_and(|s| beyond(&|p| p[2] <= height(s, [p[0], p[1]]) + ASIDE))
            || self.high.is_some_and(|s| beyond(&|p| p[2] >= height(s, [p[0], p[1]]) - ASIDE))
    }
}

fn rectangle(b: &Bounds, margin: f64) -> Loop {
    let (x0, y0, x1, y1) = (b.min[0] - margin, b.min[1] - margin, b.max[0] + margin, b.max[1] + margin);
    vec![[x0, y0], [x1, y0], [x1, y1], [x0, y1]]
}

fn meets(a: &Bounds, b: &Bounds) -> bool {
    (0..2).all(|i| a.min[i] <= b.max[i] && b.min[i] <= a.max[i])
}

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
fn cut_lying(face: &Face, n: P3, loops: &[Loop], extent: &Bounds, limits: &Limits, out: &mut Vec<Face>) {
    let own = Bounds::of(face.loops.iter().flatten().copied());
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
fn cut_upright(face: &Face, n: P3, loops: &[Loop], extent: &Bounds, limits: &Limits, out: &mut Vec<Face>) {
    let own = Bounds::of(face.loops.iter().flatten().copied());
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

fn push_area(area: &Area, reversed: bool, lift: &impl Fn(P2) -> P3, out: &mut Vec<Face>) {
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

/// The body that is cut, in the prism's coordinates, with the box of each face: most faces are nowhere near a plane.
struct Body {
    solid: Solid,
    boxes: Vec<Bounds>,
    reach: Bounds,
}

impl Body {
    fn new(solid: Solid) -> Body {
        let boxes: Vec<_> =
            solid.faces.iter().map(|f| Bounds::of(f.loops.iter().flatten().copied())).collect();
        let reach = boxes.iter().fold(Bounds::EMPTY, |all, b| all.join(b));
        Body { solid, boxes, reach }
    }

    /// The faces whose box comes as near to a plane as `margin`.
    fn near<'b>(&'b self, plane: &'b Plane, margin: f64) -> impl Iterator<Item = &'b Face> {
        let reach = plane.across.map(f64::abs);
        let is_near = move |b: &Bounds| {
            plane.distance(b.centre()).abs() <= dot(reach, b.size()) * 0.5 * (1.0 + 1e-9) + margin
        };
        self.solid.faces.iter().zip(&self.boxes).filter(move |(_, b)| is_near(b)).map(|(face, _)| face)
    }
}

/// A plane, and the two directions in it that its points are told by.
struct Plane {
    origin: P3,
    /// What a point's distance is measured along; not always at right angles to the plane.
    across: P3,
    along: [P3; 2],
}

impl Plane {
    fn distance(&self, p: P3) -> f64 {
        dot(self.across, sub(p, self.origin))
    }

    fn flat(&self, p: P3) -> P2 {
        let from = sub(p, self.origin);
        self.along.map(|axis| dot(axis, from))
    }
}

/// The prism's end where it is inside the body.
fn lay_end(body: &Body, slope: Slope, up: bool, loops: &[Loop], out: &mut Vec<Face>) -> Result<(), CutError> {
    let outward = if up { -ASIDE } else { ASIDE };
    let plane = Plane {
        origin: [0.0, 0.0, slope[2]],
        across: [-slope[0], -slope[1], 1.0],
        along: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
    };
    let cut = both_sides(body, &plane, outward)?;
    for area in region::intersection(&cut, loops) {
        push_area(&area, !up, &|p: P2| [p[0], p[1], height(slope, p)], out);
    }
    Ok(())
}

/// One side of the prism, over the edge from `a` to `b`, where it is inside the body.
fn lay_side(body: &Body, a: P2, b: P2, limits: &Limits, out: &mut Vec<Face>) -> Result<(), CutError> {
    let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
    let len = dx.hypot(dy);
    if len < 1e-9 {
        return Ok(());
    }
    let (tx, ty) = (dx / len, dy / len);
    let at = |s: f64| [a[0] + tx * s, a[1] + ty * s];
    let Some(strip) = limits.strip(0.0, len, &at) else { return Ok(()) };
    let place = |p: &P2| [a[0] + tx * p[0], a[1] + ty * p[0], p[1]];
    if !Bounds::of(strip.iter().map(place)).meets(&body.reach, 2.0 * ASIDE) {
        return Ok(());
    }
    // loops run counter-clockwise (holes clockwise), so outside is to the right
    let plane =
        Plane { origin: [a[0], a[1], 0.0], across: [ty, -tx, 0.0], along: [[tx, ty, 0.0], [0.0, 0.0, 1.0]] };
    let cut = both_sides(body, &plane, ASIDE)?;
    if cut.is_empty() {
        return Ok(());
    }
    for area in region::intersection(&cut, &[strip]) {
        push_area(&area, true, &|p: P2| place(&p), out);
    }
    Ok(())
}

/// Where the body is on both sides of a plane of the prism. Where it is only on the outer side it already has a face there
/// (an earlier opening's), which stays.
fn both_sides(body: &Body, plane: &Plane, outward: f64) -> Result<Vec<Loop>, CutError> {
    let outer = section(body, plane, outward)?;
    let in_plane =
        |f: &Face| f.loops.first().is_some_and(|l| l.iter().all(|&p| plane.distance(p).abs() < ASIDE));
    if outer.is_empty() || !body.near(plane, 2.0 * ASIDE).any(in_plane) {
        return Ok(outer);
    }
    let inner = section(body, plane, -outward)?;
    Ok(region::intersection(&outer, &inner).iter().flat_map(|a| a.loops().cloned()).collect())
}

/// The body's section by a plane, as loops in the plane's coordinates. What lies in the plane is decided as if the plane were
/// at the distance `aside`.
fn section(body: &Body, plane: &Plane, aside: f64) -> Result<Vec<Loop>, CutError> {
    let mut segments: Vec<[P2; 2]> = Vec::new();
    let mut hits: Vec<P3> = Vec::new();
    for face in body.near(plane, 2.0 * aside.abs()) {
        hits.clear();
        for l in &face.loops {
            let mut previous = l.last().map(|&p| (p, plane.distance(p)));
            for &b in l {
                let db = plane.distance(b);
                if let Some((a, da)) = previous
                    && (da >= aside) != (db >= aside)
                {
                    // from the same end whichever face asks, so that neighbours agree to the last bit
                    let (p, dp, q, dq) = if da < db { (a, da, b, db) } else { (b, db, a, da) };
                    let t = (dp / (dp - dq)).clamp(0.0, 1.0);
                    hits.push(add(p, scale(sub(q, p), t)));
                }
                previous = Some((b, db));
            }
        }
        if let [a, b] = hits.as_slice() {
            segments.push([plane.flat(*a), plane.flat(*b)]);
        } else if hits.len() > 2 {
            let far = |p: &P3| hits.iter().map(|q| dot(sub(*p, *q), sub(*p, *q))).fold(0.0, f64::max);
            // the end of the line: the hit farthest from any other
            let start = hits.iter().copied().max_by(|a, b| far(a).total_cmp(&far(b)));
            if let Some(start) = start {
                let away = |p: &P3| dot(sub(*p, start), sub(*p, start));
                hits.sort_by(|a, b| away(a).total_cmp(&away(b)));
            }
            segments.extend(hits.chunks_exact(2).map(|p| [plane.flat(p[0]), plane.flat(p[1])]));
        }
    }
    stitch(&segments)
}

/// Joins segments end to end into loops.
fn stitch(segments: &[[P2; 2]]) -> Result<Vec<Loop>, CutError> {
    const CELL: f64 = 2e-6;
    let cell = |p: P2| [(p[0] / CELL).floor() as i64, (p[1] / CELL).floor() as i64];
    let mut ends: HashMap<[i64; 2], Vec<(usize, usize)>> = HashMap::with_capacity(segments.len() * 2);
    for (i, s) in segments.iter().enumerate() {
        for (e, &p) in s.iter().enumerate() {
            ends.entry(cell(p)).or_default().push((i, e));
        }
    }
    let mut used = vec![false; segments.len()];
    let nearest = |p: P2, used: &[bool]| -> Option<(usize, usize)> {
        let c = cell(p);
        let mut best: Option<(f64, (usize, usize))> = None;
        for dx in -1..=1 {
            for dy in -1..=1 {
                for &(i, e) in
                    ends.get(&[c[0].saturating_add(dx), c[1].saturating_add(dy)]).into_iter().flatten()
                {
                    let q = segments.get(i)?.get(e)?;
                    let d = (p[0] - q[0]).hypot(p[1] - q[1]);
                    if !used.get(i).copied().unwrap_or(true) && d < CELL && best.is_none_or(|b| d < b.0) {
                        best = Some((d, (i, e)));
                    }
                }
            }
        }
        best.map(|b| b.1)
    };
    let mut loops = Vec::new();
    for i in 0..segments.len() {
        let Some(&[start, mut end]) = segments.get(i).filter(|_| !used[i]) else { continue };
        used[i] = true;
        let mut points = vec![start];
        while let Some((j, e)) = nearest(end, &used) {
            used[j] = true;
            points.push(end);
            end = segments[j][1 - e];
        }
        let gap = (end[0] - start[0]).hypot(end[1] - start[1]);
        // a bit of line shorter than a tenth of a millimetre is rounding, not a hole in the body
        let extent = points.iter().map(|p| (p[0] - start[0]).hypot(p[1] - start[1])).fold(gap, f64::max);
        if gap > 1e-4 {
            return Err(CutError::Open);
        }
        if points.len() > 2 && extent > 1e-4 {
            loops.push(points);
        }
    }
    Ok(loops)
}
