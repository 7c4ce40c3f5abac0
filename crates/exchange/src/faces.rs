//! Bodies of the geometry kernel as representation items: lists of points with polygons or triangles on them, or faceted breps.

use foldhash::HashMap;
use geometry::{Face, Solid};
use glam::DVec3;
use ifc::{Edit, EditError, Id, Value};

/// The kind of items that a body becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// IfcPolygonalFaceSet or IfcTriangulatedFaceSet (IFC4 and later).
    Tessellation,
    /// IfcFacetedBrep.
    Brep,
    /// IfcFaceBasedSurfaceModel.
    Surface,
}

/// The class and the attributes of an item.
pub(crate) type Item = (&'static str, Vec<(&'static str, Value)>);

/// Points nearer than this are one, in metres.
const SAME: f64 = 1e-6;
/// The most that a point of a face may stray from its plane, in metres.
const FLAT: f64 = 1e-5;
/// From so many faces on a list of triangles is shorter than an instance for each face.
const MANY: usize = 200;

/// Points that are written once.
#[derive(Default)]
struct Points {
    known: HashMap<[i64; 3], usize>,
    all: Vec<DVec3>,
}

impl Points {
    fn number(&mut self, p: DVec3) -> usize {
        let key = p.to_array().map(|v| (v / SAME).round() as i64);
        let next = self.all.len();
        let number = *self.known.entry(key).or_insert(next);
        if number == next {
            self.all.push(p);
        }
        number
    }

    /// A loop by numbers, corners that are one left out; nothing if fewer than three are left.
    fn ring(&mut self, points: &[DVec3]) -> Option<Vec<usize>> {
        let mut ring: Vec<usize> = points.iter().map(|p| self.number(*p)).collect();
        ring.dedup();
        while ring.len() > 1 && ring.first() == ring.last() {
            ring.pop();
        }
        (ring.len() > 2).then_some(ring)
    }
}

/// A face by numbers of points: the outline, then the holes.
type Rings = Vec<Vec<usize>>;

/// The item that a body is; the attributes refer to instances that were made for it. Nothing if no face has an area. `metre` is
/// the size of the file's unit.
pub(crate) fn item(
    edit: &mut Edit,
    solid: &Solid,
    metre: f64,
    form: Form,
) -> Result<Option<Item>, EditError> {
    let mut points = Points::default();
    let triangulated = form == Form::Tessellation && solid.faces.len() > MANY;
    let faces = if triangulated || !solid.faces.iter().all(is_flat) {
        triangles(&mut points, solid)
    } else {
        solid.faces.iter().filter_map(|face| rings(&mut points, face)).collect()
    };
    if faces.is_empty() {
        return Ok(None);
    }
    let to_file = |p: &DVec3| (*p / metre).to_array().map(tidy);
    let places: Vec<[f64; 3]> = points.all.iter().map(to_file).collect();
    match form {
        Form::Tessellation => tessellation(edit, &places, &faces, solid.closed).map(Some),
        Form::Brep | Form::Surface => brep(edit, &places, &faces, form).map(Some),
    }
}

/// A coordinate without the noise of the last digits.
fn tidy(v: f64) -> f64 {
    let rounded = (v * 1e9).round() / 1e9;
    if rounded.is_finite() { rounded + 0.0 } else { v }
}

fn is_flat(face: &Face) -> bool {
    let Some(normal) = face.normal() else { return true };
    let Some(origin) = face.loops.first().and_then(|l| l.first()) else { return true };
    face.loops.iter().flatten().all(|p| (*p - *origin).dot(normal).abs() < FLAT)
}

fn rings(points: &mut Points, face: &Face) -> Option<Rings> {
    face.normal()?;
    let mut loops = face.loops.iter();
    let outer = points.ring(loops.next()?)?;
    let holes = loops.filter_map(|hole| points.ring(hole)).collect::<Vec<_>>();
    Some(std::iter::once(outer).chain(holes).collect())
}

fn triangles(points: &mut Points, solid: &Solid) -> Vec<Rings> {
    let mesh = solid.mesh();
    let corner = |i: u32| mesh.positions.get(i as usize).copied();
    let mut faces = Vec::with_capacity(mesh.triangles.len());
    for [a, b, c] in &mesh.triangles {
        if let (Some(a), Some(b), Some(c)) = (corner(*a), corner(*b), corner(*c))
            && let Some(ring) = points.ring(&[a, b, c])
        {
            faces.push(vec![ring]);
        }
    }
    faces
}

/// Numbers of points as files count them, from one.
fn indices(ring: &[usize]) -> Value {
    Value::list(ring.iter().map(|at| Value::Integer(*at as i64 + 1)))
}

fn tessellation(
    edit: &mut Edit,
    places: &[[f64; 3]],
    faces: &[Rings],
    closed: bool,
) -> Result<Item, EditError> {
    let coordinates = Value::list(places.iter().map(|p| Value::list(*p)));
    let list = edit.create("IfcCartesianPointList3D", &[("CoordList", coordinates)])?;
    let common = [("Coordinates", list.into()), ("Closed", closed.into())];
    let are_triangles =
        faces.iter().all(|rings| rings.len() == 1 && rings.iter().all(|ring| ring.len() == 3));
    if are_triangles {
        let index = Value::list(faces.iter().flatten().map(|ring| indices(ring)));
        return Ok(("IfcTriangulatedFaceSet", common.into_iter().chain([("CoordIndex", index)]).collect()));
    }
    let mut made = Vec::with_capacity(faces.len());
    for rings in faces {
        let Some((outer, holes)) = rings.split_first() else { continue };
        let face = if holes.is_empty() {
            edit.create("IfcIndexedPolygonalFace", &[("CoordIndex", indices(outer))])?
        } else {
            let inner = Value::list(holes.iter().map(|hole| indices(hole)));
            let attributes = [("CoordIndex", indices(outer)), ("InnerCoordIndices", inner)];
            edit.create("IfcIndexedPolygonalFaceWithVoids", &attributes)?
        };
        made.push(face);
    }
    Ok(("IfcPolygonalFaceSet", common.into_iter().chain([("Faces", made.into())]).collect()))
}

fn brep(edit: &mut Edit, places: &[[f64; 3]], faces: &[Rings], form: Form) -> Result<Item, EditError> {
    let mut points = Vec::with_capacity(places.len());
    for place in places {
        points.push(edit.create("IfcCartesianPoint", &[("Coordinates", Value::list(*place))])?);
    }
    let mut made: Vec<Id> = Vec::with_capacity(faces.len());
    for rings in faces {
        let mut bounds = Vec::with_capacity(rings.len());
        for (at, ring) in rings.iter().enumerate() {
            let corners: Vec<Id> = ring.iter().filter_map(|at| points.get(*at).copied()).collect();
            let bound = edit.create("IfcPolyLoop", &[("Polygon", corners.into())])?;
            let class = if at == 0 { "IfcFaceOuterBound" } else { "IfcFaceBound" };
            bounds.push(edit.create(class, &[("Bound", bound.into()), ("Orientation", true.into())])?);
        }
        made.push(edit.create("IfcFace", &[("Bounds", bounds.into())])?);
    }
    if form == Form::Brep {
        let shell = edit.create("IfcClosedShell", &[("CfsFaces", made.into())])?;
        return Ok(("IfcFacetedBrep", vec![("Outer", shell.into())]));
    }
    let set = edit.create("IfcConnectedFaceSet", &[("CfsFaces", made.into())])?;
    Ok(("IfcFaceBasedSurfaceModel", vec![("FbsmFaces", Value::list([set]))]))
}
