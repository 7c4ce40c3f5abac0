//! An operation that runs: how far it is, and whether its caller still waits.

use contract::{OperationId, Progress, Watch};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Characters of a step's name that are kept.
const NAME: usize = 80;

/// An operation that was begun and has not ended.
pub(super) struct Running {
    id: OperationId,
    step: Mutex<(u32, String)>,
    done: AtomicU64,
    total: AtomicU64,
    given_up: AtomicBool,
}

impl Running {
    pub(super) fn new(id: &OperationId) -> Self {
        Self {
            id: id.clone(),
            step: Mutex::default(),
            done: AtomicU64::new(0),
            total: AtomicU64::new(0),
            given_up: AtomicBool::new(false),
        }
    }

    pub(super) fn id(&self) -> &OperationId {
        &self.id
    }

    /// How far it is. Numbers of two steps are never mixed.
    pub(super) fn progress(&self) -> Progress {
        let step = self.step.lock().unwrap_or_else(PoisonError::into_inner);
        let total = self.total.load(Ordering::Relaxed);
        Progress {
            step: step.0,
            what: step.1.clone(),
            done: self.done.load(Ordering::Relaxed),
            total: (total > 0).then_some(total),
        }
    }
}

impl Watch for Running {
    fn begins(&self, what: &str) {
        let mut step = self.step.lock().unwrap_or_else(PoisonError::into_inner);
        *step = (step.0.saturating_add(1), what.chars().take(NAME).collect());
        self.done.store(0, Ordering::Relaxed);
        self.total.store(0, Ordering::Relaxed);
    }

    fn at(&self, done: u64, total: u64) -> bool {
        // threads report in any order
        self.done.fetch_max(done, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
        self.wanted()
    }

    fn wanted(&self) -> bool {
        !self.given_up.load(Ordering::Relaxed)
    }
}

/// Somebody waits for an operation for as long as this lives.
pub(super) struct Wanted<'a>(&'a Running);

impl<'a> Wanted<'a> {
    pub(super) fn new(running: &'a Running) -> Self {
        Self(running)
    }
}

impl Drop for Wanted<'_> {
    fn drop(&mut self) {
        self.0.given_up.store(true, Ordering::Relaxed);
    }
}
