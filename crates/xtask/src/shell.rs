//! Starting other programs, and where things are. Everything is relative to the repository's root, which is two folders
//! above this crate; nothing depends on where the task was called from.

use anyhow::{Context, Result, bail};
use std::ffi::OsStr;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The repository's root.
pub fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().and_then(Path::parent).unwrap_or(manifest).to_path_buf()
}

/// The folder of what `setup` installs; not committed.
pub fn tools() -> PathBuf {
    root().join(".tools")
}

/// The folder with real models and public test suites, if this machine has it.
pub fn test_data() -> Option<PathBuf> {
    let folder = match std::env::var_os("PENSAER_TEST_DATA") {
        Some(folder) => PathBuf::from(folder),
        None => root().join("../shared/data"),
    };
    folder.is_dir().then_some(folder)
}

/// The Python that `setup` made, with IfcOpenShell.
pub fn python() -> PathBuf {
    tools().join("venv/bin/python")
}

/// The folder of cargo's output.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// The cargo that called this task, as if nobody had called it: what the outer cargo told this task of itself would be read by
/// build scripts that ask for such variables, and the same crates would be built once more for it.
pub fn cargo() -> Command {
    let mut command = program(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    for (name, _) in std::env::vars_os().filter(|(name, _)| is_of_outer_cargo(&name.to_string_lossy())) {
        command.env_remove(name);
    }
    // where cargo and rustup let programs look for libraries; the rest is the caller's
    if let Some(paths) = std::env::var_os("LD_LIBRARY_PATH") {
        let theirs: Vec<PathBuf> = std::env::split_paths(&paths).filter(|path| !is_of_build(path)).collect();
        match std::env::join_paths(&theirs) {
            Ok(joined) if !joined.is_empty() => command.env("LD_LIBRARY_PATH", joined),
            _ => command.env_remove("LD_LIBRARY_PATH"),
        };
    }
    // what is built there is not built again, and what would be kept for that is gigabytes
    if std::env::var_os("CI").is_some() && std::env::var_os("CARGO_INCREMENTAL").is_none() {
        command.env("CARGO_INCREMENTAL", "0");
    }
    command
}

/// Lets clippy compile the workspace's own crates, as `cargo clippy` lets it check them, with every warning an error: one pass lints
/// and makes what the tests run. Whatever runs on that build must be asked for in the same way, or it is built again.
pub fn linting(command: &mut Command) -> Result<&mut Command> {
    let sysroot = output(program("rustc").args(["--print", "sysroot"]))?;
    let driver = Path::new(sysroot.trim()).join("bin/clippy-driver");
    if !driver.is_file() {
        bail!("there is no clippy: `rustup component add clippy` installs it");
    }
    Ok(command.env("RUSTC_WORKSPACE_WRAPPER", driver).env("CLIPPY_ARGS", "-Dwarnings"))
}

/// True for variables that cargo and rustup set for what they start. Those by which people configure them stay, such as `CARGO_HOME`,
/// `CARGO_TARGET_DIR`, `CARGO_BUILD_JOBS`, `CARGO_TERM_COLOR`, `CARGO_REGISTRIES_…`, `RUSTFLAGS`, `RUSTUP_TOOLCHAIN`.
fn is_of_outer_cargo(name: &str) -> bool {
    let families = ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_"];
    let single = [
        "CARGO",
        "CARGO_CRATE_NAME",
        "CARGO_MAKEFLAGS",
        "CARGO_PRIMARY_PACKAGE",
        "CARGO_TARGET_TMPDIR",
        "OUT_DIR",
        "RUST_RECURSION_COUNT",
    ];
    families.iter().any(|family| name.starts_with(family)) || single.contains(&name)
}

/// True for folders of this build's output and of the compiler's own libraries.
fn is_of_build(folder: &Path) -> bool {
    folder.starts_with(target()) || folder.components().any(|part| part.as_os_str() == "toolchains")
}

/// The example of a crate, which is named as the crate: what the tasks ask of the crates themselves. The build of the tests makes all of
/// them.
pub fn example(name: &str) -> Command {
    program(target().join("debug/examples").join(name))
}

/// Builds examples for `example`.
pub fn build_examples(names: &[&str]) -> Result<()> {
    let named = names.iter().flat_map(|name| ["--example", name]);
    sh(cargo().args(["build", "--workspace", "--quiet"]).args(named))
}

/// A command that runs in the repository's root.
pub fn program(name: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(name);
    command.current_dir(root());
    command
}

/// True if a program is on the search path.
pub fn is_installed(name: &str) -> bool {
    find(name).is_some()
}

/// Returns the path of a program on the search path.
pub fn find(name: &str) -> Option<PathBuf> {
    which::which(name).ok()
}

/// Runs a command to its end with its output shown; an error if it fails.
pub fn sh(command: &mut Command) -> Result<()> {
    println!("  $ {}", describe(command));
    let status = command.status().with_context(|| format!("cannot start {}", describe(command)))?;
    if !status.success() {
        bail!("{} ended with {status}", describe(command));
    }
    Ok(())
}

/// Runs a command to its end and returns what it printed; an error, with what it said, if it fails.
pub fn output(command: &mut Command) -> Result<String> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot start {}", describe(command)))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("{} ended with {}:\n{text}{said}", describe(command), output.status);
    }
    Ok(text)
}

fn describe(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let line = words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
    line.replace(&format!("{}/", root().display()), "")
}

/// Does `work` unless it was done with the same inputs before; `inputs` are files and folders whose content counts.
pub fn once(
    stamp: &str,
    inputs: &[PathBuf],
    outcome: &Path,
    work: impl FnOnce() -> Result<()>,
) -> Result<bool> {
    let stamp = tools().join(format!("{stamp}.stamp"));
    let state = fingerprint(inputs)?;
    if outcome.exists() && fs::read_to_string(&stamp).is_ok_and(|known| known == state) {
        return Ok(false);
    }
    work()?;
    fs::create_dir_all(tools())?;
    fs::write(&stamp, state)?;
    Ok(true)
}

/// A number for the names and contents of files and folders.
pub fn fingerprint(inputs: &[PathBuf]) -> Result<String> {
    let mut hasher = DefaultHasher::new();
    let mut rest: Vec<PathBuf> = inputs.to_vec();
    while let Some(path) = rest.pop() {
        path.hash(&mut hasher);
        if path.is_dir() {
            let mut inside =
                fs::read_dir(&path)?.map(|entry| entry.map(|e| e.path())).collect::<Result<Vec<_>, _>>()?;
            let is_made =
                |name: &OsStr| ["node_modules", "dist", "dist-chat"].iter().any(|made| name == *made);
            inside.retain(|p| !p.file_name().is_some_and(is_made));
            inside.sort();
            rest.extend(inside);
        } else if path.is_file() {
            fs::read(&path)?.hash(&mut hasher);
        }
    }
    Ok(format!("{:016x}", hasher.finish()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_outer_cargo_says_of_itself_goes_and_what_people_set_stays() {
        for name in ["CARGO", "CARGO_PKG_NAME", "CARGO_MANIFEST_DIR", "CARGO_PRIMARY_PACKAGE", "OUT_DIR"] {
            assert!(is_of_outer_cargo(name), "{name}");
        }
        for name in ["CARGO_HOME", "CARGO_TARGET_DIR", "CARGO_TERM_COLOR", "CARGO_NET_OFFLINE", "RUSTFLAGS"] {
            assert!(!is_of_outer_cargo(name), "{name}");
        }
    }

    #[test]
    fn a_fingerprint_changes_with_a_file_in_a_folder_and_not_with_what_is_built_from_it() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("src")).unwrap();
        fs::write(folder.path().join("src/a.ts"), "1").unwrap();
        let inputs = [folder.path().to_path_buf()];
        let first = fingerprint(&inputs).unwrap();
        fs::create_dir(folder.path().join("dist")).unwrap();
        fs::write(folder.path().join("dist/a.js"), "1").unwrap();
        assert_eq!(fingerprint(&inputs).unwrap(), first);
        fs::write(folder.path().join("src/a.ts"), "2").unwrap();
        assert_ne!(fingerprint(&inputs).unwrap(), first);
    }
}
