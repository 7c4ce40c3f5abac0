//! What an agent is given to read before its first call, in characters: the costs are printed, and bounded.

use crate::place::Place;
use crate::wire::Stdio;
use serde_json::{Value, json};

/// The characters that each list of tools may have, as it is sent.
const LIMITS: [(&str, usize); 11] = [
    ("", 24_000),
    ("model", 9_000),
    ("geometry", 9_000),
    ("spatial", 9_000),
    ("validation", 9_000),
    ("documentation", 9_000),
    ("knowledge", 9_000),
    ("governance", 9_000),
    ("viewer", 9_000),
    ("energy", 20_000),
    ("code", 4_000),
];

fn listed(place: &Place, profile: &str) -> Value {
    let arguments: Vec<&str> = ["mcp", profile].into_iter().filter(|word| !word.is_empty()).collect();
    let mut agent = Stdio::start(place.command(&arguments));
    agent.initialize();
    agent.ask("tools/list", &json!({}))["result"].clone()
}

fn characters(value: &Value) -> usize {
    value.to_string().chars().count()
}

#[test]
fn no_list_of_tools_costs_more_than_its_budget() {
    let place = Place::new();
    let mut too_long = Vec::new();
    for (profile, limit) in LIMITS {
        let list = listed(&place, profile);
        let spent = characters(&list);
        let tools = list["tools"].as_array().unwrap();
        let name = if profile.is_empty() { "usual" } else { profile };
        println!("{name}: {spent} of {limit} characters, {} tools", tools.len());
        let mut costs: Vec<(usize, &str)> =
            tools.iter().map(|tool| (characters(tool), tool["name"].as_str().unwrap())).collect();
        costs.sort_by(|a, b| b.cmp(a));
        for (cost, tool) in costs {
            println!("  {cost:5} {tool}");
        }
        if spent > limit {
            too_long.push(format!("{name}: {spent} > {limit}"));
        }
    }
    assert!(too_long.is_empty(), "{too_long:?}; shorten, or list less by default");
}

#[test]
fn the_parameters_of_every_tool_keep_their_names_in_each_list() {
    let place = Place::new();
    let whole: Value = serde_json::from_slice(&place.run(&["tools", "--json"]).stdout).unwrap();
    let all = listed(&place, "all");
    let is_for_agents = |spec: &&Value| spec["name"] != "enable_toolset" && spec["for_pages_only"] != true;
    for spec in whole.as_array().unwrap().iter().filter(is_for_agents) {
        let tool = all["tools"].as_array().unwrap().iter().find(|tool| tool["name"] == spec["name"]);
        let tool = tool.unwrap_or_else(|| panic!("{} is not listed under `all`", spec["name"]));
        for (name, about) in spec["input_schema"]["properties"].as_object().unwrap() {
            let told = tool["inputSchema"]["properties"].get(name);
            // given by pages alone, or of use only with a back end that is not here
            let is_kept_back = about["x-page"] == true || about.get("x-backend").is_some();
            assert_eq!(told.is_none(), is_kept_back, "{}.{name}", spec["name"]);
            assert!(told.is_none_or(|told| told.get("x-common").is_none()), "{}.{name}", spec["name"]);
        }
    }
}

#[test]
fn words_of_a_user_lead_to_the_tool() {
    let place = Place::new();
    let mut agent = Stdio::start(place.command(&["mcp"]));
    agent.initialize();
    let mut wrong = Vec::new();
    for (query, wanted) in [
        ("compare versions", "diff_versions"),
        ("how many doors", "query_elements"),
        ("escape route", "egress_analysis"),
        ("who is next to which room", "adjacency_matrix"),
        ("make the door wider", "modify_parameter"),
        ("rename rooms", "rename_elements"),
        ("paint area of walls", "room_analysis"),
        ("room schedule excel", "generate_schedule"),
        ("area of rooms", "room_analysis"),
        ("find collisions between pipes and walls", "clash_detection"),
        ("distance between two elements", "measure"),
        ("drawing set as pdf", "create_sheet"),
        ("floor plan", "create_section"),
        ("what changed", "diff_versions"),
        ("wheelchair access", "accessibility_check"),
        ("bill of quantities", "quantity_takeoff"),
        ("combine two models", "export_ifc"),
    ] {
        let found = agent.done("search_tools", &json!({"query": query}));
        let names: Vec<&str> = found["tools"]
            .as_array()
            .unwrap()
            .iter()
            .take(4)
            .map(|tool| tool["name"].as_str().unwrap())
            .collect();
        if !names.contains(&wanted) {
            wrong.push(format!("{query}: {names:?} without {wanted}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
