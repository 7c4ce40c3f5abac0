//! Which rooms people go into: not shafts and voids, nor what walls enclose on a storey without any door.

use ifc::relations::Links;
use spatial::adjacency::Through;
use spatial::passage::{PassageKind, Side};
use spatial::{Layout, Room};
use std::collections::BTreeSet;

/// Rooms lower than this are voids, in metres.
const LOW: f64 = 1.5;
/// Rooms smaller than this are shafts and niches, in m².
const SMALL: f64 = 1.0;
/// The words for rooms that nobody goes into, in the languages of the models that are known.
const SHAFTS: [&str; 14] = [
    "shaft",
    "void",
    "plenum",
    "riser",
    "duct",
    "chase",
    "cavity",
    "crawl",
    "schacht",
    "luftraum",
    "hohlraum",
    "gaine",
    "vide",
    "technical void",
];

/// Returns true of a room that nobody goes into: by its size or its name, or a total of areas that is no room at all.
pub(crate) fn is_shaft(links: &Links<'_>, room: &Room) -> bool {
    let words = room.label().to_lowercase();
    let kind = room.space().and_then(|id| links.predefined_type(id)).unwrap_or_default();
    let area: f64 = room.floor.iter().map(geometry::region::Area::size).sum();
    area < SMALL
        || room.top - room.foot < LOW
        || kind == "GFA"
        || SHAFTS
            .iter()
            .any(|shaft| words.split(|c: char| !c.is_alphabetic()).any(|word| word.starts_with(shaft)))
}

/// Returns true of a room that was found between walls on a storey without any door, as under a roof: nobody called it a room.
pub(crate) fn is_unnamed_void(room: &Room, with_doors: &BTreeSet<Option<usize>>) -> bool {
    room.is_found() && !with_doors.contains(&room.storey)
}

/// The storeys on which a door leads into some room.
pub(crate) fn storeys_with_doors(layout: &Layout) -> BTreeSet<Option<usize>> {
    let rooms = &layout.rooms.rooms;
    let doors = layout.passages.iter().filter(|passage| passage.kind == PassageKind::Door);
    let entered = doors.flat_map(|passage| passage.sides()).filter_map(Side::room);
    entered.filter_map(|room| rooms.get(room)).map(|room| room.storey).collect()
}

/// The rooms that something leads into: a door, an opening, or a side that is open to another room.
pub(crate) fn entered(layout: &Layout, beside: &[[Option<usize>; 2]]) -> BTreeSet<usize> {
    let leads = |kind: PassageKind| matches!(kind, PassageKind::Door | PassageKind::Opening);
    let passages = layout.passages.iter().filter(|passage| leads(passage.kind));
    let mut found: BTreeSet<usize> =
        passages.flat_map(|passage| passage.sides()).filter_map(Side::room).collect();
    let open = layout.adjacencies().iter().filter(|a| matches!(a.through, Through::Door | Through::Opening));
    found.extend(open.flat_map(|a| a.sides).filter_map(Side::room));
    found.extend(beside.iter().flatten().flatten());
    found
}
