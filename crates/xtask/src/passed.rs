//! The test binaries that passed, and with what: one that would do the same again is not run again. Each has a file below
//! `target/passed` that holds a number for everything its tests can see.
//!
//! That is the binary; what its package keeps beside its sources; what is outside `crates/` and `viewer/`, but docs; for the program's
//! package every file of the repository, for its tests read docs, and the names of all tests (`tidy` holds the others to it); for
//! integration tests, which start programs, those; the test data, what is installed and the variables by which tests are told of both.

use crate::shell::{cargo, find, fingerprint, linting, output, program, root, target, test_data, tools};
use anyhow::{Context, Result};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// A binary with tests.
pub struct Binary {
    /// The name under which it is run: `ifc`, `app::it`.
    pub id: String,
    path: PathBuf,
    /// Its look when it was listed.
    look: Look,
    /// The number for all that its tests can see beside the binary.
    state: String,
}

impl Binary {
    /// True if it passed in this state. One that was linked anew and came out the same is the same.
    pub fn has_passed(&self) -> bool {
        let Ok(known) = fs::read_to_string(self.stamp()) else { return false };
        let mut known = known.split(' ');
        let mut is_next = |it: String| known.next() == Some(it.as_str());
        is_next(self.state.clone()) && (is_next(self.looks()) || self.content().is_ok_and(is_next))
    }

    /// Writes down that it passed, unless another was put in its place meanwhile.
    pub fn note(&self) -> Result<()> {
        let content = self.content()?;
        if look(&self.path) != self.look {
            return Ok(());
        }
        let stamp = self.stamp();
        fs::create_dir_all(stamp.parent().unwrap_or(&stamp))?;
        let text = format!("{} {} {content}", self.state, self.looks());
        fs::write(&stamp, text).with_context(|| stamp.display().to_string())
    }

    fn looks(&self) -> String {
        format!("{:016x}", number(&self.look))
    }

    fn content(&self) -> Result<String> {
        let bytes = fs::read(&self.path).with_context(|| self.path.display().to_string())?;
        Ok(format!("{:016x}", number(&bytes)))
    }

    fn stamp(&self) -> PathBuf {
        folder().join(self.id.replace(['/', ':'], "-"))
    }
}

fn folder() -> PathBuf {
    target().join("passed")
}

/// Forgets what passed.
pub fn forget() -> Result<()> {
    let folder = folder();
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| folder.display().to_string())?;
    }
    Ok(())
}

/// Makes a check of a program, unless it passed with the same program and the same content of files and folders.
pub fn unless_passed(
    name: &str,
    program: &Path,
    inputs: &[PathBuf],
    check: impl FnOnce() -> Result<()>,
) -> Result<()> {
    let state = format!("{:016x} {}", number(&look(program)), fingerprint(inputs)?);
    let stamp = folder().join(name);
    if fs::read_to_string(&stamp).is_ok_and(|known| known == state) {
        println!("  passed before and nothing it sees has changed");
        return Ok(());
    }
    check()?;
    fs::create_dir_all(folder())?;
    fs::write(&stamp, state).with_context(|| stamp.display().to_string())
}

/// Returns the binaries of the workspace's tests, in the order of their names.
pub fn binaries() -> Result<Vec<Binary>> {
    let mut list = cargo();
    list.args(["nextest", "list", "--workspace", "--list-type", "binaries-only", "--message-format", "json"]);
    let list: Value = serde_json::from_str(&output(linting(&mut list)?)?)?;
    let listed = list["rust-binaries"].as_object().context("nextest lists no binaries")?;
    let seen = Seen::now()?;
    let mut binaries = Vec::new();
    for (id, binary) in listed {
        let text = |name: &str| binary[name].as_str().with_context(|| format!("{id} has no {name}"));
        let package = text("package-id")?.split_once("file://").map_or("", |(_, path)| path);
        let package = package.split('#').next().unwrap_or(package);
        let folder = Path::new(package).strip_prefix(root()).unwrap_or(Path::new(package));
        let state = seen.by(folder, text("kind")? == "test");
        let path = PathBuf::from(text("binary-path")?);
        binaries.push(Binary { id: id.clone(), look: look(&path), path, state });
    }
    Ok(binaries)
}

/// Returns the expression that selects these binaries.
pub fn selecting(binaries: &[&Binary]) -> String {
    let each: Vec<String> = binaries.iter().map(|binary| format!("binary_id(={})", binary.id)).collect();
    each.join(" | ")
}

/// The file in which nextest writes how each binary did.
pub fn report() -> PathBuf {
    target().join("nextest/default/junit.xml")
}

/// Returns the names of the binaries of which a report says that they ran and nothing failed.
pub fn passed(report: &str) -> Vec<String> {
    let suites = report.lines().filter_map(|line| line.trim_start().strip_prefix("<testsuite "));
    let whole = suites.filter(|suite| {
        ["failures", "errors"].iter().all(|count| attribute(suite, count) == Some("0"))
            && attribute(suite, "tests").is_some_and(|tests| tests != "0")
    });
    whole.filter_map(|suite| attribute(suite, "name")).map(str::to_owned).collect()
}

/// Returns the tests of a report that took longest, with their seconds; at most so many.
pub fn slowest(report: &str, most: usize) -> Vec<(f64, String)> {
    let cases = report.lines().filter_map(|line| line.trim_start().strip_prefix("<testcase "));
    let mut times: Vec<(f64, String)> = cases
        .filter_map(|case| {
            let seconds = attribute(case, " time")?.parse().ok()?;
            Some((seconds, format!("{} {}", attribute(case, "classname")?, attribute(case, "name")?)))
        })
        .collect();
    times.sort_by(|a, b| b.0.total_cmp(&a.0));
    times.truncate(most);
    times
}

fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = tag.split_once(&format!("{name}=\""))?;
    rest.split('"').next()
}

/// Returns the folder in which the checks in Python note which of their files passed, and the number for what all of them see
/// (`tests/python/passed.py`).
pub fn of_python() -> Result<(PathBuf, String)> {
    let seen = Seen::now()?;
    let files: BTreeMap<_, _> = seen.files.iter().filter(|(path, _)| is_outside(path)).collect();
    Ok((folder().join("python"), format!("{:016x}", number(&(files, seen.outside)))))
}

/// All that tests can see beside themselves.
struct Seen {
    /// The files of the repository, by their paths in it, with a number for their content.
    files: BTreeMap<PathBuf, u64>,
    /// The programs that integration tests start.
    programs: u64,
    /// A number for the test data, the installed programs and the variables that name them.
    outside: u64,
}

impl Seen {
    fn now() -> Result<Self> {
        let listed = output(program("git").args(["ls-files", "-co", "--exclude-standard", "-z"]))?;
        let mut files = BTreeMap::new();
        for path in listed.split('\0').filter(|path| !path.is_empty()).map(PathBuf::from) {
            // what was deleted and is still known to git
            if let Ok(content) = fs::read(root().join(&path)) {
                files.insert(path, number(&content));
            }
        }
        let mut programs = vec![look(&target().join("debug/pensaer"))];
        programs.extend(inside(&target().join("debug/examples"), false));
        let mut outside: Vec<_> = test_data().map(|data| inside(&data, true)).unwrap_or_default();
        // those of the viewer's packages say nothing to tests in Rust
        outside.extend(inside(&tools(), false).into_iter().filter(|(path, ..)| !is_of_viewer(path)));
        outside.extend(
            ["nginx", "openssl", "pdftoppm"].into_iter().filter_map(find).map(|program| look(&program)),
        );
        outside.extend(postgresql());
        let mut told: Vec<_> = std::env::vars_os()
            .filter(|(name, _)| name == "CI" || name.to_string_lossy().starts_with("PENSAER_"))
            .collect();
        told.sort();
        Ok(Self { files, programs: number(&programs), outside: number(&(outside, told)) })
    }

    /// Returns the number for what the tests of a package see beside their binary.
    fn by(&self, folder: &Path, starts_programs: bool) -> String {
        let mut hasher = DefaultHasher::new();
        for (path, content) in &self.files {
            if reads(folder, path) {
                (path, content).hash(&mut hasher);
            }
        }
        if starts_programs {
            self.programs.hash(&mut hasher);
        }
        self.outside.hash(&mut hasher);
        format!("{:016x}", hasher.finish())
    }
}

/// The package whose tests read docs and the sources of all tests.
const PROGRAM: &str = "crates/app";

/// True if tests of the package in `folder` may read the file at `path`; both are relative to the repository.
fn reads(folder: &Path, path: &Path) -> bool {
    let is_source = path.extension().is_some_and(|it| it == "rs");
    folder == Path::new(PROGRAM) || (!is_source && (path.starts_with(folder) || is_outside(path)))
}

/// True of what is neither in a crate nor of the viewer or of packages, nor documentation.
fn is_outside(path: &Path) -> bool {
    let is_prose = path.extension().is_some_and(|it| it == "md");
    ["crates", "viewer", "packaging", "docs"].iter().all(|folder| !path.starts_with(folder)) && !is_prose
}

/// PostgreSQL's programs of every version, which Debian keeps out of the search path, or that of the search path.
fn postgresql() -> Vec<Look> {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let packaged = versions.map(|version| version.path().join("bin/postgres"));
    let mut found: Vec<Look> = packaged.chain(find("postgres")).map(|program| look(&program)).collect();
    found.sort();
    found
}

fn is_of_viewer(stamp: &Path) -> bool {
    stamp.file_name().is_some_and(|name| name.to_string_lossy().starts_with("ui"))
}

fn number(of: &(impl Hash + ?Sized)) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

/// A file's path with its size and the time at which it was written.
type Look = (PathBuf, u64, u128);

fn look(path: &Path) -> Look {
    let found = fs::metadata(path).ok();
    let written = found.as_ref().and_then(|found| found.modified().ok());
    let since =
        written.and_then(|time| time.duration_since(UNIX_EPOCH).ok()).map_or(0, |time| time.as_nanos());
    (path.to_path_buf(), found.map_or(0, |found| found.len()), since)
}

/// The files in a folder, with those in folders below it if `deep`.
fn inside(folder: &Path, deep: bool) -> Vec<Look> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if !path.is_dir() {
                found.push(look(&path));
            } else if deep {
                folders.push(path);
            }
        }
    }
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_tells_which_binaries_passed() {
        let report = r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="nextest-run" tests="4" failures="1" errors="0">
    <testsuite name="ifc" tests="2" disabled="0" errors="0" failures="0">
        <testcase name="reads" classname="ifc" timestamp="2026-01-01T00:00:00.000+00:00" time="0.250">
        </testcase>
        <testcase name="writes" classname="ifc" timestamp="2026-01-01T00:00:00.000+00:00" time="12.500">
        </testcase>
        <testcase name="a" classname="ifc" time="0.1"/>
    </testsuite>
    <testsuite name="app::it" tests="2" disabled="0" errors="0" failures="1">
    </testsuite>
    <testsuite name="web" tests="0" disabled="0" errors="0" failures="0">
    </testsuite>
</testsuites>"#;
        assert_eq!(passed(report), ["ifc"]);
        assert_eq!(slowest(report, 2), [(12.5, "ifc writes".to_owned()), (0.25, "ifc reads".to_owned())]);
    }

    #[test]
    fn tests_read_what_their_package_keeps_and_what_is_outside_crates() {
        let reads = |folder: &str, path: &str| super::reads(Path::new(folder), Path::new(path));
        assert!(reads("crates/ifc", "crates/ifc/fuzz/seeds/open/1.ifc"));
        assert!(!reads("crates/ifc", "crates/ifc-check/fuzz/seeds/express/1"));
        assert!(reads("crates/ifc", "samples/house.json"));
        assert!(!reads("crates/ifc", "docs/tools.md") && !reads("crates/ifc", "README.md"));
        assert!(!reads("crates/ifc", "crates/ifc/src/lib.rs") && !reads("crates/ifc", "viewer/src/main.ts"));
    }

    #[test]
    fn tests_of_the_program_read_docs_and_the_names_of_tests_anywhere() {
        for path in ["docs/tools.md", "crates/ifc/src/tests/files.rs", "backends/ifcopenshell/tests/a.py"] {
            assert!(reads(Path::new(PROGRAM), Path::new(path)), "{path}");
        }
    }

    #[test]
    fn what_tests_see_is_found_on_this_machine() {
        let seen = Seen::now().unwrap();
        for path in ["crates/xtask/src/passed.rs", "docs/development.md", "tests/python/requirements.txt"] {
            assert!(seen.files.contains_key(Path::new(path)), "{path}");
        }
        let state = |seen: &Seen, package: &str| seen.by(Path::new(package), false);
        let before = ["crates/ifc", PROGRAM].map(|package| state(&seen, package));
        let renamed = Path::new("crates/geometry/src/tests/cuts.rs").to_path_buf();
        let seen = Seen { files: seen.files.into_iter().chain([(renamed, 1)]).collect(), ..seen };
        assert_eq!(state(&seen, "crates/ifc"), before[0]);
        assert_ne!(state(&seen, PROGRAM), before[1]);
    }

    #[test]
    fn a_check_that_failed_is_made_again_and_one_that_passed_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let (program, input) = (folder.path().join("program"), folder.path().join("input"));
        fs::write(&program, "one").unwrap();
        fs::write(&input, "a").unwrap();
        let name = format!("xtask-of-this-test-{}", std::process::id());
        let made = std::cell::Cell::new(0);
        let check = |outcome: Result<()>| {
            unless_passed(&name, &program, std::slice::from_ref(&input), || {
                made.set(made.get() + 1);
                outcome
            })
        };
        check(Err(anyhow::anyhow!("wrong"))).unwrap_err();
        check(Ok(())).unwrap();
        check(Ok(())).unwrap();
        assert_eq!(made.get(), 2);
        fs::write(&input, "b").unwrap();
        check(Ok(())).unwrap();
        assert_eq!(made.get(), 3);
        fs::remove_file(super::folder().join(name)).unwrap();
    }

    #[test]
    fn a_binary_that_came_out_the_same_has_passed_and_another_has_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tests");
        let binary = |state: &str| Binary {
            id: "xtask::passed::of_this_test".to_owned(),
            path: path.clone(),
            look: look(&path),
            state: state.to_owned(),
        };
        fs::write(&path, "one").unwrap();
        assert!(!binary("a").has_passed());
        binary("a").note().unwrap();
        assert!(binary("a").has_passed() && !binary("b").has_passed());
        let later = std::time::SystemTime::now() + std::time::Duration::from_secs(60);
        fs::File::options().write(true).open(&path).unwrap().set_modified(later).unwrap();
        assert!(binary("a").has_passed(), "it was only linked anew");
        let tested = binary("a");
        fs::write(&path, "other").unwrap();
        assert!(!binary("a").has_passed());
        tested.note().unwrap();
        assert!(!binary("a").has_passed(), "another was built while it was tested");
        fs::remove_file(binary("a").stamp()).unwrap();
    }

    #[test]
    fn a_file_that_is_written_anew_looks_otherwise() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("deep")).unwrap();
        fs::write(folder.path().join("deep/a.ifc"), "1").unwrap();
        assert_eq!(inside(folder.path(), false), []);
        let before = inside(folder.path(), true);
        assert_eq!(before.len(), 1);
        fs::write(folder.path().join("deep/a.ifc"), "12").unwrap();
        assert_ne!(inside(folder.path(), true), before);
    }
}
