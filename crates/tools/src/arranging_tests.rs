//! Copying, turning, mirroring and aligning as agents call them: what goes along, what stays shared, what is refused.

use crate::desk::{Desk, SCHEMAS, text};
use serde_json::{Value, json};

/// A wall of 6 m with a window and a door in it.
fn wall(desk: &mut Desk) -> String {
    let wall = desk.call(
        "create_wall",
        json!({ "start": [0, 0], "end": [6000, 0], "level_id": "Ground Floor", "height": 3000, "name": "Wall 1" }),
    );
    for (along, kind, height) in [(1500, "window", 1200), (4000, "door", 2100)] {
        desk.call(
            "create_opening",
            json!({ "host_id": "Wall 1", "location": { "along": along }, "width": 1000, "height": height,
                    "opening_type": kind }),
        );
    }
    text(&wall["wall_id"])
}

/// The box of an element in whole mm: lowest and highest corner.
fn bounds(desk: &Desk, name: &str) -> [[i64; 3]; 2] {
    let id = building::lookup::product(&desk.model, "element", name).unwrap();
    let bounds = geometry::bounds(&desk.model, id).unwrap();
    [bounds.min, bounds.max].map(|p| p.to_array().map(|c| c.round() as i64))
}

fn volume(desk: &Desk, name: &str) -> f64 {
    let id = building::lookup::product(&desk.model, "element", name).unwrap();
    geometry::measure(&desk.model, id).unwrap().volume
}

#[test]
fn a_row_of_walls_takes_openings_doors_and_windows_along_and_shares_types() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        let source = wall(&mut desk);
        let answer =
            desk.call("copy_elements", json!({ "element_ids": [source], "by": [0, 4000, 0], "count": 3 }));
        assert_eq!(answer["count"], 3);
        let names: Vec<String> =
            answer["copies"].as_array().unwrap().iter().map(|c| text(&c["name"])).collect();
        assert_eq!(names, ["Wall 2", "Wall 3", "Wall 4"]);
        assert_eq!(answer["copies"][2]["position"], json!([0.0, 12000.0, 0.0]));
        for class in ["IfcWall", "IfcWindow", "IfcDoor"] {
            assert_eq!(desk.count(class), 4, "{class}");
        }
        assert_eq!(desk.count("IfcOpeningElement"), 8);
        assert_eq!((desk.count("IfcWallType"), desk.count("IfcMaterialLayerSet")), (1, 1));
        let net = 6.0 * 3.0 - 1.2 - 2.1;
        assert_eq!(desk.found(&format!("IfcWall, Qto_WallBaseQuantities.NetSideArea={net:.1}")), 4);
        assert!((volume(&desk, "Wall 1") - volume(&desk, "Wall 4")).abs() < 1e-9);
        assert_eq!(desk.found("IfcWindow, Name=\"Window 4\""), 1);
        assert_eq!(desk.found("IfcOpeningElement, Name=\"Opening 8\""), 1);
        desk.clean();
        // what belongs to a copy is its own
        desk.call(
            "modify_parameter",
            json!({ "element_id": "Wall 3", "parameter_name": "height", "value": 4000 }),
        );
        assert_eq!(desk.found("IfcWall, Qto_WallBaseQuantities.Height=3"), 3);
        assert_eq!((bounds(&desk, "Wall 3")[1][2], bounds(&desk, "Wall 2")[1][2]), (4000, 3000));
        desk.call("delete_elements", json!({ "element_ids": ["Wall 1"] }));
        assert_eq!((desk.count("IfcWindow"), bounds(&desk, "Wall 2")[1][2]), (3, 3000));
        desk.clean();
        desk.keep(&format!("row-{schema}"));
    }
}

#[test]
fn a_house_copied_to_another_storey_keeps_its_corners_and_the_storey_its_totals() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        desk.call(
            "create_building_shell",
            json!({ "footprint": [[0, 0], [8000, 0], [8000, 6000], [0, 6000]], "storeys": 1, "spaces": true,
                    "names": { "walls": "Wall {n}" } }),
        );
        desk.call("create_level", json!({ "name": "Attic", "elevation": 9000 }));
        let walls = desk.count("IfcWall");
        let corners = desk.count("IfcRelConnectsPathElements");
        desk.call(
            "copy_elements",
            json!({ "element_ids": ["walls", "IfcSpace", "IfcSlab, PredefinedType=FLOOR + IfcSlab, PredefinedType=BASESLAB"],
                    "to_level": "Attic" }),
        );
        assert_eq!(
            (desk.count("IfcWall"), desk.count("IfcRelConnectsPathElements")),
            (2 * walls, 2 * corners)
        );
        assert_eq!(bounds(&desk, "Wall 5")[0][2] - bounds(&desk, "Wall 1")[0][2], 9000);
        assert_eq!(
            desk.found("IfcBuildingStorey, Name=Attic, Qto_BuildingStoreyBaseQuantities.GrossFloorArea=48"),
            1
        );
        assert_eq!(desk.found("IfcWall, location=Attic"), walls);
        assert!((volume(&desk, "Wall 5") - volume(&desk, "Wall 1")).abs() < 1e-9);
        desk.clean();
    }
}

#[test]
fn a_grid_and_a_ring_of_copies_lie_where_they_should() {
    let mut desk = Desk::new("IFC4");
    let source = wall(&mut desk);
    let grid =
        json!({ "element_ids": [source], "by": [10000, 0], "count": 2, "by_2": [0, 5000], "count_2": 1 });
    assert_eq!(desk.call("copy_elements", grid)["count"], 5);
    assert_eq!(bounds(&desk, "Wall 6")[0][..2], [20000, 4900]);
    let ring = json!({ "element_ids": [source], "angle": 90, "origin": [0, -20000], "count": 3 });
    let answer = desk.call("copy_elements", ring);
    assert_eq!(answer["copies"][0]["position"], json!([-20000.0, -20000.0, 0.0]));
    let [low, high] = bounds(&desk, "Wall 7");
    assert_eq!((high[0] - low[0], high[1] - low[1]), (200, 6000));
    desk.clean();
}

#[test]
fn a_window_alone_is_copied_along_its_wall_as_far_as_there_is_room() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        wall(&mut desk);
        let answer = desk.call("copy_elements", json!({ "element_ids": ["Window 1"], "by": [1200, 0] }));
        assert_eq!(answer["copies"][0]["class"], "IfcWindow");
        let net = 6.0 * 3.0 - 2.0 * 1.2 - 2.1;
        assert_eq!(desk.found(&format!("IfcWall, Qto_WallBaseQuantities.NetSideArea={net}")), 1);
        let fault = desk.refuse("copy_elements", json!({ "element_ids": ["Window 1"], "by": [2200, 0] }));
        assert!(fault.message.contains("overlap"), "{fault}");
        let fault = desk.refuse("copy_elements", json!({ "element_ids": ["Window 1"], "by": [0, 3000] }));
        assert!(fault.message.contains("beside its wall"), "{fault}");
        desk.clean();
    }
}

#[test]
fn a_turned_wall_keeps_its_volume_and_what_is_in_it() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        wall(&mut desk);
        let before = volume(&desk, "Wall 1");
        let answer =
            desk.call("rotate_elements", json!({ "element_ids": ["Wall 1"], "angle": 90, "origin": [0, 0] }));
        assert_eq!(answer["rotated"][0]["position"], json!([0.0, 0.0, 0.0]));
        assert_eq!(bounds(&desk, "Wall 1"), [[-100, 0, 0], [100, 6000, 3000]]);
        let [low, high] = bounds(&desk, "Window 1");
        assert_eq!((low[1], high[1], low[2]), (1000, 2000, 900));
        assert!((volume(&desk, "Wall 1") - before).abs() < 1e-9);
        let answer = desk.call("rotate_elements", json!({ "element_ids": ["Wall 1"], "angle": 45 }));
        assert_eq!(answer["assumed"], json!(["origin [0, 3000]"]));
        assert!((volume(&desk, "Wall 1") - before).abs() < 1e-9);
        let fault = desk.refuse("rotate_elements", json!({ "element_ids": ["Door 1"], "angle": 45 }));
        assert!(fault.message.contains("Wall 1"), "{fault}");
        desk.clean();
    }
}

#[test]
fn a_mirrored_wall_has_its_door_of_the_other_hand_in_the_right_place() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        wall(&mut desk);
        let before = (volume(&desk, "Wall 1"), volume(&desk, "Door 1"));
        let line = json!([[-1000, 0], [-1000, 500]]);
        let answer =
            desk.call("mirror_elements", json!({ "element_ids": ["Wall 1"], "line": line, "copy": true }));
        assert_eq!(answer["mirrored"][0]["name"], "Wall 2");
        assert_eq!(bounds(&desk, "Wall 1"), [[0, -100, 0], [6000, 100, 3000]]);
        assert_eq!(bounds(&desk, "Wall 2"), [[-8000, -100, 0], [-2000, 100, 3000]]);
        let [low, high] = bounds(&desk, "Door 2");
        assert_eq!((low[0], high[0]), (-6500, -5500));
        assert!((volume(&desk, "Wall 2") - before.0).abs() < 1e-9);
        assert!((volume(&desk, "Door 2") - before.1).abs() < 1e-9);
        let class = if schema == "IFC2X3" { "IfcDoorStyle" } else { "IfcDoorType" };
        assert_eq!(desk.found(&format!("{class}, OperationType=SINGLE_SWING_RIGHT")), 1);
        desk.clean();
        // the image can be worked with: its length changes, and the mirror again gives back the wall
        desk.call(
            "modify_parameter",
            json!({ "element_id": "Wall 2", "parameter_name": "thickness", "value": 300 }),
        );
        desk.call("mirror_elements", json!({ "element_ids": ["Wall 2"], "line": line }));
        assert_eq!(bounds(&desk, "Wall 2"), [[0, -150, 0], [6000, 150, 3000]]);
        let fault = desk.refuse("mirror_elements", json!({ "element_ids": ["Door 1"], "line": line }));
        assert!(fault.message.contains("Wall 1"), "{fault}");
        desk.clean();
        desk.keep(&format!("mirror-{schema}"));
    }
}

#[test]
fn a_mirrored_house_is_a_house_with_mitred_corners() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        desk.call(
            "create_building_shell",
            json!({ "footprint": [[0, 0], [8000, 0], [8000, 3000], [4000, 3000], [4000, 6000], [0, 6000]],
                    "storeys": 1, "spaces": true, "names": { "walls": "Wall {n}" } }),
        );
        let all = json!(["walls", "IfcSpace", "IfcSlab", "IfcRoof"]);
        let before: Vec<f64> = (1..=6).map(|n| volume(&desk, &format!("Wall {n}"))).collect();
        desk.call("mirror_elements", json!({ "element_ids": all, "line": [[0, 0], [1000, 1000]] }));
        let after: Vec<f64> = (1..=6).map(|n| volume(&desk, &format!("Wall {n}"))).collect();
        for (a, b) in before.iter().zip(&after) {
            assert!((a - b).abs() < 1e-6, "{before:?} {after:?}");
        }
        assert_eq!(bounds(&desk, "Wall 1")[1][1], 8000);
        assert_eq!(desk.found("IfcBuildingStorey, Qto_BuildingStoreyBaseQuantities.GrossFloorArea=36"), 1);
        desk.clean();
    }
}

#[test]
fn a_roof_that_was_turned_or_mirrored_is_made_anew_where_it_stands() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        let outline = json!([[20000, 0], [28000, 0], [28000, 5000], [20000, 5000]]);
        desk.call(
            "create_roof",
            json!({ "boundary_points": outline, "level_id": "Ground Floor", "shape": "gable", "ridge_direction": 0,
                    "pitch": 30, "name": "Roof" }),
        );
        let plan = |desk: &Desk| {
            let slabs: Vec<_> = desk.model.of_class("IfcSlab").into_iter().collect();
            let around = slabs.iter().map(|id| geometry::bounds(&desk.model, *id).unwrap());
            around.fold([i64::MAX, i64::MAX, i64::MIN, i64::MIN], |[a, b, c, d], one| {
                let [low, high] = [one.min, one.max].map(|p| p.to_array().map(|c| c.round() as i64));
                [a.min(low[0]), b.min(low[1]), c.max(high[0]), d.max(high[1])]
            })
        };
        let before = plan(&desk);
        desk.call("rotate_elements", json!({ "element_ids": ["Roof"], "angle": 90, "origin": [20000, 0] }));
        let turned = plan(&desk);
        assert_ne!(before, turned);
        desk.call(
            "modify_parameter",
            json!({ "element_id": "Roof", "parameter_name": "pitch", "value": 40 }),
        );
        assert_eq!(plan(&desk), turned, "{schema}");
        let line = json!([[0, 0], [0, 1000]]);
        desk.call("mirror_elements", json!({ "element_ids": ["Roof"], "line": line }));
        let mirrored = plan(&desk);
        assert_eq!(mirrored, [-turned[2], turned[1], -turned[0], turned[3]]);
        desk.call(
            "modify_parameter",
            json!({ "element_id": "Roof", "parameter_name": "pitch", "value": 30 }),
        );
        assert_eq!(plan(&desk), mirrored, "{schema}");
        desk.clean();
    }
}

#[test]
fn walls_are_brought_into_line_and_spaced_evenly() {
    let mut desk = Desk::new("IFC4");
    for (n, x) in [(1, 0), (2, 300), (3, 900), (4, -200)] {
        desk.call(
            "create_wall",
            json!({ "start": [x, n * 2000], "end": [x + 4000, n * 2000 + 100 * (n - 1)], "level_id": "Ground Floor" }),
        );
    }
    let answer = desk.call("align_elements", json!({ "element_ids": ["walls"], "align": "left" }));
    assert_eq!((answer["moved"].as_array().unwrap().len(), &answer["in_place"]), (3, &json!(1)));
    assert!((2..=4).all(|n| bounds(&desk, &format!("Wall {n}"))[0][0] == bounds(&desk, "Wall 1")[0][0]));
    desk.call("align_elements", json!({ "element_ids": ["walls"], "distribute": "y", "spacing": 1000 }));
    for n in 1..4 {
        let (one, next) = (bounds(&desk, &format!("Wall {n}")), bounds(&desk, &format!("Wall {}", n + 1)));
        assert_eq!(next[0][1] - one[1][1], 1000);
    }
    desk.call("align_elements", json!({ "element_ids": ["Wall 2"], "align": "bottom", "to": 250 }));
    assert_eq!(bounds(&desk, "Wall 2")[0][2], 250);
    let answer =
        desk.call("align_elements", json!({ "element_ids": ["Wall 2"], "align": "bottom", "to": "Wall 1" }));
    assert_eq!(answer["moved"].as_array().unwrap().len(), 1);
    assert_eq!(bounds(&desk, "Wall 2")[0][2], 0);
    desk.clean();
}

#[test]
fn what_cannot_be_arranged_is_refused_with_the_field() {
    let mut desk = Desk::new("IFC4");
    wall(&mut desk);
    let copy = |more: Value| {
        let mut all = json!({ "element_ids": ["Wall 1"] });
        all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        all
    };
    let cases = [
        ("copy_elements", copy(json!({ "by": [0, 5000], "count": 0 })), "count"),
        ("copy_elements", copy(json!({ "by": [0, 5000], "count": 1001 })), "count"),
        ("copy_elements", copy(json!({ "by": [0, 5000], "count": -1 })), "count"),
        (
            "copy_elements",
            copy(json!({ "by": [0, 5000], "count": 1000, "by_2": [1, 1], "count_2": 2 })),
            "count_2",
        ),
        ("copy_elements", copy(json!({ "by": [0, 5000], "by_2": [0, 0] })), "by_2"),
        ("copy_elements", copy(json!({ "by": [0, 0] })), "by"),
        ("copy_elements", copy(json!({})), "by"),
        ("copy_elements", copy(json!({ "by": [1e99, 0] })), "by[0]"),
        ("copy_elements", copy(json!({ "by": [0, 1], "to_level": "../../etc" })), "to_level"),
        ("copy_elements", copy(json!({ "angle": 90 })), "origin"),
        ("copy_elements", copy(json!({ "angle": 360, "origin": [0, 0] })), "angle"),
        ("copy_elements", copy(json!({ "angle": 1e9, "origin": [0, 0] })), "angle"),
        ("copy_elements", json!({ "element_ids": ["Ground Floor"], "by": [0, 1] }), "element_ids"),
        ("copy_elements", json!({ "element_ids": ["'); DROP TABLE"], "by": [0, 1] }), "element_ids[0]"),
        ("copy_elements", json!({ "element_ids": [], "by": [0, 1] }), "element_ids"),
        ("copy_elements", json!({ "element_ids": ["Door 1"], "to_level": "Ground Floor" }), "element_ids"),
        ("rotate_elements", copy(json!({ "angle": 720 })), "angle"),
        ("rotate_elements", json!({ "element_ids": ["House"], "angle": 10 }), "element_ids"),
        ("mirror_elements", copy(json!({ "line": [[0, 0], [0, 0]] })), "line"),
        ("mirror_elements", copy(json!({ "line": [[0, 0]] })), "line"),
        ("align_elements", copy(json!({})), "align"),
        ("align_elements", copy(json!({ "align": "left" })), "to"),
        ("align_elements", copy(json!({ "align": "left", "to": "Nothing" })), "to"),
        ("align_elements", copy(json!({ "distribute": "x" })), "element_ids"),
        ("align_elements", copy(json!({ "align": "left", "to": 0, "spacing": 4 })), "spacing"),
    ];
    for (tool, arguments, field) in cases {
        let before = desk.model.len();
        let fault = desk.refuse(tool, arguments.clone());
        assert_eq!(fault.data["field"], field, "{tool} {arguments}: {fault}");
        assert_eq!(desk.model.len(), before);
    }
}

#[test]
fn other_programs_elements_are_copied_turned_and_mirrored_whole() {
    for (file, class) in [
        ("AC20-FZK-Haus.ifc", "IfcWallStandardCase"),
        ("Duplex_A_20110907.ifc", "IfcWallStandardCase"),
        ("Duplex_A_20110907.ifc", "IfcFurnishingElement"),
        ("AC20-FZK-Haus.ifc", "IfcStair"),
    ] {
        let Some(mut desk) = Desk::open(file) else { return };
        let Some(id) = desk.model.of_class(class).into_iter().next_back() else { continue };
        let guid = building::lookup::guid(&desk.model, id);
        let measured = |desk: &Desk, guid: &str| {
            let id = desk.model.by_guid(guid).unwrap();
            let volume = geometry::measure(&desk.model, id).ok().map(|m| m.volume);
            (volume, geometry::bounds(&desk.model, id).unwrap())
        };
        let before = measured(&desk, &guid);
        let openings = desk.count("IfcOpeningElement");
        let own = ifc::relations::openings_of(&desk.model, id).len();
        let answer =
            desk.call("copy_elements", json!({ "element_ids": [guid], "by": [50000, 0, 0], "count": 2 }));
        assert_eq!(desk.count("IfcOpeningElement"), openings + 2 * own, "{file}");
        let copy = text(&answer["copies"][1]["id"]);
        let after = measured(&desk, &copy);
        assert!((after.1.min.x - before.1.min.x - 100_000.0).abs() < 0.1, "{file} {class}");
        let same = |a: Option<f64>, b: Option<f64>| match (a, b) {
            (Some(a), Some(b)) => (a - b).abs() < 1e-6 * a.abs().max(1.0),
            (a, b) => a.is_none() == b.is_none(),
        };
        assert!(same(before.0, after.0), "{file} {class}: {:?} {:?}", before.0, after.0);
        desk.call("rotate_elements", json!({ "element_ids": [copy], "angle": 90, "origin": [0, 0] }));
        let turned = measured(&desk, &copy);
        assert!((turned.1.min.y - after.1.min.x).abs() < 0.1, "{file} {class}");
        desk.call("mirror_elements", json!({ "element_ids": [copy], "line": [[0, 0], [1, 1]] }));
        let mirrored = measured(&desk, &copy);
        assert!((mirrored.1.min.x - turned.1.min.y).abs() < 0.1, "{file} {class}");
        assert!((mirrored.1.max.y - turned.1.max.x).abs() < 0.1, "{file} {class}");
        assert!(same(before.0, mirrored.0), "{file} {class}: {:?} {:?}", before.0, mirrored.0);
        desk.keep(&format!("arranged-{}-{class}", file.split('.').next().unwrap_or_default()));
    }
}

#[test]
fn one_call_copies_to_several_storeys() {
    let mut desk = Desk::new("IFC4");
    let source = wall(&mut desk);
    for (name, elevation) in [("First", 3000), ("Second", 6000), ("Third", 9000)] {
        desk.call("create_level", json!({ "name": name, "elevation": elevation }));
    }
    let twice = json!({ "element_ids": [source], "to_level": ["First", "First"] });
    assert!(desk.refuse("copy_elements", twice).message.contains("twice"));
    assert!(
        desk.refuse("copy_elements", json!({ "element_ids": [source], "to_level": [] }))
            .message
            .contains("empty")
    );
    let answer = desk
        .call("copy_elements", json!({ "element_ids": [source], "to_level": ["First", "Second", "Third"] }));
    assert_eq!(answer["count"], 3);
    for (copy, name) in answer["copies"].as_array().unwrap().iter().zip(["First", "Second", "Third"]) {
        let id = desk.model.by_guid(&text(&copy["id"])).unwrap();
        let storey = ifc::relations::storey_of(&desk.model, id).unwrap();
        assert_eq!(building::lookup::storey(&desk.model, "level", name).unwrap(), storey);
    }
    let heights = ["Wall 2", "Wall 3", "Wall 4"].map(|name| bounds(&desk, name)[0][2]);
    assert_eq!(heights, [3000, 6000, 9000]);
    assert_eq!((desk.count("IfcWall"), desk.count("IfcDoor"), desk.count("IfcWindow")), (4, 4, 4));
    desk.clean();
}
