//! What is seen beyond a plane, as lines in the plane's coordinates: plans, elevations and sections are drawn of them.
//!
//! The normal of the plane points to the viewer; what is seen lies on its other side, down to a depth. The lines are the edges
//! between faces that meet at an angle, the rims of surfaces, and the silhouettes of what is round. What lies before them is
//! taken away exactly: every edge is split where it goes behind a triangle or comes out, and nothing depends on a grid of
//! pixels. What the plane cuts of bodies (by `section`) hides like a lid what lies in and under it.
//!
//! All faces hide, clear ones too: who wants to see through glass leaves it out. A line that lies in the picture on another, nearer
//! one is hidden. Curved surfaces are as fine as their triangles.

mod chain;
mod cover;
mod edges;
#[cfg(test)]
mod tests;

use crate::{
    math::{P2, P3},
    mesh::Mesh,
    region,
    scene::GoOn,
    section::{self, Outline, Plane},
};
use cover::Cover;
use edges::Edge;
use ifc::Id;
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What is wanted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wanted {
    /// How far behind the plane is looked, in metres.
    pub depth: f64,
    /// The angle between two faces, in radians, from which there is a line.
    pub crease: f64,
    /// Whether hidden lines are told, too.
    pub hidden: bool,
}

impl Default for Wanted {
    fn default() -> Wanted {
        Wanted { depth: f64::INFINITY, crease: 28_f64.to_radians(), hidden: false }
    }
}

/// What is seen of one element, in coordinates of the plane (metres).
#[derive(Debug, Clone, PartialEq)]
pub struct Seen {
    /// The element.
    pub element: Id,
    /// What the plane cuts of it.
    pub cut: Outline,
    /// Lines that nothing lies before.
    pub visible: Vec<Vec<P2>>,
    /// Lines that something lies before, where they were wanted.
    pub hidden: Vec<Vec<P2>>,
}

/// A triangle or an end of an edge as two coordinates and the depth behind the plane.
type Flat = P3;

/// One element, flat.
struct Laid {
    cut: Outline,
    edges: Vec<Edge>,
    faces: Vec<[Flat; 3]>,
}

/// What is seen of elements beyond a plane: those that have a line or a cut, in the order given. Meshes are in metres of the
/// world. `go_on` is told how many steps are done, of how many (two for each element), from any thread; where it answers no, the
/// answer is `None`.
pub fn of_meshes(
    elements: &[(Id, Mesh)],
    plane: &Plane,
    wanted: &Wanted,
    go_on: GoOn<'_>,
) -> Option<Vec<Seen>> {
    let (done, steps) = (AtomicUsize::new(0), elements.len() * 2);
    let step = || go_on(done.fetch_add(1, Ordering::Relaxed) + 1, steps);
    let laid: Option<Vec<Laid>> =
        elements.par_iter().map(|(_, mesh)| step().then(|| lay(mesh, plane, wanted))).collect();
    let laid = laid?;
    let cover = Cover::new(laid.iter().flat_map(|l| &l.faces).copied().collect());
    let seen: Option<Vec<Seen>> = elements
        .par_iter()
        .zip(&laid)
        .map(|((id, _), laid)| step().then(|| see(*id, laid, &cover, wanted)))
        .collect();
    let mut seen = seen?;
    seen.retain(|s| {
        !s.visible.is_empty() || !s.hidden.is_empty() || !s.cut.areas.is_empty() || !s.cut.lines.is_empty()
    });
    Some(seen)
}

/// How near to the plane an edge belongs to the cut, in metres.
const NEAR: f64 = 1e-5;

fn lay(mesh: &Mesh, plane: &Plane, wanted: &Wanted) -> Laid {
    let points: Vec<Flat> = mesh
        .positions
        .iter()
        .map(|p| {
            let [x, y, height] = plane.flat(*p);
            [x, y, -height]
        })
        .collect();
    let depths = || points.iter().map(|p| p[2]).filter(|d| d.is_finite());
    let (near, far) = (depths().fold(f64::INFINITY, f64::min), depths().fold(f64::NEG_INFINITY, f64::max));
    if near > wanted.depth || far < -NEAR {
        return Laid { cut: Outline::default(), edges: Vec::new(), faces: Vec::new() };
    }
    let mut faces = Vec::new();
    for t in &mesh.triangles {
        let at = |i: u32| points.get(i as usize).copied().filter(|p| p.iter().all(|v| v.abs() < 1e9));
        if let (Some(a), Some(b), Some(c)) = (at(t[0]), at(t[1]), at(t[2])) {
            faces.push([a, b, c]);
        }
    }
    let mut edges = edges::of(&faces, wanted.crease);
    edges.retain_mut(|e| e.clip(0.0, wanted.depth));
    let cut = if near <= NEAR { section::of_mesh(mesh, plane) } else { Outline::default() };
    if !cut.areas.is_empty() {
        edges.retain(|e| e.ends.iter().any(|p| p[2] > NEAR));
    }
    let mut clipped = Vec::with_capacity(faces.len());
    for face in faces {
        cover::clip(face, 0.0, wanted.depth, &mut clipped);
    }
    for area in &cut.areas {
        let loops: Vec<_> = area.loops().cloned().collect();
        let points: Vec<&P2> = loops.iter().flatten().collect();
        let at = |i: u32| points.get(i as usize).map(|p| [p[0], p[1], 0.0]);
        for t in region::triangles(&loops).chunks_exact(3) {
            if let (Some(a), Some(b), Some(c)) = (at(t[0]), at(t[1]), at(t[2])) {
                clipped.push([a, b, c]);
            }
        }
    }
    Laid { cut, edges, faces: clipped }
}

fn see(element: Id, laid: &Laid, cover: &Cover, wanted: &Wanted) -> Seen {
    let (mut visible, mut hidden) = (Vec::new(), Vec::new());
    let mut found = cover::Found::default();
    for edge in &laid.edges {
        cover.before(edge, &mut found);
        let mut from = 0.0;
        for &[start, end] in found.covered.iter().chain(&[[1.0, 1.0]]) {
            visible.extend(edge.part(from, start));
            if wanted.hidden {
                hidden.extend(edge.part(start, end));
            }
            from = end;
        }
    }
    Seen { element, cut: laid.cut.clone(), visible: chain::joined(visible), hidden: chain::joined(hidden) }
}
