//! The rooms that an element has to do with: those that it bounds, opens into or stands in, and those on a storey or in a building.

use crate::Layout;
use ifc::{Id, relations::Links};
use std::collections::{BTreeSet, HashMap};

/// Rooms by element, as their places in [`crate::Rooms::rooms`].
#[derive(Debug, Default)]
pub struct RoomsOf {
    by_element: HashMap<Id, BTreeSet<usize>>,
}

impl RoomsOf {
    /// Looks all rooms up once.
    pub fn new(layout: &Layout, links: &Links<'_>) -> RoomsOf {
        let mut found = RoomsOf::default();
        for (number, room) in layout.rooms.rooms.iter().enumerate() {
            let storey = room.storey.and_then(|s| layout.rooms.storeys.get(s)).map(|storey| storey.id);
            let opened = layout.passages_at(number).flat_map(|(_, p)| [Some(p.element), p.opening, p.host]);
            let around = layout.bounding(number).iter().map(|bounding| bounding.element);
            let standing = layout.contents(number).iter().map(|content| Some(content.element));
            let all: Vec<Id> = [storey, room.space()]
                .into_iter()
                .chain(opened)
                .chain(around)
                .chain(standing)
                .flatten()
                .collect();
            for element in all {
                // panels count for their curtain wall, storeys for their building
                for whole in std::iter::once(element).chain(wholes(links, element)) {
                    found.by_element.entry(whole).or_default().insert(number);
                }
            }
        }
        found
    }

    /// The rooms of an element, in their order; none where it lies away from all of them.
    pub fn around(&self, element: Id) -> Vec<usize> {
        self.by_element.get(&element).into_iter().flatten().copied().collect()
    }
}

/// The wholes that an element is a part of, from the next to the last.
fn wholes(links: &Links<'_>, element: Id) -> Vec<Id> {
    let mut found: Vec<Id> = Vec::new();
    let mut next = links.aggregate_parent(element);
    while let Some(whole) = next.filter(|whole| !found.contains(whole)) {
        found.push(whole);
        next = links.aggregate_parent(whole);
    }
    found
}
