//! What runs inside a worker: opens versions and keeps them, hands operations to adapters on a bounded set of threads,
//! and dresses what they return as artifacts.
//!
//! A host remembers nothing but what it can make again. A panic inside an adapter ends one call. What kills the process
//! is the pool's business.

mod artifact;
mod cache;
mod open;
mod resolve;
mod running;
#[cfg(test)]
mod tests;

pub(crate) use resolve::wrong_effect;

use crate::Executor;
use crate::metrics::{HostGauges, Metrics};
use crate::transport::Caller;
use async_trait::async_trait;
use cache::{Cache, Held};
use contract::{
    Adapter, Artifact, Fault, FaultCode, HostInfo, OperationId, Outcome, Progress, Request, Sandbox, Watch,
};
use parking_lot::Mutex;
use running::{Running, Wanted};
use serde_json::json;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tokio::sync::{AcquireError, Semaphore, SemaphorePermit};

/// Short calls that a pool lets in beyond the number of processors and one, and as many again for principals that have none running.
pub(crate) const GUESTS: usize = 8;

/// The operation that runs code written by an agent.
const RUN_CODE: &str = "run_code";

/// The limits of a host.
#[derive(Debug, Clone)]
pub struct HostConfig {
    /// Operations that run at the same time.
    pub threads: usize,
    /// Of these, operations that were begun just now: as many as there are processors, which would otherwise be shared by so many that
    /// all take longer.
    pub begun: usize,
    /// Operations that may wait for a thread; more are refused with the Fault `Busy`.
    pub queue: usize,
    /// Bytes of memory for opened versions.
    pub cache_bytes: u64,
    /// Bytes of a logical result, unless a request asks for less.
    pub result_bytes: u64,
    /// The confinement of this process.
    pub sandbox: Sandbox,
    /// True if code of agents runs even where the sandbox does not hold it: for tests.
    pub trusts_code: bool,
}

impl Default for HostConfig {
    fn default() -> Self {
        Self {
            // who is let in is decided before: here is room for all of those
            threads: processors() + 1 + 2 * GUESTS,
            begun: processors(),
            queue: 256,
            cache_bytes: 1 << 30,
            result_bytes: 16 << 20,
            sandbox: Sandbox::default(),
            trusts_code: false,
        }
    }
}

impl HostConfig {
    /// The number of operations that may be begun at once.
    fn permits(&self) -> usize {
        self.begun.clamp(1, self.threads.max(1))
    }
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(2, usize::from)
}

/// An operation that has run for so long no longer counts as begun just now.
const BRIEF: Duration = Duration::from_millis(10);

/// Adapters, the versions they hold open, and the threads they run on.
pub struct Host {
    adapters: Vec<Arc<dyn Adapter>>,
    operations: resolve::Operations,
    info: HostInfo,
    config: HostConfig,
    cache: Cache,
    threads: Semaphore,
    waiting: AtomicUsize,
    /// Operations that were begun and have not ended, for a pool that has to know whether one that nobody waits for still runs.
    running: Mutex<Vec<Arc<Running>>>,
    metrics: Metrics,
    gauges: HostGauges,
}

impl Host {
    /// A host of these adapters. Where two resolve the same operation on the same kind of model, the first does.
    pub fn new(adapters: Vec<Arc<dyn Adapter>>, config: HostConfig) -> Arc<Self> {
        let mut metrics = Metrics::new();
        let gauges = metrics.host_gauges();
        let infos: Vec<_> = adapters.iter().map(|adapter| adapter.info()).collect();
        Arc::new(Self {
            operations: resolve::Operations::from_adapters(&infos),
            info: HostInfo {
                program: "pensaer".into(),
                version: env!("CARGO_PKG_VERSION").into(),
                adapters: infos,
                sandbox: config.sandbox.clone(),
            },
            cache: Cache::new(config.cache_bytes),
            threads: Semaphore::new(config.permits()),
            waiting: AtomicUsize::new(0),
            running: Mutex::default(),
            metrics,
            gauges,
            adapters,
            config,
        })
    }

    /// Describes who listens here, and which operations it resolves.
    pub fn host_info(&self) -> &HostInfo {
        &self.info
    }

    /// Runs one operation to its end, on a thread of the bounded set.
    pub async fn execute(self: &Arc<Self>, request: Request) -> Result<Artifact, Fault> {
        self.execute_for(request, None).await
    }

    /// As [`execute`](Self::execute). With a caller, the operation runs on the thread that asks: to wake another, and this one
    /// again when it is done, takes longer than many operations do. What else that thread had to do goes to another.
    async fn execute_for(
        self: &Arc<Self>,
        request: Request,
        caller: Option<&Caller>,
    ) -> Result<Artifact, Fault> {
        let adapter = self.operations.resolve(&request)?;
        self.check_code(&request)?;
        let waiting = Waiting::enter(&self.waiting);
        if waiting.before >= self.config.threads + self.config.queue {
            return Err(Fault::new(
                FaultCode::Busy,
                format!("{} operations are waiting already. Try again in a moment.", self.config.queue),
            )
            .with("retry_after_ms", 500));
        }
        let left = time_left(request.deadline_ms);
        let permit = tokio::time::timeout(left.unwrap_or(Duration::MAX), self.thread()).await;
        let permit = match permit {
            Ok(Ok(permit)) => permit,
            Ok(Err(_)) => return Err(Fault::backend("This host is shutting down.")),
            Err(_) => return Err(too_late(&request)),
        };
        if left.is_some() && time_left(request.deadline_ms) == Some(Duration::ZERO) {
            return Err(too_late(&request));
        }
        permit.forget(); // given back by the thread, which may outlive a caller that went away
        let host = Arc::clone(self);
        let name = request.operation.name.clone();
        let begun = Arc::new(Running::new(&request.operation_id, caller));
        self.running.lock().push(Arc::clone(&begun));
        let _wanted = Wanted::new(&begun);
        let running = Arc::clone(&begun);
        let work = move || {
            let _returned = Permit { host: &host, running: &running };
            let watch: Arc<dyn Watch> = Arc::clone(&running) as Arc<dyn Watch>;
            host.execute_here(adapter, &request, &watch)
        };
        let done = match caller {
            Some(_) => tokio::task::block_in_place(|| catch_unwind(AssertUnwindSafe(work)))
                .map_err(|_| "it panicked".to_owned()),
            None => tokio::task::spawn_blocking(work).await.map_err(|error| error.to_string()),
        };
        done.unwrap_or_else(|why| Err(Fault::backend(format!("{name} ended early: {why}."))))
    }

    /// Waits for a thread. Operations that are no longer brief give theirs up to those that wait, and run on.
    async fn thread(&self) -> Result<SemaphorePermit<'_>, AcquireError> {
        let mut turn = pin!(self.threads.acquire());
        loop {
            if self.threads.available_permits() == 0 {
                self.relieve();
            }
            if let Ok(permit) = tokio::time::timeout(BRIEF, turn.as_mut()).await {
                return permit;
            }
        }
    }

    /// Takes the threads of operations that run for longer than [`BRIEF`] for others, as far as more may run: those that gave theirs back,
    /// and one for each permit, given out or not.
    fn relieve(&self) {
        let running = self.running.lock();
        let most = self.config.permits() + running.iter().filter(|one| one.gave_back()).count();
        let more = self.config.threads.saturating_sub(most);
        let lasting = running.iter().filter(|one| one.lasts(BRIEF) && one.hand_back()).take(more).count();
        self.threads.add_permits(lasting);
    }

    async fn timed(self: &Arc<Self>, request: Request, caller: Option<&Caller>) -> Result<Artifact, Fault> {
        let timed = self.metrics.begin(&request.operation.name, request.operation.effect);
        let answer = self.execute_for(request, caller).await;
        timed.end(&answer);
        answer
    }

    /// Code that an agent wrote runs only where it can do no harm.
    fn check_code(&self, request: &Request) -> Result<(), Fault> {
        let sandbox = &self.info.sandbox;
        if request.operation.name != RUN_CODE || sandbox.holds() || self.config.trusts_code {
            return Ok(());
        }
        let why = sandbox.missing.join("; ");
        Err(Fault::new(
            FaultCode::NotSupported,
            format!(
                "{RUN_CODE} is refused: this worker is not held by landlock and seccomp{}{why}. The other operations work; \
                 `pensaer exec --check` says what is missing on this machine.",
                if why.is_empty() { "" } else { ": " },
            ),
        )
        .with("operation", RUN_CODE)
        .with("missing", &sandbox.missing))
    }

    fn execute_here(
        &self,
        adapter: usize,
        request: &Request,
        watch: &Arc<dyn Watch>,
    ) -> Result<Artifact, Fault> {
        let started = SystemTime::now();
        let clock = Instant::now();
        let caught = catch_unwind(AssertUnwindSafe(|| self.call(adapter, request, watch)));
        let (held, outcome) = caught.unwrap_or_else(|panic| Err(panicked(request, panic.as_ref())))?;
        let timing = artifact::Timing { started_ms: unix_ms(started), duration: clock.elapsed() };
        self.assemble(adapter, request, &held, outcome, timing)
    }

    fn call(
        &self,
        adapter: usize,
        request: &Request,
        watch: &Arc<dyn Watch>,
    ) -> Result<(Vec<Held>, Outcome), Fault> {
        let open = |(at, input)| self.open(adapter, at, input, watch.as_ref());
        let held = request.models.iter().enumerate().map(open);
        let held = held.collect::<Result<Vec<_>, _>>()?;
        let models: Vec<_> = held.iter().map(|held| held.model.clone()).collect();
        let outcome = self.adapter(adapter)?.run(request, &models, &request.files, watch)?;
        Ok((held, outcome))
    }

    fn adapter(&self, index: usize) -> Result<&Arc<dyn Adapter>, Fault> {
        self.adapters.get(index).ok_or_else(|| Fault::backend("This host has lost an adapter."))
    }
}

#[async_trait]
impl Executor for Arc<Host> {
    async fn run(&self, request: Request) -> Result<Artifact, Fault> {
        self.timed(request, None).await
    }

    async fn run_for(&self, request: Request, caller: &Caller) -> Result<Artifact, Fault> {
        self.timed(request, Some(caller)).await
    }

    async fn info(&self) -> Result<HostInfo, Fault> {
        Ok(self.info.clone())
    }

    async fn progress(&self, operation: &OperationId) -> Option<Progress> {
        self.running.lock().iter().find(|running| running.id() == operation).map(|running| running.progress())
    }

    fn metrics(&self) -> Option<&Metrics> {
        Some(&self.metrics)
    }

    fn measure(&self) {
        let (bytes, files, versions) = self.cache.usage();
        self.gauges.cache_bytes.set(bytes as i64);
        self.gauges.cached_files.set(files as i64);
        self.gauges.cached_versions.set(versions as i64);
        self.gauges.queue.set(self.waiting.load(Ordering::SeqCst) as i64);
    }

    fn health(&self) -> serde_json::Value {
        let (bytes, files, versions) = self.cache.usage();
        json!({
            "status": "ok",
            "cache_bytes": bytes,
            "cached_files": files,
            "cached_versions": versions,
            "running": self.running.lock().iter().map(|running| running.id().clone()).collect::<Vec<_>>(),
        })
    }
}

/// Counts a call for as long as it waits or runs.
struct Waiting<'a> {
    count: &'a AtomicUsize,
    before: usize,
}

impl<'a> Waiting<'a> {
    fn enter(count: &'a AtomicUsize) -> Self {
        Self { count, before: count.fetch_add(1, Ordering::SeqCst) }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.count.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Gives a thread back, also when the operation panics.
struct Permit<'a> {
    host: &'a Host,
    running: &'a Arc<Running>,
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        let mut running = self.host.running.lock();
        if let Some(at) = running.iter().position(|one| Arc::ptr_eq(one, self.running)) {
            running.swap_remove(at);
        }
        drop(running);
        if self.running.hand_back() {
            self.host.threads.add_permits(1);
        }
    }
}

/// Unix time in milliseconds.
pub(crate) fn unix_ms(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}

/// Time until a deadline; `None` where there is none.
pub fn time_left(deadline_ms: u64) -> Option<Duration> {
    (deadline_ms > 0).then(|| Duration::from_millis(deadline_ms.saturating_sub(unix_ms(SystemTime::now()))))
}

fn too_late(request: &Request) -> Fault {
    Fault::new(
        FaultCode::Cancelled,
        format!(
            "{} was not begun before its deadline. Nothing was changed; try again.",
            request.operation.name
        ),
    )
    .with("operation", &request.operation.name)
}

fn panicked(request: &Request, panic: &(dyn Any + Send)) -> Fault {
    let text =
        panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    let name = &request.operation.name;
    tracing::error!(operation = %name, id = %request.operation_id, "panic: {}", text.unwrap_or("without a message"));
    Fault::backend(format!(
        "{name} failed inside the back end ({}). Nothing was changed. The same call will fail again: change its \
         parameters, or report this.",
        text.unwrap_or("no reason given")
    ))
    .with("operation", name)
    .with("operation_id", &request.operation_id)
}
