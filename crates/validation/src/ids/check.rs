//! Documents held against models: what each specification applies to, and which requirements are met.

use super::constraint::Constraint;
use super::context::Context;
use super::document::{Cardinality, Document, Facet, Requirement, Specification};
use super::element::Element;
use super::entity::{self, accepts_in_capitals};
use super::outcome::Outcome;
use ifc::{Entity, Id, Model, SchemaVersion};
use rayon::prelude::*;
use std::collections::BTreeSet;

/// Instances that one task is given.
const TASK: usize = 64;
/// Instances times requirements from which on the threads of the pool are worth waking.
pub(super) const WORTH: usize = 2_000;
/// Instances that are looked at between two questions whether the answer is still wanted.
const BATCH: usize = 1 << 14;

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
/// or skipped. `asked` is asked now and then whether the answer is still wanted; none if it is not.
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
        specifications.push(context.specification(specification, skips_others, asked)?);
    }
    Some(Report { specifications })
}

impl<'m> Context<'m> {
    fn specification(
        &self,
        specification: &Specification,
        skips_others: bool,
        asked: &mut dyn FnMut() -> bool,
    ) -> Option<SpecificationResult> {
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
            return Some(result);
        }
        result.applicable = self.applicable(&specification.applicability);
        let cardinality = specification.cardinality.unwrap_or_default();
        let count = result.applicable.len();
        result.requirements = self.requirements(&result.applicable, &specification.requirements, asked)?;
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
        Some(result)
    }

    /// The results of requirements on instances; none if they are no longer wanted.
    fn requirements(
        &self,
        ids: &[Id],
        requirements: &[Requirement],
        asked: &mut dyn FnMut() -> bool,
    ) -> Option<Vec<RequirementResult>> {
        let mut results = vec![RequirementResult { passed: 0, failed: Vec::new() }; requirements.len()];
        for batch in ids.chunks(BATCH) {
            if !asked() {
                return None;
            }
            let parts: Vec<_> = if batch.len() * requirements.len() < WORTH {
                vec![self.held(batch, requirements)]
            } else {
                batch.par_chunks(TASK).map(|ids| self.held(ids, requirements)).collect()
            };
            for (own, mut part) in parts.into_iter().flat_map(|part| (0..).zip(part)) {
                let Some(result) = results.get_mut::<usize>(own) else { continue };
                result.passed += part.passed;
                result.failed.append(&mut part.failed);
            }
        }
        Some(results)
    }

    /// Holds all requirements against one instance after the other, so that what is found out about one serves all.
    fn held(&self, ids: &[Id], requirements: &[Requirement]) -> Vec<RequirementResult> {
        let mut results = vec![RequirementResult { passed: 0, failed: Vec::new() }; requirements.len()];
        for id in ids {
            let element = self.element(*id);
            for (requirement, result) in requirements.iter().zip(&mut results) {
                match self.failure(&element, requirement) {
                    None => result.passed += 1,
                    Some(reason) => result.failed.push(Failure { id: *id, reason }),
                }
            }
        }
        results
    }

    /// The reason why an instance fails a requirement; none if it meets it.
    pub(super) fn failure(&self, element: &Element<'m>, requirement: &Requirement) -> Option<String> {
        let outcome = self.outcome(element, &requirement.facet);
        match (requirement.cardinality.unwrap_or_default(), outcome) {
            (Cardinality::Prohibited, Outcome::Met) => Some("it has what is prohibited".to_owned()),
            (Cardinality::Prohibited, _)
            | (_, Outcome::Met)
            | (Cardinality::Optional, Outcome::Absent(_)) => None,
            (_, Outcome::Absent(why) | Outcome::Wrong(why)) => Some(why),
        }
    }

    fn outcome(&self, element: &Element<'m>, facet: &Facet) -> Outcome {
        match facet {
            Facet::Entity(facet) => self.entity_failure(element, facet).map_or(Outcome::Met, Outcome::Wrong),
            Facet::PartOf(facet) => self.part_of(element, facet),
            Facet::Classification(facet) => self.classification(element, facet),
            Facet::Attribute(facet) => self.attribute(element, facet),
            Facet::Property(facet) => self.property(element, facet),
            Facet::Material(facet) => self.material(element, facet),
        }
    }

    /// The instances that meet all facets, in the order of the file within each class.
    fn applicable(&self, facets: &[Facet]) -> Vec<Id> {
        let Some(first) = facets.first() else { return Vec::new() };
        let mut found = self.candidates(first);
        for facet in facets {
            let is_done = matches!(facet, Facet::Entity(own) if own.predefined_type.is_none() && std::ptr::eq(facet, first));
            if !is_done {
                let is_met = |id: &Id| self.outcome(&self.element(*id), facet) == Outcome::Met;
                if found.len() < WORTH {
                    found.retain(is_met);
                } else {
                    found = found.into_par_iter().with_min_len(TASK).filter(is_met).collect();
                }
            }
        }
        found
    }

    /// The instances that may meet a facet.
    fn candidates(&self, facet: &Facet) -> Vec<Id> {
        let of_classes = |classes: &[&str]| -> Vec<Id> {
            let mut all: Vec<Id> = classes.iter().flat_map(|class| self.model.of_class(class)).collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        match facet {
            Facet::Entity(own) => own.name.as_ref().map(|name| self.named(name)).unwrap_or_default(),
            Facet::Attribute(own) => {
                let has = |entity: &&&Entity| {
                    entity
                        .attributes
                        .iter()
                        .any(|known| own.name.as_ref().is_some_and(|name| name.accepts_text(known.name)))
                };
                let classes = self.classes().iter().filter(has);
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
        let mut found = Vec::new();
        for class in self.classes_named(name) {
            found.extend(self.model.of_class_exact(class.name));
        }
        let mapped: BTreeSet<&str> = entity::mapped_names(self.version)
            .filter(|mapped| accepts_in_capitals(name, mapped))
            .filter_map(|mapped| entity::mapping(SchemaVersion::Ifc2x3, mapped))
            .map(|(occurrence, _)| occurrence)
            .filter(|occurrence| !accepts_in_capitals(name, occurrence))
            .collect();
        for occurrence in mapped {
            let all = self.model.of_class_exact(occurrence);
            found.extend(all.into_iter().filter(|id| self.is_named(&self.element(*id), name)));
        }
        found
    }

    /// The classes of the model that are named so.
    fn classes_named(&self, name: &Constraint) -> Vec<&'static Entity> {
        let is_upper = |text: &str| !text.bytes().any(|byte| byte.is_ascii_lowercase());
        match name.single() {
            Some(single) => {
                self.model.schema().entity(single).filter(|_| is_upper(single)).into_iter().collect()
            }
            None => {
                self.classes().iter().copied().filter(|own| accepts_in_capitals(name, own.name)).collect()
            }
        }
    }
}
