//! Doors: swings with their leaves, found before walls are, and put into walls after.

use super::grid::Grid;
use super::parts::{Filling, Gap, Wall, wall_grid, widest_half};
use super::roles::Role;
use super::shapes::{Arc, Primitives};
use super::symbols::{Symbol, Symbols};
use crate::effort::Effort;
use glam::DVec2;
use std::collections::HashSet;

/// True if an arc may be the swing of a door.
pub(crate) fn is_swing(arc: &Arc) -> bool {
    let widths = if arc.role == Role::Door { 300.0..=2600.0 } else { 450.0..=1700.0 };
    widths.contains(&arc.radius) && (0.3..=2.2).contains(&arc.sweep)
}

fn may_be_door(role: Role) -> bool {
    matches!(role, Role::Door | Role::Unknown | Role::Wall | Role::Opening)
}

/// Finds the swings of doors and their leaves.
pub(crate) fn symbols(found: &Primitives, effort: &Effort<'_>) -> Symbols {
    let swings: Vec<Arc> =
        found.arcs.iter().filter(|arc| is_swing(arc) && may_be_door(arc.role)).copied().collect();
    let mut symbols = Symbols::default();
    if swings.is_empty() {
        return symbols;
    }
    let widest = swings.iter().map(|arc| arc.radius).fold(0.0, f64::max);
    let mut grid = Grid::new(1000.0);
    for (number, line) in found.lines.iter().enumerate() {
        let length = line.length();
        if may_be_door(line.role) && (200.0..=widest * 1.2).contains(&length) {
            grid.put(number, line.from, line.from);
            grid.put(number, line.to, line.to);
        }
    }
    for arc in swings {
        let ends = [arc.point(0.0), arc.point(1.0)];
        let mut entities = vec![arc.entity];
        let mut counts = [0, 0];
        let mut own_leaves: [Vec<usize>; 2] = [Vec::new(), Vec::new()];
        let near = (arc.radius * 0.13).clamp(60.0, 130.0);
        let lines = grid.around(arc.centre, near);
        if !effort.goes_on(10 + lines.len()) {
            break;
        }
        for number in lines {
            let Some(line) = found.lines.get(number) else { continue };
            if !(arc.radius * 0.8..=arc.radius * 1.15).contains(&line.length()) {
                continue;
            }
            let outward = if line.from.distance_squared(arc.centre) < line.to.distance_squared(arc.centre) {
                (line.from, line.to)
            } else {
                (line.to, line.from)
            };
            for (n, end) in ends.iter().enumerate() {
                if outward.0.distance(arc.centre) < near
                    && outward.1.distance(*end) < near
                    && let (Some(count), Some(own)) = (counts.get_mut(n), own_leaves.get_mut(n))
                {
                    // a line of the walls there is a jamb's neighbour, not a leaf
                    *count += if line.role == Role::Wall { 0 } else { 2 };
                    own.push(number);
                }
            }
        }
        let leaf = match counts {
            [a, b] if a > b => Some(0),
            [a, b] if b > a => Some(1),
            _ => None,
        };
        let has_threshold = counts.iter().all(|count| *count > 0);
        if let Some(own) = leaf.and_then(|n| own_leaves.get(n)) {
            symbols.leaves.extend(own);
            entities.extend(own.iter().filter_map(|n| found.lines.get(*n)).map(|line| line.entity));
        }
        entities.dedup();
        let (role, instance) = (arc.role, arc.instance);
        symbols.swings.push(Symbol {
            hinge: arc.centre,
            ends,
            leaf,
            has_threshold,
            role,
            entities,
            instance,
        });
    }
    short_sides(found, &mut symbols);
    symbols
}

/// The short sides of leaves that are drawn as thin rectangles belong to them.
fn short_sides(found: &Primitives, symbols: &mut Symbols) {
    let owners: HashSet<u32> = symbols
        .leaves
        .iter()
        .filter_map(|n| found.lines.get(*n))
        .filter(|line| line.pieces > 2)
        .map(|line| line.entity)
        .collect();
    for (number, line) in found.lines.iter().enumerate() {
        if owners.contains(&line.entity) && line.pieces <= 6 {
            symbols.leaves.insert(number);
        }
    }
}

/// The place of a closed leaf in a wall: from and to along it, and how far from its axis the leaf closes.
pub(crate) fn chord(
    wall_way: DVec2,
    low: f64,
    high: f64,
    symbol: &Symbol,
    end: DVec2,
) -> Option<(f64, f64, f64)> {
    let own = end - symbol.hinge;
    if own.perp_dot(wall_way).abs() > own.length() * 0.06 {
        return None;
    }
    let offs = [wall_way.perp_dot(symbol.hinge), wall_way.perp_dot(end)];
    let slack = 110.0;
    if offs.iter().any(|off| *off < low - slack || *off > high + slack) {
        return None;
    }
    let (a, b) = (wall_way.dot(symbol.hinge), wall_way.dot(end));
    let middle = f64::midpoint(low, high);
    Some((a.min(b), a.max(b), (f64::midpoint(offs[0], offs[1]) - middle).abs()))
}

/// Puts doors into walls that are drawn without a gap for them.
pub(crate) fn place(walls: &mut [Wall], symbols: &Symbols, found: &Primitives, effort: &Effort<'_>) {
    let mut used: HashSet<usize> =
        walls.iter().flat_map(|wall| wall.gaps.iter().flat_map(|gap| gap.swings.iter().copied())).collect();
    let (grid, reach) = (wall_grid(walls, 2000.0, effort), widest_half(walls) + 200.0);
    for (number, symbol) in symbols.swings.iter().enumerate() {
        if used.contains(&number) || !symbol.is_sure() {
            continue;
        }
        let mut best: Option<(f64, usize, f64, f64, usize)> = None;
        let near = grid.around(symbol.hinge, reach);
        if !effort.goes_on(10 + near.len() * 2) {
            return;
        }
        for w in near {
            let Some(wall) = walls.get(w).filter(|wall| wall.arc.is_none()) else { continue };
            for (likely, (n, end)) in symbol.closings().into_iter().enumerate() {
                let Some((from, to, off)) = chord(wall.way, wall.low, wall.high, symbol, end) else {
                    continue;
                };
                let (start, stop) = wall.extent();
                let is_within = from > start - 60.0 && to < stop + 60.0;
                let cost = off + likely as f64 * 150.0;
                if is_within && best.is_none_or(|(least, ..)| cost < least) {
                    best = Some((cost, w, from, to, n));
                }
            }
        }
        let Some((_, w, from, to, n)) = best else { continue };
        let hinge = symbol.opened(n);
        let Some(wall) = walls.get_mut(w) else { continue };
        // the second leaf of a door that is there, or one that stands there already
        let taken = wall.gaps.iter_mut().find(|gap| gap.overlap(from, to) > (to - from) * 0.5);
        if let Some(gap) = taken {
            if gap.swings.is_empty() {
                gap.filling = Filling::Door;
                gap.confidence = 0.9;
                "a swing in a gap of the wall".clone_into(&mut gap.evidence);
            }
            gap.swings.push(number);
            gap.hinge = gap.hinge.or(hinge);
            gap.entities.extend(&symbol.entities);
            used.insert(number);
            continue;
        }
        let neighbour = wall.gaps.iter_mut().find(|gap| {
            let is_beside = (gap.from - to).abs() < 60.0 || (gap.to - from).abs() < 60.0;
            gap.filling == Filling::Door && is_beside && gap.swings.len() == 1 && gap.is_uncut
        });
        if let Some(gap) = neighbour {
            gap.from = gap.from.min(from);
            gap.to = gap.to.max(to);
            gap.swings.push(number);
            gap.entities.extend(&symbol.entities);
        } else {
            wall.gaps.push(Gap {
                from,
                to,
                filling: Filling::Door,
                confidence: if symbol.leaf.is_some() { 0.85 } else { 0.7 },
                evidence: "a swing on a wall that is drawn without a gap".to_owned(),
                swings: vec![number],
                entities: symbol.entities.clone(),
                is_uncut: true,
                hinge,
                is_sliding: false,
            });
        }
        used.insert(number);
    }
    place_blocks(walls, symbols, found, &used, effort);
}

/// Puts doors into walls where a block or a layer says that one is there, and no swing was drawn.
fn place_blocks(
    walls: &mut [Wall],
    symbols: &Symbols,
    found: &Primitives,
    used: &HashSet<usize>,
    effort: &Effort<'_>,
) {
    let with_swing: HashSet<u32> = symbols
        .swings
        .iter()
        .enumerate()
        .filter(|(n, _)| used.contains(n))
        .map(|(_, symbol)| symbol.instance)
        .collect();
    let mut boxes: std::collections::BTreeMap<u32, (DVec2, DVec2, Vec<u32>)> =
        std::collections::BTreeMap::new();
    for line in found.lines.iter().filter(|line| line.role == Role::Door && line.instance != u32::MAX) {
        if with_swing.contains(&line.instance) {
            continue;
        }
        let own = boxes.entry(line.instance).or_insert((line.from, line.from, Vec::new()));
        own.0 = own.0.min(line.from).min(line.to);
        own.1 = own.1.max(line.from).max(line.to);
        if own.2.len() < 20 {
            own.2.push(line.entity);
        }
    }
    let known: HashSet<u32> =
        walls.iter().flat_map(|wall| wall.gaps.iter().flat_map(|gap| gap.entities.iter().copied())).collect();
    let (grid, widest) = (wall_grid(walls, 2000.0, effort), widest_half(walls) * 2.0);
    for (least, most, entities) in boxes.into_values() {
        if entities.iter().any(|entity| known.contains(entity)) {
            continue;
        }
        let middle = (least + most) / 2.0;
        let mut best: Option<(f64, usize, f64, f64)> = None;
        let near = grid.around(middle, (most - least).min_element() / 2.0 + widest);
        if !effort.goes_on(10 + near.len() * 2) {
            return;
        }
        for w in near {
            let Some(wall) = walls.get(w).filter(|wall| wall.arc.is_none()) else { continue };
            let along = [least, most, DVec2::new(least.x, most.y), DVec2::new(most.x, least.y)]
                .map(|point| wall.way.dot(point));
            let (from, to) = (
                along.into_iter().fold(f64::INFINITY, f64::min),
                along.into_iter().fold(f64::NEG_INFINITY, f64::max),
            );
            let off = (wall.way.perp_dot(middle) - f64::midpoint(wall.low, wall.high)).abs();
            let reach = (most - least).min_element() / 2.0 + wall.thickness();
            let (start, stop) = wall.extent();
            let is_on = off < reach
                && from > start - 60.0
                && to < stop + 60.0
                && (400.0..=6000.0).contains(&(to - from));
            if is_on && best.is_none_or(|(least, ..)| off < least) {
                best = Some((off, w, from, to));
            }
        }
        if let Some((_, w, from, to)) = best
            && let Some(wall) = walls.get_mut(w)
            && !wall.gaps.iter().any(|gap| gap.overlap(from, to) > (to - from) * 0.3)
        {
            wall.gaps.push(Gap {
                from,
                to,
                filling: Filling::Door,
                confidence: 0.7,
                evidence: "a block that its name or layer calls a door".to_owned(),
                swings: Vec::new(),
                entities,
                is_uncut: true,
                hinge: None,
                is_sliding: false,
            });
        }
    }
}
