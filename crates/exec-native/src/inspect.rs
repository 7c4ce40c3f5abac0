//! Reads a file whole, as opening does not, and says what is in it: the gate through which a file becomes a model.

use crate::model::NativeModel;
use crate::operations::Resolve;
use crate::run::Call;
use crate::unreadable::{doubtful, listed};
use contract::ops::{Inspect, InspectAnswer, PlatformOperation};
use contract::{Fault, Outcome};
use ifc::Problem;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

impl Resolve for Inspect {
    fn resolve(self, call: &Call<'_>) -> Result<Outcome, Fault> {
        Self::outcome(inspect(call.model("model")?, self.accept_problems)?)
    }
}

/// Schema, header, counts and problems of a model; a Fault if its content is in doubt and `accept_problems` is not set.
fn inspect(native: &NativeModel, accept_problems: bool) -> Result<InspectAnswer, Fault> {
    let model = &native.model;
    let deep = ifc_check::verify(model);
    let mut problems: Vec<&Problem> = native.problems.iter().chain(&deep).collect();
    problems.sort_by_key(|problem| (problem.line, problem.column));
    problems.dedup();
    let severe: Vec<&Problem> = problems.iter().copied().filter(|problem| problem.code.is_severe()).collect();
    if !severe.is_empty() && !accept_problems {
        return Err(doubtful(severe));
    }
    let mut problems_by_code: BTreeMap<String, u64> = BTreeMap::new();
    for problem in &problems {
        *problems_by_code.entry(format!("{:?}", problem.code)).or_default() += 1;
    }
    Ok(InspectAnswer {
        schema: model.schema().name().to_owned(),
        instances: model.len() as u64,
        classes: model.class_counts().len() as u64,
        particulars: particulars(native),
        problem_count: problems.len() as u64,
        problems_by_code,
        problems: listed(problems.iter().copied()),
    })
}

/// The facts that only a building has.
fn particulars(native: &NativeModel) -> Map<String, Value> {
    let model = &native.model;
    let of = |class: &str| Value::from(model.of_class(class).len());
    let project = model.of_class("IfcProject").first().and_then(|id| model.get(*id));
    let header = model.header();
    let facts: [(&str, Value); 7] = [
        ("elements", tools::element_count(model).into()),
        ("storeys", of("IfcBuildingStorey")),
        ("spaces", of("IfcSpace")),
        ("project", project.and_then(|project| project.name()).into()),
        ("file_name", header.file_name.clone().into()),
        ("originating_system", header.originating_system.clone().into()),
        ("time_stamp", header.time_stamp.clone().into()),
    ];
    facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
