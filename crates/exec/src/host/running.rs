//! An operation that runs: how far it is, and whether its caller still waits.

use crate::transport::Caller;
use contract::{OperationId, Progress, Watch};
use parking_lot::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Characters of a step's name that are kept.
const NAME: usize = 80;

/// The time in ms between two looks at whether a caller is still there: each is a call of the kernel.
const PULSE: u64 = 10;

/// An operation that was begun and has not ended.
pub(super) struct Running {
    id: OperationId,
    step: Mutex<(u32, String)>,
    done: AtomicU64,
    total: AtomicU64,
    given_up: AtomicBool,
    caller: Option<Caller>,
    begun: Instant,
    /// When the caller was looked for, in milliseconds since it was begun.
    looked: AtomicU64,
    /// True once its thread was given back.
    given_back: AtomicBool,
}

impl Running {
    pub(super) fn new(id: &OperationId, caller: Option<&Caller>) -> Self {
        Self {
            caller: caller.cloned(),
            begun: Instant::now(),
            looked: AtomicU64::new(0),
            given_back: AtomicBool::new(false),
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

    /// True if it runs for longer than this.
    pub(super) fn lasts(&self, longer_than: Duration) -> bool {
        self.begun.elapsed() > longer_than
    }

    /// True once it gave its thread back.
    pub(super) fn gave_back(&self) -> bool {
        self.given_back.load(Ordering::SeqCst)
    }

    /// Gives its thread back; true the first time.
    pub(super) fn hand_back(&self) -> bool {
        !self.given_back.swap(true, Ordering::SeqCst)
    }

    /// Returns the progress of the call. Numbers of two steps are never mixed.
    pub(super) fn progress(&self) -> Progress {
        let step = self.step.lock();
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
        let mut step = self.step.lock();
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
        if let Some(caller) = &self.caller {
            let now = self.begun.elapsed().as_millis() as u64;
            if now >= self.looked.load(Ordering::Relaxed).saturating_add(PULSE) {
                self.looked.store(now, Ordering::Relaxed);
                self.given_up.fetch_or(caller.is_gone(), Ordering::Relaxed);
            }
        }
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
