//! What was found out about instances, kept by instance and shared between threads.

use foldhash::HashMap;
use ifc::Id;
use std::sync::{Arc, Mutex, PoisonError};

/// Parts that are locked each by itself, so that threads seldom wait for each other.
const PARTS: usize = 16;

/// Values by instance, each made when it is first asked for.
pub(super) struct Memo<T> {
    parts: [Mutex<HashMap<Id, Arc<T>>>; PARTS],
}

impl<T> Default for Memo<T> {
    fn default() -> Self {
        Self { parts: std::array::from_fn(|_| Mutex::default()) }
    }
}

impl<T> Memo<T> {
    /// The value of an instance. Two threads that ask for it at once may both make it; one of the two is kept.
    pub fn get(&self, id: Id, make: impl FnOnce() -> T) -> Arc<T> {
        // ids of one class often lie at equal distances, which a product spreads
        let at = (id.0.wrapping_mul(0x9E37_79B9) >> 28) as usize % PARTS;
        let Some(part) = self.parts.get(at) else { return Arc::new(make()) };
        let lock = || part.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(&id) {
            return Arc::clone(known);
        }
        let made = Arc::new(make());
        Arc::clone(lock().entry(id).or_insert(made))
    }
}
