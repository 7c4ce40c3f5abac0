//! The representation that is a product's body, and the profiles and styles that it is drawn with. What shape that makes
//! is not for here (IfcRepresentationResource and IfcPresentationAppearanceResource, ISO 16739-1:2018, 8.18 and 8.12).

use super::{End, Links};
use crate::{Id, Instance};
use std::collections::HashSet;

/// An item with styles.
const STYLED: End = End { class: "IfcStyledItem", attribute: "Item" };
/// A material with a look of its own.
const DRAWN: End = End { class: "IfcMaterialDefinitionRepresentation", attribute: "RepresentedMaterial" };
/// The most items of a representation that are looked at, mapped ones and operands included.
const ITEMS: usize = 100_000;

impl Links<'_> {
    /// The representations of a product, or of the maps of a type.
    pub fn representations_of(&self, product: Id) -> Vec<Id> {
        let model = self.model();
        let Some(instance) = model.get(product) else { return Vec::new() };
        if let Some(shape) = instance.reference("Representation") {
            return model.get(shape).map(|shape| shape.references("Representations")).unwrap_or_default();
        }
        let maps = instance.references("RepresentationMaps").into_iter();
        maps.filter_map(|map| model.get(map)?.reference("MappedRepresentation")).collect()
    }

    /// The representation of a product as a body in model view: of the subcontext `Model`, `Body`, `MODEL_VIEW`.
    pub fn body_of(&self, product: Id) -> Option<Id> {
        self.representations_of(product).into_iter().find(|representation| {
            let context = self.model().get(*representation).and_then(|r| r.reference("ContextOfItems"));
            context.and_then(|context| self.model().get(context)).is_some_and(|context| {
                context.is_a("IfcGeometricRepresentationSubContext")
                    && context.enumeration("TargetView").as_deref() == Some("MODEL_VIEW")
                    && context.text("ContextIdentifier").as_deref() == Some("Body")
                    && context.text("ContextType").as_deref() == Some("Model")
            })
        })
    }

    /// The profiles of an element: those of its material's profile set, else those of the extrusions of its body,
    /// before any cut.
    pub fn profiles_of(&self, element: Id) -> Vec<Id> {
        let model = self.model();
        let set = self.material_of(element).and_then(|id| model.get(id));
        if let Some(set) = set.filter(|set| set.is_a("IfcMaterialProfileSet")) {
            let profiles = set.references("MaterialProfiles").into_iter();
            return profiles.filter_map(|id| model.get(id)?.reference("Profile")).collect();
        }
        let Some(body) = self.body_of(element).and_then(|body| self.unmapped(body)) else {
            return Vec::new();
        };
        let items = model.get(body).map(|body| body.references("Items")).unwrap_or_default().into_iter();
        items.filter_map(|item| model.get(self.uncut(item)?)?.reference("SweptArea")).collect()
    }

    /// The representation that one with a single mapped item stands for.
    fn unmapped(&self, representation: Id) -> Option<Id> {
        let mut at = representation;
        for _ in 0..super::DEPTH {
            let items = self.model().get(at)?.references("Items");
            let mapped = match items.as_slice() {
                [item] => self.model().get(*item).and_then(|item| self.mapped(&item)),
                _ => None,
            };
            match mapped {
                Some(next) => at = next,
                None => return Some(at),
            }
        }
        None
    }

    fn mapped(&self, item: &Instance<'_>) -> Option<Id> {
        if !item.is_a("IfcMappedItem") {
            return None;
        }
        self.model().get(item.reference("MappingSource")?)?.reference("MappedRepresentation")
    }

    /// The extrusion that an item is before all cuts, if it is one.
    fn uncut(&self, item: Id) -> Option<Id> {
        let mut at = item;
        for _ in 0..4_096 {
            let instance = self.model().get(at)?;
            if instance.is_a("IfcExtrudedAreaSolid") {
                return Some(at);
            }
            if !instance.is_a("IfcBooleanResult") {
                return None;
            }
            at = instance.reference("FirstOperand")?;
        }
        None
    }

    /// The surface styles of an element: of its materials, then of the items of its body, operands and mapped items
    /// included; as often as they are used, each instance of an item once.
    pub fn styles_of(&self, element: Id) -> Vec<Id> {
        let model = self.model();
        let mut styles = Vec::new();
        for material in self.materials_of(element) {
            for drawn in self.relations(material, DRAWN) {
                let shown = model.get(drawn).map(|d| d.references("Representations")).unwrap_or_default();
                let items = shown.into_iter().filter_map(|id| Some(model.get(id)?.references("Items")));
                for item in items.flatten() {
                    self.surface_styles(item, &mut styles);
                }
            }
        }
        let body = self.body_of(element).and_then(|body| model.get(body));
        let mut open = body.map(|body| body.references("Items")).unwrap_or_default();
        let mut seen = HashSet::new();
        while let Some(id) = open.pop() {
            if !seen.insert(id) || seen.len() > ITEMS {
                continue;
            }
            let Some(item) = model.get(id) else { continue };
            if let Some(mapped) = self.mapped(&item).and_then(|id| model.get(id)) {
                open.extend(mapped.references("Items"));
            }
            if item.is_a("IfcBooleanResult") {
                open.extend(item.reference("FirstOperand"));
                open.extend(item.reference("SecondOperand"));
            }
            if let Some(styled) = self.relations(id, STYLED).into_iter().next() {
                self.surface_styles(styled, &mut styles);
            }
        }
        styles
    }

    /// The surface styles of a styled item, also those within an assignment (IFC2X3, IFC4).
    fn surface_styles(&self, styled: Id, into: &mut Vec<Id>) {
        let model = self.model();
        for style in model.get(styled).map(|styled| styled.references("Styles")).unwrap_or_default() {
            let Some(instance) = model.get(style) else { continue };
            let within = if instance.is_a("IfcPresentationStyleAssignment") {
                instance.references("Styles")
            } else {
                vec![style]
            };
            into.extend(within.into_iter().filter(|style| self.is_a(*style, "IfcSurfaceStyle")));
        }
    }
}
