//! Doors between two walls that cross, with no piece of wall beside them.

use super::Joining;
use super::doors::made;
use crate::plan::Plan;
use crate::recognise::doors::chord;
use crate::recognise::lines::upper;
use crate::recognise::parts::{Field, Wall, wall_grid, widest_half};
use crate::recognise::roles::Role;
use std::collections::HashSet;

/// Doors that close between two walls that cross, with no piece of wall beside them: their wall is as long as they are.
pub(super) fn place(walls: &mut Vec<Wall>, field: &Field<'_>, plan: &mut Plan) {
    let used: HashSet<usize> =
        walls.iter().flat_map(|wall| wall.gaps.iter().flat_map(|gap| gap.swings.iter().copied())).collect();
    let mut thin: Vec<f64> = walls.iter().map(Wall::thickness).collect();
    thin.sort_by(f64::total_cmp);
    let Some(thickness) = thin.get(thin.len() / 4).copied() else { return };
    let mut count = 0;
    let (grid, reach) = (wall_grid(walls, 2000.0, field.effort), widest_half(walls) + 200.0);
    let known = walls.len();
    for (number, symbol) in field.symbols.swings.iter().enumerate() {
        let (Some(leaf), false) = (symbol.leaf, used.contains(&number)) else { continue };
        let Some(end) = symbol.ends.get(1 - leaf).copied() else { continue };
        let own = end - symbol.hinge;
        let Some(way) = own.try_normalize() else { continue };
        let near = grid.around(symbol.hinge, reach);
        if !field.effort.goes_on(10 + near.len()) {
            return;
        }
        // those that were added here are short, and stand between others
        let near = near.iter().filter_map(|n| walls.get(*n)).chain(walls.iter().skip(known).rev().take(200));
        let is_on_wall = near.into_iter().any(|wall| {
            let (start, stop) = wall.extent();
            chord(wall.way, wall.low, wall.high, symbol, end)
                .is_some_and(|(a, b, _)| a > start - 60.0 && b < stop + 60.0)
        });
        let (before, after) = (symbol.hinge - way * 60.0, end + way * 60.0);
        let is_between = field.is_crossed(way, before, 60.0, 0.0) && field.is_crossed(way, after, 60.0, 0.0);
        if is_on_wall || !is_between {
            continue;
        }
        let way = upper(way);
        let off = way.perp_dot((symbol.hinge + end) / 2.0);
        let (a, b) = (way.dot(symbol.hinge), way.dot(end));
        let (from, to) = (a.min(b), a.max(b));
        let joining = Joining { field, way, low: off - thickness / 2.0, high: off + thickness / 2.0 };
        let mut gap = made(from, to, 0.7, "a swing between two walls that cross", symbol.entities.clone());
        gap.swings.push(number);
        gap.hinge = symbol.opened(1 - leaf);
        walls.push(Wall {
            role: Role::Unknown,
            way,
            low: joining.low,
            high: joining.high,
            start: joining.point(from),
            end: joining.point(to),
            arc: None,
            gaps: vec![gap],
            inner: Vec::new(),
            entities: Vec::new(),
            is_single: true,
            beyond: [0.0, 0.0],
            is_met: [true, true],
            confidence: 0.5,
        });
        count += 1;
    }
    if count > 0 {
        plan.assumptions.push(format!(
            "{count} doors stand between two walls with no piece of wall beside them; they got a wall {thickness:.0} mm thick"
        ));
    }
}
