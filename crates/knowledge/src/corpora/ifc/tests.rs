use super::*;
use std::collections::HashSet;

fn find<'a>(sections: &'a [Section], location: &str) -> &'a Section {
    sections.iter().find(|section| section.location == location).unwrap()
}

#[test]
fn every_entity_type_and_set_of_the_versions_has_one_section() {
    let sections = sections();
    let known: HashSet<&str> = sections.iter().map(|section| section.location.as_str()).collect();
    assert_eq!(known.len(), sections.len());
    for version in SchemaVersion::ALL {
        let schema = version.schema();
        let names = schema.entities().iter().map(|entity| entity.name);
        let names = names.chain(schema.types().iter().map(|declaration| declaration.name));
        for name in names.chain(ifc::psets::templates::all(version).map(|set| set.name)) {
            let section = find(&sections, &format!("ifc/{name}"));
            assert!(section.versions.iter().any(|known| known == version.as_str()), "{name} {version}");
            assert!(!section.text.is_empty());
        }
    }
}

#[test]
fn an_entity_tells_its_versions_structure_and_sets() {
    let sections = sections();
    let wall = find(&sections, "ifc/IfcWall");
    assert_eq!(wall.versions, ["IFC2X3", "IFC4", "IFC4X3"]);
    for part in [
        "Supertypes (IFC4X3): IfcBuiltElement",
        "PredefinedType (IFC4): MOVABLE",
        "Property sets (IFC2X3): Pset_ReinforcementBarPitchOfWall, Pset_WallCommon",
        "Qto_WallBaseQuantities",
        "1. GlobalId: IfcGloballyUniqueId, of IfcRoot",
        "From IFC2X3 to IFC4: ",
        "attribute PredefinedType added",
        "Its types: IfcWallType",
    ] {
        assert!(wall.text.contains(part), "{part}\n{}", wall.text);
    }
    assert!(wall.names.iter().any(|name| name == "Wand"));
    assert!(find(&sections, "ifc/IfcWallStandardCase").text.contains("Supertypes"));
    assert!(find(&sections, "ifc/IfcRoad").text.contains("New in IFC4X3"));
    assert!(find(&sections, "ifc/IfcDoorStyle").text.contains("Removed after"));
}

#[test]
fn a_type_tells_its_words_and_its_uses() {
    let sections = sections();
    let words = find(&sections, "ifc/IfcWallTypeEnum");
    assert!(
        words.text.contains("SOLIDWALL") && words.text.contains("IfcWall.PredefinedType"),
        "{}",
        words.text
    );
    assert_eq!(words.tags, ["enumeration"]);
    let measure = find(&sections, "ifc/IfcThermalTransmittanceMeasure");
    assert!(measure.text.contains("W/(m²K)") && measure.text.contains("REAL"), "{}", measure.text);
}

#[test]
fn a_set_tells_its_properties_with_types_units_words_and_german_names() {
    let sections = sections();
    let set = find(&sections, "ifc/Pset_WallCommon");
    for part in [
        "- FireRating: IfcLabel; German: Feuerwiderstandsklasse",
        "- ThermalTransmittance: IfcThermalTransmittanceMeasure [W/(m²K)]",
        "one of DEMOLISH, EXISTING, NEW",
        "For (IFC2X3",
        "On types and on occurrences",
    ] {
        assert!(set.text.contains(part), "{part}\n{}", set.text);
    }
    assert!(set.names.iter().any(|name| name == "Feuerwiderstandsklasse"));
    let quantities = find(&sections, "ifc/Qto_WallBaseQuantities");
    assert!(quantities.text.contains("- NetSideArea: IfcQuantityArea [m²]"), "{}", quantities.text);
}
