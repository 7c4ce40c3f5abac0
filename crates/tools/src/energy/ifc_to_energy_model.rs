//! From a building to its energy model, with a table of all that the building does not say.

use crate::{Reply, Tool};
use contract::{
    BoxFuture, Effect, EventType, Fault, ModelId, ModelKind, ModelUse, Operation, Platform, Toolset,
    VersionId,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// Rows of each table that an answer carries; the linked report has all.
const ZONES: usize = 40;
const ROWS: usize = 25;
/// Places that a row names.
const PLACES: usize = 3;

/// The elements that become zones.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Zoning {
    Space,
}

/// The source of constructions.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Constructions {
    Auto,
    Default,
}

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
    Tool::platform("ifc_to_energy_model", Effect::Create, run)
        .title("IFC to energy model")
        .description(
            "Makes an EnergyPlus model of an IFC model: zones, surfaces, windows, shading, constructions, loads, \
             ideal air. Lists every assumption. Then run_simulation.",
        )
        .toolset(Toolset::Energy)
        .toolset(Toolset::Exchange)
        .model(ModelUse::Current)
        .event(EventType::Other("EnergyModelDerived".to_owned()))
        .example("The session's building", json!({}))
}

fn run(platform: &dyn Platform, input: Input) -> BoxFuture<'_, Result<Reply<Output>, Fault>> {
    Box::pin(async move {
        let mut params = Map::new();
        params.insert("zoning".into(), json!(input.zoning.unwrap_or(Zoning::Space)));
        params.insert("constructions".into(), json!(input.constructions.unwrap_or(Constructions::Auto)));
        let operation =
            Operation { effect: Effect::Create, name: "energy_model".into(), params: Value::Object(params) };
        let derived = platform.derive_model(ModelKind::Ifc, operation, input.weather_file.as_deref()).await?;
        let (model, version): (ModelId, VersionId) = (derived.origin.model_id, derived.origin.version);
        let mut result = derived.artifact.result;
        let mut take = |name: &str| result.get_mut(name).map(Value::take).unwrap_or_default();
        let (assumptions, findings, zones) =
            (rows(take("assumptions")), rows(take("findings")), rows(take("zones")));
        let output = Output {
            name: derived.name,
            source: json!({ "model_id": model, "model_version": version }),
            counts: take("counts"),
            areas_m2: take("areas_m2"),
            zones: zones.into_iter().take(ZONES).map(rounded).collect(),
            assumption_count: assumptions.len(),
            assumptions: assumptions.into_iter().take(ROWS).map(fewer_places).collect(),
            finding_count: findings.len(),
            findings: findings.into_iter().take(ROWS).collect(),
            weather: take("weather"),
            session: derived.session,
        };
        let mut reply = Reply::of(output).committed(derived.committed);
        reply.links = derived.links;
        for link in &mut reply.links {
            "All zones, surfaces, assumptions and findings".clone_into(&mut link.title);
        }
        Ok(reply)
    })
}

fn rows(value: Value) -> Vec<Value> {
    match value {
        Value::Array(rows) => rows,
        _ => Vec::new(),
    }
}

/// Cubic and square metres to the second place.
fn rounded(mut zone: Value) -> Value {
    if let Value::Object(members) = &mut zone {
        for value in members.values_mut() {
            if let Some(number) = value.as_f64() {
                *value = json!((number * 100.0).round() / 100.0);
            }
        }
    }
    zone
}

fn fewer_places(mut row: Value) -> Value {
    if let Some(Value::Array(places)) = row.get_mut("where") {
        places.truncate(PLACES);
    }
    row
}
