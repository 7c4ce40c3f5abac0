//! Zones out of spaces: each IfcSpace with a closed body is one, by its own, inner faces.
//!
//! A space that is made up of others gives way to them, a space outside the building is none. What has no body, or one that does not
//! close, is a finding.

use crate::{names::Names, report::Notes};
use geometry::{Shaper, Solid};
use ifc::{Id, Instance, Model, psets, relations::Links, units::Units};
use spatial::{
    body::body,
    elements::Elements,
    facet::Facet,
    outdoors::{is_open_above, is_outside, says_open_air},
};

/// A space as a zone.
#[derive(Debug)]
pub(crate) struct Zone {
    pub space: Id,
    pub guid: String,
    /// The name in the energy model.
    pub name: String,
    /// Name and long name as in the file.
    pub label: String,
    pub solid: Solid,
    pub closed: bool,
    pub stated_volume: Option<f64>,
    pub stated_floor_area: Option<f64>,
}

/// The zones of a model, in the order of the file.
pub(crate) fn zones(
    shaper: &Shaper<'_>,
    links: &Links<'_>,
    elements: &Elements,
    notes: &mut Notes,
) -> Vec<Zone> {
    let model = shaper.reader.model;
    let units = Units::from_model(model);
    let mut names = Names::default();
    let mut zones = Vec::new();
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
        zones.push(Zone {
            space: id,
            name: names.unique(if label.is_empty() { &guid } else { &label }),
            label,
            closed,
            stated_volume: stated(model, links, &units, id, &["NetVolume", "GrossVolume"]),
            stated_floor_area: stated(model, links, &units, id, &["NetFloorArea", "GrossFloorArea"]),
            guid,
            solid,
        });
    }
    zones
}

fn has_shape(space: &Instance<'_>) -> bool {
    space.reference("Representation").is_some()
}

/// The first of these quantities that the file states, in m² or m³; zero counts as not stated.
fn stated(model: &Model, links: &Links<'_>, units: &Units, id: Id, names: &[&str]) -> Option<f64> {
    let sets = psets::of_with(links, id);
    names.iter().find_map(|name| {
        let quantities = sets.iter().filter(|s| s.is_quantity).flat_map(|s| &s.properties);
        let mut values = quantities.filter(|p| p.name == *name).filter_map(|p| p.in_si(model, units));
        values.find(|v| v.is_finite() && *v > 0.0)
    })
}

/// The faces of all zones that have an area.
pub(crate) fn facets(zones: &[Zone]) -> Vec<Facet> {
    let of_zone = |(number, zone): (usize, &Zone)| -> Vec<Facet> {
        zone.solid.faces.iter().filter_map(|face| Facet::new(number, face)).collect()
    };
    zones.iter().enumerate().flat_map(of_zone).collect()
}
