//! Files that a client sends within a call.

use crate::model::list_files::{Row, row};
use crate::{Reply, Tool};
use contract::{Effect, Fault, FaultCode, Files, Server, Source, Toolset};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Bytes that one call takes; larger files are sent over HTTP.
const LARGEST: usize = 16 << 20;

/// A file.
#[derive(Debug, Deserialize, JsonSchema)]
struct Given {
    /// A name, no path.
    name: String,
    /// Base64.
    data: String,
    /// Media type.
    #[serde(rename = "type")]
    #[schemars(extend("x-seldom" = true))]
    media_type: Option<String>,
    /// Bytes; checked where given.
    #[schemars(extend("x-seldom" = true))]
    size: Option<usize>,
}

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// The files.
    files: Vec<Given>,
}

/// The tool's answer.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    files: Vec<Row>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("store_files", Effect::Create, |platform, input| Box::pin(run(platform, input)))
        .any_kind()
        .also_on(Server::Energy)
        .description(
            "Keeps small files for load_model (upload_name) and other tools. Large ones: see file_manager.",
        )
        .toolset(Toolset::Files)
        .example("A model", json!({"files": [{"name": "house.idf", "data": "VmVyc2lvbiwyNS4yOwo="}]}))
}

async fn run(platform: &(impl Files + ?Sized), input: Input) -> Result<Reply<Output>, Fault> {
    let mut read = Vec::new();
    let mut sum = 0;
    // all are read before one is kept
    for (at, file) in input.files.into_iter().enumerate() {
        let field = format!("files[{at}]");
        let refused =
            |why: &str| Err(Fault::invalid(&field, format!("{field} ({}): {why}", shortened(&file.name))));
        let name = &file.name;
        let bad = name.is_empty() || name.len() > 200 || name.starts_with('.') || name.contains(['/', '\\']);
        if bad || name.chars().any(char::is_control) {
            return refused(
                "a file has a name of 1 to 200 bytes, without slashes and without a dot at its beginning.",
            );
        }
        let Some(bytes) = Source::Inline(file.data).inline_bytes() else {
            return refused("data has to be the file's bytes in base64.");
        };
        if file.size.is_some_and(|size| size != bytes.len()) {
            return refused("size is not the number of bytes in data; the file was cut on its way.");
        }
        sum += bytes.len();
        if sum > LARGEST {
            let message = format!(
                "One call takes {} MB of files. Send larger ones as file_manager says.",
                LARGEST >> 20
            );
            return Err(Fault::new(FaultCode::LimitReached, message).with("field", "files"));
        }
        if read.iter().any(|(known, _, _): &(String, String, Vec<u8>)| *known == file.name) {
            return refused("two files of one call have this name.");
        }
        read.push((file.name, file.media_type.unwrap_or_default(), bytes));
    }
    let mut files = Vec::new();
    for (name, media_type, bytes) in read {
        files.push(row(platform.keep_file(&name, &media_type, &bytes).await?));
    }
    Ok(Reply::new(Output { files }).status("stored"))
}

fn shortened(name: &str) -> String {
    name.chars().take(60).collect()
}
