//! Ends of walls brought to where walls meet: corners, tees, and doors beside a corner.

use super::{Drawing, Wall, gaps};
use crate::line::Span;
use glam::DVec2;

/// Snaps ends to the axes that they meet. Twice, since a wall that grew is met by others.
pub(super) fn snap(walls: &mut [Wall], drawing: &Drawing) {
    for _ in 0..2 {
        let others: Vec<(Span, f64)> = walls.iter().map(|wall| (wall.axis, wall.thickness)).collect();
        for (n, wall) in walls.iter_mut().enumerate() {
            for at_end in [false, true] {
                if wall.meets[usize::from(at_end)] {
                    continue;
                }
                if let Some(point) = meeting(wall, n, at_end, &others, drawing.strokes.waver) {
                    set(wall, at_end, point);
                    wall.meets[usize::from(at_end)] = true;
                }
            }
        }
    }
    let others: Vec<(Span, f64)> = walls.iter().map(|wall| (wall.axis, wall.thickness)).collect();
    for (n, wall) in walls.iter_mut().enumerate() {
        for at_end in [false, true] {
            if !wall.meets[usize::from(at_end)] {
                reach_over_opening(wall, n, at_end, &others, drawing);
            }
        }
    }
}

/// The point where an end meets the axis of another wall.
fn meeting(wall: &Wall, own: usize, at_end: bool, others: &[(Span, f64)], waver: f64) -> Option<DVec2> {
    let end = if at_end { wall.axis.end } else { wall.axis.start };
    let out = if at_end { wall.axis.direction() } else { -wall.axis.direction() };
    let mut best: Option<(f64, DVec2)> = None;
    for (n, (other, thickness)) in others.iter().enumerate() {
        let angle = wall.axis.angle_to(other);
        if n == own || angle < 18.0 {
            continue;
        }
        let Some(point) = wall.axis.crossing(other) else { continue };
        // a wall at an angle is met later
        let slant = 1.0 / angle.to_radians().sin();
        let most = 0.75 * (thickness + wall.gauge) * slant + 4.0 + 3.0 * waver;
        let ahead = (point - end).dot(out);
        let beside = other.along(point);
        let aside = 0.75 * (wall.gauge + thickness) * slant + 4.0 + 3.0 * waver;
        if ahead.abs() > most
            || ahead < -0.8 * wall.axis.length()
            || beside < -aside
            || beside > other.length() + aside
        {
            continue;
        }
        if best.is_none_or(|(distance, _)| ahead.abs() < distance) {
            best = Some((ahead.abs(), point));
        }
    }
    best.map(|(_, point)| point)
}

fn set(wall: &mut Wall, at_end: bool, point: DVec2) {
    if at_end {
        let along = wall.axis.along(point);
        wall.axis.end = point;
        if let Some(last) = wall.solid.last_mut() {
            last.1 = along.max(last.0);
        }
        return;
    }
    let along = wall.axis.along(point);
    wall.axis.start = point;
    for own in &mut wall.solid {
        *own = (own.0 - along, own.1 - along);
    }
    for gap in &mut wall.gaps {
        gap.from -= along;
        gap.to -= along;
    }
    if let Some(first) = wall.solid.first_mut() {
        first.0 = 0.0;
    }
}

/// Lets a wall reach over a door or window to the wall beyond, where there is no pier between.
fn reach_over_opening(wall: &mut Wall, own: usize, at_end: bool, others: &[(Span, f64)], drawing: &Drawing) {
    let end = if at_end { wall.axis.end } else { wall.axis.start };
    let out = if at_end { wall.axis.direction() } else { -wall.axis.direction() };
    let most = 16.0 * wall.gauge;
    let mut best: Option<(f64, DVec2, f64)> = None;
    for (n, (other, thickness)) in others.iter().enumerate() {
        if n == own || wall.axis.angle_to(other) < 45.0 {
            continue;
        }
        let Some(point) = wall.axis.crossing(other) else { continue };
        let ahead = (point - end).dot(out);
        let beside = other.along(point);
        let within = beside > -wall.thickness && beside < other.length() + wall.thickness;
        if within && ahead > 0.0 && ahead < most && best.is_none_or(|(distance, ..)| ahead < distance) {
            best = Some((ahead, point, *thickness));
        }
    }
    let Some((ahead, point, thickness)) = best else { return };
    let length = wall.axis.length();
    let face = ahead - thickness / 2.0;
    let (from, to) = if at_end { (length, length + face) } else { (-face, 0.0) };
    let Some(gap) =
        gaps::judge(wall, from, to, drawing, 0.0).filter(|gap| gap.kind != gaps::GapKind::Opening)
    else {
        return;
    };
    wall.gaps.push(gap);
    wall.solid.push(if at_end { (to, length + ahead) } else { (-ahead, -face) });
    wall.solid.sort_by(|a, b| a.0.total_cmp(&b.0));
    set(wall, at_end, point);
    wall.gaps.sort_by(|a, b| a.from.total_cmp(&b.from));
    wall.meets[usize::from(at_end)] = true;
}
