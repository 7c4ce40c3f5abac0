//! Representation items become bodies, each item once: mapped items are the same body at another place.
//!
//! What is not drawn yet says so with its instance and reason; the other items of the representation go on.

mod boolean;
mod directed;
mod faces;
mod form;
mod half_space;
mod loft;
mod primitive;
mod sectioned;
mod surface;
mod swept;

pub use form::Form;

use crate::{
    math::{Frame, P3, add, length, vector_area},
    read::{MAX_DEPTH, Reader, ShapeError},
    solid::Solid,
    style::{Colour, Styles},
};
use ifc::{Id, Instance, Model};
use std::{
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock},
};

/// The most triangles one item may have; a face with `n` points counts as `n`.
const MAX_CORNERS: usize = 3_000_000;

/// One body of a representation, at its place.
#[derive(Debug, Clone)]
pub struct Piece {
    /// The representation item it was made from.
    pub item: Id,
    /// The body in the item's own coordinates, shared by all its places.
    pub solid: Arc<Form>,
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
    /// How deep the deepest of them was nested.
    pub deepest: usize,
}

/// Items that one element may look at, mapped ones counted each time.
pub const MAX_ITEMS: usize = 20_000;

impl Default for Pieces {
    fn default() -> Pieces {
        Pieces { pieces: Vec::new(), notes: Vec::new(), left: MAX_ITEMS, deepest: 0 }
    }
}

impl Pieces {
    fn none(left: usize) -> Pieces {
        Pieces { left, ..Pieces::default() }
    }
}

/// Mapped representations that were made, by instance.
pub type Mapped = HashMap<Id, Arc<Pieces>>;

/// Makes bodies of one model's representation items; a mapped representation is made once for all that map it.
pub struct Shaper<'m> {
    /// The model in metres.
    pub reader: Reader<'m>,
    /// Its styles.
    pub styles: Arc<Styles>,
    mapped: RwLock<Mapped>,
}

impl<'m> Shaper<'m> {
    /// A shaper of one state of a model.
    pub fn new(model: &'m Model) -> Shaper<'m> {
        Shaper::knowing(model, Arc::new(Styles::of(model)), Mapped::new())
    }

    /// A shaper for measuring only: it reads no styles.
    pub fn plain(model: &'m Model) -> Shaper<'m> {
        Shaper::knowing(model, Arc::default(), Mapped::new())
    }

    /// A shaper that was told the model's styles and some of its mapped representations.
    pub fn knowing(model: &'m Model, styles: Arc<Styles>, mapped: Mapped) -> Shaper<'m> {
        Shaper { reader: Reader::new(model), styles, mapped: RwLock::new(mapped) }
    }

    /// The mapped representations that it made or was told.
    pub fn into_mapped(self) -> Mapped {
        self.mapped.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds the bodies of an item at a place.
    pub fn item(&self, id: Id, at: &Frame, colour: Option<Colour>, depth: usize, into: &mut Pieces) {
        if into.left == 0 {
            return;
        }
        into.left -= 1;
        into.deepest = into.deepest.max(depth);
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
                self.mapped(&mapped, &place, colour, depth, into);
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
                    Ok(solid) => into.pieces.push(Piece {
                        item: id,
                        solid: Arc::new(solid.into()),
                        at: *at,
                        colour,
                        is_box,
                    }),
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
                                solid: Arc::new(solid.into()),
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

    /// The items of a mapped representation at one of its places; made at the first.
    fn mapped(
        &self,
        representation: &Instance<'m>,
        place: &Frame,
        colour: Option<Colour>,
        depth: usize,
        into: &mut Pieces,
    ) {
        let id = representation.id();
        let known = self.mapped.read().ok().and_then(|m| m.get(&id).cloned());
        let made = known.unwrap_or_else(|| {
            let mut made = Pieces::default();
            for part in representation.references("Items") {
                self.item(part, &Frame::IDENTITY, None, depth + 1, &mut made);
            }
            // counted from the representation on, as it may stand elsewhere at another depth
            made.deepest = made.deepest.saturating_sub(depth);
            let made = Arc::new(made);
            // what went too deep or too far is no whole: it ends its element and is not kept
            match self.mapped.write() {
                // another thread may have been faster: all share what it made
                Ok(mut mapped) if made.left > 0 => Arc::clone(mapped.entry(id).or_insert(made)),
                _ => made,
            }
        });
        let used = MAX_ITEMS - made.left;
        if made.left == 0 || used >= into.left || depth + made.deepest > MAX_DEPTH {
            into.left = 0;
            let note = made.notes.last().filter(|_| made.left == 0).cloned();
            into.notes.push(note.unwrap_or_else(|| ShapeError::new(id, "holds too many items")));
            return;
        }
        into.left -= used;
        into.deepest = into.deepest.max(depth + made.deepest);
        into.notes.extend(made.notes.iter().cloned());
        let placed = |p: &Piece| Piece { at: place.after(&p.at), colour: p.colour.or(colour), ..p.clone() };
        into.pieces.extend(made.pieces.iter().map(placed));
    }

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
                let bounds = crate::math::Bounds::of([o, add(o, size)]);
                Solid::cuboid(&bounds, &Frame::IDENTITY)
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
        if !solid.points().all(|p| p.iter().all(|v| v.abs() < 1e7)) {
            return Err(ShapeError::new(id, "reaches beyond 10,000 km"));
        }
        // what is swept is made with its faces outward; what is given by faces may have them in any direction
        let given = !(item.is_a("IfcSweptAreaSolid") || item.is_a("IfcSweptDiskSolid"));
        Ok(outward(solid, given))
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

/// A body whose faces close has them outward, and says that it is closed whatever the source called it.
fn outward(mut solid: Solid, given: bool) -> Solid {
    let closes = |solid: &Solid| {
        let (mut sum, mut total) = ([0.0; 3], 0.0);
        for l in solid.faces.iter().flat_map(|f| &f.loops) {
            let v = vector_area(l);
            sum = add(sum, v);
            total += length(v);
        }
        total > 0.0 && length(sum) < total * 1e-5
    };
    // opposite faces may both be turned: their sum says nothing then, their edges do
    solid.closed = if given { (solid.agree() && closes(&solid)) || closes(&solid) } else { closes(&solid) };
    if solid.closed && solid.volume() < 0.0 {
        solid.turn();
    }
    solid
}
