//! Ends a simulation that is not wanted any more.

use crate::simulation::{RunAnswer, answer, status};
use crate::{Reply, Tool};
use contract::{Action, Caller, Effect, Fault, Jobs};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::time::Duration;

/// The time that the answer waits for the end.
const PATIENCE: Duration = Duration::from_secs(15);

/// The tool's arguments.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Input {
    /// As run_simulation answered it.
    #[schemars(extend("x-seldom" = true))]
    job_id: String,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("cancel_simulation", Effect::Modify, |platform, input| Box::pin(run(platform, input)))
        .description("Ends a run. One that has ended already stays as it is.")
        // it was the caller's to begin it, so it is theirs to end it
        .action(Action::Create)
        .destructive()
        .idempotent()
        .example("A run", json!({ "job_id": "0199a0c4-6a53-7a2e-9c7e-3f4f4a1f0c11" }))
}

async fn run(platform: &(impl Caller + Jobs + ?Sized), input: Input) -> Result<Reply<RunAnswer>, Fault> {
    let job = platform.job(&input.job_id).await?;
    if !platform.dry_run() && !job.state.is_over() {
        platform.cancel_job(&job.job_id).await?;
    }
    let job = platform.await_job(&job.job_id, PATIENCE).await?;
    let (told, links) = answer(&job)?;
    Ok(Reply { links, ..Reply::new(told).status(status(&job)?) })
}
