//! The differences between two models of any origin, such as two exports of one building in which every instance was
//! numbered anew: see [`super::matching`] for which instance is taken to be which.
//!
//! Ids, the order of lines, the order of members of a SET, how numbers and strings are written, and comments make no
//! difference. Schemas may differ: classes and attributes are compared by name. GlobalIds may be missing or come twice.
//! Reals are compared exactly, unless a tolerance is given. Headers are not compared.

use super::forest::Forest;
use super::matching::Matching;
use super::{AttributeDiff, Change, DiffEntry};
use ifc::schema::Kind;
use ifc::{Id, Instance, Model, Value};

/// Options of a comparison.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CompareOptions {
    /// Reals that differ by no more than this, in the file's own units, are the same; none: only equal ones are.
    pub tolerance: Option<f64>,
    /// At most so many entries are described; all are counted.
    pub limit: usize,
}

impl Default for CompareOptions {
    /// No tolerance; a million entries.
    fn default() -> Self {
        Self { tolerance: None, limit: 1_000_000 }
    }
}

/// The differences between two models, and which instance is which.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Comparison {
    /// Instances modified and added, by their ids after, then those removed, by their ids before.
    pub entries: Vec<DiffEntry>,
    /// The number of instances added.
    pub added: u64,
    /// The number of instances removed.
    pub removed: u64,
    /// The number of instances with other attributes.
    pub modified: u64,
    /// Ids before and after, by those before.
    pairs: Vec<(u32, u32)>,
    /// The pairs the other way round.
    back: Vec<(u32, u32)>,
}

impl Comparison {
    /// True if the models say the same.
    pub fn is_empty(&self) -> bool {
        self.added + self.removed + self.modified == 0
    }

    /// The id in the model after of an instance of the model before. Instances with a GlobalId and those that changed
    /// are known; a resource that merely has an equal one is not.
    pub fn after_of(&self, before: Id) -> Option<Id> {
        let place = self.pairs.binary_search_by_key(&before.0, |(one, _)| *one).ok()?;
        self.pairs.get(place).map(|(_, other)| Id(*other))
    }

    /// The id in the model before of an instance of the model after.
    pub fn before_of(&self, after: Id) -> Option<Id> {
        let place = self.back.binary_search_by_key(&after.0, |(one, _)| *one).ok()?;
        self.back.get(place).map(|(_, other)| Id(*other))
    }
}

/// Compares two models, whatever their origin. Time and memory are in proportion to both files, about 60 bytes an
/// instance; the work is done on the bytes, and only instances that differ are decoded.
pub fn compare(before: &Model, after: &Model, options: &CompareOptions) -> Comparison {
    let tolerance = options.tolerance.filter(|step| step.is_finite() && *step > 0.0);
    let (old, new) = rayon::join(|| Forest::new(before, tolerance), || Forest::new(after, tolerance));
    let mut matching = Matching::new(&old, &new);
    let mut comparison = Comparison::default();
    let mut changed = std::mem::take(&mut matching.changed);
    changed.sort_unstable_by_key(|(_, node)| new.id(*node));
    changed.dedup();
    let differ = Differ { matching: &matching, tolerance };
    let mut entries: Vec<DiffEntry> = Vec::new();
    for (one, other) in changed {
        let (Some(one), Some(other)) = (old.instance(one), new.instance(other)) else { continue };
        // beyond the limit what differs within the tolerance only is counted, too
        if entries.len() < options.limit {
            let changes = differ.attributes(&one, &other);
            if changes.is_empty() {
                continue;
            }
            entries.push(entry(&other, Some(one.id()), Change::Modified(changes)));
        }
        comparison.modified += 1;
    }
    let mut added: Vec<Instance<'_>> = matching.added.iter().filter_map(|node| new.instance(*node)).collect();
    let mut removed: Vec<Instance<'_>> =
        matching.removed.iter().filter_map(|node| old.instance(*node)).collect();
    added.sort_unstable_by_key(Instance::id);
    removed.sort_unstable_by_key(Instance::id);
    (comparison.added, comparison.removed) = (added.len() as u64, removed.len() as u64);
    let room = options.limit.saturating_sub(entries.len());
    let added = added.iter().map(|instance| entry(instance, None, Change::Added));
    let removed = removed.iter().map(|instance| entry(instance, Some(instance.id()), Change::Removed));
    entries.extend(added.chain(removed).take(room));
    // those modified and added are in one order
    let first_removed = entries.iter().position(|entry| entry.change == Change::Removed);
    let kept = first_removed.unwrap_or(entries.len());
    if let Some(kept) = entries.get_mut(..kept) {
        kept.sort_by_key(|entry| entry.id);
    }
    comparison.entries = entries;
    let pairs = matching.pairs().filter_map(|(one, other)| Some((old.id(one)?.0, new.id(other)?.0)));
    comparison.pairs = pairs.collect();
    comparison.pairs.sort_unstable();
    comparison.back = comparison.pairs.iter().map(|(one, other)| (*other, *one)).collect();
    comparison.back.sort_unstable();
    comparison
}

fn entry(shown: &Instance<'_>, was: Option<Id>, change: Change) -> DiffEntry {
    DiffEntry {
        id: shown.id(),
        was,
        class: shown.class_name().to_owned(),
        global_id: shown.guid(),
        name: shown.name(),
        change,
    }
}

/// Compares attributes where ids mean nothing.
struct Differ<'a, 'f, 'm> {
    matching: &'a Matching<'f, 'm>,
    tolerance: Option<f64>,
}

impl Differ<'_, '_, '_> {
    /// The attributes that differ, by name; those of the class before that the class after does not have come last.
    fn attributes(&self, before: &Instance<'_>, after: &Instance<'_>) -> Vec<AttributeDiff> {
        let mut changes = Vec::new();
        if before.class_name() != after.class_name() {
            changes.push(AttributeDiff {
                attribute: "class".to_owned(),
                before: before.class_name().into(),
                after: after.class_name().into(),
            });
        }
        let (old, new) = (named(before), named(after));
        for (name, kind, new) in &new {
            let old =
                old.iter().find(|(other, ..)| other == name).map_or(Value::Null, |(.., old)| old.clone());
            if !self.same(&old, new, *kind, 0) {
                changes.push(AttributeDiff { attribute: name.clone(), before: old, after: new.clone() });
            }
        }
        for (name, _, old) in old {
            if !old.is_null() && !new.iter().any(|(other, ..)| *other == name) {
                changes.push(AttributeDiff { attribute: name, before: old, after: Value::Null });
            }
        }
        changes
    }

    fn same(&self, old: &Value, new: &Value, kind: Option<Kind>, depth: usize) -> bool {
        match (old, new) {
            (Value::Ref(one), Value::Ref(other)) => {
                let (before, after) = (self.matching.before, self.matching.after);
                match (before.node(*one), after.node(*other)) {
                    (Some(one), Some(other)) => self.matching.same(one, other),
                    (None, None) => true,
                    _ => false,
                }
            }
            (Value::List(one), Value::List(other)) => {
                let (of, set) = match kind {
                    Some(Kind::List(list)) => (Some(list.of), list.set),
                    _ => (None, false),
                };
                one.len() == other.len()
                    && depth < 64
                    && (one.iter().zip(other).all(|(one, other)| self.same(one, other, of, depth + 1))
                        || (set && self.same_members(one, other, of)))
            }
            (Value::Typed(name, one), Value::Typed(other_name, other)) => {
                name.eq_ignore_ascii_case(other_name) && depth < 64 && self.same(one, other, None, depth + 1)
            }
            (Value::Real(_) | Value::Integer(_), Value::Real(_) | Value::Integer(_)) => {
                match (old.as_f64(), new.as_f64()) {
                    (Some(one), Some(other)) => {
                        one == other || self.tolerance.is_some_and(|most| (one - other).abs() <= most)
                    }
                    _ => false,
                }
            }
            _ => old == new,
        }
    }

    /// True if two sets have the same members; those of references by their names, the few others each with each.
    fn same_members(&self, old: &[Value], new: &[Value], of: Option<Kind>) -> bool {
        let nodes = |values: &[Value]| values.iter().map(Value::as_ref).collect::<Option<Vec<Id>>>();
        if let (Some(old), Some(new)) = (nodes(old), nodes(new)) {
            let (before, after) = (self.matching.before, self.matching.after);
            let olds: Vec<u32> = old.iter().filter_map(|id| before.node(*id)).collect();
            let news: Vec<u32> = new.iter().filter_map(|id| after.node(*id)).collect();
            return old.len() - olds.len() == new.len() - news.len() && self.matching.same_set(olds, news);
        }
        let mut left: Vec<&Value> = new.iter().collect();
        old.len() <= 4096
            && old.iter().all(|one| {
                let found = left.iter().position(|other| self.same(one, other, of, 1));
                found.map(|place| left.swap_remove(place)).is_some()
            })
    }
}

/// Attributes by name, with what they may be; by number from 1 where the schema does not know the class.
fn named(instance: &Instance<'_>) -> Vec<(String, Option<Kind>, Value)> {
    let entity = instance.entity();
    let values = instance.attributes().into_iter().enumerate();
    let named = values.map(|(at, value)| {
        let attribute = entity.and_then(|entity| entity.attributes.get(at));
        let name = attribute.map_or_else(|| (at + 1).to_string(), |attribute| attribute.name.to_owned());
        (name, attribute.map(|attribute| attribute.kind), value)
    });
    named.collect()
}
