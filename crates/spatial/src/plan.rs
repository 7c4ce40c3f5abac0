//! Figures in plan: the hull of points, and the largest circle in areas.

use crate::facet::extent;
use geometry::{
    math::signed_area,
    region::{Area, Loop},
};
use glam::DVec2;
use std::{cmp::Ordering, collections::BinaryHeap};

/// Points beyond this number are looked through for those that cannot be corners of their hull before they are sorted.
const MANY: usize = 64;
/// The least hull, in m²; less is a line.
const LEAST_HULL: f64 = 1e-6;

/// The convex hull of points, counter-clockwise (Andrew's monotone chain); empty where they lie on a line.
pub fn hull(mut points: Vec<DVec2>) -> Loop {
    if points.len() > MANY {
        leave_out_inner(&mut points);
    }
    points.sort_unstable_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    points.dedup();
    if points.len() < 3 {
        return Vec::new();
    }
    let half = |points: &mut dyn Iterator<Item = DVec2>| -> Loop {
        let mut chain: Loop = Vec::new();
        for p in points {
            while let [.., a, b] = chain.as_slice() {
                if (*b - *a).perp_dot(p - *a) > 0.0 {
                    break;
                }
                chain.pop();
            }
            chain.push(p);
        }
        chain.pop();
        chain
    };
    let mut outline = half(&mut points.iter().copied());
    outline.extend(half(&mut points.iter().rev().copied()));
    if signed_area(&outline).abs() > LEAST_HULL { outline } else { Vec::new() }
}

/// Leaves out points that lie well within the octagon of those that are outermost in eight directions: none is a corner of the hull (Akl and
/// Toussaint 1978).
fn leave_out_inner(points: &mut Vec<DVec2>) {
    let ways = [
        (1.0, 0.0),
        (1.0, 1.0),
        (0.0, 1.0),
        (-1.0, 1.0),
        (-1.0, 0.0),
        (-1.0, -1.0),
        (0.0, -1.0),
        (1.0, -1.0),
    ];
    let mut outermost = [(f64::NEG_INFINITY, DVec2::ZERO); 8];
    for p in points.iter() {
        for (most, way) in outermost.iter_mut().zip(ways) {
            let along = p.dot(way.into());
            if along > most.0 {
                *most = (along, *p);
            }
        }
    }
    let corners = outermost.map(|(_, p)| p);
    let sides: Vec<(DVec2, DVec2)> = (corners.iter().zip(corners.iter().cycle().skip(1)))
        .map(|(a, b)| (*a, *b - *a))
        .filter(|(_, along)| along.length_squared() > 0.0)
        .collect();
    let slack = 1e-9 * (1.0 + corners.iter().map(|p| p.length_squared()).fold(0.0, f64::max));
    points.retain(|p| !sides.iter().all(|(from, along)| along.perp_dot(*p - *from) > slack));
}

/// A side of an area.
struct Side {
    from: DVec2,
    along: DVec2,
    /// One over the square of its length; 0 of a point.
    inverse: f64,
}

/// The sides of areas.
struct Sides(Vec<Side>);

impl Sides {
    /// The distance of a point from the nearest side in metres; below 0 outside.
    fn clear(&self, p: DVec2) -> f64 {
        let (mut least, mut is_inside) = (f64::INFINITY, false);
        for side in &self.0 {
            let to = p - side.from;
            let off = to - side.along * (to.dot(side.along) * side.inverse).clamp(0.0, 1.0);
            least = least.min(off.length_squared());
            let passes = (to.y < 0.0) != (to.y < side.along.y);
            if passes && to.x * side.along.y.abs() < side.along.x * to.y * side.along.y.signum() {
                is_inside = !is_inside;
            }
        }
        if is_inside { least.sqrt() } else { -least.sqrt() }
    }
}

/// A square with the most that a circle around one of its points may measure.
struct Cell {
    most: f64,
    middle: DVec2,
    half: f64,
}

impl Ord for Cell {
    fn cmp(&self, other: &Self) -> Ordering {
        self.most.total_cmp(&other.most)
    }
}

impl PartialOrd for Cell {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Cell {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Cell {}

/// Returns the middle and the radius of a largest circle in areas that do not overlap, to `precision` metres: cells are searched by the best that
/// they may hold (Agafonkin's polylabel). `None` where there is none.
pub fn largest_circle(areas: &[Area], precision: f64) -> Option<(DVec2, f64)> {
    const MOST_CELLS: usize = 4000;
    let (low, high) = extent(areas.iter().flat_map(|area| &area.outer))?;
    let side = |(from, to): (&DVec2, &DVec2)| {
        let along = *to - *from;
        let square = along.length_squared();
        Side { from: *from, along, inverse: if square > 0.0 { square.recip() } else { 0.0 } }
    };
    let loops = areas.iter().flat_map(Area::loops);
    let sides = Sides(loops.flat_map(|l| l.iter().zip(l.iter().cycle().skip(1))).map(side).collect());
    let extent = high - low;
    let size = extent.min_element().max(extent.max_element() / 64.0);
    if !size.is_finite() || size <= 1e-6 {
        return None;
    }
    let (half, diagonal) = (size / 2.0, std::f64::consts::SQRT_2);
    let mut best = (low, 0.0_f64);
    let mut waiting: BinaryHeap<Cell> = BinaryHeap::new();
    let mut asked = 0;
    let mut ask = |middle: DVec2, half: f64, best: &mut (DVec2, f64)| {
        asked += 1;
        let clear = sides.clear(middle);
        if clear > best.1 {
            *best = (middle, clear);
        }
        (Cell { most: clear + half * diagonal, middle, half }, asked)
    };
    let [columns, rows] = (extent / size).ceil().to_array().map(|count| count as u32);
    for (column, row) in (0..columns).flat_map(|c| (0..rows).map(move |r| (c, r))) {
        let at = low + DVec2::new(f64::from(column), f64::from(row)) * size + half;
        waiting.push(ask(at, half, &mut best).0);
    }
    while let Some(next) = waiting.pop() {
        if next.most - best.1 <= precision {
            break;
        }
        let quarter = next.half / 2.0;
        let mut count = 0;
        for by in [DVec2::new(-1.0, -1.0), DVec2::new(1.0, -1.0), DVec2::new(-1.0, 1.0), DVec2::ONE] {
            let (part, asked) = ask(next.middle + by * quarter, quarter, &mut best);
            count = asked;
            if part.most - best.1 > precision {
                waiting.push(part);
            }
        }
        if count > MOST_CELLS {
            break;
        }
    }
    (best.1 > 0.0).then_some(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_circle_of_an_l_lies_in_its_corner() {
        let corner = [(0.0, 0.0), (4.0, 0.0), (4.0, 1.0), (1.0, 1.0), (1.0, 3.0), (0.0, 3.0)];
        let area = Area::new(corner.map(DVec2::from).to_vec(), Vec::new());
        // it touches both outer sides and the inner corner: r = (1 - r) √2
        let wanted = 2.0_f64.sqrt() / (1.0 + 2.0_f64.sqrt());
        let found = largest_circle(&[area], 0.005).unwrap();
        assert!((found.1 - wanted).abs() < 0.005, "{found:?} {wanted}");
        assert!(found.0.distance(DVec2::splat(wanted)) < 0.02, "{found:?} {wanted}");
    }

    #[test]
    fn the_largest_circle_keeps_out_of_holes_and_of_other_areas() {
        let square = |low: f64, high: f64| geometry::region::rectangle(DVec2::splat(low), DVec2::splat(high));
        let with_hole = Area::new(square(0.0, 3.0), vec![square(1.0, 2.0)]);
        let beside = Area::new(square(5.0, 6.5), Vec::new());
        // in a corner: it touches both sides and the corner of the hole
        let wanted = 2.0_f64.sqrt() / (1.0 + 2.0_f64.sqrt());
        let found = largest_circle(std::slice::from_ref(&with_hole), 0.001).unwrap();
        assert!((found.1 - wanted).abs() < 0.001, "{found:?} {wanted}");
        let found = largest_circle(&[with_hole, beside], 0.001).unwrap();
        assert!((found.1 - 0.75).abs() < 0.001, "{found:?}");
        assert_eq!(largest_circle(&[], 0.001), None);
    }

    #[test]
    fn the_hull_of_points_leaves_out_those_within() {
        let points = [(0.0, 0.0), (2.0, 0.0), (1.0, 0.5), (2.0, 2.0), (0.0, 2.0), (1.0, 1.0)];
        assert_eq!(hull(points.map(DVec2::from).to_vec()).len(), 4);
        assert!(hull(vec![DVec2::ZERO, DVec2::ONE, DVec2::splat(2.0)]).is_empty());
    }

    #[test]
    fn the_hull_of_many_points_is_that_of_all() {
        let mut state = 1_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        for count in [65, 100, 1000] {
            let points: Vec<DVec2> = (0..count).map(|_| DVec2::new(1e3 + 5.0 * random(), random())).collect();
            let outline = hull(points.clone());
            assert!(signed_area(&outline) > 0.0);
            let sides = || outline.iter().zip(outline.iter().cycle().skip(1));
            assert!(outline.iter().all(|p| points.contains(p)));
            for p in &points {
                assert!(
                    sides().all(|(a, b)| (*b - *a).perp_dot(*p - *a) >= -1e-9),
                    "{count}: {p} is outside"
                );
            }
        }
    }
}
