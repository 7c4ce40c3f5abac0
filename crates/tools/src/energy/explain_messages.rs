//! The warnings and errors of a run explained: what each means for this model, what to do, what can be mended at once.

use crate::energy_results::{BUDGET, errors, fit};
use crate::simulation::messages;
use crate::{EnergyCall, Tool};
use contract::{Effect, Fault, FaultCode, ModelUse, Toolset};
use energy::messages::{Explained, explain};
use energy::results::Level;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Objects of a group that are listed.
const OBJECTS: usize = 6;

/// The tool's arguments.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub struct Input {
    /// Only these: warning, severe or fatal.
    #[schemars(extend("x-seldom" = true))]
    level: Option<Level>,
    /// Only those that mend_messages can mend.
    #[serde(default)]
    #[schemars(extend("x-seldom" = true))]
    mendable: bool,
    /// A run of run_simulation; without it the latest of this session.
    #[expect(dead_code, reason = "read where the run's files are provided")]
    #[schemars(extend("x-seldom" = true))]
    job_id: Option<String>,
}

/// The messages, the gravest first.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    groups: Vec<Explained>,
    total: usize,
    /// Groups that mend_messages can mend.
    mendable: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    notice: Option<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::energy("explain_messages", Effect::Query, run)
        .description("Warnings and errors of the latest run by kind: meaning, objects and fields, remedy, what mend_messages would do.")
        .toolset(Toolset::Results)
        .model(ModelUse::Current)
        .file(messages())
        .example("All", json!({}))
}

fn run(call: &mut EnergyCall<'_>, input: Input) -> Result<Output, Fault> {
    let report = errors(call).ok_or_else(|| {
        Fault::new(FaultCode::NotFound, "The run left no list of messages: it never began.")
    })?;
    let mut groups = explain(&call.document, &report);
    groups.retain(|group| {
        input.level.is_none_or(|level| group.level == level) && (!input.mendable || group.mendable)
    });
    let (total, mendable) = (groups.len(), groups.iter().filter(|group| group.mendable).count());
    for group in &mut groups {
        group.objects_left_out += group.objects.len().saturating_sub(OBJECTS);
        group.objects.truncate(OBJECTS);
    }
    let left = fit(&mut groups, BUDGET);
    let notice = (left > 0).then(|| format!("{left} more groups; narrow them with level or mendable."));
    Ok(Output { groups, total, mendable, notice })
}
