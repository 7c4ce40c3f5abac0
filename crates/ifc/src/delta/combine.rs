//! One change of an attribute put upon a value, or upon another change.

use super::AttributeEdit;
use crate::{Id, Value};
use std::collections::HashSet;

impl AttributeEdit {
    /// Returns the delta with every reference put through `map`.
    pub fn map_refs<E>(&self, map: &mut impl FnMut(Id) -> Result<Id, E>) -> Result<Self, E> {
        Ok(match self {
            Self::Set(value) => Self::Set(value.map_refs(map)?),
            Self::Members { added, removed } => Self::Members {
                added: added.iter().map(|id| map(*id)).collect::<Result<_, E>>()?,
                removed: removed.iter().map(|id| map(*id)).collect::<Result<_, E>>()?,
            },
        })
    }

    /// Calls `each` with what it newly refers to, or may.
    pub(crate) fn for_each_new_ref(&self, each: &mut impl FnMut(Id)) {
        match self {
            Self::Set(value) => value.for_each_ref(each),
            Self::Members { added, .. } => added.iter().for_each(|id| each(*id)),
        }
    }

    /// This change and then `next`, as one. Whatever the value was, the outcome is that of both in turn.
    pub fn then(self, next: &Self) -> Self {
        match (self, next) {
            (_, Self::Set(value)) => Self::Set(value.clone()),
            (Self::Set(mut value), members) => {
                change(&mut value, members);
                Self::Set(value)
            }
            (
                Self::Members { added, removed },
                Self::Members { added: added_next, removed: removed_next },
            ) => {
                let gone: HashSet<Id> = removed_next.iter().copied().collect();
                let added = added.into_iter().filter(|id| !gone.contains(id));
                Self::Members {
                    added: distinct(added.chain(added_next.iter().copied())),
                    removed: distinct(removed.into_iter().chain(removed_next.iter().copied())),
                }
            }
        }
    }
}

fn distinct(ids: impl Iterator<Item = Id>) -> Vec<Id> {
    let mut seen = HashSet::new();
    ids.filter(|id| seen.insert(*id)).collect()
}

/// Does to a value what the change says. Members go to the end, in their order, unless they are in it already; `$` and
/// whatever else is no list has no members.
pub(crate) fn change(slot: &mut Value, edit: &AttributeEdit) {
    let (added, removed) = match edit {
        AttributeEdit::Set(value) => {
            *slot = value.clone();
            return;
        }
        AttributeEdit::Members { added, removed } => (added, removed),
    };
    let mut members = match std::mem::take(slot) {
        Value::List(members) => members,
        _ => Vec::new(),
    };
    if !removed.is_empty() {
        let removed: HashSet<Id> = removed.iter().copied().collect();
        members.retain(|member| member.as_ref().is_none_or(|id| !removed.contains(&id)));
    }
    let mut present: HashSet<Id> = members.iter().filter_map(Value::as_ref).collect();
    members.extend(added.iter().filter(|id| present.insert(**id)).map(Value::from));
    *slot = Value::List(members);
}
