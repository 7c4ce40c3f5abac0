//! Resources that say something about others instead of being part of them: a styled item colours a solid, a layer
//! assignment lists shapes, a material's properties name their material. Nothing refers to them, yet they matter as
//! long as what they are about does.

use crate::Instance;

/// Classes with the attribute that holds what they are about. Subtypes are meant too; relationships between resources
/// are told by [`subject`] itself where a schema has no supertype for them.
const ABOUT: [(&str, &str); 32] = [
    ("IfcStyledItem", "Item"),
    ("IfcPresentationLayerAssignment", "AssignedItems"),
    ("IfcShapeAspect", "PartOfProductDefinitionShape"),
    ("IfcMaterialDefinitionRepresentation", "RepresentedMaterial"),
    ("IfcMaterialProperties", "Material"),
    ("IfcMaterialClassificationRelationship", "ClassifiedMaterial"),
    ("IfcMaterialRelationship", "RelatingMaterial"),
    ("IfcProfileProperties", "ProfileDefinition"),
    ("IfcCoordinateOperation", "SourceCRS"),
    ("IfcWellKnownText", "CoordinateReferenceSystem"),
    ("IfcGeometricRepresentationSubContext", "ParentContext"),
    ("IfcIndexedColourMap", "MappedTo"),
    ("IfcIndexedTextureMap", "MappedTo"),
    ("IfcTextureMap", "MappedTo"),
    ("IfcExternalReferenceRelationship", "RelatedResourceObjects"),
    ("IfcResourceApprovalRelationship", "RelatedResourceObjects"),
    ("IfcResourceConstraintRelationship", "RelatedResourceObjects"),
    ("IfcApprovalRelationship", "RelatingApproval"),
    ("IfcApprovalActorRelationship", "Approval"),
    ("IfcApprovalPropertyRelationship", "Approval"),
    ("IfcAppliedValueRelationship", "ComponentOfTotal"),
    ("IfcCurrencyRelationship", "RelatingMonetaryUnit"),
    ("IfcDocumentInformationRelationship", "RelatingDocument"),
    ("IfcDocumentReference", "ReferencedDocument"),
    ("IfcLibraryReference", "ReferencedLibrary"),
    ("IfcOrganizationRelationship", "RelatingOrganization"),
    ("IfcPropertyDependencyRelationship", "DependingProperty"),
    ("IfcPropertyConstraintRelationship", "RelatedProperties"),
    ("IfcConstraintAggregationRelationship", "RelatingConstraint"),
    ("IfcClassificationItemRelationship", "RelatingItem"),
    ("IfcDraughtingCalloutRelationship", "RelatingDraughtingCallout"),
    ("IfcTimeSeriesReferenceRelationship", "ReferencedTimeSeries"),
];

/// Classes that are about others, of those that the schemas have.
pub fn classes() -> impl Iterator<Item = &'static str> {
    ABOUT.iter().map(|(class, _)| *class)
}

/// The place of the attribute that holds what an instance is about, if it is about anything.
pub fn subject(instance: &Instance<'_>) -> Option<usize> {
    let entity = instance.entity()?;
    let (_, attribute) = ABOUT.iter().find(|(class, _)| instance.is_a(class))?;
    entity.index_of(attribute)
}
