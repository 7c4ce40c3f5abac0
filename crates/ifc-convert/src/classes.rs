//! Classes that one schema has and the next one has not, with what they become. The reasons are those of the change
//! logs of IFC4 (annex F of ISO 16739:2013 and of IFC4 ADD2) and IFC4X3 (annex E of ISO 16739-1:2024).
//!
//! A class that stands in no table becomes its nearest supertype that the target has and that may have instances; elements
//! without one become proxies that keep their class in ObjectType.

use super::Way;
use super::report::Outcome::{self, Approximated, Mapped};

/// A class, what it becomes, and how near that is.
pub(super) type Rule = (&'static str, &'static str, Outcome);

/// IFC4 has these under other names.
const TWO_TO_FOUR: &[Rule] = &[
    ("Ifc2DCompositeCurve", "IfcCompositeCurve", Mapped),
    ("IfcAnnotationCurveOccurrence", "IfcStyledItem", Mapped),
    ("IfcAnnotationFillAreaOccurrence", "IfcStyledItem", Approximated),
    ("IfcAnnotationSurfaceOccurrence", "IfcStyledItem", Mapped),
    ("IfcAnnotationSymbolOccurrence", "IfcStyledItem", Mapped),
    ("IfcAnnotationTextOccurrence", "IfcStyledItem", Mapped),
    ("IfcProjectionCurve", "IfcStyledItem", Approximated),
    ("IfcDimensionCurve", "IfcStyledItem", Approximated),
    ("IfcTerminatorSymbol", "IfcStyledItem", Approximated),
    ("IfcDimensionCurveTerminator", "IfcStyledItem", Approximated),
    ("IfcChamferEdgeFeature", "IfcVoidingFeature", Approximated),
    ("IfcRoundedEdgeFeature", "IfcVoidingFeature", Approximated),
    ("IfcCondition", "IfcGroup", Approximated),
    ("IfcDoorStyle", "IfcDoorType", Mapped),
    ("IfcWindowStyle", "IfcWindowType", Mapped),
    ("IfcElectricDistributionPoint", "IfcElectricDistributionBoard", Mapped),
    ("IfcElectricHeaterType", "IfcSpaceHeaterType", Approximated),
    ("IfcGasTerminalType", "IfcBurnerType", Approximated),
    ("IfcElectricalCircuit", "IfcDistributionCircuit", Mapped),
    ("IfcElectricalElement", "IfcDistributionElement", Approximated),
    ("IfcEquipmentElement", "IfcDistributionElement", Approximated),
    ("IfcMove", "IfcTask", Approximated),
    ("IfcOrderAction", "IfcTask", Approximated),
    ("IfcRelAssignsTasks", "IfcRelAssignsToControl", Approximated),
    ("IfcRelAssignsToProjectOrder", "IfcRelAssignsToControl", Mapped),
    ("IfcRelSchedulesCostItems", "IfcRelAssignsToControl", Mapped),
    ("IfcRelOccupiesSpaces", "IfcRelAssignsToActor", Mapped),
    ("IfcRelOverridesProperties", "IfcRelDefinesByProperties", Mapped),
    ("IfcStructuralLinearActionVarying", "IfcStructuralLinearAction", Approximated),
    ("IfcStructuralPlanarActionVarying", "IfcStructuralPlanarAction", Approximated),
    ("IfcEnvironmentalImpactValue", "IfcAppliedValue", Approximated),
    ("IfcProductRepresentation", "IfcProductDefinitionShape", Approximated),
    ("IfcRepresentation", "IfcShapeRepresentation", Approximated),
];

/// Standard and elemented cases that only IFC4 has.
const CASES: &[Rule] = &[
    ("IfcBeamStandardCase", "IfcBeam", Mapped),
    ("IfcColumnStandardCase", "IfcColumn", Mapped),
    ("IfcDoorStandardCase", "IfcDoor", Mapped),
    ("IfcMemberStandardCase", "IfcMember", Mapped),
    ("IfcOpeningStandardCase", "IfcOpeningElement", Mapped),
    ("IfcPlateStandardCase", "IfcPlate", Mapped),
    ("IfcSlabStandardCase", "IfcSlab", Mapped),
    ("IfcSlabElementedCase", "IfcSlab", Mapped),
    ("IfcWallElementedCase", "IfcWall", Mapped),
    ("IfcWindowStandardCase", "IfcWindow", Mapped),
];

/// IFC2X3 has the occurrence classes of building services only as their generic supertypes, which the rule of the
/// nearest supertype finds.
const FOUR_TO_TWO: &[Rule] = &[
    ("IfcDoorType", "IfcDoorStyle", Mapped),
    ("IfcWindowType", "IfcWindowStyle", Mapped),
    ("IfcExternalSpatialElement", "IfcSpace", Approximated),
    ("IfcVoidingFeature", "IfcOpeningElement", Approximated),
    ("IfcVibrationIsolator", "IfcDiscreteAccessory", Approximated),
    ("IfcElectricDistributionBoard", "IfcElectricDistributionPoint", Mapped),
    ("IfcSpatialZoneType", "IfcTypeProduct", Approximated),
    ("IfcRelSpaceBoundary1stLevel", "IfcRelSpaceBoundary", Approximated),
    ("IfcRelSpaceBoundary2ndLevel", "IfcRelSpaceBoundary", Approximated),
    ("IfcRelAssignsToGroupByFactor", "IfcRelAssignsToGroup", Approximated),
    ("IfcDistributionCircuit", "IfcElectricalCircuit", Mapped),
    ("IfcDistributionSystem", "IfcSystem", Approximated),
    ("IfcBuildingSystem", "IfcSystem", Approximated),
    ("IfcStructuralCurveAction", "IfcStructuralLinearAction", Approximated),
    ("IfcStructuralSurfaceAction", "IfcStructuralPlanarAction", Approximated),
    ("IfcAppliedValue", "IfcCostValue", Approximated),
    ("IfcMaterialProperties", "IfcExtendedMaterialProperties", Mapped),
    ("IfcProfileProperties", "IfcGeneralProfileProperties", Approximated),
    ("IfcMirroredProfileDef", "IfcDerivedProfileDef", Mapped),
];

/// IFC4X3 ended the standard and elemented cases, styles of doors and windows, and IfcProxy.
const FOUR_TO_THREE: &[Rule] = &[
    ("IfcDoorStyle", "IfcDoorType", Mapped),
    ("IfcWindowStyle", "IfcWindowType", Mapped),
    ("IfcProxy", "IfcBuildingElementProxy", Approximated),
];

/// IFC4 knows buildings, and of infrastructure only IfcCivilElement and IfcGeographicElement.
const THREE_TO_FOUR: &[Rule] = &[
    ("IfcFacility", "IfcBuilding", Approximated),
    ("IfcBridge", "IfcBuilding", Approximated),
    ("IfcRoad", "IfcBuilding", Approximated),
    ("IfcRailway", "IfcBuilding", Approximated),
    ("IfcMarineFacility", "IfcBuilding", Approximated),
    ("IfcFacilityPartCommon", "IfcBuilding", Approximated),
    ("IfcBridgePart", "IfcBuilding", Approximated),
    ("IfcRoadPart", "IfcBuilding", Approximated),
    ("IfcRailwayPart", "IfcBuilding", Approximated),
    ("IfcMarinePart", "IfcBuilding", Approximated),
    ("IfcBuiltElement", "IfcBuildingElementProxy", Approximated),
    ("IfcBuiltElementType", "IfcBuildingElementProxyType", Approximated),
    ("IfcBuiltSystem", "IfcBuildingSystem", Mapped),
    ("IfcCourse", "IfcCivilElement", Approximated),
    ("IfcCourseType", "IfcCivilElementType", Approximated),
    ("IfcKerb", "IfcCivilElement", Approximated),
    ("IfcKerbType", "IfcCivilElementType", Approximated),
    ("IfcPavement", "IfcCivilElement", Approximated),
    ("IfcPavementType", "IfcCivilElementType", Approximated),
    ("IfcRail", "IfcCivilElement", Approximated),
    ("IfcRailType", "IfcCivilElementType", Approximated),
    ("IfcTrackElement", "IfcCivilElement", Approximated),
    ("IfcTrackElementType", "IfcCivilElementType", Approximated),
    ("IfcNavigationElement", "IfcCivilElement", Approximated),
    ("IfcNavigationElementType", "IfcCivilElementType", Approximated),
    ("IfcMooringDevice", "IfcCivilElement", Approximated),
    ("IfcMooringDeviceType", "IfcCivilElementType", Approximated),
    ("IfcEarthworksElement", "IfcCivilElement", Approximated),
    ("IfcEarthworksFill", "IfcCivilElement", Approximated),
    ("IfcReinforcedSoil", "IfcCivilElement", Approximated),
    ("IfcEarthworksCut", "IfcOpeningElement", Approximated),
    ("IfcBorehole", "IfcGeographicElement", Approximated),
    ("IfcGeomodel", "IfcGeographicElement", Approximated),
    ("IfcGeoslice", "IfcGeographicElement", Approximated),
    ("IfcGeotechnicalStratum", "IfcGeographicElement", Approximated),
    ("IfcCaissonFoundation", "IfcFooting", Approximated),
    ("IfcCaissonFoundationType", "IfcFootingType", Approximated),
    ("IfcDistributionBoard", "IfcElectricDistributionBoard", Mapped),
    ("IfcDistributionBoardType", "IfcElectricDistributionBoardType", Mapped),
    ("IfcVehicle", "IfcTransportElement", Approximated),
    ("IfcVehicleType", "IfcTransportElementType", Approximated),
    ("IfcImpactProtectionDevice", "IfcDiscreteAccessory", Approximated),
    ("IfcImpactProtectionDeviceType", "IfcDiscreteAccessoryType", Approximated),
    ("IfcSign", "IfcDiscreteAccessory", Approximated),
    ("IfcSignType", "IfcDiscreteAccessoryType", Approximated),
    ("IfcVibrationDamper", "IfcVibrationIsolator", Approximated),
    ("IfcVibrationDamperType", "IfcVibrationIsolatorType", Approximated),
    ("IfcTendonConduit", "IfcDiscreteAccessory", Approximated),
    ("IfcTendonConduitType", "IfcDiscreteAccessoryType", Approximated),
    ("IfcLinearPlacement", "IfcLocalPlacement", Approximated),
    ("IfcQuantityNumber", "IfcQuantityCount", Mapped),
];

/// The rule for a class, if it has one.
pub(super) fn rule(way: Way, class: &str) -> Option<Rule> {
    let (rules, cases): (_, &[Rule]) = match way {
        Way::TwoToFour => (TWO_TO_FOUR, &[]),
        Way::FourToTwo => (FOUR_TO_TWO, CASES),
        Way::FourToThree => (FOUR_TO_THREE, CASES),
        Way::ThreeToFour => (THREE_TO_FOUR, &[]),
    };
    rules.iter().chain(cases).find(|(name, ..)| *name == class).copied()
}

/// The stand-ins for classes that have no nearest supertype with instances: the supertype, and the stand-in, which is
/// taken where the target's table has it.
pub(super) const STAND_INS: [(&str, &str); 6] = [
    ("IfcElement", "IfcBuildingElementProxy"),
    ("IfcElementType", "IfcBuildingElementProxyType"),
    ("IfcSpatialElement", "IfcBuildingElementProxy"),
    ("IfcProduct", "IfcBuildingElementProxy"),
    ("IfcTypeProduct", "IfcTypeProduct"),
    ("IfcTypeObject", "IfcTypeObject"),
];

/// Products that mean nothing as a proxy.
pub(super) const NO_STAND_IN: &str = "IfcStructuralActivity";

/// Supertypes at which the search for the nearest one ends: what is only that is no longer the same thing.
pub(super) const TOO_GENERAL: [&str; 8] = [
    "IfcObject",
    "IfcProduct",
    "IfcTypeObject",
    "IfcTypeProduct",
    "IfcRelationship",
    "IfcRepresentationItem",
    "IfcPropertyDefinition",
    "IfcRoot",
];
