//! A value for every instance of a model, held by row for those of the file and by id for those added, so that looking
//! at all of a large model costs its rows and no hash of ids.

use crate::instance::Source;
use crate::{Id, Model};
use std::collections::HashMap;

/// A value for every instance.
pub(crate) struct Dense<T> {
    rows: Vec<T>,
    added: HashMap<u32, T>,
}

impl<T: Copy + Default> Dense<T> {
    pub fn new(model: &Model) -> Self {
        Self { rows: vec![T::default(); model.base.len()], added: HashMap::new() }
    }

    /// Returns the value held for an instance; the default for one that has nothing yet.
    pub fn get(&self, model: &Model, id: u32) -> T {
        match model.base.row(id) {
            Some(row) => self.rows.get(row).copied().unwrap_or_default(),
            None => self.added.get(&id).copied().unwrap_or_default(),
        }
    }

    pub fn set(&mut self, model: &Model, id: u32, value: T) {
        match model.base.row(id) {
            Some(row) => {
                if let Some(slot) = self.rows.get_mut(row) {
                    *slot = value;
                }
            }
            None => {
                self.added.insert(id, value);
            }
        }
    }
}

impl Model {
    /// Calls `each` with everything that an instance refers to, without decoding it where it stands in the file.
    pub fn each_reference_of(&self, id: u32, mut each: impl FnMut(u32)) {
        match self.get(Id(id)).map(|instance| instance.source) {
            Some(Source::Base(row)) => crate::index::each_reference(self.base.text(row), each),
            Some(Source::Overlay(stored)) => {
                for value in &stored.values {
                    value.for_each_ref(&mut |target| each(target.0));
                }
            }
            None => {}
        }
    }

    /// All instances, each behind what it refers to, as far as references go in no circle; otherwise in the order of
    /// [`Model::ids`].
    pub(crate) fn by_dependency(&self) -> Vec<Id> {
        let mut seen: Dense<bool> = Dense::new(self);
        let mut order = Vec::with_capacity(self.len());
        // what is open, with the references that are still to be looked at
        let mut open: Vec<(u32, Vec<u32>)> = Vec::new();
        for first in self.ids() {
            if seen.get(self, first.0) {
                continue;
            }
            seen.set(self, first.0, true);
            open.push((first.0, self.references_backward(first.0)));
            while let Some((id, rest)) = open.last_mut() {
                match rest.pop() {
                    None => {
                        order.push(Id(*id));
                        open.pop();
                    }
                    Some(next) if seen.get(self, next) || !self.contains(Id(next)) => {}
                    Some(next) => {
                        seen.set(self, next, true);
                        open.push((next, self.references_backward(next)));
                    }
                }
            }
        }
        order
    }

    fn references_backward(&self, id: u32) -> Vec<u32> {
        let mut targets = Vec::new();
        self.each_reference_of(id, |target| targets.push(target));
        targets.reverse();
        targets
    }
}
