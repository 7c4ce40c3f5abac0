//! What a change does, in terms that do not depend on what it is made on: which objects come, go and change, in what field, to
//! which value.

use super::sides::{Names, Sides};
use crate::idf::{Document, Handle, Object};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// The facts that a change brings about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Effect(pub BTreeSet<String>);

/// Returns the facts that only the first of two effects has, and those that only the second has.
pub fn differences(wanted: &Effect, comes_to: &Effect) -> (Vec<String>, Vec<String>) {
    let only = |a: &Effect, b: &Effect| a.0.difference(&b.0).cloned().collect();
    (only(wanted, comes_to), only(comes_to, wanted))
}

/// Returns the effect that leads from one version to another. `back` says which object of the first one of the second is.
pub(super) fn between(
    before: &Document,
    after: &Document,
    back: &dyn Fn(Handle) -> Option<Handle>,
    renamed: &BTreeMap<Handle, Names>,
) -> Effect {
    let called = |object: Object<'_>| {
        let number = object.name().strip_prefix('\u{1}').and_then(|number| number.parse().ok());
        match number.and_then(|number| renamed.get(&Handle(number))) {
            Some(names) => format!("{} {}", object.type_name(), names.base),
            None if object.name().is_empty() => object.type_name().to_owned(),
            None => format!("{} {}", object.type_name(), object.name()),
        }
    };
    let mut effect = BTreeSet::new();
    let mut kept: HashSet<Handle> = HashSet::new();
    for object in after.objects() {
        let old = back(object.handle()).and_then(|handle| before.object(handle));
        let Some(old) = old else {
            let values: Vec<&str> = object.values().collect();
            effect.insert(format!("{}: added as {}", called(object), values.join(", ")));
            continue;
        };
        kept.insert(old.handle());
        let about = object.about();
        for at in 0..object.len().max(old.len()) {
            if object.value(at) == old.value(at) {
                continue;
            }
            let field = about.and_then(|about| about.field_at(at));
            let field =
                field.map_or_else(|| format!("field {}", at + 1), |(field, group)| field.name_in(group));
            effect.insert(format!("{}: {field} is {}", called(old), object.value(at)));
        }
        if object.extra() != old.extra() {
            effect.insert(format!("{}: fields that the schema does not know are others", called(old)));
        }
    }
    for object in before.objects().filter(|object| !kept.contains(&object.handle())) {
        effect.insert(format!("{}: removed", called(object)));
    }
    Effect(effect)
}

impl Effect {
    /// With what it does to names: `of_theirs` on the base, else what it came to on ours.
    pub(super) fn named(mut self, given: &BTreeMap<Handle, String>, sides: &Sides, of_theirs: bool) -> Self {
        for (base, names) in &sides.renamed {
            let before = if of_theirs { Some(&names.base) } else { names.ours.as_ref() };
            let after = if of_theirs {
                names.theirs.as_ref()
            } else {
                sides.to_ours.to(*base).and_then(|handle| given.get(&handle))
            };
            if let (Some(before), Some(after)) = (before, after)
                && before != after
            {
                self.0.insert(format!("{} is renamed to {after}", names.base));
            }
        }
        self
    }
}
