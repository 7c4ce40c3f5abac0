//! The answer of the tools around jobs: how far a call is, or what it came to.

use contract::{JobRecord, JobState, Link, Progress};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

/// A job, as far as it is.
#[derive(Debug, Serialize, JsonSchema)]
pub struct JobAnswer {
    job_id: String,
    /// `queued`, `running`, `done`, `failed` or `cancelled`.
    status: &'static str,
    /// The tool called.
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<String>,
    /// The version that it reads.
    #[serde(skip_serializing_if = "Option::is_none")]
    read_version: Option<String>,
    /// The step that it is at.
    #[serde(skip_serializing_if = "Option::is_none")]
    step: Option<String>,
    /// The part of the step that is done, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    fraction: Option<f64>,
    /// The answer of the call, at its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<Value>,
    /// The Fault, if it came to one.
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<Value>,
}

/// The whole answer, and the links of the call's answer.
pub(crate) fn answer(job: &JobRecord) -> (JobAnswer, Vec<Link>) {
    let progress = job.progress.clone().and_then(|said| serde_json::from_value::<Progress>(said).ok());
    let progress = progress.filter(|_| !job.state.is_over());
    let fraction = progress.as_ref().and_then(|now| Some((now.done, now.total.filter(|total| *total > 0)?)));
    let mut result: Option<Map<String, Value>> = job.result.as_ref().and_then(Value::as_object).cloned();
    let links = result.as_mut().and_then(|members| members.shift_remove("links"));
    let links = links.and_then(|links| serde_json::from_value(links).ok()).unwrap_or_default();
    let is_fault = job.state == JobState::Failed;
    let result = result.map(Value::Object);
    let (answer, fault) = if is_fault { (None, result) } else { (result, None) };
    let answer = JobAnswer {
        job_id: job.job_id.clone(),
        status: job.state.as_str(),
        tool: job.parameters.get("tool").and_then(Value::as_str).map(str::to_owned),
        read_version: job.version.as_ref().map(|version| version.as_str().to_owned()),
        step: progress.map(|now| now.what).filter(|what| !what.is_empty()),
        fraction: fraction.map(|(done, total)| (done as f64 / total as f64).min(1.0)),
        answer,
        fault,
    };
    (answer, links)
}
