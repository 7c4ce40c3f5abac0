//! `pensaer setup`: the server made known to desktop and editor clients. It prints what belongs into a client's configuration, or
//! writes it there, and keeps what was there before.

mod known;
#[cfg(test)]
mod tests;
mod written;

use crate::settings::{Settings, default_data_dir};
use anyhow::{Context, Result, bail};
use clap::Args;
use known::{CLIENTS, Client, Folders, From, Started};
use mcp::Profile;
use std::env;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use written::Entered;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The client; without one the clients are listed that are known.
    client: Option<String>,
    /// Write into the client's configuration; the file of before is kept beside it.
    #[arg(long, requires = "client")]
    write: bool,
    /// The tools to list, as for `pensaer mcp`: a server's name, code or all; without it the usual tools.
    #[arg(long, value_name = "NAME", requires = "client")]
    profile: Option<String>,
    /// The client's configuration, where it lies elsewhere than usual.
    #[arg(long, value_name = "PATH", requires = "client")]
    file: Option<PathBuf>,
}

/// Prints or writes what the arguments ask for.
pub(crate) fn run(settings: &Settings, arguments: &Arguments) -> Result<ExitCode> {
    let folders = folders()?;
    let mut out = std::io::stdout().lock();
    let Some(name) = &arguments.client else {
        list(&mut out, &folders)?;
        return Ok(ExitCode::SUCCESS);
    };
    let Some(client) = Client::from_name(name) else {
        let names: Vec<&str> = CLIENTS.iter().map(|client| client.name).collect();
        bail!("there is no client {name}; known are {}", names.join(", "));
    };
    if let Err(unknown) = Profile::from_name(arguments.profile.as_deref()) {
        bail!("{unknown}");
    }
    let server = started(settings, arguments.profile.as_deref())?;
    let file = arguments.file.clone().unwrap_or_else(|| client.file(&folders));
    if !arguments.write {
        let place = file.display();
        writeln!(out, "In {place}, for {}:\n\n{}", client.title, written::snippet(client.form, &server)?)?;
        writeln!(out, "`pensaer setup {name} --write` puts it there.")?;
        return Ok(ExitCode::SUCCESS);
    }
    let said = match written::enter(&file, client.form, &server)? {
        Entered::AsBefore => format!("{} has it already.", file.display()),
        Entered::New => format!("Written: {}. Restart {} to see it.", file.display(), client.title),
        Entered::Changed(kept) => format!(
            "Written: {}; as it was before: {}. Restart {} to see it.",
            file.display(),
            kept.display(),
            client.title
        ),
    };
    writeln!(out, "{said}")?;
    Ok(ExitCode::SUCCESS)
}

fn list(out: &mut impl Write, folders: &Folders) -> Result<()> {
    writeln!(out, "Clients whose configuration is known:\n")?;
    for client in CLIENTS {
        let place = match client.from {
            From::Project => "in this project",
            _ if client.is_here(folders) => "found here",
            _ => "",
        };
        writeln!(
            out,
            "  {:<15} {:<19} {:<16} {}",
            client.name,
            client.title,
            place,
            client.file(folders).display()
        )?;
    }
    writeln!(
        out,
        "\n`pensaer setup NAME` prints what belongs there, `pensaer setup NAME --write` writes it."
    )?;
    Ok(())
}

/// Returns how a client starts this program as it is set here.
fn started(settings: &Settings, profile: Option<&str>) -> Result<Started> {
    let program = env::current_exe().context("the path of this program")?;
    let mut arguments = vec!["mcp".to_owned()];
    arguments.extend(profile.filter(|name| !name.is_empty()).map(str::to_owned));
    let usual = default_data_dir().ok().and_then(|folder| std::path::absolute(folder).ok());
    let variables = (usual.as_deref() != Some(settings.data_dir.as_path()))
        .then(|| ("PENSAER_DATA_DIR".to_owned(), settings.data_dir.display().to_string()));
    Ok(Started {
        program: program.display().to_string(),
        arguments,
        variables: variables.into_iter().collect(),
    })
}

fn folders() -> Result<Folders> {
    let variable = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = variable(if cfg!(windows) { "USERPROFILE" } else { "HOME" })
        .context("there is no home folder: HOME is not set")?;
    let settings = settings_folder(&home, variable("XDG_CONFIG_HOME"), variable("APPDATA"));
    Ok(Folders { home, settings, project: env::current_dir().context("the current folder")? })
}

/// The folder in which programs keep their settings.
fn settings_folder(home: &Path, xdg: Option<PathBuf>, appdata: Option<PathBuf>) -> PathBuf {
    if cfg!(windows) {
        appdata.unwrap_or_else(|| home.join("AppData/Roaming"))
    } else if cfg!(target_os = "macos") {
        home.join("Library/Application Support")
    } else {
        xdg.filter(|folder| folder.is_absolute()).unwrap_or_else(|| home.join(".config"))
    }
}
