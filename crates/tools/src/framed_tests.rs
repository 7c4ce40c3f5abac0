//! Beams at the faces of their columns, and members that reach up to what is above them, in all three schemas.

use crate::desk::{Desk, SCHEMAS, text};
use geometry::{Bounds, Shaper};
use serde_json::{Value, json};

const GROUND: &str = "Ground Floor";

/// The volume in m³ of the only element of a name, and its box in mm.
fn body(desk: &Desk, class: &str, name: &str) -> (f64, Bounds) {
    let all = desk.model.of_class(class).into_iter();
    let id = all.into_iter().find(|id| desk.model.get(*id).unwrap().name().as_deref() == Some(name)).unwrap();
    let bodies = Shaper::plain(&desk.model).net_bodies(id).unwrap();
    assert!(bodies.are_sound(), "{name}");
    (bodies.volume(), geometry::bounds(&desk.model, id).unwrap())
}

fn is_near(found: f64, wanted: f64) {
    assert!((found - wanted).abs() < 0.01, "{found} instead of {wanted}");
}

/// Where a beam's body begins and ends in x, and that its quantities say the same.
fn reaches(desk: &Desk, from: f64, to: f64) {
    let (volume, bounds) = body(desk, "IfcBeam", "Main");
    is_near(bounds.min.x, from);
    is_near(bounds.max.x, to);
    let id = desk.model.of_class("IfcBeam")[0];
    let told = building::quantities::read(&desk.model, id, "Qto_BeamBaseQuantities");
    is_near(told["Length"].value * 1000.0, to - from);
    assert!((told["NetVolume"].value - volume).abs() < 1e-6);
}

/// Two columns of 300 mm six metres apart, and a beam of 200 by 400 mm between their heads.
fn portal(schema: &str) -> (Desk, Value) {
    let mut desk = Desk::new(schema);
    desk.call(
        "create_column",
        json!({ "level_id": GROUND, "at": [[20000, 20000], [26000, 20000]], "width": 300, "height": 3000 }),
    );
    let beam = desk.call(
        "create_beam",
        json!({ "level_id": GROUND, "start": "Column 1", "end": "Column 2", "width": 200, "depth": 400, "name": "Main" }),
    );
    (desk, beam)
}

#[test]
fn a_beam_stops_at_the_faces_of_its_columns_and_follows_their_place_section_and_turn() {
    for schema in SCHEMAS {
        let (mut desk, beam) = portal(schema);
        assert!(beam["assumed"].to_string().contains("faces of the columns"), "{beam}");
        assert_eq!(beam["sound"], true, "{beam}");
        reaches(&desk, 20150.0, 25850.0);
        desk.clean();
        let moved = desk.call("move_elements", json!({ "element_ids": ["Column 2"], "by": [1000, 0, 0] }));
        assert!(moved["regenerated"].as_array().unwrap().contains(&beam["elements"][0]["id"]), "{moved}");
        reaches(&desk, 20150.0, 26850.0);
        let set = |desk: &mut Desk, name: &str, value: Value| {
            desk.call(
                "modify_parameter",
                json!({ "element_id": "Column 1", "parameter_name": name, "value": value }),
            )
        };
        let thicker = set(&mut desk, "section", json!([500, 300]));
        assert!(thicker["regenerated"].as_array().unwrap().contains(&beam["elements"][0]["id"]), "{thicker}");
        reaches(&desk, 20250.0, 26850.0);
        set(&mut desk, "rotation", json!(90));
        reaches(&desk, 20150.0, 26850.0);
        desk.clean();
        desk.call("move_elements", json!({ "element_ids": ["Column 1", "Column 2"], "by": [0, 500, 0] }));
        reaches(&desk, 20150.0, 26850.0);
        desk.call("delete_elements", json!({ "element_ids": ["Column 2"] }));
        reaches(&desk, 20150.0, 27000.0);
        desk.clean();
        desk.call("delete_elements", json!({ "element_ids": ["Main"] }));
        assert_eq!(desk.count("IfcRelConnectsElements"), 0);
        desk.clean();
    }
}

#[test]
fn a_beam_runs_through_over_a_column_or_where_its_ends_are_said() {
    let mut desk = Desk::new("IFC4");
    let columns =
        json!({ "level_id": GROUND, "at": [[20000, 20000], [26000, 20000]], "width": 300, "height": 3000 });
    desk.call("create_column", columns);
    let beam = |more: Value| {
        let mut all = json!({ "level_id": GROUND, "start": [20000, 20000, 3400], "end": [26000, 20000, 3400],
            "width": 200, "depth": 400, "name": "Main" });
        all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        all
    };
    // it lies on their heads
    desk.call("create_beam", beam(json!({})));
    reaches(&desk, 20000.0, 26000.0);
    desk.call("delete_elements", json!({ "element_ids": ["Main"] }));
    let low = json!({ "start": [20000, 20000, 2000], "end": [26000, 20000, 2000], "extend": [0, 0] });
    desk.call("create_beam", beam(low));
    reaches(&desk, 20000.0, 26000.0);
    desk.call("delete_elements", json!({ "element_ids": ["Main"] }));
    // between points it stops as well
    desk.call("create_beam", beam(json!({ "start": [20000, 20000, 2000], "end": [26000, 20000, 2000] })));
    reaches(&desk, 20150.0, 25850.0);
    desk.clean();
}

/// A storey at 3 m with a floor 200 mm thick over a part of the one below.
fn with_floor(schema: &str) -> Desk {
    let mut desk = Desk::new(schema);
    desk.call("create_level", json!({ "name": "First Floor", "elevation": 3000 }));
    desk.call(
        "create_floor",
        json!({ "boundary_points": [[20000, 20000], [30000, 20000], [30000, 26000], [20000, 26000]],
            "level_id": "First Floor", "thickness": 200, "name": "Deck" }),
    );
    desk
}

fn heights(desk: &Desk, class: &str, name: &str) -> [f64; 2] {
    let (_, bounds) = body(desk, class, name);
    [bounds.min.z, bounds.max.z].map(f64::round)
}

#[test]
fn columns_and_beams_reach_up_to_the_slab_above_else_to_the_storey_and_go_with_it_when_it_is_raised() {
    for schema in SCHEMAS {
        let mut desk = with_floor(schema);
        let answer = desk.call(
            "create_column",
            json!({ "level_id": GROUND, "at": [[22000, 22000], [28000, 22000], [40000, 22000]], "width": 300,
                "name": "C{n}" }),
        );
        assert!(answer["assumed"].to_string().contains("underside of Deck"), "{answer}");
        assert!(answer["assumed"].to_string().contains("up to First Floor"), "{answer}");
        assert_eq!(heights(&desk, "IfcColumn", "C1"), [0.0, 2800.0]);
        assert_eq!(heights(&desk, "IfcColumn", "C3"), [0.0, 3000.0]);
        let beam = json!({ "level_id": GROUND, "start": [22000, 22000], "end": [28000, 22000], "width": 200,
            "depth": 400, "name": "Main" });
        let beam = desk.call("create_beam", beam);
        assert!(beam["assumed"].to_string().contains("underside of Deck"), "{beam}");
        assert_eq!(heights(&desk, "IfcBeam", "Main"), [2400.0, 2800.0]);
        reaches(&desk, 22150.0, 27850.0);
        desk.clean();
        let raised = desk.call(
            "modify_parameter",
            json!({ "element_id": "First Floor", "parameter_name": "elevation", "value": 3500 }),
        );
        assert_eq!(heights(&desk, "IfcColumn", "C1"), [0.0, 3300.0], "{raised}");
        assert_eq!(heights(&desk, "IfcColumn", "C3"), [0.0, 3500.0], "{raised}");
        assert_eq!(heights(&desk, "IfcBeam", "Main"), [2900.0, 3300.0], "{raised}");
        reaches(&desk, 22150.0, 27850.0);
        assert!(raised["regenerated"].as_array().unwrap().len() >= 4, "{raised}");
        assert!(raised.get("left_as_it_was").is_none(), "{raised}");
        desk.clean();
    }
}

#[test]
fn columns_and_beams_are_made_on_several_storeys_at_once() {
    for schema in SCHEMAS {
        let mut desk = with_floor(schema);
        let columns = json!({ "level_id": GROUND, "level_ids": ["First Floor"],
            "at": [[22000, 22000], [28000, 22000]], "width": 300, "name": "C{n}" });
        assert_eq!(desk.call("create_column", columns)["count"], 4);
        assert_eq!(heights(&desk, "IfcColumn", "C1"), [0.0, 2800.0]);
        assert_eq!(heights(&desk, "IfcColumn", "C3"), [3000.0, 6000.0]);
        let beams = json!({ "level_id": GROUND, "level_ids": ["First Floor"], "start": [22000, 22000],
            "end": [28000, 22000], "section": "IPE300", "name": "B{n}" });
        let beams = desk.call("create_beam", beams);
        assert_eq!(beams["count"], 2);
        assert_eq!(heights(&desk, "IfcBeam", "B2"), [5700.0, 6000.0]);
        assert_eq!(beams["sound"], true, "{beams}");
        desk.clean();
        let twice = json!({ "level_id": GROUND, "level_ids": [GROUND], "at": [25000, 25000], "width": 300 });
        let fault = desk.refuse("create_column", twice);
        assert_eq!(fault.data["field"], "level_ids[0]", "{fault}");
        let unknown =
            json!({ "level_id": GROUND, "level_ids": ["Attic"], "at": [25000, 25000], "width": 300 });
        let fault = desk.refuse("create_column", unknown);
        assert_eq!(fault.data["field"], "level_ids[0]", "{}", text(&json!(fault.message)));
    }
}

#[test]
fn another_section_of_a_type_changes_its_occurrences_and_the_beams_between_them() {
    for schema in SCHEMAS {
        let (mut desk, beam) = portal(schema);
        let kind = desk.model.of_class("IfcColumnType")[0];
        let kind = desk.model.get(kind).unwrap().guid().unwrap();
        let set = |desk: &mut Desk, value: Value| {
            desk.call(
                "modify_parameter",
                json!({ "element_id": kind, "parameter_name": "section", "value": value }),
            )
        };
        let thicker = set(&mut desk, json!([500, 400]));
        assert!(thicker["regenerated"].as_array().unwrap().contains(&beam["elements"][0]["id"]), "{thicker}");
        assert_eq!(thicker["regenerated"].as_array().map(Vec::len), Some(3), "{thicker}");
        assert_eq!(thicker["sound"], true, "{thicker}");
        reaches(&desk, 20250.0, 25750.0);
        is_near(body(&desk, "IfcColumn", "Column 1").0, 0.5 * 0.4 * 3.0);
        desk.clean();
        let steel = set(&mut desk, json!("HEB200"));
        assert_eq!(steel["after"], "HEB200", "{steel}");
        assert_eq!((desk.count("IfcColumnType"), desk.found("IfcColumn")), (1, 2));
        let profiles: Vec<String> = desk
            .model
            .of_class("IfcProfileDef")
            .into_iter()
            .filter_map(|id| desk.model.get(id)?.text("ProfileName"))
            .collect();
        assert_eq!(profiles.len(), 2, "what nothing uses any more stays behind: {profiles:?}");
        assert!(
            desk.model
                .get(desk.model.of_class("IfcColumnType")[0])
                .unwrap()
                .name()
                .unwrap()
                .contains("HEB200")
        );
        if schema != "IFC2X3" {
            assert_eq!(desk.count("IfcMaterialProfileSetUsage"), 2);
        }
        desk.clean();
        desk.keep(&format!("resectioned-{schema}"));
        let material = desk.model.get(desk.model.of_class("IfcColumnType")[0]).unwrap().name().unwrap();
        let other = json!({ "level_id": GROUND, "at": [0, 0], "section": "HEB300", "height": 3000,
            "material": material.split(", ").nth(1) });
        desk.call("create_column", other);
        let taken = json!({ "element_id": kind, "parameter_name": "section", "value": "HEB300" });
        let fault = desk.refuse("modify_parameter", taken);
        assert!(fault.message.contains("assign_type"), "{fault}");
        for wrong in [json!("HEB 195"), json!([0, 300]), json!(-5), json!({}), Value::Null] {
            let wrong = json!({ "element_id": kind, "parameter_name": "section", "value": wrong });
            let fault = desk.refuse("modify_parameter", wrong.clone());
            assert!(fault.data["field"].as_str().unwrap().starts_with("value"), "{wrong} {fault}");
        }
    }
    let mut desk = Desk::new("IFC4");
    let curtain = json!({ "points": [[0, 0], [6000, 0]], "height": 3000, "level_id": GROUND });
    desk.call("create_curtain_wall", curtain);
    let kind = desk.model.of_class("IfcMemberType")[0];
    let kind = desk.model.get(kind).unwrap().guid().unwrap();
    let fault = desk.refuse(
        "modify_parameter",
        json!({ "element_id": kind, "parameter_name": "section", "value": [60, 60] }),
    );
    assert!(fault.message.contains("mullion_width"), "{fault}");
}

#[test]
fn lines_of_a_grid_are_added_and_renamed_and_what_stands_on_them_still_follows() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        desk.call("create_level", json!({ "name": "First", "elevation": 3000 }));
        desk.call(
            "create_grid",
            json!({ "x": { "spacing": 6000, "count": 3 }, "y": { "spacing": [5000, 5000] }, "rotation": 90,
                "level_ids": [GROUND, "First"] }),
        );
        let set = |desk: &mut Desk, name: &str, value: Value| {
            desk.call(
                "modify_parameter",
                json!({ "element_id": "Grid 1", "parameter_name": name, "value": value }),
            )
        };
        desk.call(
            "create_column",
            json!({ "level_id": GROUND, "at": "B/2", "width": 300, "height": 3000, "grid": "Grid 1" }),
        );
        let renamed = set(&mut desk, "axis B", json!({ "name": "M" }));
        assert_eq!((&renamed["before"], &renamed["after"]), (&json!("B"), &json!("M")), "{renamed}");
        assert_eq!(desk.found("IfcColumn, Pensaer_GridPlacement.Crossing=\"M/2\""), 1);
        let moved = set(&mut desk, "axis M", json!(6000));
        assert_eq!(
            moved["regenerated"].as_array().map(Vec::len),
            Some(2),
            "the other storey's and the column: {moved}"
        );
        let added = set(&mut desk, "axis 4", json!({ "x": 20_000 }));
        assert_eq!(added["after"], json!({ "x": 20_000.0 }), "{added}");
        let between = set(&mut desk, "axis 2a", json!({ "x": 9000 }));
        assert_eq!(between["after"]["x"], 9000.0, "{between}");
        set(&mut desk, "axis D", json!({ "y": 15_000 }));
        let made = desk.call(
            "create_column",
            json!({ "level_id": GROUND, "at": "D/4", "width": 300, "height": 3000, "grid": "Grid 1", "name": "Corner" }),
        );
        assert_eq!(made["count"], 1);
        let (_, bounds) = body(&desk, "IfcColumn", "Corner");
        // the grid is turned by 90 degrees: its x goes up
        is_near(bounds.centre().x, -15_000.0);
        is_near(bounds.centre().y, 20_000.0);
        desk.clean();
        desk.keep(&format!("grid-lines-{schema}"));
        for (name, value) in [
            ("axis 2", json!({ "name": "4" })),
            ("axis 2", json!({ "name": "a/b" })),
            ("axis 2", json!({ "name": "" })),
            ("axis 2", json!({ "tag": "x" })),
            ("axis E", json!({ "x": 6000 })),
            ("axis E", json!({ "z": 6000 })),
            ("axis E", json!({ "x": 1, "y": 1 })),
            ("axis E", json!({ "x": "far" })),
            ("axis E/1", json!({ "x": 1 })),
        ] {
            let arguments = json!({ "element_id": "Grid 1", "parameter_name": name, "value": value });
            assert_eq!(
                desk.refuse("modify_parameter", arguments.clone()).data["field"],
                "value",
                "{arguments}"
            );
        }
        let unknown = json!({ "element_id": "Grid 1", "parameter_name": "axis E", "value": 6000 });
        assert!(desk.refuse("modify_parameter", unknown).message.contains("a new one takes"));
    }
}
