//! Faces of two rooms that look at each other: through a wall, a slab, or through nothing where two spaces share a plane.
//!
//! Both are divided along each other's outline, so that every piece has exactly one on the other side, the same polygon seen from
//! behind. The nearest go first; what is taken is taken. What is left of a face has no room behind it.

use crate::{
    behind,
    boundary::{self, Stated},
    elements::{Crossed, Elements},
    facet::{Facet, counts, loops_of, snapped, width},
};
use geometry::{
    Bounds,
    region::{self, Area, Loop},
};
use glam::DVec2;

/// The other side of a piece of a face.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Behind {
    /// Another piece, by number.
    Piece(usize),
    /// The open air.
    Outdoors,
    /// Earth.
    Ground,
    /// The end of an element that goes on: a slab that runs into a wall.
    End,
    /// A part of the building that has no room.
    Building,
}

/// A piece of a face.
#[derive(Debug, Clone)]
pub struct Piece {
    /// The number of the face.
    pub facet: usize,
    /// Its area in the face's plane, in metres.
    pub area: Area,
    /// The other side.
    pub behind: Behind,
    /// The elements outward from the face; of a pair, as seen from this side.
    pub crossed: Vec<Crossed>,
}

/// The most that two faces across an element may be apart, in metres.
const THICKEST: f64 = 1.2;
/// Faces within a degree of parallel look at each other: beyond it EnergyPlus doubts the pair.
const OPPOSITE: f64 = -0.99985;
/// The most that they may be into each other, in metres.
const INTO: f64 = 0.05;
/// The narrowest rest that is kept, in metres: EnergyPlus takes points nearer than a centimetre for one, so a zone of it
/// stays closed without it.
const LEAST: f64 = 0.0105;
/// The depth, in metres, to which the end of an element counts.
const END: f64 = 0.3;
/// Faces nearer than this with nothing between are open to each other.
pub const OPEN: f64 = 0.05;

struct Candidate {
    a: usize,
    b: usize,
    distance: f64,
}

/// All faces in pieces: those that see another room first, then what is left. `terrain` is its height in metres.
pub fn pieces(facets: &[Facet], elements: &Elements, stated: &[Stated], terrain: f64) -> Vec<Piece> {
    let mut left: Vec<Vec<Loop>> = facets.iter().map(|f| f.loops.clone()).collect();
    let mut pieces = Vec::new();
    for c in candidates(facets) {
        let (Some(a), Some(b)) = (facets.get(c.a), facets.get(c.b)) else { continue };
        let (Some(left_a), Some(left_b)) = (left.get(c.a), left.get(c.b)) else { continue };
        let seen = a.project(b, left_b);
        let (mut taken, mut taken_b): (Vec<Loop>, Vec<Loop>) = (Vec::new(), Vec::new());
        for area in region::intersection(left_a, &seen).into_iter().filter(counts) {
            let Some(crossed) = between(elements, a, &area, c.distance) else { continue };
            let raw: Vec<Loop> = area.loops().cloned().collect();
            // each side keeps to its own outline, so that no hair's breadth is left of either
            let Some(area) = area_of(raw.iter().map(|l| snapped(l, left_a))) else { continue };
            let Some(opposite) = area_of(b.project(a, &raw).iter().map(|l| snapped(l, left_b))) else {
                continue;
            };
            let (first, second) = (pieces.len(), pieces.len() + 1);
            let back = crossed.iter().rev().map(|x| Crossed {
                from: (c.distance - x.to).max(0.0),
                to: c.distance - x.from,
                ..*x
            });
            let back = back.collect();
            taken.extend(area.loops().cloned());
            taken_b.extend(opposite.loops().cloned());
            pieces.push(Piece { facet: c.a, area, behind: Behind::Piece(second), crossed });
            pieces.push(Piece { facet: c.b, area: opposite, behind: Behind::Piece(first), crossed: back });
        }
        if taken.is_empty() {
            continue;
        }
        let less_a = loops_of(&region::difference(left_a, &taken));
        let less_b = loops_of(&region::difference(left_b, &taken_b));
        if let Some(of_a) = left.get_mut(c.a) {
            *of_a = less_a;
        }
        if let Some(of_b) = left.get_mut(c.b) {
            *of_b = less_b;
        }
    }
    for (number, (facet, loops)) in facets.iter().zip(&left).enumerate() {
        for area in rest(facet, loops, terrain) {
            if width(&area) < LEAST {
                continue;
            }
            let found = behind::behind(elements, facet, &area, terrain);
            let (far, mut crossed) = boundary::corrected(stated, facet, &area, found);
            if far == behind::Far::End {
                // what stores heat is the element at hand, not all that the line runs through
                crossed.truncate(1);
                for c in &mut crossed {
                    c.to = c.to.min(c.from + END);
                }
            }
            let behind = match far {
                behind::Far::Outdoors => Behind::Outdoors,
                behind::Far::Ground => Behind::Ground,
                behind::Far::End => Behind::End,
                behind::Far::Unknown => Behind::Building,
            };
            pieces.push(Piece { facet: number, area, behind, crossed });
        }
    }
    pieces
}

/// An area by its boundary and then its holes; `None` where nothing is left of it.
fn area_of(loops: impl IntoIterator<Item = Loop>) -> Option<Area> {
    let mut loops = loops.into_iter();
    let area = Area::new(loops.next()?, loops.collect());
    (area.outer.len() > 2 && area.size() > 1e-4).then_some(area)
}

/// Returns the areas that no other room is behind; walls that stand in the ground are divided at the terrain, in
/// metres.
fn rest(facet: &Facet, loops: &[Loop], terrain: f64) -> Vec<Area> {
    let whole = region::even_odd(loops);
    let up = facet.plane.y_axis.z;
    if facet.normal().z.abs() > 0.5 || up < 0.5 {
        return whole;
    }
    let level = (terrain - facet.plane.translation.z) / up;
    let Some((low, high)) = crate::facet::extent(loops.iter().flatten()) else { return whole };
    if level < low.y + 0.3 || level > high.y - 0.3 {
        return whole;
    }
    let below = vec![region::rectangle(low - 1.0, DVec2::new(high.x + 1.0, level))];
    let mut parts = region::intersection(loops, &below);
    parts.extend(region::difference(loops, &below));
    parts
}

/// Faces of two rooms that look at each other near enough, the nearest first.
fn candidates(facets: &[Facet]) -> Vec<Candidate> {
    let bounds: Vec<Bounds> =
        facets.iter().map(|f| Bounds::from_points(f.loops.iter().flatten().map(|p| f.lift(*p)))).collect();
    let mut order: Vec<usize> = (0..facets.len()).collect();
    let low = |i: usize| bounds.get(i).map_or(0.0, |b| b.min.x);
    order.sort_by(|a, b| low(*a).total_cmp(&low(*b)));
    let mut found = Vec::new();
    for (place, &i) in order.iter().enumerate() {
        let (Some(f), Some(box_f)) = (facets.get(i), bounds.get(i)) else { continue };
        for &j in order.iter().skip(place + 1) {
            let (Some(g), Some(box_g)) = (facets.get(j), bounds.get(j)) else { continue };
            if box_g.min.x > box_f.max.x + THICKEST {
                break;
            }
            if f.room == g.room || f.normal().dot(g.normal()) > OPPOSITE || !box_f.meets(box_g, THICKEST) {
                continue;
            }
            let distance = (g.plane.translation - f.plane.translation).dot(f.normal());
            if (-INTO..THICKEST).contains(&distance) {
                found.push(Candidate { a: i.min(j), b: i.max(j), distance });
            }
        }
    }
    found.sort_by(|a, b| a.distance.total_cmp(&b.distance).then((a.a, a.b).cmp(&(b.a, b.b))));
    found
}

/// Returns the elements between two faces, or `None` where they do not see each other through a construction: two
/// houses across a lane.
fn between(elements: &Elements, facet: &Facet, area: &Area, distance: f64) -> Option<Vec<Crossed>> {
    if distance < OPEN {
        let (point, _) = *Facet::samples(area).first()?;
        let crossed = elements.crossed(facet.above(point, -0.01), facet.normal(), distance.max(0.0) + 0.02);
        return Some(crossed.into_iter().filter(|c| c.from < distance.max(0.0) + 0.005).collect());
    }
    for (point, _) in Facet::samples(area) {
        let mut crossed = elements.crossed(facet.above(point, -0.01), facet.normal(), distance + 0.02);
        for c in &mut crossed {
            c.from -= 0.01;
            c.to -= 0.01;
        }
        crossed.retain(|c| c.from < distance - 1e-3 && c.to > 1e-3);
        for c in &mut crossed {
            (c.from, c.to) = (c.from.max(0.0), c.to.min(distance));
        }
        let filled: f64 = crossed.iter().map(Crossed::thickness).sum();
        if filled > 0.3 * distance || filled > 0.08 {
            return Some(crossed);
        }
    }
    None
}
