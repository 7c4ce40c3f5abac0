//! Merges on the small house: what goes together, what does not, and what choosing a side leaves.

use super::*;
use crate::sample::dangling;
use crate::sample::edits::{edited, house, steps};
use ifc::{Edit, psets};
use proptest::prelude::*;

const NORTH: Id = Id(10);
const SOUTH: Id = Id(11);

fn changed(base: &Model, change: impl FnOnce(&mut Edit)) -> Model {
    let mut edit = base.edit();
    change(&mut edit);
    edit.finish().0
}

fn merge(ours: impl FnOnce(&mut Edit), theirs: impl FnOnce(&mut Edit)) -> Merge {
    let base = house();
    Merge::new(&base, &changed(&base, ours), &changed(&base, theirs)).unwrap()
}

/// The merged model where there is no conflict; the delta leads to it from ours, also as bytes.
fn clean(merge: &Merge) -> Model {
    assert_eq!(merge.conflicts(), []);
    resolved(merge, Side::Ours)
}

fn resolved(merge: &Merge, side: Side) -> Model {
    let merged = merge.resolve(|_| Some(side)).unwrap();
    let delta = Delta::decode(&merged.delta.encode()).unwrap();
    assert_eq!(merge.ours.apply(&delta).unwrap().to_bytes(), merged.model.to_bytes());
    assert_eq!(dangling(&merged.model), []);
    merged.model
}

fn shown(merge: &Merge) -> Vec<String> {
    merge.conflicts().iter().map(ToString::to_string).collect()
}

fn wall(edit: &mut Edit, guid: &str) -> Id {
    edit.create("IfcWall", &[("GlobalId", guid.into())]).unwrap()
}

/// Gives an element a set of one property.
fn give(edit: &mut Edit, element: Id, sign: char, property: &str, value: &str) {
    let attributes = [("Name", property.into()), ("NominalValue", Value::typed("IfcLabel", value))];
    let property = edit.create("IfcPropertySingleValue", &attributes).unwrap();
    let set = [
        ("GlobalId", format!("0Set{sign}00000000000000000").into()),
        ("Name", "Pset_New".into()),
        ("HasProperties", Value::list([property])),
    ];
    let set = edit.create("IfcPropertySet", &set).unwrap();
    let relation = [
        ("GlobalId", format!("0Rel{sign}00000000000000000").into()),
        ("RelatedObjects", Value::list([element])),
        ("RelatingPropertyDefinition", set.into()),
    ];
    edit.create("IfcRelDefinesByProperties", &relation).unwrap();
}

#[test]
fn changes_of_different_things_go_together() {
    let merge = merge(
        |edit| {
            edit.set(NORTH, "Name", "Nord").unwrap();
            let wall = wall(edit, "0Ours00000000000000001");
            edit.add_to(Id(17), "RelatedElements", wall).unwrap();
        },
        |edit| {
            edit.set(NORTH, "Tag", "T").unwrap();
            let wall = wall(edit, "0Theirs000000000000001");
            edit.add_to(Id(17), "RelatedElements", wall).unwrap();
            edit.remove_from(Id(17), "RelatedElements", SOUTH).unwrap();
        },
    );
    let model = clean(&merge);
    let north = model.get(NORTH).unwrap();
    assert_eq!((north.name().as_deref(), north.attr("Tag")), (Some("Nord"), "T".into()));
    let contained = model.get(Id(17)).unwrap().references("RelatedElements");
    let guids = ["0Ours00000000000000001", "0Theirs000000000000001"].map(|guid| model.by_guid(guid).unwrap());
    assert_eq!(contained, [NORTH, Id(13), guids[0], guids[1]]);
}

#[test]
fn what_theirs_makes_takes_no_id_that_the_file_waits_for() {
    let house = house();
    // the first id that is free behind what ours makes is one that an instance of the file refers to without having it
    let awaited = house.next_id().0 + 2;
    let text = String::from_utf8(house.to_bytes()).unwrap();
    let (at, _) = text.match_indices("IFCRELCONTAINEDINSPATIALSTRUCTURE").next().unwrap();
    let members = at + text[at..].find("(#").unwrap() + 1;
    let text = format!("{}#{awaited},{}", &text[..members], &text[members..]);
    let (base, _) = Model::from_bytes(text.into_bytes(), &ifc::Limits::default()).unwrap();
    assert_eq!(dangling(&base).len(), 1);
    let ours = changed(&base, |edit| {
        wall(edit, "0WallA0000000000000000");
        wall(edit, "0WallB0000000000000000");
    });
    let theirs = changed(&base, |edit| {
        wall(edit, "0WallC0000000000000000");
    });
    let merge = Merge::new(&base, &ours, &theirs).unwrap();
    assert_eq!(merge.conflicts(), []);
    let merged = merge.resolve(|_| Some(Side::Ours)).unwrap();
    assert_eq!(merged.model.len(), base.len() + 3);
    assert!(!merged.model.contains(Id(awaited)));
    assert_eq!(dangling(&merged.model).len(), 1);
    assert_eq!(merge.ours.apply(&merged.delta).unwrap().to_bytes(), merged.model.to_bytes());
}

#[test]
fn one_attribute_cannot_have_two_values() {
    let merge =
        merge(|edit| edit.set(NORTH, "Name", "Nord").unwrap(), |edit| edit.set(NORTH, "Name", "N").unwrap());
    let expect =
        "both change Name of IfcWall \"North wall\" (was 'North wall'): ours to 'Nord', theirs to 'N'";
    assert_eq!(shown(&merge), [expect]);
    let conflict = &merge.conflicts()[0];
    assert_eq!(conflict.key, "000000000000000000000A:Name");
    assert_eq!(conflict.resolution(Side::Theirs), "IfcWall \"North wall\" has Name 'N'.");
    assert_eq!(resolved(&merge, Side::Ours).get(NORTH).unwrap().name().as_deref(), Some("Nord"));
    assert_eq!(resolved(&merge, Side::Theirs).get(NORTH).unwrap().name().as_deref(), Some("N"));
    assert!(matches!(merge.resolve(|_| None), Err(MergeError::Unresolved(open)) if open.len() == 1));
}

#[test]
fn lists_of_one_length_join_by_position() {
    let curve = |x: [f64; 2]| Value::list([Value::typed("IfcReal", x[0]), Value::typed("IfcReal", x[1])]);
    let set = |x: [f64; 2]| move |edit: &mut Edit| edit.set(Id(46), "DefinedValues", curve(x)).unwrap();
    let model = clean(&merge(set([11.0, 20.0]), set([10.0, 22.0])));
    assert_eq!(model.get(Id(46)).unwrap().attr("DefinedValues"), curve([11.0, 22.0]));
    assert_eq!(merge(set([11.0, 20.0]), set([12.0, 20.0])).conflicts().len(), 1);
}

#[test]
fn a_removal_stands_against_changes_and_new_uses() {
    let merge = merge(
        |edit| {
            for relation in [15, 37, 41, 23, 56] {
                if edit.get(Id(relation)).unwrap().references("RelatedObjects").len() < 2 {
                    edit.remove(Id(relation)).unwrap();
                }
            }
            edit.remove(NORTH).unwrap();
        },
        |edit| {
            edit.set(NORTH, "Name", "Nord").unwrap();
            let opening =
                edit.create("IfcOpeningElement", &[("GlobalId", "0Open00000000000000001".into())]).unwrap();
            let voids = [
                ("GlobalId", "0Void00000000000000001".into()),
                ("RelatingBuildingElement", NORTH.into()),
                ("RelatedOpeningElement", opening.into()),
            ];
            edit.create("IfcRelVoidsElement", &voids).unwrap();
            let door = edit.create("IfcDoor", &[("GlobalId", "0Door00000000000000001".into())]).unwrap();
            let fills = [
                ("GlobalId", "0Fill00000000000000001".into()),
                ("RelatingOpeningElement", opening.into()),
                ("RelatedBuildingElement", door.into()),
            ];
            edit.create("IfcRelFillsElement", &fills).unwrap();
        },
    );
    let [conflict] = merge.conflicts() else { panic!("{:?}", shown(&merge)) };
    let ConflictKind::Removed { by: Side::Ours, changed, needed_by } = &conflict.kind else {
        panic!("{conflict}")
    };
    assert_eq!((changed.as_slice(), needed_by.len()), (["IfcWall.Name".to_owned()].as_slice(), 1));
    // the opening cannot be without a wall; the door can
    let without = resolved(&merge, Side::Ours);
    assert!(!without.contains(NORTH));
    assert_eq!(without.by_guid("0Open00000000000000001"), None);
    assert!(without.by_guid("0Door00000000000000001").is_some());
    // with the wall come back its opening, sets, type and material
    let with = resolved(&merge, Side::Theirs);
    assert_eq!(with.get(NORTH).unwrap().name().as_deref(), Some("Nord"));
    assert_eq!(ifc::relations::openings_of(&with, NORTH).len(), 2);
    assert_eq!(ifc::relations::type_of(&with, NORTH), Some(Id(22)));
    assert_eq!(ifc::relations::direct_container(&with, NORTH), Some(Id(6)));
}

#[test]
fn a_thing_is_moved_once_however_each_side_does_it() {
    let merge = merge(
        |edit| edit.set(Id(96), "Coordinates", vec![11.0, 0.0, 0.0]).unwrap(),
        |edit| {
            let point =
                edit.create("IfcCartesianPoint", &[("Coordinates", vec![10.0, 2.0, 0.0].into())]).unwrap();
            let axes = edit
                .create("IfcAxis2Placement3D", &[("Location", point.into()), ("RefDirection", Id(98).into())])
                .unwrap();
            edit.set(Id(83), "RelativePlacement", axes).unwrap();
        },
    );
    let [conflict] = merge.conflicts() else { panic!("{:?}", shown(&merge)) };
    let expect = ConflictKind::Moved { ours: [1000.0, 0.0, 0.0], theirs: [0.0, 2000.0, 0.0] };
    assert_eq!((&conflict.kind, conflict.about.id), (&expect, Some(NORTH)));
    let origin = |side| ifc::placement::of_product(&resolved(&merge, side), NORTH).translation.to_array();
    assert_eq!(origin(Side::Ours), [11.0, 0.0, 0.0]);
    assert_eq!(origin(Side::Theirs), [10.0, 2.0, 0.0]);
}

#[test]
fn a_thing_is_in_one_storey() {
    let contain = |sign: char, storey: u32| {
        move |edit: &mut Edit| {
            edit.remove_from(Id(17), "RelatedElements", SOUTH).unwrap();
            let relation = [
                ("GlobalId", format!("0In{sign}000000000000000000").into()),
                ("RelatedElements", Value::list([SOUTH])),
                ("RelatingStructure", Id(storey).into()),
            ];
            edit.create("IfcRelContainedInSpatialStructure", &relation).unwrap();
        }
    };
    let apart = merge(contain('o', 7), contain('t', 5));
    let [conflict] = apart.conflicts() else { panic!("{:?}", shown(&apart)) };
    let ConflictKind::TooMany { most: 1, ours, theirs, .. } = &conflict.kind else { panic!("{conflict}") };
    assert_eq!((ours[0].id, theirs[0].id), (Some(Id(7)), Some(Id(5))));
    let container = |side| ifc::relations::direct_container(&resolved(&apart, side), SOUTH);
    assert_eq!((container(Side::Ours), container(Side::Theirs)), (Some(Id(7)), Some(Id(5))));
    // into the same storey by both, it is there once
    let same = clean(&merge(contain('o', 7), contain('t', 7)));
    assert_eq!(same.get(SOUTH).unwrap().inverse("ContainedInStructure").len(), 1);
}

#[test]
fn sets_of_one_name_become_one_set() {
    let apart = merge(|edit| give(edit, SOUTH, 'o', "A", "1"), |edit| give(edit, SOUTH, 't', "B", "2"));
    let model = clean(&apart);
    let sets: Vec<_> =
        psets::of_element(&model, SOUTH).into_iter().filter(|set| set.name == "Pset_New").collect();
    assert_eq!(sets.len(), 1);
    let names: Vec<&str> = sets[0].properties.iter().map(|property| property.name.as_str()).collect();
    assert_eq!(names, ["A", "B"]);
    assert_eq!(model.by_guid("0Sett00000000000000000"), None);
    // the same property with two values
    let same = merge(|edit| give(edit, SOUTH, 'o', "A", "1"), |edit| give(edit, SOUTH, 't', "A", "2"));
    let [conflict] = same.conflicts() else { panic!("{:?}", shown(&same)) };
    assert!(
        matches!(&conflict.kind, ConflictKind::Property { set, property, .. } if set == "Pset_New" && property == "A")
    );
    let value = |side| psets::get(&resolved(&same, side), SOUTH, "Pset_New", "A");
    assert_eq!(value(Side::Ours), Some(Value::typed("IfcLabel", "1")));
    assert_eq!(value(Side::Theirs), Some(Value::typed("IfcLabel", "2")));
    // and with one
    let equal = merge(|edit| give(edit, SOUTH, 'o', "A", "1"), |edit| give(edit, SOUTH, 't', "A", "1"));
    assert_eq!(clean(&equal).len(), house().len() + 3);
}

#[test]
fn a_property_that_both_add_to_one_set_is_one_property() {
    let add = |value: &'static str| {
        move |edit: &mut Edit| {
            let attributes = [("Name", "Colour".into()), ("NominalValue", Value::typed("IfcLabel", value))];
            let property = edit.create("IfcPropertySingleValue", &attributes).unwrap();
            edit.add_to(Id(33), "HasProperties", property).unwrap();
        }
    };
    let equal = clean(&merge(add("red"), add("red")));
    assert_eq!(equal.get(Id(33)).unwrap().references("HasProperties").len(), 4);
    let apart = merge(add("red"), add("blue"));
    assert_eq!(apart.conflicts().len(), 1, "{:?}", shown(&apart));
    for (side, value) in [(Side::Ours, "red"), (Side::Theirs, "blue")] {
        let model = resolved(&apart, side);
        assert_eq!(model.get(Id(33)).unwrap().references("HasProperties").len(), 4);
        assert_eq!(
            psets::get(&model, NORTH, "Pset_WallCommon", "Colour"),
            Some(Value::typed("IfcLabel", value))
        );
    }
}

#[test]
fn of_two_properties_of_one_name_the_equal_one_is_the_same() {
    let add = |values: &'static [&'static str]| {
        move |edit: &mut Edit| {
            for value in values {
                let attributes =
                    [("Name", "Colour".into()), ("NominalValue", Value::typed("IfcLabel", *value))];
                let property = edit.create("IfcPropertySingleValue", &attributes).unwrap();
                edit.add_to(Id(33), "HasProperties", property).unwrap();
            }
        }
    };
    for model in [
        clean(&merge(add(&["red", "blue"]), add(&["blue"]))),
        clean(&merge(add(&["blue"]), add(&["red", "blue"]))),
    ] {
        assert_eq!(model.get(Id(33)).unwrap().references("HasProperties").len(), 5);
    }
}

#[test]
fn a_relationship_that_both_emptied_is_gone() {
    let release =
        |member: u32| move |edit: &mut Edit| edit.remove_from(Id(61), "RelatedObjects", Id(member)).unwrap();
    let model = clean(&merge(release(19), release(20)));
    assert!(!model.contains(Id(61)));
    assert!(model.contains(Id(60)));
}

#[test]
fn a_global_id_is_made_once() {
    let make = |name: &'static str| {
        move |edit: &mut Edit| {
            let wall = wall(edit, "0Same00000000000000001");
            edit.set(wall, "Name", name).unwrap();
        }
    };
    let merge = merge(make("a"), make("b"));
    assert_eq!(merge.conflicts().len(), 1);
    let model = resolved(&merge, Side::Theirs);
    let id = model.by_guid("0Same00000000000000001").unwrap();
    assert_eq!(model.get(id).unwrap().name().as_deref(), Some("b"));
    assert_eq!(model.len(), house().len() + 1);
}

proptest! {
    #[test]
    fn every_merge_is_resolved_into_a_sound_model(
        before in steps(), ours in steps(), theirs in steps(), choices in any::<u64>(),
    ) {
        let (base, _) = edited(&house(), &before, 'b');
        let (one, of_ours) = edited(&base, &ours, 'o');
        let (two, of_theirs) = edited(&base, &theirs, 't');
        let merge = Merge::new(&base, &one, &two).unwrap();
        let mut turn = 0;
        let merged = merge.resolve(|_| {
            turn += 1;
            Some(if choices >> (turn % 64) & 1 == 0 { Side::Ours } else { Side::Theirs })
        });
        let merged = merged.unwrap();
        prop_assert_eq!(dangling(&merged.model), vec![]);
        let (written, problems) = Model::from_bytes(merged.model.to_bytes(), &ifc::Limits::default()).unwrap();
        prop_assert_eq!(problems, vec![]);
        prop_assert_eq!(written.len(), merged.model.len());
        // one side alone is that side
        let alone = Merge::new(&base, &one, &base).unwrap();
        prop_assert_eq!(alone.conflicts(), &[]);
        prop_assert_eq!(alone.resolve(|_| None).unwrap().model.to_bytes(), one.to_bytes());
        // nothing in common: the same as one behind the other
        if let (true, Ok(later)) = (merge.conflicts().is_empty(), of_theirs.rebase(&of_ours)) {
            let turned = Merge::new(&base, &two, &one).unwrap();
            prop_assert_eq!(turned.conflicts(), &[]);
            prop_assert!(merged.model.len() <= one.apply(&later).unwrap().len());
        }
    }
}
