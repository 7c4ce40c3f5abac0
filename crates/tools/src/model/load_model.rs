//! Brings a file into the system as a model of its own, or makes a model that is there the session's current one.

use crate::model::model_summary;
use crate::{Reply, Tool};
use contract::ops::{Inspect, PlatformOperation};
use contract::{
    Caller, Effect, EventType, Fault, ImportSource, ModelId, ModelImport, ModelKind, ModelUse, Models,
    Queries, Server, Sessions, Toolset, VersionId,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The tool's arguments.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Input {
    /// On this machine.
    file_path: Option<String>,
    /// Name of a file that you uploaded.
    #[schemars(extend("x-seldom" = true))]
    upload_name: Option<String>,
    /// Key of a file in the bucket.
    #[schemars(extend("x-seldom" = true))]
    bucket_key: Option<String>,
    /// Or a model that is here, id or name.
    model_id: Option<String>,
    /// The version that you expect (`IFC4`, `9.2`); a file of another is refused.
    #[schemars(extend("x-seldom" = true))]
    version: Option<String>,
    /// Its kind; without it by its extension.
    #[schemars(extend("x-seldom" = true))]
    kind: Option<ModelKind>,
}

/// The model, now the session's own.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    model_id: ModelId,
    model_version: VersionId,
    name: String,
    /// Version of the file's format.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    #[schemars(with = "serde_json::Map<String, Value>")]
    summary: Value,
    /// The file that save_model writes to where it is given none.
    #[serde(skip_serializing_if = "Option::is_none")]
    file_path: Option<String>,
    /// Give it as `session` in later calls, where your client keeps no session.
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("load_model", Effect::Create, |platform, input| Box::pin(run(platform, input)))
        .any_kind()
        .also_on(Server::Energy)
        .title("Load a model")
        .description("Opens an IFC or EnergyPlus model as the session's; only save_model writes to the file.")
        .toolset(Toolset::Model)
        .toolset(Toolset::Code)
        .model(ModelUse::New)
        .event(EventType::ModelLoaded)
        .example("A file", json!({ "file_path": "~/models/Duplex.ifc" }))
        .example("A model that is here already, by name", json!({ "model_id": "Duplex" }))
}

async fn run(
    platform: &(impl Caller + Models + Queries + Sessions + ?Sized),
    input: Input,
) -> Result<Reply<Output>, Fault> {
    let source = match (&input.file_path, &input.upload_name, &input.bucket_key, &input.model_id) {
        (Some(path), None, None, None) => ImportSource::Path(path.clone()),
        (None, Some(name), None, None) => ImportSource::Upload(name.clone()),
        (None, None, Some(key), None) => ImportSource::Key(key.clone()),
        (None, None, None, Some(id)) => {
            if input.version.is_some() || input.kind.is_some() {
                return Err(Fault::invalid(
                    if input.version.is_some() { "version" } else { "kind" },
                    "A model that is here has its kind and version; leave `kind` and `version` out.",
                ));
            }
            return select(platform, id).await;
        }
        _ => {
            return Err(Fault::invalid(
                "file_path",
                "Give exactly one of `file_path`, `upload_name`, `bucket_key` and `model_id`.",
            ));
        }
    };
    let import = ModelImport { source, kind: input.kind, version: input.version, into: None };
    let (committed, artifact) = platform.import(&import).await?;
    let found = Inspect::read(&artifact)?.schema;
    let (mut name, mut session, mut file_path) = (String::new(), None, None);
    if !platform.dry_run() {
        session = platform.set_current_model(&committed.model_id).await?;
        name = platform.model(committed.model_id.as_str()).await?.name;
        if let Some(path) = &input.file_path {
            let path = platform.set_model_file(&committed.model_id, path).await?;
            file_path = Some(path.display().to_string());
        }
    }
    let output = Output {
        model_id: committed.model_id.clone(),
        model_version: committed.version.clone(),
        name,
        version: Some(found).filter(|schema| !schema.is_empty()),
        summary: brief(artifact.result),
        file_path,
        session,
    };
    Ok(Reply::new(output).status("loaded").committed(committed))
}

/// The outcome of reading the file, without what says nothing: lists of problems where there are none, empty texts.
fn brief(mut summary: Value) -> Value {
    if let Value::Object(map) = &mut summary {
        map.remove("problems_listed_at_most");
        map.retain(|name, value| match value {
            Value::Null => false,
            Value::String(text) => !text.is_empty(),
            Value::Array(items) => !items.is_empty(),
            Value::Object(members) => !members.is_empty(),
            _ => name != "problem_count" || *value != 0,
        });
    }
    summary
}

async fn select(
    platform: &(impl Caller + Models + Queries + Sessions + ?Sized),
    id: &str,
) -> Result<Reply<Output>, Fault> {
    let model = platform.model(id).await?;
    let session = platform.set_current_model(&model.model_id).await?;
    let file = platform.model_file(&model.model_id).await?;
    let (summary, version) = if platform.dry_run() {
        (Value::Null, None)
    } else {
        match model.kind {
            ModelKind::Ifc => {
                let summary = platform.query(model_summary::operation()).await?.result;
                let schema = model_summary::schema_of(&summary)?;
                (summary, Some(schema))
            }
            ModelKind::EnergyPlus => {
                let artifact = platform.query(Inspect::default().operation()).await?;
                let schema = Inspect::read(&artifact)?.schema;
                (artifact.result, Some(schema))
            }
        }
    };
    let output = Output {
        model_id: model.model_id,
        model_version: model.head,
        name: model.name,
        version,
        summary,
        file_path: file.map(|file| file.path.display().to_string()),
        session,
    };
    Ok(Reply::new(output).status("selected"))
}
