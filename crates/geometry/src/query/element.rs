//! One element of an index: its triangles in metres of the world, and what makes them quick to ask. The tree of the triangles is made
//! when something comes near the element.

use super::tree::Tree;
use crate::{
    math::Bounds,
    mesh::{Measures, Mesh},
};
use glam::DVec3;
use ifc::Id;
use ifc::placement::unit;
use rayon::prelude::*;
use std::sync::{Arc, OnceLock};

/// One element of an index: its triangles and what makes them quick to ask.
#[derive(Debug)]
pub struct Element {
    id: Id,
    mesh: Arc<Mesh>,
    bounds: Bounds,
    measures: OnceLock<Measures>,
    tree: OnceLock<Tree>,
}

impl Element {
    /// An element of its own, for a question that needs no index. The mesh is in metres of the world.
    pub fn new(id: Id, mesh: impl Into<Arc<Mesh>>) -> Element {
        let mesh = mesh.into();
        let sound = |p: &DVec3| p.is_finite();
        let bounds = Bounds::from_points(mesh.positions.iter().copied().filter(sound));
        Element { id, mesh, bounds, measures: OnceLock::new(), tree: OnceLock::new() }
    }

    /// Its number.
    pub fn id(&self) -> Id {
        self.id
    }

    /// Its triangles.
    pub fn mesh(&self) -> &Arc<Mesh> {
        &self.mesh
    }

    /// The box around it in metres; empty where it has no point.
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Its volume, surface and closedness; measured once.
    pub fn measures(&self) -> &Measures {
        self.measures.get_or_init(|| self.mesh.measures())
    }

    /// Returns true if it encloses a volume.
    pub fn is_solid(&self) -> bool {
        let m = self.measures();
        m.is_closed() && m.volume.abs() > 1e-12
    }

    /// The corners of a triangle, moved by minus `origin`; of one that is not there or not finite, nothing.
    #[inline]
    pub(super) fn triangle(&self, number: u32, origin: DVec3) -> Option<[DVec3; 3]> {
        let t = self.mesh.triangles.get(number as usize)?;
        let at = |i: u32| self.mesh.positions.get(i as usize).map(|&p| p - origin);
        let corners = [at(t[0])?, at(t[1])?, at(t[2])?];
        corners.iter().all(|p| p.is_finite()).then_some(corners)
    }

    /// The outward direction of a triangle; none where it has no area.
    pub fn normal(&self, triangle: u32) -> Option<DVec3> {
        let [a, b, c] = self.triangle(triangle, DVec3::ZERO)?;
        unit((b - a).cross(c - a))
    }

    pub(super) fn tree(&self) -> &Tree {
        self.tree.get_or_init(|| {
            let count = self.mesh.triangles.len() as u32;
            let of = |i| self.triangle(i, DVec3::ZERO).map_or(Bounds::EMPTY, Bounds::from_points);
            let boxes: Vec<Bounds> = if count > 50_000 {
                (0..count).into_par_iter().map(of).collect()
            } else {
                (0..count).map(of).collect()
            };
            Tree::new(&boxes)
        })
    }
}
