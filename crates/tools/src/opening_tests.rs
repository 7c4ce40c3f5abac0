//! Openings as agents ask for them: by every way of saying where, many at once, in every outline; in all three schemas.

use crate::desk::{Desk, SCHEMAS, text};
use serde_json::{Value, json};

/// A wall of 6 m along x, 3 m high, 200 mm thick.
fn wall(desk: &mut Desk) -> String {
    let wall = desk.call(
        "create_wall",
        json!({ "start": [0, 0], "end": [6000, 0], "height": 3000, "level_id": "Ground Floor" }),
    );
    text(&wall["wall_id"])
}

/// A house of 10 by 8 m on so many storeys.
fn house(desk: &mut Desk, storeys: u32) -> Value {
    desk.call(
        "create_building_shell",
        json!({ "footprint": [[0, 0], [10000, 0], [10000, 8000], [0, 8000]], "storeys": storeys }),
    )
}

fn along(answer: &Value) -> Vec<f64> {
    answer["openings"].as_array().unwrap().iter().map(|o| o["along"].as_f64().unwrap()).collect()
}

#[test]
fn a_place_is_told_from_the_ends_the_corner_and_another_element() {
    let mut desk = Desk::new("IFC4");
    let host = wall(&mut desk);
    let mut put = |location: Value, name: &str| {
        desk.call(
            "create_opening",
            json!({ "host_id": host, "location": location, "width": 600, "height": 600, "name": name }),
        )["along"]
            .as_f64()
            .unwrap()
    };
    assert_eq!(put(json!({ "at": "start", "offset": 200 }), "A"), 500.0);
    assert_eq!(put(json!({ "at": "end" }), "B"), 5700.0);
    assert_eq!(put(json!({ "from": "A", "offset": 100 }), "C"), 1200.0);
    assert_eq!(put(json!({ "from": "B", "offset": -400 }), "D"), 4700.0);
    assert_eq!(put(json!({ "between": ["C", "D"] }), "E"), 2950.0);
    assert_eq!(put(json!([3900, 0]), "F"), 3900.0);
    desk.clean();
}

#[test]
fn the_corner_is_where_a_wall_meets_another() {
    let mut desk = Desk::new("IFC4");
    let shell = house(&mut desk, 1);
    let host = text(&shell["storeys"][0]["walls"][0]["wall_id"]);
    let made = desk.call(
        "create_opening",
        json!({ "host_id": host, "location": { "at": "corner", "offset": 500 }, "width": 1000, "height": 1000 }),
    );
    // the inner corner is 200 mm from the start of the axis
    assert_eq!(made["along"], 1200.0);
}

#[test]
fn windows_are_spread_on_every_side_and_stand_beside_what_is_there() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        house(&mut desk, 2);
        let made = desk.call(
            "create_openings",
            json!({ "openings": [
                { "hosts": "south", "width": 1000, "height": 2100, "opening_type": "door" },
                { "hosts": "outer_walls", "each_side": 2, "width": 1200, "height": 1200, "opening_type": "window" }
            ] }),
        );
        let all = made["openings"].as_array().unwrap();
        // one door below, and two windows on four sides of two storeys
        assert_eq!(all.len(), 17, "{made}");
        assert_eq!((desk.count("IfcDoor"), desk.count("IfcWindow")), (1, 16));
        assert_eq!(all[0]["entry"], 0);
        assert!(all[1..].iter().all(|o| o["entry"] == 1));
        let told = made["assumed"].to_string();
        assert!(told.contains("Ground Floor"), "{told}");
        desk.clean();
        desk.keep(&format!("openings-{schema}"));
    }
}

#[test]
fn openings_are_counted_in_all_or_so_many_millimetres_apart() {
    let mut desk = Desk::new("IFC4");
    let host = wall(&mut desk);
    let size = |more: Value| {
        let mut entry = json!({ "host_id": host, "width": 500, "height": 500 });
        entry.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({ "openings": [entry] })
    };
    let made = desk.call("create_openings", size(json!({ "count": 3, "sill": 100 })));
    assert_eq!(along(&made), [1000.0, 3000.0, 5000.0]);
    let made = desk.call("create_openings", size(json!({ "every": 1500, "sill": 1000 })));
    assert_eq!(along(&made), [750.0, 2250.0, 3750.0, 5250.0]);
    // the row below is in the way of the middle one
    let made = desk.call("create_openings", size(json!({ "every": 1000, "sill": 300 })));
    assert_eq!(along(&made), [500.0, 1500.0, 2500.0, 3500.0, 4500.0, 5500.0]);
}

#[test]
fn a_pier_stays_between_a_door_and_windows_that_are_spread_beside_it_where_there_is_room() {
    let beside_door = |count: u32, width: u32| {
        let mut desk = Desk::new("IFC4");
        let host = wall(&mut desk);
        let door = json!({ "host_id": host, "location": { "along": 2450 }, "width": 900, "height": 2100, "opening_type": "door" });
        desk.call("create_opening", door);
        let windows = json!({ "host_id": host, "count": count, "width": width, "height": 1200, "opening_type": "window" });
        let made = desk.call("create_openings", json!({ "openings": [windows] }));
        desk.clean();
        along(&made)
    };
    // evenly spread, the first would touch the door at 2000
    assert_eq!(beside_door(2, 1000), [950.0, 4500.0]);
    // two of 1000 mm fill the 2000 before it, and there is no room for wall between
    assert_eq!(beside_door(5, 1000).len(), 5);
}

#[test]
fn a_row_leaves_out_what_is_in_its_way_and_says_so() {
    let mut desk = Desk::new("IFC4");
    let host = wall(&mut desk);
    desk.call(
        "create_opening",
        json!({ "host_id": host, "location": { "along": 3000 }, "width": 900, "height": 2000 }),
    );
    let made = desk.call(
        "create_openings",
        json!({ "openings": [{ "host_id": host, "every": 1000, "width": 500, "height": 500, "sill": 800 }] }),
    );
    assert_eq!(along(&made), [500.0, 1500.0, 4500.0, 5500.0]);
    assert!(made["assumed"].to_string().contains("2 of the row"), "{made}");
}

#[test]
fn each_room_gets_a_window_in_the_part_of_the_outer_wall_beside_it() {
    let mut desk = Desk::new("IFC4");
    house(&mut desk, 1);
    for (start, end, name) in
        [([200, 200], [4000, 7800], "West room"), ([4100, 200], [9800, 7800], "East room")]
    {
        desk.call(
            "create_space",
            json!({
                "level_id": "Ground Floor", "name": name,
                "boundary_points": [start, [end[0], start[1]], end, [start[0], end[1]]]
            }),
        );
    }
    let made = desk.call(
        "create_openings",
        json!({ "openings": [{ "hosts": "each_room", "width": 1000, "height": 1200, "opening_type": "window" }] }),
    );
    let all = made["openings"].as_array().unwrap();
    assert_eq!(all.len(), 2);
    let x = |i: usize| all[i]["position"][0].as_f64().unwrap();
    let y = |i: usize| all[i]["position"][1].as_f64().unwrap();
    assert!(x(0) < 300.0 && x(1) > 9700.0, "the longest outer walls are those at both ends: {made}");
    assert_eq!((y(0), y(1)), (4000.0, 4000.0));
    let made = desk.call(
        "create_openings",
        json!({ "openings": [
            { "hosts": ["East room"], "each_side": 1, "width": 1000, "height": 1200, "opening_type": "window", "sill": 200 }
        ] }),
    );
    // in the middle of the room's own part of south and north, which go on to the west
    let middles: Vec<f64> =
        made["openings"].as_array().unwrap().iter().filter_map(|o| o["position"][0].as_f64()).collect();
    assert!(middles.contains(&6950.0), "{middles:?}");
}

#[test]
fn what_has_no_place_is_refused_by_its_number_with_the_room_there_is() {
    let mut desk = Desk::new("IFC4");
    let host = wall(&mut desk);
    let entry = |more: Value| {
        let mut entry = json!({ "host_id": host, "width": 1000, "height": 1000 });
        entry.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        entry
    };
    let good = entry(json!({ "location": { "at": "center" } }));
    let cases = [
        (entry(json!({ "location": { "along": 3200 } })), "openings[1].location"),
        (entry(json!({ "location": { "along": 100 } })), "openings[1].location"),
        (entry(json!({ "location": { "at": "start", "offset": -5 } })), "openings[1].location.offset"),
        (entry(json!({ "location": { "from": "Nobody", "offset": 5 } })), "openings[1].location"),
        (entry(json!({ "count": 7 })), "openings[1].count"),
        (entry(json!({ "count": 0 })), "openings[1].count"),
        (entry(json!({ "count": 4_000_000_000_u32 })), "openings[1].count"),
        (entry(json!({ "every": 10 })), "openings[1].every"),
        (entry(json!({ "every": 2000, "count": 2 })), "openings[1].location"),
        (entry(json!({ "width": -1 })), "openings[1].width"),
        (entry(json!({ "height": 1e12 })), "openings[1].height"),
        (entry(json!({ "hosts": "north" })), "openings[1].hosts"),
        (json!({ "hosts": "north", "width": 500, "height": 500 }), "openings[1].hosts"),
        (json!({ "width": 500, "height": 500 }), "openings[1].host_id"),
        (json!({ "host_id": "Wal 1", "width": 500, "height": 500 }), "openings[1].host_id"),
        (entry(json!({ "sides": 5 })), "openings[1].sides"),
        (entry(json!({ "shape": "polygon", "sides": 2 })), "openings[1].sides"),
        (entry(json!({ "level_id": "Attic" })), "openings[1].level_id"),
        (
            entry(json!({ "shape": "round", "opening_type": "door", "location": { "along": 800 } })),
            "openings[1].shape",
        ),
        (entry(json!({ "sill": 1, "location": { "along": 800, "sill": 2 } })), "openings[1].sill"),
    ];
    for (wrong, field) in cases {
        let before = desk.model.len();
        let fault = desk.refuse("create_openings", json!({ "openings": [good, wrong] }));
        assert_eq!(fault.data["field"], field, "{wrong}: {fault}");
        assert_eq!(fault.data["index"], 1);
        assert_eq!(desk.model.len(), before, "nothing is made: {wrong}");
    }
    let fault = desk.refuse(
        "create_openings",
        json!({ "openings": [good, entry(json!({ "location": { "along": 3200 } }))] }),
    );
    assert_eq!(fault.data["free_along"], json!([[500.0, 2000.0], [4000.0, 5500.0]]));
    let fault = desk.refuse("create_openings", json!({ "openings": [] }));
    assert_eq!(fault.data["field"], "openings");
}

#[test]
fn rounds_arches_and_polygons_cut_out_what_they_measure() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        let host = wall(&mut desk);
        let made = desk.call(
            "create_openings",
            json!({ "openings": [
                { "host_id": host, "location": { "along": 1000 }, "width": 800, "height": 800, "sill": 1000, "shape": "round" },
                { "host_id": host, "location": { "along": 2500 }, "width": 1000, "height": 2000, "shape": "arch" },
                { "host_id": host, "location": { "along": 4500 }, "width": 1000, "height": 866, "sill": 1000, "shape": "polygon", "sides": 6 }
            ] }),
        );
        let mut taken = 0.0;
        let exact =
            [std::f64::consts::PI * 0.4 * 0.4, 1.5 + std::f64::consts::PI * 0.5 * 0.5 / 2.0, 0.75 * 0.866];
        for (opening, exact) in made["openings"].as_array().unwrap().iter().zip(exact) {
            let area = opening["quantities"]["Area"]["value"].as_f64().unwrap();
            assert!((area / exact - 1.0).abs() < 0.002, "{area} for {exact}");
            taken += area;
        }
        let shaper = geometry::Shaper::plain(&desk.model);
        let id = desk.model.by_guid(&host).unwrap();
        let meshed = shaper.net_bodies(id).unwrap().volume();
        assert!((meshed - (6.0 * 3.0 - taken) * 0.2).abs() < 1e-6, "{meshed}");
        let stored = building::quantities::read(&desk.model, id, "Qto_WallBaseQuantities");
        assert!((stored["NetVolume"].value - meshed).abs() < 1e-6);
        desk.clean();
        desk.keep(&format!("outlines-{schema}"));
    }
}

#[test]
fn an_opening_keeps_its_outline_when_it_or_its_wall_changes() {
    let mut desk = Desk::new("IFC4");
    let host = wall(&mut desk);
    let round = desk.call(
        "create_opening",
        json!({ "host_id": host, "location": { "at": "center", "sill": 500 }, "width": 800, "height": 800, "shape": "round" }),
    );
    let id = text(&round["opening_id"]);
    let area = |desk: &Desk| {
        let id = desk.model.by_guid(&id).unwrap();
        building::quantities::read(&desk.model, id, "Qto_OpeningElementBaseQuantities")["Area"].value
    };
    let before = area(&desk);
    desk.call("modify_parameter", json!({ "element_id": host, "parameter_name": "thickness", "value": 300 }));
    assert!((area(&desk) - before).abs() < 1e-9);
    desk.call("modify_parameter", json!({ "element_id": id, "parameter_name": "width", "value": 1600 }));
    assert!((area(&desk) - 2.0 * before).abs() < 1e-9);
    let meshed =
        geometry::Shaper::plain(&desk.model).net_bodies(desk.model.by_guid(&host).unwrap()).unwrap().volume();
    assert!((meshed - (18.0 - 2.0 * before) * 0.3).abs() < 1e-6, "{meshed}");
    desk.clean();
}
