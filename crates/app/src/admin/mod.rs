//! `pensaer admin`: what whoever runs a server does beside its clients. One file a subcommand.

mod approvals;
mod audit;
mod backup;
mod checkpoint;
mod export_history;
mod fsck;
mod gc;
mod heads;
mod key;
mod policy;

pub(crate) use export_history::export;

use crate::compose;
use crate::settings::Settings;
use anyhow::{Context, Result};
use clap::{Args, Subcommand};
use std::process::ExitCode;
use store::{Store, StoreConfig};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Make, list, renew and take back API keys.
    Key(key::Arguments),
    /// Check a policy file, or ask what it would decide.
    Policy(policy::Arguments),
    /// List what waits for approval, or decide on it.
    Approvals(approvals::Arguments),
    /// Verify or export the audit log, or note its head for somewhere else.
    Audit(audit::Arguments),
    /// Look whether everything that was acknowledged is there and as it was written; exit code 1 if not.
    Fsck(fsck::Arguments),
    /// Throw away what nothing names any more and what can be made again.
    Gc(gc::Arguments),
    /// Copy everything into a folder, while a server may be running.
    Backup(backup::Backup),
    /// Put such a copy into an empty data folder.
    Restore(backup::Restore),
    /// Write every version of a model as an IFC file, with a log of what changed, who changed it and why.
    ExportHistory(export_history::Arguments),
}

/// Does what the command line says.
pub(crate) fn run(settings: &Settings, arguments: &Arguments) -> Result<ExitCode> {
    match &arguments.command {
        Command::Key(arguments) => key::run(settings, arguments),
        Command::Policy(arguments) => policy::run(settings, arguments),
        Command::Approvals(arguments) => approvals::run(settings, arguments),
        Command::Audit(arguments) => audit::run(settings, arguments),
        Command::Fsck(arguments) => fsck::run(settings, arguments),
        Command::Gc(arguments) => gc::run(settings, arguments),
        Command::Backup(arguments) => backup::backup(settings, arguments),
        Command::Restore(arguments) => backup::restore(settings, arguments),
        Command::ExportHistory(arguments) => export_history::run(settings, arguments),
    }
}

/// The store of these settings, beside a daemon that may be running over it.
async fn beside(settings: &Settings) -> Result<Store> {
    let config = StoreConfig { visits: true, ..compose::place(&settings.data_dir, settings) };
    Store::open(config).await.context("cannot open the store")
}
