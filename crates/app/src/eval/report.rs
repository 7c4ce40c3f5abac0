//! The tables that a run prints, and the record that it leaves.

use super::agent::Conversation;
use super::session::{Finding, Tally};
use serde_json::{Value, json};
use std::time::Duration;

/// One run of one case.
pub struct Run {
    /// The case.
    pub case: String,
    /// Calls, failures, characters.
    pub tally: Tally,
    /// The findings on the criteria.
    pub findings: Vec<Finding>,
    /// From the first call to the last.
    pub time: Duration,
    /// The reason, where it ended early.
    pub failure: Option<String>,
    /// The conversation of the language model, if one worked.
    pub talk: Option<Conversation>,
    /// Changes that were not sound, and what `validate_model` finds in the end.
    pub problems: Vec<String>,
}

impl Run {
    /// Counts the criteria that are met.
    pub fn met(&self) -> usize {
        self.findings.iter().filter(|finding| finding.met()).count()
    }

    /// True if it came to its end with every criterion met.
    pub fn succeeded(&self) -> bool {
        self.failure.is_none() && self.met() == self.findings.len()
    }

    /// The run as JSON, with everything said.
    pub fn record(&self) -> Value {
        let criteria: Vec<Value> = self
            .findings
            .iter()
            .map(|finding| {
                let (found, error) = match &finding.found {
                    Ok(found) => (Some(*found), None),
                    Err(error) => (None, Some(error)),
                };
                json!({
                    "name": finding.criterion.name,
                    "selector": finding.criterion.selector,
                    "wanted": finding.criterion.wanted.to_string(),
                    "found": found,
                    "error": error,
                    "met": finding.met()
                })
            })
            .collect();
        json!({
            "case": self.case,
            "kind": if self.talk.is_some() { "agent" } else { "scripted" },
            "calls": self.tally.calls,
            "failed_calls": self.tally.failed,
            "characters": self.tally.characters,
            "seconds": self.time.as_secs_f64(),
            "failure": self.failure,
            "problems": self.problems,
            "criteria": criteria,
            "steps": self.talk.as_ref().map(|talk| talk.steps),
            "tokens": self.talk.as_ref().and_then(|talk| talk.tokens),
            "messages": self.talk.as_ref().map(|talk| &talk.messages),
        })
    }
}

/// The table of scripted runs.
pub fn scripted(runs: &[Run]) -> String {
    let mut text = String::from(
        "Scripted traces: calls written by hand, made through the MCP door. They show what the tools can do;\n\
         they are not to be set against figures of language models.\n\n",
    );
    line(&mut text, &["case", "kind", "calls", "succeeded", "characters", "criteria met", "seconds"]);
    for run in runs {
        line(
            &mut text,
            &[
                &run.case,
                "scripted",
                &run.tally.calls.to_string(),
                &format!("{:.0} %", run.tally.success()),
                &run.tally.characters.to_string(),
                &format!("{} of {}", run.met(), run.findings.len()),
                &format!("{:.2}", run.time.as_secs_f64()),
            ],
        );
    }
    for run in runs {
        text.push_str(&shortfall(run));
    }
    text
}

fn line(text: &mut String, cells: &[&str]) {
    for (at, cell) in cells.iter().enumerate() {
        let width = if at == 0 { 16 } else { 13 };
        let cell = if at == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") };
        text.push_str(&cell);
    }
    text.push('\n');
}

/// Returns the shortfall of a run, in lines.
fn shortfall(run: &Run) -> String {
    let mut text = String::new();
    if let Some(failure) = &run.failure {
        text.extend(["\n", &run.case, ": ended early: ", failure, "\n"]);
    }
    for finding in run.findings.iter().filter(|finding| !finding.met()) {
        let found = match &finding.found {
            Ok(found) => found.to_string(),
            Err(error) => error.clone(),
        };
        let (name, wanted) = (&finding.criterion.name, finding.criterion.wanted.to_string());
        text.extend(["\n", &run.case, ": ", name, " wants ", &wanted, ", found ", &found]);
        text.extend(["\n    ", &finding.criterion.selector, "\n"]);
    }
    text
}

/// The two tables of the study that the cases come from, averaged over the runs of each case.
pub fn agents(model: &str, runs: &[Run]) -> String {
    let mut cases: Vec<&str> = Vec::new();
    for run in runs {
        if !cases.contains(&run.case.as_str()) {
            cases.push(&run.case);
        }
    }
    let of = |case: &str| runs.iter().filter(|run| run.case == case).collect::<Vec<_>>();
    let per_case = runs.len() / cases.len().max(1);
    let mut text = format!("Agent metrics (Table 4): {model}, averages over {per_case} runs\n\n");
    line(&mut text, &["case", "steps", "tool calls", "success (%)", "tokens (K)", "seconds", "characters"]);
    for case in &cases {
        let runs = of(case);
        let tokens: Option<Vec<f64>> =
            runs.iter().map(|run| Some(run.talk.as_ref()?.tokens? as f64 / 1e3)).collect();
        let row = [
            (*case).to_owned(),
            format!(
                "{:.1}",
                mean(runs.iter().map(|run| run.talk.as_ref().map_or(0.0, |talk| f64::from(talk.steps))))
            ),
            format!("{:.1}", mean(runs.iter().map(|run| f64::from(run.tally.calls)))),
            format!("{:.1}", mean(runs.iter().map(|run| run.tally.success()))),
            tokens.map_or("not measured".into(), |tokens| format!("{:.3}", mean(tokens.into_iter()))),
            format!("{:.1}", mean(runs.iter().map(|run| run.time.as_secs_f64()))),
            format!("{:.0}", mean(runs.iter().map(|run| run.tally.characters as f64))),
        ];
        line(&mut text, &row.each_ref().map(String::as_str));
    }
    text.push_str("\nModel metrics (Table 5)\n\n");
    line(&mut text, &["case", "manual review", "model (%)", "schema (%)", "practice (%)", "all met"]);
    for case in &cases {
        let runs = of(case);
        let share = |run: &&Run| 100.0 * run.met() as f64 / run.findings.len().max(1) as f64;
        let whole = runs.iter().filter(|run| run.succeeded()).count();
        let row = [
            (*case).to_owned(),
            "not measured".into(),
            format!("{:.1}", mean(runs.iter().map(share))),
            "not measured".into(),
            "not measured".into(),
            format!("{whole} of {}", runs.len()),
        ];
        line(&mut text, &row.each_ref().map(String::as_str));
    }
    text.push_str(
        "\nmodel: criteria met, in percent. schema: `ifcopenshell.validate` on the files of --out does it (tests/python).\n\
         Manual review takes a person; industry practice a checker that is not part of this program.\n",
    );
    for run in runs {
        text.push_str(&shortfall(run));
    }
    text
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len().max(1) as f64;
    values.sum::<f64>() / count
}
