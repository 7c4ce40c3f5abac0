//! `pensaer exec --listen`: workers of this machine behind a gate, for gateways on other machines.

use crate::cli::Exec;
use crate::daemon::signalled;
use crate::fetch::Web;
use crate::settings::Settings;
use crate::{backend, compose, settings};
use anyhow::{Context, Result, bail};
use exec::gate::{Gate, GateConfig};
use exec::{Pool, PoolConfig};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// Serves until a signal.
pub(crate) fn run(
    options: &Exec,
    address: SocketAddr,
    settings: impl Fn() -> Result<Settings>,
) -> Result<ExitCode> {
    // a machine that has no data folder has no other back end either
    let beside =
        settings().ok().map(|settings| backend::python_and_package(&settings)).transpose()?.flatten();
    if options.backend == backend::IFCOPENSHELL && beside.is_none() {
        bail!("IfcOpenShell is not installed. To install it: {}", backend::HOW_TO_INSTALL);
    }
    let energyplus = settings().ok().and_then(|settings| backend::energyplus::found(&settings));
    if options.backend == backend::ENERGYPLUS && energyplus.is_none() {
        bail!("There is no EnergyPlus here. To have it: {}", backend::energyplus::hint());
    }
    let token = match (&options.gate.token, &options.gate.token_file) {
        (Some(token), _) => Some(token.clone()).filter(|token| !token.is_empty()),
        (None, Some(path)) => Some(settings::read_token(path)?),
        (None, None) => None,
    };
    if token.is_none() && !address.ip().is_loopback() {
        bail!(
            "{address} can be reached from other machines. Give callers a token: --token-file FILE, or PENSAER_EXEC_TOKEN in \
             the environment."
        );
    }
    let temporary;
    let folder: &Path = if let Some(folder) = &options.gate.folder {
        folder
    } else {
        temporary =
            tempfile::Builder::new().prefix("pensaer-service-").tempdir().context("no temporary folder")?;
        temporary.path()
    };
    compose::runtime()?.block_on(serve(options, address, token, folder, (beside, energyplus)))?;
    Ok(ExitCode::SUCCESS)
}

async fn serve(
    options: &Exec,
    address: SocketAddr,
    token: Option<String>,
    folder: &Path,
    (beside, energyplus): (Option<backend::Found>, Option<backend::energyplus::Installed>),
) -> Result<()> {
    let listener = TcpListener::bind(address).await.with_context(|| format!("cannot listen at {address}"))?;
    let address = listener.local_addr()?;
    // first the folders: workers may use these and no others, and those have to be there
    Gate::make_folders(folder).with_context(|| format!("cannot write to {}", folder.display()))?;
    let indexes = folder.join("indexes");
    std::fs::create_dir_all(&indexes)?;
    let absolute = |path: PathBuf| path.canonicalize();
    let reads = [vec![absolute(GateConfig::readable(folder))?], options.read.clone()].concat();
    let workers =
        options.gate.workers.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let local = compose::Workers {
        count: workers,
        cache_mb: options.cache_mb,
        read: reads,
        write: absolute(GateConfig::writable(folder))?,
        indexes: absolute(indexes)?,
    };
    let pool = PoolConfig { default: options.backend.clone(), ..local.pool(beside, energyplus)? };
    let pool = Pool::start(pool).context("cannot start a worker")?;
    let mut config = GateConfig::in_folder(folder);
    config.token = token;
    config.fetch = Some(Arc::new(Web));
    config.fetch_from.clone_from(&options.gate.fetch_from);
    let gate = Gate::new(Arc::new(pool), config).context("cannot use the folder for files")?;
    let stop = CancellationToken::new();
    eprintln!(
        "Pensaer's execution service listens at http://{address} with {workers} workers. Ctrl-C ends it."
    );
    let farewell = Duration::from_secs(options.gate.drain);
    let serving = gate.serve(listener, stop.clone(), farewell);
    tokio::pin!(serving);
    tokio::select! {
        ended = &mut serving => return ended.context("the service failed"),
        () = signalled() => stop.cancel(),
    }
    // a second signal is meant
    tokio::select! {
        ended = serving => ended.context("the service failed"),
        () = signalled() => Ok(()),
    }
}
