//! Areas as the polygons that EnergyPlus takes: without holes, and convex where they cast shadows; cut along their own edges, and
//! never through a window.

use geometry::region::{self, Area, Loop};
use glam::DVec2;
use spatial::facet::{NARROW, extent, loops_of, width};

/// The most cuts of one area.
const MOST_CUTS: usize = 64;
/// The most lines that are tried for one cut.
const MOST_LINES: usize = 48;

/// An area in polygons without holes, counter-clockwise; convex ones where asked and where no window is in the way. What is in the
/// way lies wholly in one polygon.
pub(crate) fn polygons(area: &Area, convex: bool, whole: &[Loop]) -> Vec<Loop> {
    let mut waiting = vec![area.clone()];
    let mut done = Vec::new();
    let mut cuts = 0;
    while let Some(area) = waiting.pop() {
        let fits = area.holes.is_empty() && (!convex || bends(&area.outer) == 0);
        if fits || cuts >= MOST_CUTS {
            done.push(area);
            continue;
        }
        cuts += 1;
        match best_cut(&area, whole) {
            Some(parts) => waiting.extend(parts),
            None => done.push(area),
        }
    }
    done.into_iter()
        .flat_map(|area| if area.holes.is_empty() { vec![area.outer] } else { triangles(&area) })
        .collect()
}

fn triangles(area: &Area) -> Vec<Loop> {
    let loops: Vec<Loop> = area.loops().cloned().collect();
    let points: Vec<DVec2> = loops.iter().flatten().copied().collect();
    let corner = |i: &u32| points.get(*i as usize).copied();
    region::triangles(&loops)
        .as_chunks::<3>()
        .0
        .iter()
        .map(|t| Area::new(t.iter().filter_map(corner).collect(), Vec::new()).outer)
        .filter(|l| l.len() == 3)
        .collect()
}

/// The corners of a counter-clockwise loop that turn right.
fn bends(points: &[DVec2]) -> usize {
    corners(points).filter(|(a, b, c)| turns_right(*a, *b, *c)).count()
}

fn corners(points: &[DVec2]) -> impl Iterator<Item = (DVec2, DVec2, DVec2)> + '_ {
    let n = points.len();
    (0..n).filter_map(move |i| {
        Some((*points.get((i + n - 1) % n)?, *points.get(i)?, *points.get((i + 1) % n)?))
    })
}

fn turns_right(a: DVec2, b: DVec2, c: DVec2) -> bool {
    let (u, v) = (b - a, c - b);
    // less than a tenth of a degree is straight
    u.perp_dot(v) < -0.002 * u.length() * v.length()
}

/// The two sides of the cut that leaves the least to cut, goes through no window and leaves no sliver.
fn best_cut(area: &Area, whole: &[Loop]) -> Option<Vec<Area>> {
    let mut best: Option<(f64, Vec<Area>)> = None;
    let right = |l: &Loop| -> Vec<(DVec2, DVec2, DVec2)> {
        corners(l).filter(|(a, b, c)| turns_right(*a, *b, *c)).collect()
    };
    let lines =
        area.holes.iter().flat_map(right).chain(right(&area.outer)).flat_map(|(a, b, c)| [(b, a), (b, c)]);
    for (at, to) in lines.take(MOST_LINES) {
        let way = to - at;
        let long = way.length();
        if long < 1e-6 {
            continue;
        }
        let along = way / long;
        let side = |p: &DVec2| along.perp_dot(*p - at);
        let crosses = |l: &Loop| l.iter().any(|p| side(p) > 1e-4) && l.iter().any(|p| side(p) < -1e-4);
        if whole.iter().any(crosses) {
            continue;
        }
        let loops: Vec<Loop> = area.loops().cloned().collect();
        let (low, high) = extent(loops.iter().flatten())?;
        let far = (high.x - low.x) + (high.y - low.y) + 1.0;
        let point = |s: f64, t: f64| at + along * s + along.perp() * t;
        let half = vec![point(-far, 0.0), point(far, 0.0), point(far, far), point(-far, far)];
        let half = std::slice::from_ref(&half);
        let mut parts = region::intersection(&loops, half);
        parts.extend(region::difference(&loops, half));
        if parts.len() < 2 {
            continue;
        }
        let left = parts.iter().map(|p| bends(&p.outer) + 4 * p.holes.len()).sum::<usize>() as f64;
        let thin = parts.iter().filter(|p| width(p) < NARROW).count() as f64;
        let narrowest = parts.iter().map(width).fold(f64::INFINITY, f64::min);
        let cost = left + 100.0 * thin - 0.01 * narrowest.min(10.0) + 0.001 * parts.len() as f64;
        if best.as_ref().is_none_or(|(c, _)| cost < *c) {
            best = Some((cost, parts));
        }
    }
    let (_, parts) = best?;
    // rounding must not lose anything
    let size: f64 = parts.iter().map(Area::size).sum();
    ((size - area.size()).abs() < 1e-4 * area.size() + 1e-6 && !loops_of(&parts).is_empty()).then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use geometry::math::signed_area;

    fn total(polygons: &[Loop]) -> f64 {
        polygons.iter().map(|l| signed_area(l)).sum()
    }

    #[test]
    fn an_angle_becomes_two_rectangles_and_a_frame_loses_its_hole() {
        let angle = Area::new(
            vec![
                DVec2::ZERO,
                DVec2::new(4.0, 0.0),
                DVec2::new(4.0, 1.0),
                DVec2::ONE,
                DVec2::new(1.0, 3.0),
                DVec2::new(0.0, 3.0),
            ],
            Vec::new(),
        );
        let parts = polygons(&angle, true, &[]);
        assert_eq!(parts.len(), 2);
        assert!((total(&parts) - 6.0).abs() < 1e-6);

        let frame = Area::new(
            vec![DVec2::ZERO, DVec2::new(4.0, 0.0), DVec2::new(4.0, 4.0), DVec2::new(0.0, 4.0)],
            vec![vec![DVec2::ONE, DVec2::new(3.0, 1.0), DVec2::new(3.0, 3.0), DVec2::new(1.0, 3.0)]],
        );
        let parts = polygons(&frame, false, &[]);
        assert!(parts.len() >= 2 && (total(&parts) - 12.0).abs() < 1e-6, "{parts:?}");
    }

    #[test]
    fn no_cut_goes_through_a_window() {
        let angle = Area::new(
            vec![
                DVec2::ZERO,
                DVec2::new(4.0, 0.0),
                DVec2::new(4.0, 1.0),
                DVec2::ONE,
                DVec2::new(1.0, 3.0),
                DVec2::new(0.0, 3.0),
            ],
            Vec::new(),
        );
        let window = region::rectangle(DVec2::new(0.5, 0.2), DVec2::new(2.0, 0.8));
        let parts = polygons(&angle, true, std::slice::from_ref(&window));
        let holds = |l: &&Loop| {
            region::intersection(std::slice::from_ref(*l), std::slice::from_ref(&window))
                .iter()
                .map(Area::size)
                .sum::<f64>()
                > 0.89
        };
        assert_eq!(parts.iter().filter(holds).count(), 1, "{parts:?}");
    }
}
