//! What two clients at one machine share, and what each has for itself: a session belongs to its connection.

use crate::energy::BOX;
use crate::place::Place;
use crate::wire::Stdio;
use serde_json::{Value, json};

const NO_MODEL: &str = "No model loaded. Use load_model or new_model first.";

fn zones(agent: &mut Stdio) -> Vec<String> {
    let listed = agent.done("list_objects", &json!({"object_type": "Zone"}));
    let rows = listed["objects"].as_array().unwrap_or_else(|| panic!("{listed}"));
    rows.iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect()
}

fn refused(agent: &mut Stdio, tool: &str, arguments: Value) -> String {
    let answer = agent.call(tool, &arguments);
    assert_eq!(answer["isError"], true, "{answer}");
    answer["structuredContent"]["message"].as_str().unwrap().to_owned()
}

fn with_file(place: &Place, name: &str, zone: &str) {
    let text = BOX
        .replace("Zone,Room", &format!("Zone,{zone}"))
        .replace("Room,,Outdoors", &format!("{zone},,Outdoors"));
    std::fs::write(place.root().join(name), text).unwrap();
}

#[test]
fn two_clients_in_one_folder_have_a_session_each() {
    let place = Place::new();
    with_file(&place, "one.idf", "One");
    with_file(&place, "two.idf", "Two");
    let mut before = place.stdio();
    assert_eq!(refused(&mut before, "list_objects", json!({"object_type": "Zone"})), NO_MODEL);
    let mut one = place.stdio();
    one.done("load_model", &json!({"file_path": "one.idf"}));
    // who was at work already got nothing of it
    assert_eq!(refused(&mut before, "list_objects", json!({"object_type": "Zone"})), NO_MODEL);
    // who comes begins where the folder was left, and goes its own way
    let mut two = place.stdio();
    assert_eq!(zones(&mut two), ["One"]);
    two.done("load_model", &json!({"file_path": "two.idf"}));
    assert_eq!((zones(&mut one), zones(&mut two)), (vec!["One".to_owned()], vec!["Two".to_owned()]));
    two.done("add_object", &json!({"object_type": "Zone", "name": "More"}));
    assert_eq!(zones(&mut one), ["One"]);
    two.done("clear_session", &json!({}));
    assert_eq!(refused(&mut two, "list_objects", json!({"object_type": "Zone"})), NO_MODEL);
    assert_eq!(zones(&mut one), ["One"]);
    // the folder's was cleared with it
    let mut three = place.stdio();
    assert_eq!(refused(&mut three, "list_objects", json!({"object_type": "Zone"})), NO_MODEL);
}

#[test]
fn a_client_that_comes_back_goes_on_where_it_was() {
    let place = Place::new();
    with_file(&place, "one.idf", "One");
    let mut agent = place.stdio();
    agent.done("load_model", &json!({"file_path": "one.idf"}));
    agent.done("add_object", &json!({"object_type": "Zone", "name": "More"}));
    assert!(agent.leave().success());
    place.end_daemon();
    assert_eq!(zones(&mut place.stdio()), ["One", "More"]);
    let answer = place.call("list_objects", &json!({"object_type": "Zone"}));
    assert_eq!(
        answer["total"].as_u64().or(answer["objects"].as_array().map(|rows| rows.len() as u64)),
        Some(2),
        "{answer}"
    );
}

#[test]
fn a_model_is_saved_to_the_file_it_came_from_unless_another_wrote_there() {
    let place = Place::new();
    with_file(&place, "one.idf", "One");
    let path = place.root().join("one.idf");
    let mut agent = place.stdio();
    let loaded = agent.done("load_model", &json!({"file_path": "one.idf"}));
    let full = path.display().to_string();
    assert_eq!(loaded["file_path"], full, "{loaded}");
    let summary = agent.ask("resources/read", &json!({"uri": "idfkit://model/summary"}));
    assert!(summary.to_string().contains("one.idf"), "{summary}");
    agent.done("add_object", &json!({"object_type": "Zone", "name": "More"}));
    let saved = agent.done("save_model", &json!({}));
    assert_eq!(saved["file_path"], full, "{saved}");
    assert!(std::fs::read_to_string(&path).unwrap().contains("More"));
    // what is saved elsewhere is there from then on
    agent.done("save_model", &json!({"file_path": "copy.idf"}));
    agent.done("add_object", &json!({"object_type": "Zone", "name": "Third"}));
    agent.done("save_model", &json!({}));
    assert!(std::fs::read_to_string(place.root().join("copy.idf")).unwrap().contains("Third"));
    assert!(!std::fs::read_to_string(&path).unwrap().contains("Third"));
    std::fs::write(place.root().join("copy.idf"), "! somebody else's\nVersion,25.2;\n").unwrap();
    let why = refused(&mut agent, "save_model", json!({}));
    assert!(why.contains("was changed by another program"), "{why}");
    agent.done("save_model", &json!({"overwrite": true}));
    // a model that came from no file has a link
    agent.done("new_model", &json!({"kind": "energyplus"}));
    let ready = agent.done("save_model", &json!({}));
    assert!(ready["links"][0]["href"].is_string() && ready["file_path"].is_null(), "{ready}");
}

#[test]
fn what_is_no_model_is_refused_and_the_session_keeps_its_own() {
    let place = Place::new();
    with_file(&place, "one.idf", "One");
    std::fs::write(place.root().join("letter.idf"), "Dear all,\nthe model is attached; it runs.\n").unwrap();
    std::fs::write(place.root().join("program.idf"), b"\x7fELF\0\0\0,;\xff").unwrap();
    let mut agent = place.stdio();
    agent.done("load_model", &json!({"file_path": "one.idf"}));
    for name in ["letter.idf", "program.idf"] {
        let why = refused(&mut agent, "load_model", json!({"file_path": name}));
        assert!(why.contains("no EnergyPlus model"), "{name}: {why}");
        assert_eq!(zones(&mut agent), ["One"], "{name}");
    }
}

#[test]
fn tools_say_of_energy_models_what_they_can_and_refuse_what_they_cannot() {
    let place = Place::new();
    with_file(&place, "one.idf", "One");
    let mut agent = place.stdio();
    agent.done("load_model", &json!({"file_path": "one.idf"}));
    let why = refused(&mut agent, "validate_model", json!({"parts": ["rules"]}));
    assert!(why.contains("rules") && why.contains("IFC models"), "{why}");
    assert_eq!(agent.done("validate_model", &json!({"parts": ["schema"]}))["valid"], true);
    let types = agent.done("list_object_types", &json!({"version": "9.6"}));
    assert!(types["version"].as_str().unwrap().starts_with("9.6"), "{types}");
    // it asks for a year, and the session has no weather file
    let found = agent.done("check_model_integrity", &json!({}));
    assert_eq!(found["counts"]["no_weather_or_location"], 1, "{found}");
    assert!(found["issues"].to_string().contains("there is no weather file"), "{found}");
    let zone = agent.done("get_zone_properties", &json!({"zone_name": "One"}));
    let zone = &zone["zones"][0];
    assert_eq!(
        (&zone["volume_m3"], &zone["height_m"], &zone["floor_area_m2"]),
        (&json!(108.0), &json!(3.0), &json!(36.0)),
        "{zone}"
    );
    assert_eq!(
        (&zone["enclosed_by"][0]["construction"], &zone["thermostats"], &zone["hvac"]),
        (&json!("Wall build"), &json!([]), &json!([])),
        "{zone}"
    );
}
