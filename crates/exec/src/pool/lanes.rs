//! Who is next at a place. Calls are let in so that nobody is kept waiting by somebody else's: short ones before long ones, of principals
//! the one that had least lately, and for who has nothing running here there is nearly always room.
//!
//! Long are scripts, jobs, and operations that took long before. They never take all places, so that what is short need not wait for
//! them. Short ones spend much of their time between gateway and worker, so that more of them are let in than there are processors, and some
//! more still for who has none running. Threads are given to calls by the system: more of them slow all a little, and stop none.

use super::call::Call;
use crate::host::{GUESTS, time_left};
use contract::{Fault, FaultCode, OperationId, Progress};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// The operation that runs code written by an agent.
pub(super) const SCRIPT: &str = "run_code";
/// Calls of one principal that may wait, and those of all.
const WAITING: (usize, usize) = (256, 1024);
/// An operation that took longer than this on average is a long one.
const LONG: Duration = Duration::from_secs(1);
/// A call that may take longer than this is a job.
const JOB: Duration = Duration::from_mins(10);
/// Half of the time that a principal had is forgotten in this time.
const HALF: f64 = 10.0;
/// A principal that was here within this time is one of those who share the place.
const LATELY: Duration = Duration::from_mins(1);
/// Operations whose times are remembered.
const NAMES: usize = 512;

/// The turns at one place.
pub(super) struct Lanes {
    /// Long calls at once, and one more.
    places: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    number: u64,
    running: Vec<Held>,
    waiting: Vec<Waiter>,
    shares: HashMap<String, Share>,
    /// The average time of an operation.
    times: HashMap<String, Duration>,
}

struct Held {
    number: u64,
    principal: String,
    length: Length,
    since: Instant,
    operation: String,
}

struct Waiter {
    held: Held,
    id: OperationId,
    go: oneshot::Sender<()>,
}

/// How long a call is likely to take.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Length {
    Short,
    Long,
    /// A script, which may take all its time for nothing.
    Script,
}

/// The time that a principal had lately.
struct Share {
    seconds: f64,
    at: Instant,
}

impl Share {
    fn now(&self, now: Instant) -> f64 {
        self.seconds * 0.5_f64.powf(now.duration_since(self.at).as_secs_f64() / HALF)
    }
}

impl Lanes {
    /// A place with these processors.
    pub(super) fn new(processors: usize) -> Arc<Self> {
        Arc::new(Self { places: processors.max(1) + 1, state: Mutex::default() })
    }

    /// The calls that wait.
    pub(super) fn waiting(&self) -> usize {
        self.state.lock().waiting.len()
    }

    /// Says of a call that waits how many are before it.
    pub(super) fn progress(&self, id: &OperationId) -> Option<Progress> {
        let state = self.state.lock();
        let own = state.waiting.iter().find(|waiter| waiter.id == *id)?;
        let before = state.waiting.iter().filter(|other| other.held.number < own.held.number).count();
        let what =
            format!("waiting for its turn: {} calls run, {before} wait before it", state.running.len());
        Some(Progress { step: 0, what, done: 0, total: None })
    }

    /// Waits for a call's turn, at most half of the time that it has.
    pub(super) async fn turn(self: &Arc<Self>, call: &Call) -> Result<Turn, Fault> {
        let request = &call.request;
        let left = time_left(request.deadline_ms);
        let (turn, gone) = self.enter(&request.actor.principal, call.name(), &request.operation_id, left)?;
        let Some(gone) = gone else { return Ok(turn) };
        let patience = left.unwrap_or(JOB) / 2;
        match tokio::time::timeout(patience, gone).await {
            Ok(_) => Ok(turn),
            Err(_) => Err(busy(call.name(), &self.state.lock(), patience)),
        }
    }

    /// Takes a call in; it runs at once, or when it is told.
    fn enter(
        self: &Arc<Self>,
        principal: &str,
        operation: &str,
        id: &OperationId,
        left: Option<Duration>,
    ) -> Result<(Turn, Option<oneshot::Receiver<()>>), Fault> {
        let mut state = self.state.lock();
        let (own, all) = (
            state.waiting.iter().filter(|waiter| waiter.held.principal == principal).count(),
            state.waiting.len(),
        );
        if own >= WAITING.0 || all >= WAITING.1 {
            return Err(busy(operation, &state, Duration::ZERO));
        }
        state.number += 1;
        let length = state.length(operation, left);
        let number = state.number;
        let held = Held {
            number,
            principal: principal.to_owned(),
            length,
            since: Instant::now(),
            operation: operation.to_owned(),
        };
        let turn = Turn { lanes: Arc::clone(self), number };
        if state.fits(self.places, &held) && !state.is_preceded(self.places, &held) {
            state.running.push(held);
            return Ok((turn, None));
        }
        let (go, gone) = oneshot::channel();
        state.waiting.push(Waiter { held, id: id.clone(), go });
        Ok((turn, Some(gone)))
    }

    /// Ends a call, or takes back that it waits; whoever fits now begins.
    fn leave(&self, number: u64) {
        let mut state = self.state.lock();
        let now = Instant::now();
        if let Some(at) = state.running.iter().position(|held| held.number == number) {
            let held = state.running.swap_remove(at);
            state.charge(&held, now);
        }
        state.waiting.retain(|waiter| waiter.held.number != number);
        while let Some(at) = state.next(self.places, now) {
            let Waiter { mut held, go, .. } = state.waiting.remove(at);
            held.since = now;
            // one that has gone away meanwhile gives its turn back when it is dropped
            state.running.push(held);
            let _ = go.send(());
        }
    }
}

impl State {
    fn length(&self, operation: &str, left: Option<Duration>) -> Length {
        if operation == SCRIPT {
            return Length::Script;
        }
        let took_long = self.times.get(operation).is_some_and(|time| *time > LONG);
        if took_long || left.is_some_and(|left| left > JOB) { Length::Long } else { Length::Short }
    }

    /// True if a call may begin beside those that run.
    fn fits(&self, places: usize, call: &Held) -> bool {
        let count =
            |is_meant: &dyn Fn(&Held) -> bool| self.running.iter().filter(|held| is_meant(held)).count();
        let own = count(&|held| held.principal == call.principal);
        let (long, own_scripts) = (
            count(&|held| held.length > Length::Short),
            count(&|held| held.principal == call.principal && held.length == Length::Script),
        );
        // short ones spend much of their time on the way: more of them than there are processors keep these at work
        let has_room = self.running.len() < places + GUESTS;
        match call.length {
            Length::Short => has_room || (own == 0 && self.running.len() < places + 2 * GUESTS),
            Length::Long => has_room && long < places - 1,
            Length::Script => {
                // of those who share a place nobody has all of it
                let most = if self.is_shared(&call.principal) { (places - 2).max(1) } else { places - 1 };
                has_room && long < places - 1 && own_scripts < most
            }
        }
    }

    /// True if others than this principal were here lately.
    fn is_shared(&self, principal: &str) -> bool {
        let now = Instant::now();
        let lately = |share: &Share| now.duration_since(share.at) < LATELY;
        self.running.iter().any(|held| held.principal != principal)
            || self.waiting.iter().any(|waiter| waiter.held.principal != principal)
            || self.shares.iter().any(|(name, share)| name != principal && lately(share))
    }

    /// True if somebody who fits, too, is to begin before this call.
    fn is_preceded(&self, places: usize, call: &Held) -> bool {
        let now = Instant::now();
        let own = self.rank(call, now);
        self.waiting.iter().any(|other| self.fits(places, &other.held) && self.rank(&other.held, now) < own)
    }

    /// The order in which calls begin: short ones first, then by what their principals had lately, then as they came.
    fn rank(&self, held: &Held, now: Instant) -> (bool, u64, u64) {
        let ran = self.running.iter().filter(|other| other.principal == held.principal);
        let runs: f64 = ran.map(|other| now.duration_since(other.since).as_secs_f64()).sum();
        let had = self.shares.get(&held.principal).map_or(0.0, |share| share.now(now)) + runs;
        (held.length > Length::Short, (had * 1000.0) as u64, held.number)
    }

    fn next(&self, places: usize, now: Instant) -> Option<usize> {
        let fitting = self.waiting.iter().enumerate().filter(|(_, waiter)| self.fits(places, &waiter.held));
        fitting.min_by_key(|(_, waiter)| self.rank(&waiter.held, now)).map(|(at, _)| at)
    }

    /// Counts the time of a call that has ended.
    fn charge(&mut self, held: &Held, now: Instant) {
        let took = now.duration_since(held.since);
        self.shares.retain(|_, share| now.duration_since(share.at) < LATELY * 5);
        let had = self.shares.get(&held.principal).map_or(0.0, |share| share.now(now));
        let share = Share { seconds: had + took.as_secs_f64(), at: now };
        self.shares.insert(held.principal.clone(), share);
        if let Some(time) = self.times.get_mut(&held.operation) {
            *time = (*time * 7 + took) / 8;
        } else if self.times.len() < NAMES {
            self.times.insert(held.operation.clone(), took);
        }
    }
}

/// The turn of a call, until it has ended.
pub(super) struct Turn {
    lanes: Arc<Lanes>,
    number: u64,
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.lanes.leave(self.number);
    }
}

fn busy(operation: &str, state: &State, waited: Duration) -> Fault {
    let waited_words =
        if waited.is_zero() { String::new() } else { format!(" It waited {:.0} s.", waited.as_secs_f64()) };
    Fault::new(
        FaultCode::Busy,
        format!(
            "{operation} was not begun: {} calls run here and {} wait.{waited_words} Nothing was changed; try again in a moment.",
            state.running.len(),
            state.waiting.len()
        ),
    )
    .with("operation", operation)
    .with("running", state.running.len())
    .with("waiting", state.waiting.len())
    .with("retry_after_ms", 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A call, and the bell that rings when it may begin.
    struct Asked {
        _turn: Turn,
        gone: Option<oneshot::Receiver<()>>,
    }

    impl Asked {
        fn runs(&mut self) -> bool {
            self.gone.as_mut().is_none_or(|gone| gone.try_recv().is_ok())
        }
    }

    fn ask(lanes: &Arc<Lanes>, principal: &str, operation: &str) -> Asked {
        let (turn, gone) = lanes.enter(principal, operation, &OperationId::new(), None).unwrap();
        Asked { _turn: turn, gone }
    }

    #[test]
    fn scripts_leave_room_for_what_is_short() {
        let lanes = Lanes::new(2);
        let mut scripts: Vec<Asked> =
            (0..16).map(|n| ask(&lanes, ["eve", "mallory"][n % 2], SCRIPT)).collect();
        assert_eq!(scripts.iter_mut().filter_map(|script| script.runs().then_some(())).count(), 2);
        assert!(ask(&lanes, "ada", "query_elements").runs(), "another's reading");
        assert!(ask(&lanes, "eve", "query_elements").runs(), "their own, too");
        let mut crowd: Vec<Asked> = (0..5).map(|n| ask(&lanes, &format!("p{n}"), "query_elements")).collect();
        assert!(crowd.iter_mut().all(Asked::runs), "who has nothing running begins");
        drop(scripts);
    }

    #[test]
    fn a_script_of_who_had_less_goes_first_and_nobody_has_all_places() {
        let lanes = Lanes::new(2);
        let mut first = ask(&lanes, "eve", SCRIPT);
        let mut more: Vec<Asked> = (0..4).map(|_| ask(&lanes, "eve", SCRIPT)).collect();
        assert!(first.runs() && more[0].runs(), "alone she has both places");
        let mut other = ask(&lanes, "ada", SCRIPT);
        assert!(!other.runs());
        drop(first);
        assert!(other.runs() && !more[1].runs(), "she came last, and had nothing");
        drop(more.remove(0));
        assert!(more[0].runs());
        assert!(!more[1].runs());
    }

    #[test]
    fn a_short_call_goes_before_long_ones_that_came_first() {
        let lanes = Lanes::new(1);
        let job = |lanes: &Arc<Lanes>| {
            let hour = Some(Duration::from_hours(1));
            let (turn, gone) = lanes.enter("ada", "run_simulation", &OperationId::new(), hour).unwrap();
            Asked { _turn: turn, gone }
        };
        let (mut runs, mut waits) = (job(&lanes), job(&lanes));
        assert!(runs.runs() && !waits.runs());
        let room = lanes.places + GUESTS;
        let mut short: Vec<Asked> = (0..=room).map(|_| ask(&lanes, "ada", "query_elements")).collect();
        assert_eq!(short.iter_mut().filter_map(|short| short.runs().then_some(())).count(), room - 1);
        drop(short.remove(0));
        assert!(short[room - 2].runs() && !short[room - 1].runs() && !waits.runs());
        drop(runs);
        assert!(short[room - 1].runs(), "the short one first");
        drop(short);
        assert!(waits.runs());
    }

    #[test]
    fn what_took_long_counts_as_long_and_who_goes_away_gives_back_its_turn() {
        let lanes = Lanes::new(2);
        lanes.state.lock().times.insert("clash_detection".into(), Duration::from_secs(20));
        let mut calls: Vec<Asked> = (0..4).map(|_| ask(&lanes, "ada", "clash_detection")).collect();
        assert_eq!(calls.iter_mut().map(Asked::runs).collect::<Vec<_>>(), [true, true, false, false]);
        drop(calls.remove(2));
        drop(calls.remove(0));
        assert!(calls[1].runs());
        drop(calls);
        assert_eq!(lanes.waiting(), 0);
        assert!(lanes.state.lock().running.is_empty());
    }

    #[test]
    fn the_queue_is_bounded_for_each_and_told() {
        let lanes = Lanes::new(1);
        let id = OperationId::new();
        let (_first, _) = lanes.enter("eve", SCRIPT, &id, None).unwrap();
        let waiting: Vec<_> = (0..WAITING.0).map(|_| ask(&lanes, "eve", SCRIPT)).collect();
        let fault = lanes.enter("eve", SCRIPT, &id, None).map(|_| ()).unwrap_err();
        assert_eq!((fault.code, &fault.data["waiting"]), (FaultCode::Busy, &serde_json::json!(WAITING.0)));
        let own = OperationId::new();
        let (_turn, gone) = lanes.enter("ada", SCRIPT, &own, None).unwrap();
        assert!(gone.is_some());
        let before = format!("1 calls run, {} wait before it", WAITING.0);
        assert!(lanes.progress(&own).unwrap().what.contains(&before));
        drop(waiting);
    }
}
