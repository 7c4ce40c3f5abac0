//! Attributes and properties of one element that differ between two models, by the names people use for them.

use super::elements::is_plain;
use contract::PropertyChange;
use ifc::psets::{self, PropertySet};
use ifc::{Id, Model};
use serde_json::Value;
use std::collections::BTreeMap;

/// `Pset.Property` → value, of the element's own sets.
fn own(model: &Model, element: Id) -> BTreeMap<(String, String), Value> {
    let sets = psets::of(model, element).into_iter().filter(|set: &PropertySet| !set.inherited);
    let flat = sets.flat_map(|set| {
        let name = set.name.clone();
        set.properties
            .into_iter()
            .map(move |property| ((name.clone(), property.name.clone()), property.to_json()))
    });
    flat.collect()
}

/// Properties and quantities that differ.
pub(super) fn of_sets(id: &str, element: Id, before: &Model, after: &Model) -> Vec<PropertyChange> {
    let (old, new) = (own(before, element), own(after, element));
    let mut names: Vec<_> = old.keys().chain(new.keys()).collect();
    names.sort_unstable();
    names.dedup();
    let value = |values: &BTreeMap<_, Value>, name: &_| values.get(name).cloned().unwrap_or(Value::Null);
    let changed = names.into_iter().filter_map(|name| {
        let (before, after) = (value(&old, name), value(&new, name));
        let differ = before != after;
        differ.then(|| PropertyChange {
            id: id.to_owned(),
            property: format!("{}.{}", name.0, name.1),
            before,
            after,
        })
    });
    changed.collect()
}

/// Attributes of the element itself that differ, as far as they are plain values.
pub(super) fn of_attributes(id: &str, changes: &[ifc::AttributeDiff]) -> Vec<PropertyChange> {
    let plain = changes.iter().filter(|change| is_plain(&change.before) && is_plain(&change.after));
    let changed = plain.map(|change| PropertyChange {
        id: id.to_owned(),
        property: change.attribute.clone(),
        before: change.before.untyped().to_json(),
        after: change.after.untyped().to_json(),
    });
    changed.collect()
}
