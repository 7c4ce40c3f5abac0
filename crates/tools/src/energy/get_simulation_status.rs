//! The state of a simulation: how far it is, or how it ended.

use crate::simulation::{RunAnswer, answer};
use crate::{Reply, Tool};
use contract::{Effect, Fault, Jobs};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::time::Duration;

/// The longest wait in seconds: less than clients wait for an answer.
const MOST: u64 = 50;

/// The tool's arguments.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Input {
    /// As run_simulation answered it.
    #[schemars(extend("x-seldom" = true))]
    job_id: String,
    /// Waits for the end, at most so many seconds.
    #[schemars(extend("default" = 0, "minimum" = 0, "maximum" = 50, "x-seldom" = true))]
    wait_seconds: Option<u64>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("get_simulation_status", Effect::Query, |platform, input| Box::pin(run(platform, input)))
        .description(
            "How far a run is, or after wait_seconds; at its end its worst messages, end uses and links.",
        )
        .example("A run", json!({ "job_id": "0199a0c4-6a53-7a2e-9c7e-3f4f4a1f0c11" }))
}

async fn run(platform: &(impl Jobs + ?Sized), input: Input) -> Result<Reply<RunAnswer>, Fault> {
    let job = match input.wait_seconds.unwrap_or(0) {
        0 => platform.job(&input.job_id).await?,
        seconds @ 1..=MOST => platform.await_job(&input.job_id, Duration::from_secs(seconds)).await?,
        _ => {
            return Err(Fault::invalid(
                "wait_seconds",
                format!("`wait_seconds` is from 0 to {MOST}; ask again after that."),
            ));
        }
    };
    let (told, links) = answer(&job)?;
    Ok(Reply { links, ..Reply::new(told) })
}
