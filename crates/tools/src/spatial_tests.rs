//! Spatial tools on houses that are made here, and on real models: the answers are those of a tape measure.

use crate::desk::{Desk, text};
use serde_json::{Value, json};

/// A house of two storeys of 3 m on 10 by 8 m with walls of 300 mm, two rooms below that a door joins, and a stair.
fn house() -> Desk {
    let mut desk = Desk::new("IFC4");
    desk.call(
        "create_building_shell",
        json!({
            "footprint": [[0, 0], [10000, 0], [10000, 8000], [0, 8000]],
            "storeys": [{ "name": "Ground Floor", "height": 3000 }, { "name": "Upper Floor", "height": 3000 }],
            "wall_thickness": 300, "names": { "walls": "Wall {n}" }
        }),
    );
    desk
}

fn near(value: &Value, wanted: f64) -> bool {
    value.as_f64().is_some_and(|found| (found - wanted).abs() < 0.06)
}

#[test]
fn walls_opposite_each_other_are_as_far_apart_as_the_house_is_wide_inside() {
    let mut desk = house();
    let walls = ["Wall 1", "Wall 2", "Wall 3", "Wall 4"];
    let mut found: Vec<f64> = Vec::new();
    for wall in &walls[1..] {
        let answer = desk.call("measure", json!({ "from": walls[0], "to": wall }));
        found.push(answer["distance"].as_f64().unwrap());
        assert_eq!(answer["points"].as_array().map(Vec::len), Some(2), "{answer}");
    }
    found.sort_by(f64::total_cmp);
    assert!(found[0] == 0.0 && found[1] == 0.0, "{found:?}");
    assert!((found[2] - 7400.0).abs() < 1e-6, "{found:?}");
    let angles: Vec<f64> = walls[1..]
        .iter()
        .map(|wall| {
            desk.call("measure", json!({ "from": walls[0], "to": wall, "kind": "angle" }))["angle"]
                .as_f64()
                .unwrap()
        })
        .collect();
    assert_eq!(angles.iter().filter(|a| **a == 90.0).count(), 2, "{angles:?}");
    assert_eq!(angles.iter().filter(|a| **a == 0.0).count(), 1, "{angles:?}");
}

#[test]
fn a_measure_that_cannot_be_taken_says_why() {
    let mut desk = house();
    for (arguments, field) in [
        (json!({ "from": "Wall 1", "to": "Wall 99" }), "to"),
        (json!({ "from": [1, 2], "to": "Wall 1" }), "from"),
        (json!({ "from": "Wall 1", "to": "Wall 2", "kind": "ray" }), "direction"),
        (json!({ "from": "Wall 1", "to": "Wall 2", "direction": [1, 0, 0] }), "direction"),
        (json!({ "from": "Wall 1", "to": "Wall 2", "kind": "ray", "direction": [0, 0, 0] }), "direction"),
        (json!({ "from": "Wall 1", "to": "Wall 2", "gap": 5 }), "gap"),
        (json!({ "from": "Wall 1", "to": [0, 0, 0], "kind": "angle" }), "to"),
        (json!({ "from": "Wall 1", "to": [0, 0, 0], "kind": "contact" }), "kind"),
        (
            json!({ "from": [5000, 4000, 90000], "to": "Wall 1", "kind": "ray", "direction": [0, 0, 1] }),
            "direction",
        ),
    ] {
        let fault = desk.refuse("measure", arguments.clone());
        assert_eq!(fault.data["field"], field, "{arguments}: {fault}");
    }
}

#[test]
fn a_ray_and_a_contact_are_measured_in_the_house() {
    let mut desk = house();
    let answer = desk.call(
        "spatial_query",
        json!({ "ray": { "origin": [5000, 4000, 1000], "direction": [0, 0, 1] }, "categories": ["slabs"] }),
    );
    assert!(answer["total"].as_u64() >= Some(1), "{answer}");
    let slab = answer["element_ids"][0].clone();
    let up = desk.call(
        "measure",
        json!({ "from": [5000, 4000, 1000], "to": slab, "kind": "ray", "direction": [0, 0, 1] }),
    );
    assert_eq!(up["distance"], answer["distances"][0], "{up}");
    // the height of a point over the slab's foot, by two kinds of measure
    let vertical =
        desk.call("measure", json!({ "from": [5000, 4000, 1000], "to": slab, "kind": "vertical" }));
    assert_eq!(vertical["distance"], up["distance"]);
    let contact = desk.call("measure", json!({ "from": "Wall 1", "to": slab, "kind": "contact" }));
    assert!(contact["area"].as_f64().is_some(), "{contact}");
}

#[test]
fn elements_are_found_by_place() {
    let mut desk = house();
    let all = desk.call(
        "spatial_query",
        json!({ "bounds": { "min": [-5000, -5000, -5000], "max": [20000, 20000, 20000] } }),
    );
    let inside = desk.call(
        "spatial_query",
        json!({ "bounds": { "min": [-5000, -5000, -5000], "max": [20000, 20000, 20000] }, "mode": "inside" }),
    );
    assert_eq!(all["element_ids"], inside["element_ids"]);
    let walls = desk.call(
        "spatial_query",
        json!({ "bounds": { "polygon": [[-1000, -1000], [11000, -1000], [11000, 1000], [-1000, 1000]] },
                "level_id": "Ground Floor", "categories": "walls" }),
    );
    assert_eq!(walls["total"], 3, "one along the strip and the ends of two: {walls}");
    let inside = desk.call(
        "spatial_query",
        json!({ "bounds": { "polygon": [[-1000, -1000], [11000, -1000], [11000, 1000], [-1000, 1000]] },
                "categories": "walls", "mode": "inside" }),
    );
    assert_eq!(inside["total"], 2, "the one along the strip on both storeys: {inside}");
    let ground = desk.call("spatial_query", json!({ "level_id": "Ground Floor", "categories": ["walls"] }));
    assert_eq!(ground["total"], 4, "{ground}");
    let near = desk.call(
        "spatial_query",
        json!({ "near": { "to": "Wall 1", "distance": 10 }, "categories": ["walls"] }),
    );
    assert!(near["total"].as_u64() >= Some(2) && near["distances"][0] == 0, "{near}");
    let south = desk.call("spatial_query", json!({ "facade": "south", "categories": ["walls"] }));
    assert_eq!(south["total"], 2, "one on each storey: {south}");
    let above = desk
        .call("spatial_query", json!({ "above": text(&south["element_ids"][0]), "categories": ["walls"] }));
    assert_eq!(above["element_ids"].as_array().map(Vec::len), Some(1), "{above}");
    assert_eq!(above["element_ids"][0], south["element_ids"][1]);
    let below = desk
        .call("spatial_query", json!({ "below": text(&south["element_ids"][1]), "categories": ["walls"] }));
    assert_eq!(below["element_ids"][0], south["element_ids"][0]);
}

#[test]
fn the_view_from_the_middle_of_a_house_is_its_plan() {
    let mut desk = house();
    let seen = desk.call("spatial_query", json!({ "visible_from": { "point": [5000, 4000, 1600] } }));
    assert!(near(&seen["view"]["area"], 9.4 * 7.4), "{seen}");
    assert_eq!(seen["total"], 4, "{seen}");
    let fault = desk.refuse("spatial_query", json!({ "visible_from": { "point": [100, 4000, 1600] } }));
    assert!(fault.message.contains("lies in Wall"), "{fault}");
}

#[test]
fn places_that_are_none_are_refused() {
    let mut desk = house();
    for (arguments, field) in [
        (json!({}), "bounds"),
        (json!({ "categories": ["walls"] }), "bounds"),
        (json!({ "bounds": { "min": [0, 0, 0], "max": [0, 10, 10] } }), "bounds"),
        (json!({ "bounds": { "polygon": [[0, 0], [1, 1]] } }), "bounds"),
        (json!({ "bounds": { "polygon": [[0, 0], [9, 0], [9, 9]], "height": 3000 } }), "bounds.base"),
        (json!({ "near": { "to": "Wall 1", "distance": -1 } }), "near.distance"),
        (json!({ "near": { "to": "Wall 1", "distance": 1 }, "mode": "inside" }), "mode"),
        (json!({ "room_id": "Nowhere" }), "room_id"),
        (json!({ "level_id": "Nowhere" }), "level_id"),
        (json!({ "visible_from": { "point": [1, 2] } }), "visible_from.point"),
        (json!({ "ray": { "origin": [0, 0, 0], "direction": [0, 0, 0] } }), "ray.direction"),
    ] {
        let fault = desk.refuse("spatial_query", arguments.clone());
        assert_eq!(fault.data["field"], field, "{arguments}: {fault}");
    }
}

#[test]
fn a_wall_is_bounded_by_the_slab_under_it_and_the_walls_at_its_ends() {
    let mut desk = house();
    let answer = desk.call("bounding_analysis", json!({ "element_id": "Wall 1" }));
    let found = answer["bounding_elements"].as_array().unwrap();
    assert!(!found.is_empty(), "{answer}");
    let sides: Vec<String> = found.iter().map(|one| text(&one["side"])).collect();
    assert!(sides.iter().any(|s| s == "bottom" || s == "top"), "{answer}");
    assert!(answer["sides"].as_array().unwrap().len() >= 6, "{answer}");
    desk.refuse("bounding_analysis", json!({ "element_id": "Nothing" }));
    desk.refuse("bounding_analysis", json!({ "element_id": "Wall 1", "gap": 9999 }));
}

/// The ground floor in two rooms with a door between them, and a door out of the one to the left.
fn rooms() -> Desk {
    let mut desk = house();
    desk.call(
        "create_rooms",
        json!({
            "level_id": "Ground Floor",
            "rooms": [
                { "name": "Left", "boundary": [[300, 300], [5000, 300], [5000, 7700], [300, 7700]] },
                { "name": "Right", "boundary": [[5000, 300], [9700, 300], [9700, 7700], [5000, 7700]] }
            ],
            "connect": [["Left", "Right"]]
        }),
    );
    let left = desk.call(
        "spatial_query",
        json!({ "facade": "west", "categories": ["walls"], "level_id": "Ground Floor" }),
    );
    desk.call(
        "create_opening",
        json!({
            "host_id": left["element_ids"][0], "location": { "at": "center" }, "width": 1000, "height": 2100,
            "opening_type": "door"
        }),
    );
    desk
}

#[test]
fn what_is_found_by_place_is_narrowed_by_room_selector_and_category_and_comes_in_pages() {
    let mut desk = rooms();
    let count = |desk: &mut Desk, arguments: Value| {
        let answer = desk.call("spatial_query", arguments);
        answer["total"].as_u64().unwrap()
    };
    let storey = count(&mut desk, json!({ "level_id": "Ground Floor" }));
    let walls = count(&mut desk, json!({ "level_id": "Ground Floor", "categories": ["walls"] }));
    let doors = count(&mut desk, json!({ "level_id": "Ground Floor", "selector": "IfcDoor" }));
    assert_eq!((walls, doors), (5, 2), "of {storey}");
    assert!(storey >= walls + doors);
    let upper = count(&mut desk, json!({ "level_id": "Upper Floor", "categories": ["walls"] }));
    assert_eq!(upper, 4);
    // a bed in one of the two rooms
    desk.call("create_furniture", json!({ "kind": "bed", "room": "Left", "wall": "north" }));
    let beds = |room: &str| json!({ "room_id": room, "categories": ["IfcFurnishingElement"] });
    assert_eq!((count(&mut desk, beds("Left")), count(&mut desk, beds("Right"))), (1, 0));
    let (mut seen, mut cursor) = (Vec::new(), json!(null));
    loop {
        let page = desk.call(
            "spatial_query",
            json!({ "level_id": "Ground Floor", "categories": ["walls"], "limit": 2, "cursor": cursor }),
        );
        let ids = page["element_ids"].as_array().unwrap();
        assert!((1..=2).contains(&ids.len()), "{page}");
        seen.extend(ids.iter().map(text));
        cursor = page["next_cursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 5);
    let first = desk.call("room_analysis", json!({ "room_id": "Ground Floor", "limit": 1 }));
    assert_eq!(first["rooms"].as_array().map(Vec::len), Some(1), "{first}");
    assert!(first["next_cursor"].is_string(), "{first}");
}

#[test]
fn faces_that_a_gap_parts_are_in_contact_where_it_is_allowed() {
    let mut desk = house();
    for (name, y) in [("Near", 0), ("Far", 208)] {
        desk.call(
            "create_wall",
            json!({ "start": [20_000, y], "end": [25_000, y], "height": 3000, "thickness": 200, "name": name,
                    "level_id": "Ground Floor" }),
        );
    }
    let contact = json!({ "from": "Near", "to": "Far", "kind": "contact" });
    let apart = desk.call("measure", contact.clone());
    assert!(apart["area"].as_f64().unwrap_or(0.0) < 1e-6, "{apart}");
    let mut wide = contact;
    wide["gap"] = json!(10);
    let beside = desk.call("measure", wide);
    assert!((beside["area"].as_f64().unwrap() - 15.0).abs() < 1e-3, "{beside}");
}

#[test]
fn the_way_out_of_a_room_goes_through_its_doors() {
    let mut desk = rooms();
    let way = desk.call("path_finding", json!({ "from_room": "Right", "to_room": "outside" }));
    assert_eq!(way["found"], true, "{way}");
    assert_eq!(way["doors"].as_array().map(Vec::len), Some(2), "{way}");
    let path = way["path"].as_array().unwrap();
    let sum: f64 = path
        .windows(2)
        .map(|p| {
            (0..3)
                .map(|i| (p[1][i].as_f64().unwrap() - p[0][i].as_f64().unwrap()).powi(2))
                .sum::<f64>()
                .sqrt()
        })
        .sum();
    assert!((sum - way["distance"].as_f64().unwrap()).abs() < 1.0, "{sum}: {way}");
    assert!(way["narrowest"]["width"].as_f64().unwrap() <= 920.0 + 1.0, "{way}");
    let back = desk.call("path_finding", json!({ "from_room": "outside", "to_room": "Right" }));
    assert!(near(&back["distance"], way["distance"].as_f64().unwrap()), "{back}");
    let exits = desk.call("circulation_check", json!({ "start": "Right", "end": "outside" }));
    assert_eq!(exits["exits"].as_array().map(Vec::len), Some(1), "{exits}");
    assert_eq!(exits["exits"][0]["distance"], way["distance"]);
}

#[test]
fn every_room_is_reached_from_outside_in_one_call_unless_a_door_is_shut() {
    let mut desk = rooms();
    let all = desk.call("circulation_check", json!({ "start": "outside", "end": "rooms" }));
    let reached: Vec<String> = all["rooms"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|room| room["distance"].is_number())
        .map(|room| text(&room["name"]))
        .collect();
    assert!(reached.contains(&"Left".to_owned()) && reached.contains(&"Right".to_owned()), "{all}");
    let way = desk.call("path_finding", json!({ "from_room": "Right", "to_room": "outside" }));
    let inner = way["doors"][0]["id"].clone();
    let shut = desk
        .call("circulation_check", json!({ "start": "outside", "end": "Right", "closed_doors": [inner] }));
    assert_eq!(shut["reachable"], false, "{shut}");
    assert_eq!(shut["obstacles"][0]["kind"], "closed_door", "{shut}");
    assert_eq!(shut["obstacles"][0]["elements"][0]["id"], way["doors"][0]["id"]);
    let inner = way["doors"][0]["id"].clone();
    let shut = desk
        .call("path_finding", json!({ "from_room": "Right", "to_room": "outside", "closed_doors": [inner] }));
    assert_eq!((&shut["found"], &shut["obstacles"][0]["kind"]), (&json!(false), &json!("closed_door")));
}

#[test]
fn the_farthest_place_of_a_hall_with_two_exits_is_in_its_middle() {
    let mut desk = Desk::new("IFC4");
    desk.call(
        "create_building_shell",
        json!({
            "footprint": [[0, 0], [20000, 0], [20000, 4000], [0, 4000]], "storeys": 1, "wall_thickness": 300,
            "names": { "walls": "Wall {n}" }, "spaces": true
        }),
    );
    for side in ["west", "east"] {
        let wall = desk.call("spatial_query", json!({ "facade": side, "categories": ["walls"] }));
        desk.call(
            "create_opening",
            json!({ "host_id": wall["element_ids"][0], "location": { "at": "center" }, "width": 1000,
                    "height": 2100, "opening_type": "door" }),
        );
    }
    let all = desk.call("circulation_check", json!({ "start": "outside", "end": "rooms" }));
    let place = &all["rooms"][0]["farthest"];
    let (far, at) = (place["distance"].as_f64().unwrap(), &place["at"]);
    // half way between both doors, in a corner of what a person's middle reaches
    assert!((at[0].as_f64().unwrap() - 10_000.0).abs() < 100.0, "{place}");
    let way = desk.call("path_finding", json!({ "from_room": [10000, 600, 0], "to_room": "outside" }));
    let exact = way["distance"].as_f64().unwrap();
    assert!(far <= exact + 0.1 && far > exact - 90.0, "{place} beside {exact}");
    for x in [700, 4000, 9500, 10_500, 15_000] {
        for y in [650, 2000, 3300] {
            let way = desk.call("path_finding", json!({ "from_room": [x, y, 0], "to_room": "outside" }));
            assert!(way["distance"].as_f64().unwrap() <= far + 90.0, "{x} {y}: {way} beside {place}");
        }
    }
    // from one place alone the middle of a person gets farthest into a doorway, farther than into a corner
    let from = json!({ "start": [10000, 2000, 0], "end": "rooms" });
    let place = desk.call("circulation_check", from)["rooms"][0]["farthest"].clone();
    let corner = (10_000.0_f64 - 600.0).hypot(1400.0);
    let (far, doorway) = (place["distance"].as_f64().unwrap(), place["at"][0].as_f64().unwrap());
    assert!(far > corner && (9700.0..9710.0).contains(&far), "{place} beside {corner}");
    assert!((doorway - 300.0).abs() < 1.0 || (doorway - 19_700.0).abs() < 1.0, "{place}");
}

#[test]
fn sums_over_rooms_are_those_of_its_rooms_by_storey_and_what_is_painted_is_without_openings() {
    let mut desk = rooms();
    let one = |desk: &mut Desk, room: &str| desk.call("room_analysis", json!({ "room_id": room }));
    let (left, right) = (one(&mut desk, "Left"), one(&mut desk, "Right"));
    assert!(left.get("totals").is_none(), "{left}");
    // four walls of each room 3 m high less its doors: the inner one on both sides, that to the outside on one
    let inner = left["doors"].as_array().unwrap().iter().find(|door| door["to"][0] == right["id"]).unwrap();
    let inner = inner["width"].as_f64().unwrap() * inner["height"].as_f64().unwrap() / 1e6;
    let walls =
        |room: &Value| room["perimeter"].as_f64().unwrap() * room["height"]["mean"].as_f64().unwrap() / 1e6;
    assert!((right["net_wall_area"].as_f64().unwrap() - (walls(&right) - inner)).abs() < 0.01, "{right}");
    assert!((left["net_wall_area"].as_f64().unwrap() - (walls(&left) - inner - 2.1)).abs() < 0.01, "{left}");
    let both = desk.call("room_analysis", json!({ "room_id": ["Left", "Right"], "limit": 1 }));
    let totals = both["totals"].as_array().unwrap();
    assert_eq!(
        (totals.len(), &totals[0]["storey"], &totals[0]["rooms"]),
        (1, &json!("Ground Floor"), &json!(2))
    );
    for measure in ["area", "gross_area", "volume", "net_wall_area", "ceiling_area"] {
        let sum = left[measure].as_f64().unwrap() + right[measure].as_f64().unwrap();
        assert!((totals[0][measure].as_f64().unwrap() - sum).abs() < 0.002, "{measure}: {both}");
    }
    // each room has three sides outside, 4.65, 7.4 and 4.65 m long and 2.8 m high
    assert!((totals[0]["facade"].as_f64().unwrap() - 2.0 * (7.4 + 2.0 * 4.65) * 2.8).abs() < 0.01, "{both}");
    let next = desk.call("room_analysis", json!({ "room_id": ["Left", "Right"], "limit": 1, "cursor": "1" }));
    assert!(next.get("totals").is_none(), "told once: {next}");
}

#[test]
fn what_is_too_wide_for_a_door_is_told_which_and_by_how_much() {
    let mut desk = rooms();
    let way =
        desk.call("path_finding", json!({ "from_room": "Right", "to_room": "Left", "clearance": 2000 }));
    assert_eq!(way["found"], false, "{way}");
    let narrow = &way["obstacles"][0];
    assert_eq!(
        (narrow["kind"].clone(), narrow["required"].clone()),
        (json!("narrow_door"), json!(2000)),
        "{way}"
    );
    assert!(narrow["measured"].as_f64().unwrap() < 1000.0, "{way}");
    // wider than the whole house
    let way =
        desk.call("path_finding", json!({ "from_room": "Right", "to_room": "Left", "clearance": 9900 }));
    assert_eq!(way["found"], false);
    assert!(way["obstacles"].as_array().unwrap().iter().any(|o| o["kind"] == "no_room"), "{way}");
    let chair =
        desk.call("path_finding", json!({ "from_room": "Right", "to_room": "Left", "by": "wheelchair" }));
    assert_eq!(chair["turning"].as_array().map(Vec::len), Some(2), "{chair}");
    assert_eq!(chair["turning"][0]["enough"], true, "{chair}");
}

#[test]
fn a_stair_leads_up_on_foot_and_not_by_wheelchair() {
    let mut desk = house();
    let stair = desk.call(
        "create_stair",
        json!({ "level_id": "Ground Floor", "start": [2000, 2000], "direction": 0, "shape": "straight" }),
    );
    let goal = json!([9000, 7000, 3000]);
    let way = desk.call("path_finding", json!({ "from_room": [1000, 2500, 0], "to_room": goal }));
    assert_eq!(way["found"], true, "{stair} {way}");
    assert_eq!(way["stairs"].as_array().map(Vec::len), Some(1), "{way}");
    assert!(near(&way["stairs"][0]["rise"], 3000.0), "{way}");
    assert_eq!(way["stairs"][0]["risers"], stair["risers"], "{way}");
    let chair = desk
        .call("path_finding", json!({ "from_room": [1000, 2500, 0], "to_room": goal, "by": "wheelchair" }));
    assert_eq!(chair["found"], false, "{chair}");
    assert!(chair["obstacles"].as_array().unwrap().iter().any(|o| o["kind"] == "stair"), "{chair}");
}

#[test]
fn ways_in_models_without_floors_doors_or_rooms_are_refused_with_a_reason() {
    let mut desk = Desk::new("IFC4");
    let fault = desk.refuse("path_finding", json!({ "from_room": [0, 0, 0], "to_room": [1, 1, 0] }));
    assert!(fault.message.contains("nothing to walk on"), "{fault}");
    let mut desk = house();
    let fault = desk.refuse("path_finding", json!({ "from_room": [5000, 4000, 0], "to_room": "outside" }));
    assert!(fault.message.contains("No door of this model leads outside"), "{fault}");
    let fault = desk.refuse("path_finding", json!({ "from_room": [5000, 4000, 0], "to_room": "Nowhere" }));
    assert_eq!(fault.data["field"], "to_room", "{fault}");
    let fault =
        desk.refuse("path_finding", json!({ "from_room": [100, 4000, 0], "to_room": [5000, 4000, 0] }));
    assert!(fault.message.contains("lies in Wall"), "{fault}");
    let fault = desk.refuse("circulation_check", json!({ "start": "rooms", "end": [5000, 4000, 0] }));
    assert_eq!(fault.data["field"], "start", "{fault}");
    let fault = desk.refuse(
        "path_finding",
        json!({ "from_room": [5000, 4000, 0], "to_room": [5000, 5000, 0], "clearance": 0 }),
    );
    assert_eq!(fault.data["field"], "clearance", "{fault}");
}

#[test]
fn in_the_duplex_every_room_is_reached_and_the_stairs_are_climbed() {
    let Some(mut desk) = Desk::open("Duplex_A_20110907.ifc") else { return };
    let all = desk.call("circulation_check", json!({ "start": "outside", "end": "rooms" }));
    let rooms = all["rooms"].as_array().unwrap();
    let cut_off: Vec<String> =
        rooms.iter().filter(|r| r["distance"].is_null()).map(|r| text(&r["name"])).collect();
    assert!(cut_off.iter().all(|name| name.contains("Roof")), "{cut_off:?}");
    let way = desk.call("path_finding", json!({ "from_room": "A203", "to_room": "outside" }));
    assert_eq!(way["stairs"].as_array().map(Vec::len), Some(1), "{way}");
    assert!(near(&way["stairs"][0]["rise"], -3100.0), "{way}");
    let bounds = desk.call("bounding_analysis", json!({ "element_id": "A203 Bedroom 2" }));
    assert_eq!(bounds["element"]["name"], "A203", "{bounds}");
}
