//! `pensaer demo`: a small sample house, made through the tools as an agent makes one, and shown in the browser.

use crate::eval;
use crate::folder::DataFolder;
use crate::runtime;
use crate::settings::Settings;
use anyhow::{Context, Result};
use clap::Args;
use std::io::Write as _;
use std::process::ExitCode;

/// The calls that make the house.
const HOUSE: &str = include_str!("../../../samples/house.json");

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Only say the addresses, and open no browser.
    #[arg(long)]
    no_browser: bool,
}

/// Makes the house, if it is not there, and shows it.
pub(crate) fn run(settings: &Settings, arguments: &Arguments) -> Result<ExitCode> {
    let mut out = std::io::stdout().lock();
    let shown = runtime::start()?.block_on(eval::show(settings, HOUSE))?;
    let folder = DataFolder::open(&settings.data_dir)?;
    let made = if shown.calls == 0 {
        "is there already".to_owned()
    } else {
        format!("was made by {} calls", shown.calls)
    };
    writeln!(out, "{:?} {made}, in {}.\n", shown.name, folder.root().display())?;
    writeln!(out, "  in your browser   {}", shown.link)?;
    if let Some(running) = folder.running() {
        writeln!(out, "  MCP over HTTP     {}/mcp   (`pensaer local-key` prints the key)", running.url)?;
    }
    writeln!(
        out,
        "\nA server that was started for this ends by itself ten minutes after its last client has left; the house stays."
    )?;
    writeln!(out, "Next: `pensaer setup` makes Pensaer known to the assistants on this machine.")?;
    if !arguments.no_browser
        && let Err(error) = exec::sandbox::open_in_browser(&shown.link)
    {
        writeln!(out, "\nNo browser was opened ({error}): open the first address yourself.")?;
    }
    out.flush().context("standard output")?;
    Ok(ExitCode::SUCCESS)
}
