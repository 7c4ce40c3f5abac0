//! The tools on EnergyPlus models, each as an agent calls it.

use crate::tests::{opened, run_tool, text_of};
use contract::{Fault, OpenedModel};
use serde_json::{Value, json};

const HOUSE: &str = "Version,25.2;\nBuilding,House;\nGlobalGeometryRules,UpperLeftCorner,Counterclockwise,World;\n\
    Zone,Z;\nZoneList,L,Z;\nMaterial:NoMass,M,Rough,1;\nConstruction,C,M;\n\
    BuildingSurface:Detailed,W,Wall,C,Z,,Outdoors,,SunExposed,WindExposed,,4,0,0,3,0,0,0,2,0,0,2,0,3;\n\
    FenestrationSurface:Detailed,Win,Window,C,W,,,,,4,0.5,0,2,0.5,0,1,1.5,0,1,1.5,0,2;\n\
    Output:Variable,*,Zone Air Temperature,Hourly; ! keep\n";

/// Calls a tool; its answer, and the model after it.
fn call(name: &str, arguments: Value, model: &OpenedModel) -> Result<(Value, OpenedModel), Fault> {
    let outcome = run_tool(name, arguments, model)?;
    let weight = outcome.result.to_string().len();
    assert!(weight <= 20_000, "{name} answers {weight} bytes");
    let after = outcome.changes.into_iter().next().map_or_else(|| model.clone(), |change| change.2);
    Ok((outcome.result, after))
}

fn answer(name: &str, arguments: Value) -> Value {
    call(name, arguments, &opened(HOUSE)).unwrap().0
}

fn refusal(name: &str, arguments: Value) -> String {
    call(name, arguments, &opened(HOUSE)).map(|done| done.0).unwrap_err().message
}

#[test]
fn the_schema_is_described_and_searched() {
    let zone = answer("describe_object_type", json!({"object_type": "zone"}));
    assert_eq!(zone["fields"][0]["field"], "name");
    assert_eq!(zone["fields"][6]["range"], "from 1");
    let surface = answer("describe_object_type", json!({"object_type": "BuildingSurface:Detailed"}));
    assert_eq!(surface["extensible"]["field"], "vertices");
    // types with hundreds of fields stay within an answer's bounds
    for long in
        ["Refrigeration:System", "Chiller:Electric:EIR", "ZoneHVAC:EquipmentList", "Schedule:Day:Hourly"]
    {
        answer("describe_object_type", json!({"object_type": long}));
    }
    assert!(refusal("describe_object_type", json!({"object_type": "Zon"})).contains("Did you mean Zone"));
    let older = answer("describe_object_type", json!({"object_type": "Wall:Exterior", "version": "9.5"}));
    assert_eq!((&older["version"], &older["fields"][3]["field"]), (&json!("9.5.0"), &json!("azimuth_angle")));
    assert!(
        refusal("describe_object_type", json!({"object_type": "Zone", "version": "7.2"})).contains("25.2")
    );
    assert!(answer("search_docs", json!({"query": "zone", "version": "9.6"}))["version"] == "9.6");
    assert!(refusal("search_docs", json!({"query": "zone", "version": "7.2"})).contains("9.6"));
    let found = answer("search_schema", json!({"query": "infiltration"}));
    assert!(found["types"][0]["object_type"].as_str().unwrap().contains("Infiltration"), "{found}");
}

#[test]
fn objects_are_listed_found_and_referred_to() {
    let list = answer("list_objects", json!({"object_type": "output:variable", "include_all_fields": true}));
    assert_eq!(
        (&list["total"], &list["objects"][0]["name"]),
        (&json!(1), &json!("Zone Air Temperature, Hourly"))
    );
    assert_eq!(list["objects"][0]["fields"]["variable_name"], "Zone Air Temperature");
    assert_eq!(answer("list_objects", json!({"object_type": "Space"}))["total"], 0);
    assert!(refusal("list_objects", json!({"object_type": "Spac"})).contains("Space"));
    let found = answer("search_objects", json!({"query": "air temp"}));
    assert_eq!(found["objects"][0]["field"], "Variable Name");
    let names = answer(
        "get_available_references",
        json!({"object_type": "Construction", "field_name": "Outside Layer"}),
    );
    assert_eq!(names["names"], json!(["M"]));
    assert!(
        refusal("get_available_references", json!({"object_type": "Zone", "field_name": "volume"}))
            .contains("refers to nothing")
    );
}

#[test]
fn a_zone_is_told_with_its_areas_and_what_does_not_hold_together() {
    let zone = answer("get_zone_properties", json!({"zone_name": "z"}));
    let zone = &zone["zones"][0];
    assert_eq!(
        (&zone["areas"]["wall"], &zone["openings"], &zone["surfaces"]),
        (&json!(6.0), &json!(1.0), &json!(1))
    );
    assert_eq!(zone["to_outdoors_m2"], json!({"wall": 5.0, "window": 1.0}), "{zone}");
    let wall = &zone["enclosed_by"][0];
    // 1 m²K/W and the films of a wall that EnergyPlus reports with
    let u_value = 1.0 / (1.0 + 0.119_754_8 + 0.029_938_7);
    assert!((wall["u_value"].as_f64().unwrap() - u_value).abs() < 1e-3, "{zone}");
    assert_eq!((&wall["to"], &wall["layers"]), (&json!("outdoors"), &json!(["M"])), "{zone}");
    assert_eq!(zone["referred_to_by"], json!({"ZoneList": ["L"]}));
    let issues = answer("check_model_integrity", json!({}));
    assert_eq!(issues["counts"]["zone_not_closed"], 1, "{issues}");
    assert_eq!(issues["issues"][0]["severity"], "error");
}

#[test]
fn a_model_is_validated_in_the_shape_of_every_validation() {
    let valid = answer("validate_model", json!({}));
    assert_eq!((&valid["valid"], &valid["group_count"]), (&json!(true), &json!(0)), "{valid}");
    let wrong =
        opened(&HOUSE.replace("ZoneList,L,Z", "ZoneList,L,Q").replace("Zone,Z;", "Zone,Z,0,0,0,0,1,0;"));
    let said = call("validate_model", json!({}), &wrong).unwrap().0;
    assert_eq!((&said["valid"], &said["counts"]["error"]), (&json!(false), &json!(2)), "{said}");
    assert_eq!(said["groups"][0]["first"][0]["at"], "5:1");
    let without = call("validate_model", json!({"check_references": false}), &wrong).unwrap().0;
    assert_eq!(without["counts"]["error"], 1);
}

#[test]
fn edits_change_what_they_say_and_leave_the_rest_as_it_stood() {
    let model = opened(HOUSE);
    let (added, model) =
        call("add_object", json!({"object_type": "zone", "name": "Y", "fields": {"multiplier": 2}}), &model)
            .unwrap();
    assert_eq!(added["object"], json!({"object_type": "Zone", "name": "Y", "fields": {"multiplier": 2}}));
    let (batch, model) = call(
        "batch_add_objects",
        json!({"objects": [
            {"object_type": "Material:NoMass", "name": "P", "fields": {"roughness": "smooth", "thermal_resistance": 2}},
            {"object_type": "Construction", "name": "PC", "fields": {"outside_layer": "P"}},
            {"object_type": "Construction", "name": "Lost", "fields": {"outside_layer": "Nowhere"}}
        ]}),
        &model,
    )
    .unwrap();
    assert_eq!((&batch["added"], batch["still_wrong"].as_array().unwrap().len()), (&json!(3), 1), "{batch}");
    let (updated, model) = call(
        "update_object",
        json!({"object_type": "Building", "name": "", "fields": {"north_axis": 30}}),
        &model,
    )
    .unwrap();
    assert_eq!(updated["fields"][0], json!({"field": "North Axis", "before": "", "after": "30"}));
    let (renamed, model) =
        call("rename_object", json!({"object_type": "Zone", "old_name": "Z", "new_name": "Kitchen"}), &model)
            .unwrap();
    assert_eq!(renamed["reference_count"], 2);
    let (_, model) =
        call("duplicate_object", json!({"object_type": "Zone", "name": "Y", "new_name": "X"}), &model)
            .unwrap();
    let (gone, model) = call("remove_objects", json!({"object_type": "ZoneList"}), &model).unwrap();
    assert_eq!(gone, json!({"removed": 1, "left_dangling": 0}));
    let (_, model) = call("remove_object", json!({"object_type": "Zone", "name": "X"}), &model).unwrap();
    let text = text_of(&model);
    assert!(text.contains("Output:Variable,*,Zone Air Temperature,Hourly; ! keep\n"), "{text}");
    assert!(text.contains("Kitchen") && !text.contains("ZoneList") && text.contains("30;"), "{text}");
}

#[test]
fn what_cannot_be_done_is_refused_with_what_can() {
    assert!(refusal("add_object", json!({"object_type": "Zone", "name": "z"})).contains("taken"));
    assert!(
        refusal("update_object", json!({"object_type": "Zone", "name": "ZZ", "fields": {}}))
            .contains("such as Z")
    );
    assert!(
        refusal("remove_object", json!({"object_type": "Construction", "name": "C"}))
            .contains("1 BuildingSurface:Detailed")
    );
    let each = json!({"atomic": false, "objects": [{"object_type": "Zone", "name": "N"}, {"object_type": "Zone", "name": "Z"}]});
    let said = answer("batch_add_objects", each);
    assert_eq!((&said["added"], &said["refused"][0]["index"]), (&json!(1), &json!(1)));
}

#[test]
fn objects_come_as_tables_and_by_the_names_that_people_use_for_fields() {
    let model = opened(HOUSE);
    let table = json!({"tables": [{
        "object_type": "Schedule:Constant", "columns": ["name", "hourly_value"], "rows": [["On", 1], ["Off", 0]]
    }]});
    let (added, model) = call("batch_add_objects", table, &model).unwrap();
    assert_eq!(added["names"], json!(["On", "Off"]), "{added}");
    let short =
        json!({"tables": [{"object_type": "Zone", "columns": ["name", "multiplier"], "rows": [["A"]]}]});
    let fault = call("batch_add_objects", short, &model).map(|_| ()).unwrap_err();
    assert_eq!(fault.data["field"], "tables[0].rows[0]");
    let by_names = json!({"objects": [
        {"object_type": "Construction", "name": "Two", "fields": {"layers": ["M", "M"]}},
        {"object_type": "Lights", "name": "Lamps", "fields": {
            "zone_name": "Z", "schedule_name": "On", "design_level_calculation_method": "LightingLevel", "lighting_level": 60
        }},
        {"object_type": "FenestrationSurface:Detailed", "name": "Win 2", "fields": {
            "surface_type": "Window", "construction_name": "C", "building_surface_name": "W",
            "vertices": [[1.6, 0, 2], [1.6, 0, 1], [1.8, 0, 1], [1.8, 0, 2]]
        }}
    ]});
    let (added, model) = call("batch_add_objects", by_names, &model).unwrap();
    assert!(added["still_wrong"].is_null(), "{added}");
    let card = call("get_zone_properties", json!({"zone_name": "Z"}), &model).unwrap().0;
    let zone = &card["zones"][0];
    assert_eq!(zone["to_outdoors_m2"]["window"], 1.2, "{zone}");
    assert_eq!(zone["loads"][0]["level"], 60.0, "{zone}");
    let listed = json!({"object_type": "Construction", "include_all_fields": true});
    let listed = call("list_objects", listed, &model).unwrap().0;
    let keys: Vec<&String> = listed["objects"][1]["fields"].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["outside_layer", "layer_2"], "{listed}");
    // all that is wrong with an object is told at once
    let wrong = json!({"object_type": "Material", "name": "X", "fields": {"thicknes": 1, "density": "much"}});
    let fault = call("add_object", wrong, &model).map(|_| ()).unwrap_err();
    assert_eq!(fault.data["faults"].as_array().unwrap().len(), 2, "{fault}");
}

#[test]
fn objects_of_a_type_come_in_pages_and_what_all_have_alike_is_told_once() {
    let lamp = |number| {
        format!(
            "Lights,Lamp {number},Z,On,Watts/Area,,{number},,0.1,0.2,0.3,1,General lighting of the whole office floor;\n"
        )
    };
    let lamps: String = (0..150).map(lamp).collect();
    let text = format!("{HOUSE}{lamps}");
    let model = opened(&text);
    let (mut seen, mut cursor) = (0, Value::Null);
    for _ in 0..20 {
        let mut ask = json!({"object_type": "Lights", "include_all_fields": true, "limit": 100});
        if !cursor.is_null() {
            ask["cursor"] = cursor;
        }
        let (page, _) = call("list_objects", ask, &model).unwrap();
        let objects = page["objects"].as_array().unwrap();
        assert_eq!(page["same"]["design_level_calculation_method"], "Watts/Area", "{page}");
        assert!(objects[0]["fields"].get("watts_per_floor_area").is_some(), "{page}");
        seen += objects.len();
        cursor = page["next_cursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    assert_eq!(seen, 150);
}

#[test]
fn measures_change_the_model_with_what_was_assumed() {
    let floored = HOUSE.replace("Zone,Z;", "Zone,Z,0,0,0,0,1,1,3,30,10;");
    let model = opened(&format!("{floored}Schedule:Constant,On,,1;Lights,L,Z,On,Watts/Area,,10;\n"));
    let (done, model) = call(
        "apply_measure",
        json!({"measures": [
            {"measure": "lighting", "w_per_m2": 4},
            {"measure": "insulate", "surface_type": "wall", "u_value": 0.2}
        ]}),
        &model,
    )
    .unwrap();
    assert_eq!(
        (&done["measures"][0]["before"], &done["measures"][0]["after"]),
        (&json!(10.0), &json!(4.0)),
        "{done}"
    );
    assert!(!done["measures"][1]["assumptions"].as_array().unwrap().is_empty(), "{done}");
    let card = call("get_zone_properties", json!({"zone_name": "Z"}), &model).unwrap().0;
    let u_value = card["zones"][0]["enclosed_by"][0]["u_value"].as_f64().unwrap();
    assert!((u_value - 0.2).abs() < 0.01, "{card}");
    let nothing = json!({"measures": [{"measure": "heat_recovery", "sensible": 0.7}]});
    assert!(call("apply_measure", nothing, &model).map(|_| ()).is_err());
}

/// The largest prototype that there is, with 100 zones and 3.5 MB of text; `call` holds every answer to 20 kB.
#[test]
fn answers_on_the_largest_model_are_short() {
    let Some(folder) = testing::prototypes() else { return };
    let text = std::fs::read(folder.join("ASHRAE901_ApartmentHighRise_STD2019_Denver.idf")).unwrap();
    let model = opened(&String::from_utf8_lossy(&text));
    for (name, arguments) in [
        ("list_object_types", json!({})),
        ("list_objects", json!({"object_type": "Zone", "include_all_fields": true})),
        ("list_objects", json!({"object_type": "BuildingSurface:Detailed", "limit": 1000})),
        ("search_objects", json!({"query": "zone"})),
        ("get_zone_properties", json!({})),
        ("check_model_integrity", json!({})),
        ("validate_model", json!({})),
        ("view_geometry", json!({})),
        ("view_geometry", json!({"color_by": "zone", "from_surface": 0})),
        ("view_schedules", json!({})),
    ] {
        call(name, arguments, &model).unwrap();
    }
    let (geometry, _) = call("view_geometry", json!({}), &model).unwrap();
    let count = geometry["surface_count"].as_u64().unwrap();
    // the page comes to all of them
    let (mut seen, mut next) = (0, geometry["next_surface"].as_u64());
    while let Some(from) = next {
        let (part, _) = call("view_geometry", json!({"from_surface": from}), &model).unwrap();
        seen += part["surfaces"].as_array().unwrap().len() as u64;
        next = part["next_surface"].as_u64();
    }
    assert!(count > 500 && seen == count, "{seen} of {count}");
    let (schedules, _) = call("view_schedules", json!({}), &model).unwrap();
    assert!(schedules["total"].as_u64().unwrap() > 30, "{schedules}");
}

#[test]
fn a_model_of_an_older_version_is_worked_on_in_its_own_terms() {
    let text = HOUSE.replace("Version,25.2", "Version,9.2").replace("C,Z,,Outdoors", "C,Z,Outdoors");
    let older = opened(&text);
    let ask = |name: &str, arguments: Value| call(name, arguments, &older).unwrap().0;
    let known = ask("describe_object_type", json!({"object_type": "BuildingSurface:Detailed"}));
    assert_eq!(
        (&known["version"], &known["fields"][4]["field"]),
        (&json!("9.2.0"), &json!("outside_boundary_condition"))
    );
    assert_eq!(ask("list_object_types", json!({}))["version"], "9.2.0");
    assert_eq!(ask("search_docs", json!({"query": "zone"}))["version"], "9.2");
    assert_eq!(ask("get_doc_section", json!({"location": "schema/Zone"}))["version"], "9.2");
    let found = ask("validate_model", json!({}));
    assert_eq!((&found["schema"], &found["valid"]), (&json!("EnergyPlus 9.2.0"), &json!(true)), "{found}");
    let surface = json!({"object_type": "BuildingSurface:Detailed", "name": "W"});
    let mut update = surface.clone();
    update["fields"] = json!({"outside_boundary_condition": "Adiabatic"});
    let (_, after) = call("update_object", update, &older).unwrap();
    assert!(
        text_of(&after).contains("    Adiabatic,               !- Outside Boundary Condition"),
        "{}",
        text_of(&after)
    );
    let mut wrong = surface;
    wrong["fields"] = json!({"space_name": "S"});
    assert!(call("update_object", wrong, &older).map(|_| ()).unwrap_err().message.contains("space_name"));
}
