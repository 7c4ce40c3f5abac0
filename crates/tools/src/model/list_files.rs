//! Files that the caller gave or had made.

use crate::{Reply, Tool, iso_time};
use contract::{Effect, Fault, Files, KeptFile, Server, Toolset};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// At most 100.
    #[schemars(extend("default" = 50, "x-seldom" = true))]
    limit: Option<u32>,
    /// `next_cursor` of the page before.
    #[schemars(extend("x-seldom" = true))]
    cursor: Option<String>,
}

/// A file.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Row {
    /// The upload_name for load_model, of the latest of this name.
    pub name: String,
    /// The bucket_key.
    pub bucket_key: String,
    /// Media type.
    #[serde(rename = "type")]
    pub media_type: String,
    /// Bytes.
    pub size: u64,
    /// The time.
    pub uploaded_at: String,
}

/// The files, the latest first.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    files: Vec<Row>,
    next_cursor: Option<String>,
}

/// A file as a row.
pub fn row(file: KeptFile) -> Row {
    Row {
        name: file.name,
        bucket_key: file.key,
        media_type: file.media_type,
        size: file.size,
        uploaded_at: iso_time(file.time_ms),
    }
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("list_files", Effect::Query, |platform, input| Box::pin(run(platform, input)))
        .any_kind()
        .also_on(Server::Energy)
        .description("Files that you uploaded or that tools made for you, the latest first.")
        .toolset(Toolset::Files)
        .example("The latest", json!({"limit": 10}))
}

async fn run(platform: &(impl Files + ?Sized), input: Input) -> Result<Reply<Output>, Fault> {
    let page = platform.files(input.limit.unwrap_or(50).min(100), input.cursor.as_deref()).await?;
    let files = page.items.into_iter().map(row).collect();
    Ok(Reply::of(Output { files, next_cursor: page.next_cursor }))
}
