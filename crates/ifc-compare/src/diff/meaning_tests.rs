//! Differences as changes of the things of the building: in a history, and in another numbering all the same.

use super::tests::{compared, rewritten};
use super::*;
use crate::sample::edits::house;
use ifc::{Edit, Id, Value};

/// The things that an edit changes and in what, as words; the same in a history and in a comparison.
fn check(change: impl FnOnce(&mut Edit), expect: &[&str]) {
    let before = house();
    let mut edit = before.edit();
    change(&mut edit);
    let (after, _) = edit.finish();
    let other = rewritten(&after, 1000, 3);
    let name = |model: &ifc::Model, id: Option<Id>| {
        id.and_then(|id| model.get(id)?.name()).unwrap_or_else(|| "-".to_owned())
    };
    let shown = |changes: Vec<ElementChange>, after: &ifc::Model| -> Vec<String> {
        let mut lines: Vec<String> = changes
            .iter()
            .map(|change| {
                let aspects = change.aspects.iter().map(|aspect| match aspect {
                    Aspect::Added => "added".to_owned(),
                    Aspect::Removed => "removed".to_owned(),
                    Aspect::Moved { by_mm: [x, y, z], turned, along } => {
                        let turned = if *turned { " turned" } else { "" };
                        let along = if *along { " along" } else { "" };
                        format!("moved {x:.0} {y:.0} {z:.0}{turned}{along}")
                    }
                    Aspect::Reshaped => "reshaped".to_owned(),
                    Aspect::Renamed { before, after } => format!("renamed {before:?} {after:?}"),
                    Aspect::Attribute { attribute, .. } => attribute.clone(),
                    Aspect::Property { set, property, before, after, inherited } => {
                        format!(
                            "{set}.{property} {before} {after}{}",
                            if *inherited { " of type" } else { "" }
                        )
                    }
                    Aspect::Recontained { before: old, after: new } => {
                        format!("in {} {}", name(&before, *old), name(after, *new))
                    }
                    Aspect::Rehosted { before: old, after: new } => {
                        format!("host {} {}", name(&before, *old), name(after, *new))
                    }
                    Aspect::Retyped { before: old, after: new } => {
                        format!("type {} {}", name(&before, *old), name(after, *new))
                    }
                    Aspect::Material { before, after } => format!("material {before:?} {after:?}"),
                    Aspect::Openings { added, removed } => format!("openings +{added} -{removed}"),
                    Aspect::Groups { joined, left } => format!("groups +{joined:?} -{left:?}"),
                    Aspect::Classification { joined, left } => format!("classes +{joined:?} -{left:?}"),
                });
                let aspects: Vec<String> = aspects.collect();
                format!("{}: {}", change.name.clone().unwrap_or_default(), aspects.join("; "))
            })
            .collect();
        lines.sort();
        lines
    };
    let in_history = shown(elements(&diff(&before, &after), &before, &after), &after);
    assert_eq!(in_history, expect);
    let comparison = compared(&before, &other);
    assert_eq!(shown(elements_of(&comparison, &before, &other), &other), expect, "{:?}", comparison.entries);
}

const NORTH: Id = Id(10);
const SOUTH: Id = Id(11);

#[test]
fn a_wall_moves_and_its_door_moves_along() {
    let expect = ["Front door: moved 1000 0 0 along", "North wall: moved 1000 0 0"];
    check(|edit| edit.set(Id(96), "Coordinates", vec![11.0, 0.0, 0.0]).unwrap(), &expect);
    let expect = ["Front door: moved -1000 -1000 0 turned along", "North wall: moved 0 0 0 turned"];
    check(|edit| edit.set(Id(98), "DirectionRatios", vec![-1.0, 0.0, 0.0]).unwrap(), &expect);
}

#[test]
fn a_property_is_one_of_every_wall_that_has_it() {
    let value = |text: &str| Value::typed("IfcLabel", text);
    let expect = [
        "North wall: Pset_WallCommon.ThermalTransmittance 0.24 0.5",
        "South wall: Pset_WallCommon.ThermalTransmittance 0.24 0.5",
    ];
    check(
        |edit| edit.set(Id(36), "NominalValue", Value::typed("IfcThermalTransmittanceMeasure", 0.5)).unwrap(),
        &expect,
    );
    let expect = [
        "North wall: Pset_WallCommon.FireRating \"F90\" \"F30\" of type",
        "WT01: Pset_WallCommon.FireRating \"F90\" \"F30\"",
    ];
    check(|edit| edit.set(Id(31), "NominalValue", value("F30")).unwrap(), &expect);
    check(
        |edit| edit.set(Id(39), "LengthValue", 8.0).unwrap(),
        &["North wall: Qto_WallBaseQuantities.Length 7.0 8.0"],
    );
}

#[test]
fn names_attributes_and_relations_are_told_apart() {
    check(
        |edit| edit.set(NORTH, "Name", "Nord").unwrap(),
        &["Nord: renamed Some(\"North wall\") Some(\"Nord\")"],
    );
    check(|edit| edit.set(NORTH, "Tag", "w2").unwrap(), &["North wall: Tag"]);
    let contained = |edit: &mut Edit| {
        edit.remove_from(Id(17), "RelatedElements", SOUTH).unwrap();
        edit.add_to(Id(18), "RelatedElements", SOUTH).unwrap();
    };
    check(contained, &["South wall: in Ground floor roof"]);
    check(
        |edit| edit.set(Id(15), "RelatingBuildingElement", SOUTH).unwrap(),
        &[
            "Front door: host North wall South wall",
            "Hole: host North wall South wall",
            "North wall: openings +0 -1",
            "South wall: openings +1 -0",
        ],
    );
    check(
        |edit| edit.set(Id(57), "RelatingMaterial", Id(51)).unwrap(),
        &["Floor: material [\"Reinforced concrete\"] [\"Plaster\"]"],
    );
    check(
        |edit| edit.set(Id(50), "Name", "Beton").unwrap(),
        &[
            "Floor: material [\"Reinforced concrete\"] [\"Beton\"]",
            "North wall: material [\"Reinforced concrete\", \"Plaster\"] [\"Beton\", \"Plaster\"]",
        ],
    );
    check(
        |edit| edit.remove_from(Id(61), "RelatedObjects", Id(20)).unwrap(),
        &["Bathroom: groups +[] -[\"Flat 1\"]"],
    );
    check(
        |edit| edit.set(Id(63), "Identification", "EF_25").unwrap(),
        &["North wall: classes +[\"EF_25\"] -[\"EF_25_10\"]", "WT01: classes +[\"EF_25\"] -[\"EF_25_10\"]"],
    );
}

#[test]
fn what_all_refer_to_changes_none() {
    check(|edit| edit.set(Id(3), "Prefix", Value::enumeration("MILLI")).unwrap(), &[]);
    check(|edit| edit.set(Id(37), "Description", "x").unwrap(), &[]);
    check(|edit| edit.set(Id(32), "Description", "x").unwrap(), &[]);
}

#[test]
fn things_come_and_go() {
    let wall = |edit: &mut Edit| {
        let wall = [("GlobalId", "0New000000000000000001".into()), ("Name", "New".into())];
        let wall = edit.create("IfcWall", &wall).unwrap();
        edit.add_to(Id(17), "RelatedElements", wall).unwrap();
        edit.remove(Id(20)).unwrap();
    };
    check(wall, &["Bathroom: removed", "New: added"]);
}
