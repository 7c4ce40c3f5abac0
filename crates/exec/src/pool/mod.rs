//! Workers on this machine, started, watched and replaced, and services elsewhere, behind one [`Executor`].
//!
//! Places are grouped by the back end that they have; a request names one, or takes the default. A model goes to the same
//! place of its group every time, which then has it open. A place that is lost takes the calls it held with it; nothing of
//! them was committed, so they are run again, once, on the next. A call whose deadline has passed, or whose caller went
//! away, is dropped if it was not begun; else it gets a grace period to end by itself; then its worker is killed.

mod attempts;
mod call;
mod config;
mod holder;
mod lanes;
mod local;
mod missed;
mod place;
mod process;
mod remote;
mod route;
#[cfg(test)]
mod tests;
mod travel;
mod worker;

pub use config::{Group, LateGroup, PoolConfig};
pub use travel::Linker;

use crate::host::time_left;
use crate::metrics::{Metrics, PlaceCounts};
use crate::{Executor, transport};
use async_trait::async_trait;
use attempts::{Deaths, Whereabouts};
use call::Call;
use contract::{AdapterInfo, Artifact, Fault, FaultCode, HostInfo, OperationId, Progress, Request};
use holder::Holder;
use local::{Local, Source};
use place::Place;
use remote::Remote;
use route::Places;
use serde_json::{Value, json};
use std::io;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::oneshot;

/// Places behind one [`Executor`].
pub struct Pool {
    inner: Arc<Inner>,
}

struct Inner {
    config: Arc<PoolConfig>,
    places: Places,
    deaths: Deaths,
    whereabouts: Whereabouts,
    metrics: Metrics,
    counts: Arc<PlaceCounts>,
    running: AtomicUsize,
    draining: AtomicBool,
}

/// Counts a call for as long as it is waited for.
struct Running<'a>(&'a AtomicUsize);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// The folder of the sockets, removed with the pool.
struct Folder(PathBuf);

impl Folder {
    fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Pool {
    /// A pool. Workers begin to start at once, beside whatever the caller does next, but those of lazy groups; a call waits
    /// for its own. Has to be called within a tokio runtime.
    pub fn start(config: PoolConfig) -> io::Result<Self> {
        let config = Arc::new(config);
        let mut metrics = Metrics::new();
        let counts = Arc::new(metrics.place_counts());
        let sockets = Arc::new(Folder(transport::socket_folder()?));
        let mut all = Vec::new();
        for group in &config.groups {
            let source = Source::Known(Arc::new(group.clone()));
            for number in 0..group.workers.max(1) {
                let place = Local::new(&config, (group.backend(), number), source.clone(), &sockets, &counts);
                if !group.lazy {
                    place.start_soon();
                }
                all.push(Place::Local(place));
            }
        }
        for group in &config.late {
            let source = Source::looked_for(group);
            for number in 0..group.workers.max(1) {
                let place = Local::new(&config, (&group.backend, number), source.clone(), &sockets, &counts);
                all.push(Place::Local(place));
            }
        }
        for endpoint in &config.endpoints {
            all.push(Place::Remote(Remote::start(&config, endpoint, &counts)?));
        }
        let (places, deaths, whereabouts) = (Places::new(all), Deaths::default(), Whereabouts::default());
        let (running, draining) = (AtomicUsize::new(0), AtomicBool::new(false));
        let inner = Inner { config, places, deaths, whereabouts, metrics, counts, running, draining };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// The process ids of the workers that are running, for those who watch over them.
    pub async fn worker_ids(&self) -> Vec<u32> {
        let mut ids = Vec::new();
        for place in &self.inner.places.all {
            if let Place::Local(local) = place {
                ids.extend(local.worker_id().await);
            }
        }
        ids
    }

    /// Takes no more calls, and waits until those that run have ended, but no longer than so. Answers whether they have.
    pub async fn drain(&self, patience: Duration) -> bool {
        self.inner.draining.store(true, Ordering::SeqCst);
        let idle = async {
            while self.inner.running.load(Ordering::SeqCst) > 0 {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::time::timeout(patience, idle).await.is_ok()
    }
}

#[async_trait]
impl Executor for Pool {
    fn backends(&self) -> Vec<String> {
        self.inner.places.backends()
    }

    async fn run(&self, request: Request) -> Result<Artifact, Fault> {
        let limit = time_left(request.deadline_ms).unwrap_or(self.inner.config.call_limit);
        let name = request.operation.name.clone();
        self.inner.running.fetch_add(1, Ordering::SeqCst);
        let _running = Running(&self.inner.running);
        if self.inner.draining.load(Ordering::SeqCst) {
            return Err(draining());
        }
        let timed = self.inner.metrics.begin(&name, request.operation.effect);
        let (answer, caller) = oneshot::channel();
        tokio::spawn(Arc::clone(&self.inner).attend(request, limit, answer));
        let answer = caller.await.unwrap_or_else(|_| {
            Err(Fault::backend(format!("{name} was given up because the server is shutting down.")))
        });
        timed.end(&answer);
        answer
    }

    async fn progress(&self, operation: &OperationId) -> Option<Progress> {
        self.inner.whereabouts.place(operation)?.progress(operation).await
    }

    fn metrics(&self) -> Option<&Metrics> {
        Some(&self.inner.metrics)
    }

    fn measure(&self) {
        let places = &self.inner.places.all;
        for backend in self.inner.places.backends() {
            let runs = |place: &&Place| matches!(place, Place::Local(local) if local.backend() == backend && local.runs());
            self.inner.counts.alive(&backend, places.iter().filter(runs).count() as i64);
        }
        let up = places.iter().filter(|place| matches!(place, Place::Remote(remote) if remote.live()));
        self.inner.counts.endpoints_up.set(up.count() as i64);
    }

    fn health(&self) -> Value {
        let places = &self.inner.places.all;
        let remotes = places.iter().filter_map(|place| match place {
            Place::Local(_) => None,
            Place::Remote(remote) => Some(json!({"url": remote.name(), "up": remote.live()})),
        });
        let remotes: Vec<Value> = remotes.collect();
        let workers = places.iter().filter(|place| matches!(place, Place::Local(local) if local.is_here()));
        let waiting = places.iter().map(|place| match place {
            Place::Local(local) => local.waiting(),
            Place::Remote(_) => 0,
        });
        let waiting: usize = waiting.sum();
        json!({"status": "ok", "workers": workers.count(), "waiting": waiting, "endpoints": remotes})
    }

    /// Returns the description of the default back end's place, with the adapters of the other groups behind its own. Starts what is lazy.
    async fn info(&self) -> Result<HostInfo, Fault> {
        let mut whole: Option<HostInfo> = None;
        let mut first_trouble = None;
        for backend in self.inner.backends_default_first() {
            match self.inner.info_of(&backend).await {
                Ok((info, adapters)) => {
                    let whole = whole.get_or_insert(HostInfo { adapters: Vec::new(), ..info });
                    whole.adapters.extend(adapters);
                }
                Err(fault) => {
                    tracing::warn!("{fault}");
                    first_trouble.get_or_insert(fault);
                }
            }
        }
        whole.ok_or_else(|| first_trouble.unwrap_or_else(|| Fault::backend("This pool has no workers.")))
    }
}

impl Inner {
    /// Sees one call through, whether or not somebody still waits for its answer.
    async fn attend(
        self: Arc<Self>,
        request: Request,
        limit: Duration,
        mut answer: oneshot::Sender<Result<Artifact, Fault>>,
    ) {
        let holder = Holder::default();
        let request = Call::new(request, &self.config.default);
        {
            let mut call = pin!(self.call(&request, &holder));
            tokio::select! {
                result = &mut call => {
                    let _ = answer.send(result);
                    return;
                }
                () = tokio::time::sleep(limit) => {
                    let _ = answer.send(Err(timed_out(&request, limit)));
                }
                () = answer.closed() => {}
            }
            // here the call lets go of its connection: a worker that has not begun it never will
        }
        let Some((place, worker)) = holder.get() else { return };
        let id = &request.request.operation_id;
        if worker.goes_on_with(id, self.config.grace).await {
            tracing::warn!(operation = request.name(), worker = worker.id(), "stuck; the worker is replaced");
            worker.kill_for(id);
            place.start_soon();
        }
    }

    fn backends_default_first(&self) -> Vec<String> {
        let mut names = self.places.backends();
        names.sort_by_key(|name| *name != self.config.default);
        names
    }

    /// Returns the description of a back end's place, and those of its adapters that nobody else in the pool brings.
    async fn info_of(&self, backend: &str) -> Result<(HostInfo, Vec<AdapterInfo>), Fault> {
        let mut trouble = Fault::backend(format!("The back end {backend} cannot be reached."));
        for place in self.places.all.iter().filter(|place| place.has(backend)) {
            let info = match place {
                Place::Local(local) => local.info().await,
                Place::Remote(remote) => remote.info(),
            };
            match info {
                Ok(info) => {
                    // a local group is one back end, whatever the adapters in it are called
                    let whole = matches!(place, Place::Local(_));
                    let adapters = info.adapters.iter().filter(|adapter| whole || adapter.name == backend);
                    let adapters = adapters.cloned().collect();
                    return Ok((info, adapters));
                }
                Err(fault) => trouble = fault,
            }
        }
        Err(trouble)
    }
}

/// The Fault that callers get from a service that is about to end.
pub(crate) fn draining() -> Fault {
    Fault::new(
        FaultCode::Busy,
        "This service is shutting down and takes no more calls. Nothing was run; try another, or again later.",
    )
    .with("draining", true)
    .with("retry_after_ms", 5000)
}

fn timed_out(call: &Call, limit: Duration) -> Fault {
    let name = call.name();
    Fault::new(
        FaultCode::Cancelled,
        format!(
            "{name} did not end within {:.1} s and was given up; nothing was committed. Do less in one call, or allow \
             it more time.",
            limit.as_secs_f64()
        ),
    )
    .with("operation", name)
    .with("limit_ms", limit.as_millis() as u64)
}
