//! The parts that a layout is made of: rooms, the faces between them, and the doors, windows and openings in those.

use crate::{
    Rooms,
    elements::Elements,
    facet::Facet,
    pairing::Piece,
    passage::{Passage, Side},
};
use std::{ops::Range, sync::Arc};

/// The parts of a version that answers about rooms are read from.
pub struct Parts {
    /// Storeys and rooms.
    pub rooms: Rooms,
    /// The elements that enclose rooms, by place, with their openings left in.
    pub elements: Elements,
    /// The flat faces of all rooms, room by room.
    pub facets: Arc<Vec<Facet>>,
    /// The faces in pieces, each with what lies behind it.
    pub pieces: Arc<Vec<Piece>>,
    /// Doors, windows and openings.
    pub passages: Arc<Vec<Arc<Passage>>>,
    /// Height of the terrain, in metres of the world.
    pub terrain: f64,
    /// By room: its faces, its pieces, and its passages.
    own_facets: Arc<Vec<Range<usize>>>,
    own_pieces: Arc<Vec<Vec<usize>>>,
    own_passages: Arc<Vec<Vec<usize>>>,
}

impl Parts {
    /// The parts of a version; what another version has as well is not sorted by room again.
    pub(crate) fn new(
        (rooms, elements): (Rooms, Elements),
        facets: Arc<Vec<Facet>>,
        pieces: Arc<Vec<Piece>>,
        passages: Arc<Vec<Arc<Passage>>>,
        terrain: f64,
        before: Option<&Parts>,
    ) -> Parts {
        let count = rooms.rooms.len();
        let before = before.filter(|before| before.rooms.rooms.len() == count);
        let same_facets = before.filter(|before| Arc::ptr_eq(&before.facets, &facets));
        let own_facets = match same_facets {
            Some(before) => Arc::clone(&before.own_facets),
            None => facets_by_room(count, &facets).into(),
        };
        let own_pieces = match same_facets.filter(|before| Arc::ptr_eq(&before.pieces, &pieces)) {
            Some(before) => Arc::clone(&before.own_pieces),
            None => pieces_by_room(count, &facets, &pieces).into(),
        };
        let own_passages = match before.filter(|before| Arc::ptr_eq(&before.passages, &passages)) {
            Some(before) => Arc::clone(&before.own_passages),
            None => passages_by_room(count, &passages).into(),
        };
        Parts { rooms, elements, facets, pieces, passages, terrain, own_facets, own_pieces, own_passages }
    }

    /// The faces of a room, each with its place in `facets`.
    pub fn facets_of(&self, room: usize) -> impl Iterator<Item = (usize, &Facet)> {
        let own = self.own_facets.get(room).cloned().unwrap_or_default();
        own.filter_map(|number| Some((number, self.facets.get(number)?)))
    }

    /// The places in `pieces` of the pieces of a room's faces.
    pub fn piece_numbers_of(&self, room: usize) -> impl Iterator<Item = usize> {
        self.own_pieces.get(room).into_iter().flatten().copied()
    }

    /// The pieces of a room's faces, each with the face.
    pub fn pieces_of(&self, room: usize) -> impl Iterator<Item = (&Piece, &Facet)> {
        self.piece_numbers_of(room).filter_map(|number| {
            let piece = self.pieces.get(number)?;
            Some((piece, self.facets.get(piece.facet)?))
        })
    }

    /// The doors, windows and openings that have a room on one of their sides, each with its place in `passages`.
    pub fn passages_at(&self, room: usize) -> impl Iterator<Item = (usize, &Passage)> {
        let own = self.own_passages.get(room).into_iter().flatten();
        own.filter_map(|number| Some((*number, self.passages.get(*number)?.as_ref())))
    }
}

fn facets_by_room(count: usize, facets: &[Facet]) -> Vec<Range<usize>> {
    let mut own_facets = vec![0..0; count];
    for (number, facet) in facets.iter().enumerate() {
        if let Some(own) = own_facets.get_mut(facet.room) {
            own.start = if own.end == 0 { number } else { own.start };
            own.end = number + 1;
        }
    }
    own_facets
}

fn pieces_by_room(count: usize, facets: &[Facet], pieces: &[Piece]) -> Vec<Vec<usize>> {
    let mut own_pieces = vec![Vec::new(); count];
    for (number, piece) in pieces.iter().enumerate() {
        if let Some(own) = facets.get(piece.facet).and_then(|facet| own_pieces.get_mut(facet.room)) {
            own.push(number);
        }
    }
    own_pieces
}

fn passages_by_room(count: usize, passages: &[Arc<Passage>]) -> Vec<Vec<usize>> {
    let mut own_passages: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (number, passage) in passages.iter().enumerate() {
        for side in passage.crossings.iter().flat_map(|crossing| crossing.sides) {
            let Side::Room(room) = side else { continue };
            if let Some(own) = own_passages.get_mut(room).filter(|own| own.last() != Some(&number)) {
                own.push(number);
            }
        }
    }
    own_passages
}
