//! Curves as chains of points. Arcs become chords that stray at most a millimetre, with 32 to 128 of them to a full turn: an area or volume is
//! short of the round one by less than one percent.

mod followed;
mod parameter;
mod spline;
mod stretch;

use crate::math::orthonormal;
use crate::read::{MAX_DEPTH, Reader, ShapeError};
pub(crate) use followed::{beside, lean};
use glam::{DAffine3, DVec3};
use ifc::{Id, Instance, Value};
pub(crate) use parameter::Told;
use std::f64::consts::TAU;

/// The most that chords may stray from an arc, in metres.
pub const DEFLECTION: f64 = 0.001;

/// Points of one curve at most.
const MAX_POINTS: usize = 500_000;

/// Returns the number of chords that stand for an arc of `radius` metres over `sweep` radians.
pub fn chords(radius: f64, sweep: f64) -> usize {
    let step = 2.0 * (1.0 - DEFLECTION / radius.abs().max(DEFLECTION * 2.0)).acos();
    let full = (TAU / step).ceil().clamp(32.0, 128.0);
    ((full * sweep.abs() / TAU).ceil() as usize).clamp(1, 128)
}

/// The rule by which arcs become chords.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Fineness {
    /// As bodies are drawn and cut: see [`chords`].
    #[default]
    Drawn,
    /// So many times 512 to a full turn, of any radius: twice the number halves every chord, so that areas by two of them can be
    /// carried on to the round one.
    Times(usize),
}

impl Fineness {
    /// The number of chords that stand for an arc of `radius` metres over `sweep` radians.
    pub fn chords(self, radius: f64, sweep: f64) -> usize {
        match self {
            Fineness::Drawn => chords(radius, sweep),
            Fineness::Times(times) => ((512.0 * sweep.abs() / TAU).ceil() as usize).clamp(8, 512) * times,
        }
    }
}

/// Points of an ellipse in a frame's xy plane from one angle to another, both included.
pub fn arc(fineness: Fineness, frame: &DAffine3, rx: f64, ry: f64, from: f64, to: f64) -> Vec<DVec3> {
    let n = fineness.chords(rx.max(ry), to - from);
    (0..=n)
        .map(|i| from + (to - from) * i as f64 / n as f64)
        .map(|a| frame.transform_point3(DVec3::new(rx * a.cos(), ry * a.sin(), 0.0)))
        .collect()
}

/// Points of the arc through three points, the ends included; the chord where they lie on a line.
fn arc_through(fineness: Fineness, a: DVec3, b: DVec3, c: DVec3) -> Vec<DVec3> {
    let (ab, ac) = (b - a, c - a);
    let n = ab.cross(ac);
    let nn = n.dot(n);
    if nn < 1e-18 {
        return vec![a, b, c];
    }
    let to = n.cross(ab) * ac.dot(ac) + ac.cross(n) * ab.dot(ab);
    let centre = a + to * (1.0 / (2.0 * nn));
    let frame = orthonormal(centre, n, a - centre);
    let d = c - centre;
    let angle = d.dot(frame.y_axis).atan2(d.dot(frame.x_axis)).rem_euclid(TAU);
    let radius = (a - centre).length();
    let mut points = arc(fineness, &frame, radius, radius, 0.0, angle);
    if let Some(last) = points.last_mut() {
        *last = c;
    }
    points
}

impl<'m> Reader<'m> {
    /// The points of a curve in metres; a closed one may or may not repeat its first.
    pub fn curve(&self, id: Id, depth: usize) -> Result<Vec<DVec3>, ShapeError> {
        let curve = self.get(id)?;
        if depth > MAX_DEPTH {
            return Err(ShapeError::new(id, "is nested too deeply"));
        }
        let points = self.curve_points(id, &curve, depth)?;
        // without points, curves of curves could double without end and never grow
        if points.len() < 2 {
            return Err(ShapeError::new(id, "has fewer than two points"));
        }
        Ok(points)
    }

    fn curve_points(&self, id: Id, curve: &Instance<'m>, depth: usize) -> Result<Vec<DVec3>, ShapeError> {
        match curve.class_name() {
            "IfcPolyline" => curve.references("Points").into_iter().map(|p| self.point(p)).collect(),
            "IfcPolyLoop" => curve.references("Polygon").into_iter().map(|p| self.point(p)).collect(),
            "IfcIndexedPolyCurve" => self.indexed(curve),
            "IfcCircle" | "IfcEllipse" => {
                let (frame, rx, ry) = self.conic(curve)?;
                let mut points = arc(self.fineness, &frame, rx, ry, 0.0, TAU);
                points.pop();
                Ok(points)
            }
            "IfcTrimmedCurve" => self.trimmed(curve, depth),
            "IfcGradientCurve" | "IfcSegmentedReferenceCurve" => self.followed(id),
            "IfcCompositeCurve" if self.is_alignment(curve) => self.followed(id),
            "IfcOffsetCurveByDistances" => self.beside_by_distances(curve),
            "IfcOffsetCurve2D" | "IfcOffsetCurve3D" => self.beside(curve, depth),
            "IfcCompositeCurve"
            | "IfcCompositeCurveOnSurface"
            | "IfcBoundaryCurve"
            | "IfcOuterBoundaryCurve"
            | "Ifc2DCompositeCurve" => {
                let mut points: Vec<DVec3> = Vec::new();
                for segment in curve.references("Segments") {
                    let s = self.get(segment)?;
                    let mut part = self.curve(self.reference(&s, "ParentCurve")?, depth + 1)?;
                    if s.truth("SameSense") == Some(false) {
                        part.reverse();
                    }
                    let joined =
                        points.last().zip(part.first()).is_some_and(|(a, b)| (*a - *b).length() < 1e-6);
                    points.extend(part.into_iter().skip(usize::from(joined)));
                    if points.len() > MAX_POINTS {
                        return Err(ShapeError::new(id, format!("has more than {MAX_POINTS} points")));
                    }
                }
                Ok(points)
            }
            "IfcBSplineCurveWithKnots"
            | "IfcRationalBSplineCurveWithKnots"
            | "IfcBezierCurve"
            | "IfcRationalBezierCurve" => {
                let spline = self.spline(curve)?;
                let (from, to) = spline.knots.domain();
                Ok(spline.chain(from, to, MAX_POINTS))
            }
            // the curve in space is what counts; those in parameters of its surfaces repeat it
            "IfcSurfaceCurve" | "IfcSeamCurve" | "IfcIntersectionCurve" => {
                self.curve(self.reference(curve, "Curve3D")?, depth + 1)
            }
            "IfcPcurve" => self.on_surface(curve, depth),
            class => Err(ShapeError::new(id, format!("{class} is not drawn yet"))),
        }
    }

    fn conic(&self, curve: &Instance<'m>) -> Result<(DAffine3, f64, f64), ShapeError> {
        let frame = self.axes_of(curve, "Position")?;
        let (rx, ry) = if curve.is_a("IfcCircle") {
            let r = self.length(curve, "Radius")?;
            (r, r)
        } else {
            (self.length(curve, "SemiAxis1")?, self.length(curve, "SemiAxis2")?)
        };
        if rx <= 0.0 || ry <= 0.0 {
            return Err(ShapeError::new(curve.id(), "has no radius"));
        }
        Ok((frame, rx, ry))
    }

    /// The points of an `IfcCartesianPointList` in metres.
    pub fn point_list(&self, id: Id) -> Result<Vec<DVec3>, ShapeError> {
        let list = self.get(id)?;
        let rows = list.rows_of_numbers::<3>("CoordList").or_else(|| {
            let flat = list.rows_of_numbers::<2>("CoordList")?;
            Some(flat.into_iter().map(|[x, y]| [x, y, 0.0]).collect())
        });
        let sound = |p: &DVec3| p.abs().cmplt(DVec3::splat(1e9)).all();
        let points: Option<Vec<DVec3>> =
            rows.map(|rows| rows.into_iter().map(|p| DVec3::from(p) * self.metre).collect());
        let points = points.filter(|all| all.iter().all(sound));
        points.filter(|p| !p.is_empty()).ok_or_else(|| ShapeError::new(id, "has no sound coordinates"))
    }

    fn indexed(&self, curve: &Instance<'m>) -> Result<Vec<DVec3>, ShapeError> {
        let points = self.point_list(self.reference(curve, "Points")?)?;
        let segments = curve.attr("Segments");
        let Some(segments) = segments.as_list() else { return Ok(points) };
        let mut chain: Vec<DVec3> = Vec::new();
        for segment in segments {
            let part = piece(self.fineness, curve.id(), segment, &points)?;
            let joined = chain.last().zip(part.first()).is_some_and(|(a, b)| (*a - *b).length() < 1e-9);
            chain.extend(part.into_iter().skip(usize::from(joined)));
        }
        Ok(chain)
    }

    /// The place at which a curve is trimmed: a point, a parameter, or both.
    fn trim(&self, curve: &Instance<'m>, name: &str) -> (Option<DVec3>, Option<f64>) {
        let value = curve.attr(name);
        let members = value.as_list().unwrap_or_default();
        let point = members.iter().find_map(|v| v.as_ref().and_then(|p| self.point(p).ok()));
        (point, members.iter().filter(|v| v.as_ref().is_none()).find_map(Value::as_f64))
    }

    /// At what angle a trimmed circle or ellipse begins and by how much it turns, in radians.
    pub(crate) fn trimmed_angles(
        &self,
        curve: &Instance<'m>,
        basis: &Instance<'m>,
    ) -> Result<(f64, f64), ShapeError> {
        let forward = curve.attr("SenseAgreement").as_bool() != Some(false);
        let by_point = curve.attr("MasterRepresentation").as_enum() == Some("CARTESIAN");
        let (frame, rx, ry) = self.conic(basis)?;
        let angle = |(point, parameter): (Option<DVec3>, Option<f64>)| {
            let of_point = |p: DVec3| {
                let d = p - frame.translation;
                (d.dot(frame.y_axis) / ry).atan2(d.dot(frame.x_axis) / rx)
            };
            let of_parameter = parameter.map(|a| a * self.radian);
            if by_point { point.map(of_point).or(of_parameter) } else { of_parameter.or(point.map(of_point)) }
        };
        let missing = || ShapeError::new(curve.id(), "is not trimmed by points or parameters");
        let a = angle(self.trim(curve, "Trim1")).ok_or_else(missing)?;
        let b = angle(self.trim(curve, "Trim2")).ok_or_else(missing)?;
        let sweep = if forward { (b - a).rem_euclid(TAU) } else { -(a - b).rem_euclid(TAU) };
        Ok((a, if sweep.abs() < 1e-9 { if forward { TAU } else { -TAU } } else { sweep }))
    }

    fn trimmed(&self, curve: &Instance<'m>, depth: usize) -> Result<Vec<DVec3>, ShapeError> {
        let basis = self.get(self.reference(curve, "BasisCurve")?)?;
        let forward = curve.attr("SenseAgreement").as_bool() != Some(false);
        let by_point = curve.attr("MasterRepresentation").as_enum() == Some("CARTESIAN");
        let (one, two) = (self.trim(curve, "Trim1"), self.trim(curve, "Trim2"));
        if basis.is_a("IfcConic") {
            let (frame, rx, ry) = self.conic(&basis)?;
            let (a, sweep) = self.trimmed_angles(curve, &basis)?;
            return Ok(arc(self.fineness, &frame, rx, ry, a, a + sweep));
        }
        if basis.is_a("IfcLine") {
            let (origin, step) = self.line(&basis)?;
            let end = |(point, parameter): (Option<DVec3>, Option<f64>)| {
                let of_parameter = parameter.map(|t| origin + step * t);
                if by_point { point.or(of_parameter) } else { of_parameter.or(point) }
            };
            let missing = || ShapeError::new(curve.id(), "is not trimmed by points or parameters");
            return Ok(vec![end(one).ok_or_else(missing)?, end(two).ok_or_else(missing)?]);
        }
        // other curves: whole, cut at the trimming points where they are given and found
        let mut points = self.curve(basis.id(), depth + 1)?;
        let nearest = |p: DVec3, points: &[DVec3]| {
            let far = |q: &DVec3| (p - *q).length();
            (0..points.len()).min_by(|&a, &b| far(&points[a]).total_cmp(&far(&points[b])))
        };
        if let (Some(a), Some(b)) = (one.0, two.0)
            && let (Some(i), Some(j)) = (nearest(a, &points), nearest(b, &points))
            && i != j
        {
            points = points.get(i.min(j)..=i.max(j)).unwrap_or_default().to_vec();
            if (i > j) == forward {
                points.reverse();
            }
        }
        Ok(points)
    }
}

/// The points of one segment of an `IfcIndexedPolyCurve`.
fn piece(fineness: Fineness, of: Id, segment: &Value, points: &[DVec3]) -> Result<Vec<DVec3>, ShapeError> {
    let at = |v: &Value| {
        let index = v.as_f64().unwrap_or(0.0) as usize;
        let missing = || ShapeError::new(of, format!("there is no point {index}"));
        index.checked_sub(1).and_then(|i| points.get(i)).copied().ok_or_else(missing)
    };
    let is_arc = matches!(segment, Value::Typed(name, _) if name.eq_ignore_ascii_case("IfcArcIndex"));
    let corners: Vec<DVec3> =
        segment.as_list().unwrap_or_default().iter().map(at).collect::<Result<_, _>>()?;
    Ok(match corners.as_slice() {
        [a, b, c] if is_arc => arc_through(fineness, *a, *b, *c),
        _ => corners,
    })
}
