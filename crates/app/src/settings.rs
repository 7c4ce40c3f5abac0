//! Settings: flags over environment over `pensaer.toml`. Every default works with none of them set.

use anyhow::{Context, Result, bail};
use clap::Args;
use contract::Secret;
use exec::EndpointConfig;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

const PORT: u16 = 8420;
const DB_URL: &str = "PENSAER_DB_URL";

/// What flags and environment say.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Options {
    /// Where models live; by default the user's data folder.
    #[arg(long, global = true, env = "PENSAER_DATA_DIR", value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// The address of a PostgreSQL database that several gateways share, such as postgresql://ada@db.example.org/pensaer; by
    /// default a file in the data folder. With a password in it better in the environment or in the settings file: others on
    /// this machine see arguments.
    #[arg(long, global = true, env = DB_URL, hide_env_values = true, value_name = "URL")]
    db_url: Option<String>,
    /// A settings file; by default `pensaer.toml` in the working directory or in the data folder.
    #[arg(long, global = true, env = "PENSAER_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
    /// Where to serve HTTP [default: 127.0.0.1:8420].
    #[arg(long, global = true, env = "PENSAER_LISTEN", value_name = "ADDRESS")]
    pub(crate) listen: Option<SocketAddr>,
    /// The address browsers reach this server under, if it is another.
    #[arg(long, global = true, env = "PENSAER_PUBLIC_URL", value_name = "URL")]
    public_url: Option<String>,
    /// The address under which execution services on other machines reach this server, if it is another.
    #[arg(long, global = true, env = "PENSAER_LINK_URL", value_name = "URL")]
    link_url: Option<String>,
    /// The bucket for files, if not the data folder: s3://NAME/PREFIX?endpoint=URL&region=NAME, with its key in
    /// AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; or file:///FOLDER, a folder that several gateways share.
    #[arg(long, global = true, env = "PENSAER_BUCKET_URL", value_name = "URL")]
    bucket_url: Option<String>,
    /// The model (id or name) to work on where a session has none.
    #[arg(long, global = true, env = "PENSAER_MODEL_ID", value_name = "MODEL")]
    model_id: Option<String>,
    /// The Python that has IfcOpenShell, if it is not the one that `pensaer backend install` made.
    #[arg(long, global = true, env = "PENSAER_PYTHON", value_name = "PROGRAM")]
    python: Option<PathBuf>,
    /// Where weather files come from, if not from https://climate.onebuilding.org: a mirror with the same folders.
    #[arg(long, global = true, env = "PENSAER_WEATHER_MIRROR", value_name = "URL")]
    weather_mirror: Option<String>,
    /// The folder of an EnergyPlus, if it is not the one that `pensaer backend install` made.
    #[arg(long, global = true, env = "ENERGYPLUS_DIR", value_name = "DIR")]
    energyplus_dir: Option<PathBuf>,
    /// The folder of an OpenStudio, if its program is not in PATH.
    #[arg(long, global = true, env = "OPENSTUDIO_DIR", value_name = "DIR")]
    openstudio_dir: Option<PathBuf>,
    /// The folder of documentation indexes that search_docs reads besides, such as v25.2/search.json in it.
    #[arg(long, global = true, env = "PENSAER_DOCS_DIR", value_name = "FOLDER")]
    docs_dir: Option<PathBuf>,
    /// Refuse everything that changes something.
    #[arg(long, global = true, env = "PENSAER_READONLY", num_args = 0..=1, default_missing_value = "true")]
    read_only: Option<bool>,
    /// A policy: who may do what (see docs/security.md).
    #[arg(long, global = true, env = "PENSAER_POLICY", value_name = "FILE")]
    policy: Option<PathBuf>,
    /// The key in whose holder's name this client calls; without one, in that of this machine's user.
    #[arg(long, global = true, env = "PENSAER_API_KEY", hide = true, hide_env_values = true)]
    api_key: Option<String>,
    /// An execution service on another machine, started there with `pensaer exec --listen`; may be given again.
    #[arg(
        long = "exec-endpoint",
        global = true,
        env = "PENSAER_EXEC_ENDPOINTS",
        value_delimiter = ',',
        value_name = "URL"
    )]
    endpoints: Vec<String>,
    /// The file with the token of these execution services.
    #[arg(long = "exec-token-file", global = true, env = "PENSAER_EXEC_TOKEN_FILE", value_name = "FILE")]
    endpoints_token: Option<PathBuf>,
}

/// What `pensaer.toml` may say.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct File {
    data_dir: Option<PathBuf>,
    db_url: Option<String>,
    listen: Option<SocketAddr>,
    public_url: Option<String>,
    link_url: Option<String>,
    bucket_url: Option<String>,
    /// Gigabytes of a bucket's files that are kept here.
    bucket_copies_gb: Option<u64>,
    model_id: Option<String>,
    read_only: Option<bool>,
    policy: Option<PathBuf>,
    #[serde(default)]
    hosts: Vec<String>,
    #[serde(default)]
    origins: Vec<String>,
    workers: Option<usize>,
    cache_mb: Option<u64>,
    upload_mb: Option<u64>,
    call_seconds: Option<u64>,
    simulation_seconds: Option<u64>,
    docs_dir: Option<PathBuf>,
    #[serde(default)]
    backends: Backends,
    #[serde(default)]
    exec: ExecFile,
    #[serde(default)]
    weather: WeatherFile,
}

/// What it may say of weather files.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct WeatherFile {
    mirror: Option<String>,
}

/// What it may say of execution.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct ExecFile {
    #[serde(default)]
    endpoints: Vec<EndpointFile>,
}

/// An execution service on another machine.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct EndpointFile {
    url: String,
    #[serde(alias = "token_file")]
    token_file: Option<PathBuf>,
}

/// Which back end resolves what, where a call does not say.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Backends {
    /// The back end of everything.
    pub(crate) default: Option<String>,
    /// The back end of `run_code`.
    pub(crate) run_code: Option<String>,
    /// The back end of single models, by id or name.
    #[serde(default)]
    pub(crate) models: BTreeMap<String, String>,
    /// The Python that has IfcOpenShell.
    python: Option<PathBuf>,
    /// The folder of an EnergyPlus.
    #[serde(alias = "energyplus_dir")]
    energyplus_dir: Option<PathBuf>,
    /// The folder of an OpenStudio.
    #[serde(alias = "openstudio_dir")]
    openstudio_dir: Option<PathBuf>,
}

/// What holds for this run.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    /// Where models live.
    pub(crate) data_dir: PathBuf,
    /// The address of the database, if it is not a file in that folder.
    pub(crate) db_url: Option<String>,
    /// The address that flags or environment gave.
    pub(crate) given_db_url: Option<String>,
    /// The settings file read, if there was one.
    pub(crate) config: Option<PathBuf>,
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
    /// The key that this client shows.
    pub(crate) api_key: Option<Secret>,
    /// Host names that requests may name besides this machine's own.
    pub(crate) hosts: Vec<String>,
    /// Origins of browser pages that may call besides this machine's own.
    pub(crate) origins: Vec<String>,
    /// Worker processes on this machine; none only where there are execution services elsewhere.
    pub(crate) workers: usize,
    /// Execution services elsewhere.
    pub(crate) endpoints: Vec<EndpointConfig>,
    /// Those of them that flags and environment name.
    pub(crate) given_endpoints: Vec<String>,
    /// The file with their token.
    pub(crate) given_token: Option<PathBuf>,
    /// Megabytes of opened models in each worker.
    pub(crate) cache_mb: u64,
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

impl Settings {
    /// Reads the settings file, if there is one, and lays flags and environment over it.
    pub(crate) fn load(options: &Options) -> Result<Self> {
        let beside = options.data_dir.as_ref().map(|dir| dir.join("pensaer.toml"));
        let config = options.config.clone().or_else(|| {
            [Some(PathBuf::from("pensaer.toml")), beside].into_iter().flatten().find(|path| path.is_file())
        });
        let file = config.as_deref().map(read).transpose()?.unwrap_or_default();
        let data_dir = match options.data_dir.clone().or(file.data_dir) {
            Some(dir) => dir,
            None => default_data_dir()?,
        };
        let endpoints = endpoints(options, &file.exec, config.as_deref())?;
        let listen = options
            .listen
            .or(file.listen)
            .unwrap_or_else(|| SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), PORT));
        let public_url = options.public_url.clone().or(file.public_url);
        let public_url = public_url.map(|url| url.trim_end_matches('/').to_owned());
        let link_url = options.link_url.clone().or(file.link_url);
        let link_url = link_url.map(|url| url.trim_end_matches('/').to_owned());
        let mut hosts = file.hosts;
        // who is told an address may use it
        hosts.extend([&public_url, &link_url].into_iter().flatten().filter_map(|url| host_of(url)));
        Ok(Self {
            data_dir: std::path::absolute(&data_dir).context("the data folder's path")?,
            db_url: options.db_url.clone().or(file.db_url).filter(|url| !url.is_empty()),
            given_db_url: options.db_url.clone(),
            config: config.clone().map(|path| std::path::absolute(&path).unwrap_or(path)),
            listen,
            public_url,
            link_url,
            bucket: options
                .bucket_url
                .clone()
                .or(file.bucket_url)
                .filter(|url| !url.is_empty())
                .map(|url| (url, file.bucket_copies_gb.unwrap_or(20) << 30)),
            model_id: options.model_id.clone().or(file.model_id).filter(|id| !id.is_empty()),
            read_only: options.read_only.or(file.read_only).unwrap_or(false),
            policy: policy_file(options.policy.clone(), file.policy, config.as_deref())?,
            api_key: options.api_key.as_deref().filter(|key| !key.is_empty()).map(Secret::new),
            hosts,
            origins: file.origins,
            workers: file.workers.unwrap_or(1).max(usize::from(endpoints.is_empty())),
            endpoints,
            given_endpoints: options.endpoints.clone(),
            given_token: options.endpoints_token.clone(),
            cache_mb: file.cache_mb.unwrap_or(1024),
            upload_bytes: file.upload_mb.unwrap_or(4096) << 20,
            call_limit: Duration::from_secs(file.call_seconds.unwrap_or(120).max(1)),
            simulation_limit: Duration::from_secs(
                file.simulation_seconds.unwrap_or(3600).clamp(1, 24 * 3600),
            ),
            python: options.python.clone().or_else(|| file.backends.python.clone()).map(program),
            energyplus_dir: folder(options.energyplus_dir.as_ref(), file.backends.energyplus_dir.as_ref()),
            openstudio_dir: folder(options.openstudio_dir.as_ref(), file.backends.openstudio_dir.as_ref()),
            docs_dir: options
                .docs_dir
                .clone()
                .or(file.docs_dir)
                .map(|path| std::path::absolute(&path).unwrap_or(path)),
            backends: file.backends,
            weather_mirror: mirror(options.weather_mirror.clone().or(file.weather.mirror))?,
        })
    }

    /// Whether only this machine can reach the server.
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

    /// The same settings as arguments of another `pensaer` process.
    pub(crate) fn arguments(&self) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = vec!["--data-dir".into(), self.data_dir.clone().into()];
        if let Some(config) = &self.config {
            arguments.extend(["--config".into(), config.clone().into()]);
        }
        // The environment is passed on by itself, and shows less.
        if let Some(url) =
            self.given_db_url.as_ref().filter(|url| std::env::var(DB_URL).ok().as_ref() != Some(url))
        {
            arguments.extend(["--db-url".into(), url.into()]);
        }
        arguments.extend(["--listen".into(), self.listen.to_string().into()]);
        if let Some(url) = &self.public_url {
            arguments.extend(["--public-url".into(), url.into()]);
        }
        if let Some(url) = &self.link_url {
            arguments.extend(["--link-url".into(), url.into()]);
        }
        if let Some((url, _)) = &self.bucket {
            arguments.extend(["--bucket-url".into(), url.into()]);
        }
        for endpoint in &self.given_endpoints {
            arguments.extend(["--exec-endpoint".into(), endpoint.into()]);
        }
        if let Some(token) = &self.given_token {
            arguments.extend(["--exec-token-file".into(), token.into()]);
        }
        if let Some(python) = &self.python {
            arguments.extend(["--python".into(), python.clone().into()]);
        }
        if let Some(folder) = &self.energyplus_dir {
            arguments.extend(["--energyplus-dir".into(), folder.into()]);
        }
        if let Some(folder) = &self.openstudio_dir {
            arguments.extend(["--openstudio-dir".into(), folder.into()]);
        }
        if let Some(folder) = &self.docs_dir {
            arguments.extend(["--docs-dir".into(), folder.clone().into()]);
        }
        if let Some(policy) = &self.policy {
            arguments.extend(["--policy".into(), policy.into()]);
        }
        if let Some(mirror) = &self.weather_mirror {
            arguments.extend(["--weather-mirror".into(), mirror.into()]);
        }
        if self.read_only {
            arguments.push("--read-only=true".into());
        }
        arguments
    }
}

/// A mirror has to be an address of HTTP, with nothing behind its path.
fn mirror(given: Option<String>) -> Result<Option<String>> {
    let Some(url) = given.filter(|url| !url.is_empty()) else { return Ok(None) };
    let is_http = url.starts_with("https://") || url.starts_with("http://");
    if !is_http || url.contains(['?', '#', ' ', '@']) {
        bail!("the mirror of weather files {url:?} is no address such as https://weather.example.org/mirror");
    }
    Ok(Some(url.trim_end_matches('/').to_owned()))
}

/// The execution services elsewhere, with their tokens: those of flags and environment, then those of the file.
fn endpoints(options: &Options, file: &ExecFile, config: Option<&Path>) -> Result<Vec<EndpointConfig>> {
    let beside = config.and_then(Path::parent).unwrap_or(Path::new(""));
    let given = options.endpoints.iter().map(|url| (url, options.endpoints_token.clone()));
    let listed =
        file.endpoints.iter().map(|one| (&one.url, one.token_file.as_ref().map(|path| beside.join(path))));
    let read = |(url, token): (&String, Option<PathBuf>)| {
        let token = token.map(|path| read_token(&path)).transpose()?;
        Ok(EndpointConfig { url: url.clone(), token })
    };
    given.chain(listed).filter(|(url, _)| !url.is_empty()).map(read).collect()
}

/// The policy file by its whole path: one that the settings file names lies beside it.
fn policy_file(
    given: Option<PathBuf>,
    listed: Option<PathBuf>,
    config: Option<&Path>,
) -> Result<Option<PathBuf>> {
    let beside = config.and_then(Path::parent).unwrap_or(Path::new(""));
    let path = given.filter(|path| !path.as_os_str().is_empty()).or(listed.map(|path| beside.join(path)));
    path.map(|path| std::path::absolute(&path).context("the policy file's path")).transpose()
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

/// A folder that was named, here or in the file, in full.
fn folder(given: Option<&PathBuf>, in_file: Option<&PathBuf>) -> Option<PathBuf> {
    let named = given.or(in_file).filter(|dir| !dir.as_os_str().is_empty())?;
    Some(std::path::absolute(named).unwrap_or_else(|_| named.clone()))
}

/// A program by its whole path: one given by name alone is looked for where the shell would.
fn program(named: PathBuf) -> PathBuf {
    let is_name = named.components().count() == 1 && !named.is_absolute();
    let folders = std::env::var_os("PATH").filter(|_| is_name).unwrap_or_default();
    let found = std::env::split_paths(&folders).map(|folder| folder.join(&named)).find(|path| path.is_file());
    found.unwrap_or_else(|| std::path::absolute(&named).unwrap_or(named))
}

fn read(path: &Path) -> Result<File> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    toml::from_str(&text).with_context(|| format!("{} is not a settings file of Pensaer", path.display()))
}

/// The host that a web address names, without its port.
fn host_of(url: &str) -> Option<String> {
    let rest = url.split_once("://")?.1;
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => authority,
    };
    (!host.is_empty()).then(|| host.to_owned())
}

/// The user's data folder, where the platform keeps such things.
fn default_data_dir() -> Result<PathBuf> {
    let var = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = if cfg!(windows) {
        var("LOCALAPPDATA").map(|dir| dir.join("Pensaer"))
    } else if cfg!(target_os = "macos") {
        var("HOME").map(|home| home.join("Library/Application Support/Pensaer"))
    } else {
        var("XDG_DATA_HOME")
            .or_else(|| var("HOME").map(|home| home.join(".local/share")))
            .map(|dir| dir.join("pensaer"))
    };
    folder.context("cannot tell where your data folder is; set PENSAER_DATA_DIR")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(toml: &str, options: Options) -> Result<Settings> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pensaer.toml");
        std::fs::write(&path, toml).unwrap();
        Settings::load(&Options { config: Some(path), data_dir: Some(folder.path().into()), ..options })
    }

    #[test]
    fn flags_win_over_the_file_and_the_file_over_defaults() {
        let options = Options { listen: Some("127.0.0.1:1".parse().unwrap()), ..Options::default() };
        let settings = load("listen = '127.0.0.1:2'\nworkers = 3\nread-only = true", options).unwrap();
        assert_eq!((settings.listen.port(), settings.workers, settings.read_only), (1, 3, true));
        assert_eq!(load("", Options::default()).unwrap().listen.to_string(), "127.0.0.1:8420");
    }

    #[test]
    fn the_database_is_a_file_unless_an_address_is_given() {
        assert_eq!(load("", Options::default()).unwrap().db_url, None);
        let file = "db-url = 'postgresql://ada@db/one'";
        assert_eq!(
            load(file, Options::default()).unwrap().db_url.as_deref(),
            Some("postgresql://ada@db/one")
        );
        let options = Options { db_url: Some("postgresql://ada@db/two".into()), ..Options::default() };
        let settings = load(file, options).unwrap();
        assert_eq!(settings.db_url.as_deref(), Some("postgresql://ada@db/two"));
        assert!(settings.arguments().contains(&"postgresql://ada@db/two".into()));
    }

    #[test]
    fn an_unknown_setting_is_an_error_that_names_it() {
        let error = format!("{:#}", load("lisen = '127.0.0.1:2'", Options::default()).unwrap_err());
        assert!(error.contains("lisen") && error.contains("pensaer.toml"), "{error}");
    }

    #[test]
    fn execution_services_elsewhere_have_their_tokens_in_files_beside_the_settings() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pensaer.toml");
        std::fs::write(folder.path().join("secret"), "abc\n").unwrap();
        let toml = "workers = 0\n[exec]\nendpoints = [{url = 'http://10.0.0.5:8421', token-file = 'secret'}]";
        std::fs::write(&path, toml).unwrap();
        let options =
            Options { config: Some(path), data_dir: Some(folder.path().into()), ..Options::default() };
        let settings = Settings::load(&options).unwrap();
        assert_eq!(settings.endpoints[0].token.as_deref(), Some("abc"));
        assert_eq!(settings.workers, 0);
        assert_eq!(load("workers = 0", Options::default()).unwrap().workers, 1);
        let missing = "[exec]\nendpoints = [{url = 'http://10.0.0.5:8421', token-file = 'nowhere'}]";
        assert!(format!("{:#}", load(missing, Options::default()).unwrap_err()).contains("nowhere"));
    }

    #[test]
    fn a_network_is_only_served_under_names_that_were_said() {
        assert!(load("listen = '0.0.0.0:80'", Options::default()).unwrap().check_listen().is_err());
        let named = load("listen = '0.0.0.0:80'\nhosts = ['bim.example.org']", Options::default()).unwrap();
        assert!(named.check_listen().is_ok());
    }
}
