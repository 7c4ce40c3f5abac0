//! The back ends: what each is, how it is installed, found and started, and which adapters answer for it, in one descriptor; and the
//! list of them. To add one, write its descriptor and name it in the list; nothing else of this program knows any by name.

pub(crate) mod commands;
pub(crate) mod confined;
mod embeddings;
mod energyplus;
mod environment;
mod ifcopenshell;
mod native;
mod openstudio;
mod packages;
mod python;

use crate::local;
use crate::settings::Settings;
use anyhow::{Result, bail};
use contract::Adapter;
use exec::{Control, WorkerConfig};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Every back end; the first answers where none is named.
const BACKENDS: [&dyn Backend; 5] = [
    &native::Native,
    &ifcopenshell::IfcOpenShell,
    &energyplus::EnergyPlus,
    &openstudio::OpenStudio,
    &embeddings::Embeddings,
];

/// The files of a back end on this machine, by what they are to it.
pub(crate) type Programs = BTreeMap<String, PathBuf>;

/// A back end.
pub(crate) trait Backend: Sync {
    /// The name that calls, settings and commands have for it.
    fn name(&self) -> &'static str;

    /// Its maker's name for it.
    fn title(&self) -> &'static str;

    /// How it is had, as an error goes on behind "To have it: "; none for what is built in.
    fn hint(&self) -> Option<String>;

    /// Returns its state, for the user of this machine.
    fn state(&self, settings: &Settings) -> State;

    /// Installs it into the data folder, from a folder of wheels if one is given, and answers what is ready then.
    fn install(&self, settings: &Settings, wheels: Option<&Path>) -> Result<String>;

    /// Its files on this machine, if it is here; an error says why what is here cannot be used.
    fn find(&self, settings: &Settings) -> Result<Option<Programs>>;

    /// True if it works by programs beside its workers.
    fn has_programs(&self) -> bool {
        false
    }

    /// Its workers, where the user asked for so many of our own; none if it resolves no operations itself.
    fn workers(&self, _asked: usize) -> Option<WorkerPlan> {
        None
    }

    /// Starts its programs with a worker beside them, stays until they end and answers how they did; none if it has no programs.
    fn launch(&self, _config: &WorkerConfig) -> Result<Option<String>> {
        Ok(None)
    }

    /// The adapters of a worker, in a process that is confined already; its programs, if there are any, are behind the control.
    fn adapters(&self, _config: &WorkerConfig, _control: Option<Control>) -> Result<Vec<Arc<dyn Adapter>>> {
        Ok(Vec::new())
    }
}

/// The workers of a back end in a pool.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WorkerPlan {
    /// How many.
    pub(crate) count: usize,
    /// True if each is only started when a call asks for it.
    pub(crate) lazy: bool,
    /// Bytes of memory that its programs use beside a worker.
    pub(crate) programs_memory: u64,
}

/// The readiness of a back end to be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) enum Readiness {
    #[serde(rename = "ready")]
    Ready,
    #[serde(rename = "not installed")]
    NotInstalled,
    /// It is here and cannot be used.
    #[serde(rename = "broken")]
    Broken,
}

impl Readiness {
    /// The word for it.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::NotInstalled => "not installed",
            Self::Broken => "broken",
        }
    }
}

/// A back end as it is listed.
#[derive(Debug, Serialize)]
pub(crate) struct State {
    #[serde(rename = "state")]
    pub(crate) is: Readiness,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) version: Option<String>,
    /// Where it is.
    #[serde(rename = "where", skip_serializing_if = "Option::is_none")]
    place: Option<String>,
    /// The trouble and its remedy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hint: Option<String>,
}

impl State {
    fn ready(version: Option<String>, place: impl Into<String>) -> Self {
        Self { is: Readiness::Ready, version, place: Some(place.into()), hint: None }
    }

    fn broken(place: Option<String>, hint: String) -> Self {
        Self { is: Readiness::Broken, version: None, place, hint: Some(hint) }
    }

    fn not_installed(hint: String) -> Self {
        Self { is: Readiness::NotInstalled, version: None, place: None, hint: Some(hint) }
    }
}

/// The state of every back end, by name.
pub(crate) fn states(settings: &Settings) -> Vec<(&'static str, State)> {
    let state = |backend: &'static dyn Backend| match check_platform(backend) {
        Ok(()) => backend.state(settings),
        Err(why) => State::broken(None, why.to_string()),
    };
    BACKENDS.into_iter().map(|backend| (backend.name(), state(backend))).collect()
}

/// An error for one whose programs no worker can have beside it here.
fn check_platform(backend: &dyn Backend) -> Result<()> {
    if backend.has_programs() && !exec::sandbox::RUNS_PROGRAMS {
        bail!("{} is not available on this platform: {}", backend.title(), local::REMEDY);
    }
    Ok(())
}

/// Every back end that resolves operations.
pub(crate) fn resolving() -> impl Iterator<Item = &'static dyn Backend> {
    BACKENDS.into_iter().filter(|backend| backend.workers(1).is_some())
}

/// The back end of this name, if it resolves operations.
pub(crate) fn named(name: &str) -> Option<&'static dyn Backend> {
    resolving().find(|backend| backend.name() == name)
}

/// The files of those back ends that can be used here, by name; a warning says why one that is here cannot.
pub(crate) fn found(settings: &Settings) -> BTreeMap<&'static str, Programs> {
    let find = |backend: &'static dyn Backend| match backend.find(settings) {
        Ok(programs) => Some((backend.name(), programs?)),
        Err(error) => {
            tracing::warn!("{} cannot be used: {error:#}", backend.title());
            None
        }
    };
    resolving().filter_map(find).collect()
}

/// The folders of what back ends bring to read, by the corpora that they are of.
pub(crate) fn documentation(settings: &Settings) -> [(String, PathBuf); 1] {
    [(tools::API.to_owned(), ifcopenshell::documentation(settings))]
}

/// The error of one that is asked for and is not here.
pub(crate) fn absent(backend: &dyn Backend) -> anyhow::Error {
    let hint = backend.hint().unwrap_or_default();
    anyhow::anyhow!("{} is not installed. To have it: {hint}", backend.title())
}

/// One of the files that a worker's configuration names.
fn program<'a>(config: &'a WorkerConfig, name: &str) -> Result<&'a Path> {
    match config.programs.get(name) {
        Some(path) => Ok(path),
        None => bail!("a worker of {} has to be told its {name}", config.backend),
    }
}

/// A path as an error names it.
fn shown(path: &Path) -> std::path::Display<'_> {
    path.display()
}
