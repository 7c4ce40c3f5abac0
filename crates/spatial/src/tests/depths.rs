//! Depths of rooms: how many doors and openings lie between each and the outside.

use super::{layout, open};
use crate::depth::depths;
use std::collections::BTreeMap;

#[test]
fn rooms_of_the_duplex_lie_as_deep_as_their_doors_say() {
    let Some(model) = open("Duplex_A_20110907.ifc") else { return };
    let layout = layout(&model);
    let mut by_depth: BTreeMap<Option<usize>, Vec<&str>> = BTreeMap::new();
    for (room, depth) in layout.rooms.rooms.iter().zip(depths(&layout)) {
        by_depth.entry(depth).or_default().push(&room.name);
    }
    for names in by_depth.values_mut() {
        names.sort_unstable();
    }
    let wanted = [
        (Some(0), vec!["R301"]),
        // the foyer, and the living room by the door to the garden
        (Some(1), vec!["A101", "A102", "B101", "B102"]),
        (Some(2), vec!["A103", "A104", "A105", "B103", "B104", "B105"]),
        // by the stair, not from the roof through the shaft of light
        (Some(3), vec!["A201", "B201"]),
        (Some(4), vec!["A202", "A203", "A204", "B202", "B203", "B204"]),
        (Some(5), vec!["A205", "B205"]),
    ];
    assert_eq!(by_depth, BTreeMap::from(wanted));
}
