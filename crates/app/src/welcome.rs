//! `pensaer` without arguments: what this program is, and what to do next.

use crate::folder::DataFolder;
use crate::settings::{Options, Settings};
use crate::{client, local, setup};
use anyhow::Result;
use std::io::{IsTerminal as _, Write as _};
use std::process::ExitCode;

/// Says so to a person. A program that starts this one without arguments speaks a protocol, and is told on standard error what to start.
pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    if !std::io::stdin().is_terminal() && !std::io::stdout().is_terminal() {
        eprintln!("pensaer: an MCP client starts `pensaer mcp`; `pensaer --help` lists all there is");
        return Ok(ExitCode::from(2));
    }
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "Pensaer {}: building models for AI agents and the people beside them, over the Model Context Protocol.\n",
        env!("CARGO_PKG_VERSION")
    )?;
    let settings = Settings::load(options)?;
    let clients = setup::found(&settings).unwrap_or_default();
    for (command, what) in [
        ("pensaer demo", "make a small sample house and look at it in the browser".to_owned()),
        ("pensaer setup", assistants(&clients)),
        ("pensaer doctor", "see what works on this machine, and how to mend what does not".to_owned()),
        ("pensaer serve", "serve MCP over HTTP, the files and the viewer until Ctrl-C".to_owned()),
        ("pensaer --help", "see everything else".to_owned()),
    ] {
        writeln!(out, "  {command:<15} {what}")?;
    }
    if let Err(why) = local::check() {
        writeln!(out, "\nOnly what needs no server works here: {why}.")?;
        return Ok(ExitCode::SUCCESS);
    }
    let folder = settings.data_dir.display();
    // looked at only: a question about a folder makes none
    let running = settings.data_dir.is_dir().then(|| DataFolder::open(&settings.data_dir)).transpose()?;
    match running.as_ref().and_then(client::serving) {
        Some(running) => writeln!(out, "\nModels are in {folder}; a server runs at {}.", running.url)?,
        None if running.is_some() => {
            writeln!(out, "\nModels are in {folder}; no server runs, the first call starts one.")?;
        }
        None => writeln!(out, "\nModels will be in {folder}; there are none yet.")?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The line on assistants, by what was found of them.
fn assistants(clients: &[setup::Found]) -> String {
    let (knowing, others): (Vec<_>, Vec<_>) = clients.iter().partition(|client| client.knows());
    let names =
        |clients: &[&setup::Found]| clients.iter().map(|client| client.title).collect::<Vec<_>>().join(", ");
    match (knowing.as_slice(), others.as_slice()) {
        ([], []) => "make it known to an assistant (none that is known was found here)".to_owned(),
        ([], others) => format!("make it known to the assistants here: {}", names(others)),
        (knowing, []) => format!("known to {} already", names(knowing)),
        (knowing, others) => format!("make it known to {}; {} know it", names(others), names(knowing)),
    }
}
