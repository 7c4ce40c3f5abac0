//! Settings: flags over environment over `pensaer.toml` over defaults. What each is stands in [`declared`]; here it becomes what holds.

mod declared;
mod reference;
mod source;
#[cfg(test)]
mod tests;

pub(crate) use reference::print;
pub(crate) use source::Options;

use anyhow::{Context, Result, bail};
use contract::Secret;
use declared::{EndpointGiven, Given};
use etcetera::BaseStrategy as _;
use exec::EndpointConfig;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;
use url::Url;

/// Which back end resolves what, where a call does not say.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Backends {
    /// The back end of everything.
    pub(crate) default: Option<String>,
    /// The back end of `run_code`.
    pub(crate) run_code: Option<String>,
    /// The back end of single models, by id or name.
    pub(crate) models: BTreeMap<String, String>,
}

/// The settings of this run. A daemon that a client starts is handed it as it is.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Settings {
    /// Where models live.
    pub(crate) data_dir: PathBuf,
    /// The address of the database, if it is not a file in that folder.
    pub(crate) db_url: Option<String>,
    /// Where to serve HTTP.
    pub(crate) listen: SocketAddr,
    /// The address browsers reach this server under; by default the one it listens at.
    pub(crate) public_url: Option<String>,
    /// The address under which execution services elsewhere reach this server, if it is another.
    pub(crate) link_url: Option<String>,
    /// The bucket for files, if not the data folder, and how many bytes of it are kept here.
    pub(crate) bucket: Option<(String, u64)>,
    /// The model to work on where a session has none.
    pub(crate) model_id: Option<String>,
    /// Refuse everything that changes something.
    pub(crate) read_only: bool,
    /// The policy file, if there is one.
    pub(crate) policy: Option<PathBuf>,
    /// The key that this client shows; none of the daemon's business.
    #[serde(skip)]
    pub(crate) api_key: Option<Secret>,
    /// Host names that requests may name besides this machine's own.
    pub(crate) hosts: Vec<String>,
    /// Origins of browser pages that may call besides this machine's own.
    pub(crate) origins: Vec<String>,
    /// Callers on this machine need no key over HTTP.
    pub(crate) open_loopback: bool,
    /// Connections that one address may hold.
    pub(crate) connections_per_address: usize,
    /// Folders below which clients on this machine may have files written, besides their working directories.
    pub(crate) write_dirs: Vec<PathBuf>,
    /// Worker processes on this machine; none only where there are execution services elsewhere.
    pub(crate) workers: usize,
    /// Execution services elsewhere.
    pub(crate) endpoints: Vec<EndpointConfig>,
    /// The memory that each worker may use.
    pub(crate) memory: WorkerMemory,
    /// The largest upload, in bytes.
    pub(crate) upload_bytes: u64,
    /// How long one call may take.
    pub(crate) call_limit: Duration,
    /// How long one simulation may take.
    pub(crate) simulation_limit: Duration,
    /// Which back end resolves what.
    pub(crate) backends: Backends,
    /// The Python that has IfcOpenShell, if one was named.
    pub(crate) python: Option<PathBuf>,
    /// The mirror of weather files, if one was named.
    pub(crate) weather_mirror: Option<String>,
    /// The folder of EnergyPlus, if one was named.
    pub(crate) energyplus_dir: Option<PathBuf>,
    /// The folder of OpenStudio, if one was named.
    pub(crate) openstudio_dir: Option<PathBuf>,
    /// The folder of documentation indexes, if there is one.
    pub(crate) docs_dir: Option<PathBuf>,
}

/// Memory of one worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct WorkerMemory {
    /// Megabytes of opened models.
    pub(crate) cache_mb: u64,
    /// Megabytes beyond those.
    pub(crate) memory_mb: u64,
}

impl WorkerMemory {
    /// All of it, in bytes.
    pub(crate) fn bytes(self) -> u64 {
        self.cache_mb.saturating_add(self.memory_mb).saturating_mul(1 << 20)
    }
}

/// The settings of an execution service: it needs no data folder.
#[derive(Debug, Clone)]
pub(crate) struct ExecSettings {
    /// Where to listen, if flags or environment say; what a settings file says is for the server.
    pub(crate) listen: Option<SocketAddr>,
    /// How many workers, if that was said.
    pub(crate) workers: Option<usize>,
    /// The memory that each worker may use.
    pub(crate) memory: WorkerMemory,
}

/// The settings of all sources, and the settings file, if there is one.
fn gather(Options(flags): &Options) -> Result<(Given, Option<PathBuf>)> {
    let said = flags.clone().over(Given::from_environment(|name| std::env::var_os(name))?);
    let beside = said.data_dir.as_ref().map(|dir| dir.join("pensaer.toml"));
    let config = said.config.clone().or_else(|| {
        [Some(PathBuf::from("pensaer.toml")), beside].into_iter().flatten().find(|path| path.is_file())
    });
    let mut file = config.as_deref().map(Given::from_file).transpose()?.unwrap_or_default();
    // what the file names lies beside it
    let beside = config.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
    file.policy = file.policy.map(|path| beside.join(path));
    file.endpoints_token = file.endpoints_token.map(|path| beside.join(path));
    for endpoint in file.endpoints.iter_mut().flatten() {
        endpoint.token_file = endpoint.token_file.take().map(|path| beside.join(path));
    }
    // services elsewhere are used besides one another, whoever names them
    let endpoints = said.endpoints.iter().chain(&file.endpoints).flatten().cloned().collect();
    let all = said.over(file).over(Given::defaults()?);
    Ok((Given { endpoints: Some(endpoints), ..all }, config))
}

/// A setting that has a default.
fn held<T>(value: Option<T>) -> Result<T> {
    value.context("a setting has lost its default")
}

/// A text that is there and not empty.
fn said(text: Option<String>) -> Option<String> {
    text.filter(|text| !text.is_empty())
}

/// An address without slashes at its end.
fn address(url: Option<String>) -> Option<String> {
    url.map(|url| url.trim_end_matches('/').to_owned())
}

impl ExecSettings {
    /// Reads them from flags, environment and settings file.
    pub(crate) fn load(options: &Options) -> Result<Self> {
        let listen = options.0.clone().over(Given::from_environment(|name| std::env::var_os(name))?).listen;
        let (given, _) = gather(options)?;
        Ok(Self { listen, workers: given.workers, memory: memory(&given)? })
    }
}

/// Folders by their whole paths.
fn folders(given: Option<Vec<PathBuf>>) -> Result<Vec<PathBuf>> {
    let whole =
        |dir: PathBuf| std::path::absolute(&dir).with_context(|| format!("the path {}", dir.display()));
    given.unwrap_or_default().into_iter().map(whole).collect()
}

fn memory(given: &Given) -> Result<WorkerMemory> {
    Ok(WorkerMemory { cache_mb: held(given.cache_mb)?, memory_mb: held(given.memory_mb)? })
}

impl Settings {
    /// Reads the settings file, if there is one, and lays flags and environment over it.
    pub(crate) fn load(options: &Options) -> Result<Self> {
        let (given, _) = gather(options)?;
        let data_dir = match given.data_dir.clone() {
            Some(dir) => dir,
            None => default_data_dir()?,
        };
        let memory = memory(&given)?;
        let endpoints = endpoints(&given)?;
        let (public_url, link_url) = (address(given.public_url), address(given.link_url));
        let mut hosts = given.hosts.unwrap_or_default();
        // who is told an address may use it
        hosts.extend([&public_url, &link_url].into_iter().flatten().filter_map(|url| host_of(url)));
        let copies = held(given.bucket_copies_gb)? << 30;
        Ok(Self {
            data_dir: std::path::absolute(&data_dir).context("the data folder's path")?,
            db_url: said(given.db_url),
            listen: held(given.listen)?,
            public_url,
            link_url,
            bucket: said(given.bucket_url).map(|url| (url, copies)),
            model_id: said(given.model_id),
            read_only: held(given.read_only)?,
            policy: absolute(given.policy),
            api_key: given.api_key.filter(|key| !key.reveal().is_empty()),
            hosts,
            origins: given.origins.unwrap_or_default(),
            open_loopback: held(given.open_loopback)?,
            connections_per_address: held(given.connections_per_address)?.max(1),
            write_dirs: folders(given.write_dirs)?,
            workers: given.workers.unwrap_or(1).max(usize::from(endpoints.is_empty())),
            endpoints,
            memory,
            upload_bytes: held(given.upload_mb)? << 20,
            call_limit: Duration::from_secs(held(given.call_seconds)?.max(1)),
            simulation_limit: Duration::from_secs(held(given.simulation_seconds)?.clamp(1, 24 * 3600)),
            backends: Backends {
                default: said(given.default_backend),
                run_code: said(given.run_code_backend),
                models: given.model_backends.unwrap_or_default(),
            },
            python: given.python.map(program),
            energyplus_dir: absolute(given.energyplus_dir),
            openstudio_dir: absolute(given.openstudio_dir),
            docs_dir: absolute(given.docs_dir),
            weather_mirror: mirror(given.weather_mirror)?,
        })
    }

    /// True if only this machine can reach the server.
    pub(crate) fn is_local(&self) -> bool {
        self.listen.ip().is_loopback()
    }

    /// Refuses to serve a network that nothing was said about: there, requests have to name a host that is ours.
    pub(crate) fn check_listen(&self) -> Result<()> {
        if !self.is_local() && self.hosts.is_empty() {
            bail!(
                "{} can be reached from other machines. Name the hosts that clients will use in pensaer.toml, such as \
                 hosts = [\"models.example.org\"], or listen at 127.0.0.1.",
                self.listen
            );
        }
        Ok(())
    }
}

/// A mirror has to be an address of HTTP, with nothing behind its path.
fn mirror(given: Option<String>) -> Result<Option<String>> {
    let Some(url) = given.filter(|url| !url.is_empty()) else { return Ok(None) };
    let is_plain = |url: &Url| {
        matches!(url.scheme(), "http" | "https")
            && url.username().is_empty()
            && url.password().is_none()
            && url.query().is_none()
            && url.fragment().is_none()
    };
    if url.contains(' ') || !Url::parse(&url).is_ok_and(|url| is_plain(&url)) {
        bail!("the mirror of weather files {url:?} is no address such as https://weather.example.org/mirror");
    }
    Ok(Some(url.trim_end_matches('/').to_owned()))
}

/// The execution services elsewhere, with their tokens.
fn endpoints(given: &Given) -> Result<Vec<EndpointConfig>> {
    let shared = given.endpoints_token.as_deref();
    let read = |EndpointGiven { url, token_file }: &EndpointGiven| {
        let token = token_file.as_deref().or(shared).map(read_token).transpose()?;
        Ok(EndpointConfig { url: url.clone(), token })
    };
    given.endpoints.iter().flatten().filter(|endpoint| !endpoint.url.is_empty()).map(read).collect()
}

/// The token in a file.
pub(crate) fn read_token(path: &Path) -> Result<String> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("cannot read the token in {}", path.display()))?;
    let token = text.trim();
    if token.is_empty() {
        bail!("there is no token in {}", path.display());
    }
    Ok(token.to_owned())
}

/// A path that was named, in full.
fn absolute(named: Option<PathBuf>) -> Option<PathBuf> {
    let named = named.filter(|path| !path.as_os_str().is_empty())?;
    Some(std::path::absolute(&named).unwrap_or(named))
}

/// A program by its whole path: one given by name alone is looked for where the shell would.
fn program(named: PathBuf) -> PathBuf {
    which::which(&named).unwrap_or_else(|_| std::path::absolute(&named).unwrap_or(named))
}

/// The host that a web address names, without its port.
fn host_of(url: &str) -> Option<String> {
    Url::parse(url).ok()?.host_str().map(str::to_owned)
}

/// The user's data folder, where the platform keeps such things.
pub(crate) fn default_data_dir() -> Result<PathBuf> {
    let folders = etcetera::base_strategy::choose_native_strategy()
        .context("cannot tell where your data folder is; set PENSAER_DATA_DIR")?;
    Ok(if cfg!(windows) {
        // what is large and of this machine stays out of profiles that roam
        folders.cache_dir().join("Pensaer")
    } else if cfg!(target_os = "macos") {
        folders.data_dir().join("Pensaer")
    } else {
        folders.data_dir().join("pensaer")
    })
}
