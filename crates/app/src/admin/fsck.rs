//! `pensaer admin fsck`: whether everything that was acknowledged is there and as it was written, and what can be brought back from
//! where.

use super::{beside, heads};
use crate::runtime;
use crate::settings::Settings;
use anyhow::Result;
use clap::Args;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use store::Inspection;

/// The name of a repair in the audit log.
const REPAIR: &str = "admin fsck --repair";

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Read every file and every change, hold each version's id against them, and open every head, which takes as long as reading
    /// them.
    #[arg(long)]
    deep: bool,
    /// A copy that `admin backup` made, to look into for what is damaged here.
    #[arg(long, value_name = "DIR")]
    copy: Option<PathBuf>,
    /// Bring back what was found again and is proven by its hash. Take a copy of the data folder before.
    #[arg(long)]
    repair: bool,
}

pub(super) fn run(settings: &Settings, arguments: &Arguments) -> Result<ExitCode> {
    runtime::start()?.block_on(async {
        let store = beside(settings).await?;
        let mut found = store.inspect(arguments.deep, arguments.copy.as_deref()).await?;
        if arguments.repair && found.findings.iter().any(|finding| finding.is_mendable) {
            let mended = store.repair(&found, &runtime::user(), REPAIR).await?;
            tell(&found)?;
            let verb = if mended == 1 { "was" } else { "were" };
            writeln!(io::stdout(), "{mended} {verb} brought back; looking again:")?;
            found = store.inspect(arguments.deep, arguments.copy.as_deref()).await?;
        }
        let mut opened = None;
        if arguments.deep {
            let (closed, count) = heads::open_all(settings, &store).await?;
            found.findings.extend(closed);
            opened = Some(count);
        }
        conclude(&found, opened)
    })
}

/// Prints what was found, one finding in a line and what can be done about it in the next.
fn tell(found: &Inspection) -> Result<()> {
    let mut out = io::stdout().lock();
    for note in &found.notes {
        writeln!(out, "note: {note}")?;
    }
    for finding in &found.findings {
        writeln!(out, "{}", finding.problem)?;
        if let Some(remedy) = &finding.remedy {
            let how = if finding.is_mendable { "; `--repair` brings it back" } else { "" };
            writeln!(out, "  {remedy}{how}")?;
        }
    }
    Ok(())
}

fn conclude(found: &Inspection, opened: Option<usize>) -> Result<ExitCode> {
    tell(found)?;
    if found.findings.is_empty() {
        match opened {
            Some(1) => writeln!(io::stdout(), "all is well; 1 head opens")?,
            Some(count) => writeln!(io::stdout(), "all is well; {count} heads open")?,
            None => writeln!(io::stdout(), "all is well")?,
        }
        return Ok(ExitCode::SUCCESS);
    }
    let count = found.findings.len();
    writeln!(
        io::stderr(),
        "{} found. Make a copy of the data folder before anything else; a backup has what is missing here, under the same hash.",
        if count == 1 { "1 problem was".to_owned() } else { format!("{count} problems were") }
    )?;
    Ok(ExitCode::FAILURE)
}
