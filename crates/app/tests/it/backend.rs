//! The back end that may be absent: what is said where it is, how it is chosen, and what it leaves to be seen.

use crate::place::Place;
use crate::wire::Stdio;
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;

fn listed(place: &Place) -> Value {
    let output = place.run(&["backend", "list", "--json"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice::<Value>(&output.stdout).unwrap()[1].clone()
}

/// True if an agent is told that it may choose a back end for its scripts, in the list and by the tool's description.
fn offers(agent: &mut Stdio) -> bool {
    let list = agent.ask("tools/list", &json!({}))["result"]["tools"].clone();
    let tool = list.as_array().unwrap().iter().find(|tool| tool["name"] == "run_code").unwrap().clone();
    let listed = tool["inputSchema"]["properties"].get("backend").is_some();
    let described = agent.done("describe_tool", &json!({"name": "run_code"}));
    assert_eq!(described["input_schema"]["properties"].get("backend").is_some(), listed, "{described}");
    listed
}

/// A program that says that it is a Python.
fn pretender(place: &Place, script: &str) -> String {
    let path = place.root().join("python");
    std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path.display().to_string()
}

fn complaint(place: &Place, arguments: &[&str]) -> String {
    let output = place.command(arguments).env("PIP_INDEX_URL", "http://127.0.0.1:9/").output().unwrap();
    assert!(!output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn where_it_is_absent_everything_else_works_and_asking_for_it_says_how_to_get_it() {
    let place = Place::new();
    assert_eq!(listed(&place)["state"], "not installed");
    let mut agent = place.stdio();
    agent.done("create_project", &json!({"name": "House", "storeys": [{"name": "Ground", "elevation": 0}]}));
    assert!(!offers(&mut agent), "a schema offers what works here");
    let answer = agent.call("run_code", &json!({"code": "1 + 1", "backend": "ifcopenshell"}));
    assert_eq!(answer["structuredContent"]["code"], 1008, "{answer}");
    assert!(answer.to_string().contains("pensaer backend install ifcopenshell"), "{answer}");
    let answer = agent.call("run_code", &json!({"code": "1 + 1", "backend": "revit"}));
    assert_eq!(answer["structuredContent"]["data"]["allowed"], json!(["native"]), "{answer}");
    agent.done("run_code", &json!({"code": "1 + 1", "backend": "native"}));
}

#[test]
fn a_python_that_is_too_old_broken_or_no_python_is_said_in_one_sentence() {
    let place = Place::new();
    let old = pretender(&place, "echo '{\"version\": [3, 8, 10]}'");
    let said = complaint(&place, &["backend", "install", "ifcopenshell", "--python", &old]);
    assert!(said.contains("3.8.10") && said.contains("3.10"), "{said}");
    let said = complaint(&place, &["backend", "install", "ifcopenshell", "--python", "/nonexistent/python"]);
    assert!(said.contains("/nonexistent/python cannot be run"), "{said}");
    let none = pretender(&place, "echo no >&2; exit 3");
    let said = complaint(&place, &["backend", "install", "ifcopenshell", "--python", &none]);
    assert!(said.contains("does not run as a Python does") && said.contains("no"), "{said}");
    let said = complaint(&place, &["backend", "install", "revit"]);
    assert!(said.contains("ifcopenshell"), "{said}");
    let bare =
        pretender(&place, "echo '{\"version\": [3, 12, 0], \"error\": \"ImportError: x.so is missing\"}'");
    let output = place.command(&["backend", "list", "--json"]).env("PENSAER_PYTHON", &bare).output().unwrap();
    let state = serde_json::from_slice::<Value>(&output.stdout).unwrap()[1].clone();
    assert_eq!(state["state"], "broken", "{state}");
    assert!(state["hint"].as_str().unwrap().contains("x.so is missing"), "{state}");
}

#[test]
fn a_call_to_one_that_is_broken_says_so_and_the_others_are_served() {
    let root = Place::new();
    let place = Place::with_python(pretender(&root, "exit 3").into());
    let mut agent = place.stdio();
    assert!(offers(&mut agent), "one that is configured is offered");
    agent.done("create_project", &json!({"name": "House", "storeys": [{"name": "Ground", "elevation": 0}]}));
    for _ in 0..2 {
        let answer = agent.call("run_code", &json!({"code": "1 + 1", "backend": "ifcopenshell"}));
        assert_eq!(answer["structuredContent"]["code"], 1010, "{answer}");
        assert!(answer.to_string().contains("pensaer backend list"), "{answer}");
        agent.done("run_code", &json!({"code": "1 + 1"}));
    }
}

#[test]
fn without_a_network_an_installation_says_so_and_leaves_what_was_there() {
    let Some(python) = testing::ifcopenshell() else { return };
    let place = Place::new();
    let python = python.display().to_string();
    let said = complaint(&place, &["backend", "install", "ifcopenshell", "--python", &python]);
    assert!(said.contains("cannot be reached") && said.contains("--wheels"), "{said}");
    let wheels = place.root().display().to_string();
    let arguments = ["backend", "install", "ifcopenshell", "--python", &python, "--wheels", &wheels];
    let said = complaint(&place, &arguments);
    assert!(said.contains("pip download"), "{said}");
    assert_eq!(listed(&place)["state"], "not installed");
    let said = complaint(&place, &["backend", "install", "embeddings", "--python", &python]);
    assert!(said.contains("was not fetched") && said.contains("--wheels"), "{said}");
    assert!(!place.data().join("indexes/embeddings").exists());
}

#[test]
fn it_is_chosen_by_call_by_model_and_by_policy_and_the_manifest_tells() {
    let Some(place) = Place::with_ifcopenshell() else { return };
    assert_eq!(listed(&place)["state"], "ready");
    std::fs::create_dir_all(place.data()).unwrap();
    let policy = "[backends]\nrun-code = 'ifcopenshell'\nmodels = { Barn = 'native' }\n";
    std::fs::write(place.data().join("pensaer.toml"), policy).unwrap();
    let mut agent = place.stdio();
    // only one of the two has a module of this name
    let code = "import ifcopenshell\nifcopenshell.version";
    let storeys = json!([{"name": "Ground", "elevation": 0}]);
    agent.done("create_project", &json!({"name": "Barn", "storeys": storeys}));
    let on_model = agent.call("run_code", &json!({"code": code}));
    assert_eq!(on_model["isError"], true, "{on_model}");
    let by_call = agent.done("run_code", &json!({"code": code, "backend": "ifcopenshell"}));
    assert!(by_call["value"].is_string(), "{by_call}");
    agent.done("create_project", &json!({"name": "House", "storeys": storeys}));
    let by_policy = agent.done("run_code", &json!({"code": code}));
    assert!(by_policy["value"].is_string(), "{by_policy}");
    // any tool that works on a model takes it, in its arguments or beside them
    let wall = json!({"start": [0, 0], "end": [4000, 0], "level_id": "Ground", "backend": "ifcopenshell"});
    agent.done("create_wall", &wall);
    let beside = json!({"name": "create_wall", "arguments": {"start": [0, 0], "end": [0, 4000], "level_id": "Ground"},
        "_meta": {"pensaer/backend": "nowhere"}});
    let refused = agent.ask("tools/call", &beside)["result"].clone();
    assert!(refused.to_string().contains("nowhere"), "{refused}");
    let count = agent.done("query_elements", &json!({"selector": "IfcWall"}));
    assert_eq!(count["total"], 1, "{count}");
    // a script with all of Python is one version, and undo takes all of it back
    let script = "import itertools\nlevel = model.by_type('IfcBuildingStorey')[0]\n\
                  made = [adapter.create_wall([0, n * 1000], [5000, n * 1000], level.GlobalId) for n in range(3)]\n\
                  sum(1 for _ in itertools.count() if _ < 0 or _ > 5) if False else len(made)";
    let made = agent.done("run_code", &json!({"code": script}));
    assert_eq!((&made["value"], &made["changes"]["added"]["IfcWall"]), (&json!(3), &json!(3)), "{made}");
    agent.done("undo", &json!({}));
    assert_eq!(agent.done("query_elements", &json!({"selector": "IfcWall"}))["total"], 1);
    let edit = json!({"code": "model.by_type('IfcWall')[0].Name = 'x'", "mode": "query"});
    let refused = agent.call("run_code", &edit);
    assert!(refused.to_string().contains("mode=query"), "{refused}");
}
