//! `pensaer exec`: the Execution Service with the adapters of this program, confined to the folders it was given.

#![expect(clippy::print_stdout, reason = "what a command of the shell answers")]

use crate::cli::Exec;
use crate::{compose, listen};
use anyhow::{Context, Result};
use exec::sandbox::{Confinement, confine};
use std::net::SocketAddr;
use std::process::ExitCode;

/// Serves until the process that started it ends, or for ever.
pub(crate) fn run(options: &Exec, address: Option<SocketAddr>) -> Result<ExitCode> {
    compose::log_to_stderr();
    if options.socket.is_none() && !options.check {
        let address =
            address.context("say where to listen: --listen ADDRESS, or --socket PATH as a single worker")?;
        return listen::run(options, address);
    }
    let mut wish = Confinement { read: options.read.clone(), ..Confinement::default() };
    wish.write.extend(options.write.iter().chain(&options.indexes).cloned());
    wish.memory = (options.cache_mb.saturating_add(options.memory_mb)).saturating_mul(1 << 20);
    let Some(socket) = options.socket.as_ref().filter(|_| !options.check) else {
        return check(&wish);
    };
    let mut config = exec::ServeConfig::at(socket);
    config.host.cache_bytes = options.cache_mb << 20;
    let at = || format!("cannot serve at {}", socket.display());
    // the last socket that this process may open
    let listener = exec::listen(socket).with_context(at)?;
    config.host.sandbox = confine(&wish).context("cannot confine this process")?;
    let adapters = compose::adapters(options.indexes.clone());
    compose::runtime()?.block_on(exec::serve_at(listener, adapters, config)).with_context(at)?;
    Ok(ExitCode::SUCCESS)
}

/// Confines this process and tries to get out.
fn check(wish: &Confinement) -> Result<ExitCode> {
    let sandbox = confine(wish).context("cannot confine this process")?;
    println!("enforced: {}", sandbox.walls().join(", "));
    for missing in &sandbox.missing {
        println!("missing:  {missing}");
    }
    let mut held = sandbox.holds();
    for attempt in exec::sandbox::attempts() {
        held &= attempt.refused;
        println!("{} {}", if attempt.refused { "refused: " } else { "POSSIBLE:" }, attempt.what);
    }
    println!(
        "{}",
        if held { "Code of agents is held." } else { "Code of agents is not held: run_code is refused." }
    );
    Ok(if held { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
