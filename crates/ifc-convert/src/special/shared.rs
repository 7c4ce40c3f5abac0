//! Copies for each user what several may share in IFC4 and only one may have in IFC2X3: property sets of types,
//! placements, shapes of products and the representations in them.

use crate::Outcome;
use crate::step::{Step, guid_for};
use ifc::{Id, Value};
use std::collections::HashSet;

impl Step<'_> {
    /// Finds what is shared and plans the copies.
    pub(super) fn shared_down(&mut self) {
        let mut taken: HashSet<Id> = HashSet::new();
        self.sets_of_types(&mut taken);
        self.representations(&mut taken);
        self.products(&mut taken);
        self.layers();
    }

    /// A property set belongs to one type (IFC2X3, IfcPropertySetDefinition.DefinesType).
    fn sets_of_types(&mut self, taken: &mut HashSet<Id>) {
        for id in self.source.of_class("IfcTypeObject") {
            let Some(kind) = self.source.get(id) else { continue };
            let sets = kind.references("HasPropertySets");
            let mut own = Vec::with_capacity(sets.len());
            for set in &sets {
                let guid = guid_for(&kind, &format!("set {set}"));
                let copy = if taken.insert(*set) { None } else { self.copy(*set, vec![("GlobalId", guid)]) };
                own.push(copy.unwrap_or(*set));
            }
            if own != sets {
                self.override_with(id, "HasPropertySets", own);
                let reason = "has a copy of a property set that another type has as well";
                self.record.note(id.0, kind.class_name(), Outcome::Mapped, reason);
            }
        }
    }

    /// A representation belongs to one shape, and once (IFC2X3, IfcRepresentation.OfProductRepresentation).
    fn representations(&mut self, taken: &mut HashSet<Id>) {
        for id in self.source.of_class("IfcProductRepresentation") {
            let Some(shape) = self.source.get(id) else { continue };
            let given = shape.references("Representations");
            let own = self.own(&given, taken);
            if own != given {
                let again = own.len() < given.len();
                self.override_with(id, "Representations", own);
                let reason = if again {
                    "lists a representation once that it listed again"
                } else {
                    "has a copy of a representation that another shape has as well"
                };
                self.record.note(id.0, shape.class_name(), Outcome::Mapped, reason);
            }
        }
    }

    /// Each representation once: itself, or a copy of one that is taken.
    fn own(&mut self, given: &[Id], taken: &mut HashSet<Id>) -> Vec<Id> {
        let mut seen: HashSet<Id> = HashSet::new();
        let mut own = Vec::with_capacity(given.len());
        for id in given.iter().filter(|id| seen.insert(**id)) {
            let copy = if taken.insert(*id) { None } else { self.copy(*id, Vec::new()) };
            own.push(copy.unwrap_or(*id));
        }
        own
    }

    /// A product has its own placement and its own shape (IFC2X3, IfcObjectPlacement.PlacesObject and
    /// IfcProductDefinitionShape.ShapeOfProduct).
    fn products(&mut self, taken: &mut HashSet<Id>) {
        for id in self.source.of_class("IfcProduct") {
            let Some(product) = self.source.get(id) else { continue };
            let place = product.reference("ObjectPlacement").filter(|id| self.is_a(*id, "IfcLocalPlacement"));
            if let Some(place) = place.filter(|place| !taken.insert(*place))
                && let Some(copy) = self.copy(place, Vec::new())
            {
                self.override_with(id, "ObjectPlacement", copy);
                let reason = "has a copy of a placement that another product has as well";
                self.record.note(id.0, product.class_name(), Outcome::Mapped, reason);
            }
            let shape = product.reference("Representation").filter(|shape| !taken.insert(*shape));
            let Some(shape) = shape.and_then(|shape| self.source.get(shape)) else { continue };
            let own = self.own(&shape.references("Representations"), taken);
            if let Some(copy) = self.copy(shape.id(), vec![("Representations", own.into())]) {
                self.override_with(id, "Representation", copy);
                let reason = "has a copy of a shape that another product has as well";
                self.record.note(id.0, product.class_name(), Outcome::Mapped, reason);
            }
        }
    }

    /// Copies lie on the layers of their originals.
    fn layers(&mut self) {
        for id in self.source.of_class("IfcPresentationLayerAssignment") {
            let Some(layer) = self.source.get(id) else { continue };
            let items = layer.references("AssignedItems");
            let copies: Vec<Id> = items.iter().flat_map(|item| self.copies_of(*item)).collect();
            if !copies.is_empty() {
                let all: Vec<Value> = items.into_iter().chain(copies).map(Value::Ref).collect();
                self.override_with(id, "AssignedItems", Value::List(all));
            }
        }
    }
}
