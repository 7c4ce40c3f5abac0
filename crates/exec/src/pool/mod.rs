//! Worker processes, started, watched and replaced, behind one [`Executor`].
//!
//! A model goes to the same worker every time, which then has it open. A worker that dies takes the calls it held with
//! it: each ends as a Fault, nothing of it was committed, and the next call meets a new worker. A call whose deadline has
//! passed, or whose caller went away, gets a grace period to end by itself; then its worker is killed. Calls of others
//! that this interrupts are run again: operations are pure, so a second run gives the same answer.

mod process;
#[cfg(test)]
mod tests;
mod worker;

use crate::host::time_left;
use crate::{Executor, transport};
use async_trait::async_trait;
use bytes::Bytes;
use contract::{Artifact, Effect, Fault, FaultCode, HostInfo, OperationId, Request};
use std::ffi::OsString;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;
use worker::{Lost, Worker};

/// How workers are started and how long they may take.
#[derive(Debug, Clone)]
pub struct PoolConfig {
    /// Program and arguments of a worker; `--socket PATH` is appended.
    pub command: Vec<OsString>,
    /// How many.
    pub workers: usize,
    /// Where their messages go; without it, to this process's standard error.
    pub log: Option<PathBuf>,
    /// How long a call without a deadline may take.
    pub call_limit: Duration,
    /// How long a call may go on after its deadline before its worker is killed.
    pub grace: Duration,
    /// How long a worker may take to answer for the first time.
    pub start_limit: Duration,
    /// Bytes of one answer.
    pub answer_bytes: usize,
}

impl PoolConfig {
    /// Workers made by starting a command.
    pub fn new(command: Vec<OsString>) -> Self {
        Self {
            command,
            workers: 1,
            log: None,
            call_limit: Duration::from_mins(10),
            grace: Duration::from_secs(5),
            start_limit: Duration::from_secs(20),
            answer_bytes: 256 << 20,
        }
    }

    /// Workers made by starting this program again, as `pensaer exec`.
    pub fn of_this_program() -> io::Result<Self> {
        Ok(Self::new(vec![std::env::current_exe()?.into(), "exec".into()]))
    }
}

/// Worker processes behind one [`Executor`].
pub struct Pool {
    inner: Arc<Inner>,
}

struct Inner {
    config: PoolConfig,
    slots: Vec<Slot>,
    folder: Folder,
    started: AtomicUsize,
    turn: AtomicUsize,
}

/// The place of one worker; the process in it changes.
#[derive(Default)]
struct Slot {
    current: tokio::sync::Mutex<Option<Arc<Worker>>>,
}

/// The folder of the sockets, removed with the pool.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Pool {
    /// A pool. Workers begin to start at once, beside whatever the caller does next; a call waits for its own. Has to
    /// be called within a tokio runtime.
    pub fn start(config: PoolConfig) -> io::Result<Self> {
        let slots = (0..config.workers.max(1)).map(|_| Slot::default()).collect();
        let folder = Folder(transport::socket_folder()?);
        let (started, turn) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let inner = Arc::new(Inner { config, slots, folder, started, turn });
        for slot in 0..inner.slots.len() {
            inner.start_soon(slot);
        }
        Ok(Self { inner })
    }

    /// The process ids of the workers that are running, for those who watch over them.
    pub async fn worker_ids(&self) -> Vec<u32> {
        let mut ids = Vec::new();
        for slot in &self.inner.slots {
            ids.extend(slot.current.lock().await.as_ref().filter(|worker| worker.alive()).map(|w| w.id()));
        }
        ids
    }
}

#[async_trait]
impl Executor for Pool {
    async fn run(&self, request: Request) -> Result<Artifact, Fault> {
        let limit = time_left(request.deadline_ms).unwrap_or(self.inner.config.call_limit);
        let name = request.operation.name.clone();
        let (answer, caller) = oneshot::channel();
        tokio::spawn(Arc::clone(&self.inner).attend(request, limit, answer));
        caller.await.unwrap_or_else(|_| {
            Err(Fault::backend(format!("{name} was given up because the server is shutting down.")))
        })
    }

    async fn info(&self) -> Result<HostInfo, Fault> {
        let worker = self.inner.ready(0).await?;
        let reply = worker.get("/info").await.map_err(|lost| self.inner.lost("info", &worker, &lost))?;
        serde_json::from_slice(&reply.body).map_err(|error| nonsense("info", &error.to_string()))
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
        let slot = self.route(&request);
        let mut call = pin!(self.call(slot, &request, &holder));
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
        if tokio::time::timeout(self.config.grace, call).await.is_err()
            && let Some(worker) = holder.get()
        {
            tracing::warn!(operation = %request.operation.name, worker = worker.id(), "stuck; the worker is replaced");
            worker.kill_for(&request.operation_id);
            self.start_soon(slot);
        }
    }

    async fn call(
        self: &Arc<Self>,
        slot: usize,
        request: &Request,
        holder: &Holder,
    ) -> Result<Artifact, Fault> {
        let name = &request.operation.name;
        let path = match request.operation.effect {
            Effect::Query => "/query",
            Effect::Create => "/create",
            Effect::Modify => "/modify",
        };
        let body = serde_json::to_vec(request).map_err(|error| nonsense(name, &error.to_string()))?;
        let body = Bytes::from(body);
        let mut again = 0;
        loop {
            let worker = self.ready(slot).await?;
            holder.set(&worker);
            let lost = match worker.post(path, body.clone()).await {
                Ok(reply) => return reply.read(name),
                Err(lost) => lost,
            };
            worker.await_end(Duration::from_millis(500)).await;
            self.start_soon(slot);
            let innocent =
                matches!(lost, Lost::NotSent(_)) || worker.killed_for_another(&request.operation_id);
            if !innocent || again == 2 {
                return Err(self.lost(name, &worker, &lost));
            }
            again += 1;
        }
    }

    /// The slot for a request: by its first model, so that a model's versions are held open in one place; those without
    /// a model take turns.
    fn route(&self, request: &Request) -> usize {
        let count = self.slots.len();
        let Some(model) = request.models.first() else {
            return self.turn.fetch_add(1, Ordering::Relaxed) % count;
        };
        let score = |slot: usize| {
            let mut hasher = DefaultHasher::new();
            (model.id.as_str(), slot).hash(&mut hasher);
            hasher.finish()
        };
        (0..count).max_by_key(|slot| score(*slot)).unwrap_or(0)
    }

    /// The worker in a slot, started if there is none that lives.
    async fn ready(&self, slot: usize) -> Result<Arc<Worker>, Fault> {
        let Some(slot) = self.slots.get(slot) else {
            return Err(Fault::backend("This pool has no workers."));
        };
        let mut current = slot.current.lock().await;
        if let Some(worker) = current.as_ref().filter(|worker| worker.alive()) {
            return Ok(Arc::clone(worker));
        }
        *current = None;
        let number = self.started.fetch_add(1, Ordering::Relaxed);
        let socket = self.folder.0.join(format!("{number}.sock"));
        let worker =
            Worker::start(&self.config, &socket).await.map_err(|error| cannot_start(&self.config, &error))?;
        tracing::debug!(worker = worker.id(), "a worker is ready");
        Ok(Arc::clone(current.insert(worker)))
    }

    /// Starts the worker of a slot in the background, if it has none.
    fn start_soon(self: &Arc<Self>, slot: usize) {
        let inner = Arc::clone(self);
        tokio::spawn(async move {
            if let Err(fault) = inner.ready(slot).await {
                tracing::error!("{fault}");
            }
        });
    }

    fn lost(&self, name: &str, worker: &Worker, lost: &Lost) -> Fault {
        let how = match worker.ending() {
            Some(ending) => format!("The worker died ({ending}) while running {name}"),
            None => format!("The worker broke off while running {name} ({lost})"),
        };
        let log =
            self.config.log.as_deref().map(|path: &Path| format!(" Its messages are in {}.", path.display()));
        Fault::backend(format!(
            "{how}; nothing was committed, and a new worker takes the next call. Try once more; if it dies again, \
             change the parameters.{}",
            log.unwrap_or_default()
        ))
        .with("operation", name)
        .with("worker", worker.id())
    }
}

/// The worker that a call is with, for the one who may have to kill it.
#[derive(Default)]
struct Holder(Mutex<Option<Arc<Worker>>>);

impl Holder {
    fn set(&self, worker: &Arc<Worker>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(worker));
    }

    fn get(&self) -> Option<Arc<Worker>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn timed_out(request: &Request, limit: Duration) -> Fault {
    let name = &request.operation.name;
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

fn cannot_start(config: &PoolConfig, error: &io::Error) -> Fault {
    let program = config.command.first().map(|program| program.display().to_string()).unwrap_or_default();
    Fault::backend(format!("No worker could be started ({program}: {error}). Nothing was run."))
        .with("program", program)
}

fn nonsense(name: &str, why: &str) -> Fault {
    Fault::backend(format!(
        "The worker's answer to {name} does not fit the contract: {why}. Nothing was committed."
    ))
    .with("operation", name)
}

impl worker::Reply {
    /// The artifact or the fault that a reply carries.
    fn read(&self, name: &str) -> Result<Artifact, Fault> {
        if self.ok {
            return serde_json::from_slice(&self.body).map_err(|error| nonsense(name, &error.to_string()));
        }
        Err(serde_json::from_slice::<Fault>(&self.body)
            .unwrap_or_else(|error| nonsense(name, &error.to_string())))
    }
}

/// Whether the worker was killed for a call other than this one.
impl Worker {
    fn killed_for_another(&self, id: &OperationId) -> bool {
        self.killed_for().is_some_and(|other| other != id)
    }
}
