//! Walls: strips in one line, joined across what explains the gap between them.

mod alone;
mod bands;
mod bridge;
mod covered;
mod doors;
mod extend;
mod faces;
mod inner;

use super::parts::{Field, Wall};
use super::shapes::Primitives;
use super::stacks::Strip;
use super::symbols::Symbols;
use crate::effort::Effort;
use crate::plan::Plan;
use bridge::Bridge;
use glam::DVec2;

/// Walls of a band that is being joined.
struct Joining<'a, 'f> {
    field: &'f Field<'a>,
    way: DVec2,
    low: f64,
    high: f64,
}

/// Joins strips into walls.
pub(crate) fn walls(
    strips: &[Strip],
    symbols: &Symbols,
    found: &Primitives,
    effort: &Effort<'_>,
    plan: &mut Plan,
) -> Vec<Wall> {
    let field = Field::new(strips, found, symbols, effort);
    let mut walls = Vec::new();
    for band in bands::bands(strips, effort) {
        let members: Vec<&Strip> = band.iter().filter_map(|number| strips.get(*number)).collect();
        if !effort.goes_on(10) {
            return walls;
        }
        if !members.iter().any(|strip| bands::is_strong(strip)) {
            continue;
        }
        join_band(&members, &field, &mut walls);
    }
    walls.retain(|wall: &Wall| {
        let solid = wall.length() - wall.gaps.iter().map(|gap| gap.to - gap.from).sum::<f64>();
        solid > (wall.thickness() * 0.8).max(100.0) || wall.gaps.iter().any(|gap| !gap.swings.is_empty())
    });
    covered::leave_out(&mut walls, effort);
    alone::place(&mut walls, &field, plan);
    walls
}

fn join_band(members: &[&Strip], field: &Field<'_>, walls: &mut Vec<Wall>) {
    let Some(first) = members.first() else { return };
    let weight: f64 = members.iter().map(|strip| strip.length()).sum();
    let mean = |of: fn(&Strip) -> f64| {
        members.iter().map(|strip| of(strip) * strip.length()).sum::<f64>() / weight.max(1e-9)
    };
    let (low, high) = (mean(|strip| strip.low), mean(|strip| strip.high));
    let joining = Joining { field, way: first.way, low, high };
    let mut open: Option<Wall> = None;
    for strip in members {
        let joined = open.as_mut().is_some_and(|wall| joining.join(wall, strip));
        if !joined {
            walls.extend(open.take());
            open = Some(joining.begin(strip));
        }
    }
    walls.extend(open);
    // doors at the end of a wall, beside a wall that crosses
    for wall in walls
        .iter_mut()
        .rev()
        .take_while(|wall| wall.way == first.way && wall.low == low && wall.high == high)
    {
        wall.entities.sort_unstable();
        wall.entities.dedup();
        joining.extend(wall);
        joining.extend_by_window(wall);
        joining.inner_windows(wall);
    }
}

impl Joining<'_, '_> {
    fn point(&self, along: f64) -> DVec2 {
        self.way * along + self.way.perp() * f64::midpoint(self.low, self.high)
    }

    fn begin(&self, strip: &Strip) -> Wall {
        Wall {
            role: strip.role,
            way: self.way,
            low: self.low,
            high: self.high,
            start: self.point(strip.from),
            end: self.point(strip.to),
            arc: None,
            gaps: Vec::new(),
            inner: strip.inner.clone(),
            entities: strip.entities.clone(),
            is_single: strip.is_single,
            beyond: [0.0, 0.0],
            is_met: [false, false],
            confidence: 0.0,
        }
    }

    /// Makes a wall longer by a strip, if what lies between is explained.
    fn join(&self, wall: &mut Wall, strip: &Strip) -> bool {
        let (_, end) = wall.extent();
        let gap = strip.from - end;
        let mut found = None;
        if gap > 60.0 {
            match self.gap(end, strip.from, strip) {
                Bridge::None => return false,
                Bridge::Through => {}
                Bridge::Opening(own) => found = Some(own),
            }
        }
        wall.gaps.extend(found);
        if strip.to > end {
            wall.end = self.point(strip.to);
        }
        wall.inner.extend(strip.inner.iter().copied());
        wall.entities.extend(&strip.entities);
        true
    }
}
