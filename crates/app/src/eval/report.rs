//! The tables of a run, and the record that it leaves.

use super::agent::Conversation;
use super::judge::Finding;
use super::session::{CallRecord, Tally, Validity};
use super::table::{Form, Table, page};
use serde_json::{Map, Value, json};
use std::time::Duration;

/// The cell of what nobody measured.
const NOT_MEASURED: &str = "not measured";
/// The figures of the study that six cases come from (gpt-5-mini, averages over five runs): steps, calls, success in percent, thousands of
/// tokens; review, model, schema and practice in percent.
const STUDY: [(&str, [&str; 4], [&str; 4]); 6] = [
    ("tc_du-et-al_4", ["26.8", "25.8", "100.0", "685.661"], ["3.5", "95.0", "100.0", "100.0"]),
    ("tc_du_et_al_3", ["17.6", "16.6", "100.0", "352.427"], ["2.7", "40.0", "100.0", "100.0"]),
    ("tc_du_et_al_5", ["19.2", "18.2", "100.0", "421.361"], ["3.9", "48.9", "100.0", "100.0"]),
    ("tc_du_et_al_6", ["17.8", "16.8", "100.0", "345.733"], ["4.8", "100.0", "100.0", "100.0"]),
    ("tc_new_1", ["13.6", "12.6", "100.0", "203.476"], ["4.2", "100.0", "100.0", "100.0"]),
    ("tc_new_2", ["16.6", "15.6", "100.0", "280.453"], ["5.0", "100.0", "100.0", "100.0"]),
];

/// One run of one case.
pub struct Run {
    /// The case.
    pub case: String,
    /// The name of its files.
    pub name: String,
    /// Calls, failures, characters.
    pub tally: Tally,
    /// The calls.
    pub calls: Vec<CallRecord>,
    /// The findings on the criteria.
    pub findings: Vec<Finding>,
    /// The judgement of `validate_model` on the model; none where there is none.
    pub validity: Option<Validity>,
    /// A person's judgement, 1 to 5.
    pub review: Option<f64>,
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
    /// A run that has made no call yet.
    pub fn begun(case: &str, name: &str) -> Self {
        Self {
            case: case.to_owned(),
            name: name.to_owned(),
            tally: Tally::default(),
            calls: Vec::new(),
            findings: Vec::new(),
            validity: None,
            review: None,
            time: Duration::ZERO,
            failure: None,
            talk: None,
            problems: Vec::new(),
        }
    }

    /// Counts the criteria that are met.
    pub fn met(&self) -> usize {
        self.findings.iter().filter(|finding| finding.met).count()
    }

    /// True if it came to its end with every criterion met.
    pub fn succeeded(&self) -> bool {
        self.failure.is_none() && self.met() == self.findings.len()
    }

    /// Its figures by name; what was not measured is left out.
    pub fn figures(&self) -> Vec<(&'static str, f64)> {
        let percent = |truth: bool| if truth { 100.0 } else { 0.0 };
        let talk = self.talk.as_ref();
        let measured = [
            ("steps", talk.map(|talk| f64::from(talk.steps))),
            ("tool calls", Some(f64::from(self.tally.calls))),
            ("success (%)", Some(self.tally.success())),
            ("tokens (K)", talk.and_then(|talk| talk.tokens).map(|tokens| tokens as f64 / 1e3)),
            ("seconds", Some(self.time.as_secs_f64())),
            ("characters", Some(self.tally.characters as f64)),
            ("manual review", self.review),
            ("model (%)", Some(100.0 * self.met() as f64 / self.findings.len().max(1) as f64)),
            ("schema (%)", self.validity.as_ref().map(|validity| percent(validity.schema))),
            ("practice (%)", self.validity.as_ref().map(|validity| percent(validity.practice))),
            ("all met (%)", Some(percent(self.succeeded()))),
        ];
        measured.into_iter().filter_map(|(name, figure)| Some((name, figure?))).collect()
    }

    /// The run as JSON, with everything said.
    pub fn record(&self) -> Value {
        let criteria: Vec<Value> = self
            .findings
            .iter()
            .map(|finding| {
                let (found, error) = match &finding.found {
                    Ok(found) => (Some(found), None),
                    Err(error) => (None, Some(error)),
                };
                json!({
                    "name": finding.name,
                    "asked": finding.asked,
                    "wanted": finding.wanted,
                    "found": found,
                    "error": error,
                    "met": finding.met
                })
            })
            .collect();
        let figures: Map<String, Value> =
            self.figures().into_iter().map(|(name, figure)| (name.to_owned(), json!(figure))).collect();
        json!({
            "case": self.case,
            "run": self.name,
            "kind": if self.talk.is_some() { "agent" } else { "scripted" },
            "calls": self.tally.calls,
            "failed_calls": self.tally.failed,
            "characters": self.tally.characters,
            "seconds": self.time.as_secs_f64(),
            "failure": self.failure,
            "problems": self.problems,
            "schema": self.validity.as_ref().map(|validity| validity.schema),
            "practice": self.validity.as_ref().map(|validity| validity.practice),
            "review": self.review,
            "criteria": criteria,
            "figures": figures,
            "each_call": self.calls,
            "steps": self.talk.as_ref().map(|talk| talk.steps),
            "tokens": self.talk.as_ref().and_then(|talk| talk.tokens),
            "mended": self.talk.as_ref().map(|talk| talk.mended),
            "messages": self.talk.as_ref().map(|talk| &talk.messages),
        })
    }
}

/// A whole evaluation.
pub struct Report {
    /// The language model that worked; none where traces were played.
    pub agent: Option<String>,
    /// Its runs.
    pub runs: Vec<Run>,
}

impl Report {
    /// The report as a page of tables.
    pub fn page(&self, form: Form) -> String {
        let tables = match &self.agent {
            None => vec![self.scripted()],
            Some(model) => self.tables(model),
        };
        let lines: String = self.runs.iter().map(shortfall).collect();
        page(&tables, &lines, form)
    }

    /// The report as JSON, which another can be compared with.
    pub fn json(&self) -> Value {
        let runs: Vec<Value> = self.runs.iter().map(Run::record).collect();
        json!({ "agent": self.agent, "runs": runs })
    }

    fn scripted(&self) -> Table {
        let head = [
            "case",
            "kind",
            "calls",
            "succeeded",
            "characters",
            "criteria met",
            "schema",
            "practice",
            "seconds",
        ];
        let mut table = Table::new("Scripted traces", &head);
        for run in &self.runs {
            let truth = |truth: Option<bool>| match truth {
                Some(true) => "ok".to_owned(),
                Some(false) => "broken".to_owned(),
                None => NOT_MEASURED.to_owned(),
            };
            table.row([
                run.case.clone(),
                "scripted".to_owned(),
                run.tally.calls.to_string(),
                format!("{:.0} %", run.tally.success()),
                run.tally.characters.to_string(),
                format!("{} of {}", run.met(), run.findings.len()),
                truth(run.validity.as_ref().map(|validity| validity.schema)),
                truth(run.validity.as_ref().map(|validity| validity.practice)),
                format!("{:.2}", run.time.as_secs_f64()),
            ]);
        }
        table.notes.push(
            "Calls written by hand, made through the MCP door. They show what the tools can do; they are not to be set against figures of \
             language models."
                .to_owned(),
        );
        table
    }

    /// The two tables of the study, averaged over the runs of each case, with the figures of the study below them.
    fn tables(&self, model: &str) -> Vec<Table> {
        let mut cases: Vec<&str> = Vec::new();
        for run in &self.runs {
            if !cases.contains(&run.case.as_str()) {
                cases.push(&run.case);
            }
        }
        let per_case = self.runs.len() / cases.len().max(1);
        let title = format!("Agent metrics (Table 4): {model}, averages over {per_case} runs");
        let head = ["case", "steps", "tool calls", "success (%)", "tokens (K)", "seconds", "characters"];
        let mut agent = Table::new(&title, &head);
        let head = ["case", "manual review", "model (%)", "schema (%)", "practice (%)", "all met"];
        let mut quality = Table::new("Model metrics (Table 5)", &head);
        for case in cases {
            let runs: Vec<&Run> = self.runs.iter().filter(|run| run.case == case).collect();
            let cell = |name: &str, digits: usize| {
                mean_of(&runs, name).map_or(NOT_MEASURED.to_owned(), |mean| format!("{mean:.digits$}"))
            };
            agent.row([
                case.to_owned(),
                cell("steps", 1),
                cell("tool calls", 1),
                cell("success (%)", 1),
                cell("tokens (K)", 3),
                cell("seconds", 1),
                cell("characters", 0),
            ]);
            let whole = runs.iter().filter(|run| run.succeeded()).count();
            quality.row([
                case.to_owned(),
                cell("manual review", 1),
                cell("model (%)", 1),
                cell("schema (%)", 1),
                cell("practice (%)", 1),
                format!("{whole} of {}", runs.len()),
            ]);
            if let Some((_, of_agent, of_model)) = STUDY.iter().find(|(name, ..)| *name == case) {
                let row = |figures: &[&str], width: usize| {
                    let figures = figures.iter().map(|figure| (*figure).to_owned());
                    let rest = std::iter::repeat_n(String::new(), width.saturating_sub(5));
                    std::iter::once("  as published".to_owned())
                        .chain(figures)
                        .chain(rest)
                        .collect::<Vec<_>>()
                };
                agent.row(row(of_agent, 7));
                quality.row(row(of_model, 6));
            }
        }
        quality.notes.push(
            "model: criteria met, in percent. schema: models without an error of syntax, types, references and the schema's own rules; \
             practice: without an error or warning of buildingSMART's rules; both by `validate_model`. Manual review takes a person: \
             levels 1 to 5 by run in the file of --reviews. As published: the study's figures, by gpt-5-mini and tools of its own."
                .to_owned(),
        );
        vec![agent, quality]
    }
}

/// The mean of a figure over runs that have it; none where one of them lacks it.
fn mean_of(runs: &[&Run], name: &str) -> Option<f64> {
    let figure =
        |run: &&Run| run.figures().into_iter().find(|(known, _)| *known == name).map(|(_, figure)| figure);
    let figures: Option<Vec<f64>> = runs.iter().map(figure).collect();
    let figures = figures.filter(|figures| !figures.is_empty())?;
    Some(figures.iter().sum::<f64>() / figures.len() as f64)
}

/// Returns the shortfall of a run, in lines.
fn shortfall(run: &Run) -> String {
    let mut text = String::new();
    if let Some(failure) = &run.failure {
        text.extend(["\n", &run.name, ": ended early: ", failure, "\n"]);
    }
    for problem in &run.problems {
        text.extend(["\n", &run.name, ": ", problem, "\n"]);
    }
    for finding in run.findings.iter().filter(|finding| !finding.met) {
        let (Ok(found) | Err(found)) = &finding.found;
        text.extend(["\n", &run.name, ": ", &finding.name, " wants ", &finding.wanted, ", found ", found]);
        text.extend(["\n    ", &finding.asked, "\n"]);
    }
    text
}
