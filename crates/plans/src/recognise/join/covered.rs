//! Walls that lie within others: lines of windows, doubled faces.

use crate::effort::Effort;
use crate::recognise::grid::Grid;
use crate::recognise::parts::{Wall, widest_half};

/// Leaves out walls that lie within others of the same direction: lines of windows, doubled faces.
pub(super) fn leave_out(walls: &mut Vec<Wall>, effort: &Effort<'_>) {
    let mut order: Vec<usize> = (0..walls.len()).collect();
    let size = |n: &usize| walls.get(*n).map_or(0.0, |wall| wall.length() * wall.thickness());
    order.sort_by(|a, b| size(b).total_cmp(&size(a)));
    let reach = widest_half(walls) + 20.0;
    let mut grid = Grid::new(2000.0);
    let mut is_out = vec![false; walls.len()];
    for number in order {
        let Some(wall) = walls.get(number) else { continue };
        let (from, to) = wall.extent();
        let near = grid.around((wall.start + wall.end) / 2.0, reach);
        if !effort.goes_on(10 + near.len()) {
            return;
        }
        let is_covered = near.into_iter().filter_map(|n| walls.get(n)).any(|other| {
            let (start, stop) = other.extent();
            let is_along = (other.way.perp_dot(wall.way)).abs() < 0.01 && other.way.dot(wall.way) > 0.0;
            is_along
                && wall.low > other.low - 20.0
                && wall.high < other.high + 20.0
                && from > start - 60.0
                && to < stop + 60.0
        });
        if is_covered {
            if let Some(is_out) = is_out.get_mut(number) {
                *is_out = true;
            }
        } else if !effort.goes_on(grid.put_along(number, wall.start, wall.end) * 8) {
            return;
        }
    }
    let mut flags = is_out.into_iter();
    walls.retain(|_| !flags.next().unwrap_or(false));
}
