//! Bodies with flat faces: what extrusions, clippings and boundary representations are made into before they become triangles.
//! Faces keep their polygons, so cutting an opening stays a matter of two dimensions. Lengths in metres.

use crate::math::orthonormal;
use crate::{
    math::{Bounds, vector_area},
    mesh::Mesh,
    region::{self, Area, Ears},
};
use foldhash::{HashMap, HashMapExt};
use glam::{DAffine3, DVec2, DVec3};
use ifc::placement::unit;
use std::collections::BTreeMap;

/// One flat face: the boundary, counter-clockwise seen from outside, then its holes, clockwise.
#[derive(Debug, Clone, PartialEq)]
pub struct Face {
    /// Closed loops; the last point is joined to the first.
    pub loops: Vec<Vec<DVec3>>,
}

impl Face {
    /// The outward normal at length one, or `None` for a face without area.
    pub fn normal(&self) -> Option<DVec3> {
        let outer = self.loops.first()?;
        let area = vector_area(outer);
        // less than a square micrometre has no direction worth trusting
        let size = area.length();
        (size > 1e-12).then(|| area * (1.0 / size))
    }

    fn turned_if(mut self, turn: bool) -> Face {
        if turn {
            self.loops.iter_mut().for_each(|l| l.reverse());
        }
        self
    }
}

/// A set of faces. `closed` says that the source promises a body (an extrusion, a brep), not that it was proved.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Solid {
    /// The faces, normals outward.
    pub faces: Vec<Face>,
    /// True if the faces enclose a volume.
    pub closed: bool,
}

/// A side of a face as one number, so that sorting is quick: the numbers of its ends, the lesser first, then the face, then
/// whether the face runs from the lesser to the greater.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Edge(u128);

impl Edge {
    fn new(from: u32, to: u32, face: u32) -> Edge {
        let [low, high] = [from.min(to), from.max(to)].map(u128::from);
        Edge(low << 96 | high << 64 | u128::from(face) << 1 | u128::from(from < to))
    }

    fn ends(self) -> u64 {
        (self.0 >> 64) as u64
    }

    fn face(self) -> usize {
        (self.0 as u64 >> 1) as usize
    }

    fn is_forward(self) -> bool {
        self.0 & 1 == 1
    }
}

/// The verdict of the sides of a body's faces on whether they close.
enum Rims {
    /// Each is met by one that runs the other way.
    Matched,
    /// One has no other, or two: some side lacks a face.
    Open,
    /// In even numbers, but not each with one against it.
    Unknown,
}

/// The cell of a hundredth of a millimetre that a point is in the middle of.
fn cell(p: &DVec3) -> [i64; 3] {
    p.to_array().map(|v| {
        let scaled = v * 1e5;
        (scaled + 0.5_f64.copysign(scaled)) as i64
    })
}

/// Two numbers as one that depends on every bit of both and on their order.
fn mixed(a: u64, b: u64) -> u64 {
    let wide = u128::from(a ^ 0x9e37_79b9_7f4a_7c15) * u128::from(b ^ 0xd1b5_4a32_d192_ed03);
    (wide as u64) ^ (wide >> 64) as u64
}

impl Solid {
    /// A face set of its own.
    pub fn new(faces: Vec<Face>, closed: bool) -> Solid {
        Solid { faces, closed }
    }

    /// `area` in the xy plane of `frame`, moved along `direction` (in the frame's own coordinates) by `depth` metres.
    pub fn extrusion(area: &Area, frame: &DAffine3, direction: DVec3, depth: f64) -> Option<Solid> {
        let path = unit(direction)? * depth;
        // a profile pushed below its plane has its faces the other way round
        let flip = path.z < 0.0;
        if path.z.abs() < 1e-9 || area.outer.len() < 3 {
            return None;
        }
        let lift = |p: &DVec2, by: DVec3| frame.transform_point3(p.extend(0.0) + by);
        let mut faces = Vec::with_capacity(area.loops().map(Vec::len).sum::<usize>() + 2);
        let cap = |by: DVec3, reversed: bool| Face {
            loops: area
                .loops()
                .map(|l| {
                    let points = l.iter().map(|p| lift(p, by));
                    if reversed { points.rev().collect() } else { points.collect() }
                })
                .collect(),
        };
        faces.push(cap(DVec3::ZERO, !flip));
        faces.push(cap(path, flip));
        for l in area.loops() {
            for (i, a) in l.iter().enumerate() {
                let Some(b) = l.get((i + 1) % l.len()) else { continue };
                let mut side = vec![lift(a, DVec3::ZERO), lift(b, DVec3::ZERO), lift(b, path), lift(a, path)];
                if flip {
                    side.reverse();
                }
                faces.push(Face { loops: vec![side] });
            }
        }
        let mut solid = Solid::new(faces, true);
        if frame.matrix3.determinant() < 0.0 {
            solid.turn();
        }
        Some(solid)
    }

    /// A box in the coordinates of `frame`.
    pub fn cuboid(bounds: &Bounds, frame: &DAffine3) -> Option<Solid> {
        let (a, s) = (bounds.min, bounds.size());
        let area = Area::new(
            vec![
                a.truncate(),
                DVec2::new(a.x + s.x, a.y),
                DVec2::new(a.x + s.x, a.y + s.y),
                DVec2::new(a.x, a.y + s.y),
            ],
            Vec::new(),
        );
        let base = DAffine3 { translation: frame.transform_point3(DVec3::new(0.0, 0.0, a.z)), ..*frame };
        Solid::extrusion(&area, &base, DVec3::Z, s.z)
    }

    /// Turns every face inside out.
    pub fn turn(&mut self) {
        for l in self.faces.iter_mut().flat_map(|f| &mut f.loops) {
            l.reverse();
        }
    }

    /// The body moved by an affine map; a mirror keeps the normals outward.
    pub fn moved(&self, by: &DAffine3) -> Solid {
        let mut moved = Solid {
            faces: self
                .faces
                .iter()
                .map(|f| Face {
                    loops: f
                        .loops
                        .iter()
                        .map(|l| l.iter().map(|&p| by.transform_point3(p)).collect())
                        .collect(),
                })
                .collect(),
            closed: self.closed,
        };
        if by.matrix3.determinant() < 0.0 {
            moved.turn();
        }
        moved
    }

    /// Returns the body with neighbouring faces of one plane joined: triangles become the polygons they came from.
    pub fn merged(&self) -> Solid {
        let mut planes: BTreeMap<[i64; 4], Vec<&Face>> = BTreeMap::new();
        for face in &self.faces {
            let (Some(n), Some(p)) = (face.normal(), face.loops.first().and_then(|l| l.first())) else {
                continue;
            };
            let key = [n.x * 1e4, n.y * 1e4, n.z * 1e4, n.dot(*p) * 1e4].map(|v| v.round() as i64);
            planes.entry(key).or_default().push(face);
        }
        let mut faces = Vec::new();
        for group in planes.values() {
            let (Some(first), true) = (group.first(), group.len() > 1) else {
                faces.extend(group.iter().map(|f| (*f).clone()));
                continue;
            };
            let Some((normal, origin)) = first.normal().zip(first.loops.first().and_then(|l| l.first()))
            else {
                continue;
            };
            let frame = orthonormal(*origin, normal, crate::math::perpendicular(normal));
            let flat = |p: &DVec3| {
                let d = *p - *origin;
                DVec2::new(d.dot(frame.x_axis), d.dot(frame.y_axis))
            };
            let loops: Vec<Vec<DVec2>> =
                group.iter().flat_map(|f| &f.loops).map(|l| l.iter().map(flat).collect()).collect();
            // planes of one group lean a little from each other: corners stay where they were, or cutting by this body would
            // leave slivers
            let cell = |p: &DVec2| p.to_array().map(|v| (v * 1e5).round() as i64);
            let mut corners: HashMap<[i64; 2], DVec3> = HashMap::new();
            for (p, q) in group.iter().flat_map(|f| f.loops.iter().flatten()).zip(loops.iter().flatten()) {
                let [x, y] = cell(q);
                for (dx, dy) in [-1, 0, 1].into_iter().flat_map(|dx| [-1, 0, 1].map(|dy| (dx, dy))) {
                    let at = corners.entry([x.saturating_add(dx), y.saturating_add(dy)]).or_insert(*p);
                    if (dx, dy) == (0, 0) {
                        *at = *p;
                    }
                }
            }
            for area in region::union(&loops) {
                let back = |p: &DVec2| {
                    corners.get(&cell(p)).copied().unwrap_or_else(|| frame.transform_point3(p.extend(0.0)))
                };
                let lift = |l: &Vec<DVec2>| l.iter().map(back).collect();
                faces.push(Face { loops: area.loops().map(lift).collect() });
            }
        }
        Solid::new(faces, self.closed)
    }

    /// Turns faces round until neighbours agree, for shells whose faces were written in any direction. Answers whether no
    /// edge lacks a face and all could be made to agree.
    pub fn agree(&mut self) -> bool {
        match self.rims() {
            Rims::Matched => {
                // nothing to turn: which shell is a hollow, the source knows
                return true;
            }
            Rims::Open => return false,
            Rims::Unknown => {}
        }
        let mut edges = self.edges();
        edges.sort_unstable();
        // where bodies touch, an edge has four faces, which says nothing; an odd number means a hole
        let groups = || edges.chunk_by(|a, b| a.ends() == b.ends());
        if groups().any(|group| group.len() % 2 == 1) {
            return false;
        }
        // two faces agree when they run along their edge in opposite directions
        let pairs = groups().filter_map(|group| <&[Edge; 2]>::try_from(group).ok());
        if pairs.clone().all(|[a, b]| a.is_forward() != b.is_forward()) {
            return true;
        }
        let mut next: Vec<Vec<(usize, bool)>> = vec![Vec::new(); self.faces.len()];
        for [a, b] in pairs {
            let differs = a.is_forward() == b.is_forward();
            for (face, other) in [(a.face(), b.face()), (b.face(), a.face())] {
                if let Some(next) = next.get_mut(face) {
                    next.push((other, differs));
                }
            }
        }
        let mut turned: Vec<Option<bool>> = vec![None; self.faces.len()];
        for start in 0..self.faces.len() {
            if turned[start].is_some() {
                continue;
            }
            turned[start] = Some(false);
            let mut shell = vec![start];
            let mut at = 0;
            while let Some(&i) = shell.get(at) {
                at += 1;
                let own = turned[i] == Some(true);
                for &(j, differs) in &next[i] {
                    match turned[j] {
                        None => {
                            turned[j] = Some(own ^ differs);
                            shell.push(j);
                        }
                        Some(t) if t != own ^ differs => return false,
                        Some(_) => {}
                    }
                }
            }
            // each shell by itself outward: hollows inside others are not looked for
            let part =
                shell.iter().map(|&i| self.faces[i].clone().turned_if(turned[i] == Some(true))).collect();
            if Solid::new(part, true).volume() < 0.0 {
                for &i in &shell {
                    turned[i] = turned[i].map(|t| !t);
                }
            }
        }
        for (face, turn) in self.faces.iter_mut().zip(turned) {
            if turn == Some(true) {
                face.loops.iter_mut().for_each(|l| l.reverse());
            }
        }
        true
    }

    /// Tells from two sums over the sides of all faces whether they close, without looking for the face beside any:
    /// in one, sides that run against each other cancel, in the other any two do. That others cancel by chance is as
    /// likely as two equal numbers of 64 bits.
    fn rims(&self) -> Rims {
        let name = |p: &DVec3| cell(p).iter().fold(0, |name, v| mixed(name, *v as u64));
        let (mut against, mut any) = (0_u64, 0_u64);
        for l in self.faces.iter().flat_map(|f| &f.loops) {
            let Some(last) = l.last() else { continue };
            let mut from = name(last);
            for to in l.iter().map(name) {
                if from != to {
                    let (there, back) = (mixed(from, to), mixed(to, from));
                    against = against.wrapping_add(there).wrapping_sub(back);
                    any ^= there ^ back;
                }
                from = to;
            }
        }
        match (against, any) {
            (0, 0) => Rims::Matched,
            (_, 0) => Rims::Unknown,
            _ => Rims::Open,
        }
    }

    /// The sides of all faces. Points nearer than a hundredth of a millimetre are one.
    fn edges(&self) -> Vec<Edge> {
        let count = self.faces.iter().flat_map(|f| &f.loops).map(Vec::len).sum();
        let mut numbers: HashMap<[i64; 3], u32> = HashMap::with_capacity(count / 3);
        let mut edges = Vec::with_capacity(count);
        for (face, l) in self.faces.iter().enumerate().flat_map(|(i, f)| f.loops.iter().map(move |l| (i, l)))
        {
            let mut number = |p: &DVec3| {
                let next = numbers.len() as u32;
                *numbers.entry(cell(p)).or_insert(next)
            };
            let Some(last) = l.last() else { continue };
            let mut from = number(last);
            for to in l.iter().map(number) {
                if from != to {
                    edges.push(Edge::new(from, to, face as u32));
                }
                from = to;
            }
        }
        edges
    }

    /// All points.
    pub fn points(&self) -> impl Iterator<Item = DVec3> {
        self.faces.iter().flat_map(|f| f.loops.iter().flatten().copied())
    }

    /// The axis-parallel box around it.
    pub fn bounds(&self) -> Bounds {
        Bounds::from_points(self.points())
    }

    /// Volume enclosed, by the divergence theorem over the polygons, in cubic metres. Negative when inside out; meaningless
    /// when not closed.
    pub fn volume(&self) -> f64 {
        let Some(origin) = self.points().next() else { return 0.0 };
        self.faces
            .iter()
            .flat_map(|f| &f.loops)
            .filter_map(|l| Some((*l.first()? - origin).dot(vector_area(l)) / 3.0))
            .sum()
    }

    /// The gap, nought for what is closed: the length of the sum of all faces' vector areas over the surface; zero for a body, to rounding.
    pub fn gap(&self) -> f64 {
        let (mut sum, mut surface) = (DVec3::ZERO, 0.0);
        for face in &self.faces {
            let area: DVec3 = face.loops.iter().map(|l| vector_area(l)).sum();
            sum += area;
            surface += area.length();
        }
        if surface > 0.0 { sum.length() / surface } else { 0.0 }
    }

    /// The faces as triangles.
    pub fn mesh(&self) -> Mesh {
        let mut mesh = Mesh::default();
        let corners = self.faces.iter().flat_map(|f| &f.loops).map(Vec::len).sum();
        mesh.positions.reserve_exact(corners);
        mesh.normals.reserve_exact(corners);
        // every corner of a simple polygon but two begins a triangle, and a hole adds two
        mesh.triangles.reserve(corners);
        let mut ears = Ears::default();
        for face in &self.faces {
            let Some(normal) = face.normal() else { continue };
            let start = mesh.positions.len() as u32;
            let count = match face.loops.as_slice() {
                [l] if l.len() == 3 => {
                    mesh.triangles.push([start, start + 1, start + 2]);
                    3
                }
                [l] if is_convex_quadrilateral(l, normal) => {
                    // as earcut has them: the very same triangles, however a face was triangulated
                    mesh.triangles.push([start + 2, start + 3, start]);
                    mesh.triangles.push([start + 2, start, start + 1]);
                    4
                }
                loops => {
                    let x = crate::math::perpendicular(normal);
                    let y = normal.cross(x);
                    let origin = loops.first().and_then(|l| l.first()).copied().unwrap_or_default();
                    let flat = |p: &DVec3| {
                        let d = *p - origin;
                        DVec2::new(d.dot(x), d.dot(y))
                    };
                    if !ears.add(loops.iter().map(|l| l.iter().map(flat))) {
                        ears.redraw();
                    }
                    let count = ears.points.len();
                    let at = |i: u32| ears.points.get(i as usize).copied();
                    // earcut answers in one direction whatever the loop's; ours is counter-clockwise about the normal
                    let mut size = 0.0;
                    let mut fits = true;
                    for t in ears.triangles.chunks_exact(3) {
                        match (at(t[0]), at(t[1]), at(t[2])) {
                            (Some(a), Some(b), Some(c)) => size += crate::math::signed_area(&[a, b, c]),
                            _ => fits = false,
                        }
                    }
                    if !fits {
                        continue;
                    }
                    for t in ears.triangles.chunks_exact(3) {
                        let [a, b, c] = [t[0] + start, t[1] + start, t[2] + start];
                        mesh.triangles.push(if size < 0.0 { [a, c, b] } else { [a, b, c] });
                    }
                    if ears.is_redrawn {
                        let lift = |p: &DVec2| origin + (x * p.x + y * p.y);
                        mesh.positions.extend(ears.points.iter().map(lift));
                    }
                    count
                }
            };
            if mesh.positions.len() == start as usize {
                mesh.positions.extend(face.loops.iter().flatten());
            }
            mesh.normals.extend(std::iter::repeat_n(normal, count));
        }
        mesh
    }
}

/// Returns true if four points have a left turn at each, seen against the normal.
fn is_convex_quadrilateral(points: &[DVec3], normal: DVec3) -> bool {
    let [a, b, c, d] = *points else { return false };
    let left = |a: DVec3, b: DVec3, c: DVec3| (b - a).cross(c - b).dot(normal) > 0.0;
    left(a, b, c) && left(b, c, d) && left(c, d, a) && left(d, a, b)
}
