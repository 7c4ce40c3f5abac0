//! Walls joined at their corners, or parted.

use crate::modelling::{author, elements};
use crate::{IfcCall, Tool};
use building::joins::{self, JoinType, JoinsAnswer};
use building::{lookup, tops};
use contract::{Effect, EventType, Fault, Toolset};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Butt,
    #[serde(alias = "miter")]
    Mitre,
    Tee,
    Auto,
    None,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    /// Walls, ids or names; at a butt the first runs through.
    element_ids: Vec<String>,
    /// butt, mitre, tee (an end on another's path), auto, or none: parted, with square ends.
    join_type: Kind,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("join_elements", Effect::Modify, run)
        .description(
            "Joins walls whose ends meet, or parts them; bodies are cut so that they do not overlap. Walls are \
             joined as they are made: this is to join them otherwise, or two whose ends are up to 1 m from their \
             axes' crossing.",
        )
        .toolset(Toolset::Detailing)
        .idempotent()
        .event(EventType::ElementsJoined)
        .example(
            "A corner where the first wall runs through",
            json!({ "element_ids": ["Wall 1", "Wall 2"], "join_type": "butt" }),
        )
}

fn run(call: &mut IfcCall, input: Input) -> Result<JoinsAnswer, Fault> {
    let author = &mut author(call);
    let ids = elements(author, "element_ids", &input.element_ids)?;
    let kind = match input.join_type {
        Kind::Butt => JoinType::Butt,
        Kind::Mitre => JoinType::Mitre,
        Kind::Tee => JoinType::Tee,
        Kind::Auto => JoinType::Auto,
        Kind::None => JoinType::None,
    };
    let loosened = tops::loosen(author, &ids, &[])?;
    let mut answer = joins::join(author, &ids, kind)?;
    for id in tops::fasten(author, "join_type", loosened)? {
        let guid = lookup::guid(author.edit, id);
        if !answer.regenerated.contains(&guid) {
            answer.regenerated.push(guid);
        }
    }
    Ok(answer)
}
