//! A model of OpenStudio as one of EnergyPlus, by OpenStudio's own translators.

use crate::{Reply, Tool};
use contract::ops::PlatformOperation;
use contract::{Caller, Effect, EventType, Fault, FaultCode, ModelMade, ModelUse, Models, Toolset, Versions};
use energy::ops::ConvertOsm;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// From where to where.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Input {
    /// OSM: bucket key, upload or local path.
    osm_path: String,
    /// Local path of the IDF, or a name.
    output_path: String,
    /// Also of a newer OpenStudio.
    #[schemars(extend("default" = true, "x-seldom" = true))]
    allow_newer_versions: Option<bool>,
    /// Replace a file that is there.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    overwrite: bool,
}

/// The model, now the session's.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// Of EnergyPlus.
    version: Value,
    objects: Value,
    /// Remarks by OpenStudio.
    messages: Value,
    /// In full, if it was written to a path.
    #[serde(rename = "output_path", skip_serializing_if = "Option::is_none")]
    written: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<Value>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("convert_osm_to_idf", Effect::Create, |platform, input| Box::pin(run(platform, input)))
        .title("Convert OSM to IDF")
        .description(
            "Makes an EnergyPlus model of an OpenStudio model, by the OpenStudio installed on the server.",
        )
        .toolset(Toolset::Exchange)
        .model(ModelUse::New)
        .event(EventType::Other("EnergyModelConverted".to_owned()))
        .example("An upload", json!({ "osm_path": "office.osm", "output_path": "office.idf" }))
}

async fn run(
    platform: &(impl Caller + Models + Versions + ?Sized),
    input: Input,
) -> Result<Reply<Output>, Fault> {
    let to_path = platform.principal().local;
    let is_idf = input.output_path.len() > 4
        && input
            .output_path
            .get(input.output_path.len() - 4..)
            .is_some_and(|end| end.eq_ignore_ascii_case(".idf"));
    if !is_idf {
        return Err(Fault::invalid("output_path", "`output_path` has to end in .idf."));
    }
    if !to_path && input.output_path.contains(['/', '\\']) {
        return Err(Fault::new(
            FaultCode::PermissionDenied,
            "`output_path` as a path means a file on the server's machine, which only its own user may name. Give a name; \
             save_model links the file.",
        )
        .with("field", "output_path"));
    }
    let convert = ConvertOsm { allow_newer_versions: input.allow_newer_versions.unwrap_or(true) };
    let ModelMade { committed, artifact, session } = platform
        .derive_from_file(convert.operation(), "energyplus", "osm", "osm_path", &input.osm_path)
        .await?;
    let mut written = None;
    if to_path && !platform.dry_run() {
        let file = platform
            .save(&committed.model_id, &committed.version, &input.output_path, input.overwrite)
            .await
            .map_err(|fault| unsaved(fault, committed.model_id.as_str()))?;
        written = Some(file.path.display().to_string());
    }
    let converted = ConvertOsm::read(&artifact)?;
    let output = Output {
        version: converted.version.into(),
        objects: converted.objects.into(),
        messages: converted.messages.into(),
        written,
        session: session.map(Value::from),
    };
    Ok(Reply::new(output).status("converted").committed(committed))
}

/// The model is there, only its file is not.
fn unsaved(fault: Fault, model: &str) -> Fault {
    let message =
        format!("The model was made ({model}) and is the session's, but not written: {}", fault.message);
    Fault { message, ..fault }.with("field", "output_path").with("model_id", model)
}
