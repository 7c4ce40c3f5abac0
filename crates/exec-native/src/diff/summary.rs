//! The difference in a few lines: how many elements of which class, which ones and in what, on which storeys, and which
//! of their attributes and properties. Lists are cut at a bound, counts are whole.

use super::properties::{kinds, values};
use contract::{DiffSummary, NamedElement, PropertyChange};
use ifc::{Id, Model, relations};
use ifc_compare::{Aspect, DiffEntry, ElementChange};
use std::collections::BTreeMap;

/// Elements named, where nobody asks for more.
const NAMED: usize = 20;
/// Property changes listed.
const PROPERTIES: usize = 40;
/// Elements whose storey is looked up.
const PLACED: usize = 2_000;

/// Summarises `entries`, the difference between two models, and names `named` elements or the usual number.
pub(crate) fn summary(
    entries: &[DiffEntry],
    before: &Model,
    after: &Model,
    named: Option<u32>,
) -> DiffSummary {
    let changes = ifc_compare::elements(entries, before, after);
    let is = |change: &ElementChange, aspect: &Aspect| change.aspects.first() == Some(aspect);
    let mut summary = DiffSummary { instances: entries.len() as u64, ..DiffSummary::default() };
    for change in &changes {
        let counts = if is(change, &Aspect::Added) {
            &mut summary.added
        } else if is(change, &Aspect::Removed) {
            &mut summary.removed
        } else {
            &mut summary.modified
        };
        *counts.entry(change.class.clone()).or_default() += 1;
        for value in values(change) {
            match summary.properties.iter().position(|known| is_same_change(known, &value)) {
                Some(at) => {
                    if let Some(known) = summary.properties.get_mut(at) {
                        known.also += 1;
                    }
                }
                None if summary.properties.len() < PROPERTIES => summary.properties.push(value),
                None => {}
            }
        }
    }
    let rows = changes.iter().filter_map(|change| {
        Some(NamedElement {
            id: change.global_id.clone()?,
            class: change.class.clone(),
            name: change.name.clone(),
            changes: kinds(change, before, after),
        })
    });
    summary.elements = rows.take(named.map_or(NAMED, |named| named as usize)).collect();
    (summary.storeys, summary.elsewhere) = storeys(&changes, before, after);
    summary
}

/// True if two elements changed in the same property, from the same value to the same.
fn is_same_change(one: &PropertyChange, other: &PropertyChange) -> bool {
    (&one.property, &one.before, &one.after) == (&other.property, &other.before, &other.after)
}

/// Names of the storeys that elements are or were on, or that are themselves among them, from the lowest instance up; and
/// how many of those that were there before are on none, as far as is known.
fn storeys(changes: &[ElementChange], before: &Model, after: &Model) -> (Vec<String>, u64) {
    let mut found: BTreeMap<Id, String> = BTreeMap::new();
    let mut elsewhere = 0;
    for (at, change) in changes.iter().enumerate() {
        let mut placed = false;
        let sides = [(change.before, before), (change.after, after)];
        for (id, model) in
            sides.into_iter().filter_map(|(id, model)| Some((id?, model))).filter(|_| at < PLACED)
        {
            let is_storey = model.get(id).is_some_and(|instance| instance.is_a("IfcBuildingStorey"));
            let storey = if is_storey { Some(id) } else { relations::storey_of(model, id) };
            if let Some(storey) = storey.and_then(|storey| model.get(storey)) {
                placed = true;
                found
                    .entry(storey.id())
                    .or_insert_with(|| storey.name().unwrap_or_else(|| storey.id().to_string()));
            }
        }
        // what is new and on no storey, such as a type, was nobody's before
        elsewhere += u64::from(!placed && (change.before.is_some() || at >= PLACED));
    }
    (found.into_values().collect(), elsewhere)
}
