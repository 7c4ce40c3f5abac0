//! Clients that know nothing of the program: JSON-RPC over pipes, HTTP over a socket.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio as Pipe};

/// An MCP client over standard streams.
pub struct Stdio {
    child: Child,
    write: Option<ChildStdin>,
    read: BufReader<ChildStdout>,
    next: u64,
}

impl Stdio {
    pub fn start(mut command: Command) -> Self {
        let mut child =
            command.stdin(Pipe::piped()).stdout(Pipe::piped()).stderr(Pipe::piped()).spawn().unwrap();
        let write = child.stdin.take();
        let read = BufReader::new(child.stdout.take().unwrap());
        Self { child, write, read, next: 0 }
    }

    pub fn send(&mut self, message: &Value) {
        writeln!(self.write.as_mut().unwrap(), "{message}").unwrap();
    }

    pub fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.read.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| {
            let mut complaint = String::new();
            let _ = self.child.stderr.take().map(|mut stderr| stderr.read_to_string(&mut complaint));
            panic!("not a message: {error}: {line:?}; the program says: {complaint}")
        })
    }

    pub fn ask(&mut self, method: &str, params: &Value) -> Value {
        let id = self.next;
        self.next += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        // notices may come between
        let answer =
            std::iter::repeat_with(|| self.receive()).find(|message| message.get("method").is_none());
        let answer = answer.unwrap();
        assert_eq!(answer["id"], id);
        answer
    }

    pub fn initialize(&mut self) -> Value {
        let answer = self.ask("initialize", &hello());
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        answer["result"].clone()
    }

    /// Calls a tool; the result as MCP has it.
    pub fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        self.ask("tools/call", &json!({"name": tool, "arguments": arguments}))["result"].clone()
    }

    /// Calls a tool that has to succeed; its structured answer.
    pub fn done(&mut self, tool: &str, arguments: &Value) -> Value {
        succeeded(tool, &self.call(tool, arguments))
    }

    /// Closes its end.
    pub fn close(&mut self) {
        self.write = None;
    }

    /// Closes its end and waits for the program's.
    pub fn leave(mut self) -> std::process::ExitStatus {
        self.write = None;
        self.child.wait().unwrap()
    }
}

pub fn hello() -> Value {
    json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "it", "version": "1"}})
}

pub fn succeeded(tool: &str, result: &Value) -> Value {
    assert_ne!(result["isError"], true, "{tool}: {result}");
    result["structuredContent"].clone()
}

/// An HTTP answer.
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    pub fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    /// The JSON-RPC message in it, whether sent plain or as an event.
    pub fn message(&self) -> Value {
        let text = self.text();
        text.lines()
            .filter_map(|line| line.strip_prefix("data:"))
            .find_map(|data| serde_json::from_str(data.trim()).ok())
            .unwrap_or_else(|| serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}")))
    }
}

/// One request on a connection of its own; `headers` as `name: value` lines.
pub fn request(address: &str, method: &str, path: &str, headers: &[&str], body: &[u8]) -> Answer {
    let mut stream = open(address, method, path, headers, body);
    let (status, headers) = head(&mut stream);
    let mut raw = Vec::new();
    stream.read_to_end(&mut raw).unwrap();
    let chunked = headers.iter().any(|(n, v)| n == "transfer-encoding" && v == "chunked");
    Answer { status, headers, body: if chunked { unchunk(&raw) } else { raw } }
}

/// Sends a request and leaves the connection open for its answer.
pub fn open(address: &str, method: &str, path: &str, headers: &[&str], body: &[u8]) -> BufReader<TcpStream> {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_nodelay(true).unwrap();
    let mut text =
        format!("{method} {path} HTTP/1.1\r\nconnection: close\r\ncontent-length: {}\r\n", body.len());
    if !headers.iter().any(|line| line.starts_with("host:")) {
        text.extend(["host: ", address, "\r\n"]);
    }
    for line in headers {
        text.extend([line, "\r\n"]);
    }
    stream.write_all(&[text.as_bytes(), b"\r\n", body].concat()).unwrap();
    BufReader::new(stream)
}

pub fn head(stream: &mut BufReader<TcpStream>) -> (u16, Vec<(String, String)>) {
    let mut line = String::new();
    stream.read_line(&mut line).unwrap();
    let status = line.split(' ').nth(1).unwrap_or_else(|| panic!("no status: {line:?}")).parse().unwrap();
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).unwrap();
        let Some((name, value)) = line.trim_end().split_once(": ") else { return (status, headers) };
        headers.push((name.to_ascii_lowercase(), value.to_owned()));
    }
}

fn unchunk(mut raw: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = raw.windows(2).position(|pair| pair == b"\r\n") {
        let length = usize::from_str_radix(std::str::from_utf8(&raw[..end]).unwrap(), 16).unwrap();
        if length == 0 {
            break;
        }
        body.extend_from_slice(&raw[end + 2..end + 2 + length]);
        raw = &raw[end + 4 + length..];
    }
    body
}

/// The next event of a stream: its name and its data.
pub fn event(stream: &mut BufReader<TcpStream>) -> (String, String) {
    let mut name = "message".to_owned();
    loop {
        let mut line = String::new();
        assert_ne!(stream.read_line(&mut line).unwrap(), 0, "the stream ended");
        if let Some(text) = line.strip_prefix("event:") {
            text.trim().clone_into(&mut name);
        }
        if let Some(text) = line.strip_prefix("data:")
            && !text.trim().is_empty()
        {
            return (name, text.trim().to_owned());
        }
    }
}

/// An MCP client over streamable HTTP.
pub struct Http {
    address: String,
    path: String,
    session: String,
    next: u64,
}

impl Http {
    pub fn open(address: &str, path: &str) -> Self {
        let mut client = Self { address: address.into(), path: path.into(), session: String::new(), next: 0 };
        let answer =
            client.post(&json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello()}));
        answer.header("mcp-session-id").unwrap().clone_into(&mut client.session);
        assert_eq!(answer.message()["result"]["protocolVersion"], "2025-11-25");
        client.post(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        client
    }

    pub fn session(&self) -> &str {
        &self.session
    }

    fn post(&self, message: &Value) -> Answer {
        let session = format!("mcp-session-id: {}", self.session);
        let mut headers = vec![
            "content-type: application/json",
            "accept: application/json, text/event-stream",
            "mcp-protocol-version: 2025-11-25",
        ];
        if !self.session.is_empty() {
            headers.push(&session);
        }
        let answer = request(&self.address, "POST", &self.path, &headers, message.to_string().as_bytes());
        assert!(answer.status < 300, "{}: {}", answer.status, answer.text());
        answer
    }

    pub fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.next += 1;
        self.post(&json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params})).message()
    }

    pub fn done(&mut self, tool: &str, arguments: &Value) -> Value {
        let answer = self.ask("tools/call", &json!({"name": tool, "arguments": arguments}));
        succeeded(tool, &answer["result"])
    }
}
