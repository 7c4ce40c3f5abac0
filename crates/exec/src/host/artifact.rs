//! From what an adapter returned to what the caller reads: deltas encoded once and kept under the version they make, new
//! files put where the caller said, the result measured, and the manifest written.

use super::Host;
use super::cache::Held;
use contract::{
    Artifact, Change, Fault, FaultCode, FileOut, Manifest, ManifestInput, ModelKind, ModelRef, Outcome,
    Request, Source, VersionId, json_sha256, sha256_hex,
};
use serde_json::Value;
use std::io;
use std::path::Path;
use std::time::Duration;

/// A delta up to this size travels in the answer; a larger one as a file, where the caller gave a folder for files.
const INLINE: usize = 1 << 20;

pub(super) struct Timing {
    pub(super) started_ms: u64,
    pub(super) duration: Duration,
}

impl Host {
    /// Makes the artifact of an adapter's outcome.
    pub(super) fn assemble(
        &self,
        adapter: usize,
        request: &Request,
        held: &[Held],
        outcome: Outcome,
        timing: Timing,
    ) -> Result<Artifact, Fault> {
        self.check_size(request, &outcome)?;
        let mut changes = Vec::with_capacity(outcome.changes.len() + 1);
        for (role, delta, after) in outcome.changes {
            let Some((input, before)) = request.models.iter().zip(held).find(|(input, _)| input.role == role)
            else {
                return Err(Fault::backend(format!(
                    "{} changed a model {role:?} that the request does not name. Nothing was committed.",
                    request.operation.name
                )));
            };
            let bytes = delta.encode();
            let version = VersionId::of_delta(&input.version, &bytes);
            let name = format!("{}-{}.delta", file_stem(request), changes.len());
            let source = place(request, &name, &bytes)?;
            self.cache.insert((adapter, version), after, Some(before.lineage));
            changes.push(Change { role, kind: delta.kind, delta: Some(source), file: None });
        }
        if let Some((kind, bytes)) = outcome.new_model {
            let file = new_file(request, kind, &bytes)?;
            changes.push(Change { role: "new".into(), kind, delta: None, file: Some(file) });
        }
        let info = self.info.adapters.get(adapter);
        let inputs = request.models.iter().map(|input| ManifestInput {
            role: input.role.clone(),
            model: ModelRef { id: input.id.clone(), version: Some(input.version.clone()) },
        });
        Ok(Artifact {
            manifest: Manifest {
                operation_id: request.operation_id.clone(),
                tool: request.operation.name.clone(),
                adapter: info.map(|info| info.name.clone()).unwrap_or_default(),
                adapter_version: info.map(|info| info.version.clone()).unwrap_or_default(),
                inputs: inputs.collect(),
                params_sha256: json_sha256(&request.operation.params),
                started_ms: timing.started_ms,
                duration_us: timing.duration.as_micros() as u64,
                actor: request.actor.clone(),
                reasoning: request.reasoning.clone(),
                sandbox: self.info.sandbox.walls(),
            },
            changes,
            files: outcome.files,
            result: outcome.result,
            diff_summary: outcome.diff_summary,
            diff_raw: outcome.diff_raw,
            event_type: outcome.event_type,
        })
    }

    fn check_size(&self, request: &Request, outcome: &Outcome) -> Result<(), Fault> {
        let own = self.config.result_bytes;
        let asked = request.limits.result_bytes;
        let limit = if asked == 0 { own } else { own.min(asked) };
        if outcome.diff_raw.is_none() && at_most(&outcome.result) <= limit {
            return Ok(());
        }
        let mut meter = Meter { left: limit };
        let fits = serde_json::to_writer(&mut meter, &outcome.result).is_ok()
            && serde_json::to_writer(&mut meter, &outcome.diff_raw).is_ok();
        if fits {
            return Ok(());
        }
        Err(Fault::new(
            FaultCode::LimitReached,
            format!(
                "The answer of {} is larger than {limit} bytes. Ask for less: fewer fields, a smaller limit, a \
                 narrower selector.",
                request.operation.name
            ),
        )
        .with("limit", "result_bytes")
        .with("result_bytes", limit))
    }
}

/// Bytes that a value cannot exceed as JSON: what is far below a limit need not be written to be measured.
fn at_most(value: &Value) -> u64 {
    match value {
        Value::Null | Value::Bool(_) => 5,
        Value::Number(_) => 32,
        Value::String(text) => text_at_most(text),
        Value::Array(members) => members.iter().fold(2, |sum, member| sum + 1 + at_most(member)),
        Value::Object(members) => {
            members.iter().fold(2, |sum, (name, member)| sum + 2 + text_at_most(name) + at_most(member))
        }
    }
}

/// A character may be written as six.
fn text_at_most(text: &str) -> u64 {
    2 + 6 * text.len() as u64
}

/// Counts what is written and refuses what is too much.
struct Meter {
    left: u64,
}

impl io::Write for Meter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.left = self.left.checked_sub(bytes.len() as u64).ok_or(io::ErrorKind::FileTooLarge)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The operation's id as far as it may stand in a file name.
fn file_stem(request: &Request) -> String {
    request
        .operation_id
        .as_str()
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || *c == '-')
        .take(64)
        .collect()
}

/// Puts bytes into the answer, or into the caller's folder if they are large and there is one.
fn place(request: &Request, name: &str, bytes: &[u8]) -> Result<Source, Fault> {
    match &request.scratch {
        Some(folder) if bytes.len() > INLINE => write(Path::new(folder), name, bytes),
        _ => Ok(Source::inline(bytes)),
    }
}

fn new_file(request: &Request, kind: ModelKind, bytes: &[u8]) -> Result<FileOut, Fault> {
    let (extension, media_type) = match kind {
        ModelKind::Ifc => ("ifc", "application/x-step"),
        ModelKind::EnergyPlus => ("idf", "text/plain"),
    };
    let name = format!("{}-new.{extension}", file_stem(request));
    let source = match &request.scratch {
        Some(folder) => write(Path::new(folder), &name, bytes)?,
        None => Source::inline(bytes),
    };
    Ok(FileOut {
        role: "new".into(),
        name,
        source,
        sha256: sha256_hex(bytes),
        size: bytes.len() as u64,
        media_type: media_type.into(),
    })
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> Result<Source, Fault> {
    let path = folder.join(name);
    std::fs::write(&path, bytes).map_err(|error| {
        Fault::backend(format!("Cannot write {}: {error}. Nothing was committed.", path.display()))
    })?;
    Ok(Source::Path(path.display().to_string()))
}
