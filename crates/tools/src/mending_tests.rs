//! Findings that carry a `fix`: the fault is planted, the call is made, and what is checked again has neither it nor another.

use crate::desk::{Desk, SCHEMAS, text};
use ifc::Value as Ifc;
use serde_json::{Value, json};

/// Four walls of 8 by 5 m on a floor, with a door.
fn house(schema: &str) -> Desk {
    let mut desk = Desk::new(schema);
    let floor = json!({
        "boundary_points": [[-100, -100], [8100, -100], [8100, 5100], [-100, 5100]], "level_id": "Ground Floor"
    });
    desk.call("create_floor", floor);
    let corners = [[0, 0], [8000, 0], [8000, 5000], [0, 5000]];
    for (start, end) in corners.iter().zip(corners.iter().cycle().skip(1)) {
        desk.call(
            "create_wall",
            json!({ "start": start, "end": end, "height": 2500, "thickness": 200, "level_id": "Ground Floor" }),
        );
    }
    cut(&mut desk, "Wall 1", "door", 2000);
    desk
}

fn cut(desk: &mut Desk, wall: &str, kind: &str, along: i32) -> Value {
    let opening = json!({
        "host_id": wall, "location": { "along": along }, "width": 1000, "height": 2100, "opening_type": kind
    });
    desk.call("create_opening", opening)
}

/// Plants a fault in a sound house of each schema, mends what is found of a rule, and checks again.
fn mended(rule: &str, plant: impl Fn(&mut Desk)) {
    for schema in SCHEMAS {
        let mut desk = house(schema);
        let sound = desk.call("validate_constraints", json!({}));
        assert_eq!(sound["valid"], true, "{schema}: {sound}");
        let known: u64 = total(&sound);
        plant(&mut desk);
        let found = desk.call("validate_constraints", json!({ "limit": 200 }));
        let rows = found["constraint_errors"].as_array().unwrap();
        let own: Vec<&Value> = rows.iter().filter(|row| row["rule"] == rule).collect();
        assert!(!own.is_empty() && own.iter().all(|row| row["fix"][0].is_object()), "{schema}: {found}");
        let answer = desk.call("fix_findings", json!({ "rule": rule }));
        assert_eq!(answer["fixed_count"], json!(own.len()), "{schema}: {answer}");
        assert_eq!((&answer["skipped_count"], answer.get("new")), (&json!(0), None), "{schema}: {answer}");
        let again = desk.call("validate_constraints", json!({ "limit": 200 }));
        assert!(again["by_constraint"].get(rule).is_none(), "{schema}: {again}");
        assert!(total(&again) <= known, "{schema}: {again}");
        desk.clean();
    }
}

fn total(answer: &Value) -> u64 {
    ["error", "warning"].iter().filter_map(|level| answer["counts"][*level].as_u64()).sum()
}

/// The instance that a GlobalId in an answer names.
fn named(desk: &Desk, answer: &Value, member: &str) -> ifc::Id {
    desk.model.by_guid(&text(&answer[member])).unwrap()
}

#[test]
fn a_wall_or_a_ceiling_that_is_there_twice_is_deleted_once() {
    mended("constraints.duplicate", |desk| {
        for _ in 0..2 {
            let wall = json!({
                "start": [2000, 2000], "end": [4000, 2000], "height": 2500, "thickness": 100, "level_id": "Ground Floor"
            });
            desk.call("create_wall", wall);
        }
    });
}

#[test]
fn an_opening_that_voids_nothing_is_deleted() {
    mended("constraints.idle_opening", |desk| {
        let storey = desk.model.of_class("IfcBuildingStorey")[0];
        let placement = desk.model.get(storey).unwrap().reference("ObjectPlacement").unwrap();
        desk.by_hand(|author| {
            let opening = author.root("IfcOpeningElement", Some("Left over"), &[])?;
            author.edit.set(opening, "ObjectPlacement", placement).unwrap();
            Ok(())
        });
    });
}

#[test]
fn an_opening_beside_its_wall_is_deleted_where_nothing_stands_in_it() {
    mended("constraints.opening_outside_host", |desk| {
        let made = cut(desk, "Wall 3", "void", 3000);
        let opening = named(desk, &made, "opening_id");
        desk.by_hand(|author| {
            let of = |author: &building::Author<'_>, id: ifc::Id, name: &str| {
                author.edit.get(id).unwrap().reference(name).unwrap()
            };
            let placement = of(author, opening, "ObjectPlacement");
            let axes = of(author, placement, "RelativePlacement");
            let point = of(author, axes, "Location");
            author.edit.set(point, "Coordinates", Ifc::list([40.0, 0.0, 0.0].map(Ifc::Real))).unwrap();
            Ok(())
        });
    });
}

#[test]
fn a_corner_that_was_parted_is_joined_again() {
    mended("constraints.overlap", |desk| {
        desk.call("join_elements", json!({ "element_ids": ["Wall 1", "Wall 2"], "join_type": "none" }));
    });
}

#[test]
fn a_volume_that_is_not_that_of_the_shape_is_set_right() {
    mended("constraints.quantity", |desk| {
        let all = desk.model.of_class("IfcQuantityVolume");
        let volume = all.into_iter().find(|id| {
            desk.model.get(*id).and_then(|own| own.name()).is_some_and(|name| name == "GrossVolume")
        });
        desk.by_hand(|author| {
            author.edit.set(volume.unwrap(), "VolumeValue", Ifc::Real(9.0)).unwrap();
            Ok(())
        });
    });
}

#[test]
fn a_door_that_states_no_width_is_given_that_of_its_opening() {
    mended("constraints.zero_size", |desk| {
        let door = desk.model.of_class("IfcDoor")[0];
        desk.by_hand(|author| {
            author.edit.set(door, "OverallWidth", Ifc::Real(0.0)).unwrap();
            Ok(())
        });
    });
}
