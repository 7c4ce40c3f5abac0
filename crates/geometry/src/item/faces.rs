//! What is given by its faces: shells, boundary representations, tessellations.

use super::Shaper;
use crate::math::{P3, dot, length, sub, vector_area};
use crate::read::ShapeError;
use crate::solid::{Face, Solid};
use ifc::{Id, Instance, Value};
use std::f64::consts::TAU;

impl<'m> Shaper<'m> {
    pub(super) fn shells(&self, item: &Instance<'m>, attribute: &str) -> Result<Solid, ShapeError> {
        let mut faces = Vec::new();
        for shell in item.references(attribute) {
            faces.extend(self.shell(shell)?);
        }
        Ok(Solid::new(faces, false))
    }

    pub(super) fn shell(&self, id: Id) -> Result<Vec<Face>, ShapeError> {
        let r = &self.reader;
        let mut faces = Vec::new();
        for face in r.get(id)?.references("CfsFaces") {
            let face = r.get(face)?;
            if let Some(surface) = face.reference("FaceSurface").and_then(|s| r.model.get(s))
                && !surface.is_a("IfcPlane")
            {
                let class = surface.class_name();
                return Err(ShapeError::new(face.id(), format!("a face on {class} is not drawn yet")));
            }
            let mut loops: Vec<Vec<P3>> = Vec::new();
            for bound in face.references("Bounds") {
                let bound = r.get(bound)?;
                let mut points = self.bound(r.reference(&bound, "Bound")?)?;
                if bound.attr("Orientation").as_bool() == Some(false) {
                    points.reverse();
                }
                points.dedup_by(|a, b| a == b);
                if points.len() > 1 && points.first() == points.last() {
                    points.pop();
                }
                if points.len() < 3 {
                    continue;
                }
                loops.push(points);
            }
            // the outer bound is the largest, whatever it is called
            let size = |l: &Vec<P3>| length(vector_area(l));
            let largest = (0..loops.len()).max_by(|&a, &b| size(&loops[a]).total_cmp(&size(&loops[b])));
            if let Some(at) = largest {
                loops.swap(0, at);
                let outer = vector_area(&loops[0]);
                for hole in loops.iter_mut().skip(1) {
                    if dot(vector_area(hole), outer) > 0.0 {
                        hole.reverse();
                    }
                }
                faces.push(Face { loops });
            }
        }
        if faces.is_empty() {
            return Err(ShapeError::new(id, "has no faces"));
        }
        Ok(faces)
    }

    fn bound(&self, id: Id) -> Result<Vec<P3>, ShapeError> {
        let r = &self.reader;
        let l = r.get(id)?;
        if !l.is_a("IfcEdgeLoop") {
            return r.curve(id, 0);
        }
        let mut points: Vec<P3> = Vec::new();
        for oriented in l.references("EdgeList") {
            let oriented = r.get(oriented)?;
            let edge = r.get(r.reference(&oriented, "EdgeElement")?)?;
            let mut part = match edge.reference("EdgeGeometry").filter(|_| edge.is_a("IfcEdgeCurve")) {
                Some(curve) => {
                    let ends = [self.vertex(&edge, "EdgeStart")?, self.vertex(&edge, "EdgeEnd")?];
                    self.edge_curve(curve, ends, edge.attr("SameSense").as_bool() != Some(false))?
                }
                None => vec![self.vertex(&edge, "EdgeStart")?, self.vertex(&edge, "EdgeEnd")?],
            };
            if oriented.attr("Orientation").as_bool() == Some(false) {
                part.reverse();
            }
            part.pop();
            points.extend(part);
        }
        Ok(points)
    }

    fn vertex(&self, edge: &Instance<'m>, end: &str) -> Result<P3, ShapeError> {
        let r = &self.reader;
        r.point(r.reference(&r.get(r.reference(edge, end)?)?, "VertexGeometry")?)
    }

    /// The stretch of a curve between two points on it, from the first to the second.
    fn edge_curve(&self, id: Id, [a, b]: [P3; 2], same: bool) -> Result<Vec<P3>, ShapeError> {
        let r = &self.reader;
        let curve = r.get(id)?;
        if curve.is_a("IfcLine") || curve.is_a("IfcPolyline") {
            return Ok(vec![a, b]);
        }
        if curve.is_a("IfcCircle") {
            let frame = r.axes_of(&curve, "Position")?;
            let radius = r.length(&curve, "Radius")?;
            let angle = |p: P3| {
                let d = sub(p, frame.o);
                dot(d, frame.y).atan2(dot(d, frame.x))
            };
            let (from, to) = (angle(a), angle(b));
            let mut sweep = if same { (to - from).rem_euclid(TAU) } else { -(from - to).rem_euclid(TAU) };
            if sweep.abs() < 1e-9 {
                sweep = if same { TAU } else { -TAU };
            }
            return Ok(crate::curve::arc(&frame, radius, radius, from, from + sweep));
        }
        Err(ShapeError::new(id, format!("an edge along {} is not drawn yet", curve.class_name())))
    }

    /// The points of a tessellated item.
    fn tessellation_points(&self, item: &Instance<'m>) -> Result<Vec<P3>, ShapeError> {
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
                if dot(vector_area(&hole), vector_area(&loops[0])) > 0.0 {
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
fn corners(of: Id, row: &Value, through: &Value, points: &[P3]) -> Result<Vec<P3>, ShapeError> {
    let missing = |i: i64| ShapeError::new(of, format!("there is no point {i}"));
    let pick = |list: usize, i: i64| usize::try_from(i - 1).ok().filter(|&i| i < list);
    let corners: Vec<P3> = row
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
