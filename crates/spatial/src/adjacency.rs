//! Neighbours: which rooms lie beside each other, through which doors, openings, walls and slabs, and along which length and area.

use crate::{
    facet::extent,
    pairing::Behind,
    parts::Parts,
    passage::{PassageKind, Side},
};
use ifc::Id;
use std::collections::BTreeMap;

/// The way in which two rooms are neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Through {
    /// A door.
    Door,
    /// An opening that nothing fills, or a plane that two rooms share with nothing between.
    Opening,
    /// A window.
    Window,
    /// A wall, or what else stands upright between them.
    Wall,
    /// A slab, or what else lies between them.
    Slab,
}

impl Through {
    /// Every way, the closest first.
    pub const ALL: [Through; 5] =
        [Through::Door, Through::Opening, Through::Window, Through::Wall, Through::Slab];

    /// Its word: `door`, `opening`, `window`, `wall`, `slab`.
    pub fn word(self) -> &'static str {
        match self {
            Through::Door => "door",
            Through::Opening => "opening",
            Through::Window => "window",
            Through::Wall => "wall",
            Through::Slab => "slab",
        }
    }
}

/// Two sides that are neighbours in one way.
#[derive(Debug, Clone, PartialEq)]
pub struct Adjacency {
    /// The two sides, the room with the smaller number first; what is no room comes last.
    pub sides: [Side; 2],
    /// The way.
    pub through: Through,
    /// Doors, windows, openings, or the elements between; none where two rooms are open to each other.
    pub elements: Vec<Id>,
    /// The length that they share in plan, in metres: of a door its width; of slabs 0.
    pub length: f64,
    /// The area that they share, in m²: of a door that of its opening; of walls and slabs with their openings.
    pub area: f64,
}

/// The smallest area that makes rooms neighbours by wall or slab, in m²; rooms that only meet at a corner are none.
const LEAST_AREA: f64 = 0.05;

/// The sums that make an adjacency.
#[derive(Default)]
struct Shared {
    elements: Vec<Id>,
    area: f64,
    length: f64,
    /// Stretches along a face, by the number of the face.
    stretches: BTreeMap<usize, Vec<(f64, f64)>>,
}

impl Shared {
    fn add_element(&mut self, id: Id) {
        if !self.elements.contains(&id) {
            self.elements.push(id);
        }
    }
}

/// All neighbours of a layout, in the order of their sides; those outdoors only by doors, windows and openings.
pub(crate) fn adjacencies(layout: &Parts) -> Vec<Adjacency> {
    let mut found: BTreeMap<([Side; 2], Through), Shared> = BTreeMap::new();
    for passage in layout.passages.iter() {
        let through = match passage.kind {
            PassageKind::Door => Through::Door,
            PassageKind::Window => Through::Window,
            PassageKind::Opening => Through::Opening,
        };
        for crossing in &passage.crossings {
            let [a, b] = crossing.sides;
            if a == b || !(is_room(a) || is_room(b)) {
                continue;
            }
            let shared = found.entry(([a.min(b), a.max(b)], through)).or_default();
            shared.add_element(passage.element);
            shared.area += passage.area * crossing.share;
            shared.length += if passage.is_level() { 0.0 } else { passage.width * crossing.share };
        }
    }
    for (number, piece) in layout.pieces.iter().enumerate() {
        let Behind::Piece(other) = piece.behind else { continue };
        let opposite = layout.pieces.get(other).and_then(|p| layout.facets.get(p.facet));
        let Some((facet, opposite)) = layout.facets.get(piece.facet).zip(opposite) else { continue };
        if number > other || facet.room == opposite.room {
            continue;
        }
        let is_level = facet.normal().z.abs() > 0.7;
        let through = match (piece.crossed.is_empty(), is_level) {
            (true, _) => Through::Opening,
            (false, true) => Through::Slab,
            (false, false) => Through::Wall,
        };
        let [a, b] = [facet.room, opposite.room].map(Side::Room);
        let shared = found.entry(([a.min(b), a.max(b)], through)).or_default();
        piece.crossed.iter().for_each(|crossed| shared.add_element(crossed.element));
        shared.area += piece.area.size();
        if let Some((low, high)) = extent(&piece.area.outer).filter(|_| !is_level) {
            shared.stretches.entry(piece.facet).or_default().push((low.x, high.x));
        }
    }
    let made = found.into_iter().map(|((sides, through), shared)| {
        let along: f64 = shared.stretches.into_values().map(covered).sum();
        Adjacency {
            sides,
            through,
            elements: shared.elements,
            length: shared.length + along,
            area: shared.area,
        }
    });
    made.filter(|a| a.area >= LEAST_AREA).collect()
}

fn is_room(side: Side) -> bool {
    matches!(side, Side::Room(_))
}

/// The length that stretches of a line cover together.
fn covered(mut stretches: Vec<(f64, f64)>) -> f64 {
    stretches.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut sum, mut end) = (0.0, f64::NEG_INFINITY);
    for (from, to) in stretches {
        sum += (to - from.max(end)).max(0.0);
        end = end.max(to);
    }
    sum
}
