//! The Information Delivery Specification, IDS 1.0 (buildingSMART International, 2024).
//!
//! A document is read into types ([`read`]), audited against its XML Schema and the agreements of implementers ([`Document::audit`]), and
//! held against a model ([`check`]); the results stand beside those of other checks as findings ([`findings`]). Values are in the base
//! units of the SI, as the standard says; those of a model are converted.

mod attribute;
mod audit;
mod author;
mod automaton;
mod check;
mod classification;
#[cfg(test)]
mod consistency_tests;
mod constraint;
mod context;
mod data_type;
mod derive;
mod document;
mod element;
mod entity;
mod entity_audit;
mod findings;
mod lexical;
mod material;
mod memo;
mod outcome;
mod part_of;
mod pattern;
mod property;
mod property_audit;
mod read;
mod reference;
mod report;
mod reverse;
mod sets;
mod structure;
#[cfg(test)]
mod tests;
mod verdict;
mod vocabulary;

pub use author::written;
pub use check::{Failure, Report, RequirementResult, SpecificationResult, Status, check};
pub use constraint::{Base, Bounds, Constraint, Restriction};
pub use data_type::{base_of_attribute, base_of_type};
pub use derive::from_model;
pub use document::{
    AttributeFacet, Cardinality, ClassificationFacet, Document, EntityFacet, Facet, Info, MaterialFacet,
    PartOfFacet, PropertyFacet, Requirement, Specification,
};
pub use findings::{findings, rule_names};
pub use pattern::Pattern;
pub use read::{Reading, read};
pub use report::{Images, html};
pub use verdict::Problem;
pub use xml::Place;
