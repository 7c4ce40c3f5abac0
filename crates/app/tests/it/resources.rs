//! Resources over MCP and the event stream of the web side: read by address, and told of when a commit touches them.

use crate::place::Place;
use crate::wire::{Http, Stdio, event, head, open};
use serde_json::{Value, json};

fn read(agent: &mut Stdio, uri: &str) -> Value {
    let answer = agent.ask("resources/read", &json!({"uri": uri}));
    let content = &answer["result"]["contents"][0];
    assert_eq!(
        (&content["uri"], &content["mimeType"]),
        (&json!(uri), &json!("application/json")),
        "{answer}"
    );
    serde_json::from_str(content["text"].as_str().unwrap()).unwrap()
}

fn wall(model: &Value, y: u32) -> Value {
    json!({"model_id": model, "level_id": "Ground", "start": [0, y], "end": [4000, y]})
}

#[test]
fn resources_are_listed_read_and_told_of_over_stdio() {
    let place = Place::new();
    let mut agent = Stdio::start(place.command(&["mcp"]));
    let server = agent.initialize();
    assert_eq!(server["capabilities"]["resources"]["subscribe"], true, "{server}");
    let storeys = json!([{"name": "Ground", "elevation": 0}]);
    let made = agent.done("create_project", &json!({"name": "House", "storeys": storeys}));
    let (model, first) = (made["model_id"].as_str().unwrap(), made["model_version"].as_str().unwrap());
    let listed = agent.ask("resources/list", &json!({}))["result"]["resources"].clone();
    let summary = format!("pensaer://models/{model}/summary");
    assert!(listed.as_array().unwrap().iter().any(|resource| resource["uri"] == summary), "{listed}");
    let templates = agent.ask("resources/templates/list", &json!({}))["result"]["resourceTemplates"].clone();
    assert_eq!(templates.as_array().unwrap().len(), 12, "{templates}");
    assert_eq!(read(&mut agent, "pensaer://models")["models"][0]["name"], "House");
    assert_eq!(read(&mut agent, &summary)["model_version"], first);
    let unknown = agent.ask("resources/read", &json!({"uri": "pensaer://models/nothing/summary"}));
    assert_eq!(unknown["error"]["code"], -32002, "{unknown}");
    let refused = agent.ask("resources/subscribe", &json!({"uri": "file:///etc/passwd"}));
    assert!(refused["error"].is_object(), "{refused}");
    agent.ask("resources/subscribe", &json!({"uri": summary}));
    // somebody else changes the model
    let mut other = place.stdio();
    let made = other.done("create_wall", &wall(&json!(model), 0));
    let told = agent.receive();
    assert_eq!(told["method"], "notifications/resources/updated");
    assert_eq!(told["params"]["uri"], summary);
    assert_eq!(read(&mut agent, &summary)["model_version"], made["model_version"]);
    let element = format!("pensaer://models/{model}/elements/{}", made["wall_id"].as_str().unwrap());
    assert!(read(&mut agent, &element).to_string().contains("IfcWall"));
    let diff = read(&mut agent, &format!("pensaer://models/{model}/diff/{first}/main"));
    assert_eq!(diff["summary"]["added"]["IfcWall"], 1, "{diff}");
    let versions = read(&mut agent, &format!("pensaer://models/{model}/versions"));
    let head = read(&mut agent, &format!("pensaer://models/{model}/versions/main"));
    let manifest = &head["manifest"];
    assert_eq!(
        (&manifest["tool"], &manifest["adapter"]),
        (&json!("create_wall"), &json!("native")),
        "{head}"
    );
    assert_eq!(manifest["inputs"][0]["version"], first, "{head}");
    assert!(manifest["adapter_version"].is_string() && manifest["started_ms"].is_u64(), "{head}");
    assert!(manifest["sandbox"].as_array().is_some_and(|walls| !walls.is_empty()), "{head}");
    assert_eq!(head["version"]["version"], made["model_version"]);
    assert_eq!(versions["versions"][0]["event_type"], "WallCreated");
    agent.ask("resources/unsubscribe", &json!({"uri": summary}));
    other.done("create_wall", &wall(&json!(model), 3000));
    // had it been told again, that would come before this answer
    assert_eq!(read(&mut agent, "pensaer://models")["models"].as_array().unwrap().len(), 1);
}

#[test]
fn a_subscriber_over_http_is_told_on_its_stream() {
    let place = Place::new();
    let address = place.address();
    let storeys = json!([{"name": "Ground", "elevation": 0}]);
    let model =
        place.call("create_project", &json!({"name": "House", "storeys": storeys}))["model_id"].clone();
    let mut agent = Http::open(&address, "/mcp");
    let session = format!("mcp-session-id: {}", agent.session());
    let headers = ["accept: text/event-stream", "mcp-protocol-version: 2025-11-25", session.as_str()];
    let mut stream = open(&address, "GET", "/mcp", &headers, b"");
    assert_eq!(head(&mut stream).0, 200);
    let uri = format!("pensaer://models/{}/versions", model.as_str().unwrap());
    agent.ask("resources/subscribe", &json!({"uri": uri}));
    place.call("create_wall", &wall(&model, 0));
    let (_, data) = event(&mut stream);
    let told: Value = serde_json::from_str(&data).unwrap();
    assert_eq!(
        (&told["method"], &told["params"]["uri"]),
        (&json!("notifications/resources/updated"), &json!(uri))
    );
}

#[test]
fn the_event_stream_tells_what_was_committed_and_goes_on_where_a_client_was() {
    let place = Place::new();
    let address = place.address();
    let storeys = json!([{"name": "Ground", "elevation": 0}]);
    let model =
        place.call("create_project", &json!({"name": "House", "storeys": storeys}))["model_id"].clone();
    let other =
        place.call("create_project", &json!({"name": "Barn", "storeys": storeys}))["model_id"].clone();
    let path = format!("/api/events?model={}", model.as_str().unwrap());
    let mut stream = open(&address, "GET", &path, &[], b"");
    assert_eq!(head(&mut stream).0, 200);
    place.call("create_wall", &wall(&other, 0));
    let made = place.call("create_wall", &wall(&model, 0));
    let (name, data) = event(&mut stream);
    let told: Value = serde_json::from_str(&data).unwrap();
    assert_eq!(name, "WallCreated");
    assert_eq!((&told["version"], &told["branch"]), (&made["model_version"], &json!("main")));
    assert_eq!((&told["tool"], &told["event_id"]), (&json!("create_wall"), &made["event_id"]));
    drop(stream);
    place.call("create_branch", &json!({"model_id": model, "name": "variant"}));
    let seen = format!("last-event-id: {}", told["sequence"]);
    let mut stream = open(&address, "GET", &path, &[&seen], b"");
    assert_eq!(head(&mut stream).0, 200);
    assert_eq!(event(&mut stream).0, "BranchCreated");
    let refused = open(&address, "GET", "/api/events?model=nothing", &[], b"");
    assert_eq!(head(&mut { refused }).0, 404);
}
