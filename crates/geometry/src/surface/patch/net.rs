//! The triangulation in the plane of parameters: the grid's points within the lines, and triangles between all of them.

use super::{Corner, MAX_INNER};
use crate::math::P2;
use spade::{ConstrainedDelaunayTriangulation, HasPosition, Point2, Triangulation};
use std::collections::{HashMap, HashSet};

/// How near to the border, in steps, the grid keeps out.
const MARGIN: f64 = 0.45;

impl HasPosition for Corner {
    type Scalar = f64;
    fn position(&self) -> Point2<f64> {
        Point2::new(self.at[0], self.at[1])
    }
}

/// The sides of closed lines.
fn sides(lines: &[Vec<Corner>]) -> impl Iterator<Item = (&Corner, &Corner)> {
    lines.iter().flat_map(|l| l.iter().zip(l.iter().skip(1).chain(l.first())))
}

/// The grid's points that lie within the lines and not too near to them.
pub(super) fn grid(lines: &[Vec<Corner>], low: P2, high: P2) -> Result<Vec<P2>, String> {
    let (from, to) = (low[1].ceil() as i64, high[1].floor() as i64);
    let mut crossings: Vec<Vec<f64>> = vec![Vec::new(); (to - from + 1).max(0) as usize];
    let mut near: HashSet<[i64; 2]> = HashSet::new();
    let mut looked_at = 0;
    for (a, b) in sides(lines) {
        let (p, q) = (a.at, b.at);
        let (bottom, top) = if p[1] < q[1] { (p, q) } else { (q, p) };
        let mut row = bottom[1].ceil() as i64;
        // a row through a corner meets the side above it only
        while (row as f64) < top[1] {
            let share = (row as f64 - bottom[1]) / (top[1] - bottom[1]);
            if let Some(found) = crossings.get_mut((row - from) as usize) {
                found.push(bottom[0] + (top[0] - bottom[0]) * share);
            }
            row += 1;
        }
        let pieces = ((q[0] - p[0]).hypot(q[1] - p[1]) / 0.25).ceil().max(1.0) as usize;
        for k in 0..=pieces.min(100_000) {
            let share = k as f64 / pieces as f64;
            let at = [p[0] + (q[0] - p[0]) * share, p[1] + (q[1] - p[1]) * share];
            let corner = at.map(|v| v.round() as i64);
            if (at[0] - corner[0] as f64).hypot(at[1] - corner[1] as f64) < MARGIN {
                near.insert(corner);
            }
        }
        looked_at += pieces + (top[1] - bottom[1]) as usize;
        if looked_at > 40 * MAX_INNER {
            return Err("would need too many triangles".to_owned());
        }
    }
    let mut inner = Vec::new();
    for (k, found) in crossings.iter_mut().enumerate() {
        found.sort_by(f64::total_cmp);
        let row = from + k as i64;
        for pair in found.chunks_exact(2) {
            for column in pair[0].ceil() as i64..=pair[1].floor() as i64 {
                if !near.contains(&[column, row]) {
                    inner.push([column as f64, row as f64]);
                }
            }
        }
        if inner.len() > MAX_INNER {
            return Err("would need too many triangles".to_owned());
        }
    }
    debug_assert!(inner.iter().all(|p| p[0] >= low[0] - 1.0 && p[0] <= high[0] + 1.0));
    Ok(inner)
}

/// The triangles within the lines, counter-clockwise, with the grid's points.
pub(super) fn triangulated(lines: &[Vec<Corner>], inner: &[P2]) -> Result<Vec<[Corner; 3]>, String> {
    let mut net: ConstrainedDelaunayTriangulation<Corner> = ConstrainedDelaunayTriangulation::new();
    let odd = |_| "has bounds that cannot be laid flat".to_owned();
    let mut handles = Vec::with_capacity(lines.len());
    for line in lines {
        let mut own = Vec::with_capacity(line.len());
        for c in line {
            // what is as good as nought is nought to the triangulation
            let at = c.at.map(|v| if v.abs() < 1e-12 { 0.0 } else { v });
            own.push(net.insert(Corner { at, ..*c }).map_err(odd)?);
        }
        handles.push(own);
    }
    // a side that a line goes along twice, in and out again, divides nothing
    let mut borders: HashMap<[usize; 2], bool> = HashMap::new();
    for line in &handles {
        for (a, b) in line.iter().zip(line.iter().skip(1).chain(line.first())).filter(|(a, b)| a != b) {
            let made = net.try_add_constraint(*a, *b);
            if made.is_empty() {
                return Err("has bounds that cross".to_owned());
            }
            for edge in made {
                let ends = net.directed_edge(edge).vertices().map(|v| v.index());
                *borders.entry([ends[0].min(ends[1]), ends[0].max(ends[1])]).or_default() ^= true;
            }
        }
    }
    for p in inner {
        net.insert(Corner { at: *p, point: u32::MAX }).map_err(odd)?;
    }
    // from outside in: each border that is crossed changes sides
    let mut neighbours: Vec<Vec<(usize, bool)>> = vec![Vec::new(); net.num_all_faces()];
    for edge in net.undirected_edges() {
        let directed = edge.as_directed();
        let (a, b) = (directed.face().index(), directed.rev().face().index());
        let ends = directed.vertices().map(|v| v.index());
        let key = [ends[0].min(ends[1]), ends[0].max(ends[1])];
        let border = borders.get(&key).copied().unwrap_or(false);
        neighbours[a].push((b, border));
        neighbours[b].push((a, border));
    }
    let outside = net.outer_face().index();
    let mut inside: Vec<Option<bool>> = vec![None; net.num_all_faces()];
    inside[outside] = Some(false);
    let mut open = vec![(outside, false)];
    while let Some((face, own)) = open.pop() {
        for &(next, border) in &neighbours[face] {
            if inside[next].is_none() {
                inside[next] = Some(own ^ border);
                open.push((next, own ^ border));
            }
        }
    }
    let made = net.inner_faces().filter(|f| inside.get(f.index()).copied().flatten() == Some(true));
    Ok(made.map(|f| f.vertices().map(|v| *v.data())).collect())
}
