//! Fire compartments: rooms that a fire is to be held in, as the file groups them, or as rated walls and slabs part them.

use super::between::between;
use super::stated::Stated;
use crate::Subject;
use ifc::relations::Links;
use ifc::{Id, psets};
use std::collections::{BTreeMap, BTreeSet};

/// The source of a compartment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// An IfcSpatialZone of the type FIRESAFETY.
    SpatialZone,
    /// An IfcZone or IfcGroup that is called so.
    Zone,
    /// A property of the rooms.
    Property,
    /// The rated walls and slabs around it.
    RatedElements,
}

/// A fire compartment.
#[derive(Debug, Clone, PartialEq)]
pub struct Compartment {
    /// Its name.
    pub name: String,
    /// Its source.
    pub source: Source,
    /// The zone, where there is one.
    pub zone: Option<Id>,
    /// Its rooms, by their places in the list of rooms.
    pub rooms: Vec<usize>,
}

/// Words by which groups of fire compartments are known.
const WORDS: [&str; 6] = ["fire", "brandabschnitt", "compartment", "yangın", "brandcompartiment", "incendie"];
/// The names of properties that name a room's compartment, in small letters without anything between.
const PROPERTIES: [&str; 5] =
    ["firecompartment", "firecompartmentname", "firezone", "brandabschnitt", "compartment"];

/// The compartments of a building; those that rated elements make only where the file groups none.
pub(super) fn compartments(
    subject: &Subject<'_>,
    links: &Links<'_>,
    stated: &Stated,
    least: f64,
) -> Vec<Compartment> {
    let grouped = grouped(subject, links);
    if !grouped.is_empty() {
        return grouped;
    }
    let named = by_property(subject, links);
    if !named.is_empty() {
        return named;
    }
    if stated.is_any() { by_elements(subject, stated, least) } else { Vec::new() }
}

fn grouped(subject: &Subject<'_>, links: &Links<'_>) -> Vec<Compartment> {
    let model = subject.model;
    let rooms: BTreeMap<Id, usize> = subject
        .layout
        .rooms
        .rooms
        .iter()
        .enumerate()
        .filter_map(|(n, room)| Some((room.space()?, n)))
        .collect();
    let mut found = Vec::new();
    let says_fire = |id: Id| {
        let texts = ["Name", "LongName", "ObjectType", "Description"];
        let all = texts
            .iter()
            .filter_map(|name| model.get(id)?.text(name))
            .collect::<Vec<_>>()
            .join(" ")
            .to_lowercase();
        WORDS.iter().any(|word| all.contains(word))
    };
    for zone in model.of_class("IfcSpatialZone") {
        let kind = links.predefined_type(zone).unwrap_or_default();
        if kind == "FIRESAFETY" || says_fire(zone) {
            let members =
                [links.referenced_elements(zone), links.children(zone), links.contained(zone)].concat();
            found.push((zone, Source::SpatialZone, members));
        }
    }
    for zone in model.of_class("IfcGroup").into_iter().filter(|id| says_fire(*id)) {
        found.push((zone, Source::Zone, links.members_of(zone)));
    }
    let compartment = |(zone, source, members): (Id, Source, Vec<Id>)| {
        let rooms: BTreeSet<usize> = members.iter().filter_map(|id| rooms.get(id).copied()).collect();
        let name = building::lookup::label(model, zone);
        (!rooms.is_empty()).then(|| Compartment {
            name,
            source,
            zone: Some(zone),
            rooms: rooms.into_iter().collect(),
        })
    };
    found.into_iter().filter_map(compartment).collect()
}

fn by_property(subject: &Subject<'_>, links: &Links<'_>) -> Vec<Compartment> {
    let mut by_name: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (number, room) in subject.layout.rooms.rooms.iter().enumerate() {
        let Some(space) = room.space() else { continue };
        let sets = psets::merged(links, space);
        let named = sets.iter().flat_map(|set| &set.properties).find(|property| {
            let plain: String =
                property.name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
            PROPERTIES.contains(&plain.as_str())
        });
        let name = named.and_then(|property| property.value.as_text().map(|text| text.trim().to_owned()));
        if let Some(name) = name.filter(|name| !name.is_empty()) {
            by_name.entry(name).or_default().push(number);
        }
    }
    let compartment = |(name, rooms)| Compartment { name, source: Source::Property, zone: None, rooms };
    by_name.into_iter().map(compartment).collect()
}

/// The parts of a building between which every wall and slab is rated; none where all rooms are one.
fn by_elements(subject: &Subject<'_>, stated: &Stated, least: f64) -> Vec<Compartment> {
    let count = subject.layout.rooms.rooms.len();
    let mut of: Vec<usize> = (0..count).collect();
    let is_outside = |room: usize| subject.layout.rooms.rooms.get(room).is_some_and(|own| own.is_outside);
    let is_rated = |id: &Id| stated.minutes(*id).is_some_and(|minutes| minutes >= least);
    for piece in between(subject.layout) {
        // one rated layer holds the fire; what stands in a wall is told with it
        if piece.layers.iter().any(is_rated) {
            continue;
        }
        let [a, b] = piece.rooms;
        let (one, other) = (of.get(a).copied().unwrap_or(a), of.get(b).copied().unwrap_or(b));
        let (low, high) = (one.min(other), one.max(other));
        of.iter_mut().filter(|set| **set == high).for_each(|set| *set = low);
    }
    let mut sets: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (room, set) in of.into_iter().enumerate() {
        if !is_outside(room) {
            sets.entry(set).or_default().push(room);
        }
    }
    if sets.len() < 2 {
        return Vec::new();
    }
    let compartment = |(number, rooms): (usize, Vec<usize>)| Compartment {
        name: format!("Compartment {}", number + 1),
        source: Source::RatedElements,
        zone: None,
        rooms,
    };
    sets.into_values().enumerate().map(compartment).collect()
}
