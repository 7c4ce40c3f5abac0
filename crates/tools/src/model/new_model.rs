//! An empty model to begin with. A model with site, building and storeys is made by create_project.

use crate::{Reply, Tool};
use contract::ops::PlatformOperation;
use contract::{
    Caller, Effect, EventType, Fault, ModelId, ModelKind, ModelUse, Models, Operation, Server, Sessions,
    Toolset, VersionId,
};
use energy::ops::NewEnergyModel;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The tool's arguments.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Input {
    /// ifc, or on the energy server energyplus, unless it says otherwise.
    #[schemars(extend("x-seldom" = true))]
    kind: Option<ModelKind>,
    /// IFC2X3, IFC4 (without it) or IFC4X3; of EnergyPlus 8.9 to 26.2 (25.2).
    #[schemars(extend("x-seldom" = true))]
    version: Option<String>,
    /// Its name.
    #[schemars(extend("default" = "New model", "x-seldom" = true))]
    name: Option<String>,
}

/// The model, now the session's own.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    model_id: ModelId,
    model_version: VersionId,
    name: String,
    /// The IFC schema, or the version of EnergyPlus.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    /// Give it as `session` in later calls, where your client keeps no session.
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("new_model", Effect::Create, |platform, input| Box::pin(run(platform, input)))
        .any_kind()
        .also_on(Server::Energy)
        .title("New model")
        .description("Makes a new model, the session's current one.")
        .toolset(Toolset::Energy)
        .toolset(Toolset::Code)
        .model(ModelUse::New)
        .event(EventType::ModelCreated)
        .example("An IFC4 model", json!({ "name": "Garden house" }))
}

async fn run(
    platform: &(impl Caller + Models + Sessions + ?Sized),
    input: Input,
) -> Result<Reply<Output>, Fault> {
    let kind = input.kind.or_else(|| platform.kind()).unwrap_or_default();
    let name = input.name.unwrap_or_else(|| "New model".to_owned());
    let operation = match kind {
        ModelKind::Ifc => {
            let mut params = json!({ "name": name });
            if let Some(version) = input.version {
                params["schema"] = version.into();
            }
            Operation { effect: Effect::Create, name: "create_project".to_owned(), params }
        }
        ModelKind::EnergyPlus => {
            let name = Some(name.clone());
            NewEnergyModel { format: None, name, version: input.version }.operation()
        }
    };
    let (committed, artifact) = platform.create_model(operation, &name).await?;
    let session = platform.set_current_model(&committed.model_id).await?;
    let output = Output {
        model_id: committed.model_id.clone(),
        model_version: committed.version.clone(),
        name,
        version: ["version", "schema"]
            .iter()
            .find_map(|name| artifact.result.get(name)?.as_str())
            .map(str::to_owned),
        session,
    };
    Ok(Reply::new(output).committed(committed))
}
