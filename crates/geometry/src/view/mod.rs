//! Views: what is seen beyond a plane, as lines in the plane's coordinates: plans, elevations and sections are drawn of them.
//!
//! The normal of the plane points to the viewer; what is seen lies on its other side, down to a depth. The lines are the edges
//! between faces that meet at an angle, the rims of surfaces, and the silhouettes of what is round. What lies before them is
//! taken away exactly: every edge is split where it goes behind a triangle or comes out, and nothing depends on a grid of
//! pixels. What the plane cuts of bodies (by `section`) hides like a lid what lies in and under it.
//!
//! Faces of glass, clear by more than [`CLEAR`], have lines of their own and hide none, unless the view wants glass solid; what the plane cuts
//! of them is a lid all the same. A line that lies in the picture on another, nearer one is hidden. Curved surfaces are as fine as their triangles.

mod again;
mod chain;
mod cover;
mod edges;
#[cfg(test)]
mod tests;

use crate::{
    element::Shape,
    mesh::Mesh,
    region,
    scene::GoOn,
    section::{self, Outline, Plane},
    wire::{FARTHEST, Wire, Wires},
};
pub use again::{Again, Region, again};
use cover::Cover;
use edges::Edge;
use glam::{DVec2, DVec3};
use ifc::Id;
use rayon::prelude::*;
use std::{
    borrow::Cow,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

/// The options of a view.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wanted {
    /// The depth behind the plane that is looked into, in metres.
    pub depth: f64,
    /// The angle between two faces, in radians, from which there is a line.
    pub crease: f64,
    /// True if hidden lines are told, too.
    pub hidden: bool,
    /// True if glass hides what lies behind it, like all else.
    pub solid_glass: bool,
}

impl Default for Wanted {
    fn default() -> Wanted {
        Wanted { depth: f64::INFINITY, crease: 28_f64.to_radians(), hidden: false, solid_glass: false }
    }
}

/// From this opacity on, of 255, a face hides what lies behind it: at a transparency of 0.3 and less.
pub const CLEAR: u8 = 178;

/// The faces shown of one element, in metres of the world.
#[derive(Debug, Clone)]
pub struct Shown<'m> {
    /// The element.
    pub element: Id,
    /// Faces that hide what lies behind them.
    pub opaque: Cow<'m, Mesh>,
    /// Faces of glass.
    pub clear: Option<Cow<'m, Mesh>>,
    wires: Arc<Wires>,
}

impl<'m> Shown<'m> {
    fn opaque((element, mesh): &'m (Id, Mesh)) -> Shown<'m> {
        let wires = Wires { opaque: Wire::new(mesh), clear: Wire::default() };
        Shown { element: *element, opaque: Cow::Borrowed(mesh), clear: None, wires: Arc::new(wires) }
    }
}

impl Shown<'_> {
    /// An element as its colours show it.
    pub fn new(element: Id, shape: &Shape) -> Shown<'static> {
        let (mut opaque, mut clear) = (Mesh::default(), Mesh::default());
        for part in &shape.parts {
            let whole = if part.colour[3] < CLEAR { &mut clear } else { &mut opaque };
            whole.append_flat(&part.mesh, &part.at);
        }
        let found = || Arc::new(Wires { opaque: Wire::new(&opaque), clear: Wire::new(&clear) });
        let wires = Arc::clone(shape.wires.get_or_init(found));
        let clear = (!clear.triangles.is_empty()).then_some(Cow::Owned(clear));
        Shown { element, opaque: Cow::Owned(opaque), clear, wires }
    }
}

/// The lines and the cut seen of one element, in coordinates of the plane (metres).
#[derive(Debug, Clone, PartialEq)]
pub struct Seen {
    /// The element.
    pub element: Id,
    /// The outline that the plane cuts of it.
    pub cut: Outline,
    /// Lines that nothing lies before.
    pub visible: Vec<Vec<DVec2>>,
    /// Lines that something lies before, where they were wanted.
    pub hidden: Vec<Vec<DVec2>>,
}

/// A triangle or an end of an edge as two coordinates and the depth behind the plane.
type Flat = DVec3;

/// One element, flat.
struct Laid {
    cut: Outline,
    edges: Vec<Edge>,
    faces: Vec<[Flat; 3]>,
}

/// As [`of_elements`], of elements none of whose faces are clear.
pub fn of_meshes(
    elements: &[(Id, Mesh)],
    plane: &Plane,
    wanted: &Wanted,
    go_on: GoOn<'_>,
) -> Option<Vec<Seen>> {
    of_elements(&elements.iter().map(Shown::opaque).collect::<Vec<_>>(), plane, wanted, go_on)
}

/// One element as it is seen, with what is needed to see it again after something before it changed.
#[derive(Debug, Clone, PartialEq)]
pub struct Look {
    /// The lines and the cut seen of it.
    pub seen: Seen,
    covered: Covered,
}

/// The parts of each edge that something lies before, as shares of its length.
#[derive(Debug, Clone, Default, PartialEq)]
struct Covered {
    /// By edge, where its parts end in the list.
    ends: Vec<u32>,
    parts: Vec<[f64; 2]>,
}

impl Covered {
    fn push(&mut self, parts: &[[f64; 2]]) {
        self.parts.extend_from_slice(parts);
        self.ends.push(self.parts.len() as u32);
    }

    fn of_edges(&self) -> impl Iterator<Item = &[[f64; 2]]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts
            .zip(&self.ends)
            .map(|(start, end)| self.parts.get(start as usize..*end as usize).unwrap_or_default())
    }
}

impl Seen {
    /// Returns true if neither a line nor a cut is seen.
    pub fn is_empty(&self) -> bool {
        self.visible.is_empty()
            && self.hidden.is_empty()
            && self.cut.areas.is_empty()
            && self.cut.lines.is_empty()
    }
}

/// Returns what is seen of elements beyond a plane: those that have a line or a cut, in the order given. `go_on` is
/// told how many steps are done, of how many (two for each element), from any thread; where it answers no, the answer
/// is `None`.
pub fn of_elements(
    elements: &[Shown<'_>],
    plane: &Plane,
    wanted: &Wanted,
    go_on: GoOn<'_>,
) -> Option<Vec<Seen>> {
    let looks = look(elements, plane, wanted, go_on)?;
    Some(looks.into_iter().map(|look| look.seen).filter(|seen| !seen.is_empty()).collect())
}

/// As [`of_elements`], told of all elements, also those of which nothing is seen, so that they can be seen [`again`].
pub fn look(elements: &[Shown<'_>], plane: &Plane, wanted: &Wanted, go_on: GoOn<'_>) -> Option<Vec<Look>> {
    let (done, steps) = (AtomicUsize::new(0), elements.len() * 2);
    let step = || go_on(done.fetch_add(1, Ordering::Relaxed) + 1, steps);
    let laid: Option<Vec<Laid>> = elements
        .par_iter()
        .with_max_len(1)
        .map(|shown| step().then(|| lay_all(shown, plane, wanted)))
        .collect();
    let laid = laid?;
    let cover = Cover::new(laid.iter().flat_map(|l| &l.faces).copied());
    elements
        .par_iter()
        .with_max_len(1)
        .zip(&laid)
        .map_init(cover::Found::default, |found, (shown, laid)| {
            step().then(|| see(shown.element, laid, &cover, found, wanted))
        })
        .collect()
}

/// The distance from the plane within which an edge belongs to the cut, in metres.
const NEAR: f64 = 1e-5;

/// Both kinds of an element's faces.
fn lay_all(shown: &Shown<'_>, plane: &Plane, wanted: &Wanted) -> Laid {
    let mut laid = lay(&shown.opaque, &shown.wires.opaque, plane, wanted, true);
    if let Some(clear) = &shown.clear {
        let glass = lay(clear, &shown.wires.clear, plane, wanted, wanted.solid_glass);
        laid.edges.extend(glass.edges);
        laid.faces.extend(glass.faces);
        laid.cut = Outline::united(vec![laid.cut, glass.cut]);
    }
    laid
}

/// A point of the world as coordinates in the plane and the depth behind it.
fn laid(p: DVec3, plane: &Plane) -> Flat {
    let DVec3 { x, y, z: height } = plane.flat(p);
    DVec3::new(x, y, -height)
}

fn lay(mesh: &Mesh, wire: &Wire, plane: &Plane, wanted: &Wanted, hides: bool) -> Laid {
    let points: Vec<Flat> = mesh.positions.iter().map(|p| laid(*p, plane)).collect();
    let depths = || points.iter().map(|p| p.z).filter(|d| d.is_finite());
    let (near, far) = (depths().fold(f64::INFINITY, f64::min), depths().fold(f64::NEG_INFINITY, f64::max));
    if near > wanted.depth || far < -NEAR {
        return Laid { cut: Outline::default(), edges: Vec::new(), faces: Vec::new() };
    }
    let mut edges = edges::lines(wire, plane, wanted.crease);
    edges.retain_mut(|e| e.clip(0.0, wanted.depth));
    let cut = if near <= NEAR { section::of_mesh(mesh, plane) } else { Outline::default() };
    if !cut.areas.is_empty() {
        edges.retain(|e| e.ends.iter().any(|p| p.z > NEAR));
    }
    let mut clipped = Vec::with_capacity(if hides { mesh.triangles.len() } else { 0 });
    if hides {
        let at =
            |i: u32| points.get(i as usize).copied().filter(|p| p.abs().cmplt(DVec3::splat(FARTHEST)).all());
        for [a, b, c] in &mesh.triangles {
            if let (Some(a), Some(b), Some(c)) = (at(*a), at(*b), at(*c)) {
                cover::clip([a, b, c], 0.0, wanted.depth, &mut clipped);
            }
        }
    }
    for area in &cut.areas {
        let loops: Vec<_> = area.loops().cloned().collect();
        let points: Vec<&DVec2> = loops.iter().flatten().collect();
        let at = |i: u32| points.get(i as usize).map(|p| p.extend(0.0));
        for t in region::triangles(&loops).chunks_exact(3) {
            if let (Some(a), Some(b), Some(c)) = (at(t[0]), at(t[1]), at(t[2])) {
                clipped.push([a, b, c]);
            }
        }
    }
    Laid { cut, edges, faces: clipped }
}

fn see(element: Id, laid: &Laid, cover: &Cover, found: &mut cover::Found, wanted: &Wanted) -> Look {
    let mut covered = Covered::default();
    for edge in &laid.edges {
        cover.before(edge, found);
        covered.push(&found.covered);
    }
    told(element, laid, covered, wanted)
}

/// An element of whose edges these parts are covered.
fn told(element: Id, laid: &Laid, covered: Covered, wanted: &Wanted) -> Look {
    let (mut visible, mut hidden) = (Vec::new(), Vec::new());
    for (edge, parts) in laid.edges.iter().zip(covered.of_edges()) {
        let mut from = 0.0;
        for &[start, end] in parts.iter().chain(&[[1.0, 1.0]]) {
            visible.extend(edge.part(from, start));
            if wanted.hidden {
                hidden.extend(edge.part(start, end));
            }
            from = end;
        }
    }
    let (visible, hidden) = (chain::joined(visible), chain::joined(hidden));
    Look { seen: Seen { element, cut: laid.cut.clone(), visible, hidden }, covered }
}
