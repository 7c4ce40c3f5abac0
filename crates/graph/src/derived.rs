//! Edges that follow from several relationships: the materials and classifications that an element has from its type too, and the
//! storey that it stands on.

use crate::edges::once;
use crate::names::{HAS_UNIT, IFC};
use ifc::relations::{CLASSIFIED, DEPTH, End, Links, MADE_OF};
use ifc::{Id, Instance, Model};
use std::collections::BTreeSet;

/// An edge that follows from several relationships.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Derived {
    /// To plain materials.
    Material,
    /// To the material, list or set as a whole.
    MaterialDefinition,
    /// To classifications.
    Classification,
    /// To the storey.
    Storey,
    /// From a property or quantity to the SI unit of its value.
    Unit,
}

impl Derived {
    /// Every one.
    pub const ALL: [Derived; 5] = [
        Derived::Material,
        Derived::MaterialDefinition,
        Derived::Classification,
        Derived::Storey,
        Derived::Unit,
    ];

    /// Its IRI.
    pub fn iri(self) -> String {
        match self {
            Derived::Material => format!("{IFC}hasMaterial"),
            Derived::MaterialDefinition => format!("{IFC}materialDefinition"),
            Derived::Classification => format!("{IFC}hasClassification"),
            Derived::Storey => format!("{IFC}storey"),
            Derived::Unit => HAS_UNIT.to_owned(),
        }
    }

    /// Its meaning, for the vocabulary.
    pub fn meaning(self) -> &'static str {
        match self {
            Derived::Material => {
                "object or type to its plain materials, one for each layer, profile or constituent; those of the type where it has none"
            }
            Derived::MaterialDefinition => {
                "object or type to its material, material list or set of layers, profiles or constituents; that of the type where it has none"
            }
            Derived::Classification => {
                "object or type to classification references, those of its type included"
            }
            Derived::Storey => "element, space or opening to the storey that it belongs to, at any depth",
            Derived::Unit => {
                "property or quantity (the node) to the unit of its value in this graph, which is the SI unit"
            }
        }
    }

    /// The instances to which it leads from a node; none for units, which are no instances.
    pub fn objects(self, links: &Links<'_>, node: Id) -> Vec<Id> {
        let Some(instance) = links.model().get(node).filter(|instance| instance.is_a("IfcObjectDefinition"))
        else {
            return Vec::new();
        };
        once(match self {
            Derived::Material => existing(links.model(), links.materials_of(node)),
            Derived::MaterialDefinition => links.material_of(node).into_iter().collect(),
            Derived::Classification => links.classifications_of(node),
            Derived::Storey => storey(links, &instance).into_iter().collect(),
            Derived::Unit => Vec::new(),
        })
    }

    /// The instances from which it leads to a node.
    pub fn subjects(self, links: &Links<'_>, node: Id) -> Vec<Id> {
        let candidates = match self {
            Derived::Material | Derived::MaterialDefinition => {
                let wholes = wholes(links, node);
                with_occurrences(links, wholes.into_iter().flat_map(|whole| users(links, whole)))
            }
            Derived::Classification => {
                let end = End { class: CLASSIFIED.class, attribute: "RelatingClassification" };
                with_occurrences(links, links.across(node, end, "RelatedObjects"))
            }
            Derived::Storey => links.decomposition(node),
            Derived::Unit => Vec::new(),
        };
        let mut found = once(candidates);
        found.retain(|candidate| self.objects(links, *candidate).contains(&node));
        found
    }

    /// The instances from which it may lead anywhere.
    pub fn sources(self, links: &Links<'_>) -> Vec<Id> {
        let model = links.model();
        let related = |class: &str| {
            let relations = model.of_class(class).into_iter().filter_map(|id| model.get(id));
            let found: Vec<Id> =
                relations.flat_map(|relation| relation.references("RelatedObjects")).collect();
            with_occurrences(links, existing(model, found))
        };
        once(match self {
            Derived::Material | Derived::MaterialDefinition => related("IfcRelAssociatesMaterial"),
            Derived::Classification => related("IfcRelAssociatesClassification"),
            Derived::Storey => {
                let storeys = model.of_class("IfcBuildingStorey");
                storeys.into_iter().flat_map(|storey| links.decomposition(storey)).collect()
            }
            Derived::Unit => {
                ["IfcProperty", "IfcPhysicalQuantity"].into_iter().flat_map(|c| model.of_class(c)).collect()
            }
        })
    }
}

fn existing(model: &Model, mut ids: Vec<Id>) -> Vec<Id> {
    ids.retain(|id| model.contains(*id));
    ids
}

/// The storey that something belongs to; a storey belongs to itself, and is not said to.
fn storey(links: &Links<'_>, instance: &Instance<'_>) -> Option<Id> {
    links.storey_of(instance.id()).filter(|storey| *storey != instance.id())
}

/// The objects and types that a material or set is associated with.
fn users(links: &Links<'_>, material: Id) -> Vec<Id> {
    links.across(material, End { class: MADE_OF.class, attribute: "RelatingMaterial" }, "RelatedObjects")
}

/// Objects and types, with the objects of these types.
fn with_occurrences(links: &Links<'_>, ids: impl IntoIterator<Item = Id>) -> Vec<Id> {
    let mut found = Vec::new();
    for id in ids {
        if links.model().get(id).is_some_and(|instance| instance.is_a("IfcTypeObject")) {
            found.extend(links.occurrences_of(id));
        }
        found.push(id);
    }
    found
}

/// A material with the layers, sets, lists and usages that it is in.
fn wholes(links: &Links<'_>, material: Id) -> BTreeSet<Id> {
    const WITHIN: [&str; 7] = [
        "IfcMaterialDefinition",
        "IfcMaterialUsageDefinition",
        "IfcMaterialLayer",
        "IfcMaterialLayerSet",
        "IfcMaterialLayerSetUsage",
        "IfcMaterialList",
        "IfcMaterialProfile",
    ];
    let mut found = BTreeSet::from([material]);
    let mut open = vec![material];
    for _ in 0..DEPTH {
        let mut next = Vec::new();
        for id in std::mem::take(&mut open) {
            next.extend(WITHIN.iter().flat_map(|class| links.model().referrers_of(id, class)));
        }
        next.retain(|id| found.insert(*id));
        if next.is_empty() {
            break;
        }
        open = next;
    }
    found
}
