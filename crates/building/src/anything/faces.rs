//! Triangles written as IFC has them: face sets, in IFC2X3 breps and, for what encloses nothing, face based surfaces.
//!
//! Corners in one place become one, triangles without area go. What is closed is turned outward and said to be closed; what is not
//! stays a surface: no gap is filled by guessing.

use super::colour::Colour;
use super::form::Body;
use crate::author::Author;
use crate::measures::LARGEST;
use contract::Fault;
use glam::DVec3;
use ifc::{Id, Value};
use std::collections::{BTreeMap, HashMap};

/// Corners nearer than this are one, in mm: the precision of the model's contexts.
const CELL: f64 = 0.01;
/// The most triangles of one element.
pub const MOST: usize = 200_000;
/// The most in IFC2X3, where a triangle takes three instances.
pub const MOST_LEGACY: usize = 20_000;

/// Triangles of one colour, in mm.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Triangles {
    /// Corner points.
    pub points: Vec<DVec3>,
    /// Indices into them, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Their colour.
    pub colour: Option<Colour>,
}

/// One connected part of some triangles.
struct Part {
    points: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    closed: bool,
    colour: Option<Colour>,
}

/// Writes triangles.
pub(super) fn write(author: &mut Author, pieces: &[Triangles]) -> Result<Body, Fault> {
    let most = if author.legacy() { MOST_LEGACY } else { MOST };
    let count: usize = pieces.iter().map(|p| p.triangles.len()).sum();
    if count > most {
        return Err(Fault::invalid(
            "shape.mesh",
            format!(
                "The mesh has {count} triangles; at most {most} are taken in {}. Reduce it first.",
                author.schema()
            ),
        )
        .with("most", most));
    }
    let far = |p: &DVec3| !p.is_finite() || p.abs().max_element() > LARGEST;
    if pieces.iter().any(|piece| piece.points.iter().any(far)) {
        return Err(Fault::invalid(
            "shape.mesh",
            "The mesh has corners more than ten kilometres from its origin; check `shape.mesh.unit`.",
        ));
    }
    let mut parts = Vec::new();
    for piece in pieces {
        parts.extend(parts_of(piece)?);
    }
    if parts.is_empty() {
        return Err(Fault::invalid(
            "shape.mesh",
            "The mesh has no triangle with an area; check `shape.mesh.unit`.",
        ));
    }
    let all_closed = parts.iter().all(|part| part.closed);
    if author.legacy() {
        if !all_closed {
            let items =
                parts.iter().map(|p| Ok((surface(author, p)?, p.colour))).collect::<Result<_, Fault>>()?;
            return Ok(Body { items, kind: "SurfaceModel" });
        }
        let items = parts.iter().map(|p| Ok((brep(author, p)?, p.colour))).collect::<Result<_, Fault>>()?;
        return Ok(Body { items, kind: "Brep" });
    }
    let items = parts.iter().map(|p| Ok((face_set(author, p)?, p.colour))).collect::<Result<_, Fault>>()?;
    Ok(Body { items, kind: "Tessellation" })
}

/// The connected parts of a piece, closed ones turned outward.
fn parts_of(piece: &Triangles) -> Result<Vec<Part>, Fault> {
    let (points, triangles) = welded(piece)?;
    let mut root: Vec<u32> = (0..points.len() as u32).collect();
    for [a, b, c] in &triangles {
        let first = find(&mut root, *a);
        for other in [*b, *c] {
            let other = find(&mut root, other);
            if let Some(slot) = root.get_mut(other as usize) {
                *slot = first;
            }
        }
    }
    let mut groups: BTreeMap<u32, Vec<[u32; 3]>> = BTreeMap::new();
    for triangle in triangles {
        groups.entry(find(&mut root, triangle[0])).or_default().push(triangle);
    }
    let mut parts: Vec<Part> = groups
        .into_values()
        .map(|triangles| {
            let closed = is_closed(&triangles);
            let (points, triangles) = own_points(&points, &triangles);
            Part { points, triangles, closed, colour: piece.colour }
        })
        .collect();
    let volume: f64 = parts.iter().filter(|p| p.closed).map(volume).sum();
    if volume < 0.0 {
        for part in parts.iter_mut().filter(|part| part.closed) {
            for t in &mut part.triangles {
                t.swap(1, 2);
            }
        }
    }
    Ok(parts)
}

/// The root of a corner's group, with the way there made short.
fn find(root: &mut [u32], i: u32) -> u32 {
    let mut at = i;
    while let Some(up) = root.get(at as usize).copied().filter(|up| *up != at) {
        let above = root.get(up as usize).copied().unwrap_or(up);
        if let Some(slot) = root.get_mut(at as usize) {
            *slot = above;
        }
        at = above;
    }
    at
}

/// Corners in one place made one, and triangles that have no area left out.
fn welded(piece: &Triangles) -> Result<(Vec<DVec3>, Vec<[u32; 3]>), Fault> {
    let mut known: HashMap<[i64; 3], u32> = HashMap::with_capacity(piece.points.len());
    let mut points = Vec::new();
    let mut number = Vec::with_capacity(piece.points.len());
    for p in &piece.points {
        let key = p.to_array().map(|c| (c / CELL).round() as i64);
        let next = points.len() as u32;
        number.push(*known.entry(key).or_insert_with(|| {
            points.push(*p);
            next
        }));
    }
    let mut triangles = Vec::with_capacity(piece.triangles.len());
    for (i, triangle) in piece.triangles.iter().enumerate() {
        let [Some(a), Some(b), Some(c)] = triangle.map(|corner| number.get(corner as usize).copied()) else {
            return Err(Fault::invalid(
                &format!("shape.mesh.faces[{i}]"),
                format!(
                    "Face {i} names a vertex that is not there; there are {} (counted from 0).",
                    piece.points.len()
                ),
            ));
        };
        let at = |i: u32| points.get(i as usize).copied().unwrap_or_default();
        let flat = (at(b) - at(a)).cross(at(c) - at(a)).length() < 1e-6;
        if a != b && b != c && c != a && !flat {
            triangles.push([a, b, c]);
        }
    }
    Ok((points, triangles))
}

/// Returns true if each edge is used once in each direction.
fn is_closed(triangles: &[[u32; 3]]) -> bool {
    let mut uses: HashMap<(u32, u32), u32> = HashMap::with_capacity(triangles.len() * 3);
    for [a, b, c] in triangles {
        for edge in [(*a, *b), (*b, *c), (*c, *a)] {
            *uses.entry(edge).or_default() += 1;
        }
    }
    uses.iter().all(|((a, b), count)| *count == 1 && uses.get(&(*b, *a)) == Some(&1))
}

/// The points that some triangles use, and the triangles by those.
fn own_points(points: &[DVec3], triangles: &[[u32; 3]]) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let mut numbers: HashMap<u32, u32> = HashMap::new();
    let mut own = Vec::new();
    let renumbered = triangles
        .iter()
        .map(|t| {
            t.map(|i| {
                let next = own.len() as u32;
                *numbers.entry(i).or_insert_with(|| {
                    own.push(points.get(i as usize).copied().unwrap_or_default());
                    next
                })
            })
        })
        .collect();
    (own, renumbered)
}

fn volume(part: &Part) -> f64 {
    let origin = part.points.first().copied().unwrap_or_default();
    let at = |i: u32| part.points.get(i as usize).copied().unwrap_or_default() - origin;
    part.triangles.iter().map(|[a, b, c]| at(*a).dot(at(*b).cross(at(*c))) / 6.0).sum()
}

fn face_set(author: &mut Author, part: &Part) -> Result<Id, Fault> {
    let coordinates: Vec<Value> =
        part.points.iter().map(|p| Value::list(p.to_array().map(|c| author.real(c)))).collect();
    let list = author.create("IfcCartesianPointList3D", &[("CoordList", Value::list(coordinates))])?;
    let index = |t: &[u32; 3]| Value::list(t.map(|i| Value::Integer(i64::from(i) + 1)));
    let triangles: Vec<Value> = part.triangles.iter().map(index).collect();
    author.create(
        "IfcTriangulatedFaceSet",
        &[
            ("Coordinates", list.into()),
            ("Closed", Value::Boolean(part.closed)),
            ("CoordIndex", Value::list(triangles)),
        ],
    )
}

fn faces(author: &mut Author, part: &Part) -> Result<Value, Fault> {
    let points = part.points.iter().map(|p| author.point3(*p)).collect::<Result<Vec<_>, _>>()?;
    let mut faces = Vec::with_capacity(part.triangles.len());
    for triangle in &part.triangles {
        let corners = triangle.iter().filter_map(|i| points.get(*i as usize)).copied().map(Value::Ref);
        let ring = author.create("IfcPolyLoop", &[("Polygon", Value::list(corners))])?;
        let bound = author
            .create("IfcFaceOuterBound", &[("Bound", ring.into()), ("Orientation", Value::Boolean(true))])?;
        faces.push(author.create("IfcFace", &[("Bounds", Value::list([Value::Ref(bound)]))])?);
    }
    Ok(Value::list(faces.into_iter().map(Value::Ref)))
}

fn brep(author: &mut Author, part: &Part) -> Result<Id, Fault> {
    let faces = faces(author, part)?;
    let shell = author.create("IfcClosedShell", &[("CfsFaces", faces)])?;
    author.create("IfcFacetedBrep", &[("Outer", shell.into())])
}

fn surface(author: &mut Author, part: &Part) -> Result<Id, Fault> {
    let faces = faces(author, part)?;
    let set = author.create("IfcConnectedFaceSet", &[("CfsFaces", faces)])?;
    author.create("IfcFaceBasedSurfaceModel", &[("FbsmFaces", Value::list([Value::Ref(set)]))])
}
