//! The effort that one query may make: time, and terms that are held at once.
//!
//! The evaluator asks the data for triples, and there a budget can end it; but it also joins, sorts and groups rows that it holds, and
//! asks nobody then. It cannot do without copying terms, so every copy is counted, and where the budget is spent the copy unwinds to
//! [`Budget::run`]: without a message, and without anything left behind, for all that a query holds belongs to its thread. Nothing of the
//! model is written on the way, so there is nothing that could stay half done.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};

/// The reason why a query was ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exceeded {
    /// It took longer than it may.
    Time,
    /// It held more intermediate results than it may.
    Memory,
    /// The caller does not want the answer any more.
    Cancelled,
    /// The evaluator failed.
    Failed,
}

const CODES: [Exceeded; 4] = [Exceeded::Time, Exceeded::Memory, Exceeded::Cancelled, Exceeded::Failed];

/// A flag by which another thread ends a query.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicU8>);

impl Stop {
    /// Ends the query at its next step.
    pub fn set(&self, reason: Exceeded) {
        let code = CODES.iter().position(|known| *known == reason).unwrap_or_default();
        self.0.store(code as u8 + 1, Ordering::Relaxed);
    }

    fn get(&self) -> Option<Exceeded> {
        let code = usize::from(self.0.load(Ordering::Relaxed));
        code.checked_sub(1).and_then(|code| CODES.get(code).copied())
    }
}

/// Steps between two looks at flag and clock.
const STRIDE: u32 = 1024;
/// Bytes that count as one term.
const TERM: usize = 64;

thread_local! {
    static COUNTDOWN: Cell<u32> = const { Cell::new(STRIDE) };
    static HELD: Cell<u64> = const { Cell::new(0) };
    static MOST: Cell<u64> = const { Cell::new(u64::MAX) };
    static END: Cell<Option<Instant>> = const { Cell::new(None) };
    static STOP: RefCell<Option<Stop>> = const { RefCell::new(None) };
}

/// The bounds of one query.
#[derive(Debug, Clone)]
pub struct Budget {
    /// The longest that it may take.
    pub time: Duration,
    /// The most terms that it may hold at once.
    pub terms: u64,
    /// Ends it from elsewhere.
    pub stop: Stop,
}

impl Budget {
    /// Runs a query on this thread, which must run no other meanwhile.
    pub fn run<T>(&self, body: impl FnOnce() -> T) -> Result<T, Exceeded> {
        HELD.set(0);
        MOST.set(self.terms);
        END.set(Instant::now().checked_add(self.time));
        COUNTDOWN.set(STRIDE);
        STOP.set(Some(self.stop.clone()));
        // what the unwinding leaves behind are values of this query, which end with it
        let outcome = catch_unwind(AssertUnwindSafe(body));
        MOST.set(u64::MAX);
        END.set(None);
        STOP.set(None);
        outcome.map_err(|cause| cause.downcast::<Exceeded>().map_or(Exceeded::Failed, |reason| *reason))
    }
}

/// Counts a step, and ends the query where its budget is spent.
pub fn step() {
    let left = COUNTDOWN.get();
    if left > 0 {
        COUNTDOWN.set(left - 1);
        return;
    }
    COUNTDOWN.set(STRIDE);
    let stopped = STOP.try_with(|stop| stop.borrow().as_ref().and_then(Stop::get)).unwrap_or_default();
    if let Some(reason) = stopped {
        exceed(reason);
    }
    if END.get().is_some_and(|end| Instant::now() > end) {
        exceed(Exceeded::Time);
    }
}

/// Runs what is made once and kept for all queries: its time is not that of the query that happens to need it first.
pub fn pause<T>(body: impl FnOnce() -> T) -> T {
    let begun = Instant::now();
    let made = body();
    END.set(END.get().and_then(|end| end.checked_add(begun.elapsed())));
    made
}

/// Counts a term that is held from now on, of so many bytes beside its own.
pub fn hold(bytes: usize) {
    let held = HELD.get().saturating_add(weight(bytes));
    HELD.set(held);
    if held > MOST.get() {
        exceed(Exceeded::Memory);
    }
    step();
}

/// Counts a term that is held no longer.
pub fn release(bytes: usize) {
    HELD.set(HELD.get().saturating_sub(weight(bytes)));
}

fn weight(bytes: usize) -> u64 {
    1 + (bytes / TERM) as u64
}

fn exceed(reason: Exceeded) {
    if !std::thread::panicking() {
        resume_unwind(Box::new(reason));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget(time: Duration, terms: u64) -> Budget {
        Budget { time, terms, stop: Stop::default() }
    }

    #[test]
    fn what_holds_too_much_ends() {
        let budget = budget(Duration::from_secs(60), 1000);
        assert_eq!(budget.run(|| (0..1000).for_each(|_| hold(0))), Ok(()));
        assert_eq!(budget.run(|| (0..1001).for_each(|_| hold(0))), Err(Exceeded::Memory));
        let given_back = || (0..100_000).for_each(|_| (hold(0), release(0)).0);
        assert_eq!(budget.run(given_back), Ok(()));
    }

    #[test]
    fn what_is_made_for_all_queries_takes_no_time_of_one() {
        let body = || {
            pause(|| std::thread::sleep(Duration::from_millis(60)));
            (0..=STRIDE).for_each(|_| step());
        };
        assert_eq!(budget(Duration::from_millis(50), 1).run(body), Ok(()));
    }

    #[test]
    fn what_takes_too_long_or_is_not_wanted_ends() {
        let endless = || {
            loop {
                step();
            }
        };
        assert_eq!(budget(Duration::ZERO, 1).run(endless), Err::<(), _>(Exceeded::Time));
        let unwanted = budget(Duration::from_secs(600), 1);
        unwanted.stop.set(Exceeded::Cancelled);
        assert_eq!(unwanted.run(endless), Err::<(), _>(Exceeded::Cancelled));
    }
}
