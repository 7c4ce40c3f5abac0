//! Stairs, ramps, shafts and arcs among what stands around them: openings that go along when they are turned, mirrored or copied, walls
//! along arcs that stand in their way, storeys of another building that are not theirs.

use crate::desk::{Desk, SCHEMAS, text};
use crate::walling::{self, TopInput};
use building::author::word;
use geometry::Shaper;
use ifc::Id;
use serde_json::{Value, json};

const PLATE: [[u32; 2]; 4] = [[0, 0], [10_000, 0], [10_000, 8000], [0, 8000]];

/// A house of two storeys of 3 m with slabs of 10 by 8 m.
fn house(schema: &str, floors: &[&str]) -> Desk {
    let mut desk = Desk::new(schema);
    desk.call("create_level", json!({ "name": "Upper Floor", "elevation": 3000 }));
    for level in floors {
        floor(&mut desk, level);
    }
    desk
}

const BOTH: [&str; 2] = ["Ground Floor", "Upper Floor"];

fn floor(desk: &mut Desk, level: &str) -> Value {
    desk.call("create_floor", json!({ "boundary_points": PLATE, "level_id": level }))
}

fn id(desk: &Desk, guid: &Value) -> Id {
    desk.model.by_guid(&text(guid)).unwrap_or_else(|| panic!("no {guid}"))
}

/// The lowest corners of all openings in plan, in mm, and the volumes of all slabs in mm³ thousands, both from the least.
fn holes(desk: &Desk) -> (Vec<[i64; 2]>, Vec<i64>) {
    let place = |id: Id| {
        let at = ifc::placement::of_product(&desk.model, id).translation.truncate() * 1000.0;
        [at.x.round() as i64, at.y.round() as i64]
    };
    let mut openings: Vec<[i64; 2]> =
        desk.model.of_class("IfcOpeningElement").into_iter().map(place).collect();
    openings.sort_unstable();
    let volume = |id: Id| (Shaper::plain(&desk.model).net_bodies(id).unwrap().volume() * 1e6).round() as i64;
    let mut slabs: Vec<i64> = desk.model.of_class("IfcSlab").into_iter().map(volume).collect();
    slabs.sort_unstable();
    (openings, slabs)
}

fn stair(desk: &mut Desk, start: [i32; 2], direction: i32) -> Value {
    desk.call("create_stair", json!({ "level_id": "Ground Floor", "start": start, "direction": direction }))
}

#[test]
fn the_opening_of_a_stair_goes_along_when_it_is_turned_mirrored_or_copied() {
    for schema in SCHEMAS {
        let mut turned = house(schema, &BOTH);
        let one = stair(&mut turned, [5000, 4000], 0);
        let before = holes(&turned);
        assert_eq!(before.0, [[6020, 3500]], "{one}");
        let mirror = |copy: bool| json!({ "element_ids": [one["stair_id"]], "line": [[5000, 0], [5000, 1000]], "copy": copy });
        let (mut mirrored, mut copied, mut beside) =
            (house(schema, &BOTH), house(schema, &BOTH), house(schema, &BOTH));
        for desk in [&mut mirrored, &mut copied, &mut beside] {
            stair(desk, [5000, 4000], 0);
        }
        let turn = json!({ "element_ids": [one["stair_id"]], "angle": 180, "origin": [5000, 4000] });
        turned.call("rotate_elements", turn);
        // 2805 mm long, from 1020 mm after its start
        let there = (vec![[1175, 3500]], before.1.clone());
        assert_eq!(holes(&turned), there, "{schema}");
        turned.clean();
        let stairs = json!(mirrored.model.get(mirrored.model.of_class("IfcStair")[0]).unwrap().guid());
        assert_eq!(stairs, one["stair_id"]);
        mirrored.call("mirror_elements", mirror(false));
        assert_eq!(holes(&mirrored), there, "{schema}");
        mirrored.clean();
        mirrored.call("mirror_elements", mirror(false));
        assert_eq!(holes(&mirrored), before, "{schema}");
        beside.call("mirror_elements", mirror(true));
        assert_eq!(holes(&beside).0, [[1175, 3500], [6020, 3500]], "{schema}");
        beside.clean();
        copied.call("copy_elements", json!({ "element_ids": [one["stair_id"]], "by": [0, 2000] }));
        assert_eq!(holes(&copied).0, [[6020, 3500], [6020, 5500]], "{schema}");
        copied.clean();
        // each has its own, which goes with it
        let copies = copied.model.of_class("IfcStair");
        let copy = copies
            .into_iter()
            .filter_map(|id| copied.model.get(id)?.guid())
            .find(|guid| one["stair_id"] != *guid);
        copied.call("delete_elements", json!({ "element_ids": [copy] }));
        assert_eq!(holes(&copied), before, "{schema}");
    }
}

#[test]
fn what_was_turned_with_its_slabs_keeps_its_opening() {
    let mut desk = house("IFC4", &BOTH);
    stair(&mut desk, [5000, 4000], 0);
    let before = holes(&desk);
    for _ in 0..4 {
        let all = json!({ "element_ids": ["IfcStair", "IfcSlab"], "angle": 90, "origin": [5000, 4000] });
        desk.call("rotate_elements", all);
        assert_eq!(desk.count("IfcOpeningElement"), 1);
        assert_eq!(holes(&desk).1, before.1);
    }
    assert_eq!(holes(&desk), before);
    desk.clean();
}

#[test]
fn a_mirrored_ramp_is_not_drawn_the_other_way() {
    for schema in SCHEMAS {
        for shape in ["straight", "u"] {
            let mut desk = house(schema, &BOTH[..1]);
            let ramp = desk.call(
                "create_ramp",
                json!({ "level_id": "Ground Floor", "start": [5000, 2000], "slope": 25, "shape": shape, "height": 3000,
                        "run_length": 8000, "width": 1000 }),
            );
            let wall = json!({ "element_ids": [ramp["ramp_id"]], "line": [[5000, 0], [5000, 1000]] });
            let change = json!({ "element_id": ramp["ramp_id"], "parameter_name": "width", "value": 1100 });
            desk.call("mirror_elements", wall.clone());
            let fault = desk.refuse("modify_parameter", change.clone());
            assert!(fault.message.contains("mirrored"), "{fault}");
            let fault = desk.refuse("create_railing", json!({ "along": ramp["ramp_id"] }));
            assert_eq!(fault.data["field"], "along", "{fault}");
            // a floor is cut where the ramp stands now
            let made = floor(&mut desk, "Upper Floor");
            assert!(!made["openings"].as_array().unwrap().is_empty(), "{schema} {shape} {made}");
            assert!(holes(&desk).0.iter().all(|at| at[0] < 5000), "{schema} {shape}");
            desk.clean();
            desk.call("mirror_elements", wall);
            desk.call("modify_parameter", change);
        }
    }
}

#[test]
fn a_floor_over_a_mirrored_stair_is_cut_where_that_stands() {
    for schema in SCHEMAS {
        let mut desk = house(schema, &BOTH[..1]);
        let one = stair(&mut desk, [5000, 4000], 0);
        let mirror = json!({ "element_ids": [one["stair_id"]], "line": [[5000, 0], [5000, 1000]] });
        desk.call("mirror_elements", mirror);
        floor(&mut desk, "Upper Floor");
        assert_eq!(holes(&desk).0, [[1175, 3500]], "{schema}");
        let fault = desk.refuse("create_railing", json!({ "along": one["stair_id"] }));
        assert_eq!(fault.data["field"], "along", "{fault}");
        desk.clean();
    }
}

fn wall(desk: &mut Desk, mut arguments: Value) -> Value {
    arguments["level_id"] = json!("Ground Floor");
    desk.call("create_wall", arguments)
}

#[test]
fn a_wall_that_ends_on_an_arc_is_joined_with_it_though_the_arc_is_made_last() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        let stem = wall(&mut desk, json!({ "start": [0, 14000], "end": [0, 8000] }));
        let arc = wall(&mut desk, json!({ "start": [-8000, 0], "end": [8000, 0], "arc_through": [0, 8000] }));
        assert_eq!(arc["joins"][0]["join_type"], "tee", "{arc}");
        assert_eq!(
            arc["joins"][0]["other_id"].as_str().map_or(stem["wall_id"].clone(), Value::from),
            stem["wall_id"]
        );
        assert_eq!(arc["sound"], json!(true), "{arc}");
        desk.clean();
    }
}

#[test]
fn walls_along_arcs_stand_in_the_way_of_stairs_ramps_shafts_and_shells() {
    let mut desk = house("IFC4", &BOTH);
    let arc =
        wall(&mut desk, json!({ "start": [3000, 0], "end": [3000, 4000], "arc_through": [4000, 2000] }));
    let cases = [
        ("create_stair", json!({ "start": [1000, 2000] })),
        ("create_ramp", json!({ "start": [1000, 2000], "height": 400 })),
        ("create_shaft", json!({ "outline": [[2000, 1000], [3850, 3000]], "wall_thickness": 200 })),
    ];
    for (tool, mut arguments) in cases {
        arguments["level_id"] = json!("Ground Floor");
        let fault = desk.refuse(tool, arguments);
        assert_eq!(fault.data["wall_id"], arc["wall_id"], "{tool}: {fault}");
    }
    let ring =
        json!({ "footprint": [[3900, -5000], [9000, -5000], [9000, 9000], [3900, 9000]], "storeys": 1 });
    let mut desk = Desk::new("IFC4");
    let arc =
        wall(&mut desk, json!({ "start": [3000, 0], "end": [3000, 4000], "arc_through": [4000, 2000] }));
    let fault = desk.refuse("create_building_shell", ring);
    assert_eq!(fault.data["wall_id"], arc["wall_id"], "{fault}");
}

#[test]
fn an_arc_that_another_program_drew_parts_from_a_wall_that_it_leaves() {
    let mut desk = Desk::new("IFC4");
    let west = wall(&mut desk, json!({ "start": [-5000, 0], "end": [0, 0] }));
    let arc = wall(&mut desk, json!({ "start": [0, 0], "end": [4000, 0], "arc_through": [2000, 1500] }));
    let walls = [id(&desk, &west["wall_id"]), id(&desk, &arc["wall_id"])];
    // what has no quantities of ours is not ours to draw
    desk.by_hand(|author| {
        walls.into_iter().try_for_each(|wall| author.leave(wall, "IfcRelDefinesByProperties"))
    });
    assert_eq!(desk.count("IfcRelConnectsPathElements"), 1);
    let still = json!({ "element_ids": [arc["wall_id"]], "angle": 0.0, "origin": [0, 0] });
    desk.call("rotate_elements", still);
    assert_eq!(desk.count("IfcRelConnectsPathElements"), 1);
    let turn = json!({ "element_ids": [arc["wall_id"]], "angle": 180, "origin": [20000, 0] });
    desk.call("rotate_elements", turn);
    assert_eq!(desk.count("IfcRelConnectsPathElements"), 0);
}

#[test]
fn an_arc_that_reaches_into_a_room_is_told_of() {
    let mut desk = Desk::new("IFC4");
    let around = json!({ "start": [0, 0], "end": [0, 0], "via": [[6000, 0], [6000, 4000], [0, 4000]] });
    wall(&mut desk, around);
    let room = json!({ "level_id": "Ground Floor", "boundary_points": [[100, 100], [5900, 100], [5900, 3900], [100, 3900]] });
    desk.call("create_space", room);
    let arc = wall(
        &mut desk,
        json!({ "start": [20000, 1000], "end": [20000, 3000], "arc_through": [21000, 2000] }),
    );
    let moved = desk.call("move_elements", json!({ "element_ids": [arc["wall_id"]], "by": [-18000, 0] }));
    assert!(moved["left_as_it_was"][0]["why"].to_string().contains("reaches into it"), "{moved}");
}

#[test]
fn a_shaft_that_was_put_elsewhere_goes_on_there() {
    for schema in SCHEMAS {
        let shaft = json!({ "outline": [[2000, 2000], [4000, 4200]], "level_id": "Ground Floor", "wall_thickness": 200 });
        let cases = [
            ("move_elements", json!({ "by": [4000, 1000] }), [6000, 3000]),
            ("rotate_elements", json!({ "angle": 180, "origin": [5000, 4000] }), [6000, 3800]),
            ("mirror_elements", json!({ "line": [[5000, 0], [5000, 1000]] }), [6000, 2000]),
        ];
        for (tool, mut arguments, low) in cases {
            let mut desk = house(schema, &["Ground Floor"]);
            desk.call("create_shaft", shaft.clone());
            let walls: Vec<Option<String>> =
                desk.model.of_class("IfcWall").into_iter().map(|wall| desk.model.get(wall)?.guid()).collect();
            arguments["element_ids"] = json!(walls);
            desk.call(tool, arguments);
            let made = floor(&mut desk, "Upper Floor");
            assert_eq!(holes(&desk).0, [low], "{schema} {tool}");
            assert_eq!(made["sound"], json!(true), "{schema} {tool} {made}");
            desk.clean();
        }
    }
}

#[test]
fn a_shaft_that_was_to_end_does_so_when_its_last_storey_is_gone() {
    let mut desk = house("IFC4", &["Ground Floor"]);
    desk.call("create_level", json!({ "name": "Top Floor", "elevation": 6000 }));
    desk.call(
        "create_shaft",
        json!({ "outline": [[2000, 2000], [4000, 4200]], "level_id": "Ground Floor", "to_level": "Top Floor",
                "wall_thickness": 200 }),
    );
    desk.call("delete_elements", json!({ "element_ids": ["Top Floor"], "with_contents": true }));
    for (name, elevation, cut) in [("Attic", 9000, 0), ("Upper Floor", 3000, 1)] {
        if elevation > 3000 {
            desk.call("create_level", json!({ "name": name, "elevation": elevation }));
        }
        let made = floor(&mut desk, name);
        assert_eq!(made["openings"].as_array().map_or(0, Vec::len), cut, "{name} {made}");
    }
}

#[test]
fn storeys_of_another_building_are_not_above() {
    for schema in SCHEMAS {
        let mut desk = house(schema, &BOTH);
        for (name, elevation) in [("Annex", 1500), ("Annex roof", 9000)] {
            desk.call("create_level", json!({ "name": name, "elevation": elevation }));
        }
        let storeys = ["Annex", "Annex roof"]
            .map(|name| building::lookup::bearing(&desk.model, "IfcBuildingStorey", name).unwrap());
        let site = desk.model.of_class("IfcSite")[0];
        desk.by_hand(|author| {
            let other = author.root("IfcBuilding", Some("Annex"), &[("CompositionType", word("ELEMENT"))])?;
            author.aggregate(site, other)?;
            for storey in storeys {
                author.leave(storey, "IfcRelAggregates")?;
                author.aggregate(other, storey)?;
            }
            Ok(())
        });
        let one = stair(&mut desk, [1000, 2000], 0);
        assert_eq!(
            (one["to_level"].clone(), one["height"].clone()),
            (json!("Upper Floor"), json!(3000.0)),
            "{one}"
        );
        let shaft = desk.call(
            "create_shaft",
            json!({ "outline": [[6000, 5000], [8000, 7000]], "level_id": "Ground Floor", "wall_thickness": 200 }),
        );
        assert_eq!(shaft["storeys"].as_array().map(Vec::len), Some(2), "{shaft}");
        assert!(shaft["assumed"].to_string().contains("walls on the top storey 3000 mm high"), "{shaft}");
        let wall = desk.call(
            "create_wall",
            json!({ "start": [20000, 0], "end": [25000, 0], "level_id": "Ground Floor", "top": "above" }),
        );
        assert!(wall["assumed"].to_string().contains("Upper Floor"), "{wall}");
        let fault = desk.refuse(
            "create_stair",
            json!({ "level_id": "Ground Floor", "to_level": "Annex", "start": [1000, 6500] }),
        );
        assert_eq!(fault.data["field"], "to_level", "{fault}");
    }
}

#[test]
fn copies_on_several_storeys_are_bounded_together() {
    let mut desk = Desk::new("IFC4");
    wall(&mut desk, json!({ "start": [0, 0], "end": [500, 0], "name": "W" }));
    let levels: Vec<String> = (1..=21).map(|i| format!("Level {i}")).collect();
    for (i, name) in levels.iter().enumerate() {
        desk.call("create_level", json!({ "name": name, "elevation": 3000 * (i + 1) }));
    }
    let copies = json!({ "element_ids": ["W"], "by": [0, 1000], "count": 1000, "to_level": levels });
    let before = desk.model.len();
    let fault = desk.refuse("copy_elements", copies);
    assert_eq!(fault.data["field"], "count", "{fault}");
    assert_eq!(desk.model.len(), before);
}

#[test]
fn points_are_no_top_of_several_walls() {
    let mut desk = Desk::new("IFC4");
    desk.by_hand(|author| {
        let fault = walling::top(author, &TopInput::Line(vec![[0.0, 2000.0], [5000.0, 3000.0]])).unwrap_err();
        assert_eq!(fault.data["field"], "top", "{fault}");
        Ok(())
    });
    let bent = json!({ "start": [0, 0], "end": [4000, 0], "arc_through": [2000, 1000], "level_id": "Ground Floor",
                       "top": [[0, 2000], [4000, 3000]] });
    assert_eq!(desk.refuse("create_wall", bent).data["field"], "top");
}
