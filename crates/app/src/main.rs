//! The `pensaer` program: composition root and subcommands.

mod attach;
mod call;
mod catalogue;
mod cli;
mod compose;
mod daemon;
mod eval;
mod execution;
mod folder;
mod hello;
mod idle;
mod settings;
mod sockets;
mod web_server;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    match cli::run(cli::Cli::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("pensaer: {error:#}");
            ExitCode::FAILURE
        }
    }
}
