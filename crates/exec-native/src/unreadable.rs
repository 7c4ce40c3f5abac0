//! Files and deltas that cannot be read, as faults: the place, what is wrong, and what to do about it.

use contract::ops::FileProblem;
use contract::{Fault, FaultCode};
use ifc::{DeltaError, OpenError, Problem, ProblemCode};

/// Problems listed in a fault or an answer; the others are counted.
pub(crate) const LISTED: usize = 10;

/// Why a file could not be opened.
pub(crate) fn cannot_open(error: &OpenError) -> Fault {
    let code = match error {
        OpenError::Io { .. } => FaultCode::NotFound,
        OpenError::FileTooLarge { .. }
        | OpenError::InstanceTooLarge { .. }
        | OpenError::TooManyInstances { .. } => FaultCode::LimitReached,
        _ => FaultCode::UnreadableFile,
    };
    let fault = Fault::new(code, format!("{}.", capitalised(&error.to_string()).trim_end_matches('.')));
    match error {
        OpenError::Header { line, column, .. } => fault.with("line", line).with("column", column),
        OpenError::UnknownSchema { line, found, known } => {
            fault.with("line", line).with("schema", found).with("allowed", known)
        }
        OpenError::Truncated { line, .. } => fault.with("line", line),
        OpenError::NotIfc { .. } | OpenError::Empty => fault.with("line", 1).with("column", 1),
        OpenError::InstanceTooLarge { line, bytes, limit } => {
            fault.with("line", line).with("bytes", bytes).with("limit", limit)
        }
        OpenError::FileTooLarge { bytes, limit } => fault.with("bytes", bytes).with("limit", limit),
        OpenError::TooManyInstances { limit } => fault.with("limit", limit),
        OpenError::Io { path, .. } => fault.with("path", path),
        OpenError::Archive { .. } => fault,
    }
}

/// A delta of the right kind that does not fit its model, or is damaged inside.
pub(crate) fn bad_delta(error: &DeltaError) -> Fault {
    Fault::backend(format!("A version of this model cannot be made from its history: {error}."))
}

/// A file that opens, but whose content is in doubt.
pub(crate) fn doubtful(mut severe: Vec<&Problem>) -> Fault {
    // An instance lost or doubled leaves references to nowhere behind it: the cause comes first.
    severe.sort_by_key(|problem| problem.code == ProblemCode::DanglingReference);
    let first = severe.first().map(ToString::to_string).unwrap_or_default();
    let others = match severe.len() {
        0 | 1 => String::new(),
        2 => " There is one more such problem.".to_owned(),
        n => format!(" There are {} more such problems.", n - 1),
    };
    let fault = Fault::new(
        FaultCode::UnreadableFile,
        format!(
            "The file's content is in doubt at {}.{others} Export it again from the program it came from, or repair \
             the lines listed.",
            first.trim_end_matches('.')
        ),
    );
    let fault = fault.with("problems", listed(severe.iter().copied())).with("count", severe.len());
    match severe.first() {
        Some(problem) => fault.with("line", problem.line).with("column", problem.column),
        None => fault,
    }
}

/// The first problems.
pub(crate) fn listed<'a>(problems: impl Iterator<Item = &'a Problem>) -> Vec<FileProblem> {
    let one = |problem: &Problem| FileProblem {
        line: problem.line as u64,
        column: Some(problem.column as u64),
        code: format!("{:?}", problem.code),
        message: problem.message.clone(),
    };
    problems.take(LISTED).map(one).collect()
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
