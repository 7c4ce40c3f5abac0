//! Findings of checks as agents read them: an id that stays the same, elements with storey and room, what was measured and what is
//! asked for, and what mends it.

use crate::IfcCall;
use crate::elements::{brief, id_of, label_of};
use crate::places::mm_point;
use bcf::Guid;
use contract::Fault;
use ifc::Model;
use ifc::relations::Links;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::HashMap;
use validation::{Finding, Fix, Severity};

/// Findings of one answer at most.
pub(crate) const MOST: usize = 500;
/// About how many bytes of findings an answer holds.
const BUDGET: usize = 9_000;
/// Elements of one finding that are told.
const TOLD: usize = 6;

/// The weight of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum Level {
    Error,
    Warning,
    Info,
}

impl From<Severity> for Level {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Error => Self::Error,
            Severity::Warning => Self::Warning,
            Severity::Info => Self::Info,
        }
    }
}

/// A call that mends it.
#[derive(Debug, Serialize, JsonSchema)]
struct Call {
    tool: String,
    arguments: Value,
}

/// A finding.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Row {
    /// The same each time.
    id: String,
    rule: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    clause: Option<String>,
    severity: Level,
    message: String,
    /// Id, name, class; the one that it is about first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    elements: Vec<Map<String, Value>>,
    /// Further elements that are not listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    more_elements: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    storey: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    room: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    measured: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    required: Option<String>,
    /// Place in mm.
    #[serde(skip_serializing_if = "Option::is_none")]
    point: Option<[Value; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    suggestion: Option<String>,
    /// Calls that mend it for certain; fix_findings makes them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fix: Vec<Call>,
}

/// A finding with its id.
pub(crate) type Named = (String, Finding);

/// The number of findings of each weight.
#[derive(Debug, Default, Clone, Copy, Serialize, JsonSchema)]
pub(crate) struct Counts {
    error: usize,
    warning: usize,
    info: usize,
}

impl Counts {
    pub(crate) fn new(findings: &[Named]) -> Self {
        let count = |severity| findings.iter().filter(|(_, own)| own.severity == severity).count();
        Self { error: count(Severity::Error), warning: count(Severity::Warning), info: count(Severity::Info) }
    }

    /// True if no requirement is broken.
    pub(crate) fn is_met(&self) -> bool {
        self.error == 0
    }
}

/// Findings with their ids, which stay the same while rule and elements do; of several about the same elements, in their order.
pub(crate) fn named(model: &Model, findings: Vec<Finding>) -> Vec<Named> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut one = |finding: &Finding| {
        let elements: Vec<String> = finding.elements.iter().map(|id| id_of(model, *id)).collect();
        let mut parts: Vec<&[u8]> = vec![b"finding", finding.rule.as_bytes()];
        parts.extend(elements.iter().map(String::as_bytes));
        let guid = Guid::made_of(&parts).to_string();
        let short: String = guid.chars().filter(|letter| *letter != '-').take(12).collect();
        let count = seen.entry(short.clone()).or_default();
        *count += 1;
        if *count == 1 { short } else { format!("{short}-{count}") }
    };
    findings.into_iter().map(|finding| (one(&finding), finding)).collect()
}

/// Findings from a place on, as many as an answer holds, and where to go on.
pub(crate) fn page(
    model: &Model,
    findings: &[Named],
    start: usize,
    limit: usize,
) -> (Vec<Row>, Option<String>) {
    page_within(model, findings, start, limit, BUDGET)
}

/// As [`page`], in so much room; one is told in any case.
pub(crate) fn page_within(
    model: &Model,
    findings: &[Named],
    start: usize,
    limit: usize,
    room: usize,
) -> (Vec<Row>, Option<String>) {
    let links = Links::of_many(model);
    let (mut rows, mut spent) = (Vec::new(), 0);
    for (id, finding) in findings.iter().skip(start).take(limit) {
        let row = row(model, &links, finding, id.clone());
        spent += serde_json::to_string(&row).map_or(0, |text| text.len());
        if spent > room && !rows.is_empty() {
            break;
        }
        rows.push(row);
    }
    let next = start + rows.len();
    (rows, (next < findings.len()).then(|| next.to_string()))
}

/// The limit and the cursor of a tool that lists findings.
pub(crate) fn bounds(limit: Option<usize>, cursor: Option<&str>) -> Result<(usize, usize), Fault> {
    Ok((crate::input::cursor(cursor)?, crate::input::limit(limit, 25, MOST)?))
}

fn row(model: &Model, links: &Links<'_>, finding: &Finding, id: String) -> Row {
    let first = finding.elements.first();
    let storey = first.and_then(|id| links.storey_of(*id)).map(|storey| label_of(model, storey));
    Row {
        id,
        rule: finding.rule.clone(),
        clause: finding.clause.clone(),
        severity: finding.severity.into(),
        message: finding.message.clone(),
        elements: finding.elements.iter().take(TOLD).map(|id| brief(model, *id)).collect(),
        more_elements: finding.elements.len().checked_sub(TOLD).filter(|more| *more > 0),
        storey,
        room: finding.room.map(|room| label_of(model, room)),
        measured: finding.measured.as_ref().map(ToString::to_string),
        required: finding.required.as_ref().map(ToString::to_string),
        point: finding.point.map(mm_point),
        suggestion: finding.suggestion.clone(),
        fix: finding.fix.iter().map(|Fix { tool, arguments }| told(tool, arguments)).collect(),
    }
}

fn told(tool: &str, arguments: &Value) -> Call {
    Call { tool: tool.to_owned(), arguments: arguments.clone() }
}

/// Calls `body` with all that checks look at.
pub(crate) fn on_subject<T>(
    call: &IfcCall,
    body: impl FnOnce(&validation::Subject<'_>) -> Result<T, Fault>,
) -> Result<T, Fault> {
    let (scene, index, layout, ways) = (call.scene()?, call.index()?, call.layout()?, call.ways()?);
    let subject = validation::Subject {
        model: call.edit.model(),
        scene: &scene,
        index: &index,
        layout: &layout,
        ways: &ways,
    };
    body(&subject)
}
