//! The elements that a selector names.

use crate::ExchangeError;
use ifc::{Id, Model, Selector};

/// The objects that a selector picks, at least one; a class that the schema does not have is an error.
pub(crate) fn selected(model: &Model, selector: &str) -> Result<Vec<Id>, ExchangeError> {
    let read = Selector::parse(selector)?;
    let schema = model.schema();
    let unknown = read.classes().find(|class| schema.entity(class).is_none() && !model.has_class(class));
    if let Some(class) = unknown {
        let near = schema.near_entities(class, 3);
        return Err(ExchangeError::UnknownClass {
            class: class.chars().take(80).collect(),
            schema: schema.name(),
            near: if near.is_empty() { "IfcElement".to_owned() } else { near.join(", ") },
        });
    }
    let mut found = read.run(model);
    found.retain(|id| model.get(*id).is_some_and(|i| i.is_a("IfcObjectDefinition")));
    if found.is_empty() {
        return Err(ExchangeError::Empty(selector.chars().take(200).collect()));
    }
    Ok(found)
}
