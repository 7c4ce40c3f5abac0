//! One call, from the choice of its place to its answer.
//!
//! Operations are pure: what a worker answers is committed by the caller or not at all. So a call whose place was lost is
//! run again on the next one, once. If that one is lost too, the call is taken for the cause and ends as a Fault.

use super::local::Local;
use super::place::{Missed, Place};
use super::worker::Worker;
use super::{Inner, PoolConfig, travel};
use crate::Endpoint;
use crate::client::{nonsense, path_of};
use bytes::Bytes;
use contract::{Artifact, Fault, FaultCode, OperationId, Request};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Places that may be lost under one call.
const DEATHS: u32 = 2;
/// How often a call is sent again because its place was gone before it began.
const PASSES: usize = 3;
/// For how long it is remembered that a place was lost under an operation.
const MEMORY: Duration = Duration::from_mins(5);

/// A request on its way.
pub(super) struct Call {
    /// Without its back end: the group that it goes to is of that, under whatever name the adapter in it goes.
    pub(super) request: Request,
    pub(super) backend: String,
    body: OnceLock<Bytes>,
}

impl Call {
    pub(super) fn new(mut request: Request, default: &str) -> Self {
        let backend = request.backend.take().unwrap_or_else(|| default.to_owned());
        Self { request, backend, body: OnceLock::new() }
    }

    pub(super) fn name(&self) -> &str {
        &self.request.operation.name
    }

    pub(super) fn path(&self) -> &'static str {
        path_of(self.request.operation.effect)
    }

    /// The request as a worker of its back end on this machine is sent it.
    pub(super) fn body(&self) -> Result<Bytes, Fault> {
        if let Some(body) = self.body.get() {
            return Ok(body.clone());
        }
        let body = self.encode(&self.request)?;
        Ok(self.body.get_or_init(|| body).clone())
    }

    /// The request as a service elsewhere is sent it, which may prefer another back end than we do. One on another machine
    /// cannot have our files by their paths.
    pub(super) async fn body_for(&self, endpoint: &Endpoint, config: &PoolConfig) -> Result<Bytes, Fault> {
        let mut request = Request { backend: Some(self.backend.clone()), ..self.request.clone() };
        if !endpoint.shares_files() {
            travel::pack(&mut request, config).await?;
        }
        self.encode(&request)
    }

    fn encode(&self, request: &Request) -> Result<Bytes, Fault> {
        let body = serde_json::to_vec(request).map_err(|error| nonsense(self.name(), &error.to_string()))?;
        Ok(body.into())
    }
}

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
                let _turn = match self.deaths.of(id) {
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
    fn of(&self, id: &OperationId) -> u32 {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(id).map_or(0, |(count, _)| *count)
    }

    fn add(&self, id: &OperationId) -> u32 {
        let mut deaths = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        deaths.retain(|_, (_, at)| at.elapsed() < MEMORY);
        let entry = deaths.entry(id.clone()).or_insert((0, Instant::now()));
        entry.0 += 1;
        entry.0
    }

    fn forget(&self, id: &OperationId) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
    }
}

/// The places that calls are at.
#[derive(Default)]
pub(super) struct Whereabouts(Mutex<HashMap<OperationId, Place>>);

/// Forgets where a call is.
struct At<'a>(&'a Whereabouts, &'a OperationId);

impl Drop for At<'_> {
    fn drop(&mut self) {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner).remove(self.1);
    }
}

impl Whereabouts {
    fn is_at<'a>(&'a self, id: &'a OperationId, place: &Place) -> At<'a> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(id.clone(), place.clone());
        At(self, id)
    }

    pub(super) fn of(&self, id: &OperationId) -> Option<Place> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(id).cloned()
    }
}

/// The worker that a call is with, for the one who may have to kill it.
#[derive(Default)]
pub(super) struct Holder(Mutex<Option<(Arc<Local>, Arc<Worker>)>>);

impl Holder {
    pub(super) fn set(&self, place: &Arc<Local>, worker: &Arc<Worker>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) =
            Some((Arc::clone(place), Arc::clone(worker)));
    }

    /// It is with none on this machine.
    pub(super) fn clear(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    pub(super) fn get(&self) -> Option<(Arc<Local>, Arc<Worker>)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
