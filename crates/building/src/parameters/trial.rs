//! A change of a parameter that is tried on a copy of the model, so that it can be said beforehand whether it is taken.

use super::modify;
use crate::author::Author;
use contract::Actor;
use ifc::guid::GuidSource;
use ifc::{Id, Model};
use serde_json::Value as Json;

/// Returns true if a parameter of an element can be set so.
pub fn is_taken(model: &Model, id: Id, parameter: &str, value: &Json) -> bool {
    let (mut edit, mut guids) = (model.edit(), GuidSource::new("trial"));
    let actor = Actor { principal: String::new(), client: None };
    modify(&mut Author::new(&mut edit, &mut guids, 0, &actor), id, parameter, value).is_ok()
}
