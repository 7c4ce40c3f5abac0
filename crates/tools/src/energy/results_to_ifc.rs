//! The results of a simulation for each zone, written to the spaces of the building that the energy model was made of.

use crate::simulation::{OfRun, ending, latest, on_results, result};
use crate::{Reply, Tool};
use contract::ops::PlatformOperation;
use contract::{
    Effect, EventType, Fault, FaultCode, JobRecord, Jobs, ModelId, Models, Queries, Toolset, VersionId,
};
use energy::ops::{SimulationResult, WriteResults, ZoneResults};
use energy::results::{RunStatus, ZoneNumbers};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// GlobalIds and names that an answer lists.
const LISTED: usize = 20;

/// The tool's answer.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// The building.
    building_id: ModelId,
    building: String,
    /// The property set.
    pset: String,
    /// Spaces that have it now.
    spaces: u64,
    /// Its properties.
    properties: Vec<Value>,
    /// The run, and the version of the energy model that it was of.
    #[schemars(with = "Map<String, Value>")]
    run: Value,
    /// Of these zones no space is known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    zones_without_space: Vec<Value>,
    /// These spaces are in the building no more.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    spaces_gone: Vec<Value>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("results_to_ifc", Effect::Modify, |platform, input| Box::pin(run(platform, input)))
        .title("Results to IFC")
        .description(
            "Writes the latest simulation's results by zone to the IfcSpaces that the zones were made of, as property set \
             EnergyPlus_Results.",
        )
        .toolset(Toolset::Results)
        .toolset(Toolset::Exchange)
        .idempotent()
        .event(EventType::Other("EnergyResultsWritten".to_owned()))
        .example("The latest run", json!({}))
}

async fn run(
    platform: &(impl Jobs + Models + Queries + ?Sized),
    input: OfRun,
) -> Result<Reply<Output>, Fault> {
    let job = match &input.job_id {
        Some(id) => platform.job(id).await?,
        None => platform.latest_job(&latest()).await?,
    };
    let result = finished(&job)?;
    let (Some(model), Some(version)) = (&job.model_id, &job.version) else {
        return Err(Fault::backend("The simulation names no model."));
    };
    let model = platform.model(model.as_str()).await?;
    let Some(origin) = platform.origin(&model.model_id).await? else {
        return Err(Fault::new(
            FaultCode::ConstraintViolation,
            format!(
                "{} was not made of a building, so that its zones lead to no spaces. Make an energy model with \
                 ifc_to_energy_model, and simulate that.",
                model.name
            ),
        )
        .with("model_id", &model.model_id));
    };
    let building = platform.model(origin.model_id.as_str()).await.map_err(|fault| match fault.code {
        FaultCode::ModelNotFound => Fault::new(
            FaultCode::ModelNotFound,
            format!("The building that {} was made of is not there (any more).", model.name),
        )
        .with("model_id", &origin.model_id),
        _ => fault,
    })?;
    let read =
        ZoneResults { zones: origin.elements.keys().cloned().collect(), job_id: Some(job.job_id.clone()) };
    let found = platform.query_needing(read.operation(), &on_results()).await?.result;
    let found = ZoneResults::answer(&found)?;
    let run = about(&job, (&model.model_id, version), result, &found);
    let write = WriteResults { spaces: origin.elements, results: found.zones, run: run.clone() };
    let changed = platform.change_model(&building.model_id, write.operation(), None).await?;
    let written = WriteResults::read(&changed.artifact)?;
    let listed = |names: &mut dyn Iterator<Item = String>| names.take(LISTED).map(Value::from).collect();
    let output = Output {
        building_id: building.model_id,
        building: building.name,
        pset: written.set,
        spaces: written.space_count,
        properties: listed(&mut written.properties.into_iter()),
        run: json!(run),
        zones_without_space: listed(&mut written.zones_without_space.into_iter()),
        spaces_gone: listed(&mut written.spaces_gone.into_iter()),
    };
    Ok(match changed.committed {
        Some(committed) => Reply::new(output).committed(committed),
        None => Reply::new(output).status("unchanged"),
    })
}

/// The result of the run, if it came to its end: numbers of one that broke off are no results.
fn finished(job: &JobRecord) -> Result<SimulationResult, Fault> {
    let result = result(job)?;
    let status = result.as_ref().map(|result| result.run.outcome.status);
    match (result, status) {
        (Some(result), Some(RunStatus::Completed)) => Ok(result),
        (_, status) => Err(Fault::new(
            FaultCode::NoSimulationResults,
            format!(
                "The latest simulation did not come to its end ({}); its numbers are written to no building. Mend what \
                 get_simulation_status tells, and use run_simulation again.",
                status.map_or("unknown", ending)
            ),
        )
        .with("job_id", &job.job_id)),
    }
}

/// The properties that say where the set's numbers are from.
fn about(
    job: &JobRecord,
    (model, version): (&ModelId, &VersionId),
    result: SimulationResult,
    found: &ZoneNumbers,
) -> BTreeMap<String, String> {
    let facts = [
        ("Run", Some(job.job_id.clone())),
        ("EnergyModel", Some(model.as_str().to_owned())),
        ("EnergyModelVersion", Some(version.as_str().to_owned())),
        ("Program", Some(result.run.program)),
        ("WeatherFile", result.weather_file),
        ("Environment", Some(found.environment.clone())),
    ];
    facts.into_iter().filter_map(|(name, text)| Some((name.to_owned(), text?))).collect()
}
