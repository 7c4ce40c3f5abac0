//! The card of a zone: its measures, what encloses it with areas and U-values, loads, air, set points, what serves it back to its plant; from
//! the model, and from the latest run where that differs.

use crate::energy_objects::{BUDGET, find};
use crate::energy_results::weight;
use crate::simulation::results;
use crate::zone_card::{Reader, Zone};
use crate::{EnergyCall, Reply, Tool, parse};
use contract::ops::PlatformOperation;
use contract::{Effect, Fault, ModelUse, Needs, Operation, Queries};
use energy::digits::rounded;
use energy::geometry::Scene;
use energy::geometry::zones::ZoneSurfaces;
use energy::idf::Object;
use energy::ops::ZoneFacts;
use energy::references::Graph;
use energy::results::ZoneOfRun;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// The share by which a run's number has to differ to be told.
const DIFFERS: f64 = 0.005;

/// The tool's arguments.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub struct Input {
    /// Its name; without it every zone in short.
    #[schemars(extend("x-seldom" = true))]
    zone_name: Option<String>,
}

/// The zones.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Output {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    zones: Vec<Zone>,
    /// Where zones are many, in their place: the names of what stands in `rows`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    columns: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    rows: Vec<Vec<Value>>,
    /// The texts that the columns `control` and `hvac` number, from 0.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    texts: Vec<String>,
    total: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    notice: Option<String>,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::platform("get_zone_properties", Effect::Query, |platform, input| Box::pin(run(platform, input)))
        .description(
            "A zone's card: measures, enclosing areas with U-values, loads, air, set points, HVAC back to its plant, design loads; \
             without a name, every zone in short.",
        )
        .model(ModelUse::Current)
        .with_energy(of_model)
        .example("Every zone", json!({}))
}

async fn run(platform: &(impl Queries + ?Sized), input: Input) -> Result<Reply<Output>, Fault> {
    let params = json!({ "zone_name": input.zone_name });
    let operation = Operation { effect: Effect::Query, name: "get_zone_properties".into(), params };
    let found = platform.query(operation).await?;
    let mut output = Output::deserialize(&found.result)
        .map_err(|error| Fault::backend(format!("The zones cannot be read: {error}.")))?;
    let facts = ZoneFacts { zone: input.zone_name.clone() };
    let needs = Needs { files: vec![results()], ..Needs::default() };
    // a session without a run, or with one that is not over, has nothing to hold beside
    if let Ok(of_run) = platform.query_needing(facts.operation(), &needs).await
        && let Ok(facts) = ZoneFacts::answer(&of_run.result)
    {
        let changed = of_run.result.pointer("/results_of/note").is_some();
        for zone in &mut output.zones {
            let of_run = facts.zones.iter().find(|of_run| of_run.zone.eq_ignore_ascii_case(&zone.name));
            zone.of_run = of_run.and_then(|of_run| beside(zone, of_run, changed));
        }
    }
    Ok(Reply::new(output))
}

/// The words of a run on a zone beside its card; none where it says nothing else.
fn beside(zone: &Zone, run: &ZoneOfRun, changed: bool) -> Option<Value> {
    let mut told = Map::new();
    for (name, watts) in
        [("heating_design_w", run.heating_design_w), ("cooling_design_w", run.cooling_design_w)]
    {
        if let Some(watts) = watts {
            told.insert(name.to_owned(), json!(rounded(watts, "W")));
        }
    }
    let area = run.floor_area_m2.max(f64::MIN_POSITIVE);
    let pairs = [
        ("floor_area_m2", zone.floor_area_m2, run.floor_area_m2),
        ("volume_m3", zone.volume_m3, run.volume_m3),
        ("people", zone.people, run.people),
        ("lights_w_m2", zone.lights_w_m2, run.lights_w / area),
        ("equipment_w_m2", zone.equipment_w_m2, run.equipment_w / area),
    ];
    let differs = |own: f64, other: f64| (own - other).abs() > DIFFERS * own.abs().max(other.abs()).max(0.01);
    let other: Map<String, Value> = pairs
        .into_iter()
        .filter(|(_, own, other)| differs(*own, *other))
        .map(|(name, _, other)| (name.to_owned(), json!(rounded(other, "m2"))))
        .collect();
    if !other.is_empty() {
        told.insert("differs".to_owned(), Value::Object(other));
        if changed {
            told.insert("why".to_owned(), "the model was changed since".into());
        }
    }
    (!told.is_empty()).then_some(Value::Object(told))
}

fn of_model(call: &mut EnergyCall<'_>, params: Value) -> Result<Value, Fault> {
    let mut params = params;
    if let Some(members) = params.as_object_mut() {
        members.retain(|_, value| !value.is_null());
    }
    let input: Input = parse(params, &["zone_name".to_owned()])?;
    let document = &call.document;
    let graph = Graph::from_document(document);
    let scene = Scene::from_document(document);
    let sorted = ZoneSurfaces::from_scene(&scene);
    let whole = input.zone_name.is_some();
    let zones: Vec<Object<'_>> = match &input.zone_name {
        Some(name) => vec![find(document, "Zone", name)?],
        None => document.of_type("Zone").collect(),
    };
    let reader = Reader { document, graph: &graph, scene: &scene, sorted: &sorted };
    let total = zones.len();
    let zones: Vec<Zone> = zones.into_iter().map(|object| reader.zone(object, whole)).collect();
    let output = if whole || weight(&zones) <= ROOM {
        let (columns, rows, texts) = Default::default();
        Output { zones, columns, rows, texts, total, notice: None }
    } else {
        table(&zones)
    };
    serde_json::to_value(output)
        .map_err(|error| Fault::backend(format!("The zones cannot be written: {error}.")))
}

/// Characters of zones as objects; more of them are told as a table.
const ROOM: usize = 7_000;

/// The columns of the table of zones.
const COLUMNS: [&str; 13] = [
    "name",
    "multiplier",
    "floor_area_m2",
    "volume_m3",
    "outer_wall_m2",
    "roof_m2",
    "window_m2",
    "people",
    "lights_w_m2",
    "equipment_w_m2",
    "infiltration_per_h",
    "control",
    "hvac",
];

/// Zones as a table, each text of their controls and systems once.
fn table(zones: &[Zone]) -> Output {
    let mut texts: Vec<String> = Vec::new();
    let mut number = |text: Option<&String>| -> Value {
        let Some(text) = text else { return Value::Null };
        let at = texts.iter().position(|known| known == text).unwrap_or_else(|| {
            texts.push(text.clone());
            texts.len() - 1
        });
        at.into()
    };
    let are_unknown = zones.iter().any(|zone| !zone.unknown.is_empty());
    let (mut rows, mut spent) = (Vec::new(), 0);
    for zone in zones {
        let outer = |part: &str| json!(zone.to_outdoors_m2.get(part).copied().unwrap_or(0.0));
        let mut row = vec![
            json!(zone.name),
            json!(zone.multiplier.unwrap_or(1.0)),
            json!(zone.floor_area_m2),
            json!(zone.volume_m3),
            outer("wall"),
            outer("roof"),
            outer("window"),
            json!(zone.people),
            json!(zone.lights_w_m2),
            json!(zone.equipment_w_m2),
            json!(zone.infiltration_per_h),
            number(zone.control.as_ref()),
            number(Some(&zone.hvac.join(", ")).filter(|text| !text.is_empty())),
        ];
        if are_unknown {
            row.push(json!(zone.unknown));
        }
        spent += weight(&row);
        if spent > BUDGET && !rows.is_empty() {
            break;
        }
        rows.push(row);
    }
    let left = zones.len() - rows.len();
    let notice = (left > 0).then(|| format!("{left} zones are left out; give zone_name to see one of them."));
    let unknown = are_unknown.then_some("unknown");
    let columns = COLUMNS.into_iter().chain(unknown).map(str::to_owned).collect();
    Output { zones: Vec::new(), columns, rows, texts, total: zones.len(), notice }
}
