//! An end to what a session was working on.

use crate::{Empty, Reply, Tool};
use contract::{BoxFuture, Effect, Fault, Platform, Toolset};
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
    Tool::platform("clear_session", Effect::Query, run)
        .for_any_kind()
        .title("Clear the session")
        .description("Forgets the session's current model, branch and change log. Models stay as they are.")
        .toolset(Toolset::Files)
        .example("Begin anew", json!({}))
}

fn run(platform: &dyn Platform, _: Empty) -> BoxFuture<'_, Result<Reply<Output>, Fault>> {
    Box::pin(async move {
        platform.clear_session().await?;
        Ok(Reply::of(Output { cleared: true }))
    })
}
