//! `pensaer backend list`.

#![expect(clippy::print_stdout, reason = "what a command of the shell answers")]

use super::{
    ENERGYPLUS, HOW_TO_INSTALL, HOW_TO_INSTALL_ENERGYPLUS, IFCOPENSHELL, NATIVE, OPENSTUDIO, energyplus,
    environment, interpreter, openstudio, python,
};
use crate::settings::Settings;
use anyhow::Result;
use serde::Serialize;
use std::process::ExitCode;

/// A back end as it is listed.
#[derive(Debug, Serialize)]
struct Listed {
    name: &'static str,
    /// `ready`, `not installed` or `broken`.
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    /// Where it is.
    #[serde(rename = "where", skip_serializing_if = "Option::is_none")]
    place: Option<String>,
    /// What is wrong, and what to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
}

pub(super) fn run(settings: &Settings, as_json: bool) -> Result<ExitCode> {
    let listed = [native(), ifcopenshell(settings), simulator(settings), converter(settings)];
    if as_json {
        println!("{}", serde_json::to_string_pretty(&listed)?);
        return Ok(ExitCode::SUCCESS);
    }
    for Listed { name, state, version, place, hint } in listed {
        let line = format!(
            "{name:<13} {state:<14} {:<40} {}",
            version.unwrap_or_default(),
            place.unwrap_or_default()
        );
        println!("{}", line.trim_end());
        if let Some(hint) = hint {
            println!("{:<13} {hint}", "");
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn native() -> Listed {
    let version = Some(env!("CARGO_PKG_VERSION").to_owned());
    Listed { name: NATIVE, state: "ready", version, place: Some("built in".into()), hint: None }
}

fn simulator(settings: &Settings) -> Listed {
    let name = ENERGYPLUS;
    let Some(folder) = energyplus::folder(settings) else {
        let hint = Some(format!("To have it: {}", energyplus::hint()));
        return Listed { name, state: "not installed", version: None, place: None, hint };
    };
    let place = Some(folder.display().to_string());
    match energyplus::check(&folder) {
        Ok((_, version)) => {
            Listed { name, state: "ready", version: Some(format!("EnergyPlus {version}")), place, hint: None }
        }
        Err(why) => {
            let mend = match &settings.energyplus_dir {
                Some(_) => "name another folder with --energyplus-dir or ENERGYPLUS_DIR".to_owned(),
                None => format!("install it again: {HOW_TO_INSTALL_ENERGYPLUS}"),
            };
            Listed { name, state: "broken", version: None, place, hint: Some(format!("{why:#}; {mend}")) }
        }
    }
}

/// What converts models of OpenStudio, beside the simulator.
fn converter(settings: &Settings) -> Listed {
    let name = OPENSTUDIO;
    let Some(program) = energyplus::openstudio(settings) else {
        let hint = Some("To have it: pensaer backend install openstudio; or --openstudio-dir DIR".to_owned());
        return Listed { name, state: "not installed", version: None, place: None, hint };
    };
    let place = Some(program.display().to_string());
    if exec_energyplus::OpenStudio::from_program(&program) == exec_energyplus::OpenStudio::Program {
        return Listed { name, state: "ready", version: None, place, hint: None };
    }
    match openstudio::version(&program) {
        Ok(version) => {
            Listed { name, state: "ready", version: Some(format!("OpenStudio {version}")), place, hint: None }
        }
        Err(why) => {
            let hint = Some(format!("{why:#}; install it again: pensaer backend install openstudio"));
            Listed { name, state: "broken", version: None, place, hint }
        }
    }
}

fn ifcopenshell(settings: &Settings) -> Listed {
    let name = IFCOPENSHELL;
    let Some(found) = interpreter(settings) else {
        // a folder without a program in it is what is left of one
        let (state, hint) = if environment(settings).exists() {
            ("broken", format!("Its folder holds no Python any more. Install it again: {HOW_TO_INSTALL}"))
        } else {
            ("not installed", format!("To install it: {HOW_TO_INSTALL}"))
        };
        return Listed { name, state, version: None, place: None, hint: Some(hint) };
    };
    let place = Some(found.display().to_string());
    match python::check(&found) {
        Ok(ready) => {
            let version = Some(format!("IfcOpenShell {}, Python {}", ready.ifcopenshell, ready.python));
            Listed { name, state: "ready", version, place, hint: None }
        }
        Err(why) => {
            let mend = match &settings.python {
                Some(_) => "name another with --python or PENSAER_PYTHON, or install it there".to_owned(),
                None => format!("install it again: {HOW_TO_INSTALL}"),
            };
            Listed { name, state: "broken", version: None, place, hint: Some(format!("{why}; {mend}")) }
        }
    }
}
