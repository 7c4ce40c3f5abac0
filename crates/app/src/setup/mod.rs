//! `pensaer setup`: the server made known to desktop and editor clients. It finds those that are installed and offers to write their
//! configurations, or prints or writes that of one; what was there before is kept.

mod known;
mod offer;
#[cfg(test)]
mod tests;
mod written;

use crate::settings::{Settings, default_data_dir};
use anyhow::{Context, Result, bail};
use clap::Args;
use etcetera::BaseStrategy as _;
use known::{CLIENTS, Client, Folders, Scope, Started};
use mcp::Profile;
use std::env;
use std::io::{IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use written::Entered;
pub(crate) use written::Known;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The client; without one, those that are installed are found and offered, one after the other.
    client: Option<String>,
    /// Write into the client's configuration; the file of before is kept beside it. Without a client: of every one that is installed.
    #[arg(long)]
    write: bool,
    /// Into the configuration of the project in this folder, instead of the user's.
    #[arg(long, requires = "client", conflicts_with = "file")]
    project: bool,
    /// The tools to list, as for `pensaer mcp`: a server's name, code or all; without it the usual tools.
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,
    /// The client's configuration, where it lies elsewhere than usual.
    #[arg(long, value_name = "PATH", requires = "client")]
    file: Option<PathBuf>,
}

/// Prints, offers or writes what the arguments ask for.
pub(crate) fn run(settings: &Settings, arguments: &Arguments) -> Result<ExitCode> {
    let folders = folders()?;
    if let Err(unknown) = Profile::from_name(arguments.profile.as_deref()) {
        bail!("{unknown}");
    }
    let server = started(settings, arguments.profile.as_deref())?;
    let mut out = std::io::stdout().lock();
    let Some(name) = &arguments.client else {
        if arguments.write {
            return offer::offer(&mut out, &folders, &server, |_, _| Ok(true));
        }
        if std::io::stdin().is_terminal() && std::io::stdout().is_terminal() {
            return offer::offer(&mut out, &folders, &server, offer::asked);
        }
        list(&mut out, &folders)?;
        return Ok(ExitCode::SUCCESS);
    };
    let Some(client) = Client::from_name(name) else {
        let names: Vec<&str> = CLIENTS.iter().map(|client| client.name).collect();
        bail!("there is no client {name}; known are {}", names.join(", "));
    };
    let scope = if arguments.project { Scope::Project } else { client.usual() };
    let usual = || {
        let whose = if scope == Scope::Project { "a project" } else { "the user" };
        client
            .file(scope, &folders)
            .with_context(|| format!("{} has no configuration of {whose}", client.title))
    };
    let file = arguments.file.clone().map_or_else(usual, Ok)?;
    if !arguments.write {
        let place = file.display();
        writeln!(out, "In {place}, for {}:\n\n{}", client.title, written::snippet(client.form, &server)?)?;
        let project = if arguments.project { " --project" } else { "" };
        writeln!(out, "`pensaer setup {name}{project} --write` puts it there.")?;
        return Ok(ExitCode::SUCCESS);
    }
    write(&mut out, client, &file, &server)?;
    Ok(ExitCode::SUCCESS)
}

/// Enters the server into a configuration and says what became of it.
fn write(out: &mut impl Write, client: Client, file: &Path, server: &Started) -> Result<()> {
    let said = match written::enter(file, client.form, server)? {
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
    Ok(())
}

fn list(out: &mut impl Write, folders: &Folders) -> Result<()> {
    writeln!(out, "Clients whose configuration is known:\n")?;
    for client in CLIENTS {
        let scope = client.usual();
        let place = match scope {
            Scope::Project => "in this project",
            Scope::User if client.is_here(folders) => "found here",
            Scope::User => "",
        };
        let file = client.file(scope, folders).map(|file| file.display().to_string()).unwrap_or_default();
        let line = format!("  {:<15} {:<19} {:<16} {file}", client.name, client.title, place);
        writeln!(out, "{}", line.trim_end())?;
    }
    writeln!(
        out,
        "\n`pensaer setup NAME` prints what belongs there, `pensaer setup NAME --write` writes it, `pensaer setup --write` writes it for \
         all that were found; --project is for the configuration of the project in this folder."
    )?;
    Ok(())
}

/// A client that is installed here, and its configuration.
pub(crate) struct Found {
    /// The word for it on the command line.
    pub(crate) name: &'static str,
    /// Its own name.
    pub(crate) title: &'static str,
    /// Its configuration of the user.
    pub(crate) file: PathBuf,
    /// The entry of this server in it.
    pub(crate) known: Known,
}

impl Found {
    /// True if the client starts this server, in whichever way.
    pub(crate) fn knows(&self) -> bool {
        matches!(self.known, Known::AsNow | Known::Otherwise(_))
    }
}

/// Every client that is installed here and has a configuration of the user.
pub(crate) fn found(settings: &Settings) -> Result<Vec<Found>> {
    let (folders, server) = (folders()?, started(settings, None)?);
    let look = |client: Client| {
        let file = client.file(Scope::User, &folders)?;
        let known = written::known(&file, client.form, &server);
        Some(Found { name: client.name, title: client.title, file, known })
    };
    Ok(CLIENTS.into_iter().filter(|client| client.is_here(&folders)).filter_map(look).collect())
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
    let of_user =
        etcetera::base_strategy::choose_native_strategy().context("there is no home folder: set HOME")?;
    // programs for macOS keep their settings beside their data
    let settings = if cfg!(target_os = "macos") { of_user.data_dir() } else { of_user.config_dir() };
    let project = env::current_dir().context("the current folder")?;
    Ok(Folders { home: of_user.home_dir().to_owned(), settings, project, programs: env::var_os("PATH") })
}
