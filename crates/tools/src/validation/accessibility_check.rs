//! A model held against a standard of accessibility: doors, turning spaces, ramps and stairs.

use crate::findings::{self, Counts, Row};
use crate::rule_packs::{self, Asked, RuleRow};
use crate::waivers::{self, Waived};
use crate::{IfcCall, Tool};
use contract::{Effect, Fault, Toolset};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use validation::packs::Overrides;

/// The packs that are about accessibility, the usual one first.
const STANDARDS: [&str; 1] = ["ada-2010"];

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// ada-2010.
    standard: String,
    /// Only these rules or clauses.
    #[schemars(extend("x-seldom" = true))]
    rules: Option<Vec<String>>,
    /// Violations at most.
    #[schemars(extend("default" = 25, "minimum" = 1, "maximum" = findings::MOST, "x-seldom" = true))]
    limit: Option<usize>,
    /// `next_cursor` of the answer before.
    #[schemars(extend("x-seldom" = true))]
    cursor: Option<String>,
}

/// The result.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    standard: String,
    /// No errors; what could not be judged is in `rules`.
    accessible: bool,
    counts: Counts,
    /// Rules checked.
    checked: usize,
    /// Those that something failed or could not be judged by.
    rules: Vec<RuleRow>,
    violations: Vec<Row>,
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
    Tool::ifc("accessibility_check", Effect::Query, run)
        .title("Accessibility")
        .toolset(Toolset::Compliance)
        .long()
        .description(
            "Checks doors, turning spaces, ramps and stairs against a standard of accessibility: violations with clause, measured and required.",
        )
        .example("The ADA Standards", json!({ "standard": "ada-2010" }))
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let (start, limit) = findings::bounds(input.limit, input.cursor.as_deref())?;
    let pack = rule_packs::shipped("standard", &input.standard)?;
    if !STANDARDS.contains(&pack.id.as_str()) {
        let problem = format!(
            "`{}` is not about accessibility; give {}, or take code_compliance for it.",
            pack.id,
            STANDARDS.join(", ")
        );
        return Err(Fault::invalid("standard", problem));
    }
    let mut asked = Asked::Rules(Box::new(pack.clone()));
    rule_packs::only(&mut asked, input.rules.as_deref())?;
    let judged = rule_packs::held(call, &asked, &Overrides::new())?;
    let mut violations = findings::named(call.edit.model(), judged.findings);
    let waived = waivers::take(call.edit.model(), &mut violations);
    let counts = Counts::new(&violations);
    violations.sort_by_key(|(_, finding)| finding.severity);
    let (rows, next) = findings::page(call.edit.model(), &violations, start, limit);
    Ok(Output {
        standard: pack.id.clone(),
        accessible: counts.is_met(),
        counts,
        checked: judged.checked,
        rules: judged.rows,
        violations: rows,
        waived: waivers::told(waived),
        next_cursor: next,
        notes: vec![pack.notes.clone()],
    })
}
