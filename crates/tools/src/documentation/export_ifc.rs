//! The model as an IFC file in the bucket.

use crate::{Reply, Tool};
use contract::{BoxFuture, Effect, Fault, FaultCode, ModelUse, Operation, Platform, VersionId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What to export.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Input {
    /// IFC2X3, IFC4 or IFC4X3; default, and for now only: the model's own.
    schema_version: Option<String>,
    /// Model view definition; kept as the file says it.
    mvd: Option<String>,
}

/// The file.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// Version that was written.
    version: VersionId,
    schema_version: String,
    sha256: String,
    /// Bytes.
    size: u64,
    /// What the target cannot hold.
    report: Vec<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("export_ifc", Effect::Query, run)
        .title("Export IFC")
        .description(
            "Writes the model (or the version given by model_version) as an IFC file and answers its download link and hash. \
             save_model writes to a path instead.",
        )
        .model(ModelUse::Current)
        .idempotent()
        .example("By name", json!({ "model_id": "Duplex" }))
}

fn run(platform: &dyn Platform, input: Input) -> BoxFuture<'_, Result<Reply<Output>, Fault>> {
    Box::pin(async move {
        let model = platform.current_model().await?;
        let version = platform.current_version().await?;
        let summary = Operation { effect: Effect::Query, name: "model_summary".into(), params: json!({}) };
        let summary = platform.query(summary).await?.result;
        let schema = summary.get("schema").and_then(Value::as_str).unwrap_or_default().to_owned();
        let other = input.schema_version.as_deref().filter(|wanted| !same_schema(wanted, &schema));
        if let Some(wanted) = other {
            return Err(Fault::new(
                FaultCode::NotSupported,
                format!(
                    "This model is {schema}, and export does not convert between schemas: {wanted} cannot hold all of it \
                     without loss. Export it as {schema}."
                ),
            )
            .with("field", "schema_version")
            .with("allowed", [&schema]));
        }
        let file = platform.materialise(&model.model_id, &version).await?;
        let link = format!("{}/bucket/{}/{version}", platform.public_url(), model.model_id);
        let report = input
            .mvd
            .map(|mvd| format!("The file keeps the view definition in its header; it was not checked against {mvd}."))
            .into_iter()
            .collect();
        let output =
            Output { version, schema_version: schema, sha256: file.sha256, size: file.size, report };
        Ok(Reply::of(output).link("Download", link))
    })
}

/// `IFC4X3` and `IFC4X3_ADD2` are one schema here.
fn same_schema(wanted: &str, own: &str) -> bool {
    let family = |text: &str| {
        let upper = text.to_ascii_uppercase();
        ["IFC2X3", "IFC4X3", "IFC4"].into_iter().find(|name| upper.starts_with(name))
    };
    family(wanted).is_some() && family(wanted) == family(own)
}
