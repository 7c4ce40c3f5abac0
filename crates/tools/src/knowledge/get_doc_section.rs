//! One section of the documentation, whole or in parts.

use crate::documentation_index::{index, manuals, version_of_index};
use crate::energy_objects::schema_of;
use crate::{EnergyCall, Tool};
use contract::{Condition, Effect, Fault, FaultCode, Server};
use energy::docs::{SCHEMA, section};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Characters that one answer has at most: an answer stays within what is passed on.
const MOST: usize = 15_000;

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// As search_docs answers it.
    location: String,
    /// Version of EnergyPlus; without it the model's.
    #[schemars(extend("x-seldom" = true))]
    version: Option<String>,
    /// Characters.
    #[schemars(extend("default" = 8000, "minimum" = 1, "maximum" = MOST, "x-seldom" = true))]
    max_length: Option<usize>,
    /// Characters to skip.
    #[schemars(extend("x-seldom" = true))]
    offset: Option<usize>,
}

/// The section.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    location: String,
    title: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    path: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tags: Vec<String>,
    text: String,
    version: String,
    truncated: bool,
    /// The offset at which the rest begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<usize>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::energy("get_doc_section", Effect::Query, run)
        .also_on(Server::Energy)
        .description("One section that search_docs found, or `schema/` and an object type.")
        .in_terms_of_model("version")
        .file(manuals("version", Condition::begins_otherwise("location", "schema/")))
        .example("On a type", json!({"location": "schema/ZoneInfiltration:DesignFlowRate"}))
}

fn run(call: &mut EnergyCall<'_>, input: Input) -> Result<Output, Fault> {
    let length = crate::input::bounded("max_length", input.max_length, 8_000, [1, MOST])?;
    let in_schema = input.location.strip_prefix(SCHEMA);
    // a section of the manuals does not need the schema of their version
    let version = input.version.as_deref().filter(|_| in_schema.is_some());
    let schema = &*schema_of(&call.document, version)?;
    let found = match in_schema {
        Some(name) => schema.get(name).map(|about| section(schema, about)),
        None => index(call)?.and_then(|index| index.section(&input.location).cloned()),
    };
    let Some(found) = found else {
        let message = format!("There is no section {:?}. Use search_docs to find one.", input.location);
        let name = input.location.strip_prefix(SCHEMA).unwrap_or(&input.location);
        let near: Vec<String> =
            schema.near(name, 5).into_iter().map(|name| format!("{SCHEMA}{name}")).collect();
        return Err(Fault::new(FaultCode::NotFound, message).with("near_matches", near));
    };
    let skip = input.offset.unwrap_or(0);
    let text: String = found.text.chars().skip(skip).take(length).collect();
    let end = skip + text.chars().count();
    let truncated = found.text.chars().nth(end).is_some();
    let own = || schema.short_version().to_owned();
    let version = match in_schema {
        Some(_) => own(),
        None => version_of_index(call).map(str::to_owned).or(input.version).unwrap_or_else(own),
    };
    Ok(Output {
        location: found.location,
        title: found.title,
        path: found.path,
        tags: found.tags,
        text,
        version,
        truncated,
        next_offset: truncated.then_some(end),
    })
}
