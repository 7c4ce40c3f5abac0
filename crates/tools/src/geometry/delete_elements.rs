//! Elements, with what depends on them.

use crate::modelling::{author, elements};
use crate::{IfcCall, Tool};
use building::deletion::{self, Deleted};
use contract::{Action, Effect, EventType, Fault};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    /// Elements, by id or name.
    element_ids: Vec<String>,
    /// Let a storey, building or site go with everything in it; default false.
    #[serde(default)]
    with_contents: bool,
}

/// What was deleted.
#[derive(Serialize, JsonSchema)]
pub struct Output {
    /// The elements asked for, then their dependents.
    deleted: Vec<Deleted>,
    /// How many.
    count: usize,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("delete_elements", Effect::Modify, run)
        .description(
            "Delete elements with what depends on them: a wall with its openings, an opening with its door or window, a \
             door or window with its opening (the wall is closed again), a roof with its slab.",
        )
        .action(Action::Delete)
        .destructive()
        .event(EventType::ElementsDeleted)
        .example("A wall", json!({ "element_ids": ["Wall 1"] }))
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let author = &mut author(call);
    let ids = elements(author, "element_ids", &input.element_ids)?;
    let deleted = deletion::delete(author, &ids, input.with_contents)?;
    Ok(Output { count: deleted.len(), deleted })
}
