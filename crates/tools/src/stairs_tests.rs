//! Stairs, ramps, railings and shafts as agents ask for them, in all three schemas: steps by rule, openings where headroom
//! needs them, what has no room refused with what it needs.

use crate::desk::{Desk, SCHEMAS, text};
use geometry::Shaper;
use ifc::Id;
use serde_json::{Value, json};

/// A house of two storeys of 3 m: slabs of 10 by 8 m, no walls.
fn house(schema: &str) -> Desk {
    let mut desk = Desk::new(schema);
    desk.call("create_level", json!({ "name": "Upper Floor", "elevation": 3000 }));
    for level in ["Ground Floor", "Upper Floor"] {
        desk.call(
            "create_floor",
            json!({ "boundary_points": [[0, 0], [10000, 0], [10000, 8000], [0, 8000]], "level_id": level }),
        );
    }
    desk
}

fn named(desk: &Desk, id: &Value) -> Id {
    desk.model.by_guid(&text(id)).unwrap()
}

/// The volume of an element's body in m³, by its mesh.
fn volume(desk: &Desk, id: &Value) -> f64 {
    Shaper::plain(&desk.model).net_bodies(named(desk, id)).unwrap().volume()
}

fn flights(stair: &Value) -> &Vec<Value> {
    stair["flights"].as_array().unwrap()
}

fn assumed(answer: &Value) -> String {
    answer["assumed"].to_string()
}

#[test]
fn every_shape_of_stair_climbs_a_storey_and_is_clean_in_every_schema() {
    for schema in SCHEMAS {
        for (shape, class, count) in [
            ("straight", "STRAIGHT_RUN_STAIR", 1),
            ("l", "QUARTER_TURN_STAIR", 2),
            ("u", "HALF_TURN_STAIR", 2),
            ("winder", "QUARTER_WINDING_STAIR", 1),
            ("spiral", "SPIRAL_STAIR", 1),
        ] {
            for construction in ["solid", "open"] {
                let mut desk = house(schema);
                let stair = desk.call(
                    "create_stair",
                    json!({
                        "level_id": "Ground Floor", "start": [3000, 3000], "direction": 30, "shape": shape,
                        "construction": construction
                    }),
                );
                let what = format!("{schema} {shape} {construction}: {stair}");
                assert_eq!(
                    (stair["risers"].clone(), stair["riser"].clone()),
                    (json!(16), json!(187.5)),
                    "{what}"
                );
                assert_eq!(stair["to_level"], "Upper Floor");
                assert_eq!(flights(&stair).len(), count, "{what}");
                assert_eq!(flights(&stair).iter().filter_map(|f| f["risers"].as_u64()).sum::<u64>(), 16);
                for flight in flights(&stair) {
                    let stored = flight["quantities"]["NetVolume"]["value"].as_f64().unwrap();
                    let mesh = volume(&desk, &flight["flight_id"]);
                    assert!((stored - mesh).abs() < 1e-6 * (1.0 + mesh), "{stored} and {mesh}: {what}");
                }
                let kind = if schema == "IFC2X3" { "ShapeType" } else { "PredefinedType" };
                assert_eq!(desk.found(&format!("IfcStair, {kind}={class}")), 1, "{what}");
                assert_eq!(desk.found("IfcStair, Pset_StairCommon.NumberOfRiser=16"), 1, "{what}");
                assert_eq!(stair["openings"].as_array().map(Vec::len), Some(1), "{what}");
                // what is cut out of the slab is what its quantities say
                let slab = &stair["openings"][0]["host_id"];
                let net = desk.model.clone();
                let stored = building::quantities::read(&net, named(&desk, slab), "Qto_SlabBaseQuantities");
                let mesh = volume(&desk, slab);
                assert!((stored["NetVolume"].value - mesh).abs() < 1e-5, "{stored:?} and {mesh}: {what}");
                assert!(mesh < 10.0 * 8.0 * 0.2 - 0.2, "{mesh}: {what}");
                desk.clean();
                desk.keep(&format!("stair-{shape}-{construction}-{schema}"));
            }
        }
    }
}

#[test]
fn a_straight_stair_is_measured_by_hand() {
    let mut desk = house("IFC4");
    let stair = desk.call(
        "create_stair",
        json!({ "level_id": "Ground Floor", "start": [1000, 2000], "direction": 0, "width": 1200 }),
    );
    assert_eq!((stair["tread"].clone(), stair["size"].clone()), (json!(255.0), json!([3825.0, 1200.0])));
    assert_eq!(stair["arrival"], json!([4825.0, 2000.0]));
    // 2800 to the underside less 2000: from the fifth step, of 937.5, it has to be open
    assert_eq!(stair["openings"][0]["extent"], json!([[2020.0, 1400.0], [4825.0, 2600.0]]));
    assert_eq!(desk.found(&format!("IfcSlab, Qto_SlabBaseQuantities.NetArea={}", 80.0 - 2.805 * 1.2)), 1);
    let told = assumed(&stair);
    assert!(told.contains("16 risers of 187.5 mm, treads of 255 mm"), "{told}");
    assert!(told.contains("solid, waist 150 mm"), "{told}");
    assert_eq!(
        desk.found(
            "IfcBuildingStorey, Name=\"Upper Floor\", Qto_BuildingStoreyBaseQuantities.GrossFloorArea=80"
        ),
        1
    );
    let headroom = desk.call(
        "create_stair",
        json!({
            "level_id": "Ground Floor", "start": [1000, 6000], "direction": 0, "headroom": 2200, "cut_opening": false
        }),
    );
    assert!(headroom["openings"].is_null());
}

#[test]
fn a_stair_goes_into_a_room_and_is_refused_where_there_is_none() {
    let mut desk = house("IFC4");
    let within = json!([[1000, 1000], [4000, 3200]]);
    let stair = desk.call("create_stair", json!({ "level_id": "Ground Floor", "within": within }));
    assert_eq!(stair["shape"], "u");
    assert!(assumed(&stair).contains("shape u"));
    let small = json!({ "level_id": "Ground Floor", "within": [[5000, 1000], [7000, 2500]], "shape": "u" });
    let fault = desk.refuse("create_stair", small);
    assert_eq!(fault.data["needed"], json!([2785.0, 2100.0]), "{fault}");
    assert_eq!(fault.data["there"], json!([2000.0, 1500.0]));
    assert_eq!(desk.count("IfcStair"), 1);
    desk.call(
        "create_wall",
        json!({ "start": [5000, 5000], "end": [5000, 8000], "level_id": "Ground Floor" }),
    );
    let fault = desk
        .refuse("create_stair", json!({ "level_id": "Ground Floor", "start": [2000, 6000], "direction": 0 }));
    assert_eq!(fault.data["free_along"], 2900.0, "{fault}");
    assert_eq!(fault.data["needed"], json!([3825.0, 1000.0]));
    desk.call(
        "create_space",
        json!({
            "boundary_points": [[5200, 3500], [9000, 3500], [9000, 7800], [5200, 7800]], "level_id": "Ground Floor",
            "name": "Stairwell"
        }),
    );
    let stair =
        desk.call("create_stair", json!({ "level_id": "Ground Floor", "within": "Stairwell", "shape": "l" }));
    assert_eq!(stair["shape"], "l");
    desk.clean();
}

#[test]
fn a_stair_over_several_storeys_is_one_above_the_other() {
    for schema in SCHEMAS {
        let mut desk = house(schema);
        desk.call("create_level", json!({ "name": "Attic", "elevation": 5800 }));
        desk.call(
            "create_floor",
            json!({ "boundary_points": [[0, 0], [10000, 0], [10000, 8000], [0, 8000]], "level_id": "Attic" }),
        );
        let stair = desk.call(
            "create_stair",
            json!({
                "level_id": "Ground Floor", "to_level": "Attic", "start": [2000, 2000], "direction": 0,
                "shape": "u", "name": "Main stair"
            }),
        );
        assert_eq!(
            (text(&stair["name"]), text(&stair["further"][0]["level"])),
            ("Main stair".into(), "Upper Floor".into())
        );
        assert_eq!(stair["further"][0]["height"], 2800.0);
        assert_eq!((desk.count("IfcStair"), desk.count("IfcOpeningElement")), (2, 2));
        assert_eq!(desk.count("IfcStairFlight"), 4);
        desk.clean();
    }
}

#[test]
fn a_stair_moved_takes_its_opening_along_and_one_deleted_gives_the_slab_back() {
    let mut desk = house("IFC4");
    let call = json!({ "level_id": "Ground Floor", "start": [2000, 2000], "direction": 0, "shape": "u" });
    let stair = desk.call("create_stair", call);
    let before = desk.found("IfcSlab, Qto_SlabBaseQuantities.NetArea=80");
    assert_eq!(before, 1);
    let low = stair["openings"][0]["extent"][0][0].as_f64().unwrap();
    desk.call("move_elements", json!({ "element_ids": [stair["stair_id"]], "by": [1000, 500] }));
    let opening = named(&desk, &stair["openings"][0]["opening_id"]);
    let moved = ifc::placement::of_product(&desk.model, opening).translation;
    assert!((moved.x - (low + 1000.0) / 1000.0).abs() < 1e-9, "{moved}");
    let flight = named(&desk, &stair["flights"][0]["flight_id"]);
    assert!((ifc::placement::of_product(&desk.model, flight).translation.x - 3.0).abs() < 1e-9);
    desk.clean();
    let deleted = desk.call("delete_elements", json!({ "element_ids": [stair["stair_id"]] }));
    // the stair, two flights, a landing, an opening
    assert_eq!(deleted["count"], 5, "{deleted}");
    assert_eq!(desk.found("IfcSlab, Qto_SlabBaseQuantities.NetArea=80"), 2);
    assert_eq!(desk.count("IfcRelAssignsToProduct") + desk.count("IfcOpeningElement"), 0);
    desk.clean();
}

#[test]
fn a_stair_that_cannot_be_is_refused_with_its_field() {
    let mut desk = house("IFC4");
    let base = json!({ "level_id": "Ground Floor", "start": [2000, 2000], "direction": 0 });
    let cases = [
        (json!({ "width": 0 }), "width"),
        (json!({ "width": -5 }), "width"),
        (json!({ "width": 1e12 }), "width"),
        (json!({ "riser": 900 }), "riser"),
        (json!({ "tread": 20 }), "tread"),
        (json!({ "headroom": 10 }), "headroom"),
        (json!({ "thickness": 1 }), "thickness"),
        (json!({ "shape": "u", "gap": -1 }), "gap"),
        (json!({ "landing_depth": 1 }), "landing_depth"),
        (json!({ "direction": 1e9 }), "direction"),
        (json!({ "to_level": "Nowhere" }), "to_level"),
        (json!({ "to_level": "Ground Floor" }), "to_level"),
        (json!({ "height": 100 }), "height"),
        (json!({ "to_level": "Upper Floor", "height": 3000 }), "height"),
        (json!({ "level_id": "Upper Floor" }), "to_level"),
        (json!({ "start": [1] }), "start"),
        (json!({ "start": [1, 2, 300] }), "start"),
        (json!({ "within": [[0, 0], [1, 1]] }), "within"),
        (json!({ "start": null }), "start"),
        (json!({ "start": null, "within": [[0, 0], [4000, 4000], [4000, 0], [0, 4000]] }), "within"),
        (json!({ "start": null, "within": "No room" }), "within"),
        (json!({ "start": null, "within": 5 }), "within"),
        (json!({ "name": " " }), "name"),
        (json!({ "material": "" }), "material"),
    ];
    for (change, field) in cases {
        let mut arguments = base.clone();
        for (name, value) in change.as_object().unwrap() {
            arguments[name] = value.clone();
        }
        let before = desk.model.len();
        let fault = desk.refuse("create_stair", arguments.clone());
        assert_eq!(fault.data["field"], field, "{arguments}: {fault}");
        assert_eq!(desk.model.len(), before);
    }
}

#[test]
fn railings_follow_a_stair_an_opening_and_a_path_and_are_clean_in_every_schema() {
    for schema in SCHEMAS {
        for (shape, count) in [("straight", 2), ("l", 2), ("u", 2), ("winder", 2), ("spiral", 1)] {
            for infill in ["balusters", "panel", "rails", "open"] {
                let mut desk = house(schema);
                let stair = desk.call(
                    "create_stair",
                    json!({
                        "level_id": "Ground Floor", "start": [3000, 3000], "direction": 0, "shape": shape, "turn": "right"
                    }),
                );
                let made =
                    desk.call("create_railing", json!({ "along": stair["stair_id"], "infill": infill }));
                let what = format!("{schema} {shape} {infill}: {made}");
                assert_eq!(made["railings"].as_array().map(Vec::len), Some(count), "{what}");
                let first = &made["railings"][0];
                assert!(volume(&desk, &first["railing_id"]) > 0.001, "{what}");
                assert_eq!(first["height"], 900.0, "{what}");
                assert!(assumed(&made).contains("height 900 mm"), "{what}");
                let parts = ifc::relations::children(&desk.model, named(&desk, &stair["stair_id"]));
                assert!(parts.contains(&named(&desk, &first["railing_id"])), "{what}");
                if infill == "balusters" {
                    desk.call(
                        "create_railing",
                        json!({ "along": stair["openings"][0]["opening_id"], "height": 1100 }),
                    );
                    desk.call("create_railing", json!({ "along": "Floor slab 1", "infill": "open" }));
                    desk.clean();
                    desk.keep(&format!("railing-{shape}-{schema}"));
                }
                if shape == "u" {
                    desk.clean();
                }
            }
        }
    }
}

#[test]
fn a_railing_is_as_long_as_its_path_and_as_high_as_it_says() {
    let mut desk = house("IFC4");
    let made = desk.call(
        "create_railing",
        json!({ "level_id": "Upper Floor", "path": [[0, 0], [3000, 0], [3000, 4000, 500]], "name": "Balcony" }),
    );
    let one = &made["railings"][0];
    assert_eq!(one["name"], "Balcony");
    let length = 3000.0 + (4000.0_f64.powi(2) + 500.0_f64.powi(2)).sqrt();
    assert!((one["length"].as_f64().unwrap() - length).abs() < 0.01, "{one}");
    assert_eq!(one["posts"], 8);
    let bodies = Shaper::plain(&desk.model).net_bodies(named(&desk, &one["railing_id"])).unwrap();
    let heights: Vec<f64> = bodies.iter().flat_map(geometry::Solid::points).map(|p| p.z).collect();
    let (low, high) = heights.iter().fold((f64::MAX, f64::MIN), |(l, h), z| (l.min(*z), h.max(*z)));
    assert!((low - 3.0).abs() < 1e-6 && (high - 4.5).abs() < 0.01, "{low} {high}");
    let closed = json!({
        "level_id": "Upper Floor", "path": [[0, 0], [3000, 0], [3000, 4000]], "closed": true, "infill": "open"
    });
    let made = desk.call("create_railing", closed);
    assert_eq!(made["railings"][0]["length"], 12000.0);
    // around an opening the arrival of its stair stays free
    let stair = desk.call(
        "create_stair",
        json!({ "level_id": "Ground Floor", "start": [2000, 2000], "direction": 0, "railings": "left" }),
    );
    assert_eq!(stair["railings"].as_array().map(Vec::len), Some(1));
    let made = desk.call("create_railing", json!({ "along": stair["openings"][0]["opening_id"] }));
    let around = 2.0 * (2805.0 + 80.0) + 2.0 * (1000.0 + 80.0) - 1000.0;
    assert!((made["railings"][0]["length"].as_f64().unwrap() - around).abs() < 0.1, "{made}");
    desk.clean();
    let deleted = desk.call("delete_elements", json!({ "element_ids": [stair["stair_id"]] }));
    assert_eq!(deleted["count"], 4, "{deleted}");
}

#[test]
fn a_railing_that_cannot_be_is_refused_with_its_field() {
    let mut desk = house("IFC4");
    desk.call("create_wall", json!({ "start": [0, 0], "end": [4000, 0], "level_id": "Ground Floor" }));
    let cases = [
        (json!({}), "path"),
        (json!({ "path": [[0, 0], [1000, 0]] }), "level_id"),
        (json!({ "path": [[0, 0]], "level_id": "Ground Floor" }), "path"),
        (json!({ "path": [[0, 0], [0, 0]], "level_id": "Ground Floor" }), "path"),
        (json!({ "path": [[0, 0], [1e9, 0]], "level_id": "Ground Floor" }), "path"),
        (json!({ "path": [[0, 0], [1e300, 0]], "level_id": "Ground Floor" }), "path[1]"),
        (json!({ "path": [[0, 0], [1000, 0, 1e12]], "level_id": "Ground Floor" }), "path[1]"),
        (json!({ "path": [[0, 0], [1000, 0]], "level_id": "Ground Floor", "height": -1 }), "height"),
        (json!({ "path": [[0, 0], [1000, 0]], "along": "Floor slab 1", "level_id": "Ground Floor" }), "path"),
        (json!({ "along": "Wall 1" }), "along"),
        (json!({ "along": "Floor slab 1", "closed": true }), "closed"),
        (json!({ "along": "Floor slab 1", "sides": "left" }), "sides"),
        (json!({ "along": "Floor slab 1", "level_id": "Ground Floor" }), "level_id"),
    ];
    for (arguments, field) in cases {
        let before = desk.model.len();
        let fault = desk.refuse("create_railing", arguments.clone());
        assert_eq!(fault.data["field"], field, "{arguments}: {fault}");
        assert_eq!(desk.model.len(), before);
    }
}

#[test]
fn a_ramp_climbs_by_its_slope_with_landings_between_its_runs() {
    for schema in SCHEMAS {
        for (shape, class) in
            [("straight", "TWO_STRAIGHT_RUN_RAMP"), ("l", "QUARTER_TURN_RAMP"), ("u", "HALF_TURN_RAMP")]
        {
            let mut desk = house(schema);
            let mut wanted = json!({
                "level_id": "Ground Floor", "start": [20000, 0], "direction": 45, "height": 600, "shape": shape,
                "railings": "both"
            });
            if shape != "straight" {
                wanted["turn"] = json!("right");
            }
            let ramp = desk.call("create_ramp", wanted);
            let what = format!("{schema} {shape}: {ramp}");
            // 600 at 6 % are 10 m: two runs of 5
            assert_eq!(ramp["flights"][1]["length"], 5000.0, "{what}");
            assert_eq!(
                (flights(&ramp).len(), ramp["landings"].as_array().map(Vec::len)),
                (2, Some(1)),
                "{what}"
            );
            assert_eq!(ramp["railings"].as_array().map(Vec::len), Some(2), "{what}");
            for flight in flights(&ramp) {
                let stored = flight["quantities"]["NetVolume"]["value"].as_f64().unwrap();
                let mesh = volume(&desk, &flight["flight_id"]);
                assert!((stored - mesh).abs() < 1e-6 * (1.0 + mesh), "{stored} and {mesh}: {what}");
            }
            let kind = if schema == "IFC2X3" { "ShapeType" } else { "PredefinedType" };
            assert_eq!(desk.found(&format!("IfcRamp, {kind}={class}")), 1, "{what}");
            desk.clean();
            desk.keep(&format!("ramp-{shape}-{schema}"));
        }
    }
    let mut desk = house("IFC4");
    let arguments = json!({
        "level_id": "Ground Floor", "to_level": "Upper Floor", "start": [8000, 1500], "direction": 180, "slope": 15,
        "shape": "u"
    });
    let ramp = desk.call("create_ramp", arguments.clone());
    assert_eq!((ramp["height"].clone(), ramp["to_level"].clone()), (json!(3000.0), json!("Upper Floor")));
    assert!(assumed(&ramp).contains("steeper than"), "{ramp}");
    let openings = ramp["openings"].as_array().unwrap().len();
    assert!(openings >= 1, "{ramp}");
    assert_eq!(desk.count("IfcOpeningElement"), openings);
    desk.clean();
    desk.call("delete_elements", json!({ "element_ids": [ramp["ramp_id"]] }));
    assert_eq!(desk.count("IfcOpeningElement") + desk.count("IfcRampFlight"), 0);
    let mut uncut = arguments;
    uncut["cut_opening"] = json!(false);
    assert!(desk.call("create_ramp", uncut)["openings"].is_null());
}

#[test]
fn a_shaft_goes_through_every_slab_with_walls_and_a_lift() {
    for schema in SCHEMAS {
        let mut desk = house(schema);
        desk.call("create_level", json!({ "name": "Attic", "elevation": 6000 }));
        desk.call(
            "create_floor",
            json!({ "boundary_points": [[0, 0], [10000, 0], [10000, 8000], [0, 8000]], "level_id": "Attic" }),
        );
        let shaft = desk.call(
            "create_shaft",
            json!({
                "outline": [[2000, 2000], [4000, 4200]], "level_id": "Ground Floor", "wall_thickness": 200, "lift": true
            }),
        );
        assert_eq!(shaft["area"], 4.4, "{shaft}");
        let openings: Vec<usize> =
            (0..3).map(|i| shaft["storeys"][i]["openings"].as_array().map_or(0, Vec::len)).collect();
        assert_eq!(openings, [0, 1, 1], "{shaft}");
        assert_eq!((desk.count("IfcWall"), desk.count("IfcTransportElement")), (12, 1));
        // 2800 up to the slab, 2.2 m clear and two corners of 200
        assert_eq!(
            desk.found("IfcWall, Qto_WallBaseQuantities.Length=2.2, Qto_WallBaseQuantities.Height=2.8"),
            4
        );
        let net = 80.0 - 4.4;
        assert_eq!(desk.found(&format!("IfcSlab, Qto_SlabBaseQuantities.NetArea={net}")), 2);
        desk.clean();
        desk.keep(&format!("shaft-{schema}"));
        let fault = desk.refuse(
            "create_shaft",
            json!({ "outline": [[3000, 3000], [5000, 5000]], "level_id": "Ground Floor" }),
        );
        assert_eq!(fault.data["field"], "outline", "{fault}");
        let low = desk.call(
            "create_shaft",
            json!({ "outline": [[6000, 2000], [7000, 3000]], "level_id": "Ground Floor", "to_level": "Upper Floor" }),
        );
        assert_eq!(low["storeys"].as_array().map(Vec::len), Some(2), "{low}");
        desk.clean();
    }
}

#[test]
fn a_ramp_or_shaft_that_cannot_be_is_refused_with_its_field() {
    let mut desk = house("IFC4");
    let ramp = json!({ "level_id": "Ground Floor", "start": [20000, 0], "height": 600 });
    let shaft = json!({ "level_id": "Ground Floor", "outline": [[1000, 1000], [3000, 3000]] });
    let cases = [
        ("create_ramp", &ramp, json!({ "slope": 0 }), "slope"),
        ("create_ramp", &ramp, json!({ "slope": 90 }), "slope"),
        ("create_ramp", &ramp, json!({ "width": -1 }), "width"),
        ("create_ramp", &ramp, json!({ "height": 0 }), "height"),
        ("create_ramp", &ramp, json!({ "run_length": 1 }), "run_length"),
        ("create_ramp", &ramp, json!({ "height": 19000, "slope": 1, "run_length": 500 }), "run_length"),
        ("create_ramp", &ramp, json!({ "landing_depth": 1e9 }), "landing_depth"),
        ("create_ramp", &ramp, json!({ "thickness": 0 }), "thickness"),
        ("create_ramp", &ramp, json!({ "gap": -1 }), "gap"),
        ("create_ramp", &ramp, json!({ "direction": 1e300 }), "direction"),
        ("create_ramp", &ramp, json!({ "start": [] }), "start"),
        ("create_ramp", &ramp, json!({ "to_level": "Upper Floor" }), "height"),
        ("create_shaft", &shaft, json!({ "outline": [[0, 0], [1, 0]] }), "outline"),
        ("create_shaft", &shaft, json!({ "outline": [[0, 0], [9, 9], [9, 0], [0, 9]] }), "outline"),
        ("create_shaft", &shaft, json!({ "outline": [[50000, 0], [52000, 2000]] }), "outline"),
        ("create_shaft", &shaft, json!({ "outline": [[1000, 1000], [1800, 1800]], "lift": true }), "lift"),
        ("create_shaft", &shaft, json!({ "wall_thickness": 0 }), "wall_thickness"),
        ("create_shaft", &shaft, json!({ "material": "Brick" }), "material"),
        ("create_shaft", &shaft, json!({ "to_level": "Ground Floor" }), "to_level"),
    ];
    for (tool, base, change, field) in cases {
        let mut arguments = base.clone();
        for (name, value) in change.as_object().unwrap() {
            arguments[name] = value.clone();
        }
        let before = desk.model.len();
        let fault = desk.refuse(tool, arguments.clone());
        assert_eq!(fault.data["field"], field, "{tool} {arguments}: {fault}");
        assert_eq!(desk.model.len(), before);
    }
}

#[test]
fn the_last_post_of_a_railing_stands_on_the_stair_and_not_in_the_slab() {
    for shape in ["straight", "l", "u", "winder"] {
        let mut desk = house("IFC4");
        desk.call(
            "create_stair",
            json!({
                "level_id": "Ground Floor", "start": [3000, 3000], "direction": 0, "shape": shape, "turn": "right",
                "railings": "both"
            }),
        );
        let clashes =
            json!({ "source_category": "IfcRailing", "target_category": "IfcSlab", "tolerance": 2 });
        let found = desk.call("clash_detection", clashes);
        assert_eq!(found["total"], 0, "{shape}: {found}");
    }
}
