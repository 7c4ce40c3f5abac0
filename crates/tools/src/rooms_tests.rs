//! Rooms and their neighbours as agents ask for them, on real files where there are any and on a house made by the tools.

use crate::desk::{Desk, text};
use serde_json::{Value, json};

/// The room of this name among several.
fn room<'a>(answer: &'a Value, name: &str) -> &'a Value {
    let rooms = answer["rooms"].as_array().unwrap();
    rooms.iter().find(|room| room["name"] == name).unwrap_or_else(|| panic!("no room {name}: {answer}"))
}

/// The neighbours of a room by one way.
fn beside<'a>(room: &'a Value, through: &str) -> Vec<&'a Value> {
    room["adjacencies"].as_array().unwrap().iter().filter(|a| a["through"] == through).collect()
}

#[test]
fn a_room_of_a_file_is_told_whole() {
    let Some(mut desk) = Desk::open("Duplex_A_20110907.ifc") else { return };
    let living = desk.call("room_analysis", json!({ "room_id": "A102" }));
    assert_eq!((&living["long_name"], &living["storey"]), (&json!("Living Room"), &json!("Level 1")));
    assert_eq!((&living["area"], &living["volume"]), (&json!(27.66), &json!(71.391)));
    assert_eq!((&living["perimeter"], &living["height"]["least"]), (&json!(21132), &json!(2581)));
    // the file measures to the middle of walls
    let stored = &living["quantities"]["GSA BIM Area"];
    assert_eq!((&stored["stored"], &stored["difference"]), (&json!(30.142), &json!(2.482)));
    assert_eq!(living["doors"][0]["to"], json!(["outdoors"]));
    assert_eq!((&living["windows"][0]["width"], &living["windows"][0]["faces"]), (&json!(4835), &json!("S")));
    assert_eq!(beside(&living, "opening").len(), 2);
    assert_eq!(beside(&living, "slab").len(), 2);
    let walls: Vec<&Value> =
        living["boundary"].as_array().unwrap().iter().filter(|b| b["side"] == "S").collect();
    assert_eq!((walls.len(), &walls[0]["area"]), (1, &json!(14.926)));
    assert_eq!(living["exposure"]["facades"]["S"]["windows"], json!(11.701));
    assert_eq!(living["daylight"]["window_to_floor"], json!(0.423));
    assert_eq!(living["contents"].as_array().map(Vec::len), Some(5));
    let width = &living["usable_width"];
    assert!(
        width["furnished"].as_f64() < width["room"].as_f64() && width["furnished"].as_f64() > Some(2000.0),
        "{width}"
    );
    let measures = desk.call("room_analysis", json!({ "room_id": living["id"], "include": [] }));
    assert!(measures.get("boundary").is_none() && measures["area"] == living["area"], "{measures}");
}

#[test]
fn all_rooms_come_in_pages() {
    let Some(mut desk) = Desk::open("Duplex_A_20110907.ifc") else { return };
    let (mut seen, mut cursor) = (Vec::new(), json!(null));
    loop {
        let page = desk.call("room_analysis", json!({ "room_id": "all", "cursor": cursor }));
        assert!(page.to_string().len() < 32_000 && page["total"] == 21, "{}", page["total"]);
        seen.extend(page["rooms"].as_array().unwrap().iter().map(|room| text(&room["id"])));
        cursor = page["next_cursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 21);
}

#[test]
fn what_is_no_room_is_refused_with_what_there_is() {
    let Some(mut desk) = Desk::open("Duplex_A_20110907.ifc") else { return };
    let several = desk.refuse("room_analysis", json!({ "room_id": "Living Room" }));
    assert_eq!(several.data["candidates"].as_array().map(Vec::len), Some(2), "{several:?}");
    let bare = desk.refuse("adjacency_matrix", json!({ "level_id": "T/FDN" }));
    assert!(bare.message.contains("Level 1, Level 2, Roof"), "{bare:?}");
    let unknown = desk.refuse("room_analysis", json!({ "room_id": "Ballroom" }));
    assert_eq!(unknown.data["candidates"].as_array().map(Vec::len), Some(20), "{unknown:?}");
    let mut empty = Desk::new("IFC4");
    let none = empty.refuse("room_analysis", json!({ "room_id": "all" }));
    assert!(none.message.contains("create_rooms"), "{none:?}");
}

#[test]
fn neighbours_by_doors_are_those_of_the_house() {
    let Some(mut desk) = Desk::open("AC20-FZK-Haus.ifc") else { return };
    let answer = desk
        .call("adjacency_matrix", json!({ "level_id": "Erdgeschoss", "format": "list", "outdoors": true }));
    let name = |id: &Value| {
        let found = answer["rooms"].as_array().unwrap().iter().find(|room| room["id"] == *id);
        found.map(|room| text(&room["name"])).unwrap()
    };
    let mut pairs: Vec<String> = answer["pairs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| {
            let mut both = [name(&p["a"]), name(&p["b"])];
            both.sort();
            both.join(" - ")
        })
        .collect();
    pairs.sort();
    let wanted = [
        "1 Flur - 2 Buero",
        "1 Flur - 3 Bad",
        "1 Flur - 4 Schlafzimmer",
        "1 Flur - outdoors",
        "5 Wohnen - outdoors",
    ];
    assert_eq!(pairs, wanted);
    let matrix = desk.call("adjacency_matrix", json!({ "level_id": "all", "kind": "all" }))["matrix"].clone();
    for (a, row) in matrix.as_object().unwrap() {
        for (b, shared) in row.as_object().unwrap() {
            assert_eq!(*shared, matrix[b][a], "{a} {b}");
        }
    }
}

#[test]
fn rooms_of_a_house_without_spaces_are_found_and_measured_as_those_with() {
    let house = json!({ "footprint": [[0, 0], [10000, 0], [10000, 8000], [0, 8000]], "storeys": 1 });
    let mut desk = Desk::new("IFC4");
    desk.call("create_building_shell", house);
    let rooms = json!([{ "name": "Kitchen", "area": 20 }, { "name": "Bedroom", "area": 15 }, { "name": "Hall", "area": 30 }]);
    desk.call("create_rooms", json!({ "level_id": "Ground Floor", "rooms": rooms, "connect": [["Hall", "Kitchen"], ["Hall", "Bedroom"]] }));
    let stored = desk.call("room_analysis", json!({ "room_id": "Ground Floor" }));
    assert!(stored["rooms"].as_array().unwrap().iter().all(|room| room.get("found").is_none()));
    assert_eq!(beside(room(&stored, "Hall"), "door").len(), 2, "{stored}");
    desk.by_hand(|author| {
        let spaces = author.edit.model().of_class("IfcSpace");
        author.edit.remove_all(&spaces, ifc::Referrers::Cascade).unwrap();
        Ok(())
    });
    let found = desk.call("room_analysis", json!({ "room_id": "Ground Floor" }));
    assert!(found["rooms"].as_array().unwrap().iter().all(|room| room["found"] == true), "{found}");
    let measures = |answer: &Value| -> Vec<String> {
        let rooms = answer["rooms"].as_array().unwrap().iter();
        let mut all: Vec<String> = rooms
            .map(|room| {
                format!("{} m² {} mm {} doors", room["area"], room["perimeter"], beside(room, "door").len())
            })
            .collect();
        all.sort();
        all
    };
    assert_eq!(measures(&found), measures(&stored));
}
