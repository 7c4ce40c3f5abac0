//! Bodies written as faces: face sets where the schema has them, breps in IFC2X3 and for bodies with hollows.

use crate::author::Author;
use contract::Fault;
use geometry::csg::{Polygon, Shell, Shells};
use glam::DVec3;
use ifc::{Id, Value};
use std::collections::BTreeMap;

/// Writes every shell as an item; answers them and the type of the representation that they make.
pub(crate) fn write(author: &mut Author, body: &Shells) -> Result<(Vec<Id>, &'static str), Fault> {
    let hollow = body.shells.iter().any(|s| !s.hollows.is_empty());
    if author.legacy() || hollow {
        let items = body.shells.iter().map(|s| brep(author, body, s)).collect::<Result<_, _>>()?;
        return Ok((items, "Brep"));
    }
    let items = body.shells.iter().map(|s| face_set(author, body, s)).collect::<Result<_, _>>()?;
    Ok((items, "Tessellation"))
}

/// The corners of some faces, numbered from nought in the order of their first use.
fn corners(faces: &[Polygon]) -> BTreeMap<u32, usize> {
    let mut used: BTreeMap<u32, usize> = BTreeMap::new();
    for i in faces.iter().flatten().flatten() {
        let next = used.len();
        used.entry(*i).or_insert(next);
    }
    used
}

/// A corner in mm.
fn at(body: &Shells, i: u32) -> DVec3 {
    body.points.get(i as usize).copied().unwrap_or_default() * 1000.0
}

fn face_set(author: &mut Author, body: &Shells, shell: &Shell) -> Result<Id, Fault> {
    let used = corners(&shell.outer);
    let mut points: Vec<(usize, u32)> = used.iter().map(|(i, n)| (*n, *i)).collect();
    points.sort_unstable();
    let coordinates =
        points.iter().map(|(_, i)| Value::list(at(body, *i).to_array().map(|v| author.real(v))));
    let coordinates = Value::list(coordinates.collect::<Vec<_>>());
    let list = author.create("IfcCartesianPointList3D", &[("CoordList", coordinates)])?;
    let indices = |l: &Vec<u32>| {
        Value::list(l.iter().map(|i| Value::Integer(used.get(i).map_or(0, |n| *n as i64) + 1)))
    };
    let mut attributes = vec![("Coordinates", Value::Ref(list)), ("Closed", Value::Boolean(true))];
    if shell.outer.iter().all(|f| f.len() == 1 && f.iter().all(|l| l.len() == 3)) {
        let triangles = Value::list(shell.outer.iter().flatten().map(indices).collect::<Vec<_>>());
        attributes.push(("CoordIndex", triangles));
        return author.create("IfcTriangulatedFaceSet", &attributes);
    }
    let mut faces = Vec::with_capacity(shell.outer.len());
    for polygon in &shell.outer {
        let Some((outer, holes)) = polygon.split_first() else { continue };
        let mut face = vec![("CoordIndex", indices(outer))];
        let class = if holes.is_empty() {
            "IfcIndexedPolygonalFace"
        } else {
            face.push(("InnerCoordIndices", Value::list(holes.iter().map(indices).collect::<Vec<_>>())));
            "IfcIndexedPolygonalFaceWithVoids"
        };
        faces.push(author.create(class, &face)?);
    }
    attributes.push(("Faces", Value::list(faces.into_iter().map(Value::Ref))));
    author.create("IfcPolygonalFaceSet", &attributes)
}

fn brep(author: &mut Author, body: &Shells, shell: &Shell) -> Result<Id, Fault> {
    let outer = closed_shell(author, body, &shell.outer)?;
    if shell.hollows.is_empty() {
        return author.create("IfcFacetedBrep", &[("Outer", outer.into())]);
    }
    let voids = shell.hollows.iter().map(|h| closed_shell(author, body, h)).collect::<Result<Vec<_>, _>>()?;
    let voids = Value::list(voids.into_iter().map(Value::Ref));
    author.create("IfcFacetedBrepWithVoids", &[("Outer", outer.into()), ("Voids", voids)])
}

fn closed_shell(author: &mut Author, body: &Shells, polygons: &[Polygon]) -> Result<Id, Fault> {
    let mut points: BTreeMap<u32, Id> = BTreeMap::new();
    for i in corners(polygons).into_keys() {
        points.insert(i, author.point3(at(body, i))?);
    }
    let mut faces = Vec::with_capacity(polygons.len());
    for polygon in polygons {
        let mut bounds = Vec::with_capacity(polygon.len());
        for (n, l) in polygon.iter().enumerate() {
            let corners = Value::list(l.iter().filter_map(|i| points.get(i)).copied().map(Value::Ref));
            let ring = author.create("IfcPolyLoop", &[("Polygon", corners)])?;
            let class = if n == 0 { "IfcFaceOuterBound" } else { "IfcFaceBound" };
            let ends = [("Bound", Value::Ref(ring)), ("Orientation", Value::Boolean(true))];
            bounds.push(author.create(class, &ends)?);
        }
        let bounds = Value::list(bounds.into_iter().map(Value::Ref));
        faces.push(author.create("IfcFace", &[("Bounds", bounds)])?);
    }
    author.create("IfcClosedShell", &[("CfsFaces", Value::list(faces.into_iter().map(Value::Ref)))])
}
