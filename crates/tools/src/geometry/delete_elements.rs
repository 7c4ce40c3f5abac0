//! Elements, with what depends on them.

use crate::arranged::chosen;
use crate::modelling::author;
use crate::{IfcCall, Tool};
use building::deletion::{self, Deleted};
use building::{lookup, rehosting};
use contract::{Action, Effect, EventType, Fault};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Deleted elements that are listed.
const SHOWN: usize = 50;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    /// Ids, names, a category (`doors`) or selectors.
    element_ids: Vec<String>,
    /// Let a storey, building or site go with everything in it.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    with_contents: bool,
    /// A wall, id or name, that takes over the openings of those that go.
    #[schemars(extend("x-seldom" = true))]
    rehost: Option<String>,
}

/// The tool's answer.
#[derive(Serialize, JsonSchema)]
pub struct Output {
    /// The elements asked for, then their dependents; the first 50.
    deleted: Vec<Deleted>,
    /// The number of all.
    count: usize,
    /// GlobalIds of openings that another wall took over.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rehosted: Vec<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("delete_elements", Effect::Modify, run)
        .description(
            "Deletes elements with what depends on them: a wall's openings, a door's opening (the wall is closed \
             again), a roof's slab.",
        )
        .action(Action::Delete)
        .destructive()
        .event(EventType::ElementsDeleted)
        .example("A wall", json!({ "element_ids": ["Wall 1"] }))
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let author = &mut author(call);
    let ids = chosen(author, "element_ids", &input.element_ids)?;
    let rehosted = match &input.rehost {
        Some(text) => {
            let wall = lookup::product(author.edit, "rehost", text)?;
            rehosting::rehost(author, &ids, wall)?
        }
        None => Vec::new(),
    };
    let rehosted = rehosted.into_iter().map(|id| lookup::guid(author.edit, id)).collect();
    let mut deleted = deletion::delete(author, &ids, input.with_contents)?;
    let count = deleted.len();
    deleted.truncate(SHOWN);
    Ok(Output { deleted, count, rehosted })
}
