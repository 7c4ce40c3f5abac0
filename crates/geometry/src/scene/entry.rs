//! One element of a scene: what tiles and lists need to know of it, and its triangles where there is room for them.

use crate::{
    drawn::{Digest, digest},
    element::Shape,
    item::Shaper,
    math::Bounds,
    read::ShapeError,
};
use ifc::{Id, Instance, Model};
use sha2::{Digest as _, Sha256};
use std::{collections::HashSet, sync::Arc};

/// One element as it is drawn, or why it is not.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The element.
    pub id: Id,
    /// Its GlobalId.
    pub global_id: String,
    /// Its class.
    pub class: String,
    /// True if it is a room or a zone: shown faintly or not at all.
    pub is_space: bool,
    /// The storey that it is shown with; without one, the spatial structure it is in.
    pub storey: Option<Id>,
    /// The box around it: world coordinates, metres; empty where nothing is drawn.
    pub bounds: Bounds,
    /// The number of its triangles.
    pub triangles: usize,
    /// True if a box stands for its shape, wholly or in part.
    pub is_box: bool,
    /// The things that are missing or simplified, and why.
    pub notes: Vec<ShapeError>,
    /// Names all of the above that is drawn: GlobalId, class, triangles, places and colours.
    pub digest: Digest,
    shape: Option<Arc<Shape>>,
}

impl Entry {
    /// Makes an element; its triangles are held if `hold` says so, given their weight in bytes.
    pub(super) fn made(shaper: &Shaper<'_>, id: Id, hold: impl Fn(usize) -> bool) -> Entry {
        let model = shaper.reader.model;
        let product = model.get(id);
        let mut entry = Entry {
            id,
            global_id: product.and_then(|p| p.guid()).unwrap_or_default(),
            class: product.map(|p| p.class_name().to_owned()).unwrap_or_default(),
            is_space: product.is_some_and(|p| is_space(&p)),
            storey: storey_of(model, id),
            bounds: Bounds::EMPTY,
            triangles: 0,
            is_box: false,
            notes: Vec::new(),
            digest: Digest::default(),
            shape: None,
        };
        match shaper.element(id) {
            Err(why) => entry.notes.push(why),
            Ok(shape) => {
                entry.bounds = shape.bounds();
                entry.triangles = shape.triangles();
                entry.is_box = shape.is_box;
                entry.notes.clone_from(&shape.notes);
                entry.digest = entry.name(&shape);
                entry.shape = hold(shape.weight()).then(|| Arc::new(shape));
            }
        }
        entry
    }

    /// Returns the element shown with what it now belongs to.
    pub(super) fn regrouped(entry: &Arc<Entry>, model: &Model) -> Arc<Entry> {
        let storey = storey_of(model, entry.id);
        if storey == entry.storey {
            return Arc::clone(entry);
        }
        Arc::new(Entry { storey, ..Entry::clone(entry) })
    }

    /// Returns true if anything is drawn.
    pub fn is_drawn(&self) -> bool {
        self.triangles > 0
    }

    /// Its triangles, if they are held.
    pub(super) fn held(&self) -> Option<&Arc<Shape>> {
        self.shape.as_ref()
    }

    /// Bytes of triangles that it holds; those that it shares with others count in each.
    pub(super) fn weight(&self) -> usize {
        self.shape.as_ref().map_or(0, |s| s.weight())
    }

    /// Bytes of edges that were found of them by now.
    pub(super) fn weight_of_edges(&self) -> usize {
        self.shape.as_ref().map_or(0, |s| s.weight_of_edges())
    }

    fn name(&self, shape: &Shape) -> Digest {
        let mut hash = Sha256::new();
        // GlobalIds and classes have no nought bytes
        for text in [&self.global_id, &self.class] {
            hash.update(text.as_bytes());
            hash.update([0]);
        }
        hash.update([u8::from(self.is_space), u8::from(self.is_box)]);
        for part in &shape.parts {
            hash.update(part.mesh.digest());
            hash.update(part.colour);
            for v in part.at.to_cols_array() {
                hash.update(v.to_le_bytes());
            }
        }
        digest(hash)
    }
}

fn is_space(product: &Instance<'_>) -> bool {
    product.is_a("IfcSpace") || product.is_a("IfcSpatialZone")
}

/// The storey an element is shown with; without one, the spatial structure it is in.
fn storey_of(model: &Model, id: Id) -> Option<Id> {
    let is_spatial = |id: &Id| {
        model.get(*id).is_some_and(|i| i.is_a("IfcSpatialStructureElement") || i.is_a("IfcSpatialElement"))
    };
    ifc::relations::storey_of(model, id)
        .or_else(|| ifc::relations::container(model, id))
        .or_else(|| ifc::relations::aggregate_parent(model, id).filter(is_spatial))
        .or(Some(id).filter(is_spatial))
}

/// Elements and all that hangs on them: parts, nested ones, contents, openings and fillings.
pub(super) fn with_dependants(model: &Model, tops: impl IntoIterator<Item = Id>, into: &mut HashSet<Id>) {
    let links = ifc::relations::Links::of_one(model);
    let mut open: Vec<Id> = tops.into_iter().collect();
    while let Some(id) = open.pop() {
        if !into.insert(id) {
            continue;
        }
        open.extend(links.children(id));
        open.extend(links.nested(id));
        open.extend(links.contained(id));
        open.extend(links.openings_of(id));
        open.extend(links.fillings_of(id));
        open.extend(links.surface_features_of(id));
    }
}
