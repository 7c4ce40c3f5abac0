//! Stairs, ramps and shafts after they were made: floors made over them, other widths, steps and heights, storeys that are raised, in all
//! three schemas.

use crate::desk::{Desk, SCHEMAS, text};
use contract::FaultCode;
use geometry::Shaper;
use ifc::Id;
use serde_json::{Value, json};

const PLATE: [[u32; 2]; 4] = [[0, 0], [10_000, 0], [10_000, 8000], [0, 8000]];

/// A house of two storeys of 3 m with a slab of 10 by 8 m on these.
fn house(schema: &str, floors: &[&str]) -> Desk {
    let mut desk = Desk::new(schema);
    desk.call("create_level", json!({ "name": "Upper Floor", "elevation": 3000 }));
    for level in floors {
        floor(&mut desk, level);
    }
    desk
}

fn floor(desk: &mut Desk, level: &str) -> Value {
    desk.call("create_floor", json!({ "boundary_points": PLATE, "level_id": level }))
}

fn id(desk: &Desk, id: &Value) -> Id {
    desk.model.by_guid(&text(id)).unwrap_or_else(|| panic!("no {id}"))
}

fn volume(desk: &Desk, guid: &Value) -> f64 {
    Shaper::plain(&desk.model).net_bodies(id(desk, guid)).unwrap().volume()
}

/// Asserts that a quantity set says how much the body holds.
fn is_measured(desk: &Desk, guid: &Value, set: &str) {
    let stored = building::quantities::read(&desk.model, id(desk, guid), set)["NetVolume"].value;
    let mesh = volume(desk, guid);
    assert!((stored - mesh).abs() < 1e-5 * (1.0 + mesh), "{guid}: {stored} and {mesh}");
}

fn change(desk: &mut Desk, element: &Value, parameter: &str, value: Value) -> Value {
    desk.call(
        "modify_parameter",
        json!({ "element_id": element, "parameter_name": parameter, "value": value }),
    )
}

/// The volumes of an element's parts and of its openings' hosts, from the least.
fn volumes(desk: &Desk, stair: &Value) -> Vec<i64> {
    let parts = ifc::relations::children(&desk.model, id(desk, stair));
    let mut all: Vec<i64> = parts
        .into_iter()
        .chain(desk.model.of_class("IfcSlab"))
        .map(|part| (Shaper::plain(&desk.model).net_bodies(part).unwrap().volume() * 1e6).round() as i64)
        .collect();
    all.sort_unstable();
    all
}

#[test]
fn a_floor_made_after_its_stair_is_cut_as_by_a_stair_made_after_it() {
    for schema in SCHEMAS {
        for (tool, wanted) in [
            ("create_stair", json!({ "start": [1000, 2000], "direction": 0, "railings": "both" })),
            ("create_stair", json!({ "start": [5000, 1000], "direction": 90, "shape": "u" })),
            ("create_ramp", json!({ "start": [9000, 1500], "direction": 180, "slope": 20, "shape": "u" })),
        ] {
            let mut arguments = wanted.clone();
            arguments["level_id"] = json!("Ground Floor");
            let (mut before, mut after) =
                (house(schema, &["Ground Floor"]), house(schema, &["Ground Floor", "Upper Floor"]));
            let early = before.call(tool, arguments.clone());
            let late = after.call(tool, arguments);
            assert!(early["openings"].is_null(), "{early}");
            let made = floor(&mut before, "Upper Floor");
            let what = format!("{schema} {tool} {made}");
            assert!(!made["sound"].to_string().contains("overlap"), "{what}");
            assert_eq!(
                made["openings"].as_array().map(Vec::len),
                late["openings"].as_array().map(Vec::len),
                "{what}"
            );
            assert!(made["assumed"].to_string().contains("opening for"), "{what}");
            let key = if tool == "create_stair" { "stair_id" } else { "ramp_id" };
            assert_eq!(volumes(&before, &early[key]), volumes(&after, &late[key]), "{what}");
            is_measured(&before, &made["floor_id"], "Qto_SlabBaseQuantities");
            before.clean();
            let deleted = before.call("delete_elements", json!({ "element_ids": [early[key]] }));
            assert_eq!(before.count("IfcOpeningElement"), 0, "{deleted}");
            before.clean();
        }
    }
}

#[test]
fn a_stair_that_was_to_cut_nothing_and_a_floor_beside_it_leave_it_as_it_is() {
    let mut desk = house("IFC4", &["Ground Floor"]);
    let stair = json!({ "level_id": "Ground Floor", "start": [1000, 2000], "cut_opening": false });
    desk.call("create_stair", stair);
    assert!(floor(&mut desk, "Upper Floor")["openings"].is_null());
    let beside = json!({ "boundary_points": [[20000, 0], [24000, 0], [24000, 4000], [20000, 4000]],
        "level_id": "Upper Floor" });
    desk.call("create_stair", json!({ "level_id": "Ground Floor", "start": [1000, 6000] }));
    assert!(desk.call("create_floor", beside)["openings"].is_null());
}

#[test]
fn a_plan_has_one_arrow_through_all_flights_of_a_stair_with_all_its_risers() {
    for shape in ["straight", "l", "u"] {
        let mut desk = house("IFC4", &["Ground Floor"]);
        let stair =
            json!({ "level_id": "Ground Floor", "start": [2000, 2000], "direction": 90, "shape": shape });
        let risers = desk.call("create_stair", stair)["risers"].clone();
        floor(&mut desk, "Upper Floor");
        for (level, word) in [("Ground Floor", "up"), ("Upper Floor", "down")] {
            desk.call("create_section", json!({ "cut_plane": { "level_id": level } }));
            let drawn = String::from_utf8(desk.files.pop().unwrap().1).unwrap();
            let words = format!(">{word} {risers} R<");
            assert_eq!(drawn.matches(&words).count(), 1, "{shape} {level}: {words}");
            assert_eq!(drawn.matches(&format!(">{word} ")).count(), 1, "{shape} {level}");
        }
    }
}

#[test]
fn a_floor_made_after_a_shaft_lets_it_through_and_ends_its_walls() {
    for schema in SCHEMAS {
        let mut desk = house(schema, &["Ground Floor"]);
        let shaft = desk.call(
            "create_shaft",
            json!({ "outline": [[2000, 2000], [4000, 4200]], "level_id": "Ground Floor", "wall_thickness": 200 }),
        );
        let made = floor(&mut desk, "Upper Floor");
        assert_eq!(
            (made["openings"].as_array().map(Vec::len), made["sound"].clone()),
            (Some(1), json!(true)),
            "{made}"
        );
        assert_eq!(desk.found("IfcSlab, Qto_SlabBaseQuantities.NetArea=75.6"), 1);
        assert_eq!(desk.found("IfcWall, Qto_WallBaseQuantities.Height=2.8"), 4, "{shaft}");
        desk.call("create_level", json!({ "name": "Attic", "elevation": 6000 }));
        let attic = floor(&mut desk, "Attic");
        assert_eq!(attic["openings"].as_array().map(Vec::len), Some(1), "{attic}");
        desk.clean();
        // one that was to end below stays closed, and a shaft of which nothing is left is forgotten
        desk.call(
            "create_shaft",
            json!({ "outline": [[6000, 2000], [7000, 3000]], "level_id": "Ground Floor", "to_level": "Upper Floor" }),
        );
        desk.call("create_level", json!({ "name": "Roof", "elevation": 9000 }));
        assert_eq!(floor(&mut desk, "Roof")["openings"].as_array().map(Vec::len), Some(1));
        assert_eq!(desk.count("IfcGroup"), 2);
        let gone: Vec<String> = desk
            .model
            .of_class("IfcOpeningElement")
            .into_iter()
            .chain(desk.model.of_class("IfcWall"))
            .filter_map(|id| desk.model.get(id)?.guid())
            .collect();
        desk.call("delete_elements", json!({ "element_ids": gone }));
        assert_eq!(desk.count("IfcGroup") + desk.count("IfcRelAssignsToGroup"), 0);
        desk.clean();
    }
}

#[test]
fn a_stair_changes_its_width_steps_and_height_and_stays_the_same_elements() {
    for schema in SCHEMAS {
        for shape in ["straight", "l", "u", "winder", "spiral"] {
            let mut desk = house(schema, &["Ground Floor", "Upper Floor"]);
            let stair = desk.call(
                "create_stair",
                json!({
                    "level_id": "Ground Floor", "start": [3000, 3000], "direction": 0, "shape": shape,
                    "turn": "left", "railings": "both"
                }),
            );
            let what = format!("{schema} {shape}");
            let answer = change(&mut desk, &stair["stair_id"], "width", json!(1200));
            assert_eq!(
                (answer["after"].clone(), answer["sound"].clone()),
                (json!(1200.0), json!(true)),
                "{what} {answer}"
            );
            let steps = change(&mut desk, &stair["stair_id"], "riser", json!(167));
            assert!((steps["after"].as_f64().unwrap() - 3000.0 / 18.0).abs() < 0.01, "{what} {steps}");
            assert_eq!(steps["sound"], true, "{what} {steps}");
            assert_eq!(desk.found("IfcStair, Pset_StairCommon.NumberOfRiser=18"), 1, "{what}");
            for flight in stair["flights"].as_array().unwrap() {
                is_measured(&desk, &flight["flight_id"], "Qto_StairFlightBaseQuantities");
            }
            for railing in stair["railings"].as_array().unwrap() {
                assert!(volume(&desk, railing) > 0.001, "{what}");
            }
            let opening = &stair["openings"][0]["opening_id"];
            assert!(desk.model.by_guid(&text(opening)).is_some(), "{what}: the opening is another");
            is_measured(&desk, &stair["openings"][0]["host_id"], "Qto_SlabBaseQuantities");
            // the same stair made at once
            let mut fresh = house(schema, &["Ground Floor", "Upper Floor"]);
            let same = fresh.call(
                "create_stair",
                json!({
                    "level_id": "Ground Floor", "start": [3000, 3000], "direction": 0, "shape": shape,
                    "turn": "left", "railings": "both", "width": 1200, "riser": 167
                }),
            );
            if matches!(shape, "straight" | "u" | "spiral") {
                assert_eq!(volumes(&desk, &stair["stair_id"]), volumes(&fresh, &same["stair_id"]), "{what}");
            }
            let back = change(&mut desk, &stair["stair_id"], "riser", Value::Null);
            assert_eq!(back["after"], 187.5, "{what} {back}");
            desk.clean();
            desk.keep(&format!("stair-changed-{shape}-{schema}"));
        }
    }
}

#[test]
fn a_stair_and_a_ramp_climb_to_a_storey_that_is_raised_with_steps_opening_and_railings() {
    for schema in SCHEMAS {
        let mut desk = house(schema, &["Ground Floor", "Upper Floor"]);
        let stair = desk.call(
            "create_stair",
            json!({ "level_id": "Ground Floor", "start": [1000, 2000], "direction": 0, "railings": "left" }),
        );
        let ramp = desk.call(
            "create_ramp",
            json!({
                "level_id": "Ground Floor", "start": [9500, 4500], "direction": 180, "slope": 20, "shape": "u",
                "turn": "right", "railings": "both"
            }),
        );
        let raised = change(&mut desk, &json!("Upper Floor"), "elevation", json!(3420));
        let what = format!("{schema} {raised}");
        assert_eq!(raised["sound"], true, "{what}");
        // 3420 are 18 risers of 190
        assert_eq!(desk.found("IfcStair, Pset_StairCommon.NumberOfRiser=18"), 1, "{what}");
        let followed = raised["regenerated"].to_string();
        for part in [&stair["stair_id"], &stair["railings"][0], &ramp["ramp_id"], &ramp["railings"][1]] {
            assert!(followed.contains(&text(part)), "{part} is not in {what}");
        }
        let mut fresh = house(schema, &[]);
        change(&mut fresh, &json!("Upper Floor"), "elevation", json!(3420));
        floor(&mut fresh, "Ground Floor");
        floor(&mut fresh, "Upper Floor");
        let same = fresh.call(
            "create_stair",
            json!({ "level_id": "Ground Floor", "start": [1000, 2000], "direction": 0, "railings": "left" }),
        );
        let again = fresh.call(
            "create_ramp",
            json!({
                "level_id": "Ground Floor", "start": [9500, 4500], "direction": 180, "slope": 20, "shape": "u",
                "turn": "right", "railings": "both"
            }),
        );
        assert_eq!(volumes(&desk, &stair["stair_id"]), volumes(&fresh, &same["stair_id"]), "{what}");
        assert_eq!(volumes(&desk, &ramp["ramp_id"]), volumes(&fresh, &again["ramp_id"]), "{what}");
        desk.clean();
        // and back, with what was too much gone
        change(&mut desk, &json!("Upper Floor"), "elevation", json!(3000));
        assert_eq!(desk.found("IfcStair, Pset_StairCommon.NumberOfRiser=16"), 1);
        desk.clean();
        desk.keep(&format!("raised-{schema}"));
    }
}

#[test]
fn a_raised_storey_is_refused_where_its_stair_has_no_room_and_says_which() {
    let mut desk = house("IFC4", &["Ground Floor", "Upper Floor"]);
    let stair = desk
        .call("create_stair", json!({ "level_id": "Ground Floor", "start": [1000, 2000], "direction": 0 }));
    desk.call(
        "create_wall",
        json!({ "start": [5000, 500], "end": [5000, 4000], "level_id": "Ground Floor", "height": 2800 }),
    );
    let raise = json!({ "element_id": "Upper Floor", "parameter_name": "elevation", "value": 3600 });
    let before = desk.model.len();
    let fault = desk.refuse("modify_parameter", raise.clone());
    assert_eq!(fault.code, FaultCode::ConstraintViolation, "{fault}");
    assert_eq!(fault.data["elements"], json!([stair["stair_id"]]), "{fault}");
    assert!(fault.message.contains("Stair 1") && fault.message.contains("runs into the wall"), "{fault}");
    assert_eq!(desk.model.len(), before);
    // the way out that it names
    change(&mut desk, &stair["stair_id"], "tread", json!(220));
    change(&mut desk, &stair["stair_id"], "riser", json!(200));
    desk.call("modify_parameter", raise);
    desk.clean();
}

#[test]
fn what_a_stair_or_ramp_cannot_be_changed_to_is_refused_with_its_field() {
    let mut desk = house("IFC4", &["Ground Floor", "Upper Floor"]);
    let stair = desk
        .call("create_stair", json!({ "level_id": "Ground Floor", "start": [1000, 2000], "direction": 0 }));
    let ramp =
        desk.call("create_ramp", json!({ "level_id": "Ground Floor", "start": [20000, 0], "height": 600 }));
    for (element, parameter, value, field) in [
        (&stair["stair_id"], "width", json!(0), "value"),
        (&stair["stair_id"], "width", json!(1e12), "value"),
        (&stair["stair_id"], "width", json!("wide"), "value"),
        (&stair["stair_id"], "width", Value::Null, "value"),
        (&stair["stair_id"], "riser", json!(900), "value"),
        (&stair["stair_id"], "tread", json!(20), "value"),
        (&stair["stair_id"], "height", json!(100), "value"),
        (&stair["stair_id"], "gap", json!(200), "parameter_name"),
        (&stair["stair_id"], "slope", json!(5), "parameter_name"),
        (&ramp["ramp_id"], "slope", json!(90), "value"),
        (&ramp["ramp_id"], "slope", Value::Null, "value"),
        (&ramp["ramp_id"], "width", json!(-1), "value"),
        (&ramp["ramp_id"], "gap", json!(100), "parameter_name"),
        (&ramp["ramp_id"], "height", json!(0), "value"),
    ] {
        let before = desk.model.len();
        let arguments = json!({ "element_id": element, "parameter_name": parameter, "value": value });
        let fault = desk.refuse("modify_parameter", arguments.clone());
        assert_eq!(fault.data["field"], field, "{arguments}: {fault}");
        assert_eq!(desk.model.len(), before);
    }
    let ramped = change(&mut desk, &ramp["ramp_id"], "slope", json!(10));
    assert_eq!((ramped["before"].clone(), ramped["after"].clone()), (json!(6.0), json!(10.0)));
    // 600 at 10 % are one run of 6 m
    assert_eq!(desk.count("IfcRampFlight"), 1);
    desk.clean();
    let mirrored = json!({ "element_ids": [stair["stair_id"]], "line": [[0, 0], [10000, 0]] });
    desk.call("mirror_elements", mirrored);
    let fault = desk.refuse(
        "modify_parameter",
        json!({ "element_id": stair["stair_id"], "parameter_name": "width", "value": 900 }),
    );
    assert_eq!(fault.code, FaultCode::ConstraintViolation, "{fault}");
}

#[test]
fn a_railing_runs_along_the_edges_of_a_ramp() {
    for schema in SCHEMAS {
        for shape in ["straight", "l", "u"] {
            let mut desk = house(schema, &["Ground Floor"]);
            let ramp = desk.call(
                "create_ramp",
                json!({ "level_id": "Ground Floor", "start": [20000, 0], "height": 600, "shape": shape }),
            );
            let made = desk.call("create_railing", json!({ "along": ramp["ramp_id"], "infill": "rails" }));
            assert_eq!(made["railings"].as_array().map(Vec::len), Some(2), "{made}");
            assert_eq!(made["railings"][0]["height"], 900.0);
            if shape == "straight" {
                // two runs of 5 m at 6 % with a landing of 1.5 m between
                let run = 5000.0_f64.hypot(300.0);
                // the last post stands on the ramp, not beyond it
                let length = 2.0 * run + 1500.0 - 20.0 * run / 5000.0;
                assert!((made["railings"][0]["length"].as_f64().unwrap() - length).abs() < 0.1, "{made}");
            }
            let parts = ifc::relations::children(&desk.model, id(&desk, &ramp["ramp_id"]));
            assert!(parts.contains(&id(&desk, &made["railings"][1]["railing_id"])));
            let wider = change(&mut desk, &ramp["ramp_id"], "width", json!(1500));
            assert!(
                wider["regenerated"].to_string().contains(&text(&made["railings"][1]["railing_id"])),
                "{wider}"
            );
            desk.clean();
        }
    }
    let mut desk = house("IFC4", &["Ground Floor"]);
    desk.call("create_ramp", json!({ "level_id": "Ground Floor", "start": [20000, 0], "height": 600 }));
    let fault = desk.refuse("create_railing", json!({ "along": "Ramp 1", "closed": true }));
    assert_eq!(fault.data["field"], "closed");
}
