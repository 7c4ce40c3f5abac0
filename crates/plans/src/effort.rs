//! The work on a drawing: counted, bounded, and ended where nobody wants its outcome any more.

use std::cell::Cell;

/// Asked some hundred times a second while a drawing is read or recognised: false ends it with [`crate::Error::GivenUp`].
pub type Wanted<'a> = &'a dyn Fn() -> bool;

/// Pieces of work from one question to the next.
const BETWEEN: u64 = 100_000;

/// Pieces of work for one drawing, each a comparison of some ten nanoseconds: ten times what an airport takes.
const MOST: u64 = 400_000_000;

/// The reason why work ends early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// Nobody wants the outcome.
    GivenUp,
    /// More has to be compared than in any plan.
    TooMuch,
}

/// The work that was done for a drawing.
pub(crate) struct Effort<'a> {
    wanted: Wanted<'a>,
    most: u64,
    done: Cell<u64>,
    next: Cell<u64>,
    end: Cell<Option<End>>,
}

impl<'a> Effort<'a> {
    /// Work that ends by itself where it is too much.
    pub(crate) fn new(wanted: Wanted<'a>) -> Self {
        Self { most: MOST, ..Self::endless(wanted) }
    }

    /// Work that something else bounds.
    pub(crate) fn endless(wanted: Wanted<'a>) -> Self {
        Self { wanted, most: u64::MAX, done: Cell::new(0), next: Cell::new(0), end: Cell::new(None) }
    }

    /// Counts pieces of work; false where the work ends, from then on always.
    pub(crate) fn goes_on(&self, work: usize) -> bool {
        let done = self.done.get().saturating_add(work as u64);
        self.done.set(done);
        if done >= self.next.get() {
            self.next.set(done.saturating_add(BETWEEN));
            if self.end.get().is_none() {
                self.end.set(self.ended(done));
            }
        }
        self.end.get().is_none()
    }

    fn ended(&self, done: u64) -> Option<End> {
        if !(self.wanted)() {
            Some(End::GivenUp)
        } else if done > self.most {
            Some(End::TooMuch)
        } else {
            None
        }
    }

    /// The reason why the work ended early, asked anew.
    pub(crate) fn end(&self) -> Option<End> {
        self.next.set(0);
        self.goes_on(0);
        self.end.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_ends_where_it_is_too_much_or_given_up() {
        let effort = Effort::new(&|| true);
        assert!(effort.goes_on(MOST as usize / 2) && effort.end().is_none());
        assert!(!effort.goes_on(MOST as usize) && effort.end() == Some(End::TooMuch));
        assert!(!effort.goes_on(0));

        let asked = Cell::new(0);
        let wanted = || {
            asked.set(asked.get() + 1);
            asked.get() < 3
        };
        let effort = Effort::new(&wanted);
        let count = (0..1_000_000).take_while(|_| effort.goes_on(1)).count();
        assert_eq!((count, effort.end()), (2 * BETWEEN as usize, Some(End::GivenUp)));
    }
}
