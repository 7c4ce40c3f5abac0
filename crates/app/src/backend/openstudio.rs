//! OpenStudio, with which models are converted: its program, or a Python with the package of its makers, which is put into an
//! environment of its own under the data folder. It has no workers; those of EnergyPlus start it.

use super::environment::{self, last_line, output};
use super::{Backend, Programs, State, python, shown};
use crate::settings::Settings;
use anyhow::{Context, Result, bail};
use exec_energyplus::OPENSTUDIO;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// The package, of the version that was tested; it writes models of EnergyPlus 25.2.
const REQUIREMENT: &str = "openstudio==3.11.0";
/// Says its version, if it can be loaded.
const PROBE: &str = "import openstudio; print(openstudio.openStudioVersion())";

/// The descriptor.
pub(super) struct OpenStudio;

/// The environment that is filled here.
fn installed(settings: &Settings) -> PathBuf {
    settings.data_dir.join("backends").join(OPENSTUDIO)
}

/// The Python of an environment that has the package.
fn python_of(folder: &Path) -> Option<PathBuf> {
    let python = std::path::absolute(python::of_environment(folder)).ok()?;
    let libraries = fs::read_dir(folder.join("lib")).ok()?.flatten();
    let has = |library: fs::DirEntry| library.path().join("site-packages/openstudio/__init__.py").is_file();
    (python.is_file() && libraries.into_iter().any(has)).then_some(python)
}

/// The version of the package; an error is a sentence.
fn version(python: &Path) -> Result<String> {
    let command: Vec<OsString> = vec![python.into(), "-I".into(), "-B".into(), "-c".into(), PROBE.into()];
    let said = output(&command)?;
    if !said.status.success() {
        bail!("{} cannot load OpenStudio: {}", shown(python), last_line(&said));
    }
    Ok(String::from_utf8_lossy(&said.stdout).trim().to_owned())
}

/// The program, or a Python with its package: in the folder that was named, else in ours, else in PATH.
fn program(settings: &Settings) -> Option<PathBuf> {
    let program = |folder: PathBuf| {
        let file = folder.join(OPENSTUDIO);
        if file.is_file() { file.canonicalize().ok() } else { None }
    };
    let Some(named) = &settings.openstudio_dir else {
        let on_path = || which::which(OPENSTUDIO).ok()?.canonicalize().ok();
        return python_of(&installed(settings)).or_else(on_path);
    };
    let found = [named.join("bin"), named.clone()].into_iter().find_map(program);
    found.or_else(|| python_of(named))
}

impl Backend for OpenStudio {
    fn name(&self) -> &'static str {
        OPENSTUDIO
    }

    fn title(&self) -> &'static str {
        "OpenStudio"
    }

    fn hint(&self) -> Option<String> {
        Some("pensaer backend install openstudio; or --openstudio-dir DIR".to_owned())
    }

    fn state(&self, settings: &Settings) -> State {
        let Some(program) = program(settings) else {
            return State::not_installed(format!("To have it: {}", self.hint().unwrap_or_default()));
        };
        let place = program.display().to_string();
        if exec_energyplus::OpenStudio::from_program(&program) == exec_energyplus::OpenStudio::Program {
            return State::ready(None, place);
        }
        match version(&program) {
            Ok(version) => State::ready(Some(format!("OpenStudio {version}")), place),
            Err(why) => State::broken(
                Some(place),
                format!("{why:#}; install it again: pensaer backend install openstudio"),
            ),
        }
    }

    fn install(&self, settings: &Settings, wheels: Option<&Path>) -> Result<String> {
        let place = installed(settings);
        let home = place.parent().unwrap_or(&place);
        fs::create_dir_all(home).with_context(|| format!("cannot make {}", shown(home)))?;
        let partial = home.join("openstudio.partial");
        let own = environment::make(settings, &partial, REQUIREMENT, wheels)?;
        let version = version(&own).context("what was installed does not work")?;
        environment::replace(&partial, &place)?;
        Ok(format!("OpenStudio {version}, in {}", shown(&place)))
    }

    fn has_programs(&self) -> bool {
        true
    }

    fn find(&self, settings: &Settings) -> Result<Option<Programs>> {
        let found = program(settings).map(|program| Programs::from([(OPENSTUDIO.to_owned(), program)]));
        if let Some(named) = settings.openstudio_dir.as_deref().filter(|_| found.is_none()) {
            bail!("{} has no {OPENSTUDIO}, nor has its bin, nor a Python with that package", shown(named));
        }
        Ok(found)
    }
}
