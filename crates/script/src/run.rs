//! The steps of a run. The interpreter stops wherever the script needs something from outside; each stop is answered
//! here, or ends the script.

use crate::failure::{self, Limit};
use crate::host::{Arguments, Handle, Host, Refused};
use crate::printed::Printed;
use crate::{clock, memory, turn, value};
use contract::Fault;
use monty::{FunctionCall, MontyRun, NameLookup, OsCall, RunProgress};
use monty_types::{
    CompileOptions, ExcType, ExtFunctionResult, MontyException, MontyObject, MontyUuid, NameLookupResult,
    OsFunctionCall, PrintWriter, ResourceLimits, ResourceTracker,
};
use serde_json::{Map, Value};
use std::time::{Duration, Instant};

/// The stack of a script's thread: enough for the deepest recursion that its limit allows, in the interpreter and in
/// its parser.
const STACK: usize = 64 << 20;
/// Reads of attributes and names, as many for each call that is allowed.
const READS_PER_CALL: u64 = 100;

/// The limits of a script.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Wall time.
    pub wall: Duration,
    /// Bytes that it holds.
    pub memory: usize,
    /// Calls within calls.
    pub recursion: usize,
    /// Calls of the host.
    pub calls: u64,
    /// Bytes of what it prints that are kept.
    pub printed: usize,
    /// Bytes of the value that it ends with.
    pub value: usize,
    /// Bytes of the script.
    pub code: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            wall: Duration::from_secs(30),
            memory: 128 << 20,
            recursion: 500,
            calls: 10_000,
            printed: 32 << 10,
            value: 64 << 10,
            code: 1 << 20,
        }
    }
}

/// The outcome of a script.
#[derive(Debug, Clone, PartialEq)]
pub struct Ran {
    /// The value of its last expression.
    pub value: Value,
    /// The printed text.
    pub printed: String,
    /// The names of what was cut: `printed`, `value`.
    pub limits_met: Vec<&'static str>,
    /// Calls of the host.
    pub calls: u64,
}

/// Runs a script on a thread of its own. An exception that it does not catch, and a limit that it meets, is a Fault with
/// the line and what was printed; what the host was told to do until then is the host's to forget.
pub fn run(code: &str, host: &mut (dyn Host + Send), limits: &Limits) -> Result<Ran, Fault> {
    if code.len() > limits.code {
        return Err(Limit::Code.fault(None, &bytes(limits.code)));
    }
    let deadline = Instant::now() + limits.wall;
    let _turn = turn::take(deadline)?;
    let work = move || {
        let _counting = memory::count();
        let printed = Printed::new(limits.printed);
        Session { host, limits, deadline, printed, calls: 0, reads: 0, last: None }.run(code)
    };
    std::thread::scope(|scope| {
        let thread =
            std::thread::Builder::new().name("script".into()).stack_size(STACK).spawn_scoped(scope, work);
        let ended = thread.map(std::thread::ScopedJoinHandle::join);
        match ended {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(_)) => Err(Fault::backend(
                "The Python interpreter failed at this script; nothing was changed. Write it in another way.",
            )),
            Err(error) => Err(Fault::backend(format!("No thread for the script could be started: {error}."))),
        }
    })
}

type Progress = Result<RunProgress, MontyException>;

struct Session<'a> {
    host: &'a mut dyn Host,
    limits: &'a Limits,
    deadline: Instant,
    printed: Printed,
    calls: u64,
    reads: u64,
    /// The last refusal.
    last: Option<Refused>,
}

impl Session<'_> {
    fn run(mut self, code: &str) -> Result<Ran, Fault> {
        let limits = ResourceLimits {
            max_duration: Some(self.left()),
            max_memory: Some(self.limits.memory),
            gc_interval: None,
            max_recursion_depth: self.limits.recursion,
            max_suspensions: usize::MAX,
        };
        let names = vec!["adapter".to_owned()];
        let script = MontyRun::new(code.to_owned(), "script.py", names, CompileOptions::default())
            .map_err(|exception| failure::uncaught(&exception, None))?;
        let tracker = ResourceTracker::new(limits);
        let mut progress =
            script.start(vec![value::adapter()], tracker, PrintWriter::Callback(&mut self.printed));
        loop {
            progress = match progress {
                Ok(RunProgress::Complete(ended)) => return Ok(self.ended(&ended)),
                Ok(RunProgress::FunctionCall(call)) => self.call(call)?,
                Ok(RunProgress::NameLookup(lookup)) => self.look_up(lookup)?,
                Ok(RunProgress::OsCall(call)) => self.refuse_system(call),
                Ok(RunProgress::ResolveFutures(waiting)) => {
                    let exception = raised(ExcType::RuntimeError, "there is nothing to wait for");
                    waiting.abort(exception, PrintWriter::Callback(&mut self.printed))
                }
                Err(exception) => return Err(self.failed(&exception)),
            };
        }
    }

    fn left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }

    fn ended(self, ended: &MontyObject) -> Ran {
        let mut limits_met = Vec::new();
        if self.printed.is_cut() {
            limits_met.push("printed");
        }
        let value = value::answer(ended, self.host, self.limits.value);
        if value.is_none() {
            limits_met.push("value");
        }
        Ran { value: value.unwrap_or(Value::Null), printed: self.printed.text, limits_met, calls: self.calls }
    }

    /// The end by an exception: a limit, or whatever the script did not catch.
    fn failed(&self, exception: &MontyException) -> Fault {
        let line = failure::line(exception);
        let limit = match exception.exc_type() {
            ExcType::TimeoutError if self.left().is_zero() => Some(Limit::Time),
            ExcType::MemoryError => Some(Limit::Memory),
            ExcType::RecursionError => Some(Limit::Recursion),
            _ if self.printed.is_flood() => Some(Limit::Output),
            _ => None,
        };
        let fault = match limit {
            Some(limit) => limit.fault(line, &self.bound(limit)),
            None => failure::uncaught(exception, self.last.as_ref()),
        };
        failure::with_printed(fault, &self.printed)
    }

    fn bound(&self, limit: Limit) -> String {
        match limit {
            Limit::Time => format!("{} s", self.limits.wall.as_secs_f64()),
            Limit::Memory => bytes(self.limits.memory),
            Limit::Recursion => format!("{} levels", self.limits.recursion),
            Limit::Output => format!("the {} that are kept", bytes(self.limits.printed)),
            Limit::Calls => format!("{} times", self.limits.calls),
            Limit::Code => bytes(self.limits.code),
            Limit::Caller => "its caller".to_owned(),
        }
    }

    /// The limit that the script is over, of those that are kept here.
    fn over(&mut self) -> Option<Limit> {
        if !self.host.goes_on(self.calls) {
            return Some(Limit::Caller);
        }
        if self.left().is_zero() {
            return Some(Limit::Time);
        }
        let reads = self.limits.calls.saturating_mul(READS_PER_CALL);
        (self.calls > self.limits.calls || self.reads > reads).then_some(Limit::Calls)
    }

    /// The Fault for such a limit; `aborted` is the script as it ended, which knows its line.
    fn met(&self, limit: Limit, aborted: &Progress) -> Fault {
        let line = aborted.as_ref().err().and_then(failure::line);
        failure::with_printed(limit.fault(line, &self.bound(limit)), &self.printed)
    }

    fn call(&mut self, mut call: FunctionCall) -> Result<Progress, Fault> {
        self.calls += 1;
        if let Some(limit) = self.over() {
            let aborted = call.abort(over(), PrintWriter::Disabled);
            return Err(self.met(limit, &aborted));
        }
        let positional = std::mem::take(&mut call.args);
        let named = std::mem::take(&mut call.kwargs);
        let answered = self.ask(&call.function_name, call.object_id, positional, named);
        if let Some(limit) = self.over() {
            let aborted = call.abort(over(), PrintWriter::Disabled);
            return Err(self.met(limit, &aborted));
        }
        // time that operations took is the script's too
        let left = self.left();
        call.tracker_mut().set_max_duration(left);
        Ok(call.resume(answered, PrintWriter::Callback(&mut self.printed)))
    }

    fn ask(
        &mut self,
        name: &str,
        object: Option<MontyUuid>,
        positional: Vec<MontyObject>,
        named: Vec<(MontyObject, MontyObject)>,
    ) -> ExtFunctionResult {
        let on = match object.map(value::handle_of) {
            // a function of Python's own that is not here is no method that was misspelled
            None if failure::is_of_python(name) => {
                let message = format!("name '{name}' is not defined");
                return ExtFunctionResult::Error(raised(ExcType::NameError, &message));
            }
            None => Handle::Adapter,
            Some(Some(on)) => on,
            Some(None) => {
                let message = "elements come from adapter.select and are not made by hand";
                return ExtFunctionResult::Error(raised(ExcType::TypeError, message));
            }
        };
        let arguments = match self.arguments(name, positional, named) {
            Ok(arguments) => arguments,
            Err(exception) => return ExtFunctionResult::Error(exception),
        };
        let host = &mut *self.host;
        match memory::uncounted(|| host.call(on, name, arguments)) {
            Ok(reply) => {
                let answer = value::of_reply(&reply);
                memory::uncounted(|| drop(reply));
                ExtFunctionResult::Return(answer)
            }
            Err(refused) => {
                let exception = failure::exception(&refused);
                self.last = Some(refused);
                ExtFunctionResult::Error(exception)
            }
        }
    }

    fn arguments(
        &self,
        call: &str,
        positional: Vec<MontyObject>,
        named: Vec<(MontyObject, MontyObject)>,
    ) -> Result<Arguments, MontyException> {
        let wrong = |name: &str, why: String| raised(ExcType::ValueError, &format!("{call}: {name}: {why}"));
        let mut arguments = Arguments { positional: Vec::with_capacity(positional.len()), named: Map::new() };
        for (at, given) in positional.iter().enumerate() {
            let given = value::argument(given, self.host);
            arguments.positional.push(given.map_err(|why| wrong(&format!("argument {}", at + 1), why))?);
        }
        for (name, given) in &named {
            let name = name.to_string();
            let given = value::argument(given, self.host).map_err(|why| wrong(&name, why))?;
            arguments.named.insert(name, given);
        }
        Ok(arguments)
    }

    fn look_up(&mut self, lookup: NameLookup) -> Result<Progress, Fault> {
        self.reads += 1;
        let on = lookup.object_id().map(value::handle_of);
        let name = lookup.name.clone();
        let host = &mut *self.host;
        let found = memory::uncounted(|| match on {
            // a plain name: operations are functions too
            None => Ok(host.has(&name).then(|| crate::Reply::Function(name.clone()))),
            Some(Some(on)) => host.read(on, &name),
            Some(None) => Ok(None),
        });
        let result = match found {
            Ok(Some(reply)) => {
                let answer = value::of_reply(&reply);
                memory::uncounted(|| drop(reply));
                NameLookupResult::Value(answer)
            }
            Ok(None) => NameLookupResult::Undefined,
            Err(refused) => {
                let exception = failure::exception(&refused);
                self.last = Some(refused);
                NameLookupResult::Error(exception)
            }
        };
        if let Some(limit) = self.over() {
            let aborted = lookup.abort(over(), PrintWriter::Disabled);
            return Err(self.met(limit, &aborted));
        }
        Ok(lookup.resume(result, PrintWriter::Callback(&mut self.printed)))
    }

    /// Files and the environment are not there; the time is that of the operation.
    fn refuse_system(&mut self, call: OsCall) -> Progress {
        let time_ms = self.host.time_ms();
        self.reads += 1;
        call.resume_with(PrintWriter::Callback(&mut self.printed), |asked| match asked {
            OsFunctionCall::DateToday => ExtFunctionResult::Return(clock::today(time_ms)),
            OsFunctionCall::DateTimeNow(zone) => ExtFunctionResult::Return(clock::now(time_ms, zone)),
            other => ExtFunctionResult::Error(raised(
                ExcType::PermissionError,
                &format!("{} is not there: scripts have no files, environment or network", other.name()),
            )),
        })
    }
}

/// The exception that ends a script that is over a limit; the Fault says which.
fn over() -> MontyException {
    raised(ExcType::TimeoutError, "a limit was met")
}

fn raised(kind: ExcType, message: &str) -> MontyException {
    MontyException::new(kind, Some(message.to_owned()))
}

fn bytes(count: usize) -> String {
    if count >= 1 << 20 { format!("{} MiB", count >> 20) } else { format!("{} KiB", count.div_ceil(1024)) }
}
