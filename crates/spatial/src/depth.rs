//! Depth of rooms: how many doors and openings lie between each and the outside.

use crate::{Layout, adjacency::Through, passage::Side};
use std::collections::VecDeque;

/// The fewest doors and openings that one passes from outside to each room; none for a room that none lead to. A terrace is outside; the
/// opening of a stair in a slab counts as one.
pub fn depths(layout: &Layout) -> Vec<Option<usize>> {
    let mut found: Vec<Option<usize>> =
        layout.rooms.rooms.iter().map(|room| room.is_outside.then_some(0)).collect();
    let mut beside: Vec<Vec<usize>> = vec![Vec::new(); found.len()];
    for near in layout.adjacencies() {
        match (near.sides, near.through) {
            ([Side::Room(a), Side::Room(b)], Through::Door | Through::Opening) => {
                for (one, other) in [(a, b), (b, a)] {
                    if let Some(list) = beside.get_mut(one) {
                        list.push(other);
                    }
                }
            }
            ([Side::Room(room), Side::Outdoors], Through::Door) => {
                if let Some(known) = found.get_mut(room) {
                    known.get_or_insert(1);
                }
            }
            _ => {}
        }
    }
    let begun = found.iter().enumerate().filter(|(_, depth)| depth.is_some());
    let mut next: VecDeque<usize> = begun.map(|(room, _)| room).collect();
    while let Some(room) = next.pop_front() {
        let Some(depth) = found.get(room).copied().flatten() else { continue };
        for other in beside.get(room).into_iter().flatten() {
            if let Some(known) = found.get_mut(*other).filter(|k| k.is_none_or(|k| k > depth + 1)) {
                *known = Some(depth + 1);
                next.push_back(*other);
            }
        }
    }
    found
}
