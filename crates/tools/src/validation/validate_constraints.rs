//! A model held against the constraints that every building keeps: nothing shares space, nothing floats, openings lie in their hosts.

use crate::findings::{self, Counts, Row};
use crate::selecting::choose;
use crate::waivers::{self, Waived};
use crate::{IfcCall, Tool};
use contract::{Effect, Fault};
use ifc::Id;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use validation::constraints::{self, Report};

/// The beginning of the constraints' identifiers.
const PREFIX: &str = "constraints.";

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// Ids or selectors: only findings about these.
    element_ids: Option<Vec<String>>,
    /// Only overlap, wall_gap, floating, …
    constraints: Option<Vec<String>>,
    /// Findings at most.
    #[schemars(extend("default" = 25, "minimum" = 1, "maximum" = findings::MOST, "x-seldom" = true))]
    limit: Option<usize>,
    /// `next_cursor` of the answer before.
    #[schemars(extend("x-seldom" = true))]
    cursor: Option<String>,
}

/// The result.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// No errors.
    valid: bool,
    counts: Counts,
    /// Findings by constraint, of those that have any.
    by_constraint: BTreeMap<&'static str, usize>,
    /// Constraints that were held against the model.
    checked: usize,
    /// By constraint, the heavier first.
    constraint_errors: Vec<Row>,
    /// Findings that were waived, and are left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    waived: Vec<Waived>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::ifc("validate_constraints", Effect::Query, run)
        .title("Constraints")
        .long()
        .description(
            "Checks what every building keeps: no overlaps, gaps, duplicates, floating elements, misplaced openings, sealed rooms.",
        )
        .example("Everything", json!({}))
        .example("Overlaps and gaps of walls", json!({ "element_ids": ["IfcWall"], "constraints": ["overlap", "wall_gap"] }))
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let (start, limit) = findings::bounds(input.limit, input.cursor.as_deref())?;
    let only = match &input.element_ids {
        Some(texts) if texts.is_empty() => {
            return Err(Fault::invalid(
                "element_ids",
                "Name at least one element, or leave `element_ids` out.",
            ));
        }
        Some(texts) => {
            let chosen = choose(call.edit.model(), "element_ids", texts)?;
            Some(chosen.into_iter().collect::<BTreeSet<Id>>())
        }
        None => None,
    };
    let asked = asked(input.constraints)?;
    let report = checked(call, only.as_ref(), &asked)?;
    let model = call.edit.model();
    let mut all = findings::named(model, report.findings);
    let waived = waivers::take(model, &mut all);
    let (rows, next) = findings::page(model, &all, start, limit);
    let counts = Counts::new(&all);
    let mut by_constraint: BTreeMap<&'static str, usize> = BTreeMap::new();
    for id in report.counts.keys() {
        let of_it = all.iter().filter(|(_, finding)| finding.rule == **id).count();
        if of_it > 0 {
            by_constraint.insert(id, of_it);
        }
    }
    Ok(Output {
        valid: counts.is_met(),
        counts,
        checked: report.counts.len(),
        by_constraint,
        constraint_errors: rows,
        waived: waivers::told(waived),
        next_cursor: next,
        notes: report.notes,
    })
}

/// Holds the model as the call left it against constraints.
pub(crate) fn checked(
    call: &IfcCall,
    only: Option<&BTreeSet<Id>>,
    asked: &[&'static str],
) -> Result<Report, Fault> {
    call.watch.begins("checking constraints");
    let go_on = |done: usize, total: usize| call.watch.at(done as u64, total as u64);
    let report = findings::on_subject(call, |subject| Ok(constraints::check(subject, only, asked, &go_on)))?;
    report.ok_or_else(|| Fault::given_up("validate_constraints"))
}

/// The identifiers of constraints by their names, with or without what they begin with; all where none is named.
fn asked(names: Option<Vec<String>>) -> Result<Vec<&'static str>, Fault> {
    let Some(names) = names else { return Ok(Vec::new()) };
    if names.is_empty() {
        return Err(Fault::invalid("constraints", "Name at least one, or leave `constraints` out."));
    }
    names.iter().enumerate().map(|(at, name)| found(&format!("constraints[{at}]"), name)).collect()
}

/// The identifier of the constraint of a name.
fn found(field: &str, name: &str) -> Result<&'static str, Fault> {
    let short = |id: &'static str| id.strip_prefix(PREFIX).unwrap_or(id);
    let all = || constraints::constraints().map(|own| own.id);
    let known = all().find(|id| *id == name || short(id) == name);
    known.ok_or_else(|| {
        let near = crate::input::near_matches(name, all().map(short));
        let list: Vec<&str> = all().map(short).collect();
        let name: String = name.chars().take(80).collect();
        let message = format!("No constraint is called '{name}'. There are {}.", list.join(", "));
        Fault::invalid(field, message).with("near_matches", near)
    })
}
