//! Grids, columns, beams, braces, footings and piles as agents call for them, in all three schemas: quantities against the bodies'
//! own volumes, what follows what, and what is refused.

use crate::desk::{Desk, SCHEMAS, text};
use geometry::Bounds;
use geometry::Shaper;
use serde_json::{Value, json};

const GROUND: &str = "Ground Floor";

/// The volume in m³ of an element's body, and its box in mm.
fn body(desk: &Desk, guid: &str) -> (f64, Bounds) {
    let id = desk.model.by_guid(guid).unwrap();
    let shaper = Shaper::plain(&desk.model);
    let bodies = shaper.net_bodies(id).unwrap();
    assert!(bodies.are_sound(), "{guid}");
    let bounds = geometry::bounds(&desk.model, id).unwrap().scaled(1e-3);
    (bodies.volume(), bounds)
}

fn volume_told(element: &Value) -> f64 {
    element["quantities"]["NetVolume"]["value"].as_f64().unwrap()
}

fn near(a: f64, b: f64, share: f64) -> bool {
    (a - b).abs() <= share * b.abs().max(1e-9)
}

#[test]
fn a_column_of_every_kind_of_section_has_the_volume_that_its_quantities_say() {
    let sections = [
        json!({ "section": "HE 200 B" }),
        json!({ "section": "IPE300" }),
        json!({ "section": "UPN 160" }),
        json!({ "section": "UPE200" }),
        json!({ "section": "L100x50x8" }),
        json!({ "section": "CHS139.7x5" }),
        json!({ "section": "RHS 200x100x8" }),
        json!({ "section": "W12X26" }),
        json!({ "section": "C10X20" }),
        json!({ "section": "HSS6X4X1/4" }),
        json!({ "width": 300, "depth": 500 }),
        json!({ "diameter": 400 }),
        json!({ "profile": [[0, 0], [600, 0], [600, 200], [200, 200], [200, 600], [0, 600]] }),
    ];
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        for (i, section) in sections.iter().enumerate() {
            let mut arguments = section.clone();
            arguments["level_id"] = json!(GROUND);
            arguments["at"] = json!([[1000 * i, 0], [1000 * i, 2000]]);
            arguments["height"] = json!(3200);
            let answer = desk.call("create_column", arguments);
            assert_eq!(answer["count"], 2);
            for column in answer["elements"].as_array().unwrap() {
                let (volume, bounds) = body(&desk, &text(&column["id"]));
                assert!(near(volume_told(column), volume, 0.01), "{section}: {column} {volume}");
                let area = answer["section_area"].as_f64().unwrap();
                assert!(near(area * 3200.0 / 1e9, volume, 0.01), "{section}");
                assert!(near(bounds.max.z - bounds.min.z, 3.2, 1e-6));
                assert_eq!(column["length"], 3200.0);
                assert_eq!(column["quantities"]["Length"]["value"], 3.2);
            }
        }
        // one type for both of each section
        assert_eq!((desk.count("IfcColumn"), desk.count("IfcColumnType")), (26, sections.len()));
        if schema != "IFC2X3" {
            assert_eq!(desk.count("IfcMaterialProfileSet"), sections.len());
        }
        assert_eq!(desk.found("IfcColumn, Pset_ColumnCommon.LoadBearing=TRUE"), 26);
        desk.clean();
        desk.keep(&format!("columns-{schema}"));
    }
}

#[test]
fn columns_take_what_is_left_out_from_the_storey_and_say_so() {
    let mut desk = Desk::new("IFC4");
    desk.call("create_level", json!({ "name": "First Floor", "elevation": 3400 }));
    let one = desk.call("create_column", json!({ "level_id": GROUND, "at": [0, 0], "width": 300 }));
    assert_eq!(one["elements"][0]["length"], 3400.0);
    assert_eq!(one["section"], "300 x 300 mm");
    let top = json!({ "level_id": GROUND, "at": [3000, 0, -500], "diameter": 300, "top": "First Floor" });
    let two = desk.call("create_column", top);
    assert_eq!(
        (two["elements"][0]["start"][2].clone(), two["elements"][0]["length"].clone()),
        (json!(-500.0), json!(3900.0))
    );
    let third = json!({ "level_id": GROUND, "at": [6000, 0], "section": "HEB200", "top": 3000, "name": "C{n}", "material": "S355" });
    let third = desk.call("create_column", third);
    assert_eq!(third["elements"][0]["name"], "C1");
    assert_eq!(desk.found("IfcColumnType, Name=\"HEB200, S355\""), 1);
    desk.clean();
}

#[test]
fn a_cardinal_point_puts_its_point_of_the_section_on_the_axis() {
    let mut desk = Desk::new("IFC4");
    // seen along the axis of a beam in x, left is where y grows
    for (point, y, z) in [
        (1, [-0.2, 0.0], [0.0, 0.4]),
        (2, [-0.1, 0.1], [0.0, 0.4]),
        (3, [0.0, 0.2], [0.0, 0.4]),
        (5, [-0.1, 0.1], [-0.2, 0.2]),
        (8, [-0.1, 0.1], [-0.4, 0.0]),
        (9, [0.0, 0.2], [-0.4, 0.0]),
        (10, [-0.1, 0.1], [-0.2, 0.2]),
    ] {
        let beam = desk.call(
            "create_beam",
            json!({ "level_id": GROUND, "start": [0, 0, 0], "end": [5000, 0, 0], "width": 200, "depth": 400,
                    "cardinal_point": point }),
        );
        let (_, bounds) = body(&desk, &text(&beam["elements"][0]["id"]));
        let found = [bounds.min.y, bounds.max.y, bounds.min.z, bounds.max.z];
        for (a, b) in found.into_iter().zip(y.into_iter().chain(z)) {
            assert!((a - b).abs() < 1e-6, "{point}: {found:?}");
        }
    }
    let turned = desk.call(
        "create_beam",
        json!({ "level_id": GROUND, "start": [0, 0, 0], "end": [0, 5000, 0], "width": 200, "depth": 400,
                "cardinal_point": 5, "rotation": 90 }),
    );
    let (_, bounds) = body(&desk, &text(&turned["elements"][0]["id"]));
    assert!((bounds.max.z - 0.1).abs() < 1e-6 && (bounds.max.x - 0.2).abs() < 1e-6, "{bounds:?}");
    desk.clean();
}

#[test]
fn ends_are_cut_and_extended_and_quantities_are_those_of_the_body() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        let cases = [
            json!({ "end_cuts": ["horizontal", "vertical"] }),
            json!({ "end_cuts": ["vertical", "horizontal"], "extend": [100, -50] }),
            json!({ "end_cuts": [30, -45] }),
            json!({ "extend": [200, 300] }),
        ];
        for case in cases {
            let mut arguments = case.clone();
            for (key, value) in [
                ("level_id", json!(GROUND)),
                ("start", json!([0, 0, 0])),
                ("end", json!([4000, 0, 3000])),
                ("section", json!("UPN160")),
                ("cardinal_point", json!(2)),
            ] {
                arguments[key] = value;
            }
            let brace = desk.call("create_member", arguments);
            let brace = &brace["elements"][0];
            let (volume, bounds) = body(&desk, &text(&brace["id"]));
            assert!(near(volume_told(brace), volume, 0.005), "{case}: {brace} {volume}");
            if case["end_cuts"][0] == "horizontal" {
                assert!(bounds.min.z.abs() < 1e-6 && (bounds.max.x - 4.0).abs() < 1e-6, "{bounds:?}");
            }
            assert_eq!(brace["length"], 5000.0);
        }
        desk.clean();
        desk.keep(&format!("braces-{schema}"));
    }
    let mut desk = Desk::new("IFC4");
    let steep = json!({ "level_id": GROUND, "start": [0, 0, 0], "end": [0, 0, 3000], "section": "IPE100",
                        "end_cuts": ["vertical", "square"] });
    assert_eq!(desk.refuse("create_member", steep).data["field"], "end_cuts[0]");
    let short = json!({ "level_id": GROUND, "start": [0, 0, 0], "end": [100, 0, 0], "width": 300, "depth": 300,
                        "end_cuts": [60, -60] });
    assert_eq!(desk.refuse("create_member", short).data["field"], "end_cuts");
}

/// Lines 1 to 4 every 6 m and A to C every 5 m.
fn grid(desk: &mut Desk) -> Value {
    desk.call(
        "create_grid",
        json!({ "x": { "spacing": 6000, "count": 4 }, "y": { "spacing": [5000, 5000] } }),
    )
}

#[test]
fn beams_along_a_grid_lie_at_the_heads_of_the_columns_that_stand_there() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        desk.call("create_level", json!({ "name": "Upper", "elevation": 4000 }));
        grid(&mut desk);
        for (row, height) in [("A/1-4", 2600), ("B/1-2", 3100)] {
            let columns = json!({ "level_id": GROUND, "at": row, "section": "HEB200", "height": height });
            desk.call("create_column", columns);
        }
        let mut tops = |line: &str| -> Vec<f64> {
            let along = json!({ "level_id": GROUND, "along": line, "section": "IPE300" });
            let answer = desk.call("create_beam", along);
            let beams = answer["elements"].as_array().unwrap();
            beams.iter().map(|beam| (body(&desk, &text(&beam["id"])).1.max.z * 1000.0).round()).collect()
        };
        assert_eq!(tops("A"), [2600.0; 3], "{schema}");
        // where none stands they reach up to the next storey, between columns of other heights they lean
        assert_eq!(tops("C"), [4000.0; 3], "{schema}");
        assert!((3050.0..=3150.0).contains(&tops("1")[0]), "{schema}");
        desk.clean();
    }
}

#[test]
fn columns_and_beams_on_a_grid_follow_its_lines() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        let made = grid(&mut desk);
        assert_eq!(made["grids"][0]["x"], json!(["1", "2", "3", "4"]));
        assert_eq!(made["grids"][0]["y"], json!(["A", "B", "C"]));
        let columns = json!({ "level_id": GROUND, "at": "all", "section": "HEB200", "height": 3000, "name": "{crossing}" });
        assert_eq!(desk.call("create_column", columns)["count"], 12);
        let along = json!({ "level_id": GROUND, "along": "all", "section": "IPE300", "elevation": 3000 });
        assert_eq!(desk.call("create_beam", along)["count"], 3 * 3 + 4 * 2);
        let pads = json!({ "level_id": GROUND, "under": ["A/1", "B/2"], "width": 1500 });
        assert_eq!(desk.call("create_footing", pads)["count"], 2);
        let piles = json!({ "level_id": GROUND, "at": "A-C/3", "diameter": 600, "length": 9000 });
        assert_eq!(desk.call("create_pile", piles)["count"], 3);
        desk.clean();
        let moved = desk.call(
            "modify_parameter",
            json!({ "element_id": "Grid 1", "parameter_name": "axis 2", "value": 7000 }),
        );
        assert_eq!((moved["before"].clone(), moved["after"].clone()), (json!(6000.0), json!(7000.0)));
        // three columns, three rows of two beams, two beams on the line, a pad
        assert_eq!(moved["regenerated"].as_array().unwrap().len(), 3 + 6 + 2 + 1);
        let at = |desk: &Desk, name: &str| {
            let id = desk
                .model
                .of_class("IfcColumn")
                .into_iter()
                .find(|id| desk.model.get(*id).unwrap().name().as_deref() == Some(name));
            let at = ifc::placement::of_product(&desk.model, id.unwrap()).translation * 1e6;
            [at.x.round() / 1e3, at.y.round() / 1e3]
        };
        assert_eq!(at(&desk, "B/2"), [7000.0, 5000.0]);
        assert_eq!(at(&desk, "B/3"), [12000.0, 5000.0]);
        assert_eq!(desk.found("IfcBeam, Pset_BeamCommon.Span=7"), 3);
        assert_eq!(desk.found("IfcBeam, Pset_BeamCommon.Span=5"), 8 + 3);
        desk.clean();
        let far = json!({ "element_id": "Grid 1", "parameter_name": "4", "value": 30000 });
        desk.call("modify_parameter", far);
        assert_eq!(at(&desk, "C/4"), [30000.0, 10000.0]);
        desk.clean();
        desk.keep(&format!("frame-{schema}"));
        desk.call("move_elements", json!({ "element_ids": ["Grid 1"], "by": [100, 200] }));
        assert_eq!(at(&desk, "B/2"), [7100.0, 5200.0]);
        assert_eq!(desk.found("IfcBeam, Pset_BeamCommon.Span=7"), 3);
        desk.call("delete_elements", json!({ "element_ids": ["Grid 1"] }));
        assert_eq!(desk.count("IfcRelAssignsToProduct"), 0);
        desk.clean();
    }
}

#[test]
fn beams_and_pads_follow_the_columns_they_were_made_from() {
    let mut desk = Desk::new("IFC4");
    let two = json!({ "level_id": GROUND, "at": [[0, 0], [6000, 0]], "section": "HEB200", "height": 3000 });
    desk.call("create_column", two);
    let beam = desk.call(
        "create_beam",
        json!({ "level_id": GROUND, "start": "Column 1", "end": "Column 2", "section": "IPE300" }),
    );
    assert_eq!(beam["elements"][0]["start"], json!([0.0, 0.0, 3000.0]));
    let brace = json!({ "level_id": GROUND, "start": "Column 1", "end": "Column 2", "section": "L80x80x8" });
    let brace = desk.call("create_member", brace);
    assert_eq!(
        (brace["elements"][0]["start"][2].clone(), brace["elements"][0]["end"][2].clone()),
        (json!(0.0), json!(3000.0))
    );
    desk.call(
        "create_footing",
        json!({ "level_id": GROUND, "under": ["Column 1", "Column 2"], "width": 1200 }),
    );
    let moved = desk.call("move_elements", json!({ "element_ids": ["Column 2"], "by": [2000, 0] }));
    assert_eq!(moved["regenerated"].as_array().unwrap().len(), 3);
    assert_eq!(desk.found("IfcBeam, Pset_BeamCommon.Span=8"), 1);
    let pad = desk.model.of_class("IfcFooting").last().copied().unwrap();
    assert!((ifc::placement::of_product(&desk.model, pad).translation.x - 8.0).abs() < 1e-9);
    // both at once: everything between them moves as it is
    desk.call("move_elements", json!({ "element_ids": ["Column 1", "Column 2"], "by": [0, 1000] }));
    assert_eq!(desk.found("IfcBeam, Pset_BeamCommon.Span=8"), 1);
    desk.clean();
    desk.call("delete_elements", json!({ "element_ids": ["Column 2"] }));
    assert_eq!(desk.count("IfcRelConnectsElements"), 4);
    desk.clean();
}

#[test]
fn a_member_is_drawn_anew_when_its_parameters_change() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        let column = json!({ "level_id": GROUND, "at": [0, 0], "section": "HEB200", "height": 3000 });
        let column = text(&desk.call("create_column", column)["elements"][0]["id"]);
        let beam = json!({ "level_id": GROUND, "start": [0, 0, 3000], "end": [5000, 0, 3000], "section": "IPE300",
                           "end_cuts": ["square", 30] });
        let beam = text(&desk.call("create_beam", beam)["elements"][0]["id"]);
        let set = |desk: &mut Desk, id: &str, name: &str, value: Value| {
            desk.call("modify_parameter", json!({ "element_id": id, "parameter_name": name, "value": value }))
        };
        assert_eq!(set(&mut desk, &column, "height", json!(3500))["after"], 3500.0);
        let section = set(&mut desk, &column, "section", json!("HEM300"));
        assert_eq!((section["before"].clone(), section["after"].clone()), (json!("HEB200"), json!("HEM300")));
        assert_eq!(set(&mut desk, &column, "rotation", json!(30))["after"], 30.0);
        assert_eq!(
            set(&mut desk, &column, "location", json!([1000, 2000]))["after"],
            json!([1000.0, 2000.0, 0.0])
        );
        let (volume, bounds) = body(&desk, &column);
        assert!(near(volume, 0.0303 * 3.5, 0.01) && bounds.max.x < 1.3, "{volume} {bounds:?}");
        assert_eq!(desk.found("IfcColumn, Qto_ColumnBaseQuantities.Length=3.5"), 1);
        assert_eq!(set(&mut desk, &beam, "length", json!(6000))["after"], 6000.0);
        assert_eq!(set(&mut desk, &beam, "end", json!([0, 4000]))["after"], json!([0.0, 4000.0, 3000.0]));
        set(&mut desk, &beam, "section", json!([200, 400]));
        set(&mut desk, &beam, "start", json!([0, -1000, 2500]));
        let (volume, _) = body(&desk, &beam);
        let id = desk.model.by_guid(&beam).unwrap();
        let told = building::quantities::read(&desk.model, id, "Qto_BeamBaseQuantities")["NetVolume"].value;
        assert!(near(told, volume, 0.005), "{told} {volume}");
        desk.clean();
        let fault = desk.refuse(
            "modify_parameter",
            json!({ "element_id": column, "parameter_name": "section", "value": "HEB 205" }),
        );
        assert_eq!(fault.data["near_matches"][0], "HEB200");
    }
}

#[test]
fn a_strip_lies_below_its_wall_and_kinds_are_those_of_the_schema() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        desk.call("create_wall", json!({ "start": [0, 0], "end": [6000, 0], "level_id": GROUND }));
        let strip =
            desk.call("create_footing", json!({ "level_id": GROUND, "under": ["Wall 1"], "width": 600 }));
        let strip = &strip["elements"][0];
        assert_eq!(strip["predefined_type"], "STRIP_FOOTING");
        let (volume, bounds) = body(&desk, &text(&strip["id"]));
        assert!(near(volume, 6.4 * 0.6 * 0.4, 1e-6) && near(volume_told(strip), volume, 1e-6), "{volume}");
        assert!((bounds.min.x + 0.2).abs() < 1e-6 && bounds.max.z.abs() < 1e-6, "{bounds:?}");
        let cap = json!({ "level_id": GROUND, "at": [20000, 0], "width": 2000, "predefined_type": "pile_cap", "top": -500 });
        assert_eq!(desk.call("create_footing", cap)["elements"][0]["top"], json!([20000.0, 0.0, -500.0]));
        let caisson =
            json!({ "level_id": GROUND, "at": [30000, 0], "width": 2000, "predefined_type": "caisson" });
        let pile = json!({ "level_id": GROUND, "at": [30000, 9000], "diameter": 900, "length": 9000, "predefined_type": "bored" });
        if schema == "IFC2X3" {
            let fault = desk.refuse("create_footing", caisson);
            assert!(fault.message.contains("PAD_FOOTING"), "{fault}");
            assert!(desk.refuse("create_pile", pile).message.contains("SUPPORT"));
        } else {
            desk.call("create_footing", caisson);
            assert_eq!(desk.call("create_pile", pile)["elements"][0]["predefined_type"], "BORED");
        }
        let narrow = json!({ "level_id": GROUND, "under": ["Wall 1"], "width": 100 });
        assert_eq!(desk.refuse("create_footing", narrow).data["least"], 200.0);
        desk.clean();
        desk.keep(&format!("footings-{schema}"));
    }
}

#[test]
fn what_makes_no_frame_is_refused_with_what_would_fit() {
    let mut desk = Desk::new("IFC4");
    let column = |extra: Value| {
        let mut all = json!({ "level_id": GROUND, "at": [0, 0], "section": "HEB200" });
        for (key, value) in extra.as_object().unwrap() {
            all[key] = value.clone();
        }
        all
    };
    let no_grid = desk.refuse("create_column", column(json!({ "at": "B/3" })));
    assert!(no_grid.message.contains("create_grid"), "{no_grid}");
    grid(&mut desk);
    let cases = [
        ("create_column", column(json!({ "section": "HEB 195" })), "section"),
        ("create_column", column(json!({ "diameter": 300 })), "section"),
        ("create_column", column(json!({ "section": null })), "section"),
        ("create_column", column(json!({ "height": -3 })), "height"),
        ("create_column", column(json!({ "height": 3000, "top": 3000 })), "top"),
        ("create_column", column(json!({ "top": -10 })), "top"),
        ("create_column", column(json!({ "at": "E/3" })), "at"),
        ("create_column", column(json!({ "at": "A/B" })), "at"),
        ("create_column", column(json!({ "at": [[0, 0], [0, 0]] })), "at"),
        ("create_column", column(json!({ "at": [["A/1"], 5] })), "at[0]"),
        ("create_column", column(json!({ "cardinal_point": 11 })), "cardinal_point"),
        ("create_column", column(json!({ "rotation": 1e300 })), "rotation"),
        (
            "create_column",
            column(json!({ "section": null, "profile": [[0, 0], [9, 9], [9, 0], [0, 9]] })),
            "profile",
        ),
        ("create_beam", json!({ "level_id": GROUND, "start": "A/1", "section": "IPE300" }), "start"),
        (
            "create_beam",
            json!({ "level_id": GROUND, "start": "A/1", "end": "A/1", "section": "IPE300" }),
            "end",
        ),
        (
            "create_beam",
            json!({ "level_id": GROUND, "start": "A/1", "end": "Column 7", "section": "IPE300" }),
            "end",
        ),
        ("create_beam", json!({ "level_id": GROUND, "along": "Q", "section": "IPE300" }), "along"),
        ("create_grid", json!({ "x": { "spacing": 6000 }, "y": { "positions": [0] } }), "x"),
        (
            "create_grid",
            json!({ "x": { "spacing": 6000, "count": 100000 }, "y": { "positions": [0] } }),
            "x.count",
        ),
        ("create_grid", json!({ "x": { "positions": [0, 0] }, "y": { "positions": [0] } }), "x.positions"),
        (
            "create_grid",
            json!({ "x": { "positions": [0], "names": ["A"] }, "y": { "positions": [0] } }),
            "y.names[0]",
        ),
        ("create_footing", json!({ "level_id": GROUND, "width": 1000 }), "under"),
        ("create_footing", json!({ "level_id": GROUND, "at": [0, 0], "width": -1000 }), "width"),
        (
            "create_footing",
            json!({ "level_id": GROUND, "at": [0, 0], "width": 1000, "predefined_type": "raft" }),
            "predefined_type",
        ),
        ("create_pile", json!({ "level_id": GROUND, "at": [0, 0], "diameter": 600, "length": 0 }), "length"),
        (
            "modify_parameter",
            json!({ "element_id": "Grid 1", "parameter_name": "axis", "value": 3 }),
            "parameter_name",
        ),
    ];
    for (tool, arguments, field) in cases {
        let before = desk.model.len();
        let fault = desk.refuse(tool, arguments.clone());
        assert_eq!(fault.data["field"], field, "{tool} {arguments}: {fault}");
        assert_eq!(desk.model.len(), before);
    }
    let fault = desk.refuse("create_column", column(json!({ "at": "D/3" })));
    assert_eq!(fault.data["allowed"], json!(["1", "2", "3", "4", "A", "B", "C"]));
}

#[test]
fn crossings_are_read_however_they_are_written() {
    let mut desk = Desk::new("IFC4");
    desk.call("create_level", json!({ "name": "First Floor", "elevation": 3000 }));
    desk.call(
        "create_grid",
        json!({ "x": { "spacing": 6000, "count": 4 }, "y": { "spacing": [5000, 5000] }, "origin": [1000, 0],
                "rotation": 90, "level_ids": [GROUND, "First Floor"], "name": "Main" }),
    );
    for (at, count, first) in [
        (json!("b/3"), 1, [-4000.0, 12000.0]),
        (json!("3/B"), 1, [-4000.0, 12000.0]),
        (json!("B3"), 1, [-4000.0, 12000.0]),
        (json!("A-C/1-2"), 6, [1000.0, 0.0]),
        (json!("A,C/2"), 2, [1000.0, 6000.0]),
        (json!("C/all"), 4, [-9000.0, 0.0]),
        (json!(["A/1", [500, 500], "B/1-2"]), 4, [1000.0, 0.0]),
    ] {
        let answer = desk.call(
            "create_column",
            json!({ "level_id": "First Floor", "at": at, "diameter": 300, "height": 2000 }),
        );
        assert_eq!(answer["count"], count, "{at}");
        let start = answer["elements"][0]["start"].as_array().unwrap();
        for (found, wanted) in start.iter().zip(first) {
            assert!((found.as_f64().unwrap() - wanted).abs() < 1e-6, "{at}: {start:?}");
        }
    }
    // the line of both storeys moves, with what stands on either
    let main = desk.model.of_class("IfcGrid").first().copied().unwrap();
    let main = desk.model.get(main).unwrap().guid().unwrap();
    let moved =
        desk.call("modify_parameter", json!({ "element_id": main, "parameter_name": "C", "value": 12000 }));
    assert!(moved["regenerated"].as_array().unwrap().len() > 1 + 2 + 4, "{moved}");
    desk.clean();
}

#[test]
fn where_two_grids_know_a_crossing_the_one_is_taken_that_is_named() {
    let mut desk = Desk::new("IFC4");
    for (name, origin) in [("Main", [0, 0]), ("Annex", [50_000, 0])] {
        desk.call(
            "create_grid",
            json!({ "x": { "spacing": 6000, "count": 3 }, "y": { "spacing": 5000, "count": 2 }, "origin": origin,
                    "level_ids": [GROUND], "name": name }),
        );
    }
    for (tool, arguments) in [
        ("create_column", json!({ "at": "B/2", "diameter": 300, "height": 2000 })),
        ("create_footing", json!({ "at": "B/2", "width": 1500, "thickness": 500 })),
        ("create_pile", json!({ "at": "B/2", "diameter": 600, "length": 12_000, "top": -500 })),
        ("create_beam", json!({ "start": "A/1", "end": "B/1", "section": "IPE300", "elevation": 3000 })),
        ("create_member", json!({ "start": "A/2", "end": "B/2", "section": "SHS100x100x5" })),
    ] {
        let mut arguments = arguments;
        arguments["level_id"] = json!(GROUND);
        let fault = desk.refuse(tool, arguments.clone());
        assert_eq!(fault.data["field"], "grid", "{tool}: {fault}");
        for (grid, from) in [("Main", 0.0), ("Annex", 50_000.0)] {
            arguments["grid"] = json!(grid);
            let answer = desk.call(tool, arguments.clone());
            let made = &answer["elements"][0];
            let place = made.get("start").or(made.get("top")).unwrap_or_else(|| panic!("{tool}: {answer}"));
            let x = place[0].as_f64().unwrap();
            assert!((from..from + 13_000.0).contains(&x), "{tool} on {grid}: {answer}");
        }
    }
    desk.clean();
}
