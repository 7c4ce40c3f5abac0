//! `pensaer serve`: the one process of a data folder that owns database, workers and sockets.

use crate::folder::{DataFolder, Running};
use crate::idle::Presence;
use crate::runtime::{self, Signals};
use crate::settings::Settings;
use crate::{compose, connections, local, sockets, web_server};
use anyhow::{Context, Result};
use clap::Args;
use service::Service;
use std::io::IsTerminal as _;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};
use store::Store;
use tokio_util::sync::CancellationToken;

/// How long clients get to see their last answers when the daemon ends.
const FAREWELL: Duration = Duration::from_secs(3);
/// How long a daemon waits for the one before it to be gone: less than whoever started it waits for it.
const PATIENCE: Duration = Duration::from_secs(20);
/// How often the head of the audit log is noted.
const HEADS: Duration = Duration::from_mins(1);

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// End after this many seconds without a client.
    #[arg(long, value_name = "SECONDS")]
    idle_exit: Option<u64>,
    /// Seconds that running calls get to end when the server is told to.
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    drain: u64,
    /// Take the settings from standard input, run detached from the terminal and settle for another port; what `pensaer mcp`
    /// starts.
    #[arg(long, hide = true)]
    detached: bool,
    /// Have, beside everything else, what the protocol's conformance suite asks for.
    #[arg(long, hide = true)]
    conformance_fixtures: bool,
}

/// Serves until a signal, or until nobody has been there for as long as was said.
pub(crate) fn run(settings: impl FnOnce() -> Result<Settings>, options: &Arguments) -> Result<ExitCode> {
    let settings = if options.detached {
        exec::sandbox::detach();
        exec::sandbox::receive().context("this is to be started by `pensaer mcp`")?
    } else {
        settings()?
    };
    runtime::log_to_stderr();
    runtime::huge_pages(false);
    let folder = DataFolder::open(&settings.data_dir)?;
    let outcome =
        settings.check_listen().and_then(|()| runtime::start()?.block_on(serve(&folder, &settings, options)));
    if let Err(error) = &outcome
        && options.detached
    {
        // whole or not at all: who started this process reads it as soon as it is there
        let (draft, failure) = (folder.failure().with_extension("draft"), folder.failure());
        let _ = std::fs::write(&draft, format!("{error:#}")).and_then(|()| std::fs::rename(&draft, failure));
    }
    outcome.map(|()| ExitCode::SUCCESS)
}

async fn serve(folder: &DataFolder, settings: &Settings, options: &Arguments) -> Result<()> {
    let _lock = own(folder, options.detached).await?;
    folder.clear_running();
    let listener = web_server::bind(settings.listen, options.detached).await?;
    let address = listener.local_addr()?;
    let url = settings.public_url.clone().unwrap_or_else(|| format!("http://{address}"));
    let composed = compose::service(folder, settings, url.clone()).await?;
    let service = composed.service.clone();

    let stop = CancellationToken::new();
    let presence = Arc::new(Presence::new());
    let app = web_server::router(&composed, settings, &presence, &stop, options.conformance_fixtures);
    let socket = local::listen(folder.socket())
        .with_context(|| format!("cannot listen at {}", folder.socket().display()))?;
    store::private::file(folder.socket()).context("cannot take the socket away from others")?;
    // whoever reads that it is there may end it at once, and it ends in order
    let mut signals = Signals::watch()?;
    folder.write_running(&Running {
        pid: std::process::id(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        url: url.clone(),
        socket: folder.socket().to_owned(),
    })?;
    // a log that others may read is no place for it
    let key = service.config().local_key.as_ref().filter(|_| std::io::stderr().is_terminal());
    if !options.detached {
        eprintln!(
            "Pensaer serves {}\n  viewer  {url}/viewer{}\n  MCP     {url}/mcp\n{}Ctrl-C ends it.",
            folder.root().display(),
            key.as_ref().map(|key| format!("#key={}", key.reveal())).unwrap_or_default(),
            key.as_ref()
                .map(|key| format!("  key     Authorization: Bearer {}\n", key.reveal()))
                .unwrap_or_default(),
        );
    }

    let limits = connections::Limits::within_descriptors(settings.connections_per_address);
    let jobs = composed.do_jobs();
    let noting = tokio::spawn(note_heads(composed.store.clone(), composed.service.clone()));
    let mut http = tokio::spawn(connections::serve(listener, app, limits, stop.clone()));
    // what somebody started by hand ends by hand
    let leave = options.detached.then(CancellationToken::new);
    let mut local = tokio::spawn(sockets::serve(
        socket,
        service.clone(),
        Arc::clone(&presence),
        stop.clone(),
        leave.clone(),
    ));
    let left = async {
        match &leave {
            Some(leave) => leave.cancelled().await,
            None => std::future::pending().await,
        }
    };
    let idle = async {
        match options.idle_exit {
            Some(seconds) => presence.wait_until_idle_for(Duration::from_secs(seconds)).await,
            None => std::future::pending().await,
        }
    };
    let outcome = tokio::select! {
        ended = &mut http => ended.context("the HTTP server failed")?,
        ended = &mut local => ended.context("the local server failed")?,
        () = idle => Ok(()),
        () = left => Ok(()),
        () = signals.end() => Ok(()),
    };
    // Nobody new is let in; a client that still connects finds no answer and starts another daemon.
    folder.clear_running();
    if !composed.pool.drain(Duration::from_secs(options.drain)).await {
        tracing::warn!("calls still run; they are given up");
    }
    // what runs is begun again by whoever does jobs next
    let _ = tokio::time::timeout(FAREWELL, jobs.end()).await;
    noting.abort();
    stop.cancel();
    let _ = tokio::time::timeout(FAREWELL, async {
        if !http.is_finished() {
            let _ = http.await;
        }
        if !local.is_finished() {
            let _ = local.await;
        }
    })
    .await;
    if let Err(error) = composed.store.note_audit_head().await {
        tracing::warn!(%error, "the head of the audit log could not be noted");
    }
    outcome
}

/// Notes the head of the audit log beside the database, now and again, so that a log that was cut off is found out; and
/// writes off what waited too long for approval and what was refused to those who are not known.
async fn note_heads(store: Store, service: Service) {
    let mut minutes = tokio::time::interval(HEADS);
    loop {
        minutes.tick().await;
        if let Err(error) = store.note_audit_head().await {
            tracing::warn!(%error, "the head of the audit log could not be noted");
        }
        service.end_minute().await;
        if let Err(error) = store.expire_approvals().await {
            tracing::warn!(%error, "what waited too long for approval could not be written off");
        }
    }
}

/// The right to serve the folder. A daemon that was killed or is ending still has it for a moment; one that a client started, as
/// nobody answered, waits for that.
async fn own(folder: &DataFolder, waits: bool) -> Result<std::fs::File> {
    let begun = Instant::now();
    loop {
        if let Some(lock) = folder.lock_daemon()? {
            return Ok(lock);
        }
        if !waits || begun.elapsed() > PATIENCE || local::connect(folder.socket()).is_ok() {
            return Err(already_running(folder));
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

fn already_running(folder: &DataFolder) -> anyhow::Error {
    match folder.running() {
        Some(running) => anyhow::anyhow!(
            "{} is already served by process {} at {}; end that one first, or use it",
            folder.root().display(),
            running.pid,
            running.url
        ),
        None => anyhow::anyhow!("{} is already served by another process", folder.root().display()),
    }
}
