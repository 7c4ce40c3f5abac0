//! What an agent is given to read before its first call, whole: the snapshot shows what a change costs in context.

use crate::place::Place;
use crate::wire::Stdio;
use serde_json::{Value, json};

/// Every tool, with the schemas of answers.
fn everything(place: &Place) -> Vec<Value> {
    let mut agent = Stdio::start(place.command(&["mcp", "all", "--output-schemas"]));
    agent.initialize();
    agent.ask("tools/list", &json!({}))["result"]["tools"].as_array().unwrap().clone()
}

#[test]
fn the_whole_surface_is_as_it_was_last_seen() {
    let place = Place::new();
    let mut agent = Stdio::start(place.command(&["mcp", "all"]));
    agent.initialize();
    let list = agent.ask("tools/list", &json!({}))["result"].clone();
    let mut text = String::new();
    for tool in list["tools"].as_array().unwrap() {
        text.push_str(&serde_json::to_string_pretty(tool).unwrap());
        text.push('\n');
    }
    insta::assert_snapshot!("tools", text);
}

#[test]
fn every_tool_says_what_strict_clients_ask_for() {
    let place = Place::new();
    for tool in everything(&place) {
        let name = tool["name"].as_str().unwrap();
        assert!(
            tool["description"].as_str().is_some_and(|text| !text.is_empty()),
            "{name} has no description"
        );
        for schema in ["inputSchema", "outputSchema"] {
            assert_eq!(tool[schema]["type"], "object", "{name}.{schema}");
            check_schema(&format!("{name}.{schema}"), &tool[schema]);
        }
        let reaches_out = name == "download_weather_file";
        let hint = tool["annotations"].get("openWorldHint");
        assert_eq!(hint.is_none(), reaches_out, "{name} reaches into the network, or says so wrongly");
        let acts = [
            "clear_session",
            "switch_branch",
            "get_upload_link",
            "get_download_link",
            "export_timeseries",
            "export_ifc",
        ];
        let reads = tool["annotations"]["readOnlyHint"] == true;
        assert!(!(acts.contains(&name) && reads), "{name} does more than read");
    }
}

/// A hint of a tool, with what the protocol says that holds where it is not given.
fn hint(tool: &Value, name: &str, otherwise: bool) -> bool {
    tool["annotations"].get(name).map_or(otherwise, |hint| hint == true)
}

#[test]
fn every_tool_is_annotated_by_what_it_does() {
    let place = Place::new();
    let specs: Value = serde_json::from_slice(&place.run(&["tools", "--json"]).stdout).unwrap();
    let specs = specs.as_array().unwrap();
    for tool in everything(&place) {
        let name = tool["name"].as_str().unwrap();
        let spec = specs.iter().find(|spec| spec["name"] == name).unwrap();
        let does = |what: &str| spec[what] == true;
        let reads = spec["effect"] == "query" && !does("side_effects");
        assert_eq!(hint(&tool, "readOnlyHint", false), reads, "{name}");
        if !reads {
            assert_eq!(hint(&tool, "destructiveHint", true), does("destructive"), "{name}");
            assert_eq!(hint(&tool, "idempotentHint", false), does("idempotent"), "{name}");
        }
        assert_eq!(hint(&tool, "openWorldHint", true), does("open_world"), "{name}");
        let takes_away = ["delete_", "remove_"].iter().any(|word| name.starts_with(word));
        assert!(!takes_away || hint(&tool, "destructiveHint", true), "{name} takes something away");
        assert!(!takes_away || !reads, "{name} takes something away");
        assert!(spec["title"].as_str().is_some_and(|title| !title.is_empty()), "{name}");
    }
}

/// Strict clients warn about lists of types and about number formats that JSON Schema does not know.
fn check_schema(place: &str, schema: &Value) {
    match schema {
        Value::Object(map) => {
            if map.contains_key("properties") || map.contains_key("description") {
                assert!(!map.get("type").is_some_and(Value::is_array), "{place}: {schema}");
            }
            // clients that hand schemas on to a model's own format refuse a list of anything
            let of_anything = map.get("items").is_some_and(Value::is_boolean);
            assert!(!(of_anything && place.contains(".inputSchema")), "{place}: {schema}");
            for (name, value) in map {
                check_schema(&format!("{place}.{name}"), value);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| check_schema(place, item)),
        _ => {}
    }
}

#[test]
fn the_page_of_view_definitions_is_what_their_tables_say() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/exchange-views.md");
    if std::env::var_os("PENSAER_WRITE").is_some() {
        std::fs::write(path, exchange::page()).unwrap();
    }
    let stands = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        stands == exchange::page(),
        "docs/exchange-views.md is not what the tables say: PENSAER_WRITE=1 cargo nextest run -p app view_definitions"
    );
}
