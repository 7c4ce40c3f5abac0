//! What differs between two documents, for people and agents.

use super::{Document, Object, across};
use contract::{
    AttributeChange, DiffRaw, DiffSummary, EntityChange, EntityRef, NamedElement, PropertyChange,
};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};

/// The number of objects and properties that a summary lists.
const LISTED: usize = 50;

/// Every object added, removed or changed. Objects are the same by their handles where both documents come from one file;
/// otherwise by type and name, and those without a name by what they say.
pub fn diff(before: &Document, after: &Document) -> DiffRaw {
    let mut raw = DiffRaw::default();
    if std::sync::Arc::ptr_eq(&before.base, &after.base) || before.base.text == after.base.text {
        let mut handles: Vec<_> = before.changed.keys().chain(after.changed.keys()).copied().collect();
        handles.sort_unstable();
        handles.dedup();
        for handle in handles {
            compare(&mut raw, before.object(handle), after.object(handle));
        }
        return raw;
    }
    let key = |object: Object<'_>| -> (String, String) {
        let said = if object.name().is_empty() {
            object.values().collect::<Vec<_>>().join(",")
        } else {
            object.name().to_lowercase()
        };
        (object.type_name().to_lowercase(), said)
    };
    let mut others: HashMap<(String, String), Vec<Object<'_>>> = HashMap::new();
    for object in before.objects() {
        others.entry(key(object)).or_default().push(object);
    }
    for list in others.values_mut() {
        list.reverse();
    }
    for object in after.objects() {
        let other = others.get_mut(&key(object)).and_then(Vec::pop);
        compare(&mut raw, other, Some(object));
    }
    for object in before.objects() {
        let rest = others.get_mut(&key(object)).and_then(Vec::pop);
        compare(&mut raw, rest, None);
    }
    raw
}

fn compare(raw: &mut DiffRaw, before: Option<Object<'_>>, after: Option<Object<'_>>) {
    match (before, after) {
        (None, None) => {}
        (Some(gone), None) => raw.removed.push(reference(gone)),
        (None, Some(new)) => raw.added.push(reference(new)),
        (Some(old), Some(new)) => {
            // two versions of EnergyPlus have the same field at different places
            let places = across::places(old, new).into_iter();
            let said = |object: Object<'_>, at: Option<usize>| at.map_or(Value::Null, |at| value(object, at));
            let changes: Vec<AttributeChange> = places
                .filter(|(was, is)| text(old, *was) != text(new, *is))
                .map(|(was, is)| AttributeChange {
                    attribute: is.map_or_else(|| name(old, was), |is| name(new, Some(is))),
                    before: said(old, was),
                    after: said(new, is),
                })
                .chain((old.extra() != new.extra()).then(|| AttributeChange {
                    attribute: "fields that the schema does not know".into(),
                    before: Value::Object(old.extra().iter().cloned().collect()),
                    after: Value::Object(new.extra().iter().cloned().collect()),
                }))
                .collect();
            if !changes.is_empty() {
                raw.modified.push(EntityChange { entity: reference(new), changes });
            }
        }
    }
}

fn text(object: Object<'_>, at: Option<usize>) -> &str {
    at.map_or("", |at| object.value(at))
}

/// The name of the field at a place.
fn name(object: Object<'_>, at: Option<usize>) -> String {
    let at = at.unwrap_or_default();
    let field = object.about().and_then(|about| about.field_at(at));
    field.map_or_else(|| format!("Field {}", at + 1), |(field, group)| field.name_in(group))
}

fn value(object: Object<'_>, at: usize) -> Value {
    let text = object.value(at);
    if text.is_empty() {
        return Value::Null;
    }
    super::epjson::typed(object.about().and_then(|about| about.field_at(at)).map(|at| at.0), text)
}

fn reference(object: Object<'_>) -> EntityRef {
    EntityRef {
        id: u64::from(object.handle().0),
        global_id: None,
        class: object.type_name().to_owned(),
        name: Some(object.name()).filter(|name| !name.is_empty()).map(str::to_owned),
    }
}

/// A difference in a few lines, with `named` objects or the usual number. Objects are named by their name, or by their handle such as `#12`.
pub fn summary(raw: &DiffRaw, named: Option<u32>) -> DiffSummary {
    let listed = named.map_or(LISTED, |named| named as usize);
    let count = |entities: &mut dyn Iterator<Item = &EntityRef>| {
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        for entity in entities {
            *counts.entry(entity.class.clone()).or_default() += 1;
        }
        counts
    };
    let id = |entity: &EntityRef| entity.name.clone().unwrap_or_else(|| format!("#{}", entity.id));
    let row = |entity: &EntityRef, changes: &[AttributeChange]| NamedElement {
        id: id(entity),
        class: entity.class.clone(),
        name: entity.name.clone(),
        changes: changes.iter().map(|change| (change.attribute.clone(), change.after.clone())).collect(),
    };
    let unchanged = raw.added.iter().chain(&raw.removed).map(|entity| row(entity, &[]));
    let changed = raw.modified.iter().map(|change| row(&change.entity, &change.changes));
    let properties = raw.modified.iter().flat_map(|entity| {
        entity.changes.iter().map(move |change| PropertyChange {
            id: id(&entity.entity),
            property: change.attribute.clone(),
            before: change.before.clone(),
            after: change.after.clone(),
            also: 0,
        })
    });
    DiffSummary {
        added: count(&mut raw.added.iter()),
        removed: count(&mut raw.removed.iter()),
        modified: count(&mut raw.modified.iter().map(|change| &change.entity)),
        elements: unchanged.chain(changed).take(listed).collect(),
        properties: properties.take(LISTED).collect(),
        instances: (raw.added.len() + raw.removed.len() + raw.modified.len()) as u64,
        ..DiffSummary::default()
    }
}
