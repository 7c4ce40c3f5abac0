//! EnergyPlus: where it is, and how workers with it are started. `pensaer exec --backend energyplus` is a launcher that starts one
//! worker, and, when that asks for it, programs of EnergyPlus' folder, each confined to its own folder before it is loaded.

use super::workers::{LOADERS, SYSTEM};
use super::{ENERGYPLUS, HOW_TO_INSTALL_ENERGYPLUS, openstudio};
use crate::cli::Exec;
use crate::settings::Settings;
use anyhow::{Context, Result, bail};
use exec::sandbox::Launching;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// How long a program may run at most.
const WALL: Duration = Duration::from_hours(24);
/// Megabytes of memory of one program at most.
pub(crate) const MEMORY_MB: u64 = 4096;
/// Megabytes of one file at most.
const FILE_MB: u64 = 8192;

/// What is said to whoever simulates where it is not to be had.
pub(crate) fn hint() -> String {
    format!(
        "{HOW_TO_INSTALL_ENERGYPLUS}; or name the folder of an EnergyPlus that is there already: --energyplus-dir DIR, ENERGYPLUS_DIR, \
         or energyplus-dir under [backends] in pensaer.toml (pensaer backend list says what is there)"
    )
}

/// The folder that `pensaer backend install energyplus` fills.
pub(crate) fn installed(settings: &Settings) -> PathBuf {
    settings.data_dir.join("backends").join(ENERGYPLUS)
}

/// The folder that is to be used: the one that was named, else the one that was installed, where there is any.
pub(crate) fn folder(settings: &Settings) -> Option<PathBuf> {
    let ours = || Some(installed(settings)).filter(|folder| folder.exists());
    settings.energyplus_dir.clone().or_else(ours)
}

/// The folder without links in it, if it holds an EnergyPlus; else a sentence that says what is wrong.
pub(crate) fn check(folder: &Path) -> Result<(PathBuf, String)> {
    let real = folder.canonicalize().with_context(|| format!("there is no folder {}", folder.display()))?;
    for (_, file) in exec_energyplus::programs() {
        if !real.join(file).is_file() {
            bail!("{} holds no EnergyPlus: it has no {file}", folder.display());
        }
    }
    let version = exec_energyplus::version_of(&real)
        .with_context(|| format!("{} holds no EnergyPlus that can be read", folder.display()))?;
    Ok((real, version))
}

/// EnergyPlus as it is to be used.
#[derive(Debug, Clone)]
pub(crate) struct Installed {
    /// Its folder, without links in it.
    pub(crate) folder: PathBuf,
    /// The program of OpenStudio, or a Python with its package, where that is here, too.
    pub(crate) openstudio: Option<PathBuf>,
}

/// The program of OpenStudio, or a Python with its package: in the folder that was named, else in ours, else in PATH.
pub(super) fn openstudio(settings: &Settings) -> Option<PathBuf> {
    let name = exec_energyplus::OPENSTUDIO;
    let program = |folder: PathBuf| {
        let file = folder.join(name);
        if file.is_file() { file.canonicalize().ok() } else { None }
    };
    let Some(named) = &settings.openstudio_dir else {
        let path = std::env::var_os("PATH").unwrap_or_default();
        return openstudio::python_of(&openstudio::installed(settings))
            .or_else(|| std::env::split_paths(&path).find_map(program));
    };
    let found = [named.join("bin"), named.clone()].into_iter().find_map(program);
    let found = found.or_else(|| openstudio::python_of(named));
    if found.is_none() {
        tracing::warn!(
            "OpenStudio cannot be used: {} has no {name}, nor has its bin, nor a Python with that package",
            named.display()
        );
    }
    found
}

/// The folder to be used, if it can be; where one was named that cannot, a warning says why.
pub(crate) fn found(settings: &Settings) -> Option<Installed> {
    match check(&folder(settings)?) {
        Ok((folder, _)) => Some(Installed { folder, openstudio: openstudio(settings) }),
        Err(error) => {
            tracing::warn!("EnergyPlus cannot be used: {error:#}");
            None
        }
    }
}

/// The arguments that make workers of this program such of EnergyPlus.
pub(crate) fn arguments(installed: Installed) -> Vec<OsString> {
    let mut arguments =
        vec!["--backend".into(), ENERGYPLUS.into(), "--energyplus".into(), installed.folder.into()];
    if let Some(program) = installed.openstudio {
        arguments.extend(["--openstudio".into(), program.into()]);
    }
    arguments
}

/// Every program that may be started, by the name that it is asked for by.
fn programs(folder: &Path, openstudio: Option<&Path>) -> BTreeMap<String, PathBuf> {
    let simulating = exec_energyplus::programs().map(|(name, file)| (name.to_owned(), folder.join(file)));
    let migrating = exec_energyplus::transitions(folder).into_iter().map(|one| (one.name, one.file));
    let converting = openstudio.map(|program| (exec_energyplus::OPENSTUDIO.to_owned(), program.to_owned()));
    simulating.into_iter().chain(migrating).chain(converting).collect()
}

/// What a program that lies in a folder `bin` reads besides: what is installed with it.
fn installation(program: &Path) -> Option<&Path> {
    let folder = program.parent()?;
    if folder.file_name().is_some_and(|name| name == "bin") { folder.parent() } else { Some(folder) }
}

/// The beginning of a command that confines itself to this and becomes one of these programs.
fn confined_by(this: &Path, read: &[&Path], programs: &[PathBuf]) -> Vec<OsString> {
    let mut command: Vec<OsString> = vec![this.into(), "beside".into(), "--alone".into()];
    let mut push = |name: &str, value: &Path| command.extend([name.into(), value.into()]);
    for path in read.iter().copied().chain(SYSTEM.map(Path::new)).filter(|path| path.exists()) {
        push("--read", path);
    }
    push("--read", Path::new("/dev/urandom"));
    push("--write", Path::new("/dev/null"));
    for path in
        programs.iter().map(PathBuf::as_path).chain(LOADERS.map(Path::new)).filter(|path| path.exists())
    {
        push("--program", path);
    }
    command
}

/// What a launched program could do.
pub(crate) struct Tried {
    /// Each attempt, in a line.
    pub(crate) said: String,
    /// Whether all failed.
    pub(crate) held: bool,
}

/// Launches this program as those of EnergyPlus are, and has it try to get out.
pub(crate) fn check_launched() -> Result<Tried> {
    let this = std::env::current_exe().context("cannot tell where this program is")?;
    let mut command = confined_by(&this, &[], std::slice::from_ref(&this));
    command.extend(["--".into(), this.into(), "exec".into(), "--attempts".into()]);
    let ended = exec::sandbox::output(&command).context("cannot launch a program")?;
    let lines = String::from_utf8_lossy(&ended.stdout).into_owned();
    let said = lines.lines().fold(String::new(), |said, line| said + line + ", from a launched program\n");
    Ok(Tried { held: ended.status.success() && !said.is_empty(), said })
}

/// Starts a worker, and programs for it, and stays until it ends.
pub(crate) fn launch(options: &Exec, installed: &Installed) -> Result<ExitCode> {
    let (folder, openstudio) = (installed.folder.as_path(), installed.openstudio.as_deref());
    let this = std::env::current_exe().context("cannot tell where this program is")?;
    let programs = programs(folder, openstudio);
    let files: Vec<PathBuf> = programs.values().cloned().collect();
    // a Python of an environment of its own is a link to the one that it was made with, and reads what belongs to both
    let behind = openstudio.and_then(|program| program.canonicalize().ok());
    let beside = [openstudio, behind.as_deref()].into_iter().flatten().filter_map(installation);
    let read: Vec<&Path> = std::iter::once(folder).chain(beside).collect();
    let at_once = std::thread::available_parallelism().map_or(2, usize::from);
    // what a request says of its scratch is spelt as it was given; where that goes through a link, the folder itself is meant
    let real = options.write.iter().filter_map(|folder| folder.canonicalize().ok());
    let launching = Launching {
        confined_by: confined_by(&this, &read, &files),
        programs,
        scratch: options.write.iter().cloned().chain(real).collect(),
        wall: WALL,
        memory: MEMORY_MB << 20,
        file: FILE_MB << 20,
        at_once: 2 * at_once.max(2),
    };
    let mut worker: Vec<OsString> = vec![this.into()];
    worker.extend(std::env::args_os().skip(1));
    worker.extend(["--beside".into(), "--energyplus".into(), folder.into()]);
    worker.extend(["--read".into(), folder.into()]);
    if let Some(program) = openstudio {
        worker.extend(["--openstudio".into(), program.into()]);
    }
    let ended = exec::sandbox::launching(launching, &worker).context("cannot start a worker")?;
    tracing::warn!("{ended}; it is started anew with the next call");
    Ok(ExitCode::FAILURE)
}
