//! What changed of one element, in the words and values that an agent reads.

use contract::PropertyChange;
use ifc::{Id, Model};
use ifc_compare::{Aspect, ElementChange};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Names of attributes, properties or members listed of one element.
const LISTED: usize = 10;
/// Letters of a text that are told of a value before or after.
const LETTERS: usize = 300;

/// In what an element changed, by kind.
pub(super) fn kinds(change: &ElementChange, before: &Model, after: &Model) -> BTreeMap<String, Value> {
    let mut kinds: BTreeMap<String, Value> = BTreeMap::new();
    let mut attributes: Vec<&str> = Vec::new();
    let mut properties: Vec<String> = Vec::new();
    let ends = |old: &Option<Id>, new: &Option<Id>| {
        pair(old.map(|id| called(before, id)), new.map(|id| called(after, id)))
    };
    for aspect in &change.aspects {
        let (kind, value) = match aspect {
            Aspect::Added | Aspect::Removed => continue,
            Aspect::Moved { by_mm, turned, along } => {
                // to a thousandth of a millimetre: what is beyond says nothing to a reader
                let mut moved = json!({ "by_mm": by_mm.map(|by| (by * 1000.0).round() / 1000.0) });
                for (name, holds) in [("turned", *turned), ("along", *along)] {
                    if let (true, Some(moved)) = (holds, moved.as_object_mut()) {
                        moved.insert(name.to_owned(), true.into());
                    }
                }
                ("moved", moved)
            }
            Aspect::Reshaped => ("reshaped", true.into()),
            Aspect::Renamed { before, after } => ("renamed", pair(before.as_deref(), after.as_deref())),
            Aspect::Attribute { attribute, .. } => {
                attributes.push(attribute);
                continue;
            }
            Aspect::Property { set, property, .. } => {
                properties.push(format!("{set}.{property}"));
                continue;
            }
            Aspect::Recontained { before, after } => ("contained_in", ends(before, after)),
            Aspect::Rehosted { before, after } => ("host", ends(before, after)),
            Aspect::Retyped { before, after } => ("type", ends(before, after)),
            Aspect::Material { before, after } => ("material", json!({ "before": before, "after": after })),
            Aspect::Openings { added, removed } => {
                ("openings", json!({ "added": added, "removed": removed }))
            }
            Aspect::Groups { joined, left } => ("groups", json!({ "joined": joined, "left": left })),
            Aspect::Classification { joined, left } => {
                ("classification", json!({ "joined": joined, "left": left }))
            }
        };
        kinds.insert(kind.to_owned(), value);
    }
    attributes.truncate(LISTED);
    properties.truncate(LISTED);
    if !attributes.is_empty() {
        kinds.insert("attributes".to_owned(), json!(attributes));
    }
    if !properties.is_empty() {
        kinds.insert("properties".to_owned(), json!(properties));
    }
    kinds
}

/// Before and after, each left out where there is none.
fn pair(before: Option<impl Into<Value>>, after: Option<impl Into<Value>>) -> Value {
    let mut both = serde_json::Map::new();
    both.extend(before.map(|before| ("before".to_owned(), before.into())));
    both.extend(after.map(|after| ("after".to_owned(), after.into())));
    both.into()
}

/// Returns the label of a thing: its name, else its GlobalId.
fn called(model: &Model, id: Id) -> String {
    let instance = model.get(id);
    instance.and_then(|i| i.name().or_else(|| i.guid())).unwrap_or_else(|| id.to_string())
}

/// Attributes, as far as they are plain values, and properties of an element before and after.
pub(super) fn values(change: &ElementChange) -> Vec<PropertyChange> {
    let Some(id) = change.global_id.clone() else { return Vec::new() };
    let said = |property: String, before: Value, after: Value| PropertyChange {
        id: id.clone(),
        property,
        before: told(before),
        after: told(after),
        also: 0,
    };
    let plain = |value: &ifc::Value| !matches!(value.untyped(), ifc::Value::Ref(_) | ifc::Value::List(_));
    let values = change.aspects.iter().filter_map(|aspect| match aspect {
        Aspect::Renamed { before, after } => Some(said("Name".to_owned(), json!(before), json!(after))),
        Aspect::Attribute { attribute, before, after } if plain(before) && plain(after) => {
            Some(said(attribute.clone(), before.untyped().to_json(), after.untyped().to_json()))
        }
        Aspect::Property { set, property, before, after, .. } => {
            Some(said(format!("{set}.{property}"), before.clone(), after.clone()))
        }
        _ => None,
    });
    values.collect()
}

/// A value as an answer tells it: a text of any length is told by its beginning.
fn told(value: Value) -> Value {
    match value {
        Value::String(text) if text.chars().nth(LETTERS).is_some() => {
            json!(text.chars().take(LETTERS).chain(['…']).collect::<String>())
        }
        other => other,
    }
}
