//! Points of curves with the parameter that each has, for what is swept from one parameter to another (ISO 10303-42: polylines count
//! their points, circles and ellipses tell angles, lines multiples of their vector, trimmed curves begin anew at nought, composite
//! curves add up their segments, B-splines have their knots). For curves by other rules it is the distance from their beginning.

use super::{MAX_POINTS, arc, piece};
use crate::read::{MAX_DEPTH, Reader, ShapeError};
use glam::DVec3;
use ifc::{Id, Instance, Value};
use std::f64::consts::TAU;

/// A point and its parameter, as files tell it.
pub(crate) type Told = (f64, DVec3);

impl<'m> Reader<'m> {
    /// The points of a curve from its beginning to its end, parameters ascending.
    pub(crate) fn told(&self, id: Id, depth: usize) -> Result<Vec<Told>, ShapeError> {
        let curve = self.get(id)?;
        if depth > MAX_DEPTH {
            return Err(ShapeError::new(id, "is nested too deeply"));
        }
        let found = match curve.class_name() {
            "IfcPolyline" => numbered(self.curve(id, depth)?),
            "IfcIndexedPolyCurve" => self.told_pieces(&curve)?,
            "IfcCircle" | "IfcEllipse" => {
                let (frame, rx, ry) = self.conic(&curve)?;
                evenly(arc(self.fineness, &frame, rx, ry, 0.0, TAU), TAU / self.radian)
            }
            "IfcTrimmedCurve" => {
                let points = self.curve(id, depth)?;
                let basis = self.get(self.reference(&curve, "BasisCurve")?)?;
                if basis.is_a("IfcConic") {
                    // points of an arc stand at even angles
                    let (_, sweep) = self.trimmed_angles(&curve, &basis)?;
                    evenly(points, sweep.abs() / self.radian)
                } else if basis.is_a("IfcLine") {
                    let (_, step) = self.line(&basis)?;
                    let whole = points.first().zip(points.last()).map_or(0.0, |(a, b)| (*b - *a).length());
                    evenly(points, whole / step.length().max(1e-12))
                } else if basis.is_a("IfcPolyline") {
                    numbered(points)
                } else {
                    measured(points, self.metre)
                }
            }
            "IfcBSplineCurveWithKnots"
            | "IfcRationalBSplineCurveWithKnots"
            | "IfcBezierCurve"
            | "IfcRationalBezierCurve" => {
                let spline = self.spline(&curve)?;
                let (from, to) = spline.knots.domain();
                spline.told(from, to, MAX_POINTS)
            }
            "IfcCompositeCurve" | "IfcCompositeCurveOnSurface" | "Ifc2DCompositeCurve"
                if !self.is_alignment(&curve) =>
            {
                let mut all: Vec<Told> = Vec::new();
                for segment in curve.references("Segments") {
                    let segment = self.get(segment)?;
                    let mut part = self.told(self.reference(&segment, "ParentCurve")?, depth + 1)?;
                    if segment.truth("SameSense") == Some(false) {
                        let end = part.last().map_or(0.0, |p| p.0);
                        part = part.into_iter().rev().map(|(t, p)| (end - t, p)).collect();
                    }
                    let first = part.first().map_or(0.0, |p| p.0);
                    let from = all.last().map_or(0.0, |p| p.0);
                    all.extend(part.into_iter().map(|(t, p)| (from + t - first, p)));
                    if all.len() > MAX_POINTS {
                        return Err(ShapeError::new(id, format!("has more than {MAX_POINTS} points")));
                    }
                }
                all
            }
            "IfcSurfaceCurve" | "IfcSeamCurve" | "IfcIntersectionCurve" => {
                self.told(self.reference(&curve, "Curve3D")?, depth + 1)?
            }
            _ => measured(self.curve(id, depth)?, self.metre),
        };
        if found.len() < 2 {
            return Err(ShapeError::new(id, "has fewer than two points"));
        }
        Ok(found)
    }

    /// A straight piece counts one, and so does an arc.
    fn told_pieces(&self, curve: &Instance<'m>) -> Result<Vec<Told>, ShapeError> {
        let segments = curve.attr("Segments");
        let Some(segments) = segments.as_list() else { return Ok(numbered(self.indexed(curve)?)) };
        let points = self.point_list(self.reference(curve, "Points")?)?;
        let mut all: Vec<Told> = Vec::new();
        for segment in segments {
            let one = piece(self.fineness, curve.id(), segment, &points)?;
            let is_arc = matches!(segment, Value::Typed(name, _) if name.eq_ignore_ascii_case("IfcArcIndex"));
            let size = if is_arc { 1.0 } else { (one.len().max(1) - 1) as f64 };
            let from = all.last().map_or(0.0, |p| p.0);
            let skip = usize::from(!all.is_empty());
            all.extend(evenly(one, size).into_iter().skip(skip).map(|(t, p)| (from + t, p)));
        }
        Ok(all)
    }

    /// The part of a curve between two attributes of what sweeps along it, parameters or (typed so) lengths.
    pub(crate) fn between(
        &self,
        of: &Instance<'m>,
        curve: Id,
        [start, end]: [&str; 2],
    ) -> Result<Vec<DVec3>, ShapeError> {
        let measure = |name: &str| {
            let value = of.attr(name);
            let by_length = matches!(&value, Value::Typed(kind, _)
                if kind.eq_ignore_ascii_case("IfcLengthMeasure")
                    || kind.eq_ignore_ascii_case("IfcNonNegativeLengthMeasure"));
            value.as_f64().or_else(|| of.number(name)).filter(|v| v.is_finite()).map(|v| (v, by_length))
        };
        let (start, end) = (measure(start), measure(end));
        let mut chain = self.told(curve, 0)?;
        if start.or(end).is_some_and(|(_, by_length)| by_length) {
            chain = measured(chain.into_iter().map(|(_, p)| p).collect(), self.metre);
        }
        let (first, last) = (chain.first().map_or(0.0, |p| p.0), chain.last().map_or(0.0, |p| p.0));
        let (from, mut to) = (start.map_or(first, |s| s.0.max(first)), end.map_or(last, |e| e.0.min(last)));
        // many programs count one for each segment, whatever its own parameters are
        let segments = self.get(curve)?.references("Segments").len();
        if (from - first).abs() < 1e-6
            && segments > 0
            && end.is_some_and(|e| (e.0 - segments as f64).abs() < 1e-6)
        {
            to = last;
        }
        if to - from <= 1e-9 * (last - first) {
            return Err(ShapeError::new(of.id(), "ends before it begins"));
        }
        let at = |t: f64| {
            let i = chain.partition_point(|p| p.0 <= t).clamp(1, chain.len() - 1);
            let (a, b) = (chain[i - 1], chain[i]);
            let share = if b.0 > a.0 { ((t - a.0) / (b.0 - a.0)).clamp(0.0, 1.0) } else { 0.0 };
            a.1 + (b.1 - a.1) * share
        };
        let mut part = vec![at(from)];
        part.extend(chain.iter().filter(|p| p.0 > from && p.0 < to).map(|p| p.1));
        part.push(at(to));
        part.dedup_by(|a, b| (*a - *b).length() < 1e-6);
        Ok(part)
    }
}

fn numbered(points: Vec<DVec3>) -> Vec<Told> {
    points.into_iter().enumerate().map(|(i, p)| (i as f64, p)).collect()
}

fn evenly(points: Vec<DVec3>, whole: f64) -> Vec<Told> {
    let pieces = (points.len().max(2) - 1) as f64;
    points.into_iter().enumerate().map(|(i, p)| (whole * i as f64 / pieces, p)).collect()
}

fn measured(points: Vec<DVec3>, metre: f64) -> Vec<Told> {
    let mut sum = 0.0;
    let mut before = points.first().copied().unwrap_or_default();
    points
        .into_iter()
        .map(|p| {
            sum += (p - before).length() / metre;
            before = p;
            (sum, p)
        })
        .collect()
}
