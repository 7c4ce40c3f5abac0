//! Prompts, completion, log messages and tasks, and the fixtures of the conformance suite.

use super::*;
use contract::{JobRecord, JobState, PromptArgument, PromptSpec};
use service::{ResourceListed, SeenJob};

/// A job that is at its end when it was looked at three times.
#[derive(Default)]
pub(super) struct FakeJob {
    looked: u32,
    is_cancelled: bool,
}

impl FakeJob {
    pub(super) fn seen(&mut self, id: &str) -> Result<SeenJob, Fault> {
        if id != "j1" {
            return Err(Fault::new(FaultCode::NotFound, format!("There is no job {id}.")));
        }
        self.looked += 1;
        let state = match (self.is_cancelled, self.looked) {
            (true, _) => JobState::Cancelled,
            (false, 3..) => JobState::Done,
            (false, _) => JobState::Running,
        };
        let record: JobRecord = serde_json::from_value(json!({
            "job_id": id, "kind": "call", "state": state, "principal": "ada", "parameters": {}, "attempts": 1,
            "progress": {"step": 1, "what": "checking", "done": 1, "total": 2}, "created_ms": 0, "updated_ms": 1}))
        .unwrap();
        Ok(SeenJob { record, answer: (state == JobState::Done).then(|| Ok(checked(&json!({})))) })
    }

    pub(super) fn end(&mut self, id: &str) -> Result<(), Fault> {
        self.seen(id)?;
        self.is_cancelled = true;
        Ok(())
    }
}

/// The answer of a tool that checks: a job where it was submitted as one.
pub(super) fn checked(arguments: &Value) -> ChatArtifact {
    let (result, status) = if arguments["as_job"] == json!(true) {
        (json!({"job_id": "j1"}), Some("queued".to_owned()))
    } else {
        (json!({"wall_id": "2O2Fr", "problems": ["a wall floats"], "notes": ["two were left out"]}), None)
    };
    ChatArtifact { status, result: result.as_object().unwrap().clone(), ..ChatArtifact::default() }
}

pub(super) fn offered(wanted: &Completion, typed: &str, model: Option<&str>) -> Result<Vec<String>, Fault> {
    match (wanted, model) {
        (Completion::Model, _) => {
            Ok((0..150).map(|i| format!("house {i}")).filter(|name| name.starts_with(typed)).collect())
        }
        (Completion::Version, Some(model)) => Ok(vec![format!("{model}/{typed}")]),
        _ => Err(Fault::new(FaultCode::NoModelLoaded, "There is no current model.")),
    }
}

pub(super) fn templates() -> Vec<ResourceListed> {
    let listed = |uri: &str| ResourceListed { uri: uri.into(), name: "n".into(), description: "d".into() };
    vec![listed("pensaer://models/{model_id}/versions/{version}")]
}

fn prompts() -> Arc<[PromptSpec]> {
    let argument = |name: &str, default: Option<&str>, completion: Option<Completion>| PromptArgument {
        name: name.into(),
        title: name.into(),
        description: format!("The {name}."),
        default: default.map(str::to_owned),
        completion,
    };
    let sizes = Completion::Choice(vec!["A1".into(), "A2".into(), "B1".into()]);
    Arc::new([PromptSpec {
        name: "review".into(),
        title: "Review".into(),
        description: "Reviews a change.".into(),
        arguments: vec![
            argument("model", Some("the current model"), Some(Completion::Model)),
            argument("base", None, Some(Completion::Version)),
            argument("size", Some("A1"), Some(sizes)),
        ],
        text: "Review {model} from {base} on {size}.".into(),
    }])
}

fn long(name: &str) -> Arc<ToolSpec> {
    let mut spec = spec(name, Server::Validation, Effect::Query);
    spec.needs.job = true;
    spec.toolsets = vec![Toolset::Validation];
    Arc::new(spec)
}

fn open(door: &Arc<FakeDoor>) -> Client {
    let (ours, theirs) = tokio::io::duplex(1 << 16);
    let tools = Arc::new(Tools::new(&[long("check")]).with_prompts(&prompts()));
    let surface = Arc::new(Surface::new(&tools, Profile::Usual));
    let context = CallContext::local("tester", Transport::Stdio);
    let endpoint = Endpoint::new(surface, Arc::clone(door) as Arc<dyn Door>, context, ResultForm::Both);
    let (read, write) = tokio::io::split(theirs);
    tokio::spawn(serve_stream(endpoint, read, write, CancellationToken::new()));
    let (read, write) = tokio::io::split(ours);
    Client { write, read: BufReader::new(read).lines() }
}

#[tokio::test]
async fn prompts_are_listed_with_their_arguments_and_filled_with_what_is_given() {
    let mut client = open(&Arc::default());
    let hello = client.initialize().await;
    assert!(hello["result"]["capabilities"]["prompts"].is_object(), "{hello}");
    let icon = hello["result"]["serverInfo"]["icons"][0]["src"].as_str().unwrap();
    assert!(icon.starts_with("data:image/svg+xml;base64,"), "nothing is fetched: {icon}");
    let listed = client.ask(1, "prompts/list", json!({})).await;
    let prompt = &listed["result"]["prompts"][0];
    assert_eq!((&prompt["name"], &prompt["title"]), (&json!("review"), &json!("Review")));
    let required: Vec<bool> =
        prompt["arguments"].as_array().unwrap().iter().map(|a| a["required"].as_bool().unwrap()).collect();
    assert_eq!(required, [false, true, false]);
    let arguments = json!({"base": "v1"});
    let got = client.ask(2, "prompts/get", json!({"name": "review", "arguments": arguments})).await;
    let text = &got["result"]["messages"][0]["content"]["text"];
    assert_eq!(text, "Review the current model from v1 on A1.");
    for (id, wrong) in [
        json!({"name": "review"}),
        json!({"name": "reviewed"}),
        json!({"name": "review", "arguments": {"bases": "v1"}}),
        json!({"name": "review", "arguments": {"base": 3}}),
    ]
    .into_iter()
    .enumerate()
    {
        let refused = client.ask(u32::try_from(id).unwrap() + 3, "prompts/get", wrong).await;
        assert_eq!(refused["error"]["code"], -32602, "{refused}");
    }
}

#[tokio::test]
async fn values_are_offered_for_arguments_of_prompts_and_variables_of_addresses() {
    let mut client = open(&Arc::default());
    client.initialize().await;
    let mut id = 0;
    let mut asked = async |reference: &Value, argument: Value, context: Value| {
        id += 1;
        let params = json!({"ref": reference, "argument": argument, "context": context});
        client.ask(id, "completion/complete", params).await
    };
    let prompt = json!({"type": "ref/prompt", "name": "review"});
    let sizes = asked(&prompt, json!({"name": "size", "value": "a"}), json!({})).await;
    assert_eq!(sizes["result"]["completion"]["values"], json!(["A1", "A2"]));
    let models = asked(&prompt, json!({"name": "model", "value": "house"}), json!({})).await;
    let completion = &models["result"]["completion"];
    assert_eq!(completion["values"].as_array().unwrap().len(), 100, "no more than the protocol lets");
    assert_eq!((&completion["hasMore"], &completion["total"]), (&json!(true), &json!(150)));
    let context = json!({"arguments": {"model": "house 1"}});
    let versions = asked(&prompt, json!({"name": "base", "value": "ma"}), context).await;
    assert_eq!(versions["result"]["completion"]["values"], json!(["house 1/ma"]));
    let none = asked(&prompt, json!({"name": "base", "value": "ma"}), json!({})).await;
    assert_eq!(none["result"]["completion"]["values"], json!([]), "no model, nothing to offer");
    let form = json!({"type": "ref/resource", "uri": "pensaer://models/{model_id}/versions/{version}"});
    let context = json!({"arguments": {"model_id": "m"}});
    let versions = asked(&form, json!({"name": "version", "value": "f"}), context).await;
    assert_eq!(versions["result"]["completion"]["values"], json!(["m/f"]));
    for (reference, name) in [
        (&prompt, "other"),
        (&form, "base"),
        (&json!({"type": "ref/prompt", "name": "x"}), "base"),
        (&json!({"type": "ref/resource", "uri": "x://{y}"}), "y"),
    ] {
        let refused = asked(reference, json!({"name": name, "value": ""}), json!({})).await;
        assert_eq!(refused["error"]["code"], -32602, "{refused}");
    }
}

#[tokio::test]
async fn a_client_is_told_what_is_to_be_minded_from_the_level_on_that_it_asked_for() {
    let mut client = open(&Arc::default());
    client.initialize().await;
    let call = json!({"name": "check", "arguments": {}});
    let silent = client.ask(1, "tools/call", call.clone()).await;
    assert!(silent["result"].is_object(), "who did not ask is told nothing: {silent}");
    assert_eq!(client.ask(2, "logging/setLevel", json!({"level": "warning"})).await["result"], json!({}));
    let told = client.ask(3, "tools/call", call.clone()).await;
    assert_eq!(told["method"], "notifications/message", "{told}");
    assert_eq!(
        (&told["params"]["level"], &told["params"]["data"]["tool"]),
        (&json!("warning"), &json!("check"))
    );
    assert!(client.receive().await["result"].is_object(), "a note is below that level");
    client.ask(4, "logging/setLevel", json!({"level": "debug"})).await;
    let told = client.ask(5, "tools/call", call).await;
    assert_eq!(told["params"]["level"], "warning");
    let told = client.receive().await;
    assert_eq!(
        (&told["params"]["level"], &told["params"]["data"]["message"]),
        (&json!("notice"), &json!("two were left out"))
    );
    assert!(client.receive().await["result"].is_object());
}

/// The `_meta` of a request of the stateless generation, whose client knows tasks.
fn meta_with_tasks() -> Value {
    let mut meta = stateless_meta();
    meta["io.modelcontextprotocol/clientCapabilities"] =
        json!({"extensions": {"io.modelcontextprotocol/tasks": {}}});
    meta
}

#[tokio::test]
async fn a_long_call_of_a_client_that_knows_tasks_becomes_one() {
    let mut client = open(&Arc::default());
    let params = |more: Value| {
        let mut params = more;
        params["_meta"] = meta_with_tasks();
        params
    };
    let begun = client.ask(1, "tools/call", params(json!({"name": "check", "arguments": {}}))).await;
    let task = &begun["result"];
    assert_eq!((&task["resultType"], &task["taskId"]), (&json!("task"), &json!("j1")), "{begun}");
    assert_eq!((&task["status"], &task["statusMessage"]), (&json!("working"), &json!("checking: 1 of 2")));
    let get = |id: &str| params(json!({"taskId": id}));
    assert_eq!(client.ask(2, "tasks/get", get("j1")).await["result"]["status"], "working");
    let done = client.ask(3, "tasks/get", get("j1")).await;
    assert_eq!(done["result"]["status"], "completed", "{done}");
    assert_eq!(done["result"]["result"]["structuredContent"]["wall_id"], "2O2Fr");
    assert_eq!(client.ask(4, "tasks/cancel", get("j1")).await["result"]["resultType"], "complete");
    assert_eq!(client.ask(5, "tasks/get", get("j1")).await["result"]["status"], "cancelled");
    for method in ["tasks/get", "tasks/cancel", "tasks/update"] {
        let mut asked = get("other");
        asked["inputResponses"] = json!({});
        let refused = client.ask(6, method, asked).await;
        assert_eq!(refused["error"]["code"], -32602, "{method}: {refused}");
    }
}

#[tokio::test]
async fn a_client_that_knows_no_tasks_waits_for_its_answer() {
    let mut client = open(&Arc::default());
    client.initialize().await;
    let called = client.ask(1, "tools/call", json!({"name": "check", "arguments": {}})).await;
    assert_eq!(called["result"]["structuredContent"]["wall_id"], "2O2Fr", "{called}");
    let refused = client.ask(2, "tasks/get", json!({"taskId": "j1"})).await;
    assert_eq!(refused["error"]["code"], -32021, "{refused}");
}

#[tokio::test]
async fn an_agent_that_asks_for_a_job_itself_gets_its_id() {
    let mut client = open(&Arc::default());
    let params = json!({"name": "check", "arguments": {"as_job": true}, "_meta": stateless_meta()});
    let called = client.ask(1, "tools/call", params).await;
    assert_eq!(called["result"]["structuredContent"]["job_id"], "j1", "{called}");
}

#[tokio::test]
async fn the_conformance_fixtures_are_there_only_when_asked_for() {
    for wanted in [false, true] {
        let options = HttpOptions { conformance_fixtures: wanted, ..HttpOptions::default() };
        let app = router(&specs(), Arc::new(FakeDoor::default()), &options);
        let listed =
            json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": stateless_meta()}});
        let request = post("/mcp", &listed)
            .header("mcp-protocol-version", "2026-07-28")
            .header("mcp-method", "tools/list");
        let response = app.oneshot(request.body(Body::from(listed.to_string())).unwrap()).await.unwrap();
        let answer = first_message(&body_text(response).await);
        assert_eq!(names(&answer).contains(&"test_simple_text"), wanted);
    }
}
