//! `pensaer admin audit`: whether the log is as it was written, its head for somewhere else, and the log for other programs.

use super::beside;
use super::checkpoint::{self, Checkpoint, Signer};
use crate::runtime;
use crate::settings::Settings;
use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use std::fs;
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use store::{AuditHead, Store, now_ms};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Find any entry that was changed, removed or moved, and any row that is not as its entry says; exit code 1 if there is one.
    Verify(Verify),
    /// Write the log's head as it is now, to be kept elsewhere: whoever holds the database cannot write the log anew unseen.
    Checkpoint(Take),
    /// Print the log as JSON Lines, the oldest entry first.
    Export {
        /// Only entries after this one.
        #[arg(long, value_name = "SEQUENCE", default_value_t = 0)]
        after: u64,
    },
}

#[derive(Debug, Args)]
struct Verify {
    /// A head that was noted elsewhere, as `verify` prints it: SEQUENCE:HASH. It has to be in the log still.
    #[arg(long, value_name = "SEQUENCE:HASH")]
    head: Vec<String>,
    /// A checkpoint that was kept elsewhere; its head has to be in the log still.
    #[arg(long, value_name = "FILE")]
    checkpoint: Vec<PathBuf>,
    /// The public key of whoever signed the checkpoints.
    #[arg(long, value_name = "FILE", requires = "checkpoint")]
    public_key: Option<PathBuf>,
}

#[derive(Debug, Args)]
struct Take {
    /// The private key to sign with; without one, the checkpoint is not signed.
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// The file to write; without one, it is printed.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Only make a key: the private one in this file, the public one beside it with `.pub` at its end.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["key", "out"])]
    new_key: Option<PathBuf>,
}

pub(super) fn run(settings: &Settings, arguments: &Arguments) -> Result<ExitCode> {
    if let Command::Checkpoint(Take { new_key: Some(path), .. }) = &arguments.command {
        let public = checkpoint::new_key(path)?;
        writeln!(
            io::stdout(),
            "{} signs checkpoints; keep it where the database is not. {} verifies them.",
            path.display(),
            public.display()
        )?;
        return Ok(ExitCode::SUCCESS);
    }
    runtime::start()?.block_on(async {
        let store = beside(settings).await?;
        match &arguments.command {
            Command::Verify(arguments) => verify(&store, arguments).await,
            Command::Checkpoint(arguments) => take(&store, arguments).await,
            Command::Export { after } => export(&store, *after).await,
        }
    })
}

async fn verify(store: &Store, arguments: &Verify) -> Result<ExitCode> {
    let mut known = arguments.head.iter().map(|text| parse(text)).collect::<Result<Vec<_>>>()?;
    let mut problems = Vec::new();
    for path in &arguments.checkpoint {
        let checkpoint = Checkpoint::read(path)?;
        match signed(&checkpoint, path, arguments.public_key.as_deref()) {
            Ok(said) => writeln!(io::stdout(), "{said}")?,
            Err(error) => {
                // what it says is worth nothing, and not held against the log
                problems.push(format!("{}: {error}", path.display()));
                continue;
            }
        }
        let AuditHead { database, sequence, hash } = checkpoint.head;
        let here = store.audit_head().await?.database;
        if database != here {
            problems.push(format!(
                "{}: it is of the database {database}, and this one is {here}: another one, or made anew",
                path.display()
            ));
        }
        if sequence > 0 {
            known.push((sequence, hash));
        }
    }
    match store.verify_audit_against(known).await? {
        Ok(head) if problems.is_empty() => {
            let AuditHead { sequence, hash, .. } = head;
            writeln!(io::stdout(), "{sequence} entries hold. Head: {sequence}:{hash}")?;
            return Ok(ExitCode::SUCCESS);
        }
        Ok(_) => {}
        Err(found) => problems.extend(found),
    }
    for problem in &problems {
        writeln!(io::stderr(), "the audit log does not hold: {problem}")?;
    }
    Ok(ExitCode::FAILURE)
}

/// Says who signed a checkpoint; an error where the signature is not what it should be.
fn signed(checkpoint: &Checkpoint, path: &Path, public_key: Option<&Path>) -> Result<String> {
    let (file, sequence) = (path.display(), checkpoint.head.sequence);
    Ok(match checkpoint.signer(public_key)? {
        Signer::Known => format!("{file}: entry {sequence}, signed with the key that was given"),
        Signer::Somebody(key) => {
            format!(
                "{file}: entry {sequence}, signed with the key {key}; `--public-key` says whose that has to be"
            )
        }
        Signer::Nobody => {
            format!("{file}: entry {sequence}, not signed: trust it as far as the place it was kept in")
        }
    })
}

async fn take(store: &Store, arguments: &Take) -> Result<ExitCode> {
    // a log that does not hold is not to be vouched for
    let head = match store.verify_audit_against(Vec::new()).await? {
        Ok(head) => head,
        Err(problems) => {
            for problem in &problems {
                writeln!(io::stderr(), "the audit log does not hold: {problem}")?;
            }
            return Ok(ExitCode::FAILURE);
        }
    };
    if head.sequence == 0 {
        bail!("the audit log has no entry yet");
    }
    let checkpoint = Checkpoint::new(head, now_ms(), arguments.key.as_deref())?;
    let text = serde_json::to_string_pretty(&checkpoint)? + "\n";
    match &arguments.out {
        None => io::stdout().write_all(text.as_bytes())?,
        Some(path) => {
            fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
            let signed = if arguments.key.is_some() { "" } else { ", not signed" };
            writeln!(
                io::stdout(),
                "entry {} is noted in {}{signed}. Keep it where the database is not.",
                checkpoint.head.sequence,
                path.display()
            )?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

async fn export(store: &Store, mut after: u64) -> Result<ExitCode> {
    let mut out = BufWriter::new(io::stdout().lock());
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

fn parse(text: &str) -> Result<(u64, String)> {
    let (sequence, hash) = text.split_once(':').context("a head is SEQUENCE:HASH")?;
    if hash.len() != 64 {
        bail!("`{hash}` is no SHA-256 in hexadecimal");
    }
    Ok((sequence.parse().with_context(|| format!("`{sequence}` is no number"))?, hash.to_owned()))
}
