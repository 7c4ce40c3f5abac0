//! Letters and symbols: small parts of ink by themselves, and the words that they stand in. They are not read.

use crate::components::{Component, Components};
use crate::grid::Grid;
use crate::line::Span;
use crate::text_rows;
use glam::DVec2;

/// A box in pixels: left, top, right, bottom.
pub(crate) type Box4 = [f64; 4];

/// Words and marks that were taken out.
#[derive(Default)]
pub(crate) struct Words {
    pub boxes: Vec<Box4>,
}

/// Takes small parts out of the ink, so that what is left is lines, and gathers those that look like letters in words.
/// `stroke` is the usual thickness of thin strokes, `distance` that of ink to paper.
pub(crate) fn take_out(mask: &mut Grid<u8>, distance: &Grid<u16>, stroke: f64) -> Words {
    let longest = mask.width.max(mask.height) as f64;
    let found = Components::find(mask, 1, true, None);
    let mut deepest = vec![0_u16; found.parts.len()];
    found.each_run(|y, start, end, part| {
        let row = distance.data.get(y * distance.width + start..y * distance.width + end).unwrap_or_default();
        if let Some(own) = deepest.get_mut(part) {
            *own = (*own).max(row.iter().copied().max().unwrap_or(0));
        }
    });
    let most = (longest * 0.03).clamp(14.0, 110.0);
    let rows = text_rows::find(&found, (longest * 0.06).clamp(28.0, 220.0));
    let mut letters: Vec<Component> = Vec::new();
    let mut chosen = Vec::new();
    for ((part, deepest), is_letter) in found.parts.iter().zip(deepest).zip(&rows.is_letter) {
        if *is_letter {
            chosen.push(true);
            continue;
        }
        let (width, height) = (f64::from(part.width()), f64::from(part.height()));
        let (small, large) = (width.min(height), width.max(height));
        let thickness = f64::from(deepest) / 3.0 * 2.0;
        let is_solid =
            f64::from(part.pixels) > 0.72 * width * height && thickness > stroke * 2.2 && small > 5.0;
        // a stroke by itself may be a dash of a line
        let is_dash = f64::from(part.pixels) < 1.4 * stroke.max(thickness) * width.hypot(height)
            && width.hypot(height) > stroke * 5.0
            && large > 10.0;
        let is_mark = large <= most && !is_solid && !is_dash;
        chosen.push(is_mark);
        if is_mark && large >= 5.0 && large >= stroke * 1.5 {
            letters.push(*part);
        }
    }
    found.paint_numbered(mask, 0, &chosen);
    let mut words = words(&letters);
    words.boxes.extend(rows.boxes);
    words
}

fn words(letters: &[Component]) -> Words {
    let mut heights: Vec<u32> = letters.iter().map(|part| part.height().min(part.width() * 3)).collect();
    heights.sort_unstable();
    let letter_height = heights.get(heights.len() / 2).copied().map_or(0.0, f64::from);
    let mut parent: Vec<usize> = (0..letters.len()).collect();
    let mut order: Vec<usize> = (0..letters.len()).collect();
    let left = |n: usize| letters.get(n).map_or(0, |part| part.left);
    order.sort_by_key(|n| left(*n));
    for (place, a) in order.iter().enumerate() {
        let Some(own) = letters.get(*a) else { continue };
        let reach = f64::from(own.height().max(own.width()));
        for b in order.iter().skip(place + 1) {
            let Some(other) = letters.get(*b) else { continue };
            if f64::from(other.left) > f64::from(own.right) + 1.2 * reach.max(letter_height) {
                break;
            }
            if belong(own, other, letter_height) {
                let (a, b) = (root(&parent, *a), root(&parent, *b));
                if let Some(own) = parent.get_mut(a.max(b)) {
                    *own = a.min(b);
                }
            }
        }
    }
    let mut boxes: std::collections::BTreeMap<usize, (Box4, usize)> = std::collections::BTreeMap::new();
    for (n, part) in letters.iter().enumerate() {
        let own = [part.left, part.top, part.right + 1, part.bottom + 1].map(f64::from);
        let (all, count) = boxes.entry(root(&parent, n)).or_insert((own, 0));
        *all = [all[0].min(own[0]), all[1].min(own[1]), all[2].max(own[2]), all[3].max(own[3])];
        *count += 1;
    }
    Words { boxes: boxes.into_values().filter(|(_, count)| *count >= 2).map(|(own, _)| own).collect() }
}

/// True for two letters of a word or line, written across or upwards.
fn belong(a: &Component, b: &Component, usual: f64) -> bool {
    let gap = |a0: u32, a1: u32, b0: u32, b1: u32| f64::from(a0.max(b0)) - f64::from(a1.min(b1));
    let across = gap(a.left, a.right, b.left, b.right);
    let down = gap(a.top, a.bottom, b.top, b.bottom);
    let height = f64::from(a.height().max(b.height())).min(usual * 1.6);
    let width = f64::from(a.width().max(b.width())).min(usual * 1.6);
    (across <= 0.9 * height && down <= -0.3 * f64::from(a.height().min(b.height())))
        || (down <= 0.7 * width && across <= -0.3 * f64::from(a.width().min(b.width())))
}

pub(crate) fn root(parent: &[usize], mut n: usize) -> usize {
    while let Some(above) = parent.get(n).copied().filter(|above| *above != n) {
        n = above;
    }
    n
}

/// True where words stand beside the middle of a line, as the figure of a dimension does.
pub(crate) fn has_figure(span: &Span, words: &[[f64; 4]]) -> bool {
    words.iter().any(|[left, top, right, bottom]| {
        let middle = DVec2::new(left + right, top + bottom) / 2.0;
        let (small, large) = ((bottom - top).min(right - left), (bottom - top).max(right - left));
        let off = (span.along(middle) - span.length() / 2.0).abs();
        span.length() > 1.2 * large
            && span.beside(middle).abs() < 1.3 * small.max(4.0)
            && off < 0.1 * span.length() + 0.5 * small
    })
}
