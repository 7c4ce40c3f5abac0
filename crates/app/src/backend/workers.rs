//! How workers of IfcOpenShell are started: `pensaer exec --backend ifcopenshell` starts a worker and the Python beside it, each
//! confined before it reads anything, and ends with both.

use super::{IFCOPENSHELL, folder, interpreter};
use crate::cli::Exec;
use crate::settings::Settings;
use anyhow::{Context, Result};
use clap::Args;
use exec::sandbox::Confinement;
use exec_ifcopenshell::package;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Where loaders of programs are.
pub(super) const LOADERS: [&str; 4] = [
    "/lib64/ld-linux-x86-64.so.2",
    "/lib/ld-linux-aarch64.so.1",
    "/lib/ld-musl-x86_64.so.1",
    "/lib/ld-musl-aarch64.so.1",
];

/// What any Python reads of the system.
pub(super) const SYSTEM: [&str; 7] =
    ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/share/zoneinfo", "/etc/ld.so.cache"];

/// What a program beside a worker may use, and its command. Only this program starts itself like this.
#[derive(Debug, Args)]
pub(crate) struct Beside {
    /// What it may read.
    #[arg(long)]
    read: Vec<PathBuf>,
    /// What it may write.
    #[arg(long)]
    write: Vec<PathBuf>,
    /// What it may be.
    #[arg(long)]
    program: Vec<PathBuf>,
    /// Megabytes of memory of each of its processes.
    #[arg(long, default_value_t = 8192)]
    memory_mb: u64,
    /// Megabytes of one file that it writes.
    #[arg(long, default_value_t = 1024)]
    file_mb: u64,
    /// It may have no processes of its own.
    #[arg(long)]
    alone: bool,
    /// The program and its arguments.
    #[arg(last = true)]
    command: Vec<OsString>,
}

impl Beside {
    /// Gives up everything else and becomes the program.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let wish = Confinement {
            read: self.read.clone(),
            write: self.write.clone(),
            memory: self.memory_mb.saturating_mul(1 << 20),
            file: self.file_mb.saturating_mul(1 << 20),
            programs: self.program.clone(),
            alone: self.alone,
        };
        Err(exec::sandbox::turn_into(&wish, &self.command)).context("cannot start the program")
    }
}

/// A Python, and the folder of our own part of it.
pub(crate) type Found = (PathBuf, PathBuf);

/// The Python that is to be used, and the folder of our own part of it, if there is one.
pub(crate) fn python_and_package(settings: &Settings) -> Result<Option<Found>> {
    let Some(python) = interpreter(settings) else { return Ok(None) };
    let home = folder(settings);
    std::fs::create_dir_all(&home).with_context(|| format!("cannot make {}", home.display()))?;
    let unpacked = package::unpack(&home).context("cannot unpack the Python part of the back end")?;
    Ok(Some((python, unpacked)))
}

/// The arguments that make workers of this program such of IfcOpenShell.
pub(crate) fn arguments((python, unpacked): Found) -> Vec<OsString> {
    let named = [("--backend", IFCOPENSHELL.into()), ("--interpreter", python), ("--package", unpacked)];
    named.into_iter().flat_map(|(name, value): (&str, PathBuf)| [name.into(), value.into()]).collect()
}

/// Starts a worker and its Python, and stays until one of them ends.
pub(crate) fn side_by_side(options: &Exec, python: &Path, unpacked: &Path) -> Result<ExitCode> {
    let this: OsString = std::env::current_exe().context("cannot tell where this program is")?.into();
    let mut program = vec![this.clone(), "beside".into()];
    let mut push = |name: &str, value: &Path| program.extend([name.into(), value.into()]);
    // the models are opened by the Python process; results and everything else come and go through the worker
    for folder in options.read.iter().chain(&options.write) {
        push("--read", folder);
    }
    push("--read", unpacked);
    for folder in homes(python).iter().chain(&SYSTEM.map(PathBuf::from)).filter(|path| path.exists()) {
        push("--read", folder);
    }
    push("--read", Path::new("/dev/urandom"));
    push("--write", Path::new("/dev/null"));
    for path in [python].into_iter().chain(LOADERS.map(Path::new)).filter(|path| path.exists()) {
        push("--program", path);
    }
    program.extend(["--memory-mb".into(), options.memory_mb.to_string().into(), "--".into()]);
    program.extend(package::command(python, unpacked));
    let mut worker = vec![this];
    worker.extend(std::env::args_os().skip(1));
    worker.push("--beside".into());
    let ended =
        exec::sandbox::side_by_side(&program, &worker).context("cannot start a worker and its Python")?;
    tracing::warn!("{ended}; both are started anew with the next call");
    Ok(ExitCode::FAILURE)
}

/// Where a Python's own files are: those of the environment that it is in, and those of the Python that this was made from.
fn homes(python: &Path) -> Vec<PathBuf> {
    let mut homes = Vec::new();
    let environment = python.parent().and_then(Path::parent);
    if let Some(environment) = environment
        && let Ok(text) = std::fs::read_to_string(environment.join("pyvenv.cfg"))
    {
        homes.push(environment.to_owned());
        let home = text.lines().find_map(|line| line.strip_prefix("home")?.trim_start().strip_prefix('='));
        homes.extend(home.and_then(|home| Path::new(home.trim()).parent().map(Path::to_owned)));
    }
    if let Ok(real) = std::fs::canonicalize(python) {
        homes.extend(real.parent().and_then(Path::parent).map(Path::to_owned));
    }
    // where it is the system's, SYSTEM says it, and the rest of the system is none of its business
    homes.retain(|home| !["/", "/usr", "/usr/local"].map(Path::new).contains(&home.as_path()));
    homes
}
