//! Two runs side by side: energy by end use, hours outside set points, what zones are sized for.

use super::Results;
use super::summary::EndUse;
use crate::digits::rounded;
use contract::Fault;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A number of two runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Pair {
    /// Its name.
    pub name: String,
    /// Its units.
    pub units: String,
    /// Of the other run.
    pub before: f64,
    /// Of this run.
    pub after: f64,
    /// The difference.
    pub change: f64,
    /// The difference in percent of the other run's; absent where that is zero.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub percent: Option<f64>,
}

impl Pair {
    fn new(name: &str, units: &str, before: f64, after: f64) -> Self {
        let change = after - before;
        let percent = (before.abs() > f64::EPSILON).then(|| rounded(100.0 * change / before.abs(), "%"));
        Self {
            name: name.to_owned(),
            units: units.to_owned(),
            before: rounded(before, units),
            after: rounded(after, units),
            change: rounded(change, units),
            percent,
        }
    }

    fn is_change(&self) -> bool {
        self.change.abs() > 1e-9 * self.before.abs().max(self.after.abs()).max(1e-9)
    }
}

/// The differences between two runs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Comparison {
    /// Energy and water by end use and source that differ, the largest change first.
    pub end_uses: Vec<Pair>,
    /// The number of end uses that are alike.
    pub alike: usize,
    /// Energy of the site and at its source, by the building and by its floor area.
    pub totals: Vec<Pair>,
    /// Hours in which set points were not met.
    pub unmet_hours: Vec<Pair>,
    /// Loads that all zones are sized for.
    pub design_loads: Vec<Pair>,
    /// Zones whose design load differs, the largest change first.
    pub zones: Vec<Pair>,
    /// Notes on what makes the runs hard to compare.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// The numbers of a list by a key of their own.
fn by_name<'a>(uses: &'a [EndUse]) -> BTreeMap<(&'a str, &'a str), (f64, &'a str)> {
    let number = |one: &'a EndUse| match one.kwh {
        Some(kwh) => (kwh, "kWh"),
        None => (one.value, one.units.as_str()),
    };
    uses.iter().map(|one| ((one.name.as_str(), one.source.as_str()), number(one))).collect()
}

fn largest_first(pairs: &mut [Pair]) {
    pairs.sort_by(|a, b| b.change.abs().total_cmp(&a.change.abs()));
}

/// Compares a run with another; at most `zones` zones are listed.
pub fn compare(other: &Results, this: &Results, zones: usize) -> Result<Comparison, Fault> {
    let mut found = Comparison::default();
    let (before, after) = (other.end_uses()?, this.end_uses()?);
    let (uses, others) = (by_name(&after.uses), by_name(&before.uses));
    let mut keys: Vec<_> = uses.keys().chain(others.keys()).copied().collect();
    keys.sort_unstable();
    keys.dedup();
    for key in keys {
        let (old, new) = (others.get(&key).copied(), uses.get(&key).copied());
        let units = new.or(old).map_or("", |(_, units)| units);
        let number = |value: Option<(f64, &str)>| value.map_or(0.0, |(number, _)| number);
        let pair = Pair::new(&format!("{}, {}", key.0, key.1), units, number(old), number(new));
        if pair.is_change() {
            found.end_uses.push(pair);
        } else {
            found.alike += 1;
        }
    }
    largest_first(&mut found.end_uses);
    for site in &after.site_and_source {
        let Some(old) = before.site_and_source.iter().find(|old| old.name == site.name) else { continue };
        found.totals.push(Pair::new(&site.name, "kWh", old.kwh, site.kwh));
        if let (Some(old), Some(new)) = (old.kwh_per_m2, site.kwh_per_m2) {
            found.totals.push(Pair::new(&site.name, "kWh/m2", old, new));
        }
    }
    if let (Some(old), Some(new)) = (before.floor_area_m2, after.floor_area_m2)
        && (old - new).abs() > 0.005 * old.max(new)
    {
        found.totals.push(Pair::new("Floor area", "m2", old, new));
    }
    for note in
        before.notes.iter().map(|note| format!("Of the other run: {note}")).chain(after.notes.iter().cloned())
    {
        found.notes.push(note);
    }
    let (before, after) = (other.unmet_hours(usize::MAX)?, this.unmet_hours(usize::MAX)?);
    if let (Some(old), Some(new)) = (before.facility, after.facility) {
        found.unmet_hours = vec![
            Pair::new("heating", "h", old.heating, new.heating),
            Pair::new("cooling", "h", old.cooling, new.cooling),
            Pair::new("heating while occupied", "h", old.occupied_heating, new.occupied_heating),
            Pair::new("cooling while occupied", "h", old.occupied_cooling, new.occupied_cooling),
        ];
    }
    let (before, after) = (sizes(other), sizes(this));
    for load in ["Heating", "Cooling"] {
        let sum = |sizes: &BTreeMap<(String, String), f64>| -> f64 {
            sizes.iter().filter(|((_, of), _)| of == load).map(|(_, watts)| watts).sum()
        };
        let pair = Pair::new(&load.to_lowercase(), "W", sum(&before), sum(&after));
        if pair.before != 0.0 || pair.after != 0.0 {
            found.design_loads.push(pair);
        }
    }
    for ((zone, load), watts) in &after {
        let old = before.get(&(zone.clone(), load.clone())).copied().unwrap_or(0.0);
        let pair = Pair::new(&format!("{zone}, {}", load.to_lowercase()), "W", old, *watts);
        if pair.is_change() {
            found.zones.push(pair);
        }
    }
    largest_first(&mut found.zones);
    if found.zones.len() > zones {
        found.notes.push(format!("{} more design loads differ.", found.zones.len() - zones));
        found.zones.truncate(zones);
    }
    Ok(found)
}

/// Design loads with their factor, by zone and by heating or cooling; none where zones were not sized.
fn sizes(results: &Results) -> BTreeMap<(String, String), f64> {
    let sized = results.zone_sizing().unwrap_or_default();
    sized.into_iter().map(|row| ((row.zone, row.load), row.user_w)).collect()
}
