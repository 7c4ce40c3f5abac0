//! Whole buildings from one description: each form, storeys with rooms around a stair, openings by side; and what is refused.

use crate::desk::Desk;
use serde_json::{Value, json};

const SCHEMAS: [&str; 3] = ["IFC2X3", "IFC4", "IFC4X3"];

fn house() -> Value {
    let rooms = json!([
        {"name": "living_room", "area": 34, "outer_wall": true}, {"name": "kitchen", "area": 12},
        {"name": "bedroom", "area": 15, "outer_wall": true}, {"name": "bathroom", "area": 7}, {"name": "hallway", "area": 10}
    ]);
    json!({
        "outline": {"form": "rectangle", "width": 11000, "depth": 9000},
        "storeys": [{
            "name": "Ground Floor", "height": 2900, "rooms": rooms,
            "connect": [["living_room", "hallway"], ["kitchen", "living_room"], ["bedroom", "hallway"], ["bathroom", "hallway"]]
        }],
        "openings": [
            {"hosts": "side 1", "location": {"at": "corner", "offset": 600}, "width": 1000, "height": 2100, "opening_type": "door"},
            {"hosts": ["side 3", "east"], "each_side": 1, "width": 1200, "height": 1200, "opening_type": "window"}
        ],
        "roof": "gable", "pitch": 35, "overhang": 500
    })
}

#[test]
fn a_house_stands_with_rooms_doors_windows_and_roof_in_every_schema() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        let made = desk.call("create_building", house());
        assert_eq!(made["sound"], true, "{schema}: {}", made["sound"]);
        let storey = &made["storeys"][0];
        assert_eq!(storey["walls"].as_array().unwrap().len(), 4);
        assert_eq!(storey["rooms"].as_array().unwrap().len(), 5, "{storey}");
        assert_eq!(storey["doors"].as_array().unwrap().len(), 4, "{storey}");
        assert!(storey.get("unmet").is_none(), "{}", storey["unmet"]);
        assert_eq!(made["openings"].as_array().unwrap().len(), 3);
        assert!(made["roof_id"].is_string());
        assert!((desk.found("IfcDoor"), desk.found("IfcWindow")) == (5, 2), "{schema}");
        assert_eq!(desk.found("IfcSpace"), 5);
        assert_eq!(desk.count("IfcBuildingStorey"), 2, "that of the house is used, and the roof has one");
        assert!(made.to_string().len() < 6000, "{} characters", made.to_string().len());
        desk.clean();
        desk.keep(&format!("building-{schema}"));
    }
}

#[test]
fn storeys_with_rooms_by_area_stand_around_one_stair() {
    let mut desk = Desk::new("IFC4");
    let storey = |name: &str, rooms: [&str; 3]| json!({"name": name, "rooms": rooms.map(|room| json!({"name": room, "area": 20}))});
    let made = desk.call("create_building", json!({
        "outline": {"form": "l", "width": 14000, "depth": 12000, "cut_width": 6000, "cut_depth": 5000},
        "storeys": [storey("Ground Floor", ["living", "kitchen", "office"]), storey("Upper Floor", ["bedroom_1", "bedroom_2", "bathroom"])],
        "stair": {"name": "stairs", "shape": "u"},
        "openings": [
            {"hosts": "side 1", "width": 1000, "height": 2100, "opening_type": "door"},
            {"hosts": "outer_walls", "each_side": 1, "width": 1000, "height": 1200, "opening_type": "window"}
        ],
    }));
    assert_eq!(made["sound"], true, "{}", made["sound"]);
    assert!(made["stair"].is_object(), "{made}");
    assert_eq!(desk.found("IfcStair"), 1);
    for storey in made["storeys"].as_array().unwrap() {
        assert!(storey["rooms"].as_array().unwrap().iter().any(|room| room["name"] == "stairs"), "{storey}");
    }
    desk.clean();
    desk.keep("building-two-storeys");
}

#[test]
fn forms_stand_with_openings_by_number_of_side() {
    let outlines = [
        (json!({"form": "regular", "sides": 6, "side": 5000}), 6),
        (
            json!({"form": "u", "width": 16000, "depth": 12000, "cut_width": 6000, "cut_depth": 7000, "origin": [-500, 700]}),
            8,
        ),
        (json!([[0, 0], [9000, 1000], [8000, 9000], [-1000, 7000]]), 4),
    ];
    for (outline, sides) in outlines {
        let mut desk = Desk::new("IFC4");
        let others: Vec<String> = (2..=sides).map(|side| format!("side {side}")).collect();
        let made = desk.call("create_building", json!({
            "outline": outline, "storeys": 2, "storey_height": 3200,
            "openings": [
                {"hosts": "side 1", "width": 900, "height": 2100, "opening_type": "door", "name": "Entrance"},
                {"hosts": others, "each_side": 1, "width": 900, "height": 1200, "opening_type": "window"}
            ]
        }));
        assert_eq!(made["sound"], true, "{outline}: {}", made["sound"]);
        assert_eq!((desk.found("IfcDoor"), desk.found("IfcWindow")), (1, 2 * (sides - 1)), "{outline}");
        desk.clean();
    }
}

#[test]
fn what_does_not_fit_together_is_refused_by_its_field() {
    let mut desk = Desk::new("IFC4");
    let before = desk.model.len();
    let with = |name: &str, value: Value| {
        let mut house = house();
        house[name] = value;
        house
    };
    let room = json!([{"name": "a", "area": 20}]);
    let drawn = json!([{"name": "a", "boundary": [[0, 0], [5000, 0], [5000, 9000], [0, 9000]]}]);
    for (arguments, field) in [
        (with("storeys", json!(0)), "storeys"),
        (with("storeys", json!(201)), "storeys"),
        (with("outline", json!({"form": "rectangle", "width": 11000})), "outline.depth"),
        (with("outline", json!([[0, 0], [9000, 9000], [9000, 0], [0, 9000]])), "outline"),
        (with("stair", json!({})), "stair"),
        (with("storeys", json!([{"connect": [["a", "b"]]}])), "storeys[0].connect"),
        (with("storeys", json!([{"rooms": room, "connect": [["a", "nowhere"]]}])), "storeys[0].connect[0]"),
        (
            json!({"outline": house()["outline"], "storeys": [{"rooms": drawn}, {"rooms": drawn}], "stair": {}}),
            "stair",
        ),
        (with("openings", json!([{"hosts": "side 5", "width": 900, "height": 2100}])), "openings[0].hosts"),
        (with("openings", json!([{"hosts": "north", "width": 90_000, "height": 2100}])), "openings[0].width"),
        (with("roof", json!("none")), "pitch"),
    ] {
        let fault = desk.refuse("create_building", arguments.clone());
        assert_eq!(fault.data["field"], field, "{arguments}: {fault}");
    }
    assert_eq!(desk.model.len(), before);
}

#[test]
fn openings_that_are_spread_leave_the_ends_of_partitions_free_and_those_put_somewhere_stay_there() {
    let mut desk = Desk::new("IFC4");
    let half = |name: &str, from: f64, to: f64| json!({"name": name, "boundary": [[from, 0], [to, 0], [to, 8000], [from, 8000]]});
    let opening = |hosts: &str, more: Value| {
        let mut opening = json!({"hosts": hosts, "width": 1200, "height": 1200, "opening_type": "window"});
        opening.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        opening
    };
    desk.call("create_building", json!({
        "outline": {"form": "rectangle", "width": 10_000, "depth": 8000},
        "storeys": [{"name": "Ground Floor", "rooms": [half("west", 0.0, 5000.0), half("east", 5000.0, 10_000.0)]}],
        "roof": "none"
    }));
    let made = desk.call("create_openings", json!({"openings": [
        opening("south", json!({"each_side": 1})), opening("north", json!({})), opening("south", json!({"location": {"at": "center"}}))
    ]}));
    let along: Vec<f64> =
        made["openings"].as_array().unwrap().iter().map(|made| made["along"].as_f64().unwrap()).collect();
    // the partition takes up 100 mm, and a pier of as much stays beside it
    let least = 600.0 + 50.0 + 100.0 - 0.1;
    assert!((along[0] - 5000.0).abs() >= least && (along[1] - 5000.0).abs() >= least, "{along:?}");
    assert!((along[2] - 5000.0).abs() < 0.1, "{along:?}");
}
