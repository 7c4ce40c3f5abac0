//! Specks on the paper, and holes in ink.

use crate::components::Components;
use crate::grid::Grid;

/// Removes what is smaller than `smallest` pixels, or nowhere as dark as `dark`.
pub(super) fn remove(mask: &mut Grid<u8>, darkness: &Grid<u8>, dark: u8, smallest: u32) {
    let found = Components::find(mask, 1, true, Some(darkness));
    found.paint(mask, 0, |part| part.pixels < smallest || part.peak < dark);
}

/// Fills holes of up to `largest` pixels.
pub(super) fn fill(mask: &mut Grid<u8>, largest: u32) {
    let found = Components::find(mask, 0, false, None);
    found.paint(mask, 1, |part| part.pixels <= largest && !part.is_at_edge);
}
