//! Classifications of an instance: its own, and of its type those of systems that it has none of. A reference has the identifications of
//! those above it, too.

use super::context::{Context, meets};
use super::document::ClassificationFacet;
use super::element::Element;
use super::outcome::Outcome;
use super::reference::Reference;
use super::reverse::Step;

use ifc::{Id, SchemaVersion};
use std::sync::Arc;

impl Context<'_> {
    /// The references and systems that classify an instance.
    fn classifications<'e>(&self, element: &'e Element<'_>) -> &'e [Id] {
        element.classifications.get_or_init(|| {
            let id = element.id;
            let is_root = element.instance.is_some_and(|instance| instance.is_a("IfcRoot"));
            if !is_root && self.version == SchemaVersion::Ifc2x3 {
                let relations = self.model.referrers_of(id, "IfcMaterialClassificationRelationship");
                let all = relations.into_iter().filter_map(|relation| self.model.get(relation));
                return all.flat_map(|relation| relation.references("MaterialClassifications")).collect();
            }
            if !is_root {
                let mut all = self.relations.across(id, Step::ExternalReference);
                let named = |found: &Id| self.model.get(*found).map(|found| found.class_name());
                all.retain(|found| named(found).is_some_and(|name| name.starts_with("IfcClassification")));
                return all;
            }
            let mut own = self.relations.across(id, Step::Classification);
            if let Some(of_type) = self.type_of(element) {
                let known: Vec<_> = own.iter().map(|found| self.reference(*found)).collect();
                let mut inherited = self.relations.across(of_type, Step::Classification);
                inherited.retain(|found| {
                    let found = self.reference(*found);
                    !known.iter().any(|known| known.system == found.system)
                });
                own.append(&mut inherited);
            }
            own
        })
    }

    fn reference(&self, id: Id) -> Arc<Reference> {
        self.references.get(id, || Reference::new(self.model, id))
    }

    /// Returns whether an instance meets a classification facet.
    pub fn classification(&self, element: &Element<'_>, facet: &ClassificationFacet) -> Outcome {
        let all: Vec<_> = self.classifications(element).iter().map(|found| self.reference(*found)).collect();
        let of_system: Vec<&Arc<Reference>> =
            all.iter().filter(|found| meets(facet.system.as_ref(), found.system.as_deref())).collect();
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
        let codes: Vec<&str> =
            of_system.into_iter().flat_map(|found| &found.identifications).map(String::as_str).collect();
        if codes.iter().any(|code| value.accepts_text(code)) {
            return Outcome::Met;
        }
        Outcome::wrong(match codes.first() {
            Some(code) => format!("it is classified as \"{code}\", not {}", value.describe()),
            None => format!("its classification has no identification; asked is {}", value.describe()),
        })
    }
}
