//! The `pensaer` program: composition root and subcommands.

mod admin;
mod attach;
mod backend;
mod call;
mod catalogue;
mod cli;
mod client;
mod compose;
mod conformance;
mod connections;
mod daemon;
mod demo;
mod doctor;
mod eval;
mod execution;
mod fetch;
mod folder;
mod guides;
mod hello;
mod idle;
mod listen;
mod local;
mod policy;
mod reference;
mod runtime;
mod settings;
mod setup;
mod sockets;
mod weather;
mod web_server;
mod welcome;
mod worker;

use clap::Parser;
use std::process::ExitCode;

/// Reading and meshing make many small lists on several threads, which the system's allocator is slow at. What scripts
/// take is counted, for their limit on memory.
#[global_allocator]
static ALLOCATOR: script::memory::Counted<mimalloc::MiMalloc> = script::memory::Counted(mimalloc::MiMalloc);

fn main() -> ExitCode {
    let ended = cli::run(cli::Cli::parse());
    exec::sandbox::end_groups();
    match ended {
        Ok(code) => code,
        Err(error) => {
            eprintln!("pensaer: {error:#}");
            ExitCode::FAILURE
        }
    }
}
