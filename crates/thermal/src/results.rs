//! From what a simulation answers zone by zone back to the spaces: rows of a property set for each GlobalId.

use crate::report::Converted;
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

/// Results by zone and property as rows by space and property; EnergyPlus writes names in capitals, so case does not count. What is
/// said of no zone of this model comes second.
pub fn rows(
    converted: &Converted,
    results: &BTreeMap<String, BTreeMap<String, f64>>,
) -> (Vec<ResultRow>, Vec<String>) {
    let spaces: BTreeMap<String, String> =
        converted.spaces().into_iter().map(|(zone, space)| (zone.to_ascii_uppercase(), space)).collect();
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
