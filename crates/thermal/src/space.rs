//! Rooms out of spaces: each IfcSpace with a closed body is one, by its own, inner faces; zones are made of them.
//!
//! A space that is made up of others gives way to them, a space outside the building is none. What has no body, or one that does not
//! close, is a finding.

use crate::report::Notes;
use geometry::{Shaper, Solid};
use ifc::{Id, Instance, Model, psets, relations::Links, units::Units};
use spatial::{
    body::body,
    elements::Elements,
    facet::Facet,
    outdoors::{is_open_above, is_outside, says_open_air},
};

/// A space as a room.
#[derive(Debug)]
pub(crate) struct Room {
    pub space: Id,
    pub guid: String,
    /// Name and long name as in the file.
    pub label: String,
    pub solid: Solid,
    pub closed: bool,
    pub stated_volume: Option<f64>,
    pub stated_floor_area: Option<f64>,
}

impl Room {
    /// The name that a zone of it alone has.
    pub fn title(&self) -> &str {
        if self.label.is_empty() { &self.guid } else { &self.label }
    }
}

/// The rooms of a model, in the order of the file.
pub(crate) fn rooms(
    shaper: &Shaper<'_>,
    links: &Links<'_>,
    elements: &Elements,
    notes: &mut Notes,
) -> Vec<Room> {
    let model = shaper.reader.model;
    let units = Units::from_model(model);
    let mut rooms = Vec::new();
    for id in model.of_class("IfcSpace") {
        let Some(space) = model.get(id) else { continue };
        let guid = space.guid().unwrap_or_else(|| id.to_string());
        if is_outside(&space) {
            notes.find(&guid, "is a space outside the building and no zone");
            continue;
        }
        let is_space = |part: &Id| model.get(*part).is_some_and(|p| p.is_a("IfcSpace") && has_shape(&p));
        if links.children(id).iter().any(is_space) {
            notes.find(&guid, "is made up of other spaces, which are the zones");
            continue;
        }
        let (solid, closed) = match body(shaper, id) {
            Ok(found) => found,
            Err(reason) => {
                notes.find(&guid, format!("is no zone: {reason}"));
                continue;
            }
        };
        if says_open_air(&space) && is_open_above(&solid, elements) {
            notes.find(&guid, "lies under the open sky, as its name says, and is no zone");
            continue;
        }
        if !closed {
            notes.find(
                &guid,
                "has a body that does not close; its volume is the file's or the nearest there is",
            );
        }
        let (name, long) = (space.name().unwrap_or_default(), space.text("LongName").unwrap_or_default());
        let label = format!("{name} {long}").trim().to_owned();
        rooms.push(Room {
            space: id,
            label,
            closed,
            stated_volume: stated(model, links, &units, id, &VOLUMES),
            stated_floor_area: stated(model, links, &units, id, &AREAS),
            guid,
            solid,
        });
    }
    rooms
}

fn has_shape(space: &Instance<'_>) -> bool {
    space.reference("Representation").is_some()
}

/// The names by which quantities state volume and floor area, the best first; the last are those of Revit.
const VOLUMES: [&str; 3] = ["NetVolume", "GrossVolume", "Volume"];
const AREAS: [&str; 4] = ["NetFloorArea", "GrossFloorArea", "GSA BIM Area", "Area"];
/// Property sets that state quantities, as Revit writes them.
const DIMENSIONS: [&str; 2] = ["PSet_Revit_Dimensions", "Dimensions"];

/// The first of these quantities that the file states, in m² or m³; zero counts as not stated.
fn stated(model: &Model, links: &Links<'_>, units: &Units, id: Id, names: &[&str]) -> Option<f64> {
    let sets = psets::of_with(links, id);
    names.iter().find_map(|name| {
        let quantities = sets
            .iter()
            .filter(|s| s.is_quantity || DIMENSIONS.contains(&s.name.as_str()))
            .flat_map(|s| &s.properties);
        let mut values = quantities.filter(|p| p.name == *name).filter_map(|p| p.in_si(model, units));
        values.find(|v| v.is_finite() && *v > 0.0)
    })
}

/// The faces of all rooms that have an area.
pub(crate) fn facets(rooms: &[Room]) -> Vec<Facet> {
    let of_room = |(number, room): (usize, &Room)| -> Vec<Facet> {
        room.solid.faces.iter().filter_map(|face| Facet::new(number, face)).collect()
    };
    rooms.iter().enumerate().flat_map(of_room).collect()
}
