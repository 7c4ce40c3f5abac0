//! Representation items become bodies, each item once: mapped items are the same body at another place.
//!
//! What is not drawn yet says so with its instance and reason; the other items of the representation go on.

use crate::{
    curve::chords,
    math::{Frame, P3, add, cross, dot, length, scale, sub, unit, vector_area},
    prism::{Prism, subtract},
    read::{MAX_DEPTH, Reader, ShapeError},
    solid::{Face, Solid},
    style::{Colour, Styles},
};
use ifc::{Id, Instance, Model, Value};
use std::{
    collections::HashMap,
    f64::consts::TAU,
    sync::{Arc, RwLock},
};

/// The most triangles one item may have; a face with `n` points counts as `n`.
const MAX_CORNERS: usize = 3_000_000;

/// One body of a representation, at its place.
#[derive(Debug, Clone)]
pub struct Piece {
    /// The representation item it was made from.
    pub item: Id,
    /// The body in the item's own coordinates, shared by all its places.
    pub solid: Arc<Solid>,
    /// From the item's coordinates to the representation's.
    pub at: Frame,
    /// The colour that the item's style gives.
    pub colour: Option<Colour>,
    /// Whether it stands for something that could not be drawn.
    pub is_box: bool,
}

/// What came of representation items: bodies, and what could not be done.
#[derive(Debug, Clone)]
pub struct Pieces {
    /// The bodies.
    pub pieces: Vec<Piece>,
    /// What is missing or simplified.
    pub notes: Vec<ShapeError>,
    /// How many more items may be looked at: items that refer to each other in circles or double at every step end.
    pub left: usize,
}

/// Items that one element may look at, mapped ones counted each time.
pub const MAX_ITEMS: usize = 20_000;

impl Default for Pieces {
    fn default() -> Pieces {
        Pieces { pieces: Vec::new(), notes: Vec::new(), left: MAX_ITEMS }
    }
}

impl Pieces {
    fn none(left: usize) -> Pieces {
        Pieces { left, ..Pieces::default() }
    }
}

type Made = Result<Arc<Solid>, ShapeError>;

/// Makes bodies of one model's representation items and remembers them by item.
pub struct Shaper<'m> {
    /// The model in metres.
    pub reader: Reader<'m>,
    /// Its styles.
    pub styles: Styles,
    made: RwLock<HashMap<Id, Made>>,
}

impl<'m> Shaper<'m> {
    /// A shaper of one state of a model.
    pub fn new(model: &'m Model) -> Shaper<'m> {
        Shaper { reader: Reader::new(model), styles: Styles::of(model), made: RwLock::default() }
    }

    /// A shaper for measuring only: it reads no styles.
    pub fn plain(model: &'m Model) -> Shaper<'m> {
        Shaper { reader: Reader::new(model), styles: Styles::default(), made: RwLock::default() }
    }

    /// Adds the bodies of an item at a place.
    pub fn item(&self, id: Id, at: &Frame, colour: Option<Colour>, depth: usize, into: &mut Pieces) {
        if into.left == 0 {
            return;
        }
        into.left -= 1;
        if into.left == 0 {
            into.notes.push(ShapeError::new(id, format!("is one of more than {MAX_ITEMS} items")));
            return;
        }
        if let Err(note) = self.try_item(id, at, colour, depth, into) {
            into.notes.push(note);
        }
    }

    fn try_item(
        &self,
        id: Id,
        at: &Frame,
        colour: Option<Colour>,
        depth: usize,
        into: &mut Pieces,
    ) -> Result<(), ShapeError> {
        let item = self.reader.get(id)?;
        if depth > MAX_DEPTH {
            // most likely a circle: what else hangs on it would only go round again
            into.left = 0;
            return Err(ShapeError::new(id, "is nested too deeply"));
        }
        let colour = self.styles.of_item(id).or(colour);
        match item.class_name() {
            "IfcMappedItem" => {
                let map = self.reader.get(self.reader.reference(&item, "MappingSource")?)?;
                let target = self.reader.operator(self.reader.reference(&item, "MappingTarget")?)?;
                let origin = self.reader.axes_of(&map, "MappingOrigin")?;
                let place = at.after(&target).after(&origin);
                if place.determinant().abs() < 1e-15 {
                    return Err(ShapeError::new(id, "is mapped to nothing"));
                }
                let mapped = self.reader.get(self.reader.reference(&map, "MappedRepresentation")?)?;
                for part in mapped.references("Items") {
                    self.item(part, &place, colour, depth + 1, into);
                }
                Ok(())
            }
            "IfcBooleanResult" | "IfcBooleanClippingResult" => self.boolean(&item, at, colour, depth, into),
            "IfcCsgSolid" => {
                let root = self.reader.reference(&item, "TreeRootExpression")?;
                self.item(root, at, colour, depth + 1, into);
                Ok(())
            }
            "IfcGeometricSet" | "IfcGeometricCurveSet" => {
                for part in item.references("Elements") {
                    let is_shape = self.reader.get(part).is_ok_and(|i| i.is_a("IfcSurface"));
                    if is_shape {
                        self.item(part, at, colour, depth + 1, into);
                    }
                }
                Ok(())
            }
            class => {
                let is_box = class == "IfcBoundingBox";
                match self.solid(id) {
                    Ok(solid) => into.pieces.push(Piece { item: id, solid, at: *at, colour, is_box }),
                    Err(error) => {
                        // what cannot be drawn but has points in space is shown as their box
                        let points = self.control_points(id);
                        let bounds = crate::math::Bounds::of(points);
                        if !bounds.is_empty()
                            && bounds.size().iter().all(|s| *s > 1e-6)
                            && let Some(solid) = Solid::cuboid(&bounds, &Frame::IDENTITY)
                        {
                            into.pieces.push(Piece {
                                item: id,
                                solid: Arc::new(solid),
                                at: *at,
                                colour,
                                is_box: true,
                            });
                        }
                        return Err(error);
                    }
                }
                Ok(())
            }
        }
    }

    /// The body of a single item in its own coordinates, made once.
    pub fn solid(&self, id: Id) -> Made {
        if let Some(made) = self.made.read().ok().and_then(|m| m.get(&id).cloned()) {
            return made;
        }
        let made = self.make(id).map(Arc::new);
        if let Ok(mut cache) = self.made.write() {
            cache.insert(id, made.clone());
        }
        made
    }

    fn make(&self, id: Id) -> Result<Solid, ShapeError> {
        let r = &self.reader;
        let item = r.get(id)?;
        let solid = match item.class_name() {
            "IfcExtrudedAreaSolid" => self.extrusion(&item)?,
            "IfcRevolvedAreaSolid" => self.revolution(&item)?,
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
                let bounds = crate::math::Bounds::of([o, add(o, size)]);
                Solid::cuboid(&bounds, &Frame::IDENTITY)
                    .ok_or_else(|| ShapeError::new(id, "is a box without volume"))?
            }
            "IfcBlock" => {
                let size =
                    [r.length(&item, "XLength")?, r.length(&item, "YLength")?, r.length(&item, "ZLength")?];
                let bounds = crate::math::Bounds::of([[0.0; 3], size]);
                Solid::cuboid(&bounds, &r.axes_of(&item, "Position")?)
                    .ok_or_else(|| ShapeError::new(id, "is a block without volume"))?
            }
            class => return Err(ShapeError::new(id, format!("{class} is not drawn yet"))),
        };
        let corners: usize = solid.faces.iter().flat_map(|f| &f.loops).map(Vec::len).sum();
        if corners > MAX_CORNERS {
            return Err(ShapeError::new(id, format!("has {corners} corners, more than {MAX_CORNERS}")));
        }
        if !solid.points().all(|p| p.iter().all(|v| v.abs() < 1e7)) {
            return Err(ShapeError::new(id, "reaches beyond 10,000 km"));
        }
        Ok(outward(solid))
    }

    fn extrusion(&self, item: &Instance<'m>) -> Result<Solid, ShapeError> {
        let r = &self.reader;
        let (frame, direction, depth) = self.sweep(item)?;
        let mut faces = Vec::new();
        for area in r.profile(r.reference(item, "SweptArea")?, 0)? {
            let solid = Solid::extrusion(&area, &frame, direction, depth);
            let solid =
                solid.ok_or_else(|| ShapeError::new(item.id(), "is extruded within its own plane"))?;
            faces.extend(solid.faces);
        }
        Ok(Solid::new(faces, true))
    }

    /// Position, direction and depth of an extrusion.
    fn sweep(&self, item: &Instance<'m>) -> Result<(Frame, P3, f64), ShapeError> {
        let r = &self.reader;
        let direction = r.direction(r.reference(item, "ExtrudedDirection")?);
        let direction = direction.ok_or_else(|| ShapeError::new(item.id(), "has no direction"))?;
        let depth = r.length(item, "Depth")?;
        if depth < 1e-7 {
            return Err(ShapeError::new(item.id(), "has no depth"));
        }
        Ok((r.axes_of(item, "Position")?, direction, depth))
    }

    fn revolution(&self, item: &Instance<'m>) -> Result<Solid, ShapeError> {
        let r = &self.reader;
        let frame = r.axes_of(item, "Position")?;
        let axis = r.axes(r.reference(item, "Axis")?)?;
        let angle = item.number("Angle").unwrap_or(0.0) * r.radian;
        let angle = angle.clamp(-TAU, TAU);
        if !angle.is_finite() || angle.abs() < 1e-6 {
            return Err(ShapeError::new(item.id(), "is revolved by nothing"));
        }
        let whole = (angle.abs() - TAU).abs() < 1e-6;
        let mut faces = Vec::new();
        for area in r.profile(r.reference(item, "SweptArea")?, 0)? {
            let reach = |p: &[f64; 2]| {
                let d = sub([p[0], p[1], 0.0], axis.o);
                length(sub(d, scale(axis.z, dot(d, axis.z))))
            };
            let radius = area.outer.iter().map(reach).fold(0.0, f64::max);
            let steps = chords(radius, angle).max(3);
            let turned = |p: &[f64; 2], step: usize| {
                let a = angle * step as f64 / steps as f64;
                let d = sub([p[0], p[1], 0.0], axis.o);
                let along = scale(axis.z, dot(d, axis.z));
                let out = sub(d, along);
                let around = cross(axis.z, out);
                let q = add(add(along, scale(out, a.cos())), scale(around, a.sin()));
                frame.point(add(axis.o, q))
            };
            for l in area.loops() {
                for step in 0..steps {
                    let next = if whole { (step + 1) % steps } else { step + 1 };
                    for (i, a) in l.iter().enumerate() {
                        let Some(b) = l.get((i + 1) % l.len()) else { continue };
                        let corners = [turned(a, step), turned(b, step), turned(b, next), turned(a, next)];
                        // as two triangles: a turned edge is not flat
                        faces.push(Face { loops: vec![vec![corners[0], corners[1], corners[2]]] });
                        faces.push(Face { loops: vec![vec![corners[0], corners[2], corners[3]]] });
                    }
                }
            }
            if !whole {
                let cap = |step: usize, reversed: bool| Face {
                    loops: area
                        .loops()
                        .map(|l| {
                            let points = l.iter().map(|p| turned(p, step));
                            if reversed { points.rev().collect() } else { points.collect() }
                        })
                        .collect(),
                };
                faces.push(cap(0, true));
                faces.push(cap(steps, false));
            }
        }
        faces.retain(|f| f.normal().is_some());
        Ok(Solid::new(faces, true))
    }

    fn swept_disk(&self, item: &Instance<'m>) -> Result<Solid, ShapeError> {
        let r = &self.reader;
        let radius = r.length(item, "Radius")?;
        let mut path = r.curve(r.reference(item, "Directrix")?, 0)?;
        path.dedup_by(|a, b| length(sub(*a, *b)) < 1e-6);
        if path.len() < 2 || radius < 1e-6 || path.len() > 20_000 {
            return Err(ShapeError::new(item.id(), "is swept along nothing"));
        }
        // sections stand in the planes that halve the bends
        let steps: Vec<P3> = path.windows(2).filter_map(|w| unit(sub(w[1], w[0]))).collect();
        if steps.len() + 1 != path.len() {
            return Err(ShapeError::new(item.id(), "is swept along nothing"));
        }
        let count = chords(radius, TAU).min(24);
        let closed = path.len() > 3 && length(sub(path[0], path[path.len() - 1])) < 1e-6;
        let mut frame = Frame::from_axes(path[0], steps[0], [0.3, 0.5, 0.8]);
        let mut rings: Vec<Vec<P3>> = Vec::with_capacity(path.len());
        let mut hollow: Vec<Vec<P3>> = Vec::with_capacity(path.len());
        let inner = r.length(item, "InnerRadius").ok().filter(|i| *i > 1e-6 && *i < radius);
        for (i, &p) in path.iter().enumerate() {
            let before = if i > 0 { steps[i - 1] } else { steps[0] };
            let after = steps.get(i).copied().unwrap_or(before);
            let plane = unit(add(before, after)).unwrap_or(before);
            let lean = dot(before, plane).max(0.2);
            // the ring before the bend, pushed along its direction on to the halving plane
            let ring = |radius: f64, frame: &Frame| -> Vec<P3> {
                (0..count)
                    .map(|k| TAU * k as f64 / count as f64)
                    .map(|a| add(scale(frame.x, radius * a.cos()), scale(frame.y, radius * a.sin())))
                    .map(|v| add(p, sub(v, scale(before, dot(v, plane) / lean))))
                    .collect()
            };
            rings.push(ring(radius, &frame));
            hollow.extend(inner.map(|i| ring(i, &frame)));
            frame = Frame::from_axes(p, after, frame.x);
        }
        let mut faces = Vec::new();
        let mut tube = |rings: &[Vec<P3>], inside: bool| {
            for pair in rings.windows(2) {
                for k in 0..count {
                    let n = (k + 1) % count;
                    let q = [pair[0][k], pair[0][n], pair[1][n], pair[1][k]];
                    let mut add = |mut t: Vec<P3>| {
                        if inside {
                            t.reverse();
                        }
                        faces.push(Face { loops: vec![t] });
                    };
                    add(vec![q[0], q[1], q[2]]);
                    add(vec![q[0], q[2], q[3]]);
                }
            }
        };
        tube(&rings, false);
        tube(&hollow, true);
        if !closed {
            let end = |i: usize, reversed: bool| {
                let turn = |l: &Vec<P3>, r: bool| -> Vec<P3> {
                    if r { l.iter().rev().copied().collect() } else { l.clone() }
                };
                let mut loops = vec![turn(&rings[i], reversed)];
                loops.extend(hollow.get(i).map(|l| turn(l, !reversed)));
                Face { loops }
            };
            faces.push(end(0, true));
            faces.push(end(path.len() - 1, false));
        }
        Ok(Solid::new(faces, true))
    }

    fn shells(&self, item: &Instance<'m>, attribute: &str) -> Result<Solid, ShapeError> {
        let mut faces = Vec::new();
        for shell in item.references(attribute) {
            faces.extend(self.shell(shell)?);
        }
        Ok(Solid::new(faces, false))
    }

    fn shell(&self, id: Id) -> Result<Vec<Face>, ShapeError> {
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

    fn triangulated(&self, item: &Instance<'m>) -> Result<Solid, ShapeError> {
        let points = self.tessellation_points(item)?;
        let (index, through) = (item.attr("CoordIndex"), item.attr("PnIndex"));
        let rows = index.as_list().unwrap_or_default();
        let mut faces = Vec::with_capacity(rows.len());
        for row in rows {
            faces.push(Face { loops: vec![corners(item.id(), row, &through, &points)?] });
        }
        Ok(Solid::new(faces, is_closed(item)))
    }

    fn polygonal(&self, item: &Instance<'m>) -> Result<Solid, ShapeError> {
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

    fn boolean(
        &self,
        item: &Instance<'m>,
        at: &Frame,
        colour: Option<Colour>,
        depth: usize,
        into: &mut Pieces,
    ) -> Result<(), ShapeError> {
        let r = &self.reader;
        let (first, second) = (r.reference(item, "FirstOperand")?, r.reference(item, "SecondOperand")?);
        let operator = item.attr("Operator");
        let mut own = Pieces::none(into.left);
        self.item(first, &Frame::IDENTITY, colour, depth + 1, &mut own);
        if own.left == 0 {
            into.left = 0;
            into.notes.append(&mut own.notes);
            return Ok(());
        }
        match operator.as_enum() {
            Some("UNION") => self.item(second, &Frame::IDENTITY, colour, depth + 1, &mut own),
            Some("DIFFERENCE") => {
                let prisms = self.prisms_within(second, depth + 1, &mut own.left);
                let uncut = |reason: String| ShapeError::new(item.id(), format!("is left uncut: {reason}"));
                match prisms {
                    Ok(prisms) => {
                        for piece in own.pieces.iter_mut().filter(|p| !p.is_box) {
                            let mut solid = if piece.at == Frame::IDENTITY {
                                (*piece.solid).clone()
                            } else {
                                piece.solid.moved(&piece.at)
                            };
                            for prism in &prisms {
                                match subtract(&solid, prism) {
                                    Ok(cut) => solid = cut,
                                    Err(error) => own.notes.push(uncut(error.to_string())),
                                }
                            }
                            *piece = Piece {
                                item: item.id(),
                                solid: Arc::new(solid),
                                at: Frame::IDENTITY,
                                ..*piece
                            };
                        }
                    }
                    Err(error) => own.notes.push(uncut(error.to_string())),
                }
            }
            _ => {
                let reason = "an intersection is not made yet: its first operand is shown".to_owned();
                own.notes.push(ShapeError::new(item.id(), reason));
            }
        }
        into.left = own.left;
        into.pieces.extend(own.pieces.into_iter().map(|p| Piece { at: at.after(&p.at), ..p }));
        into.notes.append(&mut own.notes);
        Ok(())
    }

    /// An item as prisms to cut with, in the coordinates of the item.
    pub fn prisms(&self, id: Id) -> Result<Vec<Prism>, ShapeError> {
        self.prisms_within(id, 0, &mut MAX_ITEMS.clone())
    }

    fn prisms_within(&self, id: Id, depth: usize, left: &mut usize) -> Result<Vec<Prism>, ShapeError> {
        let r = &self.reader;
        let item = r.get(id)?;
        if depth > MAX_DEPTH {
            return Err(ShapeError::new(id, "is nested too deeply"));
        }
        match item.class_name() {
            "IfcHalfSpaceSolid" | "IfcBoxedHalfSpace" | "IfcPolygonalBoundedHalfSpace" => {
                self.half_space(&item).map(|p| vec![p])
            }
            "IfcExtrudedAreaSolid" => {
                let (frame, direction, depth) = self.sweep(&item)?;
                let areas = r.profile(r.reference(&item, "SweptArea")?, 0)?;
                areas
                    .iter()
                    .map(|a| {
                        Prism::extrusion(a, &frame, direction, depth)
                            .ok_or_else(|| ShapeError::new(id, "is extruded within its own plane"))
                    })
                    .collect()
            }
            "IfcMappedItem" | "IfcBooleanResult" | "IfcBooleanClippingResult" | "IfcCsgSolid" => {
                let mut parts = Pieces::none(*left);
                self.item(id, &Frame::IDENTITY, None, depth + 1, &mut parts);
                *left = parts.left;
                if let Some(note) = parts.notes.into_iter().next() {
                    return Err(note);
                }
                let not = || ShapeError::new(id, "is no prism");
                parts
                    .pieces
                    .iter()
                    .map(|p| match self.prisms_of_piece(p) {
                        Some(prism) => Ok(prism),
                        None => Prism::of_solid(&p.solid.moved(&p.at)).ok_or_else(not),
                    })
                    .collect::<Result<Vec<_>, _>>()
                    .map(|v| v.into_iter().flatten().collect())
            }
            _ => {
                let solid = self.solid(id)?;
                Prism::of_solid(&solid).ok_or_else(|| ShapeError::new(id, "is no prism"))
            }
        }
    }

    /// The prisms of an extrusion that stands in a mapped item.
    fn prisms_of_piece(&self, piece: &Piece) -> Option<Vec<Prism>> {
        let item = self.reader.model.get(piece.item)?;
        if !item.is_a("IfcExtrudedAreaSolid") {
            return None;
        }
        self.prisms(piece.item).ok()?.iter().map(|p| p.moved(&piece.at)).collect()
    }

    fn half_space(&self, item: &Instance<'m>) -> Result<Prism, ShapeError> {
        let r = &self.reader;
        let surface = r.get(r.reference(item, "BaseSurface")?)?;
        if !surface.is_a("IfcPlane") {
            return Err(ShapeError::new(
                surface.id(),
                format!("a half space by {} is not cut yet", surface.class_name()),
            ));
        }
        let plane = r.axes_of(&surface, "Position")?;
        // agreement: the material is on the side that the normal points away from
        let agrees = item.attr("AgreementFlag").as_bool() != Some(false);
        if !item.is_a("IfcPolygonalBoundedHalfSpace") {
            return Ok(Prism::half_space(plane.o, plane.z, !agrees));
        }
        let frame = r.axes_of(item, "Position")?;
        let boundary = r.curve(r.reference(item, "PolygonalBoundary")?, 0)?;
        let area: Vec<[f64; 2]> = boundary.into_iter().map(|p| [p[0], p[1]]).collect();
        let inverse = frame.inverse().ok_or_else(|| ShapeError::new(item.id(), "has no position"))?;
        let (n, o) = (inverse.vector(plane.z), inverse.point(plane.o));
        let (low, high, area) = if n[2].abs() < 1e-6 {
            // the plane stands upright: it cuts the boundary, not the height
            let reach = area.iter().map(|p| p[0].abs() + p[1].abs()).fold(1.0, f64::max) * 4.0
                + o[0].abs()
                + o[1].abs();
            let side = if agrees { -1.0 } else { 1.0 };
            let (dx, dy) = (n[0] * side * reach, n[1] * side * reach);
            let (tx, ty) = (-n[1] * reach, n[0] * reach);
            let half = vec![
                [o[0] - tx, o[1] - ty],
                [o[0] + tx, o[1] + ty],
                [o[0] + tx + dx, o[1] + ty + dy],
                [o[0] - tx + dx, o[1] - ty + dy],
            ];
            let parts = crate::region::intersection(&[area], &[half]);
            (None, None, parts.iter().flat_map(|a| a.loops().cloned()).collect())
        } else {
            let slope = [-n[0] / n[2], -n[1] / n[2], dot(n, o) / n[2]];
            let below = agrees == (n[2] > 0.0);
            if below { (None, Some(slope), vec![area]) } else { (Some(slope), None, vec![area]) }
        };
        Ok(Prism { area: Some(area), frame, low, high })
    }

    /// All points an item leads to, for the box of what cannot be drawn; bounded.
    fn control_points(&self, id: Id) -> Vec<P3> {
        let mut points = Vec::new();
        let mut seen = std::collections::HashSet::new();
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

/// A body whose faces close has them outward, and says that it is closed whatever the source called it.
fn outward(mut solid: Solid) -> Solid {
    let closes = |solid: &Solid| {
        let (mut sum, mut total) = ([0.0; 3], 0.0);
        for l in solid.faces.iter().flat_map(|f| &f.loops) {
            let v = vector_area(l);
            sum = add(sum, v);
            total += length(v);
        }
        total > 0.0 && length(sum) < total * 1e-5
    };
    // shells of surfaces may have been written face by face in any direction
    solid.closed = closes(&solid) || (solid.agree() && closes(&solid));
    if solid.closed && solid.volume() < 0.0 {
        solid.turn();
    }
    solid
}
