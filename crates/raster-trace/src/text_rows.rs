//! Rows of letters of any size: titles, names of rooms, figures, written across or upwards.
//!
//! Letters stand closer to each other than half of their height, and most of them are no plain stroke; pieces of walls, dashes and
//! columns are.

use crate::components::{Component, Components};
use crate::text::{Box4, root};

/// The widest space within a row, as a part of the height of letters.
const SPACE: f64 = 0.6;
/// The least share of ink in the boxes of letters: of furniture in outline it is less.
const DENSE: f64 = 0.24;
/// The fewest letters of a row.
const FEWEST: usize = 3;

/// Rows, and which parts are letters in them.
pub(crate) struct Rows {
    pub is_letter: Vec<bool>,
    pub boxes: Vec<Box4>,
}

/// Finds rows of parts up to `most` pixels large.
pub(crate) fn find(found: &Components, most: f64) -> Rows {
    let is_plain = plain(found);
    let mut order: Vec<usize> = (0..found.parts.len())
        .filter(|n| {
            found.parts.get(*n).is_some_and(|part| {
                let large = f64::from(part.width().max(part.height()));
                (6.0..=most).contains(&large)
            })
        })
        .collect();
    let mut rows = Rows { is_letter: vec![false; found.parts.len()], boxes: Vec::new() };
    for is_upright in [false, true] {
        let part = |n: usize| found.parts.get(n).map(|own| turned(own, is_upright));
        order.sort_by_key(|n| part(*n).map_or(0, |own| own.left));
        let mut parent: Vec<usize> = (0..order.len()).collect();
        for (a, n) in order.iter().enumerate() {
            let Some(own) = part(*n) else { continue };
            for (b, m) in order.iter().enumerate().skip(a + 1) {
                let Some(other) = part(*m) else { continue };
                if f64::from(other.left) > f64::from(own.right) + SPACE * most {
                    break;
                }
                if are_beside(&own, &other) {
                    let (x, y) = (root(&parent, a), root(&parent, b));
                    if let Some(one) = parent.get_mut(x.max(y)) {
                        *one = x.min(y);
                    }
                }
            }
        }
        let mut members: std::collections::BTreeMap<usize, Vec<usize>> = std::collections::BTreeMap::new();
        for (place, n) in order.iter().enumerate() {
            members.entry(root(&parent, place)).or_default().push(*n);
        }
        for row in members.into_values().filter(|row| row.len() >= FEWEST) {
            let plain = row.iter().filter(|n| is_plain.get(**n).copied().unwrap_or(true)).count();
            let letters = || {
                row.iter().filter(|n| is_plain.get(**n) == Some(&false)).filter_map(|n| found.parts.get(*n))
            };
            let boxes: f64 = letters().map(|part| f64::from(part.width()) * f64::from(part.height())).sum();
            if letters().map(|part| f64::from(part.pixels)).sum::<f64>() < DENSE * boxes {
                continue;
            }
            let own = around(row.iter().filter_map(|n| found.parts.get(*n)));
            let (across, down) = (own[2] - own[0], own[3] - own[1]);
            let (along, high) = if is_upright { (down, across) } else { (across, down) };
            if (row.len() - plain) * 5 < row.len() * 2 || row.len() - plain < 2 || along < 1.5 * high {
                continue;
            }
            for n in &row {
                if let Some(own) = rows.is_letter.get_mut(*n) {
                    *own = true;
                }
            }
            rows.boxes.push(own);
        }
    }
    rows
}

/// The part with columns as rows, for what is written upwards.
fn turned(part: &Component, is_upright: bool) -> Component {
    if !is_upright {
        return *part;
    }
    Component { left: part.top, top: part.left, right: part.bottom, bottom: part.right, ..*part }
}

/// True for letters side by side in one row: `other` does not begin before `own`.
fn are_beside(own: &Component, other: &Component) -> bool {
    let (a, b) = (f64::from(own.height()), f64::from(other.height()));
    let (small, large) = (a.min(b), a.max(b));
    let space = f64::from(other.left) - f64::from(own.right) - 1.0;
    let common = f64::from(own.bottom.min(other.bottom)) + 1.0 - f64::from(own.top.max(other.top));
    // what lies within another part is no neighbour
    let within = -0.4 * f64::from(own.width().min(other.width()));
    large <= 2.2 * small
        && large > 5.0
        && space <= SPACE * large
        && space >= within.min(-1.0)
        && common >= 0.5 * small
        && f64::from(own.width().max(other.width())) < 2.5 * large
}

fn around<'a>(parts: impl Iterator<Item = &'a Component>) -> Box4 {
    parts.fold([f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY], |all, part| {
        let [left, top, right, bottom] =
            [part.left, part.top, part.right + 1, part.bottom + 1].map(f64::from);
        [all[0].min(left), all[1].min(top), all[2].max(right), all[3].max(bottom)]
    })
}

/// The moments of a part, and where it has ink.
#[derive(Clone, Copy, Default)]
struct Shape {
    /// Sums of x, y, x², xy, y² from its upper left corner.
    sums: [f64; 5],
    /// Pixels in the middle: two fifths of its box each way.
    inner: f64,
    /// Bits of the corners and the middles of sides that hold ink.
    rim: u8,
}

/// True for each part that is no letter by its shape: a straight stroke, a bar, a block, the outline of a box.
fn plain(found: &Components) -> Vec<bool> {
    let mut shapes = vec![Shape::default(); found.parts.len()];
    found.each_run(|y, start, end, n| {
        let (Some(part), Some(own)) = (found.parts.get(n), shapes.get_mut(n)) else { return };
        let y = y as f64 - f64::from(part.top);
        let (from, to) = (start as f64 - f64::from(part.left), end as f64 - f64::from(part.left));
        let count = to - from;
        let across = count * (from + to - 1.0) / 2.0;
        let squares = |n: f64| (n - 1.0) * n * (2.0 * n - 1.0) / 6.0;
        let added = [across, count * y, squares(to) - squares(from), across * y, count * y * y];
        own.sums.iter_mut().zip(added).for_each(|(sum, more)| *sum += more);
        let (width, height) = (f64::from(part.width()), f64::from(part.height()));
        if (0.3 * height..0.7 * height).contains(&y) {
            own.inner += (to.min(0.7 * width) - from.max(0.3 * width)).max(0.0);
        }
        for (bit, (u, v)) in RIM.iter().enumerate() {
            let (x0, y0) = (u * width, v * height);
            let is_met =
                from < x0 + RIM_CELL * width && to > x0 && y < y0 + RIM_CELL * height && y + 1.0 > y0;
            own.rim |= u8::from(is_met) << bit;
        }
    });
    found
        .parts
        .iter()
        .zip(shapes)
        .map(|(part, shape)| {
            let count = f64::from(part.pixels);
            let [x, y, xx, xy, yy] = shape.sums.map(|sum| sum / count);
            let (xx, xy, yy) = (xx - x * x, xy - x * y, yy - y * y);
            let (middle, off) = (f64::midpoint(xx, yy), ((xx - yy) / 2.0).hypot(xy));
            let side = |variance: f64| (12.0 * variance.max(0.0) + 1.0).sqrt();
            let is_box = shape.rim == u8::MAX && shape.inner < 1.0;
            is_box || count > 0.75 * side(middle + off) * side(middle - off)
        })
        .collect()
}

/// The upper left corners of cells at the corners and the middles of the sides of a box of 1 by 1.
const RIM: [(f64, f64); 8] = [
    (0.0, 0.0),
    (0.44, 0.0),
    (0.88, 0.0),
    (0.0, 0.44),
    (0.88, 0.44),
    (0.0, 0.88),
    (0.44, 0.88),
    (0.88, 0.88),
];
/// The side of such a cell.
const RIM_CELL: f64 = 0.12;

#[cfg(test)]
mod tests;
