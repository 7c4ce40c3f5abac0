//! Revision clouds: lines of arcs around changes that lie near to each other, each with a numbered triangle.

use super::Cloud;
use crate::beside::TRIANGLE;
use crate::drawing::words::Box2;
use geometry::region;
use glam::DVec2;
use paper::{Segment, Subpath};

/// The distance between a change and the line of its cloud, in mm.
const AROUND: f64 = 2.5;
/// The usual length of an arc's chord, in mm.
const CHORD: f64 = 6.0;
/// The height of an arc over its chord, as a share of the chord.
const BULGE: f64 = 0.3;

/// The clouds around boxes, from the top of the page down and from left to right; boxes near to each other are in one.
pub(super) fn clouds(boxes: &[(usize, [DVec2; 2])]) -> Vec<Cloud> {
    let grown = |[low, high]: &[DVec2; 2]| region::rectangle(*low - AROUND, *high + AROUND);
    let loops: Vec<region::Loop> = boxes.iter().map(|(_, b)| grown(b)).collect();
    let mut outlines: Vec<Vec<DVec2>> = region::union(&loops).into_iter().map(|area| area.outer).collect();
    let corner = |line: &[DVec2]| line.iter().fold(DVec2::INFINITY, |low, p| low.min(*p));
    outlines.sort_by(|a, b| {
        let (p, q) = (corner(a), corner(b));
        p.y.total_cmp(&q.y).then(p.x.total_cmp(&q.x))
    });
    let mut all: Vec<Cloud> = outlines
        .into_iter()
        .enumerate()
        .map(|(n, outline)| Cloud { number: n + 1, outline, changes: Vec::new() })
        .collect();
    for (number, [low, high]) in boxes {
        let middle = low.midpoint(*high);
        // a cloud within the hole of another is found first: it is the smaller
        let own = all
            .iter_mut()
            .filter(|cloud| crate::drawing::clip::holds([&cloud.outline], middle))
            .min_by(|a, b| size(&a.outline).total_cmp(&size(&b.outline)));
        if let Some(cloud) = own {
            cloud.changes.push(*number);
        }
    }
    all.retain(|cloud| !cloud.changes.is_empty());
    for (n, cloud) in all.iter_mut().enumerate() {
        cloud.number = n + 1;
    }
    all
}

fn size(outline: &[DVec2]) -> f64 {
    geometry::math::signed_area(outline).abs()
}

/// The arcs of a cloud.
pub(super) fn arcs(outline: &[DVec2]) -> Option<Subpath> {
    let start = *outline.first()?;
    let closed: Vec<DVec2> = outline.iter().copied().chain([start]).collect();
    // the shoelace of the closed line; y goes down, so that above zero is clockwise as one looks at the paper
    let is_clockwise = geometry::math::signed_area(&closed) > 0.0;
    let side = if is_clockwise { 1.0 } else { -1.0 };
    let mut segments = Vec::new();
    for pair in closed.windows(2) {
        let &[a, b] = pair else { continue };
        let length = a.distance(b);
        let count = (length / CHORD).round().max(1.0) as usize;
        for n in 0..count {
            let at = |k: usize| a.lerp(b, k as f64 / count as f64);
            let (from, to) = (at(n), at(n + 1));
            let chord = to - from;
            let c = chord.length();
            if c < 1e-6 {
                continue;
            }
            let sagitta = c * BULGE;
            let radius = (c * c / 4.0 + sagitta * sagitta) / (2.0 * sagitta);
            // the inner side of the line
            let inwards = chord.perp() / c * side;
            let centre = from.midpoint(to) + inwards * (radius - sagitta);
            segments.push(Segment::Arc { to, centre, is_clockwise });
        }
    }
    Some(Subpath { start, segments, is_closed: true })
}

/// The place of a cloud's triangle: at its line where no words and no other triangle are, as far up and to the right as that can be.
pub(super) fn triangle_place(outline: &[DVec2], taken: &[Box2]) -> Option<DVec2> {
    let (low, high) = outline
        .iter()
        .fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(low, high), p| (low.min(*p), high.max(*p)));
    let corner = DVec2::new(high.x, low.y);
    let closed = outline.iter().zip(outline.iter().cycle().skip(1));
    let mut places: Vec<DVec2> = Vec::new();
    for (a, b) in closed {
        let count = (a.distance(*b) / 3.0).ceil().clamp(1.0, 400.0) as usize;
        let outwards = (*b - *a).normalize_or_zero().perp();
        for n in 0..count {
            let on = a.lerp(*b, n as f64 / count as f64);
            for off in [0.0, 5.0, -5.0, 9.0, -9.0] {
                places.push(on + outwards * off);
            }
        }
    }
    places.sort_by(|p, q| p.distance_squared(corner).total_cmp(&q.distance_squared(corner)));
    let is_free = |p: &&DVec2| !taken.iter().any(|room| room.meets(&room_of(**p)));
    places.iter().find(is_free).or(places.first()).copied()
}

/// The room of a triangle.
pub(super) fn room_of(middle: DVec2) -> Box2 {
    Box2 { middle, half: DVec2::splat(TRIANGLE), along: DVec2::X }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_boxes_are_in_one_cloud_whose_arcs_bulge_outwards() {
        let b = |x: f64, y: f64| [DVec2::new(x, y), DVec2::new(x + 10.0, y + 4.0)];
        let all = clouds(&[(1, b(100.0, 50.0)), (2, b(0.0, 0.0)), (3, b(12.0, 2.0))]);
        assert_eq!(all.iter().map(|c| c.changes.clone()).collect::<Vec<_>>(), [vec![2, 3], vec![1]]);
        for cloud in &all {
            let line = arcs(&cloud.outline).unwrap();
            let mut from = line.start;
            for segment in &line.segments {
                let Segment::Arc { to, centre, is_clockwise } = *segment else { panic!() };
                assert!((from.distance(centre) - to.distance(centre)).abs() < 1e-9);
                // the middle of the arc lies outside of the line
                let turn = if is_clockwise { 1.0 } else { -1.0 };
                let out = (to - from).perp() * -turn;
                let middle = centre + out.normalize() * from.distance(centre);
                assert!(!crate::drawing::clip::holds([&cloud.outline], middle), "{cloud:?}");
                from = to;
            }
            assert!(from.distance(line.start) < 1e-9);
        }
        assert!(clouds(&[]).is_empty());
    }
}
