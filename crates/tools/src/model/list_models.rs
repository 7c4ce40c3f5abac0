//! The models that are here.

use crate::{Reply, Tool};
use contract::{BoxFuture, Effect, Fault, ModelRecord, Platform};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The tool's arguments.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Input {
    /// At most 200.
    #[schemars(extend("default" = 20, "x-seldom" = true))]
    limit: Option<u32>,
    /// `next_cursor` of the page before.
    #[schemars(extend("x-seldom" = true))]
    cursor: Option<String>,
}

/// A page of models.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    models: Vec<ModelRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("list_models", Effect::Query, run)
        .for_any_kind()
        .title("List models")
        .description("The models that are here: id, name, newest version; the latest changed first.")
        .example("The latest", json!({ "limit": 5 }))
}

fn run(platform: &dyn Platform, input: Input) -> BoxFuture<'_, Result<Reply<Output>, Fault>> {
    Box::pin(async move {
        let page = platform.models(input.limit.unwrap_or(20), input.cursor.as_deref()).await?;
        Ok(Reply::of(Output { models: page.items, next_cursor: page.next_cursor }))
    })
}
