//! Mends what messages of a run complain of, for the kinds of messages whose remedy is known, as one version.

use crate::energy_results::{BUDGET, errors, fit};
use crate::simulation::messages;
use crate::{EnergyCall, Tool};
use contract::{Effect, EventType, Fault, FaultCode, ModelUse, Toolset};
use energy::messages::{Left, Mended, mend};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The tool's arguments.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub struct Input {
    /// Kinds of explain_messages; without it all that can be mended.
    #[schemars(extend("x-seldom" = true))]
    kinds: Option<Vec<String>>,
    /// A run of run_simulation; without it the latest of this session.
    #[expect(dead_code, reason = "read where the run's files are provided")]
    #[schemars(extend("x-seldom" = true))]
    job_id: Option<String>,
}

/// The changes.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// By message: what was changed, and what was assumed.
    mended: Vec<Mended>,
    mended_count: usize,
    /// Messages that could not be mended, and why.
    left: Vec<Left>,
    left_count: usize,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::energy("mend_messages", Effect::Modify, run)
        .description("Mends what messages of the latest run complain of, where the remedy needs no choice; tells changes and assumptions.")
        .toolset(Toolset::Results)
        .model(ModelUse::Current)
        .file(messages())
        .event(EventType::ElementModified)
        .example("All that can be mended", json!({}))
}

fn run(call: &mut EnergyCall<'_>, input: Input) -> Result<Output, Fault> {
    let report = errors(call).ok_or_else(|| {
        Fault::new(FaultCode::NotFound, "The run left no list of messages: it never began.")
    })?;
    let done = mend(&call.document, &report, input.kinds.as_deref())?;
    call.document = done.document;
    let (mut mended, mut left) = (done.mended, done.left);
    let (mended_count, left_count) = (mended.len(), left.len());
    fit(&mut mended, BUDGET / 2);
    fit(&mut left, BUDGET / 4);
    Ok(Output { mended, mended_count, left, left_count })
}
