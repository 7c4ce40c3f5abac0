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
            let advice = advice(exception);
            Fault::invalid("code", format!("{at}{summary}{stop}{advice} Nothing was changed."))
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
/// The page on the language, as agents find it.
const PAGE: &str = " The language: resource pensaer://docs/run_code.";
/// The modules that a script may import.
const MODULES: [&str; 8] =
    ["math", "json", "re", "datetime", "itertools", "functools", "collections", "dataclasses"];
/// Names that scripts use as if they were there, and the modules that hold them.
const IMPORTED: [(&str, &str); 11] = [
    ("timedelta", "datetime"),
    ("date", "datetime"),
    ("Counter", "collections"),
    ("OrderedDict", "collections"),
    ("defaultdict", "collections"),
    ("deque", "collections"),
    ("namedtuple", "collections"),
    ("dataclass", "dataclasses"),
    ("partial", "functools"),
    ("reduce", "functools"),
    ("chain", "itertools"),
];
/// The features that the interpreter says it lacks, and the way to do without each.
const LACKING: [(&str, &str); 6] = [
    ("yield", "Generator functions are not in this Python: return a list. (A generator expression is fine.)"),
    ("pattern matching", "`match` is not in this Python: use if and elif."),
    ("'del'", "`del` is not in this Python: use d.pop(key), or build the list without the member."),
    ("class inheritance", "Inheritance is not in this Python: use plain classes, dataclasses or functions."),
    ("async", "`async` is not in this Python: calls run one after another."),
    ("'with'", "`with` is not in this Python: it has no files to close."),
];

/// The advice that follows a script's failure, with a space before it: what is not in this Python, and what to write instead.
fn advice(exception: &MontyException) -> String {
    let message = exception.message().unwrap_or_default();
    let name = || message.split('\'').nth(1).unwrap_or_default();
    match exception.exc_type() {
        ExcType::TypeError if message.starts_with("unsupported operand type(s) for %: 'str'") => {
            format!(" `%` formatting is not in this Python: use an f-string, f\"{{count}} walls\".{PAGE}")
        }
        ExcType::NotImplementedError => match LACKING.iter().find(|(lacking, _)| message.contains(lacking)) {
            Some((_, instead)) => format!(" {instead}{PAGE}"),
            None => format!("{OUTSIDE}{PAGE}"),
        },
        ExcType::NameError if MODULES.contains(&name()) => {
            format!(" Modules are not there by themselves: begin with `import {0}`.", name())
        }
        ExcType::NameError => match IMPORTED.iter().find(|(known, _)| *known == name()) {
            Some((known, module)) => format!(" Begin with `from {module} import {known}`."),
            None if is_of_the_machine(name()) => format!("{OUTSIDE}{PAGE}"),
            None => String::new(),
        },
        ExcType::ModuleNotFoundError | ExcType::ImportError | ExcType::PermissionError | ExcType::OSError => {
            format!("{OUTSIDE}{PAGE}")
        }
        ExcType::AttributeError if message.starts_with("module ") || message.starts_with("'module' ") => {
            format!("{OUTSIDE}{PAGE}")
        }
        _ => String::new(),
    }
}

/// True if Python has a function of this name, which is not here or has to be imported first.
pub(crate) fn is_of_python(name: &str) -> bool {
    is_of_the_machine(name) || IMPORTED.iter().any(|(known, _)| *known == name)
}

/// True if Python has a function of this name that reaches for the machine or for code, which is not here on purpose.
fn is_of_the_machine(name: &str) -> bool {
    ["open", "exec", "eval", "compile", "input", "__import__", "breakpoint"].contains(&name)
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
