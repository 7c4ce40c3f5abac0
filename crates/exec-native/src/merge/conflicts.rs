//! A conflict as a caller decides by it: what it is about, what either side has, and what choosing a side does.

use ifc::Side;
use ifc_compare::merge::{Conflict, ConflictKind, Thing};
use serde_json::{Map, Value, json};

/// Things named in a list.
const NAMED: usize = 20;

/// Everything about a conflict, as JSON.
pub(super) fn told(conflict: &Conflict) -> Value {
    let mut told = Map::from_iter([
        ("key".to_owned(), conflict.key.as_str().into()),
        ("message".to_owned(), conflict.to_string().into()),
        ("about".to_owned(), thing(&conflict.about)),
    ]);
    let mut say = |name: &str, value: Value| {
        told.insert(name.to_owned(), value);
    };
    match &conflict.kind {
        ConflictKind::Attribute { attribute, base, ours, theirs } => {
            say("kind", "attribute".into());
            say("attribute", attribute.as_str().into());
            for (name, value) in [("base", base), ("ours", ours), ("theirs", theirs)] {
                say(name, value.to_json());
            }
        }
        ConflictKind::Property { set, property, base, ours, theirs } => {
            say("kind", "property".into());
            say("property", format!("{set}.{property}").into());
            for (name, value) in [("base", base), ("ours", ours), ("theirs", theirs)] {
                say(name, value.untyped().to_json());
            }
        }
        ConflictKind::Moved { ours, theirs } => {
            say("kind", "moved".into());
            say("ours", json!({ "moved_by_mm": ours }));
            say("theirs", json!({ "moved_by_mm": theirs }));
        }
        ConflictKind::Removed { by, changed, needed_by } => {
            say("kind", "removed".into());
            let other = json!({ "changed": changed, "needed_by": things(needed_by) });
            say(name(*by), json!({ "removed": true }));
            say(name(by.other()), other);
        }
        ConflictKind::TooMany { relation, most, ours, theirs } => {
            say("kind", "too_many".into());
            say("relation", relation.as_str().into());
            say("most", (*most).into());
            say("ours", things(ours));
            say("theirs", things(theirs));
        }
        ConflictKind::TooFew { attribute, least } => {
            say("kind", "too_few".into());
            say("attribute", attribute.as_str().into());
            say("least", (*least).into());
        }
        ConflictKind::SameGlobalId => say("kind", "same_global_id".into()),
    }
    let choices = json!({
        "ours": conflict.resolution(Side::Ours),
        "theirs": conflict.resolution(Side::Theirs),
    });
    say("choose", choices);
    Value::Object(told)
}

fn name(side: Side) -> &'static str {
    match side {
        Side::Ours => "ours",
        Side::Theirs => "theirs",
    }
}

fn things(things: &[Thing]) -> Value {
    things.iter().take(NAMED).map(thing).collect::<Vec<_>>().into()
}

fn thing(thing: &Thing) -> Value {
    let mut named = Map::new();
    if !thing.class.is_empty() {
        named.insert("class".into(), thing.class.as_str().into());
    }
    match (&thing.global_id, thing.id) {
        (Some(guid), _) => named.insert("id".into(), guid.as_str().into()),
        (None, Some(id)) => named.insert("id".into(), id.to_string().into()),
        (None, None) => None,
    };
    if let Some(name) = &thing.name {
        named.insert("name".into(), name.as_str().into());
    }
    Value::Object(named)
}
