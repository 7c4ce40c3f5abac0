//! gbXML 7.03 of the rooms: campus, building, storeys and spaces, the surfaces between them with openings, constructions and materials.
//!
//! Spaces are the IfcSpaces of the model, and on storeys without any the rooms that are found between walls ([`spatial::rooms`]). Surfaces
//! are their second-level boundaries ([`spatial::space_boundaries`]): faces of the rooms, on the inside of walls. Lengths in metres. Units,
//! coordinates and north are the model's; the azimuth of the model is told to the location. Loads, schedules and systems are not here:
//! `ifc_to_energy_model` has those.

mod construction;
mod polygon;
mod surface;

use crate::ExchangeError;
use crate::report::{Action, Log, Report};
use crate::shown::Shown;
use construction::Constructions;
use geometry::Scene;
use ifc::relations::Links;
use ifc::{Id, Model, Units};
use oxsdatatypes::DateTime;
use polygon::{number, point_loop};
use spatial::{Layout, Room};
use surface::{Surface, surfaces};
use xml::Writer;

/// A gbXML document.
#[derive(Debug, Clone)]
pub struct GbXml {
    /// The document.
    pub bytes: Vec<u8>,
    /// The number of spaces.
    pub spaces: usize,
    /// The number of surfaces, shades included.
    pub surfaces: usize,
    /// The number of openings in them.
    pub openings: usize,
    /// The spaces that were left out, and bodies that do not close.
    pub report: Report,
}

/// The rooms of a scene as gbXML. A model without rooms is an error.
pub fn gbxml(scene: &Scene) -> Result<GbXml, ExchangeError> {
    gbxml_of(scene, Shown::All)
}

/// Those rooms of a scene that are shown, with the surfaces around them. What lies beside them is as it is in the whole building; a surface
/// between one of them and another room has one adjacent space.
pub(crate) fn gbxml_of(scene: &Scene, shown: Shown<'_>) -> Result<GbXml, ExchangeError> {
    let model = scene.model();
    let links = Links::of_many(model);
    let layout = Layout::from_scene(scene);
    let mut log = Log::default();
    let rooms: Vec<usize> = layout
        .rooms
        .rooms
        .iter()
        .enumerate()
        .filter(|(_, room)| !room.is_outside && is_shown(model, room, shown))
        .map(|(at, _)| at)
        .collect();
    if rooms.is_empty() {
        return Err(ExchangeError::Nothing("rooms: no IfcSpace with a body, and nothing that walls enclose"));
    }
    for (id, reason) in layout.rooms.left_out.iter().filter(|(id, _)| shown.has(*id)) {
        let instance = model.get(*id);
        let class = instance.map(|i| i.class_name()).unwrap_or_default();
        log.note(Action::Dropped, class, &format!("is no room: {reason}"), || {
            instance.and_then(|i| i.guid())
        });
    }
    for room in layout.rooms.rooms.iter().filter(|room| is_shown(model, room, shown)) {
        if room.is_outside {
            log.note(Action::Dropped, "IfcSpace", "lies outdoors", || Some(room.id.clone()));
        } else if !room.is_closed {
            let reason = "has a body that does not close, and no shell for that";
            log.note(Action::Dropped, "ShellGeometry", reason, || Some(room.id.clone()));
        }
    }
    if postal_code(model).is_none() {
        log.note(
            Action::Added,
            "ZipcodeOrPostalCode",
            "gbXML needs one, and the model has none: 00000",
            || None,
        );
    }
    let mut constructions = Constructions::new(&links);
    let mut surfaces = surfaces(scene, &layout, &links, &mut constructions);
    if matches!(shown, Shown::These(_)) {
        surfaces.retain_mut(|surface| {
            let was_of_rooms = !surface.spaces.is_empty();
            surface.spaces.retain(|room| rooms.contains(room));
            was_of_rooms && !surface.spaces.is_empty()
        });
    }
    let openings = surfaces.iter().map(|surface| surface.openings.len()).sum();
    let mut writer = Writer::default();
    writer
        .open("gbXML")
        .attribute("xmlns", "http://www.gbxml.org/schema")
        .attribute("temperatureUnit", "C")
        .attribute("lengthUnit", "Meters")
        .attribute("areaUnit", "SquareMeters")
        .attribute("volumeUnit", "CubicMeters")
        .attribute("useSIUnitsForResults", "true")
        .attribute("version", "7.03")
        .attribute("SurfaceReferenceLocation", "InteriorSurface");
    campus(&mut writer, model, &layout, &rooms, &surfaces);
    constructions.write(&mut writer);
    history(&mut writer, model);
    writer.close();
    let bytes = writer.finish().into_bytes();
    Ok(GbXml { bytes, spaces: rooms.len(), surfaces: surfaces.len(), openings, report: log.finish() })
}

/// True of a room that is shown; one that was found between walls where all are.
fn is_shown(model: &Model, room: &Room, shown: Shown<'_>) -> bool {
    match shown {
        Shown::All => true,
        Shown::These(_) => model.by_guid(&room.id).is_some_and(|id| shown.has(id)),
    }
}

fn campus(writer: &mut Writer, model: &Model, layout: &Layout, rooms: &[usize], surfaces: &[Surface]) {
    let first = |class: &str| model.of_class(class).into_iter().next();
    let named = |id: Option<Id>| id.and_then(|id| model.get(id)?.name()).filter(|name| !name.is_empty());
    let guid = |id: Option<Id>| id.and_then(|id| model.get(id)?.guid());
    let site = first("IfcSite");
    writer.open("Campus").attribute("id", "campus").optional_attribute("ifcGUID", guid(site).as_deref());
    writer.optional("Name", named(site).as_deref());
    location(writer, model, site);
    let building = first("IfcBuilding");
    writer
        .open("Building")
        .attribute("id", "building")
        .attribute("buildingType", "Unknown")
        .optional_attribute("ifcGUID", guid(building).as_deref());
    writer.optional("Name", named(building).as_deref());
    let area: f64 = rooms.iter().filter_map(|at| layout.rooms.rooms.get(*at)).map(floor_area).sum();
    writer.leaf("Area", &number(area));
    for at in rooms {
        if let Some(room) = layout.rooms.rooms.get(*at) {
            space(writer, *at, room, surfaces);
        }
    }
    for (at, storey) in layout.rooms.storeys.iter().enumerate() {
        writer
            .open("BuildingStorey")
            .attribute("id", &format!("storey-{at}"))
            .attribute("ifcGUID", &storey.global_id);
        writer.optional("Name", Some(storey.name.as_str()).filter(|name| !name.is_empty()));
        writer.leaf("Level", &number(storey.elevation)).close();
    }
    writer.close();
    for surface in surfaces {
        surface.write(writer);
    }
    writer.close();
}

fn postal_code(model: &Model) -> Option<String> {
    let codes = model.of_class("IfcPostalAddress").into_iter();
    codes.filter_map(|id| model.get(id)?.text("PostalCode")).find(|code| !code.is_empty())
}

/// The place on the earth. The postal code is mandatory, and a text.
fn location(writer: &mut Writer, model: &Model, site: Option<Id>) {
    let place = site.and_then(|site| ifc::georeference::location(model, site));
    writer.open("Location");
    writer.leaf("ZipcodeOrPostalCode", postal_code(model).as_deref().unwrap_or("00000"));
    if let Some(place) = place {
        writer.leaf("Longitude", &number(place.longitude)).leaf("Latitude", &number(place.latitude));
        if let Some(elevation) = place.elevation {
            writer.leaf("Elevation", &number(Units::from_model(model).to_mm(elevation) / 1000.0));
        }
    }
    // clockwise from true north to the model's north, which is its y
    let azimuth = (360.0 + ifc::georeference::true_north(model)).rem_euclid(360.0);
    writer.leaf("CADModelAzimuth", &number(azimuth)).close();
}

fn floor_area(room: &Room) -> f64 {
    room.floor.iter().map(geometry::region::Area::size).sum()
}

pub(crate) fn space_id(room: usize) -> String {
    format!("space-{room}")
}

fn space(writer: &mut Writer, at: usize, room: &Room, surfaces: &[Surface]) {
    writer.open("Space").attribute("id", &space_id(at)).attribute("conditionType", "HeatedAndCooled");
    if let Some(storey) = room.storey {
        writer.attribute("buildingStoreyIdRef", &format!("storey-{storey}"));
    }
    if !room.is_found() {
        writer.attribute("ifcGUID", &room.id);
    }
    writer.leaf("Name", &room.label());
    writer.leaf("Area", &number(floor_area(room))).leaf("Volume", &number(room.solid.volume().abs()));
    let loops: Vec<_> = room.solid.faces.iter().filter_map(polygon::of_face).collect();
    if room.is_closed && loops.len() > 3 {
        writer.open("ShellGeometry").attribute("id", &format!("shell-{at}")).attribute("unit", "Meters");
        writer.open("ClosedShell");
        for points in &loops {
            point_loop(writer, points);
        }
        writer.close().close();
    }
    writer.leaf("CADObjectId", &room.id);
    for surface in surfaces.iter().filter(|surface| surface.spaces.contains(&at)) {
        writer
            .open("SpaceBoundary")
            .attribute("isSecondLevelBoundary", "true")
            .attribute("surfaceIdRef", &surface.id)
            .open("PlanarGeometry");
        // seen from within the second space the loop runs the other way
        let is_first = surface.spaces.first() == Some(&at);
        let mut points = surface.points.clone();
        if !is_first {
            points.reverse();
        }
        point_loop(writer, &points);
        writer.close().close();
    }
    writer.close();
}

/// Who made the file and when, of a file that says when.
fn history(writer: &mut Writer, model: &Model) {
    let header = model.header();
    let date = header.time_stamp.get(..19).filter(|date| date.parse::<DateTime>().is_ok());
    let Some(date) = date else { return };
    let author = header.authors.first().map(|name| name.trim()).filter(|name| !name.is_empty());
    writer.open("DocumentHistory");
    writer.open("ProgramInfo").attribute("id", "pensaer");
    writer.leaf("ProductName", "Pensaer").leaf("Version", env!("CARGO_PKG_VERSION")).close();
    writer.open("CreatedBy").attribute("personId", "author").attribute("programId", "pensaer");
    writer.attribute("date", date).close();
    writer.open("PersonInfo").attribute("id", "author");
    writer.leaf("FirstName", "").leaf("LastName", author.unwrap_or("unknown")).close();
    writer.close();
}
