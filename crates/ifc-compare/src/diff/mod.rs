//! The differences between two models, instance by instance and attribute by attribute: by id between two versions of one
//! history ([`diff`]), by GlobalId and content between models of any origin ([`compare`]); and
//! what that says of the things of the building ([`elements`]).

mod aspects;
mod content;
mod elements;
mod forest;
mod hash;
mod matching;
#[cfg(test)]
mod meaning_tests;
#[cfg(test)]
mod tests;
mod unrelated;

pub use elements::{Aspect, ElementChange, elements, elements_of};
pub use unrelated::{CompareOptions, Comparison, compare};

use ifc::delta::differing;
use ifc::{Id, Instance, Model, Value};

/// An instance that differs.
#[derive(Debug, Clone, PartialEq)]
pub struct DiffEntry {
    /// Its id, as it is after (or was before it was removed).
    pub id: Id,
    /// Its id before; none if it was added. Within one history it is the same.
    pub was: Option<Id>,
    /// Its class, as it is after (or was before it was removed).
    pub class: String,
    /// Its GlobalId, if it has one.
    pub global_id: Option<String>,
    /// Its Name, if it has one.
    pub name: Option<String>,
    /// In what.
    pub change: Change,
}

/// The way in which an instance differs.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// It was not there before.
    Added,
    /// It is no longer there.
    Removed,
    /// Attributes differ.
    Modified(Vec<AttributeDiff>),
}

/// An attribute that differs.
#[derive(Debug, Clone, PartialEq)]
pub struct AttributeDiff {
    /// Its name; its number from 1 where the schema does not know the class.
    pub attribute: String,
    /// Before.
    pub before: Value,
    /// After.
    pub after: Value,
}

/// Everything that differs between two models, by id. O(change) for two versions over the same opened file.
pub fn diff(before: &Model, after: &Model) -> Vec<DiffEntry> {
    differing(before, after).filter_map(|id| entry(before.get(Id(id)), after.get(Id(id)))).collect()
}

/// Returns the differences among instances that are known to have been touched (see [`ifc::Edit::touched`]). O(touched), however
/// many edits the two models have behind them.
pub fn diff_of(before: &Model, after: &Model, touched: impl IntoIterator<Item = Id>) -> Vec<DiffEntry> {
    touched.into_iter().filter_map(|id| entry(before.get(id), after.get(id))).collect()
}

fn entry(before: Option<Instance<'_>>, after: Option<Instance<'_>>) -> Option<DiffEntry> {
    let was = before.map(|before| before.id());
    let (shown, change) = match (before, after) {
        (None, None) => return None,
        (None, Some(after)) => (after, Change::Added),
        (Some(before), None) => (before, Change::Removed),
        (Some(before), Some(after)) => {
            let changes = attributes(&before, &after);
            if changes.is_empty() {
                return None;
            }
            (after, Change::Modified(changes))
        }
    };
    Some(DiffEntry {
        id: shown.id(),
        was,
        class: shown.class_name().to_owned(),
        global_id: shown.guid(),
        name: shown.name(),
        change,
    })
}

fn attributes(before: &Instance<'_>, after: &Instance<'_>) -> Vec<AttributeDiff> {
    let mut changes = Vec::new();
    if before.class_name() != after.class_name() {
        changes.push(AttributeDiff {
            attribute: "class".to_owned(),
            before: before.class_name().into(),
            after: after.class_name().into(),
        });
    }
    let (old, new) = (before.attributes(), after.attributes());
    let count = old.len().max(new.len());
    let (mut old, mut new) = (old.into_iter(), new.into_iter());
    for at in 0..count {
        let (old, new) = (old.next().unwrap_or_default(), new.next().unwrap_or_default());
        if !old.is_identical(&new) {
            let name = after.entity().and_then(|entity| entity.attributes.get(at)).map(|a| a.name.to_owned());
            changes.push(AttributeDiff {
                attribute: name.unwrap_or_else(|| (at + 1).to_string()),
                before: old,
                after: new,
            });
        }
    }
    changes
}
