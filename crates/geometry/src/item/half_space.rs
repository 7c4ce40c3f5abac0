//! Half spaces: what lies on one side of a plane, also within a boundary, or of a cylinder, sphere or ring.
//!
//! The standard wants an elementary surface, which has no bounds (IfcHalfSpaceSolid, ISO 16739-1:2024). B-spline and swept surfaces end
//! somewhere, and a part of space is on neither side of them: a half space by them is not cut, and says so.

use super::Shaper;
use crate::curve::chords;
use crate::cutter::Cutter;
use crate::math::inverse;
use crate::prism::Prism;
use crate::read::ShapeError;
use glam::{DAffine3, DVec2, DVec3};
use ifc::Instance;
use std::f64::consts::TAU;
use std::sync::Arc;

/// The extent of the outside of a cylinder, in metres: farther than any body that it cuts.
const FAR: f64 = 1e5;

impl<'m> Shaper<'m> {
    pub(super) fn half_space(&self, item: &Instance<'m>) -> Result<Cutter, ShapeError> {
        let r = &self.reader;
        let surface = r.get(r.reference(item, "BaseSurface")?)?;
        let plane = r.axes_of(&surface, "Position")?;
        // agreement: the material is on the side that the normal points away from
        let agrees = item.attr("AgreementFlag").as_bool() != Some(false);
        if !surface.is_a("IfcPlane") {
            return self.curved(&surface, &plane, agrees);
        }
        if !item.is_a("IfcPolygonalBoundedHalfSpace") {
            return Ok(Cutter::Prism(Prism::half_space(plane.translation, plane.z_axis, !agrees)));
        }
        let frame = r.axes_of(item, "Position")?;
        let boundary = r.curve(r.reference(item, "PolygonalBoundary")?, 0)?;
        let area: Vec<DVec2> = boundary.into_iter().map(DVec3::truncate).collect();
        let inverse = inverse(&frame).ok_or_else(|| ShapeError::new(item.id(), "has no position"))?;
        let (n, o) = (inverse.transform_vector3(plane.z_axis), inverse.transform_point3(plane.translation));
        let (low, high, area) = if n.z.abs() < 1e-6 {
            // the plane stands upright: it cuts the boundary, not the height
            let reach =
                area.iter().map(|p| p.x.abs() + p.y.abs()).fold(1.0, f64::max) * 4.0 + o.x.abs() + o.y.abs();
            let side = if agrees { -1.0 } else { 1.0 };
            let (dx, dy) = (n.x * side * reach, n.y * side * reach);
            let (tx, ty) = (-n.y * reach, n.x * reach);
            let (o, t, d) = (o.truncate(), DVec2::new(tx, ty), DVec2::new(dx, dy));
            let half = vec![o - t, o + t, o + t + d, o - t + d];
            let parts = crate::region::intersection(&[area], &[half]);
            (None, None, parts.iter().flat_map(|a| a.loops().cloned()).collect())
        } else {
            let slope = [-n.x / n.z, -n.y / n.z, n.dot(o) / n.z];
            let below = agrees == (n.z > 0.0);
            if below { (None, Some(slope), vec![area]) } else { (Some(slope), None, vec![area]) }
        };
        Ok(Cutter::Prism(Prism { area: Some(area), frame, low, high }))
    }

    /// One side of a surface that closes about its axis or centre. Its normal points outward (ISO 10303-42), so that material that
    /// agrees is inside.
    fn curved(&self, surface: &Instance<'m>, at: &DAffine3, agrees: bool) -> Result<Cutter, ShapeError> {
        let r = &self.reader;
        let radius = || {
            let found = r.length(surface, "Radius")?;
            let sound = (1e-6..FAR).contains(&found);
            if sound { Ok(found) } else { Err(ShapeError::new(surface.id(), "has no sound radius")) }
        };
        match surface.class_name() {
            "IfcCylindricalSurface" => {
                let radius = radius()?;
                let n = chords(radius, TAU);
                let angles = (0..n).map(|i| TAU * i as f64 / n as f64);
                let mut area = vec![angles.map(|a| DVec2::new(radius * a.cos(), radius * a.sin())).collect()];
                if !agrees {
                    area.push(crate::region::rectangle(DVec2::splat(-FAR), DVec2::splat(FAR)));
                }
                Ok(Cutter::Prism(Prism { area: Some(area), frame: *at, low: None, high: None }))
            }
            "IfcSphericalSurface" => {
                let ball = Arc::new(super::primitive::sphere(radius()?, at));
                Ok(if agrees { Cutter::Body(ball) } else { Cutter::AllBut(ball) })
            }
            "IfcToroidalSurface" => {
                let (major, minor) = (r.length(surface, "MajorRadius")?, r.length(surface, "MinorRadius")?);
                if !(1e-6..FAR).contains(&minor) || !(minor..FAR).contains(&major) {
                    // a tube as wide as its ring goes through itself, and its inside is counted twice
                    return Err(ShapeError::new(surface.id(), "is no ring about its axis"));
                }
                let ring = Arc::new(super::primitive::torus(major, minor, at));
                Ok(if agrees { Cutter::Body(ring) } else { Cutter::AllBut(ring) })
            }
            class => Err(ShapeError::new(
                surface.id(),
                format!(
                    "a half space by {class} is not cut: it ends, and has no two sides that all of space is on"
                ),
            )),
        }
    }
}
