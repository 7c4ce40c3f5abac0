//! Triangles: what is drawn and measured. Lengths in metres.

use crate::math::{Bounds, inverse, vector_area};
use foldhash::{HashMap, HashMapExt};
use glam::{DAffine3, DVec3};
use ifc::placement::unit;

/// A triangle mesh with a normal at every corner. Corners are shared within a face, not between faces.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Mesh {
    /// Corner points.
    pub positions: Vec<DVec3>,
    /// A unit normal for each corner point.
    pub normals: Vec<DVec3>,
    /// Indices into `positions`, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// The measures of a mesh.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measures {
    /// Volume enclosed in cubic metres, by the divergence theorem; only meaningful when `open` is small.
    pub volume: f64,
    /// Surface in square metres.
    pub area: f64,
    /// The gap, nought for what is closed: the length of the sum of all triangles' vector areas over their total area. A closed mesh has 0
    /// (to rounding), a single triangle 1. Shared edges that one side splits (T-junctions) do not disturb it.
    pub open: f64,
    /// The box around it, in metres.
    pub bounds: Bounds,
}

impl Measures {
    /// Returns true if the mesh encloses a volume, to one part in ten thousand of its surface.
    pub fn is_closed(&self) -> bool {
        self.open < 1e-4 && self.area > 0.0
    }
}

impl Mesh {
    /// The corners of one triangle.
    pub(crate) fn corners(&self, t: [u32; 3]) -> Option<[DVec3; 3]> {
        let at = |i: u32| self.positions.get(i as usize).copied();
        Some([at(t[0])?, at(t[1])?, at(t[2])?])
    }

    /// Volume, surface, closedness and box.
    pub fn measures(&self) -> Measures {
        let bounds = Bounds::from_points(self.positions.iter().copied());
        let origin = if bounds.is_empty() { DVec3::ZERO } else { bounds.centre() };
        let (mut volume, mut area, mut sum) = (0.0, 0.0, DVec3::ZERO);
        for corners in self.triangles.iter().filter_map(|&t| self.corners(t)) {
            let v = vector_area(&corners);
            volume += (corners[0] - origin).dot(v) / 3.0;
            area += v.length();
            sum += v;
        }
        Measures { volume, area, open: if area > 0.0 { sum.length() / area } else { 1.0 }, bounds }
    }

    /// Adds another mesh's triangles.
    pub fn append(&mut self, other: &Mesh) {
        let start = self.positions.len() as u32;
        self.positions.extend_from_slice(&other.positions);
        self.normals.extend_from_slice(&other.normals);
        self.triangles.extend(other.triangles.iter().map(|t| t.map(|i| i + start)));
    }

    /// Adds another mesh's triangles, moved; a mirror keeps them counter-clockwise seen from outside.
    pub fn append_at(&mut self, other: &Mesh, at: &DAffine3) {
        self.append_flat(other, at);
        // normals go by the inverse transposed: right for uneven scales too
        let upright = inverse(at).unwrap_or(DAffine3::IDENTITY).matrix3.transpose();
        let normal = |n: &DVec3| unit(upright * *n).unwrap_or(*n);
        self.normals.extend(other.normals.iter().map(normal));
    }

    /// As [`Mesh::append_at`], without normals, for what asks only where the faces are.
    pub(crate) fn append_flat(&mut self, other: &Mesh, at: &DAffine3) {
        let start = self.positions.len() as u32;
        self.positions.extend(other.positions.iter().map(|p| at.transform_point3(*p)));
        let turned = at.matrix3.determinant() < 0.0;
        let corners = |[a, b, c]: [u32; 3]| if turned { [a, c, b] } else { [a, b, c] }.map(|i| i + start);
        self.triangles.extend(other.triangles.iter().map(|t| corners(*t)));
    }

    /// Rounds the shading where neighbouring faces meet at less than about 30 degrees, so that arcs and pipes look round.
    pub fn soften(&mut self) {
        let key = |p: &DVec3| p.to_array().map(|v| (v * 2e4).round() as i64);
        let mut weights = vec![0.0; self.positions.len()];
        for &t in &self.triangles {
            if let Some([a, b, c]) = self.corners(t) {
                let area = (b - a).cross(c - a).length();
                for i in t {
                    if let Some(w) = weights.get_mut(i as usize) {
                        *w += area;
                    }
                }
            }
        }
        let mut at: HashMap<[i64; 3], Vec<usize>> = HashMap::with_capacity(self.positions.len() / 2);
        for (i, p) in self.positions.iter().enumerate() {
            at.entry(key(p)).or_default().push(i);
        }
        let flat = self.normals.clone();
        for group in at.values().filter(|g| g.len() > 1) {
            for &i in group {
                let Some(own) = flat.get(i).copied() else { continue };
                let mut sum = DVec3::ZERO;
                // a vertex is shared by hundreds of faces only in the middle of a fan: not worth a square of time
                for &j in group.iter().take(64) {
                    if let (Some(&n), Some(&w)) = (flat.get(j), weights.get(j))
                        && own.dot(n) > 0.86
                    {
                        sum += n * w;
                    }
                }
                if let (Some(n), Some(slot)) = (unit(sum), self.normals.get_mut(i)) {
                    *slot = n;
                }
            }
        }
    }
}
