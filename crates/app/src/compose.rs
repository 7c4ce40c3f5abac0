//! Puts the program together: adapters into the Execution Service; store, executor and catalogue into the service.

use crate::catalogue;
use crate::folder::DataFolder;
use crate::settings::Settings;
use anyhow::{Context, Result};
use contract::Adapter;
use exec::{Group, Pool, PoolConfig};
use service::{Service, ServiceConfig};
use std::path::PathBuf;
use std::sync::Arc;
use store::{Store, StoreConfig};
use tracing_subscriber::EnvFilter;

/// The adapters of this program; indexes of large files go to a folder, if there is one.
pub(crate) fn adapters(indexes: Option<PathBuf>) -> Vec<Arc<dyn Adapter>> {
    let native = exec_native::NativeAdapter::default();
    vec![match indexes {
        Some(folder) => Arc::new(native.with_indexes(folder)),
        None => Arc::new(native),
    }]
}

/// The service over a data folder. Workers begin to start at once.
pub(crate) async fn service(folder: &DataFolder, settings: &Settings, public_url: String) -> Result<Service> {
    // first the store: workers may use its folders and no others, and those have to be there
    let store = Store::open(StoreConfig::in_folder(folder.root())).await.context("cannot open the store")?;
    let indexes = folder.indexes()?;
    let workers = Group::of_this_program(settings.workers);
    let mut native = workers.context("cannot tell where this program is")?;
    let blobs = store.blobs_folder();
    for (name, value) in [
        ("--cache-mb", settings.cache_mb.to_string().into()),
        ("--read", blobs.into_os_string()),
        ("--write", store.scratch_folder().into_os_string()),
        ("--indexes", indexes.into_os_string()),
    ] {
        native.command.extend([name.into(), value]);
    }
    let pool = PoolConfig { groups: vec![native], ..PoolConfig::empty() };
    let pool = Pool::start(pool).context("cannot start a worker")?;
    let config = ServiceConfig {
        public_url,
        read_only: settings.read_only,
        import_bytes: settings.upload_bytes,
        ..ServiceConfig::default()
    };
    Ok(Service::new(store, Arc::new(pool), catalogue::entries(), config))
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
