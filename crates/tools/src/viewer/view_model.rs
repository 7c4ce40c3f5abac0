//! A link that opens the model in a person's browser, with a way, rooms in colours or elements highlighted.

use crate::elements::OneOrMore;
use crate::{Reply, Tool};
use contract::ops::{LegendEntry, Overlay, OverlayAnswer, PlatformOperation, RoomColours};
use contract::{Caller, Effect, Fault, ModelId, ModelUse, Needs, Queries, Sessions, VersionId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The tool's arguments.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
pub struct Input {
    /// Element to select and zoom to.
    #[schemars(extend("x-seldom" = true))]
    element_id: Option<String>,
    /// Ids or selectors to highlight.
    #[schemars(extend("x-seldom" = true))]
    elements: Option<OneOrMore>,
    /// Points [x, y, z] in mm of a way to draw, as `path_finding` answers them.
    #[schemars(extend("x-seldom" = true))]
    path: Option<Vec<[f64; 3]>>,
    /// Colour the floors of rooms.
    #[schemars(extend("x-seldom" = true))]
    rooms: Option<RoomColours>,
    /// Storey shown in plan, cut open; without it that on which all of the above lies.
    #[schemars(extend("x-seldom" = true))]
    level_id: Option<String>,
}

/// The tool's answer.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    name: String,
    model_id: ModelId,
    version: VersionId,
    url: String,
    /// Storey shown in plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    storey: Option<String>,
    /// Elements highlighted.
    #[serde(skip_serializing_if = "Option::is_none")]
    highlighted: Option<usize>,
    /// Colours of rooms.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    legend: Vec<LegendEntry>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("view_model", Effect::Query, |platform, input| Box::pin(run(platform, input)))
        .title("View the model")
        .description(
            "A link for a person: opens the model's 3D view in the browser, and shows there a way, rooms in \
             colours, elements or the plan of a storey.",
        )
        .model(ModelUse::Current)
        .page("ui://pensaer/model")
        .example("The current model", json!({}))
        .example(
            "A way over rooms coloured by area",
            json!({ "rooms": "area", "path": [[1000, 1000, 0], [3000, 1500, 0]] }),
        )
        .example(
            "The plan of a storey with its windows",
            json!({ "level_id": "Ground floor", "elements": "IfcWindow" }),
        )
}

async fn run(
    platform: &(impl Caller + Queries + Sessions + ?Sized),
    input: Input,
) -> Result<Reply<Output>, Fault> {
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
    let overlay = laid_over(platform, input).await?;
    if let Some((key, _)) = &overlay {
        // an operation's id and a plain name
        path.push_str("&overlay=");
        path.push_str(key);
    }
    let url = platform.address_of(&path);
    let shown = overlay.map(|(_, shown)| shown).unwrap_or_default();
    Ok(Reply::new(Output {
        name: model.name,
        model_id: model.model_id,
        version,
        url,
        storey: shown.storey,
        highlighted: Some(shown.elements).filter(|count| *count > 0),
        legend: shown.legend,
    }))
}

/// Has the overlay made that is asked for, and answers its key in the bucket; none where nothing is asked for.
async fn laid_over(
    platform: &(impl Queries + ?Sized),
    input: Input,
) -> Result<Option<(String, OverlayAnswer)>, Fault> {
    if input.path.as_ref().is_some_and(Vec::is_empty) {
        return Err(Fault::invalid(
            "path",
            "`path` has no points; give 2 or more, as `path_finding` answers them.",
        ));
    }
    let elements = input.elements.map(OneOrMore::list);
    if elements.as_ref().is_some_and(Vec::is_empty) {
        return Err(Fault::invalid("elements", "`elements` is empty; give ids or selectors."));
    }
    let asked = Overlay {
        elements: elements.unwrap_or_default(),
        rooms: input.rooms,
        level_id: input.level_id,
        path: input.path.unwrap_or_default(),
    };
    if asked == Overlay::default() {
        return Ok(None);
    }
    let needs = Needs { model: ModelUse::Current, scratch: true, ..Needs::default() };
    let made = platform.query_needing(asked.operation(), &needs).await?;
    let Some(file) = made.made.first() else {
        return Err(Fault::backend("What the link is to show was computed, but no file was made of it."));
    };
    Ok(Some((file.key.clone(), Overlay::answer(&made.result)?)))
}
