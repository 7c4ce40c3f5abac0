//! The difference in a few lines: how many elements of which class, which ones, on which storeys, and which of their
//! attributes and properties. Lists are cut at a bound, counts are whole.

use super::elements::Elements;
use super::properties::{of_attributes, of_sets};
use contract::{DiffSummary, NamedElement};
use ifc::{Change, DiffEntry, Id, Model, relations};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Elements named.
const NAMED: usize = 20;
/// Property changes listed.
const PROPERTIES: usize = 40;
/// Elements whose storey is looked up.
const PLACED: usize = 2_000;

/// What `entries`, the difference between two models, comes to.
pub(crate) fn summary(entries: &[DiffEntry], before: &Model, after: &Model) -> DiffSummary {
    let elements = Elements::of(entries, before, after);
    let added = elements.added.iter().map(|id| (*id, after));
    let modified = elements.modified.iter().map(|id| (*id, after));
    let removed = elements.removed.iter().map(|id| (*id, before));
    let all: Vec<(Id, &Model)> = added.chain(modified).chain(removed).collect();
    DiffSummary {
        added: by_class(&elements.added, after),
        removed: by_class(&elements.removed, before),
        modified: by_class(&elements.modified, after),
        elements: all.iter().filter_map(|(id, model)| named(model, *id)).take(NAMED).collect(),
        storeys: storeys(&all),
        properties: properties(entries, &elements, before, after),
        instances: entries.len() as u64,
    }
}

fn by_class(ids: &BTreeSet<Id>, model: &Model) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for instance in ids.iter().filter_map(|id| model.get(*id)) {
        *counts.entry(instance.class_name().to_owned()).or_default() += 1;
    }
    counts
}

fn named(model: &Model, id: Id) -> Option<NamedElement> {
    let instance = model.get(id)?;
    Some(NamedElement {
        id: instance.guid()?,
        class: instance.class_name().to_owned(),
        name: instance.name(),
    })
}

/// Names of the storeys that elements are on, or that are themselves among them, from the lowest instance up.
fn storeys(elements: &[(Id, &Model)]) -> Vec<String> {
    let mut found: BTreeMap<Id, String> = BTreeMap::new();
    for (id, model) in elements.iter().take(PLACED) {
        let is_storey = model.get(*id).is_some_and(|instance| instance.is_a("IfcBuildingStorey"));
        let storey = if is_storey { Some(*id) } else { relations::storey_of(model, *id) };
        if let Some(storey) = storey.and_then(|storey| model.get(storey)) {
            found
                .entry(storey.id())
                .or_insert_with(|| storey.name().unwrap_or_else(|| storey.id().to_string()));
        }
    }
    found.into_values().collect()
}

fn properties(
    entries: &[DiffEntry],
    elements: &Elements,
    before: &Model,
    after: &Model,
) -> Vec<contract::PropertyChange> {
    let by_id: HashMap<Id, &DiffEntry> = entries.iter().map(|entry| (entry.id, entry)).collect();
    let mut changes = Vec::new();
    for element in &elements.modified {
        if changes.len() >= PROPERTIES {
            break;
        }
        let Some(id) = after.get(*element).and_then(|instance| instance.guid()) else { continue };
        if let Some(Change::Modified(attributes)) = by_id.get(element).map(|entry| &entry.change) {
            changes.extend(of_attributes(&id, attributes));
        }
        if elements.properties.contains(element) {
            changes.extend(of_sets(&id, *element, before, after));
        }
    }
    changes.truncate(PROPERTIES);
    changes
}
