//! One report over every family of checks: what the file keeps (schema, rules, agreements of implementers), what every building keeps
//! (constraints), and what somebody asked for (an IDS, packs of rules). Every finding has an id that stays the same, is held against
//! the waivers of the model, and can be compared with those of an earlier version.

mod conformity;
mod family;
mod grouped;
pub(crate) mod page;
mod requested;

pub(crate) use family::{Family, Line};
pub(crate) use grouped::{Group, Grouped, grouped};
pub(crate) use requested::{LISTED_SINGLY, Requested, USUAL, Wish};

use crate::IfcCall;
use crate::findings;
use crate::opened::OpenVersion;
use crate::waivers::{self, Waived};
use contract::{Fault, Watch};
use ifc::{Id, Model};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashSet};
use validation::Subject;

/// The weight of a finding.
#[derive(Debug, Serialize, Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Level {
    Error,
    Warning,
    Notice,
}

impl Level {
    /// Every level, the heaviest first.
    pub const ALL: [Self; 3] = [Self::Error, Self::Warning, Self::Notice];

    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Notice => "notice",
        }
    }
}

impl From<ifc_check::Severity> for Level {
    fn from(severity: ifc_check::Severity) -> Self {
        match severity {
            ifc_check::Severity::Error => Self::Error,
            ifc_check::Severity::Warning => Self::Warning,
            ifc_check::Severity::Notice => Self::Notice,
        }
    }
}

impl From<validation::Severity> for Level {
    fn from(severity: validation::Severity) -> Self {
        match severity {
            validation::Severity::Error => Self::Error,
            validation::Severity::Warning => Self::Warning,
            validation::Severity::Info => Self::Notice,
        }
    }
}

/// A finding of any family.
#[derive(Debug, Clone)]
pub(crate) struct Issue {
    /// The line of the report that it is counted on.
    pub line: usize,
    /// Its weight.
    pub level: Level,
    /// Its kind, and the kind's place among those of one level.
    pub kind: (&'static str, usize),
    /// The rule, with what its exception is about; else class and attribute.
    pub rule: String,
    /// The demand of the rule, in a few words.
    pub title: Option<String>,
    /// The clause of the source.
    pub clause: Option<String>,
    /// Elements or instances concerned.
    pub elements: Vec<Id>,
    /// Line and column in the file as it was loaded.
    pub at: Option<String>,
    /// In words: what was found and what is due.
    pub message: String,
    /// The remedy.
    pub suggestion: Option<String>,
}

/// Findings that are counted and not listed, by weight, kind and rule: how many, and on which line.
pub(crate) type Unlisted = BTreeMap<(Level, usize, String), (usize, usize)>;

/// The findings of some families.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// With their ids.
    pub issues: Vec<(String, Issue)>,
    /// Those that are counted alone.
    pub unlisted: Unlisted,
    /// A line for each family, or for each pack.
    pub lines: Vec<Line>,
    /// Sentences on what to know beside.
    pub notes: Vec<String>,
}

/// A state of a model that is checked.
#[derive(Clone, Copy)]
pub(crate) enum State<'c> {
    /// As the call left it.
    Now(&'c IfcCall),
    /// A version that the call was given.
    Earlier(&'c dyn OpenVersion, &'c dyn Watch),
}

impl State<'_> {
    /// The model.
    pub fn model(&self) -> &Model {
        match self {
            Self::Now(call) => call.edit.model(),
            Self::Earlier(version, _) => version.model(),
        }
    }

    /// The watcher of the call.
    pub fn watch(&self) -> &dyn Watch {
        match self {
            Self::Now(call) => call.watch.as_ref(),
            Self::Earlier(_, watch) => *watch,
        }
    }

    /// Calls `body` with all that checks look at.
    fn on_subject<T>(&self, body: impl FnOnce(&Subject<'_>) -> Result<T, Fault>) -> Result<T, Fault> {
        match self {
            Self::Now(call) => findings::on_subject(call, body),
            Self::Earlier(version, watch) => {
                let (scene, index) = (version.scene(*watch)?, version.index(*watch)?);
                let (layout, ways) = (version.layout(*watch)?, version.ways(*watch)?);
                body(&Subject {
                    model: version.model(),
                    scene: &scene,
                    index: &index,
                    layout: &layout,
                    ways: &ways,
                })
            }
        }
    }
}

/// Holds a state of a model against all that is requested.
pub(crate) fn found(state: State<'_>, requested: &Requested) -> Result<Found, Fault> {
    let mut found = Found::default();
    conformity::find(state, requested, &mut found)?;
    family::constraints(state, requested, &mut found)?;
    family::requirements(state, requested, &mut found)?;
    family::packs(state, requested, &mut found)?;
    Ok(found)
}

/// The number of findings that came and went since an earlier version.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Since {
    /// Not there before; these are told.
    new: usize,
    /// There before and now.
    active: usize,
    /// There before, and not any more.
    resolved: usize,
}

impl Found {
    /// Takes out what is waived; answers it.
    pub fn waive(&mut self, model: &Model) -> Vec<Waived> {
        waivers::take(model, &mut self.issues)
    }

    /// Leaves only what was not there before.
    pub fn since(&mut self, before: &Self) -> Since {
        let known: HashSet<&str> = before.issues.iter().map(|(id, _)| id.as_str()).collect();
        let now: HashSet<String> = self.issues.iter().map(|(id, _)| id.clone()).collect();
        let active = now.iter().filter(|id| known.contains(id.as_str())).count();
        self.issues.retain(|(id, _)| !known.contains(id.as_str()));
        // what is not listed cannot be told apart
        self.unlisted.clear();
        Since { new: now.len() - active, active, resolved: known.len() - active }
    }

    /// Puts into words what every line comes to.
    pub fn word(&mut self) {
        for (at, line) in self.lines.iter_mut().enumerate() {
            let listed = self.issues.iter().map(|(_, issue)| issue).filter(|issue| issue.line == at);
            let listed = listed.map(|issue| (issue.level, issue.rule.as_str(), 1));
            let unlisted = self.unlisted.iter().filter(|(_, (_, line))| *line == at);
            let unlisted = unlisted.map(|((level, _, rule), (count, _))| (*level, rule.as_str(), *count));
            line.word(listed.chain(unlisted));
        }
    }
}
