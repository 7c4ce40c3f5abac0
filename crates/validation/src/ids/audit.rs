//! Whether a document of the right structure means something: the agreements of the implementers of IDS 1.0, held against the schemas
//! that each specification names.
//!
//! Counted as the auditing tool of buildingSMART counts. What contradicts the published property sets is told too, though it does not
//! keep a document from being checked.

use super::constraint::Constraint;
use super::document::{Cardinality, Document, Facet, Requirement, Specification};
use super::verdict::{Classes, Problem, Scope, Verdict};
use super::{entity_audit, property_audit};
use ifc::SchemaVersion;
use xml::Place;

impl Document {
    /// Everything that is wrong with what the document says, in its order.
    pub fn audit(&self) -> Vec<Problem> {
        self.specifications.iter().flat_map(audit).collect()
    }
}

fn audit(specification: &Specification) -> Vec<Problem> {
    let mut problems = Vec::new();
    let place = specification.place;
    if specification.versions.is_empty() {
        let message = "the specification names no schema";
        problems.push(Problem::new(
            place,
            message,
            "give `ifcVersion` one or more of IFC2X3, IFC4, IFC4X3_ADD2",
        ));
    }
    if specification.cardinality.is_none() {
        problems.push(Problem::new(
            specification.applicability_place,
            "the occurrences say neither required, optional nor prohibited",
            "`minOccurs` and `maxOccurs` are 1 and unbounded, 0 and unbounded, or 0 and 0",
        ));
    }
    if specification.applicability.is_empty() {
        let message = "the specification applies to nothing";
        problems.push(Problem::new(specification.applicability_place, message, "give it at least one facet"));
    }
    if specification.cardinality == Some(Cardinality::Prohibited) && !specification.requirements.is_empty() {
        let message = "what is prohibited cannot have requirements";
        problems.push(Problem::new(place, message, "take the requirements out, or let it occur"));
    }
    let mut scope = Scope { versions: &specification.versions, applicable: Vec::new(), is_required: true };
    let verdicts: Vec<Verdict> =
        specification.applicability.iter().map(|facet| verdict(facet, &scope)).collect();
    let (own, is_clash) = joined(&verdicts);
    problems.extend(verdicts.into_iter().flat_map(|verdict| verdict.problems));
    if is_clash {
        let message = "no class can meet all facets of the applicability";
        problems.push(Problem::new(specification.applicability_place, message, "take one of them out"));
    }
    scope.applicable.clone_from(&own);
    let mut required = Vec::new();
    for requirement in &specification.requirements {
        scope.is_required = requirement.cardinality == Some(Cardinality::Required);
        problems.extend(cardinality_problem(requirement));
        let mut verdict = verdict(&requirement.facet, &scope);
        problems.append(&mut verdict.problems);
        if scope.is_required {
            required.push(verdict);
        }
    }
    let (wanted, is_clash_of_wanted) = joined(&required);
    if is_clash_of_wanted {
        let message = "no class can meet all requirements";
        problems.push(Problem::new(place, message, "take one of them out"));
    } else if !is_clash {
        let is_impossible = wanted.iter().any(|(version, wanted)| {
            own.iter().filter(|(own, _)| own == version).any(|(_, own)| {
                let mut both = own.clone();
                both.intersect(wanted);
                both.is_empty()
            })
        });
        if is_impossible {
            let message = "nothing that the specification applies to can meet its requirements";
            problems.push(Problem::new(
                place,
                message,
                "name classes in the requirements that the applicability lets through",
            ));
        }
    }
    problems
}

/// The classes that can meet all of some facets, for each schema, and whether there are none in one.
fn joined(verdicts: &[Verdict]) -> (Vec<(SchemaVersion, Classes)>, bool) {
    let mut all: Vec<(SchemaVersion, Classes)> = Vec::new();
    for (version, classes) in verdicts.iter().flat_map(|verdict| &verdict.classes) {
        match all.iter_mut().find(|(known, _)| known == version) {
            Some((_, known)) => known.intersect(classes),
            None => all.push((*version, classes.clone())),
        }
    }
    let is_clash = all.iter().any(|(_, classes)| classes.is_empty());
    (all, is_clash)
}

fn verdict(facet: &Facet, scope: &Scope<'_>) -> Verdict {
    match facet {
        Facet::Entity(entity) => entity_audit::entity(entity, scope),
        Facet::PartOf(part) => entity_audit::part_of(part, scope),
        Facet::Attribute(attribute) => entity_audit::attribute(attribute, scope),
        Facet::Property(property) => property_audit::property(property, scope),
        Facet::Classification(classification) => {
            let mut problems = Vec::new();
            if classification.system.as_ref().is_none_or(Constraint::is_empty) {
                let message = "the system of the classification is empty";
                problems.push(Problem::new(
                    classification.place,
                    message,
                    "name it, or ask for the pattern .*",
                ));
            } else {
                problems.extend(texts(classification.system.as_ref(), classification.place));
            }
            problems.extend(texts(classification.value.as_ref(), classification.place));
            Verdict { problems, classes: Vec::new() }
        }
        Facet::Material(material) => {
            Verdict { problems: texts(material.value.as_ref(), material.place), classes: Vec::new() }
        }
    }
}

/// The problems of a constraint on texts.
fn texts(constraint: Option<&Constraint>, place: Place) -> Vec<Problem> {
    let base = [super::constraint::Base::String];
    constraint.map(|own| property_audit::value(own, &base, place)).unwrap_or_default()
}

/// A cardinality that is none, or that does not fit what the facet says.
fn cardinality_problem(requirement: &Requirement) -> Option<Problem> {
    let place = requirement.facet.place();
    let empty = |value: &Option<Constraint>| value.as_ref().is_none_or(Constraint::is_empty);
    match (requirement.cardinality, &requirement.facet) {
        (None, _) => {
            Some(Problem::new(place, "the cardinality is none", "it is required, optional or prohibited"))
        }
        (Some(Cardinality::Optional), Facet::Property(facet)) if facet.data_type.is_none() => {
            Some(Problem::new(place, "an optional property has no `dataType`", "add one, such as IFCLABEL"))
        }
        (Some(Cardinality::Prohibited), Facet::Property(facet)) if facet.data_type.is_some() => {
            Some(Problem::new(place, "a prohibited property has a `dataType`", "take it out"))
        }
        (Some(Cardinality::Optional), Facet::Attribute(facet)) if empty(&facet.value) => {
            Some(Problem::new(place, "an optional attribute has no value", "add one, or make it required"))
        }
        (Some(Cardinality::Optional), Facet::Classification(facet)) if empty(&facet.value) => Some(
            Problem::new(place, "an optional classification has no value", "add one, or make it required"),
        ),
        (Some(Cardinality::Optional), Facet::Material(facet)) if empty(&facet.value) => {
            Some(Problem::new(place, "an optional material has no value", "add one, or make it required"))
        }
        _ => None,
    }
}
