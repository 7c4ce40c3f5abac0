//! The direction in which ink runs furthest, at each pixel of a thinned stroke.

use crate::grid::Grid;
use glam::DVec2;
use rayon::prelude::*;

/// A pixel on the axis of a stroke.
#[derive(Debug, Clone, Copy)]
pub(super) struct AxisPixel {
    pub x: i32,
    pub y: i32,
    /// Half of the stroke's thickness in pixels.
    pub half: f32,
    /// Degrees, 0 to 180.
    pub angle: f32,
    /// How far the ink runs in that direction, both ways together.
    pub run: f32,
}

const DIRECTIONS: usize = 36;

/// The pixels of axes that have a direction.
pub(super) fn find(mask: &Grid<u8>, thinned: &Grid<u8>, distance: &Grid<u16>) -> Vec<AxisPixel> {
    let directions: Vec<DVec2> = (0..DIRECTIONS)
        .map(|n| DVec2::from_angle((n as f64 * 180.0 / DIRECTIONS as f64).to_radians()))
        .collect();
    (0..mask.height)
        .into_par_iter()
        .flat_map_iter(|y| {
            let directions = &directions;
            (0..mask.width).filter_map(move |x| {
                let (x, y) = (x as i64, y as i64);
                (thinned.at(x, y) == 1).then(|| at(mask, distance, directions, x, y)).flatten()
            })
        })
        .collect()
}

fn at(mask: &Grid<u8>, distance: &Grid<u16>, directions: &[DVec2], x: i64, y: i64) -> Option<AxisPixel> {
    let half = f64::from(distance.at(x, y)) / 3.0 - 0.5;
    if half > 2.5 && !is_ridge(distance, x, y, half) {
        return None;
    }
    let reach = (half * 5.0).max(14.0);
    let step = (half / 4.0).max(1.0);
    let centre = DVec2::new(x as f64 + 0.5, y as f64 + 0.5);
    let runs: Vec<f64> = directions
        .iter()
        .map(|direction| {
            walk(mask, centre, *direction, reach, step) + walk(mask, centre, -*direction, reach, step)
        })
        .collect();
    let furthest = runs.iter().copied().fold(0.0, f64::max);
    if furthest < (half * 4.6).max(9.0) {
        return None;
    }
    let best = runs.iter().position(|run| *run >= furthest)?;
    // the middle of the directions beside the best that run nearly as far
    let at =
        |n: i64| runs.get((best as i64 + n).rem_euclid(DIRECTIONS as i64) as usize).copied().unwrap_or(0.0);
    let (mut low, mut high) = (0, 0);
    while low > -6 && at(low - 1) >= 0.88 * furthest {
        low -= 1;
    }
    while high < 6 && at(high + 1) >= 0.88 * furthest {
        high += 1;
    }
    if high - low > 8 {
        return None;
    }
    let middle = best as f64 + (low + high) as f64 / 2.0;
    let angle = (middle * 180.0 / DIRECTIONS as f64).rem_euclid(180.0);
    Some(AxisPixel { x: x as i32, y: y as i32, half: half as f32, angle: angle as f32, run: furthest as f32 })
}

/// False on the branches that thinning leaves towards the corners of a bar.
fn is_ridge(distance: &Grid<u16>, x: i64, y: i64, half: f64) -> bool {
    let own = distance.at(x, y);
    let step = (half / 2.0).round().max(1.0) as i64;
    let highest = (-2..=2)
        .flat_map(|j| (-2..=2).map(move |i| (i, j)))
        .map(|(i, j)| distance.at(x + i * step, y + j * step))
        .max()
        .unwrap_or(0);
    f64::from(own) >= 0.8 * f64::from(highest) - 1.5
}

fn walk(mask: &Grid<u8>, centre: DVec2, direction: DVec2, reach: f64, step: f64) -> f64 {
    let (mut along, mut inked) = (step, 0.0);
    while along <= reach {
        if mask.under(centre + direction * along) == 1 {
            inked = along;
        } else if along - inked > step + 0.5 {
            break;
        }
        along += step;
    }
    inked
}
