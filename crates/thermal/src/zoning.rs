//! Zones out of rooms: each room its own, or all of a storey, of one usage, or of one usage and one side of the building.
//!
//! Heated and unheated rooms never share a zone. A zone is named after what it is made of: the room, else storey, usage and side.

use crate::{names::Names, room_use::Use, space::Room};
use energy::ops::Zoning;
use geometry::region::Area;
use ifc::{Id, relations::Links};
use spatial::{
    facet::Facet,
    pairing::{Behind, Piece},
};
use std::collections::HashMap;

/// Rooms that are one in the energy model.
#[derive(Debug)]
pub(crate) struct Zone {
    /// The name in the energy model.
    pub name: String,
    /// The numbers of its rooms, in the order of the file.
    pub rooms: Vec<usize>,
}

/// The least outer wall, in m², by which a room lies at a façade.
const LEAST: f64 = 0.5;

/// The side of the building at which a room lies, by the quarter of the compass that most of its outer walls face.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Side {
    North,
    East,
    South,
    West,
    Core,
}

impl Side {
    fn word(self) -> &'static str {
        match self {
            Side::North => "N",
            Side::East => "E",
            Side::South => "S",
            Side::West => "W",
            Side::Core => "core",
        }
    }
}

/// The properties that rooms of one zone have in common.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    room: Option<usize>,
    storey: Option<Id>,
    usage: Option<&'static str>,
    side: Option<Side>,
    is_heated: bool,
}

/// The zones of all rooms, in the order of their first; `north` is the azimuth of the y axis, in degrees.
pub(crate) fn zones(
    zoning: Zoning,
    links: &Links<'_>,
    (rooms, uses): (&[Room], &[Use]),
    (facets, pieces): (&[Facet], &[Piece]),
    north: f64,
) -> Vec<Zone> {
    let sides =
        if zoning == Zoning::Orientation { sides(rooms.len(), facets, pieces, north) } else { Vec::new() };
    let mut zones: Vec<(Key, Vec<usize>)> = Vec::new();
    let mut numbers: HashMap<Key, usize> = HashMap::new();
    for (number, (room, using)) in rooms.iter().zip(uses).enumerate() {
        let is_single = zoning == Zoning::Space;
        let key = Key {
            room: is_single.then_some(number),
            storey: links.storey_of(room.space).filter(|_| !is_single),
            usage: matches!(zoning, Zoning::Usage | Zoning::Orientation).then_some(using.usage.name.as_str()),
            side: sides.get(number).copied(),
            is_heated: using.set_points.is_some(),
        };
        let at = *numbers.entry(key.clone()).or_insert(zones.len());
        if at == zones.len() {
            zones.push((key, Vec::new()));
        }
        if let Some((_, own)) = zones.get_mut(at) {
            own.push(number);
        }
    }
    let storeys_mixed = |key: &Key| {
        let mut of_storey = zones.iter().filter(|(other, _)| other.storey == key.storey);
        of_storey.any(|(other, _)| other.is_heated != key.is_heated)
    };
    let mut names = Names::default();
    zones
        .iter()
        .map(|(key, own)| {
            let wanted = match own.as_slice() {
                // what is made of one room is that room
                [number] if zoning != Zoning::Storey => {
                    rooms.get(*number).map(|room| room.title().to_owned())
                }
                _ => None,
            };
            let wanted = wanted.unwrap_or_else(|| {
                let storey = key.storey.and_then(|id| links.model().get(id)?.name());
                let storey =
                    storey.filter(|name| !name.trim().is_empty()).unwrap_or_else(|| "No storey".to_owned());
                let mut words = vec![storey];
                words.extend(key.usage.map(str::to_owned));
                words.extend(key.side.map(|side| side.word().to_owned()));
                if !key.is_heated && storeys_mixed(key) {
                    words.push("unheated".to_owned());
                }
                words.join(" ")
            });
            Zone { name: names.unique(&wanted), rooms: own.clone() }
        })
        .collect()
}

/// The side of each room.
fn sides(rooms: usize, facets: &[Facet], pieces: &[Piece], north: f64) -> Vec<Side> {
    const SIDES: [Side; 4] = [Side::North, Side::East, Side::South, Side::West];
    let mut walls = vec![[0.0_f64; 4]; rooms];
    for piece in pieces.iter().filter(|piece| piece.behind == Behind::Outdoors) {
        let Some(facet) = facets.get(piece.facet) else { continue };
        let normal = facet.normal();
        if normal.z.abs() > 0.5 {
            continue;
        }
        let azimuth = (normal.x.atan2(normal.y).to_degrees() + north).rem_euclid(360.0);
        let quarter = ((azimuth + 45.0) / 90.0) as usize % 4;
        if let Some(size) = walls.get_mut(facet.room).and_then(|own| own.get_mut(quarter)) {
            *size += Area::size(&piece.area);
        }
    }
    let side = |own: &[f64; 4]| {
        let most = SIDES.iter().zip(own).max_by(|a, b| a.1.total_cmp(b.1));
        most.filter(|(_, size)| **size >= LEAST).map_or(Side::Core, |(side, _)| *side)
    };
    walls.iter().map(side).collect()
}
