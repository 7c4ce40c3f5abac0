//! A building is judged the same wherever it stands, whatever unit it is written in, and in every version of the schema.

mod told;
mod units;

use crate::constraints::tests::ours::house;
use crate::constraints::tests::real::turned;
use building::roof::RoofShape;
use ifc::{Limits, Model, SchemaVersion};
use told::{All, all, differences};
use units::{Unit, in_unit};

/// The buildings: two of other programs and one of our own.
fn buildings() -> Vec<(&'static str, Model)> {
    let open =
        |name: &'static str| Some((name, Model::open(&testing::model(name)?, &Limits::default()).unwrap().0));
    let corners = [[0.0, 0.0], [10_000.0, 0.0], [10_000.0, 8_000.0], [0.0, 8_000.0]];
    let ours = ("ours", house(SchemaVersion::Ifc4, RoofShape::Gable, &corners));
    let theirs = ["Duplex_A_20110907.ifc", "AC20-FZK-Haus.ifc"].into_iter().filter_map(open);
    theirs.chain([ours]).collect()
}

/// A change by its name, and what makes it.
type Change<'c> = (&'c str, &'c dyn Fn(&Model) -> Model);

/// Holds the findings on each building against those on the same one changed.
fn hold(changes: &[Change<'_>]) {
    let mut bad = Vec::new();
    for (name, model) in buildings() {
        let before: All = all(model.clone());
        assert!(!before.is_empty(), "{name}");
        for (change, make) in changes {
            let changed = make(&model);
            let found = differences(&before, &all(changed));
            bad.extend(found.into_iter().map(|(_, say)| format!("{name}, {change}: {say}")));
        }
    }
    assert!(bad.is_empty(), "{} differences:\n{}", bad.len(), bad.join("\n"));
}

#[test]
fn a_building_that_is_turned_or_far_away_has_the_same_findings() {
    hold(&[
        ("turned", &|model| turned(model, 30.0, [0.0; 3])),
        ("far", &|model| {
            let metre = 1000.0 / ifc::Units::from_model(model).to_mm(1.0);
            turned(model, 0.0, [26_000.0 * metre, -12_000.0 * metre, 450.0 * metre])
        }),
    ]);
}

#[test]
fn a_building_in_another_unit_has_the_same_findings() {
    hold(&[
        ("metres", &|model| in_unit(model, Unit::Metre)),
        ("millimetres", &|model| in_unit(model, Unit::Millimetre)),
        ("feet", &|model| in_unit(model, Unit::Foot)),
    ]);
}

#[test]
fn a_building_in_another_unit_has_its_lengths_counted_anew_and_stands_where_it_stood() {
    for (name, model) in buildings() {
        let bounds = |model: &Model| {
            geometry::query::Index::of_scene(&geometry::Scene::from_model(model), &|_| true).bounds()
        };
        let (was, first) = (bounds(&model), model.of_class("IfcCartesianPoint").len());
        for (unit, mm) in [(Unit::Metre, 1000.0), (Unit::Millimetre, 1.0), (Unit::Foot, 304.8)] {
            let other = in_unit(&model, unit);
            let is = bounds(&other);
            let factor = ifc::Units::from_model(&other).to_mm(1.0);
            assert!(
                (factor - mm).abs() < 1e-9 && other.of_class("IfcCartesianPoint").len() == first,
                "{name}"
            );
            assert!(
                was.min.abs_diff_eq(is.min, 1e-6) && was.max.abs_diff_eq(is.max, 1e-6),
                "{name} {unit:?}"
            );
        }
    }
}

#[test]
fn a_fault_that_another_building_has_is_a_difference() {
    let findings: Vec<All> = buildings().into_iter().map(|(_, model)| all(model)).collect();
    let told: Vec<usize> = findings.iter().map(All::len).collect();
    assert!(told.iter().all(|count| *count > 10), "{told:?}");
    let [one, other, ..] = findings.as_slice() else { return };
    assert_eq!(differences(one, one), []);
    assert!(differences(one, other).len() > one.len().max(other.len()));
}

#[test]
fn a_building_in_another_schema_has_the_same_findings() {
    let to = |schema: SchemaVersion| move |model: &Model| ifc_convert::convert(model, schema).unwrap().0;
    hold(&[
        ("IFC2X3", &to(SchemaVersion::Ifc2x3)),
        ("IFC4", &to(SchemaVersion::Ifc4)),
        ("IFC4X3", &to(SchemaVersion::Ifc4x3)),
    ]);
}
