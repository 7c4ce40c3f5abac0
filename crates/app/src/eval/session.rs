//! A client's work on one data folder, counted: calls, failures, characters to and fro, criteria.

use super::trace::{Call, Trace, filled};
use anyhow::{Context, Result, bail};
use mcp::client::{Answered, Client, OfferedTool};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::path::Path;
use std::time::Instant;
use tools::Answers;

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

/// One call, as the record of a run tells it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CallRecord {
    /// The tool.
    pub tool: String,
    /// Characters of its arguments.
    pub sent: usize,
    /// Characters of its answer.
    pub received: usize,
    /// Milliseconds until it was answered.
    pub ms: f64,
    /// The Fault, where it ended in one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
}

/// The judgement of `validate_model` on a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Validity {
    /// No error of syntax, types, cardinalities, references and the schema's own rules.
    pub schema: bool,
    /// No error and no warning of buildingSMART's rules: agreements of implementers and the practice of the industry.
    pub practice: bool,
    /// Errors and warnings.
    pub findings: u64,
    /// The findings, in a sentence; none where there is no error and no warning.
    pub faults: Option<String>,
}

/// A client with a tally.
pub struct Session {
    client: Client,
    /// The cost of the run so far.
    pub tally: Tally,
    /// Its calls, in order.
    pub calls: Vec<CallRecord>,
    /// The answers of changes that were not sound.
    pub problems: Vec<String>,
    /// The last words of a trace.
    pub words: Option<String>,
}

impl Session {
    /// Wraps a client that has shaken hands.
    pub fn new(client: Client) -> Self {
        Self { client, tally: Tally::default(), calls: Vec::new(), problems: Vec::new(), words: None }
    }

    /// The tools on offer.
    pub async fn tools(&self) -> Result<Vec<OfferedTool>> {
        Ok(self.client.tools().await?)
    }

    /// Calls a tool and counts it.
    pub async fn call(&mut self, tool: &str, arguments: Map<String, Value>) -> Result<Answered> {
        let sent = serde_json::to_string(&arguments)?.chars().count();
        let begun = Instant::now();
        let answer = self.client.call(tool, arguments).await?;
        let ms = begun.elapsed().as_secs_f64() * 1e3;
        let received = answer.text.chars().count();
        self.tally.calls += 1;
        self.tally.failed += u32::from(answer.is_error);
        self.tally.characters += sent + received;
        let fault = answer.is_error.then(|| answer.text.clone());
        self.calls.push(CallRecord { tool: tool.to_owned(), sent, received, ms, fault });
        Ok(answer)
    }

    /// Counts a call whose arguments could not be read as one that failed.
    pub fn note_unreadable(&mut self, tool: &str, problem: &str) {
        self.tally.calls += 1;
        self.tally.failed += 1;
        let fault = Some(problem.to_owned());
        self.calls.push(CallRecord {
            tool: tool.to_owned(),
            sent: 0,
            received: problem.chars().count(),
            ms: 0.0,
            fault,
        });
    }

    /// Makes the calls of a trace, and says its last words; stops at the first call that fails.
    pub async fn play(&mut self, trace: &Trace) -> Result<()> {
        let answers = self.make(&trace.calls).await?;
        self.words = trace.reply.as_ref().map(|reply| filled(reply, &answers)).transpose()?;
        Ok(())
    }

    /// Makes the calls that come before a run, and forgets what they cost.
    pub async fn prepare(&mut self, calls: &[Call]) -> Result<()> {
        self.make(calls).await.context("before the run")?;
        (self.tally, self.calls, self.problems) = (Tally::default(), Vec::new(), Vec::new());
        Ok(())
    }

    async fn make(&mut self, calls: &[Call]) -> Result<Answers> {
        let mut answers = Answers::default();
        for (position, call) in calls.iter().enumerate() {
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
        Ok(answers)
    }

    /// Asks without counting: what the runner wants to know is no part of the run.
    pub async fn ask(&self, tool: &str, arguments: Value) -> Result<Value> {
        let Value::Object(arguments) = arguments else { bail!("arguments are no object") };
        let answer = self.client.call(tool, arguments).await?;
        if answer.is_error {
            bail!("{tool}: {}", answer.text);
        }
        Ok(answer.structured)
    }

    /// Asks without counting whether a question has an answer that is no Fault.
    pub async fn ask_whether(&self, tool: &str, arguments: Value) -> Result<bool> {
        let Value::Object(arguments) = arguments else { bail!("arguments are no object") };
        Ok(!self.client.call(tool, arguments).await?.is_error)
    }

    /// Loads a model from a file; returns its id and version.
    pub async fn load(&self, file: &Path) -> Result<(String, String)> {
        let answer = self.ask("load_model", json!({"file_path": file})).await?;
        let text = |name: &str| answer.get(name).and_then(Value::as_str).map(str::to_owned);
        text("model_id").zip(text("model_version")).with_context(|| format!("load_model answered {answer}"))
    }

    /// The newest version of a model.
    pub async fn version(&self, model: &str) -> Result<String> {
        let answer = self.ask("list_versions", json!({"model_id": model, "limit": 1})).await?;
        let newest = answer.pointer("/versions/0/version").and_then(Value::as_str).map(str::to_owned);
        newest.with_context(|| format!("list_versions answered {answer}"))
    }

    /// The model that was changed last, if there is any.
    pub async fn latest_model(&self) -> Result<Option<String>> {
        let models = self.ask("list_models", json!({"limit": 1})).await?;
        Ok(models.pointer("/models/0/model_id").and_then(Value::as_str).map(str::to_owned))
    }

    /// Returns the id of the model of a name, if there is one.
    pub async fn model_named(&self, name: &str) -> Result<Option<String>> {
        let models = self.ask("list_models", json!({"limit": 200})).await?;
        let rows =
            models.get("models").and_then(Value::as_array).context("list_models answered no models")?;
        let text = |row: &Value, member: &str| row.get(member).and_then(Value::as_str).map(str::to_owned);
        let found = rows.iter().find(|row| text(row, "name").as_deref() == Some(name));
        found.map(|row| text(row, "model_id").context("a model without an id")).transpose()
    }

    /// Returns the address of the viewer on a model.
    pub async fn link(&self, model: &str) -> Result<String> {
        let answer = self.ask("view_model", json!({"model_id": model})).await?;
        let link = answer.pointer("/links/0/href").or_else(|| answer.get("url")).and_then(Value::as_str);
        Ok(link.with_context(|| format!("view_model gave no link: {answer}"))?.to_owned())
    }

    /// Looks at a model by our own rules; `None` where nobody here can say.
    pub async fn validity(&self, model: &str) -> Option<Validity> {
        let found = self.ask("validate_model", json!({"model_id": model, "limit": 3})).await.ok()?;
        let count = |found: &Value, level: &str| {
            found.get("counts").and_then(|counts| counts.get(level)).and_then(Value::as_u64).unwrap_or(0)
        };
        let (errors, warnings) = (count(&found, "error"), count(&found, "warning"));
        let practice = if errors + warnings == 0 {
            found.clone()
        } else {
            let ask = json!({"model_id": model, "parts": ["implementer"], "limit": 1});
            self.ask("validate_model", ask).await.ok()?
        };
        let families = found.get("families").and_then(Value::as_array).into_iter().flatten();
        let is_met = |line: &Value| line.get("met") == Some(&Value::Bool(true));
        let of_schema =
            |line: &&Value| matches!(line.get("family").and_then(Value::as_str), Some("schema" | "rules"));
        let groups = found.get("groups").map(Value::to_string).unwrap_or_default();
        Some(Validity {
            schema: families.filter(of_schema).all(is_met),
            findings: errors + warnings,
            practice: count(&practice, "error") + count(&practice, "warning") == 0,
            faults: (errors + warnings > 0)
                .then(|| format!("validate_model: {errors} errors, {warnings} warnings, such as {groups}")),
        })
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
