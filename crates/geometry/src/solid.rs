//! Bodies with flat faces: what extrusions, clippings and boundary representations are made into before they become triangles.
//! Faces keep their polygons, so cutting an opening stays a matter of two dimensions. Lengths in metres.

use crate::{
    math::{Bounds, Frame, P2, P3, add, cross, dot, length, scale, sub, unit, vector_area},
    mesh::Mesh,
    region::{self, Area},
};
use foldhash::{HashMap, HashMapExt};
use std::collections::BTreeMap;

/// One flat face: the boundary, counter-clockwise seen from outside, then its holes, clockwise.
#[derive(Debug, Clone, PartialEq)]
pub struct Face {
    /// Closed loops; the last point is joined to the first.
    pub loops: Vec<Vec<P3>>,
}

impl Face {
    /// The outward normal at length one, or `None` for a face without area.
    pub fn normal(&self) -> Option<P3> {
        let outer = self.loops.first()?;
        let area = vector_area(outer);
        // less than a square micrometre has no direction worth trusting
        let size = length(area);
        (size > 1e-12).then(|| scale(area, 1.0 / size))
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
    /// Whether the faces enclose a volume.
    pub closed: bool,
}

impl Solid {
    /// A face set of its own.
    pub fn new(faces: Vec<Face>, closed: bool) -> Solid {
        Solid { faces, closed }
    }

    /// `area` in the xy plane of `frame`, moved along `direction` (in the frame's own coordinates) by `depth` metres.
    pub fn extrusion(area: &Area, frame: &Frame, direction: P3, depth: f64) -> Option<Solid> {
        let path = scale(unit(direction)?, depth);
        // a profile pushed below its plane has its faces the other way round
        let flip = path[2] < 0.0;
        if path[2].abs() < 1e-9 || area.outer.len() < 3 {
            return None;
        }
        let lift = |p: &P2, by: P3| frame.point(add([p[0], p[1], 0.0], by));
        let mut faces = Vec::with_capacity(area.loops().map(Vec::len).sum::<usize>() + 2);
        let cap = |by: P3, reversed: bool| Face {
            loops: area
                .loops()
                .map(|l| {
                    let points = l.iter().map(|p| lift(p, by));
                    if reversed { points.rev().collect() } else { points.collect() }
                })
                .collect(),
        };
        faces.push(cap([0.0; 3], !flip));
        faces.push(cap(path, flip));
        for l in area.loops() {
            for (i, a) in l.iter().enumerate() {
                let Some(b) = l.get((i + 1) % l.len()) else { continue };
                let mut side = vec![lift(a, [0.0; 3]), lift(b, [0.0; 3]), lift(b, path), lift(a, path)];
                if flip {
                    side.reverse();
                }
                faces.push(Face { loops: vec![side] });
            }
        }
        let mut solid = Solid::new(faces, true);
        if frame.determinant() < 0.0 {
            solid.turn();
        }
        Some(solid)
    }

    /// A box in the coordinates of `frame`.
    pub fn cuboid(bounds: &Bounds, frame: &Frame) -> Option<Solid> {
        let (a, s) = (bounds.min, bounds.size());
        let area = Area::new(
            vec![[a[0], a[1]], [a[0] + s[0], a[1]], [a[0] + s[0], a[1] + s[1]], [a[0], a[1] + s[1]]],
            Vec::new(),
        );
        let base = Frame { o: frame.point([0.0, 0.0, a[2]]), ..*frame };
        Solid::extrusion(&area, &base, [0.0, 0.0, 1.0], s[2])
    }

    /// Turns every face inside out.
    pub fn turn(&mut self) {
        for l in self.faces.iter_mut().flat_map(|f| &mut f.loops) {
            l.reverse();
        }
    }

    /// The body moved by an affine map; a mirror keeps the normals outward.
    pub fn moved(&self, by: &Frame) -> Solid {
        let mut moved = Solid {
            faces: self
                .faces
                .iter()
                .map(|f| Face {
                    loops: f.loops.iter().map(|l| l.iter().map(|&p| by.point(p)).collect()).collect(),
                })
                .collect(),
            closed: self.closed,
        };
        if by.determinant() < 0.0 {
            moved.turn();
        }
        moved
    }

    /// The same body with neighbouring faces of one plane joined: triangles become the polygons they came from.
    pub fn merged(&self) -> Solid {
        let mut planes: BTreeMap<[i64; 4], Vec<&Face>> = BTreeMap::new();
        for face in &self.faces {
            let (Some(n), Some(p)) = (face.normal(), face.loops.first().and_then(|l| l.first())) else {
                continue;
            };
            let key = [n[0] * 1e4, n[1] * 1e4, n[2] * 1e4, dot(n, *p) * 1e4].map(|v| v.round() as i64);
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
            let frame = Frame::from_axes(*origin, normal, crate::math::perpendicular(normal));
            let flat = |p: &P3| {
                let d = sub(*p, *origin);
                [dot(d, frame.x), dot(d, frame.y)]
            };
            let loops: Vec<Vec<P2>> =
                group.iter().flat_map(|f| &f.loops).map(|l| l.iter().map(flat).collect()).collect();
            // planes of one group lean a little from each other: corners stay where they were, or cutting by this body would
            // leave slivers
            let cell = |p: &P2| p.map(|v| (v * 1e5).round() as i64);
            let mut corners: HashMap<[i64; 2], P3> = HashMap::new();
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
                let back =
                    |p: &P2| corners.get(&cell(p)).copied().unwrap_or_else(|| frame.point([p[0], p[1], 0.0]));
                let lift = |l: &Vec<P2>| l.iter().map(back).collect();
                faces.push(Face { loops: area.loops().map(lift).collect() });
            }
        }
        Solid::new(faces, self.closed)
    }

    /// Turns faces round until neighbours agree, for shells whose faces were written in any direction. Answers whether no
    /// edge lacks a face and all could be made to agree.
    pub fn agree(&mut self) -> bool {
        let mut edges = self.edges();
        edges.sort_unstable();
        let mut next: Vec<Vec<(usize, bool)>> = vec![Vec::new(); self.faces.len()];
        let mut all_agree = true;
        for group in edges.chunk_by(|a, b| a.0 == b.0) {
            let [(_, i, fi), (_, j, fj)] = *group else {
                // where bodies touch, an edge has four faces: it says nothing; an odd number means a hole
                if group.len() % 2 == 1 {
                    return false;
                }
                continue;
            };
            // two faces agree when they run along their edge in opposite directions
            all_agree &= fi != fj;
            next[i].push((j, fi == fj));
            next[j].push((i, fi == fj));
        }
        if all_agree {
            // nothing to turn: which shell is a hollow, the source knows
            return true;
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

    /// The sides of all faces: their ends as numbers of points, the lesser first, the face, and whether it runs that way. Points
    /// nearer than a hundredth of a millimetre are one.
    fn edges(&self) -> Vec<([u32; 2], usize, bool)> {
        let mut numbers: HashMap<[i64; 3], u32> = HashMap::new();
        let mut edges = Vec::new();
        for (i, l) in self.faces.iter().enumerate().flat_map(|(i, f)| f.loops.iter().map(move |l| (i, l))) {
            let mut number = |p: &P3| {
                let next = numbers.len() as u32;
                *numbers.entry(p.map(|v| (v * 1e5).round() as i64)).or_insert(next)
            };
            let ends: Vec<u32> = l.iter().map(&mut number).collect();
            for (&a, &b) in ends.iter().zip(ends.iter().skip(1).chain(ends.first())) {
                if a != b {
                    edges.push(([a.min(b), a.max(b)], i, a < b));
                }
            }
        }
        edges
    }

    /// All points.
    pub fn points(&self) -> impl Iterator<Item = P3> {
        self.faces.iter().flat_map(|f| f.loops.iter().flatten().copied())
    }

    /// The axis-parallel box around it.
    pub fn bounds(&self) -> Bounds {
        Bounds::of(self.points())
    }

    /// Volume enclosed, by the divergence theorem over the polygons, in cubic metres. Negative when inside out; meaningless
    /// when not closed.
    pub fn volume(&self) -> f64 {
        let Some(origin) = self.points().next() else { return 0.0 };
        self.faces
            .iter()
            .flat_map(|f| &f.loops)
            .filter_map(|l| Some(dot(sub(*l.first()?, origin), vector_area(l)) / 3.0))
            .sum()
    }

    /// How far from closed: the length of the sum of all faces' vector areas over the surface; zero for a body, to rounding.
    pub fn gap(&self) -> f64 {
        let (mut sum, mut surface) = ([0.0; 3], 0.0);
        for face in &self.faces {
            let area = face.loops.iter().fold([0.0; 3], |a, l| add(a, vector_area(l)));
            sum = add(sum, area);
            surface += length(area);
        }
        if surface > 0.0 { length(sum) / surface } else { 0.0 }
    }

    /// The faces as triangles.
    pub fn mesh(&self) -> Mesh {
        let mut mesh = Mesh::default();
        for face in &self.faces {
            let Some(normal) = face.normal() else { continue };
            let start = mesh.positions.len() as u32;
            if let [l] = face.loops.as_slice()
                && l.len() == 3
            {
                mesh.positions.extend_from_slice(l);
                mesh.triangles.push([start, start + 1, start + 2]);
                mesh.normals.extend([normal; 3]);
                continue;
            }
            let flat = flatten(face, normal);
            let indices = region::triangles(&flat);
            let count: usize = face.loops.iter().map(Vec::len).sum();
            let fits = indices.iter().all(|&i| (i as usize) < count);
            if !fits {
                continue;
            }
            mesh.positions.extend(face.loops.iter().flatten());
            mesh.normals.extend(std::iter::repeat_n(normal, count));
            // earcut answers in one direction whatever the loop's; ours is counter-clockwise about the normal
            let turned = {
                let at = |i: u32| flat.iter().flatten().nth(i as usize).copied().unwrap_or_default();
                indices
                    .chunks_exact(3)
                    .map(|t| crate::math::signed_area(&[at(t[0]), at(t[1]), at(t[2])]))
                    .sum::<f64>()
                    < 0.0
            };
            for t in indices.chunks_exact(3) {
                let [a, b, c] = [t[0] + start, t[1] + start, t[2] + start];
                mesh.triangles.push(if turned { [a, c, b] } else { [a, b, c] });
            }
        }
        mesh
    }
}

/// The face's loops in coordinates of its own plane, counter-clockwise about the normal.
fn flatten(face: &Face, normal: P3) -> Vec<Vec<P2>> {
    let x = crate::math::perpendicular(normal);
    let y = cross(normal, x);
    let origin = face.loops.first().and_then(|l| l.first()).copied().unwrap_or_default();
    face.loops
        .iter()
        .map(|l| {
            l.iter()
                .map(|&p| {
                    let d = sub(p, origin);
                    [dot(d, x), dot(d, y)]
                })
                .collect()
        })
        .collect()
}
