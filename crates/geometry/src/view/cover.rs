//! Finds what lies before a line: triangles by place on the plane, and the parts of an edge that they hide.

use super::{Flat, edges::Edge};
use glam::DVec2;

/// The distance by which a triangle must be nearer to hide, in metres: what an edge lies in does not.
const BEFORE: f64 = 2e-5;

/// The distance beside a triangle within which a line still lies on its rim, in metres.
const BESIDE: f64 = 1e-6;

/// A triangle, with what is asked of it again and again.
struct Lid {
    corners: [Flat; 3],
    /// Twice its area on the plane, below nought where it turns clockwise.
    area: f64,
    /// The lengths of its sides on the plane.
    rims: [f64; 3],
    /// The least and the greatest depth.
    depths: [f64; 2],
}

impl Lid {
    /// `None` for what is seen edge on, which hides nothing.
    fn new(corners: [Flat; 3]) -> Option<Lid> {
        let [a, b, c] = corners;
        let area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
        let rims = [(a, b), (b, c), (c, a)].map(|(p, q)| (q.x - p.x).hypot(q.y - p.y));
        let depths = [a.z.min(b.z).min(c.z), a.z.max(b.z).max(c.z)];
        (area.abs() > 1e-10).then_some(Lid { corners, area, rims, depths })
    }
}

/// Triangles by cells of the plane, the nearest first.
pub(super) struct Cover {
    lids: Vec<Lid>,
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
    /// By triangle, the number of the edge that it was last tried for.
    tried: Vec<u32>,
    edge: u32,
}

impl Found {
    fn begin(&mut self, lids: usize) {
        self.covered.clear();
        self.edge = self.edge.wrapping_add(1);
        if self.tried.len() != lids || self.edge == 0 {
            self.tried.clear();
            self.tried.resize(lids, 0);
            self.edge = 1;
        }
    }

    /// Joins parts that meet.
    pub(super) fn join(&mut self, gap: f64) {
        self.covered.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
        self.covered.dedup_by(|next, last| {
            let joins = next[0] <= last[1] + gap;
            if joins {
                last[1] = last[1].max(next[1]);
            }
            joins
        });
    }

    /// Returns true if all of the edge is hidden.
    fn is_whole(&self) -> bool {
        matches!(self.covered.as_slice(), [[start, end]] if *start <= 0.0 && *end >= 1.0)
    }
}

/// The most cells along a side.
const CELLS: f64 = 512.0;

impl Cover {
    pub(super) fn new(faces: impl Iterator<Item = [Flat; 3]>) -> Cover {
        let mut lids: Vec<Lid> = faces.filter_map(Lid::new).collect();
        // in each cell they stand in this order, too
        lids.sort_by(|a, b| a.depths[0].total_cmp(&b.depths[0]));
        let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        for corner in lids.iter().flat_map(|lid| lid.corners) {
            low = low.min(corner.truncate());
            high = high.max(corner.truncate());
        }
        let (low, size) = (low.to_array(), high - low);
        let mut cover =
            Cover { lids, low, cell: 1.0, columns: 0, rows: 0, starts: vec![0], order: Vec::new() };
        if cover.lids.is_empty() {
            return cover;
        }
        // about as many cells as faces
        let fit = (size.x.max(1e-3) * size.y.max(1e-3) / cover.lids.len() as f64).sqrt();
        cover.cell = fit.max(size.x.max(size.y) / CELLS).max(1e-3);
        cover.columns = (size.x / cover.cell) as usize + 1;
        cover.rows = (size.y / cover.cell) as usize + 1;
        let mut pairs: Vec<[u32; 2]> = Vec::new();
        let mut starts = vec![0; cover.columns * cover.rows + 1];
        for (number, lid) in (0_u32..).zip(&cover.lids) {
            let range = |i: usize| {
                let [a, b, c] = lid.corners.map(|p| p[i]);
                (a.min(b).min(c) - BESIDE, a.max(b).max(c) + BESIDE)
            };
            let (columns, rows) = (cover.cells(0, range(0)), cover.cells(1, range(1)));
            for row in rows.0..=rows.1 {
                for column in columns.0..=columns.1 {
                    if cover.meets_cell(lid, column, row) {
                        let cell = row * cover.columns + column;
                        starts[cell + 1] += 1;
                        pairs.push([cell as u32, number]);
                    }
                }
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut next = starts.clone();
        cover.order = vec![0; pairs.len()];
        for [cell, number] in pairs {
            let place = &mut next[cell as usize];
            cover.order[*place as usize] = number;
            *place += 1;
        }
        cover.starts = starts;
        cover
    }

    /// The first and the last cell along an axis.
    fn cells(&self, axis: usize, range: (f64, f64)) -> (usize, usize) {
        let last = if axis == 0 { self.columns } else { self.rows }.saturating_sub(1);
        let of = |v: f64| (((v - self.low[axis]) / self.cell).max(0.0) as usize).min(last);
        (of(range.0), of(range.1))
    }

    /// Returns true if a triangle comes into a cell: no edge of it has the whole cell outside.
    fn meets_cell(&self, lid: &Lid, column: usize, row: usize) -> bool {
        let middle =
            [self.low[0] + (column as f64 + 0.5) * self.cell, self.low[1] + (row as f64 + 0.5) * self.cell];
        let turn = lid.area.signum();
        let [a, b, c] = lid.corners;
        [(a, b), (b, c), (c, a)].into_iter().all(|(a, b)| {
            let (dx, dy) = (b.x - a.x, b.y - a.y);
            let inside = turn * (dx * (middle[1] - a.y) - dy * (middle[0] - a.x));
            inside + (dx.abs() + dy.abs()) * (0.51 * self.cell + BESIDE) >= 0.0
        })
    }

    /// The parts of an edge that triangles lie before.
    pub(super) fn before(&self, edge: &Edge, found: &mut Found) {
        found.begin(self.lids.len());
        if self.order.is_empty() {
            return;
        }
        let [a, b] = edge.ends;
        let far = a.z.max(b.z) - BEFORE;
        let gap = gap(edge);
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
                let before = found.covered.len();
                for &number in self.order.get(start as usize..end as usize).unwrap_or_default() {
                    let Some(lid) = self.lids.get(number as usize) else { continue };
                    // the others of this cell are farther away
                    if lid.depths[0] >= far {
                        break;
                    }
                    let Some(tried) = found.tried.get_mut(number as usize) else { continue };
                    if std::mem::replace(tried, found.edge) == found.edge {
                        continue;
                    }
                    let Some(part) = hidden(edge, lid) else { continue };
                    found.covered.push(part);
                    if part[0] <= 0.0 && part[1] >= 1.0 {
                        break;
                    }
                }
                if found.covered.len() > before {
                    found.join(gap);
                    if found.is_whole() {
                        return;
                    }
                }
            }
        }
    }
}

/// The share of an edge that may lie between two parts of it which are one.
pub(super) fn gap(edge: &Edge) -> f64 {
    BESIDE * 4.0 / edge.long().max(1e-9)
}

/// The part of an edge that a triangle hides, as shares of its length.
fn hidden(edge: &Edge, lid: &Lid) -> Option<[f64; 2]> {
    let turn = lid.area.signum();
    let [a, b, c] = lid.corners;
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
    for ((a, b), rim) in [(a, b), (b, c), (c, a)].into_iter().zip(lid.rims) {
        let (dx, dy) = (b.x - a.x, b.y - a.y);
        if rim == 0.0 {
            return None;
        }
        let side = |r: Flat| turn * (dx * (r.y - a.y) - dy * (r.x - a.x)) / rim + BESIDE;
        keep(side(p), side(q));
    }
    // the depth of the face's plane at a place, which its own rounding may not carry beyond its corners
    let [least, most] = lid.depths;
    let depth = |r: Flat| {
        let v = ((r.x - a.x) * (c.y - a.y) - (r.y - a.y) * (c.x - a.x)) / lid.area;
        let w = ((b.x - a.x) * (r.y - a.y) - (b.y - a.y) * (r.x - a.x)) / lid.area;
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
    if face.iter().all(|p| p.z >= near && p.z <= far) {
        into.push(face);
        return;
    }
    if face.iter().all(|p| p.z < near) || face.iter().all(|p| p.z > far) {
        return;
    }
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
