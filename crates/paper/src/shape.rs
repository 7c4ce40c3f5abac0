//! Lines and arcs: what of them can be drawn, arcs as angles, areas as polygons.

use crate::page::{Path, Segment, Stroke, Subpath};
use glam::DVec2;
use std::f64::consts::TAU;

/// Coordinates beyond this many mm are no places on paper, nor near it.
pub(crate) const FAR: f64 = 1e6;

/// An arc by its angles. Angles are radians from x towards y, and y goes down on paper.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arc {
    /// The middle of its circle.
    pub(crate) centre: DVec2,
    /// The distance from there.
    pub(crate) radius: f64,
    /// The angle at its beginning.
    pub(crate) from: f64,
    /// The angle that it turns by: above zero where it turns clockwise as one looks at the paper.
    pub(crate) sweep: f64,
}

impl Arc {
    /// The arc between two points; none where it has no radius. One that ends where it begins is a whole circle.
    pub(crate) fn new(start: DVec2, to: DVec2, centre: DVec2, is_clockwise: bool) -> Option<Self> {
        let (out, back) = (start - centre, to - centre);
        let radius = out.length();
        if radius < 1e-9 || back.length() < 1e-9 {
            return None;
        }
        let from = out.y.atan2(out.x);
        let turned = back.y.atan2(back.x) - from;
        let turned = if is_clockwise { turned } else { -turned }.rem_euclid(TAU);
        // points nearer to each other than anything is drawn are one
        let size = if (to - start).length() < 1e-6 { TAU } else { turned };
        Some(Self { centre, radius, from, sweep: if is_clockwise { size } else { -size } })
    }

    /// The point at a share of its sweep, from 0 to 1.
    pub(crate) fn at(&self, share: f64) -> DVec2 {
        let (sin, cos) = (self.from + self.sweep * share).sin_cos();
        self.centre + DVec2::new(cos, sin) * self.radius
    }

    /// The cubic curves that follow it, each over a quarter of a circle at most: two control points and the end.
    pub(crate) fn curves(&self, to: DVec2) -> impl Iterator<Item = [DVec2; 3]> {
        let count = (self.sweep.abs() / (TAU / 4.0) - 1e-9).ceil().max(1.0);
        let step = self.sweep / count;
        let reach = 4.0 / 3.0 * (step / 4.0).tan() * self.radius;
        let arc = *self;
        (0..count as usize).map(move |n| {
            let (a, b) = (arc.from + step * n as f64, arc.from + step * (n + 1) as f64);
            let point = |angle: f64| arc.centre + DVec2::from_angle(angle) * arc.radius;
            let along = |angle: f64| DVec2::from_angle(angle).perp() * reach;
            let end = if n + 1 == count as usize { to } else { point(b) };
            [point(a) + along(a), end - along(b), end]
        })
    }
}

/// True if something can be drawn at a place.
pub(crate) fn is_near(point: DVec2) -> bool {
    point.x.abs() <= FAR && point.y.abs() <= FAR
}

/// The parts of a path that can be drawn: those with pieces, all of whose numbers are places.
pub(crate) fn sound(subpaths: &[Subpath]) -> impl Iterator<Item = &Subpath> + Clone {
    let is_sound = |segment: &Segment| match segment {
        Segment::Line(to) => is_near(*to),
        Segment::Arc { to, centre, .. } => is_near(*to) && is_near(*centre),
    };
    subpaths.iter().filter(move |subpath| {
        is_near(subpath.start) && !subpath.segments.is_empty() && subpath.segments.iter().all(is_sound)
    })
}

/// The stroke of a path, where it can be drawn.
pub(crate) fn stroke(path: &Path) -> Option<&Stroke> {
    path.stroke.as_ref().filter(|stroke| is_stroke(stroke))
}

/// True if a stroke is seen.
pub(crate) fn is_stroke(stroke: &Stroke) -> bool {
    let [.., opacity] = stroke.colour;
    stroke.width > 0.0 && stroke.width <= FAR && opacity > 0
}

/// The dashes of a stroke, as pairs; none where it is whole or its numbers are no lengths. An odd number of them is said twice, as in
/// SVG and PDF.
pub(crate) fn dashes(stroke: &Stroke) -> Vec<f64> {
    let dashes = &stroke.dashes;
    let is_sound = dashes.iter().all(|length| (0.0..=FAR).contains(length)) && dashes.len() <= 16;
    // finer ones than this are a line to the eye, and work without end to draw
    if !is_sound || dashes.iter().sum::<f64>() < 0.02 {
        return Vec::new();
    }
    if dashes.len().is_multiple_of(2) { dashes.clone() } else { [dashes.as_slice(), dashes].concat() }
}

/// The corners of an area, arcs as chords that lie within `tolerance` mm of them.
pub(crate) fn corners(subpath: &Subpath, tolerance: f64) -> Vec<DVec2> {
    let mut corners = vec![subpath.start];
    let mut last = subpath.start;
    for segment in &subpath.segments {
        match *segment {
            Segment::Line(to) => {
                corners.push(to);
                last = to;
            }
            Segment::Arc { to, centre, is_clockwise } => {
                if let Some(arc) = Arc::new(last, to, centre, is_clockwise) {
                    let half = (1.0 - tolerance / arc.radius).clamp(-1.0, 1.0).acos().max(1e-3);
                    let count = (arc.sweep.abs() / (2.0 * half)).ceil().max(1.0) as usize;
                    corners.extend((1..count).map(|n| arc.at(n as f64 / count as f64)));
                }
                corners.push(to);
                last = to;
            }
        }
    }
    corners
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arc(is_clockwise: bool) -> Arc {
        Arc::new(DVec2::new(10.0, 0.0), DVec2::new(0.0, 10.0), DVec2::ZERO, is_clockwise).unwrap()
    }

    #[test]
    fn arcs_turn_the_way_that_they_say() {
        // y goes down, so that clockwise is from x to y
        assert!((arc(true).sweep - TAU / 4.0).abs() < 1e-12);
        assert!((arc(false).sweep + TAU * 0.75).abs() < 1e-12);
        assert!((arc(false).at(1.0) - DVec2::new(0.0, 10.0)).length() < 1e-9);
        let whole = Arc::new(DVec2::X, DVec2::X, DVec2::ZERO, false).unwrap();
        assert!((whole.sweep + TAU).abs() < 1e-12);
        assert!(Arc::new(DVec2::X, DVec2::Y, DVec2::X, true).is_none());
    }

    #[test]
    fn curves_stay_on_their_circle() {
        for own in [arc(true), arc(false)] {
            let mut last = own.at(0.0);
            let curves: Vec<_> = own.curves(DVec2::new(0.0, 10.0)).collect();
            assert_eq!(curves.len(), if own.sweep > 0.0 { 1 } else { 3 });
            for [a, b, end] in curves {
                let middle = (last + 3.0 * a + 3.0 * b + end) / 8.0;
                assert!((middle.length() - 10.0).abs() < 0.003 && (end.length() - 10.0).abs() < 1e-9);
                last = end;
            }
            assert_eq!(last, DVec2::new(0.0, 10.0));
        }
    }

    #[test]
    fn chords_lie_within_the_tolerance_of_their_arc() {
        let (start, to) = (DVec2::new(10.0, 0.0), DVec2::new(0.0, 10.0));
        let segments = vec![Segment::Arc { to, centre: DVec2::ZERO, is_clockwise: false }];
        let corners = corners(&Subpath { start, segments, is_closed: true }, 0.01);
        assert!((corners.len() as f64 - 54.0).abs() < 3.0, "{}", corners.len());
        for pair in corners.windows(2) {
            let middle = (pair[0] + pair[1]) / 2.0;
            assert!((9.9899..=10.0).contains(&middle.length()), "{middle}");
        }
    }

    #[test]
    fn what_is_no_place_is_not_drawn() {
        let line =
            |to: DVec2| Subpath { start: DVec2::ZERO, segments: vec![Segment::Line(to)], is_closed: false };
        let all = [
            line(DVec2::ONE),
            line(DVec2::NAN),
            line(DVec2::INFINITY),
            line(DVec2::splat(1e9)),
            Subpath::default(),
        ];
        assert_eq!(sound(&all).count(), 1);
        let stroke =
            |width: f64, dashes: &[f64]| Stroke { width, colour: [0, 0, 0, 255], dashes: dashes.to_vec() };
        assert!(
            !is_stroke(&stroke(f64::NAN, &[]))
                && !is_stroke(&stroke(0.0, &[]))
                && is_stroke(&stroke(0.1, &[]))
        );
        assert_eq!(dashes(&stroke(0.1, &[3.0])), [3.0, 3.0]);
        assert!(
            dashes(&stroke(0.1, &[f64::NAN, 1.0])).is_empty() && dashes(&stroke(0.1, &[0.0, 0.0])).is_empty()
        );
    }
}
