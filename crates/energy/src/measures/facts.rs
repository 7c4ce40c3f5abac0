//! What measures need to know of a model before they change it: its surfaces in place, its zones with their sizes, and who names a zone
//! through a space or a list.

use crate::geometry::zones::ZoneSurfaces;
use crate::geometry::{Kind, Scene, Surface};
use crate::idf::{Document, Handle, Object};
use crate::references::Graph;
use std::collections::{HashMap, HashSet};

/// The facts of a zone.
#[derive(Debug, Clone)]
pub(super) struct ZoneFacts {
    pub name: String,
    /// In m².
    pub floor_area: f64,
    /// In m³.
    pub volume: f64,
    /// The height of its middle above the ground, in m.
    pub middle: f64,
    /// Of all surfaces to outdoors, in m².
    pub outer_area: f64,
    /// Of walls to outdoors, in m².
    pub outer_wall_area: f64,
    /// True if a thermostat controls it.
    pub is_controlled: bool,
}

/// A zone, or a space of it, that an object is for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    /// The number of the zone.
    pub zone: usize,
    /// The space, if it is for that alone.
    pub space: Option<Handle>,
    /// In m².
    pub floor_area: f64,
    /// In m³.
    pub volume: f64,
}

/// The facts of a model.
pub(super) struct Facts {
    pub scene: Scene,
    pub graph: Graph,
    pub zones: Vec<ZoneFacts>,
    by_name: HashMap<String, usize>,
    /// The names of surfaces to outdoors, in lower case.
    outdoors: HashSet<String>,
}

/// Types of objects that control the temperature of a zone, with the field that names it.
const CONTROLS: [(&str, &str); 1] = [("ZoneControl:Thermostat", "zone_or_zonelist_name")];

impl Facts {
    pub fn from_document(document: &Document) -> Self {
        let scene = Scene::from_document(document);
        let outdoors = scene.surfaces.iter().filter(|own| own.within.is_none() && is_outdoors(own));
        let mut facts = Self {
            graph: Graph::from_document(document),
            zones: Vec::new(),
            by_name: HashMap::new(),
            outdoors: outdoors.map(|own| own.name.to_lowercase()).collect(),
            scene,
        };
        let sorted = ZoneSurfaces::from_scene(&facts.scene);
        for zone in document.of_type("Zone") {
            let measures = sorted.measures(zone);
            let around = sorted.around(zone.name());
            let outer = || around.iter().filter(|surface| is_outdoors(surface));
            let area = |kind: Option<Kind>| -> f64 {
                outer().filter(|own| kind.is_none_or(|kind| own.kind == kind)).map(|own| own.area()).sum()
            };
            let (low, high) = around
                .iter()
                .flat_map(|own| &own.corners)
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), corner| {
                    (low.min(corner.z), high.max(corner.z))
                });
            let known = ZoneFacts {
                name: zone.name().to_owned(),
                floor_area: measures.floor_area,
                volume: measures.volume,
                middle: if low <= high { f64::midpoint(low, high) } else { 0.0 },
                outer_area: area(None),
                outer_wall_area: area(Some(Kind::Wall)),
                is_controlled: false,
            };
            facts.by_name.entry(known.name.to_lowercase()).or_insert(facts.zones.len());
            facts.zones.push(known);
        }
        for (kind, field) in CONTROLS {
            for control in document.of_type(kind) {
                for part in facts.parts(document, control.get(field).unwrap_or_default()) {
                    if let Some(zone) = facts.zones.get_mut(part.zone) {
                        zone.is_controlled = true;
                    }
                }
            }
        }
        let templates = document.objects().filter(|own| own.type_name().starts_with("HVACTemplate:Zone:"));
        for template in templates {
            let zone = facts.zone(template.get("zone_name").unwrap_or_default());
            if let Some(zone) = zone.and_then(|at| facts.zones.get_mut(at)) {
                zone.is_controlled = true;
            }
        }
        facts
    }

    /// The number of a zone by its name.
    pub fn zone(&self, name: &str) -> Option<usize> {
        self.by_name.get(&name.trim().to_lowercase()).copied()
    }

    /// True if a surface, or what it lies in, borders on outdoors.
    pub fn is_outer(&self, surface: &Surface) -> bool {
        match &surface.within {
            None => is_outdoors(surface),
            Some(host) => self.outdoors.contains(&host.to_lowercase()),
        }
    }

    /// The zones and spaces that a name stands for: that of a zone, a space, or a list of either.
    pub fn parts(&self, document: &Document, name: &str) -> Vec<Part> {
        let whole = |zone: usize| {
            let known = self.zones.get(zone)?;
            Some(Part { zone, space: None, floor_area: known.floor_area, volume: known.volume })
        };
        if let Some(zone) = self.zone(name) {
            return whole(zone).into_iter().collect();
        }
        if name.trim().is_empty() {
            return Vec::new();
        }
        if let Some(space) = document.get("Space", name) {
            return self.space(document, space).into_iter().collect();
        }
        if let Some(list) = document.get("ZoneList", name) {
            let zones = list.values().skip(1).filter_map(|name| self.zone(name));
            let mut seen = HashSet::new();
            return zones.filter(|zone| seen.insert(*zone)).filter_map(whole).collect();
        }
        let list = document.get("SpaceList", name);
        let spaces = list.into_iter().flat_map(|list| list.values().skip(1));
        let spaces = spaces.filter(|name| !name.is_empty()).filter_map(|name| document.get("Space", name));
        let mut seen = HashSet::new();
        spaces
            .filter(|space| seen.insert(space.handle()))
            .filter_map(|space| self.space(document, space))
            .collect()
    }

    fn space(&self, document: &Document, space: Object<'_>) -> Option<Part> {
        let zone = self.zone(space.get("zone_name")?)?;
        let known = self.zones.get(zone)?;
        let stated = space.number("floor_area").filter(|area| area.is_finite() && *area > 0.0);
        let floors =
            self.scene.surfaces.iter().filter(|own| own.kind == Kind::Floor && own.mirror_of.is_none());
        let of_space = floors.filter(|own| {
            let named = document.object(own.handle).and_then(|object| object.get("space_name"));
            named.is_some_and(|name| name.eq_ignore_ascii_case(space.name()))
        });
        let area = stated.unwrap_or_else(|| of_space.map(Surface::area).sum());
        // a space whose surfaces do not say that they are its own is the zone
        let floor_area = if area > 0.0 { area } else { known.floor_area };
        let share = if known.floor_area > 0.0 { (floor_area / known.floor_area).min(1.0) } else { 1.0 };
        Some(Part { zone, space: Some(space.handle()), floor_area, volume: known.volume * share })
    }
}

/// True if the other side of a surface is the air outside.
pub(super) fn is_outdoors(surface: &Surface) -> bool {
    surface.boundary.trim().eq_ignore_ascii_case("outdoors")
}
