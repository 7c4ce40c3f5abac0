//! Everything that is checked before a change lands, side by side as far as one step does not need what another makes. `ci` is the
//! same.
//!
//! One build serves all steps: it lints, and the tests, the evaluation and the foreign clients use the `pensaer` that it made.

use crate::plan::{self, Outcome, Row, Step};
use crate::shell::{cargo, is_installed, output, program, python, root, sh, target};
use crate::{clients, codegen, dist, format, passed, setup, shell, tidy, ui, viewing};
use anyhow::{Context, Result, bail};
use std::fs::{self, File};
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The steps to run.
#[derive(clap::Args)]
pub struct Arguments {
    /// Only the steps whose names contain one of these words.
    only: Vec<String>,
    /// List the steps with what each needs, and end.
    #[arg(long)]
    list: bool,
    /// Also run test binaries that passed as they are now.
    #[arg(long)]
    all: bool,
    /// Do this step in this process.
    #[arg(long, hide = true)]
    step: Option<String>,
}

type Work = fn() -> Result<()>;

/// Earlier steps begin earlier where several could. What is needed by most stands first.
const STEPS: [Step<Work>; 14] = [
    Step { name: "clippy-build", needs: &[], work: clippy_build },
    Step { name: "setup", needs: &[], work: setup::run },
    Step { name: "viewer", needs: &["setup"], work: viewer },
    Step { name: "format", needs: &[], work: || format::run(true) },
    Step { name: "tidy", needs: &[], work: tidy::run },
    Step { name: "rust-tests", needs: &["clippy-build", "setup", "viewer"], work: rust_tests },
    Step { name: "generated", needs: &["clippy-build", "setup"], work: || codegen::run_built(true) },
    Step { name: "evaluation", needs: &["clippy-build", "setup"], work: evaluation },
    Step { name: "python-checks", needs: &["evaluation", "viewer"], work: python_checks },
    Step { name: "packages", needs: &["clippy-build", "setup", "viewer"], work: packages },
    Step { name: "inspector", needs: &["clippy-build", "setup"], work: clients::inspector },
    Step { name: "conformance", needs: &["clippy-build", "setup"], work: clients::conformance },
    Step { name: "page", needs: &["clippy-build", "setup", "viewer"], work: clients::page },
    Step { name: "viewing", needs: &["clippy-build", "setup", "viewer"], work: viewing::checks },
];

/// Runs the steps and says how each ended and how long it took.
pub fn run(arguments: &Arguments) -> Result<()> {
    if arguments.list {
        for step in &STEPS {
            println!("{:<16} {}", step.name, step.needs.join(", "));
        }
        return Ok(());
    }
    if let Some(name) = &arguments.step {
        let step = STEPS.iter().find(|step| step.name == name).context("no step of that name")?;
        return (step.work)();
    }
    if arguments.all {
        passed::forget()?;
    }
    let is_wanted = |name: &str| {
        arguments.only.is_empty() || arguments.only.iter().any(|word| name.contains(word.as_str()))
    };
    let steps: Vec<&Step<Work>> = STEPS.iter().filter(|step| is_wanted(step.name)).collect();
    if steps.is_empty() {
        bail!("no step of that name; `cargo xtask test --list` lists them");
    }
    let begun = Instant::now();
    let rows = if let [step] = steps[..] {
        vec![alone(step)]
    } else {
        plan::run(&steps, cores().max(2), &|step| captured(step).unwrap_or_else(|error| told(step, &error)))
    };
    table(&rows, begun.elapsed());
    let failed: Vec<&str> =
        rows.iter().filter(|row| row.outcome != Outcome::Passed).map(|row| row.name).collect();
    println!("\nsteps: {} passed, {} failed or not run", rows.len() - failed.len(), failed.len());
    if !failed.is_empty() {
        bail!("failed: {}", failed.join(", "));
    }
    Ok(())
}

/// Does one step in this process, where its output is seen as it comes.
fn alone(step: &Step<Work>) -> Row {
    let begun = Instant::now();
    let outcome = match (step.work)() {
        Ok(()) => Outcome::Passed,
        Err(error) => {
            told(step, &error);
            Outcome::Failed
        }
    };
    Row { name: step.name, time: begun.elapsed(), outcome }
}

fn told(step: &Step<Work>, error: &anyhow::Error) -> bool {
    println!("FAILED {}: {error:#}", step.name);
    false
}

/// Does one step in a process of its own and prints what it said, whole, when it has ended; true if it succeeded.
fn captured(step: &Step<Work>) -> Result<bool> {
    let folder = target().join("steps");
    fs::create_dir_all(&folder)?;
    let path = folder.join(format!("{}.log", step.name));
    let log = File::create(&path).with_context(|| path.display().to_string())?;
    let begun = Instant::now();
    // this program, also when the build has put another in its place meanwhile
    let status = Command::new("/proc/self/exe")
        .args(["test", "--step", step.name])
        .stdin(Stdio::null())
        .stdout(log.try_clone()?)
        .stderr(log)
        .status()
        .context("cannot start a step")?;
    let said = fs::read(&path)?;
    let outcome = if status.success() { "ok" } else { "FAILED" };
    let mut out = std::io::stdout().lock();
    writeln!(out, "\n== {}: {outcome} after {:.1} s", step.name, begun.elapsed().as_secs_f64())?;
    out.write_all(&said)?;
    out.flush()?;
    Ok(status.success())
}

fn table(rows: &[Row], whole: Duration) {
    println!("\n{:<16} {:>8}  outcome", "step", "seconds");
    for row in rows {
        let outcome = match row.outcome {
            Outcome::Passed => "ok",
            Outcome::Failed => "FAILED",
            Outcome::NotRun => "not run",
        };
        println!("{:<16} {:>8.1}  {outcome}", row.name, row.time.as_secs_f64());
    }
    println!("{:<16} {:>8.1}", "whole", whole.as_secs_f64());
}

/// The `pensaer` that the tests use, built by the `build` step.
pub fn binary() -> PathBuf {
    target().join("debug/pensaer")
}

/// The folder in which the evaluation leaves its models for the checks in Python.
pub fn evaluated() -> PathBuf {
    target().join("evals")
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(2, std::num::NonZero::get)
}

fn viewer() -> Result<()> {
    if !ui::exists() {
        bail!("viewer/ is missing");
    }
    ui::build()?;
    ui::test()
}

/// Lints and builds all that the tests are built of; a warning is an error.
///
/// All targets at once: what only tests depend on has features that the others are then built with, too, and a build without them
/// would compile most of the tree a second time.
fn clippy_build() -> Result<()> {
    ui::make_folders()?;
    sh(shell::linting(cargo().args(["build", "--workspace", "--all-targets", "--quiet", "--keep-going"]))?)
}

fn rust_tests() -> Result<()> {
    if !is_installed("cargo-nextest") {
        println!("  cargo-nextest is not installed; `cargo test` runs the same tests");
        let mut command = cargo();
        command.args(["test", "--workspace", "--no-fail-fast", "--quiet"]);
        return sh(shell::linting(command.env(REQUIRE_ALL, "1"))?);
    }
    let binaries = passed::binaries()?;
    let (known, wanted): (Vec<_>, Vec<_>) = binaries.iter().partition(|binary| binary.has_passed());
    if !known.is_empty() {
        let names: Vec<&str> = known.iter().map(|binary| binary.id.as_str()).collect();
        println!(
            "  passed before and nothing they see has changed (`--all` runs them, too): {}",
            names.join(", ")
        );
    }
    if wanted.is_empty() {
        return Ok(());
    }
    // of an earlier run, which says nothing about this one
    let report = passed::report();
    if report.exists() {
        fs::remove_file(&report)?;
    }
    let mut command = cargo();
    command.args(["nextest", "run", "--workspace", "--no-fail-fast"]);
    command.args(["--status-level", "fail", "--hide-progress-bar"]);
    // many wait for programs that they started
    let threads = cores() * 3 / 2;
    command.args(["--test-threads", &threads.to_string(), "-E", &passed::selecting(&wanted)]);
    let outcome = sh(shell::linting(command.env(REQUIRE_ALL, "1"))?);
    let report = fs::read_to_string(&report).unwrap_or_default();
    for (seconds, test) in passed::slowest(&report, 12) {
        println!("  {seconds:>6.1} s  {test}");
    }
    let passed = passed::passed(&report);
    for binary in wanted.iter().filter(|binary| passed.contains(&binary.id)) {
        binary.note()?;
    }
    outcome
}

/// Makes tests fail that lack data or a program, instead of skipping; the crate `testing` and `tests/python/needs.py` read it.
const REQUIRE_ALL: &str = "PENSAER_REQUIRE_ALL";

/// The variables by which the checks in Python find EnergyPlus, models for it and OpenStudio, unless the caller set them.
fn energyplus() -> impl Iterator<Item = (&'static str, PathBuf)> {
    let folders = [
        ("PENSAER_TEST_ENERGYPLUS", setup::energyplus_folder()),
        ("PENSAER_TEST_PROTOTYPES", setup::prototypes()),
        ("PENSAER_TEST_OPENSTUDIO", setup::openstudio_folder()),
    ];
    folders.into_iter().filter(|(name, folder)| std::env::var_os(name).is_none() && folder.is_dir())
}

fn evaluation() -> Result<()> {
    sh(program(binary()).args(["eval", "--cases"]).arg(root().join("evals")).arg("--out").arg(evaluated()))
}

/// The checks in Python that have a step of their own, since they need packages.
const PACKAGE_CHECKS: &str = "tests/python/test_packages.py";

fn python_checks() -> Result<()> {
    let version = output(program(python()).args(["-c", "import ifcopenshell; print(ifcopenshell.version)"]))?;
    println!("  IfcOpenShell {}", version.trim());
    let pytest = |tests: &str| {
        let mut command = pytest(tests);
        // files of tests side by side: what a file prepares serves it alone
        command.args(["--numprocesses", &cores().to_string(), "--dist", "loadfile"]);
        command
    };
    let backend = root().join("backends/ifcopenshell");
    sh(pytest("backends/ifcopenshell/tests").env("PYTHONPATH", &backend))?;
    let (folder, seen) = passed::of_python()?;
    sh(pytest("tests/python")
        .args(["--ignore", PACKAGE_CHECKS])
        .env("PENSAER_PASSED", folder)
        .env("PENSAER_SEEN", seen)
        .env("PENSAER", binary())
        .env("PENSAER_EVALUATED", evaluated())
        .envs(energyplus()))
}

/// Runs checks in Python; what they need and lack is an error.
fn pytest(tests: &str) -> Command {
    let mut command = program(python());
    command.args(["-m", "pytest", "-q", "-p", "no:cacheprovider", "--durations", "12", tests]);
    command.env("PYTHONDONTWRITEBYTECODE", "1").env(REQUIRE_ALL, "1");
    command
}

/// Packs the program that the tests use, installs every package in a place of its own, and calls tools with it.
fn packages() -> Result<()> {
    let made_of = [
        "packaging",
        "deploy/systemd",
        "crates/xtask/src/dist",
        PACKAGE_CHECKS,
        "tests/python/client.py",
        "tests/python/packaging.txt",
        "tests/clients/package-lock.json",
        "viewer/package-lock.json",
    ];
    let made_of: Vec<PathBuf> = made_of.iter().map(|path| root().join(path)).collect();
    passed::unless_passed("packages", &binary(), &made_of, || {
        let out = clients::fresh("packages")?;
        dist::run(&dist::Arguments { binary: Some(binary()), out: Some(out.clone()), fast: true })?;
        sh(pytest(PACKAGE_CHECKS)
            .env("PENSAER_TEST_PACKAGES", &out)
            .env("PENSAER_TEST_PACKAGING", setup::packaging_folder())
            .env("PENSAER_TEST_CLIENTS", setup::client("")))?;
        // gigabytes that nobody looks at again
        clients::fresh("packages").map(drop)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_needs_only_steps_that_stand_before_it() {
        for (at, step) in STEPS.iter().enumerate() {
            for need in step.needs {
                assert!(
                    STEPS[..at].iter().any(|earlier| earlier.name == *need),
                    "{} needs {need}",
                    step.name
                );
            }
        }
    }
}
