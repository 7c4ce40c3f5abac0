//! A link from which anybody may fetch a file for a while.

use crate::{Reply, Tool};
use contract::{Action, BucketFile, Effect, Fault, Files, ModelKind, ModelUse, Sessions, Toolset, Versions};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The tool's arguments.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Input {
    /// File in the bucket; default: the model.
    bucket_key: Option<String>,
    /// The time it holds; up to a week.
    #[serde(default = "quarter_of_an_hour")]
    #[schemars(extend("x-seldom" = true))]
    expires_seconds: u64,
}

pub(super) fn quarter_of_an_hour() -> u64 {
    900
}

/// The link.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    url: String,
    /// ISO 8601, UTC.
    expires: String,
    name: String,
    sha256: String,
    /// Bytes.
    size: u64,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("get_download_link", Effect::Query, |platform, input| Box::pin(run(platform, input)))
        .action(Action::Export)
        .title("Get a download link")
        .side_effects()
        .description(
            "A link from which anybody who has it may fetch the model's file (or the file of bucket_key) without a key, until it \
             expires. For a program or a person elsewhere.",
        )
        .toolset(Toolset::Files)
        .model(ModelUse::Current)
        .example("The current model", json!({}))
        .example("For a day", json!({ "expires_seconds": 86400 }))
}

async fn run(
    platform: &(impl Files + Sessions + Versions + ?Sized),
    input: Input,
) -> Result<Reply<Output>, Fault> {
    let (file, name, media_type) = match &input.bucket_key {
        Some(key) => platform.file(key).await?,
        None => model_file(platform).await?,
    };
    let link = platform.link_to(&file, &name, &media_type, input.expires_seconds).await?;
    let reply = Reply::new(Output {
        url: link.url.clone(),
        expires: crate::iso_time(link.expires_ms),
        name,
        sha256: file.sha256,
        size: file.size,
    });
    Ok(reply.link("Download", link.url))
}

/// The file of the call's model and version, with a name to save it under.
async fn model_file(
    platform: &(impl Sessions + Versions + ?Sized),
) -> Result<(BucketFile, String, String), Fault> {
    let model = platform.current_model().await?;
    let version = platform.current_version().await?;
    let file = platform.materialise(&model.model_id, &version).await?;
    let (ending, media_type) = match model.kind {
        ModelKind::Ifc => (".ifc", "application/x-step"),
        ModelKind::EnergyPlus => (".idf", "text/plain; charset=utf-8"),
    };
    let known = ["ifc", "idf", "epjson"];
    let has_one = std::path::Path::new(&model.name)
        .extension()
        .is_some_and(|found| known.iter().any(|known| found.eq_ignore_ascii_case(known)));
    let name = if has_one { model.name } else { format!("{}{ending}", model.name) };
    Ok((file, name.replace(['/', '\\'], "_"), media_type.to_owned()))
}
