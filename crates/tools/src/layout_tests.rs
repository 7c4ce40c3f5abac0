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

/// Rooms of a lower and an upper storey as a family wishes them.
fn family(levels: &[String]) -> Value {
    let upper = |level: &String| {
        json!({
            "level_id": level,
            "rooms": [
                { "name": "bedroom_1", "area": 16, "outer_wall": true, "max_ratio": 3 },
                { "name": "bedroom_2", "area": 13, "outer_wall": true }, { "name": "bedroom_3", "area": 13, "outer_wall": true },
                { "name": "bathroom", "area": 8 }, { "name": "hallway", "area": 10 }
            ],
            "connect": [["bedroom_1", "hallway"], ["bathroom", "hallway"]]
        })
    };
    json!({
        "level_id": levels[0],
        "rooms": [
            { "name": "living_room", "area": 30, "outer_wall": true }, { "name": "kitchen", "area": 12, "outer_wall": true },
            { "name": "wc", "area": 4 }, { "name": "hall", "area": 11 }
        ],
        "connect": [["living_room", "hall"], ["wc", "hall"]],
        "storeys": levels[1..].iter().map(upper).collect::<Vec<_>>()
    })
}

/// Storeys with outer walls and floors over an outline; their names.
fn house(schema: &str, footprint: &Value, storeys: u32) -> (Desk, Vec<String>) {
    let mut desk = Desk::new(schema);
    let shell = json!({ "footprint": footprint, "storeys": storeys, "wall_thickness": 300 });
    let made = desk.call("create_building_shell", shell);
    let levels =
        made["storeys"].as_array().unwrap().iter().map(|level| level["name"].as_str().unwrap().to_owned());
    (desk, levels.collect())
}

/// Asserts that every room of a storey is reached from the stair by doors that lead through no bedroom or bathroom, and that a
/// hallway has a door to the stair.
fn is_reached(storey: &Value, stair: &str, told: &str) {
    let names: BTreeSet<String> = storey["rooms"]
        .as_array()
        .unwrap()
        .iter()
        .map(|room| room["name"].as_str().unwrap().to_owned())
        .collect();
    let doors = pairs(storey);
    let private = |name: &str| is_private(name) || name == "wc";
    let mut reached = vec![stair.to_owned()];
    let mut at = 0;
    while let Some(from) = reached.get(at).cloned() {
        at += 1;
        if private(&from) {
            continue;
        }
        for [a, b] in &doors {
            for (here, there) in [(a, b), (b, a)] {
                if *here == from && !reached.contains(there) {
                    reached.push(there.clone());
                }
            }
        }
    }
    let reached: BTreeSet<String> = reached.into_iter().collect();
    assert_eq!(reached, names, "{told}: {doors:?}");
    let leads = |[a, b]: &[String; 2]| {
        [(a, b), (b, a)].iter().any(|(a, b)| *a == stair && (b.starts_with("hall") || *b == "corridor"))
    };
    assert!(doors.iter().any(leads), "{told}: no hallway leads to the stair: {doors:?}");
}

#[test]
fn rooms_of_several_storeys_lie_around_one_stair_in_any_outline() {
    let outlines = [
        ("rectangle", json!([[0, 0], [13000, 0], [13000, 9000], [0, 9000]])),
        ("l", json!([[0, 0], [14000, 0], [14000, 7000], [8000, 7000], [8000, 12000], [0, 12000]])),
        (
            "u",
            json!([
                [0, 0],
                [16000, 0],
                [16000, 11000],
                [11000, 11000],
                [11000, 6500],
                [5000, 6500],
                [5000, 11000],
                [0, 11000]
            ]),
        ),
        (
            "t",
            json!([
                [0, 0],
                [16000, 0],
                [16000, 6500],
                [11000, 6500],
                [11000, 12000],
                [5000, 12000],
                [5000, 6500],
                [0, 6500]
            ]),
        ),
        ("slanted", json!([[0, 0], [14000, 1500], [13000, 11500], [-1000, 10000]])),
    ];
    for (i, (shape, outline)) in outlines.iter().enumerate() {
        let schema = SCHEMAS[i % 3];
        let (mut desk, levels) = house(schema, outline, if i == 0 { 3 } else { 2 });
        let made = desk.call("create_rooms", family(&levels));
        let above = made["storeys"].as_array().unwrap();
        assert_eq!(above.len(), levels.len() - 1);
        let room = |storey: &Value| {
            let rooms = storey["rooms"].as_array().unwrap();
            rooms.iter().find(|room| room["name"] == "Stair").unwrap()["boundary_points"].clone()
        };
        for storey in std::iter::once(&made).chain(above) {
            assert!(storey.get("unmet").is_none(), "{shape}: {}", storey["unmet"]);
            is_reached(storey, "Stair", shape);
            // the stair's room is in the same place on every storey; at a slanted wall partitions end by what they meet there
            let outlines = [room(storey), room(&made)].map(|points| {
                let points: Vec<[f64; 2]> = serde_json::from_value(points).unwrap();
                points.into_iter().map(glam::DVec2::from).collect::<Vec<_>>()
            });
            let common = building::regions::intersection(&outlines[..1], &outlines[1..]);
            let common: f64 = common.iter().map(|region| building::polygon::area(&region.outer)).sum();
            let least = if *shape == "slanted" { 0.97 } else { 0.999_999 };
            for outline in &outlines {
                assert!(common > building::polygon::area(outline) * least, "{shape}: {outlines:?}");
            }
        }
        assert_eq!(desk.found("IfcStair"), levels.len() - 1, "{shape}");
        assert_eq!(desk.count("IfcSpace"), 5 + 6 * (levels.len() - 1), "{shape}");
        assert_eq!(made["sound"], json!(true), "{shape}");
        desk.clean();
        desk.keep(&format!("storeys-{shape}-{schema}"));
    }
}

#[test]
fn storeys_around_a_stair_that_cannot_be_are_refused_and_what_is_missed_is_told() {
    let (mut desk, levels) = house("IFC4", &json!([[0, 0], [13000, 0], [13000, 9000], [0, 9000]]), 3);
    let refuse = |desk: &mut Desk, change: &dyn Fn(&mut Value), field: &str, words: &str| {
        let mut asked = family(&levels);
        change(&mut asked);
        let fault = desk.refuse("create_rooms", asked);
        assert_eq!(fault.data["field"], field, "{fault}");
        assert!(fault.message.contains(words), "{fault}");
    };
    refuse(
        &mut desk,
        &|asked| asked["storeys"] = json!([asked["storeys"][1].clone()]),
        "storeys[0].level_id",
        "comes to",
    );
    refuse(
        &mut desk,
        &|asked| asked["storeys"][0]["rooms"][2]["area"] = json!(500),
        "storeys[0].rooms",
        "beside the stair",
    );
    refuse(
        &mut desk,
        &|asked| asked["storeys"][0]["rooms"][2]["min_width"] = json!(-5),
        "storeys[0].rooms[2].min_width",
        "positive",
    );
    refuse(&mut desk, &|asked| asked["rooms"][0]["name"] = json!("stair"), "rooms[0].name", "stair.name");
    refuse(&mut desk, &|asked| asked["stair"] = json!({ "width": 20_000 }), "stair.width", "width");
    refuse(&mut desk, &|asked| asked["stair"] = json!({ "width": 6_000 }), "stair", "fit into no corner");
    refuse(
        &mut desk,
        &|asked| asked["storeys"][1]["connect"] = json!([["bathroom", "cellar"]]),
        "storeys[1].connect[0]",
        "cellar",
    );
    let drawn = json!([{ "name": "A", "boundary": [[300, 300], [4000, 300], [4000, 4000], [300, 4000]] }]);
    refuse(&mut desk, &|asked| asked["rooms"] = drawn.clone(), "rooms[0]", "one storey");
    refuse(
        &mut desk,
        &|asked| {
            asked["storeys"] = json!([]);
            asked["stair"] = json!({});
        },
        "stair",
        "several storeys",
    );
    assert_eq!((desk.count("IfcSpace"), desk.count("IfcStair")), (0, 0));
    // what no layout can meet is told by storey, and all rooms are reached all the same
    let mut asked = family(&levels);
    asked["storeys"][1]["rooms"][0]["min_width"] = json!(9000);
    let made = desk.call("create_rooms", asked);
    assert!(
        made["storeys"][1]["unmet"].as_array().unwrap().iter().any(|u| u["wish"] == "min_width"),
        "{made}"
    );
    for storey in std::iter::once(&made).chain(made["storeys"].as_array().unwrap()) {
        is_reached(storey, "Stair", "missed");
    }
    desk.clean();
}

#[test]
fn a_hallway_is_added_on_storeys_around_a_stair_where_none_is_asked_for() {
    for schema in SCHEMAS {
        let (mut desk, levels) = house(schema, &json!([[0, 0], [13000, 0], [13000, 9000], [0, 9000]]), 2);
        let made = desk.call(
            "create_rooms",
            json!({
                "level_id": levels[0], "stair": { "name": "Core", "width": 900 },
                "rooms": [{ "name": "office_1", "area": 25 }, { "name": "office_2", "area": 25 }],
                "storeys": [{ "level_id": levels[1], "rooms": [
                    { "name": "bedroom_1", "area": 18 }, { "name": "bedroom_2", "area": 18 }, { "name": "bath", "area": 9 }
                ] }]
            }),
        );
        for storey in [&made, &made["storeys"][0]] {
            assert!(storey.get("unmet").is_none(), "{schema}: {}", storey["unmet"]);
            is_reached(storey, "Core", schema);
        }
        assert_eq!(made["stair"]["width"], json!(900.0));
        assert_eq!(made["sound"], json!(true), "{schema}");
        desk.clean();
    }
}

#[test]
fn a_stair_between_two_storeys_is_of_the_shape_asked_for_and_has_railings() {
    for (schema, shape) in SCHEMAS.into_iter().zip(["straight", "l", "u"]) {
        let (mut desk, levels) = house(schema, &json!([[0, 0], [15000, 0], [15000, 10000], [0, 10000]]), 2);
        let mut asked = family(&levels);
        asked["stair"] = json!({ "shape": shape });
        let made = desk.call("create_rooms", asked);
        assert_eq!(made["stair"]["shape"], shape, "{made}");
        for storey in [&made, &made["storeys"][0]] {
            assert!(storey.get("unmet").is_none(), "{shape}: {}", storey["unmet"]);
            is_reached(storey, "Stair", shape);
        }
        assert_eq!(made["sound"], json!(true), "{shape}: {}", made["sound"]);
        // one along the stair, at least one where the floor above ends at its opening
        let railings = made["stair"]["railings"].as_array().unwrap();
        assert!(railings.len() >= 2, "{shape}: {railings:?}");
        let level = |id: &Value| {
            let railing = desk.model.by_guid(id.as_str().unwrap()).unwrap();
            let storey = ifc::relations::storey_of(&desk.model, railing).unwrap();
            desk.model.get(storey).unwrap().name().unwrap()
        };
        let on = |name: &String| railings.iter().filter(|id| level(id) == *name).count();
        assert_eq!((on(&levels[0]), on(&levels[1])), (1, railings.len() - 1), "{shape}");
        // nothing stands where one steps off
        let arrival: [f64; 2] = serde_json::from_value(made["stair"]["arrival"].clone()).unwrap();
        for railing in desk.model.of_class("IfcRailing") {
            let bounds = geometry::bounds(&desk.model, railing).unwrap();
            let (low, high) = (bounds.min.truncate(), bounds.max.truncate());
            let far = glam::DVec2::from(arrival).clamp(low, high).distance(arrival.into());
            assert!(far > 300.0, "{shape}: {far} mm beside {arrival:?}");
        }
        desk.clean();
        desk.keep(&format!("storeys-stair-{shape}-{schema}"));
    }
    let (mut desk, levels) = house("IFC4", &json!([[0, 0], [15000, 0], [15000, 10000], [0, 10000]]), 3);
    let mut asked = family(&levels);
    asked["stair"] = json!({ "shape": "straight" });
    let fault = desk.refuse("create_rooms", asked);
    assert_eq!(fault.data["field"], "stair.shape", "{fault}");
}
