//! A scripted trace: calls of public tools in order, where arguments may refer to what earlier calls answered.
//!
//! `{"tool": "create_wall", "as": "south", "arguments": {"level_id": "$project.storeys.0.storey_id", …}}`. Texts that begin with `$`
//! refer as they do in the steps of `run_batch` ([`tools::Answers`]).

use anyhow::{Context, Result, anyhow};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::Path;
use tools::Answers;

/// One call.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Call {
    /// The tool.
    pub tool: String,
    /// The name by which later calls refer to its answer.
    #[serde(default, rename = "as")]
    pub name: Option<String>,
    /// Its arguments.
    #[serde(default)]
    pub arguments: Map<String, Value>,
    /// Why a person who reads the trace finds it here.
    #[serde(default)]
    #[expect(dead_code, reason = "for readers of the trace")]
    pub note: Option<String>,
}

/// The calls of a case or of a sample.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trace {
    /// The title of the result.
    #[expect(dead_code, reason = "for readers of the trace")]
    pub title: String,
    /// The name of the model that it makes.
    #[serde(default)]
    pub model: Option<String>,
    /// The calls.
    pub calls: Vec<Call>,
    /// The last words, where the case asks for an answer; `{$name.path}` in them stands for a part of what a call answered.
    #[serde(default)]
    pub reply: Option<String>,
}

impl Trace {
    /// Reads a trace.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        serde_json::from_str(&text).with_context(|| path.display().to_string())
    }

    /// Reads a trace that comes with the program.
    pub fn built_in(text: &str) -> Result<Self> {
        serde_json::from_str(text).context("a trace of this program")
    }

    /// Reads the trace of a case from a folder: a file of its id, or its entry in a file that is named like the file of the case.
    pub fn of_case(folder: &Path, set: &str, id: &str) -> Result<Self> {
        let own = folder.join(format!("{id}.json"));
        if own.exists() {
            return Self::read(&own);
        }
        let common = folder.join(format!("{set}.json"));
        let about = || format!("{id} has no trace: neither {} nor {}", own.display(), common.display());
        let text = std::fs::read_to_string(&common).with_context(about)?;
        let mut all: BTreeMap<String, Self> =
            serde_json::from_str(&text).with_context(|| common.display().to_string())?;
        all.remove(id).with_context(about)
    }
}

/// Fills the parts of answers into a text: `{$name.path}`. Lists are joined by commas.
pub fn filled(text: &str, answers: &Answers) -> Result<String> {
    let (mut out, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once("{$") {
        let (path, after) = after.split_once('}').with_context(|| format!("{text}: `{{$` without an end"))?;
        out.push_str(before);
        let part =
            answers.resolve(&Value::String(format!("${path}"))).map_err(|fault| anyhow!(fault.message))?;
        out.push_str(&said(&part));
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}

fn said(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(said).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}
