//! What elements keep when they are drawn anew: materials, doors of curtain walls, names of parts; and what is refused rather than lost.

use crate::desk::{Desk, SCHEMAS, text};
use contract::Fault;
use geometry::Bounds;
use glam::DVec3;
use ifc::{Id, psets, relations};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const PLATE: [[u32; 2]; 4] = [[0, 0], [10_000, 0], [10_000, 8000], [0, 8000]];

fn id(desk: &Desk, guid: &Value) -> Id {
    desk.model.by_guid(&text(guid)).unwrap_or_else(|| panic!("no {guid}"))
}

fn arguments(element: &Value, parameter: &str, value: &Value) -> Value {
    json!({ "element_id": element, "parameter_name": parameter, "value": value })
}

fn change(desk: &mut Desk, element: &Value, parameter: &str, value: &Value) -> Value {
    desk.call("modify_parameter", arguments(element, parameter, value))
}

fn refused(desk: &mut Desk, element: &Value, parameter: &str, value: &Value) -> Fault {
    desk.refuse("modify_parameter", arguments(element, parameter, value))
}

/// The names of the materials that an element is made of.
fn materials(desk: &Desk, guid: &Value) -> Vec<String> {
    let made_of = relations::material_of(&desk.model, id(desk, guid)).unwrap();
    let all = relations::materials_in(&desk.model, made_of).into_iter();
    all.filter_map(|material| desk.model.get(material)?.name()).collect()
}

fn bounds(desk: &Desk, element: Id) -> Bounds {
    geometry::bounds(&desk.model, element).unwrap()
}

fn centre(desk: &Desk, guid: &Value) -> DVec3 {
    bounds(desk, id(desk, guid)).centre()
}

#[test]
fn a_slab_that_becomes_thicker_keeps_its_material() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        let floor = desk.call(
            "create_floor",
            json!({ "boundary_points": PLATE, "level_id": "Ground Floor", "material": "Timber" }),
        );
        let slab = &floor["floor_id"];
        assert_eq!(materials(&desk, slab), ["Timber"]);
        change(&mut desk, slab, "thickness", &json!(250));
        assert_eq!(materials(&desk, slab), ["Timber"], "{schema}");
        let layers = |concrete: u32| json!([{ "material": "Screed", "thickness": 60 }, { "material": "Concrete", "thickness": concrete }]);
        for concrete in [180, 200] {
            let wanted = json!({ "element_ids": [slab], "layers": layers(concrete) });
            desk.call("assign_material", wanted);
            assert_eq!(materials(&desk, slab), ["Screed", "Concrete"]);
        }
        let fault = refused(&mut desk, slab, "thickness", &json!(300));
        assert_eq!(fault.data["field"], "value", "{fault}");
        assert!(fault.message.contains("2 layers"), "{fault}");
        desk.clean();
    }
}

#[test]
fn a_landing_that_becomes_thicker_keeps_the_material_given_to_it() {
    let mut desk = Desk::new("IFC4");
    let stair = desk.call(
        "create_stair",
        json!({ "level_id": "Ground Floor", "start": [0, 0], "shape": "u", "height": 3000 }),
    );
    let landing = &stair["landings"][0];
    desk.call("assign_material", json!({ "element_ids": [landing], "material": "Timber" }));
    change(&mut desk, &stair["stair_id"], "thickness", &json!(200));
    assert_eq!(materials(&desk, landing), ["Timber"]);
    desk.clean();
}

#[test]
fn a_wall_whose_type_has_a_name_of_its_own_keeps_its_material() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        let wall = desk.call(
            "create_wall",
            json!({ "start": [0, 0], "end": [5000, 0], "level_id": "Ground Floor", "thickness": 300,
                    "material": "Clay" }),
        );
        let of_type = relations::type_of(&desk.model, id(&desk, &wall["wall_id"])).unwrap();
        let of_type = json!(desk.model.get(of_type).unwrap().guid());
        change(&mut desk, &of_type, "Name", &json!("AW-01"));
        change(&mut desk, &wall["wall_id"], "thickness", &json!(365));
        assert_eq!(materials(&desk, &wall["wall_id"]), ["Clay"], "{schema}");
        desk.clean();
    }
}

#[test]
fn the_top_of_a_wall_whose_body_was_cut_is_not_drawn_over_it() {
    let mut desk = Desk::new("IFC4");
    for (name, start, end) in [("A", [0, 0], [4000, 0]), ("B", [2000, -2000], [2000, 2000])] {
        let ends = json!({ "start": start, "end": end, "level_id": "Ground Floor", "name": name });
        desk.call("create_wall", ends);
    }
    desk.call(
        "boolean_operation",
        json!({ "element_a": "A", "element_b": "B", "operation_type": "difference" }),
    );
    let fault = refused(&mut desk, &json!("A"), "top_end_height", &json!(2000));
    assert_eq!(fault.data["field"], "parameter_name", "{fault}");
}

/// A curtain wall over these points with one door, and the door.
fn curtain(desk: &mut Desk, points: &Value, more: &Value) -> (Value, Value) {
    let mut arguments = json!({ "points": points, "height": 3000, "level_id": "Ground Floor" });
    for (name, value) in more.as_object().unwrap() {
        arguments[name] = value.clone();
    }
    let made = desk.call("create_curtain_wall", arguments);
    (made.clone(), made["doors"][0]["door_id"].clone())
}

#[test]
fn a_curtain_wall_tells_what_was_chosen_for_it() {
    let mut desk = Desk::new("IFC4");
    let (made, _) = curtain(&mut desk, &json!([[0, 0], [6000, 0]]), &json!({ "doors": [{ "along": 1000 }] }));
    let told = made["assumed"].to_string();
    for wanted in ["panels of Glass", "mullions of Aluminium", "door height 2100 mm"] {
        assert!(told.contains(wanted), "{told}");
    }
    let given = json!({ "panel_material": "Enamel", "mullion_material": "Oak", "doors": [{ "along": 1000, "height": 2000 }] });
    let (made, _) = curtain(&mut desk, &json!([[0, 9000], [6000, 9000]]), &given);
    let told = made["assumed"].to_string();
    assert!(
        !told.contains("panels of") && !told.contains("mullions of") && !told.contains("door height"),
        "{told}"
    );
}

#[test]
fn a_door_that_is_listed_anywhere_in_its_panel_stays_the_door_that_it_was() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        let more = json!({ "columns": { "count": 4 }, "doors": [{ "along": 2000 }] });
        let (made, door) = curtain(&mut desk, &json!([[0, 0], [6000, 0]]), &more);
        let wanted = json!([{ "along": 1700, "height": 2200 }, { "along": 5000 }]);
        change(&mut desk, &made["curtain_wall_id"], "doors", &wanted);
        assert!(desk.model.by_guid(&text(&door)).is_some(), "{schema}");
        assert_eq!(desk.count("IfcDoor"), 2);
        desk.clean();
    }
}

#[test]
fn a_curtain_wall_is_closed_where_a_door_was_deleted() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        let line = json!([[0, 0], [6000, 0]]);
        let more = json!({ "columns": { "count": 4 }, "rows": { "count": 2 } });
        let (_, _) = curtain(&mut desk, &line, &more);
        let whole = desk.count("IfcPlate");
        let line = json!([[0, 9000], [6000, 9000]]);
        let mut with_doors = more.clone();
        with_doors["doors"] = json!([{ "along": 2000 }, { "along": 5000 }]);
        let (made, door) = curtain(&mut desk, &line, &with_doors);
        let other = made["doors"][1]["door_id"].clone();
        let at = centre(&desk, &other);
        let with_both = desk.count("IfcPlate");
        let deleted = desk.call("delete_elements", json!({ "element_ids": [door] }));
        assert_eq!(deleted["count"], 1, "{schema}: {deleted}");
        assert!(desk.count("IfcPlate") > with_both, "{schema}");
        assert!(centre(&desk, &other).distance(at) < 0.1, "the other door stays");
        desk.call("delete_elements", json!({ "element_ids": [other] }));
        assert_eq!(desk.count("IfcPlate"), 2 * whole, "{schema}: as one without doors");
        desk.clean();
    }
}

#[test]
fn a_door_stands_where_the_line_says_though_this_begins_within_a_side() {
    let ring = json!([[3000, 0], [6000, 0], [6000, 6000], [0, 6000], [0, 0], [3000, 0]]);
    let more = |along: i32| json!({ "columns": { "count": 4 }, "doors": [{ "along": along }] });
    let mut desk = Desk::new("IFC4");
    // 3 m to the corner and 1 m on; half a metre along; half a metre before the end
    for (along, x, y) in [
        (4000, [5900.0, 6100.0], [0.0, 2000.0]),
        (500, [3000.0, 4600.0], [-100.0, 100.0]),
        (23_500, [1400.0, 3000.0], [-100.0, 100.0]),
    ] {
        let (made, door) = curtain(&mut desk, &ring, &more(along));
        let at = centre(&desk, &door);
        assert!((x[0]..=x[1]).contains(&at.x) && (y[0]..=y[1]).contains(&at.y), "{along}: {at}");
        // drawn anew it stays there
        change(&mut desk, &made["curtain_wall_id"], "height", &json!(3200));
        assert!(centre(&desk, &door).truncate().distance(at.truncate()) < 1.0);
        desk.call("delete_elements", json!({ "element_ids": [made["curtain_wall_id"]] }));
    }
    let mut wanted = json!({ "points": ring, "height": 3000, "level_id": "Ground Floor" });
    for along in [-500, 24_500] {
        wanted["doors"] = json!([{ "along": along }]);
        let fault = desk.refuse("create_curtain_wall", wanted.clone());
        assert_eq!(fault.data["field"], "doors[0].along", "{fault}");
    }
}

#[test]
fn a_mirrored_curtain_wall_is_drawn_anew_where_its_image_stands() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        let line = json!([[0, 0], [6000, 0], [6000, 4000]]);
        let more = json!({ "doors": [{ "along": 1000, "operation_type": "SINGLE_SWING_LEFT" }] });
        let (made, door) = curtain(&mut desk, &line, &more);
        let wall = &made["curtain_wall_id"];
        desk.call("mirror_elements", json!({ "element_ids": [wall], "line": [[10000, 0], [10000, 1000]] }));
        let boxes = |desk: &Desk| -> Bounds {
            let parts = relations::children(&desk.model, id(desk, wall)).into_iter();
            parts
                .map(|part| bounds(desk, part))
                .reduce(|a, b| Bounds { min: a.min.min(b.min), max: a.max.max(b.max) })
                .unwrap()
        };
        let (image, at) = (boxes(&desk), centre(&desk, &door));
        assert!(image.min.x > 13_900.0 && image.max.x < 20_100.0, "{image:?}");
        change(&mut desk, wall, "height", &json!(3500));
        let now = boxes(&desk);
        assert!(now.min.truncate().distance(image.min.truncate()) < 1.0, "{now:?} and {image:?}");
        assert!(now.max.truncate().distance(image.max.truncate()) < 1.0, "{now:?} and {image:?}");
        assert!(centre(&desk, &door).truncate().distance(at.truncate()) < 1.0, "{schema}");
        assert_eq!(desk.count("IfcDoor"), 1);
        desk.clean();
    }
}

#[test]
fn new_parts_of_a_curtain_wall_have_names_of_their_own() {
    let mut desk = Desk::new("IFC4");
    let (made, _) = curtain(&mut desk, &json!([[0, 0], [6000, 0]]), &json!({ "columns": { "count": 4 } }));
    desk.call(
        "delete_elements",
        json!({ "element_ids": ["Curtain wall 1 panel 1", "Curtain wall 1 panel 2"] }),
    );
    change(&mut desk, &made["curtain_wall_id"], "height", &json!(2800));
    let names: Vec<String> =
        desk.model.of_class("IfcPlate").into_iter().filter_map(|id| desk.model.get(id)?.name()).collect();
    assert_eq!((names.len(), names.iter().collect::<BTreeSet<_>>().len()), (4, 4), "{names:?}");
}

#[test]
fn a_section_is_not_given_to_a_type_that_cannot_hold_it() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        let column = desk.call(
            "create_column",
            json!({ "level_id": "Ground Floor", "at": [0, 0], "section": "HE 200 B", "height": 3000 }),
        );
        let kind = desk.model.of_class("IfcColumnType")[0];
        let kind = json!(desk.model.get(kind).unwrap().guid());
        let columns: Vec<Value> = desk
            .model
            .of_class("IfcColumn")
            .into_iter()
            .map(|id| json!(desk.model.get(id).unwrap().guid()))
            .collect();
        assert_eq!(columns.len(), 1, "{column}");
        desk.call("delete_elements", json!({ "element_ids": columns }));
        assert!(desk.model.by_guid(&text(&kind)).is_some());
        if schema == "IFC2X3" {
            let fault = refused(&mut desk, &kind, "section", &json!("HE 240 B"));
            assert_eq!(fault.data["field"], "parameter_name", "{fault}");
        } else {
            change(&mut desk, &kind, "section", &json!("HE 240 B"));
            assert_eq!(desk.found("IfcColumnType, Name=/.*240.*/"), 1);
        }
    }
}

#[test]
fn a_line_of_a_grid_is_not_moved_onto_another() {
    let mut desk = Desk::new("IFC4");
    let grid = desk.call(
        "create_grid",
        json!({ "x": { "spacing": 6000, "count": 3 }, "y": { "positions": [0, 5000] }, "rotation": 30 }),
    );
    let grid = &grid["grids"][0];
    let (grid, tag) = (&grid["id"], text(&grid["x"][1]));
    for to in [0.0, 12_000.5] {
        let fault = refused(&mut desk, grid, &tag, &json!(to));
        assert_eq!(fault.data["field"], "value", "{fault}");
    }
    // where one of the other way lies is no reason
    change(&mut desk, grid, &tag, &json!(5000));
}

#[test]
fn the_second_of_two_stairs_keeps_its_tread_and_no_turn_of_the_first() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        for (name, elevation) in [("Upper Floor", 3000), ("Top Floor", 6200)] {
            desk.call("create_level", json!({ "name": name, "elevation": elevation }));
        }
        let stairs = desk.call(
            "create_stair",
            json!({ "level_id": "Ground Floor", "to_level": "Top Floor", "shape": "l",
                    "within": [[1000, 1000], [5000, 3100]] }),
        );
        let upper = &stairs["further"][0];
        let kept = |desk: &Desk, stair: &Value, name: &str| {
            psets::get(&desk.model, id(desk, &stair["stair_id"]), "StairParameters", name)
                .and_then(|v| v.as_f64())
        };
        assert!(kept(&desk, &stairs, "First").is_some(), "{stairs}");
        assert_ne!(upper["risers"], stairs["risers"]);
        assert_eq!(kept(&desk, upper, "First"), None, "{schema} {upper}");
        assert_eq!((kept(&desk, &stairs, "Tread"), kept(&desk, upper, "Tread")), (Some(0.255), Some(0.255)));
        let plate = json!({ "boundary_points": PLATE, "level_id": "Top Floor" });
        let floor = desk.call("create_floor", plate);
        assert!(floor["assumed"].to_string().contains("opening for"), "{floor}");
        assert_eq!(kept(&desk, upper, "Tread"), Some(0.255), "{schema}");
        // told to follow the rule it does
        change(&mut desk, &upper["stair_id"], "tread", &Value::Null);
        assert!(kept(&desk, upper, "Tread").is_some_and(|tread| tread < 0.2545), "{schema}");
        desk.clean();
    }
}

#[test]
fn what_has_no_effect_on_a_stair_or_ramp_is_refused() {
    let mut desk = Desk::new("IFC4");
    let stair = json!({ "level_id": "Ground Floor", "start": [0, 0], "height": 3000 });
    let ramp = json!({ "level_id": "Ground Floor", "start": [20000, 0], "height": 300 });
    let high = json!({ "level_id": "Ground Floor", "start": [20000, 0], "height": 600 });
    let cases = [
        ("create_stair", &stair, json!({ "shape": "l", "landing_depth": 1500 }), "landing_depth"),
        ("create_stair", &stair, json!({ "shape": "winder", "landing_depth": 1500 }), "landing_depth"),
        ("create_stair", &stair, json!({ "shape": "l", "gap": 200 }), "gap"),
        ("create_stair", &stair, json!({ "gap": 200 }), "gap"),
        ("create_stair", &stair, json!({ "shape": "spiral", "thickness": 200 }), "thickness"),
        ("create_stair", &stair, json!({ "construction": "open", "thickness": 200 }), "thickness"),
        ("create_ramp", &ramp, json!({ "turn": "right" }), "turn"),
        ("create_ramp", &ramp, json!({ "gap": 200 }), "gap"),
        ("create_ramp", &ramp, json!({ "landing_depth": 2000 }), "landing_depth"),
        ("create_ramp", &ramp, json!({ "shape": "l", "landing_depth": 2000 }), "landing_depth"),
    ];
    for (tool, base, more, field) in cases {
        let mut arguments = base.clone();
        for (name, value) in more.as_object().unwrap() {
            arguments[name] = value.clone();
        }
        let fault = desk.refuse(tool, arguments.clone());
        assert_eq!(fault.data["field"], field, "{arguments}: {fault}");
    }
    for (tool, base, more) in [
        ("create_stair", &stair, json!({ "shape": "u", "gap": 200, "landing_depth": 1500 })),
        ("create_stair", &stair, json!({ "construction": "open", "thickness": 200, "landing_depth": 1500 })),
        ("create_ramp", &high, json!({ "landing_depth": 2000 })),
        ("create_ramp", &high, json!({ "shape": "u", "turn": "right", "gap": 200 })),
    ] {
        let mut arguments = base.clone();
        for (name, value) in more.as_object().unwrap() {
            arguments[name] = value.clone();
        }
        desk.call(tool, arguments);
    }
    let made = desk.call(
        "create_stair",
        json!({ "level_id": "Ground Floor", "start": [0, 20000], "height": 3000, "shape": "l" }),
    );
    for parameter in ["landing_depth", "gap"] {
        let fault = refused(&mut desk, &made["stair_id"], parameter, &json!(1500));
        assert_eq!(fault.data["field"], "parameter_name", "{fault}");
    }
    let made =
        desk.call("create_ramp", json!({ "level_id": "Ground Floor", "start": [40000, 0], "height": 300 }));
    let fault = refused(&mut desk, &made["ramp_id"], "landing_depth", &json!(2000));
    assert_eq!(fault.data["field"], "parameter_name", "{fault}");
}
