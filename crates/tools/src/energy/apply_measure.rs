//! Applies energy measures to a model: what engineers try every day, as one version, with what was assumed.

use crate::{EnergyCall, Tool};
use contract::{Effect, EventType, Fault};
use energy::measures::{Counts, Measure, Outcome, apply};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;

/// Measures that one call takes.
const MOST: usize = 50;
/// Assumptions and things left as they were that one measure tells.
const TOLD: usize = 12;

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// In order, all or none; each names itself in `measure` and may be limited by `by`: zones, surfaces, constructions, orientation, height.
    #[schemars(extend("x-seldom" = true))]
    measures: Vec<Measure>,
}

/// The account.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// By measure: what is different, before and after, what was assumed by which source, what was left as it is and why.
    measures: Vec<Outcome>,
    /// Objects added, changed and removed, by type.
    objects: BTreeMap<String, Counts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    notice: Option<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::energy("apply_measure", Effect::Modify, run)
        .description("Tries energy measures (insulate, lighting, photovoltaics …; describe_tool has all): before, after, assumptions.")
        .event(EventType::ElementModified)
        .example("Walls to a U-value", json!({"measures": [{"measure": "insulate", "surface_type": "wall", "u_value": 0.2}]}))
}

fn run(call: &mut EnergyCall<'_>, input: Input) -> Result<Output, Fault> {
    if input.measures.len() > MOST {
        return Err(Fault::invalid("measures", format!("At most {MOST} measures can be applied at once.")));
    }
    let applied = apply(&call.document, &input.measures)?;
    call.document = applied.document;
    let mut measures = applied.measures;
    let mut left = 0;
    for outcome in &mut measures {
        left += outcome.assumptions.len().saturating_sub(TOLD) + outcome.skipped.len().saturating_sub(TOLD);
        outcome.assumptions.truncate(TOLD);
        outcome.skipped.truncate(TOLD);
    }
    let notice =
        (left > 0).then(|| format!("{left} more assumptions and things that were left as they are."));
    Ok(Output { measures, objects: applied.objects, notice })
}
