//! Constrained Delaunay triangles of areas: ears cut off and then edges flipped until no corner lies in a neighbour's circle (Lawson).

use geometry::region::{self, Area, Loop};
use glam::DVec2;
use std::collections::{HashMap, HashSet};

/// The triangles of an area, counter-clockwise, between its own corners.
pub fn triangulate(area: &Area) -> Vec<[DVec2; 3]> {
    let loops: Vec<Loop> = area.loops().cloned().collect();
    let points: Vec<DVec2> = loops.iter().flatten().copied().collect();
    // corners of loops that touch are one
    let mut known: HashMap<[u64; 2], u32> = HashMap::new();
    let mut same: Vec<u32> = Vec::with_capacity(points.len());
    for (i, p) in points.iter().enumerate() {
        same.push(*known.entry(p.to_array().map(|v| (v + 0.0).to_bits())).or_insert(i as u32));
    }
    let at = |i: u32| points.get(i as usize).copied().unwrap_or_default();
    let mut triangles: Vec<[u32; 3]> = Vec::new();
    for t in region::triangles(&loops).as_chunks::<3>().0 {
        let [a, b, c] = t.map(|i| same.get(i as usize).copied().unwrap_or(i));
        let twice = (at(b) - at(a)).perp_dot(at(c) - at(a));
        if a != b && b != c && c != a {
            triangles.push(if twice >= 0.0 { [a, b, c] } else { [a, c, b] });
        }
    }
    insert_left_out(&loops, &points, &same, &mut triangles);
    flip(&points, &mut triangles);
    triangles.iter().map(|t| t.map(at)).collect()
}

/// Puts in corners on straight borders, which cutting ears leaves out: neighbours beyond the border may need them.
fn insert_left_out(loops: &[Loop], points: &[DVec2], same: &[u32], triangles: &mut Vec<[u32; 3]>) {
    let used: HashSet<u32> = triangles.iter().flatten().copied().collect();
    let at = |i: u32| points.get(i as usize).copied().unwrap_or_default();
    let count: usize = loops.iter().map(Vec::len).sum();
    for i in 0..count {
        let Some(corner) = same.get(i).copied().filter(|corner| !used.contains(corner)) else { continue };
        let p = at(corner);
        let is_on = |q: u32, r: u32| {
            let (q, r) = (at(q), at(r));
            q != p && r != p && crate::shadow::to_line(p, q, r) < 1e-9
        };
        let found = triangles.iter().enumerate().find_map(|(t, corners)| {
            (0..3).find(|k| is_on(corners[*k], corners[(*k + 1) % 3])).map(|k| (t, k))
        });
        let Some((t, k)) = found else { continue };
        let [a, b, c] = [0, 1, 2].map(|j| triangles[t][(k + j) % 3]);
        triangles[t] = [a, corner, c];
        triangles.push([corner, b, c]);
    }
}

/// Flips edges until the triangles are Delaunay, but for the borders.
fn flip(points: &[DVec2], triangles: &mut [[u32; 3]]) {
    let at = |i: u32| points.get(i as usize).copied().unwrap_or_default();
    let mut beside: HashMap<[u32; 2], usize> = HashMap::new();
    for (t, corners) in triangles.iter().enumerate() {
        for k in 0..3 {
            beside.insert([corners[k], corners[(k + 1) % 3]], t);
        }
    }
    let mut open: Vec<[u32; 2]> = beside.keys().copied().filter(|[a, b]| a < b).collect();
    open.sort_unstable();
    // each flip brings the triangles nearer to Delaunay's; rounding could go round in circles
    let mut left = 20 * open.len() + 100;
    while let Some([a, b]) = open.pop() {
        let (Some(&s), Some(&t)) = (beside.get(&[a, b]), beside.get(&[b, a])) else { continue };
        let across = |t: usize| triangles[t].iter().copied().find(|i| *i != a && *i != b);
        let (Some(c), Some(d)) = (across(s), across(t)) else { continue };
        let is_convex = (at(a) - at(c)).perp_dot(at(d) - at(c)) > 1e-12
            && (at(d) - at(c)).perp_dot(at(b) - at(c)) > 1e-12;
        if s == t || c == d || !is_convex || !is_within_circle(at(a), at(b), at(c), at(d)) || left == 0 {
            continue;
        }
        left -= 1;
        (triangles[s], triangles[t]) = ([c, a, d], [c, d, b]);
        beside.remove(&[a, b]);
        beside.remove(&[b, a]);
        for (t, corners) in [(s, [c, a, d]), (t, [c, d, b])] {
            for k in 0..3 {
                beside.insert([corners[k], corners[(k + 1) % 3]], t);
            }
        }
        open.extend([[c, a], [a, d], [d, b], [b, c]].map(|[p, q]| [p.min(q), p.max(q)]));
    }
}

/// Returns true if `d` lies clearly in the circle through three points that run counter-clockwise.
fn is_within_circle(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> bool {
    let (a, b, c) = (a - d, b - d, c - d);
    let det = a.length_squared() * b.perp_dot(c)
        + b.length_squared() * c.perp_dot(a)
        + c.length_squared() * a.perp_dot(b);
    let scale = a.length_squared().max(b.length_squared()).max(c.length_squared());
    det > 1e-10 * scale * scale
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_corner_on_a_straight_border_is_a_corner_of_triangles() {
        let outer = [[0.0, 0.0], [1.0, 0.0], [2.5, 0.0], [4.0, 0.0], [4.0, 3.0], [0.0, 3.0]].map(DVec2::from);
        let triangles = triangulate(&Area::new(outer.to_vec(), Vec::new()));
        for p in outer {
            assert!(triangles.iter().flatten().any(|q| *q == p), "{p}");
        }
        assert_eq!(triangles.len(), outer.len() - 2);
    }

    #[test]
    fn triangles_cover_an_area_with_a_hole_and_are_delaunay() {
        let square = |low: f64, high: f64| {
            [[low, low], [high, low], [high, high], [low, high]].map(DVec2::from).to_vec()
        };
        let area = Area::new(square(0.0, 9.0), vec![square(1.0, 2.0), square(6.0, 8.0)]);
        let triangles = triangulate(&area);
        let size: f64 = triangles.iter().map(|[a, b, c]| (b - a).perp_dot(c - a) / 2.0).sum();
        assert!((size - area.size()).abs() < 1e-9, "{size}");
        for [a, b, c] in &triangles {
            for [p, q, r] in &triangles {
                let shared = [p, q, r].iter().filter(|x| [a, b, c].contains(x)).count();
                let other = [p, q, r].into_iter().find(|x| ![a, b, c].contains(x));
                if let (2, Some(d)) = (shared, other) {
                    assert!(!is_within_circle(*a, *b, *c, *d), "{a} {b} {c} holds {d}");
                }
            }
        }
    }
}
