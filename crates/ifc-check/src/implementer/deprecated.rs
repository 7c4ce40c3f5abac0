//! IFC102: what a schema keeps only so that old files can be read is not written any more: classes, attributes, words
//! of enumerations, and classes that should be used by their subtypes only. The tables are those of the rule.

use super::Context;
use ifc::{SchemaVersion, Value};

struct Deprecated {
    /// Not instantiated; subtypes may be.
    classes: &'static [&'static str],
    /// Class, subtypes included, and attribute left empty.
    attributes: &'static [(&'static str, &'static str)],
    /// Class, subtypes included, attribute and words not used.
    words: &'static [(&'static str, &'static str, &'static [&'static str])],
    /// Not instantiated as such; a subtype says more.
    generic: &'static [&'static str],
}

const IFC2X3: Deprecated = Deprecated {
    classes: &[
        "Ifc2DCompositeCurve",
        "IfcConnectionPortGeometry",
        "IfcElectricalElement",
        "IfcEquipmentElement",
        "IfcTextLiteral",
    ],
    attributes: &[("IfcFillAreaStyleHatching", "PointOfReferenceHatchLine")],
    words: &[
        ("IfcOwnerHistory", "ChangeAction", &["MODIFIEDADDED", "MODIFIEDDELETED"]),
        ("IfcPropertySet", "Name", &["Pset_Draughting"]),
    ],
    generic: &[
        "IfcProductRepresentation",
        "IfcRepresentation",
        "IfcRepresentationContext",
        "IfcRelAssociates",
    ],
};

const DISTRIBUTION: &[&str] = &[
    "IfcFlowFitting",
    "IfcFlowSegment",
    "IfcFlowTerminal",
    "IfcFlowController",
    "IfcFlowMovingDevice",
    "IfcFlowStorageDevice",
    "IfcFlowTreatmentDevice",
    "IfcEnergyConversionDevice",
];

const WALLS_4: &[&str] = &["POLYGONAL", "STANDARD", "ELEMENTEDWALL"];
const WALLS: &[&str] = &["POLYGONAL", "STANDARD"];
const FITTINGS: &[&str] = &["TEE", "CROSS", "REDUCER"];
const SPACES: &[&str] = &["INTERNAL", "EXTERNAL"];

const IFC4: Deprecated = Deprecated {
    classes: &[
        "Ifc2DCompositeCurve",
        "IfcBeamStandardCase",
        "IfcConnectionPortGeometry",
        "IfcColumnStandardCase",
        "IfcDoorStandardCase",
        "IfcDoorStyle",
        "IfcElectricalElement",
        "IfcEquipmentElement",
        "IfcFaceBasedSurfaceModel",
        "IfcMaterialClassificationRelationship",
        "IfcMaterialList",
        "IfcMemberStandardCase",
        "IfcNullStyle",
        "IfcOpeningStandardCase",
        "IfcPlateStandardCase",
        "IfcPresentationStyleAssignment",
        "IfcProxy",
        "IfcRelCoversBldgElements",
        "IfcRelCoversSpaces",
        "IfcSlabElementedCase",
        "IfcSlabStandardCase",
        "IfcTextLiteral",
        "IfcWallElementedCase",
        "IfcWallStandardCase",
        "IfcWindowStandardCase",
        "IfcWindowStyle",
    ],
    attributes: &[
        ("IfcDoorLiningProperties", "ShapeAspectStyle"),
        ("IfcDoorPanelProperties", "ShapeAspectStyle"),
        ("IfcFillAreaStyleHatching", "PointOfReferenceHatchLine"),
        ("IfcReinforcingElement", "SteelGrade"),
        ("IfcRelAssigns", "RelatedObjectsType"),
        ("IfcStairFlight", "NumberOfRisers"),
        ("IfcStairFlight", "NumberOfTreads"),
        ("IfcStairFlight", "RiserHeight"),
        ("IfcStairFlight", "TreadLength"),
        ("IfcWindowPanelProperties", "ShapeAspectStyle"),
        ("IfcWindowLiningProperties", "ShapeAspectStyle"),
        ("IfcTendon", "NominalDiameter"),
        ("IfcTendon", "CrossSectionArea"),
        ("IfcTendon", "TensionForce"),
        ("IfcTendon", "PreStress"),
        ("IfcTendon", "FrictionCoefficient"),
        ("IfcTendon", "AnchorageSlip"),
        ("IfcTendon", "MinCurvatureRadius"),
        ("IfcTendonType", "NominalDiameter"),
        ("IfcTendonType", "CrossSectionArea"),
        ("IfcTendonType", "SheathDiameter"),
    ],
    words: &[
        ("IfcWall", "PredefinedType", WALLS_4),
        ("IfcWallType", "PredefinedType", WALLS_4),
        ("IfcPropertySet", "Name", &["Pset_Draughting"]),
    ],
    generic: DISTRIBUTION,
};

const IFC4X3: Deprecated = Deprecated {
    classes: &[
        "IfcBuildingSystem",
        "IfcCivilElement",
        "IfcCivilElementType",
        "IfcDoorLiningProperties",
        "IfcDoorPanelProperties",
        "IfcElectricDistributionBoard",
        "IfcElectricDistributionBoardType",
        "IfcFaceBasedSurfaceModel",
        "IfcMaterialClassificationRelationship",
        "IfcMaterialList",
        "IfcPermeableCoveringProperties",
        "IfcPostalAddress",
        "IfcRelConnectsPortToElement",
        "IfcRelCoversBldgElements",
        "IfcRelServicesBuildings",
        "IfcRelCoversSpaces",
        "IfcTelecomAddress",
        "IfcTextLiteral",
        "IfcTrapeziumProfileDef",
        "IfcWallStandardCase",
        "IfcWindowLiningProperties",
        "IfcWindowPanelProperties",
        "IfcWindowStandardCase",
    ],
    attributes: &[
        ("IfcBuilding", "BuildingAddress"),
        ("IfcBuilding", "ElevationOfRefHeight"),
        ("IfcBuilding", "ElevationOfTerrain"),
        ("IfcBuildingStorey", "Elevation"),
        ("IfcFillAreaStyleHatching", "PointOfReferenceHatchLine"),
        ("IfcOrganization", "Addresses"),
        ("IfcPerson", "Addresses"),
        ("IfcPile", "ConstructionType"),
        ("IfcReinforcingElement", "SteelGrade"),
        ("IfcRelAssigns", "RelatedObjectsType"),
        ("IfcSite", "LandTitleNumber"),
        ("IfcSite", "SiteAddress"),
        ("IfcStairFlight", "NumberOfRisers"),
        ("IfcStairFlight", "NumberOfTreads"),
        ("IfcStairFlight", "RiserHeight"),
        ("IfcStairFlight", "TreadLength"),
        ("IfcSurfaceStyleRendering", "DiffuseTransmissionColour"),
        ("IfcSurfaceStyleRendering", "ReflectionColour"),
        ("IfcSurfaceStyleRendering", "TransmissionColour"),
        ("IfcSurfaceTexture", "Parameter"),
        ("IfcTendon", "NominalDiameter"),
        ("IfcTendon", "CrossSectionArea"),
        ("IfcTextureCoordinateGenerator", "Parameter"),
    ],
    words: &[
        ("IfcBuildingElementProxy", "PredefinedType", &["PROVISIONFORSPACE", "PROVISIONFORVOID"]),
        ("IfcFireSuppressionTerminal", "PredefinedType", &["SPRINKLERDEFLECTOR"]),
        ("IfcFireSuppressionTerminalType", "PredefinedType", &["SPRINKLERDEFLECTOR"]),
        ("IfcCableCarrierFitting", "PredefinedType", FITTINGS),
        ("IfcCableCarrierFittingType", "PredefinedType", FITTINGS),
        ("IfcGeographicElement", "PredefinedType", &["SOIL_BORING_POINT"]),
        ("IfcGeographicElementType", "PredefinedType", &["SOIL_BORING_POINT"]),
        ("IfcSpace", "PredefinedType", SPACES),
        ("IfcSpaceType", "PredefinedType", SPACES),
        ("IfcWall", "PredefinedType", WALLS),
        ("IfcWallType", "PredefinedType", WALLS),
        ("IfcShapeRepresentation", "RepresentationType", &["PointCloud"]),
        ("IfcPropertySet", "Name", &["Pset_Draughting"]),
    ],
    generic: DISTRIBUTION,
};

pub(super) fn check(context: &mut Context<'_, '_>) {
    let deprecated = match context.version() {
        SchemaVersion::Ifc2x3 => &IFC2X3,
        SchemaVersion::Ifc4 => &IFC4,
        SchemaVersion::Ifc4x3 => &IFC4X3,
    };
    let schema = context.model.schema().name();
    for class in deprecated.classes {
        for instance in context.of_exactly(class) {
            context.report(&instance, |named| {
                format!("{named}: {class} is deprecated in {schema}; use what the documentation names in its place")
            });
        }
    }
    for class in deprecated.generic {
        for instance in context.of_exactly(class) {
            context.report(&instance, |named| {
                format!("{named}: {class} is not to be instantiated as such in {schema}; use the subtype that says what it is")
            });
        }
    }
    for (class, attribute) in deprecated.attributes {
        for instance in context.of_class(class) {
            let value = instance.attr(attribute);
            if !value.is_null() && value != Value::Derived && value != Value::List(Vec::new()) {
                context.report_about(&instance, Some(attribute), |named| {
                    format!("{named}: {class}.{attribute} is deprecated in {schema}; leave it empty ($)")
                });
            }
        }
    }
    for (class, attribute, words) in deprecated.words {
        for instance in context.of_class(class) {
            let value = instance.attr(attribute);
            let Some(word) = value.as_enum().or_else(|| value.as_text()) else { continue };
            if words.contains(&word) {
                context.report_about(&instance, Some(attribute), |named| {
                    format!("{named}: {word} is deprecated for {class}.{attribute} in {schema}; use another")
                });
            }
        }
    }
}
