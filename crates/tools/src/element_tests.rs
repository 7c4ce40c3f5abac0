//! Elements of any class and shape as agents make them: clean in every schema, as large as they were given, refused by the field.

use crate::desk::{Desk, SCHEMAS, text};
use crate::{Body, IfcCall, catalogue};
use building::anything::class::offered;
use contract::{Actor, FileInput, Source};
use serde_json::{Value, json};
use std::f64::consts::PI;

fn make(desk: &mut Desk, class: &str, shape: &Value, point: [f64; 3]) -> Value {
    desk.call(
        "create_element",
        json!({ "ifc_class": class, "shape": shape, "placement": { "point": point }, "level_id": "Ground Floor" }),
    )
}

fn near(found: &Value, expected: f64) {
    let found = found.as_f64().unwrap_or_else(|| panic!("{found} is no number"));
    assert!((found - expected).abs() < 2e-3 * expected, "{found} in place of {expected}");
}

#[test]
fn each_shape_has_the_volume_and_box_that_it_was_given() {
    let tetrahedron = json!({ "mesh": {
        "vertices": [[0, 0, 0], [1000, 0, 0], [0, 1000, 0], [0, 0, 1000]],
        "faces": [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]
    } });
    let ring = json!({ "revolve": { "profile": [[500, 0], [600, 0], [600, 100], [500, 100]] } });
    let lying = json!({ "revolve": { "profile": [[0, 0], [1000, 0], [1000, 200], [0, 200]], "axis": [[0, 0], [1, 0]], "angle": 180 } });
    let pipe = json!({ "sweep": { "radius": 50, "path": [[0, 0, 0], [2000, 0, 0], [2000, 0, 1000]] } });
    let angle = json!({ "sweep": {
        "profile": [[0, 0], [100, 0], [100, 20], [20, 20], [20, 100], [0, 100]],
        "path": [[0, 0, 0], [3000, 0, 0], [3000, 2000, 0], [3000, 2000, 1500]]
    } });
    let square = json!({ "sweep": {
        "profile": [[-50, -50], [50, -50], [50, 50], [-50, 50]],
        "path": [[0, 0, 0], [2000, 0, 0], [2000, 1000, 0]]
    } });
    let leaning = json!({ "extrusion": { "profile": [[0, 0], [1000, 0], [0, 1000]], "height": 1000, "direction": [1, 0, 1] } });
    let cases = [
        (json!({ "box": { "x": 1000, "y": 500, "z": 2000 } }), 1.0, [1000.0, 500.0, 2000.0]),
        (leaning, 0.5 / 2f64.sqrt(), [1707.107, 1000.0, 707.107]),
        (ring, PI * (0.36 - 0.25) * 0.1, [1200.0, 1200.0, 100.0]),
        (lying, PI * 0.04 / 2.0, [1000.0, 200.0, 400.0]),
        (pipe, PI * 0.0025 * 3.0, [2050.0, 100.0, 1050.0]),
        (angle, 0.0036 * 6.5 - 0.0, [0.0; 3]),
        (square, 0.01 * 3.0, [2050.0, 1050.0, 100.0]),
        (tetrahedron, 1.0 / 6.0, [1000.0, 1000.0, 1000.0]),
    ];
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        for (i, (shape, volume, size)) in cases.iter().enumerate() {
            let answer = make(&mut desk, "IfcMember", shape, [20_000.0 + 5000.0 * i as f64, 20_000.0, 0.0]);
            if i == 5 {
                // an angle's centre is not on its path, so that its corners take and give
                let found = answer["volume"].as_f64().unwrap();
                assert!((found - volume).abs() < 0.02 * volume, "{found}");
            } else {
                near(&answer["volume"], *volume);
                for (found, expected) in answer["size"].as_array().unwrap().iter().zip(size) {
                    near(found, *expected);
                }
            }
            let net = &answer["quantities"]["NetVolume"]["value"];
            assert!((net.as_f64().unwrap() - answer["volume"].as_f64().unwrap()).abs() < 1e-6, "{answer}");
        }
        desk.clean();
        desk.keep(&format!("anything-{schema}"));
    }
}

#[test]
fn an_element_stands_turned_at_its_point_above_its_storey() {
    let mut desk = Desk::new("IFC4");
    desk.call("create_level", json!({ "name": "Upper", "elevation": 3000 }));
    let answer = desk.call(
        "create_element",
        json!({
            "ifc_class": "furniture", "predefined_type": "chair", "level_id": "Upper", "name": "Throne",
            "shape": { "box": { "x": 1000, "y": 400, "z": 200 } }, "material": "Oak", "colour": "oak",
            "placement": { "point": [30000, 20000, 100], "rotation": 90 }
        }),
    );
    assert_eq!(answer["position"], json!([30000.0, 20000.0, 100.0]));
    assert_eq!(answer["size"], json!([400.0, 1000.0, 200.0]));
    assert_eq!((&answer["level"], &answer["name"]), (&json!("Upper"), &json!("Throne")));
    assert_eq!(desk.found("IfcFurniture, PredefinedType=CHAIR, material=Oak"), 1);
    let lying = desk.call(
        "create_element",
        json!({
            "ifc_class": "IfcFurniture", "level_id": "Upper", "shape": { "box": { "x": 10, "y": 20, "z": 900 } },
            "placement": { "point": [34000, 20000], "axis": [1, 0, 0] }
        }),
    );
    assert_eq!(lying["size"], json!([900.0, 10.0, 20.0]));
    assert_eq!(lying["name"], "Furniture 1");
    desk.clean();
}

#[test]
fn every_class_that_is_offered_is_made_and_clean() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        let classes: Vec<&str> = offered(&desk.model).collect();
        assert!(classes.len() > 60 || schema == "IFC2X3", "{}", classes.len());
        let mut made = 0;
        for (i, class) in classes.iter().enumerate() {
            let result = desk.try_call(
                "create_element",
                json!({
                    "ifc_class": class, "shape": { "box": { "x": 300, "y": 300, "z": 300 } }, "level_id": "Ground Floor",
                    "placement": { "point": [20000 + 500 * i, 20000] }
                }),
            );
            match result {
                Ok(answer) => {
                    assert_eq!(answer["class"], *class);
                    made += 1;
                }
                // what needs figures that are not given here is refused by its attribute
                Err(fault) => assert!(fault.data["attribute"].is_string(), "{class}: {fault}"),
            }
        }
        assert!(made + 4 >= classes.len(), "{made} of {}", classes.len());
        desk.clean();
    }
}

#[test]
fn a_class_that_cannot_be_made_answers_what_would_do() {
    let mut desk = Desk::new("IFC2X3");
    let mut refuse = |class: &str| {
        let fault = desk.refuse(
            "create_element",
            json!({
                "ifc_class": class, "shape": { "box": { "x": 1, "y": 1, "z": 1 } }, "level_id": "Ground Floor",
                "placement": { "point": [0, 0] }
            }),
        );
        assert_eq!(fault.data["field"], "ifc_class", "{class}");
        (fault.message, fault.data.get("near_matches").cloned().unwrap_or_default())
    };
    assert_eq!(refuse("IfcFurniture").1, json!(["IfcFurnishingElement"]));
    assert_eq!(refuse("IfcSanitaryTerminal").1, json!(["IfcFlowTerminal"]));
    assert!(refuse("IfcCollumn").1.as_array().unwrap().contains(&json!("IfcColumn")));
    assert!(refuse("IfcSpace").0.contains("create_space"));
    assert!(refuse("IfcOpeningElement").0.contains("create_opening"));
    assert_eq!(refuse("IfcWallStandardCase").1, json!(["IfcWall"]));
    assert!(refuse("IfcBuildingElement").0.contains("IfcBeam"));
    assert!(refuse("IfcMaterial").0.contains("no class of things"));
    let zone = refuse("IfcSpatialZone").0;
    assert!(zone.contains("IFC2X3 has no IfcSpatialZone") && zone.contains("create_group"), "{zone}");
    let map = desk.call(
        "set_georeference",
        json!({ "crs": "EPSG:25832", "eastings": 691_000, "northings": 5_334_000 }),
    );
    assert!(text(&map["notes"][0]).contains("no IfcProjectedCRS"), "{map}");
}

#[test]
fn bad_shapes_and_places_are_refused_with_the_field() {
    let mut desk = Desk::new("IFC4");
    let bow = json!([[0, 0], [9, 9], [9, 0], [0, 9]]);
    let square = json!([[0, 0], [100, 0], [100, 100], [0, 100]]);
    let shapes = [
        (json!({}), "shape"),
        (json!({ "box": { "x": 1, "y": 1, "z": 1 }, "mesh": {} }), "shape"),
        (json!({ "box": { "x": 0, "y": 1, "z": 1 } }), "shape.box.x"),
        (json!({ "box": { "x": 1, "y": 1, "z": 1e12 } }), "shape.box.z"),
        (json!({ "extrusion": { "profile": bow, "height": 10 } }), "shape.extrusion.profile"),
        (json!({ "extrusion": { "profile": square, "height": -1 } }), "shape.extrusion.height"),
        (
            json!({ "extrusion": { "profile": square, "height": 1, "direction": [1, 0, 0] } }),
            "shape.extrusion.direction",
        ),
        (json!({ "revolve": { "profile": [[-5, 0], [5, 0], [5, 5]] } }), "shape.revolve.profile"),
        (json!({ "revolve": { "profile": square, "angle": 400 } }), "shape.revolve.angle"),
        (json!({ "revolve": { "profile": square, "axis": [[0, 0], [0, 0]] } }), "shape.revolve.axis"),
        (json!({ "sweep": { "path": [[0, 0, 0], [1000, 0, 0]] } }), "shape.sweep"),
        (json!({ "sweep": { "radius": 10, "path": [[0, 0, 0]] } }), "shape.sweep.path"),
        (json!({ "sweep": { "radius": 10, "path": [[0, 0, 0], [0, 0, 0]] } }), "shape.sweep.path[1]"),
        (
            json!({ "sweep": { "radius": 100, "path": [[0, 0, 0], [1000, 0, 0], [0, 1, 0]] } }),
            "shape.sweep.path[1]",
        ),
        (
            json!({ "sweep": { "profile": [[-100, -100], [100, -100], [100, 100]], "path": [[0, 0, 0], [50, 0, 0], [50, 50, 0]] } }),
            "shape.sweep.path[1]",
        ),
        (json!({ "mesh": { "vertices": [[0, 0, 0]], "faces": [[0, 1, 2]] } }), "shape.mesh.faces[0]"),
        (
            json!({ "mesh": { "vertices": [[0, 0, 0], [1, 0, 0], [2, 0, 0]], "faces": [[0, 1, 2]] } }),
            "shape.mesh",
        ),
        (json!({ "mesh": { "vertices": [] } }), "shape.mesh"),
        (json!({ "mesh": { "file": "chair.glb" } }), "shape.mesh.file"),
    ];
    let before = desk.model.len();
    for (shape, field) in shapes {
        let fault = desk.refuse(
            "create_element",
            json!({
                "ifc_class": "IfcFurniture", "shape": shape, "level_id": "Ground Floor", "placement": { "point": [0, 0] }
            }),
        );
        assert_eq!(fault.data["field"], field, "{shape}: {fault}");
        assert_eq!(desk.model.len(), before);
    }
    for (placement, field) in [
        (json!({ "point": [0] }), "placement.point"),
        (json!({ "point": [0, 1e300] }), "placement.point"),
        (json!({ "point": [0, 0], "rotation": 1e9 }), "placement.rotation"),
        (json!({ "point": [0, 0], "axis": [0, 0, 0] }), "placement.axis"),
    ] {
        let fault = desk.refuse(
            "create_element",
            json!({
                "ifc_class": "IfcFurniture", "shape": { "box": { "x": 1, "y": 1, "z": 1 } },
                "level_id": "Ground Floor", "placement": placement
            }),
        );
        assert_eq!(fault.data["field"], field, "{placement}: {fault}");
    }
    for (name, value) in
        [("colour", "wallnut"), ("predefined_type", "CHIAR"), ("predefined_type", "USERDEFINED")]
    {
        let mut arguments = json!({
            "ifc_class": "IfcFurniture", "shape": { "box": { "x": 1, "y": 1, "z": 1 } },
            "level_id": "Ground Floor", "placement": { "point": [0, 0] }
        });
        arguments[name] = json!(value);
        desk.refuse("create_element", arguments);
    }
}

/// Calls create_element with a file beside it.
fn with_file(desk: &mut Desk, bytes: &[u8], mesh: &Value) -> Result<Value, contract::Fault> {
    let tool = catalogue().into_iter().find(|tool| tool.spec.name == "create_element").unwrap();
    let Body::Ifc(body) = tool.body else { panic!("no tool on a model") };
    let actor = Actor { principal: "modeller".into(), client: None };
    let mut call = IfcCall::new(&desk.model, &format!("file {}", desk.model.len()), 1_795_305_600_000, actor);
    call.files.push(FileInput {
        role: "mesh".into(),
        source: Source::inline(bytes),
        sha256: String::new(),
        media_type: String::new(),
    });
    let answer = body(
        &mut call,
        json!({
            "ifc_class": "IfcBuildingElementProxy", "level_id": "Ground Floor", "shape": { "mesh": mesh },
            "placement": { "point": [20000, 20000] }
        }),
    )?;
    desk.model = call.edit.finish().0;
    Ok(answer)
}

#[test]
fn a_file_of_triangles_becomes_a_body_and_an_open_one_a_surface() {
    let cube = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 2\nv 1 0 2\nv 1 1 2\nv 0 1 2\n\
        f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\n";
    let closed = format!("{cube}f 4 1 5 8\n");
    for (schema, classes) in SCHEMAS.into_iter().zip([
        ["IfcFacetedBrep", "IfcFaceBasedSurfaceModel"],
        ["IfcTriangulatedFaceSet", "IfcTriangulatedFaceSet"],
        ["IfcTriangulatedFaceSet", "IfcTriangulatedFaceSet"],
    ]) {
        let mut desk = Desk::new(schema);
        let body =
            with_file(&mut desk, closed.as_bytes(), &json!({ "file": "cube.obj", "up": "z" })).unwrap();
        assert_eq!(body["size"], json!([1000.0, 1000.0, 2000.0]));
        assert_eq!(body["assumed"], json!(["unit of the OBJ file: m"]));
        near(&body["volume"], 2.0);
        assert_eq!(body["representation"], classes[0]);
        let lying =
            with_file(&mut desk, closed.as_bytes(), &json!({ "file": "cube.obj", "unit": "cm" })).unwrap();
        assert_eq!(lying["size"], json!([10.0, 20.0, 10.0]));
        let open = with_file(&mut desk, cube.as_bytes(), &json!({ "file": "cube.obj" })).unwrap();
        assert_eq!((&open["volume"], &open["representation"]), (&Value::Null, &json!(classes[1])));
        let fault = with_file(&mut desk, b"no shape", &json!({ "file": "cube.obj" })).unwrap_err();
        assert_eq!(fault.data["field"], "shape.mesh.file");
        desk.clean();
        assert!(!text(&body["element_id"]).is_empty());
    }
}
