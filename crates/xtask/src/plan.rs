//! Runs steps side by side: each begins when those that it needs have passed and a place is free. What a failed step was needed for
//! is not run. It knows nothing of what steps do.

use std::collections::BTreeSet;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// One thing to do.
pub struct Step<W> {
    /// Its name on the command line and in the table.
    pub name: &'static str,
    /// The steps that must have passed before; those that are not run at all count as passed.
    pub needs: &'static [&'static str],
    /// The work.
    pub work: W,
}

/// The end of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It succeeded.
    Passed,
    /// It said that something is wrong.
    Failed,
    /// A step that it needs failed.
    NotRun,
}

/// The line of a step in the table.
#[derive(Debug)]
pub struct Row {
    /// The step's name.
    pub name: &'static str,
    /// The time it took.
    pub time: Duration,
    /// Its end.
    pub outcome: Outcome,
}

/// Runs all steps, not more than `places` at a time and earlier ones first, and returns a row for each in the order in which they
/// ended. `perform` does a step and says whether it succeeded.
pub fn run<W: Sync>(
    steps: &[&Step<W>],
    places: usize,
    perform: &(dyn Fn(&Step<W>) -> bool + Sync),
) -> Vec<Row> {
    let names: BTreeSet<&str> = steps.iter().map(|step| step.name).collect();
    let mut waiting = steps.to_vec();
    let mut rows: Vec<Row> = Vec::new();
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        let mut running = 0;
        loop {
            while let Some(at) = waiting.iter().position(|step| has_failed(step, &rows)) {
                let name = waiting.remove(at).name;
                rows.push(Row { name, time: Duration::ZERO, outcome: Outcome::NotRun });
            }
            while running < places.max(1)
                && let Some(at) = waiting.iter().position(|step| is_ready(step, &names, &rows))
            {
                let step = waiting.remove(at);
                let sender = sender.clone();
                running += 1;
                scope.spawn(move || {
                    let begun = Instant::now();
                    let outcome = if perform(step) { Outcome::Passed } else { Outcome::Failed };
                    sender.send(Row { name: step.name, time: begun.elapsed(), outcome })
                });
            }
            if running == 0 {
                break;
            }
            let Ok(row) = receiver.recv() else { break };
            running -= 1;
            rows.push(row);
        }
    });
    rows
}

fn has_failed<W>(step: &Step<W>, rows: &[Row]) -> bool {
    let failed = |name| rows.iter().any(|row| row.name == name && row.outcome != Outcome::Passed);
    step.needs.iter().copied().any(failed)
}

fn is_ready<W>(step: &Step<W>, names: &BTreeSet<&str>, rows: &[Row]) -> bool {
    step.needs.iter().all(|need| !names.contains(need) || rows.iter().any(|row| row.name == *need))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn step(name: &'static str, needs: &'static [&'static str]) -> Step<()> {
        Step { name, needs, work: () }
    }

    fn run_all(steps: &[Step<()>], perform: &(dyn Fn(&Step<()>) -> bool + Sync)) -> Vec<Row> {
        run(&steps.iter().collect::<Vec<_>>(), 2, perform)
    }

    #[test]
    fn a_step_begins_after_what_it_needs() {
        let begun = Mutex::new(Vec::new());
        let steps = [step("tests", &["build", "setup"]), step("build", &[]), step("setup", &[])];
        let rows = run_all(&steps, &|step| {
            begun.lock().unwrap().push(step.name);
            true
        });
        assert_eq!(begun.lock().unwrap().last(), Some(&"tests"));
        assert!(rows.iter().all(|row| row.outcome == Outcome::Passed) && rows.len() == 3, "{rows:?}");
    }

    #[test]
    fn what_a_failed_step_was_needed_for_is_not_run_and_all_else_is() {
        let steps =
            [step("build", &[]), step("tests", &["build"]), step("page", &["tests"]), step("tidy", &[])];
        let rows = run_all(&steps, &|step| step.name != "build");
        let outcome = |name| rows.iter().find(|row| row.name == name).map(|row| row.outcome);
        assert_eq!(outcome("build"), Some(Outcome::Failed));
        assert_eq!(outcome("tests"), Some(Outcome::NotRun));
        assert_eq!(outcome("page"), Some(Outcome::NotRun));
        assert_eq!(outcome("tidy"), Some(Outcome::Passed));
    }

    #[test]
    fn a_need_that_is_not_among_the_steps_is_no_hindrance() {
        let rows = run_all(&[step("tests", &["build"])], &|_| true);
        assert_eq!(rows.len(), 1);
        assert_eq!(rows[0].outcome, Outcome::Passed);
    }

    #[test]
    fn no_more_run_at_once_than_there_are_places() {
        let (now, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let steps = ["a", "b", "c", "d", "e"].map(|name| step(name, &[]));
        run_all(&steps, &|_| {
            most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            thread::yield_now();
            now.fetch_sub(1, Ordering::SeqCst);
            true
        });
        assert!(most.load(Ordering::SeqCst) <= 2);
    }
}
