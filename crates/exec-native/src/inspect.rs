//! Reads a file whole, as opening does not, and says what is in it: the gate through which a file becomes a model.

use crate::model::NativeModel;
use crate::unreadable::{doubtful, listed};
use contract::Fault;
use ifc::Problem;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Schema, header, counts and problems of a model; a Fault if its content is in doubt and `accept_problems` is not set.
pub(crate) fn inspect(native: &NativeModel, accept_problems: bool) -> Result<Value, Fault> {
    let model = &native.model;
    let deep = ifc_check::verify(model);
    let mut problems: Vec<&Problem> = native.problems.iter().chain(&deep).collect();
    problems.sort_by_key(|problem| (problem.line, problem.column));
    problems.dedup();
    let severe: Vec<&Problem> = problems.iter().copied().filter(|problem| problem.code.is_severe()).collect();
    if !severe.is_empty() && !accept_problems {
        return Err(doubtful(severe));
    }
    let counts = model.class_counts();
    let of = |class: &str| model.of_class(class).len();
    let header = model.header();
    let mut by_code: BTreeMap<String, usize> = BTreeMap::new();
    for problem in &problems {
        *by_code.entry(format!("{:?}", problem.code)).or_default() += 1;
    }
    let mut answer = json!({
        "schema": model.schema().name(),
        "instances": model.len(),
        "classes": counts.len(),
        "elements": of("IfcElement"),
        "storeys": of("IfcBuildingStorey"),
        "spaces": of("IfcSpace"),
        "project": model.of_class("IfcProject").first().and_then(|id| model.get(*id)).and_then(|project| project.name()),
        "file_name": header.file_name,
        "originating_system": header.originating_system,
        "time_stamp": header.time_stamp,
        "problem_count": problems.len(),
    });
    if let (Value::Object(answer), false) = (&mut answer, problems.is_empty()) {
        answer.insert("problems_by_code".into(), json!(by_code));
        answer.insert("problems".into(), listed(problems.iter().copied()));
    }
    Ok(answer)
}
