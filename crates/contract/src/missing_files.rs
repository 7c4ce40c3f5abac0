//! The files that an operation reads and was not given, as its answer or its Fault names them, so that it can run again with
//! those that the caller has.

use crate::Fault;
use serde_json::Value;

const MEMBER: &str = "missing_files";

/// Adds the names of files that were not given to a Fault.
#[must_use]
pub fn with_missing_files<S: AsRef<str>>(fault: Fault, names: impl IntoIterator<Item = S>) -> Fault {
    let names: Vec<String> = names.into_iter().map(|name| name.as_ref().to_owned()).collect();
    fault.with(MEMBER, names)
}

/// Returns the files that a Fault says were not given; none if it is about something else.
pub fn missing_files_of_fault(fault: &Fault) -> Vec<&str> {
    names(fault.data.get(MEMBER))
}

/// Returns the files that an answer says were not given, in its member `missing_files`.
pub fn missing_files_of_answer(answer: &Value) -> Vec<&str> {
    names(answer.get(MEMBER))
}

fn names(listed: Option<&Value>) -> Vec<&str> {
    listed.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}
