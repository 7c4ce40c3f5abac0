//! A server with a policy, and people with keys to it.

use crate::place::{Foreground, Place};
use crate::wire::{Answer, hello, request};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::fs;

/// Two tenants, those who approve, and a gate.
const POLICY: &str = r#"
[[roles.tower.grants]]
actions = ["query", "create", "modify", "delete", "export"]
models = ["Tower*"]

[[roles.house.grants]]
actions = ["query", "create", "modify", "delete", "export"]
models = ["House*"]

[[roles.ground.grants]]
actions = ["query"]
[[roles.ground.grants]]
actions = ["create", "modify"]
storeys = ["Ground"]
classes = ["IfcWall"]

[roles.slow]
includes = ["house"]
limits = { calls-per-minute = 3 }

[[gates]]
name = "deleting"
actions = ["delete"]
except = ["admin"]
"#;

pub struct Office {
    pub place: Place,
    pub address: String,
    _server: Foreground,
}

/// A caller: the headers that it sends with everything.
#[derive(Clone)]
pub struct Caller {
    pub address: String,
    pub headers: Vec<String>,
}

/// A database, and what else a gateway that shares it has in its environment.
pub struct Shares {
    pub database: String,
    pub more: Vec<(&'static str, String)>,
}

thread_local! {
    /// The variables that offices of this thread share.
    static SHARED: RefCell<Vec<(&'static str, String)>> = const { RefCell::new(Vec::new()) };
}

/// Runs a test whose offices have this database.
pub fn sharing(shares: Shares, test: fn()) {
    let all = [("PENSAER_DB_URL", shares.database)].into_iter().chain(shares.more).collect();
    SHARED.set(all);
    test();
    SHARED.take();
}

impl Office {
    pub fn open() -> Self {
        Self::with("", "")
    }

    /// With more settings and more policy.
    pub fn with(settings: &str, policy: &str) -> Self {
        Self::at(Place::new(), settings, policy)
    }

    /// With more settings, and callers on this machine known by their key.
    pub fn keyed(settings: &str) -> Self {
        let mut place = Place::new();
        place.open = false;
        Self::at(place, settings, "")
    }

    fn at(mut place: Place, settings: &str, policy: &str) -> Self {
        SHARED.with_borrow(|shared| place.share(shared.iter().cloned()));
        fs::create_dir_all(place.data()).unwrap();
        fs::write(place.data().join("policy.toml"), format!("{POLICY}\n{policy}")).unwrap();
        fs::write(place.data().join("pensaer.toml"), format!("policy = 'policy.toml'\n{settings}")).unwrap();
        let server = place.serve();
        let address = place.address();
        Self { place, address, _server: server }
    }

    /// Runs `pensaer admin`: success, output, errors.
    pub fn admin(&self, arguments: &[&str]) -> (bool, String, String) {
        let output = self.place.run(&[&["admin"], arguments].concat());
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap().trim().to_owned();
        (output.status.success(), text(output.stdout), text(output.stderr))
    }

    /// A new key.
    pub fn key(&self, principal: &str, role: &str) -> String {
        let (done, key, complaint) = self.admin(&["key", "create", "--principal", principal, "--role", role]);
        assert!(done && key.starts_with("psk_"), "{complaint}");
        key
    }

    /// Somebody elsewhere with a new key.
    pub fn somebody(&self, principal: &str, role: &str) -> Caller {
        self.caller(&[&format!("authorization: Bearer {}", self.key(principal, role))])
    }

    pub fn caller(&self, headers: &[&str]) -> Caller {
        // as a proxy passes requests of other machines on
        let elsewhere = "x-forwarded-for: 192.0.2.7";
        let headers = headers.iter().chain(&[elsewhere]).map(|line| (*line).to_owned()).collect();
        Caller { address: self.address.clone(), headers }
    }
}

impl Caller {
    pub fn send(&self, method: &str, path: &str, body: &[u8]) -> Answer {
        let headers: Vec<&str> = self.headers.iter().map(String::as_str).collect();
        request(&self.address, method, path, &headers, body)
    }

    /// The same with a media type.
    pub fn send_as(&self, method: &str, path: &str, media_type: &str, body: &[u8]) -> Answer {
        let mut caller = self.clone();
        caller.headers.push(format!("content-type: {media_type}"));
        caller.send(method, path, body)
    }

    pub fn post(&self, path: &str, body: &Value) -> Answer {
        self.send_as("POST", path, "application/json", body.to_string().as_bytes())
    }

    /// One call of a tool, in the protocol's generation without sessions.
    pub fn mcp(&self, tool: &str, arguments: &Value) -> Answer {
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
            "name": tool, "arguments": arguments, "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
                "io.modelcontextprotocol/clientInfo": {"name": "it", "version": "1"}}}});
        let mut caller = self.clone();
        caller.headers.extend([
            "accept: application/json, text/event-stream".to_owned(),
            "mcp-protocol-version: 2026-07-28".to_owned(),
            "mcp-method: tools/call".to_owned(),
            format!("mcp-name: {tool}"),
        ]);
        caller.post("/mcp", &message)
    }

    pub fn call(&self, tool: &str, arguments: &Value) -> Value {
        let answer = self.mcp(tool, arguments);
        assert_eq!(answer.status, 200, "{tool}: {}", answer.text());
        answer.message()["result"].clone()
    }

    /// A call that has to succeed.
    pub fn done(&self, tool: &str, arguments: &Value) -> Value {
        crate::wire::succeeded(tool, &self.call(tool, arguments))
    }

    /// A call that has to end in a Fault.
    pub fn refused(&self, tool: &str, arguments: &Value) -> Value {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], true, "{tool} {arguments}: {result}");
        result["structuredContent"].clone()
    }

    /// The answer to the first message of a session.
    pub fn initialize(&self) -> Answer {
        let message = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello()});
        let mut caller = self.clone();
        caller.headers.push("accept: application/json, text/event-stream".into());
        caller.post("/mcp", &message)
    }

    /// A project with two storeys and a wall; the model's id and the wall's.
    pub fn house(&self, name: &str) -> (String, String) {
        let storeys = json!([{"name": "Ground", "elevation": 0}, {"name": "Upper", "elevation": 3000}]);
        let made = self.done("create_project", &json!({"name": name, "storeys": storeys}));
        let model = made["model_id"].as_str().unwrap().to_owned();
        let wall = self.done("create_wall", &wall(&model, "Ground", 0));
        (model, wall["wall_id"].as_str().unwrap().to_owned())
    }
}

/// A wall's arguments.
pub fn wall(model: &str, storey: &str, y: i64) -> Value {
    json!({"start": [0, y], "end": [3000, y], "level_id": storey, "model_id": model})
}
