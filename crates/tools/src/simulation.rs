//! The answer of the three tools around simulations: the same answer, whether it waits, runs or has ended.

use contract::{JobRecord, JobState, Link, Progress};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// A run, as far as it is.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct RunAnswer {
    /// By which the run is asked for.
    job_id: String,
    /// `queued`, `running`; at its end `completed`, `fatal`, `crashed`, `timed_out`, `cancelled`, or `failed` where it was never
    /// begun.
    status: String,
    /// The reason why it ended like that.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<Value>,
    /// The step that it is at.
    #[serde(skip_serializing_if = "Option::is_none")]
    step: Option<String>,
    /// The part that is done, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    fraction: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    warnings: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    severe: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    elapsed_seconds: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    program: Option<Value>,
    /// The worst messages of the .err file, alike ones together.
    #[serde(skip_serializing_if = "Option::is_none")]
    messages: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    messages_left_out: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_uses: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    notes: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    weather_file: Option<Value>,
    /// The folder that its files were copied to, or why they were not.
    #[serde(skip_serializing_if = "Option::is_none")]
    output_directory: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    not_copied: Option<Value>,
    /// The model's version that was simulated.
    #[serde(skip_serializing_if = "Option::is_none")]
    simulated_version: Option<String>,
    /// A hint on what to do next.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<&'static str>,
}

/// The state of a run, in the word that answers use.
pub fn status(job: &JobRecord) -> &'static str {
    const ENDS: [&str; 5] = ["completed", "fatal", "crashed", "timed_out", "cancelled"];
    let said = job.result.as_ref().and_then(|result| result.get("status")).and_then(Value::as_str);
    match job.state {
        JobState::Queued => "queued",
        JobState::Running => "running",
        JobState::Failed => "failed",
        JobState::Cancelled => "cancelled",
        JobState::Done => ENDS.into_iter().find(|end| said == Some(end)).unwrap_or("completed"),
    }
}

/// The whole answer, and links to the files of the run.
pub fn answer(job: &JobRecord) -> (RunAnswer, Vec<Link>) {
    let told = |name: &str| job.result.as_ref().and_then(|result| result.get(name)).cloned();
    let progress = job.progress.clone().and_then(|said| serde_json::from_value::<Progress>(said).ok());
    let progress = progress.filter(|_| !job.state.is_over());
    let fraction = progress.as_ref().and_then(|now| Some((now.done, now.total.filter(|total| *total > 0)?)));
    let next = match job.state {
        JobState::Queued | JobState::Running if job.is_ending => Some("It is being ended."),
        JobState::Queued | JobState::Running => {
            Some("Ask get_simulation_status with this job_id in a while; cancel_simulation ends it.")
        }
        _ => None,
    };
    let answer = RunAnswer {
        job_id: job.job_id.clone(),
        status: status(job).to_owned(),
        reason: told(if job.state == JobState::Failed { "message" } else { "reason" }),
        step: progress.map(|now| now.what).filter(|what| !what.is_empty()),
        fraction: fraction.map(|(done, total)| (done as f64 / total as f64).min(1.0)),
        warnings: told("warnings"),
        severe: told("severe"),
        elapsed_seconds: told("elapsed_seconds"),
        program: told("program"),
        messages: told("messages"),
        messages_left_out: told("messages_left_out"),
        end_uses: told("end_uses"),
        notes: told("notes"),
        weather_file: told("weather_file"),
        output_directory: told("output_directory"),
        not_copied: told("not_copied"),
        simulated_version: job.version.as_ref().map(|version| version.as_str().to_owned()),
        next,
    };
    let files = told("files");
    let files = files.as_ref().and_then(Value::as_array).into_iter().flatten();
    let links = files.filter_map(|file| {
        let text = |name: &str| file.get(name).and_then(Value::as_str).map(str::to_owned);
        Some(Link { title: text("name")?, href: text("href")? })
    });
    (answer, links.collect())
}
