//! A transaction on a model. Every change is checked against the schema before it is accepted; the model it began
//! from stays as it is. [`Edit::finish`] hands out the next model with the delta between them, and dropping the edit
//! forgets it. Within it, [`Edit::savepoint`] and [`Edit::attempt`] undo a part.

mod attributes;
pub mod check;
mod copy;
mod error;
mod history;
mod purge;
mod reassign;
mod remove;
mod replace;
mod savepoint;
pub mod settle;
#[cfg(test)]
mod tests;

pub use copy::{Copied, CopyError, CopyOptions, GlobalIds, Histories, Placement, UnitPolicy};
pub use error::EditError;
pub use history::Change as HistoryChange;
pub use purge::{Purged, Unused};
pub use reassign::Reassigned;
pub use remove::{Changed, Fate, Referrers, Removal, Removed};
pub use savepoint::Savepoint;

use crate::delta::Delta;
use crate::overlay::{Class, Slot, Stored};
use crate::tree::Tree;
use crate::units::declared;
use crate::{Id, Model, Value};
use std::sync::Arc;

/// Pending changes. It derefs to the model as it would be with them.
pub struct Edit {
    model: Model,
    before: Model,
    touched: Tree<u32>,
    savepoints: Vec<u64>,
}

impl std::ops::Deref for Edit {
    type Target = Model;
    fn deref(&self) -> &Model {
        &self.model
    }
}

impl Edit {
    fn new(model: Model) -> Self {
        Self { before: model.clone(), model, touched: Tree::default(), savepoints: Vec::new() }
    }

    /// The model as it was before this edit.
    pub fn before(&self) -> &Model {
        &self.before
    }

    /// The model as it would be now.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// True if nothing was changed yet.
    pub fn is_empty(&self) -> bool {
        self.touched.is_empty()
    }

    /// The instances that were created, changed or removed so far, by id.
    pub fn touched(&self) -> impl Iterator<Item = Id> + '_ {
        self.touched.iter().map(|(id, ())| Id(*id))
    }

    /// Ends the edit: the model with its changes, and the delta that holds exactly these. O(changes).
    pub fn finish(self) -> (Model, Delta) {
        let delta = Delta::of_touched(&self.before, &self.model, self.touched.iter().map(|(id, ())| *id));
        (self.model, delta)
    }

    /// Takes the next id.
    fn next(&mut self) -> Result<u32, EditError> {
        let id = self.model.free_id(self.model.next_id).ok_or(EditError::OutOfIds)?;
        self.model.next_id = id.checked_add(1).ok_or(EditError::OutOfIds)?;
        Ok(id)
    }

    /// Puts checked values into attributes of an instance, by place.
    fn amend(&mut self, id: Id, changes: impl IntoIterator<Item = (usize, Value)>) {
        let changes: Vec<(usize, Value)> = changes.into_iter().collect();
        let stored = if let Some(Slot::Present(stored)) = self.model.overlay.get(id.0) {
            // what is replaced is not copied: it may have thousands of members
            let kept = stored.values.iter().enumerate().map(|(at, value)| {
                if changes.iter().any(|(place, _)| *place == at) { Value::Null } else { value.clone() }
            });
            Some(Stored { class: stored.class.clone(), values: kept.collect() })
        } else {
            self.model.stored(id)
        };
        let Some(mut stored) = stored else { return };
        stored.amend(changes);
        self.put(id.0, Slot::Present(Arc::new(stored)));
    }

    fn put(&mut self, id: u32, slot: Slot) {
        self.model.put(id, slot);
        self.touched.insert(id, ());
    }
}

impl Stored {
    /// Puts values into attributes, by place.
    fn amend(&mut self, changes: impl IntoIterator<Item = (usize, Value)>) {
        for (at, value) in changes {
            if self.values.len() <= at {
                self.values.resize(at + 1, Value::Null);
            }
            if let Some(slot) = self.values.get_mut(at) {
                *slot = value;
            }
        }
    }
}

impl Model {
    /// Begins an edit.
    pub fn edit(&self) -> Edit {
        Edit::new(self.clone())
    }

    /// An instance's content, as the overlay keeps it.
    pub fn stored(&self, id: Id) -> Option<Stored> {
        if let Some(Slot::Present(stored)) = self.overlay.get(id.0) {
            return Some(Stored::clone(stored));
        }
        let instance = self.get(id)?;
        let class = match instance.entity() {
            Some(entity) => Class::Known(entity),
            None => Class::Raw(instance.class_name().into()),
        };
        Some(Stored { class, values: instance.attributes() })
    }

    /// Puts an instance or its removal over what is there, and keeps the count. Nothing is checked: it is for merges and
    /// conversions, which settle the whole model afterwards; all else goes through [`Edit`].
    pub fn put(&mut self, id: u32, slot: Slot) {
        let old = self.get(Id(id)).map(|instance| declared::is_read(instance.entity()));
        let before = old.is_some();
        let (after, new) = match &slot {
            Slot::Present(stored) => (true, declared::is_read(stored.class.entity())),
            Slot::Removed => (false, false),
        };
        if new || old == Some(true) {
            self.overlay.units = Arc::default();
        }
        let in_file = self.base.row(id).is_some();
        let as_opened = match &slot {
            Slot::Present(stored) => self.is_as_opened(id, stored),
            Slot::Removed => !in_file,
        };
        if as_opened {
            // made and unmade, or changed and changed back: no trace
            self.overlay.forget(id, in_file);
        } else {
            self.overlay.put(id, slot, in_file);
        }
        match (before, after) {
            (false, true) => self.count += 1,
            (true, false) => self.count -= 1,
            _ => {}
        }
    }
}
