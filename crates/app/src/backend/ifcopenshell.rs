//! IfcOpenShell, which is Python. It lives in a folder of ours under the data folder, made by `pensaer backend install`, or in a Python
//! of the user's own, named by the settings; our own part of it is carried in this program. A worker of it has that Python beside it:
//! each is confined before it reads anything, and both end together.

use super::confined::{LOADERS, this_program};
use super::{Backend, Programs, State, WorkerPlan, confined, environment, native, program, python, shown};
use crate::settings::Settings;
use anyhow::{Context, Result, bail};
use contract::Adapter;
use exec::sandbox::{Beside, ConfinedProgram, Confinement, side_by_side};
use exec::{Control, WorkerConfig};
use exec_ifcopenshell::package::{self, REQUIREMENT};
use serde::Deserialize;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The descriptor.
pub(super) struct IfcOpenShell;

/// Its Python among its files.
const PYTHON: &str = "python";
/// The folder of our own part of it among its files.
const PACKAGE: &str = "package";
/// The folder of what its functions are, in its own.
const DOCUMENTATION: &str = "documentation";
/// The file in there that says of which Python.
const SOURCE: &str = "source.txt";
/// How it is had.
const INSTALL: &str = "pensaer backend install ifcopenshell";
/// Bytes of one file that its Python writes.
const FILE: u64 = 1 << 30;

/// Its folder under the data folder.
fn folder(settings: &Settings) -> PathBuf {
    settings.data_dir.join("backends").join(IfcOpenShell.name())
}

fn own_environment(settings: &Settings) -> PathBuf {
    folder(settings).join("venv")
}

/// The Python that is to be used: the one that was named, else the one that was installed.
fn interpreter(settings: &Settings) -> Option<PathBuf> {
    let installed =
        || Some(python::of_environment(&own_environment(settings))).filter(|python| python.exists());
    settings.python.clone().or_else(installed)
}

/// The folder of what IfcOpenShell says of its own functions, as an index for each version.
pub(crate) fn documentation(settings: &Settings) -> PathBuf {
    folder(settings).join(DOCUMENTATION)
}

/// The part of an index that says what it is of.
#[derive(Deserialize)]
struct Documented {
    version: String,
}

/// Keeps what the package of a Python says of its functions, unless that was done.
fn document(python: &Path, package: &Path, home: &Path) -> Result<()> {
    let place = home.join(DOCUMENTATION);
    // another Python, another program of ours
    let of = format!("{}\n{}\n", shown(python), shown(package));
    if fs::read_to_string(place.join(SOURCE)).is_ok_and(|known| known == of) {
        return Ok(());
    }
    let program = package::documentation(package);
    let command = [python.as_os_str(), "-I".as_ref(), "-B".as_ref(), program.as_os_str()];
    let said = environment::output(&command.map(OsString::from))?;
    if !said.status.success() {
        bail!("IfcOpenShell's functions cannot be read: {}", environment::last_line(&said));
    }
    let read: Documented =
        serde_json::from_slice(&said.stdout).context("IfcOpenShell's functions cannot be read")?;
    let partial = home.join("documentation.partial");
    if partial.exists() {
        fs::remove_dir_all(&partial)?;
    }
    let version = partial.join(format!("v{}", read.version));
    let kept = || {
        fs::create_dir_all(&version)?;
        fs::write(version.join("search.json"), &said.stdout)?;
        fs::write(partial.join(SOURCE), of)
    };
    kept().with_context(|| format!("cannot write {}", shown(&partial)))?;
    environment::replace(&partial, &place)
}

impl Backend for IfcOpenShell {
    fn name(&self) -> &'static str {
        "ifcopenshell"
    }

    fn title(&self) -> &'static str {
        "IfcOpenShell"
    }

    fn hint(&self) -> Option<String> {
        Some(format!("{INSTALL} (pensaer backend list says what is there)"))
    }

    fn state(&self, settings: &Settings) -> State {
        let Some(found) = interpreter(settings) else {
            // a folder without a program in it is what is left of one
            return if own_environment(settings).exists() {
                State::broken(
                    None,
                    format!("Its folder holds no Python any more. Install it again: {INSTALL}"),
                )
            } else {
                State::not_installed(format!("To install it: {INSTALL}"))
            };
        };
        let place = found.display().to_string();
        match python::check(&found) {
            Ok(ready) => State::ready(
                Some(format!("IfcOpenShell {}, Python {}", ready.ifcopenshell, ready.python)),
                place,
            ),
            Err(why) => {
                let mend = match &settings.python {
                    Some(_) => "name another with --python or PENSAER_PYTHON, or install it there".to_owned(),
                    None => format!("install it again: {INSTALL}"),
                };
                State::broken(Some(place), format!("{why}; {mend}"))
            }
        }
    }

    /// Makes the environment beside the one that is there, and puts it in its place only when it works.
    fn install(&self, settings: &Settings, wheels: Option<&Path>) -> Result<String> {
        let home = folder(settings);
        fs::create_dir_all(&home).with_context(|| format!("cannot make {}", shown(&home)))?;
        let partial = home.join("venv.partial");
        let own = environment::make(settings, &partial, REQUIREMENT, wheels)?;
        let ready =
            python::check(&own).map_err(anyhow::Error::msg).context("what was installed does not work")?;
        let place = own_environment(settings);
        environment::replace(&partial, &place)?;
        let package = package::unpack(&home).context("cannot unpack our own part")?;
        document(&python::of_environment(&place), &package, &home)?;
        Ok(format!("IfcOpenShell {}, Python {}, in {}", ready.ifcopenshell, ready.python, shown(&place)))
    }

    fn has_programs(&self) -> bool {
        true
    }

    fn find(&self, settings: &Settings) -> Result<Option<Programs>> {
        let Some(python) = interpreter(settings) else { return Ok(None) };
        let home = folder(settings);
        fs::create_dir_all(&home).with_context(|| format!("cannot make {}", home.display()))?;
        let package = package::unpack(&home).context("cannot unpack the Python part of the back end")?;
        if let Err(error) = document(&python, &package, &home) {
            tracing::warn!("{error:#}");
        }
        Ok(Some(Programs::from([(PYTHON.to_owned(), python), (PACKAGE.to_owned(), package)])))
    }

    fn workers(&self, asked: usize) -> Option<WorkerPlan> {
        // most are never asked for it, and Python takes a second to start
        Some(WorkerPlan { count: asked.max(1), lazy: true, programs_memory: 0 })
    }

    fn launch(&self, config: &WorkerConfig) -> Result<Option<String>> {
        let (python, package) = (program(config, PYTHON)?, program(config, PACKAGE)?);
        // the models are opened by the Python process; results and everything else come and go through the worker
        let mut read: Vec<PathBuf> = config.read.iter().chain(&config.write).cloned().collect();
        read.push(package.to_owned());
        read.extend(homes(python).into_iter().filter(|path| path.exists()));
        let own = [python].into_iter().chain(LOADERS.map(Path::new)).filter(|path| path.exists());
        let confinement = Confinement {
            programs: own.map(Path::to_owned).collect(),
            memory: config.memory_mb.saturating_mul(1 << 20),
            file: FILE,
            ..confined::reading(read)
        };
        let command = package::command(python, package).into_iter().map(OsString::into_string);
        let command = command.collect::<Result<_, _>>();
        let command = command.map_err(|word| anyhow::anyhow!("{} is not UTF-8", word.display()))?;
        let beside = Beside {
            program: (this_program(&["beside"])?, ConfinedProgram { confinement, command }),
            worker: confined::worker_beside(config)?,
        };
        side_by_side(&beside).map(Some).context("cannot start a worker and its Python")
    }

    fn adapters(&self, config: &WorkerConfig, control: Option<Control>) -> Result<Vec<Arc<dyn Adapter>>> {
        let control = control.context("its Python is not beside this worker")?;
        let python = exec_ifcopenshell::Backend::at(control)?;
        let native = native::adapter(tools::catalogue(), config.indexes.clone());
        Ok(vec![Arc::new(exec_ifcopenshell::IfcOpenShellAdapter::new(Arc::new(python), native))])
    }
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
