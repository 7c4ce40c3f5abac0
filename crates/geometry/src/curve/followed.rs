//! Curves that are followed by distance (alignments: lines, arcs and spirals with heights on top), and curves beside others.

use super::{DEFLECTION, MAX_POINTS};
use crate::read::{Reader, ShapeError};
use glam::{DAffine3, DVec3};
use ifc::placement::unit;
use ifc::{Id, Instance};

/// The most times that the pieces of a curve are halved.
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
    pub(crate) fn frames(&self, curve: Id, distances: &[f64]) -> Result<Vec<DAffine3>, ShapeError> {
        let along: Vec<f64> = distances.iter().map(|d| d / self.metre).collect();
        let found = ifc::placement::along(self.model, curve, &along);
        let found = found.ok_or_else(|| ShapeError::new(curve, "is a curve that is not followed"))?;
        let in_metres = |f: DAffine3| DAffine3 { translation: f.translation * self.metre, ..f };
        let found: Vec<DAffine3> = found.into_iter().map(in_metres).collect();
        if found.iter().all(DAffine3::is_finite) {
            Ok(found)
        } else {
            Err(ShapeError::new(curve, "has no sound frames"))
        }
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
                let off = |a: DVec3, b: DVec3, m: DVec3| {
                    let (d, to) = (b - a, m - a);
                    let square = d.dot(d);
                    let share = if square > 0.0 { to.dot(d) / square } else { 0.0 };
                    (to - d * share).length() > DEFLECTION
                };
                let strays = (lean(a) - lean(b)).abs() > TWIST
                    || inner
                        .iter()
                        .skip(3 * i)
                        .take(3)
                        .any(|m| off(a.translation, b.translation, m.translation));
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
    pub(super) fn followed(&self, curve: Id) -> Result<Vec<DVec3>, ShapeError> {
        let at = self.distances(curve, self.stations(curve)?)?;
        Ok(self.frames(curve, &at)?.into_iter().map(|f| f.translation).collect())
    }

    /// An `IfcOffsetCurveByDistances`: beside its basis by offsets that change evenly from one distance to the next.
    pub(super) fn beside_by_distances(&self, curve: &Instance<'m>) -> Result<Vec<DVec3>, ShapeError> {
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
                f.transform_point3(DVec3::new(0.0, left, up))
            })
            .collect())
    }

    /// An `IfcOffsetCurve2D` or `IfcOffsetCurve3D`: all points so far to the left, seen against the reference direction.
    pub(super) fn beside(&self, curve: &Instance<'m>, depth: usize) -> Result<Vec<DVec3>, ShapeError> {
        let basis = self.reference(curve, "BasisCurve")?;
        let distance = self.length(curve, "Distance")?;
        let up = curve.reference("RefDirection").and_then(|d| self.direction(d)).unwrap_or(DVec3::Z);
        let mut chain = self.curve(basis, depth + 1)?;
        if self.get(basis)?.is_a("IfcConic") {
            chain.extend(chain.first().copied());
        }
        beside(&chain, up, distance).ok_or_else(|| ShapeError::new(curve.id(), "has no direction"))
    }
}

/// By how much a section leans to the left about the direction of its curve, in radians.
pub(crate) fn lean(f: &DAffine3) -> f64 {
    let left = unit(DVec3::Z.cross(f.x_axis)).unwrap_or(f.y_axis);
    f.z_axis.dot(left).atan2(f.z_axis.dot(f.x_axis.cross(left)))
}

/// A chain so far to the left of another, seen from where `up` points to; corners are mitred. Closed where the other is.
pub(crate) fn beside(chain: &[DVec3], up: DVec3, distance: f64) -> Option<Vec<DVec3>> {
    let mut chain = chain.to_vec();
    chain.dedup_by(|a, b| (*a - *b).length() < 1e-9);
    let normals: Vec<DVec3> = chain
        .windows(2)
        .map(|w| unit(up.cross(w[1] - w[0])))
        .collect::<Option<Vec<DVec3>>>()
        .filter(|n| !n.is_empty())?;
    let ring = chain.len() > 3 && (chain[0] - chain[chain.len() - 1]).length() < 1e-9;
    let (first, last) = (normals[0], normals[normals.len() - 1]);
    let moved = chain.iter().enumerate().map(|(i, p)| {
        let before = i.checked_sub(1).and_then(|b| normals.get(b)).copied();
        let after = normals.get(i).copied();
        let before = before.unwrap_or(if ring { last } else { first });
        let after = after.unwrap_or(if ring { first } else { last });
        let sum = before + after;
        let square = sum.dot(sum);
        // a mitre of more than ten times the distance is none
        let by = if square > 0.04 { sum * (2.0 / square) } else { before };
        *p + by * distance
    });
    Some(moved.collect())
}
