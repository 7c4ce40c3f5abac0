//! Documents that elements and types refer to.

use crate::arranged::chosen_with_types;
use crate::modelling::author;
use crate::{IfcCall, Tool};
use building::library::documents;
use contract::{Effect, EventType, Fault, Toolset};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    /// Ids, names, a category (`doors`) or selectors; of types too.
    element_ids: Vec<String>,
    /// Name of the document.
    name: String,
    /// URI, or a path relative to the model; nothing is fetched.
    location: String,
    /// Number of the document.
    #[schemars(extend("x-seldom" = true))]
    identification: Option<String>,
    /// Take it from them instead.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    remove: bool,
}

/// The tool's answer.
#[derive(Serialize, JsonSchema)]
pub struct Output {
    /// The document.
    name: String,
    /// Its address.
    location: String,
    /// True if it was taken from them.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    removed: bool,
    /// How many elements and types were asked for.
    count: usize,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("attach_document", Effect::Modify, run)
        .description("Attaches a document to elements or types, by its name and address.")
        .idempotent()
        .toolset(Toolset::Library)
        .event(EventType::DocumentAttached)
        .example(
            "A manual",
            json!({ "element_ids": ["Wall 1"], "name": "Fire test", "location": "https://example.org/fire-test.pdf" }),
        )
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let author = &mut author(call);
    let ids = chosen_with_types(author, "element_ids", &input.element_ids)?;
    if input.remove && input.identification.is_some() {
        return Err(Fault::invalid(
            "identification",
            "`identification` is of no use where the document is taken away.",
        ));
    }
    documents::attach(
        author,
        &ids,
        &input.name,
        &input.location,
        input.identification.as_deref(),
        input.remove,
    )?;
    Ok(Output {
        name: input.name.trim().to_owned(),
        location: input.location.trim().to_owned(),
        removed: input.remove,
        count: ids.len(),
    })
}
