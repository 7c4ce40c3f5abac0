//! Runs EnergyPlus on the model, in a process that can do nothing else. The run is a job: it goes on where its caller stops waiting.

use crate::simulation::{RunAnswer, answer, status};
use crate::{Reply, Tool};
use contract::{BoxFuture, Effect, Fault, JobState, ModelUse, Platform, SimulationDraft};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::time::Duration;

/// The time that the answer waits for the end: less than clients wait for an answer, and enough for most design days.
const PATIENCE: Duration = Duration::from_secs(40);

/// The tool's arguments.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Input {
    /// EPW: key, upload or path; without it the session's.
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
    Tool::platform("run_simulation", Effect::Create, run)
        .description(
            "Runs EnergyPlus on the model and answers how it ended, worst messages, end uses, links. After 40 s \
             it goes on as a job: get_simulation_status.",
        )
        .model(ModelUse::Current)
        .example("Design days", json!({ "design_day": true }))
}

fn run(platform: &dyn Platform, input: Input) -> BoxFuture<'_, Result<Reply<RunAnswer>, Fault>> {
    Box::pin(async move {
        let draft = SimulationDraft {
            weather_file: input.weather_file,
            design_day: input.design_day,
            annual: input.annual,
            readvars: input.readvars,
            output_directory: input.output_directory,
            program_version: input.energyplus_version,
            program_folder: input.energyplus_dir,
        };
        let Some(job) = platform.simulate(&draft).await? else {
            return Ok(Reply::of(RunAnswer::default()));
        };
        let job = platform.await_job(&job.job_id, PATIENCE).await?;
        if job.state == JobState::Failed
            && let Some(fault) =
                job.result.clone().and_then(|fault| serde_json::from_value::<Fault>(fault).ok())
        {
            return Err(fault.with("job_id", &job.job_id));
        }
        let (told, links) = answer(&job)?;
        Ok(Reply { links, ..Reply::of(told).status(status(&job)?) })
    })
}
