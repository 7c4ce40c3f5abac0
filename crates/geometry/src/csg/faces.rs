//! From triangles back to polygons: triangles of one plane that share an edge become one face, their corners as they are.
//!
//! Joining is a matter of edges alone, without rounding, so neighbours keep the same corners and the body stays closed.

use super::TOUCH;
use super::closed::{Prepared, volume};
use super::engine::Outcome;
use crate::math::{perpendicular, signed_area};
use crate::solid::{Face, Solid};
use glam::{DVec2, DVec3};
use ifc::placement::unit;
use std::collections::{BTreeMap, HashMap};

/// A corner nearer to the line between its neighbours than this, in metres, bends nothing.
const STRAIGHT: f64 = 1e-7;

/// The triangles as a solid with polygons for faces, in the coordinates that the operands came in.
pub(super) fn solid(outcome: &Outcome, prepared: &Prepared) -> Solid {
    let at = |i: u32| outcome.points.get(i as usize).copied().unwrap_or_default();
    if is_skin(outcome) {
        return Solid::new(Vec::new(), true);
    }
    let mut groups: BTreeMap<(u32, bool), Vec<[u32; 3]>> = BTreeMap::new();
    for (i, &t) in outcome.triangles.iter().enumerate() {
        let plane = outcome.planes.get(i).copied().unwrap_or(u32::MAX);
        let normal = (at(t[1]) - at(t[0])).cross(at(t[2]) - at(t[0]));
        let front = prepared.normals.get(plane as usize).is_some_and(|n| n.dot(normal) >= 0.0);
        groups.entry((plane, front)).or_default().push(t);
    }
    let mut polygons: Vec<Vec<Vec<u32>>> = Vec::new();
    for ((plane, front), triangles) in groups {
        let normal = prepared.normals.get(plane as usize).map(|n| if front { *n } else { n.map(|v| -v) });
        match normal.and_then(|n| outlines(&triangles, n, &at)) {
            Some(faces) => polygons.extend(faces),
            None => polygons.extend(triangles.into_iter().map(|t| vec![t.to_vec()])),
        }
    }
    straighten(&mut polygons, &at);
    let place = |l: Vec<u32>| l.into_iter().map(|i| at(i) + prepared.origin).collect();
    let face = |loops: Vec<Vec<u32>>| Face { loops: loops.into_iter().map(place).collect() };
    Solid::new(polygons.into_iter().map(face).collect(), true)
}

/// Returns true if the outcome is thinner than a micrometre: what rounding leaves between faces that were meant to
/// coincide.
fn is_skin(outcome: &Outcome) -> bool {
    let at = |i: u32| outcome.points.get(i as usize).copied().unwrap_or_default();
    let area = |&[a, b, c]: &[u32; 3]| (at(b) - at(a)).cross(at(c) - at(a)).length() / 2.0;
    let surface: f64 = outcome.triangles.iter().map(area).sum();
    volume(&outcome.points, &outcome.triangles) < surface / 2.0 * TOUCH
}

/// The outlines of triangles that lie in one plane, as faces of an outer loop and holes; nothing where they cannot be told apart.
fn outlines(triangles: &[[u32; 3]], normal: DVec3, at: &impl Fn(u32) -> DVec3) -> Option<Vec<Vec<Vec<u32>>>> {
    if let [t] = triangles {
        return Some(vec![vec![t.to_vec()]]);
    }
    let x = perpendicular(unit(normal)?);
    let y = normal.cross(x);
    let flat = |i: u32| -> DVec2 { DVec2::new(at(i).dot(x), at(i).dot(y)) };
    // what two triangles share goes; what is left runs round the outside, counter-clockwise, and round holes the other way
    let mut sides: HashMap<[u32; 2], i32> = HashMap::with_capacity(triangles.len() * 3);
    for &[a, b, c] in triangles {
        for [p, q] in [[a, b], [b, c], [c, a]] {
            *sides.entry([p.min(q), p.max(q)]).or_default() += if p < q { 1 } else { -1 };
        }
    }
    let mut next: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for ([a, b], n) in sides {
        let (from, to) = if n > 0 { (a, b) } else { (b, a) };
        match n.abs() {
            0 => {}
            1 => next.entry(from).or_default().push(to),
            _ => return None,
        }
    }
    let mut loops: Vec<Vec<u32>> = Vec::new();
    while let Some((&start, _)) = next.iter().find(|(_, to)| !to.is_empty()) {
        let mut l = vec![start];
        let mut here = next.get_mut(&start)?.pop()?;
        let mut from = start;
        while here != start {
            l.push(here);
            let ways = next.get_mut(&here)?;
            let way = if ways.len() < 2 {
                0
            } else {
                // where outlines touch: the first way clockwise from where one came has the same inside
                let (p, back) = (flat(here), flat(from));
                let angle = |to: DVec2| {
                    let (u, v) = (back - p, to - p);
                    let a = v.perp_dot(u).atan2(u.dot(v));
                    if a <= 0.0 { a + std::f64::consts::TAU } else { a }
                };
                (0..ways.len()).min_by(|&i, &j| {
                    let of = |k: usize| ways.get(k).map_or(f64::MAX, |&w| angle(flat(w)));
                    of(i).total_cmp(&of(j))
                })?
            };
            if ways.is_empty() {
                return None;
            }
            from = here;
            here = ways.swap_remove(way);
        }
        loops.push(l);
        next.retain(|_, to| !to.is_empty());
    }
    let area = |l: &Vec<u32>| signed_area(&l.iter().map(|&i| flat(i)).collect::<Vec<_>>());
    let (outer, holes): (Vec<_>, Vec<_>) = loops.into_iter().partition(|l| area(l) > 0.0);
    let mut faces: Vec<(f64, Vec<DVec2>, Vec<Vec<u32>>)> =
        outer.into_iter().map(|l| (area(&l), l.iter().map(|&i| flat(i)).collect(), vec![l])).collect();
    // a hole belongs to the smallest outline that it lies in
    faces.sort_by(|a, b| a.0.total_cmp(&b.0));
    for hole in holes {
        let (a, b) = (flat(*hole.first()?), flat(*hole.get(1)?));
        let middle = a.midpoint(b);
        let alone = faces.len() == 1;
        let owner = faces.iter_mut().find(|f| alone || (f.0 > -area(&hole) && contains(&f.1, middle)));
        match owner {
            Some(f) => f.2.push(hole),
            // a sliver that rounding turned over
            None if area(&hole) > -1e-9 => faces.push((0.0, Vec::new(), vec![hole])),
            None => return None,
        }
    }
    Some(faces.into_iter().map(|f| f.2).collect())
}

fn contains(outline: &[DVec2], p: DVec2) -> bool {
    let next = outline.iter().skip(1).chain(outline.first());
    let crossed = outline
        .iter()
        .zip(next)
        .filter(|(a, b)| (a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x));
    crossed.count() % 2 == 1
}

/// Takes away corners on the straight line between their neighbours where just two faces meet in them.
fn straighten(polygons: &mut [Vec<Vec<u32>>], at: &impl Fn(u32) -> DVec3) {
    let mut uses: HashMap<u32, (usize, bool)> = HashMap::new();
    for l in polygons.iter().flatten() {
        for (i, &v) in l.iter().enumerate() {
            let (before, after) = (l[(i + l.len() - 1) % l.len()], l[(i + 1) % l.len()]);
            let (u, w) = (at(v) - at(before), at(after) - at(before));
            let off = unit(w).map_or(f64::MAX, |d| u.cross(d).length());
            let on = off < STRAIGHT && u.dot(w) > 0.0 && u.dot(w) < w.dot(w);
            let entry = uses.entry(v).or_insert((0, true));
            *entry = (entry.0 + 1, entry.1 && on);
        }
    }
    let idle = |v: &u32| uses.get(v).is_some_and(|(n, on)| *n == 2 && *on);
    // only where every loop keeps a triangle's worth, or its neighbour would lose what it does not
    let enough = |l: &Vec<u32>| l.iter().filter(|v| !idle(v)).count() > 2;
    if polygons.iter().flatten().all(enough) {
        for l in polygons.iter_mut().flatten() {
            l.retain(|v| !idle(v));
        }
    }
}
