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
        for (y, name, wanted) in [
            (9000, "Wall 1", ["Wall 1", "Wall 2"]),
            (12000, "Wall 1", ["Wall 3", "Wall 4"]),
            (15000, "N-{n}a", ["N-1a", "N-2a"]),
        ] {
            let via = json!({ "start": [0, y], "end": [5000, y + 2000], "via": [[5000, y]], "name": name });
            let legs = wall(&mut desk, via);
            assert_eq!(json!([legs["walls"][0]["name"], legs["walls"][1]["name"]]), json!(wanted));
        }
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
    let niche = json!([{ "location": { "along": 900 }, "width": 300, "height": 900, "depth": 50 }]);
    refused(&mut desk, arc(json!([2000, 1000]), json!({ "recesses": niche })), "recesses", "straight");
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

/// The measured volume of a wall with what is cut out of it, and that of its quantities.
fn net(desk: &Desk, guid: &Value) -> (f64, f64) {
    let id = desk.model.by_guid(&text(guid)).unwrap();
    let shaper = geometry::Shaper::plain(&desk.model);
    let stored = building::quantities::read(&desk.model, id, "Qto_WallBaseQuantities");
    (shaper.net_bodies(id).unwrap().volume(), stored["NetVolume"].value)
}

/// Answers say that all is sound, and stored volumes are those of the bodies, as far as chords stray from arcs.
fn is_whole(desk: &mut Desk, answer: &Value, walls: &[&Value]) {
    assert_eq!(answer["sound"], json!(true), "{answer}");
    for guid in walls {
        let (body, stored) = net(desk, guid);
        near(body, stored, stored * 0.01);
    }
    desk.clean();
}

#[test]
fn an_arc_is_joined_with_straight_walls_and_arcs_at_its_ends() {
    for schema in SCHEMAS {
        for (end, through) in
            [([4000, 0], [2000, 1500]), ([4000, 0], [2000, -1500]), ([4000, 0], [2000, 400])]
        {
            let mut desk = Desk::new(schema);
            let west = wall(&mut desk, json!({ "start": [-5000, 0], "end": [0, 0], "thickness": 300 }));
            let arc = wall(&mut desk, json!({ "start": [0, 0], "end": end, "arc_through": through }));
            assert_eq!(arc["joins"][0]["join_type"], "mitre", "{arc}");
            assert_eq!(arc["joins"][0]["at"], json!(["end", "start"]));
            is_whole(&mut desk, &arc, &[&west["wall_id"], &arc["wall_id"]]);
            let on = if through[1] < 0 { 2000 } else { -2000 };
            let next = wall(
                &mut desk,
                json!({ "start": end, "end": [8000, 0], "arc_through": [6000, on], "thickness": 150 }),
            );
            assert_eq!(next["joins"][0]["join_type"], "mitre", "{next}");
            is_whole(&mut desk, &next, &[&arc["wall_id"], &next["wall_id"]]);
            let pair = json!([arc["wall_id"], next["wall_id"]]);
            for kind in ["butt", "mitre", "none", "auto"] {
                let joined = desk.call("join_elements", json!({ "element_ids": pair, "join_type": kind }));
                if kind != "none" {
                    assert_eq!(joined["joins"][0]["join_type"], if kind == "auto" { "mitre" } else { kind });
                    is_whole(&mut desk, &joined, &[&arc["wall_id"], &next["wall_id"]]);
                }
            }
            desk.keep(&format!("walls-arcs-joined-{}-{schema}", through[1]));
        }
    }
}

#[test]
fn a_line_that_goes_over_into_an_arc_meets_it_without_gap_or_overlap() {
    let mut desk = Desk::new("IFC4");
    let west = wall(&mut desk, json!({ "start": [-5000, 0], "end": [0, 0] }));
    // a quarter of a circle round (0, 3000), which begins as the wall ends
    let arc =
        wall(&mut desk, json!({ "start": [0, 0], "end": [3000, 3000], "arc_through": [2121.32, 878.68] }));
    is_whole(&mut desk, &arc, &[&west["wall_id"], &arc["wall_id"]]);
    near(arc["length"].as_f64().unwrap(), std::f64::consts::FRAC_PI_2 * 3000.0, 0.1);
    near(net(&desk, &west["wall_id"]).1, 3.0, 1e-6);
    near(net(&desk, &arc["wall_id"]).1, std::f64::consts::FRAC_PI_2 * 3.0 * 0.2 * 3.0, 1e-4);
}

#[test]
fn a_wall_that_ends_on_an_arc_stops_at_its_round_face() {
    for schema in SCHEMAS {
        for (start, end) in [([0, 0], [0, 2000]), ([0, 2000], [0, 4500]), ([800, 4500], [1000, 1732])] {
            let mut desk = Desk::new(schema);
            let arc =
                wall(&mut desk, json!({ "start": [-2000, 0], "end": [2000, 0], "arc_through": [0, 2000] }));
            let stem = wall(&mut desk, json!({ "start": start, "end": end, "thickness": 300 }));
            assert_eq!(stem["joins"][0]["join_type"], "tee", "{stem}");
            is_whole(&mut desk, &stem, &[&arc["wall_id"], &stem["wall_id"]]);
            desk.keep(&format!("walls-arc-stem-{schema}"));
        }
    }
}

#[test]
fn an_arc_has_openings_doors_and_windows_along_it() {
    for schema in SCHEMAS {
        for through in [[3000, 3000], [3000, -3000]] {
            let mut desk = Desk::new(schema);
            let arc = wall(
                &mut desk,
                json!({ "start": [0, 0], "end": [6000, 0], "arc_through": through, "thickness": 300, "name": "Bow",
                        "openings": [{ "location": { "along": 1500 }, "width": 1000, "height": 2100,
                                       "opening_type": "door", "name": "D" }] }),
            );
            is_whole(&mut desk, &arc, &[&arc["wall_id"]]);
            let along = arc["openings"][0]["along"].as_f64().unwrap();
            near(along, 1500.0, 0.5);
            let window = desk.call(
                "create_opening",
                json!({ "host_id": "Bow", "location": { "at": "center", "sill": 900 }, "width": 1500,
                        "height": 1200, "opening_type": "window", "name": "W" }),
            );
            is_whole(&mut desk, &window, &[&arc["wall_id"]]);
            near(window["along"].as_f64().unwrap(), arc["length"].as_f64().unwrap() / 2.0, 0.5);
            near(window["position"][0].as_f64().unwrap(), 3000.0, 1.0);
            // exactly what lies between both faces over the width of the door and the window
            let ring = |width: f64| {
                let under = |r: f64| {
                    let h: f64 = width / 2.0;
                    h * (r * r - h * h).sqrt() + r * r * (h / r).asin()
                };
                under(3.15) - under(2.85)
            };
            let whole = std::f64::consts::PI * 3.0 * 0.3 * 3.0;
            near(net(&desk, &arc["wall_id"]).1, whole - 2.1 * ring(1.0) - 1.2 * ring(1.5), 1e-6);
            let row = desk.call(
                "create_openings",
                json!({ "openings": [{ "hosts": ["Bow"], "count": 3, "width": 600, "height": 400,
                    "sill": 2300, "opening_type": "window" }] }),
            );
            assert_eq!(row["openings"].as_array().map(Vec::len), Some(3), "{row}");
            is_whole(&mut desk, &row, &[&arc["wall_id"]]);
            for (parameter, value) in [("width", 800), ("along", 6500), ("sill", 300), ("height", 1500)] {
                let changed = desk.call(
                    "modify_parameter",
                    json!({ "element_id": "W", "parameter_name": parameter, "value": value }),
                );
                near(changed["after"].as_f64().unwrap(), f64::from(value), 0.5);
                is_whole(&mut desk, &changed, &[&arc["wall_id"]]);
            }
            desk.keep(&format!("walls-arc-openings-{schema}"));
        }
    }
    let mut desk = Desk::new("IFC4");
    let arc = json!({ "start": [0, 0], "end": [6000, 0], "arc_through": [3000, 3000], "name": "Bow",
                      "level_id": "Ground Floor" });
    desk.call("create_wall", arc);
    for (width, along, says) in [(4000, 4700, "arc"), (1000, 100, "leave it"), (20000, 4700, "arc")] {
        let fault = desk.refuse(
            "create_opening",
            json!({ "host_id": "Bow", "location": { "along": along }, "width": width, "height": 2000 }),
        );
        assert!(fault.message.contains(says), "{fault}");
    }
    let door = json!({ "host_id": "Bow", "location": { "along": 3000 }, "width": 1000, "height": 2000 });
    desk.call("create_opening", door.clone());
    assert!(desk.refuse("create_opening", door).message.contains("overlap"));
}

#[test]
fn an_arc_is_drawn_anew_when_it_is_changed_and_takes_with_it_what_hangs_on_it() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        let west = wall(&mut desk, json!({ "start": [-5000, 0], "end": [0, 0], "name": "West" }));
        let arc = wall(
            &mut desk,
            json!({ "start": [0, 0], "end": [6000, 0], "arc_through": [3000, 3000], "thickness": 300, "name": "Bow",
                    "openings": [{ "location": { "at": "center" }, "width": 1000, "height": 2100,
                                   "opening_type": "door", "name": "D" }] }),
        );
        let east = wall(&mut desk, json!({ "start": [6000, 0], "end": [9000, 0], "name": "East" }));
        let stem = wall(
            &mut desk,
            json!({ "start": [1000, 2236], "end": [1000, 6000], "thickness": 100, "name": "Stem" }),
        );
        let all = [&west["wall_id"], &arc["wall_id"], &east["wall_id"], &stem["wall_id"]];
        assert_eq!(desk.count("IfcRelConnectsPathElements"), 3);
        for (parameter, value) in
            [("thickness", json!(400)), ("height", json!(3500)), ("thickness", json!(200))]
        {
            let changed = desk.call(
                "modify_parameter",
                json!({ "element_id": "Bow", "parameter_name": parameter, "value": value }),
            );
            assert_eq!(changed["after"], value.as_f64().map(Value::from).unwrap());
            is_whole(&mut desk, &changed, &all);
            assert_eq!(desk.count("IfcRelConnectsPathElements"), 3, "{parameter}");
        }
        // along the stem and its neighbours' line it takes the ends of all with it
        let moved = desk.call("move_elements", json!({ "element_ids": ["Bow"], "by": [200, 0] }));
        is_whole(&mut desk, &moved, &all);
        assert_eq!(desk.count("IfcRelConnectsPathElements"), 3);
        let longer = desk.call(
            "modify_parameter",
            json!({ "element_id": "Bow", "parameter_name": "length", "value": 8000 }),
        );
        is_whole(&mut desk, &longer, &all);
        // its end is elsewhere now, and East has a square end again
        assert_eq!(desk.count("IfcRelConnectsPathElements"), 2);
        let ended = desk.call(
            "modify_parameter",
            json!({ "element_id": "Bow", "parameter_name": "end", "value": [6200, 0] }),
        );
        is_whole(&mut desk, &ended, &all);
        // it meets East again; flatter than it was it has left the stem
        assert_eq!(desk.count("IfcRelConnectsPathElements"), 2);
        desk.call("delete_elements", json!({ "element_ids": ["Bow"] }));
        assert_eq!((desk.count("IfcRelConnectsPathElements"), desk.count("IfcDoor")), (0, 0));
        near(net(&desk, &east["wall_id"]).1, 2.8 * 0.2 * 3.0, 1e-6);
        desk.clean();
    }
    let mut desk = Desk::new("IFC4");
    let arc = json!({ "start": [0, 0], "end": [4000, 0], "arc_through": [2000, 2000], "name": "Bow",
                      "level_id": "Ground Floor" });
    desk.call("create_wall", arc);
    for (parameter, value, says) in [
        ("thickness", json!(4200), "radius of 2000"),
        ("length", json!(13000), "radius of 2000"),
        ("end", json!([0, 0]), "length"),
    ] {
        let change = json!({ "element_id": "Bow", "parameter_name": parameter, "value": value });
        assert!(desk.refuse("modify_parameter", change).message.contains(says));
    }
}

#[test]
fn a_top_that_is_cut_is_drawn_anew_when_the_wall_or_its_neighbours_are_changed() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        let gable = wall(
            &mut desk,
            json!({ "start": [0, 0], "end": [6000, 0], "height": 3000, "top_end_height": 4000, "name": "Gable",
                    "openings": [{ "location": { "along": 2000 }, "width": 1000, "height": 2100, "opening_type": "door" }] }),
        );
        let side = wall(
            &mut desk,
            json!({ "start": [6000, 0], "end": [6000, 4000], "height": 4000, "name": "Side" }),
        );
        assert_eq!(
            side["joins"][0]["join_type"], "mitre",
            "the wall whose top is cut is cut at its end as well: {side}"
        );
        let set = |desk: &mut Desk, name: &str, parameter: &str, value: f64| {
            desk.call(
                "modify_parameter",
                json!({ "element_id": name, "parameter_name": parameter, "value": value }),
            )
        };
        // the top goes from one height to another along its axis, the body ends before or behind that, and has a door in it
        let exact = |desk: &Desk, [from, to]: [f64; 2], axis: f64, ends: f64, thick: f64| {
            let (body, stored) = net(desk, &gable["wall_id"]);
            near(body, stored, 1e-6);
            near(body, (from * ends + (to - from) / axis * ends * ends / 2.0 - 2.1) * thick, 0.001);
        };
        exact(&desk, [3.0, 4.0], 6.0, 6.0, 0.2);
        set(&mut desk, "Gable", "thickness", 300.0);
        exact(&desk, [3.0, 4.0], 6.0, 6.0, 0.3);
        let raised = set(&mut desk, "Gable", "height", 4500.0);
        assert_eq!((&raised["before"], &raised["after"]), (&json!(4000.0), &json!(4500.0)));
        // the higher of both runs through
        exact(&desk, [3.5, 4.5], 6.0, 6.1, 0.3);
        let ended = set(&mut desk, "Gable", "top_end_height", 2500.0);
        assert_eq!((&ended["before"], &ended["after"]), (&json!(4500.0), &json!(2500.0)));
        exact(&desk, [3.5, 2.5], 6.0, 5.9, 0.3);
        // the neighbour takes the end with it; heights at both ends stay
        let moved = desk.call("move_elements", json!({ "element_ids": ["Side"], "by": [1000, 0] }));
        assert_eq!(moved["sound"], json!(true), "{moved}");
        exact(&desk, [3.5, 2.5], 7.0, 6.9, 0.3);
        assert_eq!(desk.count("IfcRelConnectsPathElements"), 1);
        let longer = set(&mut desk, "Gable", "length", 8000.0);
        assert_eq!(longer["sound"], json!(true), "{longer}");
        exact(&desk, [3.5, 2.5], 8.0, 8.0, 0.3);
        let level = set(&mut desk, "Gable", "top_end_height", 3500.0);
        assert_eq!(level["sound"], json!(true), "{level}");
        near(net(&desk, &gable["wall_id"]).0, (8.0 * 3.5 - 2.1) * 0.3, 1e-6);
        set(&mut desk, "Gable", "top_end_height", 3000.0);
        let window = json!({ "host_id": "Gable", "location": { "along": 7000, "sill": 1000 }, "width": 1000, "height": 2200 });
        let fault = desk.refuse("create_opening", window);
        assert!(fault.message.contains("top is only 3031.25"), "{fault}");
        let fault = desk.refuse(
            "modify_parameter",
            json!({ "element_id": "Gable", "parameter_name": "height", "value": 2000 }),
        );
        assert!(fault.message.contains("Door") && fault.data["element_id"].is_string(), "{fault}");
        desk.clean();
        desk.keep(&format!("walls-sloped-changed-{schema}"));
    }
}

#[test]
fn a_top_may_step_and_go_through_any_line_of_heights() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        let stepped =
            json!([[0, 2000], [2000, 2000], [2000, 3000], [4000, 3000], [4000, 2500], [6000, 2500]]);
        let gable = json!([[0, 2000], [3000, 4000], [6000, 2000]]);
        for (y, top, area) in [(0, stepped, 15.0), (9000, gable, 18.0)] {
            let made = wall(
                &mut desk,
                json!({ "start": [0, y], "end": [6000, y], "top": top, "name": format!("W{y}"),
                        "openings": [{ "location": { "along": 1000 }, "width": 900, "height": 1900 }] }),
            );
            assert_eq!(made["sound"], json!(true));
            let (body, stored) = net(&desk, &made["wall_id"]);
            near(body, (area - 0.9 * 1.9) * 0.2, 1e-6);
            near(stored, body, 1e-6);
            let thicker =
                json!({ "element_id": format!("W{y}"), "parameter_name": "thickness", "value": 300 });
            desk.call("modify_parameter", thicker);
            near(net(&desk, &made["wall_id"]).0, (area - 0.9 * 1.9) * 0.3, 1e-6);
            let longer = json!({ "element_id": format!("W{y}"), "parameter_name": "length", "value": 7000 });
            desk.call("modify_parameter", longer);
            // the last step goes on; the gable's second half becomes flatter
            let more = if y == 0 { 2.5 } else { 3.0 };
            near(net(&desk, &made["wall_id"]).0, (area + more - 0.9 * 1.9) * 0.3, 1e-6);
        }
        desk.clean();
        desk.keep(&format!("walls-stepped-{schema}"));
    }
    let mut desk = Desk::new("IFC4");
    let with = |top: Value, more: Value| {
        let mut arguments = json!({ "start": [0, 0], "end": [6000, 0], "top": top });
        for (name, value) in more.as_object().unwrap() {
            arguments[name] = value.clone();
        }
        arguments
    };
    let line = json!([[0, 2000], [6000, 3000]]);
    refused(&mut desk, with(json!([[0, 2000], [5000, 3000]]), json!({})), "top[1]", "6000 mm along");
    refused(&mut desk, with(json!([[0, 2000]]), json!({})), "top", "2 to 100");
    refused(&mut desk, with(json!([[0, -1], [6000, 3000]]), json!({})), "top[0]", "above the wall's base");
    refused(&mut desk, with(line.clone(), json!({ "via": [[3000, 3000]] })), "top", "without via");
    refused(&mut desk, with(line, json!({ "top_end_height": 3000 })), "top_end_height", "instead of both");
}

#[test]
fn a_wall_up_to_a_slab_that_leans_slopes_along_with_its_underside() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        desk.call("create_level", json!({ "name": "Roof", "elevation": 3000 }));
        let square = json!([[-1000, -1000], [9000, -1000], [9000, 7000], [-1000, 7000]]);
        desk.call(
            "create_floor",
            json!({ "boundary_points": square, "level_id": "Roof", "thickness": 200,
                    "slope": { "pitch": 10, "direction": 0 } }),
        );
        let slope = 10.0_f64.to_radians().tan();
        let along = wall(&mut desk, json!({ "start": [0, 0], "end": [8000, 0], "top": "above" }));
        assert_eq!(along["sound"], json!(true), "{along}");
        let volume = net(&desk, &along["wall_id"]).0;
        let across = wall(&mut desk, json!({ "start": [2000, 1000], "end": [2000, 6000], "top": "above" }));
        assert_eq!(across["sound"], json!(true), "{across}");
        // both are as high as the underside is over them, and the second stays below it with its lower face
        let low = across["height"].as_f64().unwrap();
        let first = volume / (8.0 * 0.2) * 1000.0;
        near(first - low, slope * (4000.0 - 1900.0), 0.01);
        desk.clean();
        desk.keep(&format!("walls-under-slope-{schema}"));
    }
}

#[test]
fn a_new_wall_beside_walls_that_reach_up_to_a_roof_is_cut_at_the_corner_with_them() {
    let mut desk = Desk::new("IFC4");
    desk.call("create_level", json!({ "name": "Attic", "elevation": 3000 }));
    for (start, end) in [([0, 0], [8000, 0]), ([8000, 0], [8000, 6000]), ([8000, 6000], [0, 6000])] {
        wall(&mut desk, json!({ "start": start, "end": end }));
    }
    let outline = json!([[-100, -100], [8100, -100], [8100, 6100], [-100, 6100]]);
    let roof = desk.call(
        "create_roof",
        json!({ "boundary_points": outline, "level_id": "Attic", "shape": "gable", "pitch": 35, "overhang": 300 }),
    );
    assert!(roof["assumed"].to_string().contains("walls_reach true: 3"), "{roof}");
    let last = wall(&mut desk, json!({ "start": [0, 6000], "end": [0, 0] }));
    let kinds: Vec<&Value> =
        last["joins"].as_array().unwrap().iter().map(|join| &join["join_type"]).collect();
    assert_eq!(kinds, ["mitre", "mitre"], "{last}");
    assert_eq!(last["sound"], json!(true), "{last}");
    // it is as high as the wall across from it, up to the roof
    let volumes: Vec<f64> = desk
        .model
        .of_class("IfcWall")
        .into_iter()
        .map(|id| geometry::measure(&desk.model, id).unwrap().volume)
        .collect();
    near(volumes[1], volumes[3], 1e-6);
    desk.clean();
}
