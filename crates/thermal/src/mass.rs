//! Walls and slabs within a zone: internal masses, one for each zone and construction, with the area of both sides.

use crate::document::{Document, digits};
use serde_json::json;
use std::collections::BTreeMap;

/// Areas in m² by zone and construction.
#[derive(Debug, Default)]
pub(crate) struct Masses {
    areas: BTreeMap<(usize, String), f64>,
}

impl Masses {
    /// Adds a side of a wall, in m².
    pub fn add(&mut self, zone: usize, construction: &str, area: f64) {
        *self.areas.entry((zone, construction.to_owned())).or_default() += area.max(0.0);
    }

    /// Writes them; answers how many there are.
    pub fn write(&self, zones: &[crate::zoning::Zone], document: &mut Document) -> usize {
        let mut number = 0;
        for ((zone, construction), area) in &self.areas {
            let Some(zone) = zones.get(*zone).filter(|_| *area > 0.01) else { continue };
            number += 1;
            document.put(
                "InternalMass",
                &format!("Mass {number} {construction}"),
                json!({
                    "construction_name": construction, "zone_or_zonelist_name": zone.name, "surface_area": digits(*area),
                }),
            );
        }
        number
    }
}
