//! What follows when something is changed by hand: rooms, slabs, roofs and walls below, with their quantities, in all three schemas.

use crate::desk::Desk;
use building::quantities::read;
use contract::FaultCode;
use ifc::Id;
use serde_json::{Value, json};

const SCHEMAS: [&str; 3] = ["IFC2X3", "IFC4", "IFC4X3"];

/// A house of 8 by 6 m with walls 300 mm thick, one room in each storey and a roof that hangs over by 300 mm.
fn house(schema: &str, storeys: u32) -> (Desk, Value) {
    let mut desk = Desk::new(schema);
    let shell = desk.call(
        "create_building_shell",
        json!({
            "footprint": [[0, 0], [8000, 0], [8000, 6000], [0, 6000]], "storeys": storeys, "wall_thickness": 300,
            "overhang": 300, "spaces": true
        }),
    );
    (desk, shell)
}

fn wall(shell: &Value, storey: usize, side: usize) -> String {
    let found = shell["storeys"][storey]["walls"][side - 1]["wall_id"].as_str();
    found.unwrap_or_else(|| panic!("no side {side} in {shell}")).to_owned()
}

fn element(desk: &Desk, id: &Value) -> Id {
    desk.model.by_guid(id.as_str().unwrap()).unwrap()
}

/// A quantity of an element in m and its powers, as stored.
fn quantity(desk: &Desk, id: Id, set: &str, name: &str) -> f64 {
    read(&desk.model, id, set).get(name).unwrap_or_else(|| panic!("no {set}.{name}")).value
}

fn is_near(found: f64, wanted: f64) {
    assert!((found - wanted).abs() < 1e-6, "{found} instead of {wanted}");
}

fn ids(list: &Value) -> Vec<String> {
    list.as_array().into_iter().flatten().map(|id| id.as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_room_its_slab_and_its_roof_follow_an_outer_wall_that_moves() {
    for schema in SCHEMAS {
        let (mut desk, shell) = house(schema, 1);
        let moved =
            desk.call("move_elements", json!({ "element_ids": [wall(&shell, 0, 1)], "by": [0, -500, 0] }));
        let space = element(&desk, &shell["storeys"][0]["space_id"]);
        is_near(quantity(&desk, space, "Qto_SpaceBaseQuantities", "GrossFloorArea"), 7.4 * 5.9);
        is_near(quantity(&desk, space, "Qto_SpaceBaseQuantities", "GrossPerimeter"), 2.0 * (7.4 + 5.9));
        let slab = element(&desk, &shell["storeys"][0]["floor_id"]);
        is_near(quantity(&desk, slab, "Qto_SlabBaseQuantities", "GrossArea"), 8.0 * 6.5);
        let roof = element(&desk, &shell["roof_id"]);
        is_near(quantity(&desk, roof, "Qto_RoofBaseQuantities", "GrossArea"), 8.6 * 7.1);
        let regenerated = ids(&moved["regenerated"]);
        for id in [&shell["storeys"][0]["space_id"], &shell["storeys"][0]["floor_id"], &shell["roof_id"]] {
            assert!(regenerated.contains(&id.as_str().unwrap().to_owned()), "{schema}: {moved}");
        }
        assert!(moved.get("left_as_it_was").is_none(), "{moved}");
        desk.clean();
    }
}

#[test]
fn a_wall_that_becomes_thicker_takes_from_the_rooms_on_its_sides() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        let footprint = json!([[0, 0], [8000, 0], [8000, 6000], [0, 6000]]);
        desk.call(
            "create_building_shell",
            json!({ "footprint": footprint, "storeys": 1, "wall_thickness": 300, "roof": "none" }),
        );
        let level = desk.model.of_class("IfcBuildingStorey");
        let name = desk.model.get(level[0]).unwrap().name().unwrap();
        let rooms = desk.call(
            "create_rooms",
            json!({ "level_id": name, "partition_thickness": 100,
                "rooms": [{ "name": "A", "area": 20 }, { "name": "B", "area": 20 }] }),
        );
        let of = |desk: &Desk, room: usize| {
            let id = element(desk, &rooms["rooms"][room]["space_id"]);
            quantity(desk, id, "Qto_SpaceBaseQuantities", "NetFloorArea")
        };
        let before = [of(&desk, 0), of(&desk, 1)];
        let partition = rooms["partitions"][0]["wall_id"].clone();
        let answer = desk.call(
            "modify_parameter",
            json!({ "element_id": partition, "parameter_name": "thickness", "value": 200 }),
        );
        let after = [of(&desk, 0), of(&desk, 1)];
        is_near(before[0] + before[1] - after[0] - after[1], 0.1 * 5.4);
        assert!(after[0] <= before[0] && after[1] <= before[1]);
        assert!(!ids(&answer["regenerated"]).is_empty(), "{answer}");
        let storey = desk.model.of_class("IfcBuildingStorey")[0];
        let total = quantity(&desk, storey, "Qto_BuildingStoreyBaseQuantities", "NetFloorArea");
        is_near(total, after[0] + after[1]);
        desk.clean();
    }
}

#[test]
fn a_slab_is_not_drawn_in_under_a_wall_that_still_stands_on_it() {
    let (mut desk, shell) = house("IFC4", 2);
    let between = element(&desk, &shell["storeys"][1]["floor_id"]);
    let moved = desk.call("move_elements", json!({ "element_ids": [wall(&shell, 0, 1)], "by": [0, 500, 0] }));
    let left = moved["left_as_it_was"].as_array().unwrap_or_else(|| panic!("{moved}"));
    assert_eq!(left.len(), 1, "{moved}");
    assert_eq!(left[0]["id"], shell["storeys"][1]["floor_id"]);
    assert!(left[0]["why"].as_str().unwrap().contains("still stands"), "{moved}");
    is_near(quantity(&desk, between, "Qto_SlabBaseQuantities", "GrossArea"), 48.0);
    let base = element(&desk, &shell["storeys"][0]["floor_id"]);
    is_near(quantity(&desk, base, "Qto_SlabBaseQuantities", "GrossArea"), 8.0 * 5.5);
    desk.clean();
}

#[test]
fn a_wall_that_would_leave_a_room_without_floor_is_refused_and_nothing_moves() {
    let (mut desk, shell) = house("IFC4", 1);
    let before = desk.model.len();
    let south = wall(&shell, 0, 1);
    let refused = |desk: &mut Desk, by: i32, also: &[&str], says: &str| {
        let fault = desk.refuse("move_elements", json!({ "element_ids": [south], "by": [0, by, 0] }));
        assert_eq!(fault.code, FaultCode::ConstraintViolation, "{fault}");
        assert!(fault.message.contains("less") && fault.message.contains(says), "{fault}");
        let named = ids(&fault.data["elements"]);
        assert!(named.contains(&south), "{:?}", fault.data);
        assert!(also.iter().any(|id| named.contains(&(*id).to_owned())), "{:?}", fault.data);
        assert_eq!(desk.model.len(), before);
    };
    // the walls beside it would end before they begin
    refused(&mut desk, 9000, &[&wall(&shell, 0, 2), &wall(&shell, 0, 4)], "join_elements none");
    // something of those would be left, and nothing of the room
    let room = shell["storeys"][0]["space_id"].as_str().unwrap();
    refused(&mut desk, 5500, &[room], "delete the room");
}

#[test]
fn what_reached_up_to_a_storey_reaches_it_again_when_it_is_raised() {
    for schema in SCHEMAS {
        let (mut desk, shell) = house(schema, 2);
        let upper = shell["storeys"][1]["level_id"].clone();
        let to = shell["storeys"][1]["elevation"].as_f64().unwrap() + 400.0;
        let low = element(&desk, &json!(wall(&shell, 0, 1)));
        let height = |desk: &Desk| quantity(desk, low, "Qto_WallBaseQuantities", "Height");
        let was = height(&desk);
        let raised = desk.call(
            "modify_parameter",
            json!({ "element_id": upper, "parameter_name": "elevation", "value": to }),
        );
        is_near(height(&desk), was + 0.4);
        let space = element(&desk, &shell["storeys"][0]["space_id"]);
        is_near(quantity(&desk, space, "Qto_SpaceBaseQuantities", "Height"), was + 0.4);
        // four walls and the room
        assert!(ids(&raised["regenerated"]).len() >= 5, "{schema}: {raised}");
        desk.clean();
    }
}

#[test]
fn what_stands_on_a_storey_that_is_raised_stays_below_the_next_one() {
    for schema in SCHEMAS {
        let (mut desk, shell) = house(schema, 3);
        let middle = &shell["storeys"][1];
        let heights = |desk: &Desk| -> Vec<f64> {
            let of = |id: &Value, set| quantity(desk, element(desk, id), set, "Height");
            let walls = (1..=4).map(|side| of(&json!(wall(&shell, 1, side)), "Qto_WallBaseQuantities"));
            walls.chain([of(&middle["space_id"], "Qto_SpaceBaseQuantities")]).collect()
        };
        let was = heights(&desk);
        let raise = |level: &Value, by: f64| {
            let to = level["elevation"].as_f64().unwrap() + by;
            json!({ "element_id": level["level_id"], "parameter_name": "elevation", "value": to })
        };
        let raised = desk.call("modify_parameter", raise(middle, 400.0));
        assert_eq!(raised["sound"], true, "{schema}: {raised}");
        for (was, is) in was.iter().zip(heights(&desk)) {
            is_near(is, was - 0.4);
        }
        assert!(ids(&raised["regenerated"]).contains(&wall(&shell, 1, 1)), "{schema}: {raised}");
        desk.clean();
        // beyond the next storey nothing would be left of them
        let fault = desk.refuse("modify_parameter", raise(middle, 3200.0));
        assert_eq!(fault.code, FaultCode::ConstraintViolation, "{fault}");
        assert!(fault.message.contains("without height"), "{fault}");
    }
}

#[test]
fn walls_and_rooms_reach_the_underside_of_a_slab_that_is_made_thicker_or_thinner() {
    for schema in SCHEMAS {
        let (mut desk, shell) = house(schema, 2);
        let slab = shell["storeys"][1]["floor_id"].clone();
        let heights = |desk: &Desk| {
            let of = |id: &Value, set| quantity(desk, element(desk, id), set, "Height");
            let space = of(&shell["storeys"][0]["space_id"], "Qto_SpaceBaseQuantities");
            [of(&json!(wall(&shell, 0, 1)), "Qto_WallBaseQuantities"), space]
        };
        let was = quantity(&desk, element(&desk, &slab), "Qto_SlabBaseQuantities", "Width");
        let before = heights(&desk);
        for thickness in [300.0, 120.0] {
            let change = json!({ "element_id": slab, "parameter_name": "thickness", "value": thickness });
            let answer = desk.call("modify_parameter", change);
            assert_eq!(answer["sound"], true, "{schema}: {answer}");
            for (before, is) in before.iter().zip(heights(&desk)) {
                is_near(is, before + was - thickness / 1000.0);
            }
            desk.clean();
        }
    }
}

#[test]
fn neighbours_that_are_cut_anew_are_told_as_regenerated_whatever_changed_the_wall() {
    for (schema, (tool, arguments)) in SCHEMAS.into_iter().cycle().zip([
        ("move_elements", json!({ "by": [0, -300] })),
        ("rotate_elements", json!({ "angle": 2 })),
        ("modify_parameter", json!({ "parameter_name": "thickness", "value": 360 })),
        ("assign_type", json!({ "new_type": { "name": "Thick", "changes": { "thickness": 360 } } })),
        ("delete_elements", json!({})),
    ]) {
        let (mut desk, shell) = house(schema, 1);
        let mut arguments = arguments;
        let id = json!(wall(&shell, 0, 1));
        if tool == "modify_parameter" {
            arguments["element_id"] = id.clone();
        } else {
            arguments["element_ids"] = json!([id]);
        }
        let answer = desk.call(tool, arguments);
        let again = ids(&answer["regenerated"]);
        for side in [2, 4] {
            assert!(again.contains(&wall(&shell, 0, side)), "{schema}, {tool}: {answer}");
        }
        assert!(!again.contains(&wall(&shell, 0, 1)), "{schema}, {tool}: {answer}");
        assert!(!again.contains(&wall(&shell, 0, 3)), "{schema}, {tool}: {answer}");
    }
}

#[test]
fn a_room_that_a_wall_reaches_into_says_so() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        let outline = [[0, 0], [9000, 0], [9000, 5000], [5000, 5000], [5000, 8000], [0, 8000]];
        let shell = desk.call(
            "create_building_shell",
            json!({ "footprint": outline, "storeys": 1, "wall_thickness": 300, "spaces": true, "roof": "none" }),
        );
        let longer = |length: f64| json!({ "element_id": wall(&shell, 0, 3), "parameter_name": "length", "value": length });
        let answer = desk.call("modify_parameter", longer(5500.0));
        let left = &answer["left_as_it_was"][0];
        assert_eq!(left["id"], shell["storeys"][0]["space_id"], "{schema}: {answer}");
        assert!(left["why"].as_str().unwrap().contains("reaches into it"), "{schema}: {answer}");
        let back = desk.call("modify_parameter", longer(4000.0));
        assert!(back.get("left_as_it_was").is_none(), "{schema}: {back}");
    }
}

#[test]
fn a_room_that_is_higher_than_its_storey_says_so_when_a_wall_of_the_next_one_reaches_into_it() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        desk.call("create_level", json!({ "name": "Upper Floor", "elevation": 3000 }));
        let upper = json!({ "start": [0, -100], "end": [4000, -100], "thickness": 200, "height": 2500,
                            "level_id": "Upper Floor", "name": "Upper" });
        desk.call("create_wall", upper);
        for (name, y, height) in [("Hall", 0, 3300), ("Lobby", -4200, 3000)] {
            let outline = json!([[0, y], [4000, y], [4000, y + 4000], [0, y + 4000]]);
            desk.call(
                "create_space",
                json!({ "boundary_points": outline, "level_id": "Ground Floor", "height": height, "name": name }),
            );
        }
        let turn = json!({ "element_ids": ["Upper"], "angle": 5, "origin": [0, -100] });
        let answer = desk.call("rotate_elements", turn);
        let [left] = &answer["left_as_it_was"].as_array().unwrap()[..] else { panic!("{answer}") };
        assert_eq!(left["name"], "Hall", "{answer}");
        assert!(left["why"].as_str().unwrap().contains("reaches into it"), "{answer}");
        // back out of it, and over a room that is no higher than its storey
        let turn = json!({ "element_ids": ["Upper"], "angle": -10, "origin": [0, -100] });
        let answer = desk.call("rotate_elements", turn);
        assert_eq!(answer["left_as_it_was"], json!(null), "{answer}");
    }
}

#[test]
fn a_wall_of_another_program_parts_from_those_that_it_stands_apart_from() {
    let Some(mut desk) = Desk::open("AC20-FZK-Haus.ifc") else { return };
    let named = |desk: &Desk, name: &str| {
        let all = desk.model.of_class("IfcWallStandardCase").into_iter();
        all.into_iter().find(|id| desk.model.get(*id).unwrap().name().as_deref() == Some(name)).unwrap()
    };
    let wall = named(&desk, "Wand-Ext-ERDG-4");
    let connected = |desk: &Desk| desk.model.referrers_of(wall, "IfcRelConnectsPathElements").len();
    let (all, was) = (desk.count("IfcRelConnectsPathElements"), connected(&desk));
    assert!(was >= 2);
    let aside = |by: f64| json!({ "element_ids": ["Wand-Ext-ERDG-4"], "by": [0, by] });
    desk.call("move_elements", aside(-450.0));
    assert!(connected(&desk) < was);
    assert_eq!(
        desk.count("IfcRelConnectsPathElements"),
        all - was + connected(&desk),
        "others stay connected"
    );
}

#[test]
fn a_room_that_another_program_drew_by_its_faces_says_that_it_stays() {
    let Some(mut desk) = Desk::open("AC20-FZK-Haus.ifc") else { return };
    let moved = desk.call("move_elements", json!({ "element_ids": ["Wand-Ext-ERDG-2"], "by": [0, -400] }));
    let left = moved["left_as_it_was"].as_array().unwrap_or_else(|| panic!("{moved}"));
    let told: Vec<&Value> = left.iter().map(|one| &one["name"]).collect();
    for room in ["2", "3", "4"] {
        assert!(told.contains(&&json!(room)), "{room}: {moved}");
    }
}

#[test]
fn what_was_moved_together_with_its_walls_is_not_drawn_twice() {
    let (mut desk, shell) = house("IFC4", 1);
    let mut all: Vec<String> = (1..=4).map(|side| wall(&shell, 0, side)).collect();
    all.extend(["space_id", "floor_id"].map(|id| shell["storeys"][0][id].as_str().unwrap().to_owned()));
    let moved = desk.call("move_elements", json!({ "element_ids": all, "by": [1000, 0, 0] }));
    let again = ids(&moved["regenerated"]);
    for id in ["space_id", "floor_id"] {
        assert!(!again.contains(&shell["storeys"][0][id].as_str().unwrap().to_owned()), "{moved}");
    }
    let space = element(&desk, &shell["storeys"][0]["space_id"]);
    is_near(quantity(&desk, space, "Qto_SpaceBaseQuantities", "GrossFloorArea"), 7.4 * 5.4);
}

#[test]
fn a_height_a_name_or_a_new_wall_draws_nothing_again() {
    let (mut desk, shell) = house("IFC4", 1);
    let id = wall(&shell, 0, 1);
    for (parameter, value) in [("height", json!(2500)), ("Name", json!("South"))] {
        let change = json!({ "element_id": id, "parameter_name": parameter, "value": value });
        let answer = desk.call("modify_parameter", change);
        let space = shell["storeys"][0]["space_id"].as_str().unwrap().to_owned();
        assert!(!ids(&answer["regenerated"]).contains(&space), "{answer}");
    }
}

#[test]
fn openings_of_a_wall_that_goes_are_taken_over_by_another() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        let wall = |y: i32, length: i32, thickness: i32, name: &str| {
            json!({ "start": [0, y], "end": [length, y], "thickness": thickness, "height": 3000, "name": name,
                "level_id": "Ground Floor" })
        };
        desk.call("create_wall", wall(0, 6000, 300, "Old"));
        desk.call("create_wall", wall(100, 8000, 200, "New"));
        desk.call("create_wall", wall(9000, 8000, 200, "Far"));
        desk.call("create_wall", wall(200, 2000, 200, "Short"));
        let made = desk.call(
            "create_opening",
            json!({ "host_id": "Old", "location": { "along": 4000, "sill": 800 }, "width": 1200, "height": 1300,
                "opening_type": "window" }),
        );
        for (other, says) in [("Far", "beside"), ("Short", "leave"), ("Old", "itself")] {
            let fault = desk.refuse("delete_elements", json!({ "element_ids": ["Old"], "rehost": other }));
            assert_eq!(fault.data["field"], "rehost", "{other}: {fault}");
            assert!(fault.message.contains(says), "{other}: {fault}");
        }
        let gone = desk.call("delete_elements", json!({ "element_ids": ["Old"], "rehost": "New" }));
        assert_eq!(
            (gone["count"].clone(), gone["rehosted"].clone()),
            (json!(1), json!([made["opening_id"]]))
        );
        assert_eq!(desk.count("IfcWindow"), 1);
        let opening = element(&desk, &made["opening_id"]);
        let host = ifc::relations::host_of_opening(&desk.model, opening).unwrap();
        assert_eq!(desk.model.get(host).unwrap().name().as_deref(), Some("New"));
        is_near(quantity(&desk, host, "Qto_WallBaseQuantities", "NetSideArea"), 8.0 * 3.0 - 1.2 * 1.3);
        is_near(quantity(&desk, host, "Qto_WallBaseQuantities", "NetVolume"), (8.0 * 3.0 - 1.2 * 1.3) * 0.2);
        let sound = gone["sound"].to_string();
        assert!(!sound.contains("outside_host"), "{schema}: {sound}");
        desk.clean();
    }
}

#[test]
fn a_roof_with_a_pitch_follows_the_walls_that_it_was_drawn_over() {
    for (schema, shape) in SCHEMAS.into_iter().zip(["gable", "hip", "mansard"]) {
        let mut desk = Desk::new(schema);
        let shell = desk.call(
            "create_building_shell",
            json!({
                "footprint": [[0, 0], [8000, 0], [8000, 6000], [0, 6000]], "storeys": 1, "wall_thickness": 300,
                "overhang": 300, "roof": shape, "pitch": 50
            }),
        );
        let roof = element(&desk, &shell["roof_id"]);
        let projected = |desk: &Desk| quantity(desk, roof, "Qto_RoofBaseQuantities", "ProjectedArea");
        is_near(projected(&desk), 8.6 * 6.6);
        let moved =
            desk.call("move_elements", json!({ "element_ids": [wall(&shell, 0, 2)], "by": [1000, 0, 0] }));
        is_near(projected(&desk), 9.6 * 6.6);
        assert!(ids(&moved["regenerated"]).contains(&guid_of(&desk, roof)), "{schema}: {moved}");
        assert!(moved.get("left_as_it_was").is_none(), "{moved}");
        desk.clean();
    }
}

fn guid_of(desk: &Desk, id: Id) -> String {
    desk.model.get(id).unwrap().guid().unwrap()
}

#[test]
fn walls_below_a_roof_whose_level_is_raised_reach_its_planes_again() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        let shell = desk.call(
            "create_building_shell",
            json!({
                "footprint": [[0, 0], [8000, 0], [8000, 6000], [0, 6000]], "storeys": 1, "wall_thickness": 300,
                "roof": "gable", "pitch": 40
            }),
        );
        let level = shell["roof_level"]["id"].clone();
        let heights = |desk: &Desk| -> Vec<f64> {
            (1..=4)
                .map(|side| element(desk, &json!(wall(&shell, 0, side))))
                .map(|id| quantity(desk, id, "Qto_WallBaseQuantities", "Height"))
                .collect()
        };
        let was = heights(&desk);
        let up = shell["roof_level"]["elevation"].as_f64().unwrap_or_else(|| panic!("{shell}")) + 900.0;
        desk.call(
            "modify_parameter",
            json!({ "element_id": level, "parameter_name": "elevation", "value": up }),
        );
        for (was, is) in was.iter().zip(heights(&desk)) {
            is_near(is, was + 0.9);
        }
        desk.clean();
    }
}
