//! A client's work on one data folder, counted: calls, failures, characters to and fro, criteria.

use super::case::Criterion;
use super::trace::{Answers, Trace};
use anyhow::{Context, Result, bail};
use mcp::client::{Answered, Client, OfferedTool};
use serde_json::{Map, Value, json};
use std::path::Path;

/// The cost of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Calls of tools.
    pub calls: u32,
    /// The number of calls that ended in a Fault.
    pub failed: u32,
    /// Characters of arguments and answers.
    pub characters: usize,
}

impl Tally {
    /// The share of calls that succeeded, in percent.
    pub fn success(self) -> f64 {
        if self.calls == 0 {
            0.0
        } else {
            100.0 * f64::from(self.calls - self.failed) / f64::from(self.calls)
        }
    }
}

/// A criterion and what was found.
#[derive(Debug, Clone)]
pub struct Finding {
    /// The criterion.
    pub criterion: Criterion,
    /// The number of elements that its selector selects, or the reason why it could not be evaluated.
    pub found: Result<u64, String>,
}

impl Finding {
    /// True if the criterion is met.
    pub fn met(&self) -> bool {
        self.found.as_ref().is_ok_and(|found| self.criterion.wanted.holds(*found))
    }
}

/// A client with a tally.
pub struct Session {
    client: Client,
    /// The cost of the run so far.
    pub tally: Tally,
    /// The answers of changes that were not sound.
    pub problems: Vec<String>,
}

impl Session {
    /// Wraps a client that has shaken hands.
    pub fn new(client: Client) -> Self {
        Self { client, tally: Tally::default(), problems: Vec::new() }
    }

    /// The tools on offer.
    pub async fn tools(&self) -> Result<Vec<OfferedTool>> {
        Ok(self.client.tools().await?)
    }

    /// Calls a tool and counts it.
    pub async fn call(&mut self, tool: &str, arguments: Map<String, Value>) -> Result<Answered> {
        let sent = serde_json::to_string(&arguments)?.chars().count();
        let answer = self.client.call(tool, arguments).await?;
        self.tally.calls += 1;
        self.tally.failed += u32::from(answer.is_error);
        self.tally.characters += sent + answer.text.chars().count();
        Ok(answer)
    }

    /// Makes the calls of a trace; stops at the first that fails.
    pub async fn play(&mut self, trace: &Trace) -> Result<()> {
        let mut answers = Answers::default();
        for (position, call) in trace.calls.iter().enumerate() {
            let at = || format!("call {} ({})", position + 1, call.tool);
            let Value::Object(arguments) =
                answers.resolve(&Value::Object(call.arguments.clone())).with_context(at)?
            else {
                bail!("{}: arguments are no object", at());
            };
            let answer = self.call(&call.tool, arguments).await.with_context(at)?;
            if answer.is_error {
                bail!("{}: {}", at(), answer.text);
            }
            if let Some(sound) = answer.structured.get("sound").filter(|sound| **sound != Value::Bool(true)) {
                self.problems.push(format!("{}: sound is {sound}", at()));
            }
            answers.keep(position + 1, call.name.as_deref(), answer.structured);
        }
        Ok(())
    }

    /// Asks without counting: what the runner wants to know is no part of the run.
    async fn ask(&self, tool: &str, arguments: Value) -> Result<Value> {
        let Value::Object(arguments) = arguments else { bail!("arguments are no object") };
        let answer = self.client.call(tool, arguments).await?;
        if answer.is_error {
            bail!("{tool}: {}", answer.text);
        }
        Ok(answer.structured)
    }

    /// The model that was changed last, if there is any.
    pub async fn latest_model(&self) -> Result<Option<String>> {
        let models = self.ask("list_models", json!({"limit": 1})).await?;
        Ok(models.pointer("/models/0/model_id").and_then(Value::as_str).map(str::to_owned))
    }

    /// True if there is a model of this name.
    pub async fn has_model(&self, name: &str) -> Result<bool> {
        let models = self.ask("list_models", json!({"limit": 200})).await?;
        let rows =
            models.get("models").and_then(Value::as_array).context("list_models answered no models")?;
        Ok(rows.iter().any(|row| row.get("name").and_then(Value::as_str) == Some(name)))
    }

    /// Checks the criteria by the selectors that an agent would use.
    pub async fn check(&self, model: &str, criteria: &[Criterion]) -> Vec<Finding> {
        let mut findings = Vec::with_capacity(criteria.len());
        for criterion in criteria {
            let question = json!({"model_id": model, "selector": criterion.selector, "limit": 1});
            let found = match self.ask("query_elements", question).await {
                Ok(answer) => {
                    answer.get("total").and_then(Value::as_u64).ok_or(format!("no total in {answer}"))
                }
                Err(error) => Err(format!("{error:#}")),
            };
            findings.push(Finding { criterion: criterion.clone(), found });
        }
        findings
    }

    /// Errors and warnings of a model by our own rules, in a sentence; `None` where it has none or nobody here can say.
    pub async fn faults_of(&self, model: &str) -> Option<String> {
        let found = self.ask("validate_model", json!({"model_id": model, "limit": 3})).await.ok()?;
        let count = |level: &str| {
            found.get("counts").and_then(|counts| counts.get(level)).and_then(Value::as_u64).unwrap_or(0)
        };
        let (errors, warnings) = (count("error"), count("warning"));
        let groups = found.get("groups").map(Value::to_string).unwrap_or_default();
        (errors + warnings > 0)
            .then(|| format!("validate_model: {errors} errors, {warnings} warnings, such as {groups}"))
    }

    /// Writes the model to a file.
    pub async fn save(&self, model: &str, file: &Path) -> Result<()> {
        let arguments = json!({"model_id": model, "file_path": file, "overwrite": true});
        self.ask("save_model", arguments).await.map(drop)
    }

    /// Says goodbye.
    pub async fn close(self) -> Result<()> {
        Ok(self.client.close().await?)
    }
}
