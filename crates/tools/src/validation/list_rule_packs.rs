//! The packs of rules that models can be held against, and the rules and parameters of one.

use crate::rule_packs;
use crate::{Reply, Tool};
use contract::{Effect, Fault, Toolset};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use validation::constraints;
use validation::packs::{self, Pack};

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// One pack: its rules and parameters.
    pack: Option<String>,
    /// The measures that packs of your own may use.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    measures: bool,
}

/// A rule of a pack.
#[derive(Debug, Serialize, JsonSchema)]
struct RuleTold {
    rule: String,
    clause: String,
    title: String,
    severity: &'static str,
    verified: bool,
    /// Parameters with their values.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    parameters: BTreeMap<String, String>,
}

/// A measure.
#[derive(Debug, Serialize, JsonSchema)]
struct MeasureTold {
    name: &'static str,
    value: String,
    means: &'static str,
}

/// The packs.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// Of one pack only that.
    packs: Vec<Value>,
    /// Rules of the pack asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rules: Vec<RuleTold>,
    /// Source and terms of the pack asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    notes: Option<String>,
    /// Constraints of validate_constraints.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    constraints: Vec<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    measures: Vec<MeasureTold>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("list_rule_packs", Effect::Query, |_, input: Input| {
        Box::pin(async move { listed(&input) })
    })
    .title("Rule packs")
    .toolset(Toolset::Compliance)
    .description("Lists the packs of rules of code_compliance, or the rules and parameters of one.")
    .example("All", json!({}))
    .example("The rules of one", json!({ "pack": "ada-2010" }))
}

fn listed(input: &Input) -> Result<Reply<Output>, Fault> {
    let measures = if input.measures { packs::measures().map(told).collect() } else { Vec::new() };
    let output = match &input.pack {
        Some(name) => {
            let pack = rule_packs::shipped("pack", name)?;
            Output {
                packs: vec![rule_packs::in_brief(pack)],
                rules: pack.rules.iter().map(rule).collect(),
                source: Some(format!("{} ({})", pack.source, pack.licence)),
                notes: Some(pack.notes.clone()),
                constraints: Vec::new(),
                measures,
            }
        }
        None => Output {
            packs: packs::shipped().iter().map(|pack: &Pack| rule_packs::in_brief(pack)).collect(),
            rules: Vec::new(),
            source: None,
            notes: None,
            constraints: constraints::constraints().map(|own| own.id).collect(),
            measures,
        },
    };
    Ok(Reply::new(output))
}

fn rule(own: &packs::Rule) -> RuleTold {
    RuleTold {
        rule: own.id.clone(),
        clause: own.clause.clone(),
        title: own.title.clone(),
        severity: own.severity.as_str(),
        verified: own.verified,
        parameters: own.parameters.iter().map(|one| (one.name.clone(), one.default.to_string())).collect(),
    }
}

fn told(measure: &'static packs::Measure) -> MeasureTold {
    MeasureTold { name: measure.name, value: measure.value.to_string(), means: measure.means }
}
