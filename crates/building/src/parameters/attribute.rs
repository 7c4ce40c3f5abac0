//! Attributes by their IFC names and properties as `Pset.Property`; values are in the file's own units.

use super::change::{Change, is_same, lookup_fault};
use crate::author::Author;
use contract::Fault;
use ifc::{Id, Kind, Value};
use serde_json::Value as Json;

/// Attributes that are not for hand-work: they tie things together or identify them.
const KEPT: [&str; 4] = ["GlobalId", "OwnerHistory", "ObjectPlacement", "Representation"];

pub(super) fn attribute(
    author: &mut Author,
    id: Id,
    given: &str,
    value: &Json,
    parameters: &[&str],
) -> Result<(String, Change), Fault> {
    let entity = author.edit.get(id).and_then(|e| e.entity());
    let plain = |kind: Kind| !matches!(kind, Kind::Entity(_) | Kind::List(_) | Kind::Binary);
    let found = entity.and_then(|entity| {
        entity.attributes.iter().find(|a| is_same(a.name, given) && plain(a.kind) && !KEPT.contains(&a.name))
    });
    let Some(attribute) = found else {
        let mut known: Vec<&str> = parameters.to_vec();
        known.extend(
            entity
                .map(|e| e.attributes)
                .unwrap_or_default()
                .iter()
                .filter(|a| plain(a.kind) && !KEPT.contains(&a.name))
                .map(|a| a.name),
        );
        return Err(lookup_fault(given, &known));
    };
    let before = author.edit.get(id).map(|e| e.attr(attribute.name)).unwrap_or_default();
    let wanted = match (attribute.kind, value) {
        (_, Json::Null) => Value::Null,
        (Kind::Enumeration(items), Json::String(text)) => {
            let word = text.trim().to_uppercase();
            if !items.contains(&word.as_str()) {
                return Err(Fault::invalid(
                    "value",
                    format!("`{}` must be one of {}.", attribute.name, items.join(", ")),
                )
                .with("allowed", items));
            }
            Value::Enum(word)
        }
        (_, value) => from_json(value)?,
    };
    author
        .edit
        .set(id, attribute.name, wanted)
        .map_err(|error| Fault::invalid("value", format!("{error}.")))?;
    let after = author.edit.get(id).map(|e| e.attr(attribute.name)).unwrap_or_default();
    let change = Change { before: before.to_json(), after: after.to_json(), regenerated: Vec::new() };
    Ok((attribute.name.to_owned(), change))
}

pub(super) fn property(
    author: &mut Author,
    id: Id,
    set: &str,
    name: &str,
    value: &Json,
) -> Result<Change, Fault> {
    if set.is_empty() || name.is_empty() {
        return Err(Fault::invalid(
            "parameter_name",
            "A property is named Pset.Property, such as Pset_WallCommon.FireRating.",
        ));
    }
    if set.starts_with("Qto_") {
        return Err(Fault::invalid(
            "parameter_name",
            format!(
                "{set} is computed from the element's parameters; change those (length, height, width, …) instead."
            ),
        ));
    }
    let read = |author: &Author| {
        ifc::psets::get(author.edit, id, set, name).map_or(Json::Null, |v| ifc::psets::plain_json(&v))
    };
    let before = read(author);
    let wanted = if value.is_null() { None } else { Some(from_json(value)?) };
    let change = ifc::psets::Change { name: name.to_owned(), value: wanted };
    let (edit, guids) = author.pen();
    ifc::psets::set(edit, &[id], set, &[change], guids)
        .map_err(|error| Fault::invalid("value", format!("{error}.")))?;
    Ok(Change { before, after: read(author), regenerated: Vec::new() })
}

fn from_json(value: &Json) -> Result<Value, Fault> {
    match value {
        Json::Bool(truth) => Ok(Value::Boolean(*truth)),
        Json::String(text) => Ok(Value::Text(text.clone())),
        Json::Number(number) => match number.as_i64() {
            Some(whole) => Ok(Value::Integer(whole)),
            None => number
                .as_f64()
                .map(Value::Real)
                .ok_or_else(|| Fault::invalid("value", format!("`value` {number} is out of range."))),
        },
        _ => Err(Fault::invalid("value", "`value` must be a text, a number or true or false here.")),
    }
}
