//! Pixels of axes grouped into lines, and lines cut where they bend.

use super::Stroke;
use super::direction::AxisPixel;
use crate::grid::Grid;
use crate::line::fit;
use glam::DVec2;

/// Pixels side by side with one direction.
pub(super) struct Group {
    /// Their numbers.
    pub members: Vec<u32>,
    pub points: Vec<DVec2>,
    pub half: f64,
}

/// The largest angle between a pixel's direction and that of its group, in degrees.
const TURN: f64 = 13.0;

pub(super) fn grow(mask: &Grid<u8>, pixels: &[AxisPixel]) -> Vec<Group> {
    let mut number: Grid<u32> = Grid::new(mask.width, mask.height);
    for (n, pixel) in pixels.iter().enumerate() {
        number.set(i64::from(pixel.x), i64::from(pixel.y), n as u32 + 1);
    }
    let mut order: Vec<u32> = (0..pixels.len() as u32).collect();
    let run = |n: u32| pixels.get(n as usize).map_or(0.0, |pixel| pixel.run / (pixel.half + 1.0));
    order.sort_by(|a, b| run(*b).total_cmp(&run(*a)));
    let mut taken = vec![false; pixels.len()];
    let mut groups = Vec::new();
    for seed in order {
        if taken.get(seed as usize).copied().unwrap_or(true) {
            continue;
        }
        let members = region(seed, pixels, &number, &mut taken);
        if members.len() < 5 {
            continue;
        }
        let own = || members.iter().filter_map(|n| pixels.get(*n as usize));
        let points = own().map(|p| DVec2::new(f64::from(p.x) + 0.5, f64::from(p.y) + 0.5)).collect();
        let half = own().map(|p| f64::from(p.half)).sum::<f64>() / members.len() as f64;
        groups.push(Group { members, points, half });
    }
    groups
}

fn region(seed: u32, pixels: &[AxisPixel], number: &Grid<u32>, taken: &mut [bool]) -> Vec<u32> {
    let mut members = vec![seed];
    let Some(first) = pixels.get(seed as usize) else { return members };
    if let Some(own) = taken.get_mut(seed as usize) {
        *own = true;
    }
    // directions are lines: twice their angle makes them add up
    let double = |angle: f32| DVec2::from_angle(f64::from(angle).to_radians() * 2.0);
    let mut sum = double(first.angle);
    let mut half = f64::from(first.half);
    let mut next = 0;
    while let Some(own) = members.get(next).and_then(|n| pixels.get(*n as usize)) {
        next += 1;
        for dy in -2..=2 {
            for dx in -2..=2 {
                let n = number.at(i64::from(own.x) + dx, i64::from(own.y) + dy);
                let Some(at) = n.checked_sub(1) else { continue };
                let (Some(pixel), Some(is_taken)) = (pixels.get(at as usize), taken.get_mut(at as usize))
                else {
                    continue;
                };
                if *is_taken {
                    continue;
                }
                let towards = double(pixel.angle);
                let turn = sum.angle_to(towards).abs().to_degrees() / 2.0;
                let other = f64::from(pixel.half);
                if turn > TURN || (other - half).abs() > 1.2 + 0.35 * half {
                    continue;
                }
                *is_taken = true;
                members.push(at);
                sum += towards;
                half += (other - half) / members.len() as f64;
            }
        }
    }
    members
}

/// How far long lines leave the straight, by the median.
pub(super) fn waver(groups: &[Group], longest: f64) -> f64 {
    let mut own: Vec<f64> = groups
        .iter()
        .filter_map(|group| fit(&group.points))
        .filter(|(span, _)| span.length() > (longest * 0.05).max(40.0))
        .map(|(_, deviation)| deviation)
        .collect();
    own.sort_by(f64::total_cmp);
    own.get(own.len() / 2).copied().unwrap_or(0.3)
}

/// The distance by which points may leave a line.
pub(super) fn tolerance(waver: f64, thickness: f64) -> f64 {
    (waver * 2.6).clamp(1.2, 5.0).max(0.14 * thickness)
}

pub(super) fn straight(groups: &[Group], in_arc: &[bool], waver: f64) -> Vec<Stroke> {
    let mut out = Vec::new();
    for group in groups {
        let curved =
            group.members.iter().filter(|n| in_arc.get(**n as usize).copied().unwrap_or(false)).count();
        if curved * 2 > group.members.len() {
            continue;
        }
        cut(group.points.clone(), group.half * 2.0, waver, 0, &mut out);
    }
    out
}

fn cut(points: Vec<DVec2>, thickness: f64, waver: f64, depth: u32, out: &mut Vec<Stroke>) {
    let Some((span, deviation)) = fit(&points) else { return };
    let worst = points.iter().copied().max_by(|a, b| span.beside(*a).abs().total_cmp(&span.beside(*b).abs()));
    let most = tolerance(waver, thickness);
    if let Some(worst) = worst
        && depth < 8
        && span.beside(worst).abs() > most * 1.8
        && deviation > most * 0.5
    {
        // a line that bends is furthest from its chord where it bends
        let at = span.along(worst);
        let at =
            if at < span.length() * 0.15 || at > span.length() * 0.85 { span.length() / 2.0 } else { at };
        let (first, second): (Vec<_>, Vec<_>) = points.into_iter().partition(|point| span.along(*point) < at);
        for half in [first, second] {
            if half.len() >= 5 {
                cut(half, thickness, waver, depth + 1, out);
            }
        }
        return;
    }
    if span.length() >= 4.0 {
        out.push(Stroke { span, thickness, deviation, coverage: 1.0, spread: 0.0, points });
    }
}
