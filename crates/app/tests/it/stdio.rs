//! Desktop agents: `pensaer mcp`.

use crate::place::Place;
use crate::wire::{Stdio, hello};
use serde_json::json;

#[test]
fn an_agent_makes_a_house_and_finds_it_again_from_the_same_folder() {
    let place = Place::new();
    let mut agent = place.stdio();
    let house = agent
        .done("create_project", &json!({"name": "House", "storeys": [{"name": "Ground", "elevation": 0}]}));
    let wall = agent.done("create_wall", &json!({"start": [0, 0], "end": [7000, 0], "level_id": "Ground"}));
    assert!(wall["wall_id"].is_string(), "{wall}");
    assert!(agent.leave().success());

    // another process in the same working directory goes on with the same model
    let mut again = place.stdio();
    let second = again.done("create_wall", &json!({"start": [0, 0], "end": [0, 5000], "level_id": "Ground"}));
    assert_ne!(second["model_version"], wall["model_version"]);
    let versions = again.done("list_versions", &json!({}));
    assert!(versions.to_string().contains(house["model_version"].as_str().unwrap()), "{versions}");
}

#[test]
fn a_fault_is_an_error_result_that_says_what_to_do() {
    let place = Place::new();
    let mut agent = place.stdio();
    let nothing = agent.call("create_wall", &json!({"start": [0, 0], "end": [1000, 0], "level_id": "x"}));
    assert_eq!(nothing["isError"], true);
    assert_eq!(nothing["structuredContent"]["code"], 1011);
    assert!(nothing["content"][0]["text"].as_str().unwrap().contains("No model loaded"), "{nothing}");

    agent.done("create_project", &json!({"name": "House", "storeys": [{"name": "Ground", "elevation": 0}]}));
    let wrong = agent.call("create_wall", &json!({"start": "here", "end": [1000, 0], "level_id": "Ground"}));
    assert_eq!(wrong["structuredContent"]["code"], -32602);
    assert_eq!(wrong["structuredContent"]["data"]["field"], "start", "{wrong}");
    let unknown = agent.call("create_wall", &json!({"start": [0, 0], "end": [1000, 0], "level_id": "Attic"}));
    assert_eq!(unknown["isError"], true);
    // and the session still works
    agent.done("create_wall", &json!({"start": [0, 0], "end": [1000, 0], "level_id": "Ground"}));
}

#[test]
fn one_server_offers_its_tools_and_shares_the_model_with_the_others() {
    let place = Place::new();
    let mut model = Stdio::start(place.command(&["mcp", "model"]));
    let mut geometry = Stdio::start(place.command(&["mcp", "geometry"]));
    assert_eq!(model.initialize()["serverInfo"]["name"], "pensaer-model");
    assert_eq!(geometry.initialize()["serverInfo"]["name"], "pensaer-geometry");
    let names = |client: &mut Stdio| client.ask("tools/list", &json!({}))["result"]["tools"].to_string();
    assert!(!names(&mut model).contains("\"create_wall\""));
    assert!(names(&mut geometry).contains("\"create_wall\""));
    model.done("create_project", &json!({"name": "House", "storeys": [{"name": "Ground", "elevation": 0}]}));
    geometry.done("create_wall", &json!({"start": [0, 0], "end": [4000, 0], "level_id": "Ground"}));
}

#[test]
fn answers_under_way_reach_a_client_that_has_closed_its_end() {
    let place = Place::new();
    let mut agent = Stdio::start(place.command(&["mcp"]));
    agent.send(&json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello()}));
    agent.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    agent.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "create_project", "arguments": {"name": "Late"}}}));
    agent.close();
    assert_eq!(agent.receive()["id"], 0);
    let answer = agent.receive();
    assert_eq!(answer["id"], 1);
    assert!(answer["result"]["structuredContent"]["model_id"].is_string(), "{answer}");
    assert!(agent.leave().success());
}

#[test]
fn an_unknown_server_is_refused_with_the_names_there_are() {
    let place = Place::new();
    let output = place.run(&["mcp", "kitchen"]);
    assert!(!output.status.success());
    assert!(output.stdout.is_empty(), "standard output belongs to the protocol");
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert!(complaint.contains("kitchen") && complaint.contains("geometry"), "{complaint}");
}

#[test]
fn a_shell_gets_an_answer_or_a_fault_and_an_exit_code() {
    let place = Place::new();
    let made = place.call("create_project", &json!({"name": "From a shell"}));
    assert_eq!(made["status"], "created");
    let failed = place.run(&["call", "create_wall", "--json", "{\"start\": 1}"]);
    assert_eq!(failed.status.code(), Some(1));
    let fault: serde_json::Value = serde_json::from_slice(&failed.stderr).unwrap();
    assert_eq!(fault["code"], -32602);
    assert!(failed.stdout.is_empty());
    let broken = place.run(&["call", "create_wall", "--json", "{"]);
    assert!(String::from_utf8(broken.stderr).unwrap().contains("not JSON"));
}
