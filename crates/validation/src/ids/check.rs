//! Documents held against models: what each specification applies to, and which requirements are met.

use super::constraint::Constraint;
use super::context::Context;
use super::document::{Cardinality, Document, Facet, Requirement, Specification};
use super::entity;
use ifc::{Entity, Id, Model, Schema, SchemaVersion};
use std::collections::BTreeSet;

/// Returns whether an instance meets a facet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Outcome {
    /// It is there and as asked.
    Met,
    /// It is not there, with the reason.
    Absent(String),
    /// It is there, but not as asked, with the reason.
    Wrong(String),
}

impl Outcome {
    pub fn absent(why: impl Into<String>) -> Self {
        Self::Absent(why.into())
    }

    pub fn wrong(why: impl Into<String>) -> Self {
        Self::Wrong(why.into())
    }
}

/// The verdict on a specification or requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Met.
    Passed,
    /// Not met.
    Failed,
    /// Not looked at: the specification is not for the model's schema.
    Skipped,
}

/// An instance that does not meet a requirement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The instance.
    pub id: Id,
    /// In words, without a full stop.
    pub reason: String,
}

/// The result of one requirement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequirementResult {
    /// The number of instances that meet it.
    pub passed: usize,
    /// Those that do not, in the order of the file.
    pub failed: Vec<Failure>,
}

/// The result of one specification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpecificationResult {
    /// The verdict.
    pub status: Status,
    /// The instances that it applies to.
    pub applicable: Vec<Id>,
    /// The results of its requirements, in their order; none where it was skipped.
    pub requirements: Vec<RequirementResult>,
    /// The reason of a verdict that does not come from the requirements.
    pub reason: Option<String>,
    /// True if the specification names other schemas than the model's.
    pub is_for_others: bool,
}

/// The results of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// In the order of the document.
    pub specifications: Vec<SpecificationResult>,
}

impl Report {
    /// True if no specification failed and at least one was looked at.
    pub fn is_met(&self) -> bool {
        self.specifications.iter().all(|own| own.status != Status::Failed)
            && self.specifications.iter().any(|own| own.status == Status::Passed)
    }
}

/// Holds a document against a model. Specifications for other schemas than the model's are checked too, as the cases of the standard ask,
/// or skipped. `asked` is asked between specifications whether the answer is still wanted; none if it is not.
pub fn check(
    document: &Document,
    model: &Model,
    skips_others: bool,
    asked: &mut dyn FnMut() -> bool,
) -> Option<Report> {
    let context = Context::new(model);
    let mut specifications = Vec::with_capacity(document.specifications.len());
    for specification in &document.specifications {
        if !asked() {
            return None;
        }
        specifications.push(context.specification(specification, skips_others));
    }
    Some(Report { specifications })
}

impl Context<'_> {
    fn specification(&self, specification: &Specification, skips_others: bool) -> SpecificationResult {
        let mut result = SpecificationResult {
            status: Status::Skipped,
            applicable: Vec::new(),
            requirements: Vec::new(),
            reason: None,
            is_for_others: !specification.versions.contains(&self.version),
        };
        if result.is_for_others && skips_others {
            let listed: Vec<&str> = specification.versions.iter().map(|own| own.as_str()).collect();
            result.reason = Some(format!(
                "it is for {}, and the model is {}",
                listed.join(" and "),
                self.version.as_str()
            ));
            return result;
        }
        result.applicable = self.applicable(&specification.applicability);
        let cardinality = specification.cardinality.unwrap_or_default();
        let count = result.applicable.len();
        for requirement in &specification.requirements {
            let mut own = RequirementResult { passed: 0, failed: Vec::new() };
            for id in &result.applicable {
                match self.failure(*id, requirement) {
                    None => own.passed += 1,
                    Some(reason) => own.failed.push(Failure { id: *id, reason }),
                }
            }
            result.requirements.push(own);
        }
        let all_met = result.requirements.iter().all(|own| own.failed.is_empty());
        let (is_met, reason) = match (cardinality, count) {
            (Cardinality::Required, 0) => {
                (false, Some("it applies to nothing in the model, and something must be there".to_owned()))
            }
            (Cardinality::Optional, 0) => (true, Some("it applies to nothing in the model".to_owned())),
            (Cardinality::Prohibited, 0) => {
                (true, Some("nothing in the model is of what may not be there".to_owned()))
            }
            (Cardinality::Prohibited, count) => (false, Some(format!("{count} are there that may not be"))),
            _ => (all_met, None),
        };
        result.status = if is_met { Status::Passed } else { Status::Failed };
        result.reason = reason;
        result
    }

    /// The reason why an instance fails a requirement; none if it meets it.
    fn failure(&self, id: Id, requirement: &Requirement) -> Option<String> {
        let outcome = self.outcome(id, &requirement.facet);
        match (requirement.cardinality.unwrap_or_default(), outcome) {
            (Cardinality::Prohibited, Outcome::Met) => Some("it has what is prohibited".to_owned()),
            (Cardinality::Prohibited, _)
            | (_, Outcome::Met)
            | (Cardinality::Optional, Outcome::Absent(_)) => None,
            (_, Outcome::Absent(why) | Outcome::Wrong(why)) => Some(why),
        }
    }

    fn outcome(&self, id: Id, facet: &Facet) -> Outcome {
        match facet {
            Facet::Entity(facet) => self.entity_failure(id, facet).map_or(Outcome::Met, Outcome::Wrong),
            Facet::PartOf(facet) => self.part_of(id, facet),
            Facet::Classification(facet) => self.classification(id, facet),
            Facet::Attribute(facet) => self.attribute(id, facet),
            Facet::Property(facet) => self.property(id, facet),
            Facet::Material(facet) => self.material(id, facet),
        }
    }

    /// The instances that meet all facets, in the order of the file within each class.
    fn applicable(&self, facets: &[Facet]) -> Vec<Id> {
        let Some(first) = facets.first() else { return Vec::new() };
        let mut found = self.candidates(first);
        for facet in facets {
            let is_done = matches!(facet, Facet::Entity(own) if own.predefined_type.is_none() && std::ptr::eq(facet, first));
            if !is_done {
                found.retain(|id| self.outcome(*id, facet) == Outcome::Met);
            }
        }
        found
    }

    /// The instances that may meet a facet.
    fn candidates(&self, facet: &Facet) -> Vec<Id> {
        let schema = self.model.schema();
        let of_classes = |classes: &[&str]| -> Vec<Id> {
            let all: BTreeSet<Id> = classes.iter().flat_map(|class| self.model.of_class(class)).collect();
            all.into_iter().collect()
        };
        match facet {
            Facet::Entity(own) => own.name.as_ref().map(|name| self.named(name)).unwrap_or_default(),
            Facet::Attribute(own) => {
                let has = |entity: &&Entity| {
                    entity
                        .attributes
                        .iter()
                        .any(|known| own.name.as_ref().is_some_and(|name| name.accepts_text(known.name)))
                };
                let classes = schema.entities().iter().filter(has);
                classes.flat_map(|class| self.model.of_class_exact(class.name)).collect()
            }
            Facet::PartOf(_) | Facet::Material(_) => of_classes(&["IfcObjectDefinition"]),
            Facet::Property(_) => {
                of_classes(&["IfcObjectDefinition", "IfcMaterialDefinition", "IfcMaterial", "IfcProfileDef"])
            }
            Facet::Classification(_) => {
                let mut all: BTreeSet<Id> = of_classes(&["IfcRoot", "IfcMaterial"]).into_iter().collect();
                for relation in self.model.of_class("IfcExternalReferenceRelationship") {
                    let relation = self.model.get(relation);
                    all.extend(
                        relation.map(|own| own.references("RelatedResourceObjects")).unwrap_or_default(),
                    );
                }
                all.into_iter().collect()
            }
        }
    }

    /// The instances whose class is named so.
    fn named(&self, name: &Constraint) -> Vec<Id> {
        let schema = self.model.schema();
        let mut found = Vec::new();
        for class in classes_named(schema, name) {
            found.extend(self.model.of_class_exact(class.name));
        }
        let mapped: BTreeSet<&str> = entity::mapped_names(self.version)
            .filter(|mapped| name.accepts_text(&mapped.to_ascii_uppercase()))
            .filter_map(|mapped| entity::mapping(SchemaVersion::Ifc2x3, mapped))
            .map(|(occurrence, _)| occurrence)
            .filter(|occurrence| !name.accepts_text(&occurrence.to_ascii_uppercase()))
            .collect();
        for occurrence in mapped {
            let all = self.model.of_class_exact(occurrence);
            found.extend(all.into_iter().filter(|id| self.is_named(*id, name)));
        }
        found
    }
}

fn classes_named(schema: &'static Schema, name: &Constraint) -> Vec<&'static Entity> {
    let is_upper = |text: &str| !text.bytes().any(|byte| byte.is_ascii_lowercase());
    match name.single() {
        Some(single) => schema.entity(single).filter(|_| is_upper(single)).into_iter().collect(),
        None => {
            schema.entities().iter().filter(|own| name.accepts_text(&own.name.to_ascii_uppercase())).collect()
        }
    }
}
