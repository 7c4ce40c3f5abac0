//! Files that the caller gave or had made.

use crate::{Reply, Tool, iso_time};
use contract::{Effect, Fault, Files, KeptFile, Server, Sessions, Toolset, Versions};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// At most 100.
    #[schemars(extend("default" = 50, "minimum" = 1, "maximum" = 100, "x-seldom" = true))]
    limit: Option<u32>,
    /// `next_cursor` of the page before.
    #[schemars(extend("x-seldom" = true))]
    cursor: Option<String>,
    /// Those made of this version of the current model: pictures, drawings.
    #[schemars(extend("x-seldom" = true))]
    model_version: Option<String>,
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
    /// The version that it was made of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_version: Option<String>,
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
        model_version: file.model_version.map(|version| version.0),
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

async fn run(
    platform: &(impl Files + Sessions + Versions + ?Sized),
    input: Input,
) -> Result<Reply<Output>, Fault> {
    let limit = crate::input::limit(input.limit, 50, 100)?;
    if let Some(version) = &input.model_version {
        let model = platform.current_model().await?.model_id;
        let version = platform.version(&model, version).await?.version;
        let files = platform.files_of_version(&model, &version, limit).await?;
        return Ok(Reply::new(Output { files: files.into_iter().map(row).collect(), next_cursor: None }));
    }
    let page = platform.files(limit, input.cursor.as_deref()).await?;
    let files = page.items.into_iter().map(row).collect();
    Ok(Reply::new(Output { files, next_cursor: page.next_cursor }))
}
