//! A worker: the Execution Service with the adapters of one back end, confined to what its configuration names; and the programs
//! beside it.

use crate::{backend, runtime};
use anyhow::{Context, Result};
use clap::Args;
use exec::sandbox::{ConfinedProgram, Confinement, confine};
use exec::{Control, ServeConfig, WorkerConfig};
use std::process::ExitCode;

/// The label of a worker, for those who list processes. It is told so, and everything else, on standard input.
#[derive(Debug, Args)]
pub(crate) struct Label {
    /// Its back end, and whether programs are beside it.
    #[arg(hide = true)]
    words: Vec<String>,
}

/// Serves as the configuration on standard input says.
pub(crate) fn run() -> Result<ExitCode> {
    runtime::log_to_stderr();
    serve(&exec::sandbox::receive().context("this is to be started by a pool of workers")?)
}

/// The confinement of a worker.
pub(crate) fn confinement(config: &WorkerConfig) -> Confinement {
    Confinement {
        read: config.read.clone(),
        write: config.write.iter().chain(&config.indexes).cloned().collect(),
        memory: config.cache_mb.saturating_add(config.memory_mb).saturating_mul(1 << 20),
        ..Confinement::default()
    }
}

/// Serves until the process that started it ends, or for ever.
pub(crate) fn serve(config: &WorkerConfig) -> Result<ExitCode> {
    runtime::huge_pages(true);
    let backend = backend::named(&config.backend);
    let backend = backend.with_context(|| format!("there is no back end {}", config.backend))?;
    if !config.is_beside
        && let Some(ended) = backend.launch(config)?
    {
        tracing::warn!("{ended}; all of it is started anew with the next call");
        return Ok(ExitCode::FAILURE);
    }
    let at = || format!("cannot serve at {}", config.socket.display());
    let control = config.is_beside.then(Control::from_stdout).transpose();
    let control = control.context("the programs of this worker cannot be reached")?;
    let mut serving = ServeConfig::at(&config.socket);
    serving.host.cache_bytes = config.cache_mb << 20;
    // the last socket that this process may open; pairs of sockets that are only its own are none
    let listener = exec::listen(&config.socket).with_context(at)?;
    serving.host.sandbox = confine(&confinement(config)).context("cannot confine this process")?;
    let adapters = backend.adapters(config, control)?;
    runtime::start()?.block_on(exec::serve_at(listener, adapters, serving)).with_context(at)?;
    Ok(ExitCode::SUCCESS)
}

/// Gives up everything but what the description on standard input leaves, and becomes the program that it names.
pub(crate) fn become_program() -> Result<ExitCode> {
    let confined: ConfinedProgram =
        exec::sandbox::receive().context("this is to be started beside a worker")?;
    Err(exec::sandbox::turn_into(&confined)).context("cannot start the program")
}
