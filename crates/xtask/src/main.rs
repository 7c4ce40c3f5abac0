//! The tasks of the project: set-up, run, test, checks, code generation, benchmarks.

mod codegen;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "xtask", about = "The tasks of the project")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Generates the schema tables from the EXPRESS files.
    Codegen {
        /// Only say whether the generated files are current.
        #[arg(long)]
        check: bool,
    },
}

fn main() -> anyhow::Result<()> {
    match Arguments::parse().task {
        Task::Codegen { check } => codegen::run(check),
    }
}
