//! The numbers of a run zone by zone, each under a name that says its unit: for those who keep them elsewhere, such as with the
//! spaces of a building.

use super::Results;
use super::database::EnvironmentKind;
use super::series::{Part, SeriesQuery};
use crate::digits::rounded;
use contract::Fault;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Zones that are asked for at most.
const MOST: usize = 5000;

/// The numbers of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ZoneNumbers {
    /// Name and value, by the zones' names as they were asked for.
    pub zones: BTreeMap<String, BTreeMap<String, f64>>,
    /// The source of energy and temperatures: `annual` for run periods of the weather file, else `sizing`.
    pub environment: String,
}

impl Results {
    /// Reads the run's numbers of these zones. A zone of which it says nothing is left out.
    pub fn zone_numbers(&self, names: &[String]) -> Result<ZoneNumbers, Fault> {
        let has_period =
            self.environments()?.iter().any(|environment| environment.kind == EnvironmentKind::Annual);
        let kind = if has_period { EnvironmentKind::Annual } else { EnvironmentKind::Sizing };
        let mut zones: BTreeMap<String, BTreeMap<String, f64>> = BTreeMap::new();
        let names: Vec<&String> = names.iter().take(MOST).collect();
        let known = |told: &str| names.iter().find(|name| name.eq_ignore_ascii_case(told)).copied();
        for row in self.zone_sizing()? {
            let Some(zone) = known(&row.zone) else { continue };
            let name = match row.load.to_ascii_lowercase().as_str() {
                "heating" => "HeatingDesignLoad_W",
                "cooling" => "CoolingDesignLoad_W",
                _ => continue,
            };
            zones.entry(zone.clone()).or_default().insert(name.to_owned(), row.calculated_w);
        }
        if has_period {
            let unmet = self.unmet_hours(usize::MAX)?;
            // zones that were sized have a thermostat; those of which nothing is told kept to it
            for values in zones.values_mut().filter(|_| unmet.facility.is_some()) {
                values.insert("UnmetHeating_h".to_owned(), 0.0);
                values.insert("UnmetCooling_h".to_owned(), 0.0);
            }
            for row in &unmet.zones {
                let Some(zone) = row.zone.as_deref().and_then(known) else { continue };
                let values = zones.entry(zone.clone()).or_default();
                values.insert("UnmetHeating_h".to_owned(), row.heating);
                values.insert("UnmetCooling_h".to_owned(), row.cooling);
            }
        }
        for name in names {
            let mut values = BTreeMap::new();
            self.temperatures(name, kind, &mut values);
            if has_period {
                for (what, variable) in [
                    ("HeatingEnergy_kWh", "Zone Ideal Loads Zone Total Heating Energy"),
                    ("CoolingEnergy_kWh", "Zone Ideal Loads Zone Total Cooling Energy"),
                ] {
                    let parts = self.parts_of(variable, name, kind);
                    let sums: Vec<f64> = parts.iter().filter_map(|part| part.sum_kwh).collect();
                    if !sums.is_empty() {
                        values.insert(what.to_owned(), sums.iter().sum());
                    }
                }
            }
            if !values.is_empty() {
                zones.entry(name.clone()).or_default().extend(values);
            }
        }
        for (name, value) in zones.values_mut().flatten() {
            let units = match name.rsplit('_').next() {
                Some("W") => "W",
                Some("C") => "C",
                Some("kWh") => "kWh",
                _ => "h",
            };
            *value = rounded(*value, units);
        }
        let environment = if has_period { "annual" } else { "sizing" }.to_owned();
        Ok(ZoneNumbers { zones, environment })
    }

    fn temperatures(&self, zone: &str, kind: EnvironmentKind, values: &mut BTreeMap<String, f64>) {
        let parts = self.parts_of("Zone Mean Air Temperature", zone, kind);
        let lowest = parts.iter().map(|part| part.minimum.value).reduce(f64::min);
        let highest = parts.iter().map(|part| part.maximum.value).reduce(f64::max);
        for (name, value) in [("AirTemperatureLowest_C", lowest), ("AirTemperatureHighest_C", highest)] {
            if let Some(value) = value {
                values.insert(name.to_owned(), value);
            }
        }
    }

    /// The series of a zone, or of a system that is named after it; none where the run did not record them.
    fn parts_of(&self, variable: &str, zone: &str, kind: EnvironmentKind) -> Vec<Part> {
        let query = SeriesQuery {
            key_value: format!("{zone}*"),
            environment: Some(kind),
            limit: 0,
            ..SeriesQuery::of_variable(variable)
        };
        let parts = self.series(&query).map(|answer| answer.parts).unwrap_or_default();
        let is_own = |key: &str| {
            let rest = key.get(zone.len()..).unwrap_or("?");
            let begins = key.get(..zone.len()).is_some_and(|start| start.eq_ignore_ascii_case(zone));
            begins && (rest.is_empty() || rest.to_ascii_lowercase().starts_with(" ideal loads"))
        };
        parts.into_iter().filter(|part| is_own(&part.key)).collect()
    }
}
