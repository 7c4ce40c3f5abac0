//! One call, from the choice of its place to its answer.
//!
//! Operations are pure: what a worker answers is committed by the caller or not at all. So a call whose place was lost is
//! run again on the next one, once. If that one is lost too, the call is taken for the cause and ends as a Fault.

use super::Inner;
use super::call::Call;
use super::holder::Holder;
use super::missed::Missed;
use super::place::Place;
use contract::{Artifact, Fault, FaultCode, OperationId};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// Places that may be lost under one call.
const DEATHS: u32 = 2;
/// How often a call is sent again because its place was gone before it began.
const PASSES: usize = 3;
/// For how long it is remembered that a place was lost under an operation.
const MEMORY: Duration = Duration::from_mins(5);

impl Inner {
    /// Runs a call to its end, on one place or another.
    pub(super) async fn call(&self, call: &Call, holder: &Holder) -> Result<Artifact, Fault> {
        let id = &call.request.operation_id;
        let places = self.places.route(&self.config, &call.backend, &call.request).await?;
        let (mut passes, mut absent) = (0, 0);
        let mut places = places.iter().cycle();
        let count = self.places.all.len();
        let mut place = places.next();
        while let Some(here) = place {
            let _here = self.whereabouts.is_at(id, here);
            let missed = {
                let _turn = match self.deaths.count(id) {
                    0 => None,
                    _ => Some(here.turn_of_suspects().await),
                };
                match here.run(call, holder).await {
                    Ok(result) => {
                        // one that only lacks its sources is sent again, and is as suspect then as it was
                        if !matches!(&result, Err(fault) if fault.code == FaultCode::VersionNotOpen) {
                            self.deaths.forget(id);
                        }
                        return result;
                    }
                    Err(missed) => missed,
                }
            };
            let over = match &missed {
                Missed::Died(_) => self.deaths.add(id) >= DEATHS,
                Missed::Passed(_) => {
                    passes += 1;
                    passes > PASSES
                }
                Missed::Absent(_) => {
                    absent += 1;
                    absent >= count
                }
            };
            if !over && matches!(missed, Missed::Died(_) | Missed::Passed(_)) {
                self.counts.retries.inc();
            }
            if over {
                self.deaths.forget(id);
                return Err(missed.into_fault());
            }
            place = match (missed, here) {
                // its next worker is as good as any
                (Missed::Passed(_), Place::Local(_)) => Some(here),
                _ => places.next(),
            };
        }
        Err(Fault::backend("This pool has no workers."))
    }
}

/// Under which operations places were lost lately.
#[derive(Default)]
pub(super) struct Deaths(Mutex<HashMap<OperationId, (u32, Instant)>>);

impl Deaths {
    fn count(&self, id: &OperationId) -> u32 {
        self.0.lock().get(id).map_or(0, |(count, _)| *count)
    }

    fn add(&self, id: &OperationId) -> u32 {
        let mut deaths = self.0.lock();
        deaths.retain(|_, (_, at)| at.elapsed() < MEMORY);
        let entry = deaths.entry(id.clone()).or_insert((0, Instant::now()));
        entry.0 += 1;
        entry.0
    }

    fn forget(&self, id: &OperationId) {
        self.0.lock().remove(id);
    }
}

/// The places that calls are at.
#[derive(Default)]
pub(super) struct Whereabouts(Mutex<HashMap<OperationId, Place>>);

/// Forgets where a call is.
struct At<'a>(&'a Whereabouts, &'a OperationId);

impl Drop for At<'_> {
    fn drop(&mut self) {
        self.0.0.lock().remove(self.1);
    }
}

impl Whereabouts {
    fn is_at<'a>(&'a self, id: &'a OperationId, place: &Place) -> At<'a> {
        self.0.lock().insert(id.clone(), place.clone());
        At(self, id)
    }

    pub(super) fn place(&self, id: &OperationId) -> Option<Place> {
        self.0.lock().get(id).cloned()
    }
}
