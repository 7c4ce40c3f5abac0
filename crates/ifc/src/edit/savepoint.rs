//! Undoing a part of an edit. A savepoint costs nothing, for models share what they have in common; savepoints nest,
//! and going back to one forgets those taken after it, as SQL has it.

use super::Edit;
use crate::tree::Tree;
use crate::{EditError, Model};
use std::sync::atomic::{AtomicU64, Ordering};

/// A state of an edit to go back to.
#[must_use]
pub struct Savepoint {
    serial: u64,
    model: Model,
    touched: Tree<u32>,
}

/// Savepoints are told apart across all edits, so that none is used with another's.
static SERIAL: AtomicU64 = AtomicU64::new(0);

impl Edit {
    /// Remembers the edit as it is now. O(1).
    pub fn savepoint(&mut self) -> Savepoint {
        let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
        self.savepoints.push(serial);
        Savepoint { serial, model: self.model.clone(), touched: self.touched.clone() }
    }

    /// Goes back to a savepoint: ids given out since are free again. The savepoint stays; later ones are gone.
    pub fn roll_back(&mut self, savepoint: &Savepoint) -> Result<(), EditError> {
        let at = self.place(savepoint)?;
        self.savepoints.truncate(at + 1);
        self.model = savepoint.model.clone();
        self.touched = savepoint.touched.clone();
        Ok(())
    }

    /// Forgets a savepoint and those taken after it; the changes stay.
    pub fn release(&mut self, savepoint: &Savepoint) -> Result<(), EditError> {
        let at = self.place(savepoint)?;
        self.savepoints.truncate(at);
        Ok(())
    }

    /// Makes several changes or, if one of them fails, none. Attempts nest.
    pub fn attempt<T, E>(&mut self, body: impl FnOnce(&mut Self) -> Result<T, E>) -> Result<T, E> {
        let (model, touched) = (self.model.clone(), self.touched.clone());
        let savepoints = self.savepoints.clone();
        let result = body(self);
        if result.is_err() {
            self.model = model;
            self.touched = touched;
            self.savepoints = savepoints;
        }
        result
    }

    fn place(&self, savepoint: &Savepoint) -> Result<usize, EditError> {
        let found = self.savepoints.iter().rposition(|serial| *serial == savepoint.serial);
        found.ok_or(EditError::NoSavepoint)
    }
}
