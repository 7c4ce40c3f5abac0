//! A rule of the checks in words: what it asks and why, what passes and what fails, where it comes from.

use crate::{Reply, Tool};
use contract::{Effect, Fault, FaultCode};
use ifc_check::explain;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// As findings name it: `SPS007`, `IfcWall.CorrectPredefinedType`, `reference`, `sound.overlap`.
    rule: String,
}

/// The rule.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    rule: String,
    /// The part of `validate_model` that holds it, or `sound`: what tools look at after a change.
    part: &'static str,
    title: String,
    asks: String,
    why: String,
    /// `error`, `warning`, `notice`; none for what cannot fail or is no finding of a validation.
    #[serde(skip_serializing_if = "Option::is_none")]
    severity: Option<&'static str>,
    /// False: disabled by its authors, told as a notice, never decides `valid`.
    active: bool,
    /// An example that passes.
    passes: String,
    /// An example that fails.
    fails: String,
    source: String,
    /// The rule in EXPRESS, by schema.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    express: BTreeMap<&'static str, &'static str>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("explain_rule", Effect::Query, |_, input: Input| Box::pin(async move { explained(&input) }))
        .description(
            "Explains a rule that a finding names: what it asks, why, how severe, what passes and fails, its source.",
        )
        .example("Where elements are contained", json!({ "rule": "SPS007" }))
        .example("A WHERE rule", json!({ "rule": "IfcWall.CorrectPredefinedType" }))
}

fn explained(input: &Input) -> Result<Reply<Output>, Fault> {
    let found = explain(&input.rule).map_err(|near| {
        // a name of any length may be given
        let name: String = input.rule.chars().take(80).collect();
        Fault::new(
            FaultCode::NotFound,
            format!("No rule is called '{name}'. Give the code of a rule, a rule of the schema as Class.Rule, or a kind of finding, as validate_model names them."),
        )
        .with("field", "rule")
        .with("near_matches", near)
    })?;
    Ok(Reply::new(Output {
        rule: found.rule,
        part: found.part.as_str(),
        title: found.title,
        asks: found.asks,
        why: found.why,
        severity: found.severity.map(ifc_check::Severity::as_str),
        active: found.active,
        passes: found.passes,
        fails: found.fails,
        source: found.source,
        express: found.express,
    }))
}
