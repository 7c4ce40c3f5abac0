//! Bodies between two or more profiles: rings joined to a body, tapered extrusions.

use super::Shaper;
use crate::read::ShapeError;
use crate::region::{Area, Loop};
use crate::solid::{Face, Solid};
use glam::{DVec2, DVec3};
use ifc::Instance;

/// The loops of two areas with as many points each. Loops of equal number go point by point; others (a circle and a lesser one,
/// which has fewer chords) get a point wherever the other has one, measured by the share of their length.
pub(super) fn matched(a: &Area, b: &Area) -> Option<Vec<(Loop, Loop)>> {
    if a.holes.len() != b.holes.len() {
        return None;
    }
    let pair = |(a, b): (&Loop, &Loop)| {
        if a.len() == b.len() {
            return (a.clone(), b.clone());
        }
        let mut at: Vec<f64> = shares(a).into_iter().chain(shares(b)).collect();
        at.sort_by(f64::total_cmp);
        at.dedup_by(|x, y| (*x - *y).abs() < 1e-9);
        (resampled(a, &at), resampled(b, &at))
    };
    Some(a.loops().zip(b.loops()).map(pair).collect())
}

/// Returns the distance of each point along a closed line, as a share of the whole.
fn shares(l: &Loop) -> Vec<f64> {
    let mut sum = 0.0;
    let mut at = Vec::with_capacity(l.len());
    for (p, q) in l.iter().zip(l.iter().skip(1).chain(l.first())) {
        at.push(sum);
        sum += q.distance(*p);
    }
    at.into_iter().map(|s| s / sum.max(1e-300)).collect()
}

fn resampled(l: &Loop, at: &[f64]) -> Loop {
    let own = shares(l);
    at.iter()
        .filter_map(|&t| {
            let i = own.partition_point(|s| *s <= t).checked_sub(1)?;
            let (p, q) = (l.get(i)?, l.get((i + 1) % l.len())?);
            let (from, to) = (own.get(i)?, own.get(i + 1).copied().unwrap_or(1.0));
            let share = if to - from > 1e-12 { (t - from) / (to - from) } else { 0.0 };
            Some(between(p, q, share))
        })
        .collect()
}

/// The point that lies at a share between two.
pub(super) fn between(a: &DVec2, b: &DVec2, share: f64) -> DVec2 {
    *a + (*b - *a) * share
}

/// A body between rings: for each loop of its section (the boundary counter-clockwise seen from the end) the same number of rings,
/// each with the same number of points. Sides are triangles, since they may be twisted; ends are capped unless the last ring meets
/// the first.
pub(super) fn loft(loops: &[Vec<Vec<DVec3>>], capped: bool) -> Solid {
    let mut faces = Vec::new();
    for rings in loops {
        for pair in rings.windows(2) {
            let [low, high] = pair else { continue };
            for (i, (a, d)) in low.iter().zip(high).enumerate() {
                let next = (i + 1) % low.len();
                if let (Some(b), Some(c)) = (low.get(next), high.get(next)) {
                    faces.push(Face { loops: vec![vec![*a, *b, *c]] });
                    faces.push(Face { loops: vec![vec![*a, *c, *d]] });
                }
            }
        }
    }
    faces.retain(|f| f.normal().is_some());
    if capped {
        faces.extend(cap(loops, false));
        faces.extend(cap(loops, true));
    }
    Solid::new(faces, true)
}

/// The face that closes a body of rings at its beginning or its end.
fn cap(loops: &[Vec<Vec<DVec3>>], at_end: bool) -> Option<Face> {
    let loops: Vec<Vec<DVec3>> = if at_end {
        loops.iter().filter_map(|r| r.last().cloned()).collect()
    } else {
        loops.iter().filter_map(|r| r.first()).map(|l| l.iter().rev().copied().collect()).collect()
    };
    (!loops.is_empty()).then_some(Face { loops })
}

/// Bodies of rings one after the other: where one ends just as the next begins, there is no wall between them.
pub(super) fn lofts(parts: &[Vec<Vec<Vec<DVec3>>>]) -> Vec<Face> {
    let mut faces = Vec::new();
    let goes_on = |a: &[Vec<Vec<DVec3>>], b: &[Vec<Vec<DVec3>>]| {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.last() == b.first())
    };
    for (i, loops) in parts.iter().enumerate() {
        faces.extend(loft(loops, false).faces);
        if i == 0 || !goes_on(&parts[i - 1], loops) {
            faces.extend(cap(loops, false));
        }
        if parts.get(i + 1).is_none_or(|next| !goes_on(loops, next)) {
            faces.extend(cap(loops, true));
        }
    }
    faces
}

impl<'m> Shaper<'m> {
    /// The pairs of loops of a body's first and last profile.
    pub(super) fn tapering(&self, item: &Instance<'m>) -> Result<Vec<Vec<(Loop, Loop)>>, ShapeError> {
        let r = &self.reader;
        let first = r.profile(r.reference(item, "SweptArea")?, 0)?;
        let last = r.profile(r.reference(item, "EndSweptArea")?, 0)?;
        let unlike = || ShapeError::new(item.id(), "has profiles of different make at its ends");
        if first.len() != last.len() {
            return Err(unlike());
        }
        first.iter().zip(&last).map(|(a, b)| matched(a, b).ok_or_else(unlike)).collect()
    }

    pub(super) fn tapered(&self, item: &Instance<'m>) -> Result<Solid, ShapeError> {
        let (frame, direction, depth) = self.sweep(item)?;
        let path = direction * depth;
        let mut faces = Vec::new();
        for area in self.tapering(item)? {
            let lift = |l: &Loop, by: DVec3| -> Vec<DVec3> {
                l.iter().map(|p| frame.transform_point3(p.extend(0.0) + by)).collect()
            };
            let loops: Vec<_> = area.iter().map(|(a, b)| vec![lift(a, DVec3::ZERO), lift(b, path)]).collect();
            faces.extend(loft(&loops, true).faces);
        }
        Ok(Solid::new(faces, true))
    }
}
