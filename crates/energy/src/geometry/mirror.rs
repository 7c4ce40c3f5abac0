//! The other sides of surfaces that border on a zone or a space as such: EnergyPlus makes each of them in that zone, with the
//! corners in the opposite order, and calls it `iz-` and the name of the one that is given.

use super::{Kind, Scene, Surface};
use crate::idf::Document;
use std::collections::{HashMap, HashSet};

/// The zone of this name, or that of the space of this name.
pub fn zone_named<'a>(document: &'a Document, name: &str) -> Option<&'a str> {
    if name.trim().is_empty() {
        return None;
    }
    if let Some(zone) = document.get("Zone", name) {
        return Some(zone.name());
    }
    let space = document.get("Space", name)?;
    Some(document.get("Zone", space.get("zone_name")?)?.name())
}

impl Scene {
    /// Adds the other sides, those of the windows and doors in them, too.
    pub(super) fn mirror(&mut self, document: &Document) {
        let given: HashSet<String> = self.surfaces.iter().map(|own| own.name.to_lowercase()).collect();
        let mut zones: HashMap<String, String> = HashMap::new();
        let mut mirrored = Vec::new();
        for surface in self.surfaces.iter().filter(|own| own.within.is_none()) {
            let borders_on_zone =
                ["zone", "space"].iter().any(|word| surface.boundary.eq_ignore_ascii_case(word));
            // the types given by length and height name either in the same field
            let may_name_zone = surface.object_type.ends_with(":Interzone")
                && !given.contains(&surface.beyond.to_lowercase());
            if !borders_on_zone && !may_name_zone {
                continue;
            }
            let zone = zone_named(document, &surface.beyond)
                .filter(|zone| !zone.eq_ignore_ascii_case(surface.zone.trim()));
            if let Some(zone) = zone {
                zones.insert(surface.name.to_lowercase(), zone.to_owned());
                mirrored.push(other_side(surface, zone, None));
            }
        }
        for opening in &self.surfaces {
            let host = opening.within.as_deref().unwrap_or_default();
            if let Some(zone) = zones.get(&host.to_lowercase()) {
                mirrored.push(other_side(opening, zone, Some(format!("iz-{host}"))));
            }
        }
        self.surfaces.extend(mirrored);
    }
}

fn other_side(surface: &Surface, zone: &str, within: Option<String>) -> Surface {
    let kind = match surface.kind {
        Kind::Floor => Kind::Ceiling,
        Kind::Ceiling | Kind::Roof => Kind::Floor,
        other => other,
    };
    Surface {
        name: format!("iz-{}", surface.name),
        kind,
        zone: zone.to_owned(),
        within,
        boundary: "Surface".to_owned(),
        beyond: surface.name.clone(),
        mirror_of: Some(surface.name.clone()),
        corners: surface.corners.iter().rev().copied().collect(),
        ..surface.clone()
    }
}
