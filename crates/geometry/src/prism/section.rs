//! Where a plane meets a body.

use super::CutError;
use crate::{
    math::{Bounds, P2, P3, add, dot, scale, sub},
    region::Loop,
    solid::{Face, Solid},
};
use foldhash::{HashMap, HashMapExt};

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
    pub(super) fn near<'b>(&'b self, plane: &'b Plane, margin: f64) -> impl Iterator<Item = &'b Face> {
        let reach = plane.across.map(f64::abs);
        let is_near = move |b: &Bounds| {
            plane.distance(b.centre()).abs() <= dot(reach, b.size()) * 0.5 * (1.0 + 1e-9) + margin
        };
        self.solid.faces.iter().zip(&self.boxes).filter(move |(_, b)| is_near(b)).map(|(face, _)| face)
    }
}

/// A plane, and the two directions in it that its points are told by.
pub(super) struct Plane {
    pub(super) origin: P3,
    /// The direction along which a point's distance is measured; not always at right angles to the plane.
    pub(super) across: P3,
    pub(super) along: [P3; 2],
}

impl Plane {
    pub(super) fn distance(&self, p: P3) -> f64 {
        dot(self.across, sub(p, self.origin))
    }

    pub(super) fn flat(&self, p: P3) -> P2 {
        let from = sub(p, self.origin);
        self.along.map(|axis| dot(axis, from))
    }
}

/// The body's section by a plane, as loops in the plane's coordinates. What lies in the plane is decided as if the plane were
/// at the distance `aside`.
pub(super) fn section(body: &Body, plane: &Plane, aside: f64) -> Result<Vec<Loop>, CutError> {
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
