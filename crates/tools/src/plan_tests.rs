//! Plans that come back: drawn by us and read again as elements, and as pictures that are traced.

use crate::desk::Desk;
use crate::schedule_tests::house;
use serde_json::{Value, json};

/// The ground floor of the house as a file of a format.
fn drawn(format: &str, more: Value) -> Vec<u8> {
    let mut desk = house();
    let mut asked = json!({ "cut_plane": { "level_id": "Ground Floor" }, "scale": 50, "format": format });
    if let (Some(asked), Value::Object(more)) = (asked.as_object_mut(), more) {
        asked.extend(more);
    }
    desk.call("create_section", asked);
    let wanted = |(name, _): &&(String, Vec<u8>)| name.rsplit('.').next() == Some(format);
    desk.files.iter().find(wanted).unwrap_or_else(|| panic!("no {format}")).1.clone()
}

/// Lengths and thicknesses of walls in mm, in order.
fn walls(desk: &mut Desk) -> Vec<(i64, i64)> {
    let asked =
        json!({ "selector": "IfcWall, storey=\"Ground Floor\"", "fields": ["computed.Length", "thickness"] });
    let found = desk.call("query_elements", asked);
    let round = |value: &Value, by: f64| (value.as_f64().unwrap() * by).round() as i64;
    let rows = found["rows"].as_array().unwrap().iter();
    let mut all: Vec<(i64, i64)> =
        rows.map(|row| (round(&row["computed.Length"], 1000.0), round(&row["thickness"], 1.0))).collect();
    all.sort_unstable();
    all
}

#[test]
fn a_drawn_plan_becomes_walls_doors_windows_and_rooms() {
    for format in ["dxf", "svg"] {
        let file = drawn(format, json!({}));
        let mut desk = Desk::new("IFC4");
        let told = desk.given(
            "import_plan",
            &[("file", &file)],
            json!({ "file": "x", "level_id": "Ground Floor", "height": 3000, "door_height": 2000, "window_height": 1100, "sill": 950 }),
        );
        assert_eq!(told["not_made"], Value::Null, "{format}: {told}");
        let counts =
            ["walls", "doors", "windows", "spaces"].map(|name| told[name].as_array().map_or(0, Vec::len));
        assert_eq!(counts, [5, 2, 1, 2], "{format}: {told}");
        assert_eq!(walls(&mut desk), walls(&mut house()), "{format}");
        let mut names: Vec<&str> =
            told["spaces"].as_array().unwrap().iter().map(|space| space[1].as_str().unwrap()).collect();
        names.sort_unstable();
        assert_eq!(names, ["101", "102"], "{format}: {told}");
        let door = desk.call("query_elements", json!({ "selector": "IfcDoor", "fields": ["OverallHeight"] }));
        assert_eq!(door["rows"][0]["OverallHeight"], json!(2), "{format}");
        let window = desk.call(
            "generate_schedule",
            json!({ "category": "windows", "parameters": ["OverallHeight", "sill"] }),
        );
        let row = &window["schedule_data"][0];
        assert_eq!((&row[0], &row[1]), (&json!(1.1), &json!(950)), "{format}: {window}");
        assert!(desk.files.iter().all(|(name, _)| name != "plan-as-read.svg"), "of the call before alone");
    }
}

/// Boxes of elements of a class in plan, in mm from the lower left corner of all walls of the storey.
fn boxes(desk: &Desk, class: &str) -> Vec<[f64; 4]> {
    let model = &desk.model;
    let on_storey = |class: &str| -> Vec<ifc::Id> {
        let is_there = |id: &ifc::Id| {
            ifc::relations::storey_of(model, *id).and_then(|storey| model.get(storey)?.name()).as_deref()
                == Some("Ground Floor")
        };
        model.of_class(class).into_iter().filter(is_there).collect()
    };
    let bounds = |class: &str| -> Vec<_> {
        geometry::element::bounds_of_many(model, &on_storey(class)).into_iter().flatten().collect()
    };
    let corner =
        bounds("IfcWall").iter().map(|own| own.min.truncate()).fold(glam::DVec2::INFINITY, glam::DVec2::min);
    let mut all: Vec<[f64; 4]> = bounds(class)
        .iter()
        .map(|own| {
            let (low, high) = (own.min.truncate() - corner, own.max.truncate() - corner);
            [low.x, low.y, high.x, high.y].map(|value| value * 1000.0)
        })
        .collect();
    all.sort_by(|a, b| a.iter().map(|v| v.round()).partial_cmp(b.iter().map(|v| v.round())).unwrap());
    all
}

#[test]
fn a_plan_that_comes_back_has_its_walls_doors_windows_and_rooms_where_they_were() {
    for format in ["dxf", "svg"] {
        let file = drawn(format, json!({}));
        let mut desk = Desk::new("IFC4");
        let asked = json!({ "file": "x", "level_id": "Ground Floor", "height": 3000 });
        desk.given("import_plan", &[("file", &file)], asked);
        let before = house();
        for (class, within) in [("IfcWall", 1.0), ("IfcDoor", 1.0), ("IfcWindow", 1.0), ("IfcSpace", 1.0)] {
            let (given, found) = (boxes(&before, class), boxes(&desk, class));
            assert_eq!(given.len(), found.len(), "{format} {class}");
            for (given, found) in given.iter().zip(&found) {
                let far = given.iter().zip(found).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(far <= within, "{format} {class}: {given:?} {found:?}");
            }
        }
    }
}

#[test]
fn doors_of_one_wall_that_open_to_both_its_sides_come_back_as_they_were() {
    let cases = [
        (1500, "SINGLE_SWING_LEFT", false),
        (3500, "SINGLE_SWING_RIGHT", false),
        (5500, "SINGLE_SWING_LEFT", true),
        (7500, "SINGLE_SWING_RIGHT", true),
    ];
    let mut desk = Desk::new("IFC4");
    desk.call(
        "create_wall",
        json!({ "start": [0, 0], "end": [9000, 0], "thickness": 200, "height": 3000, "level_id": "Ground Floor", "name": "Long" }),
    );
    for (along, operation, flipped) in cases {
        desk.call(
            "create_opening",
            json!({ "host_id": "Long", "location": { "along": along }, "width": 900, "height": 2100, "opening_type": "door",
                    "operation_type": operation, "flipped": flipped }),
        );
    }
    desk.clean();
    let hung = |desk: &Desk| {
        let model = &desk.model;
        let mut all: Vec<(i64, String, bool)> = model
            .of_class("IfcDoor")
            .into_iter()
            .map(|id| {
                let door = model.get(id).unwrap();
                let place = ifc::placement::world(model, door.reference("ObjectPlacement").unwrap()).unwrap();
                let links = ifc::relations::Links::of_one(model);
                let of_type = model.get(links.type_of(id).unwrap()).unwrap();
                let operation = of_type.enumeration("OperationType").unwrap();
                let along = place.transform_point3(glam::DVec3::X * 0.45).x;
                ((along * 1000.0).round() as i64, operation, place.matrix3.y_axis.y < 0.0)
            })
            .collect();
        all.sort();
        all
    };
    let expected: Vec<(i64, String, bool)> =
        cases.iter().map(|(at, operation, flipped)| (*at, (*operation).to_owned(), *flipped)).collect();
    assert_eq!(hung(&desk), expected);
    desk.call(
        "create_section",
        json!({ "cut_plane": { "level_id": "Ground Floor" }, "scale": 50, "format": "dxf" }),
    );
    let file = desk.files.iter().find(|(name, _)| name.rsplit('.').next() == Some("dxf")).unwrap().1.clone();
    let mut read = Desk::new("IFC4");
    let asked = json!({ "file": "x", "level_id": "Ground Floor", "height": 3000, "place": "drawing" });
    let told = read.given("import_plan", &[("file", &file)], asked);
    assert_eq!(told["doors"].as_array().unwrap().len(), 4, "{told}");
    let found = hung(&read);
    let far = found[0].0 - expected[0].0;
    // the wall may be read from its other end, with which left and right of its doors change
    let wanted: Vec<(i64, String, bool)> =
        expected.iter().map(|(at, operation, flipped)| (at + far, operation.clone(), *flipped)).collect();
    assert_eq!(found, wanted, "{told}");
    read.clean();
    // another width keeps the side
    desk.call(
        "modify_parameter",
        json!({ "element_id": "Door 3", "parameter_name": "width", "value": 1000 }),
    );
    let doors = hung(&desk);
    assert!(doors[2].2 && doors[3].2 && !doors[0].2, "{doors:?}");
    // and can be turned about, and hung on its other side, which is its type's
    desk.call(
        "modify_parameter",
        json!({ "element_id": "Door 1", "parameter_name": "flipped", "value": true }),
    );
    let told = desk.call(
        "modify_parameter",
        json!({ "element_id": "Door 1", "parameter_name": "OperationType", "value": "SINGLE_SWING_RIGHT" }),
    );
    assert_eq!(
        (&told["before"], &told["after"]),
        (&json!("SINGLE_SWING_LEFT"), &json!("SINGLE_SWING_RIGHT"))
    );
    let door = hung(&desk)[0].clone();
    assert_eq!((door.1.as_str(), door.2), ("SINGLE_SWING_RIGHT", true));
    let fault = desk.refuse(
        "modify_parameter",
        json!({ "element_id": "Door 1", "parameter_name": "operation_type", "value": "SINGLE_SWNG" }),
    );
    assert_eq!(fault.data["field"], "value");
    let model = &desk.model;
    let boxes = geometry::element::bounds_of_many(model, &model.of_class("IfcDoor"));
    let wall = geometry::element::bounds(model, model.of_class("IfcWall")[0]).unwrap();
    for own in boxes.into_iter().flatten() {
        assert!(own.min.y > wall.min.y - 1e-9 && own.max.y < wall.max.y + 1e-9, "in the wall: {own:?}");
    }
    desk.clean();
}

#[test]
fn a_plan_that_says_too_little_is_refused_with_what_would_help() {
    let mut desk = Desk::new("IFC4");
    let square = |unit: &str| {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" {unit} viewBox=\"0 0 44 34\"><g id=\"walls\" stroke-width=\"0.1\"><rect width=\"44\" height=\"34\" fill=\"none\" \
             stroke=\"black\"/><rect x=\"2\" y=\"2\" width=\"40\" height=\"30\" fill=\"none\" stroke=\"black\"/></g></svg>"
        )
    };
    for (file, arguments, field) in [
        ("0\nSECTION\n2\nENT".to_owned(), json!({}), "file"),
        ("<svg/>".to_owned(), json!({ "scale": 1 }), "file"),
        (square(""), json!({ "scale": -1 }), "scale"),
        (square(""), json!({ "scale": 100, "layers": { "wal": ["0"] } }), "layers"),
        (square(""), json!({ "scale": 100, "layers": { "ignore": ["walls"] } }), "layers"),
        (square(""), json!({ "scale": 100, "level_id": "Attic" }), "level_id"),
        (square(""), json!({ "scale": 100, "place": "corner" }), "place"),
    ] {
        let mut asked = json!({ "file": file, "level_id": "Ground Floor" });
        asked.as_object_mut().unwrap().extend(arguments.as_object().unwrap().clone());
        let fault = desk.refuse("import_plan", asked);
        assert_eq!(fault.data["field"], field, "{fault}");
    }
    let told =
        desk.call("import_plan", json!({ "file": square(""), "level_id": "Ground Floor", "scale": 100 }));
    assert_eq!(told["walls"].as_array().unwrap().len(), 4, "{told}");
}

#[test]
fn a_picture_of_a_plan_is_traced_and_asks_for_its_scale() {
    let picture = drawn("png", json!({ "dpi": 200 }));
    let mut desk = Desk::new("IFC4");
    let given = [("file", picture.as_slice())];
    let told = desk.given("trace_image", &given, json!({ "file": "plan.png" }));
    assert!(told["counts"]["walls"]["found"].as_u64().unwrap() >= 5, "{told}");
    assert!(!told["questions"].as_array().unwrap().is_empty() && told["mm_per_pixel"].is_null(), "{told}");
    let names: Vec<&str> = desk.files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["trace.png", "trace.json"]);
    // at 1:50 and 200 dots an inch a pixel is 6.35 mm
    let scaled = desk.given(
        "trace_image",
        &given,
        json!({ "file": "plan.png", "scale": { "pixels": 100, "mm": 635 }, "limit": 2 }),
    );
    assert!((scaled["mm_per_pixel"].as_f64().unwrap() - 6.35).abs() < 1e-9);
    assert_eq!(scaled["walls"].as_array().unwrap().len(), 2);
    let longest = scaled["walls"]
        .as_array()
        .unwrap()
        .iter()
        .map(|wall| wall["length_mm"].as_f64().unwrap())
        .fold(0.0, f64::max);
    assert!((7000.0..10500.0).contains(&longest), "{scaled}");
    let fault =
        desk.try_given("trace_image", &[("file", b"no picture")], json!({ "file": "x" })).unwrap_err();
    assert_eq!(fault.data["field"], "file");
    let fault = desk
        .try_given("trace_image", &given, json!({ "file": "x", "scale": { "pixels": 0, "mm": 1 } }))
        .unwrap_err();
    assert_eq!(fault.data["field"], "scale");
}
