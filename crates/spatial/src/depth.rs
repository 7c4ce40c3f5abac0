//! Depth of rooms: how many doors and openings lie between each and the outside.

use crate::{Layout, adjacency::Through, passage::Side};
use std::collections::VecDeque;

/// The fewest doors and openings that one passes from outside to each room; none for a room that none lead to. A terrace is outside. An
/// opening in a floor or ceiling counts as one where a stair or lift stands on one of its sides, or in no room of the building.
pub fn depths(layout: &Layout) -> Vec<Option<usize>> {
    let climbs: Vec<bool> = (0..layout.rooms.rooms.len())
        .map(|room| layout.contents(room).iter().any(|content| content.joins_storeys))
        .collect();
    let is_climbed = |rooms: [usize; 2]| {
        rooms.iter().any(|room| climbs.get(*room) == Some(&true)) || !climbs.contains(&true)
    };
    let mut found: Vec<Option<usize>> =
        layout.rooms.rooms.iter().map(|room| room.is_outside.then_some(0)).collect();
    let mut beside: Vec<Vec<usize>> = vec![Vec::new(); found.len()];
    for near in layout.adjacencies() {
        match (near.sides, near.through) {
            // what rooms share above each other has no length in plan
            ([Side::Room(a), Side::Room(b)], Through::Opening)
                if near.length == 0.0 && !is_climbed([a, b]) => {}
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
