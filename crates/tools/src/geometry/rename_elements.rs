//! Elements, named and numbered by a pattern.

use crate::arranged::{LISTED, chosen_objects};
use crate::modelling::author;
use crate::{IfcCall, Tool};
use building::library::renaming::{self, Numbers};
use building::lookup;
use contract::{Effect, EventType, Fault, Toolset};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Per {
    Storey,
    Type,
    Room,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    /// In the order to number: ids, names, a category (`doors`) or selectors.
    element_ids: Vec<String>,
    /// Text with {n}, {n:03}, {name}, {storey}, {type}, {room}, {class}.
    pattern: String,
    /// First number.
    #[serde(default = "one")]
    #[schemars(extend("default" = 1))]
    start: i64,
    /// From each number to the next.
    #[serde(default = "one")]
    #[schemars(extend("x-seldom" = true, "default" = 1))]
    step: i64,
    /// Begins numbering anew for each.
    #[schemars(extend("x-seldom" = true))]
    per: Option<Per>,
}

fn one() -> i64 {
    1
}

/// An element's names.
#[derive(Serialize, JsonSchema)]
struct Renamed {
    /// GlobalId.
    id: String,
    /// Name before.
    before: String,
    /// Name now.
    after: String,
}

/// The tool's answer.
#[derive(Serialize, JsonSchema)]
pub struct Output {
    /// How many were renamed.
    count: usize,
    /// The first 200.
    renamed: Vec<Renamed>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("rename_elements", Effect::Modify, run)
        .description("Names and numbers elements by a pattern; dry_run shows the names first.")
        .toolset(Toolset::Library)
        .event(EventType::ElementsRenamed)
        .example(
            "Walls by storey",
            json!({ "element_ids": ["Wall 1"], "pattern": "W-{storey}-{n:03}", "start": 7 }),
        )
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let author = &mut author(call);
    let ids = chosen_objects(author, "element_ids", &input.element_ids)?;
    let numbers = Numbers {
        start: input.start,
        step: input.step,
        per: input.per.map(|per| match per {
            Per::Storey => "storey",
            Per::Type => "type",
            Per::Room => "room",
        }),
    };
    let renamed = renaming::rename(author, &ids, &input.pattern, &numbers)?;
    Ok(Output {
        count: renamed.len(),
        renamed: renamed
            .into_iter()
            .take(LISTED)
            .map(|(id, before, after)| Renamed { id: lookup::guid(author.edit, id), before, after })
            .collect(),
    })
}
