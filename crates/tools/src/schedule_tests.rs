//! Schedules, filled-in copies of them, and take-offs.

use crate::desk::Desk;
use serde_json::{Value, json};

/// A house of two storeys with two rooms below, two doors of different widths and a window.
pub(crate) fn house() -> Desk {
    let mut desk = Desk::new("IFC4");
    desk.call(
        "create_building_shell",
        json!({
            "footprint": [[0, 0], [10000, 0], [10000, 8000], [0, 8000]],
            "storeys": [{ "name": "Ground Floor", "height": 3000 }, { "name": "Attic", "height": 2800 }],
            "wall_thickness": 300, "names": { "walls": "Wall {n}" }
        }),
    );
    desk.call(
        "create_wall",
        json!({ "start": [5000, 150], "end": [5000, 7850], "thickness": 120, "level_id": "Ground Floor", "name": "Partition" }),
    );
    desk.call("create_opening", json!({ "host_id": "Partition", "location": { "at": "center" }, "width": 900, "height": 2100, "opening_type": "door", "name": "Inner door" }));
    desk.call("create_opening", json!({ "host_id": "Wall 1", "location": { "fraction": 0.2 }, "width": 1100, "height": 2200, "opening_type": "door", "name": "Front door" }));
    desk.call("create_opening", json!({ "host_id": "Wall 2", "location": { "at": "center" }, "width": 1500, "height": 1200, "opening_type": "window", "name": "Window" }));
    for (name, from, to) in [("101", 300, 4940), ("102", 5060, 9700)] {
        let corners = json!([[from, 300], [to, 300], [to, 7700], [from, 7700]]);
        desk.call(
            "create_space",
            json!({ "boundary_points": corners, "level_id": "Ground Floor", "name": name, "long_name": "Hall" }),
        );
    }
    desk
}

fn column(told: &Value, heading: &str) -> usize {
    let columns = told["columns"].as_array().unwrap();
    columns
        .iter()
        .position(|column| column["heading"] == heading)
        .unwrap_or_else(|| panic!("{heading}: {told}"))
}

fn cells(told: &Value, heading: &str) -> Vec<Value> {
    let at = column(told, heading);
    told["schedule_data"].as_array().unwrap().iter().map(|row| row[at].clone()).collect()
}

fn id(desk: &mut Desk, selector: &str) -> String {
    let found = desk.call("query_elements", json!({ "selector": selector }));
    found["rows"][0]["id"].as_str().unwrap().to_owned()
}

#[test]
fn every_template_has_rows_and_columns_of_the_house() {
    let mut desk = house();
    for (template, rows, heading) in [
        ("door", 2, "Operation"),
        ("window", 1, "Sill height"),
        ("room", 2, "Height"),
        ("finish", 2, "Floor"),
        ("wall_type", 2, "Layers"),
        ("equipment", 0, "Manufacturer"),
    ] {
        let told = desk.call("generate_schedule", json!({ "template": template }));
        assert_eq!(told["rows"], rows, "{template}: {told}");
        column(&told, heading);
    }
    let doors = desk.call("generate_schedule", json!({ "template": "door" }));
    assert_eq!(
        cells(&doors, "Width"),
        [json!(1100), json!(900)],
        "sorted by name, since none has a mark: {doors}"
    );
    let between = cells(&doors, "Between");
    assert!(between.iter().any(|sides| sides.as_str().unwrap().contains("outdoors")), "{between:?}");
    let windows = desk.call("generate_schedule", json!({ "template": "window" }));
    assert_eq!(cells(&windows, "Sill height"), [json!(900)]);
    assert_eq!(windows["totals"]["Area"], json!(1.8));
    let walls = desk.call("generate_schedule", json!({ "template": "wall_type" }));
    let count: i64 = cells(&walls, "Count").iter().map(|count| count.as_i64().unwrap()).sum();
    assert_eq!(count, 9, "each wall counts once: {walls}");
}

#[test]
fn columns_are_computed_grouped_sorted_and_converted() {
    let mut desk = house();
    let told = desk.call(
        "generate_schedule",
        json!({
            "category": "walls",
            "parameters": [
                "Name", "storey",
                { "field": "thickness", "unit": "in", "heading": "Thickness", "decimals": 1 },
                { "field": "area", "heading": "Area" },
                { "field": "computed.Length", "heading": "Length", "total": "sum" },
                { "heading": "Cost", "formula": "[Area] * 85", "unit": "EUR", "total": "sum" }
            ],
            "group_by": "storey", "sort": ["-Area", "Name"], "title": "Walls & co", "format": "html"
        }),
    );
    let groups: Vec<&str> =
        told["groups"].as_array().unwrap().iter().map(|group| group["group"].as_str().unwrap()).collect();
    assert_eq!(groups, ["storey: Ground Floor", "storey: Attic"], "storeys stand by height");
    let areas: Vec<f64> = cells(&told, "Area").iter().map(|area| area.as_f64().unwrap()).collect();
    assert!(areas[..5].is_sorted_by(|a, b| a >= b), "{areas:?}");
    let cost: f64 = areas.iter().sum::<f64>() * 85.0;
    assert!((told["totals"]["Cost"].as_f64().unwrap() - cost).abs() < 1e-6, "{told}");
    let thickness = cells(&told, "Thickness");
    assert!(
        thickness.iter().any(|inches| (inches.as_f64().unwrap() - 120.0 / 25.4).abs() < 1e-6),
        "{thickness:?}"
    );
    assert_eq!(told["columns"][column(&told, "Thickness")]["unit"], "in");
    let (name, page) = desk.files.pop().unwrap();
    assert_eq!(name, "Walls-co.html");
    assert!(String::from_utf8(page).unwrap().contains("Walls &amp; co"));
}

#[test]
fn rows_that_are_alike_become_one_with_their_count() {
    let mut desk = house();
    let told = desk.call(
        "generate_schedule",
        json!({ "category": "walls", "parameters": ["storey", { "field": "area", "heading": "Area" }], "itemized": false }),
    );
    let counts = cells(&told, "Count");
    assert_eq!(counts, [json!(5), json!(4)], "{told}");
    let ids = told["schedule_data"][0].as_array().unwrap().last().unwrap().as_str().unwrap().to_owned();
    assert_eq!(ids.split(' ').count(), 5, "the ids of all stand together");
}

#[test]
fn a_schedule_that_cannot_be_is_refused_with_the_reason() {
    let mut desk = house();
    for (arguments, field, words) in [
        (json!({}), "category", "Name a category"),
        (json!({ "category": "doors" }), "parameters", "Name the columns"),
        (json!({ "category": "dors", "parameters": ["Name"] }), "category", "no category"),
        (json!({ "category": "IfcDoors", "parameters": ["Name"] }), "category", "IfcDoor"),
        (
            json!({ "category": "doors", "parameters": ["Pset_DoorCommon.FireRatting"] }),
            "parameters[0]",
            "None of these",
        ),
        (json!({ "category": "doors", "parameters": ["Name", "Name"] }), "parameters[1]", "Two columns"),
        (
            json!({ "category": "walls", "parameters": [{ "field": "area", "unit": "kg" }] }),
            "parameters[0].unit",
            "m²",
        ),
        (
            json!({ "category": "walls", "parameters": [{ "field": "area", "total": "median" }] }),
            "parameters[0].total",
            "sum",
        ),
        (
            json!({ "category": "walls", "parameters": ["Name", { "formula": "[Nme] * 2", "heading": "X" }] }),
            "parameters[1].formula",
            "no column",
        ),
        (json!({ "category": "walls", "parameters": [{ "formula": "1" }] }), "parameters[0]", "heading"),
        (json!({ "category": "walls", "parameters": ["Name"], "sort": "Area" }), "sort[0]", "no column"),
        (
            json!({ "category": "walls", "parameters": ["computed.NetSideAera"] }),
            "parameters[0]",
            "NetSideArea",
        ),
        (json!({ "category": "walls", "parameters": ["Name"], "filters": "Nme=x" }), "filters", "attribute"),
        (
            json!({ "category": "walls", "parameters": ["Name", { "field": "GlobalId", "heading": "GlobalId" }] }),
            "parameters[1]",
            "ids stand",
        ),
    ] {
        let fault = desk.refuse("generate_schedule", arguments.clone());
        assert_eq!(fault.data["field"], field, "{arguments}: {fault}");
        assert!(
            fault.message.contains(words) || format!("{:?}", fault.data).contains(words),
            "{arguments}: {fault}"
        );
    }
    let empty = desk.call("generate_schedule", json!({ "category": "columns", "parameters": ["Name"] }));
    assert_eq!((&empty["rows"], &empty["elements"]), (&json!(0), &json!(0)));
    assert!(empty["notes"][0].as_str().unwrap().contains("empty"), "{empty}");
}

#[test]
fn a_filled_in_schedule_comes_back_cell_by_cell() {
    let mut desk = house();
    let parameters =
        json!(["Name", "OverallWidth", "Pset_DoorCommon.IsExternal", "Pset_DoorCommon.FireRating", "storey"]);
    let front = id(&mut desk, "IfcDoor, Name=\"Front door\"");
    desk.call(
        "set_properties",
        json!({ "element_ids": [front], "pset": "Pset_DoorCommon", "properties": { "FireRating": "EI 30" } }),
    );
    desk.call("generate_schedule", json!({ "category": "doors", "parameters": parameters, "format": "csv" }));
    let text = String::from_utf8(desk.files.pop().unwrap().1).unwrap();
    let same = desk.given("import_schedule", &[("file", text.as_bytes())], json!({ "file": "x" }));
    assert_eq!((&same["count"], &same["refused_count"]), (&json!(0), &json!(0)), "{same}");
    let front = text.lines().find(|line| line.contains("Front door")).unwrap();
    let filled = front
        .replace("Front door", "Main entrance")
        .replace("EI 30", "'=2+3")
        .replace("Ground Floor", "Attic");
    let filled = filled.replacen("1.1,", "1.2,", 1);
    let given = text.replace(front, &filled);
    let told = desk.given("import_schedule", &[("file", given.as_bytes())], json!({ "file": "x" }));
    let changed: Vec<&str> =
        told["changed"].as_array().unwrap().iter().map(|cell| cell["column"].as_str().unwrap()).collect();
    assert_eq!(changed, ["Name", "OverallWidth (m)", "Pset_DoorCommon.FireRating"], "{told}");
    assert_eq!(told["changed"][2]["after"], "=2+3", "a text, whatever it looks like");
    let refused = &told["refused"][0];
    assert!(
        refused["column"] == "storey" && refused["reason"].as_str().unwrap().contains("follows"),
        "{told}"
    );
    let door = desk.call(
        "query_elements",
        json!({ "selector": "IfcDoor, Name=\"Main entrance\"", "fields": ["OverallWidth", "area"] }),
    );
    assert_eq!(door["rows"][0]["area"], json!(2.64), "the door is drawn as wide as it is said to be: {door}");
}

#[test]
fn what_cannot_be_written_back_is_told_line_by_line() {
    let mut desk = house();
    let door = id(&mut desk, "IfcDoor, Name=\"Front door\"");
    let read = |desk: &mut Desk, text: &str| {
        desk.given("import_schedule", &[("file", text.as_bytes())], json!({ "file": "x" }))
    };
    for (text, words) in [
        (format!("Pset_DoorCommon.IsExternal,GlobalId\nperhaps,{door}\n"), "neither TRUE"),
        (format!("OverallWidth (m),GlobalId\nwide,{door}\n"), "no number"),
        (format!("OverallWidth (m),GlobalId\n-1,{door}\n"), ""),
        (format!("OverallWidth (kg),GlobalId\n2,{door}\n"), "in m, and the file in kg"),
        (format!("GlobalId,PredefinedType\n{door},GATE\n"), "type"),
        ("Name,GlobalId\nX,0000000000000000000000\n".to_owned(), "0000000000000000000000"),
    ] {
        let told = read(&mut desk, &text);
        assert_eq!((&told["count"], &told["refused_count"]), (&json!(0), &json!(1)), "{text}: {told}");
        assert_eq!(told["refused"][0]["line"], 2);
        assert!(told["refused"][0]["reason"].as_str().unwrap().contains(words), "{text}: {told}");
    }
    for (text, words) in [("Name\nx\n", "GlobalId"), ("", "GlobalId"), ("\u{0}GlobalId", "null")] {
        let fault = desk
            .try_given("import_schedule", &[("file", text.as_bytes())], json!({ "file": "x" }))
            .unwrap_err();
        assert!(fault.message.contains(words), "{fault}");
    }
}

#[test]
fn a_sheet_of_an_older_version_does_not_turn_back_what_was_changed_since() {
    let mut desk = house();
    desk.call(
        "generate_schedule",
        json!({ "category": "doors", "parameters": ["Name", "Tag"], "format": "xlsx" }),
    );
    let book = desk.files.pop().unwrap().1;
    let door = id(&mut desk, "IfcDoor, Name=\"Front door\"");
    desk.call(
        "modify_parameter",
        json!({ "element_id": door, "parameter_name": "Name", "value": "Entrance" }),
    );
    let told = desk.given("import_schedule", &[("file", &book)], json!({ "file": "x" }));
    assert_eq!(
        (&told["count"], &told["refused_count"]),
        (&json!(0), &json!(0)),
        "no cell was filled in: {told}"
    );
}

#[test]
fn quantities_are_added_up_with_their_sources() {
    let mut desk = house();
    let told =
        desk.call("quantity_takeoff", json!({ "categories": ["walls"], "grouping": ["level", "type"] }));
    let rows = told["quantities"].as_array().unwrap();
    let of = |level: &str, quantity: &str| -> f64 {
        let rows = rows.iter().filter(|row| row["level"] == level && row["quantity"] == quantity);
        rows.map(|row| row["value"].as_f64().unwrap()).sum()
    };
    assert_eq!((of("Ground Floor", "Count"), of("Attic", "Count")), (5.0, 4.0));
    let openings = 0.9 * 2.1 + 1.1 * 2.2 + 1.5 * 1.2;
    let differ = of("Ground Floor", "GrossSideArea") - of("Ground Floor", "NetSideArea");
    assert!((differ - openings).abs() < 1e-6, "gross less net is the openings: {differ}");
    let row = rows.iter().find(|row| row["quantity"] == "NetVolume").unwrap();
    assert!(row["stored"].is_number() && row["computed"].is_number() && row["source"] == "computed", "{row}");
    assert!(row["difference"].as_f64().unwrap().abs() < 1.0, "{row}");
    let stored = desk.call(
        "quantity_takeoff",
        json!({ "categories": ["walls"], "source": "stored", "quantities": ["NetVolume"] }),
    );
    assert_eq!(stored["quantities"][0]["source"], "stored");
}

#[test]
fn materials_share_the_volume_and_have_cost_and_carbon() {
    let mut desk = house();
    let layers = json!([
        { "material": "Brick", "thickness": 115 }, { "material": "Wool", "thickness": 140 },
        { "material": "Block", "thickness": 175 }
    ]);
    desk.call("create_wall", json!({ "start": [0, 12000], "end": [8000, 12000], "level_id": "Ground Floor", "height": 2500, "name": "Garden wall", "layers": layers }));
    let rates = "material,unit,cost (EUR),carbon,waste\nBrick,m³,400,300,10\nWool,m³,90,45,\n";
    let told = desk.given(
        "quantity_takeoff",
        &[("rates", rates.as_bytes())],
        json!({ "categories": ["IfcWall, Name=\"Garden wall\""], "grouping": ["material"], "waste": 5, "rates": "x" }),
    );
    let row = |material: &str, quantity: &str| {
        let rows = told["quantities"].as_array().unwrap();
        rows.iter()
            .find(|row| row["material"] == material && row["quantity"] == quantity)
            .cloned()
            .unwrap_or_default()
    };
    let volume = 8.0 * 2.5 * 0.115;
    let brick = row("Brick", "NetVolume");
    assert!((brick["value"].as_f64().unwrap() - volume).abs() < 1e-6, "{told}");
    assert!((brick["cost"].as_f64().unwrap() - volume * 1.1 * 400.0).abs() < 1e-6, "{brick}");
    assert!(
        (row("Wool", "NetVolume")["carbon"].as_f64().unwrap() - 8.0 * 2.5 * 0.14 * 1.05 * 45.0).abs() < 1e-6,
        "{told}"
    );
    assert!(row("Brick", "Length").is_null(), "a length is of the whole wall");
    assert_eq!(told["currency"], "EUR");
    assert!(told["notes"].to_string().contains("Block"), "what has no rate is told: {told}");
}

#[test]
fn a_rate_of_a_class_is_for_its_subtypes_and_what_is_of_no_use_is_told() {
    let mut desk = house();
    let rates = "class,unit,cost,waste\nIfcBuildingElement,m³,400,\ndoors,pcs,900,\nIfcSlab,kg,3,\n";
    let told = desk.given(
        "quantity_takeoff",
        &[("rates", rates.as_bytes())],
        json!({ "categories": ["walls", "doors"], "grouping": ["class"], "waste": 5, "rates": "x" }),
    );
    let rows = told["quantities"].as_array().unwrap();
    let row = |class: &str, quantity: &str| {
        rows.iter().find(|row| row["class"] == class && row["quantity"] == quantity).unwrap()
    };
    let wall = row("IfcWall", "NetVolume");
    let volume = wall["value"].as_f64().unwrap();
    assert!((wall["cost"].as_f64().unwrap() - volume * 1.05 * 400.0).abs() < 1e-6, "{wall}");
    let doors = row("IfcDoor", "Count");
    assert_eq!((&doors["cost"], &doors["waste"]), (&json!(1800), &json!(0)), "no piece is lost: {doors}");
    let notes = told["notes"].to_string();
    assert!(notes.contains("line 4 (IfcSlab, kg)"), "{notes}");
}

#[test]
fn headings_that_people_know_stand_for_their_fields() {
    let mut desk = house();
    let told = desk.call(
        "generate_schedule",
        json!({ "category": "doors", "parameters": ["Name", "width", "Fire_rating", "between"] }),
    );
    let headings: Vec<&str> = told["columns"]
        .as_array()
        .unwrap()
        .iter()
        .map(|column| column["heading"].as_str().unwrap())
        .collect();
    assert_eq!(headings, ["Name", "Width", "Fire rating", "Between"]);
    assert_eq!(told["columns"][1]["unit"], "mm");
    let told =
        desk.call("generate_schedule", json!({ "category": "rooms", "parameters": ["Name", "storey"] }));
    assert_eq!(cells(&told, "Name"), ["101", "102"], "a field by its own name is that field");
    assert_eq!(told["columns"][1]["heading"], "storey");
    let fault =
        desk.refuse("generate_schedule", json!({ "category": "doors", "parameters": [{ "feld": "Name" }] }));
    assert!(fault.message.contains("such as"), "{fault}");
}

#[test]
fn codes_come_from_a_table_or_from_the_file() {
    let mut desk = house();
    let codes = "class,material,code\nIfcWall,,331\nIfcDoor,,344\n";
    let told = desk.given(
        "quantity_takeoff",
        &[("classification_table", codes.as_bytes())],
        json!({ "categories": ["walls", "doors", "windows"], "grouping": ["classification"], "quantities": ["Count"], "classification_table": "x" }),
    );
    let counts: Vec<(String, i64)> = told["quantities"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["classification"].as_str().unwrap().to_owned(), row["value"].as_i64().unwrap()))
        .collect();
    assert_eq!(counts, [("(none)".to_owned(), 1), ("331".to_owned(), 9), ("344".to_owned(), 2)]);
}

#[test]
fn a_take_off_that_cannot_be_is_refused_with_the_reason() {
    let mut desk = house();
    for (arguments, field) in [
        (json!({ "categories": [] }), "categories"),
        (json!({ "categories": ["wals"] }), "categories[0]"),
        (json!({ "categories": ["walls"], "grouping": ["Pset_WallCommon.Nothing"] }), "grouping[0]"),
        (json!({ "categories": ["walls"], "quantities": ["NetVolum"] }), "quantities[0]"),
        (json!({ "categories": ["walls"], "quantities": ["Width"] }), "quantities[0]"),
        (json!({ "categories": ["walls"], "waste": -1 }), "waste"),
    ] {
        let fault = desk.refuse("quantity_takeoff", arguments.clone());
        assert_eq!(fault.data["field"], field, "{arguments}: {fault}");
    }
    for (rates, words) in [
        ("material,cost\nBrick,4\n", "unit"),
        ("class,unit,cost\nIfcWall,furlong,4\n", "Line 2"),
        ("class,unit,cost\nIfcWall,m³,dear\n", "no number"),
        ("class,unit,price\nIfcWall,m³,4\n", "price"),
        ("class,unit,cost\n", "no line"),
        ("material,unit,cost\nBrick,m³,4\n", "grouping"),
    ] {
        let given = [("rates", rates.as_bytes())];
        let fault = desk
            .try_given("quantity_takeoff", &given, json!({ "categories": ["walls"], "rates": "x" }))
            .unwrap_err();
        assert!(fault.message.contains(words), "{rates}: {fault}");
    }
}

#[test]
fn two_versions_are_told_apart_by_their_quantities() {
    let mut desk = house();
    let before = desk.model.clone();
    desk.call("delete_elements", json!({ "element_ids": ["Window"] }));
    let told = desk.beside(
        "quantity_takeoff",
        "diff_base",
        &before,
        json!({ "categories": ["walls", "windows"], "grouping": ["class"], "diff_base": "x" }),
    );
    let rows = told["quantities"].as_array().unwrap();
    let change = |class: &str, quantity: &str| {
        let row = rows.iter().find(|row| row["class"] == class && row["quantity"] == quantity);
        row.map(|row| row["change"].as_f64().unwrap())
    };
    assert_eq!(change("IfcWindow", "Count"), Some(-1.0), "{told}");
    assert!((change("IfcWall", "NetSideArea").unwrap() - 1.8).abs() < 1e-6, "{told}");
    assert_eq!(change("IfcWall", "GrossSideArea"), None, "what is the same is left out");
    let rates = "class,unit,cost,carbon\nIfcWindow,pcs,650,40\nIfcWall,m³,300,200\n";
    let asked = json!({ "categories": ["walls", "windows"], "grouping": ["class"], "diff_base": "x", "rates": "y", "waste": 10 });
    let told =
        desk.beside_given("quantity_takeoff", ("diff_base", &before), ("rates", rates.as_bytes()), asked);
    let rows = told["quantities"].as_array().unwrap();
    let row = |class: &str, quantity: &str| {
        rows.iter().find(|row| row["class"] == class && row["quantity"] == quantity).unwrap()
    };
    assert_eq!(row("IfcWindow", "Count")["cost"], -650, "{told}");
    let wall = row("IfcWall", "NetVolume");
    let volume = 1.8 * 0.3 * 1.1;
    assert!((wall["cost"].as_f64().unwrap() - volume * 300.0).abs() < 1e-6, "{wall}");
    assert!((wall["carbon"].as_f64().unwrap() - volume * 200.0).abs() < 1e-6, "{wall}");
}
