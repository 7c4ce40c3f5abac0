//! Rectangles that fit into areas in plan, turned along any of their sides.
//!
//! The middles at which a rectangle of one direction lies wholly in areas are the areas less what their sides sweep when the rectangle's middle moves along them
//! (Minkowski sums, Lozano-Pérez 1983). What fits snugly lies along a side of the areas, so that their directions are all that have to be tried.

use geometry::region::{Area, Loop, less_all};
use glam::DVec2;
use spatial::facet::loops_of;
use spatial::plan::hull;

/// Rectangles are made less long and wide by this, in metres, so that what fits snugly fits.
const SLACK: f64 = 1e-3;
/// Directions nearer than this (a sine) are one.
const SAME: f64 = 0.02;
/// Directions that are tried at most, those of the longest sides first.
const MOST: usize = 12;

/// The middle and direction of a rectangle of some length and width that lies in areas, if it fits.
pub(super) fn rectangle(areas: &[Area], length: f64, width: f64) -> Option<(DVec2, DVec2)> {
    let loops = loops_of(areas);
    directions(&loops).into_iter().find_map(|along| Some((at(&loops, along, length, width)?, along)))
}

/// The directions of the sides, the longest first; each with the one square to it.
fn directions(loops: &[Loop]) -> Vec<DVec2> {
    let mut found: Vec<(DVec2, f64)> = Vec::new();
    for (a, b) in sides(loops) {
        let (length, along) = (a.distance(b), (b - a).normalize_or_zero());
        let same = |(other, _): &&mut (DVec2, f64)| {
            other.perp_dot(along).abs() < SAME || other.dot(along).abs() < SAME
        };
        match found.iter_mut().find(same) {
            Some((_, sum)) => *sum += length,
            None if along != DVec2::ZERO => found.push((along, length)),
            None => {}
        }
    }
    found.sort_by(|a, b| b.1.total_cmp(&a.1));
    found.into_iter().take(MOST).flat_map(|(along, _)| [along, along.perp()]).collect()
}

fn sides(loops: &[Loop]) -> impl Iterator<Item = (DVec2, DVec2)> {
    loops.iter().flat_map(|l| l.iter().zip(l.iter().cycle().skip(1)).map(|(a, b)| (*a, *b)))
}

/// A middle at which a rectangle along a direction lies in areas.
fn at(loops: &[Loop], along: DVec2, length: f64, width: f64) -> Option<DVec2> {
    let (x, y) = (along * (length / 2.0 - SLACK), along.perp() * (width / 2.0 - SLACK));
    let corners = [x + y, y - x, -x - y, x - y];
    let swept = sides(loops).map(|(a, b)| hull(corners.iter().flat_map(|c| [a + *c, b + *c]).collect()));
    let swept: Vec<Loop> = swept.filter(|l| !l.is_empty()).collect();
    let left = less_all(loops, &swept);
    let best = left.iter().max_by(|a, b| a.size().total_cmp(&b.size()))?;
    let (middle, _) = spatial::plan::largest_circle(std::slice::from_ref(best), 0.01)?;
    Some(middle)
}

#[cfg(test)]
mod tests {
    use super::*;
    use geometry::region::rectangle as corners;

    fn fits(area: &Area, length: f64, width: f64) -> bool {
        rectangle(std::slice::from_ref(area), length, width).is_some()
    }

    fn turned(area: &Area, angle: f64) -> Area {
        let turn = |l: &Loop| {
            l.iter().map(|p| DVec2::from_angle(angle).rotate(*p) + DVec2::new(300.0, -70.0)).collect()
        };
        Area::new(turn(&area.outer), area.holes.iter().map(turn).collect())
    }

    #[test]
    fn a_rectangle_fits_into_what_is_as_large_and_not_into_less() {
        let room = Area::new(corners(DVec2::ZERO, DVec2::new(1.3, 0.8)), Vec::new());
        for angle in [0.0, 0.4, 1.9] {
            let room = turned(&room, angle);
            assert!(
                fits(&room, 1.22, 0.76) && fits(&room, 0.76, 1.22) && fits(&room, 1.299, 0.799),
                "{angle}"
            );
            assert!(!fits(&room, 1.35, 0.76) && !fits(&room, 1.22, 0.85), "{angle}");
        }
    }

    #[test]
    fn a_rectangle_does_not_lie_over_a_hole_or_around_a_corner() {
        let hole = corners(DVec2::new(0.9, 0.9), DVec2::new(1.1, 1.1));
        let room = Area::new(corners(DVec2::ZERO, DVec2::splat(2.0)), vec![hole]);
        assert!(fits(&room, 2.0, 0.9) && !fits(&room, 2.0, 1.0) && !fits(&room, 1.2, 1.2));
        let corner = [(0.0, 0.0), (2.0, 0.0), (2.0, 0.5), (0.5, 0.5), (0.5, 2.0), (0.0, 2.0)];
        let corner = Area::new(corner.map(DVec2::from).to_vec(), Vec::new());
        assert!(fits(&corner, 2.0, 0.5) && !fits(&corner, 0.8, 0.6));
    }
}
