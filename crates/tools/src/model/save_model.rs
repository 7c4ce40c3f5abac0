//! Writes a model out as a file. Only what was changed differs from the file that was loaded, byte by byte.

use crate::{Reply, Tool};
use contract::{Action, Caller, Effect, Fault, FaultCode, ModelUse, Server, Sessions, Versions};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The tool's arguments.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Input {
    /// .ifc, .ifczip, .idf or .epJSON on this machine; without it the file it came from.
    file_path: Option<String>,
    /// ifc, ifczip, idf or epjson; without it as file_path ends.
    #[schemars(extend("x-seldom" = true))]
    output_format: Option<String>,
    /// Replace a file that is there.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    overwrite: bool,
}

/// The file.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// In full.
    #[serde(skip_serializing_if = "Option::is_none")]
    file_path: Option<String>,
    sha256: String,
    /// Bytes.
    size: u64,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("save_model", Effect::Modify, |platform, input| Box::pin(run(platform, input)))
        .any_kind()
        .also_on(Server::Energy)
        .title("Save the model")
        .description("Writes the model to a file; answers a download link where it has none.")
        .action(Action::Export)
        .model(ModelUse::Current)
        .destructive()
        .idempotent()
        .example("To its own file, or as a link", json!({}))
        .example("To a file", json!({ "file_path": "house.ifc" }))
        .example("Zipped", json!({ "file_path": "house.ifczip" }))
}

/// Tells if a model can be written in this format to such a file: the file's name says it, too, to who reads it later.
fn check(format: &str, file_path: Option<&str>) -> Result<(), Fault> {
    let ends = |extension: &str| {
        file_path.is_some_and(|path| path.to_ascii_lowercase().ends_with(&format!(".{extension}")))
    };
    match format.to_ascii_lowercase().as_str() {
        "ifc" if !ends("ifczip") => Ok(()),
        format @ ("ifczip" | "idf" | "epjson") if ends(format) => Ok(()),
        "ifc" | "ifczip" | "idf" | "epjson" => Err(Fault::invalid(
            "output_format",
            format!("{format} does not fit the file. Give a file_path that ends in .{format}."),
        )
        .with("field", "output_format")),
        _ => Err(Fault::new(
            FaultCode::NotSupported,
            format!("Models are written as ifc, ifczip, idf or epjson; {format} is not written here."),
        )
        .with("field", "output_format")
        .with("allowed", ["ifc", "ifczip", "idf", "epjson"])),
    }
}

async fn run(
    platform: &(impl Caller + Sessions + Versions + ?Sized),
    input: Input,
) -> Result<Reply<Output>, Fault> {
    let model = platform.current_model().await?;
    let version = platform.current_version().await?;
    let own = match &input.file_path {
        Some(_) => None,
        None => platform.model_file(&model.model_id).await?,
    };
    let own_path = own.as_ref().map(|file| file.path.display().to_string());
    if let Some(format) = input.output_format.as_deref() {
        check(format, input.file_path.as_deref().or(own_path.as_deref()))?;
    }
    if let Some(file) = own.filter(|file| file.was_changed && !input.overwrite) {
        let problem = format!(
            "{} was changed by another program since it was read or saved here. Save under another name, or give overwrite=true to \
             replace it.",
            file.path.display()
        );
        return Err(Fault::new(FaultCode::Conflict, problem).with("field", "file_path"));
    }
    // its own file is there to be replaced
    let overwrite = input.overwrite || own_path.is_some();
    if let Some(path) = input.file_path.as_ref().or(own_path.as_ref()) {
        let file = platform.save(&model.model_id, &version, path, overwrite).await?;
        if !platform.dry_run() {
            platform.set_model_file(&model.model_id, path).await?;
        }
        let path = file.path.display().to_string();
        let output = Output { file_path: Some(path), sha256: file.sha256, size: file.size };
        return Ok(Reply::new(output).status("saved"));
    }
    let file = platform.materialise(&model.model_id, &version).await?;
    let link = platform.address_of(&format!("/bucket/{}/{version}", model.model_id));
    let output = Output { file_path: None, sha256: file.sha256, size: file.size };
    Ok(Reply::new(output).status("ready").link("Download", link))
}
