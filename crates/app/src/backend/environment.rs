//! Virtual environments of Python under the data folder, with a package of a back end in them.

#![expect(clippy::print_stderr, reason = "what a command of the shell answers")]

use super::{python, shown};
use crate::settings::Settings;
use anyhow::{Context, Result, bail};
use exec_ifcopenshell::package::OLDEST_PYTHON;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

/// The names under which a Python is looked for, if none is named.
const NAMES: [&str; 7] =
    ["python3", "python3.14", "python3.13", "python3.12", "python3.11", "python3.10", "python"];

/// Makes an empty Python environment in a folder; answers its Python.
pub(super) fn virtual_environment(settings: &Settings, folder: &Path) -> Result<PathBuf> {
    let python = base(settings)?;
    eprintln!("making a Python environment with {}", shown(&python));
    let made = output(&[
        python.clone().into(),
        "-I".into(),
        "-m".into(),
        "venv".into(),
        "--clear".into(),
        folder.into(),
    ])?;
    if !made.status.success() {
        bail!(
            "{} cannot make a virtual environment: {}. On Debian and Ubuntu the package python3-venv is missing; or name another \
             Python with --python.",
            shown(&python),
            last_line(&made)
        );
    }
    Ok(python::of_environment(folder))
}

/// Makes a Python environment with a package in it; answers its Python.
pub(super) fn make(
    settings: &Settings,
    partial: &Path,
    requirement: &str,
    wheels: Option<&Path>,
) -> Result<PathBuf> {
    let own = virtual_environment(settings, partial)?;
    eprintln!("installing {requirement}");
    let mut pip: Vec<OsString> = vec![own.clone().into()];
    pip.extend(
        ["-I", "-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--retries=2"]
            .map(OsString::from),
    );
    pip.extend(["--quiet", "--only-binary=:all:", requirement].map(OsString::from));
    if let Some(wheels) = wheels {
        pip.extend(["--no-index".into(), "--find-links".into(), wheels.into()]);
    }
    let installed = output(&pip)?;
    if !installed.status.success() {
        bail!("{}", why_pip_failed(&installed, requirement, wheels));
    }
    Ok(own)
}

/// Puts what was made in the place of what was there.
pub(super) fn replace(partial: &Path, place: &Path) -> Result<()> {
    if place.exists() {
        fs::remove_dir_all(place).with_context(|| format!("cannot replace {}", shown(place)))?;
    }
    fs::rename(partial, place).with_context(|| format!("cannot put {} in its place", shown(place)))
}

/// The Python to build upon.
pub(super) fn base(settings: &Settings) -> Result<PathBuf> {
    if let Some(named) = &settings.python {
        let version = python::version(named).map_err(anyhow::Error::msg)?;
        python::recent(named, version).map_err(anyhow::Error::msg)?;
        return Ok(named.clone());
    }
    let mut too_old = None;
    for name in NAMES {
        let name = PathBuf::from(name);
        let Ok(version) = python::version(&name) else { continue };
        match python::recent(&name, version) {
            Ok(_) => return Ok(name),
            Err(why) => too_old = too_old.or(Some(why)),
        }
    }
    let (major, minor) = OLDEST_PYTHON;
    match too_old {
        Some(why) => bail!("{why}. Install a newer Python, or name one with --python."),
        None => bail!(
            "No Python was found on the PATH. Install Python {major}.{minor} or later, or name one with --python."
        ),
    }
}

pub(super) fn output(command: &[OsString]) -> Result<Output> {
    let program = command.first().map(PathBuf::from).unwrap_or_default();
    exec::sandbox::output(command).with_context(|| format!("cannot run {}", shown(&program)))
}

pub(super) fn last_line(output: &Output) -> String {
    let said = [&output.stderr, &output.stdout].map(|said| String::from_utf8_lossy(said).trim().to_owned());
    let line = said.iter().find_map(|said| said.lines().last()).unwrap_or("it said nothing");
    line.trim_end_matches('.').to_owned()
}

/// One sentence of what pip says in many.
fn why_pip_failed(pip: &Output, requirement: &str, wheels: Option<&Path>) -> String {
    let said = String::from_utf8_lossy(&pip.stderr);
    let unreachable =
        ["NewConnectionError", "ConnectTimeout", "name resolution", "Network is unreachable", "ProxyError"];
    if let Some(wheels) = wheels {
        return format!(
            "{} does not hold all that is needed ({}). Fill it on a machine with a network, under the same Python version: \
             pip download --only-binary=:all: -d {} {requirement}",
            shown(wheels),
            last_line(pip),
            shown(wheels)
        );
    }
    if unreachable.iter().any(|sign| said.contains(sign)) {
        return format!(
            "The package index cannot be reached, so {requirement} was not installed. Try again with a network, set PIP_INDEX_URL \
             to an index that can be reached, or give --wheels a folder that holds the packages."
        );
    }
    format!(
        "pip did not install {requirement}: {}. It may not be there for this version of Python; name another with --python.",
        last_line(pip)
    )
}
