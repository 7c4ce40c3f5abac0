//! Floor area, height and volume of zones as EnergyPlus takes them: what the Zone object says holds; else they follow from the
//! surfaces, mirrored ones among them.
//!
//! The floor area is that of the floors, without the openings in them. The height is the mean height of the roofs and ceilings above that
//! of the floors, each weighed by area; in a zone that lacks either, that of its walls. The volume is that within the surfaces where they
//! close, else floor area times height.

use super::closure::{is_closed, volume_within};
use super::{Kind, Scene, Surface};
use crate::idf::{Document, Object};
use glam::DVec3;
use std::collections::HashMap;

/// The measures of a zone.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ZoneMeasures {
    /// In m².
    pub floor_area: f64,
    /// From floor to ceiling, in m.
    pub height: f64,
    /// In m³.
    pub volume: f64,
    /// True if the surfaces close around it; none where there are too many corners to tell.
    pub closed: Option<bool>,
}

/// Those of a zone that its object gives, instead of leaving them to be computed.
fn given(zone: Object<'_>, field: &str) -> Option<f64> {
    zone.number(field).filter(|number| *number > 0.0)
}

/// The least and greatest z of a polygon.
fn levels(corners: &[DVec3]) -> (f64, f64) {
    corners.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), corner| {
        (low.min(corner.z), high.max(corner.z))
    })
}

/// The surfaces of a scene by the zones that they enclose.
pub struct ZoneSurfaces<'a> {
    /// Openings and shading left out, by the zone's name in lower case.
    around: HashMap<String, Vec<&'a Surface>>,
    /// The openings, by the name in lower case of what they lie in.
    openings: HashMap<String, Vec<&'a Surface>>,
}

impl<'a> ZoneSurfaces<'a> {
    /// Sorts the surfaces of a scene.
    pub fn from_scene(scene: &'a Scene) -> Self {
        let mut sorted = Self { around: HashMap::new(), openings: HashMap::new() };
        for surface in &scene.surfaces {
            if let Some(host) = &surface.within {
                sorted.openings.entry(host.to_lowercase()).or_default().push(surface);
            } else if surface.kind != Kind::Shading && !surface.zone.is_empty() {
                sorted.around.entry(surface.zone.trim().to_lowercase()).or_default().push(surface);
            }
        }
        sorted
    }

    /// The surfaces that enclose a zone, mirrored ones among them.
    pub fn around(&self, zone: &str) -> &[&'a Surface] {
        self.around.get(&zone.to_lowercase()).map(Vec::as_slice).unwrap_or_default()
    }

    /// The windows and doors in a surface.
    pub fn openings(&self, surface: &Surface) -> &[&'a Surface] {
        self.openings.get(&surface.name.to_lowercase()).map(Vec::as_slice).unwrap_or_default()
    }

    /// The area of a surface without the openings in it, in m².
    pub fn net_area(&self, surface: &Surface) -> f64 {
        let opened: f64 = self.openings(surface).iter().map(|opening| opening.area()).sum();
        (surface.area() - opened).max(0.0)
    }

    /// The measures of a zone.
    pub fn measures(&self, zone: Object<'_>) -> ZoneMeasures {
        let surfaces = self.around(zone.name());
        measures(zone, surfaces, &|surface| self.net_area(surface))
    }
}

/// Identical zones that a zone stands for, by its own multiplier and by those of the groups that it is in.
pub fn multiplier(zone: Object<'_>) -> f64 {
    let own = zone.number("multiplier").filter(|number| *number >= 1.0).unwrap_or(1.0);
    let document = zone.document();
    let of_groups: f64 = document
        .of_type("ZoneGroup")
        .filter_map(|group| {
            let list = document.get("ZoneList", group.get("zone_list_name")?)?;
            let has = list.values().skip(1).any(|name| name.eq_ignore_ascii_case(zone.name()));
            group.number("zone_list_multiplier").filter(|_| has)
        })
        .product();
    own * of_groups.max(1.0)
}

/// The floor area of a building in m²: that of the zones that count for it, each as often as it stands for others.
pub fn total_floor_area(document: &Document, sorted: &ZoneSurfaces<'_>) -> f64 {
    let counts = |zone: &Object<'_>| {
        !zone.get("part_of_total_floor_area").is_some_and(|word| word.eq_ignore_ascii_case("no"))
    };
    let zones = document.of_type("Zone").filter(counts);
    // the sum of nothing is negative zero
    zones.map(|zone| sorted.measures(zone).floor_area * multiplier(zone)).sum::<f64>() + 0.0
}

fn measures(zone: Object<'_>, surfaces: &[&Surface], net: &dyn Fn(&Surface) -> f64) -> ZoneMeasures {
    let of_kind = |kinds: [Kind; 2]| -> (f64, f64) {
        let (mut area, mut moment) = (0.0, 0.0);
        for surface in surfaces.iter().filter(|surface| kinds.contains(&surface.kind)) {
            let (low, high) = levels(&surface.corners);
            let own = net(surface);
            area += own;
            moment += own * f64::midpoint(low, high);
        }
        (area, moment)
    };
    let (floors, floor_moment) = of_kind([Kind::Floor, Kind::Floor]);
    let (ceilings, ceiling_moment) = of_kind([Kind::Roof, Kind::Ceiling]);
    let walls = surfaces.iter().filter(|surface| surface.kind == Kind::Wall);
    let (low, high) = walls.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), wall| {
        let (bottom, top) = levels(&wall.corners);
        (low.min(bottom), high.max(top))
    });
    let between_walls = if low < high { high - low } else { 0.0 };
    let mean =
        if floors > 0.0 && ceilings > 0.0 { ceiling_moment / ceilings - floor_moment / floors } else { 0.0 };
    let stated = given(zone, "ceiling_height");
    let height = stated.unwrap_or(if mean > 0.0 { mean } else { between_walls });
    let floor_area = given(zone, "floor_area").unwrap_or(floors);
    let closed = is_closed(surfaces);
    let times_height = if floor_area > 0.0 { floor_area * height } else { ceilings * height };
    let volume = given(zone, "volume").unwrap_or_else(|| {
        if stated.is_none() && closed == Some(true) { volume_within(surfaces).abs() } else { times_height }
    });
    ZoneMeasures { floor_area, height, volume, closed }
}
