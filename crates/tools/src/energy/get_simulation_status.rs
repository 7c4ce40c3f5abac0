//! The state of a simulation: how far it is, or how it ended.

use crate::simulation::{RunAnswer, answer};
use crate::{Reply, Tool};
use contract::{Effect, Fault, Jobs};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// The tool's arguments.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Input {
    /// As run_simulation answered it.
    job_id: String,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("get_simulation_status", Effect::Query, |platform, input| Box::pin(run(platform, input)))
        .description("How far a run is; at its end how it ended, its worst messages, end uses and links.")
        .example("A run", json!({ "job_id": "0199a0c4-6a53-7a2e-9c7e-3f4f4a1f0c11" }))
}

async fn run(platform: &(impl Jobs + ?Sized), input: Input) -> Result<Reply<RunAnswer>, Fault> {
    let (told, links) = answer(&platform.job(&input.job_id).await?)?;
    Ok(Reply { links, ..Reply::new(told) })
}
