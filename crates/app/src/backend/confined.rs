//! Programs of back ends, each confined before it is loaded: this program is started, gives up all but what it was handed a list of,
//! and becomes the other one.

use anyhow::{Context, Result};
use exec::WorkerConfig;
use exec::sandbox::{ConfinedProgram, Confinement};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Where loaders of programs are.
pub(super) const LOADERS: [&str; 4] = [
    "/lib64/ld-linux-x86-64.so.2",
    "/lib/ld-linux-aarch64.so.1",
    "/lib/ld-musl-x86_64.so.1",
    "/lib/ld-musl-aarch64.so.1",
];

/// The files of the system that any program reads.
const SYSTEM: [&str; 7] =
    ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/share/zoneinfo", "/etc/ld.so.cache"];

/// A command of this program.
pub(crate) fn this_program(arguments: &[&str]) -> Result<Vec<OsString>> {
    let this = std::env::current_exe().context("cannot tell where this program is")?;
    Ok(std::iter::once(this.into()).chain(arguments.iter().map(Into::into)).collect())
}

/// The worker that is started beside the programs of its back end.
pub(super) fn worker_beside(config: &WorkerConfig) -> Result<(Vec<OsString>, WorkerConfig)> {
    let command = this_program(&["worker", &config.backend, "beside"])?;
    Ok((command, WorkerConfig { is_beside: true, ..config.clone() }))
}

/// The confinement of a program that reads these files and those of the system, and writes nothing.
pub(super) fn reading(files: Vec<PathBuf>) -> Confinement {
    let system = SYSTEM.iter().map(PathBuf::from).filter(|path| path.exists());
    let read = files.into_iter().chain(system).chain([PathBuf::from("/dev/urandom")]).collect();
    Confinement { read, write: vec!["/dev/null".into()], ..Confinement::default() }
}

/// The confinement of one of these programs, which starts no other: the loader's files, and these to read.
pub(super) fn alone(read: Vec<PathBuf>, programs: &[PathBuf]) -> Confinement {
    let loaders = LOADERS.iter().map(PathBuf::from);
    let programs = programs.iter().cloned().chain(loaders).filter(|path| path.exists()).collect();
    Confinement { programs, alone: true, ..reading(read.into_iter().filter(|path| path.exists()).collect()) }
}

/// The outcome of a launched program's attempts to get out.
pub(crate) struct Tried {
    /// Each attempt, in a line.
    pub(crate) said: String,
    /// True if all failed.
    pub(crate) held: bool,
}

/// Launches this program as those of back ends are, and has it try to get out.
pub(crate) fn check_launched() -> Result<Tried> {
    let this = std::env::current_exe().context("cannot tell where this program is")?;
    let name = |path: &Path| path.to_str().map(str::to_owned).context("this program's path is not UTF-8");
    let command = vec![name(&this)?, "exec".to_owned(), "--attempts".to_owned()];
    let confined = ConfinedProgram { confinement: alone(Vec::new(), std::slice::from_ref(&this)), command };
    let ended = exec::sandbox::output_of(&this_program(&["beside"])?, &confined);
    let ended = ended.context("cannot launch a program")?;
    let lines = String::from_utf8_lossy(&ended.stdout).into_owned();
    let said = lines.lines().fold(String::new(), |said, line| said + line + ", from a launched program\n");
    Ok(Tried { held: ended.status.success() && !said.is_empty(), said })
}
