//! One delta of two that follow each other.

use super::{AttributeEdit, Content, Delta, Was, combine};
use crate::Id;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// Why two deltas are not one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ComposeError {
    /// The second was not made on what the first leads to: they give out the same ids.
    #[error("the second delta gives out ids from {first} on, which the first gives out up to {end}")]
    NotConsecutive {
        /// Behind the last id of the first.
        end: Id,
        /// The first id of the second.
        first: Id,
    },
    /// The second speaks of an instance that the first removed.
    #[error("the second delta speaks of {0}, which does not exist after the first")]
    Missing(Id),
    /// The second changes an attribute that the first's instance does not have.
    #[error("the second delta changes attribute {1} of {0}, which has none such after the first")]
    MissingAttribute(Id, u32),
    /// A delta of version 1 puts an instance, which the second removes, without saying whether there was one before.
    #[error("the first delta, of version 1, does not say whether {0} was there before")]
    Unclear(Id),
}

/// The joint effect of both deltas on one instance.
enum Fate {
    Created(Content),
    Put(Was, Content),
    Changed(BTreeMap<u32, AttributeEdit>),
    Removed,
}

impl Delta {
    /// This delta and then `next`, which was made on what this one leads to, as one. Applying it to the model that this
    /// one was made from gives what applying both in turn gives, ids included. It needs no model, is associative,
    /// and costs what both weigh.
    pub fn compose(&self, next: &Self) -> Result<Self, ComposeError> {
        let (first, allocated) = match (self.allocated, next.allocated) {
            (_, 0) => (self.first, self.allocated),
            (0, _) => (next.first, next.allocated),
            _ if next.first < self.end() => {
                return Err(ComposeError::NotConsecutive { end: Id(self.end()), first: Id(next.first) });
            }
            _ => (self.first, next.end() - self.first),
        };
        let mut whole = Self { first, allocated, ..Self::default() };
        let mut fates: BTreeMap<u32, Fate> = BTreeMap::new();
        for (ordinal, content) in &self.created {
            fates.insert(self.first.saturating_add(*ordinal), Fate::Created(content.clone()));
        }
        for (id, was, content) in &self.put {
            fates.insert(*id, Fate::Put(*was, content.clone()));
        }
        for (id, edits) in &self.changed {
            fates.insert(*id, Fate::Changed(edits.iter().cloned().collect()));
        }
        fates.extend(self.removed.iter().map(|id| (*id, Fate::Removed)));
        for (ordinal, content) in &next.created {
            fates.insert(next.first.saturating_add(*ordinal), Fate::Created(content.clone()));
        }
        for (id, was, content) in &next.put {
            let fate = match fates.remove(id) {
                None if whole.is_local(*id) => Fate::Created(content.clone()),
                None => Fate::Put(*was, content.clone()),
                Some(Fate::Created(_)) => Fate::Created(content.clone()),
                Some(Fate::Put(was, _)) => Fate::Put(was, content.clone()),
                Some(Fate::Changed(_) | Fate::Removed) => Fate::Put(Was::Present, content.clone()),
            };
            fates.insert(*id, fate);
        }
        for (id, edits) in &next.changed {
            match fates.entry(*id) {
                Entry::Vacant(_) if whole.is_local(*id) => return Err(ComposeError::Missing(Id(*id))),
                Entry::Vacant(free) => {
                    free.insert(Fate::Changed(edits.iter().cloned().collect()));
                }
                Entry::Occupied(mut known) => match known.get_mut() {
                    Fate::Created(content) | Fate::Put(_, content) => {
                        for (at, edit) in edits {
                            let slot = content.values.get_mut(*at as usize);
                            let slot = slot.ok_or(ComposeError::MissingAttribute(Id(*id), *at))?;
                            combine::change(slot, edit);
                        }
                    }
                    Fate::Changed(earlier) => {
                        for (at, edit) in edits {
                            let both = match earlier.remove(at) {
                                Some(before) => before.then(edit),
                                None => edit.clone(),
                            };
                            earlier.insert(*at, both);
                        }
                    }
                    Fate::Removed => return Err(ComposeError::Missing(Id(*id))),
                },
            }
        }
        for id in &next.removed {
            let fate = match fates.remove(id) {
                None if whole.is_local(*id) => return Err(ComposeError::Missing(Id(*id))),
                None | Some(Fate::Changed(_) | Fate::Put(Was::Present, _)) => Fate::Removed,
                // made and unmade: no trace
                Some(Fate::Created(_) | Fate::Put(Was::Absent, _)) => continue,
                Some(Fate::Put(Was::Unknown, _)) => return Err(ComposeError::Unclear(Id(*id))),
                Some(Fate::Removed) => return Err(ComposeError::Missing(Id(*id))),
            };
            fates.insert(*id, fate);
        }
        for (id, fate) in fates {
            match fate {
                Fate::Created(content) => whole.created.push((id.saturating_sub(first), content)),
                Fate::Put(was, content) => whole.put.push((id, was, content)),
                Fate::Changed(edits) => {
                    let edits = edits.into_iter().map(|(at, edit)| (at, whole.without_own(edit))).collect();
                    whole.changed.push((id, edits));
                }
                Fate::Removed => whole.removed.push(id),
            }
        }
        Ok(whole)
    }

    /// A change without taking out members that this delta makes: they cannot have been in it.
    fn without_own(&self, edit: AttributeEdit) -> AttributeEdit {
        match edit {
            AttributeEdit::Members { added, mut removed } => {
                removed.retain(|id| !self.is_local(id.0));
                AttributeEdit::Members { added, removed }
            }
            set @ AttributeEdit::Set(_) => set,
        }
    }
}
