//! The parts that classes play in what is shown: what each of them can make look different when it changes, by class and once for each
//! schema.

use ifc::schema::{PerVersion, Schema};
use ifc::{Instance, SchemaVersion};

/// The roles of a class, one bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Roles(u16);

impl Roles {
    /// Something with a place and a shape.
    pub const PRODUCT: Self = Self(1);
    /// An item's own style.
    pub const STYLED_ITEM: Self = Self(1 << 1);
    /// A layer with its items.
    pub const LAYER: Self = Self(1 << 2);
    /// The looks of a material.
    pub const MATERIAL_LOOKS: Self = Self(1 << 3);
    /// A representation.
    pub const REPRESENTATION: Self = Self(1 << 4);
    /// Makes what refers to it look different when it changes.
    pub const MATTERS: Self = Self(1 << 5);
    /// Gives an element looks, material or type, and no other shape.
    pub const CLOTHING: Self = Self(1 << 6);
    /// A unit, on which every length and angle hangs.
    pub const UNIT: Self = Self(1 << 7);
    /// The project, which names the units.
    pub const PROJECT: Self = Self(1 << 8);
    /// A relation of [`HANGING`].
    pub const HANGS: Self = Self(1 << 9);
    /// A relation of [`CLOTHES`].
    pub const CLOTHES: Self = Self(1 << 10);

    /// True if one of these roles is among them.
    pub fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The roles of either.
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The roles of an instance's class.
    pub fn of_instance(instance: &Instance<'_>) -> Self {
        match instance.entity() {
            Some(entity) => {
                let table = table(entity_schema(instance));
                table.get(usize::from(entity.id.0)).copied().unwrap_or_default()
            }
            // a class of another schema has the role that its name has there
            None => Self::by(|class| instance.is_a(class)),
        }
    }

    fn by(is_a: impl Fn(&str) -> bool) -> Self {
        let all = NAMED.iter().filter(|(_, classes)| classes.iter().any(|class| is_a(class)));
        let hangs = HANGING.iter().any(|(class, ..)| is_a(class)).then_some(Self::HANGS);
        let clothes = CLOTHES.iter().any(|(class, ..)| is_a(class)).then_some(Self::CLOTHES);
        all.map(|(role, _)| *role).chain(hangs).chain(clothes).fold(Self::default(), Self::or)
    }
}

fn entity_schema(instance: &Instance<'_>) -> SchemaVersion {
    instance.model().schema().version()
}

/// The roles of every class of a schema, in the order of its entities.
fn table(version: SchemaVersion) -> &'static [Roles] {
    static TABLES: PerVersion<Vec<Roles>> = PerVersion::new();
    let make = |schema: &Schema| {
        let entities = schema.entities().iter();
        entities.map(|entity| Roles::by(|class| entity.is_a(schema, class))).collect()
    };
    TABLES.get_or_init(version, || make(version.schema()))
}

/// Materials; IFC2X3 has no common supertype of them.
const MATERIALS: [&str; 7] = [
    "IfcMaterialDefinition",
    "IfcMaterialUsageDefinition",
    "IfcMaterialList",
    "IfcMaterial",
    "IfcMaterialLayer",
    "IfcMaterialLayerSet",
    "IfcMaterialLayerSetUsage",
];

/// Styles and what they are made of.
const STYLES: [&str; 3] = ["IfcPresentationStyle", "IfcPresentationStyleAssignment", "IfcPresentationItem"];

/// Classes by role; subtypes count.
const NAMED: [(Roles, &[&str]); 11] = [
    (Roles::PRODUCT, &["IfcProduct"]),
    (Roles::STYLED_ITEM, &["IfcStyledItem"]),
    (Roles::LAYER, &["IfcPresentationLayerAssignment"]),
    (Roles::MATERIAL_LOOKS, &["IfcMaterialDefinitionRepresentation"]),
    (Roles::REPRESENTATION, &["IfcRepresentation"]),
    (Roles::MATTERS.or(Roles::CLOTHING), &MATERIALS),
    (Roles::MATTERS.or(Roles::CLOTHING), &STYLES),
    (
        Roles::MATTERS,
        &[
            "IfcRepresentationItem",
            "IfcRepresentation",
            "IfcProductRepresentation",
            "IfcRepresentationMap",
            "IfcObjectPlacement",
            "IfcVirtualGridIntersection",
            "IfcGridAxis",
            "IfcProfileDef",
            // IFC2X3 has no common supertype of colours
            "IfcColourSpecification",
            "IfcSurfaceStyleShading",
            "IfcSurfaceStyleRendering",
        ],
    ),
    (
        Roles::CLOTHING,
        &[
            "IfcRelAssociatesMaterial",
            "IfcRelDefinesByType",
            "IfcStyledItem",
            "IfcPresentationLayerAssignment",
            "IfcMaterialDefinitionRepresentation",
        ],
    ),
    (
        Roles::UNIT,
        &["IfcNamedUnit", "IfcDerivedUnit", "IfcUnitAssignment", "IfcMeasureWithUnit", "IfcMonetaryUnit"],
    ),
    (Roles::PROJECT, &["IfcProject"]),
];

/// Relations whose other end decides what an element is shown with or cut by: class, whole, parts.
pub(super) const HANGING: [(&str, &str, &str); 6] = [
    ("IfcRelContainedInSpatialStructure", "RelatingStructure", "RelatedElements"),
    ("IfcRelAggregates", "RelatingObject", "RelatedObjects"),
    ("IfcRelNests", "RelatingObject", "RelatedObjects"),
    ("IfcRelFillsElement", "RelatingOpeningElement", "RelatedBuildingElement"),
    ("IfcRelAdheresToElement", "RelatingElement", "RelatedSurfaceFeatures"),
    ("IfcRelVoidsElement", "RelatingBuildingElement", "RelatedOpeningElement"),
];

/// Relations that bring a material: class, what brings it, elements and types that get it.
pub(super) const CLOTHES: [(&str, &str, &str); 2] = [
    ("IfcRelAssociatesMaterial", "RelatingMaterial", "RelatedObjects"),
    ("IfcRelDefinesByType", "RelatingType", "RelatedObjects"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_has_the_roles_that_its_name_gives_it() {
        for version in SchemaVersion::ALL {
            let schema = version.schema();
            let roles = |class: &str| {
                let entity = schema.entity(class).unwrap_or_else(|| panic!("{version:?} has no {class}"));
                table(version)[usize::from(entity.id.0)]
            };
            assert_eq!(table(version).len(), schema.entities().len());
            assert_eq!(roles("IfcWall"), Roles::PRODUCT);
            assert_eq!(roles("IfcSIUnit"), Roles::UNIT);
            assert_eq!(roles("IfcPropertySet"), Roles::default());
            assert_eq!(roles("IfcExtrudedAreaSolid"), Roles::MATTERS);
            assert_eq!(roles("IfcShapeRepresentation"), Roles::REPRESENTATION.or(Roles::MATTERS));
            assert_eq!(roles("IfcMaterialLayerSet"), Roles::MATTERS.or(Roles::CLOTHING));
            assert_eq!(roles("IfcRelDefinesByType"), Roles::CLOTHING.or(Roles::CLOTHES));
            assert_eq!(roles("IfcRelVoidsElement"), Roles::HANGS);
        }
    }
}
