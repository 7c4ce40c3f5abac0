//! The steps of a commit by name, so that tests can end the process at each of them. In a program that is no test there is
//! nothing here.
//!
//! # The order in which things become durable
//!
//! 1. Bytes that a version names (a large delta, a whole file, a checkpoint) are written to a staging file, which is synced;
//!    a hard link gives it its name, and the folder is synced. A blob with a name is whole; one that nothing names yet is
//!    garbage that harms nobody.
//! 2. Version, ref, event, audit entry and remembered answer go into one transaction. SQLite appends it to its write-ahead
//!    log and syncs that at `COMMIT` (`synchronous=FULL`); PostgreSQL flushes its own (`fsync`, `synchronous_commit=on`,
//!    which the connection insists on).
//! 3. Only then is the caller answered, and are subscribers told.
//!
//! Each step needs the one before it on disk and none after it, so a power cut between any two leaves the state before
//! the commit or the state after it, and at most a blob too many. A commit that was answered is after step 2. What a log
//! holds half is found by its checksums at the next start and ignored, by both engines. The folder of a new database is
//! synced once when the store is opened, so that the files themselves have their names.

#[cfg(not(test))]
#[inline(always)]
pub(crate) fn pass(_step: &'static str) {}

#[cfg(test)]
pub(crate) use armed::pass;

#[cfg(test)]
pub(crate) mod armed {
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU32, Ordering};

    /// The step at which the process ends, and how often it is passed before: `after COMMIT=3`.
    pub(crate) const VARIABLE: &str = "PENSAER_TEST_FAULT_POINT";

    /// Every step, in the order of a commit.
    pub(crate) const STEPS: [&str; 11] = [
        "blob written",
        "after BEGIN",
        "model row",
        "version row",
        "ref moved",
        "event row",
        "audit row",
        "answer row",
        "before COMMIT",
        "after COMMIT",
        "before the answer",
    ];

    static ARMED: OnceLock<Option<(String, AtomicU32)>> = OnceLock::new();

    /// Ends the process by SIGKILL if this is the step and the time.
    pub(crate) fn pass(step: &'static str) {
        assert!(STEPS.contains(&step), "{step} is in no test");
        let armed = ARMED.get_or_init(|| {
            let value = std::env::var(VARIABLE).ok()?;
            let (step, times) = value.split_once('=')?;
            Some((step.to_owned(), AtomicU32::new(times.parse().ok()?)))
        });
        if let Some((at, left)) = armed
            && at == step
            && left.fetch_sub(1, Ordering::SeqCst) == 1
        {
            let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL);
        }
    }
}
