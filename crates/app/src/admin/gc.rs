//! `pensaer admin gc`: gives back the room of what nothing names any more.

use super::beside;
use crate::runtime;
use crate::settings::Settings;
use anyhow::Result;
use clap::Args;
use std::io::{self, Write as _};
use std::process::ExitCode;
use std::time::Duration;
use store::Retention;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Only say what would go.
    #[arg(long)]
    dry_run: bool,
    /// Days for which tiles, conversions and whatever else can be made again are kept.
    #[arg(long, value_name = "DAYS", default_value_t = 30)]
    derived: u32,
    /// Days for which uploads and files that tools made are kept; for ever if not given.
    #[arg(long, value_name = "DAYS")]
    files: Option<u32>,
    /// Minutes for which a file that nothing names is left alone, since a call may be about to name it.
    #[arg(long, value_name = "MINUTES", default_value_t = 60)]
    unnamed: u32,
    /// The most changes between a version and the whole file that it is opened from.
    #[arg(long, value_name = "CHANGES", default_value_t = 64)]
    chain: u32,
    /// Answer as JSON.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(settings: &Settings, arguments: &Arguments) -> Result<ExitCode> {
    let days = |days: u32| Duration::from_hours(24) * days;
    let retention = Retention {
        derived: days(arguments.derived),
        files: arguments.files.map(days),
        unnamed: Duration::from_mins(arguments.unnamed.into()),
        chain: arguments.chain,
    };
    let gone = runtime::start()?.block_on(async {
        anyhow::Ok(beside(settings).await?.discard(&retention, arguments.dry_run).await?)
    })?;
    let mut out = io::stdout().lock();
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string(&gone)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let verb = if arguments.dry_run { "would go" } else { "are gone" };
    writeln!(
        out,
        "{} blobs ({}) {verb}; {} derived, {} files and {} checkpoints were forgotten. {} blobs ({}) remain.",
        gone.blobs,
        megabytes(gone.bytes),
        gone.derived,
        gone.files,
        gone.checkpoints,
        gone.kept_blobs,
        megabytes(gone.kept_bytes)
    )?;
    Ok(ExitCode::SUCCESS)
}

pub(super) fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}
