//! From a building to its energy model, with a table of all that the building does not say.

use crate::{Reply, Tool, weather_files};
use contract::ops::PlatformOperation;
use contract::{
    Caller, Downloads, Effect, EventType, Fault, Files, ModelId, ModelKind, ModelUse, Models, Sessions,
    Toolset, VersionId,
};
use energy::ops::{
    Assumption, Constructions, Correction, DeriveAnswer, DeriveEnergyModel, ZoneReport, Zoning,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// Rows of each table that an answer carries; the linked report has all.
const ZONES: usize = 40;
const FINDINGS: usize = 25;
/// The longest source of an assumption, in letters.
const TEXT: usize = 48;

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// The spaces that become one zone: each by itself; the spaces of a storey; of one usage on it; of one usage and façade (N, E, S, W, core).
    #[schemars(extend("default" = "space", "x-seldom" = true))]
    zoning: Option<Zoning>,
    /// Key, upload or path of an EPW; without it the session's.
    #[schemars(extend("x-seldom" = true))]
    weather_file: Option<String>,
    /// auto: material layers, gaps filled from data sets; default: data sets by class.
    #[schemars(extend("default" = "auto", "x-seldom" = true))]
    constructions: Option<Constructions>,
    /// Values in place of assumptions: `what` is an assumption's; `where` GlobalIds, names, usages or classes.
    #[schemars(extend("x-seldom" = true))]
    corrections: Option<Vec<Correction>>,
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
    /// Zone, GlobalId of its space (of several: spaces), volumes and floor areas beside the file's, whether it closes, use; conditioned where
    /// false.
    zones: Vec<Value>,
    /// Values that the building does not say, by `what`: for how many, how many values, the commonest; `correct`: may be corrected.
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
            "Makes an EnergyPlus model of an IFC model: zones, surfaces, shading, constructions, loads, ideal air. \
             Lists every assumption; `corrections` mends them.",
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
        corrections: input.corrections.unwrap_or_default(),
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
        zones: zones.into_iter().take(ZONES).map(told).collect(),
        assumption_count: assumptions.len(),
        assumptions: grouped(&assumptions),
        finding_count: findings.len(),
        findings: findings.into_iter().take(FINDINGS).map(|row| json!(row)).collect(),
        weather: json!(place),
        session: derived.session.or(session),
    };
    let mut reply = Reply::new(output).committed(derived.committed);
    reply.links = derived.links;
    for link in &mut reply.links {
        "All zones, surfaces, constructions, assumptions and findings".clone_into(&mut link.title);
    }
    Ok(reply)
}

/// A zone as it is told: without what its name says, and whether it is conditioned where it is not.
fn told(zone: ZoneReport) -> Value {
    let is_conditioned = zone.conditioned;
    let mut row = json!(rounded(zone));
    if let Some(fields) = row.as_object_mut() {
        fields.remove("label");
        if is_conditioned {
            fields.remove("conditioned");
        }
    }
    row
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

/// Assumptions by what was assumed: for how many, with how many values, and the commonest of those.
fn grouped(assumptions: &[Assumption]) -> Vec<Value> {
    let mut groups: Vec<(&str, Vec<&Assumption>)> = Vec::new();
    for row in assumptions {
        match groups.iter_mut().find(|(what, _)| *what == row.what) {
            Some((_, rows)) => rows.push(row),
            None => groups.push((&row.what, vec![row])),
        }
    }
    let group = |(what, mut rows): (&str, Vec<&Assumption>)| {
        rows.sort_by_key(|row| std::cmp::Reverse(row.count));
        let mut out = Map::new();
        out.insert("what".to_owned(), json!(what));
        out.insert("count".to_owned(), json!(rows.iter().map(|row| row.count).sum::<usize>()));
        if rows.len() > 1 {
            out.insert("values".to_owned(), json!(rows.len()));
        }
        if let Some(row) = rows.first() {
            out.insert("value".to_owned(), json!(row.value));
            out.insert("source".to_owned(), json!(short(&row.source)));
            if row.correct.is_some() {
                out.insert("correct".to_owned(), json!(true));
            }
        }
        Value::Object(out)
    };
    groups.into_iter().map(group).collect()
}

/// A text, cut where it is long.
fn short(text: &str) -> String {
    if text.chars().count() <= TEXT {
        return text.to_owned();
    }
    let cut: String = text.chars().take(TEXT - 1).collect();
    format!("{cut}…")
}
