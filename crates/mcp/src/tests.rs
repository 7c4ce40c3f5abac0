//! The servers against hand-written JSON-RPC, with a door that knows three tools.

mod talking;

use crate::{
    Door, Endpoint, HttpOptions, ListOptions, Profile, ResultForm, Surface, Tools, router, serve_stream,
};
use axum::body::Body;
use axum::http::{Request, StatusCode};
use contract::{
    BoxFuture, ChatArtifact, Completion, Effect, Fault, FaultCode, ModelKind, ModelUse, Needs, Server,
    ToolSpec, Toolset, mark,
};
use futures::StreamExt;
use http_body_util::BodyExt;
use serde_json::{Value, json};
use service::{CallContext, Credentials, Transport};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

fn spec(name: &str, server: Server, effect: Effect) -> ToolSpec {
    ToolSpec {
        name: name.into(),
        title: name.into(),
        server,
        also_on: Vec::new(),
        toolsets: vec![Toolset::main_of(server)],
        description: format!("Does {name}."),
        effect,
        destructive: false,
        idempotent: effect == Effect::Query,
        side_effects: false,
        open_world: false,
        reads_when: None,
        needs: Needs::model(ModelUse::Current, ModelKind::Ifc),
        platform: false,
        action: None,
        page: None,
        for_pages_only: false,
        input_schema: json!({
            "type": "object", "additionalProperties": false,
            "properties": {
                "length": {"type": "number", "description": "mm.", "default": 3000},
                "taper": {"type": "number", "description": "Degrees.", (mark::SELDOM): true},
                "thickness": {"type": "number", "description": "mm.", "default": 200, (mark::SELDOM): true},
                "name": {"type": "string", "description": "Its own.", (mark::SELDOM): true},
                "from": {"type": "integer", "description": "The first shown.", (mark::PAGE): true},
                "model_id": {"type": "string", "description": "Id or name.", (mark::COMMON): true}
            }
        }),
        output_schema: json!({
            "type": "object", "required": ["wall_id"],
            "properties": {"wall_id": {"type": "string"}, "status": {"type": "string"}}
        }),
        examples: Vec::new(),
    }
}

fn specs() -> Vec<Arc<ToolSpec>> {
    [
        spec("create_wall", Server::Geometry, Effect::Create),
        spec("fail", Server::Geometry, Effect::Modify),
        spec("wait", Server::Model, Effect::Query),
        ToolSpec {
            toolsets: vec![Toolset::Branches],
            ..spec("create_branch", Server::Model, Effect::Create)
        },
    ]
    .map(Arc::new)
    .to_vec()
}

#[derive(Default)]
struct FakeDoor {
    callers: Mutex<Vec<CallContext>>,
    dropped: Arc<AtomicBool>,
    job: Mutex<talking::FakeJob>,
}

struct SetOnDrop(Arc<AtomicBool>);

impl Drop for SetOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

impl Door for FakeDoor {
    fn admits<'a>(&'a self, _: &'a CallContext) -> BoxFuture<'a, Result<String, (Fault, String)>> {
        Box::pin(std::future::ready(Ok("ada".to_owned())))
    }

    fn begins_session<'a>(&'a self, _: &'a CallContext) -> BoxFuture<'a, Result<(), Fault>> {
        Box::pin(std::future::ready(Ok(())))
    }

    fn decide_in_person<'a>(
        &'a self,
        _: CallContext,
        tool: &'a str,
        approval_id: &'a str,
        said: (bool, Option<&'a str>),
    ) -> BoxFuture<'a, Result<ChatArtifact, Fault>> {
        let (tool, approval_id, said) = (tool.to_owned(), approval_id.to_owned(), format!("{said:?}"));
        Box::pin(async move {
            let result = json!({"tool": tool, "approval_id": approval_id, "said": said});
            Ok(ChatArtifact {
                result: result.as_object().cloned().unwrap_or_default(),
                ..ChatArtifact::default()
            })
        })
    }

    fn resources(&self, _: CallContext) -> BoxFuture<'_, Result<Vec<service::ResourceListed>, Fault>> {
        let listed = service::ResourceListed {
            uri: "pensaer://models".into(),
            name: "models".into(),
            description: "Models.".into(),
        };
        Box::pin(async move { Ok(vec![listed]) })
    }

    fn resource_templates(&self) -> Vec<service::ResourceListed> {
        talking::templates()
    }

    fn read<'a>(
        &'a self,
        _: CallContext,
        uri: &'a str,
    ) -> BoxFuture<'a, Result<service::ResourceRead, Fault>> {
        Box::pin(async move {
            match uri {
                "pensaer://models" => {
                    let value = json!({ "models": [] });
                    Ok(service::ResourceRead { model: None, is_fixed: false, value })
                }
                _ => Err(Fault::new(FaultCode::NotFound, format!("There is no resource {uri}."))),
            }
        })
    }

    fn complete<'a>(
        &'a self,
        _: CallContext,
        wanted: &'a Completion,
        typed: &'a str,
        model: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Vec<String>, Fault>> {
        Box::pin(async move { talking::offered(wanted, typed, model) })
    }

    fn job<'a>(
        &'a self,
        _: CallContext,
        id: &'a str,
        _: Duration,
    ) -> BoxFuture<'a, Result<service::SeenJob, Fault>> {
        Box::pin(async move { self.job.lock().unwrap().seen(id) })
    }

    fn end_job<'a>(&'a self, _: CallContext, id: &'a str) -> BoxFuture<'a, Result<(), Fault>> {
        Box::pin(async move { self.job.lock().unwrap().end(id) })
    }

    fn has_backend(&self, _: &str) -> bool {
        true
    }

    fn resource_changed_by(&self, _: &str) -> Option<contract::EventType> {
        None
    }

    fn events(&self) -> Option<tokio::sync::broadcast::Receiver<contract::EventRecord>> {
        None
    }

    fn call<'a>(
        &'a self,
        caller: CallContext,
        tool: &'a str,
        arguments: Value,
    ) -> BoxFuture<'a, Result<ChatArtifact, Fault>> {
        self.callers.lock().unwrap().push(caller);
        Box::pin(async move {
            match tool {
                "check" => Ok(talking::checked(&arguments)),
                "create_wall" => Ok(ChatArtifact {
                    status: Some("created".into()),
                    result: json!({"wall_id": "2O2Fr", "length": arguments["length"]})
                        .as_object()
                        .unwrap()
                        .clone(),
                    ..ChatArtifact::default()
                }),
                "wait" => {
                    let _held = SetOnDrop(Arc::clone(&self.dropped));
                    tokio::time::sleep(Duration::from_mins(1)).await;
                    Err(Fault::backend("slept too long"))
                }
                _ => Err(Fault::new(FaultCode::ElementNotFound, "No such wall.").with("element_id", "x")),
            }
        })
    }
}

fn surface(profile: Profile) -> Arc<Surface> {
    Arc::new(Surface::new(&Arc::new(Tools::new(&specs())), profile))
}

struct Client {
    write: WriteHalf<DuplexStream>,
    read: tokio::io::Lines<BufReader<ReadHalf<DuplexStream>>>,
}

impl Client {
    fn open(door: Arc<FakeDoor>, profile: Profile, form: ResultForm) -> Self {
        Self::open_with(door, profile, form, ListOptions::default())
    }

    fn open_with(door: Arc<FakeDoor>, profile: Profile, form: ResultForm, options: ListOptions) -> Self {
        let (ours, theirs) = tokio::io::duplex(1 << 16);
        let surface = surface(profile);
        let endpoint = Endpoint::new(surface, door, CallContext::local("tester", Transport::Stdio), form)
            .with_options(options);
        let (read, write) = tokio::io::split(theirs);
        tokio::spawn(serve_stream(endpoint, read, write, CancellationToken::new()));
        let (read, write) = tokio::io::split(ours);
        Self { write, read: BufReader::new(read).lines() }
    }

    async fn send(&mut self, message: Value) {
        self.write.write_all(format!("{message}\n").as_bytes()).await.unwrap();
    }

    async fn receive(&mut self) -> Value {
        serde_json::from_str(&self.read.next_line().await.unwrap().unwrap()).unwrap()
    }

    async fn ask(&mut self, id: u32, method: &str, params: Value) -> Value {
        self.send(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).await;
        self.receive().await
    }

    async fn initialize(&mut self) -> Value {
        let answer = self.ask(0, "initialize", initialize_params()).await;
        self.send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        answer
    }
}

fn initialize_params() -> Value {
    json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "tester", "version": "7"}})
}

#[tokio::test]
async fn a_client_initialises_lists_and_calls() {
    let door = Arc::new(FakeDoor::default());
    let mut client = Client::open(Arc::clone(&door), Profile::Usual, ResultForm::Both);
    let hello = client.initialize().await;
    assert_eq!(hello["result"]["protocolVersion"], "2025-11-25");
    assert_eq!(hello["result"]["serverInfo"]["name"], "pensaer");
    assert!(hello["result"]["instructions"].as_str().unwrap().len() < 2000);

    let list = client.ask(1, "tools/list", json!({})).await;
    let tools = list["result"]["tools"].as_array().unwrap();
    assert_eq!(
        names(&list),
        ["create_wall", "fail", "wait", "search_tools", "describe_tool", "enable_toolset"]
    );
    assert_eq!(tools[0]["annotations"], json!({"destructiveHint": false, "openWorldHint": false}));
    assert_eq!(tools[2]["annotations"], json!({"readOnlyHint": true, "openWorldHint": false}));

    let called =
        client.ask(2, "tools/call", json!({"name": "create_wall", "arguments": {"length": 5000}})).await;
    let result = &called["result"];
    assert_eq!(result["structuredContent"], json!({"status": "created", "wall_id": "2O2Fr", "length": 5000}));
    let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(text, result["structuredContent"]);
    assert_eq!(door.callers.lock().unwrap()[0].client.as_deref(), Some("tester 7"));
    assert_eq!(client.ask(3, "ping", json!({})).await["result"], json!({}));
}

/// The names of the tools in an answer to `tools/list`.
#[tokio::test]
async fn a_greeting_is_what_the_server_answers_itself() {
    for profile in Profile::all() {
        for version in ["2024-11-05", "2025-06-18", "1999-01-01"] {
            let mut client = Client::open(Arc::default(), profile, ResultForm::Both);
            let params = json!({"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
            let line = json!({"jsonrpc": "2.0", "id": 7, "method": "initialize", "params": params})
                .to_string()
                + "\n";
            let greeting = crate::greeting(line.as_bytes(), profile).unwrap();
            assert!(greeting.ends_with(b"\n"));
            let greeting: Value = serde_json::from_slice(&greeting).unwrap();
            assert_eq!(greeting, client.ask(7, "initialize", params).await);
        }
    }
}

#[test]
fn only_initialize_is_greeted() {
    for line in [
        "",
        "garbage",
        r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","method":"initialize"}"#,
    ] {
        assert_eq!(crate::greeting(line.as_bytes(), Profile::Usual), None, "{line}");
    }
}

fn names(list: &Value) -> Vec<&str> {
    list["result"]["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_list_says_of_common_and_seldom_parameters_only_name_and_default_or_type() {
    let mut client = Client::open(Arc::default(), Profile::Usual, ResultForm::Both);
    client.initialize().await;
    let list = client.ask(1, "tools/list", json!({})).await;
    let tool = &list["result"]["tools"][0];
    assert_eq!(
        tool["inputSchema"],
        json!({"type": "object", "properties": {
            "length": {"type": "number", "description": "mm.", "default": 3000},
            "taper": {"type": "number"}, "thickness": {"default": 200}, "name": {}, "model_id": {},
        }})
    );
    assert!(tool.get("outputSchema").is_none(), "{tool}");
    let whole = client
        .ask(2, "tools/call", json!({"name": "describe_tool", "arguments": {"name": "create_wall"}}))
        .await;
    let whole = &whole["result"]["structuredContent"];
    let taper = json!({"type": "number", "description": "Degrees."});
    assert_eq!(whole["input_schema"]["properties"]["taper"], taper, "{whole}");
    assert_eq!(whole["output_schema"]["required"], json!(["wall_id"]));
    assert!(!whole.to_string().contains("x-"), "the marks are ours: {whole}");
}

#[tokio::test]
async fn a_set_that_is_enabled_is_listed_in_its_session_and_the_client_told() {
    let mut client = Client::open(Arc::default(), Profile::Usual, ResultForm::Both);
    let hello = client.initialize().await;
    assert_eq!(hello["result"]["capabilities"]["tools"]["listChanged"], true);
    let found = client
        .ask(1, "tools/call", json!({"name": "search_tools", "arguments": {"query": "a new branch"}}))
        .await;
    let first = &found["result"]["structuredContent"]["tools"][0];
    assert_eq!((&first["name"], &first["listed"]), (&json!("create_branch"), &json!(false)), "{found}");
    // what is not listed can be called
    let called = client.ask(2, "tools/call", json!({"name": "create_branch", "arguments": {}})).await;
    assert!(called.get("error").is_none(), "{called}");

    let enable = json!({"name": "enable_toolset", "arguments": {"name": "branches"}});
    let told = client.ask(3, "tools/call", enable.clone()).await;
    assert_eq!(told["method"], "notifications/tools/list_changed");
    let enabled = client.receive().await;
    assert_eq!(enabled["result"]["structuredContent"]["tools"][0]["listed"], true, "{enabled}");
    assert!(names(&client.ask(4, "tools/list", json!({})).await).contains(&"create_branch"));
    let again = client.ask(5, "tools/call", enable).await;
    assert_eq!(again["id"], 5, "what was enabled already is not told again: {again}");

    let wrong = client
        .ask(6, "tools/call", json!({"name": "enable_toolset", "arguments": {"name": "nonsense"}}))
        .await;
    assert!(wrong["result"]["isError"] == true && wrong.to_string().contains("branches"), "{wrong}");
}

#[tokio::test]
async fn profiles_list_their_sets_and_every_tool_can_be_called_on_each() {
    for (profile, listed) in [
        (Profile::Server(Server::Model), vec!["wait", "search_tools", "describe_tool", "enable_toolset"]),
        (Profile::Code, vec!["search_tools", "describe_tool"]),
        (Profile::All, vec!["create_wall", "fail", "wait", "create_branch", "search_tools", "describe_tool"]),
    ] {
        let mut client = Client::open(Arc::default(), profile, ResultForm::Both);
        client.initialize().await;
        assert_eq!(names(&client.ask(1, "tools/list", json!({})).await), listed, "{profile:?}");
        let called = client.ask(2, "tools/call", json!({"name": "create_wall", "arguments": {}})).await;
        assert_eq!(called["result"]["structuredContent"]["wall_id"], "2O2Fr", "{profile:?}");
    }
}

#[tokio::test]
async fn answers_and_faults_both_satisfy_the_output_schema() {
    let options =
        ListOptions { output_schemas: true, toolsets: vec![Toolset::Branches], ..ListOptions::default() };
    let mut client = Client::open_with(Arc::default(), Profile::Usual, ResultForm::Both, options);
    client.initialize().await;
    let list = client.ask(1, "tools/list", json!({})).await;
    assert!(names(&list).contains(&"create_branch"), "{list}");
    let schema = jsonschema::validator_for(&list["result"]["tools"][0]["outputSchema"]).unwrap();
    let good = client.ask(2, "tools/call", json!({"name": "create_wall", "arguments": {}})).await;
    let bad = client.ask(3, "tools/call", json!({"name": "fail"})).await;
    assert!(schema.is_valid(&good["result"]["structuredContent"]));
    assert_eq!(bad["result"]["isError"], true);
    assert_eq!(bad["result"]["structuredContent"]["code"], 1001);
    assert!(schema.is_valid(&bad["result"]["structuredContent"]));
    assert!(
        !schema.is_valid(&json!({"status": "created"})),
        "the schema still says what an answer has to hold"
    );
    let text = bad["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.starts_with("No such wall.") && text.contains("element_id"), "{text}");
}

#[tokio::test]
async fn a_client_that_reads_structured_content_gets_a_line_of_text() {
    let mut client = Client::open(Arc::default(), Profile::Usual, ResultForm::Structured);
    client.initialize().await;
    let called =
        client.ask(1, "tools/call", json!({"name": "create_wall", "arguments": {"length": 1}})).await;
    assert_eq!(called["result"]["content"][0]["text"], "created: wall_id 2O2Fr, length 1");
    assert_eq!(called["result"]["structuredContent"]["wall_id"], "2O2Fr");
}

#[tokio::test]
async fn a_server_offers_its_own_tools_and_names_near_ones() {
    let mut client = Client::open(Arc::default(), Profile::Server(Server::Geometry), ResultForm::Both);
    let hello = client.initialize().await;
    assert_eq!(hello["result"]["serverInfo"]["name"], "pensaer-geometry");
    let list = client.ask(1, "tools/list", json!({})).await;
    assert_eq!(names(&list), ["create_wall", "fail", "search_tools", "describe_tool", "enable_toolset"]);
    let answer = client.ask(2, "tools/call", json!({"name": "make_wall"})).await;
    assert_eq!(answer["error"]["code"], -32602);
    assert_eq!(answer["error"]["data"]["near"], json!(["create_wall"]));
}

#[tokio::test]
async fn a_call_with_wrong_parameters_says_which() {
    let mut client = Client::open(Arc::default(), Profile::Usual, ResultForm::Both);
    client.initialize().await;
    for (params, said) in [
        (json!({"name": 5}), "params.name"),
        (json!({"name": "create_wall", "arguments": "{\"length\": 1}"}), "not a string"),
        (json!({"name": "create_wall", "arguments": [1]}), "params.arguments"),
    ] {
        let answer = client.ask(1, "tools/call", params).await;
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(1), &json!(-32602)), "{answer}");
        assert!(answer["error"]["message"].as_str().unwrap().contains(said), "{answer}");
    }
    assert_eq!(client.ask(2, "no/such", json!({})).await["error"]["code"], -32601);
}

#[tokio::test]
async fn a_cancelled_call_is_dropped() {
    let door = Arc::new(FakeDoor::default());
    let dropped = Arc::clone(&door.dropped);
    let mut client = Client::open(Arc::clone(&door), Profile::Usual, ResultForm::Both);
    client.initialize().await;
    client.send(json!({"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": {"name": "wait"}})).await;
    while door.callers.lock().unwrap().is_empty() {
        tokio::task::yield_now().await;
    }
    client
        .send(json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 9}}))
        .await;
    while !dropped.load(Ordering::SeqCst) {
        tokio::task::yield_now().await;
    }
    assert_eq!(
        client.ask(10, "ping", json!({})).await["id"],
        10,
        "no answer to the cancelled call comes first"
    );
}

fn stateless_meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "new", "version": "1"}
    })
}

#[tokio::test]
async fn the_stateless_generation_is_served_on_the_same_stream() {
    let mut client = Client::open(Arc::default(), Profile::Usual, ResultForm::Both);
    let discovered = client.ask(1, "server/discover", json!({"_meta": stateless_meta()})).await;
    let versions = discovered["result"]["supportedVersions"].as_array().unwrap();
    assert!(versions.contains(&json!("2026-07-28")), "{discovered}");
    let called = client
        .ask(2, "tools/call", json!({"name": "create_wall", "arguments": {}, "_meta": stateless_meta()}))
        .await;
    assert_eq!(called["result"]["structuredContent"]["wall_id"], "2O2Fr");
    assert_eq!(called["result"]["resultType"], "complete");
}

fn post(path: &str, body: &Value) -> axum::http::request::Builder {
    let _ = body;
    Request::post(path)
        .header("host", "127.0.0.1:8420")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
}

fn first_message(text: &str) -> Value {
    text.lines()
        .filter_map(|line| line.strip_prefix("data:"))
        .find_map(|data| serde_json::from_str(data.trim()).ok())
        .unwrap_or_else(|| serde_json::from_str(text).unwrap())
}

async fn body_text(response: axum::response::Response) -> String {
    String::from_utf8(response.into_body().collect().await.unwrap().to_bytes().to_vec()).unwrap()
}

#[tokio::test]
async fn streamable_http_keeps_sessions_and_tells_the_door() {
    let door = Arc::new(FakeDoor::default());
    let app = router(&specs(), Arc::clone(&door) as Arc<dyn Door>, &HttpOptions::default());
    let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": initialize_params()});
    let response = app
        .clone()
        .oneshot(post("/mcp/geometry", &hello).body(Body::from(hello.to_string())).unwrap())
        .await
        .unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    let session = response.headers()["mcp-session-id"].to_str().unwrap().to_owned();
    assert_eq!(first_message(&body_text(response).await)["result"]["serverInfo"]["name"], "pensaer-geometry");
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "create_wall", "arguments": {}}});
    for message in [&ready, &call] {
        let request = post("/mcp/geometry?results=structured", message)
            .header("mcp-session-id", &session)
            .header("mcp-protocol-version", "2025-11-25");
        let response =
            app.clone().oneshot(request.body(Body::from(message.to_string())).unwrap()).await.unwrap();
        assert!(response.status().is_success());
        if message["id"] == 1 {
            let answer = first_message(&body_text(response).await);
            assert_eq!(answer["result"]["structuredContent"]["wall_id"], "2O2Fr");
            assert_eq!(answer["result"]["content"][0]["text"], "created: wall_id 2O2Fr");
        }
    }
    assert_eq!(door.callers.lock().unwrap()[0].mcp_session.as_deref(), Some(session.as_str()));
}

#[tokio::test]
async fn a_silent_session_is_put_aside_and_made_anew_by_its_next_request() {
    let door = Arc::new(FakeDoor::default());
    let ready = std::time::Duration::from_millis(60);
    let sessions = crate::SessionLimits { ready, ..crate::SessionLimits::default() };
    let options = HttpOptions { sessions, ..HttpOptions::default() };
    let app = router(&specs(), Arc::clone(&door) as Arc<dyn Door>, &options);
    let alone = Arc::strong_count(&door);
    let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": initialize_params()});
    let begun =
        app.clone().oneshot(post("/mcp", &hello).body(Body::from(hello.to_string())).unwrap()).await.unwrap();
    let session = begun.headers()["mcp-session-id"].to_str().unwrap().to_owned();
    body_text(begun).await;
    let send = |message: Value| {
        let request = post("/mcp", &message)
            .header("mcp-session-id", &session)
            .header("mcp-protocol-version", "2025-11-25");
        app.clone().oneshot(request.body(Body::from(message.to_string())).unwrap())
    };
    let told = send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await.unwrap();
    body_text(told).await;
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "create_wall", "arguments": {}}});
    for round in 0..2 {
        let answered = send(call.clone()).await.unwrap();
        assert_eq!(answered.status(), StatusCode::OK, "round {round}");
        assert!(first_message(&body_text(answered).await)["result"].is_object());
        assert!(Arc::strong_count(&door) > alone, "it is held ready");
        let begun = std::time::Instant::now();
        while Arc::strong_count(&door) > alone {
            assert!(begun.elapsed().as_secs() < 20, "it stays, though nobody uses it");
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn requests_that_meet_while_their_session_is_made_anew_are_all_answered() {
    let sessions = crate::SessionLimits { ready_in_all: 1, ..crate::SessionLimits::default() };
    let options = HttpOptions { sessions, ..HttpOptions::default() };
    let app = router(&specs(), Arc::new(FakeDoor::default()), &options);
    let mut ids = Vec::new();
    for _ in 0..5 {
        let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": initialize_params()});
        let begun = post("/mcp", &hello).body(Body::from(hello.to_string())).unwrap();
        let begun = app.clone().oneshot(begun).await.unwrap();
        let id = begun.headers()["mcp-session-id"].to_str().unwrap().to_owned();
        body_text(begun).await;
        let told = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        let request = post("/mcp", &told).header("mcp-session-id", &id);
        let told = app.clone().oneshot(request.body(Body::from(told.to_string())).unwrap()).await.unwrap();
        body_text(told).await;
        ids.push(id);
    }
    // five clients at once who go through the same sessions, most of which are put aside at any moment
    let clients = (0..5_usize).map(|client| {
        let (app, ids) = (app.clone(), ids.clone());
        tokio::spawn(async move {
            for nth in 0..120 {
                let id = client * 1000 + nth;
                let call = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "create_wall", "arguments": {}}});
                let request = post("/mcp", &call)
                    .header("mcp-session-id", &ids[(nth * (client % 2 + 1)) % ids.len()])
                    .header("mcp-protocol-version", "2025-11-25");
                let answered = app.clone().oneshot(request.body(Body::from(call.to_string())).unwrap());
                let answered = answered.await.unwrap();
                let status = answered.status();
                let text = body_text(answered).await;
                assert_eq!(status, StatusCode::OK, "{text}");
                assert!(first_message(&text)["result"].is_object(), "{text}");
            }
        })
    });
    for client in clients.collect::<Vec<_>>() {
        client.await.unwrap();
    }
}

#[tokio::test]
async fn the_stateless_generation_is_served_over_http_without_a_session() {
    let app = router(&specs(), Arc::new(FakeDoor::default()), &HttpOptions::default());
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "create_wall", "arguments": {}, "_meta": stateless_meta()}});
    let request = post("/mcp", &call)
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", "tools/call")
        .header("mcp-name", "create_wall");
    let response = app.oneshot(request.body(Body::from(call.to_string())).unwrap()).await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    assert!(!response.headers().contains_key("mcp-session-id"));
    assert_eq!(first_message(&body_text(response).await)["result"]["structuredContent"]["wall_id"], "2O2Fr");
}

#[tokio::test]
async fn without_a_session_the_address_says_what_else_is_listed() {
    let app = router(&specs(), Arc::new(FakeDoor::default()), &HttpOptions::default());
    let ask = |path: &'static str, method: &'static str, params: Value| {
        let mut params = params;
        params["_meta"] = stateless_meta();
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let mut request =
            post(path, &message).header("mcp-protocol-version", "2026-07-28").header("mcp-method", method);
        if let Some(name) = params["name"].as_str() {
            request = request.header("mcp-name", name);
        }
        let app = app.clone();
        async move {
            let response = app.oneshot(request.body(Body::from(message.to_string())).unwrap()).await.unwrap();
            first_message(&body_text(response).await)
        }
    };
    let enable = json!({"name": "enable_toolset", "arguments": {"name": "branches"}});
    let enabled = ask("/mcp", "tools/call", enable).await;
    let note = enabled["result"]["structuredContent"]["note"].as_str().unwrap();
    assert!(note.contains("?toolsets=branches"), "{note}");
    assert!(!names(&ask("/mcp", "tools/list", json!({})).await).contains(&"create_branch"));
    let list = ask("/mcp?toolsets=branches,nonsense&output_schemas=true", "tools/list", json!({})).await;
    assert!(names(&list).contains(&"create_branch"), "{list}");
    assert_eq!(list["result"]["tools"][0]["outputSchema"]["type"], "object");
    let all = ask("/mcp/all", "tools/list", json!({})).await;
    assert!(names(&all).contains(&"create_branch"), "{all}");
}

#[tokio::test]
async fn pages_of_other_origins_and_rebound_names_are_turned_away() {
    let app = router(&specs(), Arc::new(FakeDoor::default()), &HttpOptions::default());
    let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": initialize_params()});
    let status = |host: &'static str, origin: Option<&'static str>, legacy: bool| {
        let app = app.clone();
        let mut request = if legacy { Request::get("/mcp") } else { Request::post("/mcp") }
            .header("host", host)
            .header("content-type", "application/json")
            .header(
                "accept",
                if legacy { "text/event-stream" } else { "application/json, text/event-stream" },
            );
        if let Some(origin) = origin {
            request = request.header("origin", origin);
        }
        let body = if legacy { Body::empty() } else { Body::from(hello.to_string()) };
        async move { app.oneshot(request.body(body).unwrap()).await.unwrap().status() }
    };
    for legacy in [false, true] {
        assert_eq!(status("localhost:8420", None, legacy).await, StatusCode::OK);
        assert_eq!(status("localhost:8420", Some("http://localhost:8420"), legacy).await, StatusCode::OK);
        // a page on another port of this machine is another's
        assert_eq!(
            status("localhost:8420", Some("http://localhost:6274"), legacy).await,
            StatusCode::FORBIDDEN
        );
        assert_eq!(
            status("localhost:8420", Some("https://evil.example"), legacy).await,
            StatusCode::FORBIDDEN
        );
        assert_eq!(status("evil.example:8420", None, legacy).await, StatusCode::FORBIDDEN);
    }
    let unknown = app.oneshot(Request::post("/mcp/nonsense").body(Body::empty()).unwrap()).await.unwrap();
    assert_eq!(unknown.status(), StatusCode::NOT_FOUND);
    assert!(body_text(unknown).await.contains("geometry"));
}

#[tokio::test]
async fn an_old_sse_client_gets_its_answers_on_the_stream() {
    let door = Arc::new(FakeDoor::default());
    let app = router(&specs(), Arc::clone(&door) as Arc<dyn Door>, &HttpOptions::default());
    let open = Request::get("/mcp/geometry")
        .header("host", "localhost")
        .header("accept", "text/event-stream")
        .body(Body::empty())
        .unwrap();
    let response = app.clone().oneshot(open).await.unwrap();
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let mut events = response.into_body().into_data_stream();
    let first = String::from_utf8(events.next().await.unwrap().unwrap().to_vec()).unwrap();
    let address = first.lines().find_map(|line| line.strip_prefix("data: ")).unwrap().to_owned();
    assert!(
        first.starts_with("event: endpoint") && address.starts_with("/mcp/geometry?sessionId="),
        "{first}"
    );

    let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": {"name": "old", "version": "0"}}});
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "create_wall", "arguments": {}}});
    for message in [&hello, &json!({"jsonrpc": "2.0", "method": "notifications/initialized"}), &call] {
        let request = Request::post(&address)
            .header("host", "localhost")
            .body(Body::from(message.to_string()))
            .unwrap();
        assert_eq!(app.clone().oneshot(request).await.unwrap().status(), StatusCode::ACCEPTED);
        if message.get("id").is_some() {
            let event = String::from_utf8(events.next().await.unwrap().unwrap().to_vec()).unwrap();
            assert!(event.starts_with("event: message"), "{event}");
            let answer = first_message(&event);
            assert_eq!(answer["id"], message["id"]);
            assert!(answer.get("result").is_some(), "{answer}");
        }
    }
    assert!(door.callers.lock().unwrap()[0].mcp_session.as_deref().unwrap().starts_with("sse-"));

    drop(events);
    let late =
        Request::post(&address).header("host", "localhost").body(Body::from(call.to_string())).unwrap();
    assert_eq!(app.oneshot(late).await.unwrap().status(), StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn only_this_machine_needs_no_key() {
    let door = Arc::new(FakeDoor::default());
    let app = router(&specs(), Arc::clone(&door) as Arc<dyn Door>, &HttpOptions::default());
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "create_wall", "arguments": {}, "_meta": stateless_meta()}});
    let send = |peer: &str, header: Option<(&'static str, &'static str)>| {
        let mut request = post("/mcp", &call)
            .header("mcp-protocol-version", "2026-07-28")
            .header("mcp-method", "tools/call")
            .header("mcp-name", "create_wall")
            .extension(axum::extract::ConnectInfo(peer.parse::<SocketAddr>().unwrap()));
        if let Some((name, value)) = header {
            request = request.header(name, value);
        }
        app.clone().oneshot(request.body(Body::from(call.to_string())).unwrap())
    };
    send("127.0.0.1:5000", None).await.unwrap();
    send("192.0.2.7:5000", None).await.unwrap();
    send("127.0.0.1:5000", Some(("x-forwarded-for", "192.0.2.7"))).await.unwrap();
    send("192.0.2.7:5000", Some(("authorization", "Bearer secret"))).await.unwrap();
    let credentials: Vec<_> = door.callers.lock().unwrap().iter().map(|c| c.credentials.clone()).collect();
    assert_eq!(
        credentials,
        [
            Credentials::Local { user: "local".into() },
            Credentials::None,
            Credentials::None,
            Credentials::Key { key: contract::Secret::new("secret"), local: false },
        ]
    );
}

#[tokio::test]
async fn our_own_client_lists_calls_and_reads_faults() {
    let (ours, theirs) = tokio::io::duplex(1 << 16);
    let surface = surface(Profile::Usual);
    let context = CallContext::local("tester", Transport::Stdio);
    let endpoint = Endpoint::new(surface, Arc::<FakeDoor>::default(), context, ResultForm::Both);
    let (read, write) = tokio::io::split(theirs);
    tokio::spawn(serve_stream(endpoint, read, write, CancellationToken::new()));
    let (read, write) = tokio::io::split(ours);
    let client = crate::client::Client::connect(read, write, "evaluator").await.unwrap();

    let tools = client.tools().await.unwrap();
    assert_eq!(tools.len(), 6);
    assert_eq!(tools[0].input_schema["properties"]["model_id"], json!({}));
    let arguments = json!({"length": 5}).as_object().cloned().unwrap();
    let wall = client.call("create_wall", arguments).await.unwrap();
    assert_eq!((wall.is_error, &wall.structured["wall_id"]), (false, &json!("2O2Fr")));
    assert!(wall.text.contains("2O2Fr"), "{}", wall.text);
    let fault = client.call("fail", serde_json::Map::new()).await.unwrap();
    assert_eq!((fault.is_error, &fault.structured["code"]), (true, &json!(1001)));
    let unknown = client.call("make_wall", serde_json::Map::new()).await.unwrap();
    assert!(unknown.is_error, "{unknown:?}");
    client.close().await.unwrap();
}
