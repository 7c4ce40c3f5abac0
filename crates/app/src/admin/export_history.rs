//! `pensaer admin export-history`: the history of a model as a folder of IFC files with a log, for those who keep files.
//!
//! Every version of every branch becomes a file, from the oldest on, as `save_model` would write it. `history.jsonl` has
//! one line a version, everything that is known of it; `HISTORY.md` says the same to people. Versions are written one
//! after another, and nothing is kept in the bucket that was not there. Each one that leaves is in the audit log.

use crate::client::ask;
use crate::hello::{Reply, Want};
use crate::settings::Settings;
use anyhow::{Context, Result, bail};
use contract::{Action, Fault, FaultCode, ModelRecord, RefRecord, VersionRecord};
use serde_json::{Value, json};
use service::{CallContext, Service};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The action's name in the audit log.
const ACTION: &str = "export_history";
const PAGE: u32 = 100;

#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The model's id or name.
    model: String,
    /// The folder; made if it is not there, and it has to be empty.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

pub(super) fn run(settings: &Settings, arguments: &Arguments) -> Result<ExitCode> {
    let out = &arguments.out;
    std::fs::create_dir_all(out).with_context(|| format!("cannot make {}", out.display()))?;
    let out = std::fs::canonicalize(out).with_context(|| format!("cannot enter {}", out.display()))?;
    let (reply, _) = ask(settings, Want::ExportHistory { model: arguments.model.clone(), out })?;
    match reply {
        Reply::Answer(value) => {
            writeln!(io::stdout(), "{}", serde_json::to_string_pretty(&value)?)?;
            Ok(ExitCode::SUCCESS)
        }
        Reply::Fault(fault) => {
            writeln!(io::stderr(), "{}", serde_json::to_string_pretty(&fault)?)?;
            Ok(ExitCode::FAILURE)
        }
        Reply::Ready => bail!("the daemon did not answer; is it of another version?"),
    }
}

/// The two logs beside the files.
struct Logs {
    lines: BufWriter<File>,
    text: BufWriter<File>,
}

impl Logs {
    fn begin(out: &Path, model: &ModelRecord, refs: &[RefRecord]) -> io::Result<Self> {
        let mut text = BufWriter::new(File::create_new(out.join("HISTORY.md"))?);
        writeln!(text, "# {}\n\nModel {}. Branches:\n", model.name, model.model_id)?;
        for branch in refs {
            writeln!(text, "- {} at {}", branch.name, short(&branch.version.0))?;
        }
        let lines = BufWriter::new(File::create_new(out.join("history.jsonl"))?);
        Ok(Self { lines, text })
    }

    fn add(&mut self, version: &VersionRecord, entry: &Value) -> io::Result<()> {
        serde_json::to_writer(&mut self.lines, entry)?;
        self.lines.write_all(b"\n")?;
        let file = entry.get("file").and_then(Value::as_str).unwrap_or_default();
        self.text.write_all(told(version, file).as_bytes())
    }

    fn end(mut self) -> io::Result<()> {
        for file in [&mut self.lines, &mut self.text] {
            file.flush()?;
            file.get_ref().sync_all()?;
        }
        Ok(())
    }
}

/// Writes the history of a model into a folder that is empty.
pub(crate) async fn export(
    service: &Service,
    context: &CallContext,
    model: &str,
    out: &Path,
) -> Result<Value, Fault> {
    let cannot = |error: io::Error| {
        let problem = format!("{} cannot be written: {error}.", out.display());
        Fault::new(FaultCode::StorageFailed, problem).with("path", out.display().to_string())
    };
    if std::fs::read_dir(out).map_err(cannot)?.next().is_some() {
        return Err(Fault::invalid("out", format!("{} is not empty. Give a new folder.", out.display())));
    }
    let named = json!({ "model_id": model });
    let (model, refs) = service
        .perform(context, ACTION, Action::Query, named, |platform| {
            Box::pin(async move {
                let model = platform.current_model().await?;
                let refs = platform.refs(&model.model_id).await?;
                Ok((model, refs))
            })
        })
        .await?;
    let mut logs = Logs::begin(out, &model, &refs).map_err(cannot)?;
    let (mut cursor, mut written, mut bytes) = (None::<String>, 0_u64, 0_u64);
    loop {
        let named = json!({ "model_id": model.model_id });
        let (id, from) = (model.model_id.clone(), cursor.take());
        let page = service
            .perform(context, ACTION, Action::Query, named, |platform| {
                Box::pin(async move { platform.history(&id, PAGE, from.as_deref()).await })
            })
            .await?;
        for version in &page.items {
            written += 1;
            let file = format!("{written:05}-{}.ifc", short(&version.version.0));
            let (id, of, path) =
                (model.model_id.clone(), version.version.clone(), out.join(&file).display().to_string());
            let named = json!({ "model_id": model.model_id, "model_version": version.version });
            let saved = service
                .perform(context, ACTION, Action::Query, named, |platform| {
                    Box::pin(async move { platform.write_version(&id, &of, &path).await })
                })
                .await?;
            bytes += saved.size;
            let entry = entry(version, &refs, &file, &saved.sha256, saved.size);
            logs.add(version, &entry).map_err(cannot)?;
        }
        match page.next_cursor {
            Some(next) => cursor = Some(next),
            None => break,
        }
    }
    logs.end().map_err(cannot)?;
    Ok(json!({ "model_id": model.model_id, "versions": written, "bytes": bytes, "path": out }))
}

/// Everything that is known of a version, and where its file is.
fn entry(version: &VersionRecord, refs: &[RefRecord], file: &str, sha256: &str, size: u64) -> Value {
    let mut entry = json!(version);
    entry["file"] = file.into();
    entry["sha256"] = sha256.into();
    entry["size"] = size.into();
    let here: Vec<&str> = refs
        .iter()
        .filter(|branch| branch.version == version.version)
        .map(|branch| branch.name.as_str())
        .collect();
    if !here.is_empty() {
        entry["branches"] = json!(here);
    }
    entry
}

/// A version as a paragraph.
fn told(version: &VersionRecord, file: &str) -> String {
    let when = tools::iso_time(version.time_ms);
    let mut text =
        format!("\n## {file}\n\n{} by {}, {when} UTC ({})", version.event_type, version.author, version.tool);
    if let Some(parent) = &version.parent {
        let _ = write!(text, ", on {}", short(&parent.0));
    }
    if let Some(merged) = &version.merged {
        let _ = write!(text, ", merging {}", short(&merged.0));
    }
    if let Some(same) = &version.same_as {
        let _ = write!(text, ", with the content of {}", short(&same.0));
    }
    text.push_str(".\n");
    if let Some(reasoning) = &version.reasoning {
        let _ = write!(text, "\n> {}\n", reasoning.replace('\n', "\n> "));
    }
    if let Some(changes) = version.changes.as_ref().filter(|changes| !changes.is_empty()) {
        text.push('\n');
        for (what, classes) in
            [("added", &changes.added), ("modified", &changes.modified), ("removed", &changes.removed)]
        {
            for (class, count) in classes {
                let _ = writeln!(text, "- {what}: {count} {class}");
            }
        }
    }
    text
}

fn short(version: &str) -> &str {
    version.get(..12).unwrap_or(version)
}
