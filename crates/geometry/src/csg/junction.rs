//! T-junctions: where one triangle's edge runs past the corners of others, it is split at them.
//!
//! Cutting in two dimensions and joining faces of one plane leave such edges; a boolean needs every edge with both its sides.

use super::closed::{NEAR, Triangles};
use super::{CsgError, MAX_TRIANGLES};
use crate::math::Bounds;
use glam::DVec3;
use ifc::placement::unit;
use std::collections::HashMap;

/// The edges that more loops run along in one direction than in the other.
pub(super) fn unbalanced<'l>(loops: impl Iterator<Item = &'l [u32]>) -> Vec<[u32; 2]> {
    let mut sides: HashMap<[u32; 2], i32> = HashMap::with_capacity(loops.size_hint().0 * 3 / 2);
    for l in loops {
        for (&p, &q) in l.iter().zip(l.iter().skip(1).chain(l.first())) {
            *sides.entry([p.min(q), p.max(q)]).or_default() += if p < q { 1 } else { -1 };
        }
    }
    let mut open: Vec<[u32; 2]> = sides.into_iter().filter(|s| s.1 != 0).map(|s| s.0).collect();
    open.sort_unstable();
    open
}

/// Splits triangles whose edges run past corners of others until every edge has both its sides.
pub(super) fn close(
    points: &[DVec3],
    triangles: &mut Triangles,
    planes: &mut Vec<u32>,
) -> Result<(), CsgError> {
    const ROUNDS: usize = 4;
    for round in 0..=ROUNDS {
        let open = unbalanced(triangles.iter().map(<[u32; 3]>::as_slice));
        if open.is_empty() {
            return Ok(());
        }
        let passed = passed(points, &open)?;
        if passed.is_empty() || round == ROUNDS {
            return Err(CsgError::Open { edges: open.len() });
        }
        let mut split = Vec::with_capacity(triangles.len() + open.len());
        let mut split_planes = Vec::with_capacity(split.capacity());
        let mut waiting: Triangles = Vec::new();
        let mut looked_at = 0;
        for (t, &plane) in triangles.iter().zip(planes.iter()) {
            waiting.push(*t);
            while let Some(t) = waiting.pop() {
                // needles whose edges pass each other's corners would be split into each other for ever
                looked_at += 1;
                if looked_at > 2 * MAX_TRIANGLES {
                    return Err(CsgError::Open { edges: open.len() });
                }
                let [a, b, c] = t;
                let turned = [[a, b, c], [b, c, a], [c, a, b]];
                let hit = turned
                    .into_iter()
                    .find_map(|[a, b, c]| Some(([a, b, c], passed.get(&[a.min(b), a.max(b)])?)));
                let Some(([a, b, c], between)) = hit else {
                    split.push(t);
                    split_planes.push(plane);
                    continue;
                };
                let mut last = a;
                let mut step = |next: u32| {
                    if last != next && next != c && last != c {
                        waiting.push([last, next, c]);
                    }
                    last = next;
                };
                if a < b {
                    between.iter().copied().for_each(&mut step);
                } else {
                    between.iter().rev().copied().for_each(&mut step);
                }
                step(b);
                if split.len() + waiting.len() > MAX_TRIANGLES {
                    return Err(CsgError::TooLarge { triangles: split.len(), most: MAX_TRIANGLES });
                }
            }
        }
        (*triangles, *planes) = (split, split_planes);
    }
    Ok(())
}

/// For each open edge the open corners that lie on it, in order from the lesser end.
fn passed(points: &[DVec3], open: &[[u32; 2]]) -> Result<HashMap<[u32; 2], Vec<u32>>, CsgError> {
    /// Comparisons before a body counts as hopelessly open.
    const MOST: usize = 50_000_000;
    let at = |i: u32| points.get(i as usize).copied().unwrap_or_default();
    let mut ends: Vec<u32> = open.iter().flatten().copied().collect();
    ends.sort_unstable();
    ends.dedup();
    let size = Bounds::from_points(ends.iter().map(|&i| at(i))).size();
    let axis = (0..3).max_by(|&i, &j| size[i].total_cmp(&size[j])).unwrap_or(0);
    ends.sort_by(|&i, &j| at(i)[axis].total_cmp(&at(j)[axis]));
    let mut found = HashMap::new();
    let mut compared = 0;
    for &[a, b] in open {
        let (p, q) = (at(a), at(b));
        let along = q - p;
        let Some(d) = unit(along) else { continue };
        let reach = along.length();
        let (low, high) = (p[axis].min(q[axis]) - NEAR, p[axis].max(q[axis]) + NEAR);
        let start = ends.partition_point(|&i| at(i)[axis] < low);
        let mut on: Vec<(f64, u32)> = Vec::new();
        for &i in ends.iter().skip(start).take_while(|&&i| at(i)[axis] <= high) {
            compared += 1;
            let v = at(i) - p;
            let t = v.dot(d);
            if i != a && i != b && t > 0.0 && t < reach && (v - d * t).length() <= 2.0 * NEAR {
                on.push((t, i));
            }
        }
        if compared > MOST {
            return Err(CsgError::Open { edges: open.len() });
        }
        if !on.is_empty() {
            on.sort_by(|x, y| x.0.total_cmp(&y.0));
            found.insert([a, b], on.into_iter().map(|x| x.1).collect());
        }
    }
    Ok(found)
}
