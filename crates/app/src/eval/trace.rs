//! A scripted trace: calls of public tools in order, where arguments may refer to what earlier calls answered.
//!
//! `{"tool": "create_wall", "as": "south", "arguments": {"level_id": "$project.storeys.0.storey_id", …}}`. Texts that begin with `$`
//! refer as they do in the steps of `run_batch` ([`tools::Answers`]).

use anyhow::{Context, Result};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::path::Path;

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
}

impl Trace {
    /// Reads a trace.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        serde_json::from_str(&text).with_context(|| path.display().to_string())
    }
}
