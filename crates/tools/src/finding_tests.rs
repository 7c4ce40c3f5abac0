//! Checks as agents ask for them: constraints, packs, fire, egress; findings waived and mended.

use crate::desk::{Desk, SCHEMAS, text};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Four walls of 8 by 5 m on a floor.
fn house(schema: &str) -> Desk {
    let mut desk = Desk::new(schema);
    let floor = json!({
        "boundary_points": [[-100, -100], [8100, -100], [8100, 5100], [-100, 5100]], "level_id": "Ground Floor"
    });
    desk.call("create_floor", floor);
    for (start, end) in
        [([0, 0], [8000, 0]), ([8000, 0], [8000, 5000]), ([8000, 5000], [0, 5000]), ([0, 5000], [0, 0])]
    {
        desk.call("create_wall", wall(start, end));
    }
    desk
}

fn wall(start: [i32; 2], end: [i32; 2]) -> Value {
    json!({ "start": start, "end": end, "height": 2500, "thickness": 200, "level_id": "Ground Floor" })
}

/// A wall that is there twice.
fn twice(schema: &str) -> Desk {
    let mut desk = Desk::new(schema);
    desk.call("create_wall", wall([0, 0], [4000, 0]));
    desk.call("create_wall", wall([0, 0], [4000, 0]));
    desk
}

#[test]
fn what_is_there_twice_is_found_mended_as_one_change_and_gone() {
    for schema in SCHEMAS {
        let mut desk = twice(schema);
        let found = desk.call("validate_constraints", json!({}));
        assert_eq!(found["by_constraint"]["constraints.duplicate"], 1, "{found}");
        let finding = found["constraint_errors"]
            .as_array()
            .unwrap()
            .iter()
            .find(|own| own["rule"] == "constraints.duplicate")
            .unwrap();
        assert_eq!(finding["fix"][0]["tool"], "delete_elements", "{finding}");
        let mended = desk.call("fix_findings", json!({ "finding_ids": [finding["id"]] }));
        assert_eq!((&mended["fixed_count"], mended.get("new")), (&json!(1), None), "{mended}");
        assert_eq!(desk.found("IfcWall"), 1);
        let again = desk.call("validate_constraints", json!({ "constraints": ["duplicate"] }));
        assert_eq!(again["constraint_errors"], json!([]));
        let gone = desk.refuse("fix_findings", json!({ "rule": "constraints.duplicate" }));
        assert_eq!(gone.data["field"], "rule");
    }
}

#[test]
fn a_finding_that_is_waived_is_left_out_with_its_reason_until_it_is_taken_back() {
    for schema in SCHEMAS {
        let mut desk = twice(schema);
        let ask = json!({ "constraints": ["duplicate"] });
        let id = text(&desk.call("validate_constraints", ask.clone())["constraint_errors"][0]["id"]);
        desk.call("waive_findings", json!({ "finding_ids": [id], "reason": "Two phases | both stay." }));
        let waived = desk.call("validate_constraints", ask.clone());
        assert_eq!((&waived["valid"], &waived["constraint_errors"]), (&json!(true), &json!([])), "{waived}");
        let told = &waived["waived"][0];
        assert_eq!((&told["id"], &told["reason"]), (&json!(id), &json!("Two phases | both stay.")));
        assert_eq!(told["by"], "modeller");
        desk.clean();
        assert_eq!(
            desk.refuse("fix_findings", json!({ "rule": "constraints.duplicate" })).data["field"],
            "rule"
        );
        desk.call("waive_findings", json!({ "finding_ids": [id], "withdraw": true }));
        assert_eq!(desk.call("validate_constraints", ask)["constraint_errors"][0]["id"], id.as_str());
        desk.clean();
    }
}

#[test]
fn a_clash_that_is_waived_is_approved_and_not_resolved() {
    let mut desk = Desk::new("IFC4");
    desk.call("create_wall", wall([0, 0], [4000, 0]));
    desk.call("create_wall", wall([2000, -2000], [2000, 2000]));
    let before = desk.model.clone();
    let ask = json!({ "source_category": "walls", "target_category": "walls" });
    let id = text(&desk.call("clash_detection", ask.clone())["clashes"][0]["id"]);
    desk.call("waive_findings", json!({ "finding_ids": [id], "reason": "A cross wall." }));
    let found = desk.beside(
        "clash_detection",
        "since",
        &before,
        json!({ "source_category": "walls", "target_category": "walls", "since": "v1" }),
    );
    assert_eq!((&found["total"], &found["approved_count"]), (&json!(0), &json!(1)), "{found}");
    assert_eq!(found["since"], json!({ "new": 0, "active": 1, "resolved": 0 }));
}

#[test]
fn waivers_that_say_too_little_are_refused_with_their_field() {
    let mut desk = twice("IFC4");
    for (arguments, field) in [
        (json!({ "finding_ids": [], "reason": "Because." }), "finding_ids"),
        (json!({ "finding_ids": ["wall"], "reason": "Because." }), "finding_ids[0]"),
        (json!({ "finding_ids": ["0123456789ab"] }), "reason"),
        (json!({ "finding_ids": ["0123456789ab"], "reason": " " }), "reason"),
        (json!({ "finding_ids": ["0123456789ab"], "withdraw": true }), "finding_ids"),
        (json!({ "finding_ids": ["0123456789ab"], "reason": "Because.", "withdraw": true }), "reason"),
    ] {
        assert_eq!(desk.refuse("waive_findings", arguments.clone()).data["field"], field, "{arguments}");
    }
    for (arguments, field) in [
        (json!({}), "finding_ids"),
        (json!({ "finding_ids": ["0123456789ab"] }), "finding_ids"),
        (json!({ "rule": "constraints.overlp" }), "rule"),
        (json!({ "rule": "constraints.overlap", "standard": "adda" }), "standard"),
    ] {
        assert_eq!(desk.refuse("fix_findings", arguments.clone()).data["field"], field, "{arguments}");
    }
    let near = desk.refuse("validate_constraints", json!({ "constraints": ["overlp"] }));
    assert!(near.data["near_matches"].as_array().unwrap().contains(&json!("overlap")), "{near}");
}

#[test]
fn only_findings_about_the_elements_asked_for_are_told() {
    let mut desk = twice("IFC4");
    let far = text(&desk.call("create_wall", wall([20000, 0], [24000, 0]))["wall_id"]);
    let found =
        desk.call("validate_constraints", json!({ "element_ids": [far], "constraints": ["duplicate"] }));
    assert_eq!(found["constraint_errors"], json!([]), "{found}");
}

#[test]
fn a_standard_is_held_by_its_name_its_rules_and_parameters_set_otherwise() {
    let mut desk = house("IFC4");
    let wall = desk.model.of_class("IfcWall")[0];
    let wall = crate::id_of(&desk.model, wall);
    let door = json!({
        "host_id": wall, "location": { "along": 2000 }, "width": 700, "height": 2100, "opening_type": "door"
    });
    desk.call("create_opening", door);
    let ask = |more: Value| {
        let mut arguments = json!({ "standard": "ADA 2010", "rules": ["404.2.3"] });
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        arguments
    };
    let narrow = desk.call("code_compliance", ask(json!({})));
    assert_eq!((&narrow["standard"], &narrow["compliant"]), (&json!("ada-2010"), &json!(false)), "{narrow}");
    let issue = &narrow["issues"][0];
    assert_eq!((&issue["rule"], &issue["clause"]), (&json!("ada-2010.404.2.3"), &json!("404.2.3")));
    assert!(text(&issue["required"]).starts_with("at least 813"), "{issue}");
    let set = json!({ "parameters": { "404.2.3": { "width": "500 mm" } } });
    assert_eq!(desk.call("code_compliance", ask(set))["compliant"], true);
    for (more, field) in [
        (json!({ "parameters": { "404.2.3": { "widht": "500 mm" } } }), "parameters"),
        (json!({ "parameters": { "404.2.3": { "width": "500 kg" } } }), "parameters"),
        (json!({ "rules": ["999"] }), "rules[0]"),
        (json!({ "standard": "ISO 1" }), "standard"),
        (json!({ "standard": null }), "standard"),
        (json!({ "severity_threshold": "fatal" }), "severity_threshold"),
    ] {
        assert_eq!(desk.refuse("code_compliance", ask(more.clone())).data["field"], field, "{more}");
    }
    let accessible =
        desk.call("accessibility_check", json!({ "standard": "ada-2010", "rules": ["404.2.3"] }));
    assert_eq!(accessible["violations"][0]["id"], issue["id"]);
    // ids of a pack's findings are found with its name
    let without = desk.refuse("fix_findings", json!({ "finding_ids": [issue["id"]] }));
    assert_eq!(without.code, contract::FaultCode::NotFound);
    let with = json!({ "finding_ids": [issue["id"]], "standard": "ada-2010" });
    assert_eq!(desk.call("fix_findings", with)["fixed_count"], 1);
    assert_eq!(desk.call("code_compliance", ask(json!({})))["compliant"], true);
    desk.clean();
    // a wall without room for a door of that width is for whoever designs it
    let short = desk.call(
        "create_wall",
        json!({ "start": [0, 20000], "end": [900, 20000], "height": 3000, "level_id": "Ground Floor" }),
    );
    let narrow = json!({ "host_id": short["wall_id"], "location": { "along": 450 }, "width": 800, "height": 2100, "opening_type": "door" });
    desk.call("create_opening", narrow);
    let left = desk.call("code_compliance", ask(json!({})));
    let issue = &left["issues"][0];
    assert!(issue["rule"] == "ada-2010.404.2.3" && issue["fix"].is_null(), "{left}");
    let with = json!({ "finding_ids": [issue["id"]], "standard": "ada-2010" });
    assert_eq!(desk.refuse("fix_findings", with).code, contract::FaultCode::Conflict);
    let other = desk.refuse("accessibility_check", json!({ "standard": "model-quality" }));
    assert_eq!(other.data["field"], "standard");
}

#[test]
fn egress_tells_who_is_where_and_how_far_it_is_to_the_door() {
    let mut desk = house("IFC4");
    let wall = crate::id_of(&desk.model, desk.model.of_class("IfcWall")[0]);
    let door = json!({
        "host_id": wall, "location": { "along": 2000 }, "width": 1000, "height": 2100, "opening_type": "door"
    });
    desk.call("create_opening", door);
    desk.call(
        "create_space",
        json!({
            "boundary_points": [[200, 200], [7800, 200], [7800, 4800], [200, 4800]], "level_id": "Ground Floor",
            "long_name": "Office"
        }),
    );
    let found = desk.call("egress_analysis", json!({ "occupancy": "business" }));
    assert_eq!(
        (&found["occupancy"], found["exits"].as_array().unwrap().len()),
        (&json!("business"), 1),
        "{found}"
    );
    let way = &found["paths"][0];
    let length = way["length"].as_f64().unwrap();
    assert!((4000.0..9000.0).contains(&length), "{found}");
    assert!(way["points"].as_array().unwrap().len() >= 2);
    assert!(found["persons"].as_f64().unwrap() >= 2.0);
    let Some(mut duplex) = Desk::open("Duplex_A_20110907.ifc") else { return };
    let ways = duplex.call("egress_analysis", json!({ "occupancy": "residential", "paths": 3 }));
    assert_eq!(ways["paths"].as_array().unwrap().len(), 3);
    assert!(ways["rooms"].as_u64().unwrap() > 10);
    for (arguments, field) in [
        (json!({ "occupancy": "offices" }), "occupancy"),
        (json!({ "occupancy": "auto", "width": 10 }), "width"),
        (json!({ "occupancy": "auto", "paths": 0 }), "paths"),
    ] {
        assert_eq!(desk.refuse("egress_analysis", arguments.clone()).data["field"], field, "{arguments}");
    }
}

#[test]
fn an_opening_weaker_than_its_wall_is_told_by_the_part_that_is_asked_for() {
    let mut desk = house("IFC4");
    // what an outer wall needs hangs on what stands opposite
    let wall = text(&desk.call("create_wall", wall([4000, 100], [4000, 4900]))["wall_id"]);
    let door = json!({
        "host_id": wall, "location": { "along": 2000 }, "width": 1000, "height": 2100, "opening_type": "door"
    });
    let door = text(&desk.call("create_opening", door)["filling_id"]);
    let rate = |desk: &mut Desk, id: &str, set: &str, rating: &str| {
        desk.call(
            "set_properties",
            json!({ "element_ids": [id], "pset": set, "properties": { "FireRating": rating } }),
        );
    };
    rate(&mut desk, &wall, "Pset_WallCommon", "REI 60");
    rate(&mut desk, &door, "Pset_DoorCommon", "EI 45");
    let weaker = |found: &Value| {
        let rows = found["violations"].as_array().unwrap().iter();
        rows.filter(|own| own["rule"] == "fire.opening_weaker").count()
    };
    let usual = desk.call("fire_rating_check", json!({}));
    assert_eq!((weaker(&usual), &usual["rated"]), (0, &json!(2)), "{usual}");
    assert_eq!(weaker(&desk.call("fire_rating_check", json!({ "opening_ratio": 1.0 }))), 1);
    assert_eq!(
        desk.refuse("fire_rating_check", json!({ "opening_ratio": 2 })).data["field"],
        "opening_ratio"
    );
    assert_eq!(
        desk.refuse("fire_rating_check", json!({ "least_minutes": 0 })).data["field"],
        "least_minutes"
    );
}

#[test]
fn lists_of_findings_go_on_from_their_cursor_and_hold_what_is_asked_for() {
    let Some(mut duplex) = Desk::open("Duplex_A_20110907.ifc") else { return };
    for (tool, ask, list) in [
        ("validate_constraints", json!({}), "constraint_errors"),
        ("code_compliance", json!({ "standard": "model-quality" }), "issues"),
        ("accessibility_check", json!({ "standard": "ada-2010" }), "violations"),
        ("egress_analysis", json!({ "occupancy": "residential" }), "violations"),
        ("fire_rating_check", json!({}), "violations"),
    ] {
        let mut page = |more: Value| {
            let mut arguments = ask.clone();
            arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            let answer = duplex.call(tool, arguments);
            let of = if tool == "egress_analysis" { answer["compliance"].clone() } else { answer };
            let ids = of[list].as_array().unwrap().iter().map(|own| text(&own["id"])).collect::<Vec<_>>();
            (ids, of["next_cursor"].clone(), of["counts"].clone())
        };
        let (mut seen, mut cursor) = (Vec::new(), Value::Null);
        let total: u64 = loop {
            let (ids, next, counts) = page(json!({ "limit": 3, "cursor": cursor }));
            assert!(ids.len() <= 3, "{tool}: {ids:?}");
            seen.extend(ids);
            cursor = next;
            if cursor.is_null() {
                break ["error", "warning", "info"]
                    .iter()
                    .map(|level| counts[*level].as_u64().unwrap())
                    .sum();
            }
        };
        let distinct: BTreeSet<&String> = seen.iter().collect();
        assert_eq!((seen.len() as u64, distinct.len()), (total, seen.len()), "{tool}");
        // its ways out are in order
        assert!(total > 0 || tool == "egress_analysis", "{tool}");
    }
}

#[test]
fn issues_lighter_than_the_threshold_are_counted_and_not_told() {
    let Some(mut duplex) = Desk::open("Duplex_A_20110907.ifc") else { return };
    let mut ask = |standard: &str, threshold: &str| {
        let arguments = json!({ "standard": standard, "severity_threshold": threshold, "limit": 500 });
        let answer = duplex.call("code_compliance", arguments);
        let light =
            answer["issues"].as_array().unwrap().iter().filter(|own| own["severity"] != "error").count();
        (light, answer["counts"].clone())
    };
    let mut lighter = 0;
    for standard in ["ada-2010", "ibc-2021-egress", "model-quality", "dwelling-space"] {
        let ((all, counts), (none, same)) = (ask(standard, "info"), ask(standard, "error"));
        assert_eq!((none, &counts), (0, &same), "{standard}");
        lighter += all;
    }
    assert!(lighter > 0);
}

#[test]
fn an_answer_about_a_real_building_is_of_a_length_that_is_read() {
    let Some(mut duplex) = Desk::open("Duplex_A_20110907.ifc") else { return };
    for (tool, ask) in [
        ("validate_constraints", json!({})),
        ("code_compliance", json!({ "standard": "model-quality" })),
        ("code_compliance", json!({ "standard": "ibc-2021-egress" })),
        ("accessibility_check", json!({ "standard": "ada-2010" })),
        ("egress_analysis", json!({ "occupancy": "auto" })),
        ("fire_rating_check", json!({})),
        ("clash_detection", json!({ "matrix": "disciplines" })),
    ] {
        let answer = duplex.call(tool, ask.clone()).to_string();
        assert!(answer.len() <= 16_000, "{tool} {ask}: {}", answer.len());
    }
}
