//! The facts of a model: what it says of itself, what it has, and what is measured of it.

use building::picture::title;
use geometry::Shaper;
use geometry::quantity::base_quantities;
use geometry::scene::{GoOn, Scene};
use ifc::georeference::{self, Georeference, Location};
use ifc::{Id, Model, Units};
use spatial::{Rooms, outline};
use std::collections::BTreeMap;

/// The facts of a model.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Facts {
    /// The project's LongName or Name, else the building's.
    pub name: String,
    /// The file's name by its header.
    pub file_name: String,
    /// The schema, such as `IFC4`.
    pub schema: String,
    /// The program that it was made with: the IfcApplication of its histories, else what the header says.
    pub program: String,
    /// When it was written, by the header.
    pub written: String,
    /// By whom, by the header.
    pub authors: Vec<String>,
    /// The units of length, area and volume.
    pub units: [String; 3],
    /// The place on a map.
    pub map: Option<Map>,
    /// Latitude and longitude of the site.
    pub location: Option<Location>,
    /// Degrees from the top of the plan to true north, counter-clockwise.
    pub true_north: f64,
    /// The storeys from the lowest.
    pub storeys: Vec<StoreyFacts>,
    /// The number of elements by class, the most first; openings are none.
    pub classes: Vec<ClassCount>,
    /// The number of rooms.
    pub rooms: usize,
    /// The floors of all rooms that do not lie outdoors, in m².
    pub floor_area: f64,
    /// The volume that these rooms enclose, in m³.
    pub room_volume: f64,
    /// Rooms that do not enclose a volume and are not in it.
    pub open_rooms: usize,
    /// The net volume of walls, slabs, columns and beams, in m³.
    pub net_volume: f64,
}

/// The place of a model's origin on a map, in the map's unit.
#[derive(Debug, Clone, PartialEq)]
pub struct Map {
    /// To the east.
    pub easting: f64,
    /// To the north.
    pub northing: f64,
    /// Upwards.
    pub height: f64,
    /// The name of the reference system.
    pub crs: String,
}

/// The facts of a storey.
#[derive(Debug, Clone, PartialEq)]
pub struct StoreyFacts {
    /// The IfcBuildingStorey.
    pub id: Id,
    /// Its name.
    pub name: String,
    /// The height of its floor in metres of the world.
    pub height: f64,
    /// The number of its rooms.
    pub rooms: usize,
    /// Their floors in m², those outdoors left out.
    pub floor_area: f64,
}

/// The number of elements of a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassCount {
    /// The class.
    pub class: String,
    /// The number.
    pub count: usize,
}

/// Classes whose volume is measured.
const MEASURED: [&str; 4] = ["IfcWall", "IfcSlab", "IfcColumn", "IfcBeam"];

/// Reads and measures a model; `None` where `go_on` ended it.
pub fn facts(scene: &Scene, go_on: GoOn<'_>) -> Option<Facts> {
    let model = scene.model();
    let header = model.header();
    let units = Units::from_model(model);
    let mut facts = Facts {
        name: name(model),
        file_name: header.file_name.clone(),
        schema: header.schema_identifiers.join(", "),
        program: program(model),
        written: header.time_stamp.clone(),
        authors: header.authors.iter().filter(|a| !a.trim().is_empty()).cloned().collect(),
        units: [units.length_label(), units.area_label(), units.volume_label()].map(str::to_owned),
        map: map(model),
        location: model.of_class("IfcSite").into_iter().find_map(|site| georeference::location(model, site)),
        true_north: georeference::true_north(model),
        classes: classes(model),
        ..Facts::default()
    };
    rooms(scene, &mut facts);
    let shaper = Shaper::plain(model);
    let all: Vec<Id> = MEASURED.iter().flat_map(|class| model.of_class(class)).collect();
    for (n, id) in all.iter().enumerate() {
        if !go_on(n + 1, all.len()) {
            return None;
        }
        let quantities = base_quantities(&shaper, *id).ok().flatten();
        facts.net_volume += quantities.and_then(|q| q.get("NetVolume")).unwrap_or(0.0);
    }
    Some(facts)
}

fn name(model: &Model) -> String {
    let said = |id: Id, attribute: &str| {
        model.get(id)?.text(attribute).map(|t| t.trim().to_owned()).filter(|t| !t.is_empty())
    };
    let of = |id: Id| said(id, "LongName").or_else(|| said(id, "Name"));
    let project = ifc::relations::project(model).and_then(of);
    project.or_else(|| model.of_class("IfcBuilding").into_iter().find_map(of)).unwrap_or_default()
}

/// The full name and version of the last application that the file names, else its header's system.
fn program(model: &Model) -> String {
    let said = |id: Id| {
        let application = model.get(id)?;
        let name = application.text("ApplicationFullName").filter(|name| !name.trim().is_empty())?;
        let version = application.text("Version").unwrap_or_default();
        // many programs have their version in their name
        let version = if name.contains(version.trim()) { String::new() } else { version };
        Some(format!("{} {}", name.trim(), version.trim()).trim_end().to_owned())
    };
    let named = model.of_class("IfcApplication").into_iter().rev().find_map(said);
    named.unwrap_or_else(|| model.header().originating_system.clone())
}

fn map(model: &Model) -> Option<Map> {
    let found = Georeference::from_model(model)?;
    let at = found.to_map(glam::DVec3::ZERO);
    let crs = found.crs.and_then(|crs| crs.name).unwrap_or_default();
    Some(Map { easting: at.x, northing: at.y, height: at.z, crs }).filter(|_| at.is_finite())
}

fn classes(model: &Model) -> Vec<ClassCount> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for element in model.of_class("IfcElement").into_iter().filter_map(|id| model.get(id)) {
        if !element.is_a("IfcFeatureElement") {
            *counts.entry(element.class_name().to_owned()).or_default() += 1;
        }
    }
    let mut all: Vec<ClassCount> =
        counts.into_iter().map(|(class, count)| ClassCount { class, count }).collect();
    all.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.class.cmp(&b.class)));
    all
}

fn rooms(scene: &Scene, facts: &mut Facts) {
    let rooms = Rooms::from_scene(scene);
    facts.storeys = rooms
        .storeys
        .iter()
        .map(|s| StoreyFacts {
            id: s.id,
            name: title(scene.model(), s.id),
            height: s.elevation,
            rooms: 0,
            floor_area: 0.0,
        })
        .collect();
    facts.rooms = rooms.rooms.len();
    for room in rooms.rooms.iter() {
        let area = if room.is_outside { 0.0 } else { outline::size(&room.floor) };
        facts.floor_area += area;
        if !room.is_closed {
            facts.open_rooms += 1;
        } else if !room.is_outside {
            facts.room_volume += room.solid.mesh().measures().volume;
        }
        if let Some(storey) = room.storey.and_then(|n| facts.storeys.get_mut(n)) {
            storey.rooms += 1;
            storey.floor_area += area;
        }
    }
}
