//! Outlines of shapes and the language of path data (SVG 1.1, chapter 8.3).

use super::number::Scan;
use crate::page::{Segment, Subpath};
use glam::{DAffine2, DVec2};
use std::f64::consts::TAU;

/// The distance in mm that straight pieces may lie from a curve.
const TOLERANCE: f64 = 0.01;

/// Pieces of lines of a whole template.
pub(super) const MANY: usize = 1_000_000;

/// Pieces that one curve becomes at most.
const FINEST: f64 = 256.0;

/// Subpaths in mm that are drawn through a map.
pub(super) struct Outline {
    map: DAffine2,
    /// The mm that a unit is at most.
    scale: f64,
    /// True if circles stay circles.
    is_similar: bool,
    own: Vec<Subpath>,
    /// Where the pen is, before the map.
    at: DVec2,
    start: DVec2,
    is_open: bool,
    /// The pieces so far; those beyond [`MANY`] are counted and not kept.
    pieces: usize,
}

impl Outline {
    pub(super) fn new(map: DAffine2) -> Self {
        let (x, y) = (map.matrix2.x_axis, map.matrix2.y_axis);
        let scale = x.length().max(y.length());
        let is_similar =
            (x.length() - y.length()).abs() <= scale * 1e-6 && x.dot(y).abs() <= scale * scale * 1e-6;
        Self {
            map,
            scale,
            is_similar,
            own: Vec::new(),
            at: DVec2::ZERO,
            start: DVec2::ZERO,
            is_open: false,
            pieces: 0,
        }
    }

    /// The number of pieces.
    pub(super) fn count(&self) -> usize {
        self.pieces
    }

    pub(super) fn finish(self) -> Vec<Subpath> {
        self.own.into_iter().filter(|subpath| !subpath.segments.is_empty()).collect()
    }

    pub(super) fn move_to(&mut self, to: DVec2) {
        (self.at, self.start, self.is_open) = (to, to, false);
    }

    pub(super) fn line_to(&mut self, to: DVec2) {
        let place = self.map.transform_point2(to);
        self.push(Segment::Line(place));
        self.at = to;
    }

    pub(super) fn close(&mut self) {
        if let Some(last) = self.own.last_mut().filter(|_| self.is_open) {
            last.is_closed = true;
        }
        (self.at, self.is_open) = (self.start, false);
    }

    fn push(&mut self, segment: Segment) {
        self.pieces += 1;
        if self.pieces > MANY {
            return;
        }
        if !self.is_open {
            let start = self.map.transform_point2(self.at);
            self.own.push(Subpath { start, segments: Vec::new(), is_closed: false });
            self.is_open = true;
        }
        if let Some(last) = self.own.last_mut() {
            last.segments.push(segment);
        }
    }

    /// A cubic curve as straight pieces, as many as its second differences ask for.
    pub(super) fn curve_to(&mut self, a: DVec2, b: DVec2, to: DVec2) {
        let from = self.at;
        let bend = (from - 2.0 * a + b).length().max((a - 2.0 * b + to).length()) * self.scale;
        let count = (0.75 * bend / TOLERANCE).sqrt().ceil().clamp(1.0, FINEST) as usize;
        for n in 1..count {
            let t = n as f64 / count as f64;
            let s = 1.0 - t;
            self.line_to(s * s * s * from + 3.0 * s * s * t * a + 3.0 * s * t * t * b + t * t * t * to);
        }
        self.line_to(to);
    }

    /// An arc of an ellipse (SVG 1.1, F.6).
    pub(super) fn arc_to(&mut self, radii: DVec2, turn: f64, is_large: bool, is_clockwise: bool, to: DVec2) {
        let from = self.at;
        let mut radii = radii.abs();
        if (from - to).length() < 1e-12 || radii.min_element() < 1e-12 {
            self.line_to(to);
            return;
        }
        let axis = DVec2::from_angle(turn.to_radians());
        let own = |point: DVec2| DVec2::new(point.dot(axis), point.dot(axis.perp()));
        let half = own((from - to) / 2.0) / radii;
        let far = half.length_squared();
        if far > 1.0 {
            radii *= far.sqrt();
        }
        // in the circle that the ellipse is a picture of
        let half = own((from - to) / 2.0) / radii;
        let off = (1.0 / half.length_squared() - 1.0).max(0.0).sqrt();
        let side = if is_large == is_clockwise { -1.0 } else { 1.0 };
        let middle = DVec2::new(half.y, -half.x) * off * side;
        let back = |point: DVec2| {
            let scaled = point * radii;
            axis * scaled.x + axis.perp() * scaled.y
        };
        let centre = (from + to) / 2.0 + back(middle);
        let (first, last) = (half - middle, -half - middle);
        let turned = last.y.atan2(last.x) - first.y.atan2(first.x);
        let sweep = if is_clockwise { turned.rem_euclid(TAU) } else { -(-turned).rem_euclid(TAU) };
        self.ellipse(centre, &back, first.y.atan2(first.x), sweep, radii, to);
    }

    fn ellipse(
        &mut self,
        centre: DVec2,
        back: &impl Fn(DVec2) -> DVec2,
        from: f64,
        sweep: f64,
        radii: DVec2,
        to: DVec2,
    ) {
        if self.is_similar && (radii.x - radii.y).abs() <= radii.x * 1e-9 {
            let is_mirrored = self.map.matrix2.determinant() < 0.0;
            let (end, middle) = (self.map.transform_point2(to), self.map.transform_point2(centre));
            self.push(Segment::Arc { to: end, centre: middle, is_clockwise: (sweep > 0.0) != is_mirrored });
            self.at = to;
            return;
        }
        let radius = radii.max_element() * self.scale;
        let half = (1.0 - TOLERANCE / radius).clamp(-1.0, 1.0).acos().max(1e-3);
        let count = (sweep.abs() / (2.0 * half)).ceil().clamp(1.0, FINEST * 4.0) as usize;
        for n in 1..count {
            self.line_to(centre + back(DVec2::from_angle(from + sweep * n as f64 / count as f64)));
        }
        self.line_to(to);
    }

    /// A whole ellipse.
    pub(super) fn round(&mut self, centre: DVec2, radii: DVec2) {
        let start = centre + DVec2::new(radii.x, 0.0);
        self.move_to(start);
        self.ellipse(centre, &|point: DVec2| point * radii, 0.0, TAU, radii, start);
        self.close();
    }

    /// A rectangle with corners rounded by radii.
    pub(super) fn rectangle(&mut self, at: DVec2, size: DVec2, radii: DVec2) {
        let radii = radii.min(size / 2.0);
        let corner = |x: f64, y: f64| at + DVec2::new(x, y);
        let (w, h, rx, ry) = (size.x, size.y, radii.x, radii.y);
        let is_round = radii.min_element() > 0.0;
        if !is_round {
            self.move_to(at);
            for point in [corner(w, 0.0), corner(w, h), corner(0.0, h)] {
                self.line_to(point);
            }
            self.close();
            return;
        }
        self.move_to(corner(rx, 0.0));
        for (line, arc) in [
            (corner(w - rx, 0.0), corner(w, ry)),
            (corner(w, h - ry), corner(w - rx, h)),
            (corner(rx, h), corner(0.0, h - ry)),
            (corner(0.0, ry), corner(rx, 0.0)),
        ] {
            self.line_to(line);
            self.arc_to(radii, 0.0, false, true, arc);
        }
        self.close();
    }

    /// Follows path data to its end or to the first thing that is none; false for the latter.
    pub(super) fn data(&mut self, data: &str) -> bool {
        let mut scan = Scan::new(data);
        let mut command = None;
        // the control point that a smooth curve continues from
        let mut last: Option<(char, DVec2)> = None;
        while !scan.is_end() && self.pieces <= MANY {
            let next = scan.letter().or(match command {
                Some('M') => Some('L'),
                Some('m') => Some('l'),
                Some('Z' | 'z') | None => None,
                own => own,
            });
            let Some(own) = next else { return false };
            if command.is_none() && !matches!(own, 'M' | 'm') {
                return false;
            }
            command = Some(own);
            let Some(control) = self.step(own, &mut scan, last) else { return false };
            last = Some((own.to_ascii_uppercase(), control));
        }
        true
    }

    /// One command with its numbers; answers the control point that it leaves, which is the pen's place where it has none.
    fn step(&mut self, command: char, scan: &mut Scan<'_>, last: Option<(char, DVec2)>) -> Option<DVec2> {
        let from = if command.is_ascii_lowercase() { self.at } else { DVec2::ZERO };
        let at = self.at;
        let smooth = |kinds: [char; 2]| match last {
            Some((kind, control)) if kinds.contains(&kind) => at * 2.0 - control,
            _ => at,
        };
        match command.to_ascii_uppercase() {
            'M' => self.move_to(from + scan.point()?),
            'L' => self.line_to(from + scan.point()?),
            'H' => self.line_to(DVec2::new(from.x + scan.number()?, at.y)),
            'V' => self.line_to(DVec2::new(at.x, from.y + scan.number()?)),
            'Z' => self.close(),
            'A' => {
                let (radii, turn) = (scan.point()?, scan.number()?);
                let (is_large, is_clockwise) = (scan.flag()?, scan.flag()?);
                self.arc_to(radii, turn, is_large, is_clockwise, from + scan.point()?);
            }
            'C' | 'S' => {
                let a = if command.eq_ignore_ascii_case(&'C') {
                    from + scan.point()?
                } else {
                    smooth(['C', 'S'])
                };
                let (b, to) = (from + scan.point()?, from + scan.point()?);
                self.curve_to(a, b, to);
                return Some(b);
            }
            'Q' | 'T' => {
                let control = if command.eq_ignore_ascii_case(&'Q') {
                    from + scan.point()?
                } else {
                    smooth(['Q', 'T'])
                };
                let to = from + scan.point()?;
                self.curve_to(at + (control - at) * (2.0 / 3.0), to + (control - to) * (2.0 / 3.0), to);
                return Some(control);
            }
            _ => return None,
        }
        Some(self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(data: &str) -> (bool, Vec<Subpath>) {
        let mut outline = Outline::new(DAffine2::IDENTITY);
        let is_whole = outline.data(data);
        (is_whole, outline.finish())
    }

    fn end(subpath: &Subpath) -> DVec2 {
        match subpath.segments.last().unwrap() {
            Segment::Line(to) | Segment::Arc { to, .. } => *to,
        }
    }

    #[test]
    fn every_command_leads_to_its_end() {
        for (data, to) in [
            ("M1 2 L3 4 5 6", (5.0, 6.0)),
            ("m1 2 3 4 5 6", (9.0, 12.0)),
            ("M1 2H5v-3h1V9", (6.0, 9.0)),
            ("M0 0C0 5 5 5 5 0s5-5 5 0", (10.0, 0.0)),
            ("M0 0q5 5 10 0t10 0T30,0", (30.0, 0.0)),
            ("M0 0a5 5 0 0110 0", (10.0, 0.0)),
            ("M5 5h2v2zl1 1", (6.0, 6.0)),
        ] {
            let (is_whole, found) = drawn(data);
            assert!(is_whole, "{data}");
            assert!((end(found.last().unwrap()) - DVec2::from(to)).length() < 1e-9, "{data}: {found:?}");
        }
    }

    #[test]
    fn what_is_no_path_ends_where_it_goes_wrong() {
        for (data, count) in [
            ("L1 1", 0),
            ("M1 1L2 2 3", 1),
            ("M1 1 L2 2 X", 1),
            ("1 1", 0),
            ("M1 1z2 2", 0),
            ("M0 0A1 1 0 2 0 1 1", 0),
        ] {
            let (is_whole, found) = drawn(data);
            assert!(!is_whole && found.len() == count, "{data}: {found:?}");
        }
    }

    #[test]
    fn arcs_of_circles_stay_arcs_and_others_become_lines() {
        let (_, found) = drawn("M10 0A10 10 0 0 1 0 10");
        let [Segment::Arc { centre, is_clockwise, .. }] = found[0].segments[..] else { panic!("{found:?}") };
        assert!(centre.length() < 1e-9 && is_clockwise);
        let (_, found) = drawn("M10 0A10 10 0 1 1 0 10");
        let [Segment::Arc { centre, .. }] = found[0].segments[..] else { panic!("{found:?}") };
        assert!((centre - DVec2::splat(10.0)).length() < 1e-9);
        let (_, found) = drawn("M20 0A20 10 0 0 1 0 10");
        assert!(found[0].segments.len() > 10);
        for segment in &found[0].segments {
            let Segment::Line(to) = segment else { panic!() };
            assert!((DVec2::new(to.x / 20.0, to.y / 10.0).length() - 1.0).abs() < 1e-9);
        }
        let mut mirrored = Outline::new(DAffine2::from_scale(DVec2::new(-2.0, 2.0)));
        mirrored.round(DVec2::ONE, DVec2::splat(3.0));
        let found = mirrored.finish();
        let [Segment::Arc { centre, is_clockwise: false, .. }] = found[0].segments[..] else {
            panic!("{found:?}")
        };
        assert!((centre - DVec2::new(-2.0, 2.0)).length() < 1e-9);
    }

    #[test]
    fn curves_lie_close_to_what_they_are() {
        let k = 0.552_284_749_831;
        let (_, found) = drawn(&format!("M10 0C10 {0} {0} 10 0 10", 10.0 * k));
        let mut last = found[0].start;
        for segment in &found[0].segments {
            let Segment::Line(to) = *segment else { panic!() };
            assert!(((last + to) / 2.0).length() > 9.985);
            last = to;
        }
    }
}
