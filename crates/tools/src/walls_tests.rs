//! Walls as agents make, join, move and change them: bodies that meet and do not overlap, in all three schemas.

use crate::desk::{Desk, SCHEMAS, text};
use building::host::Wall;
use building::polygon::area;
use building::{Author, regions, space};
use contract::Actor;
use ifc::guid::GuidSource;
use serde_json::{Value, json};

/// A wall on the ground floor.
pub(crate) fn wall(desk: &mut Desk, start: [i32; 2], end: [i32; 2], more: Value) -> Value {
    let mut arguments = json!({ "start": start, "end": end, "level_id": "Ground Floor" });
    for (name, value) in more.as_object().unwrap() {
        arguments[name] = value.clone();
    }
    desk.call("create_wall", arguments)
}

/// The walls of a model as their axes see them.
fn walls(desk: &Desk) -> Vec<Wall> {
    let mut edit = desk.model.edit();
    let mut guids = GuidSource::new("looking");
    let actor = Actor { principal: "test".into(), client: None };
    let author = Author::new(&mut edit, &mut guids, 0, &actor);
    let ids = desk.model.of_class("IfcWall");
    ids.into_iter().map(|id| Wall::read(&author, id).unwrap()).collect()
}

/// The area in plan that bodies take up one by one and all together, in m², and the number of pieces that these are.
pub(crate) fn plan(desk: &Desk) -> (f64, f64, usize) {
    let outlines: Vec<_> = walls(desk).iter().map(space::outline_in_world).collect();
    let apart: f64 = outlines.iter().map(|o| area(o)).sum();
    let joined = regions::union(&outlines);
    let holes = |region: &building::regions::Region| region.holes.iter().map(|h| area(h)).sum::<f64>();
    let together: f64 = joined.iter().map(|r| area(&r.outer) - holes(r)).sum();
    (apart / 1e6, together / 1e6, joined.len())
}

/// Bodies overlap nowhere, are one piece, take up so many m² in plan, and are as large as their quantities say.
pub(crate) fn sound(desk: &mut Desk, m2: f64, pieces: usize) {
    let (apart, together, found) = plan(desk);
    assert!((apart - together).abs() < 1e-4, "overlap by {} m²", apart - together);
    assert!((together - m2).abs() < 1e-4, "{together} m² in plan, not {m2}");
    assert_eq!(found, pieces);
    measured(desk);
    desk.clean();
}

/// The bodies of walls are as large as their quantities say, openings taken out.
fn measured(desk: &Desk) {
    for id in desk.model.of_class("IfcWall") {
        let found = geometry::measure(&desk.model, id).unwrap();
        assert!(found.is_closed(), "open by {}", found.open);
        let stored = building::quantities::read(&desk.model, id, "Qto_WallBaseQuantities");
        let net = stored["NetVolume"].value;
        let openings = ifc::relations::openings_of(&desk.model, id).len();
        if openings == 0 {
            assert!((found.volume - net).abs() < 1e-6, "{} is not {net}", found.volume);
        }
    }
}

#[test]
fn walls_whose_ends_meet_are_mitred_as_they_are_made() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        wall(&mut desk, [0, 0], [6000, 0], json!({}));
        let second = wall(&mut desk, [6000, 0], [6000, 4000], json!({ "thickness": 300 }));
        assert_eq!(second["joins"][0]["join_type"], "mitre", "{second}");
        assert_eq!(second["joins"][0]["at"], json!(["end", "start"]));
        assert_eq!(second["length"], 4000.0);
        // the corner's square of 300 by 200 mm is there once, and whole
        sound(&mut desk, 5.85 * 0.2 + 4.0 * 0.3 - 0.1 * 0.3 + 0.2 * 0.3, 1);
        wall(&mut desk, [6000, 4000], [0, 4000], json!({}));
        let last = wall(&mut desk, [0, 4000], [0, 0], json!({ "location_line": "right" }));
        assert_eq!(last["joins"].as_array().map(Vec::len), Some(2), "{last}");
        assert_eq!(desk.count("IfcRelConnectsPathElements"), 4);
        let (apart, together, pieces) = plan(&desk);
        assert!((apart - together).abs() < 1e-4 && pieces == 1, "{apart} {together} {pieces}");
        desk.clean();
        desk.keep(&format!("walls-corner-{schema}"));
    }
}

#[test]
fn an_end_on_the_path_of_another_stops_at_its_face_whichever_is_made_first() {
    for schema in SCHEMAS {
        for stem_first in [false, true] {
            let mut desk = Desk::new(schema);
            let through = |desk: &mut Desk| wall(desk, [0, 0], [6000, 0], json!({}));
            let stem = |desk: &mut Desk| wall(desk, [2000, 0], [4000, 3000], json!({ "thickness": 100 }));
            let answer = if stem_first {
                stem(&mut desk);
                through(&mut desk)
            } else {
                through(&mut desk);
                stem(&mut desk)
            };
            assert_eq!(answer["joins"][0]["join_type"], "tee", "{answer}");
            assert_eq!(answer["joins"][0]["at"], json!(["path", "start"]));
            let slope = (13.0_f64).sqrt() / 3.0;
            sound(&mut desk, 1.2 + 0.1 * ((13.0_f64).sqrt() - 0.1 * slope), 1);
        }
    }
}

#[test]
fn three_and_four_walls_in_one_point_do_not_overlap() {
    let mut desk = Desk::new("IFC4");
    wall(&mut desk, [0, 0], [3000, 0], json!({}));
    wall(&mut desk, [3000, 0], [6000, 0], json!({}));
    wall(&mut desk, [3000, 0], [3000, 3000], json!({ "thickness": 100 }));
    sound(&mut desk, 1.2 + 0.29, 1);
    wall(&mut desk, [3000, -3000], [3000, 0], json!({ "thickness": 100 }));
    sound(&mut desk, 1.2 + 0.58, 1);
    let mut desk = Desk::new("IFC4");
    for end in [[3000, 0], [-1500, 2600], [-1500, -2600]] {
        wall(&mut desk, [0, 0], end, json!({}));
    }
    let (apart, together, pieces) = plan(&desk);
    assert!((apart - together).abs() < 1e-4 && pieces == 1, "{apart} {together} {pieces}");
    measured(&desk);
}

#[test]
fn of_walls_of_other_heights_the_higher_runs_through_the_corner() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        let low = wall(&mut desk, [0, 0], [6000, 0], json!({ "height": 2500 }));
        let high = wall(&mut desk, [6000, 0], [6000, 4000], json!({ "height": 3500 }));
        assert_eq!(high["joins"][0]["join_type"], "butt");
        assert_eq!(high["joins"][0]["element_ids"], json!([high["wall_id"], low["wall_id"]]));
        sound(&mut desk, 4.1 * 0.2 + 5.9 * 0.2, 1);
        let id = &low["wall_id"];
        let same = desk
            .call("modify_parameter", json!({ "element_id": id, "parameter_name": "height", "value": 3500 }));
        assert_eq!(same["regenerated"], json!([high["wall_id"]]), "{same}");
        sound(&mut desk, 4.0 * 0.2 + 6.0 * 0.2, 1);
    }
}

#[test]
fn a_corner_is_joined_otherwise_or_parted_as_asked() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        let ids: Vec<String> = [([0, 0], [6000, 0]), ([6000, 0], [6000, 4000])]
            .map(|(start, end)| text(&wall(&mut desk, start, end, json!({}))["wall_id"]))
            .into();
        let reversed = [&ids[1], &ids[0]];
        for (order, first, kind, m2) in [
            (json!(ids), 0, "butt", 6.1 * 0.2 + 3.9 * 0.2),
            (json!(reversed), 1, "butt", 5.9 * 0.2 + 4.1 * 0.2),
            (json!(ids), 0, "mitre", 2.0),
        ] {
            let answer = desk.call("join_elements", json!({ "element_ids": order, "join_type": kind }));
            assert_eq!(answer["joins"][0]["join_type"], kind, "{answer}");
            if kind == "butt" {
                assert_eq!(answer["joins"][0]["element_ids"][0], json!(ids[first]));
            }
            assert_eq!(desk.count("IfcRelConnectsPathElements"), 1);
            sound(&mut desk, m2, 1);
        }
        let again = desk.call("join_elements", json!({ "element_ids": ids, "join_type": "mitre" }));
        assert_eq!(again["regenerated"], json!([]), "nothing is left to do");
        let parted = desk.call("join_elements", json!({ "element_ids": ids, "join_type": "none" }));
        assert_eq!(parted["parted"].as_array().map(Vec::len), Some(1));
        assert_eq!(desk.count("IfcRelConnectsPathElements"), 0);
        let (apart, together, _) = plan(&desk);
        assert!((apart - together - 0.01).abs() < 1e-4, "square ends overlap in a quarter of the corner");
        desk.clean();
    }
}

#[test]
fn a_wall_made_on_another_leaves_its_corners_as_they_are() {
    let (mut desk, _) = room("IFC4");
    let (apart, together, _) = plan(&desk);
    let answer = wall(&mut desk, [0, 0], [6000, 0], json!({}));
    assert!(answer.get("joins").is_none(), "{answer}");
    assert_eq!(desk.count("IfcRelConnectsPathElements"), 4);
    let (more, still, _) = plan(&desk);
    assert!((more - apart - 1.2).abs() < 1e-4, "{apart} {more}");
    assert!((still - together).abs() < 1e-4, "the ends of the copy lie in the corners: {together} {still}");
}

#[test]
fn joins_that_cannot_be_are_refused_with_what_would_do() {
    let mut desk = Desk::new("IFC4");
    wall(&mut desk, [0, 0], [6000, 0], json!({ "name": "A" }));
    wall(&mut desk, [6000, 0], [6000, 4000], json!({ "name": "B" }));
    wall(&mut desk, [2000, 0], [2000, 4000], json!({ "name": "C" }));
    wall(&mut desk, [9000, 0], [9000, 4000], json!({ "name": "Far" }));
    let square = json!([[0, 9000], [6000, 9000], [6000, 12000], [0, 12000]]);
    desk.call("create_floor", json!({ "boundary_points": square, "level_id": "Ground Floor", "name": "S" }));
    for (ids, kind, field, says) in [
        (json!(["A", "B"]), "tee", "join_type", "end to end"),
        (json!(["A", "C"]), "butt", "join_type", "tee"),
        (json!(["A", "C"]), "mitre", "join_type", "tee"),
        (json!(["A", "Far"]), "auto", "element_ids", "3000 mm"),
        (json!(["B", "Far"]), "none", "join_type", "nothing to part"),
        (json!(["A"]), "auto", "element_ids", "2 to 200"),
        (json!(["A", "S"]), "auto", "element_ids[1]", "no wall"),
        (json!(["A", "Nobody"]), "auto", "element_ids[1]", "Nobody"),
    ] {
        let before = desk.model.len();
        let fault = desk.refuse("join_elements", json!({ "element_ids": ids, "join_type": kind }));
        assert_eq!(fault.data["field"], field, "{ids} {kind}: {fault}");
        assert!(fault.message.contains(says), "{fault}");
        assert_eq!(desk.model.len(), before);
    }
    desk.refuse("join_elements", json!({ "element_ids": ["A", "B"], "join_type": "glue" }));
}

/// A room of 6 by 4 m between the axes of four walls 200 mm thick, with a window in the second.
fn room(schema: &str) -> (Desk, Vec<String>) {
    let mut desk = Desk::new(schema);
    let corners = [[0, 0], [6000, 0], [6000, 4000], [0, 4000]];
    let ids: Vec<String> = (0..4)
        .map(|i| text(&wall(&mut desk, corners[i], corners[(i + 1) % 4], json!({}))["wall_id"]))
        .collect();
    desk.call(
        "create_opening",
        json!({ "host_id": ids[1], "location": { "along": 800, "sill": 900 }, "width": 1000, "height": 1200,
                "opening_type": "window", "name": "Window" }),
    );
    (desk, ids)
}

/// Start and end of a wall's axis in plan, in mm.
fn axis(desk: &Desk, guid: &str) -> [[f64; 2]; 2] {
    let id = desk.model.by_guid(guid).unwrap();
    let wall = walls(desk).into_iter().find(|w| w.id == id).unwrap();
    [wall.at(0.0), wall.at(wall.length)].map(|p| p.truncate().round().to_array())
}

#[test]
fn a_wall_moved_across_takes_the_ends_of_its_neighbours_with_it_and_openings_stay() {
    for schema in SCHEMAS {
        let (mut desk, ids) = room(schema);
        let window = |desk: &Desk| {
            let id = desk.model.of_class("IfcWindow")[0];
            (ifc::placement::of_product(&desk.model, id).translation * 1000.0).round()
        };
        let stood = window(&desk);
        let moved = desk.call("move_elements", json!({ "element_ids": [ids[0]], "by": [300, -1000] }));
        assert_eq!(moved["regenerated"].as_array().map(Vec::len), Some(2), "{moved}");
        assert_eq!(axis(&desk, &ids[0]), [[0.0, -1000.0], [6000.0, -1000.0]]);
        assert_eq!(axis(&desk, &ids[1]), [[6000.0, -1000.0], [6000.0, 4000.0]]);
        assert_eq!(axis(&desk, &ids[3]), [[0.0, 4000.0], [0.0, -1000.0]]);
        assert_eq!(window(&desk), stood);
        assert_eq!(desk.count("IfcRelConnectsPathElements"), 4);
        sound(&mut desk, 22.0 * 0.2, 1);
        // the window stands from 300 to 1300 mm along the second wall
        let fault = desk.refuse("move_elements", json!({ "element_ids": [ids[0]], "by": [0, 1600] }));
        assert!(fault.message.contains("Window"), "{fault}");
        assert!(fault.data["element_id"].is_string());
        let fault = desk.refuse("move_elements", json!({ "element_ids": [ids[0]], "by": [0, 6000] }));
        assert!(fault.message.contains("nothing would be left"), "{fault}");
        // along itself a wall parts
        desk.call("move_elements", json!({ "element_ids": [ids[0]], "by": [-8000, 0] }));
        assert_eq!(desk.count("IfcRelConnectsPathElements"), 2);
        desk.clean();
    }
}

#[test]
fn stems_follow_a_wall_that_is_moved_or_made_thinner() {
    for schema in SCHEMAS {
        let (mut desk, ids) = room(schema);
        let stem = text(
            &wall(
                &mut desk,
                [3000, 100],
                [3000, 3900],
                json!({ "wall_type": "partition", "thickness": 100 }),
            )["wall_id"],
        );
        assert_eq!(desk.count("IfcRelConnectsPathElements"), 6);
        sound(&mut desk, 20.0 * 0.2 + 0.38, 1);
        desk.call("move_elements", json!({ "element_ids": [ids[2]], "by": [0, 500] }));
        assert_eq!(axis(&desk, &stem), [[3000.0, 100.0], [3000.0, 4400.0]]);
        sound(&mut desk, 21.0 * 0.2 + 0.43, 1);
        desk.call(
            "modify_parameter",
            json!({ "element_id": ids[0], "parameter_name": "thickness", "value": 100 }),
        );
        assert_eq!(axis(&desk, &stem)[0], [3000.0, 50.0]);
        assert_eq!(desk.count("IfcRelConnectsPathElements"), 6);
        let (apart, together, pieces) = plan(&desk);
        assert!((apart - together).abs() < 1e-4 && pieces == 1, "{apart} {together} {pieces}");
        desk.clean();
    }
}

#[test]
fn deleting_a_wall_leaves_the_others_with_square_ends() {
    let (mut desk, ids) = room("IFC4");
    desk.call("delete_elements", json!({ "element_ids": [ids[2]] }));
    assert_eq!(desk.count("IfcRelConnectsPathElements"), 2);
    sound(&mut desk, 14.0 * 0.2, 1);
}

#[test]
fn an_end_that_is_brought_to_another_wall_is_joined_there() {
    let mut desk = Desk::new("IFC4");
    let first = text(&wall(&mut desk, [0, 0], [5000, 0], json!({}))["wall_id"]);
    wall(&mut desk, [6000, 0], [6000, 4000], json!({}));
    assert_eq!(desk.count("IfcRelConnectsPathElements"), 0);
    desk.call(
        "modify_parameter",
        json!({ "element_id": first, "parameter_name": "end", "value": [6000, 0] }),
    );
    assert_eq!(desk.count("IfcRelConnectsPathElements"), 1);
    sound(&mut desk, 2.0, 1);
}

#[test]
fn two_walls_that_nearly_meet_are_brought_together() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        let first = text(&wall(&mut desk, [0, 0], [5500, 0], json!({ "name": "A" }))["wall_id"]);
        let second = text(&wall(&mut desk, [6000, -700], [6000, 4000], json!({ "name": "B" }))["wall_id"]);
        let stem = text(&wall(&mut desk, [2000, 600], [2000, 3000], json!({ "name": "C" }))["wall_id"]);
        assert_eq!(desk.count("IfcRelConnectsPathElements"), 0);
        let answer = desk.call("join_elements", json!({ "element_ids": ["A", "B"], "join_type": "mitre" }));
        assert_eq!(answer["joins"][0]["join_type"], "mitre", "{answer}");
        assert_eq!(axis(&desk, &first), [[0.0, 0.0], [6000.0, 0.0]]);
        assert_eq!(axis(&desk, &second), [[6000.0, 0.0], [6000.0, 4000.0]]);
        desk.call("join_elements", json!({ "element_ids": ["A", "C"], "join_type": "tee" }));
        assert_eq!(axis(&desk, &stem), [[2000.0, 0.0], [2000.0, 3000.0]]);
        sound(&mut desk, 2.0 + 2.9 * 0.2, 1);
    }
}

#[test]
fn partitions_of_rooms_follow_the_walls_that_bound_them() {
    let mut desk = Desk::new("IFC4");
    let shell = desk.call(
        "create_building_shell",
        json!({ "footprint": [[0, 0], [9000, 0], [9000, 6000], [0, 6000]], "storeys": 1 }),
    );
    let rooms = desk.call(
        "create_rooms",
        json!({ "level_id": "Ground Floor", "rooms": [
            { "name": "a", "boundary": [[0, 0], [4000, 0], [4000, 6000], [0, 6000]] },
            { "name": "b", "boundary": [[4000, 0], [9000, 0], [9000, 6000], [4000, 6000]] },
        ] }),
    );
    let partition = text(&rooms["partitions"][0]["wall_id"]);
    assert_eq!(desk.count("IfcRelConnectsPathElements"), 6);
    let (before, ..) = plan(&desk);
    let outer = &shell["storeys"][0]["walls"][0]["wall_id"];
    desk.call("move_elements", json!({ "element_ids": [outer], "by": [0, -1000] }));
    let long = axis(&desk, &partition).map(|[_, y]| y);
    assert!(long.contains(&-800.0) && long.contains(&5800.0), "{long:?}");
    let (apart, together, pieces) = plan(&desk);
    assert!((apart - together).abs() < 1e-4 && pieces == 1, "{apart} {together} {pieces}");
    // two outer walls and the partition are a metre longer
    assert!((apart - before - 0.4 - 0.1).abs() < 1e-4, "{before} {apart}");
    assert_eq!(desk.count("IfcRelConnectsPathElements"), 6);
    desk.clean();
}
