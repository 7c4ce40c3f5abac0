//! Rooms laid out with wishes: which have a door to which, which need an outer wall, how wide they are; and what is said where that
//! cannot be.

use crate::desk::Desk;
use contract::FaultCode;
use serde_json::{Value, json};
use std::collections::BTreeSet;

const SCHEMAS: [&str; 3] = ["IFC2X3", "IFC4", "IFC4X3"];

/// A storey with outer walls over an outline; its name.
fn shell(schema: &str, footprint: &Value) -> (Desk, String) {
    let mut desk = Desk::new(schema);
    let shell = json!({ "footprint": footprint, "storeys": 1, "wall_thickness": 300, "roof": "none" });
    let made = desk.call("create_building_shell", shell);
    (desk, made["storeys"][0]["name"].as_str().unwrap().to_owned())
}

fn flat(level: &str) -> Value {
    json!({
        "level_id": level,
        "rooms": [
            { "name": "living_room", "area": 28, "outer_wall": true, "min_width": 3000 },
            { "name": "kitchen", "area": 12 },
            { "name": "bedroom_1", "area": 14, "outer_wall": true, "max_ratio": 2 },
            { "name": "bedroom_2", "area": 12, "outer_wall": true },
            { "name": "bathroom", "area": 7, "door_width": 800 },
            { "name": "hallway", "area": 9 }
        ],
        "connect": [
            ["bedroom_1", "hallway"], ["bedroom_2", "hallway"], ["bathroom", "hallway"], ["living_room", "hallway"],
            ["kitchen", "living_room"]
        ],
        "wet_together": true
    })
}

fn pairs(answer: &Value) -> BTreeSet<[String; 2]> {
    let doors = answer["doors"].as_array().unwrap();
    let pair = |door: &Value| {
        let mut pair = [0, 1].map(|i| door["rooms"][i].as_str().unwrap().to_owned());
        pair.sort();
        pair
    };
    doors.iter().map(pair).collect()
}

/// Bedrooms and bathrooms have one door, however the rooms lie.
fn is_private(name: &str) -> bool {
    name.starts_with("bed") || name.starts_with("bath")
}

#[test]
fn a_flat_meets_all_its_wishes_in_a_rectangle_an_l_and_a_slanted_house() {
    let outlines = [
        json!([[0, 0], [11600, 0], [11600, 8600], [0, 8600]]),
        json!([[0, 0], [13000, 0], [13000, 6000], [7000, 6000], [7000, 11000], [0, 11000]]),
        json!([[0, 0], [12000, 1500], [11000, 10000], [-500, 8500]]),
    ];
    for (schema, outline) in SCHEMAS.iter().zip(&outlines) {
        let (mut desk, level) = shell(schema, outline);
        let made = desk.call("create_rooms", flat(&level));
        assert!(made.get("unmet").is_none(), "{outline}: {}", made["unmet"]);
        assert_eq!(made["sound"], json!(true), "{outline}");
        let doors = pairs(&made);
        for [a, b] in [
            ["bedroom_1", "hallway"],
            ["bedroom_2", "hallway"],
            ["bathroom", "hallway"],
            ["hallway", "living_room"],
            ["kitchen", "living_room"],
        ] {
            assert!(doors.contains(&[a.to_owned(), b.to_owned()]), "{outline}: {a} to {b} of {doors:?}");
        }
        assert_eq!(doors.len(), 5, "no door is there that nobody needs: {doors:?}");
        for private in ["bedroom_1", "bedroom_2", "bathroom"] {
            assert_eq!(doors.iter().filter(|pair| pair.contains(&private.to_owned())).count(), 1);
        }
        assert_eq!(desk.found("IfcDoor"), 5, "connect sets doors");
        assert_eq!(desk.found("IfcDoor, OverallWidth=0.8"), 1, "{schema}");
        let total: f64 = made["rooms"].as_array().unwrap().iter().map(|r| r["area"].as_f64().unwrap()).sum();
        for room in made["rooms"].as_array().unwrap() {
            let (is, asked) = (room["area"].as_f64().unwrap(), room["area_asked"].as_f64().unwrap());
            let share = is / total * 82.0 / asked;
            assert!((0.85..1.15).contains(&share), "{outline}: {} has {is} for {asked}", room["name"]);
        }
        desk.clean();
        desk.keep(&format!("flat-{schema}"));
    }
}

#[test]
fn a_hallway_is_added_where_bedrooms_could_not_be_reached_otherwise() {
    let (mut desk, level) = shell("IFC4", &json!([[0, 0], [11600, 0], [11600, 8600], [0, 8600]]));
    let names = ["bedroom_1", "bedroom_2", "bedroom_3", "bedroom_4", "bathroom_1", "bathroom_2"];
    let rooms: Vec<Value> =
        names.iter().map(|n| json!({ "name": n, "area": 12, "outer_wall": n.starts_with("bed") })).collect();
    let made = desk.call("create_rooms", json!({ "level_id": level, "rooms": rooms, "doors": true }));
    assert!(made.get("unmet").is_none(), "{}", made["unmet"]);
    assert_eq!(made["rooms"].as_array().unwrap().len(), 7, "{made}");
    for [a, b] in pairs(&made) {
        assert!(!(is_private(&a) && is_private(&b)), "a door leads through a private room: {a}, {b}");
    }
    desk.clean();
}

#[test]
fn what_cannot_be_met_is_said_and_the_rest_is_made() {
    let (mut desk, level) = shell("IFC4", &json!([[0, 0], [8600, 0], [8600, 6600], [0, 6600]]));
    let made = desk.call(
        "create_rooms",
        json!({
            "level_id": level, "doors": true,
            "rooms": [
                { "name": "A", "area": 20, "min_width": 7000 }, { "name": "B", "area": 20, "max_ratio": 1 },
                { "name": "C", "area": 8 }
            ]
        }),
    );
    let unmet = made["unmet"].as_array().unwrap_or_else(|| panic!("{made}"));
    assert!(unmet.iter().any(|u| u["wish"] == "min_width" && u["rooms"] == json!(["A"])), "{unmet:?}");
    assert!(unmet.iter().all(|u| u["say"].as_str().unwrap().len() > 10));
    assert!(desk.count("IfcSpace") >= 3 && desk.count("IfcDoor") >= 2);
    desk.clean();
}

#[test]
fn rooms_drawn_by_hand_are_joined_by_doors_as_wished_and_never_through_a_bedroom_unasked() {
    let (mut desk, level) = shell("IFC4", &json!([[0, 0], [9600, 0], [9600, 4600], [0, 4600]]));
    // three in a row: the bath lies behind the bedroom
    let boundary = |from: i32, to: i32| json!([[from, 300], [to, 300], [to, 4300], [from, 4300]]);
    let rooms = json!([
        { "name": "living", "boundary": boundary(300, 3300) }, { "name": "bedroom", "boundary": boundary(3300, 6300) },
        { "name": "bath", "boundary": boundary(6300, 9300), "outer_wall": true }
    ]);
    let mut other = Desk::new("IFC4");
    other.model = desk.model.clone();
    let made = desk.call("create_rooms", json!({ "level_id": level, "rooms": rooms, "doors": true }));
    assert_eq!(made["unmet"][0]["wish"], "access", "{made}");
    assert_eq!(made["unmet"][0]["rooms"], json!(["bath", "bedroom"]));
    // asked for, it is as it should be; what shares no wall is not
    let connect = json!([["bath", "bedroom"], ["living", "Bath"]]);
    let made = other.call("create_rooms", json!({ "level_id": level, "rooms": rooms, "connect": connect }));
    let unmet = made["unmet"].as_array().unwrap();
    assert_eq!((unmet.len(), unmet[0]["wish"].clone()), (1, json!("connect")), "{unmet:?}");
    assert_eq!(pairs(&made).len(), 2);
}

#[test]
fn wishes_that_make_no_sense_are_refused_with_their_field() {
    let (mut desk, level) = shell("IFC4", &json!([[0, 0], [8600, 0], [8600, 6600], [0, 6600]]));
    let room = |extra: Value| {
        let mut room = json!({ "name": "A", "area": 20 });
        room.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        json!({ "level_id": level, "rooms": [room, { "name": "B", "area": 10 }] })
    };
    let all = |extra: Value| {
        let mut call = room(json!({}));
        call.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        call
    };
    let cases = [
        (room(json!({ "min_width": -1 })), "rooms[0].min_width"),
        (room(json!({ "min_width": 1e300 })), "rooms[0].min_width"),
        (room(json!({ "max_ratio": 0.5 })), "rooms[0].max_ratio"),
        (room(json!({ "door_width": 0 })), "rooms[0].door_width"),
        (all(json!({ "door_width": -900 })), "door_width"),
        (all(json!({ "connect": [["A", "Z"]] })), "connect[0]"),
        (all(json!({ "connect": [["A", "B"], ["A", "A"]] })), "connect[1]"),
    ];
    for (arguments, field) in cases {
        let fault = desk.refuse("create_rooms", arguments.clone());
        assert_eq!(
            (fault.code, fault.data["field"].clone()),
            (FaultCode::InvalidParams, json!(field)),
            "{arguments}"
        );
    }
    let whole = json!({ "level_id": level, "wet_together": true,
        "rooms": [{ "name": "kitchen", "area": 40 }, { "name": "bathroom", "area": 40 }] });
    let fault = desk.refuse("create_rooms", whole);
    assert_eq!(fault.code, FaultCode::ConstraintViolation, "{fault}");
}

#[test]
fn rooms_lie_within_a_curtain_wall_and_beside_a_core_without_a_second_wall_on_it() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        let (far_x, far_y) = (20_075, 12_075);
        desk.call(
            "create_curtain_wall",
            json!({
                "level_id": "Ground Floor", "height": 3000,
                "points": [[0, 0], [20_150, 0], [20_150, 12_150], [0, 12_150], [0, 0]],
                "doors": [{ "along": 3000 }]
            }),
        );
        desk.call(
            "create_wall",
            json!({
                "level_id": "Ground Floor", "start": [8000, 4000], "via": [[12000, 4000], [12000, 8000], [8000, 8000]],
                "end": [8000, 4000], "thickness": 200
            }),
        );
        let made = desk.call(
            "create_rooms",
            json!({
                "level_id": "Ground Floor", "partition_thickness": 100,
                "rooms": [
                    { "name": "West", "boundary": [[75, 75], [8000, 75], [8000, far_y], [75, far_y]] },
                    { "name": "East", "boundary": [[12000, 75], [far_x, 75], [far_x, far_y], [12000, far_y]] },
                    { "name": "South", "boundary": [[8000, 75], [12000, 75], [12000, 4000], [8000, 4000]] },
                    { "name": "North", "boundary": [[8000, 8000], [12000, 8000], [12000, far_y], [8000, far_y]] }
                ],
                "connect": [["South", "West"], ["South", "East"], ["North", "East"]]
            }),
        );
        // from the core to the glass, four times; along the core there is a wall already
        let lengths: Vec<f64> =
            made["partitions"].as_array().unwrap().iter().map(|p| p["length"].as_f64().unwrap()).collect();
        assert_eq!(lengths.len(), 4, "{schema}: {made}");
        assert!(lengths.iter().all(|length| (3800.0..=4000.0).contains(length)), "{schema}: {lengths:?}");
        assert!(made.get("unmet").is_none(), "{schema}: {made}");
        let area = |name: &str| {
            let rooms = made["rooms"].as_array().unwrap();
            rooms.iter().find(|room| room["name"] == name).unwrap()["area"].as_f64().unwrap()
        };
        // 12 m deep to the faces of the glass; the core's face stands out 50 mm before those of the partitions
        assert!((area("West") - (7.875 * 12.0 - 0.05 * 4.2)).abs() < 1e-6, "{schema}: {}", area("West"));
        assert!((area("South") - 3.9 * 3.825).abs() < 1e-6, "{schema}: {}", area("South"));
        let clashes = json!({ "source_category": "IfcWall", "target_category": "IfcWall", "tolerance": 2 });
        assert_eq!(desk.call("clash_detection", clashes)["total"], 0, "{schema}");
        desk.clean();
    }
}
