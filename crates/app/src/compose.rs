//! Puts the program together: adapters into the Execution Service; store, executor and catalogue into the service.

use crate::backend::confined::this_program;
use crate::backend::{self, Programs, WorkerPlan};
use crate::folder::DataFolder;
use crate::settings::{Settings, WorkerMemory};
use crate::{catalogue, policy, weather};
use anyhow::{Context, Result};
use contract::{Adapter as _, EventType};
use exec::sandbox::Bounds;
use exec::{Group, LateGroup, Linker, Pool, PoolConfig, WorkerConfig};
use service::{BackendPolicy, JobTimes, JobsAtWork, Service, ServiceConfig};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use store::{BucketConfig, Store, StoreConfig};

/// Processes and threads of a worker and what it works with: far more than work needs, far fewer than a machine has.
pub(crate) const TASKS: u32 = 1024;

/// Simulations that run at once: one for each core.
fn runs_at_once() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Workers on this machine: what they may use, and how much.
#[derive(Clone)]
pub(crate) struct Workers {
    /// How many of our own kernel.
    pub(crate) count: usize,
    /// Memory of each.
    pub(crate) memory: WorkerMemory,
    /// Folders whose files they may read.
    pub(crate) read: Vec<PathBuf>,
    /// The folder for files that they make.
    pub(crate) write: PathBuf,
    /// The folder for indexes of large files.
    pub(crate) indexes: PathBuf,
}

impl Workers {
    /// The same pool, in which back ends that are installed, replaced or taken away later are found by these settings.
    pub(crate) fn with_late(&self, mut pool: PoolConfig, settings: &Settings) -> PoolConfig {
        for backend in backend::resolving().filter(|backend| backend.hint().is_some()) {
            let name = backend.name();
            let Some(plan) = backend.workers(self.count).filter(|plan| plan.count > 0 && plan.lazy) else {
                continue;
            };
            pool.groups.retain(|group| group.backend() != name);
            let (workers, settings) = (self.clone(), settings.clone());
            let find = move || {
                let programs = backend.find(&settings).ok().flatten()?;
                workers.group(name, plan, programs).ok()
            };
            pool.late.push(LateGroup { backend: name.to_owned(), workers: plan.count, find: Arc::new(find) });
        }
        pool
    }

    /// A pool of workers of those back ends whose files were found.
    pub(crate) fn pool(&self, mut found: BTreeMap<&'static str, Programs>) -> Result<PoolConfig> {
        let mut pool = PoolConfig::empty();
        for backend in backend::resolving() {
            let name = backend.name();
            if let Some(hint) = backend.hint() {
                pool.hints.insert(name.to_owned(), hint);
            }
            let plan = backend.workers(self.count).filter(|plan| plan.count > 0);
            if let (Some(plan), Some(programs)) = (plan, found.remove(name)) {
                pool.groups.push(self.group(name, plan, programs)?);
            }
        }
        Ok(pool)
    }

    fn group(&self, backend: &str, plan: WorkerPlan, programs: Programs) -> Result<Group> {
        let config = WorkerConfig {
            backend: backend.to_owned(),
            programs,
            cache_mb: self.memory.cache_mb,
            memory_mb: self.memory.memory_mb,
            read: self.read.clone(),
            write: vec![self.write.clone()],
            indexes: Some(self.indexes.clone()),
            ..WorkerConfig::default()
        };
        let memory = self.memory.bytes().saturating_add(plan.programs_memory);
        Ok(Group {
            command: this_program(&["worker", backend])?,
            config,
            workers: plan.count,
            lazy: plan.lazy,
            bounds: Some(Bounds { memory, tasks: TASKS }),
        })
    }
}

/// A service, and what the web side shows beside it.
pub(crate) struct Composed {
    pub(crate) service: Service,
    /// The database and the bucket.
    pub(crate) store: Store,
    /// Links to its bucket.
    pub(crate) links: Arc<web::Links>,
    /// Its places; to be drained before the end.
    pub(crate) pool: Arc<Pool>,
    /// The counters of its pool.
    pub(crate) figures: web::Figures,
}

/// How long things take around jobs. Said every second how far they are, since somebody may be waiting for it.
const JOBS: JobTimes = JobTimes {
    beat: Duration::from_secs(1),
    silence: Duration::from_secs(20),
    look: Duration::from_secs(2),
    grace: Duration::from_secs(10),
};

impl Composed {
    /// Does the jobs that are submitted to its store, until the answer is dropped.
    pub(crate) fn do_jobs(&self) -> JobsAtWork {
        let simulations = self.service.operation_jobs(tools::JOB_KIND, Some(EventType::SimulationEnded));
        let workers = vec![simulations, self.service.calls_as_jobs()];
        self.service.do_jobs(workers, runs_at_once(), JOBS)
    }
}

/// Where these settings keep things.
pub(crate) fn place(folder: &Path, settings: &Settings) -> StoreConfig {
    let mut place = StoreConfig::in_folder(folder);
    place.database.clone_from(&settings.db_url);
    if let Some((address, copies)) = settings.bucket.clone() {
        match address.strip_prefix("file://") {
            Some(shared) => place.blobs = Some(PathBuf::from(shared)),
            None => place.bucket = Some(BucketConfig { address, key: None, copies }),
        }
    }
    place
}

/// The workers of this machine over a store.
pub(crate) fn workers(folder: &DataFolder, settings: &Settings, store: &Store) -> Result<Workers> {
    Ok(Workers {
        count: settings.workers,
        memory: settings.memory,
        read: vec![store.blobs_folder()],
        write: store.scratch_folder(),
        indexes: folder.indexes()?,
    })
}

/// The service over a data folder. Workers begin to start at once.
pub(crate) async fn service(
    folder: &DataFolder,
    settings: &Settings,
    public_url: String,
) -> Result<Composed> {
    // first the store: workers may use its folders and no others, and those have to be there
    let policy = policy::load(settings)?;
    // below every tool, too
    let place = StoreConfig { read_only: policy.read_only, ..place(folder.root(), settings) };
    if place.database.is_some() && place.bucket.is_none() && place.blobs.is_none() {
        tracing::warn!(
            "the database may be shared, but files are kept in {}: other gateways cannot open what is made here",
            folder.root().display()
        );
    }
    let store = Store::open(place).await.context("cannot open the store")?;
    policy::check_network(settings, &policy, &store).await?;
    let link_url = settings.link_url.as_ref().unwrap_or(&public_url);
    let links = web::Links::new(store.blobs_folder(), link_url).context("cannot make a key for links")?;
    let links = Arc::new(links);
    let workers = workers(folder, settings, &store)?;
    let mut pool = workers.with_late(workers.pool(backend::found(settings))?, settings);
    if !settings.endpoints.is_empty() {
        pool.endpoints.clone_from(&settings.endpoints);
        let known = exec_native::NativeAdapter::default().info().operations.into_iter();
        pool.expects = known.map(|operation| (operation.name, operation.schema_sha256)).collect();
        // an address that only this machine reaches helps nobody elsewhere
        let reached = settings.public_url.is_some()
            || settings.link_url.is_some()
            || settings.endpoints.iter().all(|endpoint| endpoint.url.contains("//127.0.0.1"));
        if reached {
            let links = Arc::clone(&links);
            pool.link = Some(Linker(Arc::new(move |path| links.to(path))));
        }
    }
    let pool = Arc::new(Pool::start(pool).context("cannot start the execution service")?);
    let counting = Arc::clone(&pool);
    let figures = web::Figures {
        media_type: exec::metrics::MEDIA_TYPE,
        text: Arc::new(move || exec::metrics::text_of(counting.as_ref()).unwrap_or_default()),
    };
    let local_key = if settings.open_loopback { None } else { Some(folder.local_key()?) };
    let config = ServiceConfig {
        public_url,
        local_key,
        write_dirs: settings.write_dirs.clone(),
        own_folders: vec![folder.root().to_owned()],
        policy: Arc::new(policy),
        is_a: exec_native::is_a,
        import_bytes: settings.upload_bytes,
        documentation: settings
            .docs_dir
            .iter()
            .map(|folder| (tools::MANUALS.to_owned(), folder.clone()))
            .chain(backend::documentation(settings))
            .collect(),
        libraries: [(tools::RULE_PACKS.to_owned(), folder.root().join(tools::RULE_PACKS))].into(),
        timeout: settings.call_limit,
        collections: [(tools::COLLECTION.to_owned(), weather::source(settings))].into(),
        job_limit: settings.simulation_limit,
        backends: BackendPolicy {
            models: settings.backends.models.clone(),
            operations: settings
                .backends
                .run_code
                .iter()
                .map(|backend| ("run_code".to_owned(), backend.clone()))
                .collect(),
            default: settings.backends.default.clone(),
        },
        ..ServiceConfig::default()
    };
    let authenticators = policy::authenticators(&config.policy, &store);
    let service = Service::with_authenticators(
        store.clone(),
        Arc::clone(&pool) as _,
        catalogue::entries(),
        config,
        authenticators,
    );
    Ok(Composed { service, store, links, pool, figures })
}
