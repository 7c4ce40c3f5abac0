//! Associations of objects with sources outside the model: classifications, documents, libraries, constraints and approvals
//! (IfcRelAssociates, ISO 16739-1:2018, 5.1 and 5.2). An object has those of its type too. Instances that are no
//! objects, such as materials, have them by IfcExternalReferenceRelationship and its kin (8.6), from IFC4 on.

use super::{DEPTH, End, Links};
use crate::{Id, Model};

const fn associated(class: &'static str) -> End {
    End { class, attribute: "RelatedObjects" }
}

/// An element with classifications.
pub const CLASSIFIED: End = associated("IfcRelAssociatesClassification");
/// The relation of resources with references to somewhere else.
pub const REFERRING: End =
    End { class: "IfcExternalReferenceRelationship", attribute: "RelatedResourceObjects" };
/// The relation of resources with constraints.
pub const CONSTRAINED: End =
    End { class: "IfcResourceConstraintRelationship", attribute: "RelatedResourceObjects" };
/// The relation of resources with approvals.
pub const APPROVED: End =
    End { class: "IfcResourceApprovalRelationship", attribute: "RelatedResourceObjects" };

impl Links<'_> {
    /// Classification references, or whole classifications, of an object; those of its type count where the object
    /// has none of the same classification. Of what is no object, the external references
    /// (IfcRelAssociatesClassification, IfcExternalReferenceRelationship).
    pub fn classifications_of(&self, element: Id) -> Vec<Id> {
        if !self.is_a(element, "IfcRoot") {
            return self.external_references_of(element);
        }
        let own = self.across(element, CLASSIFIED, "RelatingClassification");
        let Some(of_type) = self.type_of(element).filter(|of| *of != element) else { return own };
        let systems: Vec<Option<Id>> =
            own.iter().map(|id| classification_system(self.model(), *id)).collect();
        let mut all: Vec<Id> = self
            .across(of_type, CLASSIFIED, "RelatingClassification")
            .into_iter()
            .filter(|id| !systems.contains(&classification_system(self.model(), *id)))
            .collect();
        all.extend(own);
        all
    }

    /// References to classifications, documents or libraries of what is no object, such as a material or a property
    /// (IfcExternalReferenceRelationship, 8.6).
    pub fn external_references_of(&self, resource: Id) -> Vec<Id> {
        self.across(resource, REFERRING, "RelatingReference")
    }

    /// Documents of an object and its type, as references or as information (IfcRelAssociatesDocument).
    pub fn documents_of(&self, object: Id) -> Vec<Id> {
        self.with_type(object, associated("IfcRelAssociatesDocument"), "RelatingDocument")
    }

    /// Libraries of an object and its type, as references or as information (IfcRelAssociatesLibrary).
    pub fn libraries_of(&self, object: Id) -> Vec<Id> {
        self.with_type(object, associated("IfcRelAssociatesLibrary"), "RelatingLibrary")
    }

    /// Objectives and metrics of an object and its type (IfcRelAssociatesConstraint), or of a resource such as a
    /// property (IfcResourceConstraintRelationship, 8.3).
    pub fn constraints_of(&self, object: Id) -> Vec<Id> {
        if self.is_a(object, "IfcRoot") {
            self.with_type(object, associated("IfcRelAssociatesConstraint"), "RelatingConstraint")
        } else {
            self.across(object, CONSTRAINED, "RelatingConstraint")
        }
    }

    /// Approvals of an object and its type (IfcRelAssociatesApproval), or of a resource
    /// (IfcResourceApprovalRelationship, 8.2).
    pub fn approvals_of(&self, object: Id) -> Vec<Id> {
        if self.is_a(object, "IfcRoot") {
            self.with_type(object, associated("IfcRelAssociatesApproval"), "RelatingApproval")
        } else {
            self.across(object, APPROVED, "RelatingApproval")
        }
    }

    /// The instances that an object has across a relation, then those that only its type has.
    fn with_type(&self, object: Id, end: End, other: &'static str) -> Vec<Id> {
        let mut found = self.across(object, end, other);
        if let Some(of_type) = self.type_of(object).filter(|of| *of != object) {
            let inherited = self.across(of_type, end, other);
            found.extend(inherited.into_iter().filter(|id| !found.contains(id)).collect::<Vec<_>>());
        }
        found
    }
}

/// The IfcClassification that a reference belongs to, through any references between.
pub fn classification_system(model: &Model, reference: Id) -> Option<Id> {
    let mut at = reference;
    for _ in 0..DEPTH {
        let instance = model.get(at)?;
        if instance.is_a("IfcClassification") {
            return Some(at);
        }
        at = instance.reference("ReferencedSource")?;
    }
    None
}
