//! Types, materials, groups, codes, documents, colours and names as agents give them, in all three schemas.

use crate::desk::{Desk, SCHEMAS, text};
use serde_json::{Value, json};

fn house(schema: &str) -> Desk {
    let mut desk = Desk::new(schema);
    desk.call(
        "create_building_shell",
        json!({ "footprint": [[0, 0], [8000, 0], [8000, 6000], [0, 6000]], "storeys": 1, "spaces": true,
                "wall_thickness": 300, "names": { "walls": "Wall {n}" } }),
    );
    for (along, kind) in [(2000, "window"), (5000, "door")] {
        desk.call(
            "create_opening",
            json!({ "host_id": "Wall 1", "location": { "along": along }, "width": 1000, "height": 2000,
                    "opening_type": kind }),
        );
    }
    desk
}

fn volume(desk: &Desk, name: &str) -> f64 {
    let id = building::lookup::product(&desk.model, "element", name).unwrap();
    geometry::measure(&desk.model, id).unwrap().volume
}

/// The type of an element, by name.
fn type_of(desk: &Desk, name: &str) -> String {
    let id = building::lookup::product(&desk.model, "element", name).unwrap();
    let of_type = ifc::relations::type_of(&desk.model, id).unwrap();
    building::lookup::label(&desk.model, of_type)
}

/// The quantity of an element.
fn quantity(desk: &Desk, name: &str, quantity: &str) -> f64 {
    let id = building::lookup::product(&desk.model, "element", name).unwrap();
    building::quantities::read(&desk.model, id, "Qto_WallBaseQuantities")[quantity].value
}

#[test]
fn a_thicker_type_makes_all_its_walls_thicker_with_corners_openings_and_doors() {
    for schema in SCHEMAS {
        let mut desk = house(schema);
        let of_type = type_of(&desk, "Wall 1");
        let types = desk.count("IfcWallType");
        let answer = desk.call(
            "modify_parameter",
            json!({ "element_id": of_type, "parameter_name": "thickness", "value": 400 }),
        );
        assert_eq!((&answer["before"], &answer["after"]), (&json!(300.0), &json!(400.0)));
        // the four walls, and the roof that they carry
        assert!(answer["regenerated"].as_array().unwrap().len() >= 4, "{answer}");
        assert_eq!(
            (type_of(&desk, "Wall 3"), desk.count("IfcWallType")),
            ("Exterior wall 400 mm".into(), types)
        );
        assert_eq!(desk.count("IfcMaterialLayerSet"), desk.found("IfcMaterialLayerSet, LayerSetName=/.*/"));
        for n in 1..=4 {
            let name = format!("Wall {n}");
            assert!((quantity(&desk, &name, "Width") - 0.4).abs() < 1e-9);
            assert!((quantity(&desk, &name, "NetVolume") - volume(&desk, &name)).abs() < 1e-6, "{name}");
        }
        let opening = desk.model.of_class("IfcOpeningElement")[0];
        let bounds = geometry::bounds(&desk.model, opening).unwrap();
        assert!((bounds.max.y - bounds.min.y - 400.0).abs() < 0.1);
        desk.clean();
        desk.keep(&format!("type-{schema}"));
    }
}

#[test]
fn layers_of_one_wall_give_it_a_type_of_its_own_and_of_a_type_reach_all() {
    for schema in SCHEMAS {
        let mut desk = house(schema);
        let layers = json!([{ "material": "Render", "thickness": 20 }, { "material": "Wool", "thickness": 140 },
                            { "material": "Brick", "thickness": 240 }]);
        let answer = desk.call("assign_material", json!({ "element_ids": ["Wall 2"], "layers": layers }));
        assert_eq!(answer["elements"][0]["materials"][1], json!({ "material": "Wool", "thickness": 140.0 }));
        assert_eq!(type_of(&desk, "Wall 2"), "Exterior wall 400 mm, Render + Wool + Brick");
        assert_eq!(type_of(&desk, "Wall 1"), "Exterior wall 300 mm");
        assert!((quantity(&desk, "Wall 2", "Width") - 0.4).abs() < 1e-9);
        // its neighbours' ends follow
        for n in 1..=4 {
            let name = format!("Wall {n}");
            assert!((quantity(&desk, &name, "NetVolume") - volume(&desk, &name)).abs() < 1e-6, "{name}");
        }
        desk.clean();
        let all = json!({ "element_ids": ["Exterior wall 300 mm"], "layers": layers });
        desk.call("assign_material", all);
        assert!((quantity(&desk, "Wall 1", "Width") - 0.4).abs() < 1e-9);
        let fault = desk.refuse("assign_material", json!({ "element_ids": ["Wall 1"], "material": "Clay" }));
        assert!(fault.message.contains("3 layers"), "{fault}");
        desk.clean();
        let slab = json!({ "element_ids": ["IfcSlab"], "layers": [{ "material": "Screed", "thickness": 60 },
                                                                  { "material": "Concrete", "thickness": 180 }] });
        desk.call("assign_material", slab);
        assert_eq!(desk.found("IfcSlab, Qto_SlabBaseQuantities.Width=0.24"), desk.count("IfcSlab"));
        desk.clean();
    }
}

#[test]
fn one_material_with_a_colour_for_walls_doors_and_types() {
    for schema in SCHEMAS {
        let mut desk = house(schema);
        let brick = json!({ "element_ids": ["Wall 1", "Wall 2"], "material": "Brick", "color": "#AA4A3C" });
        let answer = desk.call("assign_material", brick);
        assert_eq!(answer["elements"][1]["type"], "Exterior wall 300 mm, Brick");
        assert_eq!(answer["elements"][0]["materials"], json!([{ "material": "Brick", "thickness": 300.0 }]));
        assert!((quantity(&desk, "Wall 1", "NetVolume") - volume(&desk, "Wall 1")).abs() < 1e-6);
        let answer = desk.call("assign_material", json!({ "element_ids": ["doors"], "material": "Oak" }));
        assert_eq!(answer["elements"][0]["materials"], json!([{ "material": "Oak" }]));
        let styles = geometry::style::Styles::from_model(&desk.model);
        let wall = building::lookup::product(&desk.model, "wall", "Wall 1").unwrap();
        assert_eq!(styles.of_materials(&desk.model, wall), Some([170, 74, 60, 255]));
        desk.clean();
    }
}

#[test]
fn an_assigned_type_brings_thickness_to_walls_and_size_to_doors() {
    for schema in SCHEMAS {
        let mut desk = house(schema);
        let new = json!({ "name": "Outer wall", "changes": { "thickness": 365, "Pset_WallCommon.FireRating": "REI 90" } });
        let answer = desk.call("assign_type", json!({ "element_ids": ["Wall 1"], "new_type": new }));
        assert_eq!(answer["type_name"], "Outer wall");
        assert!((quantity(&desk, "Wall 1", "Width") - 0.365).abs() < 1e-9);
        assert!((quantity(&desk, "Wall 1", "NetVolume") - volume(&desk, "Wall 1")).abs() < 1e-6);
        assert_eq!(desk.found("IfcWall, Pset_WallCommon.FireRating=\"REI 90\""), 1);
        desk.clean();
        desk.call("assign_type", json!({ "element_ids": ["Wall 3"], "type_id": "Outer wall" }));
        assert!((quantity(&desk, "Wall 3", "Width") - 0.365).abs() < 1e-9);
        desk.call("assign_type", json!({ "element_ids": ["Wall 3"], "type_id": "Exterior wall 300 mm" }));
        assert!((quantity(&desk, "Wall 3", "Width") - 0.3).abs() < 1e-9);
        desk.call(
            "create_opening",
            json!({ "host_id": "Wall 3", "location": { "at": "center" }, "width": 800, "height": 2100,
                    "opening_type": "door" }),
        );
        let size = type_of(&desk, "Door 1");
        desk.call("assign_type", json!({ "element_ids": ["Door 2"], "type_id": size }));
        let id = building::lookup::product(&desk.model, "door", "Door 2").unwrap();
        assert_eq!(desk.model.get(id).unwrap().number("OverallWidth"), Some(1.0));
        let opening = ifc::relations::opening_of_filling(&desk.model, id).unwrap();
        let bounds = geometry::bounds(&desk.model, opening).unwrap();
        assert!((bounds.max.x - bounds.min.x - 1000.0).abs() < 0.1);
        let fault = desk.refuse("assign_type", json!({ "element_ids": ["Door 2"], "type_id": "Outer wall" }));
        assert_eq!(fault.data["field"], "type_id");
        desk.clean();
    }
}

#[test]
fn groups_zones_and_systems_take_members_in_and_let_them_go() {
    for schema in SCHEMAS {
        let mut desk = house(schema);
        let room = json!({ "name": "Heated", "kind": "zone", "add": ["IfcSpace"] });
        assert_eq!(desk.call("create_group", room)["class"], "IfcZone");
        let sides = desk.call("create_group", json!({ "name": "Sides", "add": ["Wall 1", "Wall 3"] }));
        assert_eq!((&sides["class"], &sides["count"]), (&json!("IfcGroup"), &json!(2)));
        let answer =
            desk.call("create_group", json!({ "name": "Sides", "add": ["Wall 2"], "remove": ["Wall 1"] }));
        assert_eq!(
            (&answer["members"], &answer["group_id"]),
            (&json!(["Wall 3", "Wall 2"]), &sides["group_id"])
        );
        let system =
            json!({ "name": "Air", "kind": "system", "add": ["Window 1"], "predefined_type": "ventilation" });
        if schema == "IFC2X3" {
            let fault = desk.refuse("create_group", system);
            assert!(fault.message.contains("IfcDistributionSystem"), "{fault}");
            desk.call("create_group", json!({ "name": "Air", "kind": "system", "add": ["Window 1"] }));
            assert_eq!(desk.count("IfcSystem"), 1);
        } else {
            assert_eq!(desk.call("create_group", system)["class"], "IfcDistributionSystem");
        }
        desk.clean();
        let fault =
            desk.refuse("create_group", json!({ "name": "Heated", "kind": "zone", "add": ["Wall 1"] }));
        assert_eq!(fault.data["field"], "add[0]");
        let fault = desk.refuse("create_group", json!({ "name": "Sides", "add": ["Sides"] }));
        assert_eq!(fault.data["field"], "add[0]");
        let answer = desk.call("create_group", json!({ "name": "Sides", "remove": ["Wall 2", "Wall 3"] }));
        assert!(answer["group_id"].is_null());
        assert_eq!(desk.found("IfcGroup, Name=Sides"), 0);
        desk.clean();
    }
}

#[test]
fn a_code_replaces_the_one_of_the_same_system_and_can_be_taken_away() {
    for schema in SCHEMAS {
        let mut desk = house(schema);
        let code = |ids: Value, system: &str, code: &str| json!({ "element_ids": ids, "system": system, "code": code, "title": format!("Title of {code}") });
        desk.call(
            "classify_elements",
            code(json!(["walls", "Exterior wall 300 mm"]), "Uniclass 2015", "EF_25_10"),
        );
        desk.call("classify_elements", code(json!(["Wall 1"]), "Uniclass 2015", "EF_25_30"));
        desk.call("classify_elements", code(json!(["Wall 1"]), "DIN 276", "330"));
        let id = building::lookup::product(&desk.model, "wall", "Wall 1").unwrap();
        let links = ifc::relations::Links::of_one(&desk.model);
        let attribute = if schema == "IFC2X3" { "ItemReference" } else { "Identification" };
        let mut codes: Vec<String> = links
            .classifications_of(id)
            .into_iter()
            .filter_map(|reference| desk.model.get(reference)?.text(attribute))
            .collect();
        codes.sort();
        assert_eq!(codes, ["330", "EF_25_30"]);
        assert_eq!((desk.count("IfcClassification"), desk.count("IfcClassificationReference")), (2, 3));
        desk.clean();
        desk.call("classify_elements", json!({ "element_ids": ["Wall 1"], "system": "DIN 276" }));
        assert_eq!(ifc::relations::Links::of_one(&desk.model).classifications_of(id).len(), 1);
        let fault =
            desk.refuse("classify_elements", json!({ "element_ids": ["Wall 1"], "system": "OmniClass" }));
        assert_eq!(fault.data["field"], "system");
        desk.clean();
    }
}

#[test]
fn a_document_is_shared_and_hostile_addresses_are_refused() {
    for schema in SCHEMAS {
        let mut desk = house(schema);
        let manual = |ids: Value, remove: bool| json!({ "element_ids": ids, "name": "Manual", "location": "https://example.org/m.pdf", "remove": remove });
        desk.call("attach_document", manual(json!(["Door 1"]), false));
        desk.call("attach_document", manual(json!(["Window 1", "Wall 1"]), false));
        assert_eq!((desk.count("IfcDocumentReference"), desk.count("IfcRelAssociatesDocument")), (1, 1));
        desk.clean();
        desk.call("attach_document", manual(json!(["Door 1"]), true));
        let fault = desk.refuse("attach_document", manual(json!(["Door 1"]), true));
        assert_eq!(fault.data["field"], "name");
        desk.call("attach_document", manual(json!(["Window 1", "Wall 1"]), true));
        assert_eq!(desk.count("IfcDocumentReference"), 0);
        for location in ["/etc/passwd", "../../secret", "file:///etc/passwd", "javascript:alert(1)", ""] {
            let bad = json!({ "element_ids": ["Door 1"], "name": "x", "location": location });
            assert_eq!(desk.refuse("attach_document", bad).data["field"], "location", "{location}");
        }
        desk.clean();
    }
}

#[test]
fn one_element_is_coloured_and_its_copies_are_not() {
    for schema in SCHEMAS {
        let mut desk = house(schema);
        desk.call("copy_elements", json!({ "element_ids": ["Wall 1"], "by": [0, -20000] }));
        let before = desk.count("IfcSurfaceStyle");
        desk.call("set_style", json!({ "element_ids": ["Wall 1"], "color": "#102030", "transparency": 0.5 }));
        desk.call("set_style", json!({ "element_ids": ["Wall 2", "IfcRoof"], "color": "#102030" }));
        let styles = geometry::style::Styles::from_model(&desk.model);
        let colour = |name: &str| {
            let id = building::lookup::product(&desk.model, "wall", name).unwrap();
            let body = building::solids::representation(&desk.model, id, "Body").unwrap();
            styles.of_item(body.references("Items")[0])
        };
        assert_eq!(colour("Wall 1"), Some([16, 32, 48, 128]));
        assert_eq!(colour("Wall 2"), Some([16, 32, 48, 255]));
        assert_eq!(colour("Wall 5"), None);
        assert_eq!(desk.count("IfcSurfaceStyle"), before + 2);
        desk.clean();
        desk.call("set_style", json!({ "materials": ["Masonry"], "color": "#ffffff" }));
        desk.call("set_style", json!({ "materials": ["Masonry"], "color": "#fffffe" }));
        assert_eq!(desk.count("IfcMaterialDefinitionRepresentation"), 1);
        desk.clean();
        for (bad, field) in [
            (json!({ "element_ids": ["Wall 1"], "color": "red" }), "color"),
            (json!({ "element_ids": ["Wall 1"], "color": "#ffffff", "transparency": 2 }), "transparency"),
            (json!({ "materials": ["Mansonry"], "color": "#ffffff" }), "materials[0]"),
            (json!({ "color": "#ffffff" }), "element_ids"),
            (json!({ "element_ids": ["Ground Floor"], "color": "#ffffff" }), "element_ids"),
        ] {
            assert_eq!(desk.refuse("set_style", bad.clone()).data["field"], field, "{bad}");
        }
    }
}

#[test]
fn names_follow_a_pattern_with_numbers_storeys_types_and_rooms() {
    for schema in SCHEMAS {
        let mut desk = house(schema);
        let answer = desk.call(
            "rename_elements",
            json!({ "element_ids": ["walls"], "pattern": "W-{n:03} ({type})", "start": 10, "step": 10 }),
        );
        assert_eq!(answer["renamed"][1]["after"], "W-020 (Exterior wall 300 mm)");
        desk.call("rename_elements", json!({ "element_ids": ["IfcSpace"], "pattern": "R{n}" }));
        desk.call(
            "create_wall",
            json!({ "start": [2000, 2000], "end": [3000, 2000], "level_id": "Ground Floor", "name": "Patch" }),
        );
        let answer =
            desk.call("rename_elements", json!({ "element_ids": ["Patch"], "pattern": "{class} in {room}" }));
        assert_eq!(answer["renamed"][0]["after"], "Wall in R1");
        for (pattern, field) in [
            ("Same", "pattern"),
            ("{nn}", "pattern"),
            ("{room}", "pattern"),
            ("", "pattern"),
            ("a\u{0}b{n}", "pattern"),
            ("{n:0000000000000000000000000000}", "pattern"),
        ] {
            let bad = json!({ "element_ids": ["walls"], "pattern": pattern });
            assert_eq!(desk.refuse("rename_elements", bad).data["field"], field, "{pattern}");
        }
        let long = json!({ "element_ids": ["walls"], "pattern": format!("{}{{n}}", "x".repeat(300)) });
        assert_eq!(desk.refuse("rename_elements", long).data["field"], "pattern");
        let far = json!({ "element_ids": ["walls"], "pattern": "{n}", "start": i64::MAX });
        assert_eq!(desk.refuse("rename_elements", far).data["field"], "start");
        let hostile = "../../etc/passwd'); DROP TABLE {n}";
        desk.call("rename_elements", json!({ "element_ids": ["walls"], "pattern": hostile }));
        desk.clean();
        desk.keep(&format!("named-{schema}"));
    }
}

#[test]
fn numbering_begins_anew_for_each_storey() {
    let mut desk = Desk::new("IFC4");
    desk.call(
        "create_building_shell",
        json!({ "footprint": [[0, 0], [8000, 0], [8000, 6000], [0, 6000]],
                "storeys": [{ "name": "A" }, { "name": "B" }] }),
    );
    let answer = desk.call(
        "rename_elements",
        json!({ "element_ids": ["walls"], "pattern": "{storey}{n}", "per": "storey" }),
    );
    let mut names: Vec<String> =
        answer["renamed"].as_array().unwrap().iter().map(|r| text(&r["after"])).collect();
    names.sort();
    assert_eq!(names[..4], ["B1", "B2", "B3", "B4"]);
    assert_eq!(names[7], "Ground Floor4");
}

#[test]
fn an_address_is_written_in_its_own_fields() {
    for schema in SCHEMAS {
        let mut desk = Desk::new(schema);
        desk.call(
            "create_project",
            json!({ "name": "P", "schema": schema, "address": {
                "lines": ["Hills Road 5", "2nd floor"], "town": "Cambridge", "region": "Cambridgeshire",
                "postal_code": "CB2 1AB", "country": "United Kingdom" } }),
        );
        if schema == "IFC4X3" {
            for class in ["IfcSite", "IfcBuilding"] {
                assert_eq!(desk.found(&format!("{class}, Pset_Address.PostalCode=\"CB2 1AB\"")), 1);
            }
            desk.clean();
            continue;
        }
        for (class, attribute) in [("IfcSite", "SiteAddress"), ("IfcBuilding", "BuildingAddress")] {
            let owner = desk.model.get(desk.model.of_class(class)[0]).unwrap();
            let address = desk.model.get(owner.reference(attribute).unwrap()).unwrap();
            assert_eq!(address.text("PostalCode").as_deref(), Some("CB2 1AB"));
            assert_eq!(address.attr("AddressLines").as_list().map(<[_]>::len), Some(2));
        }
        desk.clean();
        desk.call("create_project", json!({ "name": "P", "schema": schema, "address": {} }));
        assert_eq!(desk.count("IfcPostalAddress"), 0);
        desk.call("create_project", json!({ "name": "P", "schema": schema, "address": "Lane 5, Cambridge" }));
        let address = desk.model.get(desk.model.of_class("IfcPostalAddress")[0]).unwrap();
        assert_eq!(address.attr("AddressLines").as_list().map(<[_]>::len), Some(2));
        desk.clean();
    }
}

#[test]
fn other_programs_types_keep_their_thickness_and_take_materials_names_and_codes() {
    for file in ["AC20-FZK-Haus.ifc", "Duplex_A_20110907.ifc"] {
        let Some(mut desk) = Desk::open(file) else { return };
        let links = ifc::relations::Links::of_one(&desk.model);
        let wall = desk.model.of_class("IfcWall").into_iter().find(|id| {
            let material = links.material_of(*id).and_then(|set| desk.model.get(set));
            links.type_of(*id).is_some() && material.is_some_and(|set| set.is_a("IfcMaterialLayerSet"))
        });
        let Some(wall) = wall else { continue };
        let guid = building::lookup::guid(&desk.model, wall);
        let thicker = json!({ "element_ids": [guid], "layers": [{ "material": "Straw", "thickness": 987 }] });
        let fault = desk.refuse("assign_material", thicker);
        assert!(!fault.message.is_empty());
        desk.call("set_style", json!({ "element_ids": [guid], "color": "#123456" }));
        desk.call("classify_elements", json!({ "element_ids": [guid], "system": "X", "code": "1" }));
        desk.call("create_group", json!({ "name": "G", "add": ["walls"] }));
        desk.call("rename_elements", json!({ "element_ids": ["doors"], "pattern": "D{n:03}" }));
        desk.keep(&format!("library-{}", file.split('.').next().unwrap_or_default()));
    }
}
