//! Lines in plan that run straight or along an arc, and the lines beside them: points along them, how far along and beside
//! a point lies, where two of them cross. Pure geometry, in mm.

use crate::polygon::meet;
use glam::DVec2;
use std::f64::consts::{PI, TAU};

/// Bends flatter than this are straight: a radius of a thousand kilometres.
const FLAT: f64 = 1e-9;

/// A line from a point on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Line {
    /// Where it begins.
    pub from: DVec2,
    /// The way it leads there, of length one.
    pub way: DVec2,
    /// How much it turns left for every mm: one over its radius; 0 where it is straight.
    pub bend: f64,
}

impl Line {
    /// A straight line.
    pub fn straight(from: DVec2, way: DVec2) -> Self {
        Self { from, way, bend: 0.0 }
    }

    /// The arc from one point to another that turns left by so much in all, in radians; and its length.
    pub fn arc(from: DVec2, to: DVec2, sweep: f64) -> Option<(Self, f64)> {
        let chord = to - from;
        let radius = chord.length() / (2.0 * (sweep.abs() / 2.0).sin());
        let way = DVec2::from_angle(-sweep / 2.0).rotate(chord).try_normalize()?;
        let bend = sweep.signum() / radius;
        (radius.is_finite() && radius > 1e-6).then_some((Self { from, way, bend }, radius * sweep.abs()))
    }

    /// True if it runs along an arc.
    pub fn is_bent(&self) -> bool {
        self.bend.abs() > FLAT
    }

    fn centre(&self) -> DVec2 {
        self.from + self.way.perp() / self.bend
    }

    /// The radius of the line that lies so far to its left; endless where it is straight.
    pub fn radius(&self, left: f64) -> f64 {
        if self.is_bent() { (1.0 / self.bend - left).abs() } else { f64::INFINITY }
    }

    /// The way it leads so far along.
    pub fn way_at(&self, along: f64) -> DVec2 {
        if self.is_bent() { DVec2::from_angle(along * self.bend).rotate(self.way) } else { self.way }
    }

    /// The point so far along it and so far to its left.
    pub fn at(&self, along: f64, left: f64) -> DVec2 {
        if !self.is_bent() {
            return self.from + self.way * along + self.way.perp() * left;
        }
        let out = DVec2::from_angle(along * self.bend).rotate(-self.way.perp());
        self.centre() + out * (1.0 / self.bend - left)
    }

    /// How far along it and how far to its left a point lies; of an arc that place of a whole turn which is nearest to `near`.
    pub fn place(&self, p: DVec2, near: f64) -> DVec2 {
        if !self.is_bent() {
            let d = p - self.from;
            return DVec2::new(d.dot(self.way), d.dot(self.way.perp()));
        }
        let side = self.bend.signum();
        let out = (p - self.centre()) * side;
        let zero = -self.way.perp();
        let turned = zero.perp_dot(out).atan2(zero.dot(out));
        let wanted = near * self.bend;
        let turned = turned + ((wanted - turned + PI) / TAU).floor() * TAU;
        DVec2::new(turned / self.bend, 1.0 / self.bend - side * out.length())
    }

    /// The points in which the lines so far to the left of two cross.
    pub fn crossings(&self, left: f64, other: &Self, theirs: f64) -> Vec<DVec2> {
        match (self.is_bent(), other.is_bent()) {
            (false, false) => {
                meet(self.at(0.0, left), self.way, other.at(0.0, theirs), other.way).into_iter().collect()
            }
            (true, false) => on_circle(self.centre(), self.radius(left), other.at(0.0, theirs), other.way),
            (false, true) => on_circle(other.centre(), other.radius(theirs), self.at(0.0, left), self.way),
            (true, true) => {
                let (a, b) = (self.centre(), other.centre());
                let (ra, rb) = (self.radius(left), other.radius(theirs));
                let apart = a.distance(b);
                if apart < 1e-6 {
                    return Vec::new();
                }
                let toward = (b - a) / apart;
                let far = (apart * apart + ra * ra - rb * rb) / (2.0 * apart);
                on_circle(a, ra, a + toward * far, toward.perp())
            }
        }
    }

    /// That of [`Line::crossings`] which is nearest to a point.
    pub fn crossing(&self, left: f64, other: &Self, theirs: f64, near: DVec2) -> Option<DVec2> {
        let all = self.crossings(left, other, theirs).into_iter();
        all.min_by(|p, q| p.distance(near).total_cmp(&q.distance(near)))
    }

    /// Points between two of the line so far to its left, close enough together that chords stray by a twentieth of a mm; none
    /// where it is straight.
    pub fn between(&self, left: f64, from: DVec2, to: DVec2) -> Vec<DVec2> {
        if !self.is_bent() {
            return Vec::new();
        }
        let start = self.place(from, 0.0).x;
        let end = self.place(to, start).x;
        let step = (1.0 - (0.05 / self.radius(left)).min(0.5)).acos() * 2.0;
        let many = ((end - start) * self.bend).abs() / step;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bounded and positive")]
        let many = many.ceil().clamp(1.0, 400.0) as u32;
        (1..many).map(|i| self.at(start + (end - start) * f64::from(i) / f64::from(many), left)).collect()
    }
}

/// Where a line meets a circle.
fn on_circle(centre: DVec2, radius: f64, p: DVec2, way: DVec2) -> Vec<DVec2> {
    let foot = p + way * (centre - p).dot(way);
    let aside = foot.distance(centre);
    // touching counts, rounding left out
    if aside > radius + 1e-6 {
        return Vec::new();
    }
    let half = (radius * radius - aside * aside).max(0.0).sqrt();
    vec![foot - way * half, foot + way * half]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_is_where_it_was_put_whichever_way_the_line_turns() {
        for bend in [0.0, 1.0 / 3000.0, -1.0 / 3000.0] {
            let line = Line { from: DVec2::new(500.0, -200.0), way: DVec2::from_angle(0.7), bend };
            for (along, left) in [(0.0, 0.0), (4000.0, 100.0), (9000.0, -150.0), (-700.0, 50.0)] {
                let back = line.place(line.at(along, left), along + 300.0);
                assert!(back.abs_diff_eq(DVec2::new(along, left), 1e-6), "{bend}: {back}");
            }
            let ahead = (line.at(1000.5, 0.0) - line.at(999.5, 0.0)).normalize();
            assert!(ahead.abs_diff_eq(line.way_at(1000.0), 1e-6));
        }
    }

    #[test]
    fn arcs_end_where_they_are_led_and_cross_what_they_meet() {
        for sweep in [PI, -PI, 0.4, -5.0] {
            let (line, length) = Line::arc(DVec2::ZERO, DVec2::new(4000.0, 0.0), sweep).unwrap();
            assert!(line.at(length, 0.0).abs_diff_eq(DVec2::new(4000.0, 0.0), 1e-6), "{sweep}");
            assert!((line.bend * length - sweep).abs() < 1e-9);
        }
        let (half, _) = Line::arc(DVec2::new(-2000.0, 0.0), DVec2::new(2000.0, 0.0), -PI).unwrap();
        let axis = Line::straight(DVec2::ZERO, DVec2::Y);
        let found = half.crossings(100.0, &axis, 0.0);
        assert!(found.iter().any(|p| p.abs_diff_eq(DVec2::new(0.0, 2100.0), 1e-6)), "{found:?}");
        let (other, _) = Line::arc(DVec2::new(-1000.0, 0.0), DVec2::new(3000.0, 0.0), -PI).unwrap();
        let found = half.crossings(0.0, &other, 0.0);
        assert!(found.iter().any(|p| p.abs_diff_eq(DVec2::new(500.0, 3.75e6_f64.sqrt()), 1e-6)), "{found:?}");
    }
}
