//! What subcommands need of the process and the system that they run in: an async runtime, a log, the name of its user, the signals to
//! end, pages, descriptors, room on the disk.

use anyhow::{Context, Result};
use std::io;
use std::path::Path;
use tracing_subscriber::EnvFilter;

/// The runtime of everything that serves.
pub(crate) fn start() -> Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().context("cannot start the async runtime")
}

/// Messages go to standard error; `PENSAER_LOG` says which, in the form of `RUST_LOG`.
pub(crate) fn log_to_stderr() {
    let filter =
        EnvFilter::try_from_env("PENSAER_LOG").unwrap_or_else(|_| EnvFilter::new("warn,pensaer=info"));
    let _ = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .with_ansi(false)
        // it would be printed, and printing panics where the log cannot be written, as on a full disk
        .log_internal_errors(false)
        .try_init();
}

/// The login name of the user this process runs as.
pub(crate) fn user() -> String {
    ["USER", "LOGNAME", "USERNAME"]
        .iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()))
        .unwrap_or_else(|| "local".to_owned())
}

/// The signals to end, watched for from when this is made: one that comes before anybody waits is not lost.
pub(crate) struct Signals {
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
}

impl Signals {
    /// Begins to watch. Has to be called within a tokio runtime.
    #[cfg(unix)]
    pub(crate) fn watch() -> Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        let watched = |kind| signal(kind).context("cannot watch for the signals to end");
        Ok(Self {
            terminate: watched(SignalKind::terminate())?,
            interrupt: watched(SignalKind::interrupt())?,
        })
    }

    /// Begins to watch.
    #[cfg(not(unix))]
    pub(crate) fn watch() -> Result<Self> {
        Ok(Self {})
    }

    /// Comes back at Ctrl-C or when the process is asked to end.
    #[cfg(unix)]
    pub(crate) async fn end(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }

    /// Comes back at Ctrl-C.
    #[cfg(not(unix))]
    pub(crate) async fn end(&mut self) {
        if let Err(error) = tokio::signal::ctrl_c().await {
            tracing::warn!(%error, "cannot watch for Ctrl-C");
            std::future::pending::<()>().await;
        }
    }
}

/// Gives huge pages to this process and those that it starts, or takes them away. A gateway waits most of its time, and would keep 2 MB for every few
/// kilobytes that it uses; where models are worked on they make it faster.
#[cfg(target_os = "linux")]
pub(crate) fn huge_pages(are_wanted: bool) {
    if let Err(error) = rustix::thread::disable_transparent_huge_pages(!are_wanted) {
        tracing::debug!(%error, "huge pages stay as they are");
    }
}

/// Leaves pages as they are: only Linux is asked for others.
#[cfg(not(target_os = "linux"))]
pub(crate) fn huge_pages(_: bool) {}

/// Gives this process all the descriptors that it may have, and answers how many that is; none where there is no bound.
#[cfg(unix)]
pub(crate) fn descriptors() -> Option<u64> {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut descriptors = getrlimit(Resource::Nofile);
    descriptors.current = most_descriptors(descriptors.current, descriptors.maximum);
    if setrlimit(Resource::Nofile, descriptors).is_err() {
        descriptors = getrlimit(Resource::Nofile);
    }
    descriptors.current
}

/// Answers that there is no bound: descriptors are not counted here.
#[cfg(not(unix))]
pub(crate) fn descriptors() -> Option<u64> {
    None
}

/// The most descriptors that a process which has so many may ask for.
#[cfg(all(unix, not(target_vendor = "apple")))]
fn most_descriptors(_: Option<u64>, maximum: Option<u64>) -> Option<u64> {
    maximum
}

/// The most descriptors that a process which has so many may ask for: macOS refuses more than `OPEN_MAX`, whatever it says the maximum is.
#[cfg(target_vendor = "apple")]
fn most_descriptors(current: Option<u64>, maximum: Option<u64>) -> Option<u64> {
    const OPEN_MAX: u64 = 10_240;
    current.map(|current| current.max(maximum.map_or(OPEN_MAX, |maximum| maximum.min(OPEN_MAX))))
}

/// Bytes that this user may still write where a folder is.
#[cfg(unix)]
pub(crate) fn free_space(folder: &Path) -> io::Result<u64> {
    let system = rustix::fs::statvfs(folder)?;
    Ok(system.f_bavail.saturating_mul(system.f_frsize))
}

/// Bytes that this user may still write where a folder is, which Pensaer does not ask here.
#[cfg(not(unix))]
pub(crate) fn free_space(_: &Path) -> io::Result<u64> {
    Err(io::ErrorKind::Unsupported.into())
}
