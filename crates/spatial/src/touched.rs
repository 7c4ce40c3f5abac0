//! The difference of two versions as far as links go: which products differ, and whether what is related to what may have changed.

use ifc::{Id, Instance, Model};
use std::collections::BTreeSet;

/// Relations that say nothing of where rooms and elements belong, what fills what, or what something is made of; subtypes count.
const OTHER_RELATIONS: [&str; 4] = [
    "IfcRelSpaceBoundary",
    "IfcRelConnectsElements",
    "IfcRelDefinesByProperties",
    "IfcRelAssociatesClassification",
];

/// The difference of two versions.
#[derive(Debug, Default)]
pub(crate) struct Touched {
    /// Products that differ in attributes of their own.
    products: BTreeSet<Id>,
    /// True if relations, materials, and the products that there are, are the same.
    are_links_same: bool,
}

impl Touched {
    /// The difference, by the instances that are not the same in both.
    pub(crate) fn new(before: &Model, after: &Model, instances: &[Id]) -> Touched {
        let mut touched = Touched { products: BTreeSet::new(), are_links_same: true };
        for id in instances {
            let both = [before.get(*id), after.get(*id)];
            let [old, new] = both.each_ref().map(|instance| instance.as_ref().map(Instance::class_name));
            let is_a = |class: &str| both.iter().flatten().any(|instance| instance.is_a(class));
            let is_named = |start: &str| [old, new].iter().flatten().any(|name| name.starts_with(start));
            let counts = is_a("IfcRelationship") && !OTHER_RELATIONS.into_iter().any(is_a);
            touched.are_links_same &= !counts && !is_named("IfcMaterial");
            if is_a("IfcObjectDefinition") {
                touched.are_links_same &= old == new;
                touched.products.insert(*id);
            }
        }
        touched
    }

    /// Returns true if relations, materials, and the products that there are, are the same in both.
    pub(crate) fn are_links_same(&self) -> bool {
        self.are_links_same
    }

    /// Returns true if a product differs in attributes of its own.
    pub(crate) fn has(&self, product: Id) -> bool {
        self.products.contains(&product)
    }

    /// Returns true if a product of a class, or of a subtype, differs in attributes of its own.
    pub(crate) fn has_class(&self, model: &Model, class: &str) -> bool {
        self.products.iter().any(|id| model.get(*id).is_some_and(|product| product.is_a(class)))
    }
}
