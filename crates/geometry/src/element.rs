//! Elements: a product's representation, at its place in the world, less its openings; as triangles, as a box, or as a reason why not.

use crate::math::inverse;
use crate::{
    cutter::{self, Cutter},
    drawn::Drawn,
    item::{Piece, Pieces, Shaper},
    math::Bounds,
    mesh::Mesh,
    read::ShapeError,
    solid::Solid,
    style::{Colour, by_class},
    wire::Wires,
};
use glam::DAffine3;
use ifc::{Id, Instance, Model};
use rayon::prelude::*;
use std::{
    borrow::Cow,
    sync::{Arc, OnceLock},
};

/// The most triangles one element may have; beyond it, it is shown as a box.
pub const MAX_TRIANGLES: usize = 1_000_000;

/// One coloured body of an element.
#[derive(Debug, Clone)]
pub struct Part {
    /// The representation item.
    pub item: Id,
    /// The triangles, in coordinates of their own; parts that only stand elsewhere share them.
    pub mesh: Arc<Drawn>,
    /// From those coordinates to the world's (metres, before map conversion); may mirror and scale.
    pub at: DAffine3,
    /// The colour.
    pub colour: Colour,
}

/// The shape of one element.
#[derive(Debug, Clone, Default)]
pub struct Shape {
    /// Its bodies.
    pub parts: Vec<Part>,
    /// True if a box stands for a shape that could not be drawn, wholly or in part.
    pub is_box: bool,
    /// The things that are missing or simplified, and why.
    pub notes: Vec<ShapeError>,
    /// The edges of its faces, found when it is first drawn as lines.
    pub(crate) wires: OnceLock<Arc<Wires>>,
}

impl Shape {
    /// All bodies as one mesh.
    pub fn mesh(&self) -> Mesh {
        let mut whole = Mesh::default();
        for part in &self.parts {
            whole.append_at(&part.mesh, &part.at);
        }
        whole
    }

    /// The box around it, in metres; empty where there is nothing.
    pub fn bounds(&self) -> Bounds {
        let points = |p: &Part| {
            p.mesh.positions.iter().map(|q| p.at.transform_point3(*q)).fold(Bounds::EMPTY, Bounds::with)
        };
        self.parts.iter().fold(Bounds::EMPTY, |all, p| all.join(&points(p)))
    }

    /// Bytes of memory that its triangles take, always the same; those that it shares with others in full.
    pub fn weight(&self) -> usize {
        self.parts.iter().map(|p| p.mesh.weight() + 192).sum()
    }

    /// Bytes of memory that its edges take, once they were looked for.
    pub(crate) fn weight_of_edges(&self) -> usize {
        self.wires.get().map_or(0, |wires| wires.weight())
    }

    /// The number of its triangles.
    pub fn triangles(&self) -> usize {
        self.parts.iter().map(|p| p.mesh.triangles.len()).sum()
    }
}

/// The representation identifiers that hold a body, the best first.
pub const BODY_IDENTIFIERS: [&str; 4] = ["Body", "Body-FallBack", "Facetation", "Surface"];
/// Representation types that are bodies or surfaces, for files that name their representations otherwise.
pub const BODY_TYPES: [&str; 15] = [
    "SweptSolid",
    "AdvancedSweptSolid",
    "Brep",
    "AdvancedBrep",
    "CSG",
    "Clipping",
    "SurfaceModel",
    "SolidModel",
    "Tessellation",
    "MappedRepresentation",
    "Surface",
    "Surface3D",
    "SolidOrSurface",
    "GeometricSet",
    "PointCloud",
];
/// Identifiers that are no bodies whatever their type.
const NOT_BODIES: [&str; 12] = [
    "Axis",
    "FootPrint",
    "Box",
    "Profile",
    "Annotation",
    "Plan",
    "Reference",
    "CoG",
    "Clearance",
    "Lighting",
    "Survey",
    "Plan-Axis",
];

/// Representations of a product that hold its body; where there are none, its box.
fn bodies<'m>(model: &'m Model, product: &Instance<'m>) -> (Vec<Instance<'m>>, bool) {
    let all: Vec<Instance<'m>> = product
        .reference("Representation")
        .and_then(|r| model.get(r))
        .map(|d| d.references("Representations"))
        .unwrap_or_default()
        .into_iter()
        .filter_map(|r| model.get(r))
        .collect();
    let named = |r: &Instance<'m>, name: &str| {
        r.text("RepresentationIdentifier").is_some_and(|i| i.eq_ignore_ascii_case(name))
    };
    for name in BODY_IDENTIFIERS {
        let found: Vec<Instance<'m>> = all.iter().filter(|r| named(r, name)).copied().collect();
        if !found.is_empty() {
            return (found, false);
        }
    }
    let typed = |r: &Instance<'m>| {
        r.text("RepresentationType").is_some_and(|t| BODY_TYPES.iter().any(|k| t.eq_ignore_ascii_case(k)))
    };
    let other = all.iter().find(|r| typed(r) && !NOT_BODIES.iter().any(|n| named(r, n)));
    if let Some(found) = other {
        return (vec![*found], false);
    }
    (all.into_iter().filter(|r| named(r, "Box")).collect(), true)
}

impl Shaper<'_> {
    fn model(&self) -> &Model {
        self.reader.model
    }

    /// The place of a product.
    pub(crate) fn frame(&self, product: &Instance<'_>) -> Result<DAffine3, ShapeError> {
        let Some(placement) = product.reference("ObjectPlacement") else { return Ok(DAffine3::IDENTITY) };
        self.reader.world(placement).ok_or_else(|| ShapeError::new(placement, "cannot be placed"))
    }

    /// The representations that hold a product's body; none where it has only a box.
    pub(crate) fn body_representations<'p>(&'p self, product: &Instance<'p>) -> Vec<Instance<'p>> {
        let (found, boxes) = bodies(self.model(), product);
        if boxes { Vec::new() } else { found }
    }

    /// The bodies of a product in its own coordinates, before openings.
    pub(crate) fn pieces(&self, product: &Instance<'_>, colour: Option<Colour>) -> Pieces {
        let mut pieces = Pieces::default();
        let (representations, boxes) = bodies(self.model(), product);
        for representation in representations {
            for item in representation.references("Items") {
                self.item(item, &DAffine3::IDENTITY, colour, 0, &mut pieces);
            }
        }
        if boxes {
            pieces.pieces.iter_mut().for_each(|p| p.is_box = true);
        }
        pieces
    }

    /// The openings that a host loses, in the host's coordinates; its own and those of the wholes it is part of.
    pub(crate) fn openings(&self, host: Id, frame: &DAffine3, notes: &mut Vec<ShapeError>) -> Vec<Cutter> {
        let mut cutters = Vec::new();
        let mut at = Some(host);
        for _ in 0..8 {
            let Some(id) = at else { break };
            for opening in ifc::relations::openings_of(self.model(), id) {
                if let Err(note) = self.opening(opening, frame, &mut cutters) {
                    notes.push(note);
                }
            }
            at = ifc::relations::aggregate_parent(self.model(), id)
                .filter(|p| self.model().get(*p).is_some_and(|p| p.is_a("IfcElement")));
        }
        cutters
    }

    pub(crate) fn opening(&self, id: Id, host: &DAffine3, into: &mut Vec<Cutter>) -> Result<(), ShapeError> {
        let opening = self.reader.get(id)?;
        let to_host = inverse(host).ok_or_else(|| ShapeError::new(id, "its host has no place"))?;
        let place = to_host * self.frame(&opening)?;
        for representation in bodies(self.model(), &opening).0 {
            for item in representation.references("Items") {
                for cutter in self.cutters(item)? {
                    let moved = cutter.moved(&place).ok_or_else(|| ShapeError::new(item, "is scaled"))?;
                    into.push(moved);
                }
            }
        }
        Ok(())
    }

    /// The shape of an element in the world. An error where nothing at all can be shown.
    pub fn element(&self, id: Id) -> Result<Shape, ShapeError> {
        self.shape(id, true)
    }

    /// The shape of an element with its openings left in. An error where nothing at all can be shown.
    pub fn uncut_element(&self, id: Id) -> Result<Shape, ShapeError> {
        self.shape(id, false)
    }

    fn shape(&self, id: Id, less_openings: bool) -> Result<Shape, ShapeError> {
        let product = self.reader.get(id)?;
        let frame = self.frame(&product)?;
        let material = self.styles.of_materials(self.model(), id);
        let mut pieces = self.pieces(&product, None);
        if pieces.pieces.is_empty() {
            let first = pieces.notes.into_iter().next();
            return Err(first.unwrap_or_else(|| ShapeError::new(id, "has no body")));
        }
        let openings = if less_openings { self.openings(id, &frame, &mut pieces.notes) } else { Vec::new() };
        let usual = by_class(&product);
        let mut shape = Shape { notes: pieces.notes, ..Shape::default() };
        let mut count = 0;
        for piece in &pieces.pieces {
            let (mesh, at) = match cut(piece, &openings, &mut shape.notes) {
                Some(solid) => (Arc::new(solid.mesh().into()), frame),
                None => (Arc::clone(piece.solid.mesh()), frame * piece.at),
            };
            count += mesh.triangles.len();
            if count > MAX_TRIANGLES {
                let note = ShapeError::new(
                    id,
                    format!("has more than {MAX_TRIANGLES} triangles and is shown as a box"),
                );
                return Ok(boxed(id, &pieces.pieces, &frame, usual, note));
            }
            shape.is_box |= piece.is_box;
            let mut colour = piece.colour.or(material).unwrap_or(usual);
            if product.is_a("IfcSpace") {
                colour[3] = colour[3].min(usual[3]);
            }
            if !mesh.triangles.is_empty() {
                shape.parts.push(Part { item: piece.item, mesh, at, colour });
            }
        }
        if shape.parts.is_empty() {
            return Err(ShapeError::new(id, "has a body without faces"));
        }
        Ok(shape)
    }

    /// The box of an element in world coordinates and metres, openings and colours aside.
    fn extent(&self, id: Id) -> Option<Bounds> {
        let product = self.model().get(id)?;
        let frame = self.frame(&product).ok()?;
        let pieces = self.pieces(&product, None);
        let mut bounds = Bounds::EMPTY;
        for piece in &pieces.pieces {
            let at = frame * piece.at;
            piece.solid.points().for_each(|p| bounds.add(at.transform_point3(p)));
        }
        (!bounds.is_empty()).then_some(bounds)
    }
}

/// A piece in the product's coordinates less the openings, or `None` where they leave it as it is; where one cannot be taken away,
/// a note says why.
pub(crate) fn cut(piece: &Piece, openings: &[Cutter], notes: &mut Vec<ShapeError>) -> Option<Solid> {
    if piece.is_box || openings.is_empty() {
        return None;
    }
    let is_moved = piece.at != DAffine3::IDENTITY;
    let whole =
        if is_moved { Cow::Owned(piece.solid.moved(&piece.at)) } else { Cow::Borrowed(piece.solid.solid()) };
    let cut = cutter::cut(&whole, openings);
    let note =
        |reason: &String| ShapeError::new(piece.item, format!("is shown without an opening: {reason}"));
    notes.extend(cut.refused.iter().map(note));
    cut.left
}

fn boxed(id: Id, pieces: &[Piece], frame: &DAffine3, colour: Colour, note: ShapeError) -> Shape {
    let bounds = pieces
        .iter()
        .flat_map(|p| p.solid.points().map(|q| p.at.transform_point3(q)))
        .fold(Bounds::EMPTY, Bounds::with);
    let solid = Solid::cuboid(&bounds, &DAffine3::IDENTITY);
    let parts = solid.map(|s| Part { item: id, mesh: Arc::new(s.mesh().into()), at: *frame, colour });
    Shape { parts: parts.into_iter().collect(), is_box: true, notes: vec![note], ..Shape::default() }
}

/// Returns true if a product has a place in the picture: all with a representation, but for openings, grids,
/// annotations, ports and the like.
pub fn is_drawable(product: &Instance<'_>) -> bool {
    const NOT: [&str; 7] = [
        "IfcFeatureElementSubtraction",
        "IfcGrid",
        "IfcAnnotation",
        "IfcPort",
        "IfcVirtualElement",
        "IfcStructuralItem",
        "IfcStructuralActivity",
    ];
    product.is_a("IfcProduct")
        && product.reference("Representation").is_some()
        && !NOT.iter().any(|n| product.is_a(n))
}

/// The products that have a place in the picture, by id.
pub fn drawable(model: &Model) -> Vec<Id> {
    let mut all = model.of_class("IfcProduct");
    all.retain(|id| model.get(*id).is_some_and(|p| is_drawable(&p)));
    all
}

/// The box of an element in world coordinates before map conversion, in **millimetres**; what has no shape of its own has the box
/// of its parts. `None` where neither has any.
pub fn bounds(model: &Model, id: Id) -> Option<Bounds> {
    bounds_of_many(model, &[id]).into_iter().next().flatten()
}

/// So few elements are looked at by the thread that asks: to wake others takes longer.
const FEW: usize = 8;

/// The boxes of several elements, as [`bounds`], with shared items made once; of many in parallel.
pub fn bounds_of_many(model: &Model, ids: &[Id]) -> Vec<Option<Bounds>> {
    bounds_by(&Shaper::plain(model), ids)
}

/// As [`bounds_of_many`], by a shaper that may have made some of the shapes, or is to keep those that it makes.
pub fn bounds_by(shaper: &Shaper<'_>, ids: &[Id]) -> Vec<Option<Bounds>> {
    let extent = |id: &Id| extent_with_parts(shaper, *id, 0).map(|b| b.scaled(1000.0));
    if ids.len() <= FEW { ids.iter().map(extent).collect() } else { ids.par_iter().map(extent).collect() }
}

fn extent_with_parts(shaper: &Shaper<'_>, id: Id, depth: usize) -> Option<Bounds> {
    if let Some(own) = shaper.extent(id) {
        return Some(own);
    }
    if depth > 16 {
        return None;
    }
    let model = shaper.reader.model;
    let mut parts = ifc::relations::children(model, id);
    parts.extend(ifc::relations::contained(model, id));
    let joined = parts
        .into_iter()
        .filter_map(|part| extent_with_parts(shaper, part, depth + 1))
        .fold(Bounds::EMPTY, |all, b| all.join(&b));
    (!joined.is_empty()).then_some(joined)
}

/// Volume (m³), surface (m²), closedness and box (m) of an element's mesh, its openings taken out. The error says why it has none.
pub fn measure(model: &Model, id: Id) -> Result<crate::Measures, ShapeError> {
    Ok(Shaper::plain(model).element(id)?.mesh().measures())
}
