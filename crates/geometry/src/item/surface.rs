//! Surfaces that bound no body: planes within curves, curves drawn along a direction, and pieces of all other surfaces.

use super::Shaper;
use crate::math::vector_area;
use crate::read::ShapeError;
use crate::solid::{Face, Solid};
use crate::surface::patch;
use glam::{DVec2, DVec3};
use ifc::Instance;

fn patches(triangles: Vec<[DVec3; 3]>) -> Vec<Face> {
    triangles.into_iter().map(|t| Face { loops: vec![t.to_vec()] }).collect()
}

impl<'m> Shaper<'m> {
    /// A bounded surface, or nothing for a class that is not drawn.
    pub(super) fn surface(&self, item: &Instance<'m>) -> Result<Option<Solid>, ShapeError> {
        let r = &self.reader;
        let faces = match item.class_name() {
            "IfcCurveBoundedPlane" => {
                let plane = r.get(r.reference(item, "BasisSurface")?)?;
                let frame = r.axes_of(&plane, "Position")?;
                let mut loops = Vec::new();
                let inner = item.references("InnerBoundaries");
                for curve in std::iter::once(r.reference(item, "OuterBoundary")?).chain(inner) {
                    // curves on the plane are given in its own coordinates
                    let mut points: Vec<_> =
                        r.curve(curve, 0)?.into_iter().map(|p| frame.transform_point3(p)).collect();
                    points.dedup();
                    if points.first() == points.last() {
                        points.pop();
                    }
                    loops.push(points);
                }
                let outer = loops.first().map(|l| vector_area(l)).unwrap_or_default();
                for hole in loops.iter_mut().skip(1).filter(|h| vector_area(h).dot(outer) > 0.0) {
                    hole.reverse();
                }
                vec![Face { loops }]
            }
            "IfcSurfaceOfLinearExtrusion" => {
                let frame = r.axes_of(item, "Position")?;
                let direction = r.direction(r.reference(item, "ExtrudedDirection")?);
                let direction = direction.ok_or_else(|| ShapeError::new(item.id(), "has no direction"))?;
                let path = frame.transform_vector3(direction) * r.length(item, "Depth")?;
                let profile = r.get(r.reference(item, "SweptCurve")?)?;
                let chains = if let Some(curve) = profile.reference("Curve") {
                    vec![r.curve(curve, 0)?]
                } else {
                    let closed =
                        |l: &Vec<DVec2>| l.iter().chain(l.first()).map(|p| p.extend(0.0)).collect::<Vec<_>>();
                    let areas = r.profile(profile.id(), 0)?;
                    areas.iter().flat_map(|a| a.loops().map(closed).collect::<Vec<_>>()).collect()
                };
                let placed = chains.into_iter().map(|c| c.into_iter().map(|p| frame.transform_point3(p)));
                let strips: Vec<Vec<_>> = placed.map(Iterator::collect).collect();
                let sides = strips.iter().flat_map(|c| c.windows(2)).filter_map(|pair| {
                    let [a, b] = *pair else { return None };
                    Some(Face { loops: vec![vec![a, b, b + path, a + path]] })
                });
                sides.filter(|f| f.normal().is_some()).collect()
            }
            "IfcRectangularTrimmedSurface" => {
                let id = r.reference(item, "BasisSurface")?;
                let basis = r.surface(id, 0)?;
                let told = r.told_parameters(id, &basis, 0)?;
                let number = |name: &str| {
                    item.number(name)
                        .filter(|v| v.is_finite())
                        .ok_or_else(|| ShapeError::new(item.id(), format!("{name} is missing")))
                };
                let (a, b) =
                    (told.own([number("U1")?, number("V1")?]), told.own([number("U2")?, number("V2")?]));
                let forward = |name: &str| item.attr(name).as_bool() != Some(false);
                let senses = [forward("Usense"), forward("Vsense")];
                let mut limits = [[a[0], b[0]], [a[1], b[1]]];
                for (i, period) in basis.periods().into_iter().enumerate() {
                    if !senses[i] {
                        limits[i].reverse();
                    }
                    let [from, to] = limits[i];
                    if let Some(period) = period {
                        // from the first to the second, by way of the seam if need be
                        let way = (to - from).rem_euclid(period);
                        limits[i] = [from, from + if way < 1e-9 * period { period } else { way }];
                    }
                }
                let made = patch::whole(&basis, limits, senses[0] == senses[1]);
                patches(made.map_err(|reason| ShapeError::new(item.id(), reason))?)
            }
            "IfcCurveBoundedSurface" => {
                let basis = r.surface(r.reference(item, "BasisSurface")?, 0)?;
                let mut loops = Vec::new();
                for curve in item.references("Boundaries") {
                    loops.push(r.curve(curve, 0)?);
                }
                if item.attr("ImplicitOuter").as_bool() == Some(true) {
                    let limits = basis.limits().ok_or_else(|| {
                        ShapeError::new(item.id(), "has no bounds: those of its surface are endless")
                    })?;
                    loops.push(patch::rim(&basis, limits));
                }
                let made = patch::within(&basis, &loops, true);
                patches(made.map_err(|reason| ShapeError::new(item.id(), reason))?)
            }
            "IfcBSplineSurfaceWithKnots"
            | "IfcRationalBSplineSurfaceWithKnots"
            | "IfcSurfaceOfRevolution"
            | "IfcSphericalSurface"
            | "IfcToroidalSurface" => {
                let surface = r.surface(item.id(), 0)?;
                let limits = surface.limits().ok_or_else(|| ShapeError::new(item.id(), "has no bounds"))?;
                let made = patch::whole(&surface, limits, true);
                patches(made.map_err(|reason| ShapeError::new(item.id(), reason))?)
            }
            _ => return Ok(None),
        };
        if faces.iter().all(|f| f.normal().is_none()) {
            return Err(ShapeError::new(item.id(), "is a surface without area"));
        }
        Ok(Some(Solid::new(faces, false)))
    }
}
