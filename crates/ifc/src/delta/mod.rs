//! The change from one version of a model to the next: instances created, changed attribute by attribute, removed.
//! New instances are numbered within the delta and get their ids where it is applied; a change of a set of references
//! is kept as members added and removed, so that two changes of one set can both hold.
//!
//! Deltas form an algebra: [`Delta::invert`] takes one back, [`Delta::compose`] makes one of two that follow each other,
//! [`Delta::rebase`] puts one that was made beside another behind it. Only `invert` needs the model: a delta does not
//! carry what was there before.

mod apply;
mod checksum;
mod combine;
mod compose;
mod decode;
mod encode;
mod rebase;
#[cfg(test)]
mod tests;

pub use compose::ComposeError;
pub use rebase::{Clash, ClashKind, Side};

use crate::instance::Source;
use crate::overlay::Slot;
use crate::schema::Kind;
use crate::{Id, Model, Value};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A change to a model. Its bytes are made by [`Delta::encode`].
///
/// Inside, instances that the delta creates have the ids from `first` on; references to them are told by that.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Delta {
    /// The next free id of the model that it was made from.
    pub first: u32,
    /// The number of ids it takes, those of instances that were removed again included.
    pub allocated: u32,
    /// New instances by ordinal.
    pub created: Vec<(u32, Content)>,
    /// Instances put with the id they had: restored, or replaced whole.
    pub put: Vec<(u32, Was, Content)>,
    /// Attributes changed, by instance and place.
    pub changed: Vec<(u32, Vec<(u32, AttributeEdit)>)>,
    /// Instances removed.
    pub removed: Vec<u32>,
}

/// The state of an instance before it is put whole: absent, present, or not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Was {
    /// A delta of version 1 does not say.
    Unknown,
    /// There was none with this id.
    Absent,
    /// There was one.
    Present,
}

/// An instance whole.
#[derive(Debug, Clone, PartialEq)]
pub struct Content {
    /// The class, in the schema's spelling or in capitals.
    pub class: String,
    /// The attributes, in the order of a STEP line.
    pub values: Vec<Value>,
}

/// The change of one attribute: a new value, or members added to and taken from a set.
#[derive(Debug, Clone, PartialEq)]
pub enum AttributeEdit {
    /// It has this value.
    Set(Value),
    /// Members taken out of and put at the end of a set of references.
    Members {
        /// Put at the end.
        added: Vec<Id>,
        /// Taken out.
        removed: Vec<Id>,
    },
}

/// Why a delta cannot be read or applied.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DeltaError {
    /// The bytes are damaged at this one, counted from nought. Where only the checksum tells, the byte that it accuses
    /// if it is the only one, else the place of the checksum itself.
    #[error("the delta is damaged at byte {0}")]
    Damaged(usize),
    /// Written by a later program.
    #[error("delta version {0} is newer than this program; update it")]
    UnknownVersion(u8),
    /// It speaks of an instance that the model does not have.
    #[error("the delta does not fit this model: {0} does not exist")]
    Missing(Id),
    /// It speaks of an attribute that the instance does not have.
    #[error("the delta does not fit this model: {0} has no attribute {1}")]
    MissingAttribute(Id, u32),
    /// All ids to 2³² are used.
    #[error("the model has no free instance ids left; renumber it")]
    OutOfIds,
}

impl Delta {
    /// True if it changes nothing.
    pub fn is_empty(&self) -> bool {
        self.created.is_empty() && self.put.is_empty() && self.changed.is_empty() && self.removed.is_empty()
    }

    /// The number of instances that it creates, changes and removes, together.
    pub fn len(&self) -> usize {
        self.created.len() + self.put.len() + self.changed.len() + self.removed.len()
    }

    /// The delta that takes this one back, given a model that this one can be applied to: applied to the outcome it
    /// gives `base` again, instance by instance, and the same bytes when written. Only the counter of ids stays where
    /// it is, so that an id is never given out twice. Needs the model because a delta does not hold what was there
    /// before. O(delta).
    pub fn invert(&self, base: &Model) -> Result<Self, DeltaError> {
        let after = base.apply(self)?;
        let start = base.next_id.max(self.first);
        let created = self.created.iter().filter_map(|(ordinal, _)| start.checked_add(*ordinal));
        let touched: BTreeSet<u32> = self.existing().chain(created).collect();
        Ok(Self::of_touched(&after, base, touched.into_iter()))
    }

    /// The instances that were there before and that it speaks of.
    pub fn existing(&self) -> impl Iterator<Item = u32> + '_ {
        let put = self.put.iter().map(|(id, ..)| *id);
        put.chain(self.changed.iter().map(|(id, _)| *id)).chain(self.removed.iter().copied())
    }

    /// The id behind those that it gives out.
    pub fn end(&self) -> u32 {
        self.first.saturating_add(self.allocated)
    }

    /// True if an id is one of those it gives out.
    pub fn is_local(&self, id: u32) -> bool {
        id.checked_sub(self.first).is_some_and(|ordinal| ordinal < self.allocated)
    }

    /// Returns the delta that leads from `before` to `after`. Where both stand over the same opened file only their overlays are
    /// compared; else all instances, by id.
    pub fn between(before: &Model, after: &Model) -> Self {
        Self::of_touched(before, after, differing(before, after))
    }

    /// Returns the delta that leads from `before` to `after`, which differ in no other instances than these, given by ascending id.
    pub fn of_touched(before: &Model, after: &Model, touched: impl Iterator<Item = u32>) -> Self {
        let first = before.next_id;
        let mut delta = Self { first, allocated: after.next_id.saturating_sub(first), ..Self::default() };
        for id in touched {
            match (before.get(Id(id)), after.get(Id(id))) {
                (None, None) => {}
                (Some(_), None) => delta.removed.push(id),
                (None, Some(_)) => {
                    if let Some(content) = content(after, id) {
                        match id.checked_sub(first) {
                            Some(ordinal) if ordinal < delta.allocated => {
                                delta.created.push((ordinal, content));
                            }
                            _ => delta.put.push((id, Was::Absent, content)),
                        }
                    }
                }
                (Some(old), Some(new)) => {
                    let (old_values, new_values) = (old.attributes(), new.attributes());
                    if old.class_name() != new.class_name() || old_values.len() != new_values.len() {
                        delta.put.extend(content(after, id).map(|content| (id, Was::Present, content)));
                        continue;
                    }
                    let kind = |at: usize| Some(new.entity()?.attributes.get(at)?.kind);
                    let edits: Vec<_> = old_values
                        .iter()
                        .zip(new_values)
                        .enumerate()
                        .filter(|(_, (old, new))| !old.is_identical(new))
                        .map(|(at, (old, new))| (at as u32, attribute_edit(kind(at), old, new)))
                        .collect();
                    if !edits.is_empty() {
                        delta.changed.push((id, edits));
                    }
                }
            }
        }
        delta
    }
}

/// The ids in which two models may differ, ascending.
pub fn differing(before: &Model, after: &Model) -> impl Iterator<Item = u32> + use<> {
    let mut ids: BTreeSet<u32> = BTreeSet::new();
    if before.has_same_base(after) {
        let same = |a: Option<&Slot>, b: Option<&Slot>| match (a, b) {
            (Some(Slot::Present(a)), Some(Slot::Present(b))) => Arc::ptr_eq(a, b),
            (Some(Slot::Removed), Some(Slot::Removed)) => true,
            _ => false,
        };
        let [was, is] = before.overlay.slots.apart(&after.overlay.slots);
        let other =
            |list: &[(&u32, &Slot)], id: &u32| list.binary_search_by_key(&id, |(other, _)| *other).is_ok();
        for (id, slot) in &was {
            if !same(Some(*slot), after.overlay.get(**id)) {
                ids.insert(**id);
            }
        }
        ids.extend(is.iter().map(|(id, _)| *id).filter(|id| !other(&was, id)));
    } else {
        let same_text = |id: Id| match (before.get(id).map(|i| i.source), after.get(id).map(|i| i.source)) {
            (Some(Source::Base(a)), Some(Source::Base(b))) => before.base.text(a) == after.base.text(b),
            _ => false,
        };
        ids.extend(before.ids().chain(after.ids()).filter(|id| !same_text(*id)).map(|id| id.0));
    }
    ids.into_iter()
}

fn content(model: &Model, id: u32) -> Option<Content> {
    let instance = model.get(Id(id))?;
    Some(Content { class: instance.class_name().to_owned(), values: instance.attributes() })
}

/// The least that makes `new` of `old`.
fn attribute_edit(kind: Option<Kind>, old: &Value, new: Value) -> AttributeEdit {
    let is_set = matches!(kind, Some(Kind::List(list)) if list.set);
    match membership(is_set, old, &new) {
        Some((added, removed)) => AttributeEdit::Members { added, removed },
        None => AttributeEdit::Set(new),
    }
}

/// Members added at the end and taken out, if that and nothing else makes `new` of `old`.
fn membership(is_set: bool, old: &Value, new: &Value) -> Option<(Vec<Id>, Vec<Id>)> {
    let refs = |value: &Value| value.as_list()?.iter().map(Value::as_ref).collect::<Option<Vec<Id>>>();
    if !is_set {
        return None;
    }
    let (old, new) = (refs(old)?, refs(new)?);
    if repeats(&old) || repeats(&new) {
        return None;
    }
    // of thousands of members mostly the last ones differ
    let same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let (old, new) = (old.get(same..).unwrap_or_default(), new.get(same..).unwrap_or_default());
    let (had, has): (BTreeSet<Id>, BTreeSet<Id>) =
        (old.iter().copied().collect(), new.iter().copied().collect());
    let added: Vec<Id> = new.iter().copied().filter(|id| !had.contains(id)).collect();
    let removed: Vec<Id> = old.iter().copied().filter(|id| !has.contains(id)).collect();
    let made = old.iter().copied().filter(|id| has.contains(id)).chain(added.iter().copied());
    made.eq(new.iter().copied()).then_some((added, removed))
}

/// True if one comes twice.
fn repeats(ids: &[Id]) -> bool {
    if ids.is_sorted_by(|a, b| a < b) {
        return false;
    }
    let mut sorted = ids.to_vec();
    sorted.sort_unstable();
    sorted.array_windows::<2>().any(|[a, b]| a == b)
}
