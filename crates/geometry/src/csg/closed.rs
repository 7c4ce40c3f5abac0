//! Bodies made fit for booleans: corners welded, T-junctions closed, faces outward, about a common local origin.

use super::junction::close;
use super::shells::find;
use super::{CsgError, MAX_TRIANGLES};
use crate::math::{Bounds, perpendicular};
use crate::mesh::Mesh;
use crate::region;
use crate::solid::{Face, Solid};
use glam::{DVec2, DVec3};
use std::collections::HashMap;

/// Corners nearer than this are one, and corners this near to an edge lie on it, in metres.
pub(super) const NEAR: f64 = 1e-5;

/// The form in which a body is given.
pub(super) enum Source<'a> {
    Solid(&'a Solid),
    Mesh(&'a Mesh),
}

/// Triangles that share their corners and enclose a volume.
#[derive(Debug, Clone, Default)]
pub struct Closed {
    /// Corners, in metres.
    pub points: Vec<DVec3>,
    /// Indices into `points`, counter-clockwise seen from outside. Every edge has as many triangles on one side as on the other.
    pub triangles: Vec<[u32; 3]>,
    /// For each triangle the number of its plane; planes are shared by all bodies of one operation.
    pub(super) planes: Vec<u32>,
    /// True if it has parts that may overlap.
    pub(super) parts_meet: bool,
}

/// The bodies of one operation.
pub(super) struct Prepared {
    /// They are given relative to this.
    pub origin: DVec3,
    pub bodies: Vec<Closed>,
    /// Unit normals of the planes, whichever side a face has outward.
    pub normals: Vec<DVec3>,
}

impl Prepared {
    pub fn from_sources(sources: &[Source]) -> Result<Prepared, CsgError> {
        let mut bounds = Bounds::EMPTY;
        let mut count = 0;
        for source in sources {
            match source {
                Source::Solid(s) => {
                    s.points().for_each(|p| bounds.add(p));
                    count += s.faces.iter().flat_map(|f| &f.loops).map(Vec::len).sum::<usize>();
                }
                Source::Mesh(m) => {
                    m.positions.iter().for_each(|p| bounds.add(*p));
                    count += m.triangles.len();
                }
            }
        }
        if count > MAX_TRIANGLES {
            return Err(CsgError::TooLarge { triangles: count, most: MAX_TRIANGLES });
        }
        let finite = bounds.min.abs().max(bounds.max.abs()).cmplt(DVec3::splat(1e9)).all();
        if bounds.is_empty() || !finite {
            return Err(if bounds.is_empty() { CsgError::Flat } else { CsgError::NotFinite });
        }
        let origin = bounds.centre();
        let mut corners = Corners::default();
        let mut planes = Planes::default();
        let mut bodies = Vec::with_capacity(sources.len());
        for source in sources {
            let (triangles, own) = match source {
                Source::Solid(s) => of_solid(s, origin, &mut corners, &mut planes)?,
                Source::Mesh(m) => (of_mesh(m, origin, &mut corners)?, Vec::new()),
            };
            bodies.push(closed(&corners.points, triangles, own)?);
        }
        Ok(Prepared { origin, bodies, normals: planes.normals })
    }
}

/// Corners of all bodies, each once.
#[derive(Default)]
pub(super) struct Corners {
    pub points: Vec<DVec3>,
    /// The latest corner of each cell; `before` leads to the others.
    cells: HashMap<[i64; 3], u32>,
    before: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Corners {
    pub fn number(&mut self, p: DVec3) -> Result<u32, CsgError> {
        const CELL: f64 = 16.0 * NEAR;
        if !p.is_finite() {
            return Err(CsgError::NotFinite);
        }
        let (low, high) =
            [p - NEAR, p + NEAR].map(|p| p.to_array().map(|v| (v / CELL).floor() as i64)).into();
        for x in low[0]..=high[0] {
            for y in low[1]..=high[1] {
                for z in low[2]..=high[2] {
                    let mut at = self.cells.get(&[x, y, z]).copied().unwrap_or(NONE);
                    while let Some(q) = self.points.get(at as usize) {
                        if (*q - p).length() <= NEAR {
                            return Ok(at);
                        }
                        at = self.before.get(at as usize).copied().unwrap_or(NONE);
                    }
                }
            }
        }
        let number = self.points.len() as u32;
        let cell = p.to_array().map(|v| (v / CELL).floor() as i64);
        self.points.push(p);
        self.before.push(self.cells.insert(cell, number).unwrap_or(NONE));
        Ok(number)
    }
}

/// Planes of all faces, each once, whichever way the face looks.
#[derive(Default)]
struct Planes {
    normals: Vec<DVec3>,
    offsets: Vec<f64>,
    cells: HashMap<[i64; 4], Vec<u32>>,
}

impl Planes {
    /// The plane of some points with the given normal: one known already if none of them is off it.
    fn number(&mut self, points: &[DVec3], normal: DVec3) -> u32 {
        let Some(&first) = points.first() else { return NONE };
        let positive = normal.to_array().iter().rev().find(|v| v.abs() > 1e-3).is_none_or(|v| *v > 0.0);
        let normal = if positive { normal } else { -normal };
        let offset = normal.dot(first);
        let key = [normal.x * 1e3, normal.y * 1e3, normal.z * 1e3, offset * 1e2].map(|v| v.round() as i64);
        let known = self.cells.entry(key).or_default();
        for &k in known.iter().take(16) {
            let Some((n, d)) = self.normals.get(k as usize).zip(self.offsets.get(k as usize)) else {
                continue;
            };
            if n.dot(normal) > 0.999_999 && points.iter().all(|p| (n.dot(*p) - d).abs() < NEAR) {
                return k;
            }
        }
        let number = self.normals.len() as u32;
        known.push(number);
        self.normals.push(normal);
        self.offsets.push(offset);
        number
    }
}

pub(super) type Triangles = Vec<[u32; 3]>;

fn of_solid(
    solid: &Solid,
    origin: DVec3,
    corners: &mut Corners,
    planes: &mut Planes,
) -> Result<(Triangles, Vec<u32>), CsgError> {
    let mut triangles = Vec::new();
    let mut own = Vec::new();
    for face in &solid.faces {
        let mut loops: Vec<Vec<u32>> = Vec::with_capacity(face.loops.len());
        for l in &face.loops {
            let mut numbers = Vec::with_capacity(l.len());
            for p in l {
                let n = corners.number(*p - origin)?;
                if numbers.last() != Some(&n) {
                    numbers.push(n);
                }
            }
            while numbers.len() > 1 && numbers.first() == numbers.last() {
                numbers.pop();
            }
            if numbers.len() > 2 {
                loops.push(numbers);
            }
        }
        let at = |n: &u32| corners.points.get(*n as usize).copied().unwrap_or_default();
        let welded = Face { loops: loops.iter().map(|l| l.iter().map(at).collect()).collect() };
        let Some(normal) = welded.normal() else { continue };
        let all: Vec<DVec3> = welded.loops.iter().flatten().copied().collect();
        let plane = planes.number(&all, normal);
        let before = triangles.len();
        let numbers: Vec<u32> = loops.into_iter().flatten().collect();
        if let [a, b, c] = *numbers.as_slice() {
            triangles.push([a, b, c]);
        } else {
            flat_triangles(&welded, normal, &numbers, &mut triangles);
        }
        own.resize(own.len() + triangles.len() - before, plane);
    }
    Ok((triangles, own))
}

fn flat_triangles(face: &Face, normal: DVec3, numbers: &[u32], into: &mut Triangles) {
    let x = perpendicular(normal);
    let y = normal.cross(x);
    let origin = face.loops.first().and_then(|l| l.first()).copied().unwrap_or_default();
    let flat: Vec<Vec<DVec2>> = face
        .loops
        .iter()
        .map(|l| l.iter().map(|&p| p - origin).map(|d| DVec2::new(d.dot(x), d.dot(y))).collect())
        .collect();
    let indices = region::triangles(&flat);
    let points: Vec<DVec2> = flat.into_iter().flatten().collect();
    let at = |i: u32| points.get(i as usize).copied().unwrap_or_default();
    let area: f64 =
        indices.chunks_exact(3).map(|t| crate::math::signed_area(&[at(t[0]), at(t[1]), at(t[2])])).sum();
    let number = |i: u32| numbers.get(i as usize).copied().unwrap_or(NONE);
    for t in indices.chunks_exact(3) {
        let [a, b, c] = [number(t[0]), number(t[1]), number(t[2])];
        if a != b && b != c && c != a && a.max(b).max(c) != NONE {
            into.push(if area < 0.0 { [a, c, b] } else { [a, b, c] });
        }
    }
}

fn of_mesh(mesh: &Mesh, origin: DVec3, corners: &mut Corners) -> Result<Triangles, CsgError> {
    let numbers: Result<Vec<u32>, _> = mesh.positions.iter().map(|p| corners.number(*p - origin)).collect();
    let numbers = numbers?;
    let number = |i: u32| numbers.get(i as usize).copied().unwrap_or(NONE);
    let triangles = mesh.triangles.iter().map(|t| t.map(number));
    Ok(triangles.filter(|[a, b, c]| a != b && b != c && c != a && *a.max(b).max(c) != NONE).collect())
}

/// The triangles as a body of its own, or why they enclose nothing.
fn closed(points: &[DVec3], mut triangles: Triangles, mut planes: Vec<u32>) -> Result<Closed, CsgError> {
    planes.resize(triangles.len(), 0);
    close(points, &mut triangles, &mut planes)?;
    let mut own: HashMap<u32, u32> = HashMap::with_capacity(triangles.len() / 2 + 2);
    let mut body = Closed { triangles: Vec::with_capacity(triangles.len()), planes, ..Closed::default() };
    for t in triangles {
        body.triangles.push(t.map(|i| {
            *own.entry(i).or_insert_with(|| {
                body.points.push(points.get(i as usize).copied().unwrap_or_default());
                body.points.len() as u32 - 1
            })
        }));
    }
    let volume = body.volume();
    if volume.abs() < 1e-12 {
        return Err(CsgError::Flat);
    }
    if volume < 0.0 {
        body.triangles.iter_mut().for_each(|t| t.swap(1, 2));
    }
    body.parts_meet = parts_meet(&body.points, &body.triangles);
    Ok(body)
}

/// Returns true if triangles that hang together leave several parts, and the boxes of two of them overlap.
fn parts_meet(points: &[DVec3], triangles: &[[u32; 3]]) -> bool {
    let mut root: Vec<u32> = (0..points.len() as u32).collect();
    for &[a, b, c] in triangles {
        let r = find(&mut root, a);
        for i in [b, c] {
            let other = find(&mut root, i);
            if let Some(slot) = root.get_mut(other as usize) {
                *slot = r;
            }
        }
    }
    let mut parts: HashMap<u32, Bounds> = HashMap::new();
    for (i, p) in points.iter().enumerate() {
        parts.entry(find(&mut root, i as u32)).or_insert(Bounds::EMPTY).add(*p);
    }
    let mut boxes: Vec<Bounds> = parts.into_values().collect();
    boxes.sort_by(|a, b| a.min.x.total_cmp(&b.min.x));
    boxes.iter().enumerate().any(|(i, a)| {
        let near = boxes.iter().skip(i + 1).take_while(|b| b.min.x <= a.max.x);
        near.into_iter().any(|b| a.meets(b, 0.0))
    })
}

impl Closed {
    /// The volume enclosed, in cubic metres.
    pub fn volume(&self) -> f64 {
        volume(&self.points, &self.triangles)
    }
}

/// The volume that triangles enclose, in cubic metres, by the divergence theorem.
pub(super) fn volume(points: &[DVec3], triangles: &[[u32; 3]]) -> f64 {
    let origin = points.first().copied().unwrap_or_default();
    let at = |i: u32| points.get(i as usize).map(|p| *p - origin).unwrap_or_default();
    triangles.iter().map(|&[a, b, c]| at(a).dot(at(b).cross(at(c)))).sum::<f64>() / 6.0
}
