//! The energy model of a building, as the file of a new model, with the names by which its zones lead back to their spaces.

use crate::operations::Resolve;
use crate::run::Call;
use contract::ops::{Derivation, PlatformOperation};
use contract::{Fault, ModelKind, Outcome};
use energy::ops::{Constructions, DeriveAnswer, DeriveEnergyModel, WeatherNote};
use exec::files;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use thermal::{Converted, Options, Weather};

/// The most bytes of a weather file and of its design days.
const LARGEST: u64 = 256 << 20;

impl Resolve for DeriveEnergyModel {
    fn resolve(self, call: &Call<'_>) -> Result<Outcome, Fault> {
        let of = |role: &str| -> Result<Option<Vec<u8>>, Fault> {
            call.files
                .iter()
                .find(|file| file.role == role)
                .map(|file| files::bytes(file, LARGEST))
                .transpose()
        };
        let weather = match of("weather")? {
            Some(epw) => Some(Weather::read(&epw, of("design_days")?.as_deref())?),
            None => None,
        };
        call.watch.begins("making zones out of spaces");
        let options = Options {
            weather: weather.clone(),
            default_constructions: self.constructions == Constructions::Default,
            name: None,
            zoning: self.zoning,
            corrections: self.corrections,
        };
        let converted = thermal::convert(&call.model("model")?.model, &options)?;
        let failed = |error| Fault::backend(format!("The energy model cannot be written: {error}."));
        let report = json!({
            "zones": converted.zones, "surfaces": converted.surfaces, "assumptions": converted.assumptions,
            "findings": converted.findings, "counts": converted.counts, "constructions": converted.constructions,
        });
        let report = serde_json::to_vec_pretty(&report).map_err(failed)?;
        let name = files::name(call.request, "energy-model-report.json");
        let mut report = files::out(call.request, "report", name, "application/json", &report)?;
        "energy-model-report.json".clone_into(&mut report.name);
        let bytes = serde_json::to_vec_pretty(&converted.epjson).map_err(failed)?;
        let outcome = Self::outcome(answer(converted, weather.as_ref()))?;
        Ok(Outcome { files: vec![report], new_model: Some((ModelKind::EnergyPlus, bytes)), ..outcome })
    }
}

fn answer(converted: Converted, weather: Option<&Weather>) -> DeriveAnswer {
    let building = converted.epjson.get("Building").and_then(Value::as_object);
    let name = building.and_then(|of| of.keys().next()).cloned().unwrap_or_default();
    let mut areas: BTreeMap<String, f64> = BTreeMap::new();
    for surface in &converted.surfaces {
        *areas.entry(format!("{} {}", surface.kind, surface.boundary)).or_default() += surface.area;
    }
    for area in areas.values_mut() {
        *area = (*area * 100.0).round() / 100.0;
    }
    DeriveAnswer {
        derivation: Derivation { name, elements: converted.spaces() },
        counts: converted.counts,
        areas_m2: areas,
        weather: weather.map(|weather| WeatherNote {
            name: weather.name.clone(),
            design_days: weather.design_days.len() as u64,
            ground_temperatures: weather.ground_temperatures.is_some(),
        }),
        zones: converted.zones,
        assumptions: converted.assumptions,
        findings: converted.findings,
    }
}
