//! Ends a call that was submitted as a job and is not wanted any more.

use crate::jobs::{JobAnswer, answer};
use crate::{Reply, Tool};
use contract::{Action, Caller, Effect, Fault, Jobs, Server, Toolset};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::time::Duration;

/// The time that the answer waits for the end.
const PATIENCE: Duration = Duration::from_secs(15);

/// The tool's arguments.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Input {
    /// As the call answered it.
    job_id: String,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("cancel_job", Effect::Modify, |platform, input| Box::pin(run(platform, input)))
        .description("Ends a call that was made with as_job. One that has ended stays as it is.")
        // who may ask may give up what it asked
        .action(Action::Query)
        .idempotent()
        .also_on(Server::Validation)
        .toolset(Toolset::Files)
        .example("A job", json!({ "job_id": "0199a0c4-6a53-7a2e-9c7e-3f4f4a1f0c11" }))
}

async fn run(platform: &(impl Caller + Jobs + ?Sized), input: Input) -> Result<Reply<JobAnswer>, Fault> {
    let job = platform.job(&input.job_id).await?;
    if !platform.dry_run() && !job.state.is_over() {
        platform.cancel_job(&job.job_id).await?;
    }
    let job = platform.await_job(&job.job_id, PATIENCE).await?;
    let (told, links) = answer(&job);
    let status = job.state.as_str();
    Ok(Reply { links, ..Reply::new(told).status(status) })
}
