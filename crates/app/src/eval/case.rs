//! An evaluation case: what an agent is asked for, and what must then be found in the model.
//!
//! The files are those of a published study, in its own form: a map from the case's id to `prompt` and
//! `success_criteria`, with `element_existence` (class → how many) and `element_features` (name → selector, how many).
//! A bare integer means exactly that many; a missing `min` means at least one; a missing or null `max` any number.

use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::path::Path;

/// The number of elements that a criterion wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    /// At least so many.
    pub min: u64,
    /// At most so many, if there is a limit.
    pub max: Option<u64>,
}

impl Count {
    /// True if this many will do.
    pub fn holds(self, found: u64) -> bool {
        found >= self.min && self.max.is_none_or(|max| found <= max)
    }

    fn parse(value: Option<&Value>) -> Result<Self> {
        match value {
            None => Ok(Self { min: 1, max: None }),
            Some(Value::Number(exactly)) => {
                let exactly = exactly.as_u64().with_context(|| format!("{exactly} is no count"))?;
                Ok(Self { min: exactly, max: Some(exactly) })
            }
            Some(Value::Object(range)) => {
                let bound = |name: &str| match range.get(name) {
                    None | Some(Value::Null) => Ok(None),
                    Some(value) => {
                        value.as_u64().map(Some).with_context(|| format!("{name} {value} is no count"))
                    }
                };
                Ok(Self { min: bound("min")?.unwrap_or(1), max: bound("max")? })
            }
            Some(other) => bail!("{other} is neither a count nor a range"),
        }
    }
}

impl std::fmt::Display for Count {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.max {
            Some(max) if max == self.min => write!(out, "{max}"),
            Some(max) => write!(out, "{} to {max}", self.min),
            None => write!(out, "at least {}", self.min),
        }
    }
}

/// One thing that must be found in the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Criterion {
    /// The class or the feature's name.
    pub name: String,
    /// A selector in IfcOpenShell's syntax.
    pub selector: String,
    /// The number of elements that it has to select.
    pub wanted: Count,
}

/// A case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// Its id in the study.
    pub id: String,
    /// The task of the agent.
    pub prompt: String,
    /// The criteria of the outcome.
    pub criteria: Vec<Criterion>,
}

impl Case {
    /// Reads a file of one or more cases.
    pub fn read(path: &Path) -> Result<Vec<Self>> {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        Self::parse(&text).with_context(|| path.display().to_string())
    }

    /// Reads the text of such a file.
    pub fn parse(text: &str) -> Result<Vec<Self>> {
        let Value::Object(cases) = serde_json::from_str(text)? else { bail!("not a map of cases") };
        cases.iter().map(|(id, case)| Self::one(id, case).with_context(|| id.clone())).collect()
    }

    fn one(id: &str, case: &Value) -> Result<Self> {
        let prompt = case.get("prompt").and_then(Value::as_str).context("no prompt")?.to_owned();
        let section = |name: &str| case.get("success_criteria")?.get(name)?.as_object();
        let mut criteria = Vec::new();
        for (class, count) in section("element_existence").into_iter().flatten() {
            let wanted = Count::parse(Some(count)).with_context(|| class.clone())?;
            criteria.push(Criterion { name: class.clone(), selector: class.clone(), wanted });
        }
        for (name, feature) in section("element_features").into_iter().flatten() {
            let (selector, wanted) = match feature {
                Value::String(selector) => (selector.clone(), Count::parse(None)?),
                feature => {
                    let selector = feature.get("selector").and_then(Value::as_str);
                    (
                        selector.with_context(|| format!("{name}: no selector"))?.to_owned(),
                        Count::parse(Some(feature))?,
                    )
                }
            };
            criteria.push(Criterion { name: name.clone(), selector, wanted });
        }
        if criteria.is_empty() {
            bail!("no criteria: a case that nothing can fail");
        }
        Ok(Self { id: id.to_owned(), prompt, criteria })
    }
}
