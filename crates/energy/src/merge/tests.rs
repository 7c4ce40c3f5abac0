use super::{Clash, Merged, Side, merge};
use crate::edit::Fields;
use crate::idf::Document;
use proptest::prelude::*;
use std::collections::BTreeSet;

const HOUSE: &str = "Version,25.2;
Timestep,4;
Zone,Attic,0,0,0,0;
Zone,Hall,0,0,0,0;
ZoneList,Both,Attic,Hall;
Material,Brick,Rough,0.1,0.9,1800,840;
Material,Wool,Rough,0.1,0.04,30,840;
Construction,Wall,Brick,Wool;
BuildingSurface:Detailed,South,Wall,Wall,Attic,,Outdoors,,SunExposed,WindExposed,,4,0,0,3,0,0,0,4,0,0,4,0,3;
Output:Variable,*,Zone Mean Air Temperature,Hourly;
";

fn open(text: &str) -> Document {
    Document::open(text.as_bytes()).unwrap().0
}

fn edited(change: impl FnOnce(&mut Document)) -> Document {
    let mut document = open(HOUSE);
    change(&mut document);
    document
}

fn joined(ours: &Document, theirs: &Document, side: Option<Side>) -> Merged {
    merge((&open(HOUSE), ours, theirs), (&[], &[]), &|_| side)
}

/// Every object as a line, whatever its place.
fn content(document: &Document) -> Vec<String> {
    let line = |values: Vec<&str>| values.join("|").trim_end_matches('|').to_owned();
    let mut lines: Vec<String> = document
        .objects()
        .map(|object| format!("{}|{}", object.type_name(), line(object.values().collect())))
        .collect();
    lines.sort_unstable();
    lines
}

fn set(document: &mut Document, object: &str, field: &str, value: &str) {
    let (type_name, name) = object.split_once('/').unwrap();
    let handle = document.get(type_name, name).unwrap().handle();
    let value = serde_json::from_str(value).unwrap_or_else(|_| value.into());
    document.update(handle, &Fields::from_iter([(field.to_owned(), value)])).unwrap();
}

fn rename(document: &mut Document, object: &str, name: &str) {
    let (type_name, old) = object.split_once('/').unwrap();
    let handle = document.get(type_name, old).unwrap().handle();
    document.rename(handle, name).unwrap();
}

/// Adds what a text says, as an edit.
fn add(document: &mut Document, text: &str) {
    let other = open(text);
    for object in other.objects() {
        document.push(object.to_record());
    }
}

fn remove(document: &mut Document, object: &str) {
    let (type_name, name) = object.split_once('/').unwrap();
    let handle = document.get(type_name, name).unwrap().handle();
    document.put(handle, None);
}

fn keys(merged: &Merged) -> BTreeSet<String> {
    merged.open.iter().map(|conflict| conflict.key.clone()).collect()
}

#[test]
fn different_fields_of_one_object_are_both_changed() {
    let ours = edited(|d| set(d, "Material/Wool", "conductivity", "0.035"));
    let theirs = edited(|d| set(d, "Material/Wool", "thickness", "0.2"));
    let merged = joined(&ours, &theirs, None);
    assert!(merged.open.is_empty(), "{:?}", merged.open);
    assert!(content(&merged.document).contains(&"Material|Wool|Rough|0.2|0.035|30|840".to_owned()));
    assert_eq!(merged.effects.0, merged.effects.1);
}

#[test]
fn one_field_changed_differently_is_a_conflict_with_both_sides() {
    let ours = edited(|d| set(d, "Material/Wool", "thickness", "0.2"));
    let theirs = edited(|d| set(d, "Material/Wool", "thickness", "0.3"));
    let merged = joined(&ours, &theirs, None);
    assert_eq!(keys(&merged), BTreeSet::from(["Material/Wool/thickness".to_owned()]));
    let Clash::Field { base, ours: a, theirs: b, .. } = &merged.open[0].clash else { panic!() };
    assert_eq!((base.as_str(), a.as_str(), b.as_str()), ("0.1", "0.2", "0.3"));
    assert_eq!(content(&joined(&ours, &theirs, Some(Side::Ours)).document), content(&ours));
    assert_eq!(content(&joined(&ours, &theirs, Some(Side::Theirs)).document), content(&theirs));
    // both the same is none
    assert!(joined(&ours, &ours.clone(), None).open.is_empty());
}

#[test]
fn corners_are_joined_as_a_whole() {
    let moved = |x: &str| {
        let text = HOUSE.replace("4,0,0,3,0,0,0,4,0,0,4,0,3", &format!("4,0,0,3,0,0,0,{x},0,0,{x},0,3"));
        let (base, other) = (open(HOUSE), open(&text));
        let handle = base.get("BuildingSurface:Detailed", "South").unwrap().handle();
        let record = other.get("BuildingSurface:Detailed", "South").unwrap().to_record();
        edited(|d| d.put(handle, Some(record)))
    };
    let merged = joined(&moved("5"), &moved("6"), None);
    assert_eq!(keys(&merged), BTreeSet::from(["BuildingSurface:Detailed/South/vertices".to_owned()]));
    let ours = edited(|d| set(d, "BuildingSurface:Detailed/South", "sun_exposure", "NoSun"));
    let merged = joined(&ours, &moved("6"), None);
    assert!(merged.open.is_empty());
    let lines = content(&merged.document);
    assert!(
        lines.iter().any(|line| line.contains("|NoSun|") && line.ends_with("|0|0|0|6|0|0|6|0|3")),
        "{lines:?}"
    );
}

#[test]
fn what_one_side_adds_to_what_the_other_renamed_follows_the_name() {
    let ours = edited(|d| rename(d, "Zone/Attic", "Loft"));
    let theirs = edited(|d| {
        add(d, "ZoneInfiltration:DesignFlowRate,Draught,Attic,On,Flow/Zone,0.1;");
        set(d, "ZoneList/Both", "zone_2_name", "Attic");
    });
    let (one, other) = (joined(&ours, &theirs, None), joined(&theirs, &ours, None));
    assert!(one.open.is_empty() && other.open.is_empty(), "{:?} {:?}", one.open, other.open);
    let lines = content(&one.document);
    assert_eq!(lines, content(&other.document));
    assert!(!lines.iter().any(|line| line.contains("Attic")), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("ZoneInfiltration:DesignFlowRate|Draught|Loft|")));
    assert!(lines.contains(&"ZoneList|Both|Loft|Loft".to_owned()), "{lines:?}");
    assert_eq!(one.effects.0, one.effects.1);
}

#[test]
fn an_object_that_takes_the_old_name_of_a_renamed_one_is_another() {
    let ours = edited(|d| {
        rename(d, "Zone/Attic", "Loft");
        add(d, "Zone,Attic,0,9,9,9;\nZoneList,New,Attic;");
    });
    let theirs = edited(|d| set(d, "Zone/Attic", "x_origin", "3"));
    let lines = content(&joined(&ours, &theirs, None).document);
    assert!(
        lines.contains(&"Zone|Loft|0|3|0|0".to_owned()) && lines.contains(&"Zone|Attic|0|9|9|9".to_owned()),
        "{lines:?}"
    );
    assert!(lines.contains(&"ZoneList|New|Attic".to_owned()), "{lines:?}");
}

#[test]
fn names_that_both_sides_give_are_conflicts() {
    let ours = edited(|d| rename(d, "Zone/Attic", "Loft"));
    let both = joined(&ours, &edited(|d| rename(d, "Zone/Attic", "Garret")), None);
    assert_eq!(keys(&both), BTreeSet::from(["Zone/Attic/name".to_owned()]));
    let theirs = edited(|d| rename(d, "Zone/Hall", "Loft"));
    let one = joined(&ours, &theirs, None);
    assert_eq!(one.open.len(), 1);
    assert_eq!(one.open[0].clash, Clash::SameName);
    assert_eq!(content(&joined(&ours, &theirs, Some(Side::Ours)).document), content(&ours));
    assert_eq!(content(&joined(&ours, &theirs, Some(Side::Theirs)).document), content(&theirs));
    // a new one under the name that the other side gives
    let added = edited(|d| add(d, "Zone,Loft,0,7,7,7;\nZoneList,New,Loft;"));
    let taken = joined(&ours, &added, Some(Side::Ours));
    let lines = content(&taken.document);
    assert_eq!(lines.iter().filter(|line| line.starts_with("Zone|Loft")).count(), 1, "{lines:?}");
    let given = joined(&ours, &added, Some(Side::Theirs));
    assert!(content(&given.document).contains(&"Zone|Attic|0|0|0|0".to_owned()));
}

#[test]
fn what_one_side_removed_and_the_other_changed_or_needs_is_a_conflict() {
    let removed = edited(|d| {
        remove(d, "Construction/Wall");
        remove(d, "BuildingSurface:Detailed/South");
    });
    let changed = edited(|d| set(d, "Construction/Wall", "layer_2", ""));
    let merged = joined(&removed, &changed, None);
    assert_eq!(keys(&merged), BTreeSet::from(["Construction/Wall/removed".to_owned()]));
    let theirs = joined(&removed, &changed, Some(Side::Theirs));
    assert!(content(&theirs.document).contains(&"Construction|Wall|Brick".to_owned()));
    // a new surface needs the construction that is gone
    let needs = edited(|d| {
        add(
            d,
            "BuildingSurface:Detailed,North,Wall,Wall,Hall,,Outdoors,,SunExposed,WindExposed,,4,0,0,3,0,0,0,4,0,0,4,0,3;",
        );
    });
    for (ours, theirs) in [(&removed, &needs), (&needs, &removed)] {
        let merged = joined(ours, theirs, None);
        assert_eq!(keys(&merged), BTreeSet::from(["Construction/Wall/removed".to_owned()]));
        let Clash::Removed { needed_by, .. } = &merged.open[0].clash else { panic!() };
        assert_eq!(needed_by, &["BuildingSurface:Detailed North"]);
        let side = if std::ptr::eq(ours, &raw const needs) { Side::Ours } else { Side::Theirs };
        let kept = joined(ours, theirs, Some(side));
        assert!(kept.document.get("Construction", "Wall").is_some() && kept.open.is_empty());
        assert!(kept.document.get("BuildingSurface:Detailed", "South").is_none());
    }
    // removed and untouched elsewhere: gone
    let quiet = joined(&edited(|_| {}), &removed, None);
    assert!(quiet.open.is_empty() && quiet.document.get("Construction", "Wall").is_none());
}

#[test]
fn the_same_addition_of_both_sides_is_there_once() {
    let ours = edited(|d| add(d, "Output:Variable,*,Zone Air Humidity Ratio,Daily;\nZone,Shed,0,1,1,1;"));
    let theirs = edited(|d| add(d, "Zone,Shed,0,1,1,1;\nOutput:Variable,*,Zone Air Humidity Ratio,Daily;"));
    let merged = joined(&ours, &theirs, None);
    assert!(merged.open.is_empty());
    assert_eq!(content(&merged.document), content(&ours));
    let other = edited(|d| add(d, "Zone,SHED,0,2,2,2;"));
    assert_eq!(keys(&joined(&ours, &other, None)), BTreeSet::from(["Zone/SHED".to_owned()]));
}

#[test]
fn branches_that_meet_again_are_compared_in_one_numbering() {
    let ours = edited(|d| add(d, "Zone,A,0,1,1,1;\nZone,B,0,1,1,1;"));
    let branch = edited(|d| add(d, "Zone,C,0,1,1,1;"));
    let first = joined(&ours, &branch, None);
    assert!(!first.ids.is_empty());
    // the branch goes on, and meets what the first merge made
    let mut later = branch.clone();
    set(&mut later, "Zone/C", "x_origin", "8");
    let second =
        merge((&branch, &first.document, &later), (std::slice::from_ref(&first.ids), &[]), &|_| None);
    assert!(second.open.is_empty(), "{:?}", second.open);
    let lines = content(&second.document);
    assert!(
        lines.contains(&"Zone|C|0|8|1|1".to_owned()) && lines.contains(&"Zone|A|0|1|1|1".to_owned()),
        "{lines:?}"
    );
}

#[test]
fn versions_of_different_files_are_compared_by_name() {
    let rewritten = open(
        &HOUSE.replace("Zone,Attic,0,0", "Zone,Attic,0,5").replace("Timestep,4;\n", "! new\nTimestep,4;\n"),
    );
    let theirs = edited(|d| set(d, "Zone/Hall", "x_origin", "3"));
    let merged = joined(&rewritten, &theirs, None);
    assert!(merged.open.is_empty(), "{:?}", merged.open);
    let lines = content(&merged.document);
    assert!(
        lines.contains(&"Zone|Attic|0|5|0|0".to_owned()) && lines.contains(&"Zone|Hall|0|3|0|0".to_owned()),
        "{lines:?}"
    );
}

#[derive(Debug, Clone)]
enum Step {
    Set(usize, usize, u8),
    Rename(usize, u8),
    Remove(usize),
    Add(u8, u8),
    AddList(usize, u8),
    Output(u8),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        (0..4_usize, 0..3_usize, 0..4_u8).prop_map(|(at, field, value)| Step::Set(at, field, value)),
        (0..4_usize, 0..4_u8).prop_map(|(at, name)| Step::Rename(at, name)),
        (0..4_usize).prop_map(Step::Remove),
        (0..4_u8, 0..3_u8).prop_map(|(name, value)| Step::Add(name, value)),
        (0..4_usize, 0..3_u8).prop_map(|(at, name)| Step::AddList(at, name)),
        (0..3_u8).prop_map(Step::Output),
    ]
}

/// Steps as editing makes them: names stay apart, and what is removed is not referred to.
fn after(steps: &[Step]) -> Document {
    let mut document = open(HOUSE);
    for step in steps {
        let zones: Vec<_> =
            document.of_type("Zone").map(|zone| (zone.handle(), zone.name().to_owned())).collect();
        let zone = |at: usize| zones.get(at % zones.len().max(1)).cloned();
        match step {
            Step::Set(at, field, value) => {
                if let Some((handle, _)) = zone(*at) {
                    let field = ["x_origin", "y_origin", "z_origin"][*field];
                    document
                        .update(handle, &Fields::from_iter([(field.to_owned(), (*value).into())]))
                        .unwrap();
                }
            }
            Step::Rename(at, name) => {
                if let Some((handle, _)) = zone(*at) {
                    let _ = document.rename(handle, &format!("Room {name}"));
                }
            }
            Step::Remove(at) => {
                if let Some((handle, _)) = zone(*at)
                    && crate::references::Graph::from_document(&document).to(handle).is_empty()
                {
                    document.put(handle, None);
                }
            }
            Step::Add(name, value) => {
                if document.get("Zone", &format!("Room {name}")).is_none() {
                    add(&mut document, &format!("Zone,Room {name},0,{value},0,0;"));
                }
            }
            Step::AddList(at, name) => {
                if let Some((_, zone)) = zone(*at)
                    && document.get("ZoneList", &format!("List {name}")).is_none()
                {
                    add(&mut document, &format!("ZoneList,List {name},{zone};"));
                }
            }
            Step::Output(value) => {
                add(&mut document, &format!("Output:Variable,*,Variable {value},Hourly;"));
            }
        }
    }
    document
}

/// References that lead nowhere.
fn dangling(document: &Document) -> usize {
    let known = |name: &str| document.get("Zone", name).is_some();
    document
        .of_type("ZoneList")
        .flat_map(|list| list.values().skip(1))
        .filter(|name| !name.is_empty() && !known(name))
        .count()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn it_does_not_matter_which_side_is_called_ours(
        ours in prop::collection::vec(step(), 0..6),
        theirs in prop::collection::vec(step(), 0..6),
    ) {
        let (ours, theirs) = (after(&ours), after(&theirs));
        let (one, other) = (joined(&ours, &theirs, None), joined(&theirs, &ours, None));
        prop_assert_eq!(one.open.is_empty(), other.open.is_empty(), "{:?} {:?}", one.open, other.open);
        if one.open.is_empty() {
            prop_assert_eq!(content(&one.document), content(&other.document));
            prop_assert_eq!(dangling(&one.document), 0);
            for zone in one.document.of_type("Zone") {
                prop_assert_eq!(one.document.all_named("Zone", zone.name()).len(), 1);
            }
        }
        // with nothing on one side it is the other
        let base = open(HOUSE);
        prop_assert_eq!(content(&joined(&ours, &base, None).document), content(&ours));
        prop_assert_eq!(content(&joined(&base, &theirs, None).document), content(&theirs));
        // both the same is that, and the change between is one that can be applied
        let same = joined(&ours, &ours.clone(), None);
        prop_assert!(same.open.is_empty(), "{:?}", same.open);
        prop_assert_eq!(content(&same.document), content(&ours));
        let decided = joined(&ours, &theirs, Some(Side::Theirs));
        prop_assert!(decided.open.is_empty());
        let delta = decided.document.delta_from(&ours).unwrap();
        prop_assert_eq!(content(&ours.apply(&delta).unwrap()), content(&decided.document));
    }
}

#[test]
fn two_sides_that_were_both_brought_to_another_version_are_joined() {
    // a wall got a field in the middle, in 9.6
    let older =
        open(&HOUSE.replace("Version,25.2", "Version,9.2").replace("Attic,,Outdoors", "Attic,Outdoors"));
    let newer = HOUSE.replace("Version,25.2", "Version,9.6");
    let (mut ours, mut theirs) = (open(&newer), open(&newer.replace("Timestep,4", "Timestep,6")));
    set(&mut ours, "BuildingSurface:Detailed/South", "sun_exposure", "NoSun");
    set(&mut theirs, "BuildingSurface:Detailed/South", "wind_exposure", "NoWind");
    let merged = merge((&older, &ours, &theirs), (&[], &[]), &|_| None);
    assert_eq!(merged.open, []);
    let south = merged.document.get("BuildingSurface:Detailed", "South").unwrap();
    assert_eq!((south.get("sun_exposure"), south.get("wind_exposure")), (Some("NoSun"), Some("NoWind")));
    assert_eq!(merged.document.get("Timestep", "").unwrap().value(0), "6");
}
