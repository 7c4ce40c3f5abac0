//! Real models: what is found there, and that turning, moving or other units change nothing.

use super::plan::Made;
use super::*;
use ifc::{Limits, Model};
use std::collections::BTreeMap;

fn open(name: &str) -> Option<Made> {
    Some(Made::new(Model::open(&testing::model(name)?, &Limits::default()).unwrap().0))
}

/// The findings of a constraint, as GlobalIds.
fn found(made: &Made, id: &str) -> Vec<Vec<String>> {
    let report = check(&made.subject(), None, &[id], &|_, _| true).unwrap();
    let guids =
        |finding: &Finding| finding.elements.iter().filter_map(|id| made.model.get(*id)?.guid()).collect();
    report.findings.iter().map(guids).collect()
}

#[test]
fn the_duplex_has_one_ceiling_twice_and_no_room_that_is_cut_off() {
    let Some(made) = open("Duplex_A_20110907.ifc") else { return };
    assert_eq!(found(&made, "constraints.duplicate").len(), 1);
    for id in ["room_without_door", "sealed_room", "space_overlap", "floating", "orphan", "unhosted_filling"]
    {
        assert_eq!(found(&made, &format!("constraints.{id}")), [[""; 0]; 0], "{id}");
    }
}

#[test]
fn a_volume_in_the_wrong_unit_is_found() {
    let Some(made) = open("SampleHouse4.ifc") else { return };
    let report = check(&made.subject(), None, &["constraints.quantity"], &|_, _| true).unwrap();
    let is_thousandfold = |finding: &&Finding| finding.message.contains("68713.556 m³");
    assert!(report.findings.iter().any(|finding| is_thousandfold(&finding)), "{:?}", report.findings);
}

#[test]
fn walls_of_a_trade_alone_are_not_said_to_float_and_gross_sizes_may_count_what_a_body_is_cut_by() {
    let Some(made) = open("kalkzandsteen.ifc") else { return };
    let report = check(&made.subject(), None, &["constraints.floating"], &|_, _| true).unwrap();
    let [finding] = &report.findings[..] else { panic!("{:?}", report.findings) };
    assert!(finding.severity == Severity::Info && finding.message.contains("5 storeys"), "{finding:?}");
    let stated = found(&made, "constraints.quantity");
    assert!(stated.len() < 12, "{stated:?}");
}

#[test]
fn what_is_drawn_through_each_other_by_custom_is_counted_and_not_told() {
    for (name, most) in [("Duplex_A_20110907.ifc", 30), ("AC20-FZK-Haus.ifc", 14), ("SampleHouse4.ifc", 15)] {
        let Some(made) = open(name) else { return };
        let report = check(&made.subject(), None, &["constraints.overlap"], &|_, _| true).unwrap();
        let told: Vec<&str> = report.findings.iter().map(|finding| finding.message.as_str()).collect();
        assert!((1..=most).contains(&told.len()), "{name}: {told:#?}");
        assert!(name.starts_with("Sample") || !report.notes.is_empty(), "{name}");
    }
}

#[test]
fn every_model_is_checked_whole_and_every_finding_stands_by_itself() {
    let models = [
        "3rooms_with_SB.ifc",
        "AC20-FZK-Haus.ifc",
        "ExampleHOM.ifc",
        "House.ifc",
        "IfcOpenHouse_IFC4.ifc",
        "LargeBuilding.ifc",
        "Niedri.ifc",
        "SampleHouse4.ifc",
        "TallBuilding.ifc",
        "Text2BIM_sample_model.ifc",
        "Vebo.ifc",
        "basic_demo.ifc",
        "kalkzandsteen.ifc",
        "staal.ifc",
        "wall_door_column_4x3.ifc",
    ];
    for name in models {
        let Some(made) = open(name) else { return };
        let report = report(&made);
        for finding in &report.findings {
            let is_whole = finding.message.ends_with('.') && !finding.message.contains("NaN");
            assert!(is_whole, "{name}: {finding:?}");
            assert!(
                finding.severity == Severity::Info || finding.suggestion.is_some(),
                "{name}: {finding:?}"
            );
            let exists = finding.elements.iter().all(|id| made.model.contains(*id));
            assert!(exists && finding.point.is_none_or(glam::DVec3::is_finite), "{name}: {finding:?}");
        }
        let count: usize = report.counts.values().sum();
        assert_eq!(count, report.findings.len(), "{name}");
    }
}

#[test]
fn a_building_that_is_turned_and_moved_has_the_same_findings() {
    for name in ["Duplex_A_20110907.ifc", "House.ifc", "kalkzandsteen.ifc"] {
        let Some(path) = testing::model(name) else { return };
        let (model, _) = Model::open(&path, &Limits::default()).unwrap();
        let moved = turned(&model, 37.0, [123.0, -45.0, 0.0]);
        let tell = |made: &Made| -> BTreeMap<(String, Vec<Id>), Severity> {
            let report = report(made);
            let all = report.findings.into_iter().map(|f| ((f.rule, f.elements), f.severity));
            all.collect()
        };
        let (before, after) = (tell(&Made::new(model)), tell(&Made::new(moved)));
        let lost: Vec<_> = before.iter().filter(|(key, _)| !after.contains_key(*key)).collect();
        let come: Vec<_> = after.iter().filter(|(key, _)| !before.contains_key(*key)).collect();
        assert!(lost.is_empty() && come.is_empty(), "{name}: lost {lost:?}, come {come:?}");
    }
}

/// The model with every placement that stands on no other turned about z and moved, by so many file units.
pub fn turned(model: &Model, degrees: f64, by: [f64; 3]) -> Model {
    use ifc::Value;
    let mut edit = model.edit();
    let (sin, cos) = degrees.to_radians().sin_cos();
    let reals = |all: [f64; 3]| Value::list(all.into_iter().map(Value::Real));
    let point = edit.create("IfcCartesianPoint", &[("Coordinates", reals(by))]).unwrap();
    let up = edit.create("IfcDirection", &[("DirectionRatios", reals([0.0, 0.0, 1.0]))]).unwrap();
    let way = edit.create("IfcDirection", &[("DirectionRatios", reals([cos, sin, 0.0]))]).unwrap();
    let axes = [("Location", point.into()), ("Axis", up.into()), ("RefDirection", way.into())];
    let axes = edit.create("IfcAxis2Placement3D", &axes).unwrap();
    let roots: Vec<Id> = model
        .of_class("IfcLocalPlacement")
        .into_iter()
        .filter(|id| model.get(*id).is_some_and(|p| p.reference("PlacementRelTo").is_none()))
        .collect();
    let base = edit.create("IfcLocalPlacement", &[("RelativePlacement", axes.into())]).unwrap();
    for root in roots {
        edit.set(root, "PlacementRelTo", base).unwrap();
    }
    edit.finish().0
}
