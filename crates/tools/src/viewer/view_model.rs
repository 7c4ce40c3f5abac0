//! A link that opens the model in a person's browser.

use crate::{Reply, Tool};
use contract::{Caller, Effect, Fault, ModelUse, Sessions, VersionId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The tool's arguments.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Input {
    /// Element to select and zoom to.
    element_id: Option<String>,
}

/// The tool's answer.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    name: String,
    version: VersionId,
    url: String,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("view_model", Effect::Query, |platform, input| Box::pin(run(platform, input)))
        .title("View the model")
        .description(
            "A link for a person: opens the model's 3D view and tree in the browser, at this version.",
        )
        .model(ModelUse::Current)
        .example("The current model", json!({}))
}

async fn run(platform: &(impl Caller + Sessions + ?Sized), input: Input) -> Result<Reply<Output>, Fault> {
    let model = platform.current_model().await?;
    let version = platform.current_version().await?;
    let mut path = format!("/viewer?model={}&version={version}", model.model_id);
    if let Some(element) = &input.element_id {
        // GlobalIds are letters, digits, `_` and `$`.
        let safe = |c: char| c.is_ascii_alphanumeric() || "_$-".contains(c);
        if !element.chars().all(safe) {
            return Err(Fault::no_element(element));
        }
        path.push_str("&element=");
        path.push_str(&element.replace('$', "%24"));
    }
    let url = platform.address_of(&path);
    Ok(Reply::new(Output { name: model.name, version, url }))
}
