//! Which edges of triangles are lines: rims, corners and silhouettes.

use super::Flat;
use crate::math::{P2, cross, dot, sub, unit};
use std::collections::HashMap;

/// Corners nearer than this, in metres, are one.
const WELD: f64 = 2e-5;

/// The shortest line that is drawn, in metres.
const SHORT: f64 = 1e-4;

/// A line that may be seen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Edge {
    /// Its ends.
    pub ends: [Flat; 2],
}

impl Edge {
    /// Keeps what lies between two depths; whether something does.
    pub(super) fn clip(&mut self, near: f64, far: f64) -> bool {
        let [a, b] = self.ends;
        let (mut from, mut to) = (0.0_f64, 1.0_f64);
        for (start, end) in [(a[2] - near, b[2] - near), (far - a[2], far - b[2])] {
            if start < 0.0 && end < 0.0 {
                return false;
            }
            if start < 0.0 {
                from = from.max(start / (start - end));
            }
            if end < 0.0 {
                to = to.min(start / (start - end));
            }
        }
        self.ends = [self.at(from), self.at(to)];
        from < to
    }

    /// The point at a share of its length.
    pub(super) fn at(&self, t: f64) -> Flat {
        let [a, b] = self.ends;
        [0, 1, 2].map(|i| a[i] + (b[i] - a[i]) * t)
    }

    /// How long it is on the plane.
    pub(super) fn long(&self) -> f64 {
        let [a, b] = self.ends;
        (b[0] - a[0]).hypot(b[1] - a[1])
    }

    /// A part of it on the plane, unless it is too short to be drawn.
    pub(super) fn part(&self, from: f64, to: f64) -> Option<[P2; 2]> {
        if (to - from) * self.long() < SHORT {
            return None;
        }
        let (a, b) = (self.at(from), self.at(to));
        Some([[a[0], a[1]], [b[0], b[1]]])
    }
}

/// The lines of triangles that belong together.
pub(super) fn of(faces: &[[Flat; 3]], crease: f64) -> Vec<Edge> {
    let mut numbers: HashMap<[i64; 3], u32> = HashMap::new();
    let mut points: Vec<Flat> = Vec::new();
    let mut number = |p: Flat| {
        *numbers.entry(p.map(|v| (v / WELD + 0.3).round() as i64)).or_insert_with(|| {
            points.push(p);
            points.len() as u32 - 1
        })
    };
    // the directions of the faces at each edge
    let mut sides: HashMap<(u32, u32), Vec<Flat>> = HashMap::new();
    let mut order = Vec::new();
    for face in faces {
        let Some(normal) = unit(cross(sub(face[1], face[0]), sub(face[2], face[0]))) else { continue };
        let corners = face.map(&mut number);
        for (a, b) in [(0, 1), (1, 2), (2, 0)].map(|(i, j)| (corners[i], corners[j])) {
            if a != b {
                let list = sides.entry((a.min(b), a.max(b))).or_insert_with(|| {
                    order.push((a.min(b), a.max(b)));
                    Vec::new()
                });
                list.push(normal);
            }
        }
    }
    let flat = crease.cos();
    let mut edges = Vec::new();
    for key in order {
        let Some(normals) = sides.get(&key) else { continue };
        let ends = [points[key.0 as usize], points[key.1 as usize]];
        let edge = Edge { ends };
        if edge.long() >= SHORT && is_line(normals, flat) {
            edges.push(edge);
        }
    }
    edges
}

fn is_line(normals: &[Flat], flat: f64) -> bool {
    let [first, rest @ ..] = normals else { return false };
    if rest.is_empty() {
        return true;
    }
    // depth grows away from the viewer, and the coordinates are mirrored by it
    let faces_viewer = |n: &Flat| n[2] > 1e-6;
    rest.iter().any(|n| dot(*first, *n) < flat || faces_viewer(first) != faces_viewer(n))
}
