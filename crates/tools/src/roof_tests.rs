//! Roofs of every shape, the walls below them, and slabs with slopes and openings, as agents make them: clean in all three
//! schemas, and as large as geometry says.

use crate::desk::{Desk, SCHEMAS, text};
use ifc::Id;
use serde_json::{Value, json};

/// A stored quantity of an element.
fn stored(desk: &Desk, id: &str, set: &str, name: &str) -> f64 {
    let id = desk.model.by_guid(id).unwrap();
    building::quantities::read(&desk.model, id, set)
        .get(name)
        .unwrap_or_else(|| panic!("{name} is not in {set}"))
        .value
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-6 * b.abs().max(1.0)
}

/// The net volume of an element's body in m³.
fn volume(desk: &Desk, id: Id) -> f64 {
    let bodies = geometry::Shaper::plain(&desk.model).net_bodies(id).unwrap();
    assert!(bodies.are_sound());
    bodies.volume()
}

/// Asserts that no two of these elements share space.
fn apart(desk: &mut Desk, a: &str, b: &str) {
    let found = desk.call(
        "clash_detection",
        json!({ "source_category": a, "target_category": b, "tolerance": 2, "limit": 20 }),
    );
    assert_eq!(found["total"], 0, "{a} and {b}: {found}");
}

/// Asserts that stored slab volumes are those of the bodies, and that the slabs of a roof cover so much in plan, in m².
fn covers(desk: &Desk, roof: &Value, plan: f64) {
    let id = text(&roof["roof_id"]);
    let projected = stored(desk, &id, "Qto_RoofBaseQuantities", "ProjectedArea");
    assert!((projected - plan).abs() < 1e-4 * plan, "{projected} of {plan}: {roof}");
    let slabs = roof["slabs"].as_array().unwrap();
    let mut gross = 0.0;
    for slab in slabs {
        let slab = text(&slab["slab_id"]);
        let own = stored(desk, &slab, "Qto_SlabBaseQuantities", "GrossVolume");
        let body = volume(desk, desk.model.by_guid(&slab).unwrap());
        assert!((own - body).abs() < 1e-5 * own, "{own} is stored, the body has {body}: {roof}");
        gross += stored(desk, &slab, "Qto_SlabBaseQuantities", "GrossArea");
    }
    assert!(near(gross, stored(desk, &id, "Qto_RoofBaseQuantities", "GrossArea")));
}

const RECTANGLE: [[f64; 2]; 4] = [[0.0, 0.0], [10000.0, 0.0], [10000.0, 8000.0], [0.0, 8000.0]];
const L: [[f64; 2]; 6] =
    [[0.0, 0.0], [12000.0, 0.0], [12000.0, 5000.0], [6000.0, 5000.0], [6000.0, 11000.0], [0.0, 11000.0]];
const T: [[f64; 2]; 8] = [
    [0.0, 0.0],
    [14000.0, 0.0],
    [14000.0, 5000.0],
    [9500.0, 5000.0],
    [9500.0, 10000.0],
    [4500.0, 10000.0],
    [4500.0, 5000.0],
    [0.0, 5000.0],
];

#[test]
fn every_shape_is_made_over_every_plan_and_is_clean_in_every_schema() {
    for schema in SCHEMAS {
        for (shape, kind) in
            [("shed", "SHED_ROOF"), ("gable", "GABLE_ROOF"), ("hip", "HIP_ROOF"), ("mansard", "MANSARD_ROOF")]
        {
            let mut desk = Desk::new(schema);
            desk.call("create_level", json!({ "name": "Attic", "elevation": 3000 }));
            for (plan, area, along, x) in [
                (&RECTANGLE[..], 80.0, 36.0, 0.0),
                (&L[..], 96.0, 46.0, 30000.0),
                (&T[..], 95.0, 48.0, 60000.0),
            ] {
                let points: Vec<[f64; 2]> = plan.iter().map(|p| [p[0] + x, p[1]]).collect();
                let roof = desk.call(
                    "create_roof",
                    json!({ "boundary_points": points, "level_id": "Attic", "shape": shape, "overhang": 400 }),
                );
                // corners are square: the strip of the overhang and its corners
                covers(&desk, &roof, area + along * 0.4 + 4.0 * 0.4 * 0.4);
                assert!(roof["assumed"].as_array().is_some_and(|a| !a.is_empty()), "{roof}");
            }
            let attribute = if schema == "IFC2X3" { "ShapeType" } else { "PredefinedType" };
            assert_eq!(desk.found(&format!("IfcRoof, {attribute}={kind}")), 3);
            apart(&mut desk, "IfcSlab", "IfcSlab");
            desk.clean();
            desk.keep(&format!("roof-{shape}-{schema}"));
        }
    }
}

#[test]
fn walls_reach_up_to_a_gable_roof_and_go_back_when_it_goes() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        let shell = desk.call(
            "create_building_shell",
            json!({ "footprint": RECTANGLE, "storeys": 1, "roof": "gable", "pitch": 45, "overhang": 500 }),
        );
        let walls: Vec<String> =
            shell["storeys"][0]["walls"].as_array().unwrap().iter().map(|w| text(&w["wall_id"])).collect();
        let gable = walls[1].clone();
        let of_wall = |desk: &Desk, name: &str| stored(desk, &gable, "Qto_WallBaseQuantities", name);
        // 3 m, and above that a triangle 8 m wide and 4 m high less what the mitred corners leave
        assert!(near(of_wall(&desk, "NetVolume"), 3.0 * 1.56 + 3.2 - 0.008 / 3.0));
        assert!(near(of_wall(&desk, "NetSideArea"), 7.8 * 3.0 + 16.0 - 0.01));
        assert!(near(of_wall(&desk, "Height"), 7.0));
        desk.clean();
        apart(&mut desk, "IfcWall", "IfcSlab");
        let window = json!({
            "host_id": gable, "location": { "at": "center", "sill": 4000 }, "width": 1000, "height": 1200,
            "opening_type": "window"
        });
        desk.call("create_opening", window);
        assert!(near(of_wall(&desk, "NetSideArea"), 7.8 * 3.0 + 16.0 - 0.01 - 1.2));
        desk.clean();
        desk.keep(&format!("gable-walls-{schema}"));
        // a flatter roof draws them lower
        let roof = text(&shell["roof_id"]);
        let changed = desk
            .call("modify_parameter", json!({ "element_id": roof, "parameter_name": "pitch", "value": 60 }));
        assert_eq!((&changed["before"], &changed["after"]), (&json!(45.0), &json!(60.0)));
        assert!(near(of_wall(&desk, "Height"), 3.0 + 4.0 * 3.0_f64.sqrt()), "{}", of_wall(&desk, "Height"));
        desk.clean();
        apart(&mut desk, "IfcWall", "IfcSlab");
        let window = desk.model.of_class("IfcWindow")[0];
        let window = desk.model.get(window).unwrap().guid().unwrap();
        desk.call("delete_elements", json!({ "element_ids": [window] }));
        let deleted = desk.call("delete_elements", json!({ "element_ids": [roof] }));
        assert_eq!(deleted["count"], 3, "{deleted}");
        assert!(near(of_wall(&desk, "Height"), 3.0));
        assert!(near(of_wall(&desk, "NetVolume"), 3.0 * 1.56));
        for class in ["IfcBooleanClippingResult", "IfcHalfSpaceSolid", "IfcRelConnectsElements"] {
            let left = desk.model.of_class_exact(class).len();
            assert_eq!(left, 0, "{class}");
        }
        desk.clean();
    }
}

#[test]
fn walls_reach_into_valleys_and_hips_of_an_l_shape() {
    for (schema, shape) in [("IFC4", "gable"), ("IFC2X3", "hip"), ("IFC4X3", "mansard"), ("IFC4", "shed")] {
        let mut desk = Desk::new(schema);
        let shell = desk.call(
            "create_building_shell",
            json!({ "footprint": L, "storeys": 2, "roof": shape, "overhang": 300, "wall_thickness": 300 }),
        );
        // a wall inside that runs under the valley
        let inner = desk.call(
            "create_wall",
            json!({ "start": [6000, 2000], "end": [6000, 4500], "level_id": "Floor 1", "wall_type": "partition" }),
        );
        let roof = text(&shell["roof_id"]);
        desk.call(
            "modify_parameter",
            json!({ "element_id": roof, "parameter_name": "overhang", "value": 400 }),
        );
        desk.clean();
        apart(&mut desk, "IfcWall", "IfcSlab, Name=/Roof.*/");
        let inner = text(&inner["wall_id"]);
        let height = stored(&desk, &inner, "Qto_WallBaseQuantities", "Height");
        assert!(height > 3.1, "{shape}: {height}");
        for wall in desk.model.of_class("IfcWall") {
            let guid = desk.model.get(wall).unwrap().guid().unwrap();
            let own = stored(&desk, &guid, "Qto_WallBaseQuantities", "NetVolume");
            assert!((own - volume(&desk, wall)).abs() < 1e-6 * own, "{shape} {guid}");
        }
        desk.keep(&format!("l-roof-{shape}-{schema}"));
    }
}

#[test]
fn walls_under_a_roof_follow_when_they_are_changed_or_moved() {
    let mut desk = Desk::new("IFC4");
    let shell = desk.call(
        "create_building_shell",
        json!({ "footprint": RECTANGLE, "storeys": 1, "roof": "gable", "pitch": 45, "overhang": 500 }),
    );
    let gable = text(&shell["storeys"][0]["walls"][1]["wall_id"]);
    let of_wall = |desk: &Desk, name: &str| stored(desk, &gable, "Qto_WallBaseQuantities", name);
    let thick = desk.call(
        "modify_parameter",
        json!({ "element_id": gable, "parameter_name": "thickness", "value": 300 }),
    );
    assert_eq!(thick["after"], 300.0);
    assert!(near(of_wall(&desk, "Width"), 0.3));
    assert!(near(of_wall(&desk, "Height"), 7.0));
    desk.call("move_elements", json!({ "element_ids": [gable], "by": [-1000, 0] }));
    assert!(near(of_wall(&desk, "Height"), 7.0));
    // the roof follows it
    desk.call("move_elements", json!({ "element_ids": [gable], "by": [9000, 0] }));
    assert!(near(of_wall(&desk, "Height"), 7.0));
    // a wall within goes out from under it, and stands as it was made
    let inner = desk.call(
        "create_wall",
        json!({ "start": [4000, 2000], "end": [4000, 5000], "height": 3000, "level_id": shell["storeys"][0]["name"] }),
    );
    let inner = text(&inner["wall_id"]);
    desk.call(
        "modify_parameter",
        json!({ "element_id": shell["roof_id"], "parameter_name": "pitch", "value": 44 }),
    );
    assert!(stored(&desk, &inner, "Qto_WallBaseQuantities", "Height") > 5.0);
    desk.call("move_elements", json!({ "element_ids": [inner], "by": [0, 30000] }));
    assert!(near(stored(&desk, &inner, "Qto_WallBaseQuantities", "Height"), 3.0));
    desk.call(
        "modify_parameter",
        json!({ "element_id": shell["roof_id"], "parameter_name": "pitch", "value": 45 }),
    );
    desk.clean();
    // without a neighbour, the others still reach up
    let side = text(&shell["storeys"][0]["walls"][0]["wall_id"]);
    desk.call("delete_elements", json!({ "element_ids": [side] }));
    let other = text(&shell["storeys"][0]["walls"][3]["wall_id"]);
    assert!(near(stored(&desk, &other, "Qto_WallBaseQuantities", "Height"), 7.0));
    desk.clean();
}

#[test]
fn walls_are_left_as_they_are_where_that_is_asked_for() {
    let mut desk = Desk::new("IFC4");
    desk.call("create_level", json!({ "name": "Attic", "elevation": 3000 }));
    let wall = desk.call(
        "create_wall",
        json!({ "start": [2000, 4000], "end": [8000, 4000], "height": 3000, "level_id": "Ground Floor" }),
    );
    let wall = text(&wall["wall_id"]);
    let roof = |reach: Value| {
        json!({
            "boundary_points": RECTANGLE, "level_id": "Attic", "shape": "hip", "pitch": 30, "walls_reach": reach
        })
    };
    let made = desk.call("create_roof", roof(json!(false)));
    assert!(made["walls"].is_null(), "{made}");
    assert!(near(stored(&desk, &wall, "Qto_WallBaseQuantities", "Height"), 3.0));
    desk.call("delete_elements", json!({ "element_ids": [text(&made["roof_id"])] }));
    let made = desk.call("create_roof", roof(Value::Null));
    assert_eq!(made["walls"][0]["wall_id"], wall.as_str(), "{made}");
    assert!(made["assumed"].to_string().contains("walls_reach"), "{made}");
    assert!(stored(&desk, &wall, "Qto_WallBaseQuantities", "Height") > 4.5);
}

#[test]
fn walls_on_the_outline_reach_up_and_a_storey_that_is_raised_takes_the_roof_along() {
    let mut desk = Desk::new("IFC4");
    desk.call("create_level", json!({ "name": "Attic", "elevation": 3000 }));
    for (i, a) in RECTANGLE.iter().enumerate() {
        let b = RECTANGLE[(i + 1) % 4];
        desk.call("create_wall", json!({ "start": a, "end": b, "height": 3000, "level_id": "Ground Floor" }));
    }
    // drawn along the walls' axes: half of each wall stands outside the outline
    let made = desk.call(
        "create_roof",
        json!({ "boundary_points": RECTANGLE, "level_id": "Attic", "shape": "gable", "pitch": 45 }),
    );
    assert_eq!(made["walls"].as_array().map(Vec::len), Some(4), "{made}");
    let gable = text(&made["walls"][1]["wall_id"]);
    assert!(near(stored(&desk, &gable, "Qto_WallBaseQuantities", "Height"), 7.0));
    desk.clean();
    let raise = json!({ "element_id": "Attic", "parameter_name": "elevation", "value": 3400 });
    desk.call("modify_parameter", raise);
    assert!(near(stored(&desk, &gable, "Qto_WallBaseQuantities", "Height"), 7.4));
    desk.clean();
}

/// A polygon around a middle with corners at changing distances, the same for the same number.
fn star(seed: u64) -> Vec<[f64; 2]> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    let n = 4 + (next() * 10.0) as usize;
    (0..n)
        .map(|i| {
            let angle = (i as f64 + 0.15 + 0.7 * next()) * std::f64::consts::TAU / n as f64;
            let far = 4000.0 + 8000.0 * next();
            [(far * angle.cos()).round(), (far * angle.sin()).round()]
        })
        .collect()
}

#[test]
fn any_simple_polygon_is_covered_once_by_every_shape() {
    for seed in 1..=30 {
        let points = star(seed);
        let plan = points.iter().zip(points.iter().cycle().skip(1));
        let plan = plan.map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum::<f64>().abs() / 2e6;
        for shape in ["shed", "gable", "hip", "mansard"] {
            let mut desk = Desk::new("IFC4");
            let roof = desk.call(
                "create_roof",
                json!({ "boundary_points": points, "level_id": "Ground Floor", "shape": shape, "thickness": 100 }),
            );
            covers(&desk, &roof, plan);
        }
    }
}

#[test]
fn gables_stand_where_they_are_asked_for() {
    let mut desk = Desk::new("IFC4");
    let roof = |extra: Value| {
        let mut call = json!({
            "boundary_points": RECTANGLE.map(|p| [p[0], p[1], 3000.0]), "level_id": "Ground Floor",
            "shape": "gable", "pitch": 45
        });
        call.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        call
    };
    // along the shorter way the ridge is higher: 5 m instead of 4 m above the outline
    for (extra, ridge) in [
        (json!({}), 4000.0),
        (json!({ "ridge_direction": 0 }), 4000.0),
        (json!({ "ridge_direction": 90 }), 5000.0),
        (json!({ "eaves": [2, 4] }), 5000.0),
        (json!({ "eaves": [1, 2, 3] }), 4000.0),
    ] {
        let made = desk.call("create_roof", roof(extra.clone()));
        let high = made["highest"].as_f64().unwrap();
        let expected = 3000.0 + ridge + 200.0 * 2.0_f64.sqrt();
        assert!((high - expected).abs() < 0.01, "{extra}: {high} {made}");
        assert_eq!(made["slabs"].as_array().unwrap().len(), if extra["eaves"][2].is_null() { 2 } else { 3 });
    }
    let shed = json!({
        "boundary_points": RECTANGLE, "level_id": "Ground Floor", "shape": "shed", "pitch": 45, "eaves": [2]
    });
    let made = desk.call("create_roof", shed);
    assert!((made["highest"].as_f64().unwrap() - 10000.0 - 200.0 * 2.0_f64.sqrt()).abs() < 0.01, "{made}");
    let mansard = |height: f64| {
        json!({
            "boundary_points": RECTANGLE, "level_id": "Ground Floor", "shape": "mansard", "pitch": 60,
            "upper_pitch": 20, "break_height": height
        })
    };
    let made = desk.call("create_roof", mansard(2000.0));
    assert_eq!(made["slabs"].as_array().unwrap().len(), 8);
    let reach = 2000.0 / 60.0_f64.to_radians().tan();
    let top = 2000.0 + (4000.0 - reach) * 20.0_f64.to_radians().tan() + 200.0 / 20.0_f64.to_radians().cos();
    assert!((made["highest"].as_f64().unwrap() - top).abs() < 0.01, "{made}");
    let fault = desk.refuse("create_roof", mansard(9000.0));
    assert_eq!(fault.data["field"], "break_height");
    assert!(fault.data["largest"].as_f64().unwrap() > 5000.0);
}

#[test]
fn what_is_no_roof_is_refused_with_the_field_and_what_would_fit() {
    let mut desk = Desk::new("IFC4");
    let l = json!(L);
    let bow = json!([[0, 0], [9000, 9000], [9000, 0], [0, 9000]]);
    let cases = [
        (json!({ "shape": "hip", "pitch": 0 }), "pitch"),
        (json!({ "shape": "hip", "pitch": 90 }), "pitch"),
        (json!({ "shape": "gable", "pitch": -30 }), "pitch"),
        (json!({ "pitch": 30 }), "pitch"),
        (json!({ "shape": "mansard", "pitch": 30, "upper_pitch": 40 }), "upper_pitch"),
        (json!({ "shape": "hip", "upper_pitch": 20 }), "upper_pitch"),
        (json!({ "shape": "hip", "eaves": [1] }), "eaves"),
        (json!({ "shape": "shed", "eaves": [1, 2] }), "eaves"),
        (json!({ "shape": "gable", "eaves": [] }), "eaves"),
        (json!({ "shape": "gable", "eaves": [9] }), "eaves[0]"),
        (json!({ "shape": "gable", "eaves": [1, 2, 5, 6] }), "eaves"),
        (json!({ "shape": "hip", "ridge_direction": 0 }), "ridge_direction"),
        (json!({ "shape": "gable", "ridge_direction": 1e9 }), "ridge_direction"),
        (json!({ "shape": "hip", "thickness": 0 }), "thickness"),
        (json!({ "shape": "hip", "overhang": -1 }), "overhang"),
        (json!({ "shape": "hip", "boundary_points": bow }), "boundary_points"),
    ];
    for (extra, field) in cases {
        let before = desk.model.len();
        let mut call = json!({ "boundary_points": l, "level_id": "Ground Floor" });
        call.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        let fault = desk.refuse("create_roof", call);
        assert_eq!(fault.data["field"], field, "{extra}: {fault}");
        assert_eq!(desk.model.len(), before);
    }
}

#[test]
fn a_skylight_is_cut_through_the_slab_of_a_roof() {
    let mut desk = Desk::new("IFC4");
    let roof = desk.call(
        "create_roof",
        json!({
            "boundary_points": RECTANGLE, "level_id": "Ground Floor", "shape": "gable", "pitch": 30,
            "thickness": 300
        }),
    );
    let slab = text(&roof["slabs"][0]["slab_id"]);
    let net = |desk: &Desk| stored(desk, &slab, "Qto_SlabBaseQuantities", "NetArea");
    let (before, body) = (net(&desk), volume(&desk, desk.model.by_guid(&slab).unwrap()));
    let whole = stored(&desk, &text(&roof["roof_id"]), "Qto_RoofBaseQuantities", "NetArea");
    desk.call(
        "create_opening",
        json!({ "host_id": slab, "location": [5000, 2000], "width": 800, "height": 1200, "opening_type": "void" }),
    );
    assert!(near(net(&desk), before - 0.96), "{} {before}", net(&desk));
    assert!(near(volume(&desk, desk.model.by_guid(&slab).unwrap()), body - 0.96 * 0.3));
    let roof = text(&roof["roof_id"]);
    assert!(near(stored(&desk, &roof, "Qto_RoofBaseQuantities", "NetArea"), whole - 0.96));
    desk.clean();
    let fault = desk
        .refuse("modify_parameter", json!({ "element_id": roof, "parameter_name": "pitch", "value": 40 }));
    assert_eq!(fault.data["slab_id"], slab.as_str());
}

#[test]
fn floors_have_openings_of_any_outline_and_slopes() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        let floor = |extra: Value| {
            let mut call =
                json!({ "boundary_points": RECTANGLE, "level_id": "Ground Floor", "thickness": 250 });
            call.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
            call
        };
        let stair =
            json!([[1000, 1000], [3000, 1000], [3000, 2000], [2000, 2000], [2000, 3000], [1000, 3000]]);
        let made = desk.call(
            "create_floor",
            floor(json!({ "openings": [stair, [[5000, 5000], [6000, 5000], [6000, 6000], [5000, 6000]]] })),
        );
        assert_eq!(made["openings"].as_array().unwrap().len(), 2);
        let id = text(&made["floor_id"]);
        assert!(near(stored(&desk, &id, "Qto_SlabBaseQuantities", "NetArea"), 76.0));
        assert!(near(volume(&desk, desk.model.by_guid(&id).unwrap()), 19.0));
        desk.call(
            "modify_parameter",
            json!({ "element_id": id, "parameter_name": "thickness", "value": 300 }),
        );
        assert!(near(stored(&desk, &id, "Qto_SlabBaseQuantities", "NetVolume"), 22.8));
        assert!(near(volume(&desk, desk.model.by_guid(&id).unwrap()), 22.8));
        desk.clean();
        for (openings, field) in [
            (json!([[[9000, 1000], [11000, 1000], [11000, 2000]]]), "openings[0]"),
            (
                json!([
                    [[1000, 1000], [2000, 1000], [2000, 2000]],
                    [[1500, 1100], [3000, 1100], [3000, 1900]]
                ]),
                "openings[1]",
            ),
            (json!([[[0, 0], [10000, 0], [10000, 8000], [0, 8000]]]), "openings[0]"),
            (json!([[[1000, 1000], [2000, 2000]]]), "openings[0]"),
        ] {
            let before = desk.model.len();
            let fault = desk.refuse("create_floor", floor(json!({ "openings": openings })));
            assert_eq!(fault.data["field"], field, "{fault}");
            assert_eq!(desk.model.len(), before);
        }
        // a leaning slab takes another thickness and outline, its openings with it
        let made = desk.call(
            "create_floor",
            floor(json!({
                "slope": { "pitch": 30, "direction": 90 },
                "openings": [[[1000, 1000], [2000, 1000], [1000, 2000]]]
            })),
        );
        let id = text(&made["floor_id"]);
        let lean = 30.0_f64.to_radians().cos();
        for (parameter, value, net) in [
            ("thickness", json!(400), (80.0 - 0.5) * 0.4 / lean),
            (
                "boundary_points",
                json!([[0, 0], [5000, 0], [5000, 4000], [0, 4000]]),
                (20.0 - 0.5) * 0.4 / lean,
            ),
        ] {
            desk.call(
                "modify_parameter",
                json!({ "element_id": id, "parameter_name": parameter, "value": value }),
            );
            let body = volume(&desk, desk.model.by_guid(&id).unwrap());
            assert!(near(body, net), "{parameter}: {body} of {net}");
            assert!(near(stored(&desk, &id, "Qto_SlabBaseQuantities", "NetVolume"), net));
        }
        // a slope of 10 degrees along x, by angle and by heights
        let rise = 10_000.0 * 10.0_f64.to_radians().tan();
        let area = 80.0 / 10.0_f64.to_radians().cos();
        let heights = json!([[0, 0, 0], [10000, 0, rise], [10000, 8000, rise], [0, 8000, 0]]);
        for extra in [json!({ "slope": { "pitch": 10 } }), json!({ "boundary_points": heights })] {
            let mut extra = extra;
            extra["openings"] = json!([[[5000, 5000], [6000, 5000], [6000, 6000], [5000, 6000]]]);
            let made = desk.call("create_floor", floor(extra));
            assert!((made["slope"].as_f64().unwrap() - 10.0).abs() < 1e-3, "{made}");
            let id = text(&made["floor_id"]);
            assert!(near(stored(&desk, &id, "Qto_SlabBaseQuantities", "GrossArea"), area));
            let gross = stored(&desk, &id, "Qto_SlabBaseQuantities", "GrossVolume");
            assert!(near(gross, area * 0.25));
            let left = volume(&desk, desk.model.by_guid(&id).unwrap());
            assert!(near(left, (area - 1.0 / 10.0_f64.to_radians().cos()) * 0.25), "{left}");
        }
        desk.clean();
        desk.keep(&format!("floors-{schema}"));
        for (extra, field) in [
            (json!({ "slope": { "pitch": 90 } }), "slope.pitch"),
            (json!({ "slope": { "pitch": 10, "direction": 1000 } }), "slope.direction"),
            (
                json!({ "boundary_points": [[0, 0, 0], [9000, 0, 0], [9000, 9000, 0], [0, 9000, 500]] }),
                "boundary_points[3]",
            ),
        ] {
            let fault = desk.refuse("create_floor", floor(extra));
            assert_eq!(fault.data["field"], field, "{fault}");
        }
    }
}

#[test]
fn rooms_below_a_pitched_roof_are_as_high_as_its_walls_and_their_partitions_reach_up_to_it() {
    for (schema, shape) in SCHEMAS.into_iter().zip(["gable", "hip", "gable"]) {
        let mut desk = Desk::new(schema);
        let shell = desk.call(
            "create_building_shell",
            json!({
                "footprint": [[0, 0], [9000, 0], [9000, 7000], [0, 7000]], "storeys": 1, "wall_thickness": 300,
                "storey_height": 2800, "roof": shape, "pitch": 40, "overhang": 300
            }),
        );
        let made = desk.call(
            "create_rooms",
            json!({ "level_id": shell["storeys"][0]["level_id"], "doors": true,
                    "rooms": [{ "name": "A", "area": 15 }, { "name": "B", "area": 15 }, { "name": "C", "area": 12 }] }),
        );
        assert_eq!(made["sound"], true, "{schema}: {made}");
        let height = |id: &Value, set: &str| {
            let id = desk.model.by_guid(id.as_str().unwrap()).unwrap();
            building::quantities::read(&desk.model, id, set)["Height"].value
        };
        for room in made["rooms"].as_array().unwrap() {
            assert!(
                (height(&room["space_id"], "Qto_SpaceBaseQuantities") - 2.8).abs() < 1e-6,
                "{schema}: {room}"
            );
        }
        let tallest = made["partitions"].as_array().unwrap().iter();
        let tallest =
            tallest.map(|wall| height(&wall["wall_id"], "Qto_WallBaseQuantities")).fold(0.0, f64::max);
        assert!(tallest > 4.0, "{schema}: {tallest}");
        desk.clean();
    }
}

#[test]
fn partitions_below_a_roof_go_up_to_its_planes_and_rooms_end_at_its_eaves() {
    for (schema, shape) in SCHEMAS.into_iter().zip(["gable", "hip", "mansard"]) {
        let mut desk = Desk::new(schema);
        let shell = desk.call(
            "create_building_shell",
            json!({ "footprint": RECTANGLE, "storeys": 1, "roof": shape, "overhang": 400 }),
        );
        let rooms = desk.call(
            "create_rooms",
            json!({
                "level_id": shell["storeys"][0]["level_id"], "doors": true,
                "rooms": [
                    { "name": "West", "boundary": [[0, 0], [6000, 0], [6000, 8000], [0, 8000]] },
                    { "name": "East", "boundary": [[6000, 0], [10000, 0], [10000, 8000], [6000, 8000]] }
                ]
            }),
        );
        assert_eq!(desk.count("IfcDoor"), 1);
        let height =
            stored(&desk, &text(&rooms["rooms"][0]["space_id"]), "Qto_SpaceBaseQuantities", "Height");
        assert!(near(height, 3.0), "{schema} {shape}: {height}");
        let partition = text(&rooms["partitions"][0]["wall_id"]);
        assert!(stored(&desk, &partition, "Qto_WallBaseQuantities", "Height") > 3.5, "{schema} {shape}");
        apart(&mut desk, "IfcWall", "IfcSlab");
        desk.clean();
        // without the roof they are as high as the rooms
        desk.call("delete_elements", json!({ "element_ids": [shell["roof_id"]] }));
        assert!(near(stored(&desk, &partition, "Qto_WallBaseQuantities", "Height"), 3.0), "{schema} {shape}");
        desk.clean();
    }
}

#[test]
fn a_lower_roof_leaves_the_house_beside_it_as_it_is() {
    let mut desk = Desk::new("IFC4");
    let house = desk.call("create_building_shell", json!({ "footprint": RECTANGLE, "storeys": 2 }));
    let levels = &house["storeys"];
    desk.call(
        "create_wall",
        json!({
            "level_id": levels[0]["level_id"], "start": [10000, 0], "via": [[15000, 0], [15000, 8000]],
            "end": [10000, 8000], "location_line": "right", "height": 2500
        }),
    );
    let beside = &levels[0]["walls"][1]["wall_id"];
    let before = stored(&desk, &text(beside), "Qto_WallBaseQuantities", "Height");
    let corners = [[10000, 0, 2500], [15000, 0, 2500], [15000, 8000, 2500], [10000, 8000, 2500]];
    let roof = desk.call(
        "create_roof",
        json!({ "level_id": levels[0]["level_id"], "boundary_points": corners, "shape": "shed", "eaves": [2] }),
    );
    assert_eq!(roof["walls"].as_array().map(Vec::len), Some(3), "{roof}");
    assert!(near(stored(&desk, &text(beside), "Qto_WallBaseQuantities", "Height"), before));
    apart(&mut desk, "IfcWall", "IfcSlab");
    desk.clean();
}
