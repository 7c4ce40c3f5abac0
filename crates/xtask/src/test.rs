//! Everything that is checked before a change lands, in the order in which it fails fastest. `ci` is the same.
//!
//! One build profile serves all steps: the tests, the evaluation and the foreign clients use the same `pensaer`.

use crate::shell::{cargo, is_installed, output, program, python, root, sh, target, test_data};
use crate::{clients, codegen, format, setup, tidy, ui};
use anyhow::{Result, bail};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How to test.
#[derive(clap::Args)]
pub struct Arguments {
    /// Only the steps whose names contain one of these words.
    only: Vec<String>,
    /// List the steps and end.
    #[arg(long)]
    list: bool,
}

type Step = (&'static str, fn() -> Result<()>);

const STEPS: [Step; 12] = [
    ("setup", setup::run),
    ("format", || format::run(true)),
    ("tidy", tidy::run),
    ("viewer", viewer),
    ("clippy", clippy),
    ("build", build),
    ("generated", generated),
    ("rust-tests", rust_tests),
    ("evaluation", evaluation),
    ("python-checks", python_checks),
    ("inspector", clients::inspector),
    ("page", clients::page),
];

/// Runs the steps and says what each came to and how long it took.
pub fn run(arguments: &Arguments) -> Result<()> {
    if arguments.list {
        for (name, _) in STEPS {
            println!("{name}");
        }
        return Ok(());
    }
    let wanted = |name: &str| {
        arguments.only.is_empty() || arguments.only.iter().any(|word| name.contains(word.as_str()))
    };
    let mut rows: Vec<(&str, Duration, Option<String>)> = Vec::new();
    for (name, step) in STEPS.iter().filter(|(name, _)| wanted(name)) {
        println!("\n== {name}");
        let begun = Instant::now();
        let failure = step().err().map(|error| format!("{error:#}"));
        if let Some(failure) = &failure {
            println!("FAILED {name}: {failure}");
        }
        rows.push((name, begun.elapsed(), failure));
    }
    if rows.is_empty() {
        bail!("no step of that name; `cargo xtask test --list` lists them");
    }
    println!("\n{:<16} {:>8}  outcome", "step", "seconds");
    for (name, time, failure) in &rows {
        println!(
            "{name:<16} {:>8.1}  {}",
            time.as_secs_f64(),
            if failure.is_some() { "FAILED" } else { "ok" }
        );
    }
    let failed: Vec<&str> = rows.iter().filter(|row| row.2.is_some()).map(|row| row.0).collect();
    println!("\nsteps: {} passed, {} failed", rows.len() - failed.len(), failed.len());
    if !failed.is_empty() {
        bail!("failed: {}", failed.join(", "));
    }
    Ok(())
}

/// The `pensaer` that the tests use, built by the `build` step.
pub fn binary() -> PathBuf {
    target().join("debug/pensaer")
}

/// Where the evaluation leaves its models for the checks in Python.
pub fn evaluated() -> PathBuf {
    target().join("evals")
}

fn generated() -> Result<()> {
    codegen::run_built(true)
}

fn viewer() -> Result<()> {
    if !ui::exists() {
        bail!("viewer/ is missing");
    }
    ui::build()?;
    ui::test()
}

fn clippy() -> Result<()> {
    sh(cargo().args(["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"]))
}

/// All that the tests are built of, and their command line but for the running: what only tests depend on has features that the
/// others are then built with, too, and a build without them would compile most of the tree a second time.
fn build() -> Result<()> {
    sh(cargo().args(["build", "--workspace", "--all-targets", "--quiet"]))
}

fn rust_tests() -> Result<()> {
    if test_data().is_none() {
        println!(
            "  no test data (PENSAER_TEST_DATA or ../shared/data): the tests on real models say that they skip"
        );
    }
    let mut command = cargo();
    if is_installed("cargo-nextest") {
        command.args([
            "nextest",
            "run",
            "--workspace",
            "--no-fail-fast",
            "--status-level",
            "fail",
            "--hide-progress-bar",
        ]);
    } else {
        println!("  cargo-nextest is not installed; `cargo test` runs the same tests");
        command.args(["test", "--workspace", "--no-fail-fast", "--quiet"]);
    }
    sh(command.envs(energyplus()))
}

/// Where tests find EnergyPlus and models for it, unless the caller said so.
fn energyplus() -> impl Iterator<Item = (&'static str, PathBuf)> {
    let folders = [
        ("PENSAER_TEST_ENERGYPLUS", setup::energyplus_folder()),
        ("PENSAER_TEST_PROTOTYPES", setup::prototypes()),
        ("PENSAER_TEST_SCHEMAS", setup::schemas()),
        ("PENSAER_TEST_OPENSTUDIO", setup::openstudio_folder()),
    ];
    folders.into_iter().filter(|(name, folder)| std::env::var_os(name).is_none() && folder.is_dir())
}

fn evaluation() -> Result<()> {
    sh(program(binary()).args(["eval", "--cases"]).arg(root().join("evals")).arg("--out").arg(evaluated()))
}

fn python_checks() -> Result<()> {
    let version = output(program(python()).args(["-c", "import ifcopenshell; print(ifcopenshell.version)"]))?;
    println!("  IfcOpenShell {}", version.trim());
    let pytest = |tests: &str| {
        let mut command = program(python());
        command.args(["-m", "pytest", "-q", "-p", "no:cacheprovider", tests]);
        command.env("PYTHONDONTWRITEBYTECODE", "1");
        command
    };
    let backend = root().join("backends/ifcopenshell");
    sh(pytest("backends/ifcopenshell/tests").env("PYTHONPATH", &backend))?;
    sh(pytest("tests/python")
        .env("PENSAER", binary())
        .env("PENSAER_EVALUATED", evaluated())
        .envs(energyplus()))
}
