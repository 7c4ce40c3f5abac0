//! The families of checks, and a line on each in words.

use super::{Found, Issue, Level, Requested, State};
use crate::findings;
use crate::rule_packs::{self, Asked, IdsPack};
use contract::Fault;
use ifc::Model;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use validation::Finding;
use validation::constraints::{self, constraints as all_constraints};
use validation::ids::{self, Status};
use validation::packs::{self, Overrides, Pack};

/// A family of checks.
#[derive(Debug, Deserialize, Serialize, JsonSchema, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Family {
    /// Syntax, header, types, cardinalities, references, GlobalIds.
    Schema,
    /// WHERE, UNIQUE and global rules.
    Rules,
    /// buildingSMART's validation rules.
    Implementer,
    /// Constraints that every building keeps; only where they are named.
    Constraints,
    /// The document given as `ids`.
    Ids,
    /// The packs given as `packs`.
    Packs,
}

impl Family {
    /// Its name in answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Schema => "schema",
            Self::Rules => "rules",
            Self::Implementer => "implementer",
            Self::Constraints => "constraints",
            Self::Ids => "ids",
            Self::Packs => "packs",
        }
    }
}

/// A family, or a pack, and what was found by it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub(crate) struct Line {
    /// The family.
    pub family: Family,
    /// The document or the pack.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// No errors.
    pub met: bool,
    /// In words.
    pub say: String,
    /// The sentence where nothing was found.
    #[serde(skip)]
    kept: String,
    /// The sentence that comes first in any case.
    #[serde(skip)]
    lead: Option<String>,
}

impl Line {
    /// A line on a family: `kept` is its sentence where nothing was found.
    pub fn new(family: Family, kept: String) -> Self {
        Self { family, name: None, met: true, say: String::new(), kept, lead: None }
    }

    /// Puts findings into words: level, rule and number of each kind.
    pub fn word<'i>(&mut self, found: impl Iterator<Item = (Level, &'i str, usize)>) {
        let (mut counts, mut rules) = (BTreeMap::new(), BTreeMap::new());
        for (level, rule, count) in found {
            *counts.entry(level).or_insert(0) += count;
            *rules.entry(rule).or_insert(0) += count;
        }
        self.met = !counts.contains_key(&Level::Error);
        let counted = counts.iter().map(|(level, count)| {
            format!("{count} {}{}", level.as_str(), if *count == 1 { "" } else { "s" })
        });
        let counted: Vec<String> = counted.collect();
        let most = rules.iter().max_by_key(|(_, count)| **count);
        let said = match (most, rules.len()) {
            (None, _) => self.kept.clone(),
            (Some((rule, _)), 1) => format!("{}: {rule}", listed(&counted)),
            (Some((rule, count)), kinds) => {
                format!("{} of {kinds} kinds, most often {rule} ({count})", listed(&counted))
            }
        };
        self.say = match &self.lead {
            Some(lead) => format!("{lead}. {said}."),
            None => format!("{said}."),
        };
    }
}

/// Words with commas and an `and`.
fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// The constraints that every building keeps.
pub(super) fn constraints(state: State<'_>, requested: &Requested, found: &mut Found) -> Result<(), Fault> {
    if !requested.asks(Family::Constraints) {
        return Ok(());
    }
    let watch = state.watch();
    watch.begins("checking constraints");
    let go_on = |done: usize, total: usize| watch.at(done as u64, total as u64);
    let report = state.on_subject(|subject| Ok(constraints::check(subject, None, &[], &go_on)))?;
    let report = report.ok_or_else(|| Fault::given_up("validate_model"))?;
    let titles: BTreeMap<&str, &str> = all_constraints().map(|own| (own.id, own.title)).collect();
    let title = |rule: &str| titles.get(rule).map(|title| (*title).to_owned());
    found.notes.extend(report.notes);
    let line = Line::new(Family::Constraints, format!("All {} constraints hold", report.counts.len()));
    add(state.model(), requested, (line, "constraint", 100), report.findings, &title, found);
    Ok(())
}

/// The requirements of a document.
pub(super) fn requirements(state: State<'_>, requested: &Requested, found: &mut Found) -> Result<(), Fault> {
    let Some((document, harmless)) = &requested.document else { return Ok(()) };
    let watch = state.watch();
    watch.begins("checking requirements");
    let report = ids::check(document, state.model(), false, &mut || watch.wanted());
    let report = report.ok_or_else(|| Fault::given_up("validate_model"))?;
    of_document(state.model(), requested, document, &report, found);
    found.notes.extend(harmless.iter().take(5).map(|problem| format!("{problem}.")));
    Ok(())
}

/// Adds what came of holding a document against a model.
fn of_document(
    model: &Model,
    requested: &Requested,
    document: &ids::Document,
    report: &ids::Report,
    found: &mut Found,
) {
    let count = |status| report.specifications.iter().filter(|own| own.status == status).count();
    let (passed, failed) = (count(Status::Passed), count(Status::Failed));
    let line = Line {
        name: Some(document.info.title.chars().take(80).collect()),
        lead: Some(format!("{passed} of {} specifications are met", passed + failed)),
        ..Line::new(Family::Ids, "Nothing fails".to_owned())
    };
    add(model, requested, (line, "ids", 101), ids::findings(document, report, model), &|_| None, found);
}

impl Found {
    /// The findings of a document that was held against a model.
    pub fn of_document(model: &Model, document: &ids::Document, report: &ids::Report) -> Self {
        let mut found = Self::default();
        of_document(model, &Requested::default(), document, report, &mut found);
        found
    }
}

/// The packs of rules.
pub(super) fn packs(state: State<'_>, requested: &Requested, found: &mut Found) -> Result<(), Fault> {
    for asked in &requested.packs {
        match asked {
            Asked::Rules(pack) => rules(state, requested, pack, found)?,
            Asked::Ids(pack) => specifications(state, requested, pack, found)?,
        }
    }
    Ok(())
}

/// A pack of rules.
fn rules(state: State<'_>, requested: &Requested, pack: &Pack, found: &mut Found) -> Result<(), Fault> {
    let watch = state.watch();
    watch.begins("checking rules");
    let go_on = |done: usize, total: usize| watch.at(done as u64, total as u64);
    let report = state.on_subject(|subject| Ok(packs::check(subject, pack, &Overrides::new(), &go_on)))?;
    let report = report.map_err(|_| Fault::given_up("validate_model"))?;
    let judged = report.rules.iter().filter(|own| own.passed + own.failed > 0).count();
    let line = Line {
        name: Some(pack.id.clone()),
        lead: Some(format!("{judged} of {} rules found something to judge", report.rules.len())),
        ..Line::new(Family::Packs, "Nothing fails".to_owned())
    };
    let title = |rule: &str| pack.rule(rule).map(|rule| rule.title.clone());
    add(state.model(), requested, (line, "pack", 102), report.findings, &title, found);
    found.notes.extend(rule_packs::unverified(pack).map(|note| format!("{}: {note}", pack.id)));
    Ok(())
}

/// A pack whose rules are the specifications of an IDS file. Those for other schemas than the model's are checked as well: what was not
/// looked at would else count as met.
fn specifications(
    state: State<'_>,
    requested: &Requested,
    pack: &IdsPack,
    found: &mut Found,
) -> Result<(), Fault> {
    let watch = state.watch();
    watch.begins("checking requirements");
    let report = ids::check(&pack.document, state.model(), false, &mut || watch.wanted());
    let report = report.ok_or_else(|| Fault::given_up("validate_model"))?;
    let judged = report.specifications.iter().filter(|own| !own.applicable.is_empty()).count();
    let line = Line {
        name: Some(pack.id.clone()),
        lead: Some(format!("{judged} of {} rules found something to judge", report.specifications.len())),
        ..Line::new(Family::Packs, "Nothing fails".to_owned())
    };
    let findings = ids::findings(&pack.document, &report, state.model());
    add(state.model(), requested, (line, "pack", 102), findings, &|_| None, found);
    found.notes.extend(pack.harmless.iter().take(5).map(|problem| format!("{}: {problem}.", pack.id)));
    Ok(())
}

/// Adds a line and its findings to what was found.
fn add(
    model: &Model,
    requested: &Requested,
    (line, kind, order): (Line, &'static str, usize),
    all: Vec<Finding>,
    title: &dyn Fn(&str) -> Option<String>,
    found: &mut Found,
) {
    let at = found.lines.len();
    found.lines.push(line);
    let named = findings::named(model, all).into_iter();
    let concerned = named.filter(|(_, finding)| requested.concerns(model, &finding.elements));
    let issue = |finding: Finding| Issue {
        line: at,
        level: finding.severity.into(),
        kind: (kind, order),
        title: title(&finding.rule),
        rule: finding.rule,
        clause: finding.clause,
        elements: finding.elements,
        at: None,
        message: finding.message,
        suggestion: finding.suggestion,
    };
    found.issues.extend(concerned.map(|(id, finding)| (id, issue(finding))));
}
