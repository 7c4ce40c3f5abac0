//! The Python program beside this one: what it says of itself, and how it is asked. Each question has a connection of its
//! own, handed over a [`Control`], since the process that answers dies with it; closing the connection kills that process.

use crate::opened::Recent;
use contract::ops::{Diff, PlatformOperation};
use contract::{Effect, Fault, FaultCode, Unwatched, Watch};
use exec::{Connection, Control};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::time::{Duration, Instant};

/// Bytes of an answer that are read.
const ANSWER_BYTES: u32 = 96 << 20;
/// The time that the program may take to start and to open or advance a model.
const OPENING: Duration = Duration::from_mins(5);
/// The time between two questions whether an answer is still wanted.
const PULSE: Duration = Duration::from_millis(100);

/// An operation that Python resolves.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct About {
    name: String,
    pub(crate) effect: Effect,
    /// True if it makes a model instead of working on one.
    pub(crate) new_model: bool,
}

/// The program's description of itself.
#[derive(Debug, Deserialize)]
struct Hello {
    version: String,
    ifcopenshell: String,
    operations: Vec<About>,
}

/// The Python program, running.
pub struct Backend {
    control: Control,
    version: String,
    operations: BTreeMap<String, About>,
    recent: Recent,
}

impl Backend {
    /// Asks the program at the other end what it resolves.
    pub fn at(control: Control) -> io::Result<Self> {
        let hello = ask(&control, &json!({"do": "hello"}), OPENING, "hello", &Unwatched)
            .and_then(|hello| {
                serde_json::from_value::<Hello>(hello).map_err(|error| Fault::backend(error.to_string()))
            })
            .map_err(|fault| io::Error::other(format!("IfcOpenShell's back end does not answer: {fault}")))?;
        // its `diff` is for scripts, on files that they have open; versions are compared by our own kernel
        let resolved = hello.operations.into_iter().filter(|about| about.name != Diff::NAME);
        let operations = resolved.map(|about| (about.name.clone(), about)).collect();
        let version = format!("{} (IfcOpenShell {})", hello.version, hello.ifcopenshell);
        Ok(Self { control, version, operations, recent: Recent::default() })
    }

    /// Returns the socket for questions that need no model.
    pub(crate) fn control(&self) -> &Control {
        &self.control
    }

    /// The versions that have a process.
    pub(crate) fn recent(&self) -> &Recent {
        &self.recent
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
}

/// Has the process at `from` fork one that holds a model open, for as long as the answer lives.
pub(crate) fn lease(from: &Control, request: &Value, what: &str) -> Result<Control, Fault> {
    let mut connection = send(from, request, OPENING, what)?;
    receive(&mut connection, OPENING, what, &Unwatched)?;
    Ok(connection.into())
}

/// Asks the process at the other end of a control and waits for its answer, at most for `wall` and for as long as it is
/// wanted.
pub(crate) fn ask(
    at: &Control,
    request: &Value,
    wall: Duration,
    what: &str,
    watch: &dyn Watch,
) -> Result<Value, Fault> {
    let begun = Instant::now();
    let mut connection = send(at, request, wall, what)?;
    receive(&mut connection, wall.saturating_sub(begun.elapsed()), what, watch)
}

fn send(at: &Control, request: &Value, wall: Duration, what: &str) -> Result<Connection, Fault> {
    let mut message = vec![0; 4];
    // writing to memory does not fail, nor does a value that has only texts for keys
    let _ = serde_json::to_writer(&mut message, request);
    let length = u32::try_from(message.len() - 4).map_err(|_| {
        Fault::new(FaultCode::LimitReached, format!("The request for {what} is too large for IfcOpenShell."))
    })?;
    // in one piece, so that whoever reads it is woken once
    if let Some(head) = message.first_chunk_mut() {
        *head = length.to_be_bytes();
    }
    let sent = at.connect().and_then(|mut connection| {
        connection.set_write_timeout(Some(wall.max(Duration::from_millis(1))))?;
        connection.write_all(&message)?;
        Ok(connection)
    });
    sent.map_err(|error| lost(what, &error))
}

/// Reads one answer: its length is capped, and it is JSON of the form that was agreed, or it is nothing.
fn receive(
    connection: &mut Connection,
    wall: Duration,
    what: &str,
    watch: &dyn Watch,
) -> Result<Value, Fault> {
    let until = Instant::now() + wall;
    let mut head = [0; 4];
    read(connection, &mut head, until, what, watch)?;
    let length = u32::from_be_bytes(head);
    if length > ANSWER_BYTES {
        return Err(nonsense(what, "it announces more than an answer may hold"));
    }
    let mut body = vec![0; length as usize];
    read(connection, &mut body, until, what, watch)?;
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

fn read(
    connection: &mut Connection,
    into: &mut [u8],
    until: Instant,
    what: &str,
    watch: &dyn Watch,
) -> Result<(), Fault> {
    let mut at = 0;
    while at < into.len() {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            // a script's time is a limit of its own, that of other calls their caller's
            let code = if what == crate::RUN_CODE { FaultCode::LimitReached } else { FaultCode::Cancelled };
            return Err(Fault::new(
                code,
                format!("{what} ran past its time in IfcOpenShell and was stopped. Nothing was changed."),
            )
            .with("limit", "time"));
        }
        // closing the connection ends the process that works on it
        if !watch.wanted() {
            return Err(Fault::given_up(what));
        }
        let timed = connection.set_read_timeout(Some(left.min(PULSE)));
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
