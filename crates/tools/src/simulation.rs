//! The answer of the three tools around simulations: the same answer, whether it waits, runs or has ended.

use contract::{Condition, Fault, FaultCode, FileNeed, JobFiles, JobRecord, JobState, Link, Needs, Progress};
use energy::ops::SimulationResult;
use energy::results::errors::Group;
use energy::results::{Level, RunStatus};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The kind of the jobs that runs are.
pub const JOB_KIND: &str = "simulation";
/// The tool that tells of such a job.
pub const JOB_READER: &str = "get_simulation_status";
/// The name under which the session remembers the latest run.
pub const SLOT: &str = "simulation";
/// The parameter by which tools on results take another run than the latest.
pub const JOB: &str = "job_id";
/// The role of the weather file.
pub const WEATHER: &str = "weather";

/// The sentence that clients of energy servers know.
pub const NO_RESULTS: &str = "No simulation results available. Use run_simulation first.";

/// The files of the session's latest simulation.
pub fn latest() -> JobFiles {
    JobFiles {
        slot: SLOT.to_owned(),
        role: "results".to_owned(),
        parameter: Some(JOB.to_owned()),
        prefix: String::new(),
        beside_when: Vec::new(),
        absent: Fault::new(FaultCode::NoSimulationResults, NO_RESULTS),
        unfinished: Fault::new(
            FaultCode::Busy,
            "The simulation {job_id} is not at its end. Ask get_simulation_status how far it is.",
        ),
    }
}

/// The need of the files of the latest run on the model at hand, in calls for which any of these holds.
pub fn results_beside(when: Vec<Condition>) -> FileNeed {
    FileNeed::Job(Box::new(JobFiles { parameter: None, beside_when: when, ..latest() }))
}

/// The need of a run's files where its messages are read, which it leaves however it ended.
pub fn messages() -> FileNeed {
    FileNeed::Job(Box::new(JobFiles { role: "errors".to_owned(), ..latest() }))
}

/// The need of the files of a second run, which a parameter names: their roles begin with `other:`.
pub fn other_results(parameter: &str) -> FileNeed {
    let need = JobFiles { parameter: Some(parameter.to_owned()), prefix: OTHER.to_owned(), ..latest() };
    FileNeed::Job(Box::new(need))
}

/// The beginning of the roles of a second run's files.
pub const OTHER: &str = "other:";

/// The arguments of a tool on the results of a run.
#[derive(Debug, Clone, Default, Deserialize, Serialize, JsonSchema)]
pub struct OfRun {
    /// A run of run_simulation; without it the latest of this session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-seldom" = true))]
    pub job_id: Option<String>,
}

/// The needs of a query on those files, which may make others.
pub fn on_results() -> Needs {
    Needs { files: vec![results()], scratch: true, ..Needs::default() }
}

/// The need of those files.
pub fn results() -> FileNeed {
    FileNeed::Job(Box::new(latest()))
}

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

/// Leaves the lines that continue warnings to explain_messages.
pub fn shorten(messages: &mut [Group]) {
    for group in messages.iter_mut().filter(|group| group.level == Level::Warning) {
        group.details.clear();
    }
}

/// The result of a run that is over, if it came to one.
pub fn result(job: &JobRecord) -> Result<Option<SimulationResult>, Fault> {
    let (Some(result), JobState::Done | JobState::Cancelled) = (&job.result, job.state) else {
        return Ok(None);
    };
    let read = SimulationResult::deserialize(result);
    match read {
        Ok(result) => Ok(Some(result)),
        // one that was ended before it began has none
        Err(_) if job.state == JobState::Cancelled => Ok(None),
        Err(error) => Err(Fault::backend(format!("The result of this simulation cannot be read: {error}."))
            .with("job_id", &job.job_id)),
    }
}

/// The word for how a run ended.
pub fn ending(status: RunStatus) -> &'static str {
    match status {
        RunStatus::Completed => "completed",
        RunStatus::Fatal => "fatal",
        RunStatus::Crashed => "crashed",
        RunStatus::TimedOut => "timed_out",
        RunStatus::Cancelled => "cancelled",
    }
}

/// The state of a run, in the word that answers use.
pub fn status(job: &JobRecord) -> Result<&'static str, Fault> {
    Ok(match job.state {
        JobState::Queued => "queued",
        JobState::Running => "running",
        JobState::Failed => "failed",
        JobState::Cancelled => "cancelled",
        JobState::Done => result(job)?.map_or("completed", |result| ending(result.run.outcome.status)),
    })
}

/// The name of the weather file that a run was given.
fn weather_of(job: &JobRecord) -> Option<Value> {
    let files = job.parameters.get("files")?.as_array()?;
    files.iter().find(|file| file.get("role").is_some_and(|role| role == WEATHER))?.get("name").cloned()
}

/// The whole answer, and links to the files of the run.
pub fn answer(job: &JobRecord) -> Result<(RunAnswer, Vec<Link>), Fault> {
    let progress = job.progress.clone().and_then(|said| serde_json::from_value::<Progress>(said).ok());
    let progress = progress.filter(|_| !job.state.is_over());
    let fraction = progress.as_ref().and_then(|now| Some((now.done, now.total.filter(|total| *total > 0)?)));
    let next = match job.state {
        JobState::Queued | JobState::Running if job.is_ending => Some("It is being ended."),
        JobState::Queued | JobState::Running => {
            Some("Ask get_simulation_status with this job_id and wait_seconds=50; cancel_simulation ends it.")
        }
        _ => None,
    };
    let mut answer = RunAnswer {
        job_id: job.job_id.clone(),
        status: status(job)?.to_owned(),
        step: progress.map(|now| now.what).filter(|what| !what.is_empty()),
        fraction: fraction.map(|(done, total)| (done as f64 / total as f64).min(1.0)),
        simulated_version: job.version.as_ref().map(|version| version.as_str().to_owned()),
        next,
        ..RunAnswer::default()
    };
    if let (Some(fault), JobState::Failed) = (&job.result, job.state) {
        answer.reason = Fault::deserialize(fault).ok().map(|fault| fault.message.into());
    }
    let Some(result) = result(job)? else { return Ok((answer, Vec::new())) };
    let SimulationResult { mut run, files, weather_file, output_directory, not_copied } = result;
    shorten(&mut run.messages);
    let is_read =
        |role: &str| ["results", "errors", "report", "series", "meters", "expanded"].contains(&role);
    let links = files.into_iter().filter(|file| is_read(&file.role));
    let links = links.map(|file| Link { title: file.name, href: file.href }).collect();
    let answer = RunAnswer {
        reason: Some(run.outcome.reason.into()).filter(|_| run.outcome.status != RunStatus::Completed),
        warnings: Some(run.outcome.warnings.into()),
        severe: Some(run.outcome.severe.into()),
        elapsed_seconds: run.outcome.elapsed_seconds.map(Value::from),
        program: Some(run.program.into()),
        messages: Some(json!(run.messages)).filter(|_| !run.messages.is_empty()),
        messages_left_out: Some(run.messages_left_out.into()).filter(|_| run.messages_left_out > 0),
        end_uses: run.end_uses.filter(|uses| !uses.uses.is_empty()).map(|uses| json!(uses)),
        notes: Some(json!(run.notes)).filter(|_| !run.notes.is_empty()),
        weather_file: weather_file.map(Value::from).or_else(|| weather_of(job)),
        output_directory: output_directory.map(Value::from),
        not_copied: not_copied.map(Value::from),
        ..answer
    };
    Ok((answer, links))
}
