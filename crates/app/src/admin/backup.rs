//! `pensaer admin backup` and `restore`: a copy of everything, and the way back from it.

use super::beside;
use super::gc::megabytes;
use crate::folder::DataFolder;
use crate::runtime;
use crate::settings::Settings;
use anyhow::{Context, Result, bail};
use clap::Args;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Debug, Args)]
pub(crate) struct Backup {
    /// The folder of the copy; what an earlier one in it has is not copied again.
    #[arg(long, value_name = "DIR")]
    to: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct Restore {
    /// The folder of the copy.
    #[arg(long, value_name = "DIR")]
    from: PathBuf,
}

/// Copies while a server may be running.
pub(super) fn backup(settings: &Settings, arguments: &Backup) -> Result<ExitCode> {
    let done = runtime::start()?
        .block_on(async { anyhow::Ok(beside(settings).await?.backup(&arguments.to).await?) })?;
    writeln!(
        io::stdout(),
        "{} blobs ({}) are in {}, {} of them new.",
        done.blobs,
        megabytes(done.bytes),
        arguments.to.display(),
        done.copied
    )?;
    Ok(ExitCode::SUCCESS)
}

/// Restores into the data folder, which has to be empty.
pub(super) fn restore(settings: &Settings, arguments: &Restore) -> Result<ExitCode> {
    let folder = DataFolder::open(&settings.data_dir)?;
    let Some(_lock) = folder.lock_daemon()? else {
        bail!("a server runs over {}; restore into another folder", settings.data_dir.display());
    };
    let done = runtime::start()?
        .block_on(store::restore(&arguments.from, folder.root()))
        .with_context(|| format!("nothing was restored into {}", settings.data_dir.display()))?;
    writeln!(
        io::stdout(),
        "{} blobs ({}) are in {}. `pensaer admin fsck --deep` looks at all of them again.",
        done.blobs,
        megabytes(done.bytes),
        settings.data_dir.display()
    )?;
    Ok(ExitCode::SUCCESS)
}
