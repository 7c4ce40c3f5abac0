//! A person at the viewer and an agent beside them: what is selected and pointed at there is told here, and a page in a chat draws the model.

use crate::place::Place;
use crate::wire::{Stdio, request};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

fn with_room(place: &Place) -> (Stdio, String, String) {
    let mut agent = Stdio::start(place.command(&["mcp", "all"]));
    agent.initialize();
    agent.done("create_project", &json!({"name": "House", "storeys": [{"name": "Ground", "elevation": 0}]}));
    let shell = json!({"footprint": [[0, 0], [6000, 0], [6000, 4000], [0, 4000]], "storeys": 1});
    let made = agent.done("create_building_shell", &shell);
    assert!(made["model_version"].is_string());
    let room = json!({"boundary_points": [[300, 300], [5700, 300], [5700, 3700], [300, 3700]], "level_id": "Ground"});
    let version = agent.done("create_space", &room)["model_version"].as_str().unwrap().to_owned();
    let models = agent.done("list_models", &json!({}));
    (agent, models["models"][0]["model_id"].as_str().unwrap().to_owned(), version)
}

fn put(place: &Place, viewer: &str, body: &Value) -> (u16, String) {
    let path = format!("/api/viewers/{viewer}");
    let headers = ["content-type: application/json"];
    let answer = request(&place.address(), "PUT", &path, &headers, body.to_string().as_bytes());
    (answer.status, answer.text())
}

#[test]
fn a_person_shows_the_agent_what_is_selected() {
    let place = Place::new();
    let (mut agent, model, version) = with_room(&place);
    let nobody = agent.done("get_viewer_selection", &json!({}));
    assert_eq!(nobody["viewers"], json!([]));
    assert!(nobody["notes"][0].as_str().unwrap().contains("/viewer?model="), "{nobody}");

    let walls = agent.done("query_elements", &json!({"selector": "IfcWall"}));
    let ids: Vec<&str> =
        walls["rows"].as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap()).collect();
    let sight = json!({
        "selection": [ids[1], ids[0]],
        "storey": "Ground",
        "camera": {"eye": [9000, -8000, 5000], "target": [3000, 2000, 1000]},
        "marks": [{"points": [[3000, 2000, 0], [3000, -5000, 0]], "on": [ids[2], null]}],
        "sections": [{"point": [0, 0, 1200], "normal": [0, 0, 1]}],
    });
    let shown = json!({"model_id": model, "model_version": version, "sight": sight});
    assert_eq!(put(&place, "tab-1", &shown).0, 204);
    let told = agent.done("get_viewer_selection", &json!({}));
    let viewer = &told["viewers"][0];
    let names: Vec<&Value> = viewer["elements"].as_array().unwrap().iter().map(|row| &row["id"]).collect();
    assert_eq!(names, [ids[1], ids[0]], "{told}");
    assert_eq!(viewer["elements"][0]["class"], "IfcWall", "{told}");
    assert_eq!((&viewer["selected"], &viewer["storey"]), (&json!(2), &json!("Ground")), "{told}");
    let points = viewer["marks"][0]["points"].as_array().unwrap();
    assert_eq!(points[0]["on"], ids[2], "{told}");
    assert!(points[0]["room"].is_string() && points[1].get("room").is_none(), "{told}");
    assert_eq!(
        agent.done("get_viewer_selection", &json!({"limit": 1}))["viewers"][0]["elements"][0]["id"],
        ids[0]
    );
    // the resource says the same
    let uri = format!("pensaer://models/{model}/viewer");
    let read = agent.ask("resources/read", &json!({"uri": uri}));
    let text = read["result"]["contents"][0]["text"].as_str().unwrap();
    assert!(text.contains(ids[0]) && text.contains("seconds_ago"), "{text}");

    // another tab is another sight, and a person has to be one of those who look
    let second =
        json!({"model_id": model, "model_version": version, "sight": {"selection": ["gone", ids[3]]}});
    assert_eq!(put(&place, "tab-2", &second).0, 204);
    let both = agent.done("get_viewer_selection", &json!({"person": viewer["person"]}));
    assert_eq!(both["viewers"].as_array().unwrap().len(), 2, "{both}");
    assert_eq!(both["viewers"][0]["elements"][0], json!({"id": "gone"}), "{both}");
    let refused = agent.call("get_viewer_selection", &json!({"person": "Nobody"}));
    assert_eq!(refused["structuredContent"]["data"]["field"], "person", "{refused}");

    // a page that closes is forgotten
    for tab in ["tab-1", "tab-2"] {
        let answer = request(&place.address(), "DELETE", &format!("/api/viewers/{tab}"), &[], b"");
        assert_eq!(answer.status, 204);
    }
    assert_eq!(agent.done("get_viewer_selection", &json!({}))["viewers"], json!([]));
}

#[test]
fn a_page_of_the_viewer_tells_no_more_than_a_person_can_mean() {
    let place = Place::new();
    let (_agent, model, version) = with_room(&place);
    let shown = |sight: Value| json!({"model_id": model, "model_version": version, "sight": sight});
    let many = vec!["0000000000000000000000"; 10_001];
    for (viewer, body) in [
        ("tab", shown(json!({"selection": many}))),
        ("tab", shown(json!({"selection": ["x".repeat(400)]}))),
        ("tab", shown(json!({"marks": [{"points": []}]}))),
        ("tab", shown(json!({"marks": [{"points": [[0, 0, 0]], "on": [null, null]}]}))),
        ("tab", shown(json!({"camera": {"eye": [0, 0], "target": [0, 0, 0]}}))),
        ("tab", shown(json!({"unknown": 1}))),
        ("tab%2Fx", shown(json!({}))),
        ("tab", json!({"model_id": model})),
    ] {
        let (status, text) = put(&place, viewer, &body);
        assert_eq!(status, 400, "{viewer}: {text}");
    }
    let elsewhere = json!({"model_id": "no such", "model_version": "head", "sight": {}});
    assert_eq!(put(&place, "tab", &elsewhere).0, 404);
}

#[test]
fn a_page_in_a_chat_reads_the_model_in_pieces() {
    let place = Place::new();
    let (mut agent, model, version) = with_room(&place);
    let of = |more: Value| {
        let mut arguments = json!({"model_id": model, "model_version": version});
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        arguments
    };
    let list = agent.done("get_view_data", &of(json!({})));
    let bytes = BASE64_STANDARD.decode(list["data"].as_str().unwrap()).unwrap();
    let tileset: Value = serde_json::from_slice(&bytes).unwrap();
    let key = tileset["root"]["children"][0]["extras"]["key"].as_str().unwrap();
    let tile = agent.done("get_view_data", &of(json!({"tile": key})));
    let whole = BASE64_STANDARD.decode(tile["data"].as_str().unwrap()).unwrap();
    assert!(whole.starts_with(b"glTF") && tile["size"] == whole.len(), "{} bytes", whole.len());
    let rest = agent.done("get_view_data", &of(json!({"tile": key, "offset": 12})));
    assert_eq!(BASE64_STANDARD.decode(rest["data"].as_str().unwrap()).unwrap(), whole[12..]);
    for (arguments, field) in
        [(json!({"tile": key, "offset": 1_u64 << 40}), "offset"), (json!({"tile": "../x"}), "tile")]
    {
        let refused = agent.call("get_view_data", &of(arguments));
        assert_eq!(refused["structuredContent"]["data"]["field"], field, "{refused}");
    }

    // agents are not told of it, and clients that show pages are
    assert!(
        !agent
            .done("search_tools", &json!({"query": "shapes tiles page chat"}))
            .to_string()
            .contains("get_view_data")
    );
    let names = |list: &Value| -> Vec<String> {
        let tools = list["result"]["tools"].as_array().unwrap();
        tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    };
    assert!(!names(&agent.ask("tools/list", &json!({}))).contains(&"get_view_data".to_owned()));
    let mut chat = Stdio::start(place.command(&["mcp"]));
    let extensions = json!({"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}});
    chat.ask(
        "initialize",
        &json!({"protocolVersion": "2025-11-25", "capabilities": {"extensions": extensions},
            "clientInfo": {"name": "chat", "version": "1"}}),
    );
    let listed = chat.ask("tools/list", &json!({}));
    let own = listed["result"]["tools"]
        .as_array()
        .unwrap()
        .iter()
        .find(|tool| tool["name"] == "get_view_data")
        .unwrap();
    assert_eq!(own["_meta"]["ui"]["visibility"], json!(["app"]));
    let page = chat.ask("resources/read", &json!({"uri": "ui://pensaer/model"}));
    assert!(page["result"]["contents"][0]["text"].as_str().unwrap().contains("function show("));
}
