//! The state of a call that was submitted as a job, and its answer once it is there.

use crate::jobs::{JobAnswer, answer};
use crate::{Reply, Tool};
use contract::{Effect, Fault, Jobs, Server, Toolset};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::time::Duration;

/// Seconds that a call waits at most: less than clients wait for an answer.
const MOST: u64 = 40;

/// The tool's arguments.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Input {
    /// As the call answered it.
    job_id: String,
    /// Seconds to wait for the end.
    #[schemars(extend("default" = 20, "maximum" = MOST, "x-seldom" = true))]
    wait: Option<u64>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("get_job", Effect::Query, |platform, input| Box::pin(run(platform, input)))
        .description("How far a call is that was made with as_job, and its answer at the end.")
        .also_on(Server::Validation)
        .toolset(Toolset::Files)
        .toolset(Toolset::Validation)
        .example("A job", json!({ "job_id": "0199a0c4-6a53-7a2e-9c7e-3f4f4a1f0c11" }))
}

async fn run(platform: &(impl Jobs + ?Sized), input: Input) -> Result<Reply<JobAnswer>, Fault> {
    let wait = Duration::from_secs(crate::input::bounded("wait", input.wait, 20, [0, MOST])?);
    let (told, links) = answer(&platform.await_job(&input.job_id, wait).await?);
    Ok(Reply { links, ..Reply::new(told) })
}
