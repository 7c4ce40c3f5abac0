//! What an agent is given to read before its first call, whole: the snapshot shows what a change costs in context.

use crate::place::Place;
use serde_json::{Value, json};

#[test]
fn the_whole_surface_is_as_it_was_last_seen() {
    let place = Place::new();
    let mut agent = place.stdio();
    let list = agent.ask("tools/list", &json!({}))["result"].clone();
    let tools = list["tools"].as_array().unwrap();
    let characters = list.to_string().chars().count();
    let without_output: usize = tools
        .iter()
        .map(|tool| {
            let mut tool = tool.clone();
            tool.as_object_mut().unwrap().remove("outputSchema");
            tool.to_string().chars().count()
        })
        .sum();
    eprintln!(
        "tools/list: {} tools, {characters} characters, {without_output} without output schemas",
        tools.len()
    );
    let mut text = String::new();
    for tool in tools {
        text.push_str(&serde_json::to_string_pretty(tool).unwrap());
        text.push('\n');
    }
    insta::assert_snapshot!("tools", text);
}

#[test]
fn every_tool_says_what_strict_clients_ask_for() {
    let place = Place::new();
    let mut agent = place.stdio();
    let list = agent.ask("tools/list", &json!({}))["result"]["tools"].clone();
    for tool in list.as_array().unwrap() {
        let name = tool["name"].as_str().unwrap();
        for member in ["title", "description"] {
            assert!(tool[member].as_str().is_some_and(|text| !text.is_empty()), "{name} has no {member}");
        }
        for schema in ["inputSchema", "outputSchema"] {
            assert_eq!(tool[schema]["type"], "object", "{name}.{schema}");
            check_schema(&format!("{name}.{schema}"), &tool[schema]);
        }
        assert_eq!(tool["annotations"]["openWorldHint"], false, "{name}");
        assert!(tool["annotations"]["readOnlyHint"].is_boolean(), "{name}");
    }
}

/// Strict clients warn about lists of types and about number formats that JSON Schema does not know.
fn check_schema(place: &str, schema: &Value) {
    match schema {
        Value::Object(map) => {
            if map.contains_key("properties") || map.contains_key("description") {
                assert!(!map.get("type").is_some_and(Value::is_array), "{place}: {schema}");
            }
            for (name, value) in map {
                check_schema(&format!("{place}.{name}"), value);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| check_schema(place, item)),
        _ => {}
    }
}
