//! Space boundaries of a layout: what an exporter writes as IfcRelSpaceBoundary, computed from the shapes alone.
//!
//! On the first level a room has one boundary for each face and element, whatever lies behind. On the second a face is also divided
//! by what lies behind: type 2a has a space or the outside there, type 2b the end of another element. Doors, windows and openings have
//! boundaries of their own, within that of their host, which is not cut by them (IFC 4, IfcRelSpaceBoundary1stLevel and 2ndLevel).
//! Nothing is read from boundaries that a file has, and nothing is written.

mod faces;
mod inner;
mod reached;

use crate::{
    Layout,
    facet::{Facet, counts},
    pairing::{Behind, Piece},
    passage::Side,
};
use geometry::region::{self, Area, Loop};
use glam::DAffine3;
use ifc::{Id, relations::Links};
use std::collections::BTreeSet;

pub use reached::{Reached, reached};

/// The level of boundaries, which says how finely faces are divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// One boundary for each face and element.
    First,
    /// Divided by what lies behind.
    Second,
}

/// The far side of a boundary, as IfcInternalOrExternalEnum names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Facing {
    /// INTERNAL: a room, or more of the building.
    Internal,
    /// EXTERNAL: the open air, or a space outdoors.
    External,
    /// EXTERNAL_EARTH: the ground.
    Earth,
}

/// One boundary of a room.
#[derive(Debug, Clone, PartialEq)]
pub struct SpaceBoundary {
    /// The room, by its place in [`crate::Rooms::rooms`].
    pub room: usize,
    /// Its level.
    pub level: Level,
    /// The wall, slab, door or other element, or an opening that nothing fills; none where the room is open.
    pub element: Option<Id>,
    /// True where no body bounds the room: it is open there, or an opening is not filled.
    pub is_virtual: bool,
    /// The far side, of most of its area.
    pub facing: Facing,
    /// On the second level, true if the end of another element lies behind (type 2b).
    pub is_end: bool,
    /// The room behind; on the second level alone.
    pub behind: Option<usize>,
    /// The plane in metres of the world; z looks out of the room.
    pub plane: DAffine3,
    /// Its surface in the plane, in metres.
    pub area: Area,
    /// The boundary that it lies within, by place in the list: that of its host.
    pub parent: Option<usize>,
    /// The boundary on the other side, by place in the list; on the second level alone.
    pub corresponding: Option<usize>,
}

impl SpaceBoundary {
    fn facet(&self) -> Facet {
        Facet::in_plane(self.room, self.plane, self.area.loops().cloned().collect())
    }
}

/// All boundaries of a layout on one level: room by room, those of hosts before those within them.
pub fn space_boundaries(layout: &Layout, links: &Links<'_>, level: Level) -> Vec<SpaceBoundary> {
    made(layout, links, level, &(0..layout.rooms.rooms.len()).collect())
}

/// The same of some rooms, and of what corresponds to theirs; of other rooms there may be more, but not all.
pub fn space_boundaries_of(
    layout: &Layout,
    links: &Links<'_>,
    level: Level,
    rooms: &BTreeSet<usize>,
) -> Vec<SpaceBoundary> {
    // an opening lies within the face that shows most of it, so that all faces on both of its sides are asked
    let opened = rooms.iter().flat_map(|room| layout.passages_at(*room));
    let beside = opened.flat_map(|(_, passage)| passage.sides()).filter_map(Side::room);
    made(layout, links, level, &rooms.iter().copied().chain(beside).collect())
}

/// The boundaries of some rooms, with what lies opposite to their faces; openings that lead out of these rooms are those of these alone.
fn made(layout: &Layout, links: &Links<'_>, level: Level, rooms: &BTreeSet<usize>) -> Vec<SpaceBoundary> {
    let mut hosts = match level {
        Level::First => first(layout, links, rooms),
        Level::Second => second(layout, links, rooms),
    };
    inner::add(layout, level, rooms, &mut hosts);
    in_order(hosts)
}

/// One boundary for each face and element.
fn first(layout: &Layout, links: &Links<'_>, rooms: &BTreeSet<usize>) -> Vec<SpaceBoundary> {
    let own: BTreeSet<usize> =
        rooms.iter().flat_map(|room| layout.facets_of(*room)).map(|(number, _)| number).collect();
    let faces = faces::divided(layout, links, &own);
    let mut found = Vec::new();
    for (number, facet) in own.iter().filter_map(|number| Some((*number, layout.facets.get(*number)?))) {
        let own = layout.pieces_of(facet.room).filter(|(piece, _)| piece.facet == number);
        let pieces: Vec<&Piece> = own.map(|(piece, _)| piece).collect();
        for face in faces.get(&number).into_iter().flatten() {
            for area in region::union(&face.loops).into_iter().filter(counts) {
                let facing = mostly(layout, &area, &pieces);
                found.push(SpaceBoundary {
                    room: facet.room,
                    level: Level::First,
                    element: face.element,
                    is_virtual: face.element.is_none(),
                    facing,
                    is_end: false,
                    behind: None,
                    plane: facet.plane,
                    area,
                    parent: None,
                    corresponding: None,
                });
            }
        }
    }
    found
}

/// The far side that most of an area has, of these pieces of its face.
fn mostly(layout: &Layout, area: &Area, pieces: &[&Piece]) -> Facing {
    let own: Vec<Loop> = area.loops().cloned().collect();
    let mut sums = [Facing::Internal, Facing::External, Facing::Earth].map(|facing| (facing, 0.0));
    for piece in pieces {
        let loops: Vec<Loop> = piece.area.loops().cloned().collect();
        let shared = faces::size(&region::intersection(&own, &loops));
        if let Some(sum) = sums.iter_mut().find(|(facing, _)| *facing == facing_of(layout, piece)) {
            sum.1 += shared;
        }
    }
    let best = sums.into_iter().reduce(|best, next| if next.1 > best.1 { next } else { best });
    best.map_or(Facing::Internal, |(facing, _)| facing)
}

/// One boundary for each piece of a face and element; those that look at each other are cut to one outline.
fn second(layout: &Layout, links: &Links<'_>, rooms: &BTreeSet<usize>) -> Vec<SpaceBoundary> {
    let own: BTreeSet<usize> = rooms.iter().flat_map(|room| layout.piece_numbers_of(*room)).collect();
    let behind = |number: &usize| match layout.pieces.get(*number)?.behind {
        Behind::Piece(other) => Some(other),
        _ => None,
    };
    let pieces: BTreeSet<usize> = own.iter().copied().chain(own.iter().filter_map(behind)).collect();
    let pieces = pieces.into_iter().filter_map(|number| Some((number, layout.pieces.get(number)?)));
    let pieces: Vec<(usize, &Piece)> = pieces.collect();
    let faces = faces::divided(layout, links, &pieces.iter().map(|(_, piece)| piece.facet).collect());
    let mut found = Vec::new();
    for (number, piece) in pieces {
        let Some(facet) = layout.facets.get(piece.facet) else { continue };
        let own = faces::within(faces.get(&piece.facet), piece);
        let opposite = match piece.behind {
            // both sides are made at the first of them
            Behind::Piece(other) if other < number => continue,
            Behind::Piece(other) => layout.pieces.get(other),
            _ => None,
        };
        let there = opposite.and_then(|piece| Some((piece, layout.facets.get(piece.facet)?)));
        let Some((other, beyond)) = there else {
            for (element, area) in own {
                found.push(host(layout, facet, piece, None, (element, area)));
            }
            continue;
        };
        let theirs = faces::within(faces.get(&other.facet), other);
        for (a, b, area, seen) in faces::both(facet, beyond, own, theirs) {
            let at = found.len();
            let mut near = host(layout, facet, piece, Some(beyond.room), (a, area));
            let mut far = host(layout, beyond, other, Some(facet.room), (b, seen));
            (near.corresponding, far.corresponding) = (Some(at + 1), Some(at));
            found.extend([near, far]);
        }
    }
    found
}

fn host(
    layout: &Layout,
    facet: &Facet,
    piece: &Piece,
    behind: Option<usize>,
    (element, area): (Option<Id>, Area),
) -> SpaceBoundary {
    SpaceBoundary {
        room: facet.room,
        level: Level::Second,
        element,
        is_virtual: element.is_none(),
        facing: facing_of(layout, piece),
        is_end: piece.behind == Behind::End,
        behind,
        plane: facet.plane,
        area,
        parent: None,
        corresponding: None,
    }
}

/// The far side of a piece of a face.
fn facing_of(layout: &Layout, piece: &Piece) -> Facing {
    match piece.behind {
        Behind::Outdoors => Facing::External,
        Behind::Ground => Facing::Earth,
        Behind::End | Behind::Building => Facing::Internal,
        Behind::Piece(other) => {
            let room = layout.pieces.get(other).and_then(|piece| layout.facets.get(piece.facet));
            room.map_or(Facing::Internal, |facet| facing_to(layout, Side::Room(facet.room)))
        }
    }
}

/// The far side of a passage.
fn facing_to(layout: &Layout, side: Side) -> Facing {
    let is_outside = |room: usize| layout.rooms.rooms.get(room).is_some_and(|room| room.is_outside);
    match side {
        Side::Outdoors => Facing::External,
        Side::Room(room) if is_outside(room) => Facing::External,
        Side::Room(_) | Side::Building => Facing::Internal,
    }
}

/// The same list room by room, hosts before what lies within them.
fn in_order(list: Vec<SpaceBoundary>) -> Vec<SpaceBoundary> {
    let mut order: Vec<usize> = (0..list.len()).collect();
    order.sort_by_key(|at| list.get(*at).map(|b| (b.room, b.parent.is_some(), *at)));
    let mut places = vec![0; list.len()];
    for (new, old) in order.iter().enumerate() {
        if let Some(place) = places.get_mut(*old) {
            *place = new;
        }
    }
    let moved = |at: Option<usize>| at.and_then(|at| places.get(at).copied());
    let at = |old: usize| -> Option<SpaceBoundary> {
        let own = list.get(old)?.clone();
        let (parent, corresponding) = (moved(own.parent), moved(own.corresponding));
        Some(SpaceBoundary { parent, corresponding, ..own })
    };
    order.into_iter().filter_map(at).collect()
}
