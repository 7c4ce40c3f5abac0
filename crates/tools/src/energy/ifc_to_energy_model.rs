//! From a building to its energy model, with a table of all that the building does not say.

use crate::{Reply, Tool, weather_files};
use contract::ops::PlatformOperation;
use contract::{
    Caller, Downloads, Effect, EventType, Fault, Files, ModelId, ModelKind, ModelUse, Models, Sessions,
    Toolset, VersionId,
};
use energy::ops::{Assumption, Constructions, DeriveAnswer, DeriveEnergyModel, ZoneReport, Zoning};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// Rows of each table that an answer carries; the linked report has all.
const ZONES: usize = 40;
const ROWS: usize = 25;
/// Places that a row names.
const PLACES: usize = 3;

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// A zone for each IfcSpace.
    #[schemars(extend("default" = "space", "x-seldom" = true))]
    zoning: Option<Zoning>,
    /// Key, upload or path of an EPW; without it the session's.
    #[schemars(extend("x-seldom" = true))]
    weather_file: Option<String>,
    /// auto: material layers, gaps filled from data sets; default: data sets by class.
    #[schemars(extend("default" = "auto", "x-seldom" = true))]
    constructions: Option<Constructions>,
}

/// The energy model, now the session's.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    name: String,
    /// The model that it was made from.
    #[schemars(with = "Map<String, Value>")]
    source: Value,
    #[schemars(with = "Map<String, Value>")]
    counts: Value,
    /// m² by kind of surface and what is behind it.
    #[schemars(with = "Map<String, Value>")]
    areas_m2: Value,
    /// Zone, GlobalId of its space, volumes and floor areas beside the file's, whether it closes, use.
    zones: Vec<Value>,
    /// Values that the building does not say.
    assumptions: Vec<Value>,
    assumption_count: usize,
    /// Parts that could not be carried over.
    findings: Vec<Value>,
    finding_count: usize,
    /// Place of the weather file.
    #[schemars(with = "Option<Map<String, Value>>")]
    weather: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("ifc_to_energy_model", Effect::Create, |platform, input| Box::pin(run(platform, input)))
        .title("IFC to energy model")
        .description(
            "Makes an EnergyPlus model of an IFC model: zones, surfaces, windows, shading, constructions, loads, \
             ideal air. Lists every assumption. Then run_simulation.",
        )
        .toolset(Toolset::Energy)
        .toolset(Toolset::Exchange)
        .model(ModelUse::Current)
        .kind(ModelKind::Ifc)
        .event(EventType::Other("EnergyModelDerived".to_owned()))
        .example("The session's building", json!({}))
}

async fn run(
    platform: &(impl Caller + Downloads + Files + Models + Sessions + ?Sized),
    input: Input,
) -> Result<Reply<Output>, Fault> {
    let derive = DeriveEnergyModel {
        zoning: input.zoning.unwrap_or_default(),
        constructions: input.constructions.unwrap_or_default(),
    };
    let operation = derive.operation();
    let weather = weather_files::with_design_days(platform, input.weather_file.as_deref()).await?;
    let named = weather.first().filter(|_| input.weather_file.is_some()).map(|file| file.key.clone());
    let derived = platform.derive_model(operation, weather).await?;
    let session = match named {
        Some(key) => weather_files::keep(platform, &key).await?,
        None => None,
    };
    let (model, version): (ModelId, VersionId) = (derived.origin.model_id, derived.origin.version);
    let DeriveAnswer { counts, areas_m2, weather: place, zones, assumptions, findings, .. } =
        DeriveEnergyModel::read(&derived.artifact)?;
    let output = Output {
        name: derived.name,
        source: json!({ "model_id": model, "model_version": version }),
        counts: json!(counts),
        areas_m2: json!(areas_m2),
        zones: zones.into_iter().take(ZONES).map(|zone| json!(rounded(zone))).collect(),
        assumption_count: assumptions.len(),
        assumptions: assumptions.into_iter().take(ROWS).map(|row| json!(fewer_places(row))).collect(),
        finding_count: findings.len(),
        findings: findings.into_iter().take(ROWS).map(|row| json!(row)).collect(),
        weather: json!(place),
        session: derived.session.or(session),
    };
    let mut reply = Reply::new(output).committed(derived.committed);
    reply.links = derived.links;
    for link in &mut reply.links {
        "All zones, surfaces, assumptions and findings".clone_into(&mut link.title);
    }
    Ok(reply)
}

/// Cubic and square metres to the second place.
fn rounded(zone: ZoneReport) -> ZoneReport {
    let round = |number: f64| (number * 100.0).round() / 100.0;
    ZoneReport {
        volume: round(zone.volume),
        body_volume: round(zone.body_volume),
        stated_volume: zone.stated_volume.map(round),
        floor_area: round(zone.floor_area),
        stated_floor_area: zone.stated_floor_area.map(round),
        ..zone
    }
}

fn fewer_places(mut row: Assumption) -> Assumption {
    row.places.truncate(PLACES);
    row
}
