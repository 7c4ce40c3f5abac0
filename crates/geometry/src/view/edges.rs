//! Finds the edges of triangles that are lines: rims, corners and silhouettes.

use super::Flat;
use glam::DVec2;
use ifc::placement::unit;
use std::collections::HashMap;

/// Corners nearer than this, in metres, are one.
const WELD: f64 = 2e-5;

/// The shortest line that is drawn, in metres.
const SHORT: f64 = 1e-4;

/// Rims beyond this number are not parted at each other's corners.
const MAX_RIMS: usize = 8_000;

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
        for (start, end) in [(a.z - near, b.z - near), (far - a.z, far - b.z)] {
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
        a + (b - a) * t
    }

    /// The length of it on the plane.
    pub(super) fn long(&self) -> f64 {
        let [a, b] = self.ends;
        (b - a).truncate().length()
    }

    /// A part of it on the plane, unless it is too short to be drawn.
    pub(super) fn part(&self, from: f64, to: f64) -> Option<[DVec2; 2]> {
        if (to - from) * self.long() < SHORT {
            return None;
        }
        let (a, b) = (self.at(from), self.at(to));
        Some([a.truncate(), b.truncate()])
    }
}

/// The lines of triangles that belong together.
pub(super) fn find_edges(faces: &[[Flat; 3]], crease: f64) -> Vec<Edge> {
    let mut numbers: HashMap<[i64; 3], u32> = HashMap::new();
    let mut points: Vec<Flat> = Vec::new();
    let mut number = |p: Flat| {
        *numbers.entry(p.to_array().map(|v| (v / WELD + 0.3).round() as i64)).or_insert_with(|| {
            points.push(p);
            points.len() as u32 - 1
        })
    };
    // the directions of the faces at each edge
    let mut sides: HashMap<(u32, u32), Vec<Flat>> = HashMap::new();
    let mut order = Vec::new();
    for face in faces {
        let Some(normal) = unit((face[1] - face[0]).cross(face[2] - face[0])) else { continue };
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
    part_rims(&points, &mut sides, &mut order);
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

/// Parts edges of one face at the corners of others that lie on them. Where a long edge of one face runs along short ones of its
/// neighbours, none of them is a rim: in parts they meet.
fn part_rims(points: &[Flat], sides: &mut HashMap<(u32, u32), Vec<Flat>>, order: &mut Vec<(u32, u32)>) {
    let rims: Vec<(u32, u32)> =
        order.iter().copied().filter(|key| sides.get(key).is_some_and(|n| n.len() == 1)).collect();
    if !(2..=MAX_RIMS).contains(&rims.len()) {
        return;
    }
    let at = |n: u32| points.get(n as usize).copied().unwrap_or_default();
    let mut corners: Vec<u32> = rims.iter().flat_map(|&(a, b)| [a, b]).collect();
    corners.sort_unstable_by(|&a, &b| at(a).x.total_cmp(&at(b).x).then(a.cmp(&b)));
    corners.dedup();
    for key in rims {
        let (p, q) = (at(key.0), at(key.1));
        let along = q - p;
        let square = along.dot(along);
        let first = corners.partition_point(|&c| at(c).x < p.x.min(q.x) - WELD);
        let last = corners.partition_point(|&c| at(c).x <= p.x.max(q.x) + WELD);
        let mut on: Vec<(f64, u32)> = Vec::new();
        for &corner in corners.get(first..last).unwrap_or_default() {
            let to = at(corner) - p;
            let share = to.dot(along) / square;
            let off = to.cross(along);
            let is_end = corner == key.0 || corner == key.1;
            if !is_end && share > 0.0 && share < 1.0 && off.dot(off) < WELD * WELD * square {
                on.push((share, corner));
            }
        }
        if on.is_empty() {
            continue;
        }
        let Some(normals) = sides.remove(&key) else { continue };
        on.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let chain: Vec<u32> =
            std::iter::once(key.0).chain(on.into_iter().map(|(_, c)| c)).chain([key.1]).collect();
        for pair in chain.windows(2) {
            let &[a, b] = pair else { continue };
            let key = (a.min(b), a.max(b));
            let list = sides.entry(key).or_insert_with(|| {
                order.push(key);
                Vec::new()
            });
            list.extend_from_slice(&normals);
        }
    }
}

fn is_line(normals: &[Flat], flat: f64) -> bool {
    let [first, rest @ ..] = normals else { return false };
    if rest.is_empty() {
        return true;
    }
    // depth grows away from the viewer, and the coordinates are mirrored by it
    let faces_viewer = |n: &Flat| n.z > 1e-6;
    rest.iter().any(|n| first.dot(*n) < flat || faces_viewer(first) != faces_viewer(n))
}
