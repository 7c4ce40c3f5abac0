//! Opened versions, kept for the next call. Versions are immutable, so an entry is never wrong, only absent.
//!
//! Versions that come from one whole file form a lineage and share its memory: a lineage is charged with the weight of
//! its heaviest version and a little for each, and is evicted as a whole, the one unused for longest first. Two calls
//! for a version that is not open yet open it once.

use contract::{Fault, OpenedModel, VersionId};
use parking_lot::{Condvar, Mutex};
use std::collections::HashMap;
use std::sync::Arc;

/// The cost in bytes of one more version of a lineage beside its heaviest: maps of an overlay that it does not share.
const PER_VERSION: u64 = 16 * 1024;
/// Versions kept of one lineage.
const VERSIONS: usize = 256;

/// The adapter's position in the host, and the version.
pub(crate) type Key = (usize, VersionId);

/// Versions of one whole file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct LineageId(u64);

/// A version found or opened, and the lineage it belongs to.
#[derive(Clone)]
pub(crate) struct Held {
    pub(crate) model: OpenedModel,
    pub(crate) lineage: LineageId,
}

struct Entry {
    held: Held,
    used: u64,
}

#[derive(Default)]
struct Lineage {
    versions: Vec<Key>,
    heaviest: u64,
    used: u64,
}

impl Lineage {
    fn charge(&self) -> u64 {
        self.heaviest.saturating_add(PER_VERSION * self.versions.len() as u64)
    }
}

#[derive(Default)]
struct State {
    entries: HashMap<Key, Entry>,
    lineages: HashMap<LineageId, Lineage>,
    flights: HashMap<Key, Arc<Flight>>,
    clock: u64,
    next_lineage: u64,
}

/// How far an opening is.
#[derive(Default)]
enum FlightState {
    #[default]
    Pending,
    Failed,
    Opened(Held),
}

/// An opening under way; others wait for its end.
#[derive(Default)]
struct Flight {
    state: Mutex<FlightState>,
    signal: Condvar,
}

/// Opened versions under a bound of bytes.
pub(crate) struct Cache {
    state: Mutex<State>,
    limit: u64,
}

impl Cache {
    pub(crate) fn new(limit: u64) -> Self {
        Self { state: Mutex::default(), limit }
    }

    /// The version, if it is held open.
    pub(crate) fn get(&self, key: &Key) -> Option<Held> {
        self.state.lock().touch(key)
    }

    /// Keeps a version: in a lineage, or as the first of a new one.
    pub(crate) fn insert(&self, key: Key, model: OpenedModel, lineage: Option<LineageId>) -> Held {
        self.state.lock().insert(key, model, lineage, self.limit)
    }

    /// The version, held or opened now. `open` runs without any lock and at most once at a time for one key; it
    /// answers the model and the lineage it was derived within. If another caller's opening fails, this one tries its
    /// own, because it may bring other sources.
    pub(crate) fn get_or_open(
        &self,
        key: &Key,
        open: impl FnOnce() -> Result<(OpenedModel, Option<LineageId>), Fault>,
    ) -> Result<Held, Fault> {
        let flight = loop {
            let waiting = {
                let mut state = self.state.lock();
                if let Some(held) = state.touch(key) {
                    return Ok(held);
                }
                let Some(flight) = state.flights.get(key) else {
                    let flight = Arc::new(Flight::default());
                    state.flights.insert(key.clone(), Arc::clone(&flight));
                    break flight;
                };
                Arc::clone(flight)
            };
            if let Some(held) = waiting.wait() {
                return Ok(held);
            }
        };
        let mut guard = FlightGuard { cache: self, key, flight: &flight, held: None };
        let (model, lineage) = open()?;
        let held = self.insert(key.clone(), model, lineage);
        guard.held = Some(held.clone());
        Ok(held)
    }

    /// Bytes charged, lineages and versions held.
    pub(crate) fn usage(&self) -> (u64, usize, usize) {
        let state = self.state.lock();
        (state.total(), state.lineages.len(), state.entries.len())
    }
}

impl Flight {
    fn wait(&self) -> Option<Held> {
        let mut state = self.state.lock();
        loop {
            match &*state {
                FlightState::Pending => {
                    self.signal.wait(&mut state);
                }
                FlightState::Failed => return None,
                FlightState::Opened(held) => return Some(held.clone()),
            }
        }
    }
}

/// Ends a flight on every way out of an opening, a panic included.
struct FlightGuard<'a> {
    cache: &'a Cache,
    key: &'a Key,
    flight: &'a Flight,
    held: Option<Held>,
}

impl Drop for FlightGuard<'_> {
    fn drop(&mut self) {
        self.cache.state.lock().flights.remove(self.key);
        *self.flight.state.lock() = self.held.take().map_or(FlightState::Failed, FlightState::Opened);
        self.flight.signal.notify_all();
    }
}

impl State {
    fn touch(&mut self, key: &Key) -> Option<Held> {
        self.clock += 1;
        let entry = self.entries.get_mut(key)?;
        entry.used = self.clock;
        if let Some(lineage) = self.lineages.get_mut(&entry.held.lineage) {
            lineage.used = self.clock;
        }
        Some(entry.held.clone())
    }

    fn insert(&mut self, key: Key, model: OpenedModel, lineage: Option<LineageId>, limit: u64) -> Held {
        if let Some(held) = self.touch(&key) {
            return held;
        }
        // A lineage evicted meanwhile starts anew: its memory is still held by this very model.
        let id = lineage.filter(|id| self.lineages.contains_key(id)).unwrap_or_else(|| {
            self.next_lineage += 1;
            LineageId(self.next_lineage)
        });
        let lineage = self.lineages.entry(id).or_default();
        lineage.versions.push(key.clone());
        lineage.heaviest = lineage.heaviest.max(model.weight);
        lineage.used = self.clock;
        let held = Held { model, lineage: id };
        self.entries.insert(key, Entry { held: held.clone(), used: self.clock });
        self.thin(id);
        self.evict(id, limit);
        held
    }

    /// Drops the version of a lineage that was unused for longest, if there are too many.
    fn thin(&mut self, id: LineageId) {
        let Some(lineage) = self.lineages.get_mut(&id) else { return };
        if lineage.versions.len() <= VERSIONS {
            return;
        }
        let used = |key: &Key| self.entries.get(key).map_or(0, |entry| entry.used);
        let oldest = lineage.versions.iter().enumerate().min_by_key(|(_, key)| used(key)).map(|(at, _)| at);
        if let Some(at) = oldest {
            let key = lineage.versions.swap_remove(at);
            self.entries.remove(&key);
        }
    }

    /// Drops whole lineages but the given one until the rest fits.
    fn evict(&mut self, keep: LineageId, limit: u64) {
        while self.total() > limit {
            let oldest = self.lineages.iter().filter(|(id, _)| **id != keep).min_by_key(|(_, l)| l.used);
            let Some(id) = oldest.map(|(id, _)| *id) else { return };
            if let Some(lineage) = self.lineages.remove(&id) {
                for key in lineage.versions {
                    self.entries.remove(&key);
                }
            }
        }
    }

    fn total(&self) -> u64 {
        self.lineages.values().map(Lineage::charge).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn model(weight: u64) -> OpenedModel {
        OpenedModel { inner: Arc::new(()), weight }
    }

    fn key(name: &str) -> Key {
        (0, VersionId::from(name))
    }

    #[test]
    fn two_calls_for_one_version_open_it_once() {
        let cache = Cache::new(1 << 30);
        let opened = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    cache.get_or_open(&key("v"), || {
                        opened.fetch_add(1, Ordering::SeqCst);
                        std::thread::sleep(std::time::Duration::from_millis(20));
                        Ok((model(1), None))
                    })
                });
            }
        });
        assert_eq!(opened.load(Ordering::SeqCst), 1);
    }

    #[test]
    fn a_failed_or_panicking_opening_leaves_the_version_to_the_next_caller() {
        let cache = Cache::new(1 << 30);
        assert!(cache.get_or_open(&key("v"), || Err(Fault::backend("no"))).is_err());
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            cache.get_or_open(&key("v"), || panic!("inside the adapter"))
        }));
        assert!(panicked.is_err());
        assert!(cache.get_or_open(&key("v"), || Ok((model(1), None))).is_ok());
    }

    #[test]
    fn the_lineage_unused_for_longest_is_evicted_whole() {
        let cache = Cache::new(1_000_000);
        let base = cache.insert(key("a0"), model(400_000), None);
        cache.insert(key("a1"), model(410_000), Some(base.lineage));
        cache.insert(key("b0"), model(400_000), None);
        assert_eq!(cache.usage().1, 2, "versions of one file share its weight");
        assert!(cache.get(&key("a1")).is_some());
        cache.insert(key("c0"), model(400_000), None);
        assert!(cache.get(&key("b0")).is_none());
        assert!(cache.get(&key("a0")).is_some());
        assert!(cache.get(&key("c0")).is_some());
    }

    #[test]
    fn a_long_history_keeps_its_latest_versions() {
        let cache = Cache::new(1 << 30);
        let lineage = cache.insert(key("0"), model(10), None).lineage;
        for n in 1..1000 {
            cache.insert(key(&n.to_string()), model(10), Some(lineage));
        }
        assert_eq!(cache.usage().2, VERSIONS);
        assert!(cache.get(&key("999")).is_some());
        assert!(cache.get(&key("1")).is_none());
    }
}
