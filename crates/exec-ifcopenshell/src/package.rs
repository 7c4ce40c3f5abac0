//! The Python package of this back end, carried in the program, so that nothing of ours has to be installed beside it; and what
//! it needs of others.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The folder's name, which is the package's.
const NAME: &str = "pensaer_ifcopenshell";

/// The requirement that pip is to install: the version that was tested.
pub const REQUIREMENT: &str = "ifcopenshell==0.9.0.post1";

/// The oldest Python that it runs on.
pub const OLDEST_PYTHON: (u32, u32) = (3, 10);

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../backends/ifcopenshell/pensaer_ifcopenshell/", $name)))),*]
    };
}

const FILES: &[(&str, &str)] = files![
    "__init__.py",
    "__main__.py",
    "adapter.py",
    "author.py",
    "base.py",
    "bodies.py",
    "changes.py",
    "climbs.py",
    "confine.py",
    "deletion.py",
    "difference.py",
    "documentation.py",
    "element.py",
    "fault.py",
    "filling_types.py",
    "fillings.py",
    "guids.py",
    "helping.py",
    "lookup.py",
    "modification.py",
    "openings.py",
    "outlines.py",
    "pages.py",
    "parameters.py",
    "project.py",
    "properties.py",
    "querying.py",
    "script.py",
    "slabs.py",
    "spaces.py",
    "walls.py",
    "zygote.py",
];

/// The program of the package that writes what IfcOpenShell says of its own functions, as an index of documentation.
pub fn documentation(package: &Path) -> PathBuf {
    package.join(NAME).join("documentation.py")
}

/// Puts the package into a folder of its own under `folder`, named by its content, and answers that. What is there already is
/// not written again.
pub fn unpack(folder: &Path) -> io::Result<PathBuf> {
    let content: Vec<u8> =
        FILES.iter().flat_map(|(name, text)| [name.as_bytes(), text.as_bytes()].concat()).collect();
    let digest = contract::sha256_hex(&content);
    let to = folder.join(format!("program-{}", digest.get(..16).unwrap_or(&digest)));
    if to.is_dir() {
        return Ok(to);
    }
    let partial = folder.join(format!("program-partial-{}", std::process::id()));
    let package = partial.join(NAME);
    fs::create_dir_all(&package)?;
    for (name, text) in FILES {
        fs::write(package.join(name), text)?;
    }
    match fs::rename(&partial, &to) {
        // somebody else was quicker
        Err(_) if to.is_dir() => fs::remove_dir_all(&partial)?,
        other => other?,
    }
    Ok(to)
}

/// The command by which a Python serves: without its user's settings and packages, and with ours from this folder.
pub fn command(python: &Path, unpacked: &Path) -> Vec<OsString> {
    let start =
        format!("import sys; sys.path.insert(0, sys.argv[1]); from {NAME}.__main__ import main; main()");
    vec![python.into(), "-I".into(), "-B".into(), "-c".into(), start.into(), unpacked.into()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_package_is_carried() {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../backends/ifcopenshell").join(NAME);
        let mut there: Vec<String> = fs::read_dir(source)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .filter(|name| name != "__pycache__")
            .collect();
        there.sort();
        let mut carried: Vec<&str> = FILES.iter().map(|(name, _)| *name).collect();
        carried.sort_unstable();
        assert_eq!(there, carried);
    }

    #[test]
    fn it_is_unpacked_once() {
        let folder = tempfile::tempdir().unwrap();
        let to = unpack(folder.path()).unwrap();
        assert!(to.join(NAME).join("zygote.py").is_file());
        assert_eq!(unpack(folder.path()).unwrap(), to);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
