//! Buildings through the tools: made energy models of, run by the real EnergyPlus, and given what was found. The crate
//! `testing` knows where EnergyPlus and the models are.

use crate::place::Place;
use crate::wire::Stdio;
use serde_json::{Value, json};

fn weather(energyplus: &std::path::Path) -> String {
    energyplus.join("WeatherData/USA_CO_Golden-NREL.724666_TMY3.epw").display().to_string()
}

fn near(got: f64, wanted: f64, share: f64) -> bool {
    (got - wanted).abs() <= share * wanted.abs().max(1e-9)
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// The rows of a query on the session's building.
fn rows(agent: &mut Stdio, selector: &str, fields: &[&str]) -> Vec<Value> {
    let found = agent.done("query_elements", &json!({"selector": selector, "fields": fields, "limit": 200}));
    found["rows"].as_array().unwrap_or_else(|| panic!("{found}")).clone()
}

/// The number of a field, whether it is told with its unit or without.
fn number_of(row: &Value, field: &str) -> Option<f64> {
    let value = &row[field];
    value.as_f64().or_else(|| value["value"].as_f64())
}

/// The area of the windows in m², by the file: its quantity, else width by height.
fn windows(agent: &mut Stdio, metres: f64) -> f64 {
    let fields = ["Qto_WindowBaseQuantities.Area", "BaseQuantities.Area", "OverallWidth", "OverallHeight"];
    let found = rows(agent, "IfcWindow", &fields);
    assert!(!found.is_empty());
    let area = |row: &Value| {
        let overall =
            || Some(number_of(row, "OverallWidth")? * number_of(row, "OverallHeight")? * metres * metres);
        number_of(row, fields[0])
            .or_else(|| number_of(row, fields[1]))
            .or_else(overall)
            .unwrap_or_else(|| panic!("{row}"))
    };
    found.iter().map(area).sum()
}

/// Converts and runs a building, and holds what is told of it against what the file says.
fn converts_and_runs(name: &str, zones: usize, metres: f64) {
    let (Some(energyplus), Some(path)) = (testing::energyplus(), testing::model(name)) else { return };
    let place = Place::with_energyplus(energyplus.clone());
    let mut agent = place.stdio();
    agent.done("load_model", &json!({"file_path": path}));
    let wanted = windows(&mut agent, metres);
    let made = agent.done("ifc_to_energy_model", &json!({"weather_file": weather(&energyplus)}));
    assert_eq!(made["counts"]["zones"], zones, "{made}");
    let listed = made["zones"].as_array().unwrap();
    // of many the answer has the first, and says so
    assert!(listed.len() == zones || made["omitted"].to_string().contains("zones"), "{made}");
    for zone in listed {
        assert_eq!(zone["closed"], true, "{zone}");
        assert!(near(number(&zone["volume"]), number(&zone["body_volume"]), 0.01), "{zone}");
        if let Some(stated) = zone["stated_volume"].as_f64() {
            assert!(near(number(&zone["volume"]), stated, 0.01), "{zone}");
        }
    }
    let got = number(&made["areas_m2"]["Window Outdoors"]);
    assert!(near(got, wanted, 0.01), "{name}: {got} m² of windows, the file says {wanted}");
    // what is looked at is what was told: the façades of the model have the outer walls and windows, to the last square decimetre
    let seen = agent.done("view_geometry", &json!({}));
    let facades = seen["facades"].as_object().unwrap_or_else(|| panic!("{seen}"));
    let sum = |at: usize| facades.values().map(|both| number(&both[at])).sum::<f64>();
    assert!(
        near(sum(0), number(&made["areas_m2"]["Wall Outdoors"]), 0.02),
        "{name}: {seen} {}",
        made["areas_m2"]
    );
    // panes without their frames
    let glass = made["areas_m2"]["GlassDoor Outdoors"].as_f64().unwrap_or_default();
    assert!(sum(1) > 0.5 * got && sum(1) <= got + glass + 0.01, "{name}: {seen}");
    let run = agent.done("run_simulation", &json!({"design_day": true}));
    assert_eq!((&run["status"], &run["severe"]), (&json!("completed"), &json!(0)), "{name}: {run}");
    // the program found the same volumes
    let table = agent.done(
        "query_simulation_table",
        &json!({"report_name": "InputVerificationandResultsSummary", "table_name": "Zone Summary", "column_name": "Volume"}),
    );
    let text = table.to_string();
    for zone in listed {
        assert!(text.contains(&zone["zone"].as_str().unwrap().to_uppercase()), "{zone}: {text}");
    }
    eprintln!(
        "{name}: {zones} zones, {got:.2} m² of windows ({wanted:.2} in the file), {} warnings",
        run["warnings"]
    );
}

#[test]
fn the_house_with_an_attic_is_converted_and_run_through_the_tools() {
    converts_and_runs("AC20-FZK-Haus.ifc", 7, 1.0);
}

#[test]
fn the_row_house_is_converted_and_run_through_the_tools() {
    converts_and_runs("ExampleHOM.ifc", 11, 0.001);
}

#[test]
fn the_duplex_is_converted_and_run_through_the_tools() {
    converts_and_runs("Duplex_A_20110907.ifc", 20, 1.0);
}

/// The set of results of a space; null where there is none.
fn results_of(agent: &mut Stdio, building: &Value, space: &str) -> Value {
    let element =
        agent.done("get_element", &json!({"model_id": building, "element_id": space, "include": ["psets"]}));
    element["psets"]["EnergyPlus_Results"].clone()
}

/// Asks the graphs of the building and of its energy model for the numbers of the first zone.
fn graphs_tell_the_same(agent: &mut Stdio, house: &Value, made: &Value, set: &Value) {
    let space = made["zones"][0]["space"].as_str().unwrap();
    let of_building = format!(
        "SELECT ?w ?c {{ ?room ifc:globalId '{space}' ; prop:EnergyPlus_Results.HeatingDesignLoad_W ?w ; \
         prop:EnergyPlus_Results.AirTemperatureLowest_C ?c }}"
    );
    let told = agent.done("query_graph", &json!({"model_id": house, "sparql": of_building}));
    let numbers = |row: &Value| -> Vec<Option<f64>> {
        row.as_array().into_iter().flatten().map(Value::as_f64).collect()
    };
    let stated = json!([set["HeatingDesignLoad_W"], set["AirTemperatureLowest_C"]]);
    assert_eq!(numbers(&told["rows"][0]), numbers(&stated), "{told}");
    assert_eq!(told["rows"].as_array().unwrap().len(), 1, "{told}");
    assert!(told.get("results_of").is_none(), "{told}");
    let zone = made["zones"][0]["zone"].as_str().unwrap();
    let of_zone = format!(
        "SELECT ?w ?c {{ ?zone a ep:Zone ; ep:name '{zone}' ; result:heatingDesignLoad_W ?w ; \
         result:airTemperatureLowest_C ?c }}"
    );
    let energy = &made["model_id"];
    let told = agent.done("query_graph", &json!({"model_id": energy, "sparql": of_zone}));
    assert_eq!(numbers(&told["rows"][0]), numbers(&stated), "{told}");
    assert_eq!(told["rows"].as_array().unwrap().len(), 1, "{told}");
    assert_eq!(told["results_of"]["job_id"], set["Run"], "{told}");
    let terms = agent.done("query_graph", &json!({"model_id": energy, "terms": "result:"}));
    assert!(terms["terms"].to_string().contains("result:run"), "{terms}");
}

#[test]
fn what_a_run_found_is_written_to_the_spaces_and_can_be_taken_back() {
    let (Some(energyplus), Some(path)) = (testing::energyplus(), testing::model("ExampleHOM.ifc")) else {
        return;
    };
    let place = Place::with_energyplus(energyplus.clone());
    let mut agent = place.stdio();
    let none = agent.call("results_to_ifc", &json!({}));
    assert_eq!(none["structuredContent"]["code"], 1012, "{none}");
    let loaded = agent.done("load_model", &json!({"file_path": path}));
    let house = loaded["model_id"].clone();
    let made = agent.done("ifc_to_energy_model", &json!({"weather_file": weather(&energyplus)}));
    let run = agent.done("run_simulation", &json!({"design_day": true}));
    assert_eq!(run["status"], "completed", "{run}");
    let space = made["zones"][0]["space"].as_str().unwrap().to_owned();
    let before = agent.done("list_versions", &json!({"model_id": house}));
    let preview = agent.done("results_to_ifc", &json!({"dry_run": true}));
    assert_eq!((&preview["status"], &preview["spaces"]), (&json!("preview"), &json!(11)), "{preview}");
    assert_eq!(agent.done("list_versions", &json!({"model_id": house})), before);
    let written = agent.done("results_to_ifc", &json!({"reasoning": "for the client"}));
    assert_eq!((&written["building_id"], &written["spaces"]), (&house, &json!(11)), "{written}");
    assert_eq!(written["pset"], "EnergyPlus_Results");
    let set = results_of(&mut agent, &house, &space);
    assert_eq!(set["Run"], run["job_id"], "{set}");
    assert_eq!(set["EnergyModelVersion"], run["simulated_version"]);
    assert_eq!((&set["EnergyModel"], &set["Environment"]), (&made["model_id"], &json!("sizing")), "{set}");
    assert!(set["Program"].as_str().unwrap().starts_with("EnergyPlus 25.2"), "{set}");
    // the number is the one that the program sized the zone for
    let peaks = agent.done("analyze_peak_loads", &json!({}));
    let name = made["zones"][0]["zone"].as_str().unwrap().to_uppercase();
    let zones = peaks["heating"]["zones"].as_array().unwrap();
    let sized = zones.iter().find(|zone| zone["zone"].as_str().unwrap().to_uppercase() == name);
    if let Some(sized) = sized.and_then(|zone| zone["sized_w"].as_f64()) {
        assert!(near(number(&set["HeatingDesignLoad_W"]), sized, 0.3), "{set} {sized}");
    }
    assert!(number(&set["AirTemperatureLowest_C"]) < number(&set["AirTemperatureHighest_C"]), "{set}");
    graphs_tell_the_same(&mut agent, &house, &made, &set);
    // the same again changes nothing, and the change is one like any other
    assert_eq!(agent.done("results_to_ifc", &json!({}))["status"], "unchanged");
    let log = agent.done("get_audit_log", &json!({"model_id": house, "limit": 20}));
    assert!(
        log.to_string().contains("results_to_ifc") && log.to_string().contains("for the client"),
        "{log}"
    );
    agent.done("undo", &json!({"model_id": house}));
    assert!(results_of(&mut agent, &house, &space).is_null());
    // spaces that went are named; where all went, nothing is written
    agent.done("delete_elements", &json!({"model_id": house, "element_ids": [space]}));
    let fewer = agent.done("results_to_ifc", &json!({}));
    assert_eq!((&fewer["spaces"], &fewer["spaces_gone"]), (&json!(10), &json!([space])), "{fewer}");
    let spaces: Vec<Value> =
        made["zones"].as_array().unwrap().iter().skip(1).map(|zone| zone["space"].clone()).collect();
    agent.done("delete_elements", &json!({"model_id": house, "element_ids": spaces}));
    let gone = agent.call("results_to_ifc", &json!({}));
    assert_eq!(gone["structuredContent"]["code"], 1001, "{gone}");
    assert!(gone.to_string().contains("ifc_to_energy_model"), "{gone}");
}

#[test]
fn a_model_that_came_from_no_building_has_none_to_write_to() {
    let Some(energyplus) = testing::energyplus() else { return };
    let place = Place::with_energyplus(energyplus);
    std::fs::write(place.root().join("box.idf"), include_str!("box.idf")).unwrap();
    let mut agent = place.stdio();
    agent.done("load_model", &json!({"file_path": "box.idf"}));
    let run = agent.done("run_simulation", &json!({"design_day": true}));
    assert_eq!(run["status"], "completed", "{run}");
    let refused = agent.call("results_to_ifc", &json!({}));
    assert_eq!(refused["structuredContent"]["code"], 1002, "{refused}");
    assert!(refused.to_string().contains("not made of a building"), "{refused}");
}
