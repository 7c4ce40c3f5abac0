//! A piece of furniture's width, depth, height, material and colour.

use super::change::{Change, number};
use crate::author::Author;
use crate::furniture::{Known, Shown, change as draw};
use contract::Fault;
use ifc::Id;
use serde_json::{Value as Json, json};

pub(super) fn change(author: &mut Author, id: Id, parameter: &str, value: &Json) -> Result<Change, Fault> {
    let before = shown(author, id, parameter);
    let wanted = match (parameter, value) {
        ("width" | "depth" | "height", value) => Shown::Number(number(value)?),
        (_, Json::Null) => Shown::Text(None),
        (_, Json::String(text)) => Shown::Text(Some(text.clone())),
        (_, other) => {
            return Err(Fault::invalid(
                "value",
                format!("`value` is a word, or null for the usual {parameter}; not {other}."),
            ));
        }
    };
    draw(author, id, parameter, wanted)?;
    Ok(Change { before, after: shown(author, id, parameter), regenerated: Vec::new() })
}

fn shown(author: &Author, id: Id, parameter: &str) -> Json {
    match Known::read(author, id).map(|known| known.parameter(parameter)) {
        Some(Shown::Number(number)) => json!(number),
        Some(Shown::Text(Some(text))) => json!(text),
        _ => Json::Null,
    }
}
