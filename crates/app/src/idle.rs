//! Knows whether anybody is there, so that a daemon that was started for clients ends when they have gone.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Counts those who are connected and remembers when the last one was.
pub(crate) struct Presence {
    origin: Instant,
    connected: AtomicUsize,
    last_ms: AtomicU64,
}

/// Somebody is there until this is dropped.
pub(crate) struct Present(Arc<Presence>);

impl Presence {
    pub(crate) fn new() -> Self {
        Self { origin: Instant::now(), connected: AtomicUsize::new(0), last_ms: AtomicU64::new(0) }
    }

    /// Somebody came.
    pub(crate) fn enter(self: &Arc<Self>) -> Present {
        self.connected.fetch_add(1, Ordering::SeqCst);
        self.seen();
        Present(Arc::clone(self))
    }

    /// Returns the number of those who are there.
    pub(crate) fn connected(&self) -> usize {
        self.connected.load(Ordering::SeqCst)
    }

    fn seen(&self) {
        let now = u64::try_from(self.origin.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.last_ms.fetch_max(now, Ordering::SeqCst);
    }

    /// Returns the time for which nobody has been there.
    pub(crate) fn idle(&self) -> Duration {
        if self.connected.load(Ordering::SeqCst) > 0 {
            return Duration::ZERO;
        }
        self.origin.elapsed().saturating_sub(Duration::from_millis(self.last_ms.load(Ordering::SeqCst)))
    }

    /// Comes back when nobody has been there for so long.
    pub(crate) async fn wait_until_idle_for(&self, limit: Duration) {
        loop {
            let idle = self.idle();
            if idle >= limit {
                return;
            }
            tokio::time::sleep(limit.saturating_sub(idle).max(Duration::from_millis(50))).await;
        }
    }
}

impl Drop for Present {
    fn drop(&mut self) {
        self.0.seen();
        self.0.connected.fetch_sub(1, Ordering::SeqCst);
    }
}
