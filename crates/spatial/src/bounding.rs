//! The elements around a room: which walls, slabs, roofs and coverings it touches, on which side, and with how much of their surface.
//!
//! An element bounds a room where its faces lie on those of the room's body. Where a room stops short of its walls or floor, what
//! comes next behind the gap bounds it. Areas are with openings: a wall is measured as if it had none.

use crate::{
    asked::Asked,
    behind,
    facet::{Facet, counts},
    parts::Parts,
};
use geometry::{
    query::{Element, Patch, contact},
    region::{self, Area},
};
use glam::DVec3;
use ifc::Id;
use std::sync::Arc;

/// The most that the faces of a room and of an element may be apart and still lie on each other, in metres.
pub(crate) const TOUCH: f64 = 0.03;
/// The widest gap between a room and what bounds it, in metres: floors, linings and ceilings that are not modelled.
const GAP: f64 = 0.5;
/// Directions nearer than this (the cosine of 10 degrees) are one side.
const SAME_SIDE: f64 = 0.985;

/// A part of the surface of a room, and the element that makes it.
#[derive(Debug, Clone, PartialEq)]
pub struct Bounding {
    /// The element; none where the room is open.
    pub element: Option<Id>,
    /// The direction out of the room, at length one.
    pub normal: DVec3,
    /// The area in m².
    pub area: f64,
    /// The distance between room and element in metres, 0 where they touch.
    pub gap: f64,
}

/// The elements around a room, and all that was looked at to tell.
#[derive(Debug, Default)]
pub(crate) struct Around {
    /// The elements, the largest first on each side.
    pub(crate) bounding: Vec<Bounding>,
    pub(crate) asked: Asked,
    body: Option<Arc<Element>>,
    /// The elements that are near, each with the faces in which it touches the body.
    contacts: Vec<(Arc<Element>, Arc<[Facet]>)>,
}

impl Around {
    /// The faces in which an element touches a body, if both are those that were looked at.
    fn known(&self, body: &Arc<Element>, element: &Arc<Element>) -> Option<Arc<[Facet]>> {
        self.body.as_ref().filter(|own| Arc::ptr_eq(own, body))?;
        let known = self.contacts.iter().find(|(other, _)| Arc::ptr_eq(other, element));
        known.map(|(_, patches)| Arc::clone(patches))
    }

    /// Bytes that it takes, about.
    pub(crate) fn weight(&self) -> u64 {
        let points = |facet: &Facet| 250 + 16 * facet.loops.iter().map(Vec::len).sum::<usize>();
        let contacts: usize = self.contacts.iter().flat_map(|(_, patches)| patches.iter()).map(points).sum();
        self.asked.weight() + (contacts + 32 * self.contacts.len() + 56 * self.bounding.len()) as u64
    }
}

/// Looks at what bounds a room; contacts that were looked at before are taken over.
pub(crate) fn around(layout: &Parts, room: usize, before: Option<&Around>) -> Around {
    let Some(body) = layout.rooms.index().get(Id(room as u32)) else { return Around::default() };
    let touching = |element: &Arc<Element>| -> Arc<[Facet]> {
        let patches = contact(body, element, TOUCH).patches;
        let facet = |p: Patch| Facet::in_plane(room, p.frame, p.area.loops().cloned().collect());
        patches.into_iter().map(facet).collect()
    };
    let near = layout.elements.index().near(&body.bounds(), TOUCH);
    let contacts = near.into_iter().map(|element| {
        let known = before.and_then(|before| before.known(body, element));
        (Arc::clone(element), known.unwrap_or_else(|| touching(element)))
    });
    let contacts: Vec<(Arc<Element>, Arc<[Facet]>)> = contacts.collect();
    let patches: Vec<(Id, &Facet)> =
        contacts.iter().flat_map(|(element, own)| own.iter().map(|patch| (element.id(), patch))).collect();
    let mut asked = Asked::default();
    let bounding = bounding(layout, room, &patches, &mut asked);
    Around { bounding, asked, body: Some(Arc::clone(body)), contacts }
}

/// The elements around a room by their faces that touch it, the largest first on each side.
fn bounding(layout: &Parts, room: usize, patches: &[(Id, &Facet)], asked: &mut Asked) -> Vec<Bounding> {
    let mut found: Vec<Bounding> = Vec::new();
    for (number, facet) in layout.facets_of(room) {
        let mut left = facet.loops.to_vec();
        for (element, patch) in patches {
            let is_on = patch.normal().dot(facet.normal()) > 0.999
                && facet.height(patch.plane.translation).abs() < 2.0 * TOUCH;
            if !is_on {
                continue;
            }
            let seen = facet.project(patch, &patch.loops);
            // of two that lie on each other's place, as a wall and its lining, both bound the room
            let shared = size(&region::intersection(&facet.loops, &seen));
            if shared > 1e-4 {
                add(&mut found, Some(*element), facet.normal(), shared, 0.0);
                left = crate::facet::loops_of(&region::difference(&left, &seen));
            }
        }
        let is_open =
            layout.pieces_of(room).any(|(piece, _)| piece.facet == number && piece.crossed.is_empty());
        for area in region::even_odd(&left).into_iter().filter(counts) {
            let next = next_behind(layout, facet, &area, asked);
            let is_open = next.is_none() && is_open;
            match next {
                Some((element, gap)) => add(&mut found, Some(element), facet.normal(), area.size(), gap),
                None if is_open => add(&mut found, None, facet.normal(), area.size(), 0.0),
                None => {}
            }
        }
    }
    found.sort_by(|a, b| b.area.total_cmp(&a.area));
    found
}

fn size(areas: &[Area]) -> f64 {
    areas.iter().map(Area::size).sum()
}

fn add(found: &mut Vec<Bounding>, element: Option<Id>, normal: DVec3, area: f64, gap: f64) {
    let same = |b: &&mut Bounding| b.element == element && b.normal.dot(normal) > SAME_SIDE;
    match found.iter_mut().find(same) {
        Some(known) => {
            known.area += area;
            known.gap = known.gap.max(gap);
        }
        None => found.push(Bounding { element, normal, area, gap }),
    }
}

/// The first element behind most of an area, and how far behind.
fn next_behind(layout: &Parts, facet: &Facet, area: &Area, asked: &mut Asked) -> Option<(Id, f64)> {
    const BACK: f64 = 0.01;
    let mut votes: Vec<(Option<Id>, f64, f64)> = Vec::new();
    for (point, weight) in Facet::samples(area) {
        let (run, _) = behind::run(&layout.elements, facet.above(point, -BACK), facet.normal(), GAP, asked);
        let first = run.first().map(|c| (c.element, (c.from - BACK).max(0.0)));
        match votes.iter_mut().find(|(id, ..)| *id == first.map(|f| f.0)) {
            Some((_, sum, gap)) => {
                *sum += weight;
                *gap = gap.max(first.map_or(0.0, |f| f.1));
            }
            None => votes.push((first.map(|f| f.0), weight, first.map_or(0.0, |f| f.1))),
        }
    }
    let (element, _, gap) = votes.into_iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
    element.map(|element| (element, gap))
}
