//! What furniture and coverings do when rooms, walls and doors around them change, and pieces that are changed themselves.

use crate::desk::{Desk, SCHEMAS, text};
use geometry::Shaper;
use serde_json::{Value, json};

/// Walls of 200 mm around 4 by 3 m, of heights; none for those without.
fn with_walls(schema: &str, heights: [Option<u32>; 4]) -> Desk {
    let mut desk = Desk::new(schema);
    let sides = [
        ("South", [20000, 20100], [24400, 20100]),
        ("North", [20000, 23300], [24400, 23300]),
        ("West", [20100, 20200], [20100, 23200]),
        ("East", [24300, 20200], [24300, 23200]),
    ];
    for ((name, start, end), height) in sides.into_iter().zip(heights) {
        let Some(height) = height else { continue };
        desk.call(
            "create_wall",
            json!({ "start": start, "end": end, "height": height, "level_id": "Ground Floor", "name": name }),
        );
    }
    desk
}

fn room(desk: &mut Desk, name: &str, x: [i32; 2]) {
    desk.call(
        "create_space",
        json!({
            "boundary_points": [[x[0], 20200], [x[1], 20200], [x[1], 23200], [x[0], 23200]],
            "level_id": "Ground Floor", "height": 2500, "name": name
        }),
    );
}

fn clad(desk: &mut Desk) -> Value {
    desk.call("create_covering", json!({ "rooms": ["Room"], "surface": "walls" }))
}

fn areas(answer: &Value) -> Vec<f64> {
    let all = answer["coverings"].as_array().unwrap().iter();
    let mut areas: Vec<f64> = all.map(|it| it["quantities"]["NetArea"]["value"].as_f64().unwrap()).collect();
    areas.sort_by(f64::total_cmp);
    areas
}

/// Returns true if a corner of a class's bodies lies at an x in mm.
fn has_corner_at(desk: &Desk, class: &str, x: f64) -> bool {
    desk.model.of_class(class).into_iter().any(|id| {
        let mesh = Shaper::plain(&desk.model).element(id).unwrap().mesh();
        mesh.positions.iter().any(|p| (p.x * 1000.0 - x).abs() < 0.1)
    })
}

/// The name of what contains the first element of a class.
fn container(desk: &Desk, class: &str) -> String {
    let id = desk.model.of_class(class)[0];
    let container = ifc::relations::container(&desk.model, id).unwrap();
    desk.model.get(container).unwrap().name().unwrap()
}

const ALL: [Option<u32>; 4] = [Some(2700); 4];

#[test]
fn cladding_goes_with_the_doors_and_the_walls_that_it_lies_on() {
    for schema in SCHEMAS {
        let mut desk = with_walls(schema, ALL);
        room(&mut desk, "Room", [20200, 24200]);
        clad(&mut desk);
        let door = desk.call(
            "create_opening",
            json!({
                "host_id": "South", "location": { "at": "center" }, "width": 900, "height": 2100,
                "opening_type": "door"
            }),
        );
        assert!(has_corner_at(&desk, "IfcCovering", 21750.0));
        let door = text(&door["filling_id"]);
        desk.call("move_elements", json!({ "element_ids": [door], "by": [500, 0, 0] }));
        assert!(
            has_corner_at(&desk, "IfcCovering", 22250.0) && !has_corner_at(&desk, "IfcCovering", 21750.0)
        );
        desk.clean();
        desk.call("delete_elements", json!({ "element_ids": ["East"] }));
        assert_eq!(desk.count("IfcCovering"), 3);
        desk.clean();
        // the bare side stays bare
        desk.call(
            "modify_parameter",
            json!({ "element_id": "Room", "parameter_name": "height", "value": 2400 }),
        );
        assert_eq!(desk.count("IfcCovering"), 3);
        desk.clean();
    }
}

#[test]
fn cladding_lies_on_walls_alone_and_ends_where_they_do() {
    let mut desk = with_walls("IFC4", [Some(2700), Some(1200), Some(2700), None]);
    room(&mut desk, "Room", [20200, 24200]);
    let answer = clad(&mut desk);
    assert_eq!(areas(&answer), [4.0 * 1.2, 3.0 * 2.5, 4.0 * 2.5]);
    assert!(answer["assumed"].to_string().contains("without a wall"), "{answer}");
    let skirting = desk.call("create_covering", json!({ "rooms": ["Room"], "surface": "skirting" }));
    assert_eq!(areas(&skirting).len(), 3);
    desk.clean();
    // a room in the open has its own outline to go by
    let mut desk = Desk::new("IFC4");
    room(&mut desk, "Room", [20200, 24200]);
    let answer = clad(&mut desk);
    assert_eq!(areas(&answer), [7.5, 7.5, 10.0, 10.0]);
    assert!(!answer["assumed"].to_string().contains("without a wall"), "{answer}");
}

#[test]
fn furniture_belongs_to_the_room_that_it_is_moved_to_or_that_is_drawn_around_it() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        room(&mut desk, "Left", [20200, 24200]);
        room(&mut desk, "Right", [24300, 28200]);
        let bed = desk.call("create_furniture", json!({ "kind": "bed", "room": "Left", "wall": "north" }));
        let bed = text(&bed["furniture_id"]);
        let class = if schema == "IFC2X3" { "IfcFurnishingElement" } else { "IfcFurniture" };
        assert_eq!(container(&desk, class), "Left");
        desk.call("move_elements", json!({ "element_ids": [bed], "by": [4000, 0, 0] }));
        assert_eq!(container(&desk, class), "Right");
        desk.call("move_elements", json!({ "element_ids": [bed], "by": [0, 9000, 0] }));
        assert_eq!(container(&desk, class), "Ground Floor");
        desk.call("move_elements", json!({ "element_ids": [bed], "by": [-4000, -9000, 0] }));
        assert_eq!(container(&desk, class), "Left");
        desk.call(
            "modify_parameter",
            json!({
                "element_id": "Left", "parameter_name": "boundary_points",
                "value": [[20200, 20200], [21000, 20200], [21000, 23200], [20200, 23200]]
            }),
        );
        assert_eq!(container(&desk, class), "Ground Floor");
        desk.clean();
    }
}

#[test]
fn a_piece_gets_another_size_colour_and_material_with_its_back_where_it_was() {
    for schema in SCHEMAS {
        let mut desk = with_walls(schema, ALL);
        room(&mut desk, "Room", [20200, 24200]);
        let make = json!({ "kind": "wardrobe", "room": "Room", "wall": "west" });
        desk.call("create_furniture", make);
        let change = |desk: &mut Desk, name: &str, value: Value| {
            desk.call(
                "modify_parameter",
                json!({ "element_id": "Wardrobe 1", "parameter_name": name, "value": value }),
            )
        };
        let answer = change(&mut desk, "width", json!(2400));
        assert_eq!((&answer["before"], &answer["after"]), (&json!(1800.0), &json!(2400.0)));
        change(&mut desk, "depth", json!(700));
        change(&mut desk, "material", json!("Ash"));
        let answer = change(&mut desk, "colour", json!("oak"));
        assert_eq!((&answer["before"], &answer["after"]), (&Value::Null, &json!("#c8a06e")));
        let id = desk.model.of_class("IfcFurnishingElement")[0];
        let found = geometry::bounds(&desk.model, id).unwrap();
        assert!((found.min.x - 20200.0).abs() < 0.1 && (found.size().y - 2400.0).abs() < 0.1, "{found:?}");
        assert!((found.size().x - 700.0).abs() < 12.0, "{found:?}");
        let kind = ifc::relations::type_of(&desk.model, id).unwrap();
        let name = desk.model.get(kind).unwrap().name().unwrap();
        assert_eq!(name, "Wardrobe 2400 x 700 x 2100 mm, Ash, #c8a06e");
        let answer = change(&mut desk, "colour", Value::Null);
        assert_eq!(answer["after"], Value::Null);
        desk.clean();
        for (name, value) in
            [("width", json!(3400)), ("height", json!(2600)), ("depth", json!(1)), ("colour", json!(3))]
        {
            let fault = desk.refuse(
                "modify_parameter",
                json!({ "element_id": "Wardrobe 1", "parameter_name": name, "value": value }),
            );
            assert_eq!(fault.data["field"], "value", "{name}: {fault}");
        }
    }
}

#[test]
fn a_piece_at_a_point_stands_in_no_wall() {
    let mut desk = with_walls("IFC4", ALL);
    let at = |y: i32| json!({ "kind": "desk", "point": [22000, y], "facing": "south", "level_id": "Ground Floor" });
    let fault = desk.refuse("create_furniture", at(23000));
    assert_eq!(fault.data["field"], "point");
    assert!(fault.message.contains("North"), "{fault}");
    desk.call("create_furniture", at(22800));
}

#[test]
fn cladding_stays_with_a_wall_that_is_moved_and_furniture_with_the_room_that_follows_it() {
    for schema in SCHEMAS {
        let mut desk = with_walls(schema, ALL);
        room(&mut desk, "Room", [20200, 24200]);
        let clad = clad(&mut desk);
        let piece = json!({ "kind": "wardrobe", "room": "Room", "wall": "west" });
        desk.call("create_furniture", piece);
        let ids = |desk: &Desk| -> Vec<String> {
            let all = desk.model.of_class("IfcCovering").into_iter();
            let mut all: Vec<String> = all.filter_map(|id| desk.model.get(id)?.guid()).collect();
            all.sort();
            all
        };
        let before = ids(&desk);
        let moved = desk.call("move_elements", json!({ "element_ids": ["West"], "by": [1000, 0, 0] }));
        assert_eq!(ids(&desk), before, "{schema}: {moved}");
        for id in clad["coverings"].as_array().unwrap() {
            assert!(moved["regenerated"].as_array().unwrap().contains(&id["covering_id"]), "{moved} {id}");
        }
        assert!(
            has_corner_at(&desk, "IfcCovering", 21200.0) && !has_corner_at(&desk, "IfcCovering", 20200.0)
        );
        // the wardrobe does not move, and stands outside the room now
        assert_eq!(container(&desk, "IfcFurnishingElement"), "Ground Floor");
        desk.clean();
    }
}

#[test]
fn cladding_is_cut_to_a_wall_that_is_made_lower() {
    let mut desk = with_walls("IFC4", ALL);
    room(&mut desk, "Room", [20200, 24200]);
    clad(&mut desk);
    let answer = desk.call(
        "modify_parameter",
        json!({ "element_id": "North", "parameter_name": "height", "value": 1200 }),
    );
    assert!(!answer["regenerated"].as_array().unwrap().is_empty(), "{answer}");
    let mut areas: Vec<f64> = desk
        .model
        .of_class("IfcCovering")
        .into_iter()
        .map(|id| {
            building::quantities::read(&desk.model, id, "Qto_CoveringBaseQuantities")
                .get("NetArea")
                .unwrap()
                .value
        })
        .collect();
    areas.sort_by(f64::total_cmp);
    let wanted = [4.0 * 1.2, 7.5, 7.5, 10.0];
    assert!(areas.iter().zip(wanted).all(|(is, wanted)| (is - wanted).abs() < 1e-6), "{areas:?}");
    desk.clean();
}

#[test]
fn a_piece_stands_on_no_stair() {
    let mut desk = Desk::new("IFC4");
    let stair =
        json!({ "level_id": "Ground Floor", "start": [21000, 21000], "direction": 0, "height": 3000 });
    desk.call("create_stair", stair);
    let at = |y: i32| json!({ "kind": "desk", "point": [22000, y], "facing": "south", "level_id": "Ground Floor" });
    let fault = desk.refuse("create_furniture", at(21000));
    assert!(fault.message.contains("Stair"), "{fault}");
    desk.call("create_furniture", at(24000));
}
