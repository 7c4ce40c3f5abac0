//! What people ask is found: over all of IFC in three versions, IDS, and sections of the kinds that the program gives.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails where it stands")]

use knowledge::corpora::{ids, ifc};
use knowledge::{Filter, Index};
use std::sync::OnceLock;

fn index() -> &'static Index {
    static INDEX: OnceLock<Index> = OnceLock::new();
    INDEX.get_or_init(|| {
        let mut sections = ifc::sections();
        sections.extend(ids::sections());
        Index::in_memory(sections).unwrap()
    })
}

fn found(question: &str, filter: &Filter, limit: usize) -> Vec<String> {
    let answer = index().search(question, filter, limit).unwrap();
    answer.hits.into_iter().map(|hit| hit.location).collect()
}

/// One of the addresses is among the first.
fn check(question: &str, within: usize, wanted: &[&str]) {
    let found = found(question, &Filter::default(), within);
    assert!(found.iter().any(|location| wanted.contains(&location.as_str())), "{question}: {found:?}");
}

#[test]
fn english_questions_find_classes_and_sets() {
    check("fire rating of walls", 5, &["ifc/Pset_WallCommon"]);
    check("wall standard case", 3, &["ifc/IfcWallStandardCase"]);
    check("which property says if a wall is load bearing", 5, &["ifc/Pset_WallCommon"]);
    check("thermal transmittance of windows", 5, &["ifc/Pset_WindowCommon"]);
    check("predefined types of slabs", 5, &["ifc/IfcSlabTypeEnum", "ifc/IfcSlab"]);
    check("net floor area of a space", 5, &["ifc/Qto_SpaceBaseQuantities"]);
    check(
        "opening direction of a door",
        5,
        &["ifc/IfcDoorTypeOperationEnum", "ifc/IfcDoorStyleOperationEnum"],
    );
    check("elevator", 3, &["ifc/IfcTransportElement"]);
    check("georeferencing coordinate system", 5, &["ifc/IfcMapConversion", "ifc/IfcProjectedCRS"]);
    check(
        "layers of a wall material",
        5,
        &["ifc/IfcMaterialLayerSet", "ifc/IfcMaterialLayer", "ifc/IfcMaterialLayerSetUsage"],
    );
}

#[test]
fn german_questions_find_them_too() {
    for location in found("Feuerwiderstandsklasse", &Filter::default(), 5) {
        let section = index().section(&location).unwrap().unwrap();
        let is_on_fire = section.text.contains("FireRating") || section.title.contains("FireRating");
        assert!(location.starts_with("ifc/Pset_") && is_on_fire, "{location}");
    }
    check("Tragwerk Stütze", 3, &["ifc/IfcColumn"]);
    check("Stuetze", 3, &["ifc/IfcColumn"]);
    check("Feuerwiderstand von Türen", 5, &["ifc/Pset_DoorCommon"]);
    check("Wärmedurchgangskoeffizient der Außenwand", 5, &["ifc/Pset_WallCommon"]);
    check("Geschosse", 3, &["ifc/IfcBuildingStorey"]);
    check("Treppengeländer", 5, &["ifc/IfcRailing"]);
    check("welche Räume hat ein Geschoss", 6, &["ifc/Pset_SpaceCommon", "ifc/IfcBuildingStorey"]);
    check("tragende Wand", 8, &["ifc/Pset_WallCommon"]);
    check("Brandschutzklappe", 3, &["ifc/IfcDamper"]);
    check("Einzelfundament", 3, &["ifc/IfcFooting"]);
}

#[test]
fn names_are_found_exactly_and_misspelt() {
    for (question, first) in [
        ("IfcWall", "ifc/IfcWall"),
        ("ifcwall", "ifc/IfcWall"),
        ("Pset_WallCommon", "ifc/Pset_WallCommon"),
        ("pset wall common", "ifc/Pset_WallCommon"),
        ("IfcWal", "ifc/IfcWall"),
        ("IfcDor", "ifc/IfcDoor"),
        ("IfcBuildingStory", "ifc/IfcBuildingStorey"),
        ("ifc/IfcSlab", "ifc/IfcSlab"),
        ("Qto_WallBaseQuantities", "ifc/Qto_WallBaseQuantities"),
    ] {
        check(question, 1, &[first]);
    }
    let answer = index().search("Feuerwiederstandsklase", &Filter::default(), 5).unwrap();
    assert_eq!(answer.corrections.len(), 1, "{answer:?}");
    assert!(answer.hits.iter().any(|hit| hit.location.starts_with("ifc/Pset_")), "{answer:?}");
}

#[test]
fn answers_are_held_to_corpus_version_tag_and_document() {
    let only = Filter { corpora: vec!["ids".into()], ..Filter::default() };
    let locations = found("property of a wall", &only, 20);
    assert!(locations.contains(&"ids/property".to_owned()));
    assert!(locations.iter().all(|location| location.starts_with("ids/")));

    let old = Filter { versions: vec!["ifc2x3".into()], ..Filter::default() };
    assert!(!found("road", &old, 20).contains(&"ifc/IfcRoad".to_owned()));
    assert!(found("road", &Filter::default(), 20).contains(&"ifc/IfcRoad".to_owned()));
    // what hangs on no version holds for each
    assert!(found("cardinality of a facet", &old, 5).contains(&"ids/cardinality".to_owned()));

    let sets = Filter { tags: vec!["Property Set".into()], ..Filter::default() };
    assert!(found("wall", &sets, 20).iter().all(|location| location.starts_with("ifc/Pset_")));

    let document = Filter { documents: vec!["ifc/IfcDoor".into()], ..Filter::default() };
    assert_eq!(found("door wall", &document, 20), ["ifc/IfcDoor"]);
}

#[test]
fn ids_is_found_by_what_one_wants_to_do() {
    check("how do I say that a property is optional in IDS", 3, &["ids/cardinality", "ids/property"]);
    check("tolerance of floating point numbers", 1, &["ids/tolerance"]);
    check("regular expression in a value", 2, &["ids/pattern"]);
    check("element must be contained in a storey IDS relation", 3, &["ids/partof"]);
    check("Kardinalität", 2, &["ids/cardinality", "ids/specification-cardinality"]);
}

#[test]
fn a_phrase_is_held_to_and_given_up_where_nothing_has_it() {
    let answer = index().search("\"wall standard case\"", &Filter::default(), 50).unwrap();
    assert!(!answer.phrases_given_up && !answer.hits.is_empty());
    assert!(
        !answer.hits.iter().any(|hit| hit.location == "ifc/IfcWall" && !hit.snippet.text.contains("Wall"))
    );
    assert_eq!(answer.hits[0].location, "ifc/IfcWallStandardCase");
    let none = index().search("\"purple wall monkey\"", &Filter::default(), 5).unwrap();
    assert!(none.phrases_given_up && !none.hits.is_empty());
}

#[test]
fn a_hit_shows_the_place_that_answers() {
    let answer = index().search("thermal transmittance of walls", &Filter::default(), 10).unwrap();
    let hit = answer.hits.iter().find(|hit| hit.location == "ifc/Pset_WallCommon").unwrap();
    assert!(hit.snippet.text.contains("ThermalTransmittance"), "{hit:?}");
    let section = index().section(&hit.location).unwrap().unwrap();
    assert!(section.text.get(hit.snippet.start..hit.snippet.end).is_some());
    assert!(hit.snippet.text.chars().count() < 320);
}
