//! Puts the program together: adapters into the Execution Service; store, executor and catalogue into the service.

use crate::folder::DataFolder;
use crate::settings::Settings;
use crate::{backend, catalogue, policy, weather};
use anyhow::{Context, Result};
use contract::Adapter as _;
use exec::sandbox::Bounds;
use exec::{Group, Linker, Pool, PoolConfig};
use service::{BackendPolicy, JobTimes, JobsAtWork, Service, ServiceConfig};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use store::{BucketConfig, Store, StoreConfig};
use tracing_subscriber::EnvFilter;

/// The adapter over our own kernel; indexes of large files go to a folder, if there is one.
pub(crate) fn native(indexes: Option<PathBuf>) -> exec_native::NativeAdapter {
    let native = exec_native::NativeAdapter::default();
    match indexes {
        Some(folder) => native.with_indexes(folder),
        None => native,
    }
}

/// Megabytes of memory that a worker may use beyond its cache, as `pensaer exec` has it by itself.
pub(crate) const MEMORY_MB: u64 = 8192;

/// Processes and threads of a worker and what it works with: far more than work needs, far fewer than a machine has.
pub(crate) const TASKS: u32 = 1024;

/// Simulations that run at once: one for each core.
pub(crate) fn runs_at_once() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Workers on this machine: what they may use, and how much.
pub(crate) struct Workers {
    /// How many.
    pub(crate) count: usize,
    /// Megabytes of opened models in each.
    pub(crate) cache_mb: u64,
    /// Folders whose files they may read.
    pub(crate) read: Vec<PathBuf>,
    /// The folder for files that they make.
    pub(crate) write: PathBuf,
    /// The folder for indexes of large files.
    pub(crate) indexes: PathBuf,
}

impl Workers {
    /// The group of our own kernel.
    fn native(&self) -> Result<Group> {
        let mut group = Group::of_this_program(self.count).context("cannot tell where this program is")?;
        group.command.extend(["--cache-mb".into(), self.cache_mb.to_string().into()]);
        for folder in &self.read {
            group.command.extend(["--read".into(), folder.into()]);
        }
        let folders = [("--write", &self.write), ("--indexes", &self.indexes)];
        group.command.extend(folders.into_iter().flat_map(|(name, folder)| [name.into(), folder.into()]));
        let memory = self.cache_mb.saturating_add(MEMORY_MB).saturating_mul(1 << 20);
        group.bounds = Some(Bounds { memory, tasks: TASKS });
        Ok(group)
    }

    /// A pool of these workers, of as many of IfcOpenShell where there is a Python for it, and of one with EnergyPlus where that
    /// is: programs run beside that one, as many as there are cores.
    pub(crate) fn pool(
        &self,
        beside: Option<backend::Found>,
        energyplus: Option<backend::energyplus::Installed>,
    ) -> Result<PoolConfig> {
        let mut pool = PoolConfig::empty();
        if self.count > 0 {
            pool.groups.push(self.native()?);
        }
        pool.hints.insert(backend::IFCOPENSHELL.to_owned(), backend::hint());
        if let Some(found) = beside {
            // most are never asked for it, and Python takes a second to start
            let mut group = Group { backend: backend::IFCOPENSHELL.to_owned(), lazy: true, ..self.native()? };
            group.workers = group.workers.max(1);
            group.command.extend(backend::arguments(found));
            pool.groups.push(group);
        }
        pool.hints.insert(backend::ENERGYPLUS.to_owned(), backend::energyplus::hint());
        if let Some(installed) = energyplus {
            let mut group =
                Group { backend: backend::ENERGYPLUS.to_owned(), lazy: true, workers: 1, ..self.native()? };
            group.command.extend(backend::energyplus::arguments(installed));
            let programs = (runs_at_once() as u64).saturating_mul(backend::energyplus::MEMORY_MB << 20);
            group.bounds = group
                .bounds
                .map(|bounds| Bounds { memory: bounds.memory.saturating_add(programs), ..bounds });
            pool.groups.push(group);
        }
        Ok(pool)
    }
}

/// A service, and what the web side shows beside it.
pub(crate) struct Composed {
    pub(crate) service: Service,
    /// What it keeps things in.
    pub(crate) store: Store,
    /// Links to its bucket.
    pub(crate) links: Arc<web::Links>,
    /// Its places; to be drained before the end.
    pub(crate) pool: Arc<Pool>,
    /// What its pool counts.
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
    /// Does the jobs that are put down in its store, until the answer is dropped.
    pub(crate) fn do_jobs(&self) -> JobsAtWork {
        self.service.do_jobs(vec![self.service.simulations()], runs_at_once(), JOBS)
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
    let workers = Workers {
        count: settings.workers,
        cache_mb: settings.cache_mb,
        read: vec![store.blobs_folder()],
        write: store.scratch_folder(),
        indexes: folder.indexes()?,
    };
    let beside = backend::python_and_package(settings).unwrap_or_else(|error| {
        tracing::warn!("IfcOpenShell cannot be used: {error:#}");
        None
    });
    let mut pool = workers.pool(beside, backend::energyplus::found(settings))?;
    if !settings.endpoints.is_empty() {
        pool.endpoints.clone_from(&settings.endpoints);
        let known = native(None).info().operations.into_iter();
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
    let config = ServiceConfig {
        public_url,
        policy: Arc::new(policy),
        is_a: exec_native::is_a,
        import_bytes: settings.upload_bytes,
        docs_dir: settings.docs_dir.clone(),
        timeout: settings.call_limit,
        weather: weather::source(settings),
        simulation: settings.simulation_limit,
        backends: BackendPolicy {
            models: settings.backends.models.clone(),
            run_code: settings.backends.run_code.clone(),
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

/// The runtime of everything that serves.
pub(crate) fn runtime() -> Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().context("cannot start the async runtime")
}

/// Messages go to standard error; `PENSAER_LOG` says which, in the form of `RUST_LOG`.
pub(crate) fn log_to_stderr() {
    let filter =
        EnvFilter::try_from_env("PENSAER_LOG").unwrap_or_else(|_| EnvFilter::new("warn,pensaer=info"));
    let _ = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(false)
        .try_init();
}

/// The login name of the user this process runs as.
pub(crate) fn user() -> String {
    ["USER", "LOGNAME", "USERNAME"]
        .iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()))
        .unwrap_or_else(|| "local".to_owned())
}
