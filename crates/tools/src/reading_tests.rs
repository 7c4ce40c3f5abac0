//! The tools that read models and say things of their elements, on real files where there are any.

use crate::{Body, IfcCall, catalogue};
use contract::{Actor, Fault, FaultCode};
use ifc::{Limits, Model};
use serde_json::{Value, json};

fn open(name: &str) -> Option<Model> {
    Some(Model::open(&testing::model(name)?, &Limits::default()).unwrap().0)
}

fn call(model: &mut Model, tool: &str, arguments: Value) -> Result<Value, Fault> {
    let tool = catalogue().into_iter().find(|t| t.spec.name == tool).expect("the tool is in the catalogue");
    let Body::Ifc(body) = tool.body else { panic!("{} runs on no model", tool.spec.name) };
    let mut call = IfcCall::new(model, "test", 0, Actor::default());
    let answer = body(&mut call, arguments)?;
    *model = call.edit.finish().0;
    Ok(answer)
}

#[test]
fn a_summary_says_schema_units_storeys_and_place() {
    let Some(mut model) = open("Duplex_A_20110907.ifc") else { return };
    let summary = call(&mut model, "model_summary", json!({})).unwrap();
    assert_eq!(summary["schema"], "IFC2X3");
    assert_eq!(summary["units"]["length"], "m");
    assert_eq!(summary["counts"]["IfcDoor"], 14);
    let names: Vec<_> = summary["storeys"].as_array().unwrap().iter().map(|s| s["name"].clone()).collect();
    assert_eq!(names, ["T/FDN", "Level 1", "Level 2", "Roof"]);
    assert_eq!(summary["storeys"][2]["elevation"], json!({ "value": 3.1, "unit": "m" }));
    assert!(summary["georeference"]["latitude"].as_f64().unwrap() > 41.0);
    assert!(summary.to_string().len() < 6000);
}

#[test]
fn rows_have_the_fields_asked_for_with_their_units() {
    let Some(mut model) = open("Duplex_A_20110907.ifc") else { return };
    let arguments = json!({
        "selector": "IfcDoor, location=\"Level 1\"",
        "fields": ["overall_width", "storey", "type", "Pset_DoorCommon.FireRating", "storey.Elevation", "bbox"],
        "sort": "-OverallWidth",
        "limit": 3
    });
    let answer = call(&mut model, "query_elements", arguments).unwrap();
    assert_eq!(answer["units"], json!({ "bbox": "mm", "overall_width": "m", "storey.Elevation": "m" }));
    let rows = answer["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 3);
    assert_eq!(rows[0]["storey"], "Level 1");
    assert!(rows[0]["overall_width"].as_f64() >= rows[2]["overall_width"].as_f64());
    assert_eq!(answer["next_cursor"], "3");
    let all = call(&mut model, "query_elements", json!({ "selector": "IfcProduct", "limit": 500 })).unwrap();
    assert!(all.to_string().len() < 32_000 && all["next_cursor"].is_string());
}

#[test]
fn aggregates_are_numbers_over_all_elements() {
    let Some(mut model) = open("AC20-FZK-Haus.ifc") else { return };
    let arguments = json!({ "selector": "IfcSpace", "aggregate": ["count by storey", "sum(Qto_SpaceBaseQuantities.NetFloorArea) by storey"] });
    let answer = call(&mut model, "query_elements", arguments).unwrap();
    let groups = answer["groups"].as_array().unwrap();
    assert_eq!(groups.iter().map(|g| g["count"].as_u64().unwrap()).sum::<u64>(), 7);
    // the file keeps its quantities in a set of another name
    assert!(answer["notes"][0].as_str().unwrap().contains("BaseQuantities.NetFloorArea"), "{answer}");
    let fault = call(&mut model, "query_elements", json!({ "selector": "IfcSpace", "aggregate": "sum" }))
        .unwrap_err();
    assert!(fault.message.contains("sum Qto_WallBaseQuantities.Length by storey"));
}

#[test]
fn wrong_names_are_answered_with_near_ones() {
    let Some(mut model) = open("Duplex_A_20110907.ifc") else { return };
    let fault = call(&mut model, "query_elements", json!({ "selector": "IfcWal" })).unwrap_err();
    assert_eq!(fault.data["near_matches"][0], "IfcWall");
    let answer = call(
        &mut model,
        "query_elements",
        json!({ "selector": "IfcWall", "fields": ["Pset_WallCommon.IsExternl"] }),
    )
    .unwrap();
    assert!(
        answer["notes"][0].as_str().unwrap().contains("Pset_WallCommon.IsExternal"),
        "{}",
        answer["notes"]
    );
    let fault = call(&mut model, "query_elements", json!({ "selector": "IfcWall, Name=" })).unwrap_err();
    assert_eq!(fault.data["at"], 14);
    let named = call(&mut model, "get_element", json!({ "element_id": "Level 1" })).unwrap();
    assert_eq!(named["class"], "IfcBuildingStorey");
    let fault = call(&mut model, "get_element", json!({ "element_id": "Levl 1" })).unwrap_err();
    assert_eq!((fault.code, &fault.data["field"]), (FaultCode::ElementNotFound, &json!("element_id")));
    assert!(fault.data["near_matches"].as_array().unwrap().contains(&json!("Level 1")), "{fault:?}");
}

#[test]
fn an_element_is_shown_whole() {
    let Some(mut model) = open("Duplex_A_20110907.ifc") else { return };
    let found = call(&mut model, "query_elements", json!({ "selector": "IfcWindow", "limit": 1 })).unwrap();
    let id = found["rows"][0]["id"].clone();
    let window = call(&mut model, "get_element", json!({ "element_id": id })).unwrap();
    assert_eq!(window["class"], "IfcWindow");
    assert!(window["relations"]["host"]["class"].as_str().unwrap().starts_with("IfcWall"));
    assert!(window["relations"]["storey"]["name"].is_string());
    assert_eq!(window["attributes"]["OverallHeight"]["unit"], "m");
    assert_eq!(window["geometry"]["unit"], "mm");
    assert_eq!(window["geometry"]["bbox"]["size"].as_array().map(Vec::len), Some(3));
    assert!(window["geometry"]["volume_m3"].as_f64().unwrap() > 0.0);
    let filled = &window["geometry"]["parameters"];
    assert_eq!(
        filled["width"].as_f64().unwrap().round(),
        window["attributes"]["OverallWidth"]["value"].as_f64().unwrap() * 1000.0
    );
    let some = call(&mut model, "get_element", json!({ "element_id": id, "include": ["type"] })).unwrap();
    assert!(some.get("psets").is_none() && some["type"]["name"].is_string());
}

#[test]
fn the_tree_goes_as_deep_as_asked() {
    let Some(mut model) = open("Duplex_A_20110907.ifc") else { return };
    let tree = call(&mut model, "spatial_tree", json!({ "depth": 3 })).unwrap();
    let storeys = &tree["tree"][0]["children"][0]["children"][0]["children"];
    assert_eq!(storeys[1]["name"], "Level 1");
    assert!(storeys[1]["below"].as_u64().unwrap() > 5 && storeys[1].get("children").is_none());
    assert!(storeys[1]["elements"]["IfcDoor"].as_u64().unwrap() > 3);
}

#[test]
fn properties_are_set_on_the_elements_named_and_read_back() {
    let Some(mut model) = open("Duplex_A_20110907.ifc") else { return };
    let found = call(&mut model, "query_elements", json!({ "selector": "IfcWall", "limit": 2 })).unwrap();
    let (one, other) = (found["rows"][0]["id"].clone(), found["rows"][1]["id"].clone());
    let arguments = json!({ "element_ids": [one], "pset": "Pset_WallCommon",
        "properties": { "FireRating": "F90", "ThermalTransmittance": 0.3, "Mine": { "value": 2, "type": "IfcLengthMeasure" } } });
    let answer = call(&mut model, "set_properties", arguments).unwrap();
    assert_eq!(answer["properties"]["FireRating"], "F90");
    assert_eq!(answer["properties"]["Mine"], json!({ "value": 2, "unit": "m" }));
    assert!(answer["notes"][0].as_str().unwrap().contains("Mine"));
    let has = |model: &mut Model, id: &Value| {
        let element = call(model, "get_element", json!({ "element_id": id, "include": ["psets"] })).unwrap();
        element["psets"]["Pset_WallCommon"]["FireRating"].clone()
    };
    assert_eq!(has(&mut model, &one), "F90");
    assert_ne!(has(&mut model, &other), "F90");
    let wrong = json!({ "element_ids": [one], "pset": "Pset_WallCommon", "properties": { "ThermalTransmittance": "low" } });
    assert_eq!(
        call(&mut model, "set_properties", wrong).unwrap_err().data["field"],
        "properties.ThermalTransmittance"
    );
}

#[test]
fn a_place_on_earth_is_set_in_every_schema() {
    for name in ["Duplex_A_20110907.ifc", "AC20-FZK-Haus.ifc", "wall_door_column_4x3.ifc"] {
        let Some(mut model) = open(name) else { return };
        let arguments = json!({ "crs": "EPSG:25832", "eastings": 691_000.5, "northings": 5_334_000, "elevation": 515, "latitude": 48.137, "longitude": -11.575, "true_north": 30 });
        let answer = call(&mut model, "set_georeference", arguments).unwrap();
        let place = &answer["georeference"];
        assert_eq!((&place["crs"], &place["eastings"]), (&json!("EPSG:25832"), &json!(691_000.5)), "{name}");
        assert_eq!((&place["latitude"], &place["longitude"]), (&json!(48.137), &json!(-11.575)), "{name}");
        assert_eq!((&place["true_north"], &place["grid_north"]), (&json!(30), &json!(30)), "{name}");
        let moved = call(&mut model, "set_georeference", json!({ "northings": 1 })).unwrap();
        assert_eq!(
            (&moved["georeference"]["northings"], &moved["georeference"]["eastings"]),
            (&json!(1), &json!(691_000.5)),
            "{name}"
        );
    }
}

#[test]
fn validation_answers_groups_with_counts_and_the_first_instances() {
    let Some(mut model) = open("AC20-FZK-Haus.ifc") else { return };
    let answer = call(&mut model, "validate_model", json!({ "parts": ["schema"] })).unwrap();
    assert_eq!(answer["checked"], json!(["schema"]));
    let groups = answer["groups"].as_array().unwrap();
    let counted: u64 = groups.iter().map(|group| group["count"].as_u64().unwrap()).sum();
    // the same five that IfcOpenShell finds
    assert_eq!((answer["valid"].clone(), counted), (json!(false), 5));
    assert!(groups[0]["first"][0]["message"].as_str().unwrap().contains(" due"), "{groups:#?}");
    assert!(groups[0]["first"][0]["at"].is_string());
    let walls = json!({ "object_types": ["IfcWall"], "parts": ["schema"] });
    assert_eq!(call(&mut model, "validate_model", walls).unwrap()["valid"], true);
    let all = call(&mut model, "validate_model", json!({})).unwrap();
    assert!(all.to_string().len() < 24_000);
    let fault = call(&mut model, "validate_model", json!({ "object_types": ["IfcWal"] })).unwrap_err();
    assert!(fault.message.contains("no class IfcWal"), "{}", fault.message);
}

#[test]
fn validation_holds_single_rules_by_code_or_family() {
    let Some(mut model) = open("AC20-FZK-Haus.ifc") else { return };
    let mut rules = |arguments: Value| -> Result<Vec<String>, Fault> {
        let answer = call(&mut model, "validate_model", arguments)?;
        assert_eq!(answer["checked"], json!(["implementer"]));
        let groups = answer["groups"].as_array().unwrap();
        Ok(groups.iter().map(|group| group["rule"].as_str().unwrap().to_owned()).collect())
    };
    assert_eq!(rules(json!({ "rules": ["sps", "SPS005"] })).unwrap(), ["SPS005", "SPS007", "SPS008"]);
    assert_eq!(rules(json!({ "rules": ["GEM001"], "parts": ["implementer"] })).unwrap(), ["GEM001"]);
    for (arguments, field) in [
        (json!({ "rules": ["GEM001", "SPS009"] }), "rules[1]"),
        (json!({ "rules": [] }), "rules"),
        (json!({ "rules": ["GEM001"], "parts": ["schema", "implementer"] }), "rules"),
    ] {
        assert_eq!(rules(arguments).unwrap_err().data["field"], json!(field));
    }
    let fault = rules(json!({ "rules": ["SPX"] })).unwrap_err();
    assert_eq!(fault.data["near_matches"][0], json!("SPS"), "{fault:?}");
}

#[test]
fn validation_leaves_references_out_if_asked_to() {
    let text = "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\nFILE_NAME('','',(''),(''),'','','');\nFILE_SCHEMA(('IFC4'));\nENDSEC;\nDATA;\n\
                #1=IFCWALL('0Wall00000000000000001',$,2,$,$,#77,$,$,$);\nENDSEC;\nEND-ISO-10303-21;\n";
    let mut model = Model::from_bytes(text.into(), &Limits::default()).unwrap().0;
    let kinds = |answer: &Value| -> Vec<String> {
        answer["groups"]
            .as_array()
            .unwrap()
            .iter()
            .map(|group| group["kind"].as_str().unwrap().to_owned())
            .collect()
    };
    let all = call(&mut model, "validate_model", json!({ "parts": ["schema"] })).unwrap();
    assert_eq!(kinds(&all), ["type", "reference"]);
    assert_eq!(all["groups"][0]["rule"], "IfcWall.Name");
    assert_eq!(all["groups"][0]["first"][0]["id"], "0Wall00000000000000001");
    let without = json!({ "parts": ["schema"], "check_references": false });
    assert_eq!(kinds(&call(&mut model, "validate_model", without).unwrap()), ["type"]);
    let paged = call(&mut model, "validate_model", json!({ "parts": ["schema"], "limit": 1 })).unwrap();
    assert_eq!(paged["next_cursor"], "1");
}
