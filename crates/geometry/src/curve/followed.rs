//! Curves that are followed by distance (alignments: lines, arcs and spirals with heights on top), and curves beside others.

use super::{DEFLECTION, MAX_POINTS};
use crate::{
    math::{Frame, P3, add, cross, dot, length, scale, sub, unit},
    read::{Reader, ShapeError},
};
use ifc::{Id, Instance};

/// How often the pieces of a curve are halved at most.
const HALVINGS: usize = 9;

/// By how much cant may differ at the ends of a chord, in radians: what twists is wrapped in flat triangles, which wide sections would
/// be told too large by.
const TWIST: f64 = 0.01;

impl<'m> Reader<'m> {
    /// Returns true if a composite curve is made of the segments of an alignment.
    pub(crate) fn is_alignment(&self, curve: &Instance<'m>) -> bool {
        let first = curve.references("Segments").first().and_then(|s| self.model.get(*s));
        first.is_some_and(|s| s.is_a("IfcCurveSegment"))
    }

    /// Frames along a curve at distances in metres: x along it, y to the left, z upwards; where it has cant, y and z lean with it.
    pub(crate) fn frames(&self, curve: Id, distances: &[f64]) -> Result<Vec<Frame>, ShapeError> {
        let along: Vec<f64> = distances.iter().map(|d| d / self.metre).collect();
        let found = ifc::placement::along(self.model, curve, &along);
        let found = found.ok_or_else(|| ShapeError::new(curve, "is a curve that is not followed"))?;
        let frame = |t: ifc::placement::Transform| {
            let [x, y, z, o] = t.columns();
            Frame { x, y, z, o: scale(o, self.metre) }
        };
        let found: Vec<Frame> = found.into_iter().map(frame).collect();
        let sound = |f: &Frame| [f.x, f.y, f.z, f.o].iter().flatten().all(|v| v.is_finite());
        if found.iter().all(sound) { Ok(found) } else { Err(ShapeError::new(curve, "has no sound frames")) }
    }

    /// Distances along a curve in metres, some of them given, so close that chords between them stray at most a millimetre and cant
    /// hardly changes along them.
    pub(crate) fn distances(&self, curve: Id, mut at: Vec<f64>) -> Result<Vec<f64>, ShapeError> {
        at.sort_by(f64::total_cmp);
        at.dedup_by(|b, a| *b - *a < 1e-9);
        for _ in 0..HALVINGS {
            let middles: Vec<f64> =
                at.windows(2).flat_map(|w| [1.0, 2.0, 3.0].map(|k| w[0] + (w[1] - w[0]) * k / 4.0)).collect();
            let (ends, inner) = (self.frames(curve, &at)?, self.frames(curve, &middles)?);
            let mut next = Vec::with_capacity(at.len() * 2);
            for (i, pair) in at.windows(2).enumerate() {
                next.push(pair[0]);
                let (Some(a), Some(b)) = (ends.get(i), ends.get(i + 1)) else { continue };
                let off = |a: P3, b: P3, m: P3| {
                    let (d, to) = (sub(b, a), sub(m, a));
                    let square = dot(d, d);
                    let share = if square > 0.0 { dot(to, d) / square } else { 0.0 };
                    length(sub(to, scale(d, share))) > DEFLECTION
                };
                let strays = (lean(a) - lean(b)).abs() > TWIST
                    || inner.iter().skip(3 * i).take(3).any(|m| off(a.o, b.o, m.o));
                if strays {
                    next.push(f64::midpoint(pair[0], pair[1]));
                }
            }
            next.extend(at.last());
            if next.len() == at.len() {
                break;
            }
            if next.len() > MAX_POINTS / 8 {
                return Err(ShapeError::new(curve, "bends too much to be followed"));
            }
            at = next;
        }
        Ok(at)
    }

    /// The distances at which the pieces of a curve begin and end, in metres.
    pub(crate) fn stations(&self, curve: Id) -> Result<Vec<f64>, ShapeError> {
        let found = ifc::placement::stations(self.model, curve);
        let found = found.ok_or_else(|| ShapeError::new(curve, "is a curve that is not followed"))?;
        Ok(found.into_iter().map(|d| d * self.metre).collect())
    }

    /// Points along a curve that is followed by distance.
    pub(super) fn followed(&self, curve: Id) -> Result<Vec<P3>, ShapeError> {
        let at = self.distances(curve, self.stations(curve)?)?;
        Ok(self.frames(curve, &at)?.into_iter().map(|f| f.o).collect())
    }

    /// An `IfcOffsetCurveByDistances`: beside its basis by offsets that change evenly from one distance to the next.
    pub(super) fn beside_by_distances(&self, curve: &Instance<'m>) -> Result<Vec<P3>, ShapeError> {
        let basis = self.reference(curve, "BasisCurve")?;
        let mut offsets: Vec<(f64, [f64; 2])> = Vec::new();
        for value in curve.references("OffsetValues") {
            let value = self.get(value)?;
            let aside =
                [self.length_or_zero(&value, "OffsetLateral"), self.length_or_zero(&value, "OffsetVertical")];
            offsets.push((self.length(&value, "DistanceAlong")?, aside));
        }
        offsets.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (Some(first), Some(last)) = (offsets.first().copied(), offsets.last().copied()) else {
            return Err(ShapeError::new(curve.id(), "has no offsets"));
        };
        // one offset counts for the whole basis, more for the part between them
        let mut at = self.stations(basis)?;
        let (from, to) =
            (first.0, if offsets.len() > 1 { last.0 } else { at.last().copied().unwrap_or(0.0) });
        at.retain(|d| *d > from && *d < to);
        at.extend(offsets.iter().map(|o| o.0));
        at.push(to);
        let at = self.distances(basis, at)?;
        let frames = self.frames(basis, &at)?;
        let offset = |d: f64| {
            let i = offsets.partition_point(|o| o.0 <= d);
            match (i.checked_sub(1).and_then(|i| offsets.get(i)), offsets.get(i)) {
                (Some(a), Some(b)) => {
                    let share = (d - a.0) / (b.0 - a.0);
                    [0, 1].map(|k| a.1[k] + (b.1[k] - a.1[k]) * share)
                }
                (Some(a), None) => a.1,
                _ => first.1,
            }
        };
        Ok(at
            .iter()
            .zip(frames)
            .map(|(d, f)| {
                let [left, up] = offset(*d);
                f.point([0.0, left, up])
            })
            .collect())
    }

    /// An `IfcOffsetCurve2D` or `IfcOffsetCurve3D`: all points so far to the left, seen against the reference direction.
    pub(super) fn beside(&self, curve: &Instance<'m>, depth: usize) -> Result<Vec<P3>, ShapeError> {
        let basis = self.reference(curve, "BasisCurve")?;
        let distance = self.length(curve, "Distance")?;
        let up = curve.reference("RefDirection").and_then(|d| self.direction(d)).unwrap_or([0.0, 0.0, 1.0]);
        let mut chain = self.curve(basis, depth + 1)?;
        if self.get(basis)?.is_a("IfcConic") {
            chain.extend(chain.first().copied());
        }
        beside(&chain, up, distance).ok_or_else(|| ShapeError::new(curve.id(), "has no direction"))
    }
}

/// By how much a section leans to the left about the direction of its curve, in radians.
pub(crate) fn lean(f: &Frame) -> f64 {
    let left = unit(cross([0.0, 0.0, 1.0], f.x)).unwrap_or(f.y);
    dot(f.z, left).atan2(dot(f.z, cross(f.x, left)))
}

/// A chain so far to the left of another, seen from where `up` points to; corners are mitred. Closed where the other is.
pub(crate) fn beside(chain: &[P3], up: P3, distance: f64) -> Option<Vec<P3>> {
    let mut chain = chain.to_vec();
    chain.dedup_by(|a, b| length(sub(*a, *b)) < 1e-9);
    let normals: Vec<P3> = chain
        .windows(2)
        .map(|w| unit(cross(up, sub(w[1], w[0]))))
        .collect::<Option<Vec<P3>>>()
        .filter(|n| !n.is_empty())?;
    let ring = chain.len() > 3 && length(sub(chain[0], chain[chain.len() - 1])) < 1e-9;
    let (first, last) = (normals[0], normals[normals.len() - 1]);
    let moved = chain.iter().enumerate().map(|(i, p)| {
        let before = i.checked_sub(1).and_then(|b| normals.get(b)).copied();
        let after = normals.get(i).copied();
        let before = before.unwrap_or(if ring { last } else { first });
        let after = after.unwrap_or(if ring { first } else { last });
        let sum = add(before, after);
        let square = dot(sum, sum);
        // a mitre of more than ten times the distance is none
        let by = if square > 0.04 { scale(sum, 2.0 / square) } else { before };
        add(*p, scale(by, distance))
    });
    Some(moved.collect())
}
