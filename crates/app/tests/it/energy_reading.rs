//! What agents read of energy models, as a client of the energy server sees it.

use crate::place::Place;
use crate::wire::Stdio;
use serde_json::{Value, json};
use std::process::Command;

/// A house of one zone with a schedule, as IDF.
const HOUSE: &str = "Version,25.2;\nBuilding,House;\nTimestep,4;\nGlobalGeometryRules,UpperLeftCorner,Counterclockwise,World;\n\
    Zone,Core;\nMaterial:NoMass,M,Rough,1;\nConstruction,C,M;\n\
    BuildingSurface:Detailed,South,Wall,C,Core,,Outdoors,,SunExposed,WindExposed,,4,0,0,3,0,0,0,4,0,0,4,0,3;\n\
    FenestrationSurface:Detailed,Win,Window,C,South,,,,,4,1,0,2,1,0,1,3,0,1,3,0,2;\n\
    Schedule:Compact,Office,,Through: 12/31,For: Weekdays,Until: 8:00,0,Until: 18:00,1,Until: 24:00,0,For: AllOtherDays,Until: 24:00,0;\n";

fn energy(place: &Place) -> Stdio {
    let mut agent = Stdio::start(place.command(&["mcp", "energy"]));
    agent.initialize();
    agent
}

fn with_house(place: &Place) -> Stdio {
    let mut agent = energy(place);
    std::fs::write(place.root().join("house.idf"), HOUSE).unwrap();
    agent.done("load_model", &json!({"file_path": "house.idf"}));
    agent
}

fn read(agent: &mut Stdio, uri: &str) -> Value {
    let answer = agent.ask("resources/read", &json!({"uri": uri}));
    let text = answer["result"]["contents"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}"));
    serde_json::from_str(text).unwrap()
}

#[test]
fn the_list_of_the_energy_servers_tools_is_short_and_has_the_names_that_clients_know() {
    let place = Place::new();
    let mut agent = energy(&place);
    let list = agent.ask("tools/list", &json!({}))["result"].clone();
    let tools = list["tools"].as_array().unwrap();
    let characters = list.to_string().chars().count();
    let mut sizes: Vec<(usize, &str)> =
        tools.iter().map(|tool| (tool.to_string().len(), tool["name"].as_str().unwrap())).collect();
    sizes.sort_unstable();
    eprintln!("energy: {} tools, {characters} characters: {sizes:?}", tools.len());
    assert!(characters <= 20_000, "{} tools have {characters} characters: {sizes:?}", tools.len());
    for name in [
        "list_output_variables",
        "query_timeseries",
        "export_timeseries",
        "query_simulation_table",
        "list_simulation_reports",
        "view_simulation_report",
        "analyze_peak_loads",
        "view_geometry",
        "view_schedules",
        "search_docs",
        "get_doc_section",
    ] {
        let tool = tools.iter().find(|tool| tool["name"] == name).unwrap_or_else(|| panic!("{name}"));
        assert_eq!(tool["inputSchema"]["type"], "object", "{name}");
        assert!(tool["description"].as_str().is_some_and(|text| !text.is_empty()), "{name}");
    }
    // those of a set that is not listed are described, and listed once it is asked for
    for name in ["store_files", "list_files", "file_manager"] {
        assert!(tools.iter().all(|tool| tool["name"] != name), "{name} is listed");
        assert_eq!(agent.done("describe_tool", &json!({"name": name}))["name"], name);
    }
    agent.done("enable_toolset", &json!({"name": "files"}));
    let list = agent.ask("tools/list", &json!({}))["result"]["tools"].clone();
    for name in ["store_files", "list_files", "file_manager"] {
        assert!(list.as_array().unwrap().iter().any(|tool| tool["name"] == name), "{name} is not listed");
    }
    // what is not listed is still taken, and what is unknown is not
    agent.done("new_model", &json!({"name": "Empty"}));
    agent.done("list_objects", &json!({"object_type": "Zone", "model_id": "Empty"}));
    let refused = agent.call("list_objects", &json!({"object_type": "Zone", "limits": 3}));
    assert!(refused.to_string().contains("limit"), "{refused}");
}

#[test]
fn energy_resources_are_read_and_an_edit_is_told_of() {
    let place = Place::new();
    let mut agent = with_house(&place);
    let listed = agent.ask("resources/list", &json!({}))["result"]["resources"].clone();
    for uri in ["idfkit://model/summary", "idfkit://simulation/results", "ui://pensaer/energy-geometry"] {
        assert!(listed.as_array().unwrap().iter().any(|resource| resource["uri"] == uri), "{uri}: {listed}");
    }
    let summary = read(&mut agent, "idfkit://model/summary");
    assert_eq!((&summary["zone_count"], &summary["version"]), (&json!(1), &json!("25.2")), "{summary}");
    let object = read(&mut agent, "idfkit://model/objects/Zone/Core");
    assert_eq!(object["name"], "Core");
    let references = read(&mut agent, "idfkit://model/references/South");
    assert_eq!(references["referenced_by"][0]["name"], "Win", "{references}");
    assert!(references["references"].to_string().contains("Core"), "{references}");
    assert_eq!(read(&mut agent, "idfkit://schema/Zone")["object_type"], "Zone");
    assert!(read(&mut agent, "idfkit://docs/People")["text"].as_str().unwrap().contains("people"));
    let none = agent.ask("resources/read", &json!({"uri": "idfkit://simulation/results"}));
    assert_eq!(none["error"]["message"], "No simulation results available. Use run_simulation first.");
    let lost = agent.ask("resources/read", &json!({"uri": "idfkit://model/objects/Zone/Cor"}));
    assert_eq!(lost["error"]["data"]["data"]["near_matches"][0], "Core", "{lost}");
    agent.ask("resources/subscribe", &json!({"uri": "idfkit://model/summary"}));
    let mut other = energy(&place);
    other.done("add_object", &json!({"object_type": "Zone", "name": "Annex"}));
    let told = agent.receive();
    assert_eq!(told["params"]["uri"], "idfkit://model/summary", "{told}");
    assert_eq!(read(&mut agent, "idfkit://model/summary")["zone_count"], 2);
}

#[test]
fn geometry_and_schedules_are_told_in_short_with_a_page_beside() {
    let place = Place::new();
    let mut agent = with_house(&place);
    let geometry = agent.done("view_geometry", &json!({}));
    assert_eq!(geometry["kinds"]["wall"], json!({"surfaces": 1, "area": 12.0}), "{geometry}");
    assert_eq!(geometry["facades"]["S"], json!([12.0, 2.0]), "{geometry}");
    assert_eq!(geometry["surfaces"].as_array().unwrap().len(), 2);
    let schedules = agent.done("view_schedules", &json!({"name": "office", "year": 2024}));
    assert_eq!((&schedules["hours"], &schedules["total"]), (&json!(8784), &json!(1)));
    let office = &schedules["schedules"][0];
    assert_eq!(office["profiles"][0]["until_hour"], json!([[8, 0.0], [18, 1.0], [24, 0.0]]), "{office}");
    assert_eq!(office["profiles"][0]["days"], 262);
    let refused = agent.call("view_schedules", &json!({"name": "offic"}));
    assert_eq!(refused["structuredContent"]["data"]["near_matches"][0], "Office", "{refused}");
    agent.done("enable_toolset", &json!({"name": "files"}));
    let tools = agent.ask("tools/list", &json!({}))["result"]["tools"].clone();
    for name in ["view_geometry", "view_schedules", "view_simulation_report", "file_manager"] {
        let tool = tools.as_array().unwrap().iter().find(|tool| tool["name"] == name).unwrap();
        let uri = tool["_meta"]["ui"]["resourceUri"].as_str().unwrap();
        let page = agent.ask("resources/read", &json!({"uri": uri}))["result"]["contents"][0].clone();
        assert_eq!(page["mimeType"], "text/html;profile=mcp-app", "{name}");
        assert!(page["text"].as_str().unwrap().contains("default-src 'none'"), "{name}");
    }
}

#[test]
fn a_server_that_is_killed_forgets_neither_edits_nor_what_the_session_worked_on() {
    let place = Place::new();
    let mut agent = with_house(&place);
    let mut acknowledged = vec!["Core".to_owned()];
    for n in 0..6_u64 {
        let name = format!("Zone {n}");
        agent.done("add_object", &json!({"object_type": "Zone", "name": name}));
        acknowledged.push(name);
        // another is under way, some of these times
        agent.send(&json!({"jsonrpc": "2.0", "id": 9000 + n, "method": "tools/call", "params": {
            "name": "add_object", "arguments": {"object_type": "Zone", "name": format!("Perhaps {n}")}}}));
        std::thread::sleep(std::time::Duration::from_millis(n * 3));
        let killed = Command::new("kill").args(["-9", &place.daemon_pid().to_string()]).status();
        assert!(killed.unwrap().success());
        // the same folder is the same session: nothing is loaded again
        agent = energy(&place);
        let listed = agent.done("list_objects", &json!({"object_type": "Zone", "limit": 100}));
        let text = listed.to_string();
        for name in &acknowledged {
            assert_eq!(text.matches(&format!("\"{name}\"")).count(), 1, "{name}: {text}");
        }
        assert!(text.matches(&format!("\"Perhaps {n}\"")).count() <= 1, "{text}");
    }
}

#[test]
fn values_of_a_schedule_come_from_a_file_that_was_sent() {
    let place = Place::new();
    let mut agent = energy(&place);
    let model =
        "Version,25.2;\nTimestep,4;\nSchedule:File,Filed,,C:\\data\\hours.csv,2,1,8760,Semicolon,Yes,30;\n";
    std::fs::write(place.root().join("filed.idf"), model).unwrap();
    agent.done("load_model", &json!({"file_path": "filed.idf"}));
    let without = agent.done("view_schedules", &json!({}));
    assert_eq!(without["missing_files"], json!(["C:\\data\\hours.csv"]), "{without}");
    assert!(without["skipped"][0]["reason"].as_str().unwrap().contains("send it"), "{without}");
    let rows: Vec<String> = (0..17520).map(|at| format!("x;{}", at % 48)).collect();
    let contract::Source::Inline(data) =
        contract::Source::inline(format!("a;b\n{}\n", rows.join("\n")).as_bytes())
    else {
        panic!("not inline");
    };
    agent.done("store_files", &json!({"files": [{"name": "hours.csv", "data": data}]}));
    let with = agent.done("view_schedules", &json!({"name": "Filed", "year": 2023}));
    assert!(with.get("missing_files").is_none(), "{with}");
    let filed = &with["schedules"][0];
    assert_eq!(
        (&filed["profile_count"], &filed["mean"], &filed["maximum"]),
        (&json!(1), &json!(23.5), &json!(46.5))
    );
    // a line that is no number is named
    let contract::Source::Inline(data) = contract::Source::inline(b"a;b\nx;1\nx;high\n") else {
        panic!("not inline");
    };
    agent.done("store_files", &json!({"files": [{"name": "hours.csv", "data": data}]}));
    let wrong = agent.done("view_schedules", &json!({"name": "Filed"}));
    assert!(wrong["skipped"][0]["reason"].as_str().unwrap().contains("row 3"), "{wrong}");
}

#[test]
fn files_sent_within_a_call_are_listed_and_loaded() {
    let place = Place::new();
    let mut agent = energy(&place);
    // `Version,25.2;\nZone,Z;\n`
    let stored = agent.done(
        "store_files",
        &json!({"files": [{"name": "small.idf", "type": "text/plain", "size": 22, "data": "VmVyc2lvbiwyNS4yOwpab25lLFo7Cg=="}]}),
    );
    assert_eq!(stored["files"][0]["size"], 22, "{stored}");
    let listed = agent.done("list_files", &json!({}));
    assert_eq!(listed["files"][0]["bucket_key"], stored["files"][0]["bucket_key"], "{listed}");
    assert_eq!(agent.done("file_manager", &json!({}))["files"][0]["name"], "small.idf");
    agent.done("load_model", &json!({"upload_name": "small.idf"}));
    assert_eq!(agent.done("list_objects", &json!({"object_type": "Zone"}))["total"], 1);
    for (file, why) in [
        (json!({"name": "../up.idf", "data": "QQ=="}), "without slashes"),
        (json!({"name": ".hidden", "data": "QQ=="}), "dot"),
        (json!({"name": "a.idf", "data": "%%"}), "base64"),
        (json!({"name": "a.idf", "data": "QQ==", "size": 7}), "size"),
    ] {
        let refused = agent.call("store_files", &json!({"files": [file]}));
        assert!(refused["isError"] == true && refused.to_string().contains(why), "{refused}");
    }
}

#[test]
fn documentation_is_searched_in_the_schema_and_in_what_the_operator_gave() {
    let place = Place::new();
    let folder = place.root().join("docs");
    std::fs::create_dir_all(folder.join("v25.2")).unwrap();
    let index = json!({"config": {"separator": "[\\s-]+"}, "items": [
        {"location": "eng/balance/", "title": "Zone heat balance", "text": "<p>Sum of gains</p>", "path": ["Eng"], "tags": ["Engineering Reference"]}
    ]});
    std::fs::write(folder.join("v25.2/search.json"), index.to_string()).unwrap();
    let mut command = place.command(&["mcp", "energy"]);
    command.env("PENSAER_DOCS_DIR", &folder);
    let mut agent = Stdio::start(command);
    agent.initialize();
    let found = agent.done("search_docs", &json!({"query": "zone heat balance", "limit": 3}));
    let places: Vec<&str> =
        found["results"].as_array().unwrap().iter().map(|hit| hit["location"].as_str().unwrap()).collect();
    assert!(places.contains(&"eng/balance/") && places.iter().any(|at| at.starts_with("schema/")), "{found}");
    let section = agent.done("get_doc_section", &json!({"location": "eng/balance/"}));
    assert_eq!((&section["text"], &section["truncated"]), (&json!("Sum of gains"), &json!(false)));
    let part = agent.done("get_doc_section", &json!({"location": "schema/People", "max_length": 100}));
    assert_eq!((part["text"].as_str().unwrap().len(), &part["next_offset"]), (100, &json!(100)));
    let unknown = agent.call("search_docs", &json!({"query": "zone", "version": "8.1"}));
    assert!(unknown.to_string().contains("25.2"), "{unknown}");
    // nothing was given here: the schema's own texts are there all the same
    let other = Place::new();
    let mut agent = energy(&other);
    assert!(agent.done("search_docs", &json!({"query": "infiltration"}))["count"].as_u64().unwrap() > 0);
}

#[test]
fn results_are_asked_for_in_vain_where_nothing_was_simulated() {
    let place = Place::new();
    let mut agent = with_house(&place);
    for (name, arguments) in [
        ("list_output_variables", json!({})),
        ("query_timeseries", json!({"variable_name": "x"})),
        ("export_timeseries", json!({"variable_name": "x", "output_path": "x.csv"})),
        ("query_simulation_table", json!({"report_name": "x"})),
        ("list_simulation_reports", json!({})),
        ("view_simulation_report", json!({})),
        ("analyze_peak_loads", json!({})),
        ("get_results_summary", json!({})),
    ] {
        let fault = agent.call(name, &arguments)["structuredContent"].clone();
        assert_eq!(fault["code"], 1012, "{name}: {fault}");
        assert_eq!(fault["message"], "No simulation results available. Use run_simulation first.");
    }
}

#[test]
fn a_model_of_another_version_decides_what_its_session_is_told_of_types() {
    let place = Place::new();
    let mut agent = energy(&place);
    let version = |agent: &mut Stdio| {
        agent.done("describe_object_type", &json!({"object_type": "Zone"}))["version"].clone()
    };
    assert_eq!(version(&mut agent), "25.2.0");
    let older = HOUSE.replace("Version,25.2", "Version,9.2").replace("C,Core,,Outdoors", "C,Core,Outdoors");
    std::fs::write(place.root().join("older.idf"), older).unwrap();
    let loaded = agent.done("load_model", &json!({"file_path": "older.idf"}));
    assert!(loaded["version"].as_str().unwrap().contains("9.2"), "{loaded}");
    assert_eq!(version(&mut agent), "9.2.0");
    assert_eq!(read(&mut agent, "idfkit://schema/Zone")["version"], "9.2.0");
    assert_eq!(read(&mut agent, "idfkit://docs/People")["version"], "9.2");
    let summary = read(&mut agent, "idfkit://model/summary");
    assert_eq!((&summary["version"], &summary["schema"]), (&json!("9.2"), &json!("9.2")), "{summary}");
    assert_eq!(agent.done("search_docs", &json!({"query": "infiltration"}))["version"], "9.2");
    let asked = agent.done("describe_object_type", &json!({"object_type": "Zone", "version": "26.1"}));
    assert_eq!(asked["version"], "26.1.0");
    let valid = agent.done("validate_model", &json!({}));
    assert_eq!((&valid["valid"], &valid["schema"]), (&json!(true), &json!("EnergyPlus 9.2.0")), "{valid}");
    // edited and begun anew by another worker: the same
    agent.done(
        "update_object",
        &json!({"object_type": "BuildingSurface:Detailed", "name": "South",
        "fields": {"outside_boundary_condition": "Adiabatic"}}),
    );
    agent.done("save_model", &json!({"file_path": "older.epJSON"}));
    let mut other = energy(&place);
    other.done("load_model", &json!({"file_path": "older.epJSON"}));
    let wall = read(&mut other, "idfkit://model/objects/BuildingSurface%3ADetailed/South");
    assert_eq!(wall["fields"]["outside_boundary_condition"], "Adiabatic", "{wall}");
    assert_eq!(version(&mut other), "9.2.0");
}
