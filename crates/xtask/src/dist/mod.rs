//! Packages for those who do not build the program: an archive, a Python wheel, npm packages, an MCP bundle, a Debian package with a
//! file for containers, bills of materials, and the checksums of all. One build serves them. Sources stand in `packaging/`; how each
//! is made stands in the file of its name.
//!
//! Packages are made on Linux, for the machine that the program was built for. Nothing is signed or sent anywhere.

mod archive;
mod bundle;
mod container;
mod debian;
mod licences;
mod materials;
mod npm;
mod program;
mod wheel;

use crate::plan::{self, Outcome, Step};
use crate::shell::{output, program as command, root, target};
use crate::{setup, ui};
use anyhow::{Context, Result, bail};
use parking_lot::Mutex;
use program::Program;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Options of the packages.
#[derive(clap::Args, Default)]
pub struct Arguments {
    /// Pack this program instead of building one.
    #[arg(long, value_name = "PATH")]
    pub binary: Option<PathBuf>,
    /// The folder for the packages; `target/packages` by default. Packages that are there are replaced.
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// Compress little, where a package lets one choose: for checks.
    #[arg(long)]
    pub fast: bool,
}

/// One set of packages.
struct Release {
    program: Program,
    /// The folder in which packages are made.
    out: PathBuf,
    /// A folder for what they are made from.
    work: PathBuf,
    /// The time that files in packages bear, in seconds since 1970.
    time: u64,
    /// True if it is made for checks.
    is_fast: bool,
}

impl Release {
    /// An empty folder for the parts of a package.
    fn folder(&self, name: &str) -> Result<PathBuf> {
        let folder = self.work.join(name);
        remove(&folder)?;
        fs::create_dir_all(&folder)?;
        Ok(folder)
    }

    /// A command with the variable by which many programs are told the time that files are to bear.
    fn command(&self, name: impl AsRef<std::ffi::OsStr>) -> std::process::Command {
        let mut command = command(name);
        command.env("SOURCE_DATE_EPOCH", self.time.to_string());
        command
    }

    /// The file with the licences of what the program is made of.
    fn licences(&self) -> PathBuf {
        self.work.join("THIRD-PARTY.txt")
    }
}

/// Makes packages of one kind, and returns their files.
type Make = fn(&Release) -> Result<Vec<PathBuf>>;

/// The kinds of packages. What takes longest begins first; what others hold stands before them.
const KINDS: [Step<Make>; 8] = [
    Step { name: "licences", needs: &[], work: licences::make },
    Step { name: "materials", needs: &[], work: materials::make },
    Step { name: "bundle", needs: &["licences"], work: bundle::make },
    Step { name: "npm", needs: &["licences"], work: npm::make },
    Step { name: "wheel", needs: &["licences"], work: wheel::make },
    Step { name: "debian", needs: &["licences", "materials"], work: debian::make },
    Step { name: "archive", needs: &["licences", "materials"], work: archive::make },
    Step { name: "container", needs: &["debian"], work: container::make },
];

/// Makes all packages and lists them.
pub fn run(arguments: &Arguments) -> Result<()> {
    if cfg!(not(target_os = "linux")) {
        bail!(
            "packages are made on Linux only; elsewhere `cargo build --profile dist -p app` builds the program"
        );
    }
    setup::packagers()?;
    // its packages' licences go along
    ui::install()?;
    let out = arguments.out.clone().unwrap_or_else(|| target().join("packages"));
    let out = std::path::absolute(&out)?;
    replaceable(&out)?;
    let work = target().join("packaging");
    remove(&work)?;
    let made = work.join("made");
    fs::create_dir_all(&made)?;
    let program = match &arguments.binary {
        Some(path) => Program::take(path, &work)?,
        None => Program::build(&work)?,
    };
    let release = Release { program, out: made, work, time: time()?, is_fast: arguments.fast };
    let table = table(&release, &make_all(&release)?);
    sums(&release.out)?;
    publish(&release.out, &out)?;
    println!("\n{table}\nin {}", out.display());
    remove(&release.work)
}

/// The files of a kind, and how long it took.
type Made = Vec<(&'static str, Vec<PathBuf>, Duration)>;

/// Makes the packages of all kinds, as many at a time as there are processors.
fn make_all(release: &Release) -> Result<Made> {
    let files: Mutex<BTreeMap<&str, (Vec<PathBuf>, Duration)>> = Mutex::default();
    let perform = |step: &Step<Make>| {
        let begun = Instant::now();
        match (step.work)(release) {
            Ok(made) => {
                files.lock().insert(step.name, (made, begun.elapsed()));
                true
            }
            Err(error) => {
                println!("FAILED {}: {error:#}", step.name);
                false
            }
        }
    };
    let places = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
    let rows = plan::run(&KINDS.iter().collect::<Vec<_>>(), places, &perform);
    let failed: Vec<&str> =
        rows.iter().filter(|row| row.outcome != Outcome::Passed).map(|row| row.name).collect();
    if !failed.is_empty() {
        bail!("not made: {}", failed.join(", "));
    }
    let mut files = files.into_inner();
    Ok(KINDS
        .iter()
        .filter_map(|kind| files.remove(kind.name).map(|(made, took)| (kind.name, made, took)))
        .collect())
}

/// The packages in a folder, which its list of checksums names, and that list. Refuses a folder that holds anything else.
fn replaceable(out: &Path) -> Result<Vec<PathBuf>> {
    let listed = fs::read_to_string(out.join(SUMS)).unwrap_or_default();
    let mut names: Vec<&str> =
        listed.lines().filter_map(|line| line.split_once("  ")).map(|(_, name)| name).collect();
    names.push(SUMS);
    let mut files = Vec::new();
    for entry in fs::read_dir(out).into_iter().flatten() {
        let entry = entry?;
        if !names.iter().any(|name| entry.file_name() == *name) {
            bail!("{} is there and is none of the packages; name an empty folder", entry.path().display());
        }
        files.push(entry.path());
    }
    Ok(files)
}

/// Puts packages that are complete into the place of those that were made before.
fn publish(made: &Path, out: &Path) -> Result<()> {
    for old in replaceable(out)? {
        fs::remove_file(&old).with_context(|| old.display().to_string())?;
    }
    fs::create_dir_all(out).with_context(|| out.display().to_string())?;
    for entry in fs::read_dir(made)? {
        let (from, to) = (entry?.path(), out);
        let to = to.join(from.file_name().unwrap_or_default());
        // another file system takes a copy
        fs::rename(&from, &to)
            .or_else(|_| fs::copy(&from, &to).map(drop))
            .with_context(|| to.display().to_string())?;
    }
    Ok(())
}

/// The name of the list of checksums.
const SUMS: &str = "SHA256SUMS";

/// Writes the list of checksums, as `sha256sum --check` reads it.
fn sums(out: &Path) -> Result<()> {
    let mut names: Vec<_> = fs::read_dir(out)?.flatten().map(|entry| entry.file_name()).collect();
    names.sort();
    let text = output(command("sha256sum").args(&names).current_dir(out))?;
    fs::write(out.join(SUMS), text).context(SUMS)
}

/// The time that files in packages bear: `SOURCE_DATE_EPOCH`, else that of the last commit.
fn time() -> Result<u64> {
    let text = match std::env::var("SOURCE_DATE_EPOCH") {
        Ok(text) => text,
        Err(_) => output(command("git").args(["log", "-1", "--format=%ct"]))
            .context("without git, set SOURCE_DATE_EPOCH to the time that files are to bear")?,
    };
    text.trim().parse().with_context(|| format!("{} is no time in seconds", text.trim()))
}

/// Every file with its size, and how long its kind took.
fn table(release: &Release, made: &Made) -> String {
    let Program { version, glibc, machine, .. } = &release.program;
    let mut lines = vec![
        format!("Pensaer {version} for {}, glibc {glibc} or later", machine.name),
        format!("{:<48} {:>9} {:>8}", "file", "MB", "seconds"),
    ];
    let size = |path: &Path| fs::metadata(path).map_or(0, |found| found.len()) as f64 / 1e6;
    lines.push(format!("{:<48} {:>9.2}", "(the program)", size(&release.program.path)));
    for (kind, files, took) in made {
        let took = took.as_secs_f64();
        if files.is_empty() {
            lines.push(format!("{:<48} {:>9} {took:>8.1}", format!("({kind})"), ""));
        }
        for file in files {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            lines.push(format!("{name:<48} {:>9.2} {took:>8.1}", size(file)));
        }
    }
    lines.join("\n")
}

/// Removes a folder, if it is there.
fn remove(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    Ok(())
}

/// Copies a file, makes the folders above it, and gives it its permissions.
fn put(from: &Path, to: &Path, mode: u32) -> Result<()> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::copy(from, to).with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))?;
    permit(to, mode)
}

/// Writes a file, makes the folders above it, and gives it its permissions.
fn write(to: &Path, text: impl AsRef<[u8]>, mode: u32) -> Result<()> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(to, text).with_context(|| to.display().to_string())?;
    permit(to, mode)
}

#[cfg(unix)]
fn permit(path: &Path, mode: u32) -> Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).with_context(|| path.display().to_string())
}

#[cfg(not(unix))]
fn permit(_: &Path, _: u32) -> Result<()> {
    Ok(())
}

/// The file of `packaging/` with this path.
fn source(path: &str) -> PathBuf {
    root().join("packaging").join(path)
}

/// Reads a text of `packaging/`.
fn text(path: &str) -> Result<String> {
    fs::read_to_string(source(path)).with_context(|| format!("packaging/{path}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_packages_are_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let (made, out) = (folder.path().join("made"), folder.path().join("out"));
        let make = |name: &str| {
            fs::create_dir_all(&made).unwrap();
            fs::write(made.join(name), name).unwrap();
            sums(&made).unwrap();
            publish(&made, &out)
        };
        let names = || {
            let mut names: Vec<_> = fs::read_dir(&out)
                .unwrap()
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .collect();
            names.sort();
            names
        };
        make("a.tar.gz").unwrap();
        make("b.tar.gz").unwrap();
        assert_eq!(names(), [SUMS, "b.tar.gz"]);
        fs::write(out.join("thesis.odt"), "years").unwrap();
        assert!(make("c.tar.gz").unwrap_err().to_string().contains("thesis.odt"));
        assert_eq!(names(), [SUMS, "b.tar.gz", "thesis.odt"]);
    }

    #[test]
    fn every_kind_needs_only_kinds_that_stand_before_it() {
        for (at, kind) in KINDS.iter().enumerate() {
            for need in kind.needs {
                assert!(KINDS[..at].iter().any(|earlier| earlier.name == *need), "{} {need}", kind.name);
            }
        }
    }
}
