//! Faces of two rooms that look at each other: through a wall, a slab, or through nothing where two spaces share a plane.
//!
//! Both are divided along each other's outline, so that every piece has exactly one on the other side, the same polygon seen from
//! behind. The nearest go first; what is taken is taken. What is left of a face has no room behind it.

mod candidates;

use crate::{
    asked::{Asked, Change},
    behind,
    boundary::{self, Stated},
    elements::{Crossed, Elements, FEW},
    facet::{Facet, counts, loops_of, snapped, width},
};
use candidates::{Candidate, Places};
use geometry::{
    Bounds,
    region::{self, Area, Loop},
};
use glam::DVec2;
use rayon::prelude::*;
use std::{collections::HashMap, sync::Arc};

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
    pub area: Arc<Area>,
    /// The other side.
    pub behind: Behind,
    /// The elements outward from the face; of a pair, as seen from this side.
    pub crossed: Arc<[Crossed]>,
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

/// A part that two faces share, as each sees it.
type Shared = [(Arc<Area>, Arc<[Crossed]>); 2];

/// The parts that two faces share, by what was left of both before.
#[derive(Clone)]
struct Pair {
    left: [Arc<Vec<Loop>>; 2],
    shared: Vec<Shared>,
    /// Of both faces, where they share something.
    less: Option<[Arc<Vec<Loop>>; 2]>,
    asked: Asked,
}

/// The parts of a face that look at no room, by what was left of it.
#[derive(Clone)]
struct Rest {
    left: Arc<Vec<Loop>>,
    parts: Vec<(Arc<Area>, Behind, Arc<[Crossed]>)>,
    asked: Asked,
}

impl Pair {
    /// Returns true if two faces share the same in both.
    fn is_same(&self, other: &Pair) -> bool {
        self.shared == other.shared && self.less == other.less
    }

    /// The same with the areas of one that has the same, so that what is made of them is seen to be the same.
    fn with_those_of(self, other: &Pair) -> Pair {
        Pair { shared: other.shared.clone(), less: other.less.clone(), ..self }
    }
}

impl Rest {
    /// The same with the areas of one that has the same.
    fn with_those_of(self, other: &Rest) -> Rest {
        Rest { parts: other.parts.clone(), ..self }
    }
}

/// The steps to the pieces of a version, which the next takes over where nothing differs.
#[derive(Default, Clone)]
pub(crate) struct Steps {
    /// The keys of the faces.
    keys: Arc<Vec<u64>>,
    candidates: Arc<Vec<Candidate>>,
    /// By candidate.
    pairs: Vec<Arc<Pair>>,
    /// By face.
    rests: Vec<Arc<Rest>>,
    /// The boxes around the lines of all pairs, then of all rests: most steps are far from a change, and need no look of their own.
    around: Vec<Bounds>,
}

impl Steps {
    /// The steps after a change, where all of them come to the same pieces; the faces and the terrain are the same.
    pub(crate) fn again(
        self: &Arc<Steps>,
        facets: &[Facet],
        elements: &Elements,
        terrain: f64,
        change: &Change,
    ) -> Option<Arc<Steps>> {
        let (of_pairs, of_rests) = self.around.split_at_checked(self.pairs.len())?;
        let may_differ = |around: &Bounds| !change.is_new_and_beyond(around);
        let pairs = of_pairs.iter().enumerate().filter(|(_, around)| may_differ(around));
        let pairs = pairs.filter_map(|(number, _)| Some((number, self.pairs.get(number)?)));
        let pairs: Vec<(usize, &Arc<Pair>)> = pairs.filter(|(_, pair)| !pair.asked.holds(change)).collect();
        let rests = of_rests.iter().enumerate().filter(|(_, around)| may_differ(around));
        let rests = rests.filter_map(|(number, _)| Some((number, self.rests.get(number)?)));
        let rests: Vec<(usize, &Arc<Rest>)> = rests.filter(|(_, rest)| !rest.asked.holds(change)).collect();
        if pairs.is_empty() && rests.is_empty() {
            return Some(Arc::clone(self));
        }
        let pair = |(number, old): (usize, &Arc<Pair>)| {
            let candidate = self.candidates.get(number)?;
            let both = [facets.get(candidate.a)?, facets.get(candidate.b)?];
            let made = pair(elements, both, old.left.clone(), candidate.distance);
            old.is_same(&made).then(|| (number, Arc::new(made.with_those_of(old))))
        };
        let rest = |(number, old): (usize, &Arc<Rest>)| {
            let made = rest(elements, &[], facets.get(number)?, &old.left, terrain);
            (old.parts == made.parts).then(|| (number, Arc::new(made.with_those_of(old))))
        };
        let is_few = pairs.len() + rests.len() < FEW;
        let pairs: Option<Vec<(usize, Arc<Pair>)>> = if is_few {
            pairs.into_iter().map(pair).collect()
        } else {
            pairs.into_par_iter().map(pair).collect()
        };
        let rests: Option<Vec<(usize, Arc<Rest>)>> = if is_few {
            rests.into_iter().map(rest).collect()
        } else {
            rests.into_par_iter().map(rest).collect()
        };
        let mut steps = Steps::clone(self);
        for (number, pair) in pairs? {
            *steps.around.get_mut(number)? = pair.asked.bounds();
            *steps.pairs.get_mut(number)? = pair;
        }
        for (number, rest) in rests? {
            *steps.around.get_mut(self.pairs.len() + number)? = rest.asked.bounds();
            *steps.rests.get_mut(number)? = rest;
        }
        Some(steps.into())
    }

    /// Bytes that they take, about, without the areas of the pieces.
    pub(crate) fn weight(&self) -> u64 {
        let pairs: u64 = self.pairs.iter().map(|pair| 300 + pair.asked.weight()).sum();
        pairs + self.rests.iter().map(|rest| 100 + rest.asked.weight()).sum::<u64>()
    }
}

/// The steps of a version before, and where its faces are now.
struct Before<'a> {
    steps: &'a Steps,
    change: &'a Change,
    places: Places,
}

impl Before<'_> {
    /// The pair of a candidate: that of before, where the same was left of both and the lines find the same.
    fn pair(
        &self,
        candidate: &Candidate,
        left: [Arc<Vec<Loop>>; 2],
        make: impl FnOnce([Arc<Vec<Loop>>; 2]) -> Pair,
    ) -> Arc<Pair> {
        let known = candidate.before.and_then(|place| self.steps.pairs.get(place));
        let is_same =
            |pair: &&Arc<Pair>| pair.left.iter().zip(&left).all(|(before, now)| is_same(before, now));
        match known.filter(is_same) {
            None => make(left).into(),
            Some(known) if known.asked.holds(self.change) => Arc::clone(known),
            Some(known) => {
                let made = make(left);
                if known.is_same(&made) { made.with_those_of(known).into() } else { made.into() }
            }
        }
    }

    /// The rest of a face, likewise.
    fn rest(&self, face: usize, left: &Arc<Vec<Loop>>, make: impl FnOnce() -> Rest) -> Arc<Rest> {
        let known = self.places.old(face).and_then(|place| self.steps.rests.get(place));
        match known.filter(|rest| is_same(&rest.left, left)) {
            None => make().into(),
            Some(known) if known.asked.holds(self.change) => Arc::clone(known),
            Some(known) => {
                let made = make();
                if known.parts == made.parts { made.with_those_of(known).into() } else { made.into() }
            }
        }
    }
}

/// All faces in pieces: those that see another room first, then what is left. `terrain` is its height in metres.
pub fn pieces(facets: &[Facet], elements: &Elements, stated: &[Stated], terrain: f64) -> Vec<Piece> {
    stepwise(facets, elements, stated, terrain, None).0
}

/// The same with its steps; those of a version before are taken over as far as they hold after a change, where the terrain and what is
/// stated are the same.
pub(crate) fn stepwise(
    facets: &[Facet],
    elements: &Elements,
    stated: &[Stated],
    terrain: f64,
    before: Option<(&Steps, &Change)>,
) -> (Vec<Piece>, Steps) {
    let before =
        before.map(|(steps, change)| Before { steps, change, places: Places::new(facets, &steps.keys) });
    let before = before.as_ref();
    let candidates = match before {
        Some(before) => candidates::following(facets, &before.places, &before.steps.candidates),
        None => candidates::candidates(facets),
    };
    let pairs = pairs(facets, &candidates, elements, before);
    let mut left: Vec<Arc<Vec<Loop>>> = facets.iter().map(|f| Arc::clone(&f.loops)).collect();
    let mut pieces = Vec::new();
    for (c, pair) in candidates.iter().zip(&pairs) {
        for [(area, crossed), (opposite, back)] in &pair.shared {
            let (first, second) = (pieces.len(), pieces.len() + 1);
            for (facet, area, behind, crossed) in [(c.a, area, second, crossed), (c.b, opposite, first, back)]
            {
                let (area, crossed) = (Arc::clone(area), Arc::clone(crossed));
                pieces.push(Piece { facet, area, behind: Behind::Piece(behind), crossed });
            }
        }
        for (facet, less) in pair.less.iter().flat_map(|less| [c.a, c.b].into_iter().zip(less)) {
            if let Some(left) = left.get_mut(facet) {
                *left = Arc::clone(less);
            }
        }
    }
    let rests: Vec<Arc<Rest>> = (facets.par_iter().zip(&left).enumerate())
        .map(|(face, (facet, left))| {
            let make = || rest(elements, stated, facet, left, terrain);
            match before {
                Some(before) => before.rest(face, left, make),
                None => make().into(),
            }
        })
        .collect();
    for (number, rest) in rests.iter().enumerate() {
        let piece = |(area, behind, crossed): &(Arc<Area>, Behind, Arc<[Crossed]>)| Piece {
            facet: number,
            area: Arc::clone(area),
            behind: *behind,
            crossed: Arc::clone(crossed),
        };
        pieces.extend(rest.parts.iter().map(piece));
    }
    let keys: Vec<u64> = facets.iter().map(|facet| facet.key).collect();
    let around = pairs.iter().map(|pair| pair.asked.bounds());
    let around = around.chain(rests.iter().map(|rest| rest.asked.bounds())).collect();
    (pieces, Steps { keys: keys.into(), candidates: candidates.into(), pairs, rests, around })
}

/// The pairs of all candidates, in their order. What is left of a face depends on the pairs that it had before; faces that no chain of
/// candidates joins do not ask each other, and go in parallel.
fn pairs(
    facets: &[Facet],
    candidates: &[Candidate],
    elements: &Elements,
    before: Option<&Before<'_>>,
) -> Vec<Arc<Pair>> {
    let groups = candidates::groups(facets.len(), candidates);
    let of_group = |group: &Vec<usize>| {
        let mut less: HashMap<usize, Arc<Vec<Loop>>> = HashMap::new();
        let own = group.iter().filter_map(|number| Some((*number, candidates.get(*number)?)));
        let made = own.filter_map(|(number, c)| {
            let (a, b) = (facets.get(c.a)?, facets.get(c.b)?);
            let left = [(c.a, a), (c.b, b)].map(|(n, facet)| less.get(&n).unwrap_or(&facet.loops).clone());
            let make = |left| pair(elements, [a, b], left, c.distance);
            let pair = match before {
                Some(before) => before.pair(c, left, make),
                None => make(left).into(),
            };
            if let Some(both) = &pair.less {
                less.extend([c.a, c.b].into_iter().zip(both.iter().cloned()));
            }
            Some((number, pair))
        });
        made.collect::<Vec<_>>()
    };
    let mut made: Vec<(usize, Arc<Pair>)> = groups.par_iter().map(of_group).flatten().collect();
    made.sort_unstable_by_key(|(number, _)| *number);
    made.into_iter().map(|(_, pair)| pair).collect()
}

/// Returns true for the same loops, mostly by being the very same.
fn is_same(a: &Arc<Vec<Loop>>, b: &Arc<Vec<Loop>>) -> bool {
    Arc::ptr_eq(a, b) || a == b
}

/// The parts that two faces share, of what is left of both.
fn pair(elements: &Elements, [a, b]: [&Facet; 2], left: [Arc<Vec<Loop>>; 2], distance: f64) -> Pair {
    let mut asked = Asked::default();
    let seen = a.project(b, &left[1]);
    let (mut taken, mut taken_b): (Vec<Loop>, Vec<Loop>) = (Vec::new(), Vec::new());
    let mut shared = Vec::new();
    for area in region::intersection(&left[0], &seen).into_iter().filter(counts) {
        let Some(crossed) = between(elements, a, &area, distance, &mut asked) else { continue };
        let raw: Vec<Loop> = area.loops().cloned().collect();
        // each side keeps to its own outline, so that no hair's breadth is left of either
        let Some(area) = area_of(raw.iter().map(|l| snapped(l, &left[0]))) else { continue };
        let Some(opposite) = area_of(b.project(a, &raw).iter().map(|l| snapped(l, &left[1]))) else {
            continue;
        };
        let back = crossed.iter().rev().map(|x| Crossed {
            from: (distance - x.to).max(0.0),
            to: distance - x.from,
            ..*x
        });
        let back: Arc<[Crossed]> = back.collect();
        taken.extend(area.loops().cloned());
        taken_b.extend(opposite.loops().cloned());
        shared.push([(area.into(), crossed.into()), (opposite.into(), back)]);
    }
    let less = (!taken.is_empty()).then(|| {
        [(&left[0], taken), (&left[1], taken_b)]
            .map(|(left, taken)| Arc::new(loops_of(&region::difference(left, &taken))))
    });
    Pair { left, shared, less, asked }
}

/// The parts of a face that look at no other room, each with what lies behind.
fn rest(elements: &Elements, stated: &[Stated], facet: &Facet, left: &Arc<Vec<Loop>>, terrain: f64) -> Rest {
    let mut asked = Asked::default();
    let mut parts = Vec::new();
    for area in at_terrain(facet, left, terrain) {
        if width(&area) < LEAST {
            continue;
        }
        let found = behind::behind(elements, facet, &area, terrain, &mut asked);
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
        parts.push((Arc::new(area), behind, crossed.into()));
    }
    Rest { left: Arc::clone(left), parts, asked }
}

/// An area by its boundary and then its holes; `None` where nothing is left of it.
fn area_of(loops: impl IntoIterator<Item = Loop>) -> Option<Area> {
    let mut loops = loops.into_iter();
    let area = Area::new(loops.next()?, loops.collect());
    (area.outer.len() > 2 && area.size() > 1e-4).then_some(area)
}

/// Returns what is left of a face in areas; walls that stand in the ground are divided at the terrain, in metres.
fn at_terrain(facet: &Facet, loops: &[Loop], terrain: f64) -> Vec<Area> {
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

/// Returns the elements between two faces, or `None` where they do not see each other through a construction: two
/// houses across a lane.
fn between(
    elements: &Elements,
    facet: &Facet,
    area: &Area,
    distance: f64,
    asked: &mut Asked,
) -> Option<Vec<Crossed>> {
    if distance < OPEN {
        let (point, _) = *Facet::samples(area).first()?;
        let crossed =
            elements.crossed(facet.above(point, -0.01), facet.normal(), distance.max(0.0) + 0.02, asked);
        return Some(crossed.into_iter().filter(|c| c.from < distance.max(0.0) + 0.005).collect());
    }
    for (point, _) in Facet::samples(area) {
        let mut crossed = elements.crossed(facet.above(point, -0.01), facet.normal(), distance + 0.02, asked);
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
