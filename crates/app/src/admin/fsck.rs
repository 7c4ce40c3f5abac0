//! `pensaer admin fsck`: whether everything that was acknowledged is there and as it was written.

use super::beside;
use crate::runtime;
use crate::settings::Settings;
use anyhow::Result;
use clap::Args;
use std::io::{self, Write as _};
use std::process::ExitCode;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Read every file and compare its hash, which takes as long as reading them.
    #[arg(long)]
    deep: bool,
}

pub(super) fn run(settings: &Settings, arguments: &Arguments) -> Result<ExitCode> {
    let problems = runtime::start()?
        .block_on(async { anyhow::Ok(beside(settings).await?.check(arguments.deep).await?) })?;
    if problems.is_empty() {
        writeln!(io::stdout(), "all is well")?;
        return Ok(ExitCode::SUCCESS);
    }
    for problem in &problems {
        writeln!(io::stdout(), "{problem}")?;
    }
    writeln!(
        io::stderr(),
        "{} found. Make a copy of the data folder before anything else; a backup has what is missing here, under the same hash.",
        if problems.len() == 1 {
            "1 problem was".to_owned()
        } else {
            format!("{} problems were", problems.len())
        }
    )?;
    Ok(ExitCode::FAILURE)
}
