//! Two runs side by side: what they came to, and what differs between the models that they simulated.

use crate::energy_results::{database, other_database};
use crate::simulation::{JOB, latest, other_results, results};
use crate::{EnergyCall, Reply, Tool};
use contract::{
    DiffSummary, Effect, Fault, JobRecord, Jobs, ModelId, Needs, Operation, Queries, Toolset, VersionId,
    Versions,
};
use energy::results::{Comparison, compare};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Zones that are listed.
const ZONES: usize = 12;
/// Objects that the difference of the models names, and values that it tells.
const NAMED: u32 = 12;
const PROPERTIES: usize = 6;
/// The parameter of the run that is compared with.
const OTHER_JOB: &str = "with_job_id";

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// The run before, of run_simulation.
    with_job_id: String,
    /// The run after; without it the latest of this session.
    #[schemars(extend("x-seldom" = true))]
    job_id: Option<String>,
}

/// A run and what it simulated.
#[derive(Debug, Serialize, JsonSchema)]
struct Simulated {
    job_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    model_id: Option<ModelId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model_version: Option<VersionId>,
}

impl From<&JobRecord> for Simulated {
    fn from(job: &JobRecord) -> Self {
        Self {
            job_id: job.job_id.clone(),
            model_id: job.model_id.clone(),
            model_version: job.version.clone(),
        }
    }
}

/// The comparison.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    before: Simulated,
    after: Simulated,
    #[serde(flatten)]
    results: Comparison,
    /// The objects that differ between the versions that were simulated.
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<DiffSummary>,
    #[serde(skip_serializing_if = "Option::is_none")]
    notice: Option<&'static str>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("compare_simulations", Effect::Query, |platform, input| Box::pin(run(platform, input)))
        .description(
            "Two runs side by side: end uses, totals, unmet hours, design loads, and what in the model differs.",
        )
        .toolset(Toolset::Results)
        .with_energy(read)
        .example("With an earlier run", json!({ "with_job_id": "0199a0c4-6a53-7a2e-9c7e-3f4f4a1f0c11" }))
}

async fn run(
    platform: &(impl Jobs + Queries + Versions + ?Sized),
    input: Input,
) -> Result<Reply<Output>, Fault> {
    let after = match &input.job_id {
        Some(id) => platform.job(id).await?,
        None => platform.latest_job(&latest()).await?,
    };
    if after.job_id == input.with_job_id {
        return Err(Fault::invalid(
            OTHER_JOB,
            "This is the run itself. Give another run's job_id, or job_id, too.",
        ));
    }
    let params = json!({ (JOB): after.job_id, (OTHER_JOB): input.with_job_id });
    let operation = Operation { effect: Effect::Query, name: "compare_simulations".into(), params };
    let needs = Needs { files: vec![other_results(OTHER_JOB), results()], ..Needs::default() };
    let read = platform.query_needing(operation, &needs).await?;
    let results = Comparison::deserialize(&read.result)
        .map_err(|error| Fault::backend(format!("The comparison cannot be read: {error}.")))?;
    let before = platform.job(&input.with_job_id).await?;
    let (mut model, mut notice) = (None, None);
    match (&before.model_id, &after.model_id, &before.version, &after.version) {
        (Some(other), Some(own), Some(base), Some(target)) if own == other => {
            if base == target {
                notice = Some("Both runs simulated the same version; weather or options differ.");
            } else {
                let mut summary = platform.diff(own, base, target, Some(NAMED)).await?.1;
                // the counts and names say what; diff_versions has every value
                summary.elements.iter_mut().for_each(|element| element.changes.clear());
                summary.properties.truncate(PROPERTIES);
                model = Some(summary);
            }
        }
        _ => notice = Some("The runs simulated different models; only what they came to is compared."),
    }
    let (before, after) = (Simulated::from(&before), Simulated::from(&after));
    Ok(Reply::new(Output { before, after, results, model, notice }))
}

fn read(call: &mut EnergyCall<'_>, _: Value) -> Result<Value, Fault> {
    let found = compare(&other_database(call)?, &database(call)?, ZONES)?;
    serde_json::to_value(found)
        .map_err(|error| Fault::backend(format!("The comparison cannot be written: {error}.")))
}
