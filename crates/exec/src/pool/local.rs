//! The place of one worker on this machine: the process in it changes, started when it is needed and replaced when it dies.

use super::call::Call;
use super::holder::Holder;
use super::lanes::{Lanes, SCRIPT};
use super::missed::Missed;
use super::worker::Worker;
use super::{Folder, Group, LateGroup, PoolConfig};
use crate::client::{Lost, nonsense};
use crate::metrics::PlaceCounts;
use contract::{Artifact, Fault, FaultCode, HostInfo, OperationId, Progress};
use parking_lot::Mutex as StdMutex;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::Mutex;

/// How long a back end that was found is taken to be as it was.
const SEEN: Duration = Duration::from_secs(1);

/// Where the configuration of a place's workers comes from.
#[derive(Clone)]
pub(super) enum Source {
    /// It is known from the start.
    Known(Arc<Group>),
    /// It is looked for.
    LookedFor(LateGroup, Arc<StdMutex<Option<Seen>>>),
}

/// A configuration that was found, and when.
type Seen = (Arc<Group>, Instant);

impl Source {
    /// That of a back end that may come while the pool runs.
    pub(super) fn looked_for(group: &LateGroup) -> Self {
        Self::LookedFor(group.clone(), Arc::default())
    }

    /// The configuration as it is now; none where there is no such back end here.
    fn group(&self) -> Option<Arc<Group>> {
        match self {
            Self::Known(group) => Some(Arc::clone(group)),
            Self::LookedFor(late, found) => {
                let mut found = found.lock();
                if let Some((group, at)) = found.as_ref()
                    && at.elapsed() < SEEN
                {
                    return Some(Arc::clone(group));
                }
                *found = (late.find)().map(|group| (Arc::new(group), Instant::now()));
                found.as_ref().map(|(group, _)| Arc::clone(group))
            }
        }
    }
}

/// The identity of an installation, which differs from that of another at the same paths: a worker is confined to the files that it was
/// started with.
fn installation(group: &Group) -> Vec<(PathBuf, u64)> {
    let number = |path: &Path| std::fs::metadata(path).map(|about| file_number(&about)).unwrap_or_default();
    group.config.programs.values().map(|path| (path.clone(), number(path))).collect()
}

/// The number by which the file system knows a file; another file at the same path has another one.
#[cfg(unix)]
fn file_number(about: &std::fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(about)
}

/// The number of a file, which is not asked for where no worker runs.
#[cfg(not(unix))]
fn file_number(_: &std::fs::Metadata) -> u64 {
    0
}

/// A worker, and the installation that it works with.
struct Current {
    worker: Arc<Worker>,
    installation: Vec<(PathBuf, u64)>,
}

/// The place of one worker.
pub(super) struct Local {
    config: Arc<PoolConfig>,
    source: Source,
    backend: String,
    name: String,
    sockets: Arc<Folder>,
    /// Sockets are numbered, so that a worker that is late to die cannot be taken for the next.
    sequence: AtomicUsize,
    current: Mutex<Option<Current>>,
    suspects: Mutex<()>,
    lanes: Arc<Lanes>,
    counts: Arc<PlaceCounts>,
}

impl Local {
    pub(super) fn new(
        config: &Arc<PoolConfig>,
        (backend, number): (&str, usize),
        source: Source,
        sockets: &Arc<Folder>,
        counts: &Arc<PlaceCounts>,
    ) -> Arc<Self> {
        Arc::new(Self {
            config: Arc::clone(config),
            source,
            backend: backend.to_owned(),
            name: format!("{backend}/{number}"),
            sockets: Arc::clone(sockets),
            sequence: AtomicUsize::new(0),
            current: Mutex::default(),
            suspects: Mutex::default(),
            lanes: Lanes::new(std::thread::available_parallelism().map_or(2, usize::from)),
            counts: Arc::clone(counts),
        })
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn backend(&self) -> &str {
        &self.backend
    }

    /// True if its back end is on this machine, now.
    pub(super) fn is_here(&self) -> bool {
        self.source.group().is_some()
    }

    pub(super) fn suspects(&self) -> &Mutex<()> {
        &self.suspects
    }

    /// The process id of its worker, if one runs.
    pub(super) async fn worker_id(&self) -> Option<u32> {
        let current = self.current.lock().await;
        current.as_ref().filter(|current| current.worker.alive()).map(|current| current.worker.id())
    }

    /// True if its worker runs; not while it is about to.
    pub(super) fn runs(&self) -> bool {
        let current = self.current.try_lock();
        current.is_ok_and(|current| current.as_ref().is_some_and(|current| current.worker.alive()))
    }

    /// The calls that wait for their turn here.
    pub(super) fn waiting(&self) -> usize {
        self.lanes.waiting()
    }

    pub(super) async fn progress(&self, operation: &OperationId) -> Option<Progress> {
        if let Some(waits) = self.lanes.progress(operation) {
            return Some(waits);
        }
        // not while it is about to start: there is nothing yet to ask
        let worker = self.current.try_lock().ok()?.as_ref().map(|current| Arc::clone(&current.worker))?;
        worker.progress(operation).await
    }

    pub(super) async fn info(&self) -> Result<HostInfo, Fault> {
        let worker = self.ready().await?;
        let reply = worker.get("/info").await.map_err(|lost| self.lost("info", &worker, &lost))?;
        serde_json::from_slice(&reply.body).map_err(|error| nonsense("info", &error.to_string()))
    }

    pub(super) async fn run(
        self: &Arc<Self>,
        call: &Call,
        holder: &Holder,
    ) -> Result<Result<Artifact, Fault>, Missed> {
        let body = match call.body() {
            Ok(body) => body,
            Err(fault) => return Ok(Err(fault)),
        };
        let _turn = match self.lanes.turn(call).await {
            Ok(turn) => turn,
            Err(fault) => return Ok(Err(fault)),
        };
        let worker = self.ready().await.map_err(Missed::Absent)?;
        holder.set(self, &worker);
        let answer = worker.post(call.path(), body);
        // a script ends by itself at its limit, but where one step of it takes longer than all of its time
        let limit = if call.name() == SCRIPT { self.config.script_limit } else { Duration::MAX };
        let Ok(answer) = tokio::time::timeout(limit, answer).await else {
            tracing::warn!(worker = worker.id(), "a script went beyond its limit; the worker is replaced");
            worker.kill_for(&call.request.operation_id);
            self.start_soon();
            return Ok(Err(script_ended(limit)));
        };
        let lost = match answer {
            Ok(reply) => return Ok(reply.read(call.name())),
            Err(lost) => lost,
        };
        worker.await_end(Duration::from_millis(500)).await;
        self.start_soon();
        let fault = self.lost(call.name(), &worker, &lost);
        let for_another = worker.killed_for().is_some_and(|id| *id != call.request.operation_id);
        Err(match lost {
            Lost::BrokenOff(_) if !for_another => Missed::Died(fault),
            _ => Missed::Passed(fault),
        })
    }

    /// The worker, started if there is none that lives.
    async fn ready(&self) -> Result<Arc<Worker>, Fault> {
        let mut current = self.current.lock().await;
        let Some(group) = self.source.group() else {
            *current = None;
            let hint = self.config.hints.get(&self.backend);
            let hint = hint.map(|hint| format!(" To have it: {hint}.")).unwrap_or_default();
            return Err(Fault::backend(format!("{} is not here any more.{hint}", self.backend)));
        };
        let installation = installation(&group);
        if let Some(known) = current.as_ref()
            && known.worker.alive()
            && known.installation == installation
        {
            return Ok(Arc::clone(&known.worker));
        }
        // one that works with what was there before ends with the calls that it has
        *current = None;
        let number = self.sequence.fetch_add(1, Ordering::Relaxed);
        let socket = self.sockets.path().join(format!("{}-{number}", self.name.replace('/', "-")));
        let worker = Worker::start(&self.config, &group, &socket).await;
        let worker = worker.map_err(|error| {
            let hint = self.config.hints.get(group.backend()).map(String::as_str);
            cannot_start(&group.command, &error, hint)
        })?;
        self.counts.started(group.backend());
        tracing::debug!(worker = worker.id(), place = self.name, "a worker is ready");
        *current = Some(Current { worker: Arc::clone(&worker), installation });
        Ok(worker)
    }

    /// Starts the worker in the background, if there is none.
    pub(super) fn start_soon(self: &Arc<Self>) {
        let place = Arc::clone(self);
        tokio::spawn(async move {
            if let Err(fault) = place.ready().await {
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

fn script_ended(limit: Duration) -> Fault {
    Fault::new(
        FaultCode::LimitReached,
        format!(
            "The script did not end by itself at its limit of time, and was ended from outside after {:.0} s: one step of it takes too \
             long, such as a power of large integers. Nothing was changed.",
            limit.as_secs_f64()
        ),
    )
    .with("limit", "time")
}

fn cannot_start(command: &[std::ffi::OsString], error: &io::Error, hint: Option<&str>) -> Fault {
    let program = command.first().map(|program| program.display().to_string()).unwrap_or_default();
    let hint = hint.map(|hint| format!(" To have it anew: {hint}.")).unwrap_or_default();
    Fault::backend(format!("No worker could be started ({program}: {error}). Nothing was run.{hint}"))
        .with("program", program)
}
