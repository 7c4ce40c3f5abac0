//! What a wall may be besides straight, of one layer and of one height: ways, arcs, layers, types, tops, openings with it.

use crate::desk::{Desk, SCHEMAS, text};
use serde_json::{Value, json};

/// Makes a wall from these parameters beside a storey.
fn wall(desk: &mut Desk, mut arguments: Value) -> Value {
    arguments["level_id"] = json!("Ground Floor");
    desk.call("create_wall", arguments)
}

fn refused(desk: &mut Desk, mut arguments: Value, field: &str, says: &str) {
    arguments["level_id"] = json!("Ground Floor");
    let before = desk.model.len();
    let fault = desk.refuse("create_wall", arguments.clone());
    assert_eq!(fault.data["field"], field, "{arguments}: {fault}");
    assert!(fault.message.contains(says), "{arguments}: {fault}");
    assert_eq!(desk.model.len(), before);
}

/// The volume of a wall's body in m³, and that of its quantities.
fn volumes(desk: &Desk, guid: &Value) -> (f64, f64) {
    let id = desk.model.by_guid(&text(guid)).unwrap();
    let found = geometry::measure(&desk.model, id).unwrap();
    assert!(found.is_closed(), "open by {}", found.open);
    let stored = building::quantities::read(&desk.model, id, "Qto_WallBaseQuantities");
    (found.volume, stored["NetVolume"].value)
}

fn near(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance, "{a} is not {b}");
}

#[test]
fn a_way_of_several_legs_becomes_walls_with_clean_corners() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        let made = wall(
            &mut desk,
            json!({ "start": [0, 0], "end": [0, 0], "via": [[6000, 0], [6000, 4000], [0, 4000]], "name": "W" }),
        );
        let walls = made["walls"].as_array().unwrap();
        let names: Vec<String> = walls.iter().map(|w| text(&w["name"])).collect();
        assert_eq!(names, ["W 1", "W 2", "W 3", "W 4"]);
        assert_eq!(made["joins"].as_array().map(Vec::len), Some(4), "{made}");
        let all: f64 = walls.iter().map(|w| volumes(&desk, &w["wall_id"]).0).sum();
        near(all, 20.0 * 0.2 * 3.0, 1e-6);
        desk.clean();
    }
    let mut desk = Desk::new("IFC4");
    let crossing = json!({ "start": [0, 0], "end": [3000, -3000], "via": [[6000, 0], [3000, 3000]] });
    refused(&mut desk, crossing, "end", "meets leg 0");
    refused(&mut desk, json!({ "start": [0, 0], "end": [0, 0] }), "end", "same place");
    refused(&mut desk, json!({ "start": [0, 0], "end": [9000, 0], "via": [[9000, 0]] }), "end", "same place");
    refused(
        &mut desk,
        json!({ "start": [0, 0], "end": [4000, 0], "via": [[9000, 0]] }),
        "end",
        "meets leg 0",
    );
    let many: Vec<[i32; 2]> = (1..300).map(|i| [i * 100, 0]).collect();
    refused(&mut desk, json!({ "start": [0, 0], "end": [90000, 0], "via": many }), "via", "200");
}

#[test]
fn a_wall_along_an_arc_is_a_ring_segment() {
    for schema in SCHEMAS {
        for line in ["centre", "left", "right"] {
            let mut desk = Desk::new(schema);
            let made = wall(
                &mut desk,
                json!({ "start": [1000, 2000], "end": [5000, 2000], "arc_through": [3000, 4000],
                        "location_line": line, "thickness": 200 }),
            );
            let half = std::f64::consts::PI;
            near(made["length"].as_f64().unwrap(), half * 2000.0, 0.01);
            // seen from start to end the arc turns right, so its left face is the outer one
            let (inner, outer): (f64, f64) = match line {
                "centre" => (1.9, 2.1),
                "left" => (1.8, 2.0),
                _ => (2.0, 2.2),
            };
            let exact = half / 2.0 * (outer * outer - inner * inner) * 3.0;
            let (body, stored) = volumes(&desk, &made["wall_id"]);
            near(stored, exact, 1e-6);
            near(body, exact, exact * 0.02);
            desk.clean();
            desk.keep(&format!("walls-arc-{line}-{schema}"));
        }
    }
    let mut desk = Desk::new("IFC4");
    let arc = |through: Value, more: Value| {
        let mut arguments = json!({ "start": [0, 0], "end": [4000, 0], "arc_through": through });
        for (name, value) in more.as_object().unwrap() {
            arguments[name] = value.clone();
        }
        arguments
    };
    refused(&mut desk, arc(json!([2000, 0]), json!({})), "arc_through", "one line");
    refused(&mut desk, arc(json!([0, 0]), json!({})), "arc_through", "one line");
    refused(&mut desk, arc(json!([2000, 2000]), json!({ "thickness": 4100 })), "arc_through", "too tight");
    refused(&mut desk, arc(json!([2000, 1000]), json!({ "via": [[1, 2]] })), "via", "straight");
    refused(
        &mut desk,
        arc(json!([2000, 1000]), json!({ "top_end_height": 2000 })),
        "top_end_height",
        "straight",
    );
}

#[test]
fn layers_make_a_type_that_others_share_and_say_how_thick_a_wall_is() {
    let layers = json!([
        { "material": "Brick", "thickness": 115, "function": "finish" },
        { "material": "Mineral wool", "thickness": 140, "function": "insulation" },
        { "material": "Concrete", "thickness": 180, "function": "core" },
    ]);
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        let first = wall(
            &mut desk,
            json!({ "start": [0, 0], "end": [5000, 0], "layers": layers, "location_line": "left", "name": "A" }),
        );
        assert_eq!(first["thickness"], 435.0);
        wall(&mut desk, json!({ "start": [0, 9000], "end": [5000, 9000], "layers": layers }));
        assert_eq!((desk.count("IfcWallType"), desk.count("IfcMaterialLayerSet")), (1, 1));
        let usage = desk.model.of_class("IfcMaterialLayerSetUsage");
        let offsets: Vec<f64> = usage
            .iter()
            .map(|id| desk.model.get(*id).unwrap().number("OffsetFromReferenceLine").unwrap())
            .collect();
        assert_eq!(offsets, [-0.435, -0.2175]);
        let type_id = desk.model.get(desk.model.of_class("IfcWallType")[0]).unwrap().guid();
        let typed = wall(&mut desk, json!({ "start": [0, 20000], "end": [5000, 20000], "type_id": type_id }));
        assert_eq!(typed["thickness"], 435.0);
        assert_eq!(desk.count("IfcWallType"), 1);
        // the same materials in other thicknesses are another type
        let mut other = layers.clone();
        (other[0]["thickness"], other[1]["thickness"]) = (json!(140), json!(115));
        wall(&mut desk, json!({ "start": [0, 30000], "end": [5000, 30000], "layers": other }));
        assert_eq!(desk.count("IfcWallType"), 2);
        near(volumes(&desk, &first["wall_id"]).0, 5.0 * 0.435 * 3.0, 1e-6);
        // made thicker, its core is
        desk.call(
            "modify_parameter",
            json!({ "element_id": "A", "parameter_name": "thickness", "value": 475 }),
        );
        near(volumes(&desk, &first["wall_id"]).0, 5.0 * 0.475 * 3.0, 1e-6);
        let of_layers: Vec<f64> = desk
            .model
            .of_class("IfcMaterialLayer")
            .iter()
            .map(|id| desk.model.get(*id).unwrap().number("LayerThickness").unwrap())
            .collect();
        assert!(of_layers.iter().any(|mm| (mm - 0.22).abs() < 1e-9), "{of_layers:?}");
        let thin = json!({ "element_id": "A", "parameter_name": "thickness", "value": 200 });
        assert!(desk.refuse("modify_parameter", thin).message.contains("core"));
        desk.clean();
        desk.keep(&format!("walls-layers-{schema}"));
    }
    let mut desk = Desk::new("IFC4");
    let with = |more: Value| {
        let mut arguments = json!({ "start": [0, 0], "end": [4000, 0] });
        for (name, value) in more.as_object().unwrap() {
            arguments[name] = value.clone();
        }
        arguments
    };
    refused(&mut desk, with(json!({ "layers": [] })), "layers", "1 to 30");
    refused(&mut desk, with(json!({ "layers": layers, "thickness": 200 })), "thickness", "435");
    refused(&mut desk, with(json!({ "layers": layers, "material": "Clay" })), "material", "single layer");
    refused(
        &mut desk,
        with(json!({ "layers": [{ "material": "Clay", "thickness": -5 }] })),
        "layers[0].thickness",
        "positive",
    );
    refused(
        &mut desk,
        with(json!({ "layers": [{ "material": " ", "thickness": 5 }] })),
        "layers[0].material",
        "empty",
    );
    refused(&mut desk, with(json!({ "type_id": "AW-01" })), "type_id", "wall type");
}

#[test]
fn a_wall_reaches_up_to_a_height_a_level_or_what_lies_above() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        desk.call("create_level", json!({ "name": "First Floor", "elevation": 3200 }));
        let at = |y: i32, top: Value| json!({ "start": [0, y], "end": [4000, y], "top": top });
        assert_eq!(wall(&mut desk, at(0, json!(2500)))["height"], 2500.0);
        assert_eq!(wall(&mut desk, at(5000, json!("First Floor")))["height"], 3200.0);
        assert_eq!(wall(&mut desk, at(10000, json!("above")))["height"], 3200.0);
        let square = json!([[-1000, 14000], [6000, 14000], [6000, 16000], [-1000, 16000]]);
        desk.call(
            "create_floor",
            json!({ "boundary_points": square, "level_id": "First Floor", "thickness": 250 }),
        );
        assert_eq!(wall(&mut desk, at(15000, json!("above")))["height"], 2950.0);
        assert_eq!(wall(&mut desk, at(20000, json!("above")))["height"], 3200.0);
        desk.clean();
    }
    let mut desk = Desk::new("IFC4");
    let at = |top: Value| json!({ "start": [0, 0], "end": [4000, 0], "top": top });
    refused(&mut desk, at(json!("above")), "top", "Nothing lies above");
    refused(&mut desk, at(json!(-200)), "top", "above its base");
    refused(&mut desk, at(json!("Ground Floor")), "top", "above its base");
    refused(&mut desk, at(json!("Attic")), "top", "Attic");
    let mut both = at(json!(2000));
    both["height"] = json!(2000);
    refused(&mut desk, both, "top", "not both");
}

#[test]
fn a_top_may_slope_from_start_to_end() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        for (y, from, to) in [(0, 2000, 4000), (8000, 4000, 2000)] {
            let made = wall(
                &mut desk,
                json!({ "start": [0, y], "end": [5000, y], "height": from, "top_end_height": to,
                        "openings": [{ "location": { "along": 2500 }, "width": 1000, "height": 2100,
                                       "opening_type": "door" }] }),
            );
            assert_eq!(made["height"], 4000.0);
            let id = desk.model.by_guid(&text(&made["wall_id"])).unwrap();
            let shaper = geometry::Shaper::plain(&desk.model);
            near(shaper.gross_bodies(id).unwrap().volume(), 5.0 * 3.0 * 0.2, 1e-6);
            let net = 3.0 - 2.1 * 0.2;
            near(shaper.net_bodies(id).unwrap().volume(), net, 1e-6);
            near(
                building::quantities::read(&desk.model, id, "Qto_WallBaseQuantities")["NetVolume"].value,
                net,
                1e-6,
            );
        }
        desk.clean();
        desk.keep(&format!("walls-sloped-{schema}"));
    }
    let mut desk = Desk::new("IFC4");
    let sloped = |to: f64| {
        json!({ "start": [0, 0], "end": [5000, 0], "height": 3000, "top_end_height": to,
                "openings": [{ "location": { "along": 4000 }, "width": 1000, "height": 2100 }] })
    };
    refused(&mut desk, sloped(1500.0), "top_end_height", "room for");
    refused(&mut desk, sloped(-1.0), "top_end_height", "positive");
    let via = json!({ "start": [0, 0], "end": [5000, 0], "via": [[1000, 1000]], "top_end_height": 2000 });
    refused(&mut desk, via, "top_end_height", "without via");
}

#[test]
fn openings_are_made_with_their_walls_or_nothing_is() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        let made = wall(
            &mut desk,
            json!({ "start": [0, 0], "end": [6000, 4000], "via": [[6000, 0]], "openings": [
                { "location": { "along": 1500 }, "width": 1000, "height": 2100, "opening_type": "door", "name": "D" },
                { "wall": 1, "location": { "at": "center", "sill": 900 }, "width": 1000, "height": 1200,
                  "opening_type": "window" },
            ] }),
        );
        assert_eq!(made["openings"][0]["name"], "D");
        assert_eq!(made["openings"][1]["host_id"], made["walls"][1]["wall_id"]);
        assert_eq!((desk.count("IfcDoor"), desk.count("IfcWindow")), (1, 1));
        let net = made["quantities"]["NetSideArea"]["value"].as_f64().unwrap();
        near(net, 18.0 - 2.1, 1e-6);
        desk.clean();
    }
    let mut desk = Desk::new("IFC4");
    let with = |opening: Value| {
        json!({ "start": [0, 0], "end": [4000, 0], "openings": [
        { "location": { "along": 1000 }, "width": 800, "height": 2000 }, opening ] })
    };
    refused(
        &mut desk,
        with(json!({ "location": { "along": 9000 }, "width": 800, "height": 2000 })),
        "openings[1].location",
        "would leave it",
    );
    refused(
        &mut desk,
        with(json!({ "location": { "along": 1200 }, "width": 800, "height": 2000 })),
        "openings[1].location",
        "overlap",
    );
    refused(
        &mut desk,
        with(json!({ "wall": 4, "location": { "along": 3000 }, "width": 800, "height": 2000 })),
        "openings[1].wall",
        "no wall 4",
    );
    assert_eq!(desk.count("IfcWall"), 0);
}

#[test]
fn a_recess_does_not_go_through_and_keeps_its_depth_when_the_wall_becomes_thicker() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        for (y, face) in [(0, "left"), (9000, "right")] {
            let made = wall(
                &mut desk,
                json!({ "start": [0, y], "end": [5000, y], "thickness": 300, "name": face, "recesses": [
                    { "location": { "along": 2000, "sill": 500 }, "width": 1000, "height": 2000, "depth": 120,
                      "face": face, "name": format!("Niche {face}") }] }),
            );
            let net = |desk: &Desk| {
                let id = desk.model.by_guid(&text(&made["wall_id"])).unwrap();
                let shaper = geometry::Shaper::plain(&desk.model);
                let stored = building::quantities::read(&desk.model, id, "Qto_WallBaseQuantities");
                near(stored["NetSideArea"].value, 15.0, 1e-9);
                near(shaper.net_bodies(id).unwrap().volume(), stored["NetVolume"].value, 1e-6);
                stored["NetVolume"].value
            };
            near(net(&desk), 4.5 - 0.24, 1e-6);
            desk.call(
                "modify_parameter",
                json!({ "element_id": face, "parameter_name": "thickness", "value": 400 }),
            );
            near(net(&desk), 6.0 - 0.24, 1e-6);
            desk.call(
                "modify_parameter",
                json!({ "element_id": format!("Niche {face}"), "parameter_name": "width", "value": 500 }),
            );
            near(net(&desk), 6.0 - 0.12, 1e-6);
        }
        desk.clean();
        desk.keep(&format!("walls-recess-{schema}"));
    }
    let mut desk = Desk::new("IFC4");
    let deep = |depth: f64| {
        json!({ "start": [0, 0], "end": [5000, 0], "recesses": [
            { "location": { "along": 2000 }, "width": 1000, "height": 2000, "depth": depth }] })
    };
    refused(&mut desk, deep(200.0), "recesses[0].depth", "at most 190");
    refused(&mut desk, deep(0.0), "recesses[0].depth", "positive");
}

#[test]
fn what_is_chosen_for_the_caller_is_told() {
    let mut desk = Desk::new("IFC4");
    let answer = wall(&mut desk, json!({ "start": [0, 0], "end": [4000, 0] }));
    let told = [
        "wall_type exterior: external and load bearing",
        "material Masonry",
        "thickness 200 mm",
        "height 3000 mm",
    ];
    assert_eq!(answer["assumed"], json!(told));
    let answer = wall(
        &mut desk,
        json!({ "start": [0, 9000], "end": [4000, 9000], "height": 2500, "thickness": 100, "material": "Clay",
                "wall_type": "interior" }),
    );
    assert_eq!(answer["assumed"], Value::Null);
}
