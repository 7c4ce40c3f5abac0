//! Strokes: straight lines with a thickness, and arcs, out of ink.
//!
//! Ink is thinned, each pixel of what is left gets the direction in which the ink runs furthest from there, and pixels side by
//! side with one direction make a line (as LSD does with gradients: Grompone von Gioi et al. 2010). So a line that many
//! others cross, as the face of a hatched wall, stays one. Pieces in one line are joined over gaps of noise.

mod arcs;
mod direction;
mod group;
mod join;

pub(crate) use arcs::Arc;

use crate::distance;
use crate::grid::Grid;
use crate::line::Span;
use glam::DVec2;

/// A straight line of ink.
#[derive(Debug, Clone)]
pub(crate) struct Stroke {
    pub span: Span,
    /// In pixels.
    pub thickness: f64,
    /// The root mean square by which its axis leaves the line.
    pub deviation: f64,
    /// The share of its length that is ink.
    pub coverage: f64,
    /// How much the thickness changes along it, as a part of it: from the first fifth to the last.
    pub spread: f64,
    points: Vec<DVec2>,
}

/// Everything that was found in the ink.
#[derive(Default)]
pub(crate) struct Strokes {
    pub lines: Vec<Stroke>,
    pub arcs: Vec<Arc>,
    /// How far lines leave the straight, in pixels: of a drawing about a third, of a sketch one and more.
    pub waver: f64,
    /// Lines that were left out, since there were too many.
    pub left_out: usize,
}

/// The most pieces that are put together; beyond, the shortest are left out.
const PIECES: usize = 7000;

/// Finds straight lines and arcs.
pub(crate) fn find(mask: &Grid<u8>, darkness: &Grid<u8>, distance: &Grid<u16>) -> Strokes {
    let thinned = distance::thin(mask);
    let pixels = direction::find(mask, &thinned, distance);
    let groups = group::grow(mask, &pixels);
    let longest = mask.width.max(mask.height) as f64;
    let waver = group::waver(&groups, longest);
    let (arcs, in_arc) = arcs::find(&groups, &pixels, mask, longest, waver);
    let mut pieces = group::straight(&groups, &in_arc, waver);
    pieces.sort_by(|a, b| b.span.length().total_cmp(&a.span.length()));
    let left_out = pieces.len().saturating_sub(PIECES);
    pieces.truncate(PIECES);
    let mut lines = join::join(pieces, mask, waver);
    for line in &mut lines {
        join::measure(line, mask, darkness);
    }
    lines.retain(|line| line.span.length() >= 6.0_f64.max(line.thickness * 0.8));
    lines.sort_by(|a, b| b.span.length().total_cmp(&a.span.length()));
    Strokes { lines, arcs, waver, left_out }
}

#[cfg(test)]
mod tests;
