//! Quantities that a file states of its spaces, in metres, m² and m³.

use ifc::{Id, psets, relations::Links, units::Units};

/// The quantities of Qto_SpaceBaseQuantities that can be held against a body, and the area that Revit writes.
const NAMES: [&str; 12] = [
    "GrossFloorArea",
    "NetFloorArea",
    "GSA BIM Area",
    "GrossVolume",
    "NetVolume",
    "GrossPerimeter",
    "NetPerimeter",
    "Height",
    "FinishCeilingHeight",
    "GrossWallArea",
    "NetWallArea",
    "GrossCeilingArea",
];

/// A stated quantity.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredQuantity {
    /// Its name as in the file.
    pub name: &'static str,
    /// Its value in metres, m² or m³.
    pub value: f64,
}

/// The quantities that a space states; nought counts as not stated.
pub fn quantities(links: &Links<'_>, units: &Units, space: Id) -> Vec<StoredQuantity> {
    let model = links.model();
    let sets = psets::of_with(links, space);
    let all = || sets.iter().filter(|set| set.is_quantity).flat_map(|set| &set.properties);
    let one = |name: &&'static str| {
        let named = all().filter(|p| p.name == *name);
        let value = named.filter_map(|p| p.in_si(model, units)).find(|v| v.is_finite() && *v > 0.0)?;
        Some(StoredQuantity { name, value })
    };
    NAMES.iter().filter_map(one).collect()
}
