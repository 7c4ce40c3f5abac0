//! The edges of triangles that may be lines of a drawing: rims, corners, and silhouettes of what is round. They are found once of a shape,
//! whatever it is seen from; which of them are lines, a view asks.

use crate::mesh::Mesh;
use foldhash::{HashMap, HashMapExt};
use glam::DVec3;
use ifc::placement::unit;

/// The greatest coordinate of what is drawn, in metres.
pub(crate) const FARTHEST: f64 = 1e9;

/// Corners nearer than this, in metres, are one.
const WELD: f64 = 2e-5;

/// Rims beyond this number are not parted at each other's corners.
const MAX_RIMS: usize = 8_000;

/// The edges of an element's faces, whatever they are seen from. A shape keeps them, since they take longer to find than the lines of one view
/// take to be chosen among them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Wires {
    /// Those of faces that hide what lies behind them.
    pub(crate) opaque: Wire,
    /// Those of faces that do not.
    pub(crate) clear: Wire,
}

impl Wires {
    /// Bytes of memory that they take.
    pub(crate) fn weight(&self) -> usize {
        self.opaque.weight() + self.clear.weight()
    }
}

/// The edges of triangles that belong together, whatever they are seen from: what is found once of a shape that is looked at from many sides.
#[derive(Debug, Clone, Default)]
pub(crate) struct Wire {
    points: Vec<DVec3>,
    edges: Vec<Bend>,
}

/// An edge that is a line from some side.
#[derive(Debug, Clone)]
struct Bend {
    corners: [u32; 2],
    /// The cosine of the widest angle between the first face and another; below any of them where there is only one.
    cosine: f64,
    /// The outward normals of the first face, and of all that differ from it; none where there is only one face.
    normals: Vec<DVec3>,
}

impl Wire {
    /// Finds the edges of a mesh.
    pub(crate) fn new(mesh: &Mesh) -> Wire {
        let mut numbers: HashMap<[i64; 3], u32> = HashMap::with_capacity(mesh.positions.len());
        let mut points: Vec<DVec3> = Vec::new();
        let mut number = |p: DVec3| {
            *numbers.entry(p.to_array().map(|v| (v / WELD + 0.3).round() as i64)).or_insert_with(|| {
                points.push(p);
                points.len() as u32 - 1
            })
        };
        let mut net = Net::default();
        for face in mesh.triangles.iter().filter_map(|t| mesh.corners(*t)) {
            if !face.iter().all(|p| p.abs().cmplt(DVec3::splat(FARTHEST)).all()) {
                continue;
            }
            let Some(normal) = unit((face[1] - face[0]).cross(face[2] - face[0])) else { continue };
            let corners = face.map(&mut number);
            for (a, b) in [(0, 1), (1, 2), (2, 0)].map(|(i, j)| (corners[i], corners[j])) {
                if a != b {
                    net.add((a, b), [normal]);
                }
            }
        }
        part_rims(&points, &mut net);
        let edges = net.sides.iter().filter_map(Sides::bend).collect();
        Wire { points, edges }
    }

    /// The places of its corners.
    pub(crate) fn points(&self) -> &[DVec3] {
        &self.points
    }

    /// The edges that are lines from a viewer in a direction, as the numbers of their corners: rims, corners sharper than an angle, and
    /// silhouettes.
    pub(crate) fn seen_from(&self, to_viewer: DVec3, crease: f64) -> impl Iterator<Item = [u32; 2]> {
        let cosine = crease.cos();
        let faces_viewer = move |n: &DVec3| n.dot(to_viewer) > 1e-6;
        let is_line = move |bend: &&Bend| {
            bend.cosine < cosine
                || bend.normals.split_first().is_some_and(|(first, rest)| {
                    let is_first = faces_viewer(first);
                    rest.iter().any(|n| faces_viewer(n) != is_first)
                })
        };
        self.edges.iter().filter(is_line).map(|bend| bend.corners)
    }

    /// Bytes of memory that it takes.
    pub(crate) fn weight(&self) -> usize {
        let normals: usize = self.edges.iter().map(|bend| bend.normals.len()).sum();
        self.edges.len() * size_of::<Bend>() + (self.points.len() + normals) * size_of::<DVec3>()
    }
}

/// Normals that differ less than this in each coordinate are those of one plane.
const SAME: f64 = 1e-9;

/// The directions of the faces at one edge between two corners.
struct Sides {
    /// The numbers of its corners, the lower one first.
    key: (u32, u32),
    /// The first two directions; nearly all edges have no more.
    pair: [DVec3; 2],
    count: usize,
    more: Vec<DVec3>,
}

impl Sides {
    fn new(key: (u32, u32)) -> Sides {
        Sides { key, pair: [DVec3::ZERO; 2], count: 0, more: Vec::new() }
    }

    fn push(&mut self, normal: DVec3) {
        match self.pair.get_mut(self.count) {
            Some(place) => *place = normal,
            None => self.more.push(normal),
        }
        self.count += 1;
    }

    fn normals(&self) -> impl Iterator<Item = &DVec3> {
        self.pair.iter().take(self.count).chain(&self.more)
    }

    /// The edge, unless it has no face or lies in a plane.
    fn bend(&self) -> Option<Bend> {
        let corners = [self.key.0, self.key.1];
        if self.count == 1 {
            return Some(Bend { corners, cosine: f64::NEG_INFINITY, normals: Vec::new() });
        }
        let (first, rest) = (self.normals().next()?, self.normals().skip(1));
        let others: Vec<DVec3> = rest.copied().filter(|n| (*n - *first).abs().max_element() > SAME).collect();
        if others.is_empty() {
            return None;
        }
        let cosine = others.iter().map(|n| first.dot(*n)).fold(f64::INFINITY, f64::min);
        let normals = std::iter::once(*first).chain(others).collect();
        Some(Bend { corners, cosine, normals })
    }
}

/// Edges by their corners, in the order in which they came.
#[derive(Default)]
struct Net {
    places: HashMap<(u32, u32), u32>,
    sides: Vec<Sides>,
}

impl Net {
    fn add(&mut self, (a, b): (u32, u32), normals: impl IntoIterator<Item = DVec3>) {
        let key = (a.min(b), a.max(b));
        let place = *self.places.entry(key).or_insert_with(|| {
            self.sides.push(Sides::new(key));
            self.sides.len() as u32 - 1
        });
        if let Some(sides) = self.sides.get_mut(place as usize) {
            normals.into_iter().for_each(|normal| sides.push(normal));
        }
    }
}

/// Parts edges of one face at the corners of others that lie on them. Where a long edge of one face runs along short ones of its
/// neighbours, none of them is a rim: in parts they meet.
fn part_rims(points: &[DVec3], net: &mut Net) {
    let rims: Vec<(u32, u32)> = net.sides.iter().filter(|s| s.count == 1).map(|s| s.key).collect();
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
        let place = net.places.get(&key).map_or(usize::MAX, |place| *place as usize);
        let Some(whole) = net.sides.get_mut(place) else { continue };
        // left without directions, it is no line
        let whole = std::mem::replace(whole, Sides::new(key));
        on.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let chain: Vec<u32> =
            std::iter::once(key.0).chain(on.into_iter().map(|(_, c)| c)).chain([key.1]).collect();
        for pair in chain.windows(2) {
            let &[a, b] = pair else { continue };
            net.add((a, b), whole.normals().copied());
        }
    }
}
