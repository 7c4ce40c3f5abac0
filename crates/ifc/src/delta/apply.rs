//! Puts a delta over a model.

use super::{Content, Delta, DeltaError, combine};
use crate::overlay::{Class, Slot, Stored};
use crate::{Id, Model};
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
        for (id, _, content) in &delta.put {
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
                combine::change(slot, &edit.map_refs(&mut { shift })?);
            }
            model.put(*id, Slot::Present(Arc::new(stored)));
        }
        for id in &delta.removed {
            if !model.contains(Id(*id)) {
                return Err(DeltaError::Missing(Id(*id)));
            }
            model.put(*id, Slot::Removed);
        }
        let largest = delta.put.iter().map(|(id, ..)| id.saturating_add(1)).max().unwrap_or(0);
        model.next_id = if delta.allocated > 0 { end } else { self.next_id }.max(largest);
        Ok(model)
    }
}

impl Model {
    /// True if an instance is what the opened file has under this id, so that it need not be kept, and its bytes can
    /// stay as they are. Ends at the first difference; what cannot be read is never the same.
    pub(crate) fn is_as_opened(&self, id: u32, stored: &Stored) -> bool {
        let Some(row) = self.base.row(id) else { return false };
        let same_class = match (&stored.class, self.base.entity(row)) {
            (Class::Known(one), Some(other)) => one.id == other.id,
            (Class::Raw(name), None) => **name == *self.base.class_name(row),
            _ => false,
        };
        let Some(mut cursor) = self.base.attributes(row).filter(|_| same_class) else { return false };
        let spelling = |name: &str| self.schema().type_declaration(name).map(|declaration| declaration.name);
        let last = stored.values.len().saturating_sub(1);
        for (at, value) in stored.values.iter().enumerate() {
            let same = cursor.value(&spelling).is_ok_and(|other| other.is_identical(value));
            if !same || !cursor.take(if at == last { b')' } else { b',' }) {
                return false;
            }
        }
        !stored.values.is_empty() || cursor.take(b')')
    }
}
