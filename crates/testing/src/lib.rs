//! Files and programs that tests need and that are no part of the repository: real models and published schemas, and what
//! `cargo xtask setup` installs.
//!
//! A test asks here for what it needs. Where that is missing it is told `None`, after a line on standard error that says so, and
//! ends; where the environment says that nothing may be left out (see [`REQUIRE`]) it fails here, with a word on what to install.
//! Nothing is downloaded, and no test is to look for such things by itself.

pub mod seeds;

use std::path::{Path, PathBuf};

/// The environment variables that make a test fail that lacks something; `0`, `false` and no text are as if unset. CI sets the
/// first, `cargo xtask test` the second.
pub const REQUIRE: [&str; 2] = ["CI", "PENSAER_REQUIRE_ALL"];

/// A file or folder of the test data, by its path in there: `models/Duplex_A_20110907.ifc`, `schemas`. The data is in the folder that
/// `PENSAER_TEST_DATA` names, otherwise in `../shared/data` beside the repository.
pub fn data(path: &str) -> Option<PathBuf> {
    let folder = named("PENSAER_TEST_DATA").unwrap_or_else(|| root().join("../shared/data"));
    existing(folder.join(path), "set PENSAER_TEST_DATA to the folder of test data")
}

/// A real IFC model of the test data, by the name of its file.
pub fn model(name: &str) -> Option<PathBuf> {
    data(&format!("models/{name}"))
}

/// The folder of EnergyPlus 25.2: its program, its schema and weather files.
pub fn energyplus() -> Option<PathBuf> {
    installed("PENSAER_TEST_ENERGYPLUS", "energyplus")
}

/// The folder of IDF models that come with EnergyPlus 25.2.
pub fn prototypes() -> Option<PathBuf> {
    installed("PENSAER_TEST_PROTOTYPES", "prototypes")
}

/// The folder of the published schemas of every version of EnergyPlus, as `V9-6-0/Energy+.schema.epJSON.gz`.
pub fn energyplus_schemas() -> Option<PathBuf> {
    installed("PENSAER_TEST_SCHEMAS", "schemas")
}

/// The folder of the model that makes vectors of texts: `model.onnx` and `tokenizer.json`.
pub fn embeddings() -> Option<PathBuf> {
    installed("PENSAER_TEST_EMBEDDINGS", "embeddings")
}

/// The Python environment that has OpenStudio.
pub fn openstudio() -> Option<PathBuf> {
    installed("PENSAER_TEST_OPENSTUDIO", "openstudio")
}

/// A Python with IfcOpenShell.
pub fn ifcopenshell() -> Option<PathBuf> {
    installed("PENSAER_PYTHON", "venv/bin/python")
}

/// The program `s3s-fs`, a server that speaks S3.
pub fn bucket_server() -> Option<PathBuf> {
    installed("PENSAER_TEST_S3", "s3s/bin/s3s-fs")
}

/// The folder of PostgreSQL's programs `initdb`, `postgres` and `psql`: the newest that Debian's packages installed, which keep them
/// out of `PATH`, or one of `PATH`.
pub fn postgresql() -> Option<PathBuf> {
    let version = |folder: &PathBuf| {
        let name = folder.parent().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
        name.and_then(|name| name.parse::<u32>().ok()).unwrap_or(0)
    };
    let mut packaged: Vec<PathBuf> = std::fs::read_dir("/usr/lib/postgresql")
        .map(|entries| entries.flatten().map(|entry| entry.path().join("bin")).collect())
        .unwrap_or_default();
    packaged.sort_by_key(version);
    let has_all =
        |folder: &PathBuf| ["initdb", "postgres", "psql"].iter().all(|name| folder.join(name).is_file());
    packaged.into_iter().rev().chain(search_path()).find(has_all).or_else(|| missing("PostgreSQL", SETUP))
}

/// The proxy nginx: of `PATH`, of where Debian puts it, or of the set-up.
pub fn proxy() -> Option<PathBuf> {
    let places = search_path().into_iter().chain([PathBuf::from("/usr/sbin")]);
    let known = places.map(|folder| folder.join("nginx")).find(|path| path.is_file());
    known.or_else(|| existing(root().join(".tools/nginx/usr/sbin/nginx"), SETUP))
}

/// Says on standard error that a test is passed over because of what only the system can give, which is never required.
pub fn passed_over(what: &str) {
    skip(None, what, "it is the system's to give");
}

/// A program of `PATH`, by its name.
pub fn program(name: &str) -> Option<PathBuf> {
    search_path()
        .into_iter()
        .map(|folder| folder.join(name))
        .find(|path| path.is_file())
        .or_else(|| missing(name, SETUP))
}

/// `None`, after a word on standard error that the test skips.
///
/// # Panics
///
/// Where [`REQUIRE`] says that nothing may be missing, with what to do about it.
pub fn missing<T>(what: &str, remedy: &str) -> Option<T> {
    let required = REQUIRE.into_iter().find(|name| is_set(std::env::var(name).ok().as_deref()));
    skip(required, what, remedy);
    None
}

const SETUP: &str = "`cargo xtask setup` installs it";

fn skip(required: Option<&str>, what: &str, remedy: &str) {
    assert!(required.is_none(), "{what} is missing, and {} is set: {remedy}", required.unwrap_or_default());
    eprintln!("skipped: {what} is missing; {remedy}");
}

fn is_set(value: Option<&str>) -> bool {
    value.is_some_and(|value| !["", "0", "false"].contains(&value))
}

/// Returns the path that the variable names, otherwise the one that the set-up keeps under this name.
fn installed(variable: &str, name: &str) -> Option<PathBuf> {
    let path = named(variable).unwrap_or_else(|| root().join(".tools").join(name));
    existing(path, &format!("{SETUP}, or set {variable}"))
}

fn existing(path: PathBuf, remedy: &str) -> Option<PathBuf> {
    if path.exists() { Some(path) } else { missing(&path.display().to_string(), remedy) }
}

fn named(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).map(PathBuf::from)
}

fn root() -> PathBuf {
    // without `..` in it, since some programs write down the paths that they are given
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_path_buf()
}

fn search_path() -> Vec<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_that_lacks_something_skips_where_it_may() {
        skip(None, "the model", "copy it");
    }

    #[test]
    #[should_panic(expected = "the model is missing, and CI is set: copy it")]
    fn a_test_that_lacks_something_fails_where_all_is_required() {
        skip(Some("CI"), "the model", "copy it");
    }

    #[test]
    fn only_a_value_that_says_yes_requires() {
        assert!(is_set(Some("true")) && is_set(Some("1")));
        assert!(!is_set(None) && !is_set(Some("")) && !is_set(Some("0")) && !is_set(Some("false")));
    }

    #[test]
    fn what_is_there_is_found() {
        assert!(root().join("crates/testing").is_dir());
        assert_eq!(existing(root(), "nothing"), Some(root()));
        assert!(program("sh").is_some_and(|path| path.ends_with("sh")));
    }
}
