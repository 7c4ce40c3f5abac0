//! One lock for each name, handed on in the order of asking, forgotten when nobody holds or wants it.

use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};

type Table = Mutex<HashMap<String, Arc<AsyncMutex<()>>>>;

/// Locks by name.
#[derive(Clone, Default)]
pub(crate) struct Locks {
    table: Arc<Table>,
}

/// Held until dropped.
pub(crate) struct Held {
    table: Arc<Table>,
    name: String,
    guard: Option<OwnedMutexGuard<()>>,
}

impl Locks {
    /// Waits for its turn.
    pub(crate) async fn lock(&self, name: &str) -> Held {
        let lock = {
            let mut table = self.table.lock();
            Arc::clone(table.entry(name.to_owned()).or_default())
        };
        // Made before waiting, so that a waiter that gives up tidies after itself too.
        let mut held = Held { table: Arc::clone(&self.table), name: name.to_owned(), guard: None };
        held.guard = Some(lock.lock_owned().await);
        held
    }

    /// Takes the lock if nobody has it.
    pub(crate) fn try_lock(&self, name: &str) -> Option<Held> {
        let mut table = self.table.lock();
        let guard = Arc::clone(table.entry(name.to_owned()).or_default()).try_lock_owned().ok()?;
        drop(table);
        Some(Held { table: Arc::clone(&self.table), name: name.to_owned(), guard: Some(guard) })
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut table = self.table.lock();
        self.guard = None;
        // Counted under the table's lock: only the table still has it, so nobody waits.
        if table.get(&self.name).is_some_and(|lock| Arc::strong_count(lock) == 1) {
            table.remove(&self.name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[tokio::test]
    async fn one_at_a_time_per_name_and_nothing_is_left_behind() {
        let locks = Locks::default();
        let inside = Arc::new(AtomicUsize::new(0));
        let tasks: Vec<_> = (0..40)
            .map(|n| {
                let (locks, inside) = (locks.clone(), Arc::clone(&inside));
                tokio::spawn(async move {
                    let _held = locks.lock("model").await;
                    assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0, "task {n} is not alone");
                    tokio::task::yield_now().await;
                    inside.fetch_sub(1, Ordering::SeqCst);
                })
            })
            .collect();
        for task in tasks {
            task.await.unwrap();
        }
        assert!(locks.table.lock().is_empty());
    }

    #[tokio::test]
    async fn a_waiter_that_gives_up_leaves_nothing_behind() {
        let locks = Locks::default();
        let held = locks.lock("a").await;
        let gave_up = tokio::time::timeout(std::time::Duration::from_millis(5), locks.lock("a")).await;
        assert!(gave_up.is_err());
        assert!(locks.try_lock("a").is_none());
        drop(held);
        assert!(locks.table.lock().is_empty());
    }
}
