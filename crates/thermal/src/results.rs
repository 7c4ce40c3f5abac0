//! From what a simulation answers zone by zone back to the spaces: rows of a property set for each GlobalId.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The name of the property set that holds results.
pub const RESULTS_SET: &str = "EnergyPlus_Results";

/// One property of one space.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ResultRow {
    /// The space's GlobalId.
    pub space: String,
    /// [`RESULTS_SET`].
    pub set: String,
    /// The property's name.
    pub property: String,
    /// Its value, in the unit that its name or the caller says.
    pub value: f64,
}

/// Results by zone and property as rows by space and property, with the GlobalIds of the spaces by the names of the zones that were
/// made of them. EnergyPlus writes names in capitals, so case does not count. Zones of which no space is known come second.
pub fn rows(
    spaces: &BTreeMap<String, String>,
    results: &BTreeMap<String, BTreeMap<String, f64>>,
) -> (Vec<ResultRow>, Vec<String>) {
    let spaces: BTreeMap<String, String> =
        spaces.iter().map(|(zone, space)| (zone.to_ascii_uppercase(), space.clone())).collect();
    let (mut rows, mut unknown) = (Vec::new(), Vec::new());
    for (zone, values) in results {
        let Some(space) = spaces.get(&zone.to_ascii_uppercase()) else {
            unknown.push(zone.clone());
            continue;
        };
        rows.extend(values.iter().filter(|(_, v)| v.is_finite()).map(|(property, value)| ResultRow {
            space: space.clone(),
            set: RESULTS_SET.to_owned(),
            property: property.clone(),
            value: *value,
        }));
    }
    (rows, unknown)
}
