//! What was found out about instances, kept by instance and shared between threads.

use foldhash::HashMap;
use ifc::Id;
use parking_lot::Mutex;
use std::sync::{Arc, OnceLock};

/// Parts that are locked each by itself, so that threads seldom wait for each other.
const PARTS: usize = 16;

/// Values by instance, each made when it is first asked for.
pub(super) struct Memo<T> {
    /// Made with the first value: most checks ask nothing of materials or classifications.
    parts: OnceLock<Parts<T>>,
}

type Parts<T> = Box<[Mutex<HashMap<Id, Arc<T>>>; PARTS]>;

impl<T> Default for Memo<T> {
    fn default() -> Self {
        Self { parts: OnceLock::new() }
    }
}

impl<T> Memo<T> {
    /// The value of an instance. Two threads that ask for it at once may both make it; one of the two is kept.
    pub fn get(&self, id: Id, make: impl FnOnce() -> T) -> Arc<T> {
        // ids of one class often lie at equal distances, which a product spreads
        let at = (id.0.wrapping_mul(0x9E37_79B9) >> 28) as usize % PARTS;
        let parts = self.parts.get_or_init(|| Box::new(std::array::from_fn(|_| Mutex::default())));
        let Some(part) = parts.get(at) else { return Arc::new(make()) };
        if let Some(known) = part.lock().get(&id) {
            return Arc::clone(known);
        }
        let made = Arc::new(make());
        Arc::clone(part.lock().entry(id).or_insert(made))
    }
}
