//! Approvals decided by the person at the client that asked: forms over stdio, answers sent with the call over HTTP.

use super::office::{Caller, Office, wall};
use crate::place::Place;
use crate::wire::Stdio;
use serde_json::{Value, json};
use std::fs;

const POLICY: &str = r#"
[[gates]]
name = "deleting"
actions = ["delete"]
elicitation = true

[[gates]]
name = "upstairs"
actions = ["create"]
storeys = ["Upper"]
"#;

/// A client on this machine that can put forms before somebody, or cannot.
struct Desk {
    agent: Stdio,
    _place: Place,
    next: u64,
}

impl Desk {
    fn open(capabilities: &Value) -> Self {
        let place = Place::new();
        fs::create_dir_all(place.data()).unwrap();
        fs::write(place.data().join("policy.toml"), POLICY).unwrap();
        fs::write(place.data().join("pensaer.toml"), "policy = 'policy.toml'\n").unwrap();
        let mut agent = Stdio::start(place.command(&["mcp"]));
        agent.send(&json!({"jsonrpc": "2.0", "id": "hello", "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": capabilities,
            "clientInfo": {"name": "desk", "version": "7"}}}));
        assert_eq!(agent.receive()["id"], "hello");
        agent.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        Self { agent, _place: place, next: 1000 }
    }

    /// A house with a wall; the wall's id.
    fn house(&mut self) -> String {
        let storeys = json!([{"name": "Ground", "elevation": 0}, {"name": "Upper", "elevation": 3000}]);
        self.agent.done("create_project", &json!({"name": "House", "storeys": storeys}));
        let wall =
            self.agent.done("create_wall", &json!({"start": [0, 0], "end": [3000, 0], "level_id": "Ground"}));
        wall["wall_id"].as_str().unwrap().to_owned()
    }

    /// Calls a tool whose call puts a question, which is answered so; the question and the tool's result.
    fn asked(&mut self, tool: &str, arguments: &Value, answer: &Value) -> (Value, Value) {
        self.next += 1;
        let id = self.next;
        let call = json!({"name": tool, "arguments": arguments});
        self.agent.send(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": call}));
        let question = self.agent.receive();
        assert_eq!(question["method"], "elicitation/create", "{question}");
        self.agent.send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": answer}));
        let result = self.agent.receive();
        assert_eq!(result["id"], id, "{result}");
        (question["params"].clone(), result["result"].clone())
    }

    fn walls(&mut self) -> u64 {
        self.agent.done("query_elements", &json!({"selector": "IfcWall"}))["total"].as_u64().unwrap()
    }

    fn approvals(&mut self) -> Value {
        self.agent.done("list_approvals", &json!({"all": true}))["approvals"].clone()
    }
}

#[test]
fn a_yes_at_the_client_commits_and_the_call_answers_as_if_nobody_had_been_asked() {
    let mut desk = Desk::open(&json!({"elicitation": {}}));
    let wall = desk.house();
    let yes = json!({"action": "accept", "content": {"decision": "approve", "comment": " the old one "}});
    let (question, result) = desk.asked("delete_elements", &json!({"element_ids": [wall]}), &yes);
    let message = question["message"].as_str().unwrap();
    assert!(message.contains("delete_elements") && message.contains("Removes: 1 IfcWall"), "{message}");
    assert_eq!(question["requestedSchema"]["properties"]["decision"]["enum"], json!(["approve", "reject"]));
    let answer = crate::wire::succeeded("delete_elements", &result);
    assert_eq!((&answer["status"], &answer["changes"]["removed"]["IfcWall"]), (&json!("deleted"), &json!(1)));
    assert_eq!(desk.walls(), 0);
    let versions = desk.agent.done("list_versions", &json!({"limit": 1}));
    assert_eq!(versions["versions"][0]["version"], answer["model_version"], "{versions}");
    let kept = desk.approvals();
    let record = &kept[0];
    assert_eq!((&record["status"], &record["in_person"]), (&json!("approved"), &json!(true)), "{record}");
    assert_eq!((&record["decided_by"], &record["comment"]), (&record["requested_by"], &json!("the old one")));
    let audit = desk.agent.done("get_audit_log", &json!({"tool": "decide_approval"}));
    let entry = &audit["entries"][0];
    assert_eq!(entry["arguments"]["in_person"], true, "{audit}");
    assert_eq!(entry["client"], "desk 7");
}

#[test]
fn a_no_is_a_refusal_and_a_form_put_away_leaves_it_waiting_for_others() {
    let mut desk = Desk::open(&json!({"elicitation": {"form": {}}}));
    let wall = desk.house();
    let delete = json!({"element_ids": [wall]});
    let no = json!({"action": "accept", "content": {"decision": "reject", "comment": "it bears"}});
    let (_, refused) = desk.asked("delete_elements", &delete, &no);
    let fault = &refused["structuredContent"];
    assert_eq!((&refused["isError"], &fault["code"]), (&json!(true), &json!(1003)), "{refused}");
    assert!(fault["message"].as_str().unwrap().contains("it bears"), "{fault}");
    for put_away in [
        json!({"action": "cancel"}),
        json!({"action": "decline"}),
        json!({"action": "accept"}),
        json!({"action": "accept", "content": {"decision": "APPROVE"}}),
        json!({"action": "accept", "content": {"decision": ["approve"]}}),
    ] {
        let (_, waits) = desk.asked("delete_elements", &delete, &put_away);
        let fault = &waits["structuredContent"];
        assert_eq!(fault["code"], 1004, "{put_away}: {waits}");
        // not by the tool, whatever it says
        let own = json!({"approval_id": fault["data"]["approval_id"], "decision": "approve"});
        let forged = desk.agent.call("decide_approval", &own);
        assert_eq!(forged["structuredContent"]["code"], 1003, "{forged}");
        let mut more = own;
        more["in_person"] = json!(true);
        assert_eq!(desk.agent.call("decide_approval", &more)["isError"], true);
    }
    assert_eq!(desk.walls(), 1);
}

#[test]
fn nobody_is_asked_where_the_client_cannot_or_the_gate_does_not_trust_them() {
    let mut desk = Desk::open(&json!({}));
    let wall = desk.house();
    let waits = desk.agent.call("delete_elements", &json!({"element_ids": [wall]}));
    assert_eq!(waits["structuredContent"]["code"], 1004, "{waits}");
    assert!(waits["structuredContent"]["data"].get("in_person").is_none(), "{waits}");

    let mut links = Desk::open(&json!({"elicitation": {"url": {}}}));
    let wall = links.house();
    let waits = links.agent.call("delete_elements", &json!({"element_ids": [wall]}));
    assert_eq!(waits["structuredContent"]["code"], 1004, "a client that opens links alone: {waits}");

    let mut forms = Desk::open(&json!({"elicitation": {}}));
    forms.house();
    let waits =
        forms.agent.call("create_wall", &json!({"start": [0, 0], "end": [3000, 0], "level_id": "Upper"}));
    assert_eq!(waits["structuredContent"]["data"]["gate"], "upstairs", "{waits}");
}

/// A call in the protocol's generation without sessions, by a client that can put forms before somebody.
fn call(caller: &Caller, tool: &str, arguments: &Value, more: &Value) -> Value {
    let mut params = json!({"name": tool, "arguments": arguments, "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}},
        "io.modelcontextprotocol/clientInfo": {"name": "desk", "version": "7"}}});
    params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let mut caller = caller.clone();
    caller.headers.extend([
        "accept: application/json, text/event-stream".to_owned(),
        "mcp-protocol-version: 2026-07-28".to_owned(),
        "mcp-method: tools/call".to_owned(),
        format!("mcp-name: {tool}"),
    ]);
    caller.post("/mcp", &message).message()
}

#[test]
fn over_http_the_answer_comes_with_the_call_made_again_and_only_from_who_may_decide() {
    let gate = "\n[[gates]]\nname = \"upstairs\"\nstoreys = [\"Upper\"]\nelicitation = true\n\
                [roles.lead]\nincludes = [\"house\", \"approver\"]\n";
    let office = Office::with("", gate);
    let ada = office.somebody("ada", "lead");
    let (model, _) = ada.house("House");
    let above = wall(&model, "Upper", 0);

    let asked = call(&ada, "create_wall", &above, &json!({}));
    let asked = &asked["result"];
    assert_eq!(asked["resultType"], "input_required", "{asked}");
    let question = &asked["inputRequests"]["approval"];
    assert_eq!(question["method"], "elicitation/create", "{asked}");
    let state = asked["requestState"].clone();
    let yes = json!({"action": "accept", "content": {"decision": "approve"}});
    let answered = |answer: &Value| json!({"requestState": state, "inputResponses": {"approval": answer}});

    // somebody else, another tool, no answer
    let eve = office.somebody("eve", "house");
    let stranger = call(&eve, "create_wall", &above, &answered(&yes));
    assert_eq!(stranger["result"]["structuredContent"]["code"], 1003, "{stranger}");
    let other = call(&ada, "create_floor", &json!({"model_id": model}), &answered(&yes));
    assert_eq!(other["error"]["code"], -32602, "{other}");
    let nothing = call(&ada, "create_wall", &above, &json!({"requestState": state}));
    let refused =
        nothing.pointer("/error/code").or_else(|| nothing.pointer("/result/structuredContent/code"));
    assert_eq!(refused, Some(&json!(-32602)), "{nothing}");
    let put_away = call(&ada, "create_wall", &above, &answered(&json!({"action": "cancel"})));
    assert_eq!(put_away["result"]["structuredContent"]["code"], 1004, "{put_away}");

    let done = call(&ada, "create_wall", &above, &answered(&yes));
    let answer = &done["result"]["structuredContent"];
    assert_eq!(answer["status"], "created", "{done}");
    assert!(answer["wall_id"].is_string(), "{done}");
    let again = call(&ada, "create_wall", &above, &answered(&yes));
    assert_eq!(again["result"]["structuredContent"]["code"], 1007, "a yes counts once: {again}");

    // who may not decide is not asked
    let waits = call(&eve, "create_wall", &above, &json!({}));
    assert_eq!(waits["result"]["structuredContent"]["code"], 1004, "{waits}");
    assert!(waits["result"]["structuredContent"]["data"].get("in_person").is_none(), "{waits}");
}
