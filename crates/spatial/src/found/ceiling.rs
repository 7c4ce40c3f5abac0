//! Ceilings: the undersides of slabs, roofs and suspended ceilings over a floor, of which the lowest counts at each place.

use crate::facet::{counts, loops_of, snapped};
use geometry::{
    Face, Scene, Solid,
    region::{self, Area, Loop},
};
use glam::{DVec2, DVec3};

/// Faces that look down more steeply than this count as ceiling.
const DOWN: f64 = -0.1;
/// A ceiling that is lower over the floor than this, in metres, on the whole is none.
const LEAST: f64 = 0.5;

/// A flat face that looks down.
pub(crate) struct Underside {
    /// A point of its plane and its normal.
    at: DVec3,
    normal: DVec3,
    /// In plan.
    loops: Vec<Loop>,
    low: DVec3,
    high: DVec3,
}

/// A part of a room in plan with its ceiling.
pub(crate) struct Part {
    pub(crate) area: Area,
    at: DVec3,
    normal: DVec3,
}

impl Part {
    /// Height of the ceiling at a place, in metres of the world.
    pub(crate) fn height(&self, p: DVec2) -> f64 {
        let (n, o) = (self.normal, self.at);
        o.z - (n.x * (p.x - o.x) + n.y * (p.y - o.y)) / n.z
    }
}

/// All undersides of a version, as they are drawn: with the openings in slabs.
pub(crate) fn undersides(scene: &Scene) -> Vec<Underside> {
    let model = scene.model();
    let mut found = Vec::new();
    for id in ["IfcSlab", "IfcRoof", "IfcCovering"].iter().flat_map(|class| model.of_class(class)) {
        let Some(shape) = scene.shape(id).filter(|shape| !shape.is_box) else { continue };
        let mesh = shape.mesh();
        let corner = |i: u32| mesh.positions.get(i as usize).copied();
        let face = |t: &[u32; 3]| {
            Some(Face { loops: vec![t.iter().map(|i| corner(*i)).collect::<Option<Vec<_>>>()?] })
        };
        let looks_down = |f: &Face| f.normal().is_some_and(|n| n.z < DOWN);
        let faces = mesh.triangles.iter().filter_map(face).filter(looks_down).collect();
        for face in Solid::new(faces, false).merged().faces {
            let (Some(normal), Some(at)) = (face.normal(), face.loops.first().and_then(|l| l.first())) else {
                continue;
            };
            let points = || face.loops.iter().flatten();
            let low = points().copied().fold(DVec3::INFINITY, DVec3::min);
            let high = points().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
            let flat = |l: &Vec<DVec3>| -> Loop { l.iter().rev().map(|p| p.truncate()).collect() };
            found.push(Underside {
                at: *at,
                normal,
                loops: face.loops.iter().map(flat).collect(),
                low,
                high,
            });
        }
    }
    found.sort_by(|a, b| (a.low.z + a.high.z).total_cmp(&(b.low.z + b.high.z)));
    found
}

/// Closes what a stair takes out of a ceiling: a part up to this size, in m², that goes on into the next storey, beside parts that end
/// below, ends as high as most of these.
const STAIR: f64 = 6.0;

fn close_holes(parts: &mut [Part], top: f64) {
    let lowest = |part: &Part| part.area.outer.iter().map(|p| part.height(*p)).fold(f64::INFINITY, f64::min);
    let below = parts.iter().filter(|part| lowest(part) < top);
    let Some(most) = below.max_by(|a, b| a.area.size().total_cmp(&b.area.size())) else { return };
    let (at, normal, size) = (most.at, most.normal, most.area.size());
    for part in parts {
        if lowest(part) > top && part.area.size() < STAIR && size > part.area.size() && normal.z < -0.999 {
            (part.at, part.normal) = (at, normal);
        }
    }
}

/// A floor in parts, each with the ceiling that comes next above it, or with a level one at `top` where there is none; and the area in m²
/// that has one.
pub(crate) fn under(undersides: &[Underside], floor: &[Area], foot: f64, top: f64) -> (Vec<Part>, f64) {
    let outline: Vec<Loop> = loops_of(floor);
    let mut left = outline.clone();
    let mut parts: Vec<Part> = Vec::new();
    let (low, high) = crate::facet::extent(left.iter().flatten()).unwrap_or_default();
    for under in undersides {
        let apart =
            under.low.x > high.x || under.high.x < low.x || under.low.y > high.y || under.high.y < low.y;
        if apart || under.high.z < foot + LEAST || left.is_empty() {
            continue;
        }
        // a slab that ends at the face of a wall ends there
        let seen: Vec<Loop> = under.loops.iter().map(|l| snapped(l, &outline)).collect();
        let shared: Vec<Area> = region::intersection(&left, &seen).into_iter().filter(counts).collect();
        let made = shared.into_iter().map(|area| Part { area, at: under.at, normal: under.normal });
        let fits = |part: &Part| {
            let heights = part.area.outer.iter().map(|p| part.height(*p) - foot);
            let (least, sum) = heights.fold((f64::INFINITY, 0.0), |(l, s), h| (l.min(h), s + h));
            least > -0.05 && sum / part.area.outer.len().max(1) as f64 > LEAST
        };
        let made: Vec<Part> = made.filter(fits).collect();
        if made.is_empty() {
            continue;
        }
        let taken: Vec<Loop> = made.iter().flat_map(|part| part.area.loops().cloned()).collect();
        left = loops_of(&region::difference(&left, &taken));
        parts.extend(made);
    }
    close_holes(&mut parts, top);
    let covered = parts.iter().map(|part| part.area.size()).sum();
    let open = region::even_odd(&left).into_iter().filter(counts);
    parts.extend(open.map(|area| Part { area, at: DVec3::new(0.0, 0.0, top), normal: -DVec3::Z }));
    (parts, covered)
}
