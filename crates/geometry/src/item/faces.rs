//! Shapes that are given by their faces: shells, boundary representations, tessellations.

use super::Shaper;
use crate::math::vector_area;
use crate::read::ShapeError;
use crate::solid::{Face, Solid};
use crate::surface::patch;
use foldhash::HashMap;
use glam::DVec3;
use ifc::{Id, Instance, Value};
use std::sync::Arc;

/// The points and edges that the faces of one shell share, read and made once.
#[derive(Default)]
struct Shared {
    /// The points along each edge.
    edges: HashMap<Id, Arc<Vec<DVec3>>>,
    /// The corners of polygons; three faces or more meet at each.
    corners: HashMap<Id, DVec3>,
}

impl<'m> Shaper<'m> {
    pub(super) fn shells(&self, item: &Instance<'m>, attribute: &str) -> Result<Solid, ShapeError> {
        let mut faces = Vec::new();
        for shell in item.references(attribute) {
            faces.extend(self.shell(shell)?);
        }
        Ok(Solid::new(faces, false))
    }

    pub(super) fn shell(&self, id: Id) -> Result<Vec<Face>, ShapeError> {
        let mut faces = Vec::new();
        let mut shared = Shared::default();
        for face in self.reader.get(id)?.references("CfsFaces") {
            self.face(face, &mut shared, &mut faces)?;
            if faces.len() > super::MAX_CORNERS {
                return Err(ShapeError::new(id, format!("has more than {} faces", super::MAX_CORNERS)));
            }
        }
        if faces.is_empty() {
            return Err(ShapeError::new(id, "has no faces"));
        }
        Ok(faces)
    }

    /// One face: a polygon where it is flat, triangles where it is not.
    fn face(&self, id: Id, shared: &mut Shared, into: &mut Vec<Face>) -> Result<(), ShapeError> {
        let r = &self.reader;
        let face = r.get(id)?;
        let surface = match face.reference("FaceSurface") {
            Some(s) if !r.get(s)?.is_a("IfcPlane") => Some(s),
            _ => None,
        };
        let mut loops: Vec<Vec<DVec3>> = Vec::new();
        for bound in face.references("Bounds") {
            let bound = r.get(bound)?;
            let mut points = self.bound(r.reference(&bound, "Bound")?, shared)?;
            if bound.truth("Orientation") == Some(false) {
                points.reverse();
            }
            points.dedup_by(|a, b| a == b);
            if points.len() > 1 && points.first() == points.last() {
                points.pop();
            }
            if points.len() > 2 || surface.is_some() {
                loops.push(points);
            }
        }
        if let Some(surface) = surface {
            let same = face.truth("SameSense") != Some(false);
            let made = patch::within(&r.surface(surface, 0)?, &loops, same);
            let made = made.map_err(|reason| ShapeError::new(id, reason))?;
            into.extend(made.into_iter().map(|t| Face { loops: vec![t.to_vec()] }));
            return Ok(());
        }
        if loops.len() == 1 {
            into.push(Face { loops });
            return Ok(());
        }
        // the outer bound is the largest, whatever it is called
        let size = |l: &Vec<DVec3>| vector_area(l).length();
        let largest = (0..loops.len()).max_by(|&a, &b| size(&loops[a]).total_cmp(&size(&loops[b])));
        if let Some(at) = largest {
            loops.swap(0, at);
            let outer = vector_area(&loops[0]);
            for hole in loops.iter_mut().skip(1) {
                if vector_area(hole).dot(outer) > 0.0 {
                    hole.reverse();
                }
            }
            into.push(Face { loops });
        }
        Ok(())
    }

    fn bound(&self, id: Id, shared: &mut Shared) -> Result<Vec<DVec3>, ShapeError> {
        let r = &self.reader;
        let l = r.get(id)?;
        match l.class_name() {
            "IfcPolyLoop" => {
                let corners = l.references("Polygon");
                if corners.len() < 2 {
                    return Err(ShapeError::new(id, "has fewer than two points"));
                }
                return corners.into_iter().map(|corner| self.corner(corner, shared)).collect();
            }
            "IfcVertexLoop" => {
                let vertex = r.get(r.reference(&l, "LoopVertex")?)?;
                return Ok(vec![r.point(r.reference(&vertex, "VertexGeometry")?)?]);
            }
            "IfcEdgeLoop" => {}
            _ => return r.curve(id, 0),
        }
        let mut points: Vec<DVec3> = Vec::new();
        for oriented in l.references("EdgeList") {
            let oriented = r.get(oriented)?;
            let edge = r.reference(&oriented, "EdgeElement")?;
            let part = self.edge(edge, shared)?;
            let forward = oriented.truth("Orientation") != Some(false);
            let all = part.len().saturating_sub(1);
            if forward {
                points.extend(part.iter().take(all));
            } else {
                points.extend(part.iter().rev().take(all));
            }
            if points.len() > super::MAX_CORNERS {
                return Err(ShapeError::new(id, "has too many points"));
            }
        }
        Ok(points)
    }

    fn corner(&self, id: Id, shared: &mut Shared) -> Result<DVec3, ShapeError> {
        if let Some(known) = shared.corners.get(&id) {
            return Ok(*known);
        }
        let point = self.reader.point(id)?;
        shared.corners.insert(id, point);
        Ok(point)
    }

    /// The points of an edge from its start to its end, made once for all faces that it bounds: they share these very points.
    fn edge(&self, id: Id, shared: &mut Shared) -> Result<Arc<Vec<DVec3>>, ShapeError> {
        if let Some(made) = shared.edges.get(&id) {
            return Ok(made.clone());
        }
        let r = &self.reader;
        let edge = r.get(id)?;
        let ends = [self.vertex(&edge, "EdgeStart")?, self.vertex(&edge, "EdgeEnd")?];
        // a part of an edge runs along the same curve
        let along = edge.reference("ParentEdge").and_then(|e| r.model.get(e)).unwrap_or(edge);
        let points = match along.reference("EdgeGeometry").filter(|_| along.is_a("IfcEdgeCurve")) {
            Some(curve) => r.stretch(curve, ends, along.truth("SameSense") != Some(false))?,
            None => ends.to_vec(),
        };
        let made = Arc::new(points);
        shared.edges.insert(id, made.clone());
        Ok(made)
    }

    fn vertex(&self, edge: &Instance<'m>, end: &str) -> Result<DVec3, ShapeError> {
        let r = &self.reader;
        r.point(r.reference(&r.get(r.reference(edge, end)?)?, "VertexGeometry")?)
    }

    /// The points of a tessellated item.
    fn tessellation_points(&self, item: &Instance<'m>) -> Result<Vec<DVec3>, ShapeError> {
        self.reader.point_list(self.reader.reference(item, "Coordinates")?)
    }

    pub(super) fn triangulated(&self, item: &Instance<'m>) -> Result<Solid, ShapeError> {
        let points = self.tessellation_points(item)?;
        let (index, through) = (item.attr("CoordIndex"), item.attr("PnIndex"));
        let rows = index.as_list().unwrap_or_default();
        let mut faces = Vec::with_capacity(rows.len());
        for row in rows {
            faces.push(Face { loops: vec![corners(item.id(), row, &through, &points)?] });
        }
        Ok(Solid::new(faces, is_closed(item)))
    }

    pub(super) fn polygonal(&self, item: &Instance<'m>) -> Result<Solid, ShapeError> {
        let points = self.tessellation_points(item)?;
        let through = item.attr("PnIndex");
        let mut faces = Vec::new();
        for face in item.references("Faces") {
            let face = self.reader.get(face)?;
            let mut loops = vec![corners(face.id(), &face.attr("CoordIndex"), &through, &points)?];
            for inner in face.attr("InnerCoordIndices").as_list().unwrap_or_default() {
                let mut hole = corners(face.id(), inner, &through, &points)?;
                if vector_area(&hole).dot(vector_area(&loops[0])) > 0.0 {
                    hole.reverse();
                }
                loops.push(hole);
            }
            faces.push(Face { loops });
        }
        Ok(Solid::new(faces, is_closed(item)))
    }
}

fn is_closed(item: &Instance<'_>) -> bool {
    // a face set that says nothing is tried by its own faces
    item.attr("Closed").as_bool() == Some(true)
}

/// Points by 1-based indices, through `PnIndex` where there is one.
fn corners(of: Id, row: &Value, through: &Value, points: &[DVec3]) -> Result<Vec<DVec3>, ShapeError> {
    let missing = |i: i64| ShapeError::new(of, format!("there is no point {i}"));
    let pick = |list: usize, i: i64| usize::try_from(i - 1).ok().filter(|&i| i < list);
    let corners: Vec<DVec3> = row
        .as_list()
        .unwrap_or_default()
        .iter()
        .map(|v| {
            let mut i = v.as_i64().unwrap_or(0);
            if let Some(through) = through.as_list() {
                i = pick(through.len(), i)
                    .and_then(|at| through.get(at))
                    .and_then(Value::as_i64)
                    .ok_or_else(|| missing(i))?;
            }
            pick(points.len(), i).and_then(|at| points.get(at)).copied().ok_or_else(|| missing(i))
        })
        .collect::<Result<_, _>>()?;
    if corners.len() < 3 {
        return Err(ShapeError::new(of, "has a face with fewer than three points"));
    }
    Ok(corners)
}
