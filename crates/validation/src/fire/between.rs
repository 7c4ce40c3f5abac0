//! What lies between two rooms: pieces of wall and slab, each with the elements that a fire has to get through one after the other.

use geometry::region::Area;
use ifc::Id;
use spatial::Layout;
use spatial::pairing::Behind;

/// A piece of the faces in which two rooms lie beside each other.
#[derive(Debug, Clone)]
pub(crate) struct Between {
    /// The two rooms, the one with the smaller number first.
    pub rooms: [usize; 2],
    /// The elements between them, one behind the other, the thickest first; none where the rooms are open to each other.
    pub layers: Vec<Id>,
}

/// Smaller pieces, in m², are corners and edges.
const LEAST: f64 = 0.05;

/// The pieces between the rooms of a layout, outdoor rooms left out.
pub(super) fn between(layout: &Layout) -> Vec<Between> {
    let room_of = |piece: usize| layout.facets.get(layout.pieces.get(piece)?.facet).map(|facet| facet.room);
    let is_outside = |room: usize| layout.rooms.rooms.get(room).is_some_and(|own| own.is_outside);
    let mut found = Vec::new();
    for (number, piece) in layout.pieces.iter().enumerate() {
        let Behind::Piece(other) = piece.behind else { continue };
        let (Some(a), Some(b)) = (room_of(number), room_of(other)) else { continue };
        // each pair is met from both sides
        if a >= b || is_outside(a) || is_outside(b) || Area::size(&piece.area) < LEAST {
            continue;
        }
        let mut crossed: Vec<_> = piece.crossed.iter().collect();
        crossed.sort_by(|x, y| y.thickness().total_cmp(&x.thickness()));
        found.push(Between { rooms: [a, b], layers: crossed.iter().map(|c| c.element).collect() });
    }
    found
}
