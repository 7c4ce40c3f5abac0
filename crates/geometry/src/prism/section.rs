//! Sections of a body by a plane.

use super::CutError;
use crate::{
    math::Bounds,
    region::Loop,
    solid::{Face, Solid},
};
use foldhash::{HashMap, HashMapExt};
use glam::{DVec2, DVec3};

/// The body that is cut, in the prism's coordinates, with the box of each face: most faces are nowhere near a plane.
pub(super) struct Body {
    pub(super) solid: Solid,
    pub(super) boxes: Vec<Bounds>,
    pub(super) reach: Bounds,
}

impl Body {
    pub(super) fn new(solid: Solid) -> Body {
        let boxes: Vec<_> =
            solid.faces.iter().map(|f| Bounds::from_points(f.loops.iter().flatten().copied())).collect();
        let reach = boxes.iter().fold(Bounds::EMPTY, |all, b| all.join(b));
        Body { solid, boxes, reach }
    }

    /// The faces whose box comes as near to a plane as `margin`.
    pub(super) fn near<'b>(&'b self, plane: &'b CuttingPlane, margin: f64) -> impl Iterator<Item = &'b Face> {
        let reach = plane.across.abs();
        let is_near = move |b: &Bounds| {
            plane.distance(b.centre()).abs() <= reach.dot(b.size()) * 0.5 * (1.0 + 1e-9) + margin
        };
        self.solid.faces.iter().zip(&self.boxes).filter(move |(_, b)| is_near(b)).map(|(face, _)| face)
    }
}

/// A plane, and the two directions in it that its points are told by.
pub(super) struct CuttingPlane {
    pub(super) origin: DVec3,
    /// The direction along which a point's distance is measured; not always at right angles to the plane.
    pub(super) across: DVec3,
    pub(super) along: [DVec3; 2],
}

impl CuttingPlane {
    pub(super) fn distance(&self, p: DVec3) -> f64 {
        self.across.dot(p - self.origin)
    }

    pub(super) fn flat(&self, p: DVec3) -> DVec2 {
        let from = p - self.origin;
        let [x, y] = self.along;
        DVec2::new(x.dot(from), y.dot(from))
    }
}

/// The body's section by a plane, as loops in the plane's coordinates. What lies in the plane is decided as if the plane were
/// at the distance `aside`.
pub(super) fn section(body: &Body, plane: &CuttingPlane, aside: f64) -> Result<Vec<Loop>, CutError> {
    let mut segments: Vec<[DVec2; 2]> = Vec::new();
    let mut hits: Vec<DVec3> = Vec::new();
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
                    hits.push(p + (q - p) * t);
                }
                previous = Some((b, db));
            }
        }
        if let [a, b] = hits.as_slice() {
            segments.push([plane.flat(*a), plane.flat(*b)]);
        } else if hits.len() > 2 {
            let far = |p: &DVec3| hits.iter().map(|q| (*p - *q).dot(*p - *q)).fold(0.0, f64::max);
            // the end of the line: the hit farthest from any other
            let start = hits.iter().copied().max_by(|a, b| far(a).total_cmp(&far(b)));
            if let Some(start) = start {
                let away = |p: &DVec3| (*p - start).dot(*p - start);
                hits.sort_by(|a, b| away(a).total_cmp(&away(b)));
            }
            segments.extend(hits.chunks_exact(2).map(|p| [plane.flat(p[0]), plane.flat(p[1])]));
        }
    }
    stitch(&segments)
}

/// Joins segments end to end into loops.
fn stitch(segments: &[[DVec2; 2]]) -> Result<Vec<Loop>, CutError> {
    const CELL: f64 = 2e-6;
    let cell = |p: DVec2| [(p.x / CELL).floor() as i64, (p.y / CELL).floor() as i64];
    let mut ends: HashMap<[i64; 2], Vec<(usize, usize)>> = HashMap::with_capacity(segments.len() * 2);
    for (i, s) in segments.iter().enumerate() {
        for (e, &p) in s.iter().enumerate() {
            ends.entry(cell(p)).or_default().push((i, e));
        }
    }
    let mut used = vec![false; segments.len()];
    let nearest = |p: DVec2, used: &[bool]| -> Option<(usize, usize)> {
        let c = cell(p);
        let mut best: Option<(f64, (usize, usize))> = None;
        for dx in -1..=1 {
            for dy in -1..=1 {
                for &(i, e) in
                    ends.get(&[c[0].saturating_add(dx), c[1].saturating_add(dy)]).into_iter().flatten()
                {
                    let q = segments.get(i)?.get(e)?;
                    let d = p.distance(*q);
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
        let gap = end.distance(start);
        // a bit of line shorter than a tenth of a millimetre is rounding, not a hole in the body
        let extent = points.iter().map(|p| p.distance(start)).fold(gap, f64::max);
        if gap > 1e-4 {
            return Err(CutError::Open);
        }
        if points.len() > 2 && extent > 1e-4 {
            loops.push(points);
        }
    }
    Ok(loops)
}
