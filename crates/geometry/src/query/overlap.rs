//! What two elements share: the volume, exactly, and how thick the shared body is, without building it.
//!
//! The shared body's surface is made of the parts of either surface that lie in the other. By the divergence theorem its volume
//! is a sum over the corners, edges and crossings of these parts alone (Franklin and Kankanhalli 1993), to which every corner and
//! every crossing adds by itself: nothing has to be sorted, joined or closed. That the sum of the parts' vector areas is zero
//! shows that none is missing. Which parts lie inside is decided by [`super::exact`].

use super::{
    exact::{self, Edges},
    inside::around,
    near::middle,
    scene::Element,
    triangle::Triangle,
};
use crate::math::{Bounds, P3, add, cross, dot, length, scale, sub, unit};
use std::collections::{BTreeMap, HashMap};

/// Directions beyond this number are not tried for the thickness.
const DIRECTIONS: usize = 96;

/// What two elements share.
#[derive(Debug, Clone, PartialEq)]
pub struct Overlap {
    /// The shared volume in cubic metres; nothing where one of the two does not enclose any, or where the surfaces contradict
    /// themselves.
    pub volume: Option<f64>,
    /// The depth of the penetration in metres: the least thickness of the shared body, measured square to the faces that bound
    /// it. A beam that ends 50 mm deep in a wall has 50 mm; one that goes through has the wall's thickness or its own, whichever
    /// is less.
    pub depth: f64,
    /// The box around what is shared.
    pub bounds: Bounds,
    /// Whether one of them has bodies that overlap each other, so that the volume counts some places twice.
    pub is_manifold: bool,
}

/// One of the two, as far as it comes near the other. Coordinates are less the common origin.
struct Part<'e> {
    element: &'e Element,
    of: Edges,
    triangles: HashMap<u32, usize>,
    flat: Vec<Flat>,
}

/// A triangle with its direction.
struct Flat {
    corners: Triangle,
    normal: P3,
    /// Whether some of it lies in the other.
    shared: bool,
}

/// The sums over one of the surfaces.
#[derive(Default)]
struct Sums {
    volume: f64,
    area: f64,
    gap: P3,
}

impl Sums {
    /// Adds twice the area that a boundary from `p` to `q` sweeps about the triangle's first corner.
    fn add(&mut self, t: &Flat, p: P3, q: P3, times: f64) {
        let v = t.corners[0];
        let twice = times * dot(t.normal, cross(sub(p, v), sub(q, v)));
        self.volume += dot(t.normal, v) * twice / 6.0;
        self.area += twice / 2.0;
        self.gap = add(self.gap, scale(t.normal, twice / 2.0));
    }
}

impl<'e> Part<'e> {
    fn new(element: &'e Element, other: &Bounds, origin: P3, of: Edges) -> Part<'e> {
        let mut part = Part { element, of, triangles: HashMap::new(), flat: Vec::new() };
        element.tree().each(
            |b| b.meets(other, 0.0),
            |number| {
                let world = element.triangle(number, [0.0; 3]);
                let meets = world.is_some_and(|t| Bounds::of(t).meets(other, 0.0));
                if let (true, Some(corners)) = (meets, element.triangle(number, origin))
                    && exact::has_area(corners)
                    && let Some(normal) = direction(corners)
                {
                    part.triangles.insert(number, part.flat.len());
                    part.flat.push(Flat { corners, normal, shared: false });
                }
            },
        );
        part
    }
}

/// The normal at length one, also of slivers.
fn direction([a, b, c]: Triangle) -> Option<P3> {
    let n = cross(sub(b, a), sub(c, a));
    let size = n.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    (size > 0.0 && size.is_finite()).then(|| unit(scale(n, 1.0 / size))).flatten()
}

/// Where an edge goes through a triangle's plane: the same point whichever way the edge runs.
fn crossing([p, q]: [P3; 2], t: &Flat) -> P3 {
    let (p, q) = if p.iter().lt(q.iter()) { (p, q) } else { (q, p) };
    let v = t.corners[0];
    let (hp, hq) = (dot(t.normal, sub(p, v)), dot(t.normal, sub(q, v)));
    let d = hp - hq;
    let share = if d == 0.0 { 0.5 } else { (hp / d).clamp(0.0, 1.0) };
    add(p, scale(sub(q, p), share))
}

/// What two triangles have in common: for each edge that goes through the other triangle, whose it is, where it ends, where it
/// goes through and whether in (1) or out (-1); at most two.
fn cross_triangles(s: &Flat, t: &Flat) -> Option<[(Edges, P3, P3, i32); 2]> {
    let ss = s.corners.map(|p| exact::side(p, t.corners, Edges::OfFirst));
    if ss[0] == ss[1] && ss[1] == ss[2] {
        return None;
    }
    let ts = t.corners.map(|p| exact::side(p, s.corners, Edges::OfSecond));
    if ts[0] == ts[1] && ts[1] == ts[2] {
        return None;
    }
    let mut found = None;
    for (of, own, signs, other) in [(Edges::OfFirst, s, ss, t), (Edges::OfSecond, t, ts, s)] {
        for (i, j) in [(0, 1), (1, 2), (2, 0)] {
            let edge = [own.corners[i], own.corners[j]];
            if signs[i] == signs[j] || !exact::goes_through(edge, other.corners, of) {
                continue;
            }
            let one = (of, edge[1], crossing(edge, other), signs[i]);
            match found {
                None => found = Some(one),
                Some(first) => return Some([first, one]),
            }
        }
    }
    None
}

/// What two elements share. `None` where their surfaces neither cross nor one lies in the other.
pub fn overlap(a: &Element, b: &Element) -> Option<Overlap> {
    let (a_box, b_box) = (a.bounds(), b.bounds());
    if !a_box.meets(&b_box, 0.0) {
        return None;
    }
    let origin = middle(&a_box, &b_box);
    let mut first = Part::new(a, &b_box, origin, Edges::OfFirst);
    let mut second = Part::new(b, &a_box, origin, Edges::OfSecond);
    let (mut of_first, mut of_second) = (Sums::default(), Sums::default());
    let mut points = Vec::new();
    a.tree().pairs(b.tree(), 0.0, |left, right| {
        for l in left {
            for r in right {
                let (Some(&i), Some(&j)) = (first.triangles.get(l), second.triangles.get(r)) else {
                    continue;
                };
                let (Some(s), Some(t)) = (first.flat.get_mut(i), second.flat.get_mut(j)) else { continue };
                if !Bounds::of(s.corners).meets(&Bounds::of(t.corners), 0.0) {
                    continue;
                }
                let Some(ends) = cross_triangles(s, t) else { continue };
                // in the first triangle the shared part's boundary runs along the crossing from where an edge of its own leaves
                // the other body, or an edge of the other enters this one
                let is_start =
                    |(of, _, _, step): &(Edges, P3, P3, i32)| (*of == Edges::OfFirst) == (*step < 0);
                let [p, q] = if is_start(&ends[0]) { [ends[0].2, ends[1].2] } else { [ends[1].2, ends[0].2] };
                of_first.add(s, p, q, 1.0);
                of_second.add(t, q, p, 1.0);
                for (of, end, x, step) in ends {
                    match of {
                        Edges::OfFirst => of_first.add(s, x, end, f64::from(step)),
                        Edges::OfSecond => of_second.add(t, x, end, f64::from(step)),
                    }
                }
                (s.shared, t.shared) = (true, true);
                points.extend([p, q]);
            }
        }
    });
    let mut is_manifold = true;
    corners_inside(&mut first, b, origin, &mut of_first, &mut points, &mut is_manifold);
    corners_inside(&mut second, a, origin, &mut of_second, &mut points, &mut is_manifold);
    if points.is_empty() {
        return None;
    }
    let normals = directions(&first, &second);
    let thickness = |n: &P3| {
        let (low, high) =
            points.iter().map(|p| dot(*p, *n)).fold((f64::MAX, f64::MIN), |(l, h), v| (l.min(v), h.max(v)));
        high - low
    };
    let depth = normals.iter().map(thickness).fold(f64::INFINITY, f64::min);
    let solid = a.is_solid() && b.is_solid();
    let gap = length(add(of_first.gap, of_second.gap));
    let area = of_first.area.abs() + of_second.area.abs();
    let turned = a.measures().volume.signum() * b.measures().volume.signum();
    let is_whole = solid && gap <= 1e-6 * area + 1e-9;
    Some(Overlap {
        volume: is_whole.then_some((of_first.volume + of_second.volume) * turned),
        depth: if depth.is_finite() { depth } else { 0.0 },
        bounds: Bounds::of(points.iter().map(|p| add(*p, origin))),
        is_manifold,
    })
}

/// Adds what the corners of one add that lie inside the other.
fn corners_inside(
    part: &mut Part<'_>,
    other: &Element,
    origin: P3,
    sums: &mut Sums,
    points: &mut Vec<P3>,
    is_manifold: &mut bool,
) {
    if !other.is_solid() {
        return;
    }
    let within = other.bounds();
    let mut known: HashMap<[u64; 3], i32> = HashMap::new();
    for t in &mut part.flat {
        for (i, j) in [(0, 1), (1, 2), (2, 0)] {
            let p = t.corners[i];
            if !around(&within, add(p, origin)) {
                continue;
            }
            let times = *known.entry(p.map(f64::to_bits)).or_insert_with(|| {
                let times = other.winding(p, origin, part.of);
                if times != 0 {
                    points.push(p);
                }
                times
            });
            if times != 0 {
                t.shared = true;
                *is_manifold &= times.abs() == 1;
                let q = t.corners[j];
                sums.add(t, p, q, f64::from(times));
            }
        }
    }
}

/// The directions of the faces that bound what is shared; a surface without inside has no thickness to measure by.
fn directions(first: &Part<'_>, second: &Part<'_>) -> Vec<P3> {
    let any = first.element.is_solid() || second.element.is_solid();
    let mut found: BTreeMap<[i64; 3], P3> = BTreeMap::new();
    for part in [first, second] {
        if any && !part.element.is_solid() {
            continue;
        }
        for t in part.flat.iter().filter(|t| t.shared) {
            let turn = t.normal.iter().find(|v| v.abs() > 1e-3).map_or(1.0, |v| v.signum());
            let n = scale(t.normal, turn);
            found.entry(n.map(|v| (v * 500.0).round() as i64)).or_insert(n);
        }
    }
    let step = found.len().div_ceil(DIRECTIONS).max(1);
    found.into_values().step_by(step).collect()
}
