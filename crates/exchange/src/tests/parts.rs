//! Parts of models, models joined, and requests that ask for several things at once.

use super::{BASIN, HOUSE, again, open};
use crate::labels::file_name;
use crate::*;
use geometry::Scene;
use ifc::Model;
use std::sync::Arc;

fn guids(model: &Model, class: &str) -> Vec<String> {
    let mut all: Vec<String> =
        model.of_class(class).into_iter().filter_map(|id| model.get(id)?.guid()).collect();
    all.sort();
    all
}

#[test]
fn an_element_comes_with_all_that_it_needs_and_nothing_else() {
    let part = subset(&open(HOUSE), "IfcWall").unwrap();
    let model = again(&part.model);
    assert_eq!(part.selected, 1);
    // the opening and what fills it, the containers, and no other element
    assert_eq!(
        guids(&model, "IfcElement"),
        ["0000000000000000000020", "0000000000000000000072", "0000000000000000000076"]
    );
    assert_eq!(guids(&model, "IfcSpatialStructureElement").len(), 3);
    assert_eq!(model.of_class("IfcProject").len(), 1);
    assert_eq!(model.of_class("IfcMaterialLayerSetUsage").len(), 1);
    assert_eq!(model.of_class("IfcPropertySet").len(), 1);
    assert_eq!(model.of_class("IfcStyledItem").len(), 1);
    assert!(model.has_class("IfcSIUnit"));
    assert!(!model.has_class("IfcColumn") && !model.has_class("IfcCircleProfileDef"));
    // relations have the members that stay
    let contained = model.of_class("IfcRelContainedInSpatialStructure")[0];
    assert_eq!(model.get(contained).unwrap().references("RelatedElements").len(), 2);
    assert!(part.report.changes.iter().any(|c| c.class == "IfcColumn" && c.count == 1));
}

#[test]
fn a_door_alone_stands_without_its_wall() {
    let part = subset(&open(HOUSE), "IfcDoor").unwrap();
    assert_eq!(guids(&again(&part.model), "IfcElement"), ["0000000000000000000076"]);
}

#[test]
fn a_storey_comes_with_what_is_in_it() {
    let part = subset(&open(HOUSE), "IfcBuildingStorey").unwrap();
    assert!(part.model.has_class("IfcColumn") && part.model.has_class("IfcSpace"));
}

#[test]
fn an_element_in_no_structure_stays_loose_and_is_told() {
    let text = HOUSE.replace("(#20,#60,#70,#76),#14)", "(#60,#70,#76),#14)");
    let part = subset(&open(&text), "IfcWall").unwrap();
    assert_eq!(part.loose, ["0000000000000000000020"]);
    assert!(!part.model.has_class("IfcBuildingStorey") || part.model.has_class("IfcDoor"));
    again(&part.model);
}

#[test]
fn what_selects_nothing_is_refused_with_why() {
    let house = open(HOUSE);
    let message = |selector: &str| subset(&house, selector).unwrap_err().to_string();
    assert!(message("IfcWal").contains("IfcWal is no class of IFC4"), "{}", message("IfcWal"));
    assert!(message("IfcWal").contains("IfcWall"));
    assert!(message("IfcStair").contains("nothing of the model is selected"));
    assert!(message("IfcWall, Pset_None.Nothing=1").contains("nothing of the model is selected"));
    assert!(message("IfcWall, (((").contains("selector"));
    let bare = HOUSE.replace("#1=IFCPROJECT('0000000000000000000001',$,'=cmd|calc',$,$,$,$,(#2),#5);", "");
    assert!(subset(&open(&bare), "IfcWall").unwrap_err().to_string().contains("0 IfcProject"));
}

#[test]
fn storeys_and_disciplines_share_all_products_out() {
    let house = open(HOUSE);
    let by_storey = split_by_storey(&house).unwrap();
    assert_eq!(by_storey.iter().map(|part| part.name.as_str()).collect::<Vec<_>>(), ["01 .._Level 1"]);
    assert_eq!(by_storey[0].products, 6);
    let basin = open(BASIN);
    let disciplines = split_by_discipline(&basin).unwrap();
    let names: Vec<(&str, usize)> =
        disciplines.iter().map(|part| (part.name.as_str(), part.products)).collect();
    // IFC2X3 says by its type that a flow terminal is a basin
    assert_eq!(names, [("architecture", 1), ("plumbing", 1)]);
    for part in by_storey.iter().chain(&disciplines) {
        again(&part.subset.model);
    }
}

#[test]
fn every_class_of_the_disciplines_is_one_of_a_schema() {
    assert!(disciplines().len() > 4);
    for class in disciplines().iter().flat_map(|discipline| &discipline.classes) {
        let is_known = ifc::SchemaVersion::ALL.iter().any(|v| {
            v.schema().entity(class).is_some() || v.schema().entity(&format!("{class}Type")).is_some()
        });
        assert!(is_known, "{class}");
    }
}

#[test]
fn a_model_joined_with_itself_has_its_storey_once_and_its_elements_twice() {
    let house = open(HOUSE);
    let merging = Merging { joining: Joining::Name, seed: "a".to_owned() };
    let (whole, report) = merge_models(&[house.clone(), house.clone()], &merging).unwrap();
    let whole = again(&whole);
    assert_eq!(whole.of_class("IfcProject").len(), 1);
    assert_eq!(whole.of_class("IfcBuildingStorey").len(), 1);
    assert_eq!(whole.of_class("IfcWall").len(), 2);
    assert_eq!(whole.of_class("IfcUnitAssignment").len(), 1);
    let all: std::collections::BTreeSet<String> = guids(&whole, "IfcRoot").into_iter().collect();
    assert_eq!(all.len(), whole.of_class("IfcRoot").len());
    assert!(report.models[0].renamed.contains_key("0000000000000000000020"));
    assert_eq!(report.models[0].joined.len(), 3);
    // the same seed makes the same model
    let (same, _) = merge_models(&[house.clone(), house], &merging).unwrap();
    assert_eq!(same.to_bytes(), whole.to_bytes());
}

#[test]
fn models_kept_apart_have_their_structures_beside_each_other() {
    let house = open(HOUSE);
    let merging = Merging { joining: Joining::Apart, seed: String::new() };
    let (whole, _) = merge_models(&[house.clone(), house], &merging).unwrap();
    let whole = again(&whole);
    assert_eq!((whole.of_class("IfcSite").len(), whole.of_class("IfcBuildingStorey").len()), (2, 2));
    let project = whole.of_class("IfcProject")[0];
    assert_eq!(ifc::relations::children(&whole, project).len(), 2);
}

#[test]
fn another_schema_and_other_units_are_converted_and_things_stay_where_they_are() {
    let (house, basin) = (open(HOUSE), open(BASIN));
    let at = |model: &Model| {
        let id = model.by_guid("1000000000000000000050").unwrap();
        geometry::Shaper::plain(model).element(id).unwrap().bounds()
    };
    for joining in [Joining::Name, Joining::Elevation, Joining::Apart] {
        let merging = Merging { joining, seed: "x".to_owned() };
        let (whole, report) = merge_models(&[house.clone(), basin.clone()], &merging).unwrap();
        let whole = again(&whole);
        let (a, b) = (at(&basin), at(&whole));
        assert!((a.min - b.min).abs().max_element() < 1e-6, "{a:?} {b:?}");
        assert!((a.max - b.max).abs().max_element() < 1e-6, "{a:?} {b:?}");
        let merged = &report.models[0];
        assert!(merged.converted > 0);
        assert!(merged.differences.iter().any(|d| d.contains("LENGTHUNIT")), "{:?}", merged.differences);
        let storeys = whole.of_class("IfcBuildingStorey").len();
        // the building of the other is in the project, that of the house in a site: nothing to join by
        assert_eq!(storeys, 2, "{joining:?}");
    }
}

#[test]
fn storeys_of_one_height_are_one_where_that_is_asked() {
    let other = HOUSE.replace(
        "#14=IFCBUILDINGSTOREY('0000000000000000000014',$,'../Level 1'",
        "#14=IFCBUILDINGSTOREY('0000000000000000000015',$,'EG'",
    );
    let storeys = |joining| {
        let models = [open(HOUSE), open(&other)];
        let (whole, _) = merge_models(&models, &Merging { joining, seed: String::new() }).unwrap();
        whole.of_class("IfcBuildingStorey").len()
    };
    assert_eq!(storeys(Joining::Name), 2);
    assert_eq!(storeys(Joining::Elevation), 1);
}

#[test]
fn fewer_than_two_models_are_not_merged() {
    assert!(merge_models(&[open(HOUSE)], &Merging::default()).is_err());
    assert!(merge_models(&[], &Merging::default()).is_err());
}

#[test]
fn names_of_files_lead_nowhere() {
    for (name, file) in [
        ("../../etc/passwd", "_.._etc_passwd"),
        ("a\\b:c*?", "a_b_c__"),
        ("con", "part con"),
        ("", "part"),
        ("..", "part"),
        ("Étage 1", "Étage 1"),
        ("a\nb\u{0}", "a_b_"),
    ] {
        assert_eq!(file_name(name), file, "{name:?}");
    }
}

fn asked(format: Format) -> Export {
    Export {
        name: "my/house".to_owned(),
        time: "2026-11-27T00:00:00".to_owned(),
        format,
        ..Export::default()
    }
}

#[test]
fn a_request_is_answered_in_every_format() {
    let house = open(HOUSE);
    for (name, format) in Format::NAMES {
        assert_eq!(Format::named(&name.to_uppercase()), Some(format));
        let made = exported(&house, &[], &asked(format)).unwrap();
        assert_eq!(made.file.name, format!("my_house.{}", format.ending()));
        assert!(!made.file.bytes.is_empty());
        if matches!(format, Format::Ifc | Format::IfcZip) {
            let (read, _) = Model::from_bytes(made.file.bytes, &ifc::Limits::default()).unwrap();
            assert_eq!(read.header().time_stamp, "2026-11-27T00:00:00");
            assert_eq!(read.len(), house.len());
        }
    }
}

#[test]
fn a_request_joins_cuts_splits_and_views_in_one_go() {
    let request = Export {
        selector: Some("IfcElement".to_owned()),
        split: Some(Split::Discipline),
        view: Some("reference".to_owned()),
        ..asked(Format::Ifc)
    };
    let made = exported(&open(HOUSE), &[open(BASIN)], &request).unwrap();
    let names: Vec<&str> = made.parts.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["architecture", "structure", "plumbing"]);
    assert!(made.file.name == "my_house.zip" && made.file.bytes.starts_with(b"PK"));
    assert_eq!(made.merge.unwrap().models.len(), 1);
    let said: Vec<_> = made.report.changes.iter().map(|c| (c.action, &c.class, &c.reason)).collect();
    let mut once = said.clone();
    once.dedup();
    assert_eq!(said, once);
    let conflict = Export { view: Some("reference".to_owned()), ..asked(Format::Glb) };
    assert!(exported(&open(HOUSE), &[], &conflict).unwrap_err().to_string().contains("is of IFC files"));
}

#[test]
fn parameters_of_arcs_are_counted_in_the_unit_of_the_whole() {
    let degrees = HOUSE.replace(
        "#5=IFCUNITASSIGNMENT((#6));",
        "#5=IFCUNITASSIGNMENT((#6,#901));\n#901=IFCCONVERSIONBASEDUNIT(#902,.PLANEANGLEUNIT.,'DEGREE',#903);\n\
         #902=IFCDIMENSIONALEXPONENTS(0,0,0,0,0,0,0);\n\
         #903=IFCMEASUREWITHUNIT(IFCPLANEANGLEMEASURE(0.0174532925199433),#904);\n\
         #904=IFCSIUNIT(*,.PLANEANGLEUNIT.,$,.RADIAN.);",
    );
    let (house, basin) = (open(&degrees), open(BASIN));
    let at = |model: &Model| {
        let id = model.by_guid("1000000000000000000050").unwrap();
        geometry::Shaper::plain(model).element(id).unwrap().mesh().measures()
    };
    let (whole, _) = merge_models(&[house, basin.clone()], &Merging::default()).unwrap();
    let (a, b) = (at(&basin), at(&whole));
    assert!((a.bounds.min - b.bounds.min).abs().max_element() < 1e-6, "{a:?} {b:?}");
    assert!((a.volume - b.volume).abs() < 1e-6, "{a:?} {b:?}");
}

/// An export that somebody waits for.
fn exported(model: &Model, others: &[Model], asked: &Export) -> Result<Exported, ExchangeError> {
    let scene = || Some(Arc::new(Scene::from_model(model)));
    export(model, others, asked, Asker { scene: &scene, wanted: &|| true })
}

#[test]
fn an_export_that_nobody_wants_any_more_ends() {
    let house = open(HOUSE);
    let request = Export { name: "house".to_owned(), split: Some(Split::Storey), ..Export::default() };
    let asker = Asker { scene: &|| None, wanted: &|| false };
    assert!(matches!(export(&house, &[], &request, asker), Err(ExchangeError::GivenUp)));
    let request = Export { name: "house".to_owned(), format: Format::Glb, ..Export::default() };
    let asker = Asker { scene: &|| None, wanted: &|| true };
    assert!(matches!(export(&house, &[], &request, asker), Err(ExchangeError::GivenUp)));
}

#[test]
fn parts_of_a_model_that_is_halved_are_those_cut_out_of_the_whole() {
    for (name, model) in super::models(&["TallBuilding.ifc", "Duplex_A_20110907.ifc"]) {
        let storeys = crate::split::storeys(&model).unwrap();
        assert!(storeys.len() > 3, "{name}: so many that it is halved");
        let halved = split_by_storey(&model).unwrap();
        assert_eq!(halved.len(), storeys.len());
        for (part, group) in halved.iter().zip(storeys) {
            assert_eq!((&part.name, part.products), (&group.0, group.1.len()));
            let mut direct = crate::split::each_part(&model, vec![group], &Ok).unwrap();
            let direct = direct.remove(0).subset.model;
            let text = |model: &Model| with_header(model, model.header()).unwrap().to_bytes();
            assert!(text(&part.subset.model) == text(&direct), "{name} {}", part.name);
        }
    }
}
