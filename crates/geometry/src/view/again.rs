//! Views seen again after an edit: only where something changed in the picture is it asked anew what lies before what.
//!
//! Beyond the boxes of what changed, as it was and as it is, nothing is covered or laid open. So of an edge that goes through such a box the part
//! within is asked anew, with the triangles that reach into it, and all else stays as it was found. The answer is the same as of a view made
//! anew: where a part is covered from follows from the edge and the triangle alone.

use super::{
    Covered, Edge, Laid, Look, Shown, Wanted,
    cover::{self, Cover, Found},
    lay_all, see, told,
};
use crate::{element::Shape, math::Bounds, scene::GoOn, section::Plane};
use glam::{DVec2, DVec3};
use ifc::Id;
use rayon::prelude::*;
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

/// Metres by which boxes are taken larger than they are.
const SLACK: f64 = 1e-3;

/// A box in the picture, and the depths between which it lies.
#[derive(Debug, Clone, Copy)]
pub struct Region {
    low: DVec2,
    high: DVec2,
    near: f64,
    far: f64,
}

impl Region {
    /// The region of a box of the world, a little larger.
    pub fn new(bounds: &Bounds, plane: &Plane) -> Region {
        let (low, high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        let mut region = Region { low, high, near: f64::INFINITY, far: f64::NEG_INFINITY };
        for corner in bounds.corners().map(|corner| super::laid(corner, plane)) {
            region.low = region.low.min(corner.truncate() - SLACK);
            region.high = region.high.max(corner.truncate() + SLACK);
            region.near = region.near.min(corner.z - SLACK);
            region.far = region.far.max(corner.z + SLACK);
        }
        region
    }

    /// Returns true if two share room in the picture.
    fn meets(&self, low: DVec2, high: DVec2) -> bool {
        self.low.cmple(high).all() && low.cmple(self.high).all()
    }

    /// The part of an edge that lies within, as shares of its length.
    fn share(&self, edge: &Edge) -> Option<[f64; 2]> {
        let [a, b] = edge.ends.map(DVec3::truncate);
        let (mut from, mut to) = (0.0_f64, 1.0_f64);
        for (start, way, low, high) in
            [(a.x, b.x - a.x, self.low.x, self.high.x), (a.y, b.y - a.y, self.low.y, self.high.y)]
        {
            if way == 0.0 {
                if start < low || start > high {
                    return None;
                }
                continue;
            }
            let (s, t) = ((low - start) / way, (high - start) / way);
            from = from.max(s.min(t));
            to = to.min(s.max(t));
        }
        (from < to).then_some([from, to])
    }
}

/// An element to be seen again.
#[derive(Debug)]
pub struct Again<'l> {
    /// The element.
    pub element: Id,
    /// The box around it.
    pub bounds: Bounds,
    /// How it was seen; `None` if it is new or changed.
    pub before: Option<&'l Arc<Look>>,
}

/// Returns how elements are seen of which some changed, as [`super::look`] does. `changed` are the regions of those that changed, as they were and as
/// they are, and of those that are gone; `shape` makes the shape of an element. Elements without a shape are left out.
pub fn again(
    elements: &[Again<'_>],
    changed: &[Region],
    shape: &(dyn Fn(Id) -> Option<Arc<Shape>> + Sync),
    plane: &Plane,
    wanted: &Wanted,
    go_on: GoOn<'_>,
) -> Option<Vec<Arc<Look>>> {
    let (done, steps) = (AtomicUsize::new(0), elements.len() * 2);
    let step = || go_on(done.fetch_add(1, Ordering::Relaxed) + 1, steps);
    let is_changed = |low: DVec2, high: DVec2| changed.iter().any(|region| region.meets(low, high));
    let laid: Option<Vec<Option<Laid>>> = elements
        .par_iter()
        .with_max_len(1)
        .map(|own| {
            let region = Region::new(&own.bounds, plane);
            let is_asked = own.before.is_none() || is_changed(region.low, region.high);
            let lay = |shape: Arc<Shape>| lay_all(&Shown::new(own.element, &shape), plane, wanted);
            step().then(|| if is_asked { shape(own.element).map(lay) } else { None })
        })
        .collect();
    let laid = laid?;
    let faces = laid
        .iter()
        .flatten()
        .flat_map(|l| &l.faces)
        .copied()
        .filter(|[a, b, c]| is_changed(a.min(*b).min(*c).truncate(), a.max(*b).max(*c).truncate()));
    let cover = Cover::new(faces);
    let seen: Option<Vec<Option<Arc<Look>>>> = elements
        .par_iter()
        .with_max_len(1)
        .zip(&laid)
        .map_init(Found::default, |found, (own, laid)| {
            step().then(|| match (own.before, laid) {
                (Some(before), Some(laid)) => {
                    let region = Region::new(&own.bounds, plane);
                    // what lies wholly before all that changed is not covered by it
                    let near: Vec<Region> =
                        changed.iter().copied().filter(|other| other.near <= region.far).collect();
                    Some(patched(before, laid, &near, &cover, found, wanted))
                }
                (Some(before), None) => Some(Arc::clone(before)),
                (None, Some(laid)) => Some(Arc::new(see(own.element, laid, &cover, found, wanted))),
                (None, None) => None,
            })
        })
        .collect();
    Some(seen?.into_iter().flatten().collect())
}

/// An element seen before, asked anew within regions.
fn patched(
    before: &Arc<Look>,
    laid: &Laid,
    changed: &[Region],
    cover: &Cover,
    found: &mut Found,
    wanted: &Wanted,
) -> Arc<Look> {
    let mut covered = Covered::default();
    for (edge, old) in laid.edges.iter().zip(before.covered.of_edges()) {
        let within: Vec<[f64; 2]> = changed.iter().filter_map(|region| region.share(edge)).collect();
        if within.is_empty() {
            covered.push(old);
            continue;
        }
        cover.before(edge, found);
        let fresh: Vec<[f64; 2]> = within.iter().flat_map(|part| common(&found.covered, part)).collect();
        let mut rest = old.to_vec();
        for part in &within {
            rest = rest.iter().flat_map(|own| without(*own, *part)).collect();
        }
        found.covered = rest;
        found.covered.extend(fresh);
        found.join(cover::gap(edge));
        covered.push(&found.covered);
    }
    if covered == before.covered {
        return Arc::clone(before);
    }
    Arc::new(told(before.seen.element, laid, covered, wanted))
}

/// The parts of a list that lie within another.
fn common<'p>(parts: &'p [[f64; 2]], within: &'p [f64; 2]) -> impl Iterator<Item = [f64; 2]> + 'p {
    let cut = |part: &[f64; 2]| [part[0].max(within[0]), part[1].min(within[1])];
    parts.iter().map(cut).filter(|[from, to]| from < to)
}

/// A part without another.
fn without([from, to]: [f64; 2], [start, end]: [f64; 2]) -> impl Iterator<Item = [f64; 2]> {
    let rest = if end <= from || start >= to { [[from, to], [0.0, 0.0]] } else { [[from, start], [end, to]] };
    rest.into_iter().filter(|[from, to]| from < to)
}
