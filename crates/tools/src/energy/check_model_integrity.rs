//! The parts of a model that do not hold together, beyond what its schema asks.

use crate::energy_objects::BUDGET;
use crate::{EnergyCall, Tool};
use contract::{Effect, Fault};
use energy::integrity::{Surroundings, check};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;

/// The number of objects of one issue that are named.
const OBJECTS: usize = 12;

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// At most as many.
    #[schemars(extend("default" = 50, "x-seldom" = true))]
    limit: Option<usize>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Row {
    /// `error`, `warning` or `notice`.
    severity: String,
    /// Such as `zone_not_closed` or `dangling_node`.
    kind: String,
    message: String,
    suggestion: String,
    /// Types and names; `object_count` says how many there are.
    objects: Vec<String>,
    object_count: usize,
}

/// The issues.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    issues: Vec<Row>,
    total: usize,
    /// Issues by kind.
    counts: BTreeMap<String, usize>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::energy("check_model_integrity", Effect::Query, run)
        .description(
            "What does not hold together beyond the schema: zones not closed, surfaces facing inwards, missing \
             constructions and schedules, unused objects, nodes, sizing; each with what to do.",
        )
        .example("All", json!({}))
}

fn run(call: &mut EnergyCall<'_>, input: Input) -> Result<Output, Fault> {
    let issues = check(&call.document, Surroundings::default());
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for issue in &issues {
        *counts.entry(word(issue.kind)).or_default() += 1;
    }
    let total = issues.len();
    let (mut rows, mut spent) = (Vec::new(), 0);
    for issue in issues.into_iter().take(input.limit.unwrap_or(50).min(500)) {
        let objects = issue.objects.iter().take(OBJECTS).map(|it| format!("{}: {}", it.object_type, it.name));
        let row = Row {
            severity: word(issue.severity),
            kind: word(issue.kind),
            objects: objects.collect(),
            object_count: issue.objects.len(),
            message: issue.message,
            suggestion: issue.suggestion,
        };
        spent += serde_json::to_string(&row).map_or(0, |text| text.len());
        if spent > BUDGET && !rows.is_empty() {
            break;
        }
        rows.push(row);
    }
    Ok(Output { issues: rows, total, counts })
}

/// The spelling of a kind or severity.
fn word(value: impl Serialize) -> String {
    let value = serde_json::to_value(value).unwrap_or_default();
    value.as_str().unwrap_or_default().to_owned()
}
