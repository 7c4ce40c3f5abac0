//! A delta that was made beside another, put behind it.
//!
//! Only instances are looked at here, not what they mean: two changes clash where both speak of the same attribute of
//! the same instance, or one removes what the other changes or newly refers to. Members of sets of references join as
//! sets. [`crate::merge`] knows what the instances stand for.

use super::{AttributeEdit, Content, Delta, combine};
use crate::{Id, Value};
use std::collections::BTreeMap;
use std::fmt;

/// Whose change it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The one that is there already.
    Ours,
    /// The one that comes to it.
    Theirs,
}

impl Side {
    /// The opposite one.
    pub fn other(self) -> Self {
        match self {
            Self::Ours => Self::Theirs,
            Self::Theirs => Self::Ours,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ours => "ours",
            Self::Theirs => "theirs",
        })
    }
}

/// An instance about which two deltas cannot both hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clash {
    /// The instance, which both models know by this id.
    pub id: Id,
    /// In what.
    pub kind: ClashKind,
}

/// Why two deltas cannot both hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClashKind {
    /// Both give the attribute at this place (from nought) another value.
    Attribute(u32),
    /// Both put the whole instance, or one does and the other changes it.
    Whole,
    /// One side removes what the other changes.
    Removed(Side),
    /// One side removes what an instance of the other side newly refers to.
    Referred {
        /// The side that removes it.
        removed_by: Side,
        /// The instance that refers to it, by its id in the delta that has it.
        by: Id,
    },
}

impl fmt::Display for Clash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id = self.id;
        match self.kind {
            ClashKind::Attribute(at) => write!(f, "both change attribute {} of {id}", at + 1),
            ClashKind::Whole => write!(f, "both change {id} as a whole"),
            ClashKind::Removed(side) => write!(f, "{side} removes {id}, which {} changes", side.other()),
            ClashKind::Referred { removed_by, by } => {
                write!(f, "{removed_by} removes {id}, which {by} of {} refers to", removed_by.other())
            }
        }
    }
}

impl Delta {
    /// This delta (theirs), which was made from the same model as `over` (ours), as it must be to be applied behind
    /// `over`: with other delta-local ids, and without what `over` has done already. Both changes then hold; where they
    /// cannot, the answer is every clash. Costs what both weigh.
    pub fn rebase(&self, over: &Self) -> Result<Self, Vec<Clash>> {
        let (delta, clashes) = self.rebased(over);
        if clashes.is_empty() { Ok(delta) } else { Err(clashes) }
    }

    /// The lowest number that the delta's own ids may begin with behind `over`.
    pub fn first_behind(&self, over: &Self) -> u32 {
        if over.allocated > 0 { self.first.max(over.end()) } else { self.first }
    }

    /// This delta behind `over`, less what clashes; of what newly refers to removed instances nothing is left out.
    pub fn rebased(&self, over: &Self) -> (Self, Vec<Clash>) {
        self.rebased_from(over, self.first_behind(over))
    }

    /// As [`Self::rebased`], with the delta's own ids from `first` on.
    pub fn rebased_from(&self, over: &Self, first: u32) -> (Self, Vec<Clash>) {
        let mut clashes: Vec<Clash> = Vec::new();
        let mut clash = |id: u32, kind: ClashKind| clashes.push(Clash { id: Id(id), kind });
        let moved = self.renumbered(first);
        let ours = Known::from_delta(over);
        let sides =
            [(&moved, &ours, over, Side::Ours), (over, &Known::from_delta(&moved), &moved, Side::Theirs)];
        for (delta, other, remover, removed_by) in sides {
            delta.each_new_reference_beside(other, &mut |by, target| {
                if remover.removed.binary_search(&target.0).is_ok() {
                    clash(target.0, ClashKind::Referred { removed_by, by });
                }
            });
        }
        let mut rest = Self { first, allocated: moved.allocated, created: moved.created, ..Self::default() };
        for (id, was, content) in moved.put {
            match ours.of_id(id) {
                Some(Doing::Put(other)) if **other == content => {}
                Some(Doing::Put(_) | Doing::Changed(_)) => clash(id, ClashKind::Whole),
                Some(Doing::Removed) => clash(id, ClashKind::Removed(Side::Ours)),
                None => rest.put.push((id, was, content)),
            }
        }
        for (id, edits) in moved.changed {
            match ours.of_id(id) {
                Some(Doing::Put(_)) => clash(id, ClashKind::Whole),
                Some(Doing::Removed) => clash(id, ClashKind::Removed(Side::Ours)),
                Some(Doing::Changed(others)) => {
                    let mut kept = Vec::new();
                    for (at, edit) in edits {
                        match edit_at(others, at) {
                            None => kept.push((at, edit)),
                            Some(other) => match joined(other, edit) {
                                Ok(Some(edit)) => kept.push((at, edit)),
                                Ok(None) => {}
                                Err(()) => clash(id, ClashKind::Attribute(at)),
                            },
                        }
                    }
                    if !kept.is_empty() {
                        rest.changed.push((id, kept));
                    }
                }
                None => rest.changed.push((id, edits)),
            }
        }
        for id in moved.removed {
            match ours.of_id(id) {
                Some(Doing::Removed) => {}
                Some(_) => clash(id, ClashKind::Removed(Side::Theirs)),
                None => rest.removed.push(id),
            }
        }
        clashes.sort_by_key(|clash| clash.id);
        clashes.dedup();
        (rest, clashes)
    }

    /// Returns the delta with its own ids from `first` on.
    pub fn renumbered(&self, first: u32) -> Self {
        let mut moved = self.clone();
        if first == self.first || self.allocated == 0 {
            moved.first = first;
            return moved;
        }
        let mut shift = |id: Id| -> Result<Id, std::convert::Infallible> {
            Ok(if self.is_local(id.0) { Id((id.0 - self.first).saturating_add(first)) } else { id })
        };
        let mut content = |content: &mut Content| {
            for value in &mut content.values {
                let Ok(new) = value.map_refs(&mut shift);
                *value = new;
            }
        };
        moved.created.iter_mut().for_each(|(_, new)| content(new));
        moved.put.iter_mut().for_each(|(.., new)| content(new));
        for (_, edit) in moved.changed.iter_mut().flat_map(|(_, edits)| edits) {
            let Ok(new) = edit.map_refs(&mut shift);
            *edit = new;
        }
        moved.first = first;
        moved
    }

    /// Calls `each` with every instance that it makes, puts or changes and what that newly refers to.
    pub fn each_new_reference(&self, each: &mut impl FnMut(Id, Id)) {
        self.each_new_reference_beside(&Known(BTreeMap::new()), each);
    }

    /// Returns the delta less what the other change takes out of a set that this one writes as a whole: it is out of it in the end,
    /// whichever comes first.
    fn each_new_reference_beside(&self, other: &Known<'_>, each: &mut impl FnMut(Id, Id)) {
        let created = self.created.iter().map(|(ordinal, new)| (self.first.saturating_add(*ordinal), new));
        for (id, content) in created.chain(self.put.iter().map(|(id, _, new)| (*id, new))) {
            content.values.iter().for_each(|value| value.for_each_ref(&mut |target| each(Id(id), target)));
        }
        for (id, edits) in &self.changed {
            for (at, edit) in edits {
                let is_out = |target: Id| match (edit, other.edit(*id, *at)) {
                    (AttributeEdit::Set(_), Some(AttributeEdit::Members { removed, .. })) => {
                        removed.contains(&target)
                    }
                    _ => false,
                };
                edit.for_each_new_ref(&mut |target| {
                    if !is_out(target) {
                        each(Id(*id), target);
                    }
                });
            }
        }
    }
}

/// The change that a delta makes to an instance that was there before.
pub(crate) enum Doing<'d> {
    Put(&'d Content),
    Changed(&'d [(u32, AttributeEdit)]),
    Removed,
}

/// The changes of a delta, by instance.
pub(crate) struct Known<'d>(BTreeMap<u32, Doing<'d>>);

impl<'d> Known<'d> {
    pub(crate) fn from_delta(delta: &'d Delta) -> Self {
        let put = delta.put.iter().map(|(id, _, content)| (*id, Doing::Put(content)));
        let changed = delta.changed.iter().map(|(id, edits)| (*id, Doing::Changed(edits)));
        let removed = delta.removed.iter().map(|id| (*id, Doing::Removed));
        Self(put.chain(changed).chain(removed).collect())
    }

    pub(crate) fn of_id(&self, id: u32) -> Option<&Doing<'d>> {
        self.0.get(&id)
    }

    /// Returns the change of one attribute.
    fn edit(&self, id: u32, at: u32) -> Option<&'d AttributeEdit> {
        match self.of_id(id)? {
            Doing::Changed(edits) => edit_at(edits, at),
            Doing::Put(_) | Doing::Removed => None,
        }
    }
}

fn edit_at(edits: &[(u32, AttributeEdit)], at: u32) -> Option<&AttributeEdit> {
    let place = edits.binary_search_by_key(&at, |(at, _)| *at).ok()?;
    edits.get(place).map(|(_, edit)| edit)
}

/// Returns what is left to do of `edit` where `done` was done to the same attribute; an error where both cannot hold.
fn joined(done: &AttributeEdit, edit: AttributeEdit) -> Result<Option<AttributeEdit>, ()> {
    use AttributeEdit::{Members, Set};
    match (done, edit) {
        (Set(one), Set(two)) if one.is_identical(&two) => Ok(None),
        // also where the set was written anew: the members count
        (Members { .. } | Set(Value::List(_)), edit @ Members { .. }) => Ok(Some(edit)),
        (Members { .. }, Set(mut value @ Value::List(_))) => {
            combine::change(&mut value, done);
            Ok(Some(Set(value)))
        }
        _ => Err(()),
    }
}
