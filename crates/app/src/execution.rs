//! `pensaer exec`: the Execution Service with the adapters of this program.

use crate::cli::Exec;
use crate::compose;
use anyhow::{Context, Result};
use std::process::ExitCode;

/// Serves until the process that started it ends, or for ever.
pub(crate) fn run(options: &Exec) -> Result<ExitCode> {
    compose::log_to_stderr();
    let mut config = exec::ServeConfig::at(&options.socket);
    config.host.cache_bytes = options.cache_mb << 20;
    compose::runtime()?
        .block_on(exec::serve(compose::adapters(), config))
        .with_context(|| format!("cannot serve at {}", options.socket.display()))?;
    Ok(ExitCode::SUCCESS)
}
