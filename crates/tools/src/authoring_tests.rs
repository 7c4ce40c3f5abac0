//! The authoring tools as agents call them, in all three schemas: what is answered, what is stored, what is refused.
//!
//! With `PENSAER_WRITE_SAMPLES` set to a folder, the models made are written there for checks by other programs.

use crate::desk::{Desk, SCHEMAS, text};
use serde_json::{Value, json};

#[test]
fn a_wall_with_two_windows_and_a_door_in_every_schema() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        let wall = desk.call(
            "create_wall",
            json!({ "start": [1000, 1000], "end": [8000, 1000], "height": 3000, "level_id": "Ground Floor" }),
        );
        assert_eq!(wall["length"], 7000.0);
        assert_eq!(wall["quantities"]["Length"], json!({ "value": 7.0, "unit": "m" }));
        let host = text(&wall["wall_id"]);
        for (along, kind, width, height) in
            [(1500, "window", 1200, 1200), (3500, "door", 900, 2100), (5500, "window", 1200, 1200)]
        {
            let answer = desk.call(
                "create_opening",
                json!({
                    "host_id": host, "location": { "along": along }, "width": width, "height": height,
                    "opening_type": kind
                }),
            );
            assert_eq!(answer["along"], f64::from(along));
            assert!(answer["filling_id"].is_string());
        }
        assert_eq!(
            desk.found("IfcWall, Qto_WallBaseQuantities.Length=7, Qto_WallBaseQuantities.Height=3"),
            1
        );
        assert_eq!(
            (desk.count("IfcWindow"), desk.count("IfcDoor"), desk.count("IfcOpeningElement")),
            (2, 1, 3)
        );
        let net = 7.0 * 3.0 - 2.0 * 1.2 * 1.2 - 0.9 * 2.1;
        assert_eq!(desk.found(&format!("IfcWall, Qto_WallBaseQuantities.NetSideArea={net}")), 1);
        desk.keep(&format!("wall-{schema}"));
    }
}

#[test]
fn an_opening_that_leaves_its_wall_or_meets_another_is_refused_with_the_room_there_is() {
    let mut desk = Desk::new("IFC4");
    let wall =
        desk.call("create_wall", json!({ "start": [0, 0], "end": [4000, 0], "level_id": "Ground Floor" }));
    let host = text(&wall["wall_id"]);
    let window = |along: f64, sill: f64| {
        json!({
            "host_id": host, "location": { "along": along, "sill": sill }, "width": 1000, "height": 1200,
            "opening_type": "window"
        })
    };
    let fault = desk.refuse("create_opening", window(300.0, 900.0));
    assert_eq!(
        (fault.data["along_from"].clone(), fault.data["along_to"].clone()),
        (json!(500.0), json!(3500.0))
    );
    let fault = desk.refuse("create_opening", window(2000.0, 2000.0));
    assert_eq!(fault.data["sill_to"], 1800.0);
    desk.call("create_opening", window(2000.0, 900.0));
    let fault = desk.refuse("create_opening", window(2600.0, 900.0));
    assert_eq!(fault.data["free_along"], json!([[500.0, 1000.0], [3000.0, 3500.0]]));
    assert_eq!(desk.count("IfcWindow"), 1);
}

#[test]
fn what_cannot_be_built_is_refused_with_the_field() {
    let mut desk = Desk::new("IFC4");
    let cases = [
        ("create_wall", json!({ "start": [0, 0], "end": [0, 0], "level_id": "Ground Floor" }), "end"),
        (
            "create_wall",
            json!({ "start": [0, 0], "end": [9, 0], "height": -1, "level_id": "Ground Floor" }),
            "height",
        ),
        ("create_wall", json!({ "start": [0, 0], "end": [5000, 0], "level_id": "Grund Floor" }), "level_id"),
        ("create_wall", json!({ "start": [0], "end": [5000, 0], "level_id": "Ground Floor" }), "start"),
        ("create_level", json!({ "name": "Ground Floor", "elevation": 9000 }), "name"),
        ("create_level", json!({ "name": "Other", "elevation": 0 }), "elevation"),
        (
            "create_floor",
            json!({ "boundary_points": [[0, 0], [9, 9], [9, 0], [0, 9]], "level_id": "Ground Floor" }),
            "boundary_points",
        ),
        (
            "create_building_shell",
            json!({ "footprint": [[0, 0], [900, 0], [900, 9000], [0, 9000]], "storeys": 1, "wall_thickness": 450 }),
            "wall_thickness",
        ),
        ("create_space", json!({ "level_id": "Ground Floor" }), "boundary_points"),
        ("delete_elements", json!({ "element_ids": ["Nothing"] }), "element_ids[0]"),
    ];
    for (tool, arguments, field) in cases {
        let before = desk.model.len();
        let fault = desk.refuse(tool, arguments.clone());
        assert_eq!(fault.data["field"], field, "{tool} {arguments}: {fault}");
        assert_eq!(desk.model.len(), before);
    }
    let fault =
        desk.refuse("create_wall", json!({ "start": [0, 0], "end": [5000, 0], "level_id": "Grund Floor" }));
    assert_eq!(fault.data["near_matches"], json!(["Ground Floor"]));
}

fn hexagon(side: f64) -> Vec<[f64; 2]> {
    (0..6)
        .map(|i| f64::from(i) * std::f64::consts::FRAC_PI_3)
        .map(|a| [side * a.cos(), side * a.sin()])
        .collect()
}

#[test]
fn a_shell_has_walls_as_long_as_its_sides_whatever_its_shape_and_turn() {
    let l_shape = json!([[0, 0], [8000, 0], [8000, 4000], [4000, 4000], [4000, 8000], [0, 8000]]);
    let clockwise = json!([[0, 0], [0, 3000], [5000, 3000], [5000, 0]]);
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        let shell =
            desk.call("create_building_shell", json!({ "footprint": l_shape, "storeys": 3, "spaces": true }));
        assert_eq!(shell["storeys"].as_array().unwrap().len(), 3);
        assert_eq!(desk.found("IfcWall, Qto_WallBaseQuantities.Length=8"), 6);
        assert_eq!(desk.found("IfcWall, Qto_WallBaseQuantities.Length=4"), 12);
        assert_eq!(
            (desk.count("IfcBuildingStorey"), desk.count("IfcSlab"), desk.count("IfcRoof")),
            (4, 4, 1)
        );
        assert_eq!(desk.found("IfcBuildingStorey, Qto_BuildingStoreyBaseQuantities.GrossFloorArea=48"), 3);
        // IFC4X3 spells it another way
        let footprint = if schema == "IFC4X3" { "FootPrintArea" } else { "FootprintArea" };
        assert_eq!(desk.found(&format!("IfcBuilding, Qto_BuildingBaseQuantities.{footprint}=48")), 1);
        desk.keep(&format!("l-shape-{schema}"));

        let mut desk = Desk::new(schema);
        desk.call("create_building_shell", json!({ "footprint": clockwise, "storeys": 4 }));
        assert_eq!(desk.found("IfcWall, Qto_WallBaseQuantities.Length=5"), 8);
        assert_eq!(desk.found("IfcSlab, Qto_SlabBaseQuantities.Perimeter=16"), 5);
        desk.keep(&format!("clockwise-{schema}"));

        let mut desk = Desk::new(schema);
        desk.call(
            "create_building_shell",
            json!({ "footprint": hexagon(5000.0), "storeys": 1, "overhang": 300 }),
        );
        assert_eq!(desk.found("IfcWall, Qto_WallBaseQuantities.Length=5"), 6);
        assert_eq!(desk.found("IfcSlab, Qto_SlabBaseQuantities.GrossPerimeter=30"), 1);
        desk.keep(&format!("hexagon-{schema}"));
    }
}

#[test]
fn deleting_a_wall_takes_its_openings_and_squares_its_neighbours() {
    let mut desk = Desk::new("IFC4");
    let empty = desk.model.len();
    let square = json!([[0, 0], [6000, 0], [6000, 6000], [0, 6000]]);
    let shell = desk.call("create_building_shell", json!({ "footprint": square, "storeys": 1 }));
    let wall = text(&shell["storeys"][0]["walls"][0]["wall_id"]);
    let door = json!({
        "host_id": wall, "location": { "at": "center" }, "width": 900, "height": 2100, "opening_type": "door"
    });
    desk.call("create_opening", door);
    let deleted = desk.call("delete_elements", json!({ "element_ids": [wall] }));
    assert_eq!(deleted["count"], 3);
    assert_eq!((desk.count("IfcWall"), desk.count("IfcDoor"), desk.count("IfcOpeningElement")), (3, 0, 0));
    assert_eq!(desk.count("IfcRelVoidsElement") + desk.count("IfcRelFillsElement"), 0);
    assert_eq!(desk.count("IfcRelConnectsPathElements"), 2);
    // the neighbours' ends are square again: one end mitred, one not
    assert_eq!(desk.found("IfcWall, Qto_WallBaseQuantities.NetFootprintArea=1.18"), 2);
    desk.keep("deleted");
    let rest: Vec<String> = desk
        .model
        .of_class("IfcElement")
        .into_iter()
        .map(|id| desk.model.get(id).unwrap().guid().unwrap())
        .collect();
    desk.call("delete_elements", json!({ "element_ids": rest }));
    assert_eq!(desk.count("IfcElement") + desk.count("IfcRelContainedInSpatialStructure"), 0);
    // the door's type stays, with its shape: body, the aspects of lining and leaf, symbol
    assert_eq!((desk.count("IfcShapeRepresentation"), desk.count("IfcExtrudedAreaSolid")), (4, 2));
    assert_eq!(
        desk.count("IfcProductDefinitionShape")
            + desk.count("IfcMappedItem")
            + desk.count("IfcElementQuantity"),
        0
    );
    // what stays beyond the beginning: types, their materials, one storey, who made them
    assert!(desk.model.len() < empty + 130, "{} instances were left behind", desk.model.len() - empty);
}

#[test]
fn a_door_deleted_closes_its_wall() {
    let mut desk = Desk::new("IFC4");
    let wall =
        desk.call("create_wall", json!({ "start": [0, 0], "end": [4000, 0], "level_id": "Ground Floor" }));
    let door = desk.call(
        "create_opening",
        json!({
            "host_id": wall["wall_id"], "location": [1000, 0], "width": 900, "height": 2100, "opening_type": "door"
        }),
    );
    assert_eq!(desk.found("IfcWall, Qto_WallBaseQuantities.NetSideArea=10.11"), 1);
    desk.call("delete_elements", json!({ "element_ids": [door["filling_id"]] }));
    assert_eq!(desk.count("IfcOpeningElement"), 0);
    assert_eq!(desk.found("IfcWall, Qto_WallBaseQuantities.NetSideArea=12"), 1);
}

#[test]
fn changing_a_wall_carries_its_openings_corners_and_quantities() {
    let mut desk = Desk::new("IFC4");
    let shell = desk.call(
        "create_building_shell",
        json!({ "footprint": [[0, 0], [6000, 0], [6000, 4000], [0, 4000]], "storeys": 1 }),
    );
    let wall = text(&shell["storeys"][0]["walls"][0]["wall_id"]);
    let window = desk.call(
        "create_opening",
        json!({
            "host_id": wall, "location": { "along": 2000 }, "width": 1000, "height": 1200, "opening_type": "window",
            "name": "W1"
        }),
    );
    let set = |desk: &mut Desk, element: &str, name: &str, value: Value| {
        desk.call(
            "modify_parameter",
            json!({ "element_id": element, "parameter_name": name, "value": value }),
        )
    };
    let answer = set(&mut desk, &wall, "thickness", json!(300));
    assert_eq!((answer["before"].clone(), answer["after"].clone()), (json!(200.0), json!(300.0)));
    // the neighbours are cut against the thicker wall, the opening is as deep as it
    assert_eq!(desk.found("IfcWall, Qto_WallBaseQuantities.Width=0.3"), 1);
    assert_eq!(desk.found("IfcOpeningElement, Qto_OpeningElementBaseQuantities.Depth=0.3"), 1);
    assert_eq!(answer["regenerated"].as_array().unwrap().len(), 4);
    let answer = set(&mut desk, "W1", "width", json!(1400));
    assert_eq!(answer["after"], 1400.0);
    assert_eq!(desk.found("IfcWindow, OverallWidth=1.4, Qto_WindowBaseQuantities.Area=1.68"), 1);
    set(&mut desk, "W1", "along", json!(3000));
    set(&mut desk, "W1", "sill", json!(1000));
    let fault = desk
        .refuse("modify_parameter", json!({ "element_id": wall, "parameter_name": "height", "value": 1500 }));
    assert!(fault.message.contains("opening"), "{fault}");
    set(&mut desk, &wall, "height", json!(3500));
    assert_eq!(
        desk.found("IfcWall, Qto_WallBaseQuantities.Height=3.5, Qto_WallBaseQuantities.NetSideArea=19.32"),
        1
    );
    set(&mut desk, &wall, "end", json!([7000, 0]));
    assert_eq!(desk.found("IfcWall, Qto_WallBaseQuantities.Length=7"), 1);
    // the neighbour ends on its path now
    assert_eq!(desk.count("IfcRelConnectsPathElements"), 4);
    set(&mut desk, &wall, "start", json!([-1000, 0]));
    assert_eq!(desk.found("IfcWall, Qto_WallBaseQuantities.Length=8"), 1);
    let stays = desk
        .call("modify_parameter", json!({ "element_id": "W1", "parameter_name": "along", "value": 4000 }));
    assert_eq!((stays["before"].clone(), stays["after"].clone()), (json!(4000.0), json!(4000.0)));
    set(&mut desk, &wall, "Name", json!("South wall"));
    set(&mut desk, &wall, "Pset_WallCommon.FireRating", json!("REI 60"));
    assert_eq!(desk.found("IfcWall, Name=\"South wall\", Pset_WallCommon.FireRating=\"REI 60\""), 1);
    let floor = text(&shell["storeys"][0]["floor_id"]);
    set(&mut desk, &floor, "boundary_points", json!([[0, 0], [12000, 0], [12000, 10000], [0, 10000]]));
    assert_eq!(desk.found("IfcBuildingStorey, Qto_BuildingStoreyBaseQuantities.GrossFloorArea=120"), 1);
    set(&mut desk, &floor, "thickness", json!(250));
    set(&mut desk, "Ground Floor", "elevation", json!(500));
    assert_eq!(desk.found("IfcBuildingStorey, Elevation=0.5"), 1);
    assert!(window["filling_id"].is_string());
    desk.keep("changed");
}

#[test]
fn a_moved_wall_keeps_its_window_and_takes_its_neighbours_along() {
    let mut desk = Desk::new("IFC4");
    let shell = desk.call(
        "create_building_shell",
        json!({ "footprint": [[0, 0], [6000, 0], [6000, 4000], [0, 4000]], "storeys": 1 }),
    );
    let wall = text(&shell["storeys"][0]["walls"][0]["wall_id"]);
    let window = desk.call(
        "create_opening",
        json!({
            "host_id": wall, "location": { "along": 2000 }, "width": 1000, "height": 1200, "opening_type": "window"
        }),
    );
    let moved = desk.call("move_elements", json!({ "element_ids": [wall], "by": [0, -1000] }));
    assert_eq!(moved["moved"][0]["position"], json!([0.0, -1000.0, 0.0]));
    assert_eq!(desk.count("IfcRelConnectsPathElements"), 4);
    assert_eq!(desk.found("IfcWall, Qto_WallBaseQuantities.Length=5"), 2);
    let id = window["filling_id"].clone();
    let along = desk.call("move_elements", json!({ "element_ids": [id], "by": [500, 0, 100] }));
    assert_eq!(along["moved"][0]["position"][0], 2000.0);
    let fault = desk.refuse("move_elements", json!({ "element_ids": [id], "by": [0, 500] }));
    assert_eq!(fault.data["field"], "by");
    desk.keep("moved");
}

#[test]
fn a_space_lies_between_the_inner_faces_of_its_walls() {
    let mut desk = Desk::new("IFC4");
    let shell = desk.call(
        "create_building_shell",
        json!({ "footprint": [[0, 0], [6000, 0], [6000, 4000], [0, 4000]], "storeys": 1, "wall_thickness": 300 }),
    );
    let walls: Vec<Value> =
        shell["storeys"][0]["walls"].as_array().unwrap().iter().map(|w| w["wall_id"].clone()).collect();
    let space =
        desk.call("create_space", json!({ "walls": walls, "level_id": "Ground Floor", "name": "hall" }));
    assert_eq!((space["area"].clone(), space["height"].clone()), (json!(5.4 * 3.4), json!(3000.0)));
    let fault = desk.refuse("create_space", json!({ "walls": walls[..3], "level_id": "Ground Floor" }));
    assert!(fault.message.contains("do not enclose"), "{fault}");
    assert_eq!(desk.found("IfcBuildingStorey, Qto_BuildingStoreyBaseQuantities.NetFloorArea=18.36"), 1);
    desk.keep("space");
}

#[test]
fn a_slab_is_opened_at_a_point() {
    let mut desk = Desk::new("IFC2X3");
    let floor = desk.call(
        "create_floor",
        json!({ "boundary_points": [[0, 0], [6000, 0], [6000, 4000], [0, 4000]], "level_id": "Ground Floor" }),
    );
    let opening = |x: f64| json!({ "host_id": floor["floor_id"], "location": [x, 2000], "width": 1000, "height": 2000 });
    desk.call("create_opening", opening(3000.0));
    assert_eq!(desk.found("IfcSlab, Qto_SlabBaseQuantities.NetArea=22"), 1);
    assert_eq!(desk.refuse("create_opening", opening(3500.0)).data["field"], "location");
    assert_eq!(desk.refuse("create_opening", opening(5900.0)).data["field"], "location");
    desk.keep("slab");
}

#[test]
fn walls_of_another_program_take_a_window_and_can_be_deleted_with_their_openings() {
    let Some(mut desk) = Desk::open("Duplex_A_20110907.ifc") else { return };
    let (walls, windows) = (desk.count("IfcWall"), desk.count("IfcWindow"));
    let mut placed = 0;
    let all: Vec<String> = desk
        .model
        .of_class("IfcWall")
        .into_iter()
        .map(|id| desk.model.get(id).unwrap().guid().unwrap())
        .collect();
    for wall in &all {
        for fraction in [0.2, 0.5, 0.8] {
            let window = json!({
                "host_id": wall, "location": { "fraction": fraction, "sill": 40 }, "width": 400, "height": 200,
                "opening_type": "window"
            });
            match desk.try_call("create_opening", window) {
                Ok(_) => {
                    placed += 1;
                    break;
                }
                Err(fault) => assert!(fault.data.contains_key("field"), "{wall}: {fault}"),
            }
        }
    }
    assert!(placed > 50, "only {placed} of {walls} walls took a window");
    assert_eq!(desk.count("IfcWindow"), windows + placed);
    desk.keep("duplex-windows");
    let hosts: Vec<String> = desk
        .model
        .of_class("IfcWallStandardCase")
        .into_iter()
        .filter(|id| ifc::relations::openings_of(&desk.model, *id).len() > 2)
        .map(|id| desk.model.get(id).unwrap().guid().unwrap())
        .collect();
    let deleted = desk.call("delete_elements", json!({ "element_ids": hosts }));
    assert!(deleted["count"].as_u64().unwrap() as usize > hosts.len() * 3);
    desk.keep("duplex-deleted");
}

#[test]
fn a_house_of_120_square_metres_is_divided_by_area_and_every_room_has_a_door() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        let footprint = json!([[0, 0], [12000, 0], [12000, 10000], [0, 10000]]);
        let names = json!({ "walls": "perimeter_wall_{n}" });
        desk.call("create_building_shell", json!({ "footprint": footprint, "storeys": 1, "names": names }));
        let names =
            ["bedroom_1", "bedroom_2", "bedroom_3", "bathroom_1", "bathroom_2", "kitchen_1", "living_room_1"];
        let rooms: Vec<Value> = names
            .iter()
            .zip([14, 12, 12, 6, 5, 14, 30])
            .map(|(n, a)| json!({ "name": n, "area": a }))
            .collect();
        let answer =
            desk.call("create_rooms", json!({ "level_id": "Ground Floor", "rooms": rooms, "doors": true }));
        assert_eq!(answer["rooms"].as_array().unwrap().len(), 8);
        assert_eq!(answer["doors"].as_array().unwrap().len(), 7);
        assert_eq!(desk.count("IfcDoor"), 7);
        assert_eq!(desk.found("IfcBuildingStorey, Qto_BuildingStoreyBaseQuantities.GrossFloorArea=120"), 1);
        assert_eq!(desk.found("IfcWall, Name=/perimeter_wall_[1-4]/"), 4);
        desk.keep(&format!("rooms-{schema}"));
        let fault = desk.refuse("create_rooms", json!({ "level_id": "Ground Floor", "rooms": rooms }));
        assert!(fault.message.contains("already"), "{fault}");
    }
}

#[test]
fn rooms_drawn_by_their_boundaries_share_partitions() {
    let mut desk = Desk::new("IFC4");
    let footprint = json!([[0, 0], [8000, 0], [8000, 4000], [4000, 4000], [4000, 8000], [0, 8000]]);
    desk.call("create_building_shell", json!({ "footprint": footprint, "storeys": 1 }));
    let answer = desk.call(
        "create_rooms",
        json!({ "level_id": "Ground Floor", "doors": true, "rooms": [
            { "name": "a", "boundary": [[0, 0], [4000, 0], [4000, 4000], [0, 4000]] },
            { "name": "b", "boundary": [[4000, 0], [8000, 0], [8000, 4000], [4000, 4000]] },
            { "name": "c", "boundary": [[0, 4000], [4000, 4000], [4000, 8000], [0, 8000]] },
        ] }),
    );
    assert_eq!(answer["partitions"].as_array().unwrap().len(), 2);
    assert_eq!(answer["doors"].as_array().unwrap().len(), 2);
    desk.keep("rooms-drawn");
    let fault = desk.refuse(
        "create_rooms",
        json!({ "level_id": "Ground Floor", "rooms": [
            { "name": "x", "boundary": [[20000, 0], [24000, 0], [24000, 4000], [20000, 4000]] }
        ] }),
    );
    assert_eq!(fault.data["field"], "rooms[0].boundary");
}

#[test]
fn a_storey_keeps_its_stated_height_when_its_floors_are_totalled() {
    let mut desk = Desk::new("IFC4");
    desk.call("create_level", json!({ "name": "First Floor", "elevation": 3000, "height": 2800 }));
    let outline = json!([[0, 0], [6000, 0], [6000, 4000], [0, 4000]]);
    desk.call("create_floor", json!({ "boundary_points": outline, "level_id": "First Floor" }));
    let both = "IfcBuildingStorey, Qto_BuildingStoreyBaseQuantities.GrossHeight=2.8, \
                Qto_BuildingStoreyBaseQuantities.GrossFloorArea=24";
    assert_eq!(desk.found(both), 1);
}

#[test]
fn a_shell_is_not_built_twice_in_one_place() {
    let mut desk = Desk::new("IFC4");
    let shell = json!({ "footprint": [[0, 0], [6000, 0], [6000, 4000], [0, 4000]], "storeys": 2 });
    desk.call("create_building_shell", shell.clone());
    let fault = desk.refuse("create_building_shell", shell);
    assert!(fault.message.contains("already stands"), "{fault}");
}

#[test]
fn a_model_in_millimetres_stores_millimetres() {
    let mut desk = Desk::new("IFC4");
    desk.call(
        "create_project",
        json!({ "name": "mm", "units": "mm", "storeys": [{ "name": "Ground Floor", "elevation": 0 }] }),
    );
    let shell =
        json!({ "footprint": [[0, 0], [6000, 0], [6000, 4000], [0, 4000]], "storeys": 1, "spaces": true });
    desk.call("create_building_shell", shell);
    assert_eq!(desk.found("IfcWall, Qto_WallBaseQuantities.Length=6000"), 2);
    assert_eq!(desk.found("IfcBuildingStorey, Qto_BuildingStoreyBaseQuantities.GrossFloorArea=24"), 1);
    desk.keep("millimetres");
}

#[test]
fn in_every_real_model_walls_can_be_opened_heightened_and_deleted_or_say_why_not() {
    for file in crate::others_tests::files() {
        let mut desk = Desk::open(&file).unwrap();
        let walls: Vec<String> = desk
            .model
            .of_class("IfcWall")
            .into_iter()
            .filter_map(|id| desk.model.get(id)?.guid())
            .take(12)
            .collect();
        let (mut opened, mut raised) = (0, 0);
        for wall in &walls {
            let window = json!({
                "host_id": wall, "location": { "fraction": 0.5, "sill": 50 }, "width": 100, "height": 100,
                "opening_type": "window"
            });
            match desk.try_call("create_opening", window) {
                Ok(_) => opened += 1,
                Err(fault) => assert!(fault.message.len() > 40, "{file} {wall}: {fault}"),
            }
            let higher = json!({ "element_id": wall, "parameter_name": "height", "value": 5000 });
            match desk.try_call("modify_parameter", higher) {
                Ok(answer) => {
                    raised += 1;
                    assert_eq!(answer["after"], 5000.0, "{file} {wall}");
                }
                Err(fault) => assert!(fault.message.len() > 40, "{file} {wall}: {fault}"),
            }
        }
        eprintln!("{file}: {} walls, {opened} opened, {raised} raised", walls.len());
        desk.keep(&format!("real-{}-changed", file.trim_end_matches(".ifc")));
        if !walls.is_empty() {
            desk.call("delete_elements", json!({ "element_ids": walls }));
            for wall in &walls {
                assert!(desk.model.by_guid(wall).is_none());
            }
            desk.keep(&format!("real-{}-deleted", file.trim_end_matches(".ifc")));
        }
    }
}

/// The volume of an element's body as it is drawn, in m³.
fn volume(desk: &Desk, guid: &str) -> f64 {
    let id = desk.model.by_guid(guid).unwrap();
    let found = geometry::measure(&desk.model, id).unwrap();
    assert!(found.is_closed(), "open by {}", found.open);
    found.volume
}

fn near(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-6, "{a} is not {b}");
}

/// Two walls that cross: 6 m and 4 m long, 3 m high, 0.2 m thick.
fn crossing(schema: &str) -> (Desk, String, String) {
    let mut desk = Desk::new(schema);
    let mut wall = |start: [i32; 2], end: [i32; 2], name: &str| {
        let answer = desk.call(
            "create_wall",
            json!({ "start": start, "end": end, "level_id": "Ground Floor", "name": name }),
        );
        text(&answer["wall_id"])
    };
    let (a, b) = (wall([1000, 1000], [7000, 1000], "A"), wall([3000, -1000], [3000, 3000], "B"));
    (desk, a, b)
}

#[test]
fn two_walls_are_combined_with_their_parameters_in_every_schema() {
    let common = 0.2 * 0.2 * 3.0;
    for schema in SCHEMAS {
        for (operation, expected) in
            [("union", 3.6 + 2.4 - common), ("difference", 3.6 - common), ("intersection", common)]
        {
            let (mut desk, a, b) = crossing(schema);
            let answer = desk.call(
                "boolean_operation",
                json!({ "element_a": "A", "element_b": "B", "operation_type": operation }),
            );
            assert_eq!(
                (text(&answer["result_id"]), &answer["representation"]),
                (a.clone(), &json!("IfcBooleanResult"))
            );
            near(answer["volume"].as_f64().unwrap(), expected);
            near(volume(&desk, &a), expected);
            near(volume(&desk, &b), 2.4);
            near(answer["quantities"]["NetVolume"]["value"].as_f64().unwrap(), expected);
            assert_eq!(answer["pieces"], if operation == "difference" { 2 } else { 1 });
            desk.keep(&format!("boolean-{operation}-{schema}"));
        }
    }
}

#[test]
fn what_cannot_stay_parametric_is_written_as_faces_in_every_schema() {
    for schema in SCHEMAS {
        let (mut desk, a, b) = crossing(schema);
        desk.call(
            "create_opening",
            json!({ "host_id": b, "location": { "along": 2000, "sill": 1000 }, "width": 1000, "height": 1000 }),
        );
        let answer = desk.call(
            "boolean_operation",
            json!({ "element_a": a, "element_b": b, "operation_type": "difference", "keep_b": false }),
        );
        let class = if schema == "IFC2X3" { "IfcFacetedBrep" } else { "IfcPolygonalFaceSet" };
        assert_eq!(answer["representation"], class);
        // the opening in B leaves A whole there
        let left = 3.6 - 0.2 * 0.2 * 2.0;
        near(volume(&desk, &a), left);
        near(answer["quantities"]["NetVolume"]["value"].as_f64().unwrap(), left);
        assert_eq!(answer["deleted"].as_array().map(Vec::len), Some(2), "{answer}");
        assert_eq!((desk.count("IfcWall"), desk.count("IfcOpeningElement")), (1, 0));
        desk.keep(&format!("boolean-faces-{schema}"));
    }
}

#[test]
fn openings_of_the_first_element_stay_and_cut_the_result() {
    let (mut desk, a, _) = crossing("IFC4");
    desk.call(
        "create_opening",
        json!({ "host_id": a, "location": { "along": 4500, "sill": 1000 }, "width": 1000, "height": 1000 }),
    );
    let answer = desk
        .call("boolean_operation", json!({ "element_a": "A", "element_b": "B", "operation_type": "union" }));
    near(volume(&desk, &a), 3.6 + 2.4 - 0.12 - 0.2);
    near(answer["quantities"]["NetVolume"]["value"].as_f64().unwrap(), 3.6 + 2.4 - 0.12 - 0.2);

    let (mut desk, a, _) = crossing("IFC4");
    desk.call(
        "create_opening",
        json!({ "host_id": a, "location": { "along": 2000, "sill": 1000 }, "width": 1000, "height": 1000 }),
    );
    let fault = desk.refuse(
        "boolean_operation",
        json!({ "element_a": "A", "element_b": "B", "operation_type": "union" }),
    );
    assert!(fault.message.contains("openings"), "{}", fault.message);
}

#[test]
fn a_boolean_that_leaves_nothing_or_changes_nothing_is_refused() {
    let (mut desk, a, _) = crossing("IFC4");
    desk.call(
        "create_wall",
        json!({ "start": [1000, 9000], "end": [7000, 9000], "level_id": "Ground Floor", "name": "Far" }),
    );
    let mut refused = |b: &str, operation: &str, reason: &str| {
        let fault = desk.refuse(
            "boolean_operation",
            json!({ "element_a": a, "element_b": b, "operation_type": operation }),
        );
        assert!(fault.message.contains(reason), "{}", fault.message);
    };
    refused("Far", "intersection", "share no volume");
    refused("Far", "difference", "nothing would change");
    refused("A", "union", "two elements");
    refused("Ground Floor", "union", "IfcBuildingStorey");
    refused("Nothing", "union", "neither the id nor the name");
}

#[test]
fn a_slab_states_its_sides_where_it_is_a_rectangle() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        desk.call(
            "create_floor",
            json!({ "boundary_points": [[0, 0], [12000, 0], [12000, 10000], [0, 10000]], "level_id": "Ground Floor" }),
        );
        let sides = "IfcSlab, Qto_SlabBaseQuantities.Length=12, Qto_SlabBaseQuantities.Depth=10";
        assert_eq!(desk.found(sides), 1, "{schema}");
        let seen = desk.call("get_element", json!({ "element_id": "IfcSlab" }));
        assert!(
            seen.get("notes").is_none_or(|notes| !notes.to_string().contains("stated")),
            "{schema}: {seen}"
        );
        // a corner taken away takes the sides away
        let corner = json!([[0, 0], [12000, 0], [12000, 6000], [9000, 6000], [9000, 10000], [0, 10000]]);
        desk.call(
            "modify_parameter",
            json!({ "element_id": "IfcSlab", "parameter_name": "boundary_points", "value": corner }),
        );
        assert_eq!(desk.found("IfcSlab, Qto_SlabBaseQuantities.Length>0"), 0, "{schema}");
        assert_eq!(desk.found("IfcSlab, Qto_SlabBaseQuantities.Width>0"), 1, "{schema}");
    }
}
