//! Furniture, curtain walls and coverings as agents make them: where they stand, what they measure, what is refused.

use crate::desk::{Desk, SCHEMAS, text};
use serde_json::{Value, json};

/// A project with four walls of 200 mm around 4 by 3 m, a door of 900 mm in the middle of the south one.
fn with_room(schema: &str) -> Desk {
    let mut desk = Desk::new(schema);
    let sides = [
        ("South", [20000, 20100], [24400, 20100]),
        ("North", [20000, 23300], [24400, 23300]),
        ("West", [20100, 20200], [20100, 23200]),
        ("East", [24300, 20200], [24300, 23200]),
    ];
    for (name, start, end) in sides {
        desk.call(
            "create_wall",
            json!({ "start": start, "end": end, "height": 2700, "level_id": "Ground Floor", "name": name }),
        );
    }
    desk.call(
        "create_opening",
        json!({
            "host_id": "South", "location": { "at": "center" }, "width": 900, "height": 2100,
            "opening_type": "door"
        }),
    );
    desk
}

fn room(desk: &mut Desk) -> String {
    let space = desk.call(
        "create_space",
        json!({
            "boundary_points": [[20200, 20200], [24200, 20200], [24200, 23200], [20200, 23200]],
            "level_id": "Ground Floor", "height": 2500, "name": "Room"
        }),
    );
    text(&space["space_id"])
}

const KINDS: [&str; 17] = [
    "bed",
    "double_bed",
    "table",
    "round_table",
    "coffee_table",
    "chair",
    "desk",
    "sofa",
    "armchair",
    "wardrobe",
    "shelf",
    "kitchen_run",
    "wc",
    "basin",
    "shower",
    "bath",
    "lift_car",
];

#[test]
fn every_kind_is_made_in_every_schema_as_large_as_it_says() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        for (i, kind) in KINDS.iter().enumerate() {
            let x = 30_000.0 + 4000.0 * i as f64;
            let answer = desk.call(
                "create_furniture",
                json!({ "kind": kind, "point": [x, 30000], "facing": "south", "level_id": "Ground Floor" }),
            );
            assert_eq!(answer["position"], json!([x, 30000.0, 0.0]), "{kind}");
            assert_eq!(answer["rotation"], 180.0);
            let id = desk.model.by_guid(&text(&answer["furniture_id"])).unwrap();
            let found = geometry::bounds(&desk.model, id).unwrap();
            let size: Vec<f64> =
                answer["size"].as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect();
            assert!((found.size().x - size[0]).abs() < 1.0, "{kind} {schema}: {found:?} {size:?}");
            assert!((found.size().y - size[1]).abs() < 12.0, "{kind} {schema}: {found:?} {size:?}");
            // taps stand above the rim
            assert!(found.size().z > size[2] - 30.0 && found.size().z < size[2] + 130.0, "{kind}: {found:?}");
            assert!((found.centre().x - x).abs() < 1.0 && found.min.z.abs() < 1e-6, "{kind}: {found:?}");
            let measures = geometry::measure(&desk.model, id).unwrap();
            assert!(measures.is_closed() && measures.volume > 0.0, "{kind}: {measures:?}");
        }
        desk.clean();
        desk.keep(&format!("furniture-{schema}"));
    }
}

#[test]
fn pieces_of_one_kind_and_size_share_a_type_and_others_do_not() {
    let mut desk = Desk::new("IFC4");
    let mut make = |x: f64, more: Value| {
        let mut arguments = json!({ "kind": "Dining table", "point": [x, 30000], "rotation": 30, "level_id": "Ground Floor" });
        for (name, value) in more.as_object().unwrap() {
            arguments[name] = value.clone();
        }
        desk.call("create_furniture", arguments)
    };
    let first = make(30_000.0, json!({}));
    make(33_000.0, json!({}));
    let other = make(36_000.0, json!({ "material": "Beech", "colour": "#204060", "width": 2000 }));
    assert_eq!((&first["name"], &first["class"]), (&json!("Table 1"), &json!("IfcFurniture")));
    assert_eq!(other["name"], "Table 3");
    let chair = json!({ "kind": "chair", "point": [39000, 30000], "level_id": "Ground Floor" });
    assert_eq!(desk.call("create_furniture", chair)["name"], "Chair 1");
    assert_eq!(other["type_name"], "Table 2000 x 900 x 740 mm, Beech, #204060");
    assert_eq!((desk.count("IfcFurniture"), desk.count("IfcFurnitureType")), (4, 3));
    assert_eq!(desk.found("IfcFurniture, material=Wood"), 3);
    desk.clean();
}

#[test]
fn along_a_wall_a_piece_takes_a_free_place_beside_what_stands_there_and_the_door() {
    for schema in SCHEMAS {
        let mut desk = with_room(schema);
        assert_eq!(desk.count("IfcDoor"), 1);
        room(&mut desk);
        let bed =
            desk.call("create_furniture", json!({ "kind": "double_bed", "room": "Room", "wall": "north" }));
        // in the middle of the wall, its head to the wall
        assert_eq!(bed["position"], json!([22200.0, 22200.0, 0.0]));
        assert_eq!((&bed["rotation"], &bed["room"]), (&json!(180.0), &json!("Room")));
        let space = desk.model.of_class("IfcSpace")[0];
        assert_eq!(ifc::relations::contained(&desk.model, space).len(), 1);
        // beside the door, from the left end seen from the room
        let shelf = desk.call(
            "create_furniture",
            json!({ "kind": "shelf", "room": "Room", "wall": "south", "width": 600, "offset": 3000 }),
        );
        assert_eq!(shelf["position"], json!([21200.0, 20375.0, 0.0]));
        let fault = desk.refuse(
            "create_furniture",
            json!({ "kind": "shelf", "room": "Room", "wall": "south", "width": 600, "offset": 2000 }),
        );
        assert_eq!(fault.data["field"], "offset");
        assert_eq!(fault.data["free_offsets"], json!([[300.0, 1250.0], [3600.0, 3700.0]]));
        let fault =
            desk.refuse("create_furniture", json!({ "kind": "sofa", "room": "Room", "wall": "south" }));
        assert_eq!(fault.data["field"], "wall");
        assert_eq!(fault.data["widest_free"], 1550.0);
        desk.clean();
    }
}

#[test]
fn in_the_middle_of_a_room_or_at_a_point_in_it_nothing_stands_on_anything() {
    let mut desk = with_room("IFC4");
    room(&mut desk);
    let table = desk.call("create_furniture", json!({ "kind": "table", "room": "Room", "wall": "middle" }));
    assert_eq!(table["position"], json!([22200.0, 21700.0, 0.0]));
    let fault =
        desk.refuse("create_furniture", json!({ "kind": "double_bed", "room": "Room", "wall": "middle" }));
    assert_eq!(fault.data["field"], "room");
    // a chair goes under a table, a sofa does not
    let seat = |kind: &str| json!({ "kind": kind, "point": [22200, 22200], "facing": "south", "level_id": "Ground Floor" });
    let chair = desk.call("create_furniture", seat("chair"));
    assert_eq!(chair["room"], "Room");
    let fault = desk.refuse("create_furniture", seat("sofa"));
    assert!(fault.message.contains("stands there already"), "{fault}");
    let fault = desk.refuse(
        "create_furniture",
        json!({ "kind": "chair", "point": [24100, 22200], "level_id": "Ground Floor" }),
    );
    assert_eq!(fault.data["room_to"], json!([24200.0, 23200.0]));
    let told = desk.call(
        "create_furniture",
        json!({ "kind": "chair", "point": [22200, 20600], "facing": "north", "level_id": "Ground Floor" }),
    );
    assert!(told["assumed"].to_string().contains("before the door"), "{told}");
    desk.clean();
}

#[test]
fn furniture_that_makes_no_sense_is_refused_with_the_field() {
    let mut desk = with_room("IFC4");
    room(&mut desk);
    let cases = [
        (json!({ "kind": "chiar", "room": "Room" }), "kind"),
        (json!({ "kind": "bed" }), "room"),
        (json!({ "kind": "bed", "room": "Roma" }), "room"),
        (json!({ "kind": "bed", "room": "Room", "point": [0, 0] }), "room"),
        (json!({ "kind": "bed", "point": [0, 0] }), "level_id"),
        (json!({ "kind": "bed", "room": "Room", "width": 10 }), "width"),
        (json!({ "kind": "bed", "room": "Room", "depth": 1e9 }), "depth"),
        (json!({ "kind": "wardrobe", "room": "Room", "height": 2600 }), "height"),
        (json!({ "kind": "bed", "room": "Room", "offset": 100 }), "wall"),
        (json!({ "kind": "bed", "room": "Room", "wall": "Nowhere" }), "wall"),
        (json!({ "kind": "bed", "room": "Room", "rotation": 10 }), "rotation"),
        (json!({ "kind": "bed", "room": "Room", "facing": "north" }), "facing"),
        (json!({ "kind": "bed", "point": [0, 0], "wall": "north", "level_id": "Ground Floor" }), "wall"),
        (
            json!({ "kind": "bed", "point": [0, 0], "rotation": 1, "facing": "north", "level_id": "Ground Floor" }),
            "facing",
        ),
        (json!({ "kind": "bed", "point": [0], "level_id": "Ground Floor" }), "point"),
        (json!({ "kind": "bed", "room": "Room", "colour": "blurple" }), "colour"),
    ];
    let before = desk.model.len();
    for (arguments, field) in cases {
        let fault = desk.refuse("create_furniture", arguments.clone());
        assert_eq!(fault.data["field"], field, "{arguments}: {fault}");
        assert_eq!(desk.model.len(), before);
    }
}

fn curtain(more: Value) -> Value {
    let mut arguments =
        json!({ "points": [[60000, 60000], [66050, 60000]], "height": 3050, "level_id": "Ground Floor" });
    for (name, value) in more.as_object().unwrap() {
        arguments[name] = value.clone();
    }
    arguments
}

/// The volume in m³ of all parts of a class.
fn volume(desk: &Desk, class: &str) -> f64 {
    let all = desk.model.of_class(class);
    all.into_iter().map(|id| geometry::measure(&desk.model, id).unwrap().volume).sum()
}

#[test]
fn a_curtain_walls_parts_fill_its_grid_without_overlap() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        let answer = desk.call(
            "create_curtain_wall",
            curtain(json!({ "columns": { "count": 4 }, "rows": { "count": 2 } })),
        );
        assert_eq!((&answer["panels"], &answer["mullions"]), (&json!(8), &json!(5 + 12)));
        assert_eq!(answer["quantities"]["Length"]["value"], 6.05);
        assert_eq!(answer["quantities"]["GrossSideArea"]["value"], 18.4525);
        // clear parts of 1450 by 1450
        let glass = 8.0 * 1.45 * 1.45 * 0.024;
        assert!((volume(&desk, "IfcPlate") - glass).abs() < 1e-6, "{}", volume(&desk, "IfcPlate"));
        let frame = (6.05 * 3.05 - 8.0 * 1.45 * 1.45) * 0.15;
        assert!((volume(&desk, "IfcMember") - frame).abs() < 1e-6, "{}", volume(&desk, "IfcMember"));
        let wall = desk.model.of_class("IfcCurtainWall")[0];
        assert_eq!(ifc::relations::children(&desk.model, wall).len(), 25);
        assert_eq!(desk.found("IfcPlate, Qto_PlateBaseQuantities.NetArea=2.1025"), 8);
        desk.clean();
        desk.keep(&format!("curtain-{schema}"));
    }
}

#[test]
fn a_curtain_wall_turns_corners_with_a_post_and_has_doors_up_to_a_transom() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        let answer = desk.call(
            "create_curtain_wall",
            curtain(json!({
                "points": [[60000, 60000], [66000, 60000], [66000, 66000]], "columns": { "distance": 1500 },
                "rows": { "count": 1 }, "doors": [{ "along": 1000 }, { "along": 9000, "height": 3000, "operation_type": "DOUBLE_DOOR_SINGLE_SWING" }]
            })),
        );
        let doors = answer["doors"].as_array().unwrap();
        assert_eq!(doors.len(), 2);
        assert_eq!((&doors[0]["height"], &doors[1]["height"]), (&json!(2100.0), &json!(3000.0)));
        assert_eq!(answer["panels"], json!(2 * 4 - 1));
        // uprights, transoms at foot and head less the doors' feet, one above the lower door, a post
        assert_eq!(answer["mullions"], json!(10 + 16 - 2 + 1 + 1));
        assert!(volume(&desk, "IfcDoor") > 0.0);
        desk.clean();
        let wall = text(&answer["curtain_wall_id"]);
        desk.call("delete_elements", json!({ "element_ids": [wall] }));
        assert_eq!(desk.count("IfcMember") + desk.count("IfcPlate") + desk.count("IfcDoor"), 0);
    }
}

#[test]
fn a_curtain_wall_without_sense_is_refused_with_the_field() {
    let mut desk = Desk::new("IFC4");
    let cases = [
        (json!({ "points": [[0, 0]] }), "points"),
        (json!({ "points": [[0, 0], [0, 0]] }), "points[1]"),
        (json!({ "points": [[0, 0], [9000, 0], [0, 100]] }), "points[1]"),
        (json!({ "points": [[0, 0], [9000, 9000], [9000, 0], [0, 9000]] }), "points"),
        (json!({ "points": [[0, 0], [9000, 0, 100]] }), "points"),
        (json!({ "height": -1 }), "height"),
        (json!({ "height": 1e300 }), "height"),
        (json!({ "columns": { "count": 0 } }), "columns"),
        (json!({ "columns": { "count": 4_000_000_000_u32 } }), "columns"),
        (json!({ "columns": { "distance": 0 } }), "columns"),
        (json!({ "columns": {} }), "columns"),
        (json!({ "rows": { "count": 900 } }), "rows"),
        (
            json!({ "columns": { "count": 60 }, "rows": { "count": 30 }, "points": [[0, 0], [90000, 0], [90000, 90000]] }),
            "columns",
        ),
        (json!({ "mullion_width": 7000 }), "rows"),
        (json!({ "panel_thickness": 400 }), "panel_thickness"),
        (json!({ "panel_material": " " }), "panel_material"),
        (json!({ "doors": [{ "along": -5 }] }), "doors[0].along"),
        (json!({ "doors": [{ "along": 100 }, { "along": 200 }] }), "doors[1].along"),
        (json!({ "doors": [{ "along": 100, "height": 3200 }] }), "doors[0].height"),
        (json!({ "doors": [{ "along": 100, "operation_type": "SWINGING" }] }), "doors[0].operation_type"),
        (json!({ "columns": { "count": 20 }, "doors": [{ "along": 100 }] }), "doors[0].along"),
    ];
    let before = desk.model.len();
    for (more, field) in cases {
        let fault = desk.refuse("create_curtain_wall", curtain(more.clone()));
        assert_eq!(fault.data["field"], field, "{more}: {fault}");
        assert_eq!(desk.model.len(), before);
    }
}

#[test]
fn coverings_lie_on_the_surfaces_of_their_room_less_its_openings() {
    for schema in SCHEMAS {
        let mut desk = with_room(schema);
        room(&mut desk);
        let cover = |desk: &mut Desk, surface: &str| {
            let answer = desk.call("create_covering", json!({ "rooms": ["Room"], "surface": surface }));
            answer["coverings"].as_array().unwrap().clone()
        };
        let area = |covering: &Value| covering["quantities"]["NetArea"]["value"].as_f64().unwrap();
        let near = |found: f64, expected: f64| {
            assert!((found - expected).abs() < 1e-6, "{schema}: {found} {expected}");
        };
        let floor = cover(&mut desk, "floor");
        near(area(&floor[0]), 12.0);
        near(volume(&desk, "IfcCovering"), 12.0 * 0.015);
        let ceiling = cover(&mut desk, "ceiling");
        near(area(&ceiling[0]), 12.0);
        let before = volume(&desk, "IfcCovering");
        let walls = cover(&mut desk, "walls");
        assert_eq!(walls.len(), 4);
        near(walls.iter().map(area).sum(), 14.0 * 2.5 - 0.9 * 2.1);
        // a strip round the room is shorter inside by its thickness at each corner
        let strip = (12.0 - 3.975 * 2.975) * 2.5 - 0.9 * 2.1 * 0.0125;
        near(volume(&desk, "IfcCovering") - before, strip);
        let mut covered: Vec<String> = walls.iter().map(|wall| text(&wall["covers"])).collect();
        covered.sort();
        assert_eq!(covered, ["East", "North", "South", "West"]);
        let skirting = cover(&mut desk, "skirting");
        assert_eq!(skirting.len(), 4);
        near(skirting.iter().map(area).sum(), (14.0 - 0.9) * 0.08);
        let space = desk.model.of_class("IfcSpace")[0];
        assert_eq!(ifc::relations::contained(&desk.model, space).len(), 10);
        desk.clean();
        desk.keep(&format!("coverings-{schema}"));
    }
}

#[test]
fn coverings_that_do_not_fit_their_room_are_refused_with_the_field() {
    let mut desk = with_room("IFC4");
    room(&mut desk);
    let cases = [
        (json!({ "rooms": [], "surface": "floor" }), "rooms"),
        (json!({ "rooms": ["Rom"], "surface": "floor" }), "rooms[0]"),
        (json!({ "rooms": ["Room"], "surface": "floor", "thickness": 0 }), "thickness"),
        (json!({ "rooms": ["Room"], "surface": "floor", "thickness": 2500 }), "thickness"),
        (json!({ "rooms": ["Room"], "surface": "walls", "thickness": 1600 }), "thickness"),
        (json!({ "rooms": ["Room"], "surface": "ceiling", "drop": 2600 }), "drop"),
        (json!({ "rooms": ["Room"], "surface": "floor", "drop": 100 }), "drop"),
        (json!({ "rooms": ["Room"], "surface": "floor", "height": 100 }), "height"),
        (json!({ "rooms": ["Room"], "surface": "walls", "height": 2600 }), "height"),
        (json!({ "rooms": ["Room"], "surface": "floor", "material": "" }), "material"),
    ];
    let before = desk.model.len();
    for (arguments, field) in cases {
        let fault = desk.refuse("create_covering", arguments.clone());
        assert_eq!(fault.data["field"], field, "{arguments}: {fault}");
        assert_eq!(desk.model.len(), before);
    }
}

#[test]
fn coverings_follow_their_room_and_go_with_it_while_furniture_stays() {
    for schema in SCHEMAS {
        let mut desk = with_room(schema);
        room(&mut desk);
        for (surface, colour) in
            [("floor", "oak"), ("ceiling", "white"), ("walls", "beige"), ("skirting", "white")]
        {
            let arguments = json!({ "rooms": ["Room"], "surface": surface, "colour": colour });
            desk.call("create_covering", arguments);
        }
        desk.call("create_furniture", json!({ "kind": "bed", "room": "Room" }));
        let between = json!({ "start": [22300, 20200], "end": [22300, 23200], "height": 2700, "level_id": "Ground Floor" });
        desk.call("create_wall", between);
        let answer = desk.call(
            "modify_parameter",
            json!({
                "element_id": "Room", "parameter_name": "boundary_points",
                "value": [[20200, 20200], [22200, 20200], [22200, 23200], [20200, 23200]]
            }),
        );
        assert_eq!(answer["regenerated"].as_array().unwrap().len(), 10, "{answer}");
        assert_eq!(desk.found("IfcCovering, Qto_CoveringBaseQuantities.NetArea=6"), 2);
        // half of the door is in the room, up to a mitred corner
        let strips = (6.0 - 1.975 * 2.975) * 2.5 - (0.45 * 0.0125 - 0.0125 * 0.0125 / 2.0) * 2.1;
        let skirting = (6.0 - 1.97 * 2.97 - (0.45 * 0.015 - 0.015 * 0.015 / 2.0)) * 0.08;
        let expected = 6.0 * 0.0275 + strips + skirting;
        let found = volume(&desk, "IfcCovering");
        assert!((found - expected).abs() < 1e-6, "{schema}: {found} {expected}");
        desk.clean();
        // one corner less: two sides have walls, the pieces of the others go
        desk.call(
            "modify_parameter",
            json!({
                "element_id": "Room", "parameter_name": "boundary_points",
                "value": [[20200, 20200], [22200, 20200], [20200, 23200]]
            }),
        );
        assert_eq!(desk.count("IfcCovering"), 6);
        desk.clean();
        desk.call("delete_elements", json!({ "element_ids": ["Room"] }));
        assert_eq!(desk.count("IfcCovering"), 0);
        let bed = desk.model.of_class("IfcFurnishingElement")[0];
        let storey = desk.model.of_class("IfcBuildingStorey")[0];
        assert_eq!(ifc::relations::container(&desk.model, bed), Some(storey));
        desk.clean();
    }
}

fn change(desk: &mut Desk, element: &str, parameter: &str, value: Value) -> Value {
    let arguments = json!({ "element_id": element, "parameter_name": parameter, "value": value });
    desk.call("modify_parameter", arguments)
}

/// The volumes of all parts of curtain walls in mm³, from the least.
fn parts(desk: &Desk) -> Vec<i64> {
    let of = |class: &str| desk.model.of_class(class).into_iter();
    let all = of("IfcMember").chain(of("IfcPlate")).chain(of("IfcDoor"));
    let mut found: Vec<i64> =
        all.map(|id| (geometry::measure(&desk.model, id).unwrap().volume * 1e6).round() as i64).collect();
    found.sort_unstable();
    found
}

#[test]
fn a_curtain_wall_that_is_changed_is_the_one_that_would_have_been_made() {
    for schema in SCHEMAS {
        let corner = json!({
            "points": [[60000, 60000], [66000, 60000], [66000, 66000]], "columns": { "distance": 1500 },
            "rows": { "count": 2 }, "doors": [{ "along": 2250, "name": "Entrance" }]
        });
        for (parameter, value) in [
            ("columns", json!({ "count": 6 })),
            ("columns", json!({ "count": 2 })),
            ("rows", json!({ "distance": 800.0 })),
            ("height", json!(4000)),
            ("mullion_width", json!(80)),
            ("mullion_depth", json!(200)),
            ("panel_thickness", json!(40)),
            ("panel_material", json!("Steel sheet")),
            ("mullion_material", json!("Timber")),
        ] {
            let mut desk = Desk::new(schema);
            let made = desk.call("create_curtain_wall", curtain(corner.clone()));
            let wall = text(&made["curtain_wall_id"]);
            let door = text(&made["doors"][0]["door_id"]);
            let changed = change(&mut desk, &wall, parameter, value.clone());
            let what = format!("{schema} {parameter} {value}: {changed}");
            assert_eq!(
                (&changed["after"], &changed["sound"]),
                (&if value.is_number() { json!(value.as_f64()) } else { value.clone() }, &json!(true)),
                "{what}"
            );
            assert!(changed["regenerated"].to_string().contains(&door), "{what}");
            let mut fresh = Desk::new(schema);
            let mut wanted = corner.clone();
            wanted[parameter] = value;
            let again = fresh.call("create_curtain_wall", curtain(wanted));
            assert_eq!(parts(&desk), parts(&fresh), "{what} {again}");
            for class in ["IfcMember", "IfcPlate", "IfcDoor", "IfcRelAggregates"] {
                assert_eq!(desk.count(class), fresh.count(class), "{what} {class}");
            }
            let mut names: Vec<String> = desk
                .model
                .of_class("IfcMember")
                .into_iter()
                .filter_map(|id| desk.model.get(id)?.name())
                .collect();
            let all = names.len();
            names.sort();
            names.dedup();
            assert_eq!(names.len(), all, "{what}: a name is borne twice");
            desk.clean();
            desk.keep(&format!("curtain-{parameter}-{schema}"));
        }
    }
}

#[test]
fn doors_of_a_curtain_wall_come_go_and_are_changed() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        let grid = json!({ "columns": { "count": 4 }, "rows": { "count": 1 }, "doors": [{ "along": 1000 }] });
        let made = desk.call("create_curtain_wall", curtain(grid));
        let wall = text(&made["curtain_wall_id"]);
        let door = text(&made["doors"][0]["door_id"]);
        let moved = change(&mut desk, &door, "along", json!(5500));
        assert_eq!((&moved["before"], &moved["sound"]), (&json!(775.0), &json!(true)), "{moved}");
        assert_eq!(moved["after"], 5275.0, "{moved}");
        let higher = change(&mut desk, &door, "height", json!(2500));
        assert_eq!(higher["after"], 2500.0, "{higher}");
        assert_eq!(desk.found("IfcDoor, OverallHeight=2.5"), 1);
        let two = json!([
            { "along": 5275 }, { "along": 2000, "operation_type": "DOUBLE_DOOR_SINGLE_SWING", "name": "Side" }
        ]);
        let more = change(&mut desk, &wall, "doors", two);
        assert_eq!(more["after"].as_array().map(Vec::len), Some(2), "{more}");
        assert_eq!((desk.count("IfcDoor"), desk.count("IfcPlate")), (2, 4 - 2 + 2));
        assert!(desk.model.by_guid(&door).is_some());
        desk.clean();
        let none = change(&mut desk, &wall, "doors", json!([]));
        assert_eq!((desk.count("IfcDoor"), desk.count("IfcPlate")), (0, 4), "{none}");
        assert_eq!(none["sound"], true);
        desk.clean();
        let host = json!({ "host_id": wall, "location": { "along": 1000 }, "width": 900, "height": 2100, "opening_type": "door" });
        let fault = desk.refuse("create_opening", host);
        assert!(fault.message.contains("parameter_name doors"), "{fault}");
    }
}

#[test]
fn a_curtain_wall_follows_a_raised_storey_and_moves_with_its_line() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        desk.call("create_level", json!({ "name": "First", "elevation": 3050 }));
        let made = desk.call("create_curtain_wall", curtain(json!({ "doors": [{ "along": 1000 }] })));
        let wall = text(&made["curtain_wall_id"]);
        let raised = change(&mut desk, "First", "elevation", json!(3600));
        assert!(raised["regenerated"].to_string().contains(&wall), "{raised}");
        let id = desk.model.by_guid(&wall).unwrap();
        let told = building::quantities::read(&desk.model, id, "Qto_CurtainWallQuantities");
        assert!((told["Height"].value - 3.6).abs() < 1e-9);
        desk.call("move_elements", json!({ "element_ids": [wall], "by": [1000, 500] }));
        desk.call("rotate_elements", json!({ "element_ids": [wall], "angle": 90, "origin": [60000, 60000] }));
        let wider = change(&mut desk, &wall, "columns", json!({ "count": 3 }));
        assert_eq!(wider["sound"], true, "{wider}");
        let bounds = geometry::bounds(&desk.model, desk.model.of_class("IfcDoor")[0]).unwrap();
        // 500 up is 500 to the left once it is turned
        assert!((bounds.centre().x - 59_500.0).abs() < 100.0, "{bounds:?}");
        desk.clean();
    }
}

#[test]
fn what_a_curtain_wall_cannot_be_changed_to_is_refused() {
    let mut desk = Desk::new("IFC4");
    let made = desk.call("create_curtain_wall", curtain(json!({ "doors": [{ "along": 1000 }] })));
    let wall = text(&made["curtain_wall_id"]);
    let door = text(&made["doors"][0]["door_id"]);
    for (element, parameter, value, field) in [
        (&wall, "height", json!(-1), "value"),
        (&wall, "height", json!("high"), "value"),
        (&wall, "columns", json!(4), "value"),
        (&wall, "columns", json!({ "count": 0 }), "value"),
        (&wall, "columns", json!({ "count": 40 }), "value"),
        (&wall, "rows", json!({ "distance": 0 }), "value"),
        (&wall, "panel_thickness", json!(500), "value"),
        (&wall, "panel_material", json!(""), "value"),
        (&wall, "panel_material", json!(5), "value"),
        (&wall, "doors", json!(5), "value"),
        (&wall, "doors", json!([{ "along": -5 }]), "value[0].along"),
        (&wall, "doors", json!([{ "along": 1000, "wide": 5 }]), "value[0].wide"),
        (&wall, "doors", json!([{ "along": 1000, "operation_type": "FLYING" }]), "value[0].operation_type"),
        (&door, "along", json!(99_000), "value"),
        (&door, "height", json!(9000), "value"),
        (&door, "width", json!(900), "parameter_name"),
    ] {
        let before = desk.model.len();
        let arguments = json!({ "element_id": element, "parameter_name": parameter, "value": value });
        let fault = desk.refuse("modify_parameter", arguments.clone());
        assert_eq!(fault.data["field"], field, "{arguments}: {fault}");
        assert_eq!(desk.model.len(), before);
    }
    let narrow = json!({ "element_id": wall, "parameter_name": "columns", "value": { "count": 12 } });
    let fault = desk.refuse("modify_parameter", narrow);
    assert_eq!(fault.data["elements"], json!([door]), "{fault}");
}
