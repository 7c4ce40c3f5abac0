//! Straight lines through points: fitting, projecting, crossing. Coordinates are pixels, continuous, y downwards.

use glam::DVec2;

/// A straight piece from one point to another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Span {
    pub start: DVec2,
    pub end: DVec2,
}

impl Span {
    pub fn new(start: DVec2, end: DVec2) -> Self {
        Self { start, end }
    }

    pub fn length(&self) -> f64 {
        self.start.distance(self.end)
    }

    pub fn direction(&self) -> DVec2 {
        (self.end - self.start).normalize_or(DVec2::X)
    }

    pub fn middle(&self) -> DVec2 {
        (self.start + self.end) / 2.0
    }

    /// The distance along the line from its start.
    pub fn along(&self, point: DVec2) -> f64 {
        (point - self.start).dot(self.direction())
    }

    /// The distance beside the line, to the right of its direction as y goes down.
    pub fn beside(&self, point: DVec2) -> f64 {
        (point - self.start).dot(self.direction().perp())
    }

    pub fn at(&self, along: f64) -> DVec2 {
        self.start + self.direction() * along
    }

    /// The stretch of another piece along this one, in order.
    pub fn shadow(&self, other: &Self) -> (f64, f64) {
        let (a, b) = (self.along(other.start), self.along(other.end));
        (a.min(b), a.max(b))
    }

    /// The length over which another piece runs beside this one.
    pub fn overlap(&self, other: &Self) -> f64 {
        let (from, to) = self.shadow(other);
        to.min(self.length()) - from.max(0.0)
    }

    /// The angle between both as lines, 0 to 90 degrees.
    pub fn angle_to(&self, other: &Self) -> f64 {
        let (a, b) = (self.direction(), other.direction());
        a.perp_dot(b).abs().atan2(a.dot(b).abs()).to_degrees()
    }

    /// The direction as a line, 0 to 180 degrees.
    pub fn bearing(&self) -> f64 {
        let own = self.direction();
        own.y.atan2(own.x).to_degrees().rem_euclid(180.0)
    }

    /// The point where both lines cross, beyond their ends too.
    pub fn crossing(&self, other: &Self) -> Option<DVec2> {
        let (a, b) = (self.direction(), other.direction());
        let across = a.perp_dot(b);
        (across.abs() > 0.05).then(|| self.start + a * ((other.start - self.start).perp_dot(b) / across))
    }

    /// The distance of a point to the piece.
    pub fn distance(&self, point: DVec2) -> f64 {
        self.at(self.along(point).clamp(0.0, self.length())).distance(point)
    }
}

/// The line through points by least squares of distances, over all of them, and the root mean square of the distances.
pub(crate) fn fit(points: &[DVec2]) -> Option<(Span, f64)> {
    let count = points.len() as f64;
    if points.len() < 2 {
        return None;
    }
    let middle = points.iter().copied().sum::<DVec2>() / count;
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for point in points {
        let d = *point - middle;
        xx += d.x * d.x;
        xy += d.x * d.y;
        yy += d.y * d.y;
    }
    let angle = 0.5 * (2.0 * xy).atan2(xx - yy);
    let direction = DVec2::from_angle(angle);
    let (mut first, mut last, mut squares) = (f64::INFINITY, f64::NEG_INFINITY, 0.0);
    for point in points {
        let d = *point - middle;
        let along = d.dot(direction);
        first = first.min(along);
        last = last.max(along);
        squares += direction.perp_dot(d).powi(2);
    }
    (last > first)
        .then(|| (Span::new(middle + direction * first, middle + direction * last), (squares / count).sqrt()))
}

/// Stretches along a line, in order and without overlap, that are at least `gap` apart.
pub(crate) fn join_stretches(mut all: Vec<(f64, f64)>, gap: f64) -> Vec<(f64, f64)> {
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut out: Vec<(f64, f64)> = Vec::new();
    for (from, to) in all {
        match out.last_mut() {
            Some(last) if from - last.1 <= gap => last.1 = last.1.max(to),
            _ => out.push((from, to)),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Span, fit, join_stretches};
    use glam::dvec2;

    #[test]
    fn a_line_is_found_through_points_in_any_direction() {
        for degrees in [0.0_f64, 2.0, 45.0, 90.0, 137.0] {
            let direction = glam::DVec2::from_angle(degrees.to_radians());
            let points: Vec<_> = (0..50).map(|n| dvec2(100.0, 80.0) + direction * f64::from(n)).collect();
            let (own, deviation) = fit(&points).unwrap();
            assert!((own.length() - 49.0).abs() < 1e-6 && deviation < 1e-6);
            let error = (own.bearing() - degrees).rem_euclid(180.0);
            assert!(!(1e-6..=180.0 - 1e-6).contains(&error), "{degrees}: {}", own.bearing());
        }
        assert!(fit(&[dvec2(1.0, 1.0); 9]).is_none());
    }

    #[test]
    fn pieces_are_measured_against_each_other() {
        let own = Span::new(dvec2(0.0, 0.0), dvec2(100.0, 0.0));
        let other = Span::new(dvec2(150.0, 10.0), dvec2(40.0, 10.0));
        assert_eq!((own.overlap(&other), own.beside(other.start), own.angle_to(&other)), (60.0, 10.0, 0.0));
        let across = Span::new(dvec2(30.0, -5.0), dvec2(30.0, 5.0));
        assert_eq!(own.crossing(&across), Some(dvec2(30.0, 0.0)));
        assert_eq!(own.crossing(&other), None);
    }

    #[test]
    fn stretches_are_joined_over_small_gaps_only() {
        assert_eq!(
            join_stretches(vec![(5.0, 9.0), (0.0, 3.0), (20.0, 21.0)], 2.0),
            [(0.0, 9.0), (20.0, 21.0)]
        );
    }
}
