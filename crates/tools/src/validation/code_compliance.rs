//! A model held against a standard: a pack of rules that comes with the program, or one of the caller's own.

use crate::findings::{self, Counts, Level, Row};
use crate::rule_packs::{self, PACK, RuleRow};
use crate::waivers::{self, Waived};
use crate::{IfcCall, Tool};
use contract::{Effect, Fault, FileNeed, NamedFile, Toolset};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// ada-2010, ibc-2021-egress, dwelling-space, model-quality: see list_rule_packs.
    standard: Option<String>,
    /// Instead: path or bucket key of a pack of your own (TOML, ending .rules) or of an IDS file.
    #[schemars(extend("x-seldom" = true))]
    pack: Option<String>,
    /// Only these rules or clauses.
    rules: Option<Vec<String>>,
    /// The lightest that are told: error, warning, info.
    #[schemars(extend("default" = "info"))]
    severity_threshold: Option<Level>,
    /// By rule, its parameters set otherwise: {"404.2.3": {"width": "900 mm"}}.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    parameters: BTreeMap<String, Map<String, Value>>,
    /// Issues at most.
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
    title: String,
    /// No errors; what could not be judged is in `rules`.
    compliant: bool,
    counts: Counts,
    /// Rules checked.
    checked: usize,
    /// Those that something failed or could not be judged by.
    rules: Vec<RuleRow>,
    issues: Vec<Row>,
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
    Tool::ifc("code_compliance", Effect::Query, run)
        .title("Compliance with a standard")
        .toolset(Toolset::Compliance)
        .file(FileNeed::Named(NamedFile { role: PACK.to_owned(), parameter: PACK.to_owned() }))
        .file(rule_packs::need("standard"))
        .long()
        .description(
            "Checks the model against a pack of rules: issues with clause, elements, measured and required.",
        )
        .example("Quality of the model", json!({ "standard": "model-quality" }))
        .example(
            "Doors by the ADA, a little wider",
            json!({
                "standard": "ada-2010", "rules": ["404.2.3"], "parameters": { "404.2.3": { "width": "900 mm" } },
                "severity_threshold": "warning"
            }),
        )
}

fn run(call: &mut IfcCall, input: Input) -> Result<Output, Fault> {
    let (start, limit) = findings::bounds(input.limit, input.cursor.as_deref())?;
    let mut pack = rule_packs::asked(call, input.standard.as_deref(), input.pack.as_deref())?;
    rule_packs::only(&mut pack, input.rules.as_deref())?;
    let parameters =
        input.parameters.into_iter().map(|(rule, own)| (rule, own.into_iter().collect())).collect();
    let judged = rule_packs::held(call, &pack, &parameters)?;
    let threshold = input.severity_threshold.unwrap_or(Level::Info);
    let mut issues = findings::named(call.edit.model(), judged.findings);
    let waived = waivers::take(call.edit.model(), &mut issues);
    let counts = Counts::new(&issues);
    issues.retain(|(_, finding)| Level::from(finding.severity) <= threshold);
    issues.sort_by_key(|(_, finding)| finding.severity);
    let (rows, next) = findings::page(call.edit.model(), &issues, start, limit);
    Ok(Output {
        standard: pack.id().to_owned(),
        title: pack.title().to_owned(),
        compliant: counts.is_met(),
        counts,
        checked: judged.checked,
        rules: judged.rows,
        issues: rows,
        waived: waivers::told(waived),
        next_cursor: next,
        notes: judged.notes,
    })
}
