//! Where settings come from: flags, the environment, `pensaer.toml`, defaults. Each source is read into [`Given`] by the list of
//! settings; a value that cannot be read is an error that names its source.

use super::declared::{EndpointGiven, Given, SETTINGS, Setting};
use anyhow::{Context, Result, anyhow, bail};
use clap::builder::OsStringValueParser;
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use contract::Secret;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

/// A value as it is given.
pub(crate) enum Raw<'a> {
    /// As text: the values of a flag, or a variable.
    Text(Vec<&'a OsStr>),
    /// In the settings file.
    Toml(toml::Value),
}

/// A type that settings have.
pub(crate) trait Value: Sized {
    /// Reads it; an error is a sentence without a subject, such as "is no number".
    fn read(raw: Raw<'_>) -> Result<Self, String>;
}

/// The one text of a value that is no list.
fn text<'a>(texts: &[&'a OsStr]) -> Result<&'a str, String> {
    texts.last().and_then(|text| text.to_str()).ok_or_else(|| "is not UTF-8".to_owned())
}

fn of_toml<T: serde::de::DeserializeOwned>(value: toml::Value) -> Result<T, String> {
    value.try_into().map_err(|error: toml::de::Error| format!("cannot be read: {}", error.message()))
}

macro_rules! read_scalars {
    ($($type:ty: $what:literal),+) => {
        $(impl Value for $type {
            fn read(raw: Raw<'_>) -> Result<Self, String> {
                match raw {
                    Raw::Text(texts) => {
                        let text = text(&texts)?;
                        text.parse().map_err(|_| format!("is {text:?}, which is no {}", $what))
                    }
                    Raw::Toml(value) => of_toml(value),
                }
            }
        })+
    };
}

read_scalars!(String: "text", u64: "number", usize: "number", bool: "true or false", SocketAddr: "address such as 127.0.0.1:8420");

impl Value for PathBuf {
    fn read(raw: Raw<'_>) -> Result<Self, String> {
        match raw {
            Raw::Text(texts) => {
                let path = texts.last().map(PathBuf::from).unwrap_or_default();
                if path.as_os_str().is_empty() { Err("is empty".to_owned()) } else { Ok(path) }
            }
            Raw::Toml(value) => of_toml(value),
        }
    }
}

impl Value for Secret {
    fn read(raw: Raw<'_>) -> Result<Self, String> {
        String::read(raw).map(Self::new)
    }
}

/// The parts of texts that are parted by commas, the empty ones left out.
fn parts<'a>(texts: &[&'a OsStr]) -> Result<Vec<&'a str>, String> {
    let mut parts = Vec::new();
    for one in texts {
        parts.extend(text(&[one])?.split(',').map(str::trim).filter(|part| !part.is_empty()));
    }
    if parts.is_empty() { Err("is empty".to_owned()) } else { Ok(parts) }
}

impl Value for Vec<String> {
    fn read(raw: Raw<'_>) -> Result<Self, String> {
        match raw {
            Raw::Text(texts) => Ok(parts(&texts)?.into_iter().map(str::to_owned).collect()),
            Raw::Toml(value) => of_toml(value),
        }
    }
}

impl Value for Vec<PathBuf> {
    fn read(raw: Raw<'_>) -> Result<Self, String> {
        Ok(Vec::<String>::read(raw)?.into_iter().map(PathBuf::from).collect())
    }
}

impl Value for BTreeMap<String, String> {
    fn read(raw: Raw<'_>) -> Result<Self, String> {
        let pair = |part: &str| match part.split_once('=') {
            Some((name, value)) => Ok((name.to_owned(), value.to_owned())),
            None => Err(format!("has {part:?}, which is no NAME=VALUE")),
        };
        match raw {
            Raw::Text(texts) => parts(&texts)?.into_iter().map(pair).collect(),
            Raw::Toml(value) => of_toml(value),
        }
    }
}

impl Value for Vec<EndpointGiven> {
    fn read(raw: Raw<'_>) -> Result<Self, String> {
        let endpoint = |url: &str| EndpointGiven { url: url.to_owned(), token_file: None };
        match raw {
            Raw::Text(texts) => Ok(parts(&texts)?.into_iter().map(endpoint).collect()),
            Raw::Toml(value) => of_toml(value),
        }
    }
}

/// The flags of the settings, which every subcommand takes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Options(pub(super) Given);

impl Args for Options {
    fn augment_args(command: Command) -> Command {
        SETTINGS.iter().fold(command, |command, setting| command.arg(flag(setting)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// A setting as clap knows it.
fn flag(setting: &'static Setting) -> Arg {
    let default = Some(setting.default).filter(|default| !default.is_empty() && !setting.is_switch());
    let default = default.map(|default| format!(" [default: {default}]")).unwrap_or_default();
    let help = setting.help.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ");
    let argument = Arg::new(setting.name)
        .long(setting.flag)
        .global(true)
        .help_heading("Settings")
        .help(format!("{}{default} [env: {}]", help.trim_end_matches('.'), setting.env))
        .value_parser(OsStringValueParser::new())
        .action(if setting.is_list { ArgAction::Append } else { ArgAction::Set });
    if setting.is_switch() {
        argument.num_args(0..=1).default_missing_value("true").value_name("true|false")
    } else {
        argument.value_name(setting.value)
    }
}

impl FromArgMatches for Options {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut given = Given::default();
        for setting in SETTINGS {
            let Some(texts) = matches.get_many::<OsString>(setting.name) else { continue };
            let texts = texts.map(OsString::as_os_str).collect();
            given.set(setting.name, Raw::Text(texts)).map_err(|why| {
                clap::Error::raw(ErrorKind::ValueValidation, format!("--{} {why}\n", setting.flag))
            })?;
        }
        Ok(Self(given))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Given {
    /// Reads the environment, asked for variables by name. An empty one says nothing but where text is asked for: there it stands
    /// for none, whatever the settings file says.
    pub(super) fn from_environment(variable: impl Fn(&str) -> Option<OsString>) -> Result<Self> {
        let mut given = Self::default();
        for setting in SETTINGS {
            let Some(value) = variable(setting.env) else { continue };
            let outcome = given.set(setting.name, Raw::Text(vec![&value]));
            if !value.is_empty() {
                outcome.map_err(|why| anyhow!("{} in the environment {why}", setting.env))?;
            }
        }
        Ok(given)
    }

    /// Reads a settings file. Keys may be spelt with `_` for `-`.
    pub(super) fn from_file(path: &Path) -> Result<Self> {
        let text =
            std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let read = || -> Result<Self> {
            let mut table: toml::Table = toml::from_str(&text)?;
            let mut given = Self::default();
            for setting in SETTINGS.iter().filter(|setting| !setting.key.is_empty()) {
                if let Some(value) = take(&mut table, setting.key) {
                    given
                        .set(setting.name, Raw::Toml(value))
                        .map_err(|why| anyhow!("{} {why}", setting.key))?;
                }
            }
            match left(&table, "") {
                Some(key) => bail!("there is no setting {key:?}; docs/settings.md names them all"),
                None => Ok(given),
            }
        };
        read().with_context(|| format!("{} is not a settings file of Pensaer", path.display()))
    }

    /// The defaults.
    pub(super) fn defaults() -> Result<Self> {
        let mut given = Self::default();
        for setting in SETTINGS.iter().filter(|setting| !setting.default.is_empty()) {
            let outcome = given.set(setting.name, Raw::Text(vec![OsStr::new(setting.default)]));
            outcome.map_err(|why| anyhow!("the default of {} {why}", setting.name))?;
        }
        Ok(given)
    }
}

/// Takes the value of a key such as `backends.run-code` out of a table.
fn take(table: &mut toml::Table, key: &str) -> Option<toml::Value> {
    let (first, rest) = key.split_once('.').map_or((key, None), |(first, rest)| (first, Some(rest)));
    let spelt =
        [first.to_owned(), first.replace('-', "_")].into_iter().find(|name| table.contains_key(name))?;
    match rest {
        None => table.remove(&spelt),
        Some(rest) => take(table.get_mut(&spelt)?.as_table_mut()?, rest),
    }
}

/// The first key that nobody took; tables from which all was taken count as taken.
fn left(table: &toml::Table, before: &str) -> Option<String> {
    table.iter().find_map(|(key, value)| match value.as_table() {
        Some(inner) if SETTINGS.iter().any(|setting| setting.key.starts_with(&format!("{before}{key}."))) => {
            left(inner, &format!("{before}{key}."))
        }
        _ => Some(format!("{before}{key}")),
    })
}
