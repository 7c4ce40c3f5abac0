//! A small MCP client over stdio and HTTP, for the sample house, the checks and the measurements. It sees the server as
//! any foreign client does: JSON-RPC lines on a pipe, or POSTs to `/mcp`.

use crate::shell::root;
use anyhow::{Context, Result, anyhow, bail, ensure};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};
use ureq::Agent;

/// The protocol version that most clients speak.
const PROTOCOL: &str = "2025-11-25";

/// Something that answers JSON-RPC requests.
pub trait Client {
    /// Sends one request and waits for its answer's `result`; a protocol error is an error here.
    fn request(&mut self, method: &str, params: Value) -> Result<Value>;

    /// Sends a notification.
    fn notify(&mut self, method: &str) -> Result<()>;

    /// The handshake.
    fn initialize(&mut self) -> Result<Value> {
        let params = json!({
            "protocolVersion": PROTOCOL,
            "capabilities": {},
            "clientInfo": {"name": "xtask", "version": env!("CARGO_PKG_VERSION")}
        });
        let answer = self.request("initialize", params)?;
        self.notify("notifications/initialized")?;
        Ok(answer)
    }

    /// Calls a tool; its structured answer, or an error with the fault's message.
    fn call(&mut self, tool: &str, arguments: Value) -> Result<Value> {
        let answer = self.request("tools/call", json!({"name": tool, "arguments": arguments}))?;
        let content = answer.get("structuredContent").cloned().unwrap_or(Value::Null);
        if answer.get("isError").and_then(Value::as_bool) == Some(true) {
            bail!("{tool}: {}", if content.is_null() { &answer } else { &content });
        }
        Ok(content)
    }
}

/// `pensaer mcp` as a child process.
pub struct Pipe {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    next: u64,
}

impl Pipe {
    /// Starts the program on a data folder.
    pub fn start(program: &Path, data: &Path) -> Result<Self> {
        let mut command = Command::new(program);
        command.arg("mcp").env("PENSAER_DATA_DIR", data);
        Self::begin(command)
    }

    /// Starts any server that speaks over its standard streams.
    pub fn begin(mut command: Command) -> Result<Self> {
        let program = command.get_program().to_owned();
        let mut child = command
            .current_dir(root())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {}", program.display()))?;
        let input = child.stdin.take().context("no standard input")?;
        let output = BufReader::new(child.stdout.take().context("no standard output")?);
        Ok(Self { child, input, output, next: 0 })
    }

    fn send(&mut self, message: &Value) -> Result<()> {
        let mut line = serde_json::to_vec(message)?;
        line.push(b'\n');
        self.input.write_all(&line)?;
        self.input.flush()?;
        Ok(())
    }
}

impl Client for Pipe {
    fn request(&mut self, method: &str, params: Value) -> Result<Value> {
        self.next += 1;
        let id = self.next;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        let mut line = String::new();
        loop {
            line.clear();
            if self.output.read_line(&mut line)? == 0 {
                bail!("the server closed its output");
            }
            let message: Value = serde_json::from_str(&line).with_context(|| format!("not JSON: {line}"))?;
            if message.get("id").and_then(Value::as_u64) == Some(id) {
                return result_of(message);
            }
        }
    }

    fn notify(&mut self, method: &str) -> Result<()> {
        self.send(&json!({"jsonrpc": "2.0", "method": method}))
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        // the pipe ends with its client; whatever is left of it must not outlive the measurement
        if self.child.kill().is_ok() {
            self.child.wait().ok();
        }
    }
}

/// A session over streamable HTTP on one kept connection.
pub struct Http {
    agent: Agent,
    address: String,
    session: Option<String>,
    next: u64,
}

impl Http {
    /// Connects to `http://host:port/path` with the first request.
    pub fn connect(address: &str) -> Result<Self> {
        ensure!(address.starts_with("http://"), "only http:// addresses");
        Ok(Self { agent: agent(Duration::from_mins(5)), address: address.to_owned(), session: None, next: 0 })
    }

    fn post(&mut self, message: &Value) -> Result<String> {
        let mut request = self
            .agent
            .post(&self.address)
            .header("Content-Type", "application/json")
            .header("Accept", "application/json, text/event-stream")
            .header("MCP-Protocol-Version", PROTOCOL);
        if let Some(session) = &self.session {
            request = request.header("Mcp-Session-Id", session);
        }
        let mut answer = request
            .send(serde_json::to_vec(message)?)
            .with_context(|| format!("nothing answers at {}", self.address))?;
        if let Some(session) = answer.headers().get("mcp-session-id") {
            self.session = Some(session.to_str()?.to_owned());
        }
        let status = answer.status().as_u16();
        let body = answer.body_mut().with_config().limit(u64::MAX).read_to_string()?;
        if status >= 400 {
            bail!("HTTP {status}: {body}");
        }
        Ok(body)
    }
}

/// A client of HTTP that answers whatever status there is, and gives up after so long.
fn agent(patience: Duration) -> Agent {
    Agent::config_builder()
        .proxy(None)
        .http_status_as_error(false)
        .timeout_global(Some(patience))
        .build()
        .into()
}

impl Client for Http {
    fn request(&mut self, method: &str, params: Value) -> Result<Value> {
        self.next += 1;
        let id = self.next;
        let body = self.post(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        // a JSON body, or a stream of events of which one is the answer
        let lines = body.lines().filter_map(|line| line.strip_prefix("data:")).map(str::trim);
        for text in std::iter::once(body.as_str()).chain(lines) {
            if let Ok(message) = serde_json::from_str::<Value>(text)
                && message.get("id").and_then(Value::as_u64) == Some(id)
            {
                return result_of(message);
            }
        }
        bail!("no answer to {method} in: {body}")
    }

    fn notify(&mut self, method: &str) -> Result<()> {
        self.post(&json!({"jsonrpc": "2.0", "method": method})).map(drop)
    }
}

fn result_of(mut message: Value) -> Result<Value> {
    match message.get_mut("result") {
        Some(result) => Ok(result.take()),
        None => Err(anyhow!("the server refused: {}", message.get("error").unwrap_or(&message))),
    }
}

/// A server of our own on a free port, ended when dropped.
pub struct Server {
    child: Child,
    /// `http://127.0.0.1:PORT`
    pub address: String,
}

impl Server {
    /// Starts `pensaer serve` on a data folder and waits until it answers.
    pub fn start(program: &Path, data: &Path) -> Result<Self> {
        Self::start_on(program, data, free_port()?)
    }

    /// Starts a server on a given port.
    pub fn start_on(program: &Path, data: &Path, port: u16) -> Result<Self> {
        Self::start_with(program, data, port, &[])
    }

    /// Starts a server on a given port with more in its environment; callers on this machine need no key unless that says so.
    pub fn start_with(program: &Path, data: &Path, port: u16, more: &[(&str, &Path)]) -> Result<Self> {
        Self::start_told(program, data, port, &[], more)
    }

    /// The same with more words on its command line.
    pub fn start_told(
        program: &Path,
        data: &Path,
        port: u16,
        words: &[&str],
        more: &[(&str, &Path)],
    ) -> Result<Self> {
        let listen = format!("127.0.0.1:{port}");
        let child = Command::new(program)
            .args(["serve", "--listen", &listen])
            .args(words)
            .current_dir(root())
            .env("PENSAER_DATA_DIR", data)
            .env("PENSAER_OPEN_LOOPBACK", "true")
            .envs(more.iter().copied())
            .stdin(Stdio::null())
            .spawn()
            .with_context(|| format!("cannot start {}", program.display()))?;
        let mut server = Self { child, address: format!("http://{listen}") };
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(30) {
            if let Some(status) = server.child.try_wait()? {
                bail!("the server ended at once with {status}; is another one running on this data folder?");
            }
            if is_healthy(&listen) {
                return Ok(server);
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        bail!("the server does not answer at {listen}")
    }

    /// The process of the gateway.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits until the server ends, as it does on Ctrl-C.
    pub fn wait(&mut self) -> Result<()> {
        self.child.wait()?;
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // asked to end, so that it closes its database and its workers
        let asked = Command::new("kill").arg(self.child.id().to_string()).status();
        if asked.is_err() {
            self.child.kill().ok();
        }
        self.child.wait().ok();
    }
}

fn is_healthy(host: &str) -> bool {
    let asked = agent(Duration::from_secs(5)).get(format!("http://{host}/healthz")).call();
    asked.is_ok_and(|answer| answer.status().as_u16() == 200)
}

/// A port that was free a moment ago.
pub fn free_port() -> Result<u16> {
    Ok(std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}
