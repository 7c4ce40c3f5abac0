//! The tables, seen through the questions that callers ask of them.

use super::{Definition, Kind, SchemaVersion, near};

#[test]
fn a_class_is_found_in_any_letter_case() {
    for version in SchemaVersion::ALL {
        let schema = version.schema();
        for name in ["IfcWall", "IFCWALL", "ifcwall"] {
            assert_eq!(schema.entity(name).map(|e| e.name), Some("IfcWall"));
        }
        assert!(schema.entity("IfcWal").is_none());
        assert!(schema.entity("").is_none());
    }
}

#[test]
fn every_name_of_a_table_is_found_at_its_place() {
    for version in SchemaVersion::ALL {
        let schema = version.schema();
        for (place, entity) in schema.entities().iter().enumerate() {
            assert_eq!(usize::from(entity.id.0), place);
            assert_eq!(schema.entity(entity.name).map(|e| e.id), Some(entity.id));
        }
        for declaration in schema.types() {
            assert_eq!(schema.type_declaration(declaration.name).map(|t| t.name), Some(declaration.name));
        }
    }
    let count = |version: SchemaVersion| version.schema().entities().len();
    assert_eq!(
        [count(SchemaVersion::Ifc2x3), count(SchemaVersion::Ifc4), count(SchemaVersion::Ifc4x3)],
        [653, 776, 876]
    );
}

#[test]
fn attributes_stand_in_the_order_of_a_step_line() {
    let wall = SchemaVersion::Ifc4.schema().entity("IfcWall").unwrap();
    let names: Vec<_> = wall.attributes.iter().map(|a| a.name).collect();
    assert_eq!(
        names,
        [
            "GlobalId",
            "OwnerHistory",
            "Name",
            "Description",
            "ObjectType",
            "ObjectPlacement",
            "Representation",
            "Tag",
            "PredefinedType"
        ]
    );
    assert_eq!(wall.index_of("Tag"), Some(7));
    let kind = wall.attribute("PredefinedType").unwrap().kind;
    assert!(matches!(kind, Kind::Enumeration(items) if items.contains(&"SOLIDWALL")));
    assert_eq!(wall.attribute("GlobalId").unwrap().declared, "IfcGloballyUniqueId");
    assert_eq!(wall.attribute("GlobalId").unwrap().owner, "IfcRoot");
}

#[test]
fn attributes_are_found_wherever_their_names_stand() {
    // names read into one place over and over, as from a call
    let mut name = String::with_capacity(64);
    for version in SchemaVersion::ALL {
        let entities = version.schema().entities();
        for _ in 0..2 {
            for (entity, next) in entities.iter().zip(&entities[1..]) {
                for (at, attribute) in entity.attributes.iter().enumerate() {
                    name.clear();
                    name.push_str(attribute.name);
                    assert_eq!(entity.index_of(&name), Some(at), "{} {name}", entity.name);
                    let there = next.attributes.iter().position(|other| other.name == name);
                    assert_eq!(next.index_of(&name), there, "{} {name}", next.name);
                    name.push('x');
                    assert_eq!(entity.index_of(&name), None, "{} {name}", entity.name);
                }
            }
        }
    }
}

#[test]
fn a_derived_attribute_says_so() {
    for version in SchemaVersion::ALL {
        let unit = version.schema().entity("IfcSIUnit").unwrap();
        assert!(unit.attribute("Dimensions").unwrap().derived);
        assert!(!unit.attribute("Prefix").unwrap().derived);
        let placement = version.schema().entity("IfcGeometricRepresentationSubContext").unwrap();
        assert!(placement.attribute("WorldCoordinateSystem").unwrap().derived);
    }
}

#[test]
fn subtypes_are_an_interval() {
    let schema = SchemaVersion::Ifc4.schema();
    let id = |name| schema.entity(name).unwrap().id;
    assert!(schema.is_a(id("IfcWallStandardCase"), id("IfcElement")));
    assert!(schema.is_a(id("IfcWall"), id("IfcWall")));
    assert!(!schema.is_a(id("IfcElement"), id("IfcWall")));
    assert!(!schema.is_a(id("IfcSlab"), id("IfcWall")));
    let walls: Vec<_> = schema.subtypes(id("IfcWall")).iter().map(|e| e.name).collect();
    assert_eq!(walls, ["IfcWall", "IfcWallElementedCase", "IfcWallStandardCase"]);
    assert!(schema.entity("IfcDoor").unwrap().is_a(schema, "ifcproduct"));
}

#[test]
fn selects_come_down_to_entities_and_types() {
    let schema = SchemaVersion::Ifc4.schema();
    let Some(Kind::Select(leaves)) = schema.kind_of_type("IfcValue") else { panic!("IfcValue is a select") };
    assert!(leaves.contains(&"IfcLabel") && leaves.contains(&"IfcAreaMeasure"));
    assert!(!leaves.contains(&"IfcMeasureValue"));
    let label = &schema.type_declaration("IFCLABEL").unwrap().definition;
    assert_eq!(*label, Definition::Defined { declared: "STRING(255)", kind: Kind::Text });
}

#[test]
fn inverse_attributes_are_inherited() {
    let schema = SchemaVersion::Ifc4x3.schema();
    let wall = schema.entity("IfcWall").unwrap();
    let voids = schema.inverses(wall).find(|i| i.name == "HasOpenings").unwrap();
    assert_eq!((voids.entity, voids.attribute), ("IfcRelVoidsElement", "RelatingBuildingElement"));
    assert!(schema.inverses(wall).any(|i| i.name == "IsDecomposedBy"));
}

#[test]
fn near_names_are_offered_for_a_wrong_one() {
    let schema = SchemaVersion::Ifc4.schema();
    assert_eq!(schema.near_entities("IfcWal", 3).first(), Some(&"IfcWall"));
    assert_eq!(schema.near_entities("Doors", 1), ["IfcDoor"]);
    assert!(near("zzzzzzzz", ["IfcWall"], 3).is_empty());
}

#[test]
fn schemas_are_known_by_the_names_that_files_use() {
    assert_eq!(SchemaVersion::from_name("IFC4X3_ADD2"), Some(SchemaVersion::Ifc4x3));
    assert_eq!(SchemaVersion::from_name("ifc2x3"), Some(SchemaVersion::Ifc2x3));
    assert_eq!(SchemaVersion::from_name("IFC4"), Some(SchemaVersion::Ifc4));
    assert_eq!(SchemaVersion::from_name("IFC5"), None);
    assert_eq!(SchemaVersion::from_name("IFC40"), None);
}
