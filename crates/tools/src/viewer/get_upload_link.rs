//! A link to which anybody may send one file.

use super::get_download_link::quarter_of_an_hour;
use crate::{Reply, Tool};
use contract::{Action, Effect, Fault, Files, Toolset};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The tool's arguments.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Input {
    /// Under which name it is kept, with its extension.
    name: String,
    /// The bytes it may have.
    #[schemars(extend("x-seldom" = true))]
    max_bytes: Option<u64>,
    /// The time it holds; up to a week.
    #[serde(default = "quarter_of_an_hour")]
    #[schemars(extend("x-seldom" = true))]
    expires_seconds: u64,
}

/// The link.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    url: String,
    /// ISO 8601, UTC.
    expires: String,
    /// Give it to load_model when the file is there.
    upload_name: String,
    /// The way to send it.
    command: String,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("get_upload_link", Effect::Query, |platform, input| Box::pin(run(platform, input)))
        .action(Action::Create)
        .title("Get an upload link")
        .side_effects()
        .description(
            "A link to which whoever has it may send one file (HTTP PUT) without a key, until it expires. The file is then an upload \
             of yours: load_model takes its upload_name.",
        )
        .toolset(Toolset::Files)
        .example("For a model", json!({ "name": "House.ifc" }))
}

async fn run(platform: &(impl Files + ?Sized), input: Input) -> Result<Reply<Output>, Fault> {
    let link = platform.link_for(&input.name, input.max_bytes, input.expires_seconds).await?;
    Ok(Reply::new(Output {
        command: format!("curl --upload-file FILE {}", link.url),
        url: link.url,
        expires: crate::iso_time(link.expires_ms),
        upload_name: input.name,
    }))
}
