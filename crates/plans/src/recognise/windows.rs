//! Windows: lines along the gap of a wall, or along the wall where it has none.

use super::parts::{Field, Filling, Gap, Wall, wall_grid, widest_half};
use super::roles::Role;
use super::shapes::Primitives;
use crate::effort::Effort;
use glam::DVec2;
use std::collections::HashMap;

fn made(from: f64, to: f64, filling: Filling, confidence: f64, evidence: &str, entities: Vec<u32>) -> Gap {
    let evidence = evidence.to_owned();
    Gap {
        from,
        to,
        filling,
        confidence,
        evidence,
        swings: Vec::new(),
        entities,
        is_uncut: false,
        hinge: None,
        is_sliding: false,
    }
}

/// The window, or the sliding door, that lines along a gap show.
pub(crate) fn in_gap(
    field: &Field<'_>,
    way: DVec2,
    low: f64,
    high: f64,
    from: f64,
    to: f64,
    is_between: bool,
) -> Option<Gap> {
    let width = to - from;
    if !(200.0..=9000.0).contains(&width) {
        return None;
    }
    let at = |along: f64| way * along + way.perp() * f64::midpoint(low, high);
    let reach = way.perp().abs() * ((high - low) / 2.0 + 60.0);
    let (a, b) = (at(from), at(to));
    let (mut whole, mut parts, mut entities) = (Vec::new(), Vec::new(), Vec::new());
    let (mut is_named, mut is_door) = (false, false);
    let mut named_inside = Vec::new();
    for line in field.lines_near(a.min(b) - reach, a.max(b) + reach) {
        let offs = [way.perp_dot(line.from), way.perp_dot(line.to)];
        let along = [way.dot(line.from), way.dot(line.to)];
        let (start, stop) = (along[0].min(along[1]), along[0].max(along[1]));
        let is_in = offs.iter().all(|off| *off > low - 60.0 && *off < high + 60.0);
        if line.role == Role::Window && is_in && start > from - 250.0 && stop < to + 250.0 {
            named_inside.push(line.entity);
        }
        let is_along = (offs[0] - offs[1]).abs() < line.length() * 0.02 + 1.0;
        if !is_in || !is_along {
            continue;
        }
        let share = (stop.min(to) - start.max(from)) / width;
        let out = (from - start).max(stop - to);
        let is_own = line.role == Role::Window;
        if share > 0.8 && out < if is_own { 500.0 } else { 200.0 } {
            if line.role == Role::Door {
                is_door = true;
                continue;
            }
            is_named |= is_own;
            whole.push(offs[0]);
            entities.push(line.entity);
        } else if (0.3..0.8).contains(&share) && out < 150.0 {
            is_door |= line.role == Role::Door;
            is_named |= is_own;
            parts.push((start.max(from), stop.min(to)));
            entities.push(line.entity);
        }
    }
    if is_door && !is_named {
        return None;
    }
    entities.sort_unstable();
    entities.dedup();
    if !named_inside.is_empty() {
        named_inside.sort_unstable();
        named_inside.dedup();
        return Some(made(
            from,
            to,
            Filling::Window,
            0.95,
            "lines of a window in a gap of the wall",
            named_inside,
        ));
    }
    if is_between {
        return None;
    }
    if !whole.is_empty() {
        whole.sort_by(f64::total_cmp);
        whole.dedup_by(|a, b| (*a - *b).abs() < 3.0);
        let confidence = [0.6, 0.75, 0.85].get(whole.len() - 1).copied().unwrap_or(0.85);
        let evidence = format!("{} lines along a gap of the wall", whole.len());
        return Some(made(from, to, Filling::Window, confidence, &evidence, entities));
    }
    let is_left = parts.iter().any(|own| own.0 < from + width * 0.1);
    let is_right = parts.iter().any(|own| own.1 > to - width * 0.1);
    if is_left && is_right {
        let own =
            made(from, to, Filling::Door, 0.7, "two leaves beside each other in a gap of the wall", entities);
        return Some(Gap { is_sliding: true, ..own });
    }
    None
}

/// Puts windows into walls that are drawn without a gap for them.
pub(crate) fn place(walls: &mut [Wall], found: &Primitives, effort: &Effort<'_>) {
    // lines of windows along walls, by wall and block
    let mut pieces: HashMap<usize, Vec<(f64, f64, u32, u32)>> = HashMap::new();
    let (grid, half) = (wall_grid(walls, 4000.0, effort), widest_half(walls));
    for line in found.lines.iter().filter(|line| line.role == Role::Window) {
        let middle = line.middle();
        let near = grid.around(middle, 800.0);
        if !effort.goes_on(10 + near.len() * 2) {
            return;
        }
        for number in near {
            let Some(wall) = walls.get(number).filter(|wall| wall.arc.is_none()) else { continue };
            let offs = [wall.way.perp_dot(line.from), wall.way.perp_dot(line.to)];
            let is_along = (offs[0] - offs[1]).abs() < line.length() * 0.02 + 1.0;
            let is_in = offs.iter().all(|off| *off > wall.low - 60.0 && *off < wall.high + 60.0);
            let along = [wall.way.dot(line.from), wall.way.dot(line.to)];
            let (start, stop) = (along[0].min(along[1]), along[0].max(along[1]));
            let (from, to) = wall.extent();
            if is_along && is_in && start > from - 60.0 && stop < to + 60.0 {
                pieces.entry(number).or_default().push((start, stop, line.instance, line.entity));
            }
        }
    }
    let bodies: Vec<(DVec2, Vec<DVec2>)> = walls
        .iter()
        .map(|wall| (wall.way, if wall.arc.is_none() { wall.body() } else { Vec::new() }))
        .collect();
    let mut numbers: Vec<usize> = pieces.keys().copied().collect();
    numbers.sort_unstable();
    for number in numbers {
        let (Some(wall), Some(mut own)) = (walls.get_mut(number), pieces.remove(&number)) else { continue };
        own.sort_by(|a, b| a.2.cmp(&b.2).then(a.0.total_cmp(&b.0)));
        let mut clusters: Vec<(f64, f64, u32, Vec<u32>)> = Vec::new();
        for (start, stop, instance, entity) in own {
            match clusters.last_mut() {
                Some(last)
                    if last.2 == instance
                        && start < last.1 + if instance == u32::MAX { 60.0 } else { 200.0 } =>
                {
                    last.0 = last.0.min(start);
                    last.1 = last.1.max(stop);
                    last.3.push(entity);
                }
                _ => clusters.push((start, stop, instance, vec![entity])),
            }
        }
        for (start, stop, _, entities) in clusters {
            // what lies where another wall crosses is the end of a window of that one
            let middle = wall.point(f64::midpoint(start, stop));
            let near = if stop - start < 900.0 { grid.around(middle, half) } else { Vec::new() };
            if !effort.goes_on(10 + near.len() * 2) {
                return;
            }
            let is_corner = near.into_iter().filter_map(|n| bodies.get(n)).any(|(way, other)| {
                way.perp_dot(wall.way).abs() > 0.2 && super::shapes::contains(other, middle)
            });
            if is_corner {
                continue;
            }
            put(wall, start, stop, entities, 0.85, "lines of a window on a wall that is drawn without a gap");
        }
    }
}

/// Puts a window into a wall, if nothing else is there.
pub(crate) fn put(
    wall: &mut Wall,
    start: f64,
    stop: f64,
    entities: Vec<u32>,
    confidence: f64,
    evidence: &str,
) {
    if !(250.0..=9000.0).contains(&(stop - start)) {
        return;
    }
    let there = wall
        .gaps
        .iter_mut()
        .find(|gap| gap.overlap(start, stop) > (stop - start).min(gap.to - gap.from) * 0.3);
    match there {
        // a bare gap that has a window after all
        Some(gap) if gap.swings.is_empty() && gap.hinge.is_none() && gap.confidence < 0.65 => {
            gap.filling = Filling::Window;
            gap.confidence = confidence;
            evidence.clone_into(&mut gap.evidence);
            gap.entities.extend(entities);
        }
        Some(gap) => gap.entities.extend(entities),
        None => {
            let own = made(start, stop, Filling::Window, confidence, evidence, entities);
            wall.gaps.push(Gap { is_uncut: true, ..own });
        }
    }
}
