//! A scripted trace: calls of public tools in order, where arguments may refer to what earlier calls answered.
//!
//! `{"tool": "create_wall", "as": "south", "arguments": {"level_id": "$project.storeys.0.storey_id", …}}`. A string that
//! begins with `$` is replaced by a part of an earlier answer: the name given by `as` (or the number of the call, from 1),
//! then members and positions by dot; `[Name=South]` picks the member of a list whose `Name` is `South`.

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::HashMap;
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

/// The answers of earlier calls.
#[derive(Default)]
pub struct Answers(HashMap<String, Value>);

impl Answers {
    /// Keeps the answer of call number `position` (from 1).
    pub fn keep(&mut self, position: usize, name: Option<&str>, answer: Value) {
        if let Some(name) = name {
            self.0.insert(name.to_owned(), answer.clone());
        }
        self.0.insert(position.to_string(), answer);
    }

    /// Arguments with every reference replaced.
    pub fn resolve(&self, value: &Value) -> Result<Value> {
        Ok(match value {
            Value::String(text) => match text.strip_prefix('$') {
                Some(path) => self.look_up(path).with_context(|| format!("nothing at {text}"))?,
                None => value.clone(),
            },
            Value::Array(items) => {
                Value::Array(items.iter().map(|item| self.resolve(item)).collect::<Result<_>>()?)
            }
            Value::Object(map) => Value::Object(
                map.iter()
                    .map(|(key, item)| Ok((key.clone(), self.resolve(item)?)))
                    .collect::<Result<_>>()?,
            ),
            other => other.clone(),
        })
    }

    fn look_up(&self, path: &str) -> Result<Value> {
        let mut parts = split(path).into_iter();
        let name = parts.next().unwrap_or_default();
        let mut at = self.0.get(name).with_context(|| format!("no call is named {name}"))?;
        for part in parts {
            at = step(at, part).with_context(|| format!("no {part} in {at}"))?;
        }
        Ok(at.clone())
    }
}

/// Splits at the dots outside of brackets; a bracket begins a part of its own.
fn split(path: &str) -> Vec<&str> {
    let (mut parts, mut from, mut inside) = (Vec::new(), 0, false);
    for (at, character) in path.char_indices() {
        match character {
            '[' => {
                parts.push(path.get(from..at).unwrap_or_default());
                (from, inside) = (at, true);
            }
            ']' => inside = false,
            '.' if !inside => {
                parts.push(path.get(from..at).unwrap_or_default());
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(path.get(from..).unwrap_or_default());
    parts.retain(|part| !part.is_empty());
    parts
}

fn step<'v>(value: &'v Value, part: &str) -> Result<&'v Value> {
    let found = if let Some(test) = part.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        let Some((key, wanted)) = test.split_once('=') else { bail!("[{test}] is no test") };
        let is_it = |item: &&Value| match item.get(key) {
            Some(Value::String(text)) => text == wanted,
            Some(other) => format!("{other}") == wanted,
            None => false,
        };
        value.as_array().and_then(|items| items.iter().find(is_it))
    } else if let Some(items) = value.as_array() {
        part.parse::<usize>().ok().and_then(|at| items.get(at))
    } else {
        value.get(part)
    };
    found.context("absent")
}
