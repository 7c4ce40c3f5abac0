//! An end to what a session was working on.

use crate::{Empty, Reply, Tool};
use contract::{Effect, Fault, Server, Sessions, Toolset};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

/// The tool's answer.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    cleared: bool,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("clear_session", Effect::Query, |platform, input| Box::pin(run(platform, input)))
        .any_kind()
        .also_on(Server::Energy)
        .title("Clear the session")
        .side_effects()
        .idempotent()
        .description(
            "Forgets the session's models, branches, results and change log. Models stay as they are.",
        )
        .toolset(Toolset::Files)
        .example("Begin anew", json!({}))
}

async fn run(platform: &(impl Sessions + ?Sized), _: Empty) -> Result<Reply<Output>, Fault> {
    platform.clear_session().await?;
    Ok(Reply::new(Output { cleared: true }))
}
