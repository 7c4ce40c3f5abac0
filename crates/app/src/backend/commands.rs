//! `pensaer backend`: which back ends there are and whether they can be used here, and their installation.

#![expect(clippy::print_stdout, reason = "what a command of the shell answers")]

use super::{BACKENDS, Backend, State};
use crate::settings::Settings;
use anyhow::{Result, bail};
use clap::{Args, Subcommand};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Say which back ends there are, where, in which version, and whether they can be used.
    List {
        /// As JSON.
        #[arg(long)]
        json: bool,
    },
    /// Install a back end into the data folder, for this user alone.
    Install {
        /// Its name: ifcopenshell, energyplus, openstudio for models of that, or embeddings to find documentation by meaning.
        name: String,
        /// A folder of wheels to install from, where this machine reaches no package index.
        #[arg(long, value_name = "DIR")]
        wheels: Option<PathBuf>,
    },
}

/// Does what the command line says.
pub(crate) fn run(settings: &Settings, arguments: &Arguments) -> Result<ExitCode> {
    match &arguments.command {
        Command::List { json } => list(settings, *json)?,
        Command::Install { name, wheels } => install(settings, name, wheels.as_deref())?,
    }
    Ok(ExitCode::SUCCESS)
}

fn install(settings: &Settings, name: &str, wheels: Option<&Path>) -> Result<()> {
    let Some(backend) = BACKENDS.into_iter().find(|backend| backend.name() == name) else {
        let others = BACKENDS.into_iter().filter(|backend| backend.hint().is_some());
        let names: Vec<&str> = others.map(Backend::name).collect();
        bail!("There is no back end {name:?} to install; there are {}.", names.join(", "));
    };
    super::check_platform(backend)?;
    let ready = backend.install(settings, wheels)?;
    println!("{name} is ready: {ready}");
    println!("A server that runs already uses it from its next call on.");
    Ok(())
}

/// A back end as it is listed.
#[derive(Serialize)]
struct Listed {
    name: &'static str,
    #[serde(flatten)]
    state: State,
}

fn list(settings: &Settings, as_json: bool) -> Result<()> {
    let states = super::states(settings).into_iter();
    let listed: Vec<Listed> = states.map(|(name, state)| Listed { name, state }).collect();
    if as_json {
        println!("{}", serde_json::to_string_pretty(&listed)?);
        return Ok(());
    }
    for Listed { name, state: State { is, version, place, hint } } in listed {
        let line = format!(
            "{name:<13} {:<14} {:<40} {}",
            is.as_str(),
            version.unwrap_or_default(),
            place.unwrap_or_default()
        );
        println!("{}", line.trim_end());
        if let Some(hint) = hint {
            println!("{:<13} {hint}", "");
        }
    }
    Ok(())
}
