//! OpenStudio as a package of its makers for Python: where it is, and `pensaer backend install openstudio`, which puts it into an
//! environment of its own under the data folder.

#![expect(clippy::print_stdout, reason = "what a command of the shell answers")]

use super::install::{environment, last_line, output};
use super::{OPENSTUDIO, python, shown};
use crate::settings::Settings;
use anyhow::{Context, Result, bail};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The package, of the version that was tested; it writes models of EnergyPlus 25.2.
const REQUIREMENT: &str = "openstudio==3.11.0";
/// Says its version, if it can be loaded.
const PROBE: &str = "import openstudio; print(openstudio.openStudioVersion())";

/// The environment that is filled here.
pub(super) fn installed(settings: &Settings) -> PathBuf {
    settings.data_dir.join("backends").join(OPENSTUDIO)
}

/// The Python of an environment that has the package.
pub(super) fn python_of(folder: &Path) -> Option<PathBuf> {
    let python = std::path::absolute(python::of_environment(folder)).ok()?;
    let libraries = fs::read_dir(folder.join("lib")).ok()?.flatten();
    let has = |library: fs::DirEntry| library.path().join("site-packages/openstudio/__init__.py").is_file();
    (python.is_file() && libraries.into_iter().any(has)).then_some(python)
}

/// The version of the package; an error is a sentence.
pub(super) fn version(python: &Path) -> Result<String> {
    let command: Vec<OsString> = vec![python.into(), "-I".into(), "-B".into(), "-c".into(), PROBE.into()];
    let said = output(&command)?;
    if !said.status.success() {
        bail!("{} cannot load OpenStudio: {}", shown(python), last_line(&said));
    }
    Ok(String::from_utf8_lossy(&said.stdout).trim().to_owned())
}

pub(super) fn run(settings: &Settings, wheels: Option<&Path>) -> Result<ExitCode> {
    let place = installed(settings);
    let home = place.parent().unwrap_or(&place);
    fs::create_dir_all(home).with_context(|| format!("cannot make {}", shown(home)))?;
    let partial = home.join("openstudio.partial");
    let own = environment(settings, &partial, REQUIREMENT, wheels)?;
    let version = version(&own).context("what was installed does not work")?;
    if place.exists() {
        fs::remove_dir_all(&place).with_context(|| format!("cannot replace {}", shown(&place)))?;
    }
    fs::rename(&partial, &place).context("cannot put the environment in its place")?;
    println!("openstudio is ready: OpenStudio {version}, in {}", shown(&place));
    println!("A server that runs already uses it after its next start.");
    Ok(ExitCode::SUCCESS)
}
