//! The faces of rooms, divided by the element that makes each part: what touches the face first, else what comes next behind it.

use crate::{
    Layout,
    bounding::TOUCH,
    facet::{Facet, counts, loops_of},
    pairing::{Behind, Piece},
};
use geometry::{
    query::contact,
    region::{self, Area, Loop},
};
use ifc::{Id, relations::Links};
use rayon::prelude::*;
use std::collections::{BTreeSet, HashMap};

/// A part of a room's face that one element makes.
pub(super) struct Face {
    /// The element; none where the room is open.
    pub element: Option<Id>,
    /// Its outline in the plane of the face; loops by the even-odd rule.
    pub loops: Vec<Loop>,
}

/// The least share in m² by which an element touches a face.
const LEAST: f64 = 1e-4;

/// The parts of faces of a layout, by the numbers of the faces.
pub(super) fn divided(
    layout: &Layout,
    links: &Links<'_>,
    numbers: &BTreeSet<usize>,
) -> HashMap<usize, Vec<Face>> {
    let facets: Vec<(usize, &Facet)> =
        numbers.iter().filter_map(|number| Some((*number, layout.facets.get(*number)?))).collect();
    let rooms: BTreeSet<usize> = facets.iter().map(|(_, facet)| facet.room).collect();
    let rooms: Vec<usize> = rooms.into_iter().collect();
    let patches: HashMap<usize, Vec<(Id, Facet)>> =
        rooms.into_par_iter().map(|room| (room, touching(layout, room))).collect();
    let touching = patches.values().flatten().map(|(element, _)| *element);
    let crossing = facets.iter().flat_map(|(number, facet)| {
        let own = layout.pieces_of(facet.room).filter(move |(piece, _)| piece.facet == *number);
        own.filter_map(|(piece, _)| piece.crossed.first()).map(|crossed| crossed.element)
    });
    let elements: BTreeSet<Id> = touching.chain(crossing).collect();
    let wholes: HashMap<Id, Id> =
        elements.into_iter().map(|element| (element, whole(links, element))).collect();
    facets
        .into_par_iter()
        .map(|(number, facet)| {
            let patches = patches.get(&facet.room).map(Vec::as_slice).unwrap_or_default();
            (number, parts(layout, &wholes, number, facet, patches))
        })
        .collect()
}

/// The places where elements touch a room.
fn touching(layout: &Layout, room: usize) -> Vec<(Id, Facet)> {
    let Some(body) = layout.rooms.index().get(Id(room as u32)) else { return Vec::new() };
    let mut patches: Vec<(Id, Facet)> = Vec::new();
    for element in layout.elements.index().near(&body.bounds(), TOUCH) {
        for patch in contact(body, element, TOUCH).patches {
            let loops = patch.area.loops().cloned().collect();
            patches.push((element.id(), Facet::in_plane(room, patch.frame, loops)));
        }
    }
    patches
}

fn parts(
    layout: &Layout,
    wholes: &HashMap<Id, Id>,
    number: usize,
    facet: &Facet,
    patches: &[(Id, Facet)],
) -> Vec<Face> {
    let own = layout.pieces_of(facet.room).filter(|(piece, _)| piece.facet == number);
    let pieces: Vec<&Piece> = own.map(|(piece, _)| piece).collect();
    let named = |id: Id| wholes.get(&id).copied().unwrap_or(id);
    let mut left = facet.loops.to_vec();
    let mut found: Vec<Face> = Vec::new();
    // two rooms that share a plane are open to each other whatever else ends there
    let is_open = |piece: &&&Piece| piece.crossed.is_empty() && matches!(piece.behind, Behind::Piece(_));
    for piece in pieces.iter().filter(is_open) {
        let loops: Vec<Loop> = piece.area.loops().cloned().collect();
        left = loops_of(&region::difference(&left, &loops));
        add(&mut found, None, loops);
    }
    let is_on = |(_, patch): &&(Id, Facet)| {
        patch.normal().dot(facet.normal()) > 0.999
            && facet.height(patch.plane.translation).abs() < 2.0 * TOUCH
    };
    // of two in one place, as a wall and its lining, the nearer bounds the room; of a roof and the rafters in it, the roof
    let far = |patch: &Facet| (facet.height(patch.plane.translation) * 1e3).round() as i64;
    let mut on: Vec<&(Id, Facet)> = patches.iter().filter(is_on).collect();
    on.sort_by_key(|(id, patch)| (far(patch).abs(), !layout.elements.is_enclosing(*id), *id));
    for (element, patch) in on {
        let seen = facet.project(patch, &patch.loops);
        let shared = region::intersection(&left, &seen);
        if size(&shared) > LEAST {
            left = loops_of(&region::difference(&left, &seen));
            add(&mut found, Some(named(*element)), loops_of(&shared));
        }
    }
    for piece in pieces {
        let loops: Vec<Loop> = piece.area.loops().cloned().collect();
        let element = piece.crossed.first().map(|crossed| named(crossed.element));
        let shared: Vec<Area> = region::intersection(&left, &loops).into_iter().collect();
        // a hair's breadth beside an element is its own
        let is_known = found.iter().any(|face| face.element == element);
        let kept: Vec<Area> = shared.into_iter().filter(|area| is_known || counts(area)).collect();
        if !kept.is_empty() {
            add(&mut found, element, loops_of(&kept));
        }
    }
    for face in &mut found {
        face.loops = loops_of(&region::union(&face.loops));
    }
    found
}

fn add(found: &mut Vec<Face>, element: Option<Id>, loops: Vec<Loop>) {
    match found.iter_mut().find(|face| face.element == element) {
        Some(face) => face.loops.extend(loops),
        None => found.push(Face { element, loops }),
    }
}

/// The element that a file names at a boundary: of the panels and frames of a curtain wall, and of the layers of a wall that are parts,
/// the whole.
pub(super) fn whole(links: &Links<'_>, element: Id) -> Id {
    let is_a = |id: Id, classes: &[&str]| {
        links.model().get(id).is_some_and(|instance| classes.iter().any(|class| instance.is_a(class)))
    };
    let parent = links.aggregate_parent(element).filter(|_| {
        is_a(element, &["IfcPlate", "IfcMember", "IfcBuildingElementPart", "IfcCurtainWall", "IfcWall"])
    });
    parent.filter(|whole| is_a(*whole, &["IfcCurtainWall", "IfcWall", "IfcSlab"])).unwrap_or(element)
}

/// The parts of a piece by element.
pub(super) fn within(faces: Option<&Vec<Face>>, piece: &Piece) -> Vec<(Option<Id>, Area)> {
    let loops: Vec<Loop> = piece.area.loops().cloned().collect();
    let faces = faces.map(Vec::as_slice).unwrap_or_default();
    if let [one] = faces {
        return vec![(one.element, Area::clone(&piece.area))];
    }
    let mut found: Vec<(Option<Id>, Area)> = Vec::new();
    for face in faces {
        let areas = region::intersection(&face.loops, &loops).into_iter().filter(counts);
        found.extend(areas.map(|area| (face.element, area)));
    }
    // what all but a hair's breadth of is one element is the piece itself
    match found.as_mut_slice() {
        [(element, area)] if area.size() > 0.98 * piece.area.size() => {
            vec![(*element, Area::clone(&piece.area))]
        }
        _ => found,
    }
}

/// A part of two pieces that look at each other: the elements on either side, and its outline in either plane.
type Shared = (Option<Id>, Option<Id>, Area, Area);

/// Two pieces that look at each other, divided by the elements on both sides.
pub(super) fn both(
    facet: &Facet,
    beyond: &Facet,
    own: Vec<(Option<Id>, Area)>,
    theirs: Vec<(Option<Id>, Area)>,
) -> Vec<Shared> {
    match (own.as_slice(), theirs.as_slice()) {
        ([(a, area)], [(b, seen)]) => return vec![(*a, *b, area.clone(), seen.clone())],
        ([], _) | (_, []) => return Vec::new(),
        _ => {}
    }
    let loops = |area: &Area| -> Vec<Loop> { area.loops().cloned().collect() };
    let mut found = Vec::new();
    for (a, area) in &own {
        for (b, seen) in &theirs {
            let seen = facet.project(beyond, &loops(seen));
            for shared in region::intersection(&loops(area), &seen).into_iter().filter(counts) {
                let back = beyond.project(facet, &loops(&shared));
                let mut back = back.into_iter();
                if let Some(outer) = back.next() {
                    found.push((*a, *b, shared, Area::new(outer, back.collect())));
                }
            }
        }
    }
    found
}

/// The size of areas in m².
pub(super) fn size(areas: &[Area]) -> f64 {
    areas.iter().map(Area::size).sum()
}
