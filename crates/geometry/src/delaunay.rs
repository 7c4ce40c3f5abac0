//! Constrained Delaunay triangulation (by `spade`): for surfaces with points inside, and for the polygons that cutting ears gets wrong.

use glam::DVec2;
use spade::{ConstrainedDelaunayTriangulation, HasPosition, Point2, Triangulation};
use std::collections::HashMap;

/// A place in the plane, and the number of the point that stands there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Corner {
    pub at: DVec2,
    pub point: u32,
}

impl HasPosition for Corner {
    type Scalar = f64;
    fn position(&self) -> Point2<f64> {
        Point2::new(self.at.x, self.at.y)
    }
}

/// The triangles within closed lines, counter-clockwise, and with `inner` points between them. What is inside an even number of lines
/// is outside.
pub(crate) fn triangulated(lines: &[Vec<Corner>], inner: &[DVec2]) -> Result<Vec<[Corner; 3]>, String> {
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
