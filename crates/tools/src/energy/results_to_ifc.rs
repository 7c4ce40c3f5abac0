//! The results of a simulation for each zone, written to the spaces of the building that the energy model was made of.

use crate::{Empty, Reply, Tool};
use contract::{
    BoxFuture, Effect, EventType, Fault, FaultCode, JobRecord, ModelId, Operation, Platform, Toolset,
    VersionId,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

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
    Tool::platform("results_to_ifc", Effect::Modify, run)
        .title("Results to IFC")
        .description(
            "Writes the latest simulation's results by zone to the IfcSpaces that ifc_to_energy_model made the \
             zones of, as property set EnergyPlus_Results.",
        )
        .toolset(Toolset::Results)
        .toolset(Toolset::Exchange)
        .idempotent()
        .event(EventType::Other("EnergyResultsWritten".to_owned()))
        .example("The latest run", json!({}))
}

fn run(platform: &dyn Platform, _: Empty) -> BoxFuture<'_, Result<Reply<Output>, Fault>> {
    Box::pin(async move {
        let job = finished(platform.latest_simulation().await?)?;
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
        let zones: Vec<&String> = origin.elements.keys().collect();
        let read = Operation {
            effect: Effect::Query,
            name: "zone_results".into(),
            params: json!({ "zones": zones }),
        };
        let found = platform.read_simulation(read).await?.result;
        let run = about(&job, &model.model_id, version, &found);
        let params = json!({
            "spaces": origin.elements, "results": found.get("zones"), "run": run,
        });
        let write = Operation { effect: Effect::Modify, name: "energy_results".into(), params };
        let changed = platform.change_model(&building.model_id, write, None).await?;
        let told = |name: &str| changed.artifact.result.get(name).cloned().unwrap_or_default();
        let listed = |name: &str| match told(name) {
            Value::Array(items) => items.into_iter().take(LISTED).collect(),
            _ => Vec::new(),
        };
        let output = Output {
            building_id: building.model_id,
            building: building.name,
            pset: told("set").as_str().unwrap_or_default().to_owned(),
            spaces: told("space_count").as_u64().unwrap_or_default(),
            properties: listed("properties"),
            run,
            zones_without_space: listed("zones_without_space"),
            spaces_gone: listed("spaces_gone"),
        };
        Ok(match changed.committed {
            Some(committed) => Reply::of(output).committed(committed),
            None => Reply::of(output).status("unchanged"),
        })
    })
}

/// The run, if it came to its end: numbers of one that broke off are no results.
fn finished(job: JobRecord) -> Result<JobRecord, Fault> {
    let status = job.result.as_ref().and_then(|result| result.get("status")).and_then(Value::as_str);
    match status {
        Some("completed") => Ok(job),
        _ => Err(Fault::new(
            FaultCode::NoSimulationResults,
            format!(
                "The latest simulation did not come to its end ({}); its numbers are written to no building. Mend what \
                 get_simulation_status tells, and use run_simulation again.",
                status.unwrap_or("unknown")
            ),
        )
        .with("job_id", &job.job_id)),
    }
}

/// The properties that say where the set's numbers are from.
fn about(job: &JobRecord, model: &ModelId, version: &VersionId, found: &Value) -> Value {
    let mut run = Map::new();
    run.insert("Run".into(), job.job_id.clone().into());
    run.insert("EnergyModel".into(), model.as_str().into());
    run.insert("EnergyModelVersion".into(), version.as_str().into());
    let result = job.result.as_ref();
    for (name, value) in [
        ("Program", result.and_then(|result| result.get("program"))),
        ("WeatherFile", result.and_then(|result| result.get("weather_file"))),
        ("Environment", found.get("environment")),
    ] {
        if let Some(value) = value.filter(|value| value.is_string()) {
            run.insert(name.into(), value.clone());
        }
    }
    Value::Object(run)
}
