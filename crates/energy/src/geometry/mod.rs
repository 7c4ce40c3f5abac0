//! Where the surfaces of a model are: corners in one frame, as EnergyPlus places them before it simulates.
//!
//! Corners are given in the world's frame or in that of their zone (`GlobalGeometryRules`). A zone's frame has an origin and a
//! turn of its own; the building's north axis turns everything on top of it. In world coordinates both are ignored. Surfaces
//! given by length and height (`Wall:Exterior`, `Window` and the like) are made rectangles as the program makes them.
//! A surface that borders on a zone or space, and on no surface of it, has its other side there: the program makes one, and so
//! does this ([`Surface::mirror_of`]).
//!
//! What cannot be placed is said with a reason, never left out in silence.

pub mod closure;
mod mirror;
mod place;
pub mod polygon;
mod simple;
pub mod zones;

pub use mirror::zone_named;

#[cfg(test)]
mod tests;

use crate::idf::{Document, Handle, Object};
use glam::DVec3;
use place::Placing;
use polygon::area_vector;
use std::collections::HashMap;

/// The part of a surface in its building.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A wall.
    Wall,
    /// A floor.
    Floor,
    /// A roof.
    Roof,
    /// A ceiling under a zone.
    Ceiling,
    /// A window, also a glass door or a skylight.
    Window,
    /// A door that is not of glass.
    Door,
    /// A surface that only casts shadows.
    Shading,
}

impl Kind {
    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Wall => "wall",
            Self::Floor => "floor",
            Self::Roof => "roof",
            Self::Ceiling => "ceiling",
            Self::Window => "window",
            Self::Door => "door",
            Self::Shading => "shading",
        }
    }
}

/// A surface in its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Surface {
    /// The object that it is given by, or mirrored from.
    pub handle: Handle,
    /// Its name.
    pub name: String,
    /// Its type of object.
    pub object_type: String,
    /// Its part in the building.
    pub kind: Kind,
    /// The zone that it encloses; empty for what belongs to none.
    pub zone: String,
    /// The surface that it lies in, for windows and doors.
    pub within: Option<String>,
    /// The other side, such as `Outdoors`.
    pub boundary: String,
    /// The name of what lies on the other side: a surface, a zone or a space; mostly empty.
    pub beyond: String,
    /// The surface of another zone that this is the other side of, where the model gives that one alone.
    pub mirror_of: Option<String>,
    /// Its construction.
    pub construction: String,
    /// Its corners, in metres.
    pub corners: Vec<DVec3>,
}

impl Surface {
    /// Its whole area, windows in it included, in m².
    pub fn area(&self) -> f64 {
        area_vector(&self.corners).length() / 2.0
    }

    /// Degrees between its normal and straight up.
    pub fn tilt(&self) -> f64 {
        let normal = area_vector(&self.corners);
        let size = normal.length();
        if size > 0.0 { (normal.z / size).clamp(-1.0, 1.0).acos().to_degrees() } else { 0.0 }
    }

    /// Degrees from north, clockwise, to where it looks; 0 for what lies flat.
    pub fn azimuth(&self) -> f64 {
        let normal = area_vector(&self.corners);
        let level = normal.x.hypot(normal.y);
        if level <= 1e-9 * normal.length() {
            return 0.0;
        }
        let degrees = normal.x.atan2(normal.y).to_degrees();
        if degrees < -1e-9 { degrees + 360.0 } else { degrees.abs() }
    }
}

/// An object that could not be placed.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct Unplaced {
    /// Its type.
    pub object_type: String,
    /// Its name.
    pub name: String,
    /// Why.
    pub reason: String,
}

/// All surfaces of a model.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Scene {
    /// The surfaces that have a place.
    pub surfaces: Vec<Surface>,
    /// The surfaces that have none.
    pub unplaced: Vec<Unplaced>,
    /// The angle in degrees by which the building is turned from north; what stands here is turned already.
    pub north_axis: f64,
    /// True if corners are given in the world's frame.
    pub world: bool,
}

const SHADING: [&str; 5] = [
    "Shading:Site:Detailed",
    "Shading:Building:Detailed",
    "Shading:Zone:Detailed",
    "Shading:Site",
    "Shading:Building",
];

/// Shading that hangs on windows and walls by measures alone; it is not placed here.
const HANGING: [&str; 4] =
    ["Shading:Overhang", "Shading:Overhang:Projection", "Shading:Fin", "Shading:Fin:Projection"];

impl Scene {
    /// Places the surfaces of a document.
    pub fn from_document(document: &Document) -> Self {
        let placing = Placing::from_document(document);
        let mut scene = Self { north_axis: placing.north_axis, world: placing.is_world(), ..Self::default() };
        let mut hosts: HashMap<String, usize> = HashMap::new();
        for name in polygon::DETAILED {
            for object in document.of_type(name) {
                let zone = object.get("zone_name").unwrap_or_default();
                let placed = placing.detailed(object).and_then(|corners| placing.in_zone(zone, corners));
                scene.put(object, kind_of(object), zone, None, placed);
            }
        }
        for name in polygon::SIMPLE {
            for object in document.of_type(name) {
                let zone = object.get("zone_name").unwrap_or_default();
                let placed = simple::surface(object).and_then(|corners| placing.in_zone(zone, corners));
                scene.put(object, kind_of(object), zone, None, placed);
            }
        }
        for (at, surface) in scene.surfaces.iter().enumerate() {
            hosts.entry(surface.name.to_lowercase()).or_insert(at);
        }
        let windows = document.of_type("FenestrationSurface:Detailed").map(|object| (object, false));
        let measured =
            simple::WINDOWS.into_iter().flat_map(|name| document.of_type(name)).map(|object| (object, true));
        for (object, by_measure) in windows.chain(measured) {
            scene.put_window(object, by_measure, &hosts, &placing);
        }
        scene.mirror(document);
        for name in SHADING {
            for object in document.of_type(name) {
                let base = object.get("base_surface_name").unwrap_or_default();
                let zone = hosts.get(&base.to_lowercase()).and_then(|at| scene.surfaces.get(*at));
                let zone = zone.map(|surface| surface.zone.clone()).unwrap_or_default();
                let own = if object.type_name().ends_with("Detailed") {
                    placing.detailed(object)
                } else {
                    simple::surface(object)
                };
                let placed = own.and_then(|corners| match object.type_name() {
                    "Shading:Site:Detailed" | "Shading:Site" => Ok(corners),
                    "Shading:Zone:Detailed" => placing.in_zone(&zone, corners),
                    _ => Ok(placing.in_building(corners)),
                });
                scene.put(object, Kind::Shading, &zone, None, placed);
            }
        }
        for name in HANGING {
            for object in document.of_type(name) {
                let reason = "it is given by measures on a window or wall, which are not drawn".to_owned();
                scene.put(object, Kind::Shading, "", None, Err(reason));
            }
        }
        scene
    }

    fn put_window(
        &mut self,
        object: Object<'_>,
        by_measure: bool,
        hosts: &HashMap<String, usize>,
        placing: &Placing<'_>,
    ) {
        let name = object.get("building_surface_name").unwrap_or_default().to_owned();
        let host = hosts.get(&name.to_lowercase()).and_then(|at| self.surfaces.get(*at));
        let zone = host.map(|host| host.zone.clone()).unwrap_or_default();
        let placed = match host {
            None => Err(format!("there is no surface `{name}` that it lies in")),
            Some(host) if by_measure => simple::window(object, host),
            Some(_) => placing.detailed(object).and_then(|corners| placing.in_zone(&zone, corners)),
        };
        let word = object.get("surface_type").unwrap_or(object.type_name()).to_lowercase();
        let kind = if word == "door" || word.starts_with("door") { Kind::Door } else { Kind::Window };
        self.put(object, kind, &zone, Some(name), placed);
    }

    fn put(
        &mut self,
        object: Object<'_>,
        kind: Kind,
        zone: &str,
        within: Option<String>,
        placed: Result<Vec<DVec3>, String>,
    ) {
        match placed {
            Ok(corners) => self.surfaces.push(Surface {
                handle: object.handle(),
                name: object.label(),
                object_type: object.type_name().to_owned(),
                kind,
                zone: zone.to_owned(),
                within,
                boundary: boundary(object).to_owned(),
                beyond: object.get("outside_boundary_condition_object").unwrap_or_default().to_owned(),
                mirror_of: None,
                construction: object.get("construction_name").unwrap_or_default().to_owned(),
                corners,
            }),
            Err(reason) => self.unplaced.push(Unplaced {
                object_type: object.type_name().to_owned(),
                name: object.label(),
                reason,
            }),
        }
    }

    /// Returns the least and greatest coordinates of all surfaces, in metres; none where there is no surface.
    pub fn extent(&self) -> Option<[DVec3; 2]> {
        let mut points = self.surfaces.iter().flat_map(|surface| &surface.corners);
        let first = *points.next()?;
        // the new point first: what is no number in it then counts for nothing
        Some(points.fold([first, first], |[least, most], point| [point.min(least), point.max(most)]))
    }
}

fn boundary(object: Object<'_>) -> &str {
    if let Some(named) = object.get("outside_boundary_condition") {
        return named;
    }
    match object.type_name().rsplit(':').next().unwrap_or_default() {
        "Exterior" | "Roof" => "Outdoors",
        "Adiabatic" => "Adiabatic",
        "Underground" | "GroundContact" => "Ground",
        "Interzone" => "Surface",
        _ => "",
    }
}

fn kind_of(object: Object<'_>) -> Kind {
    let word = object
        .get("surface_type")
        .filter(|word| !word.is_empty())
        .unwrap_or(object.type_name())
        .to_lowercase();
    match word.as_str() {
        word if word.starts_with("wall") => Kind::Wall,
        word if word.starts_with("floor") => Kind::Floor,
        word if word.starts_with("roof") => Kind::Roof,
        _ => Kind::Ceiling,
    }
}
