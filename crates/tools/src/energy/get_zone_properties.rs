//! A zone: its fields, what encloses it, and what serves it.

use crate::energy_objects::{BUDGET, find};
use crate::{EnergyCall, Tool};
use contract::{Effect, Fault};
use energy::idf::{Object, body};
use energy::integrity::area;
use energy::references::Graph;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The tool's arguments.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct Input {
    /// Its name.
    zone_name: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Zone {
    name: String,
    #[serde(skip_serializing_if = "Value::is_null")]
    fields: Value,
    /// Areas of its surfaces in m², by their type: wall, floor, roof, ceiling.
    areas: BTreeMap<String, f64>,
    /// Area of windows and doors in m².
    openings: f64,
    surfaces: usize,
    /// Other objects that refer to it, by type.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    referred_to_by: BTreeMap<String, Vec<String>>,
}

/// The zones.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    zones: Vec<Zone>,
    total: usize,
}

/// The tool.
pub fn tool() -> Tool {
    Tool::energy("get_zone_properties", Effect::Query, run)
        .description("A zone with its fields, the areas that enclose it and what serves it; without a name, every zone in short.")
        .example("Every zone", json!({}))
}

fn run(call: &mut EnergyCall<'_>, input: Input) -> Result<Output, Fault> {
    let document = &call.document;
    let graph = Graph::from_document(document);
    let whole = input.zone_name.is_some();
    let zones: Vec<Object<'_>> = match &input.zone_name {
        Some(name) => vec![find(document, "Zone", name)?],
        None => document.of_type("Zone").collect(),
    };
    let total = zones.len();
    let mut spent = 0;
    let mut shown = Vec::new();
    for object in zones {
        let mut zone = Zone {
            name: object.name().to_owned(),
            fields: if whole { body(object) } else { Value::Null },
            areas: BTreeMap::new(),
            openings: 0.0,
            surfaces: 0,
            referred_to_by: BTreeMap::new(),
        };
        for reference in graph.to(object.handle()) {
            let Some(from) = document.object(reference.from) else { continue };
            if let Some(kind) = from.get("surface_type") {
                zone.surfaces += 1;
                *zone.areas.entry(kind.to_lowercase()).or_default() += area(from).unwrap_or_default();
                for window in graph.to(reference.from) {
                    let window = document.object(window.from);
                    let window =
                        window.filter(|window| window.type_name().starts_with("FenestrationSurface"));
                    zone.openings += window.and_then(area).unwrap_or_default();
                }
            } else if whole {
                let names = zone.referred_to_by.entry(from.type_name().to_owned()).or_default();
                if names.len() < 20 {
                    names.push(from.label());
                }
            }
        }
        for area in zone.areas.values_mut() {
            *area = rounded(*area);
        }
        zone.openings = rounded(zone.openings);
        spent += serde_json::to_string(&zone).map_or(0, |text| text.len());
        if spent > BUDGET && !shown.is_empty() {
            break;
        }
        shown.push(zone);
    }
    Ok(Output { zones: shown, total })
}

fn rounded(area: f64) -> f64 {
    (area * 1e6).round() / 1e6
}
