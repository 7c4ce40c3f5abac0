//! Who has a call at the moment.

use super::local::Local;
use super::worker::Worker;
use parking_lot::Mutex;
use std::sync::Arc;

/// The worker that a call is with, for the one who may have to kill it.
#[derive(Default)]
pub(super) struct Holder(Mutex<Option<(Arc<Local>, Arc<Worker>)>>);

impl Holder {
    pub(super) fn set(&self, place: &Arc<Local>, worker: &Arc<Worker>) {
        *self.0.lock() = Some((Arc::clone(place), Arc::clone(worker)));
    }

    /// It is with none on this machine.
    pub(super) fn clear(&self) {
        *self.0.lock() = None;
    }

    pub(super) fn get(&self) -> Option<(Arc<Local>, Arc<Worker>)> {
        self.0.lock().clone()
    }
}
