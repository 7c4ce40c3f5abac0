//! Runs EnergyPlus on the model, in a process that can do nothing else. The run is a job: it goes on where its caller stops waiting.

use crate::simulation::{JOB_KIND, RunAnswer, SLOT, WEATHER, answer, status};
use crate::{Reply, Tool, weather_files};
use contract::ops::PlatformOperation;
use contract::{
    Caller, Downloads, Effect, Fault, Files, JobState, Jobs, ModelKind, ModelUse, OperationJob, OutputFolder,
    Sessions,
};
use energy::ops::Simulate;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::time::Duration;

/// The time that the answer waits for the end: less than clients wait for an answer, and enough for most design days.
const PATIENCE: Duration = Duration::from_secs(40);

/// The tool's arguments.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Input {
    /// EPW: key, upload, path, or one of EnergyPlus' own (`Chicago`); kept.
    weather_file: Option<String>,
    /// Only the design days.
    #[serde(default)]
    design_day: bool,
    /// The whole year. With neither: as the model says.
    #[serde(default)]
    annual: bool,
    /// Leave out: the server has its own.
    #[schemars(extend("x-seldom" = true))]
    energyplus_dir: Option<String>,
    /// Leave out: the server has its own.
    #[schemars(extend("x-seldom" = true))]
    energyplus_version: Option<String>,
    /// Local folder for copies.
    #[schemars(extend("x-seldom" = true))]
    output_directory: Option<String>,
    /// Also CSV of all series.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    readvars: bool,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("run_simulation", Effect::Create, |platform, input| Box::pin(run(platform, input)))
        .description("Runs EnergyPlus: how it ended, worst messages, end uses, links. After 40 s it goes on as a job: get_simulation_status.")
        .model(ModelUse::Current)
        .example("Design days", json!({ "design_day": true }))
}

async fn run(
    platform: &(impl Caller + Downloads + Files + Jobs + Sessions + ?Sized),
    input: Input,
) -> Result<Reply<RunAnswer>, Fault> {
    let Some(job) = platform.submit_operation(job(platform, input).await?).await? else {
        return Ok(Reply::new(RunAnswer::default()));
    };
    let job = platform.await_job(&job.job_id, PATIENCE).await?;
    if job.state == JobState::Failed
        && let Some(fault) = job.result.clone().and_then(|fault| serde_json::from_value::<Fault>(fault).ok())
    {
        return Err(fault.with("job_id", &job.job_id));
    }
    let (told, links) = answer(&job)?;
    Ok(Reply { links, ..Reply::new(told).status(status(&job)?) })
}

/// The run as a job, once everything that it needs is found.
async fn job(
    platform: &(impl Caller + Downloads + Files + Jobs + Sessions + ?Sized),
    input: Input,
) -> Result<OperationJob, Fault> {
    let model = platform.current_model().await?;
    if model.kind != ModelKind::EnergyPlus {
        return Err(Fault::invalid(
            "model_id",
            format!("{} is no EnergyPlus model. Only those are simulated.", model.name),
        ));
    }
    if input.design_day && input.annual {
        return Err(Fault::invalid(
            "annual",
            "design_day and annual do not go together. Give one of them, or none to run what the model says.",
        ));
    }
    let weather = weather_files::of_run(platform, input.weather_file.as_deref(), !input.design_day).await?;
    // the next run, and the checks before it, are of the same place
    if let (Some(file), Some(_)) = (&weather, &input.weather_file)
        && !file.key.is_empty()
    {
        weather_files::keep(platform, &file.key).await?;
    }
    let run = Simulate {
        design_day: input.design_day,
        annual: input.annual,
        readvars: input.readvars,
        seconds: Some(platform.job_limit().as_secs().max(1)),
        program_version: said(input.energyplus_version),
        program_folder: said(input.energyplus_dir),
    };
    Ok(OperationJob {
        kind: JOB_KIND.to_owned(),
        operation: run.operation(),
        backend: "energyplus".to_owned(),
        files: weather.map(|file| file.as_role(WEATHER)).into_iter().collect(),
        output: input.output_directory.map(|path| OutputFolder {
            field: "output_directory".to_owned(),
            path,
            marks: ["eplusout.err", "eplusout.sql"].map(str::to_owned).into(),
            contents: "results of a simulation".to_owned(),
        }),
        slot: SLOT.to_owned(),
    })
}

/// The text that was given, if it says anything.
fn said(given: Option<String>) -> Option<String> {
    given.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}
