//! How sure a wall candidate is, and why; and candidates that are none: frames of sheets, furniture by itself.

use super::{Drawing, Manner, Wall};
use crate::line::Span;
use glam::DVec2;

/// Below this a candidate is not told.
const LEAST: f64 = 0.3;

/// Answers how many are left out since they lie outside the building.
pub(super) fn judge(walls: &mut Vec<Wall>, drawing: &Drawing, usual: f64) -> usize {
    let part = parts(walls);
    let count = part.iter().copied().max().map_or(0, |most| most + 1);
    let mut lengths = vec![0.0; count];
    let mut sizes = vec![0_usize; count];
    for (wall, part) in walls.iter().zip(&part) {
        if let (Some(length), Some(size)) = (lengths.get_mut(*part), sizes.get_mut(*part)) {
            *length += wall.axis.length();
            *size += 1;
        }
    }
    let largest = lengths.iter().copied().fold(0.0, f64::max);
    let frames = frames(walls, &part, count, drawing);
    let outside = outside(walls, &part, &lengths, drawing);
    let mut apart = 0;
    for (wall, part) in walls.iter_mut().zip(&part) {
        let length = wall.axis.length();
        let share = lengths.get(*part).copied().unwrap_or(0.0) / largest.max(1e-6);
        let drawn: f64 = wall.solid.iter().map(|(from, to)| to - from).sum::<f64>() / length.max(1e-6);
        let (mut own, first): (f64, _) = match wall.manner {
            Manner::Filled => (0.62, "a filled bar"),
            Manner::Double => (0.55, "two parallel faces"),
            Manner::Single => (0.38, "a line of the network that encloses rooms"),
        };
        let mut reasons = vec![first];
        match wall.meets.iter().filter(|own| **own).count() {
            2 => {
                own += 0.2;
                reasons.push("meets other walls at both ends");
            }
            1 => {
                own += 0.1;
                reasons.push("meets another wall at one end");
            }
            _ => own -= 0.1,
        }
        if usual > 0.0 && (wall.thickness / usual - 1.0).abs() < 0.15 {
            own += 0.1;
            reasons.push("as thick as most");
        } else if usual > 0.0 && !(0.4..2.2).contains(&(wall.thickness / usual)) {
            own -= 0.12;
            reasons.push("unlike the others in thickness");
        }
        if wall.gaps.iter().any(|gap| gap.kind != super::GapKind::Opening) {
            own += 0.08;
            reasons.push("has doors or windows");
        }
        if length < 3.0 * wall.thickness && wall.manner != Manner::Single {
            own -= 0.12;
            reasons.push("short for its thickness");
        }
        if drawn < 0.35 {
            own -= 0.35;
            reasons.push("mostly gaps");
        }
        if share < 0.12 {
            own -= if share < 0.06 { 0.5 } else { 0.3 };
            reasons.push("stands apart from the other walls");
        }
        if usual > 0.0 && wall.thickness > 1.5 * usual && length < 1.7 * wall.thickness {
            own -= 0.45;
            reasons.push("perhaps a column");
        }
        if frames.get(*part).copied().unwrap_or(false) {
            own = 0.0;
        }
        if outside.get(*part).copied().unwrap_or(false) {
            apart += usize::from(own >= LEAST);
            own = 0.0;
        }
        wall.confidence = own.clamp(0.0, 0.98);
        wall.reasons = reasons;
    }
    drop_beside(walls);
    drop_hatches(walls);
    walls.retain(|wall| wall.confidence >= LEAST && wall.axis.length() > 0.0);
    walls.sort_by(|a, b| (b.confidence * b.axis.length()).total_cmp(&(a.confidence * a.axis.length())));
    apart
}

/// True for each part outside the building: the largest part is the building, with what is near it. Another as large may be a second
/// plan on the sheet.
fn outside(walls: &[Wall], part: &[usize], lengths: &[f64], drawing: &Drawing) -> Vec<bool> {
    const NEAR: f64 = 0.04;
    const SECOND: f64 = 0.4;
    let mut boxes = vec![(DVec2::INFINITY, DVec2::NEG_INFINITY); lengths.len()];
    for (wall, part) in walls.iter().zip(part) {
        if let Some((low, high)) = boxes.get_mut(*part) {
            *low = low.min(wall.axis.start).min(wall.axis.end);
            *high = high.max(wall.axis.start).max(wall.axis.end);
        }
    }
    let largest = lengths.iter().copied().fold(0.0, f64::max);
    let mut own: Vec<bool> = lengths.iter().map(|length| *length < SECOND * largest).collect();
    let near = NEAR * drawing.extent;
    loop {
        let joined = (0..own.len()).find(|n| {
            own.get(*n).copied().unwrap_or(false)
                && boxes.get(*n).is_some_and(|(low, high)| {
                    boxes.iter().zip(&own).any(|((from, to), is_outside)| {
                        !is_outside && (*low - *to).max(*from - *high).max_element() < near
                    })
                })
        });
        let Some(is_outside) = joined.and_then(|n| own.get_mut(n)) else { return own };
        *is_outside = false;
    }
}

/// Of two candidates that lie in each other, the less sure one is none.
fn drop_beside(walls: &mut [Wall]) {
    let rank = |wall: &Wall| wall.confidence * wall.solid.iter().map(|(from, to)| to - from).sum::<f64>();
    let all: Vec<(Span, f64, f64)> =
        walls.iter().map(|wall| (wall.axis, wall.thickness, rank(wall))).collect();
    for (n, wall) in walls.iter_mut().enumerate() {
        let own = rank(wall);
        let is_within = all.iter().enumerate().any(|(m, (axis, thickness, other))| {
            m != n
                && (*other > own || (*other >= own && m < n))
                && axis.angle_to(&wall.axis) < 8.0
                && axis.beside(wall.axis.middle()).abs() < 0.42 * (thickness + wall.thickness) + 1.0
                && axis.overlap(&wall.axis) > 0.5 * wall.axis.length()
        });
        if is_within {
            wall.confidence = 0.0;
        }
    }
}

/// Lines of hatches of walls, joined over the rooms between them, are no walls: nearly all that is drawn of them lies within other walls.
fn drop_hatches(walls: &mut [Wall]) {
    /// The share of what is drawn that lies within other walls.
    const WITHIN: f64 = 0.7;
    /// Pixels from one place that is looked at to the next.
    const STEP: f64 = 2.0;
    let all: Vec<(Span, f64, f64)> =
        walls.iter().map(|wall| (wall.axis, wall.thickness, wall.confidence * wall.axis.length())).collect();
    for (n, wall) in walls.iter_mut().enumerate() {
        let own = all.get(n).map_or(0.0, |(.., rank)| *rank);
        let across: Vec<&(Span, f64, f64)> = all
            .iter()
            .filter(|(axis, thickness, rank)| {
                *rank > own && *thickness > wall.thickness && axis.angle_to(&wall.axis) > 20.0
            })
            .collect();
        let (mut within, mut looked_at) = (0_u32, 0_u32);
        for (from, to) in &wall.solid {
            let steps = ((to - from) / STEP).ceil().clamp(1.0, 4_000.0) as u32;
            for step in 0..=steps {
                let along = from + (to - from) * f64::from(step) / f64::from(steps);
                let point = wall.axis.start + wall.axis.direction() * along;
                looked_at += 1;
                within += u32::from(
                    across.iter().any(|(axis, thickness, _)| axis.distance(point) < 0.5 * thickness + 1.0),
                );
            }
        }
        if looked_at > 0 && f64::from(within) > WITHIN * f64::from(looked_at) {
            wall.confidence = 0.0;
        }
    }
}

/// The number of the part that each wall belongs to: walls that touch are one part.
fn parts(walls: &[Wall]) -> Vec<usize> {
    let mut own: Vec<usize> = (0..walls.len()).collect();
    let root = |own: &[usize], mut n: usize| {
        while let Some(above) = own.get(n).copied().filter(|above| *above != n) {
            n = above;
        }
        n
    };
    for (n, a) in walls.iter().enumerate() {
        for (m, b) in walls.iter().enumerate().skip(n + 1) {
            if touch(a, b) {
                let (x, y) = (root(&own, n), root(&own, m));
                if let Some(one) = own.get_mut(x.max(y)) {
                    *one = x.min(y);
                }
            }
        }
    }
    let roots: Vec<usize> = (0..walls.len()).map(|n| root(&own, n)).collect();
    let mut known: Vec<usize> = roots.clone();
    known.sort_unstable();
    known.dedup();
    roots.iter().map(|n| known.binary_search(n).unwrap_or(0)).collect()
}

fn touch(a: &Wall, b: &Wall) -> bool {
    let reach = 0.6 * (a.gauge + b.gauge) + 3.0;
    let near = |one: &Span, two: &Span| two.distance(one.start) < reach || two.distance(one.end) < reach;
    if near(&a.axis, &b.axis) || near(&b.axis, &a.axis) {
        return true;
    }
    let Some(point) = a.axis.crossing(&b.axis) else { return false };
    let within = |span: &Span| (0.0..=span.length()).contains(&span.along(point));
    within(&a.axis) && within(&b.axis)
}

/// True for each part that is the frame of a sheet or of a title block: few walls without openings about all others.
fn frames(walls: &[Wall], part: &[usize], count: usize, _drawing: &Drawing) -> Vec<bool> {
    let mut boxes = vec![[f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY]; count];
    let mut sizes = vec![0_usize; count];
    let mut openings = vec![0_usize; count];
    for (wall, part) in walls.iter().zip(part) {
        if let (Some(own), Some(size), Some(open)) =
            (boxes.get_mut(*part), sizes.get_mut(*part), openings.get_mut(*part))
        {
            for point in [wall.axis.start, wall.axis.end] {
                *own = [own[0].min(point.x), own[1].min(point.y), own[2].max(point.x), own[3].max(point.y)];
            }
            *size += 1;
            *open += wall.gaps.len();
        }
    }
    let encloses = |a: &[f64; 4], b: &[f64; 4]| a[0] < b[0] && a[1] < b[1] && a[2] > b[2] && a[3] > b[3];
    (0..count)
        .map(|n| {
            let (Some(own), Some(size), Some(open)) = (boxes.get(n), sizes.get(n), openings.get(n)) else {
                return false;
            };
            *size <= 8
                && *open == 0
                && (0..count).any(|m| {
                    m != n
                        && sizes.get(m).is_some_and(|other| *other >= 4 && *other * 2 >= *size)
                        && boxes.get(m).is_some_and(|other| encloses(own, other))
                })
        })
        .collect()
}
