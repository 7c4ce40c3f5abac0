//! Classifications of an instance: its own, and of its type those of systems that it has none of. A reference has the identifications of
//! those above it, too.

use super::check::Outcome;
use super::context::{Context, meets};
use super::document::ClassificationFacet;
use ifc::relations::{CLASSIFIED, DEPTH, classification_system};
use ifc::{Id, SchemaVersion};

impl Context<'_> {
    /// The references and systems that classify an instance.
    fn classifications(&self, id: Id) -> Vec<Id> {
        let is_root = self.model.get(id).is_some_and(|instance| instance.is_a("IfcRoot"));
        if !is_root && self.version == SchemaVersion::Ifc2x3 {
            let relations = self.model.referrers_of(id, "IfcMaterialClassificationRelationship");
            let all = relations.into_iter().filter_map(|relation| self.model.get(relation));
            return all.flat_map(|relation| relation.references("MaterialClassifications")).collect();
        }
        if !is_root {
            let all = self.links.external_references_of(id);
            return all
                .into_iter()
                .filter(|found| {
                    self.model
                        .get(*found)
                        .is_some_and(|found| found.class_name().starts_with("IfcClassification"))
                })
                .collect();
        }
        let mut own = self.links.across(id, CLASSIFIED, "RelatingClassification");
        if let Some(of_type) = self.type_of(id) {
            let system = |found: &Id| self.system(*found);
            let known: Vec<_> = own.iter().map(system).collect();
            let inherited = self.links.across(of_type, CLASSIFIED, "RelatingClassification");
            own.extend(inherited.into_iter().filter(|found| !known.contains(&system(found))));
        }
        own
    }

    fn system(&self, reference: Id) -> Option<String> {
        self.model.get(classification_system(self.model, reference)?)?.name()
    }

    /// The identifications of a reference and of those above it.
    fn identifications(&self, reference: Id) -> Vec<String> {
        let mut all = Vec::new();
        let mut at = Some(reference);
        for _ in 0..DEPTH {
            let Some(instance) = at.and_then(|id| self.model.get(id)) else { break };
            if instance.is_a("IfcClassification") {
                break;
            }
            all.extend(instance.text("Identification").or_else(|| instance.text("ItemReference")));
            at = instance.reference("ReferencedSource");
        }
        all
    }

    /// Returns whether an instance meets a classification facet.
    pub fn classification(&self, id: Id, facet: &ClassificationFacet) -> Outcome {
        let all = self.classifications(id);
        let of_system: Vec<Id> = all
            .iter()
            .copied()
            .filter(|found| meets(facet.system.as_ref(), self.system(*found).as_deref()))
            .collect();
        if of_system.is_empty() {
            let wanted =
                facet.system.as_ref().map(super::constraint::Constraint::describe).unwrap_or_default();
            return Outcome::absent(if all.is_empty() {
                "it has no classification".to_owned()
            } else {
                format!("it has no classification of the system {wanted}")
            });
        }
        let Some(value) = facet.value.as_ref().filter(|value| !value.is_empty()) else { return Outcome::Met };
        let codes: Vec<String> =
            of_system.into_iter().flat_map(|found| self.identifications(found)).collect();
        if codes.iter().any(|code| value.accepts_text(code)) {
            return Outcome::Met;
        }
        Outcome::wrong(match codes.first() {
            Some(code) => format!("it is classified as \"{code}\", not {}", value.describe()),
            None => format!("its classification has no identification; asked is {}", value.describe()),
        })
    }
}
