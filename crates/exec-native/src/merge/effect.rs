//! What a change does, in terms that do not depend on what it is made on: which things come, go and change, in what, to
//! which value.
//!
//! Instance ids of new things and the members of sets are left out, because they are others on another ground; so are
//! figures that are computed from the rest, and what was there before. Where a new thing stands in the world counts.

use contract::ops::Effects;
use ifc::{Id, Model};
use ifc_compare::{Aspect, Change, DiffEntry, ElementChange};
use std::collections::BTreeSet;

/// Differences told of.
const TOLD: usize = 20;

/// The effect of a change, fact by fact.
pub(super) type Effect = BTreeSet<String>;

/// Returns the effect that leads from one model to another.
pub(super) fn between(before: &Model, after: &Model) -> Effect {
    let entries = ifc_compare::diff(before, after);
    let mut effect = Effect::new();
    for change in ifc_compare::elements(&entries, before, after) {
        of_element(&change, before, after, &mut effect);
    }
    for entry in &entries {
        of_instance(entry, after, &mut effect);
    }
    effect
}

/// Returns the facts that only one of two effects has.
pub(super) fn differences(wanted: &Effect, comes_to: &Effect) -> Effects {
    let only =
        |one: &Effect, other: &Effect| -> Vec<String> { one.difference(other).take(TOLD).cloned().collect() };
    Effects { no_longer: only(wanted, comes_to), now_also: only(comes_to, wanted) }
}

fn of_element(change: &ElementChange, before: &Model, after: &Model, effect: &mut Effect) {
    let id = change.after.or(change.before);
    let name = change.global_id.clone().or_else(|| change.name.clone()).unwrap_or_default();
    let who = format!("{} {name}", change.class);
    let mut say = |what: String| {
        effect.insert(format!("{who}: {what}"));
    };
    let called = |model: &Model, id: &Option<Id>| match id {
        Some(id) => model.get(*id).and_then(|i| i.guid().or_else(|| i.name())).unwrap_or_default(),
        None => "nothing".to_owned(),
    };
    for aspect in &change.aspects {
        match aspect {
            Aspect::Added => {
                let place =
                    change.after.map(|id| ifc::placement::of_product(after, id).translation.to_array());
                let [x, y, z] = place.unwrap_or_default();
                // to a ten thousandth of the file's unit: what differs by less was only computed another way
                say(format!("added at ({x:.4}, {y:.4}, {z:.4})"));
                let container = change.after.and_then(|id| ifc::relations::direct_container(after, id));
                say(format!("is in {}", called(after, &container)));
            }
            Aspect::Removed => say("removed".to_owned()),
            Aspect::Moved { by_mm: [x, y, z], turned, .. } => {
                say(format!("moved by ({x:.1}, {y:.1}, {z:.1}) mm, turned: {turned}"));
            }
            Aspect::Reshaped => say("reshaped".to_owned()),
            Aspect::Renamed { after, .. } => say(format!("renamed to {after:?}")),
            Aspect::Attribute { attribute, after, .. } => {
                if !holds_ids(after) {
                    say(format!("{attribute} is {}", after.to_json()));
                }
            }
            Aspect::Property { set, property, after: value, .. } => {
                let renewed = [before, after]
                    .into_iter()
                    .any(|model| id.is_some_and(|id| building::renewal::renews(model, id, set)));
                if !renewed {
                    say(format!("{set}.{property} is {value}"));
                }
            }
            Aspect::Recontained { after: to, .. } => say(format!("is in {}", called(after, to))),
            Aspect::Rehosted { after: to, .. } => say(format!("is hosted by {}", called(after, to))),
            Aspect::Retyped { after: to, .. } => say(format!("is of type {}", called(after, to))),
            Aspect::Material { after, .. } => say(format!("is made of {}", after.join(", "))),
            Aspect::Openings { added, removed } => {
                say(format!("{added} openings more, {removed} fewer"));
            }
            Aspect::Groups { joined, left } => {
                say(format!("joined {}, left {}", joined.join(", "), left.join(", ")));
            }
            Aspect::Classification { joined, left } => {
                say(format!("classified {}, no longer {}", joined.join(", "), left.join(", ")));
            }
        }
    }
}

/// Changes beneath the elements, such as of units: attributes of what is known on both grounds by its id.
fn of_instance(entry: &DiffEntry, after: &Model, effect: &mut Effect) {
    let is_figure = after.get(entry.id).is_some_and(|i| i.is_a("IfcPhysicalQuantity"));
    let Change::Modified(attributes) = &entry.change else { return };
    if is_figure {
        return;
    }
    for change in attributes.iter().filter(|change| !holds_ids(&change.after)) {
        effect.insert(format!(
            "{} {}: {} is {}",
            entry.class,
            entry.id,
            change.attribute,
            change.after.to_json()
        ));
    }
}

fn holds_ids(value: &ifc::Value) -> bool {
    let mut found = false;
    value.for_each_ref(&mut |_| found = true);
    found
}
