//! Puts a delta over a model.

use super::{AttributeEdit, Content, Delta, DeltaError};
use crate::overlay::{Class, Slot, Stored};
use crate::{Id, Model, Value};
use std::sync::Arc;

impl Model {
    /// The model with a delta applied. O(delta). Either all of it is applied or none.
    pub fn apply(&self, delta: &Delta) -> Result<Self, DeltaError> {
        // a model opened from a file that was written in between may have forgotten ids that were given out
        let start = match self.next_id.max(delta.first) {
            // the ids were free where the delta was made
            start if start == delta.first => start,
            start => {
                let ordinals = delta.created.iter().map(|(ordinal, _)| *ordinal);
                self.free_ids(start, ordinals).ok_or(DeltaError::OutOfIds)?
            }
        };
        let end = start.checked_add(delta.allocated).ok_or(DeltaError::OutOfIds)?;
        let mut model = self.clone();
        let shift = |id: Id| match id.0.checked_sub(delta.first) {
            Some(ordinal) if ordinal < delta.allocated => Ok(Id(start + ordinal)),
            _ => Ok(id),
        };
        let stored = |content: &Content| -> Result<Slot, DeltaError> {
            let class = match self.schema().entity(&content.class) {
                Some(entity) => Class::Known(entity),
                None => Class::Raw(content.class.to_ascii_uppercase().into()),
            };
            let values = content.values.iter().map(|value| value.map_refs(&mut { shift }));
            Ok(Slot::Present(Arc::new(Stored { class, values: values.collect::<Result<_, _>>()? })))
        };
        for (id, content) in &delta.put {
            model.put(*id, stored(content)?);
        }
        for (ordinal, content) in &delta.created {
            let id = start.checked_add(*ordinal).ok_or(DeltaError::OutOfIds)?;
            model.put(id, stored(content)?);
        }
        for (id, edits) in &delta.changed {
            let mut stored = model.stored(Id(*id)).ok_or(DeltaError::Missing(Id(*id)))?;
            for (at, edit) in edits {
                let slot = stored.values.get_mut(*at as usize);
                let slot = slot.ok_or(DeltaError::MissingAttribute(Id(*id), *at))?;
                match edit {
                    AttributeEdit::Set(value) => *slot = value.map_refs(&mut { shift })?,
                    AttributeEdit::Members { added, removed } => change_members(slot, added, removed, shift)?,
                }
            }
            model.put(*id, Slot::Present(Arc::new(stored)));
        }
        for id in &delta.removed {
            if !model.contains(Id(*id)) {
                return Err(DeltaError::Missing(Id(*id)));
            }
            model.put(*id, Slot::Removed);
        }
        let largest = delta.put.iter().map(|(id, _)| id.saturating_add(1)).max().unwrap_or(0);
        model.next_id = if delta.allocated > 0 { end } else { self.next_id }.max(largest);
        Ok(model)
    }
}

fn change_members(
    slot: &mut Value,
    added: &[Id],
    removed: &[Id],
    shift: impl Fn(Id) -> Result<Id, DeltaError>,
) -> Result<(), DeltaError> {
    let mut members = match std::mem::take(slot) {
        Value::List(members) => members,
        // `$` or something else has no members
        _ => Vec::new(),
    };
    let removed: std::collections::HashSet<Id> = removed.iter().copied().collect();
    members.retain(|member| member.as_ref().is_none_or(|id| !removed.contains(&id)));
    let mut present: std::collections::HashSet<Id> = members.iter().filter_map(Value::as_ref).collect();
    for id in added {
        let id = shift(*id)?;
        if present.insert(id) {
            members.push(Value::Ref(id));
        }
    }
    *slot = Value::List(members);
    Ok(())
}
