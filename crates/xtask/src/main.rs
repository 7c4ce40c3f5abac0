//! The tasks of the project: set-up, run, test, checks, packages, code generation, benchmarks.
//!
//! `cargo xtask TASK`. Every task finds the repository by this crate's own place, installs nothing outside `.tools`
//! (but Debian packages, where they are missing and there is leave), and may be run again at any time.
#![expect(clippy::print_stdout, reason = "a program for people at a terminal")]

mod arm64;
mod bench;
mod clients;
mod codegen;
mod dist;
mod format;
mod passed;
mod plan;
mod rpc;
mod run;
mod setup;
mod shell;
mod soak;
mod stations;
mod test;
mod tidy;
mod ui;
mod viewing;

use anyhow::Result;
use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// The tasks of the project.
#[derive(Parser)]
#[command(name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Install what the other tasks need: Python with IfcOpenShell, MCP clients, a browser, EnergyPlus.
    Setup,
    /// Build all, start the server on ./pensaer-data with a sample house, and say how to connect.
    Run(run::Arguments),
    /// Check everything: format, lints, layout, tests, viewer, evaluation cases, foreign clients and kernels.
    Test(test::Arguments),
    /// Runs `test` as CI does.
    Ci(test::Arguments),
    /// Attack a server for minutes: floods, thousands of sessions, bombs, endless scripts.
    Soak,
    /// Run the kernel's tests compiled for 64-bit ARM, in an emulator.
    Arm64,
    /// Format every Rust file, those of the tools, too, which `cargo fmt` does not see.
    Format {
        /// Only say which files are not formatted.
        #[arg(long)]
        check: bool,
    },
    /// Check the layout: crate edges against ARCHITECTURE.md, headers, licences, who may use what.
    Tidy,
    /// Build what is given away, and pack it: archive, wheel, npm packages, bundle, Debian package, bills of materials, checksums.
    Dist(dist::Arguments),
    /// Measure, beside IfcOpenShell in the same run.
    Bench(bench::Arguments),
    /// Build the browser viewer, if its sources changed.
    Ui,
    /// Generate the schema tables from the EXPRESS files, and the JSON Schemas of the contract into `schemas/`.
    Codegen {
        /// Only say whether what is committed is current.
        #[arg(long)]
        check: bool,
    },
    /// Fetch the list of weather stations and pack the index of it that is part of the program.
    Stations,
    /// Write a large IFC file: COPIES renumbered copies of a real one in one project.
    Enlarge {
        /// The file to copy.
        source: std::path::PathBuf,
        /// The number of copies.
        copies: u32,
        /// The file to write.
        target: std::path::PathBuf,
    },
}

fn main() -> ExitCode {
    match run_task() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run_task() -> Result<()> {
    match Arguments::parse().task {
        Task::Setup => setup::run(),
        Task::Run(arguments) => run::run(&arguments),
        Task::Test(arguments) | Task::Ci(arguments) => test::run(&arguments),
        Task::Soak => soak::run(),
        Task::Arm64 => arm64::run(),
        Task::Format { check } => format::run(check),
        Task::Tidy => tidy::run(),
        Task::Dist(arguments) => dist::run(&arguments),
        Task::Bench(arguments) => bench::run(&arguments),
        Task::Ui => ui::build(),
        Task::Codegen { check } => codegen::run(check),
        Task::Stations => stations::run(),
        Task::Enlarge { source, copies, target } => {
            let size = bench::enlarge::write(&source, copies, bench::enlarge::Copies::InPlace, &target)?;
            println!("{}: {size} bytes", target.display());
            Ok(())
        }
    }
}
