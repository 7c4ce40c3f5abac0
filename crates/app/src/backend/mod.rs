//! The back ends beside our own kernel: which there are, whether they can be used here, and how they come to be.
//!
//! IfcOpenShell is Python. It lives in a folder of ours under the data folder, made by `pensaer backend install`, or in a Python
//! of the user's own, named by `--python`, `PENSAER_PYTHON` or the settings. Our own part of it is carried in this program.
//! EnergyPlus is a folder of programs, ours beside that one or the user's own.

pub(crate) mod energyplus;
mod install;
mod install_energyplus;
mod list;
mod openstudio;
mod python;
mod workers;

pub(crate) use workers::{Beside, Found, arguments, python_and_package, side_by_side};

use crate::settings::Settings;
use anyhow::{Result, bail};
use clap::{Args, Subcommand};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Our own kernel.
pub(crate) const NATIVE: &str = "native";
/// IfcOpenShell.
pub(crate) const IFCOPENSHELL: &str = "ifcopenshell";
/// EnergyPlus.
pub(crate) const ENERGYPLUS: &str = "energyplus";
/// OpenStudio, which models are converted with.
pub(crate) const OPENSTUDIO: &str = exec_energyplus::OPENSTUDIO;
/// How EnergyPlus is had.
pub(crate) const HOW_TO_INSTALL_ENERGYPLUS: &str = "pensaer backend install energyplus";
/// How IfcOpenShell is had.
pub(crate) const HOW_TO_INSTALL: &str = "pensaer backend install ifcopenshell";

/// What is said to whoever asks for it where it is not to be had.
pub(crate) fn hint() -> String {
    format!("{HOW_TO_INSTALL} (pensaer backend list says what is there)")
}

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
        /// Its name: ifcopenshell, energyplus, or openstudio for models of that.
        name: String,
        /// A folder of wheels to install from, where this machine reaches no package index.
        #[arg(long, value_name = "DIR")]
        wheels: Option<PathBuf>,
    },
}

/// Does what the command line says.
pub(crate) fn run(settings: &Settings, arguments: &Arguments) -> Result<ExitCode> {
    match &arguments.command {
        Command::List { json } => list::run(settings, *json),
        Command::Install { name, wheels } if name == IFCOPENSHELL => {
            install::run(settings, wheels.as_deref())
        }
        Command::Install { name, wheels } if name == ENERGYPLUS => {
            install_energyplus::run(settings, wheels.as_deref())
        }
        Command::Install { name, wheels } if name == OPENSTUDIO => {
            openstudio::run(settings, wheels.as_deref())
        }
        Command::Install { name, .. } if name == NATIVE => {
            bail!("The back end native is built in; there is nothing to install.")
        }
        Command::Install { name, .. } => {
            bail!(
                "There is no back end {name:?} to install; there are {IFCOPENSHELL}, {ENERGYPLUS} and {OPENSTUDIO}."
            )
        }
    }
}

/// The folder of IfcOpenShell under the data folder.
pub(crate) fn folder(settings: &Settings) -> PathBuf {
    settings.data_dir.join("backends").join(IFCOPENSHELL)
}

/// The Python that is to be used for IfcOpenShell: the one that was named, else the one that was installed.
pub(crate) fn interpreter(settings: &Settings) -> Option<PathBuf> {
    let installed = || Some(python::of_environment(&environment(settings))).filter(|python| python.exists());
    settings.python.clone().or_else(installed)
}

fn environment(settings: &Settings) -> PathBuf {
    folder(settings).join("venv")
}

/// A path as an error names it.
fn shown(path: &Path) -> std::path::Display<'_> {
    path.display()
}
