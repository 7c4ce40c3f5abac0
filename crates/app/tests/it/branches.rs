//! Branches of a house, as an agent works on them, and its history as files.

use crate::place::Place;
use crate::wire::Stdio;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

fn wall(name: &str, y: u32) -> Value {
    json!({"level_id": "Ground", "start": [0, y], "end": [4000, y], "name": name})
}

fn house(agent: &mut Stdio) -> Value {
    let storeys = json!([{"name": "Ground", "elevation": 0}]);
    agent.done("create_project", &json!({"name": "House", "storeys": storeys}))["model_id"].clone()
}

fn walls(agent: &mut Stdio, version: &str) -> Vec<String> {
    let query = json!({"selector": "IfcWall", "fields": ["Name"], "model_version": version});
    let rows = agent.done("query_elements", &query);
    let mut names: Vec<String> =
        rows["rows"].as_array().unwrap().iter().map(|row| row["Name"].as_str().unwrap().to_owned()).collect();
    names.sort();
    names
}

#[test]
fn an_agent_works_on_a_branch_and_merges_it_and_conflicts_say_what_to_do() {
    let place = Place::new();
    let mut agent = place.stdio();
    house(&mut agent);
    let host = agent.done("create_wall", &wall("Host", 0))["wall_id"].clone();
    agent.done("create_branch", &json!({"name": "variant", "reasoning": "to compare"}));
    agent.done("create_wall", &wall("On the branch", 3000));
    let door = json!({"host_id": host, "location": {"at": "center"}, "width": 900, "height": 2100,
        "opening_type": "door"});
    agent.done("create_opening", &door);
    assert_eq!(walls(&mut agent, "variant"), ["Host", "On the branch"]);
    assert_eq!(walls(&mut agent, "main"), ["Host"]);
    // on main the host goes meanwhile
    agent.done("switch_branch", &json!({"name": "main"}));
    agent.done("create_wall", &wall("On main", 6000));
    agent.done("delete_elements", &json!({"element_ids": [host]}));
    let refused = agent.call("merge_branch", &json!({"source": "variant"}));
    assert_eq!(refused["isError"], true);
    let fault = &refused["structuredContent"];
    assert_eq!(fault["code"], 1007, "{fault}");
    let conflicts = fault["data"]["conflicts"].as_array().unwrap();
    let about_host = conflicts.iter().find(|conflict| conflict["about"]["id"] == host).unwrap();
    assert_eq!((&about_host["kind"], &about_host["ours"]["removed"]), (&json!("removed"), &json!(true)));
    assert!(about_host["choose"]["theirs"].as_str().unwrap().contains("stays"), "{about_host}");
    assert_eq!(walls(&mut agent, "main"), ["On main"]);
    let merged = agent.done("merge_branch", &json!({"source": "variant", "resolve": {"*": "theirs"}}));
    assert_eq!(merged["status"], "merged");
    assert_eq!(walls(&mut agent, "main"), ["Host", "On main", "On the branch"]);
    // the branch goes on, and is merged once more from where it was
    agent.done(
        "create_wall",
        &json!({"model_version": "variant", "level_id": "Ground", "start": [0, 9000],
        "end": [4000, 9000], "name": "Later"}),
    );
    agent.done("merge_branch", &json!({"source": "variant"}));
    assert_eq!(walls(&mut agent, "main"), ["Host", "Later", "On main", "On the branch"]);
    let versions = agent.done("list_versions", &json!({"limit": 3}));
    assert_eq!((&versions["branch"], versions["branches"].as_array().unwrap().len()), (&json!("main"), 2));
    assert_eq!(versions["versions"][0]["event_type"], "VersionMerged");
    assert!(versions["versions"][0]["merged"].is_string());
    let log = agent.done("get_change_log", &json!({"limit": 2}));
    assert_eq!(log["changes"][0]["tool"], "merge_branch");
    agent.done("delete_branch", &json!({"name": "variant"}));
    assert_eq!(agent.done("validate_model", &json!({}))["errors"].as_array().map_or(0, Vec::len), 0);
    agent.done("clear_session", &json!({}));
    assert_eq!(agent.call("model_summary", &json!({}))["structuredContent"]["code"], 1011);
}

/// Two branches that each were merged into the other, with a rating that only `side` changed; the versions of main and side before.
fn crossed(agent: &mut Stdio, rated: &Value) -> [Value; 2] {
    let rate = |rating: &str, on: &str| json!({"element_ids": [rated], "pset": "Pset_WallCommon", "properties": {"FireRating": rating}, "model_version": on});
    agent.done("set_properties", &rate("30", "main"));
    agent.done("create_branch", &json!({"name": "side", "switch": false}));
    let of_side = agent.done("set_properties", &rate("60", "side"))["model_version"].clone();
    let more = json!({"level_id": "Ground", "start": [0, 3000], "end": [4000, 3000], "name": "Both", "model_version": "main"});
    let of_main = agent.done("create_wall", &more)["model_version"].clone();
    agent.done("create_branch", &json!({"name": "before", "from": "main", "switch": false}));
    agent.done("merge_branch", &json!({"source": "side", "target": "main"}));
    agent.done("merge_branch", &json!({"source": "before", "target": "side"}));
    for (name, branch, y) in [("On main", "main", 6000), ("On side", "side", 9000)] {
        let wall = json!({"level_id": "Ground", "start": [0, y], "end": [4000, y], "name": name, "model_version": branch});
        agent.done("create_wall", &wall);
    }
    [of_main, of_side]
}

fn rating(agent: &mut Stdio, wall: &Value) -> Value {
    let found = agent
        .done("get_element", &json!({"element_id": wall, "include": ["psets"], "model_version": "main"}));
    found["psets"]["Pset_WallCommon"]["FireRating"].clone()
}

#[test]
fn branches_that_were_merged_into_each_other_merge_where_it_does_not_matter_from_where() {
    let place = Place::new();
    let mut agent = place.stdio();
    house(&mut agent);
    let rated = agent.done("create_wall", &wall("Rated", 0))["wall_id"].clone();
    crossed(&mut agent, &rated);
    agent.done("merge_branch", &json!({"source": "side", "target": "main"}));
    assert_eq!(walls(&mut agent, "main"), ["Both", "On main", "On side", "Rated"]);
    assert!(rating(&mut agent, &rated).to_string().contains("60"));
    assert_eq!(agent.done("validate_model", &json!({}))["errors"].as_array().map_or(0, Vec::len), 0);
}

#[test]
fn where_it_matters_from_which_common_version_changes_are_counted_somebody_is_asked() {
    let place = Place::new();
    let mut agent = place.stdio();
    house(&mut agent);
    let rated = agent.done("create_wall", &wall("Rated", 0))["wall_id"].clone();
    let [of_main, of_side] = crossed(&mut agent, &rated);
    for (rating, branch) in [("90", "main"), ("120", "side")] {
        let later = json!({"element_ids": [rated], "pset": "Pset_WallCommon", "properties": {"FireRating": rating},
            "model_version": branch});
        agent.done("set_properties", &later);
    }
    let merge = |more: &Value| {
        let mut arguments = json!({"source": "side", "target": "main"});
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        arguments
    };
    let refused = agent.call("merge_branch", &merge(&json!({})));
    let fault = &refused["structuredContent"];
    assert_eq!(fault["code"], 1007, "{refused}");
    let offered = fault["data"]["ancestors"].as_array().unwrap();
    let conflicts = |of: &Value| {
        offered.iter().find(|one| one["ancestor"] == *of).unwrap_or_else(|| panic!("{fault}"))["conflicts"]
            .clone()
    };
    for ancestor in [&of_side, &of_main] {
        assert!(conflicts(ancestor).as_u64() > Some(0), "{fault}");
    }
    let unknown = agent.call("merge_branch", &merge(&json!({"ancestor": "ffffffff"})));
    assert_eq!(unknown["structuredContent"]["data"]["field"], "ancestor", "{unknown}");
    let conflicting = agent.call("merge_branch", &merge(&json!({"ancestor": of_side})));
    assert!(conflicting["structuredContent"]["data"]["conflicts"].is_array(), "{conflicting}");
    agent.done("merge_branch", &merge(&json!({"ancestor": of_side, "resolve": {"*": "ours"}})));
    assert_eq!(walls(&mut agent, "main"), ["Both", "On main", "On side", "Rated"]);
    assert!(rating(&mut agent, &rated).to_string().contains("90"));
}

#[test]
fn a_history_is_exported_as_files_that_are_what_save_model_writes() {
    let place = Place::new();
    let mut agent = place.stdio();
    let model = house(&mut agent);
    agent.done("create_wall", &wall("First", 0));
    agent.done("create_branch", &json!({"name": "variant"}));
    agent.done(
        "create_wall",
        &json!({"level_id": "Ground", "start": [0, 3000], "end": [4000, 3000],
        "name": "Second", "reasoning": "the plan\nshows it"}),
    );
    agent.done(
        "create_wall",
        &json!({"level_id": "Ground", "start": [0, 6000], "end": [4000, 6000],
        "name": "Third", "model_version": "main"}),
    );
    agent.done("merge_branch", &json!({"source": "variant"}));
    let out = place.root().join("history");
    let export = ["admin", "export-history", "House", "--out", out.to_str().unwrap()];
    let done = place.run(&export);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let answer: Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!((&answer["model_id"], &answer["versions"]), (&model, &json!(5)));
    let log = std::fs::read_to_string(out.join("history.jsonl")).unwrap();
    let entries: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(entries.len(), 5);
    let mut known: Vec<Value> = Vec::new();
    for entry in &entries {
        for parent in ["parent", "merged"].iter().filter_map(|name| entry.get(*name)) {
            assert!(known.contains(parent), "a version comes after those that it comes from");
        }
        known.push(entry["version"].clone());
        let bytes = std::fs::read(out.join(entry["file"].as_str().unwrap())).unwrap();
        let saved = place.root().join("saved.ifc");
        agent.done(
            "save_model",
            &json!({"file_path": saved, "overwrite": true, "model_version": entry["version"]}),
        );
        assert!(std::fs::read(&saved).unwrap() == bytes, "{entry}");
        assert_eq!(entry["sha256"], contract::hex(&Sha256::digest(&bytes)).as_str());
    }
    assert_eq!(entries[4]["event_type"], "VersionMerged");
    assert_eq!(entries[4]["branches"], json!(["main"]));
    let text = std::fs::read_to_string(out.join("HISTORY.md")).unwrap();
    assert!(text.contains("> the plan\n> shows it") && text.contains("- added: 1 IfcWall"), "{text}");
    // a folder that is not empty is left alone
    let again = place.run(&export);
    assert!(!again.status.success());
    assert!(String::from_utf8_lossy(&again.stderr).contains("not empty"));
}
