//! Sheets: made, kept with the model, drawn again after edits, numbered, revised, taken out; what is wrong with them is said.

use crate::desk::Desk;
use serde_json::{Value, json};

/// A house of one room with a door, on a storey of its own.
fn house() -> Desk {
    let mut desk = Desk::new("IFC4");
    desk.call(
        "create_building_shell",
        json!({
            "footprint": [[0, 0], [10000, 0], [10000, 8000], [0, 8000]],
            "storeys": [{ "name": "Ground Floor", "height": 3000 }], "wall_thickness": 300
        }),
    );
    desk
}

fn pdf(desk: &mut Desk) -> Vec<u8> {
    let (name, bytes) = desk.files.pop().unwrap();
    assert!(name.rsplit('.').next() == Some("pdf") && bytes.starts_with(b"%PDF"), "{name}");
    bytes
}

#[test]
fn sheets_are_kept_with_the_model_and_drawn_again_after_an_edit_as_far_as_it_changed_them() {
    let mut desk = house();
    let plan = json!({ "views": ["plan:Ground Floor", { "view": "elevation:south", "scale": 200, "title": "Hof <Süd>" }],
                       "size": "a2", "name": "Ground", "fields": { "legal_owner": "Ours & Sons" }, "revision": "First issue" });
    let made = desk.call("create_sheet", plan);
    assert_eq!(
        (&made["kept"], &made["sheets"][0]["sheet_id"]),
        (&json!(["A-101"]), &json!("A-101")),
        "{made}"
    );
    assert_eq!(made["sheets"][0]["views"][1], "Hof <Süd> 1:200", "{made}");
    let empty = made["sheets"][0]["empty_fields"].to_string();
    assert!(!empty.contains("project") && empty.contains("creator"), "the project has a name: {empty}");
    // one of them may be known already from another house that is the same
    assert!(made["redrawn"].as_u64() <= Some(2), "{made}");
    pdf(&mut desk);
    let other = json!({ "views": ["elevation:north"], "size": "A3", "legend": true });
    assert_eq!(desk.call("create_sheet", other)["kept"], json!(["A-101", "A-102"]));
    desk.clean();
    // nothing changed: nothing is drawn anew
    let again = desk.call("create_sheet", json!({}));
    assert_eq!((&again["redrawn"], again["sheets"].as_array().unwrap().len()), (&json!(0), 2), "{again}");
    let first = pdf(&mut desk);
    // the same again, byte for byte
    desk.call("create_sheet", json!({}));
    assert_eq!(pdf(&mut desk), first);
    // an opening is on the plan, and on the elevation of its side
    let walls = desk.call("query_elements", json!({ "selector": "IfcWall", "limit": 1 }));
    let host = walls["rows"][0]["id"].clone();
    let place = json!({ "at": "start", "offset": 2000, "sill": 900 });
    desk.call("create_opening", json!({ "host_id": host, "location": place, "width": 1200, "height": 1200 }));
    let after = desk.call("create_sheet", json!({ "cover": "Our house" }));
    let redrawn = after["redrawn"].as_u64().unwrap();
    assert!((1..=3).contains(&redrawn), "{after}");
    assert_eq!(after["sheets"].as_array().unwrap().len(), 4, "a cover and a list in front: {after}");
    assert_ne!(pdf(&mut desk), first);
}

#[test]
fn a_sheet_is_replaced_with_its_history_and_taken_out() {
    let mut desk = house();
    let sheet = |name: &str, revision: Option<&str>| json!({ "views": ["plan:Ground Floor"], "number": "P 1", "name": name, "size": "A3", "revision": revision });
    desk.call("create_sheet", sheet("First", Some("Made")));
    let second = desk.call("create_sheet", sheet("Second", Some("Renamed")));
    assert_eq!((&second["kept"], &second["sheets"][0]["name"]), (&json!(["P 1"]), &json!("Second")));
    let told = desk.call("create_sheet", json!({ "sheets": ["P 1"], "format": "svg" }));
    assert_eq!(told["sheets"][0]["sheet_id"], "P 1");
    let text = String::from_utf8(desk.files.pop().unwrap().1).unwrap();
    for word in ["Made", "Renamed", "Second"] {
        assert!(text.contains(word), "{word}");
    }
    let gone = desk.call("create_sheet", json!({ "remove": ["P 1"] }));
    assert_eq!(gone["kept"], json!([]));
    assert_eq!(desk.refuse("create_sheet", json!({})).data["field"], "views");
}

#[test]
fn views_of_create_section_are_views_of_sheets() {
    let mut desk = house();
    for plane in [
        json!({ "level_id": "Ground Floor", "height": 1500 }),
        json!({ "level_id": "Ground Floor", "ceiling": true }),
        json!({ "origin": [0, 2000, 0], "normal": [0, -1, 0] }),
        json!({ "side": "east" }),
        json!({ "side": "north_west" }),
    ] {
        let drawing = desk.call("create_section", json!({ "cut_plane": plane, "scale": 200 }));
        let sheet = desk.call("create_sheet", json!({ "views": [drawing["view_id"]], "number": "X" }));
        let title = sheet["sheets"][0]["views"][0].as_str().unwrap();
        assert!(title.ends_with(" 1:200"), "{drawing}: {sheet}");
    }
}

#[test]
fn pictures_of_the_model_stand_on_a_sheet_and_are_drawn_of_what_it_is_now() {
    let mut desk = house();
    let sheet = json!({
        "views": ["plan:Ground Floor"], "number": "A-1", "size": "A2", "title_block": "iso-medium",
        "pictures": [{ "caption": "From the garden" }, { "view": "plan", "level_id": "Ground Floor", "width": 60 }]
    });
    desk.call("create_sheet", sheet.clone());
    let first = pdf(&mut desk);
    let without = {
        let mut other = house();
        let mut sheet = sheet;
        sheet["pictures"] = json!([]);
        other.call("create_sheet", sheet);
        pdf(&mut other)
    };
    assert!(first.len() > without.len() + 5_000, "{} against {} bytes", first.len(), without.len());
    desk.call("create_sheet", json!({ "format": "svg" }));
    let svg = String::from_utf8(desk.files.pop().unwrap().1).unwrap();
    assert_eq!(svg.matches("<image").count(), 2);
    assert!(svg.contains("From the garden"));
    // a storey that goes takes the picture's subject with it, and that is said
    desk.call("create_level", json!({ "name": "Attic", "elevation": 9000 }));
    let attic = json!({ "views": ["elevation:south"], "number": "A-2", "pictures": [{ "view": "plan", "level_id": "Attic" }] });
    assert_eq!(desk.refuse("create_sheet", attic).data["field"], "level_id", "an empty storey shows nothing");
    for (picture, field) in [
        (json!({ "level_id": "Cellar" }), "pictures[0].level_id"),
        (json!({ "width": 5 }), "pictures[0].width"),
    ] {
        let sheet = json!({ "views": ["elevation:south"], "pictures": [picture] });
        assert_eq!(desk.refuse("create_sheet", sheet).data["field"], field);
    }
}

#[test]
fn what_cannot_be_a_sheet_is_one_clear_refusal() {
    let mut desk = house();
    let with = |more: Value| {
        let mut all = json!({ "views": ["plan:Ground Floor"] });
        all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        all
    };
    for (arguments, field) in [
        (with(json!({ "size": "A7" })), "size"),
        (with(json!({ "number": "" })), "number"),
        (with(json!({ "title_block": "none" })), "title_block"),
        (with(json!({ "views": ["plan:Attic"] })), "views"),
        (with(json!({ "views": ["facade"] })), "views"),
        (with(json!({ "views": [{ "view": "plan:Ground Floor", "scale": 0 }] })), "views[0].view"),
        (with(json!({ "views": [{ "view": "plan:Ground Floor", "scale": 1 }] })), "views"),
        (with(json!({ "views": ["section:1,2:0,0,1:100"] })), "views[0]"),
        (with(json!({ "sheets": ["A-101"] })), "sheets"),
        (
            with(json!({ "keynotes": [{ "number": "1", "text": "x", "elements": "nothing" }] })),
            "keynotes[0].elements",
        ),
        (json!({ "name": "x" }), "name"),
        (json!({ "sheets": [] }), "sheets"),
        (json!({ "sheets": ["A-9"] }), "sheets[0]"),
        (json!({ "remove": ["A-9"] }), "remove[0]"),
    ] {
        let fault = desk.refuse("create_sheet", arguments.clone());
        assert_eq!(fault.data["field"], field, "{arguments}: {fault}");
    }
    let plan = with(json!({ "template": "ours.svg" }));
    let fault = desk.try_given("create_sheet", &[("template", b"<svg")], plan).unwrap_err();
    assert_eq!(fault.data["field"], "title_block", "{fault}");
}

#[test]
fn schedules_on_sheets_are_those_of_the_model_each_time_that_they_are_drawn() {
    let mut desk = crate::schedule_tests::house();
    let schedule = json!({ "template": "door", "parameters": ["Name", { "field": "OverallWidth", "heading": "Width", "unit": "mm" }],
                           "group_by": "storey" });
    let sheet = json!({ "views": [], "size": "A3", "name": "Doors", "format": "svg",
                        "tables": [{ "schedule": schedule }, { "title": "Ours", "header": ["Key"], "rows": [["Own words"]] }] });
    desk.call("create_sheet", sheet);
    let page = |desk: &mut Desk| String::from_utf8(desk.files.pop().unwrap().1).unwrap();
    let first = page(&mut desk);
    for words in ["Inner door", "Front door", "1100", "Width (mm)", "Ground Floor (2)", "Own words"] {
        assert!(first.contains(words), "{words}");
    }
    desk.call(
        "modify_parameter",
        json!({ "element_id": "Front door", "parameter_name": "width", "value": 1250 }),
    );
    desk.call("create_sheet", json!({ "format": "svg" }));
    let second = page(&mut desk);
    assert!(second.contains("1250") && !second.contains("1100"));
    desk.clean();
    for (schedule, field) in [
        (json!({ "template": "dor" }), "tables[0].schedule.template"),
        (json!({ "category": "doors", "parameters": ["Nmae"] }), "tables[0].schedule.parameters[0]"),
        (json!({ "template": "door", "format": "csv" }), "tables[0].schedule.format"),
    ] {
        let fault = desk.refuse("create_sheet", json!({ "views": [], "tables": [{ "schedule": schedule }] }));
        assert_eq!(fault.data["field"], field, "{fault}");
    }
    let both = json!({ "views": [], "tables": [{ "schedule": { "template": "door" }, "header": ["Key"] }] });
    assert_eq!(desk.refuse("create_sheet", both).data["field"], "tables[0]");
}
