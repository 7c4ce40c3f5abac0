//! References of classifications, with the names that they are known by.

use ifc::relations::{DEPTH, classification_system};
use ifc::{Id, Model};

/// A reference of a classification, or a whole one.
pub(super) struct Reference {
    /// The name of its system.
    pub system: Option<String>,
    /// Its identification and those of the references above it.
    pub identifications: Vec<String>,
}

impl Reference {
    pub fn new(model: &Model, id: Id) -> Self {
        let system = classification_system(model, id).and_then(|system| model.get(system)?.name());
        let mut identifications = Vec::new();
        let mut at = Some(id);
        for _ in 0..DEPTH {
            let Some(instance) = at.and_then(|id| model.get(id)) else { break };
            if instance.is_a("IfcClassification") {
                break;
            }
            identifications
                .extend(instance.text("Identification").or_else(|| instance.text("ItemReference")));
            at = instance.reference("ReferencedSource");
        }
        Self { system, identifications }
    }
}
