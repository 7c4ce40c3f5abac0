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

/// The property that says of how many spaces the zone was made whose results these are; there where it is more than one.
const SHARED: &str = "SpacesInZone";

/// Results by zone and property as rows by space and property, with the GlobalIds of the spaces by the names of the zones that were
/// made of them; of a zone of several spaces, which have blanks between them, every one has the whole zone's results. EnergyPlus writes
/// names in capitals, so case does not count. Zones of which no space is known come second.
pub fn rows(
    spaces: &BTreeMap<String, String>,
    results: &BTreeMap<String, BTreeMap<String, f64>>,
) -> (Vec<ResultRow>, Vec<String>) {
    let spaces: BTreeMap<String, String> =
        spaces.iter().map(|(zone, space)| (zone.to_ascii_uppercase(), space.clone())).collect();
    let (mut rows, mut unknown) = (Vec::new(), Vec::new());
    for (zone, values) in results {
        let Some(spaces) = spaces.get(&zone.to_ascii_uppercase()) else {
            unknown.push(zone.clone());
            continue;
        };
        let count = spaces.split_whitespace().count();
        let row = |space: &str, property: &str, value: f64| ResultRow {
            space: space.to_owned(),
            set: RESULTS_SET.to_owned(),
            property: property.to_owned(),
            value,
        };
        for space in spaces.split_whitespace() {
            let finite = values.iter().filter(|(_, value)| value.is_finite());
            let before = rows.len();
            rows.extend(finite.map(|(property, value)| row(space, property, *value)));
            if count > 1 && rows.len() > before {
                rows.push(row(space, SHARED, count as f64));
            }
        }
    }
    (rows, unknown)
}
