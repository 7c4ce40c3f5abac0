//! Resources that both models have: instances of these classes that say the same are not copied again.

use crate::schema::Entity;
use crate::step::encode;
use crate::{Id, Model, Value};
use std::collections::HashMap;

/// Classes of which one instance serves all. Contexts are told by what they are for alone.
const CLASSES: [&str; 22] = [
    "IfcActorRole",
    "IfcAddress",
    "IfcApplication",
    "IfcClassification",
    "IfcClassificationReference",
    "IfcColourRgb",
    "IfcCoordinateReferenceSystem",
    "IfcDerivedUnit",
    "IfcDerivedUnitElement",
    "IfcDimensionalExponents",
    "IfcDirection",
    "IfcMaterial",
    "IfcMeasureWithUnit",
    "IfcMonetaryUnit",
    "IfcNamedUnit",
    "IfcOrganization",
    "IfcOwnerHistory",
    "IfcPerson",
    "IfcPersonAndOrganization",
    "IfcPresentationStyle",
    "IfcSurfaceStyleShading",
    "IfcUnitAssignment",
];

/// Attributes by which a representation context is known.
const CONTEXT: [&str; 4] = ["ContextIdentifier", "ContextType", "CoordinateSpaceDimension", "TargetView"];

/// Shared instances of the model, by class and content.
#[derive(Debug, Default)]
pub(super) struct Shared {
    known: HashMap<u16, HashMap<String, Id>>,
}

impl Shared {
    /// The instance of the model that says the same, if the class is one that is shared.
    pub fn equal(&mut self, model: &Model, entity: &'static Entity, values: &[Value]) -> Option<Id> {
        if !is_shared(model, entity) {
            return None;
        }
        let known = self.known.entry(entity.id.0).or_insert_with(|| {
            let mut known = HashMap::new();
            for id in model.of_class_exact(entity.name) {
                if let Some(instance) = model.get(id) {
                    known.entry(content(entity, &instance.attributes())).or_insert(id);
                }
            }
            known
        });
        known.get(&content(entity, values)).copied()
    }

    /// Remembers a new instance.
    pub fn note(&mut self, entity: &'static Entity, values: &[Value], id: Id) {
        if let Some(known) = self.known.get_mut(&entity.id.0) {
            known.entry(content(entity, values)).or_insert(id);
        }
    }
}

fn is_shared(model: &Model, entity: &Entity) -> bool {
    let is_a = |class: &str| entity.is_a(model.schema(), class);
    is_a("IfcRepresentationContext") || CLASSES.iter().any(|class| is_a(class))
}

fn content(entity: &Entity, values: &[Value]) -> String {
    let mut text = String::new();
    if entity.index_of("ContextType").is_none() {
        encode::list(values, &mut text);
        return text;
    }
    for name in CONTEXT {
        let value = entity.index_of(name).and_then(|at| values.get(at)).unwrap_or(&Value::Null);
        encode::value(value, &mut text);
        text.push(',');
    }
    text
}
