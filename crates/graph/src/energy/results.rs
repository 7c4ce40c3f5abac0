//! Results of a simulation as triples: of zones at their nodes, energy by end use at nodes of its own, and the whole building at
//! `result:run`.
//!
//! Names say the unit, as the property sets do into which results of a run are written for a building: `result:heatingDesignLoad_W` here is
//! the property `HeatingDesignLoad_W` there.

use crate::names::{self, RESULT};
use crate::term::{Bits, Part};
use contract::Fault;
use energy::results::Results;
use foldhash::HashMap;
use std::collections::{BTreeMap, BTreeSet};

/// The local name of the node of a run.
pub const RUN: &str = "run";
/// The local name of the class of runs.
pub const RUN_CLASS: &str = "Run";
/// The local name of the class of single uses.
pub const USE_CLASS: &str = "EndUse";
/// The local name of the class of the sums of all uses of a source.
pub const TOTAL_CLASS: &str = "EndUseTotal";

/// A value, free of what belongs to one thread.
#[derive(Debug, Clone, PartialEq)]
enum Plain {
    Number(f64),
    Text(String),
}

impl From<&Plain> for Part {
    fn from(plain: &Plain) -> Self {
        match plain {
            Plain::Number(number) => Part::Double(Bits(*number)),
            Plain::Text(text) => Part::Text(text.as_str().into()),
        }
    }
}

/// Values by the local names of their predicates.
type Values = BTreeMap<String, Plain>;

/// Something beside the zones that results are told of.
struct Told {
    local: String,
    class: &'static str,
    values: Values,
}

/// The results of one simulation.
#[derive(Default)]
pub struct RunResults {
    /// By the zones' names in small letters.
    zones: HashMap<String, Values>,
    /// The run and the uses.
    told: Vec<Told>,
}

/// `HeatingDesignLoad_W` → `heatingDesignLoad_W`.
fn predicate(name: &str) -> String {
    names::predicate_of_attribute(name)
}

/// The predicates of a zone as a run took it.
const FACTS: [&str; 6] = ["FloorArea_m2", "Volume_m3", "Height_m", "People", "Lights_W", "Equipment_W"];

impl RunResults {
    /// Reads the results of these zones and of the whole.
    pub fn read(results: &Results, zones: &[String]) -> Result<Self, Fault> {
        let mut made = Self::default();
        let number = |value: f64| Plain::Number(value);
        for zone in results.zone_facts(None)? {
            let facts = [
                zone.floor_area_m2,
                zone.volume_m3,
                zone.height_m,
                zone.people,
                zone.lights_w,
                zone.equipment_w,
            ];
            let values = FACTS.into_iter().zip(facts).map(|(name, value)| (predicate(name), number(value)));
            made.zones.entry(zone.zone.to_lowercase()).or_default().extend(values);
        }
        let of_run = results.zone_numbers(zones)?;
        for (zone, values) in of_run.zones {
            let values = values.into_iter().map(|(name, value)| (predicate(&name), number(value)));
            made.zones.entry(zone.to_lowercase()).or_default().extend(values);
        }
        let uses = results.end_uses()?;
        let mut run = Values::from([("environment".to_owned(), Plain::Text(of_run.environment))]);
        run.extend(uses.floor_area_m2.map(|area| ("floorArea_m2".to_owned(), number(area))));
        for row in uses.site_and_source {
            let name: String = row.name.split_whitespace().collect();
            run.insert(format!("{}_kWh", predicate(&name)), number(row.kwh));
            run.extend(
                row.kwh_per_m2.map(|value| (format!("{}_kWh_per_m2", predicate(&name)), number(value))),
            );
        }
        if let Some(hours) = results.unmet_hours(0)?.facility {
            run.insert("unmetHeating_h".to_owned(), number(hours.heating));
            run.insert("unmetCooling_h".to_owned(), number(hours.cooling));
        }
        made.told.push(Told { local: RUN.to_owned(), class: RUN_CLASS, values: run });
        let totals = uses.totals.into_iter().map(|own| (TOTAL_CLASS, own));
        for (class, own) in uses.uses.into_iter().map(|own| (USE_CLASS, own)).chain(totals) {
            let local = names::property_name(&own.name, [own.source.as_str()]);
            let mut values = Values::from([
                ("use".to_owned(), Plain::Text(own.name)),
                ("source".to_owned(), Plain::Text(own.source)),
                ("value".to_owned(), number(own.value)),
                ("units".to_owned(), Plain::Text(own.units)),
            ]);
            values.extend(own.kwh.map(|kwh| ("energy_kWh".to_owned(), number(kwh))));
            values.extend(own.meter.map(|meter| ("meter".to_owned(), Plain::Text(meter))));
            made.told.push(Told { local, class, values });
        }
        Ok(made)
    }

    /// The number of things beside zones that results are told of.
    pub(crate) fn told(&self) -> usize {
        self.told.len()
    }

    /// The place of such a thing by its local name.
    pub(crate) fn find(&self, local: &str) -> Option<usize> {
        self.told.iter().position(|told| told.local == local)
    }

    /// The IRI of such a thing.
    pub(crate) fn iri(&self, at: usize) -> String {
        format!("{RESULT}{}", self.told.get(at).map(|told| told.local.as_str()).unwrap_or_default())
    }

    /// The local name of its class.
    pub(crate) fn class(&self, at: usize) -> &'static str {
        self.told.get(at).map_or(RUN_CLASS, |told| told.class)
    }

    /// A value of such a thing.
    pub(crate) fn value(&self, at: usize, name: &str) -> Option<Part> {
        Some(Part::from(self.told.get(at)?.values.get(name)?))
    }

    /// The local names of the predicates that such a thing has.
    pub(crate) fn names(&self, at: usize) -> Vec<String> {
        self.told.get(at).map(|told| told.values.keys().cloned().collect()).unwrap_or_default()
    }

    /// A value of a zone.
    pub(crate) fn of_zone(&self, zone: &str, name: &str) -> Option<Part> {
        Some(Part::from(self.zones.get(&zone.to_lowercase())?.get(name)?))
    }

    /// The local names of the predicates that a zone has.
    pub(crate) fn names_of_zone(&self, zone: &str) -> Vec<String> {
        self.zones.get(&zone.to_lowercase()).map(|zone| zone.keys().cloned().collect()).unwrap_or_default()
    }

    /// The local names of all predicates.
    pub(crate) fn all_names(&self) -> BTreeSet<&str> {
        let told = self.told.iter().flat_map(|told| told.values.keys());
        self.zones.values().flat_map(BTreeMap::keys).chain(told).map(String::as_str).collect()
    }

    /// Results of zones alone, for tests.
    #[cfg(test)]
    pub(crate) fn of_zones<'z>(zones: impl IntoIterator<Item = (&'z str, &'z str, f64)>) -> Self {
        let mut made = Self::default();
        for (zone, name, value) in zones {
            made.zones.entry(zone.to_lowercase()).or_default().insert(name.to_owned(), Plain::Number(value));
        }
        let values = Values::from([("energy_kWh".to_owned(), Plain::Number(12.5))]);
        made.told.push(Told { local: RUN.to_owned(), class: RUN_CLASS, values: Values::new() });
        made.told.push(Told { local: "Heating.Electricity".to_owned(), class: USE_CLASS, values });
        made
    }
}
