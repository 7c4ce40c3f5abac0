//! The energy model of a building, as the file of a new model, with the names by which its zones lead back to their spaces.

use contract::{Fault, FileInput, ModelKind, Outcome, Request, Watch};
use exec::files;
use ifc::Model;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use thermal::{Converted, Options, Weather};

/// The most bytes of a weather file and of its design days.
const LARGEST: u64 = 256 << 20;

/// What becomes a zone.
#[derive(Deserialize, Default)]
#[serde(rename_all = "lowercase")]
enum Zoning {
    /// Every space.
    #[default]
    Space,
}

/// What constructions are made of.
#[derive(Deserialize, Default, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Constructions {
    /// The elements' layers; what they do not say is taken from data sets.
    #[default]
    Auto,
    /// The data sets, by the elements' classes.
    Default,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Params {
    #[serde(default, rename = "zoning")]
    _zoning: Zoning,
    #[serde(default)]
    constructions: Constructions,
}

/// `energy_model`: the whole of it is the new model, every assumption and finding in the file `report`, and what an agent has to
/// see in the answer.
pub(crate) fn make(
    request: &Request,
    model: &Model,
    given: &[FileInput],
    params: &Params,
    watch: &Arc<dyn Watch>,
) -> Result<Outcome, Fault> {
    let of = |role: &str| -> Result<Option<Vec<u8>>, Fault> {
        given.iter().find(|file| file.role == role).map(|file| files::bytes(file, LARGEST)).transpose()
    };
    let weather = match of("weather")? {
        Some(epw) => Some(Weather::read(&epw, of("design_days")?.as_deref())?),
        None => None,
    };
    watch.begins("making zones out of spaces");
    let options = Options {
        weather: weather.clone(),
        default_constructions: params.constructions == Constructions::Default,
        name: None,
    };
    let converted = thermal::convert(model, &options)?;
    let failed = |error| Fault::backend(format!("The energy model cannot be written: {error}."));
    let report = json!({
        "zones": converted.zones, "surfaces": converted.surfaces, "assumptions": converted.assumptions,
        "findings": converted.findings, "counts": converted.counts,
    });
    let report = serde_json::to_vec_pretty(&report).map_err(failed)?;
    let name = files::name(request, "energy-model-report.json");
    let mut report = files::out(request, "report", name, "application/json", &report)?;
    "energy-model-report.json".clone_into(&mut report.name);
    let bytes = serde_json::to_vec_pretty(&converted.epjson).map_err(failed)?;
    Ok(Outcome {
        result: answer(&converted, weather.as_ref()),
        files: vec![report],
        new_model: Some((ModelKind::EnergyPlus, bytes)),
        ..Outcome::default()
    })
}

fn answer(converted: &Converted, weather: Option<&Weather>) -> Value {
    let building = converted.epjson.get("Building").and_then(Value::as_object);
    let name = building.and_then(|of| of.keys().next()).cloned().unwrap_or_default();
    let mut areas: BTreeMap<String, f64> = BTreeMap::new();
    for surface in &converted.surfaces {
        *areas.entry(format!("{} {}", surface.kind, surface.boundary)).or_default() += surface.area;
    }
    for area in areas.values_mut() {
        *area = (*area * 100.0).round() / 100.0;
    }
    let weather = weather.map(|weather| {
        json!({
            "name": weather.name, "design_days": weather.design_days.len(),
            "ground_temperatures": weather.ground_temperatures.is_some(),
        })
    });
    json!({
        "name": name, "elements": converted.spaces(), "counts": converted.counts, "areas_m2": areas, "weather": weather,
        "zones": converted.zones, "assumptions": converted.assumptions, "findings": converted.findings,
    })
}
