//! Surfaces as files give them.

use super::{Surface, revolved};
use crate::{
    nurbs::{Knots, MAX_CONTROLS, SplineSurface, weighted},
    read::{MAX_DEPTH, Reader, ShapeError},
};
use glam::{DAffine3, DVec3};
use ifc::{Id, Instance, Value};

impl<'m> Reader<'m> {
    /// An `IfcSurface` without its bounds.
    pub fn surface(&self, id: Id, depth: usize) -> Result<Surface, ShapeError> {
        let surface = self.get(id)?;
        if depth > MAX_DEPTH {
            return Err(ShapeError::new(id, "is nested too deeply"));
        }
        let positive = |name: &str| {
            let size = self.length(&surface, name)?;
            if size > 1e-9 { Ok(size) } else { Err(ShapeError::new(id, format!("{name} is not positive"))) }
        };
        let frame = || self.axes_of(&surface, "Position");
        Ok(match surface.class_name() {
            "IfcPlane" => Surface::Plane(frame()?),
            "IfcCylindricalSurface" => Surface::Cylinder { frame: frame()?, radius: positive("Radius")? },
            "IfcSphericalSurface" => Surface::Sphere { frame: frame()?, radius: positive("Radius")? },
            "IfcToroidalSurface" => Surface::Torus {
                frame: frame()?,
                major: positive("MajorRadius")?,
                minor: positive("MinorRadius")?,
            },
            "IfcSurfaceOfLinearExtrusion" => {
                let place = frame()?;
                let along = self.reference(&surface, "ExtrudedDirection")?;
                let along = self.direction(along).map(|d| place.transform_vector3(d));
                let along = along.ok_or_else(|| ShapeError::new(id, "has no direction"))?;
                let curve =
                    self.swept_curve(&surface)?.into_iter().map(|p| place.transform_point3(p)).collect();
                Surface::Extruded { curve, along }
            }
            "IfcSurfaceOfRevolution" => {
                let place = frame()?;
                let axis = place * self.axes(self.reference(&surface, "AxisPosition")?)?;
                let curve: Vec<DVec3> =
                    self.swept_curve(&surface)?.into_iter().map(|p| place.transform_point3(p)).collect();
                revolved(axis, &curve)
            }
            "IfcBSplineSurfaceWithKnots" | "IfcRationalBSplineSurfaceWithKnots" => {
                Surface::Spline(Box::new(self.spline_surface(&surface)?))
            }
            "IfcRectangularTrimmedSurface" | "IfcCurveBoundedSurface" | "IfcCurveBoundedPlane" => {
                self.surface(self.reference(&surface, "BasisSurface")?, depth + 1)?
            }
            // not in IFC, but in ISO 10303-42, and some files have it all the same; its attributes have no names here
            class if class.eq_ignore_ascii_case("IfcConicalSurface") => {
                let attributes = surface.attributes();
                let number = |i: usize| attributes.get(i).and_then(Value::as_f64).unwrap_or(f64::NAN);
                let (radius, angle) = (number(1) * self.metre, number(2) * self.radian);
                if !(angle.abs() < 1.57 && (0.0..1e7).contains(&radius)) {
                    return Err(ShapeError::new(id, "has no sound radius and angle"));
                }
                let place = attributes.first().and_then(Value::as_ref);
                let frame = place.map_or(Ok(DAffine3::IDENTITY), |p| self.axes(p))?;
                Surface::Cone { frame, radius, slope: angle.tan() }
            }
            class => return Err(ShapeError::new(id, format!("a face on {class} is not drawn yet"))),
        })
    }

    /// The points of the curve that a swept surface has for a profile.
    fn swept_curve(&self, surface: &Instance<'m>) -> Result<Vec<DVec3>, ShapeError> {
        let profile = self.get(self.reference(surface, "SweptCurve")?)?;
        let curve = match profile.reference("Curve").or_else(|| profile.reference("OuterCurve")) {
            Some(curve) => curve,
            // a curve where there should be a profile
            None if profile.is_a("IfcCurve") => profile.id(),
            None => {
                let areas = self.profile(profile.id(), 0)?;
                let outer = areas.first().map(|a| &a.outer).into_iter();
                return Ok(outer.flat_map(|l| l.iter().chain(l.first())).map(|p| p.extend(0.0)).collect());
            }
        };
        let line = self.get(curve)?;
        if line.is_a("IfcLine") {
            // without ends: a metre of it, which is followed beyond
            let (origin, step) = self.line(&line)?;
            let unit = step * (1.0 / step.length().max(1e-12));
            return Ok(vec![origin, origin + unit]);
        }
        let mut points = self.curve(curve, 0)?;
        points.dedup_by(|a, b| (*a - *b).length() < 1e-9);
        if line.is_a("IfcConic") || profile.is_a("IfcArbitraryClosedProfileDef") {
            let first = points.first().copied();
            if first.zip(points.last()).is_some_and(|(a, b)| (a - *b).length() > 1e-6) {
                points.extend(first);
            }
        }
        if points.len() < 2 {
            return Err(ShapeError::new(curve, "has no length"));
        }
        Ok(points)
    }

    fn spline_surface(&self, surface: &Instance<'m>) -> Result<SplineSurface, ShapeError> {
        let wrong = |what: String| ShapeError::new(surface.id(), what);
        let rows = surface.attr("ControlPointsList");
        let rows = rows.as_list().unwrap_or_default();
        let columns = rows.first().and_then(Value::as_list).map_or(0, <[Value]>::len);
        if columns == 0 || rows.iter().any(|r| r.as_list().map_or(0, <[Value]>::len) != columns) {
            return Err(wrong("has rows of points that are not equally long".to_owned()));
        }
        if rows.len().saturating_mul(columns) > MAX_CONTROLS {
            return Err(wrong(format!("has more than {MAX_CONTROLS} control points")));
        }
        let mut points = Vec::with_capacity(rows.len() * columns);
        for reference in rows.iter().filter_map(Value::as_list).flatten() {
            let id = reference.as_ref().ok_or_else(|| wrong("has a point that is none".to_owned()))?;
            points.push(self.point(id)?);
        }
        let weights = surface.attr("WeightsData");
        let weights: Option<Vec<f64>> = weights.as_list().map(|rows| {
            let row = |r: &Value| -> Vec<f64> {
                r.as_list().unwrap_or_default().iter().map(|w| w.as_f64().unwrap_or(f64::NAN)).collect()
            };
            rows.iter().flat_map(row).collect()
        });
        let controls = weighted(&points, weights.as_deref()).map_err(wrong)?;
        let knots = |degree: &str, knots: &str, times: &str, count: usize| {
            let degree = surface.number(degree).filter(|d| *d >= 0.0).unwrap_or(0.0) as usize;
            Knots::new(degree, &Self::knot_list(surface, knots, times), count).map_err(wrong)
        };
        let u = knots("UDegree", "UKnots", "UMultiplicities", rows.len())?;
        let v = knots("VDegree", "VKnots", "VMultiplicities", columns)?;
        SplineSurface::new([u, v], controls, columns).map_err(wrong)
    }

    /// Knots with how often each counts; one that is not given rightly is not a number.
    pub(crate) fn knot_list(of: &Instance<'m>, knots: &str, times: &str) -> Vec<(f64, usize)> {
        let (knots, times) = (of.attr(knots), of.attr(times));
        let times = times.as_list().unwrap_or_default();
        knots
            .as_list()
            .unwrap_or_default()
            .iter()
            .enumerate()
            .map(|(i, k)| {
                let count = times.get(i).and_then(Value::as_f64).filter(|m| (1.0..1e3).contains(m));
                (k.as_f64().unwrap_or(f64::NAN), count.unwrap_or(0.0) as usize)
            })
            .collect()
    }

    /// Origin and step (direction times magnitude) of an `IfcLine`, in metres.
    pub(crate) fn line(&self, line: &Instance<'m>) -> Result<(DVec3, DVec3), ShapeError> {
        let origin = self.point(self.reference(line, "Pnt")?)?;
        let vector = self.get(self.reference(line, "Dir")?)?;
        let direction = vector.reference("Orientation").and_then(|d| self.direction(d));
        let direction = direction.ok_or_else(|| ShapeError::new(line.id(), "has no direction"))?;
        Ok((origin, direction * self.length(&vector, "Magnitude").unwrap_or(self.metre)))
    }

    /// Returns a reader of the model that takes lengths as they are written, for parameters that are no lengths.
    pub(crate) fn unscaled(&self) -> Reader<'m> {
        Reader { metre: 1.0, ..self.clone() }
    }
}

impl Surface {
    /// The frame of a plane.
    pub fn as_plane(&self) -> Option<&DAffine3> {
        match self {
            Surface::Plane(frame) => Some(frame),
            _ => None,
        }
    }
}
