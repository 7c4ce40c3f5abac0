//! `pensaer admin audit`: whether the log is as it was written, and the log for other programs.

use super::beside;
use crate::runtime;
use crate::settings::Settings;
use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use std::io::{self, BufWriter, Write as _};
use std::process::ExitCode;
use store::AuditHead;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Find any entry that was changed, removed or moved, and any row that is not as its entry says; exit code 1 if there is one.
    Verify {
        /// A head that was noted elsewhere, as `verify` prints it: SEQUENCE:HASH. It has to be in the log still.
        #[arg(long, value_name = "SEQUENCE:HASH")]
        head: Vec<String>,
    },
    /// Print the log as JSON Lines, the oldest entry first.
    Export {
        /// Only entries after this one.
        #[arg(long, value_name = "SEQUENCE", default_value_t = 0)]
        after: u64,
    },
}

pub(super) fn run(settings: &Settings, arguments: &Arguments) -> Result<ExitCode> {
    runtime::start()?.block_on(async {
        let store = beside(settings).await?;
        match &arguments.command {
            Command::Verify { head } => {
                let known = head.iter().map(|text| parse(text)).collect::<Result<Vec<_>>>()?;
                match store.verify_audit_against(known).await? {
                    Ok(AuditHead { sequence, hash, .. }) => {
                        writeln!(io::stdout(), "{sequence} entries hold. Head: {sequence}:{hash}")?;
                        Ok(ExitCode::SUCCESS)
                    }
                    Err(problems) => {
                        for problem in &problems {
                            writeln!(io::stderr(), "the audit log does not hold: {problem}")?;
                        }
                        Ok(ExitCode::FAILURE)
                    }
                }
            }
            Command::Export { after } => {
                let mut out = BufWriter::new(io::stdout().lock());
                let mut after = *after;
                loop {
                    let entries = store.audit_after(after, 200).await?;
                    let Some(last) = entries.last() else { break };
                    after = last.sequence;
                    for entry in &entries {
                        serde_json::to_writer(&mut out, entry)?;
                        out.write_all(b"\n")?;
                    }
                }
                out.flush()?;
                Ok(ExitCode::SUCCESS)
            }
        }
    })
}

fn parse(text: &str) -> Result<(u64, String)> {
    let (sequence, hash) = text.split_once(':').context("a head is SEQUENCE:HASH")?;
    if hash.len() != 64 {
        bail!("`{hash}` is no SHA-256 in hexadecimal");
    }
    Ok((sequence.parse().with_context(|| format!("`{sequence}` is no number"))?, hash.to_owned()))
}
