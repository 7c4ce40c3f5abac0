//! Work that outlasts the call that asked for it. A call submits a job and answers its id; some gateway begins it, says
//! every few seconds that it is still at it, and writes down what it came to. A job whose gateway falls silent is begun
//! again by another, so that what does the work has to bear being done twice; its outcome counts once.

use crate::call::Call;
use crate::{ProgressSink, Service};
use contract::{
    BoxFuture, EventType, Fault, FaultCode, JobDraft, JobFiles, JobFilter, JobRecord, JobResult, JobState,
    Jobs, KeptFile, ModelRecord, OperationJob, Page, Progress,
};
use parking_lot::Mutex;
use serde::Deserialize as _;
use serde_json::Value;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use store::{JobEnd, JobTaken, Store};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{Instant, MissedTickBehavior, interval};

/// Parameters of a job, in bytes. What is larger belongs into the bucket.
const PARAMETERS: usize = 1 << 20;
/// Jobs of one principal that may be queued at a time.
const QUEUED: u32 = 64;

/// How often a job is looked at by a call that waits for it.
const LOOK: Duration = Duration::from_millis(250);
/// The time that is left of a call when it stops waiting.
const SPARE: Duration = Duration::from_secs(5);

/// The worker for jobs of one kind.
pub trait JobWorker: Send + Sync {
    /// Which.
    fn kind(&self) -> &'static str;

    /// The kind of event that the end of one is told as, if it is.
    fn event(&self) -> Option<EventType> {
        None
    }

    /// Does one. What it answers after it was told to end is what it had come to by then. Dropped where it does not end in time after it was told to; what it began elsewhere has to end with that.
    fn run<'a>(&'a self, job: &'a JobRecord, watch: &'a JobWatch) -> BoxFuture<'a, Result<Value, Fault>>;
}

/// How far a job is, and whether it is still wanted.
pub struct JobWatch {
    progress: Mutex<Option<Value>>,
    ending: watch::Sender<bool>,
}

impl JobWatch {
    fn new() -> Self {
        Self { progress: Mutex::default(), ending: watch::Sender::new(false) }
    }

    /// Says how far it is. Whoever asks for the job is told within seconds.
    pub fn at(&self, progress: Value) {
        *self.progress.lock() = Some(progress);
    }

    /// Makes `sink` one whose progress is said of this job. The answer passes it on for as long as it is polled.
    pub(crate) fn told_by<'a>(
        &'a self,
        sink: &mut Option<ProgressSink>,
    ) -> impl Future<Output = Infallible> + use<'a> {
        let (tell, mut told) = watch::channel(Progress::default());
        *sink = Some(ProgressSink::new(move |progress| {
            tell.send_replace(progress);
        }));
        async move {
            while told.changed().await.is_ok() {
                let said = serde_json::to_value(&*told.borrow_and_update()).unwrap_or_default();
                self.at(said);
            }
            std::future::pending().await
        }
    }

    fn said(&self) -> Option<Value> {
        self.progress.lock().take()
    }

    /// True if it is still wanted.
    pub fn is_wanted(&self) -> bool {
        !*self.ending.borrow()
    }

    /// Comes back when it is not wanted any more.
    pub async fn unwanted(&self) {
        // the sender is this one's own, and there as long as this is
        let _ = self.ending.subscribe().wait_for(|ending| *ending).await;
    }

    fn end(&self) {
        self.ending.send_replace(true);
    }
}

/// How long things take around jobs. Gateways that share a database need the same, and clocks that are no further apart
/// than half of `silence`.
#[derive(Debug, Clone, Copy)]
pub struct JobTimes {
    /// How often a gateway says that it is at a job.
    pub beat: Duration,
    /// After how much silence it is thought to be gone.
    pub silence: Duration,
    /// How often jobs of other gateways are looked for.
    pub look: Duration,
    /// How long a job that is to end may take to.
    pub grace: Duration,
}

impl Default for JobTimes {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self { beat: seconds(5), silence: seconds(60), look: seconds(2), grace: seconds(20) }
    }
}

/// Jobs that are done here, until this is dropped or told to end.
pub struct JobsAtWork {
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl JobsAtWork {
    /// Begins no more, and gives back what runs, so that another gateway begins it.
    pub async fn end(mut self) {
        self.stop.send_replace(true);
        let _ = (&mut self.task).await;
    }
}

impl Drop for JobsAtWork {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Service {
    /// Does jobs of these kinds, so many at once, until the answer is dropped.
    pub fn do_jobs(&self, workers: Vec<Arc<dyn JobWorker>>, at_once: usize, times: JobTimes) -> JobsAtWork {
        let (stop, stopped) = watch::channel(false);
        let inner = self.inner();
        let bench = Bench {
            store: inner.store.clone(),
            workers,
            turn: AtomicUsize::new(0),
            times,
            new: Arc::clone(&inner.new_jobs),
            free: Arc::new(Semaphore::new(at_once.max(1))),
        };
        JobsAtWork { stop, task: tokio::spawn(bench.work(stopped)) }
    }
}

/// Where jobs are done.
struct Bench {
    store: Store,
    workers: Vec<Arc<dyn JobWorker>>,
    /// Counts who was asked first.
    turn: AtomicUsize,
    times: JobTimes,
    /// Rung where one was submitted here.
    new: Arc<Notify>,
    free: Arc<Semaphore>,
}

impl Bench {
    async fn work(self, mut stopped: watch::Receiver<bool>) {
        let mut running = JoinSet::new();
        let told = stopped.clone();
        while !*stopped.borrow() {
            tokio::select! {
                _ = stopped.changed() => break,
                place = Arc::clone(&self.free).acquire_owned() => {
                    let Ok(place) = place else { break };
                    self.begin(place, &mut running, &told).await;
                }
            }
            while running.try_join_next().is_some() {}
        }
        while running.join_next().await.is_some() {}
    }

    /// Begins the next job, as soon as there is one, or comes back without one when told to stop. Broken off only while it
    /// waits: a job that is taken has to be begun, or nobody would give it back.
    async fn begin(
        &self,
        place: OwnedSemaphorePermit,
        running: &mut JoinSet<()>,
        stopped: &watch::Receiver<bool>,
    ) {
        let mut told = stopped.clone();
        while !*told.borrow() {
            // each kind is asked first in its turn, so that none waits for ever behind another
            let first = self.turn.fetch_add(1, Ordering::Relaxed);
            let (before, after) = self.workers.split_at(first.checked_rem(self.workers.len()).unwrap_or(0));
            for worker in after.iter().chain(before) {
                let kind = worker.kind();
                let taken = match self.store.take_job(kind, self.times.silence).await {
                    Ok(Some(taken)) => taken,
                    Ok(None) => continue,
                    Err(error) => {
                        tracing::warn!(%error, "jobs wait until the database answers");
                        break;
                    }
                };
                let (store, worker) = (self.store.clone(), Arc::clone(worker));
                let (times, stopped) = (self.times, stopped.clone());
                running.spawn(async move {
                    let _place = place;
                    do_one(&store, worker.as_ref(), &taken, times, stopped).await;
                });
                return;
            }
            tokio::select! {
                _ = told.changed() => {}
                _ = tokio::time::timeout(self.times.look, self.new.notified()) => {}
            }
        }
    }
}

/// Does one job to its end, and writes that down.
async fn do_one(
    store: &Store,
    worker: &dyn JobWorker,
    job: &JobTaken,
    times: JobTimes,
    mut stopped: watch::Receiver<bool>,
) {
    let watch = JobWatch::new();
    let end = tokio::select! {
        outcome = worker.run(&job.record, &watch) => Some(match outcome {
            Ok(result) if !watch.is_wanted() && is_cancelled(&result) => JobEnd::Cancelled(Some(result)),
            Ok(result) => JobEnd::Done(result),
            Err(_) if !watch.is_wanted() => JobEnd::Cancelled(None),
            Err(fault) => JobEnd::Failed(fault.to_json()),
        }),
        end = hold(store, job, times, &watch) => end,
        _ = stopped.wait_for(|stopped| *stopped) => Some(JobEnd::GivenBack),
    };
    let Some(end) = end else {
        tracing::warn!(job = job.record.job_id, "another gateway has this job by now");
        return;
    };
    // what was worked out is worth more than one attempt to write it down
    let mut tries = interval(times.beat);
    let until = Instant::now() + times.silence;
    while Instant::now() < until {
        tries.tick().await;
        match store.end_job(job, end.clone(), worker.event()).await {
            Ok(true) => return,
            Ok(false) => {
                tracing::warn!(job = job.record.job_id, "another gateway has this job by now");
                return;
            }
            Err(error) => {
                tracing::warn!(job = job.record.job_id, %error, "a job's end could not be written down");
            }
        }
    }
}

/// True if a job says of itself that it was broken off: one may also have come to its end just before it was told to.
fn is_cancelled(result: &Value) -> bool {
    JobResult::deserialize(result).is_ok_and(|result| result.is_cancelled())
}

/// Says again and again that the job goes on. Comes back where it must not: cancelled after its grace, or with nothing where
/// another has it.
async fn hold(store: &Store, job: &JobTaken, times: JobTimes, watch: &JobWatch) -> Option<JobEnd> {
    let mut beats = interval(times.beat);
    beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut heard = Instant::now();
    let mut until = None;
    loop {
        beats.tick().await;
        match store.beat_job(job, watch.said()).await {
            Ok(None) => return None,
            Ok(Some(is_ending)) => {
                heard = Instant::now();
                if is_ending && until.is_none() {
                    watch.end();
                    until = Some(heard + times.grace);
                }
            }
            // another may begin it by now
            Err(_) if heard.elapsed() > times.silence => return None,
            Err(error) => tracing::warn!(job = job.record.job_id, %error, "a job could not be kept up"),
        }
        if until.is_some_and(|until| Instant::now() >= until) {
            return Some(JobEnd::Cancelled(None));
        }
    }
}

impl Call {
    /// Submits a job in the caller's name. Whether the caller may do what it does is for the tool to have asked.
    pub(crate) async fn submit_draft(&self, draft: JobDraft) -> Result<JobRecord, Fault> {
        if draft.parameters.to_string().len() > PARAMETERS {
            let problem =
                format!("The parameters of a job are at most {PARAMETERS} bytes; put files into the bucket.");
            return Err(Fault::new(FaultCode::InvalidParams, problem));
        }
        if let Some((model, _)) = &draft.about {
            self.known_model(model).await?;
        }
        let own = JobFilter {
            principal: Some(self.who.principal.name.clone()),
            state: Some(JobState::Queued),
            ..JobFilter::default()
        };
        let queued = self.inner.store.jobs(&own, QUEUED, None).await?.items.len();
        if u32::try_from(queued).unwrap_or(u32::MAX) >= QUEUED {
            let problem = format!(
                "{QUEUED} jobs of yours are queued already. Wait for some of them (get_job), or cancel_job them."
            );
            return Err(Fault::new(FaultCode::Busy, problem).with("limit", "queued jobs"));
        }
        let job = self.inner.store.submit_job(draft, &self.who.principal.name).await?;
        self.outcome.left_job.store(true, Ordering::Relaxed);
        self.inner.new_jobs.notify_one();
        Ok(job)
    }

    /// A job that is the caller's own, or about a model that is there for the caller.
    pub(crate) async fn seen_job(&self, id: &str) -> Result<JobRecord, Fault> {
        let found = self.inner.store.job(id).await?;
        match found {
            Some(job) if self.sees_job(&job).await? => Ok(self.outward_job(job)),
            _ => Err(Fault::new(FaultCode::NotFound, format!("There is no job `{id}`.")).with("job_id", id)),
        }
    }

    async fn sees_job(&self, job: &JobRecord) -> Result<bool, Fault> {
        let Some(model) = &job.model_id else { return Ok(job.principal == self.who.principal.name) };
        let model: ModelRecord = self.inner.store.model(model).await?;
        Ok(self.sees(&model) && self.sees_others_of(job).await)
    }

    /// A page of jobs, the latest first. It may be shorter than asked for.
    pub(crate) async fn seen_jobs(
        &self,
        filter: &JobFilter,
        limit: u32,
        cursor: Option<&str>,
    ) -> Result<Page<JobRecord>, Fault> {
        let page = self.inner.store.jobs(filter, limit, cursor).await?;
        let mut items = Vec::with_capacity(page.items.len());
        for job in page.items {
            if self.sees_job(&job).await? {
                items.push(self.outward_job(job));
            }
        }
        Ok(Page { items, next_cursor: page.next_cursor })
    }

    /// A job at its end, or as it is after so long or when this call's own time is nearly over.
    pub(crate) async fn waited_for(&self, id: &str, patience: Duration) -> Result<JobRecord, Fault> {
        let own = self.who.patience.filter(|_| self.outcome.left_job.load(Ordering::Relaxed));
        let patience = own.map_or(patience, |own| own.min(patience));
        let left = exec::time_left(self.clock.deadline_ms).unwrap_or(patience);
        let until = Instant::now() + patience.min(left.saturating_sub(SPARE));
        let mut last = Progress::default();
        loop {
            let job = self.seen_job(id).await?;
            if job.state.is_over() || Instant::now() >= until {
                return Ok(job);
            }
            let now = job.progress.clone().and_then(|said| serde_json::from_value::<Progress>(said).ok());
            if let (Some(sink), Some(now)) = (&self.who.progress, now.filter(|now| *now != last)) {
                last = now.clone();
                sink.tell(now);
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Asks for a job to end: its own principal may, and who administers.
    pub(crate) async fn end_job(&self, id: &str) -> Result<JobRecord, Fault> {
        let job = self.seen_job(id).await?;
        if job.principal != self.who.principal.name && !self.administers_all() {
            let problem =
                format!("The job `{id}` is {}'s; they, or an administrator, can end it.", job.principal);
            return Err(Fault::new(FaultCode::PermissionDenied, problem).with("job_id", id));
        }
        Ok(self.inner.store.cancel_job(id).await?.map_or(job, |job| self.outward_job(job)))
    }
}

impl Jobs for Call {
    fn submit_job(&self, draft: JobDraft) -> BoxFuture<'_, Result<JobRecord, Fault>> {
        Box::pin(self.submit_draft(draft))
    }

    fn submit_operation(&self, job: OperationJob) -> BoxFuture<'_, Result<Option<JobRecord>, Fault>> {
        Box::pin(self.submit(job))
    }

    fn job_limit(&self) -> Duration {
        self.inner.config.job_limit
    }

    fn job<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<JobRecord, Fault>> {
        Box::pin(self.seen_job(id))
    }

    fn jobs<'a>(
        &'a self,
        filter: &'a JobFilter,
        limit: u32,
        cursor: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Page<JobRecord>, Fault>> {
        Box::pin(self.seen_jobs(filter, limit, cursor))
    }

    fn cancel_job<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<JobRecord, Fault>> {
        Box::pin(self.end_job(id))
    }

    fn await_job<'a>(&'a self, id: &'a str, patience: Duration) -> BoxFuture<'a, Result<JobRecord, Fault>> {
        Box::pin(self.waited_for(id, patience))
    }

    fn latest_job<'a>(&'a self, need: &'a JobFiles) -> BoxFuture<'a, Result<JobRecord, Fault>> {
        Box::pin(self.latest_job_with(need))
    }

    fn job_files<'a>(&'a self, need: &'a JobFiles) -> BoxFuture<'a, Result<Vec<KeptFile>, Fault>> {
        Box::pin(async move {
            let files = self.files_left(need).await?;
            Ok(files.iter().map(|(role, record)| self.kept(role, record)).collect())
        })
    }
}
