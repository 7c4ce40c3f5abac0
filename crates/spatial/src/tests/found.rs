//! Rooms whose spaces were taken out of real models, found again between the walls.
//!
//! Rooms that nothing but a virtual boundary or a hole in a slab parts count as one; outdoor spaces do not count. Both are compared in
//! plans a metre over every floor.

use super::*;
use crate::{
    Room,
    pairing::Behind,
    passage::{PassageKind, Side},
};
use geometry::{
    region::{self, Area, Loop},
    section::{Plane, of_solid},
};

/// The models, with the number of their rooms that count.
const MODELS: [(&str, usize); 10] = [
    ("3rooms_with_SB.ifc", 4),
    ("AC11-FZK-Haus.ifc", 4),
    ("AC20-FZK-Haus.ifc", 4),
    ("Duplex_A_20110907.ifc", 11),
    ("ExampleHOM.ifc", 11),
    ("LargeBuilding.ifc", 8),
    ("Niedri.ifc", 9),
    ("SampleHouse4.ifc", 3),
    ("TallBuilding.ifc", 3),
    ("basic_demo.ifc", 4),
];

/// Rooms that are found less well, each with the reason.
const OTHERWISE: [(&str, &str, &str); 1] = [(
    "Niedri.ifc",
    "6 Garage",
    "the file's space ends level below the sloped roof; the room is found up to the roof",
)];

/// A model less its spaces.
fn without_spaces(model: &Model) -> Model {
    let mut edit = model.edit();
    edit.remove_all(&model.of_class("IfcSpace"), ifc::Referrers::Cascade).unwrap();
    edit.finish().0
}

/// The rooms of the file in groups that are open to each other, outdoor spaces left out.
fn groups(layout: &Layout) -> Vec<Vec<usize>> {
    let rooms = &layout.rooms.rooms;
    let mut group: Vec<usize> = (0..rooms.len()).collect();
    let mut join = |a: usize, b: usize| {
        let (old, new) = (group[a], group[b]);
        group.iter_mut().filter(|g| **g == old).for_each(|g| *g = new);
    };
    for piece in layout.pieces.iter().filter(|piece| piece.crossed.is_empty()) {
        if let Behind::Piece(other) = piece.behind {
            join(layout.facets[piece.facet].room, layout.facets[layout.pieces[other].facet].room);
        }
    }
    for passage in layout.passages.iter().filter(|p| p.kind == PassageKind::Opening && p.is_level()) {
        for crossing in &passage.crossings {
            if let [Side::Room(a), Side::Room(b)] = crossing.sides
                && !rooms[a].is_outside
                && !rooms[b].is_outside
            {
                join(a, b);
            }
        }
    }
    let counts = |n: &usize| !rooms[*n].is_outside && !rooms[*n].is_found();
    let of = |g: usize| (0..rooms.len()).filter(|n| group[*n] == g).filter(counts).collect::<Vec<_>>();
    (0..rooms.len()).map(of).filter(|members| !members.is_empty()).collect()
}

/// The plan of rooms at a height, as loops of areas that do not overlap.
fn plan<'a>(rooms: impl Iterator<Item = &'a Room>, height: f64) -> Vec<Loop> {
    let plane = Plane::level(height).unwrap();
    let loops: Vec<Loop> = rooms
        .flat_map(|room| of_solid(&room.solid, &plane).areas)
        .flat_map(|area| std::iter::once(area.outer).chain(area.holes))
        .collect();
    crate::facet::loops_of(&region::union(&loops))
}

fn size(areas: &[Area]) -> f64 {
    areas.iter().map(Area::size).sum()
}

#[test]
fn rooms_are_found_again_where_their_spaces_were_taken_out() {
    let (mut all, mut well) = (0, 0);
    let mut told = Vec::new();
    let mut poor = Vec::new();
    let mut counts = Vec::new();
    for (name, _) in MODELS {
        let Some(model) = open(name) else { return };
        let stored = layout(&model);
        let found = layout(&without_spaces(&model));
        let are_sound = found.rooms.rooms.iter().all(|room| room.is_found() && room.solid.gap() < 1e-3);
        assert!(are_sound, "{name}");
        let mut heights: Vec<f64> = stored.rooms.rooms.iter().map(|room| room.foot + 1.0).collect();
        heights.sort_by(f64::total_cmp);
        heights.dedup_by(|a, b| (*a - *b).abs() < 0.3);
        let groups = groups(&stored);
        counts.push((name, groups.len()));
        for group in groups {
            let own: Vec<Vec<Loop>> =
                heights.iter().map(|z| plan(group.iter().map(|n| &stored.rooms.rooms[*n]), *z)).collect();
            let is_theirs = |room: &&Room| {
                let (mut shared, mut whole) = (0.0, 0.0);
                for (z, own) in heights.iter().zip(&own) {
                    let theirs = plan(std::iter::once(*room), *z);
                    shared += size(&region::intersection(own, &theirs));
                    whole += size(&region::even_odd(&theirs));
                }
                shared > 0.5 * whole
            };
            let theirs: Vec<&Room> = found.rooms.rooms.iter().filter(is_theirs).collect();
            let (mut shared, mut either) = (0.0, 0.0);
            for (z, own) in heights.iter().zip(&own) {
                let theirs = plan(theirs.iter().copied(), *z);
                let both = size(&region::intersection(own, &theirs));
                shared += both;
                either += size(&region::even_odd(own)) + size(&region::even_odd(&theirs)) - both;
            }
            let share = shared / either;
            let label = stored.rooms.rooms[group[0]].label();
            told.push(format!("{name} {label} and {} others: {share:.3}", group.len() - 1));
            all += 1;
            if share >= 0.95 {
                well += 1;
            } else {
                poor.push((name, label));
            }
        }
    }
    let explained: Vec<(&str, String)> =
        OTHERWISE.iter().map(|(model, room, _)| (*model, (*room).to_owned())).collect();
    assert_eq!(poor, explained, "{}", told.join("\n"));
    assert_eq!(counts, MODELS, "{}", told.join("\n"));
    assert!(f64::from(well) >= 0.95 * f64::from(all), "{well} of {all}");
}
