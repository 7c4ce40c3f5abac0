//! A Python on this machine: what it is, and whether it has IfcOpenShell.

use exec_ifcopenshell::package::OLDEST_PYTHON;
use serde::Deserialize;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Says what it is; the second argument has it try IfcOpenShell, too.
const PROBE: &str = "\
import sys, json
said = {'version': list(sys.version_info[:3])}
if sys.argv[1:]:
    try:
        import ifcopenshell, ifcopenshell.geom, ifcopenshell.api, ifcopenshell.util.selector
        said['ifcopenshell'] = ifcopenshell.version
    except Exception as error:
        said['error'] = f'{type(error).__name__}: {error}'
print(json.dumps(said))";

/// A Python's description of itself.
#[derive(Debug, Deserialize)]
pub(super) struct Said {
    version: (u32, u32, u32),
    ifcopenshell: Option<String>,
    error: Option<String>,
}

/// A Python that has IfcOpenShell.
#[derive(Debug)]
pub(super) struct Ready {
    pub(super) python: String,
    pub(super) ifcopenshell: String,
}

/// The interpreter of a virtual environment.
pub(super) fn of_environment(folder: &Path) -> PathBuf {
    folder.join("bin").join("python")
}

/// Asks a Python for its version; an error is a sentence.
pub(super) fn version(python: &Path) -> Result<(u32, u32, u32), String> {
    ask(python, false).map(|said| said.version)
}

/// Checks that a Python is recent enough and has IfcOpenShell; an error is a sentence that says what is wrong.
pub(super) fn check(python: &Path) -> Result<Ready, String> {
    let said = ask(python, true)?;
    let version = recent(python, said.version)?;
    match (said.ifcopenshell, said.error) {
        (Some(ifcopenshell), None) => Ok(Ready { python: version, ifcopenshell }),
        (_, Some(error)) if error.starts_with("ModuleNotFoundError: No module named 'ifcopenshell'") => {
            Err(format!("{} has no IfcOpenShell", python.display()))
        }
        (_, error) => Err(format!(
            "IfcOpenShell cannot be loaded by {}: {}",
            python.display(),
            error.unwrap_or_else(|| "no reason was given".to_owned())
        )),
    }
}

/// The version as text, if it is recent enough.
pub(super) fn recent(python: &Path, version: (u32, u32, u32)) -> Result<String, String> {
    let text = format!("{}.{}.{}", version.0, version.1, version.2);
    if (version.0, version.1) < OLDEST_PYTHON {
        let (major, minor) = OLDEST_PYTHON;
        return Err(format!("{} is Python {text}; {major}.{minor} or later is needed", python.display()));
    }
    Ok(text)
}

fn ask(python: &Path, whole: bool) -> Result<Said, String> {
    let mut command: Vec<OsString> = vec![python.into(), "-I".into(), "-c".into(), PROBE.into()];
    command.extend(whole.then(|| "whole".into()));
    let said = exec::sandbox::output(&command)
        .map_err(|error| format!("{} cannot be run: {error}", python.display()))?;
    let line = String::from_utf8_lossy(&said.stdout);
    line.lines().last().and_then(|line| serde_json::from_str(line).ok()).ok_or_else(|| {
        let why = String::from_utf8_lossy(&said.stderr);
        let why = why.lines().last().map(str::trim).unwrap_or_default();
        format!("{} does not run as a Python does ({}): {why}", python.display(), said.status)
    })
}
