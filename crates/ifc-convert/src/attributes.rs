//! Attributes that changed their name from one schema to the next and mean the same: pairs of the older and the newer
//! name, under the class that declares them in the older schema (subtypes included). The same tables serve both ways.
//!
//! IFC2X3 to IFC4: ISO 16739:2013, annex F. IFC4 to IFC4X3: ISO 16739-1:2024, annex E.

use super::Way;
use ifc::schema::{Entity, Schema};

type Pair = (&'static str, &'static str, &'static str);

/// IFC2X3 and IFC4.
const TWO_AND_FOUR: &[Pair] = &[
    ("IfcActionRequest", "RequestID", "Identification"),
    ("IfcApproval", "ApprovalDateTime", "TimeOfApproval"),
    ("IfcApproval", "ApprovalStatus", "Status"),
    ("IfcApproval", "ApprovalLevel", "Level"),
    ("IfcApproval", "ApprovalQualifier", "Qualifier"),
    ("IfcApprovalRelationship", "RelatedApproval", "RelatedApprovals"),
    ("IfcAsset", "AssetID", "Identification"),
    ("IfcAsymmetricIShapeProfileDef", "OverallWidth", "BottomFlangeWidth"),
    ("IfcAsymmetricIShapeProfileDef", "FlangeThickness", "BottomFlangeThickness"),
    ("IfcAsymmetricIShapeProfileDef", "FilletRadius", "BottomFlangeFilletRadius"),
    ("IfcBoundaryEdgeCondition", "LinearStiffnessByLengthX", "TranslationalStiffnessByLengthX"),
    ("IfcBoundaryEdgeCondition", "LinearStiffnessByLengthY", "TranslationalStiffnessByLengthY"),
    ("IfcBoundaryEdgeCondition", "LinearStiffnessByLengthZ", "TranslationalStiffnessByLengthZ"),
    ("IfcBoundaryFaceCondition", "LinearStiffnessByAreaX", "TranslationalStiffnessByAreaX"),
    ("IfcBoundaryFaceCondition", "LinearStiffnessByAreaY", "TranslationalStiffnessByAreaY"),
    ("IfcBoundaryFaceCondition", "LinearStiffnessByAreaZ", "TranslationalStiffnessByAreaZ"),
    ("IfcBoundaryNodeCondition", "LinearStiffnessX", "TranslationalStiffnessX"),
    ("IfcBoundaryNodeCondition", "LinearStiffnessY", "TranslationalStiffnessY"),
    ("IfcBoundaryNodeCondition", "LinearStiffnessZ", "TranslationalStiffnessZ"),
    // the enumeration of PredefinedType begins with the words of IfcElementCompositionEnum
    ("IfcBuildingElementProxy", "CompositionType", "PredefinedType"),
    ("IfcClassificationItem", "Title", "Name"),
    ("IfcClassificationItem", "ItemOf", "ReferencedSource"),
    ("IfcConstructionResource", "ResourceIdentifier", "Identification"),
    ("IfcCostSchedule", "ID", "Identification"),
    ("IfcCostValue", "CostType", "Category"),
    ("IfcDocumentInformation", "DocumentId", "Identification"),
    ("IfcElectricDistributionPoint", "DistributionPointFunction", "PredefinedType"),
    ("IfcElectricDistributionPoint", "UserDefinedFunction", "ObjectType"),
    ("IfcEnvironmentalImpactValue", "ImpactType", "Category"),
    ("IfcExtendedMaterialProperties", "ExtendedProperties", "Properties"),
    ("IfcExternalReference", "ItemReference", "Identification"),
    ("IfcImageTexture", "UrlReference", "URLReference"),
    ("IfcInventory", "InventoryType", "PredefinedType"),
    ("IfcOrganization", "Id", "Identification"),
    ("IfcPermit", "PermitID", "Identification"),
    ("IfcPerson", "Id", "Identification"),
    ("IfcProcedure", "ProcedureID", "Identification"),
    ("IfcProcedure", "ProcedureType", "PredefinedType"),
    ("IfcProcedure", "UserDefinedProcedureType", "ObjectType"),
    ("IfcProfileProperties", "ProfileName", "Name"),
    ("IfcProjectOrder", "ID", "Identification"),
    ("IfcRamp", "ShapeType", "PredefinedType"),
    ("IfcReinforcingBar", "BarRole", "PredefinedType"),
    ("IfcRelCoversSpaces", "RelatedSpace", "RelatingSpace"),
    ("IfcRoof", "ShapeType", "PredefinedType"),
    ("IfcSpace", "InteriorOrExteriorSpace", "PredefinedType"),
    ("IfcStair", "ShapeType", "PredefinedType"),
    ("IfcStairFlight", "NumberOfRiser", "NumberOfRisers"),
    ("IfcStructuralLoadTemperature", "DeltaT_Constant", "DeltaTConstant"),
    ("IfcStructuralLoadTemperature", "DeltaT_Y", "DeltaTY"),
    ("IfcStructuralLoadTemperature", "DeltaT_Z", "DeltaTZ"),
    ("IfcSurfaceTexture", "TextureType", "Mode"),
    ("IfcTask", "TaskId", "Identification"),
    ("IfcTransportElement", "OperationType", "PredefinedType"),
    // the words of IfcWindowStyleOperationEnum are those of IfcWindowTypePartitioningEnum
    ("IfcWindowStyle", "OperationType", "PartitioningType"),
    ("IfcWorkControl", "Identifier", "Identification"),
    ("IfcWorkControl", "WorkControlType", "PredefinedType"),
    ("IfcWorkControl", "UserDefinedControlType", "ObjectType"),
];

/// IFC4 and IFC4X3.
const FOUR_AND_THREE: &[Pair] = &[
    ("IfcClassification", "Location", "Specification"),
    ("IfcCurveStyleFontAndScaling", "CurveFont", "CurveStyleFont"),
    ("IfcFillAreaStyle", "ModelorDraughting", "ModelOrDraughting"),
    ("IfcMaterialRelationship", "Expression", "MaterialExpression"),
    ("IfcProperty", "Description", "Specification"),
    ("IfcQuantityCount", "CountValue", "NumberValue"),
    ("IfcStructuralCurveConnection", "Axis", "AxisDirection"),
    ("IfcWindowStyle", "OperationType", "PartitioningType"),
    ("IfcWorkTime", "Start", "StartDate"),
    ("IfcWorkTime", "Finish", "FinishDate"),
    ("IfcLocalPlacement", "RelativePlacement", "CartesianPosition"),
];

/// The name in the source of an attribute of the target; its own name where nothing changed. `older` is whichever
/// of the two entities belongs to the older schema.
pub(super) fn source_name<'a>(
    way: Way,
    schemas: (&Schema, &Schema),
    entities: (&'static Entity, &'static Entity),
    name: &'a str,
) -> &'a str
where
    'static: 'a,
{
    let (from, to) = entities;
    let found = match way {
        Way::TwoToFour | Way::FourToThree => {
            let is_a = |class: &str| from.is_a(schemas.0, class);
            let mut pairs = table(way).iter().filter(|(class, _, newer)| *newer == name && is_a(class));
            pairs.find(|(_, older, _)| from.index_of(older).is_some()).map(|(_, older, _)| *older)
        }
        Way::FourToTwo | Way::ThreeToFour => {
            let is_a = |class: &str| to.is_a(schemas.1, class);
            let mut pairs = table(way).iter().filter(|(class, older, _)| *older == name && is_a(class));
            pairs.find(|(_, _, newer)| from.index_of(newer).is_some()).map(|(_, _, newer)| *newer)
        }
    };
    found.unwrap_or(name)
}

fn table(way: Way) -> &'static [Pair] {
    match way {
        Way::TwoToFour | Way::FourToTwo => TWO_AND_FOUR,
        Way::FourToThree | Way::ThreeToFour => FOUR_AND_THREE,
    }
}
