//! What the tools make is clean by our own rules, in all three schemas: no error and no warning of `validate_model`.

use crate::desk::{Desk, SCHEMAS};
use serde_json::json;

#[test]
fn a_house_with_rooms_doors_and_windows_is_clean_in_every_schema() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        desk.clean();
        desk.call(
            "create_building_shell",
            json!({ "footprint": [[0, 0], [10000, 0], [10000, 8000], [0, 8000]], "storeys": 2, "overhang": 300,
                    "names": { "walls": "Wall {n}" } }),
        );
        desk.clean();
        desk.call(
            "create_rooms",
            json!({ "level_id": "Ground Floor", "rooms": [
                { "name": "Living", "area": 30 }, { "name": "Kitchen", "area": 15 }, { "name": "Bath", "area": 8 }
            ] }),
        );
        desk.clean();
        for (host, kind) in [("Wall 1", "window"), ("Wall 2", "door"), ("Wall 3", "void")] {
            desk.call(
                "create_opening",
                json!({ "host_id": host, "location": { "at": "center" }, "width": 900, "height": 1300,
                        "opening_type": kind }),
            );
            desk.clean();
        }
        desk.call(
            "modify_parameter",
            json!({ "element_id": "Window 1", "parameter_name": "width", "value": 1100 }),
        );
        desk.call(
            "modify_parameter",
            json!({ "element_id": "Wall 1", "parameter_name": "thickness", "value": 300 }),
        );
        desk.clean();
        desk.call("move_elements", json!({ "element_ids": ["Wall 4"], "by": [0, 100] }));
        desk.clean();
        desk.call("delete_elements", json!({ "element_ids": ["Wall 2"] }));
        desk.clean();
        desk.keep(&format!("clean-{schema}"));
    }
}

#[test]
fn single_elements_are_clean_in_every_schema() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        for (n, kind) in ["exterior", "interior", "partition"].into_iter().enumerate() {
            let y = 5000 * n;
            desk.call(
                "create_wall",
                json!({ "start": [0, y], "end": [5000, y], "level_id": "Ground Floor", "wall_type": kind }),
            );
        }
        let square = json!([[0, 20000], [6000, 20000], [6000, 26000], [0, 26000]]);
        for kind in ["FLOOR", "ROOF", "BASESLAB", "LANDING"] {
            desk.call(
                "create_floor",
                json!({ "boundary_points": square, "level_id": "Ground Floor", "predefined_type": kind }),
            );
        }
        desk.call("create_roof", json!({ "boundary_points": square, "level_id": "Ground Floor" }));
        desk.call(
            "create_space",
            json!({ "boundary_points": square, "level_id": "Ground Floor", "name": "1", "long_name": "Hall" }),
        );
        desk.call("create_level", json!({ "name": "First Floor", "elevation": 3000 }));
        desk.clean();
    }
}

#[test]
fn walls_named_by_side_are_told_apart_without_a_number_too_many() {
    let names = |storeys: u32| {
        let mut desk = Desk::new("IFC4");
        let made = desk.call(
            "create_building_shell",
            json!({ "footprint": [[0, 0], [9000, 0], [9000, 7000], [0, 7000]], "storeys": storeys,
                    "names": { "walls": "Wall {side}" } }),
        );
        let first = made["storeys"].as_array().unwrap().iter().map(|level| level["walls"][0]["name"].clone());
        (first.collect::<Vec<_>>(), made["assumed"].to_string())
    };
    assert_eq!(names(1).0, ["Wall 1"]);
    let (several, assumed) = names(2);
    assert_eq!(several, ["Wall 1, Ground Floor", "Wall 1, Floor 1"]);
    assert!(assumed.contains("3000 mm") && assumed.contains("2800 mm"), "{assumed}");
}
