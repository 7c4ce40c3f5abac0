//! Finds what lies before a line: triangles by place on the plane, and the parts of an edge that they hide.

use super::{Flat, edges::Edge};

/// The distance by which a triangle must be nearer to hide, in metres: what an edge lies in does not.
const BEFORE: f64 = 2e-5;

/// The distance beside a triangle within which a line still lies on its rim, in metres.
const BESIDE: f64 = 1e-6;

/// Triangles by cells of the plane.
pub(super) struct Cover {
    faces: Vec<[Flat; 3]>,
    /// By face.
    near: Vec<f64>,
    low: [f64; 2],
    /// The side of a cell in metres.
    cell: f64,
    columns: usize,
    rows: usize,
    /// The place at which each cell's faces begin; one more at the end.
    starts: Vec<u32>,
    /// Faces by cell, the nearest first.
    order: Vec<u32>,
}

/// Lists for the work of [`Cover::before`], kept between calls, and its result.
#[derive(Default)]
pub(super) struct Found {
    /// The parts of the edge that are hidden, in order, apart from each other.
    pub covered: Vec<[f64; 2]>,
    tried: std::collections::HashSet<u32>,
}

/// The most cells along a side.
const CELLS: f64 = 512.0;

impl Cover {
    pub(super) fn new(mut faces: Vec<[Flat; 3]>) -> Cover {
        // what is seen edge on hides nothing
        faces.retain(|f| area(f).abs() > 1e-10);
        let bound = |i: usize, least: bool| {
            let all = faces.iter().flatten().map(|p| p[i]);
            if least { all.fold(f64::INFINITY, f64::min) } else { all.fold(f64::NEG_INFINITY, f64::max) }
        };
        let (low, high) = ([bound(0, true), bound(1, true)], [bound(0, false), bound(1, false)]);
        let near = faces.iter().map(|f| f.iter().map(|p| p.z).fold(f64::INFINITY, f64::min)).collect();
        let mut cover =
            Cover { faces, near, low, cell: 1.0, columns: 0, rows: 0, starts: vec![0], order: Vec::new() };
        if cover.faces.is_empty() {
            return cover;
        }
        let (wide, deep) = (high[0] - low[0], high[1] - low[1]);
        // about as many cells as faces
        let fit = (wide.max(1e-3) * deep.max(1e-3) / cover.faces.len() as f64).sqrt();
        cover.cell = fit.max(wide.max(deep) / CELLS).max(1e-3);
        cover.columns = (wide / cover.cell) as usize + 1;
        cover.rows = (deep / cover.cell) as usize + 1;
        let mut pairs = Vec::new();
        for (number, face) in (0_u32..).zip(&cover.faces) {
            let range = |i: usize| {
                let (a, b, c) = (face[0][i], face[1][i], face[2][i]);
                (a.min(b).min(c) - BESIDE, a.max(b).max(c) + BESIDE)
            };
            let (columns, rows) = (cover.cells(0, range(0)), cover.cells(1, range(1)));
            for row in rows.0..=rows.1 {
                for column in columns.0..=columns.1 {
                    if cover.meets_cell(face, column, row) {
                        pairs.push(((row * cover.columns + column) as u32, number));
                    }
                }
            }
        }
        let near = &cover.near;
        pairs.sort_unstable_by(|a, b| {
            let depth = |n: u32| near[n as usize];
            a.0.cmp(&b.0).then(depth(a.1).total_cmp(&depth(b.1))).then(a.1.cmp(&b.1))
        });
        let mut starts = vec![0; cover.columns * cover.rows + 1];
        for (cell, _) in &pairs {
            starts[*cell as usize + 1] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        cover.starts = starts;
        cover.order = pairs.into_iter().map(|(_, n)| n).collect();
        cover
    }

    /// The first and the last cell along an axis.
    fn cells(&self, axis: usize, range: (f64, f64)) -> (usize, usize) {
        let last = if axis == 0 { self.columns } else { self.rows }.saturating_sub(1);
        let of = |v: f64| (((v - self.low[axis]) / self.cell).max(0.0) as usize).min(last);
        (of(range.0), of(range.1))
    }

    /// Returns true if a triangle comes into a cell: no edge of it has the whole cell outside.
    fn meets_cell(&self, face: &[Flat; 3], column: usize, row: usize) -> bool {
        let middle =
            [self.low[0] + (column as f64 + 0.5) * self.cell, self.low[1] + (row as f64 + 0.5) * self.cell];
        let turn = area(face).signum();
        [(0, 1), (1, 2), (2, 0)].into_iter().all(|(i, j)| {
            let (a, b) = (face[i], face[j]);
            let (dx, dy) = (b.x - a.x, b.y - a.y);
            let inside = turn * (dx * (middle[1] - a.y) - dy * (middle[0] - a.x));
            inside + (dx.abs() + dy.abs()) * (0.51 * self.cell + BESIDE) >= 0.0
        })
    }

    /// The parts of an edge that triangles lie before.
    pub(super) fn before(&self, edge: &Edge, found: &mut Found) {
        found.covered.clear();
        found.tried.clear();
        if self.order.is_empty() {
            return;
        }
        let [a, b] = edge.ends;
        let far = a.z.max(b.z) - BEFORE;
        let (first, last) = self.cells(1, (a.y.min(b.y), a.y.max(b.y)));
        for row in first..=last {
            // what of the edge lies in this row of cells, with a little more
            let edge_at = |y: f64| (y - a.y) / (b.y - a.y);
            let (low, high) =
                (self.low[1] + row as f64 * self.cell, self.low[1] + (row + 1) as f64 * self.cell);
            let (mut s, mut t) = (edge_at(low), edge_at(high));
            if !(s.is_finite() && t.is_finite()) || first == last {
                (s, t) = (0.0, 1.0);
            }
            let (s, t) = (s.min(t).clamp(0.0, 1.0), s.max(t).clamp(0.0, 1.0));
            let (x, z) = (edge.at(s).x, edge.at(t).x);
            let columns = self.cells(0, (x.min(z) - 1e-3 * self.cell, x.max(z) + 1e-3 * self.cell));
            for column in columns.0..=columns.1 {
                let cell = row * self.columns + column;
                let range = (self.starts.get(cell), self.starts.get(cell + 1));
                let (Some(&start), Some(&end)) = range else { continue };
                for &face in self.order.get(start as usize..end as usize).unwrap_or_default() {
                    // the others of this cell are farther away
                    if self.near[face as usize] >= far {
                        break;
                    }
                    if found.tried.insert(face) {
                        found.covered.extend(hidden(edge, &self.faces[face as usize]));
                    }
                }
            }
        }
        found.covered.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
        let gap = BESIDE * 4.0 / edge.long().max(1e-9);
        found.covered.dedup_by(|next, last| {
            let joins = next[0] <= last[1] + gap;
            if joins {
                last[1] = last[1].max(next[1]);
            }
            joins
        });
    }
}

/// Twice the area on the plane.
fn area(f: &[Flat; 3]) -> f64 {
    (f[1].x - f[0].x) * (f[2].y - f[0].y) - (f[1].y - f[0].y) * (f[2].x - f[0].x)
}

/// The part of an edge that a triangle hides, as shares of its length.
fn hidden(edge: &Edge, face: &[Flat; 3]) -> Option<[f64; 2]> {
    let whole = area(face);
    let turn = whole.signum();
    let [p, q] = edge.ends;
    let (mut from, mut to) = (0.0_f64, 1.0_f64);
    let mut keep = |start: f64, end: f64| {
        // what is below nought at both ends is outside
        if start < 0.0 && end < 0.0 {
            from = 2.0;
        } else if start < 0.0 {
            from = from.max(start / (start - end));
        } else if end < 0.0 {
            to = to.min(start / (start - end));
        }
    };
    for (i, j) in [(0, 1), (1, 2), (2, 0)] {
        let (a, b) = (face[i], face[j]);
        let (dx, dy) = (b.x - a.x, b.y - a.y);
        let rim = dx.hypot(dy);
        if rim == 0.0 {
            return None;
        }
        let side = |r: Flat| turn * (dx * (r.y - a.y) - dy * (r.x - a.x)) / rim + BESIDE;
        keep(side(p), side(q));
    }
    let [a, b, c] = face;
    // the depth of the face's plane at a place, which its own rounding may not carry beyond its corners
    let least = a.z.min(b.z).min(c.z);
    let most = a.z.max(b.z).max(c.z);
    let depth = |r: Flat| {
        let v = ((r.x - a.x) * (c.y - a.y) - (r.y - a.y) * (c.x - a.x)) / whole;
        let w = ((b.x - a.x) * (r.y - a.y) - (b.y - a.y) * (r.x - a.x)) / whole;
        a.z + v * (b.z - a.z) + w * (c.z - a.z)
    };
    if from >= to {
        return None;
    }
    // from here on between the two ends that lie on the triangle
    let (s, t) = (edge.at(from), edge.at(to));
    let gap = |r: Flat| r.z - depth(r).clamp(least, most) - BEFORE;
    let (start, end) = (gap(s), gap(t));
    if start <= 0.0 && end <= 0.0 {
        return None;
    }
    let long = to - from;
    if start < 0.0 {
        from += long * start / (start - end);
    } else if end < 0.0 {
        to -= long * end / (end - start);
    }
    (from < to).then_some([from, to])
}

/// Clips a triangle to a depth range and adds the part inside as triangles.
pub(super) fn clip(face: [Flat; 3], near: f64, far: f64, into: &mut Vec<[Flat; 3]>) {
    let mut polygon = face.to_vec();
    for (sign, limit) in [(1.0, near), (-1.0, far)] {
        let inside = |p: &Flat| sign * (p.z - limit);
        if polygon.iter().all(|p| inside(p) >= 0.0) {
            continue;
        }
        let mut kept = Vec::with_capacity(polygon.len() + 1);
        let next = polygon.iter().cycle().skip(1);
        for (p, q) in polygon.iter().zip(next) {
            let (d, e) = (inside(p), inside(q));
            if d >= 0.0 {
                kept.push(*p);
            }
            if (d >= 0.0) != (e >= 0.0) {
                let t = d / (d - e);
                kept.push(*p + (*q - *p) * t);
            }
        }
        polygon = kept;
    }
    if let Some((first, rest)) = polygon.split_first() {
        into.extend(rest.windows(2).map(|pair| [*first, pair[0], pair[1]]));
    }
}
