//! Sessions that are somebody else's, too many of them, and streams of those whose key was taken back.

use super::office::{Caller, Office, wall};
use crate::place::wait_until;
use crate::wire::{head, hello, open};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _};
use std::net::TcpStream;

/// Begins a session; its id.
pub fn begin(caller: &Caller) -> String {
    let answer = caller.initialize();
    assert_eq!(answer.status, 200, "{}", answer.text());
    let id = answer.header("mcp-session-id").unwrap().to_owned();
    let inside = within(caller, &id);
    inside.post("/mcp", &json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    id
}

/// The same caller in a session.
fn within(caller: &Caller, session: &str) -> Caller {
    let mut inside = caller.clone();
    inside.headers.extend([
        "accept: application/json, text/event-stream".to_owned(),
        format!("mcp-session-id: {session}"),
        "mcp-protocol-version: 2025-11-25".to_owned(),
    ]);
    inside
}

fn whoami() -> Value {
    json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "whoami", "arguments": {}}})
}

/// A stream of events that stays open.
fn stream(caller: &Caller, path: &str) -> (u16, BufReader<TcpStream>) {
    let headers: Vec<&str> = caller.headers.iter().map(String::as_str).collect();
    let mut stream = open(&caller.address, "GET", path, &headers, b"");
    let (status, _) = head(&mut stream);
    (status, stream)
}

#[test]
pub fn a_session_is_there_for_the_principal_alone_that_opened_it() {
    let office = Office::open();
    let (ada, eve) = (office.somebody("ada", "house"), office.somebody("eve", "tower"));
    let session = begin(&ada);
    assert_eq!(
        within(&ada, &session).post("/mcp", &whoami()).message()["result"]["structuredContent"]["name"],
        "ada"
    );
    let stolen = within(&eve, &session);
    // a call, an answer to what its owner was asked, a notification, its stream of notices, and its end
    for message in [
        whoami(),
        json!({"jsonrpc": "2.0", "id": 0, "result": {"action": "accept", "content": {"decision": "approve"}}}),
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}}),
    ] {
        let answer = stolen.post("/mcp", &message);
        assert_eq!(answer.status, 404, "{message}: {}", answer.text());
    }
    let mut listening = stolen.clone();
    listening.headers.retain(|line| !line.starts_with("accept:"));
    listening.headers.push("accept: text/event-stream".into());
    assert_eq!(stream(&listening, "/mcp").0, 404);
    assert_eq!(stolen.send("DELETE", "/mcp", b"").status, 404);
    assert_eq!(within(&ada, &session).post("/mcp", &whoami()).status, 200, "it goes on");
    // another key of the same principal acts with its own rights
    let other = within(&office.somebody("ada", "viewer"), &session);
    let roles = other.post("/mcp", &whoami()).message()["result"]["structuredContent"]["roles"].clone();
    assert_eq!(roles, json!(["viewer"]));
}

#[test]
fn the_older_stream_takes_messages_of_who_opened_it_with_the_rights_of_the_key_that_sent_them() {
    let office = Office::open();
    let (ada, eve) = (office.somebody("ada", "house"), office.somebody("eve", "tower"));
    let (model, _) = ada.house("House");
    let mut opening = ada.clone();
    opening.headers.push("accept: text/event-stream".into());
    let (status, mut events) = stream(&opening, "/mcp");
    assert_eq!(status, 200);
    let mut next = || loop {
        let mut line = String::new();
        assert_ne!(events.read_line(&mut line).unwrap(), 0, "the stream ended");
        if let Some(data) = line.strip_prefix("data:") {
            return data.trim().to_owned();
        }
    };
    let address = next();
    let first = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello()});
    assert_eq!(eve.post(&address, &first).status, 404, "an id is no proof");
    assert_eq!(ada.post(&address, &first).status, 202);
    next();
    ada.post(&address, &json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    let adds = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "create_wall", "arguments": wall(&model, "Ground", 2000)}});
    assert_eq!(eve.post(&address, &adds).status, 404);
    let narrow = office.somebody("ada", "viewer");
    assert_eq!(narrow.post(&address, &adds).status, 202);
    let answer: Value = serde_json::from_str(&next()).unwrap();
    assert_eq!(
        answer["result"]["structuredContent"]["code"], 1003,
        "made with the key that sent it: {answer}"
    );
}

#[test]
fn sessions_are_bounded_and_count_as_calls() {
    let office = Office::open();
    let ada = office.somebody("ada", "house");
    let sessions: Vec<String> = (0..160).map(|_| begin(&ada)).collect();
    let other = office.somebody("eve", "tower");
    let hers = begin(&other);
    let is_there = |caller: &Caller, id: &str| within(caller, id).post("/mcp", &whoami()).status == 200;
    assert_eq!(sessions.iter().filter(|id| is_there(&ada, id)).count(), 128);
    assert!(
        is_there(&ada, sessions.last().unwrap()) && !is_there(&ada, &sessions[0]),
        "the oldest made room"
    );
    assert!(is_there(&other, &hers));

    let slow = office.somebody("sue", "slow");
    let answers: Vec<u16> = (0..5).map(|_| slow.initialize().status).collect();
    assert_eq!(answers, [200, 200, 200, 429, 429]);
    assert!(slow.initialize().header("retry-after").is_some());
}

#[test]
pub fn streams_end_when_the_key_is_taken_back() {
    let office = Office::open();
    let key = office.key("ada", "house");
    let ada = office.caller(&[&format!("authorization: Bearer {key}")]);
    let (model, _) = ada.house("House");
    let session = begin(&ada);
    let mut listening = within(&ada, &session);
    listening.headers.retain(|line| !line.starts_with("accept:"));
    listening.headers.push("accept: text/event-stream".into());
    let mut older = ada.clone();
    older.headers.push("accept: text/event-stream".into());
    let streams = [
        stream(&ada, &format!("/api/events?model={model}")),
        stream(&listening, "/mcp"),
        stream(&older, "/mcp"),
    ];
    let id = key.split('_').nth(1).unwrap().to_owned();
    assert!(office.admin(&["key", "revoke", &id]).0);
    for (status, mut stream) in streams {
        assert_eq!(status, 200);
        stream.get_ref().set_read_timeout(Some(std::time::Duration::from_secs(20))).unwrap();
        let mut rest = Vec::new();
        stream.read_to_end(&mut rest).expect("the stream ends");
    }
    assert_eq!(within(&ada, &session).post("/mcp", &whoami()).status, 401);
}

#[test]
fn connections_that_say_nothing_stop_nobody() {
    let office = Office::open();
    let ada = office.somebody("ada", "house");
    let mut silent: Vec<TcpStream> = Vec::new();
    for _ in 0..400 {
        silent.push(TcpStream::connect(&office.address).unwrap());
        // all of the machine's own, as through a proxy
    }
    assert_eq!(ada.send("GET", "/healthz", b"").status, 200);
    ada.done("list_models", &json!({}));
    // the first of them made room
    wait_until("the oldest is closed", || {
        let first = &silent[0];
        first.set_nonblocking(true).unwrap();
        matches!((&mut &*first).read(&mut [0; 1]), Ok(0))
            || matches!((&mut &*first).read(&mut [0; 1]), Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset)
    });
}
