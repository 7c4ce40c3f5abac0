//! The body of a single item, by its class.

use super::{MAX_CORNERS, Shaper};
use crate::{
    math::{Bounds, vector_area},
    read::ShapeError,
    solid::Solid,
};
use glam::{DAffine3, DVec3};
use ifc::Id;
use std::collections::HashSet;

impl Shaper<'_> {
    /// The body of a single item in its own coordinates.
    pub fn solid(&self, id: Id) -> Result<Solid, ShapeError> {
        let r = &self.reader;
        let item = r.get(id)?;
        let solid = match item.class_name() {
            "IfcExtrudedAreaSolid" => self.extrusion(&item)?,
            "IfcRevolvedAreaSolid" | "IfcRevolvedAreaSolidTapered" => self.revolution(&item)?,
            "IfcSweptDiskSolid" | "IfcSweptDiskSolidPolygonal" => self.swept_disk(&item)?,
            "IfcFacetedBrep" | "IfcFacetedBrepWithVoids" | "IfcAdvancedBrep" | "IfcAdvancedBrepWithVoids" => {
                let mut faces = self.shell(r.reference(&item, "Outer")?)?;
                for inner in item.references("Voids") {
                    faces.extend(self.shell(inner)?);
                }
                Solid::new(faces, true)
            }
            "IfcFaceBasedSurfaceModel" => self.shells(&item, "FbsmFaces")?,
            "IfcShellBasedSurfaceModel" => self.shells(&item, "SbsmBoundary")?,
            "IfcOpenShell" | "IfcClosedShell" | "IfcConnectedFaceSet" => Solid::new(self.shell(id)?, false),
            "IfcTriangulatedFaceSet" | "IfcTriangulatedIrregularNetwork" => self.triangulated(&item)?,
            "IfcPolygonalFaceSet" => self.polygonal(&item)?,
            "IfcBoundingBox" => {
                let o = r.point(r.reference(&item, "Corner")?)?;
                let size = [r.length(&item, "XDim")?, r.length(&item, "YDim")?, r.length(&item, "ZDim")?];
                let size = DVec3::from(size);
                let bounds = Bounds::from_points([o, o + size]);
                Solid::cuboid(&bounds, &DAffine3::IDENTITY)
                    .ok_or_else(|| ShapeError::new(id, "is a box without volume"))?
            }
            "IfcExtrudedAreaSolidTapered" => self.tapered(&item)?,
            "IfcSectionedSolidHorizontal" => self.sectioned(&item)?,
            "IfcSectionedSurface" => self.sectioned_surface(&item)?,
            "IfcSectionedSpine" => self.spine(&item)?,
            "IfcFixedReferenceSweptAreaSolid" => self.fixed_reference(&item)?,
            "IfcDirectrixDerivedReferenceSweptAreaSolid" => self.derived_reference(&item)?,
            "IfcSurfaceCurveSweptAreaSolid" => self.upon_surface(&item)?,
            class => match self.primitive(&item)? {
                Some(solid) => Some(solid),
                None => self.surface(&item)?,
            }
            .ok_or_else(|| ShapeError::new(id, format!("{class} is not drawn yet")))?,
        };
        let corners: usize = solid.faces.iter().flat_map(|f| &f.loops).map(Vec::len).sum();
        if corners > MAX_CORNERS {
            return Err(ShapeError::new(id, format!("has {corners} corners, more than {MAX_CORNERS}")));
        }
        if !solid.points().all(|p| p.to_array().iter().all(|v| v.abs() < 1e7)) {
            return Err(ShapeError::new(id, "reaches beyond 10,000 km"));
        }
        // what is swept is made with its faces outward; what is given by faces may have them in any direction
        let given = !(item.is_a("IfcSweptAreaSolid") || item.is_a("IfcSweptDiskSolid"));
        Ok(outward(solid, given))
    }

    /// All points an item leads to, for the box of what cannot be drawn; bounded.
    pub(super) fn control_points(&self, id: Id) -> Vec<DVec3> {
        let mut points = Vec::new();
        let mut seen = HashSet::new();
        let mut open = vec![id];
        while let Some(next) = open.pop() {
            if seen.len() > 20_000 || !seen.insert(next) {
                continue;
            }
            let Some(instance) = self.reader.model.get(next) else { continue };
            match instance.class_name() {
                "IfcVertexPoint" => {
                    points
                        .extend(instance.reference("VertexGeometry").and_then(|p| self.reader.point(p).ok()));
                }
                "IfcPolyLoop" => points.extend(self.reader.curve(next, 0).unwrap_or_default()),
                // sweeps and profiles stand in coordinates of their own; their numbers are no points of the item
                class if class.ends_with("AreaSolid") || class.ends_with("ProfileDef") => return Vec::new(),
                _ => instance.attributes().iter().for_each(|v| v.for_each_ref(&mut |r| open.push(r))),
            }
        }
        points
    }
}

/// A body whose faces close has them outward, and says that it is closed whatever the source called it.
fn outward(mut solid: Solid, given: bool) -> Solid {
    let closes = |solid: &Solid| {
        let (mut sum, mut total) = (DVec3::ZERO, 0.0);
        for l in solid.faces.iter().flat_map(|f| &f.loops) {
            let v = vector_area(l);
            sum += v;
            total += v.length();
        }
        total > 0.0 && sum.length() < total * 1e-5
    };
    // opposite faces may both be turned: their sum says nothing then, their edges do
    solid.closed = if given { (solid.agree() && closes(&solid)) || closes(&solid) } else { closes(&solid) };
    if solid.closed && solid.volume() < 0.0 {
        solid.turn();
    }
    solid
}
