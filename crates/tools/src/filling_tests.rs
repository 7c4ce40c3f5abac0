//! Doors and windows as they are drawn: by every way of opening, with lining, panels, glass and symbol, shared through their types; in
//! all three schemas.

use crate::desk::{Desk, SCHEMAS, text};
use ifc::{Id, relations};
use serde_json::{Value, json};

/// A wall along x, 3 m high, 200 mm thick.
fn wall(desk: &mut Desk, length: f64, more: Value) -> String {
    let mut given = json!({ "start": [0, 0], "end": [length, 0], "level_id": "Ground Floor" });
    given.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    text(&desk.call("create_wall", given)["wall_id"])
}

fn put(desk: &mut Desk, host: &str, along: f64, kind: &str, more: Value) -> Id {
    let (width, height, sill) = if kind == "door" { (900, 2100, 0) } else { (1200, 1200, 900) };
    let mut given = json!({
        "host_id": host, "location": { "along": along, "sill": sill }, "width": width, "height": height,
        "opening_type": kind
    });
    given.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let made = desk.call("create_opening", given);
    desk.model.by_guid(&text(&made["filling_id"])).unwrap()
}

/// The box and the volume of a filling's body, seen from the wall's start, in mm and m³.
fn measured(desk: &Desk, filling: Id) -> ([f64; 2], [f64; 2], f64) {
    let shaper = geometry::Shaper::plain(&desk.model);
    let bodies = shaper.net_bodies(filling).unwrap();
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for solid in bodies.iter() {
        for p in solid.faces.iter().flat_map(|face| face.loops.iter().flatten()) {
            for (i, c) in [p.x, p.z].into_iter().enumerate() {
                low[i] = low[i].min((c * 1e6).round() / 1e3);
                high[i] = high[i].max((c * 1e6).round() / 1e3);
            }
        }
    }
    (low, high, bodies.volume())
}

fn words(schema: &str, class: [&str; 2], attribute: [&str; 2]) -> Vec<&'static str> {
    let desk = Desk::new(schema);
    let old = usize::from(schema != "IFC2X3");
    let mut words = building::lookup::enumeration(&desk.model, class[old], attribute[old]);
    words.retain(|word| *word != "USERDEFINED");
    words
}

#[test]
fn every_way_a_door_opens_is_drawn_in_its_opening() {
    for schema in SCHEMAS {
        let operations = words(schema, ["IfcDoorStyle", "IfcDoor"], ["OperationType"; 2]);
        assert!(operations.len() > 15, "{operations:?}");
        let mut desk = Desk::new(schema);
        let host = wall(&mut desk, 30_000.0, json!({}));
        for (i, operation) in operations.iter().enumerate() {
            let along = 1000.0 + 1100.0 * f64::from(u32::try_from(i).unwrap());
            let door = put(&mut desk, &host, along, "door", json!({ "operation_type": operation }));
            let (low, high, volume) = measured(&desk, door);
            assert_eq!((low, high), ([along - 450.0, 0.0], [along + 450.0, 2100.0]), "{operation}");
            assert!(volume > 0.02, "{operation}: {volume}");
            let said = building::lookup::stated(&desk.model, door, &["OperationType"]);
            assert_eq!(said.as_deref(), (*operation != "NOTDEFINED").then_some(*operation));
        }
        desk.clean();
        desk.keep(&format!("doors-{schema}"));
    }
}

#[test]
fn every_way_a_window_is_parted_or_opens_is_drawn_in_its_opening() {
    for schema in SCHEMAS {
        let parted = words(schema, ["IfcWindowStyle", "IfcWindow"], ["OperationType", "PartitioningType"]);
        let opened = words(schema, ["IfcWindowPanelProperties"; 2], ["OperationType"; 2]);
        let mut desk = Desk::new(schema);
        let host = wall(&mut desk, 40_000.0, json!({}));
        for (i, operation) in parted.iter().chain(&opened).enumerate() {
            let along = 1000.0 + 1400.0 * f64::from(u32::try_from(i).unwrap());
            let window = put(&mut desk, &host, along, "window", json!({ "operation_type": operation }));
            let (low, high, volume) = measured(&desk, window);
            assert_eq!((low, high), ([along - 600.0, 900.0], [along + 600.0, 2100.0]), "{operation}");
            assert!(volume > 0.03, "{operation}: {volume}");
        }
        desk.clean();
        desk.keep(&format!("windows-{schema}"));
    }
}

#[test]
fn a_window_has_a_frame_of_60_mm_and_glass_that_light_goes_through() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        let host = wall(&mut desk, 6000.0, json!({}));
        let window = put(&mut desk, &host, 3000.0, "window", json!({}));
        // lining 30, casement 30: what is left is glass, 24 mm thick
        let (.., volume) = measured(&desk, window);
        let lining = (1.2 * 1.2 - 1.14 * 1.14) * 0.1;
        let casement = (1.14 * 1.14 - 1.08 * 1.08) * 0.07;
        let glass = 1.08 * 1.08 * 0.024;
        assert!((volume - lining - casement - glass).abs() < 1e-9, "{volume}");
        let share = ifc::psets::get(&desk.model, window, "Pset_WindowCommon", "GlazingAreaFraction");
        assert_eq!(share.and_then(|v| v.as_f64()), Some(0.81));
        let layers = ifc::psets::get(&desk.model, window, "Pset_DoorWindowGlazingType", "GlassLayers");
        assert_eq!(layers.and_then(|v| v.as_f64()), Some(2.0));
        let links = relations::Links::of_one(&desk.model);
        let mut materials: Vec<String> =
            links.materials_of(window).into_iter().filter_map(|id| desk.model.get(id)?.name()).collect();
        materials.sort();
        materials.dedup();
        assert_eq!(materials, ["Glass", "Timber"]);
        let clear: Vec<f64> = desk
            .model
            .of_class("IfcSurfaceStyleRendering")
            .into_iter()
            .filter_map(|id| desk.model.get(id)?.number("Transparency"))
            .collect();
        assert!(clear.contains(&0.65), "{clear:?}");
        desk.clean();
    }
}

#[test]
fn equal_doors_share_their_shape_and_one_more_is_a_few_instances() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        let host = wall(&mut desk, 8000.0, json!({}));
        put(&mut desk, &host, 1000.0, "door", json!({ "operation_type": "DOUBLE_DOOR_SINGLE_SWING" }));
        let first = desk.model.len();
        let profiles = desk.count("IfcProfileDef");
        let second =
            put(&mut desk, &host, 3000.0, "door", json!({ "operation_type": "DOUBLE_DOOR_SINGLE_SWING" }));
        let more = desk.model.len() - first;
        // the opening's own box is the only new solid
        assert_eq!(desk.count("IfcProfileDef"), profiles + 1);
        assert!(more < 65, "{more} instances for one more door");
        let types = if schema == "IFC2X3" { "IfcDoorStyle" } else { "IfcDoorType" };
        assert_eq!(desk.count(types), 1);
        let door = desk.model.get(second).unwrap();
        for repeated in ["PredefinedType", "OperationType"] {
            assert!(door.attr(repeated).is_null(), "{repeated} is the type's to say");
        }
        desk.clean();
    }
}

#[test]
fn a_door_shows_its_leaf_and_arc_in_plan() {
    let mut desk = Desk::new("IFC4");
    let host = wall(&mut desk, 6000.0, json!({}));
    put(&mut desk, &host, 2000.0, "door", json!({}));
    assert_eq!(desk.count("IfcTrimmedCurve"), 1);
    let circle = desk.model.of_class("IfcCircle")[0];
    // the leaf is as wide as what the lining of 50 mm leaves
    assert_eq!(desk.model.get(circle).unwrap().number("Radius"), Some(0.8));
    let symbols: usize = desk
        .model
        .of_class("IfcShapeRepresentation")
        .into_iter()
        .filter(|id| {
            desk.model.get(*id).and_then(|r| r.text("RepresentationIdentifier")).as_deref()
                == Some("FootPrint")
        })
        .count();
    assert_eq!(symbols, 2, "the type's, and the door's that shows it");
    put(&mut desk, &host, 4000.0, "door", json!({ "operation_type": "DOUBLE_DOOR_DOUBLE_SWING" }));
    assert_eq!(desk.count("IfcTrimmedCurve"), 5);
}

#[test]
fn doors_to_outside_have_a_threshold_and_glass_where_asked_for() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        let outer = wall(&mut desk, 6000.0, json!({ "wall_type": "exterior" }));
        let inner = wall(
            &mut desk,
            6000.0,
            json!({ "wall_type": "interior", "start": [0, 5000], "end": [6000, 5000] }),
        );
        let front = put(&mut desk, &outer, 3000.0, "door", json!({}));
        let room = put(&mut desk, &inner, 3000.0, "door", json!({}));
        let glazed = put(&mut desk, &inner, 4500.0, "door", json!({ "glazing": 2, "lining": 80 }));
        let sill = 0.8 * 0.02 * (0.1 - 0.04);
        assert!((measured(&desk, front).2 - measured(&desk, room).2 - sill).abs() < 1e-9);
        let share = |id| {
            ifc::psets::get(&desk.model, id, "Pset_DoorCommon", "GlazingAreaFraction")
                .and_then(|v| v.as_f64())
        };
        assert_eq!((share(front), share(room)), (None, None));
        assert!(share(glazed).is_some_and(|share| share > 0.4), "{:?}", share(glazed));
        desk.clean();
    }
}

#[test]
fn windows_of_other_outlines_have_frame_and_glass() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        let host = wall(&mut desk, 8000.0, json!({}));
        for (i, shape) in ["round", "arch", "polygon"].into_iter().enumerate() {
            let along = 1500.0 + 2000.0 * f64::from(u32::try_from(i).unwrap());
            let window = put(&mut desk, &host, along, "window", json!({ "shape": shape }));
            let (low, high, volume) = measured(&desk, window);
            assert_eq!((low[1], high[1]), (900.0, 2100.0), "{shape}");
            assert!(volume > 0.03, "{shape}: {volume}");
        }
        desk.clean();
        desk.keep(&format!("round-windows-{schema}"));
    }
}

#[test]
fn a_changed_size_draws_lining_panels_and_glass_anew() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        let host = wall(&mut desk, 8000.0, json!({}));
        let more = json!({ "operation_type": "DOUBLE_PANEL_VERTICAL", "glazing": 3, "lining": 90 });
        let window = put(&mut desk, &host, 2000.0, "window", more.clone());
        let twin = put(&mut desk, &host, 5000.0, "window", more.clone());
        let guid = desk.model.get(window).unwrap().guid().unwrap();
        let mapped = desk.count("IfcMappedItem");
        desk.call(
            "modify_parameter",
            json!({ "element_id": guid, "parameter_name": "width", "value": 1800 }),
        );
        let (low, high, volume) = measured(&desk, window);
        assert_eq!((low, high), ([1100.0, 900.0], [2900.0, 2100.0]));
        assert_eq!(desk.count("IfcMappedItem"), mapped, "what it showed before is gone");
        let layers = ifc::psets::get(&desk.model, window, "Pset_DoorWindowGlazingType", "GlassLayers");
        assert_eq!(layers.and_then(|v| v.as_f64()), Some(3.0));
        let (low, high, _) = measured(&desk, twin);
        assert_eq!((low, high), ([4400.0, 900.0], [5600.0, 2100.0]), "its twin stays as it was");
        // as if it had been made so
        let mut fresh = more;
        fresh.as_object_mut().unwrap().insert("width".into(), 1800.into());
        let host = wall(&mut desk, 8000.0, json!({ "start": [0, 9000], "end": [8000, 9000] }));
        let made = put(&mut desk, &host, 2000.0, "window", fresh);
        assert!((measured(&desk, made).2 - volume).abs() < 1e-9);
        let type_of = |id| relations::type_of(&desk.model, id);
        assert_eq!(type_of(made), type_of(window));
        desk.call("modify_parameter", json!({ "element_id": guid, "parameter_name": "sill", "value": 500 }));
        assert_eq!(measured(&desk, window).0[1], 500.0);
        desk.call(
            "modify_parameter",
            json!({ "element_id": guid, "parameter_name": "height", "value": 600 }),
        );
        assert_eq!(measured(&desk, window).1[1], 1100.0);
        desk.clean();
    }
}

#[test]
fn a_thin_wall_has_a_thin_frame() {
    let mut desk = Desk::new("IFC4");
    let host = wall(&mut desk, 6000.0, json!({}));
    let door = put(&mut desk, &host, 2000.0, "door", json!({}));
    let before = measured(&desk, door).2;
    desk.call("modify_parameter", json!({ "element_id": host, "parameter_name": "thickness", "value": 60 }));
    let after = measured(&desk, door).2;
    let jambs = 0.05 * 2.1 * 2.0 + 0.8 * 0.05 + 0.8 * 0.02;
    assert!((before - after - jambs * 0.04).abs() < 1e-9, "{before} {after}");
    desk.clean();
}

#[test]
fn frames_and_glass_that_cannot_be_are_refused_by_their_field() {
    let mut desk = Desk::new("IFC4");
    let host = wall(&mut desk, 6000.0, json!({}));
    let window = |more: Value| {
        let mut given = json!({
            "host_id": host, "location": { "along": 3000 }, "width": 900, "height": 900, "opening_type": "window"
        });
        given.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        given
    };
    let cases = [
        (window(json!({ "lining": 5 })), "lining"),
        (window(json!({ "lining": 400 })), "lining"),
        (window(json!({ "glazing": 0 })), "glazing"),
        (window(json!({ "glazing": 9 })), "glazing"),
        (window(json!({ "operation_type": "SLIDING_TO_LEFT" })), "operation_type"),
        (window(json!({ "operation_type": "USERDEFINED" })), "operation_type"),
        (window(json!({ "operation_type": "DOUBLE_PANEL_VERTICAL", "shape": "round" })), "operation_type"),
        (window(json!({ "opening_type": "void", "lining": 50 })), "lining"),
        (window(json!({ "opening_type": "void", "glazing": 2 })), "glazing"),
        (window(json!({ "opening_type": "void", "operation_type": "SINGLE_PANEL" })), "operation_type"),
        (window(json!({ "opening_type": "door", "shape": "arch" })), "shape"),
    ];
    for (wrong, field) in cases {
        let before = desk.model.len();
        let fault = desk.refuse("create_opening", wrong.clone());
        assert_eq!(fault.data["field"], field, "{wrong}: {fault}");
        assert_eq!(desk.model.len(), before);
    }
}
