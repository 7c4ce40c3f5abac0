//! One daemon to a data folder, whatever happens to it.

use crate::place::{Place, children, is_alive, wait_until};
use crate::wire::Stdio;
use serde_json::json;
use std::collections::BTreeSet;
use std::process::Command;

#[test]
fn clients_that_come_at_once_share_one_daemon() {
    let place = Place::new();
    let mut clients: Vec<Stdio> = (0..8).map(|_| Stdio::start(place.command(&["mcp"]))).collect();
    for client in &mut clients {
        client.initialize();
        client.done("whoami", &json!({}));
    }
    let running = place.running().unwrap();
    assert!(is_alive(&running["pid"].to_string()));
    assert_eq!(daemons_of(&place), BTreeSet::from([running["pid"].to_string()]));
}

/// The processes that serve this data folder.
fn daemons_of(place: &Place) -> BTreeSet<String> {
    let output = Command::new("ps").args(["-eo", "pid=,args="]).output().unwrap();
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter(|line| line.contains(" serve ") && line.contains(&*place.data().to_string_lossy()))
        .filter_map(|line| line.split_whitespace().next().map(str::to_owned))
        .collect()
}

#[test]
fn a_daemon_that_was_killed_leaves_a_folder_that_the_next_one_takes_over() {
    let place = Place::new();
    let house = place.call("create_project", &json!({"name": "House"}));
    let pid = place.daemon_pid().to_string();
    assert!(Command::new("kill").args(["-9", &pid]).status().unwrap().success());
    wait_until("it is gone", || !is_alive(&pid));
    assert!(place.data().join("daemon.sock").exists(), "the socket is left behind, as after a crash");
    let versions = place.call("list_versions", &json!({"model_id": house["model_id"]}));
    assert!(versions.to_string().contains(house["model_version"].as_str().unwrap()), "{versions}");
    assert_ne!(place.daemon_pid().to_string(), pid);
}

#[test]
fn a_daemon_that_ends_keeps_models_and_sessions() {
    let place = Place::new();
    let mut agent = place.stdio();
    agent.done("create_project", &json!({"name": "House", "storeys": [{"name": "Ground", "elevation": 0}]}));
    place.end_daemon();
    assert!(!place.data().join("daemon.sock").exists());
    assert!(place.running().is_none());
    assert!(!agent.leave().success(), "the client says that its daemon ended");
    place.stdio().done("create_wall", &json!({"start": [0, 0], "end": [4000, 0], "level_id": "Ground"}));
}

#[test]
fn a_killed_worker_is_replaced() {
    let place = Place::new();
    let mut agent = place.stdio();
    agent.done("create_project", &json!({"name": "House", "storeys": [{"name": "Ground", "elevation": 0}]}));
    let first = children(place.daemon_pid());
    assert!(!first.is_empty());
    for pid in &first {
        assert!(Command::new("kill").args(["-9", pid]).status().unwrap().success());
    }
    // a call that meets the dying worker is run again on the next
    agent.done("create_wall", &json!({"start": [0, 0], "end": [4000, 0], "level_id": "Ground"}));
    assert!(children(place.daemon_pid()).iter().all(|pid| !first.contains(pid)));
    let count = agent.done("query_elements", &json!({"selector": "IfcWall"}));
    assert_eq!(count["total"], 1, "{count}");
}

#[test]
fn workers_end_with_a_daemon_that_was_killed() {
    let place = Place::new();
    place.call("create_project", &json!({"name": "House"}));
    let daemon = place.daemon_pid();
    let workers = children(daemon);
    assert!(Command::new("kill").args(["-9", &daemon.to_string()]).status().unwrap().success());
    wait_until("its workers are gone", || !workers.iter().any(|pid| is_alive(pid)));
}

#[test]
fn a_folder_with_a_long_path_works() {
    let place = Place::deep();
    let made = place.call("create_project", &json!({"name": "Deep"}));
    assert!(made["model_id"].is_string());
    let socket = place.running().unwrap()["socket"].as_str().unwrap().to_owned();
    assert!(!socket.starts_with(&*place.root().to_string_lossy()) && socket.len() < 108, "{socket}");
}

#[test]
fn a_second_server_on_the_same_folder_says_who_has_it() {
    let place = Place::new();
    let _first = place.serve();
    let second = place.run(&["serve"]);
    assert!(!second.status.success());
    let complaint = String::from_utf8(second.stderr).unwrap();
    assert!(complaint.contains("already served") && complaint.contains("http://127.0.0.1:"), "{complaint}");
    // stdio clients use the one that runs
    let foreground = place.daemon_pid();
    place.call("whoami", &json!({}));
    assert_eq!(place.daemon_pid(), foreground);
}

#[test]
fn a_daemon_without_clients_ends_and_one_with_a_client_stays() {
    let place = Place::new();
    let mut daemon =
        place.command(&["serve", "--idle-exit", "1"]).stderr(std::process::Stdio::null()).spawn().unwrap();
    wait_until("it is up", || place.running().is_some());
    let mut agent = place.stdio();
    std::thread::sleep(std::time::Duration::from_millis(2500));
    agent.done("whoami", &json!({}));
    assert!(daemon.try_wait().unwrap().is_none(), "somebody is there");
    agent.leave();
    assert!(daemon.wait().unwrap().success());
    assert!(place.running().is_none());
}

#[test]
fn a_daemon_that_cannot_start_says_why() {
    let place = Place::new();
    std::fs::create_dir_all(place.data()).unwrap();
    std::fs::write(
        place.data().join("pensaer.db"),
        "this is no database, whatever its name says ".repeat(100),
    )
    .unwrap();
    let output = place.run(&["call", "whoami"]);
    assert!(!output.status.success());
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert!(complaint.contains("could not start") && complaint.contains("store"), "{complaint}");
}

#[test]
fn a_read_only_server_answers_questions_and_changes_nothing() {
    let place = Place::new();
    place.call("create_project", &json!({"name": "House"}));
    place.end_daemon();
    let mut agent = Stdio::start({
        let mut command = place.command(&["mcp"]);
        command.env("PENSAER_READONLY", "true");
        command
    });
    agent.initialize();
    agent.done("list_models", &json!({}));
    let refused = agent.call("create_project", &json!({"name": "Another"}));
    assert_eq!(refused["structuredContent"]["code"], 1003, "{refused}");
}
