//! The list of settings. What is said of one stands here and nowhere else: its flag, its variable, its key in `pensaer.toml`, its
//! default and its description. The command line, the reader of the file and docs/settings.md are made of it.

use super::source::{Raw, Value};
use contract::Secret;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;

/// The declaration of a setting, beside its type.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Setting {
    /// Its field in [`Given`].
    pub(crate) name: &'static str,
    /// Its description, line by line.
    pub(crate) help: &'static [&'static str],
    /// Its flag, without the dashes.
    pub(crate) flag: &'static str,
    /// Its variable in the environment.
    pub(crate) env: &'static str,
    /// Its key in `pensaer.toml`, with the tables that it stands in; empty if it cannot stand there.
    pub(crate) key: &'static str,
    /// The word for its value in the help; empty for switches.
    pub(crate) value: &'static str,
    /// Its default as it would be given; empty if there is none, or it is not fixed.
    pub(crate) default: &'static str,
    /// True if its flag may be given again, for another value.
    pub(crate) is_list: bool,
}

impl Setting {
    /// A setting of which nothing is said.
    const NONE: Self =
        Self { name: "", help: &[], flag: "", env: "", key: "", value: "", default: "", is_list: false };

    /// True for a flag that needs no value.
    pub(crate) fn is_switch(&self) -> bool {
        self.value.is_empty()
    }
}

macro_rules! declare {
    ($( $(#[doc = $help:literal])+ $name:ident: $type:ty = { $($field:ident: $value:expr),+ $(,)? } )+) => {
        /// Every setting.
        pub(crate) const SETTINGS: &[Setting] =
            &[$(Setting { name: stringify!($name), help: &[$($help),+], $($field: $value,)+ ..Setting::NONE }),+];

        /// The settings as one source gives them, or several of them together.
        #[derive(Debug, Clone, Default, PartialEq)]
        pub(crate) struct Given {
            $(pub(crate) $name: Option<$type>,)+
        }

        impl Given {
            /// Reads the value of one setting; an error is a sentence without a subject, such as "is no number".
            pub(super) fn set(&mut self, name: &str, raw: Raw<'_>) -> Result<(), String> {
                match name {
                    $(stringify!($name) => self.$name = Some(<$type as Value>::read(raw)?),)+
                    _ => {}
                }
                Ok(())
            }

            /// These settings over others.
            #[must_use]
            pub(super) fn over(self, below: Self) -> Self {
                Self { $($name: self.$name.or(below.$name),)+ }
            }
        }
    };
}

/// An execution service as it is given.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct EndpointGiven {
    pub(super) url: String,
    #[serde(alias = "token_file")]
    pub(super) token_file: Option<PathBuf>,
}

declare! {
    /// Where models live; by default the user's data folder.
    data_dir: PathBuf = { flag: "data-dir", env: "PENSAER_DATA_DIR", key: "data-dir", value: "DIR" }
    /// The address of a PostgreSQL database that several gateways share, such as postgresql://ada@db.example.org/pensaer; by
    /// default a file in the data folder. With a password in it better in the environment or in the settings file: others on
    /// this machine see arguments.
    db_url: String = { flag: "db-url", env: "PENSAER_DB_URL", key: "db-url", value: "URL" }
    /// A settings file; by default `pensaer.toml` in the working directory or in the data folder.
    config: PathBuf = { flag: "config", env: "PENSAER_CONFIG", value: "FILE" }
    /// Where to serve HTTP.
    listen: SocketAddr = {
        flag: "listen", env: "PENSAER_LISTEN", key: "listen", value: "ADDRESS", default: "127.0.0.1:8420",
    }
    /// The address browsers reach this server under, if it is another.
    public_url: String = { flag: "public-url", env: "PENSAER_PUBLIC_URL", key: "public-url", value: "URL" }
    /// The address under which execution services on other machines reach this server, if it is another.
    link_url: String = { flag: "link-url", env: "PENSAER_LINK_URL", key: "link-url", value: "URL" }
    /// A host name that requests may name besides this machine's own and those of the addresses above; may be given again.
    hosts: Vec<String> = { flag: "host", env: "PENSAER_HOSTS", key: "hosts", value: "NAME", is_list: true }
    /// An origin of browser pages that may call besides this server's own; may be given again.
    origins: Vec<String> = { flag: "origin", env: "PENSAER_ORIGINS", key: "origins", value: "ORIGIN", is_list: true }
    /// Answer callers on this machine over HTTP without a key, in the name of this server's user. Without it they send the key that
    /// `pensaer local-key` prints: on a machine that others use, too, anybody of them could be its user.
    open_loopback: bool = {
        flag: "open-loopback", env: "PENSAER_OPEN_LOOPBACK", key: "open-loopback", default: "false",
    }
    /// Connections that one address may hold; behind a proxy all are the proxy's.
    connections_per_address: usize = {
        flag: "connections-per-address",
        env: "PENSAER_CONNECTIONS_PER_ADDRESS",
        key: "connections-per-address",
        value: "N",
        default: "256",
    }
    /// A folder below which models and what is exported may be written, besides the working directory of the client; may be given
    /// again.
    write_dirs: Vec<PathBuf> = {
        flag: "write-dir", env: "PENSAER_WRITE_DIRS", key: "write-dirs", value: "DIR", is_list: true,
    }
    /// The bucket for files, if not the data folder: s3://NAME/PREFIX?endpoint=URL&region=NAME, with its key in
    /// AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; or file:///FOLDER, a folder that several gateways share.
    bucket_url: String = { flag: "bucket-url", env: "PENSAER_BUCKET_URL", key: "bucket-url", value: "URL" }
    /// Gigabytes of a bucket's files that are kept here.
    bucket_copies_gb: u64 = {
        flag: "bucket-copies-gb", env: "PENSAER_BUCKET_COPIES_GB", key: "bucket-copies-gb", value: "N", default: "20",
    }
    /// The model (id or name) to work on where a session has none.
    model_id: String = { flag: "model-id", env: "PENSAER_MODEL_ID", key: "model-id", value: "MODEL" }
    /// Refuse everything that changes something.
    read_only: bool = { flag: "read-only", env: "PENSAER_READONLY", key: "read-only", default: "false" }
    /// A policy: who may do what (see docs/security.md).
    policy: PathBuf = { flag: "policy", env: "PENSAER_POLICY", key: "policy", value: "FILE" }
    /// The key in whose holder's name this client calls; without one, in that of this machine's user. It belongs into the
    /// environment: others on this machine see arguments.
    api_key: Secret = { flag: "api-key", env: "PENSAER_API_KEY", value: "KEY" }
    /// Worker processes on this machine; 0 only beside execution services elsewhere. By default 1, and as many as there are
    /// processors for an execution service that other machines use.
    workers: usize = { flag: "workers", env: "PENSAER_WORKERS", key: "workers", value: "N" }
    /// Megabytes of memory for opened models in each worker.
    cache_mb: u64 = { flag: "cache-mb", env: "PENSAER_CACHE_MB", key: "cache-mb", value: "N", default: "1024" }
    /// Megabytes of memory of each worker beyond those.
    memory_mb: u64 = { flag: "memory-mb", env: "PENSAER_MEMORY_MB", key: "memory-mb", value: "N", default: "8192" }
    /// Megabytes of the largest file that is taken in.
    upload_mb: u64 = { flag: "upload-mb", env: "PENSAER_UPLOAD_MB", key: "upload-mb", value: "N", default: "4096" }
    /// How long one call may take.
    call_seconds: u64 = {
        flag: "call-seconds", env: "PENSAER_CALL_SECONDS", key: "call-seconds", value: "N", default: "120",
    }
    /// How long one simulation may take, at most a day.
    simulation_seconds: u64 = {
        flag: "simulation-seconds",
        env: "PENSAER_SIMULATION_SECONDS",
        key: "simulation-seconds",
        value: "N",
        default: "3600",
    }
    /// The back end of every operation whose call names none; by default that of the model's kind.
    default_backend: String = {
        flag: "default-backend", env: "PENSAER_DEFAULT_BACKEND", key: "backends.default", value: "NAME",
    }
    /// The back end of `run_code`, where the call names none.
    run_code_backend: String = {
        flag: "run-code-backend", env: "PENSAER_RUN_CODE_BACKEND", key: "backends.run-code", value: "NAME",
    }
    /// The back end of a single model, by id or name; may be given again. In the file a table of such pairs.
    model_backends: BTreeMap<String, String> = {
        flag: "model-backend",
        env: "PENSAER_MODEL_BACKENDS",
        key: "backends.models",
        value: "MODEL=NAME",
        is_list: true,
    }
    /// The Python that has IfcOpenShell, if it is not the one that `pensaer backend install` made.
    python: PathBuf = { flag: "python", env: "PENSAER_PYTHON", key: "backends.python", value: "PROGRAM" }
    /// The folder of an EnergyPlus, if it is not the one that `pensaer backend install` made.
    energyplus_dir: PathBuf = {
        flag: "energyplus-dir", env: "ENERGYPLUS_DIR", key: "backends.energyplus-dir", value: "DIR",
    }
    /// The folder of an OpenStudio, if its program is not in PATH.
    openstudio_dir: PathBuf = {
        flag: "openstudio-dir", env: "OPENSTUDIO_DIR", key: "backends.openstudio-dir", value: "DIR",
    }
    /// An execution service on another machine, started there with `pensaer exec --listen`; may be given again. In the file a list
    /// of tables with `url` and `token-file`; those are used besides.
    endpoints: Vec<EndpointGiven> = {
        flag: "exec-endpoint", env: "PENSAER_EXEC_ENDPOINTS", key: "exec.endpoints", value: "URL", is_list: true,
    }
    /// The file with the token of those execution services that name no file of their own.
    endpoints_token: PathBuf = {
        flag: "exec-token-file", env: "PENSAER_EXEC_TOKEN_FILE", key: "exec.token-file", value: "FILE",
    }
    /// Where weather files come from, if not from https://climate.onebuilding.org: a mirror with the same folders.
    weather_mirror: String = {
        flag: "weather-mirror", env: "PENSAER_WEATHER_MIRROR", key: "weather.mirror", value: "URL",
    }
    /// The folder of documentation indexes that search_docs reads besides, such as v25.2/search.json in it.
    docs_dir: PathBuf = { flag: "docs-dir", env: "PENSAER_DOCS_DIR", key: "docs-dir", value: "DIR" }
}
