//! The Python program beside this one: what it says of itself, and how it is asked. Each question has a connection of its
//! own, since the process that answers dies with it; closing the connection kills that process.

use contract::{Effect, Fault, FaultCode};
use exec::Sibling;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Bytes of an answer that are read.
const ANSWER_BYTES: u32 = 96 << 20;
/// How long the program may take to start and to open or advance a model.
const OPENING: Duration = Duration::from_mins(5);

/// An operation that Python resolves.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct About {
    name: String,
    pub(crate) effect: Effect,
    /// Whether it makes a model instead of working on one.
    pub(crate) new_model: bool,
}

/// What the program says of itself.
#[derive(Debug, Deserialize)]
struct Hello {
    version: String,
    ifcopenshell: String,
    operations: Vec<About>,
}

/// The Python program, started.
pub struct Backend {
    sibling: Sibling,
    version: String,
    operations: BTreeMap<String, About>,
    leases: AtomicU64,
}

impl Backend {
    /// Starts the program and asks it what it resolves. Its messages go to `log`, or to this process's standard error.
    pub fn start(command: Vec<OsString>, log: Option<&Path>) -> io::Result<Self> {
        let sibling = Sibling::start(command, log, OPENING)?;
        let hello = ask(sibling.socket(), &json!({"do": "hello"}), OPENING, "hello")
            .and_then(|hello| {
                serde_json::from_value::<Hello>(hello).map_err(|error| Fault::backend(error.to_string()))
            })
            .map_err(|fault| io::Error::other(format!("IfcOpenShell's back end does not answer: {fault}")))?;
        let operations = hello.operations.into_iter().map(|about| (about.name.clone(), about)).collect();
        let version = format!("{} (IfcOpenShell {})", hello.version, hello.ifcopenshell);
        Ok(Self { sibling, version, operations, leases: AtomicU64::new(0) })
    }

    pub(crate) fn socket(&self) -> &Path {
        self.sibling.socket()
    }

    /// Its version and IfcOpenShell's.
    pub fn version(&self) -> &str {
        &self.version
    }

    pub(crate) fn operations(&self) -> &BTreeMap<String, About> {
        &self.operations
    }

    pub(crate) fn operation(&self, name: &str) -> Option<&About> {
        self.operations.get(name)
    }

    pub(crate) fn resolves(&self, name: &str) -> bool {
        self.operations.contains_key(name)
    }

    /// Has the process at `from` fork one that holds a model open and listens.
    pub(crate) fn lease(&self, from: &Path, mut request: Value, what: &str) -> Result<Lease, Fault> {
        let number = self.leases.fetch_add(1, Ordering::Relaxed);
        let socket = self.socket().with_file_name(format!("z{number}"));
        if let Some(members) = request.as_object_mut() {
            members.insert("socket".into(), socket.display().to_string().into());
        }
        let mut connection = send(from, &request, OPENING, what)?;
        receive(&mut connection, OPENING, what)?;
        Ok(Lease { socket, connection })
    }
}

/// A process that holds a version open for as long as this lives.
pub(crate) struct Lease {
    socket: PathBuf,
    connection: UnixStream,
}

impl Lease {
    pub(crate) fn socket(&self) -> &Path {
        &self.socket
    }

    /// Whether somebody listens there.
    pub(crate) fn is_alive(&self) -> bool {
        let mut waiting = [0];
        if self.connection.set_nonblocking(true).is_err() {
            return false;
        }
        let end = (&self.connection).read(&mut waiting);
        matches!(end, Err(error) if error.kind() == io::ErrorKind::WouldBlock)
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.socket);
    }
}

/// Asks the process at a socket and waits for its answer, at most for `wall`.
pub(crate) fn ask(socket: &Path, request: &Value, wall: Duration, what: &str) -> Result<Value, Fault> {
    let begun = Instant::now();
    let mut connection = send(socket, request, wall, what)?;
    receive(&mut connection, wall.saturating_sub(begun.elapsed()), what)
}

fn send(socket: &Path, request: &Value, wall: Duration, what: &str) -> Result<UnixStream, Fault> {
    let body = request.to_string().into_bytes();
    let length = u32::try_from(body.len()).map_err(|_| {
        Fault::new(FaultCode::LimitReached, format!("The request for {what} is too large for IfcOpenShell."))
    })?;
    let sent = UnixStream::connect(socket).and_then(|mut connection| {
        connection.set_write_timeout(Some(wall.max(Duration::from_millis(1))))?;
        connection.write_all(&length.to_be_bytes())?;
        connection.write_all(&body)?;
        Ok(connection)
    });
    sent.map_err(|error| lost(what, &error))
}

/// Reads one answer: its length is capped, and it is JSON of the form that was agreed, or it is nothing.
fn receive(connection: &mut UnixStream, wall: Duration, what: &str) -> Result<Value, Fault> {
    let until = Instant::now() + wall;
    let mut head = [0; 4];
    read(connection, &mut head, until, what)?;
    let length = u32::from_be_bytes(head);
    if length > ANSWER_BYTES {
        return Err(nonsense(what, "it announces more than an answer may hold"));
    }
    let mut body = vec![0; length as usize];
    read(connection, &mut body, until, what)?;
    let mut answer: Value = serde_json::from_slice(&body).map_err(|_| nonsense(what, "it is not JSON"))?;
    if let Some(fault) = answer.get_mut("fault") {
        return Err(
            serde_json::from_value(fault.take()).unwrap_or_else(|_| nonsense(what, "its fault is none"))
        );
    }
    match answer.get_mut("ok") {
        Some(ok) => Ok(ok.take()),
        None => Err(nonsense(what, "it is neither a result nor a fault")),
    }
}

fn read(connection: &mut UnixStream, into: &mut [u8], until: Instant, what: &str) -> Result<(), Fault> {
    let mut at = 0;
    while at < into.len() {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(Fault::new(
                FaultCode::Cancelled,
                format!("{what} ran past its time in IfcOpenShell and was stopped. Nothing was changed."),
            )
            .with("limit", "wall_ms"));
        }
        let timed = connection.set_read_timeout(Some(left));
        match timed.and_then(|()| connection.read(into.get_mut(at..).unwrap_or_default())) {
            Ok(0) => {
                return Err(Fault::backend(format!(
                    "{what} ended in IfcOpenShell without an answer: its process crashed, was killed, or ended itself. \
                     Nothing was changed."
                ))
                .with("operation", what));
            }
            Ok(count) => at += count,
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted
                ) => {}
            Err(error) => return Err(lost(what, &error)),
        }
    }
    Ok(())
}

fn lost(what: &str, error: &io::Error) -> Fault {
    Fault::backend(format!(
        "IfcOpenShell's back end cannot be reached for {what}: {error}. Nothing was changed; try again."
    ))
    .with("operation", what)
}

fn nonsense(what: &str, why: &str) -> Fault {
    Fault::backend(format!(
        "The answer of {what} from IfcOpenShell cannot be used: {why}. Nothing was changed."
    ))
    .with("operation", what)
}
