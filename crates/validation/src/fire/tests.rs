//! Ratings as they are spelt, and a house of two compartments with one fault at a time.

use super::{Compartment, OpeningRule, Parameters, Rating, Reading, Report, Source, check, read, rules};
use crate::constraints::tests::house::House;
use crate::constraints::tests::plan::{Made, Plan, Setting};
use crate::rule_page::assert_are_whole;
use crate::{Finding, Measured};
use ifc::guid::GuidSource;
use ifc::{Id, Limits, Model, psets};
use std::collections::BTreeSet;

#[test]
fn ratings_are_read_as_the_world_spells_them() {
    let minutes =
        |r: Option<f64>, e: Option<f64>, i: Option<f64>| Rating { load: r, integrity: e, insulation: i };
    let all = Rating::all;
    for (text, rating) in [
        ("REI 60", all(60.0)),
        ("REI120", all(120.0)),
        ("rei-90", all(90.0)),
        ("EI30", Rating::separating(30.0)),
        ("EI2 30-C5", Rating::separating(30.0)),
        ("EI 15", Rating::separating(15.0)),
        ("E 30", minutes(None, Some(30.0), None)),
        ("R60", minutes(Some(60.0), None, None)),
        ("R 90 / EI 60", minutes(Some(90.0), Some(60.0), Some(60.0))),
        ("F90", all(90.0)),
        ("F 30-B", all(30.0)),
        ("T30", Rating::separating(30.0)),
        ("T 90-RS", Rating::separating(90.0)),
        ("G30", minutes(None, Some(30.0), None)),
        ("FRL 90/90/90", all(90.0)),
        ("-/60/30", minutes(None, Some(60.0), Some(30.0))),
        ("FD30S", Rating::separating(30.0)),
        ("CF 1h30", Rating::separating(90.0)),
        ("CF 1/2H", Rating::separating(30.0)),
        ("1 HR", all(60.0)),
        ("1-HR", all(60.0)),
        ("2 hours", all(120.0)),
        ("1.5 h", all(90.0)),
        ("1 1/2 HR", all(90.0)),
        ("3/4 hour", all(45.0)),
        ("1½ Hr", all(90.0)),
        ("0,5 h", all(30.0)),
        ("60 min", all(60.0)),
        ("45 Minutes", all(45.0)),
        ("20-MIN", all(20.0)),
        ("60", all(60.0)),
        ("2", all(120.0)),
        ("2H", all(120.0)),
    ] {
        assert_eq!(read(text), Reading::Rated(rating), "{text}");
    }
    for text in ["", "none", "N/A", "0", "Unrated", " - ", "0 HR"] {
        assert_eq!(read(text), Reading::Unrated, "{text:?}");
    }
    for text in ["A2-s1,d0", "see plan", "fire wall", "7", "A1"] {
        assert_eq!(read(text), Reading::Unreadable, "{text:?}");
    }
    assert_eq!(Rating { load: Some(90.0), integrity: Some(60.0), insulation: Some(30.0) }.minutes(), 30.0);
}

#[test]
fn an_opening_needs_less_than_its_wall_by_the_table_and_its_part_by_a_ratio() {
    let table = Parameters::default();
    for (wall, opening) in
        [(240.0, 180.0), (120.0, 90.0), (60.0, 45.0), (45.0, 45.0), (30.0, 20.0), (300.0, 180.0)]
    {
        assert_eq!(table.opening_minutes(wall), opening, "{wall}");
    }
    let half = Parameters { openings: OpeningRule::Ratio(0.5), ..Parameters::default() };
    assert_eq!(half.opening_minutes(90.0), 45.0);
}

#[test]
fn every_rule_of_fire_has_a_whole_page() {
    assert_are_whole(rules(), "fire.");
}

/// States a rating of an element.
pub(crate) fn rate(plan: &mut Plan, id: Id, rating: &str) {
    let value = plan.add(&format!("IFCPROPERTYSINGLEVALUE('FireRating',$,IFCLABEL('{rating}'),$)"));
    let set = plan.rooted("IFCPROPERTYSET", &format!("$,'Pset_Common',$,(#{value})"));
    plan.rooted("IFCRELDEFINESBYPROPERTIES", &format!("$,$,$,({id}),#{set}"));
}

/// Puts rooms into a zone.
pub(crate) fn zone(plan: &mut Plan, name: &str, rooms: &[Id]) {
    let zone = plan.rooted("IFCZONE", &format!("$,'{name}',$,$,$"));
    let list: Vec<String> = rooms.iter().map(ToString::to_string).collect();
    plan.rooted("IFCRELASSIGNSTOGROUP", &format!("$,$,$,({}),$,#{zone}", list.join(",")));
}

/// A house whose rooms are two compartments behind a wall of an hour and a door of 45 minutes.
fn parted(setting: Setting) -> House {
    let mut house = House::new(setting);
    let [a, b] = house.rooms;
    zone(&mut house.plan, "Fire compartment 1", &[a]);
    zone(&mut house.plan, "Fire compartment 2", &[b]);
    house
}

fn report(house: House) -> Report {
    check(&Made::new(house.plan.model()).subject(), &Parameters::default(), &|_, _| true).unwrap()
}

fn told(report: &Report) -> Vec<(&str, Vec<Id>)> {
    let is_described = |finding: &Finding| rules().iter().any(|page| page.id == finding.rule);
    assert!(report.findings.iter().all(is_described), "{:?}", report.findings);
    report.findings.iter().map(|finding| (finding.rule.as_str(), finding.elements.clone())).collect()
}

#[test]
fn two_compartments_that_are_closed_have_no_finding() {
    for setting in Setting::ALL {
        let mut house = parted(setting);
        let (inner, between) = (house.inner, house.between);
        rate(&mut house.plan, inner, "REI 60");
        rate(&mut house.plan, between, "EI 45");
        let report = report(house);
        assert_eq!(told(&report), [], "{setting:?} {:?}", report.findings);
        assert_eq!(report.compartments.len(), 2);
        assert!(report.compartments.iter().all(|own| own.source == Source::Zone && own.rooms.len() == 1));
    }
}

#[test]
fn a_door_that_is_weaker_than_its_wall_asks_is_found_and_one_without_a_rating_too() {
    for setting in Setting::ALL {
        let mut house = parted(setting);
        let (inner, between) = (house.inner, house.between);
        rate(&mut house.plan, inner, "2 HR");
        rate(&mut house.plan, between, "T30");
        let weak = report(house);
        assert_eq!(told(&weak), [("fire.opening_weaker", vec![between, inner])], "{setting:?}");
        assert_eq!(weak.findings[0].required.as_ref().unwrap().to_string(), "at least 90 min");
        assert_eq!(weak.findings[0].measured.as_ref().unwrap().to_string(), "30 min");
    }
    let mut house = parted(Setting::PLAIN);
    let (inner, between) = (house.inner, house.between);
    rate(&mut house.plan, inner, "F90");
    assert_eq!(told(&report(house)), [("fire.opening_missing", vec![between, inner])]);
}

#[test]
fn walls_and_doors_between_compartments_need_a_rating() {
    let house = parted(Setting::PLAIN);
    let (inner, between) = (house.inner, house.between);
    let report = report(house);
    let mut found = told(&report);
    found.sort();
    assert_eq!(found, [("fire.missing_rating", vec![inner]), ("fire.missing_rating", vec![between])]);
}

#[test]
fn an_open_hole_between_compartments_is_found_twice_over() {
    let mut house = parted(Setting::PLAIN);
    let (inner, between, [a, b]) = (house.inner, house.between, house.rooms);
    rate(&mut house.plan, inner, "REI 60");
    rate(&mut house.plan, between, "EI 60");
    let hole = house.plan.opening(Some(inner), [4.1, 3.0, 0.0], [4.5, 4.0, 2.1]);
    let report = report(house);
    assert_eq!(
        told(&report),
        [("fire.opening_unprotected", vec![hole, inner]), ("fire.compartment_open", vec![a, b, hole])]
    );
    let Some(Measured::Quantity(area)) = report.findings[1].measured else { panic!("{report:?}") };
    assert!((area.value - 2.1).abs() < 1e-6);
}

#[test]
fn a_rated_wall_that_ends_below_the_slab_tells_by_how_much() {
    for setting in Setting::ALL {
        let mut house = House::new(setting);
        let low = house.plan.wall("Low", [1.0, 2.0, 0.0], [3.0, 2.1, 2.6]);
        rate(&mut house.plan, low, "EI 60");
        let inner = house.inner;
        rate(&mut house.plan, inner, "none");
        let report = report(house);
        assert_eq!(told(&report), [("fire.wall_below_slab", vec![low])], "{setting:?}");
        let Some(Measured::Quantity(gap)) = report.findings[0].measured else { panic!("{report:?}") };
        assert!((gap.value - 0.4).abs() < 1e-3, "{gap:?}");
    }
}

#[test]
fn rated_walls_make_compartments_where_the_file_groups_none() {
    let mut house = House::new(Setting::PLAIN);
    let (inner, between) = (house.inner, house.between);
    rate(&mut house.plan, inner, "REI 60");
    rate(&mut house.plan, between, "EI 60");
    let report = report(house);
    assert_eq!(report.compartments.len(), 2, "{:?}", report.compartments);
    assert!(report.compartments.iter().all(|own| own.source == Source::RatedElements));
    assert_eq!(told(&report), []);
}

#[test]
fn what_is_not_stated_or_not_understood_is_said() {
    let plain = report(House::new(Setting::PLAIN));
    assert_eq!(told(&plain), [("fire.unjudged", Vec::new())]);
    let mut house = House::new(Setting::PLAIN);
    let inner = house.inner;
    rate(&mut house.plan, inner, "see plan");
    assert_eq!(told(&report(house)), [("fire.unreadable", vec![inner])]);
}

/// The Duplex with a rating for the walls and slabs whose names have one of some words.
fn rated_duplex(words: &[&str]) -> Option<(Made, Report)> {
    let (model, _) = Model::open(&testing::model("Duplex_A_20110907.ifc")?, &Limits::default()).unwrap();
    let (mut edit, mut guids) = (model.edit(), GuidSource::new("rating"));
    let all = ["IfcWall", "IfcSlab"].into_iter().flat_map(|class| model.of_class(class));
    let is_named = |id: &Id| {
        let name = model.get(*id).and_then(|element| element.name()).unwrap_or_default();
        words.iter().any(|word| name.contains(word))
    };
    let chosen: Vec<Id> = all.filter(is_named).collect();
    let rating = psets::Change { name: "FireRating".into(), value: Some("2 HR".into()) };
    psets::set(&mut edit, &chosen, "Pset_Fire", &[rating], &mut guids).unwrap();
    let made = Made::new(edit.finish().0);
    let report = check(&made.subject(), &Parameters::default(), &|_, _| true).unwrap();
    Some((made, report))
}

#[test]
fn the_dwellings_of_the_duplex_lie_over_each_other_so_that_its_party_wall_alone_parts_nothing() {
    let Some((_, walls)) = rated_duplex(&["Party Wall"]) else { return };
    assert_eq!(walls.compartments, []);
    let Some((made, all)) = rated_duplex(&["Party Wall", "Residential - Wood Joist"]) else { return };
    let rooms = &made.subject().layout.rooms.rooms;
    let dwellings = |own: &Compartment| -> BTreeSet<char> {
        own.rooms.iter().filter_map(|room| rooms[*room].name.chars().next()).collect()
    };
    let sets: Vec<BTreeSet<char>> = all.compartments.iter().map(dwellings).collect();
    assert!(sets.len() >= 2 && sets.iter().all(|set| set.len() == 1), "{sets:?}");
    // no door stands in the party wall
    assert!(all.findings.iter().all(|f| !f.rule.starts_with("fire.opening")), "{:?}", all.findings);
}
