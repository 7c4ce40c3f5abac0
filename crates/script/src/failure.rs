//! Exceptions and limits as Faults that name the line, and Faults as exceptions that a script may catch.

use crate::host::Refused;
use crate::printed::Printed;
use contract::{Fault, FaultCode};
use monty_types::{ExcType, MontyException};

/// Characters of a traceback that an agent reads.
const TRACEBACK: usize = 1_500;
/// Characters of an exception's message.
const MESSAGE: usize = 1_000;

/// The exception that a script sees for something refused.
pub(crate) fn exception(refused: &Refused) -> MontyException {
    match refused {
        Refused::Attribute(message) => MontyException::new(ExcType::AttributeError, Some(message.clone())),
        Refused::Type(message) => MontyException::new(ExcType::TypeError, Some(message.clone())),
        Refused::Fault(fault) => {
            let kind = match fault.code {
                FaultCode::InvalidParams | FaultCode::ConstraintViolation => ExcType::ValueError,
                FaultCode::ElementNotFound | FaultCode::NotFound => ExcType::LookupError,
                FaultCode::PermissionDenied => ExcType::PermissionError,
                FaultCode::NotSupported => ExcType::NotImplementedError,
                _ => ExcType::RuntimeError,
            };
            MontyException::new(kind, Some(fault.to_string()))
        }
    }
}

/// A limit that ends a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Limit {
    Time,
    Memory,
    Recursion,
    Output,
    Calls,
    Code,
    /// Nobody waits for it any more.
    Caller,
}

impl Limit {
    fn name(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Memory => "memory",
            Self::Recursion => "recursion",
            Self::Output => "output",
            Self::Calls => "calls",
            Self::Code => "code",
            Self::Caller => "caller",
        }
    }

    /// The Fault for it; `bound` says how much there was.
    pub(crate) fn fault(self, line: Option<u32>, bound: &str) -> Fault {
        if self == Self::Caller {
            return Fault::given_up("the script");
        }
        let at = line.map(|line| format!("Line {line}: ")).unwrap_or_default();
        let (what, hint) = match self {
            Self::Time => ("ran longer than", "Do less in one script"),
            Self::Memory => ("held more memory than", "Keep less at once"),
            Self::Recursion => ("called itself deeper than", "Use a loop"),
            Self::Output => ("printed far more than", "Print less"),
            Self::Calls => ("called operations more often than", "Do less in one script"),
            Self::Code => ("is longer than", "Do less in one script"),
            Self::Caller => ("was given up by", "Run it again"),
        };
        let message = format!("{at}the script {what} {bound}; nothing was changed. {hint}.");
        let fault = Fault::new(FaultCode::LimitReached, message).with("limit", self.name());
        match line {
            Some(line) => fault.with("line", line),
            None => fault,
        }
    }
}

/// The line that an exception came from.
pub(crate) fn line(exception: &MontyException) -> Option<u32> {
    exception.traceback().last().map(|frame| frame.start.line)
}

/// Translates the exception that ended a script into a Fault for the agent. `last` is what was refused last: where that is what was not
/// caught, its code and facts are kept.
pub(crate) fn uncaught(exception: &MontyException, last: Option<&Refused>) -> Fault {
    let line = line(exception);
    let column = exception.traceback().last().map(|frame| frame.start.column);
    let at = line.map(|line| format!("Line {line}: ")).unwrap_or_default();
    let mut fault = match last {
        Some(Refused::Fault(known)) if exception.message() == Some(known.to_string().as_str()) => {
            let message = format!("{at}{} Nothing was changed.", known.message);
            Fault { message, ..(**known).clone() }
        }
        _ => {
            let summary = shortened(&exception.summary(), MESSAGE);
            let stop = if summary.ends_with(['.', '!', '?']) { "" } else { "." };
            let hint = if is_outside(exception) { OUTSIDE } else { "" };
            Fault::invalid("code", format!("{at}{summary}{stop}{hint} Nothing was changed."))
        }
    };
    fault = fault.with("exception", exception.exc_type().to_string());
    if let Some(line) = line {
        fault = fault.with("line", line).with("column", column);
    }
    if exception.traceback().len() > 1 {
        fault = fault.with("traceback", shortened(&exception.to_string(), TRACEBACK));
    }
    fault
}

/// The advice where a script reaches for the machine.
const OUTSIDE: &str = " A script here has no files, network, processes or other modules than math, json, re, datetime, \
                       itertools, functools, collections and dataclasses.";

/// True if a script failed because it looked for what is not there on purpose.
fn is_outside(exception: &MontyException) -> bool {
    let message = exception.message().unwrap_or_default();
    match exception.exc_type() {
        ExcType::ModuleNotFoundError
        | ExcType::ImportError
        | ExcType::PermissionError
        | ExcType::OSError
        | ExcType::NotImplementedError => true,
        ExcType::AttributeError => message.starts_with("module "),
        ExcType::NameError => {
            ["'open'", "'exec'", "'eval'", "'compile'", "'input'", "'__import__'", "'breakpoint'"]
                .iter()
                .any(|name| message.contains(name))
        }
        _ => false,
    }
}

/// Adds what was printed until then.
pub(crate) fn with_printed(fault: Fault, printed: &Printed) -> Fault {
    if printed.text.is_empty() { fault } else { fault.with("printed", &printed.text) }
}

/// The beginning and the end of a long text.
fn shortened(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let head = text.get(..text.floor_char_boundary(most / 2)).unwrap_or_default();
    let tail = text.get(text.ceil_char_boundary(text.len() - most / 2)..).unwrap_or_default();
    format!("{head} … {tail}")
}
