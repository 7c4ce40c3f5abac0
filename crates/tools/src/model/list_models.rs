//! The models that are here.

use crate::{Reply, Tool};
use contract::{Effect, Fault, ModelRecord, Models, Server};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The tool's arguments.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Input {
    /// At most 200.
    #[schemars(extend("default" = 20, "minimum" = 1, "maximum" = 200, "x-seldom" = true))]
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
    Tool::platform("list_models", Effect::Query, |platform, input| Box::pin(run(platform, input)))
        .any_kind()
        .also_on(Server::Energy)
        .title("List models")
        .description("The models that are here: id, name, newest version; the latest changed first.")
        .example("The latest", json!({ "limit": 5 }))
}

async fn run(platform: &(impl Models + ?Sized), input: Input) -> Result<Reply<Output>, Fault> {
    let limit = crate::input::limit(input.limit, 20, 200)?;
    let page = platform.models(limit, input.cursor.as_deref()).await?;
    Ok(Reply::new(Output { models: page.items, next_cursor: page.next_cursor }))
}
