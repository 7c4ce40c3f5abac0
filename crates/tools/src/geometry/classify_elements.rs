//! Elements and types, given a code of a classification system.

use crate::arranged::chosen_with_types;
use crate::modelling::author;
use crate::{IfcCall, Tool};
use building::library::classifications::{self, Code};
use contract::{Effect, EventType, Fault, Toolset};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    /// Ids, names, a category (`doors`) or selectors; of types too.
    element_ids: Vec<String>,
    /// Name of the system, such as Uniclass 2015.
    system: String,
    /// The code; without one they leave the system.
    code: Option<String>,
    /// The meaning of the code.
    title: Option<String>,
    /// Edition of a system that is new here.
    #[schemars(extend("x-seldom" = true))]
    edition: Option<String>,
}

/// The tool's answer.
#[derive(Serialize, JsonSchema)]
pub struct Output {
    /// The system.
    system: String,
    /// The code; absent where they left the system.
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<String>,
    /// Its meaning.
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    /// How many elements and types were asked for.
    count: usize,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("classify_elements", Effect::Modify, run)
        .description("Gives elements or types a code of a classification system, in place of the one they have of it.")
        .idempotent()
        .toolset(Toolset::Library)
        .event(EventType::ElementsClassified)
        .example(
            "A wall by Uniclass",
            json!({ "element_ids": ["Wall 1"], "system": "Uniclass 2015", "code": "EF_25_10", "title": "Walls" }),
        )
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let author = &mut author(call);
    let ids = chosen_with_types(author, "element_ids", &input.element_ids)?;
    if input.code.is_none() && (input.title.is_some() || input.edition.is_some()) {
        let field = if input.title.is_some() { "title" } else { "edition" };
        return Err(Fault::invalid(field, format!("`{field}` goes with `code`, which is missing.")));
    }
    let code = Code { system: input.system, code: input.code, title: input.title, edition: input.edition };
    let reference = classifications::classify(author, &ids, &code)?;
    let title = reference.and_then(|reference| author.edit.get(reference)?.name());
    Ok(Output {
        system: code.system.trim().to_owned(),
        code: code.code.map(|c| c.trim().to_owned()),
        title,
        count: ids.len(),
    })
}
