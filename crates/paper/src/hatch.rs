//! Hatches as lines: the pieces of a pattern's lines that lie within an area.
//!
//! Every format but DXF draws these pieces, so that a hatch looks the same in each and is true to scale. Patterns follow the rules of
//! AutoCAD's PAT files: lines lie at whole multiples of a step from an origin that all areas share, so that the hatches of neighbouring
//! areas meet.

use crate::page::{Hatch, HatchLine, Subpath};
use crate::shape::{FAR, corners, is_near, sound};
use glam::DVec2;

/// Lines closer to each other than this many mm are one grey to the eye.
const FINEST: f64 = 0.02;

/// Pieces of one family in one area; what needs more is not drawn.
const MANY: usize = 500_000;

/// The distance in mm that chords may lie from the arcs of an area.
const TOLERANCE: f64 = 0.005;

/// The pieces of a hatch in the area that an odd number of subpaths surround. `height` is that of the page, or zero within a symbol,
/// whose patterns begin at its own origin.
pub(crate) fn pieces(hatch: &Hatch, area: &[Subpath], height: f64) -> Vec<[DVec2; 2]> {
    let rings: Vec<Vec<DVec2>> = sound(area).map(|subpath| corners(subpath, TOLERANCE)).collect();
    let mut pieces = Vec::new();
    for line in &hatch.lines {
        family(line, &rings, height, hatch.stroke.width, &mut pieces);
    }
    pieces
}

/// The pieces of one family of lines.
fn family(line: &HatchLine, rings: &[Vec<DVec2>], height: f64, width: f64, pieces: &mut Vec<[DVec2; 2]>) {
    let is_sound =
        line.angle.is_finite() && is_near(line.origin) && is_near(line.step) && line.step.y.abs() >= FINEST;
    let period: f64 = line.dashes.iter().map(|length| length.abs()).sum();
    let is_dashed = !line.dashes.is_empty();
    if !is_sound || !height.is_finite() || (is_dashed && !(FINEST..=FAR).contains(&period)) {
        return;
    }
    // the frame of the lines: `along` them, and `across` to the next, whatever the sign of the step; y of paper goes down
    let (sin, cos) = line.angle.to_radians().sin_cos();
    let (along, across) = (DVec2::new(cos, -sin), DVec2::new(-sin, -cos));
    let origin = DVec2::new(line.origin.x, height - line.origin.y);
    let own = |point: DVec2| {
        let from = point - origin;
        (from.dot(along), from.dot(across) / line.step.y)
    };
    let Some(mut crossings) = crossings(rings, own) else { return };
    crossings.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let mut left = MANY;
    for pair in crossings.chunks_exact(2) {
        let [(row, from), (_, to)] = *pair else { continue };
        let base = origin + across * (row as f64 * line.step.y);
        let mut add = |from: f64, to: f64| {
            if to > from {
                pieces.push([base + along * from, base + along * to]);
            }
        };
        if !is_dashed {
            add(from, to);
            continue;
        }
        let shift = row as f64 * line.step.x;
        let mut at = shift + ((from - shift) / period).floor() * period;
        while at < to {
            for length in &line.dashes {
                let end = at + length.abs();
                if *length > 0.0 {
                    add(at.max(from), end.min(to));
                } else if *length == 0.0 {
                    // a dot is as long as it is wide
                    add((at - width / 2.0).max(from), (at + width / 2.0).min(to));
                }
                at = end;
            }
            left = left.saturating_sub(line.dashes.len());
            if left == 0 {
                return;
            }
        }
    }
}

/// Where the lines of a family cross the edges of an area: the number of the line, and how far along it. None where they are too many.
fn crossings(rings: &[Vec<DVec2>], own: impl Fn(DVec2) -> (f64, f64)) -> Option<Vec<(i64, f64)>> {
    let mut found = Vec::new();
    for ring in rings {
        let ends = ring.iter().skip(1).chain(ring.first());
        for (start, end) in ring.iter().zip(ends) {
            let (a, b) = (own(*start), own(*end));
            let (low, high) = if a.1 < b.1 { (a, b) } else { (b, a) };
            let (first, last) = (low.1.ceil(), high.1.ceil());
            if found.len() as f64 + (last - first) > MANY as f64 {
                return None;
            }
            let slope = (high.0 - low.0) / (high.1 - low.1);
            // an end that lies on a line is counted for the edge above it alone, so that crossings come in pairs
            for row in first as i64..last as i64 {
                found.push((row, low.0 + (row as f64 - low.1) * slope));
            }
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{Segment, Stroke};

    fn rectangle(x: f64, y: f64, width: f64, height: f64) -> Subpath {
        let corner = |dx: f64, dy: f64| Segment::Line(DVec2::new(x + dx, y + dy));
        let segments = vec![corner(width, 0.0), corner(width, height), corner(0.0, height)];
        Subpath { start: DVec2::new(x, y), segments, is_closed: true }
    }

    fn hatch(angle: f64, step: DVec2, dashes: &[f64]) -> Hatch {
        let line = HatchLine { angle, origin: DVec2::ZERO, step, dashes: dashes.to_vec() };
        let stroke = Stroke { width: 0.1, colour: [0, 0, 0, 255], dashes: Vec::new() };
        Hatch { name: "TEST".into(), lines: vec![line], stroke, ground: None }
    }

    fn length(pieces: &[[DVec2; 2]]) -> f64 {
        pieces.iter().map(|[a, b]| (*b - *a).length()).sum()
    }

    #[test]
    fn lines_fill_an_area_and_leave_its_hole() {
        let area = [rectangle(10.0, 10.0, 20.0, 20.0), rectangle(15.0, 15.0, 10.0, 10.0)];
        for angle in [0.0, 45.0, 30.0, 137.0, 90.0] {
            let pieces = pieces(&hatch(angle, DVec2::new(0.0, 0.1), &[]), &area, 100.0);
            // their length by their distance is the area
            assert!((length(&pieces) * 0.1 - 300.0).abs() < 3.0, "{angle}: {}", length(&pieces) * 0.1);
            for [a, b] in &pieces {
                let middle = (*a + *b) / 2.0 - DVec2::splat(20.0);
                let far = middle.abs().max_element();
                assert!((5.0 - 1e-9..=10.0 + 1e-9).contains(&far), "{middle}");
            }
        }
    }

    #[test]
    fn lines_lie_at_whole_steps_from_the_lower_left_corner() {
        let pieces =
            pieces(&hatch(0.0, DVec2::new(0.0, 3.0), &[]), &[rectangle(0.0, 0.0, 10.0, 100.0)], 100.0);
        assert_eq!(pieces.len(), 34);
        assert!(
            pieces.iter().all(|[a, _]| ((100.0 - a.y) / 3.0 - ((100.0 - a.y) / 3.0).round()).abs() < 1e-9)
        );
    }

    #[test]
    fn dashes_are_shifted_from_line_to_line_as_bricks_are() {
        let bricks = hatch(0.0, DVec2::new(2.0, 1.0), &[3.0, -1.0]);
        let pieces = pieces(&bricks, &[rectangle(0.0, 90.0, 8.0, 10.0)], 100.0);
        let row = |y: f64| -> Vec<(f64, f64)> {
            let own = pieces.iter().filter(|[a, _]| (a.y - y).abs() < 1e-9);
            own.map(|[a, b]| (a.x, b.x)).collect()
        };
        assert_eq!(row(98.0), [(0.0, 3.0), (4.0, 7.0)]);
        assert_eq!(row(99.0), [(0.0, 1.0), (2.0, 5.0), (6.0, 8.0)]);
        let dots = hatch(0.0, DVec2::new(0.0, 1.0), &[0.0, -2.0]);
        let pieces = super::pieces(&dots, &[rectangle(-0.5, 90.5, 8.0, 1.0)], 100.0);
        assert_eq!(pieces.len(), 4);
        assert!((length(&pieces) - 0.4).abs() < 1e-9);
    }

    #[test]
    fn patterns_that_are_none_or_too_fine_draw_nothing() {
        let area = [rectangle(0.0, 0.0, 1000.0, 1000.0)];
        for (angle, step) in [(f64::NAN, 1.0), (0.0, 0.0), (0.0, 1e-9), (0.0, f64::INFINITY)] {
            assert!(pieces(&hatch(angle, DVec2::new(0.0, step), &[]), &area, 100.0).is_empty());
        }
        for dashes in [[0.0, 0.0], [f64::NAN, 1.0], [1e-9, -1e-9]] {
            assert!(pieces(&hatch(0.0, DVec2::new(0.0, 1.0), &dashes), &area, 100.0).is_empty());
        }
        let huge = [rectangle(-1e6, -1e6, 2e6, 2e6)];
        assert!(pieces(&hatch(0.0, DVec2::new(0.0, 0.02), &[]), &huge, 100.0).is_empty());
        assert!(pieces(&hatch(0.0, DVec2::new(0.0, 9.0), &[0.02, -0.02]), &huge, 100.0).len() <= MANY);
        assert!(
            pieces(&hatch(0.0, DVec2::new(0.0, 1.0), &[]), &[rectangle(0.0, 0.0, f64::NAN, 1.0)], 100.0)
                .is_empty()
        );
    }
}
