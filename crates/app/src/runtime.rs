//! What subcommands need of the process that they run in: an async runtime, a log, the name of its user, the signals to end.

use anyhow::{Context, Result};
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
        .with_writer(std::io::stderr)
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

/// Comes back at Ctrl-C or when the process is asked to end.
pub(crate) async fn signalled() {
    let mut terminate = match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
        Ok(signal) => signal,
        Err(error) => {
            tracing::warn!(%error, "cannot watch for the signal to end");
            return std::future::pending().await;
        }
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = terminate.recv() => {}
    }
}

/// Gives huge pages to this process and those that it starts, or takes them away. A gateway waits most of its time, and would keep 2 MB for every few
/// kilobytes that it uses; where models are worked on they make it faster.
pub(crate) fn huge_pages(are_wanted: bool) {
    if let Err(error) = rustix::thread::disable_transparent_huge_pages(!are_wanted) {
        tracing::debug!(%error, "huge pages stay as they are");
    }
}
