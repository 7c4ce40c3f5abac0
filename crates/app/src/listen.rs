//! `pensaer exec --listen`: workers of this machine behind a gate, for gateways on other machines.

use crate::backend::Programs;
use crate::compose;
use crate::fetch::Web;
use crate::runtime::{self, Signals};
use crate::settings::{self, ExecSettings};
use anyhow::{Context, Result, bail};
use clap::Args;
use exec::gate::{Gate, GateConfig};
use exec::{Pool, PoolConfig};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// How an Execution Service serves other machines.
#[derive(Debug, Args)]
#[command(next_help_heading = "With --listen")]
pub(crate) struct GateArguments {
    /// The bearer token that callers have to send. Better in a file or in the environment: others on this machine see
    /// arguments.
    #[arg(long, env = "PENSAER_EXEC_TOKEN", hide_env_values = true, conflicts_with = "token_file")]
    token: Option<String>,
    /// A file with the token.
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// The beginning of addresses from which models may be fetched, such as http://10.0.0.2:8420/bucket/; may be given
    /// again.
    #[arg(long, value_name = "URL-PREFIX")]
    fetch_from: Vec<String>,
    /// A folder for files that requests bring, kept from one start to the next; by default one for temporary files.
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Seconds that running calls get to end when this service is told to.
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    drain: u64,
}

/// The configuration of an execution service's workers.
pub(crate) struct ServiceConfig {
    /// The back end of requests that name none.
    pub(crate) default: String,
    /// The files of those back ends that there are, by name.
    pub(crate) found: BTreeMap<&'static str, Programs>,
    /// Folders whose files workers may read besides.
    pub(crate) read: Vec<PathBuf>,
    /// How many there are, if that was said, and what each may use.
    pub(crate) settings: ExecSettings,
}

/// Serves until a signal.
pub(crate) fn run(options: &GateArguments, address: SocketAddr, config: ServiceConfig) -> Result<ExitCode> {
    let token = match (&options.token, &options.token_file) {
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
    let folder: &Path = if let Some(folder) = &options.folder {
        folder
    } else {
        temporary =
            tempfile::Builder::new().prefix("pensaer-service-").tempdir().context("no temporary folder")?;
        temporary.path()
    };
    runtime::start()?.block_on(serve(options, address, token, folder, config))?;
    Ok(ExitCode::SUCCESS)
}

async fn serve(
    options: &GateArguments,
    address: SocketAddr,
    token: Option<String>,
    folder: &Path,
    service: ServiceConfig,
) -> Result<()> {
    let listener = TcpListener::bind(address).await.with_context(|| format!("cannot listen at {address}"))?;
    let address = listener.local_addr()?;
    // first the folders: workers may use these and no others, and those have to be there
    Gate::make_folders(folder).with_context(|| format!("cannot write to {}", folder.display()))?;
    let indexes = folder.join("indexes");
    std::fs::create_dir_all(&indexes)?;
    let absolute = |path: PathBuf| path.canonicalize();
    let reads = [vec![absolute(GateConfig::readable(folder))?], service.read].concat();
    let workers = service.settings.workers.filter(|workers| *workers > 0);
    let workers = workers.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let local = compose::Workers {
        count: workers,
        memory: service.settings.memory,
        read: reads,
        write: absolute(GateConfig::writable(folder))?,
        indexes: absolute(indexes)?,
    };
    let pool = PoolConfig { default: service.default, ..local.pool(service.found)? };
    let pool = Pool::start(pool).context("cannot start a worker")?;
    let mut config = GateConfig::in_folder(folder);
    config.token = token;
    config.fetch = Some(Arc::new(Web));
    config.fetch_from.clone_from(&options.fetch_from);
    let gate = Gate::new(Arc::new(pool), config).context("cannot use the folder for files")?;
    let stop = CancellationToken::new();
    let mut signals = Signals::watch()?;
    eprintln!(
        "Pensaer's execution service listens at http://{address} with {workers} workers. Ctrl-C ends it."
    );
    let farewell = Duration::from_secs(options.drain);
    let serving = gate.serve(listener, stop.clone(), farewell);
    tokio::pin!(serving);
    tokio::select! {
        ended = &mut serving => return ended.context("the service failed"),
        () = signals.end() => stop.cancel(),
    }
    // a second signal is meant
    tokio::select! {
        ended = serving => ended.context("the service failed"),
        () = signals.end() => Ok(()),
    }
}
