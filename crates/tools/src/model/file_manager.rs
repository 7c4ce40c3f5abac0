//! The caller's files and how more come here; in clients with pages, by dropping them.

use crate::model::list_files::{Row, row};
use crate::{Empty, Reply, Tool};
use contract::{Caller, Effect, Fault, Files, Server, Toolset};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

/// The files.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    files: Vec<Row>,
    /// The address that a file's bytes are posted to, with its name for NAME.
    upload_url: String,
    how: String,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("file_manager", Effect::Query, |platform, input| Box::pin(run(platform, input)))
        .any_kind()
        .also_on(Server::Energy)
        .description(
            "Your files, and how to upload more; a page for dropping files where the client shows pages.",
        )
        .toolset(Toolset::Files)
        .page("ui://pensaer/files")
        .example("Open", json!({}))
}

async fn run(platform: &(impl Caller + Files + ?Sized), _: Empty) -> Result<Reply<Output>, Fault> {
    let files = platform.files(20, None).await?.items.into_iter().map(row).collect();
    let upload_url = platform.address_of("/bucket/files?name=NAME");
    let how = "Small files: store_files. Others: POST the bytes to upload_url, or get_upload_link where there is no key; then load_model \
               with upload_name."
        .to_owned();
    Ok(Reply::new(Output { files, upload_url, how }))
}
