//! `pensaer exec`: an Execution Service by hand: one worker at a socket, or workers behind a gate for other machines; and what this
//! machine enforces on them.

#![expect(clippy::print_stdout, reason = "what a command of the shell answers")]

use crate::backend::{self, Backend};
use crate::listen::{GateArguments, ServiceConfig};
use crate::settings::{ExecSettings, Options, Settings};
use crate::{compose, conformance, listen, runtime, worker};
use anyhow::{Context, Result};
use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use exec::WorkerConfig;
use exec::sandbox::{Bounds, Confinement, confine, in_group, is_in_group};
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// The socket to listen at, as one worker. With --listen ADDRESS instead, serve other machines over TCP, with workers
    /// behind.
    #[arg(long)]
    socket: Option<PathBuf>,
    /// A folder whose files may be read; may be given again.
    #[arg(long, value_name = "DIR")]
    read: Vec<PathBuf>,
    /// A folder whose files may be read and written; may be given again.
    #[arg(long, value_name = "DIR")]
    write: Vec<PathBuf>,
    /// A folder for indexes of large files.
    #[arg(long, value_name = "DIR")]
    indexes: Option<PathBuf>,
    /// The back end.
    #[arg(
        long,
        value_name = "NAME",
        default_value_t = WorkerConfig::default().backend,
        value_parser = PossibleValuesParser::new(backend::resolving().map(Backend::name))
    )]
    backend: String,
    /// Say what this machine enforces on a worker, try it, and end; exit code 1 if code of agents would not be held.
    #[arg(long)]
    check: bool,
    /// Try to get out of what this process is held by already, and end.
    #[arg(long, hide = true)]
    attempts: bool,
    #[command(flatten)]
    gate: GateArguments,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Hold an Execution Service against the contract: print each check; exit code 1 if one fails.
    Conformance(conformance::Arguments),
}

/// Serves until the process that started it ends, or for ever.
pub(crate) fn run(arguments: &Arguments, options: &Options) -> Result<ExitCode> {
    if let Some(Command::Conformance(arguments)) = &arguments.command {
        return conformance::run(arguments);
    }
    if arguments.attempts {
        return Ok(if tried() { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    runtime::log_to_stderr();
    let settings = ExecSettings::load(options)?;
    let mut config = WorkerConfig {
        socket: arguments.socket.clone().unwrap_or_default(),
        backend: arguments.backend.clone(),
        cache_mb: settings.memory.cache_mb,
        memory_mb: settings.memory.memory_mb,
        read: arguments.read.clone(),
        write: arguments.write.clone(),
        indexes: arguments.indexes.clone(),
        ..WorkerConfig::default()
    };
    if arguments.check {
        let wish = worker::confinement(&config);
        return if is_in_group() { check(&wish) } else { check_in_group(&wish) };
    }
    let backend = backend::named(&arguments.backend).context("there is no such back end")?;
    if arguments.socket.is_some() {
        // our own needs no data folder, and so no settings
        let own = WorkerConfig::default().backend;
        config.programs = if backend.name() == own {
            backend::Programs::new()
        } else {
            backend.find(&Settings::load(options)?)?.ok_or_else(|| backend::absent(backend))?
        };
        return worker::serve(&config);
    }
    let address = settings.listen;
    let address =
        address.context("say where to listen: --listen ADDRESS, or --socket PATH as a single worker")?;
    // a machine that has no data folder has no other back end either
    let found = match Settings::load(options) {
        Ok(settings) => backend::found(&settings),
        Err(_) => backend::resolving()
            .filter(|backend| backend.hint().is_none())
            .map(|backend| (backend.name(), backend::Programs::new()))
            .collect(),
    };
    if !found.contains_key(backend.name()) {
        return Err(backend::absent(backend));
    }
    let service =
        ServiceConfig { default: arguments.backend.clone(), found, read: arguments.read.clone(), settings };
    listen::run(&arguments.gate, address, service)
}

/// Starts the same check as a pool starts its workers: in control groups that somebody else made for it, and removes.
fn check_in_group(wish: &Confinement) -> Result<ExitCode> {
    let this = std::env::current_exe().context("cannot tell where this program is")?;
    let command: Vec<_> = std::iter::once(this.into()).chain(std::env::args_os().skip(1)).collect();
    let ended = in_group(&command, Bounds { memory: wish.memory, tasks: compose::TASKS })?;
    Ok(if ended.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Tries to get out of this process, and says each attempt. Whether all failed.
fn tried() -> bool {
    let attempts = exec::sandbox::attempts();
    for attempt in &attempts {
        let what = if attempt.refused { "refused: " } else { "POSSIBLE:" };
        println!("{what} {}", attempt.what);
    }
    // where there is nothing to try, nothing is held
    !attempts.is_empty() && attempts.iter().all(|attempt| attempt.refused)
}

/// Confines this process and tries to get out.
fn check(wish: &Confinement) -> Result<ExitCode> {
    // this process starts nothing any more once it is confined
    let launched = backend::confined::check_launched()?;
    let sandbox = confine(wish).context("cannot confine this process")?;
    println!("enforced: {}", sandbox.walls().join(", "));
    for missing in &sandbox.missing {
        println!("missing:  {missing}");
    }
    let worker = tried();
    print!("{}", launched.said);
    let held = sandbox.holds() && worker && launched.held;
    println!(
        "{}",
        if held { "Code of agents is held." } else { "Code of agents is not held: run_code is refused." }
    );
    Ok(if held { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
