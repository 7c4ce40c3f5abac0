//! Agents over HTTP: `/mcp` and `/mcp/<server>`, in the protocol's generations.

use crate::place::Place;
use crate::wire::{Http, event, head, hello, open, request, succeeded};
use serde_json::{Value, json};

#[test]
fn two_sessions_over_http_have_models_of_their_own() {
    let place = Place::new();
    let address = place.address();
    let (mut one, mut other) = (Http::open(&address, "/mcp"), Http::open(&address, "/mcp/model"));
    let house = one.done("create_project", &json!({"name": "House"}));
    let shed = other.done("create_project", &json!({"name": "Shed"}));
    let name = |client: &mut Http| client.done("list_versions", &json!({})).to_string();
    assert!(name(&mut one).contains(house["model_version"].as_str().unwrap()));
    assert!(name(&mut other).contains(shed["model_version"].as_str().unwrap()));
    assert!(!name(&mut other).contains(house["model_version"].as_str().unwrap()));
}

#[test]
fn the_stateless_generation_works_with_the_model_named() {
    let place = Place::new();
    let address = place.address();
    let call = |tool: &str, arguments: Value| {
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
            "name": tool, "arguments": arguments, "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
                "io.modelcontextprotocol/clientInfo": {"name": "it", "version": "1"}}}});
        let name = format!("mcp-name: {tool}");
        let headers = [
            "content-type: application/json",
            "accept: application/json, text/event-stream",
            "mcp-protocol-version: 2026-07-28",
            "mcp-method: tools/call",
            &name,
        ];
        request(&address, "POST", "/mcp", &headers, message.to_string().as_bytes()).message()["result"]
            .clone()
    };
    let house = succeeded(
        "create_project",
        &call(
            "create_project",
            json!({
        "name": "House", "storeys": [{"name": "Ground", "elevation": 0}]}),
        ),
    );
    let unnamed = call("create_wall", json!({"start": [0, 0], "end": [3000, 0], "level_id": "Ground"}));
    assert_eq!(unnamed["structuredContent"]["code"], 1011, "{unnamed}");
    let named = call(
        "create_wall",
        json!({
        "start": [0, 0], "end": [3000, 0], "level_id": "Ground", "model_id": house["model_id"]}),
    );
    succeeded("create_wall", &named);
}

#[test]
fn an_old_sse_client_works_at_the_same_address() {
    let place = Place::new();
    let address = place.address();
    let mut stream = open(&address, "GET", "/mcp", &["accept: text/event-stream"], b"");
    let (status, headers) = head(&mut stream);
    assert_eq!(status, 200, "{headers:?}");
    let (name, endpoint) = event(&mut stream);
    assert_eq!(name, "endpoint");
    let post = |message: Value| {
        let answer = request(
            &address,
            "POST",
            &endpoint,
            &["content-type: application/json"],
            message.to_string().as_bytes(),
        );
        assert_eq!(answer.status, 202);
    };
    post(json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": {"name": "old", "version": "0"}}}));
    let answer: Value = serde_json::from_str(&event(&mut stream).1).unwrap();
    assert_eq!(answer["result"]["protocolVersion"], "2024-11-05");
    post(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    for (id, tool, arguments) in [
        (1, "create_project", json!({"name": "House", "storeys": [{"name": "Ground", "elevation": 0}]})),
        (2, "create_wall", json!({"start": [0, 0], "end": [3000, 0], "level_id": "Ground"})),
    ] {
        post(
            json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}),
        );
        let answer: Value = serde_json::from_str(&event(&mut stream).1).unwrap();
        assert_eq!(answer["id"], id);
        succeeded(tool, &answer["result"]);
    }
}

#[test]
fn web_pages_of_others_reach_nothing() {
    let place = Place::new();
    let address = place.address();
    let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello()}).to_string();
    let accept = "accept: application/json, text/event-stream";
    let json = "content-type: application/json";
    for headers in [
        vec!["origin: https://evil.example", json, accept],
        vec!["host: evil.example", json, accept],
        vec!["origin: null", json, accept],
        // a page on another port of this machine is another's page
        vec!["origin: http://localhost:3000", json, accept],
        vec!["origin: http://127.0.0.1:6274", json, accept],
        // hosts that some readers take for this machine
        vec!["host: [::1].evil", json, accept],
        vec!["host: localhost@evil", json, accept],
        vec!["host: localhost:80@evil", json, accept],
    ] {
        assert_eq!(request(&address, "POST", "/mcp", &headers, hello.as_bytes()).status, 403, "{headers:?}");
        for path in ["/api/models", "/bucket", "/api/openapi.json"] {
            assert_eq!(request(&address, "GET", path, &headers, b"").status, 403, "{path} {headers:?}");
        }
        assert_eq!(request(&address, "POST", "/bucket?name=x.ifc", &headers, b"ISO").status, 403);
    }
    let preflight = ["origin: https://evil.example", "access-control-request-method: POST"];
    let answer = request(&address, "OPTIONS", "/mcp", &preflight, b"");
    assert!(answer.header("access-control-allow-origin").is_none());
    let inspector = ["origin: http://localhost:6274", "access-control-request-method: POST"];
    let answer = request(&address, "OPTIONS", "/mcp", &inspector, b"");
    assert!(answer.header("access-control-allow-origin").is_none());
    assert!(
        request(&address, "GET", "/api/models", &inspector, b"").status == 403,
        "the API is for our own pages"
    );
}

#[test]
fn an_answer_does_not_wait_for_an_acknowledgement() {
    // with Nagle's algorithm on, each answer on a connection that is kept takes 40 ms
    let place = Place::new();
    let address = place.address();
    let mut client = Http::open(&address, "/mcp");
    let begun = std::time::Instant::now();
    let mut fastest = std::time::Duration::MAX;
    for _ in 0..10 {
        let one = std::time::Instant::now();
        client.ask("ping", &json!({}));
        fastest = fastest.min(one.elapsed());
    }
    eprintln!("ten pings over HTTP took {:?}, the fastest {fastest:?}", begun.elapsed());
}

#[test]
fn what_was_asked_for_can_be_read_as_figures() {
    let place = Place::new();
    place.call("create_project", &json!({"name": "House"}));
    let address = place.address();
    let figures = request(&address, "GET", "/metrics", &[], b"");
    assert_eq!(figures.status, 200);
    assert!(figures.header("content-type").unwrap().starts_with("application/openmetrics-text"));
    let text = figures.text();
    assert!(
        text.contains(
            "pensaer_exec_calls_total{operation=\"create_project\",effect=\"create\",outcome=\"ok\"} 1"
        ),
        "{text}"
    );
    let elsewhere = request(&address, "GET", "/metrics", &["host: evil.example"], b"");
    assert_eq!(elsewhere.status, 403);
}
