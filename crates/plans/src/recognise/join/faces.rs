//! Lines that say where a wall goes on and where it ends: along a face, and across at a jamb.

use super::Joining;
use glam::DVec2;

impl Joining<'_, '_> {
    /// True if a line goes along one face all the way.
    pub(super) fn has_face(&self, from: f64, to: f64) -> bool {
        let (a, b) = (self.point(from), self.point(to));
        let reach = self.way.perp().abs() * (self.high - self.low);
        let mut covered = [0.0, 0.0];
        for line in self.field.lines_near(a.min(b) - reach, a.max(b) + reach) {
            if !line.role.may_be_wall() {
                continue;
            }
            let offs = [self.way.perp_dot(line.from), self.way.perp_dot(line.to)];
            let along = [self.way.dot(line.from), self.way.dot(line.to)];
            let share = (along[0].max(along[1]).min(to) - along[0].min(along[1]).max(from)).max(0.0);
            for (face, covered) in [self.low, self.high].into_iter().zip(&mut covered) {
                if offs.iter().all(|off| (off - face).abs() < 3.0) {
                    *covered += share;
                }
            }
        }
        covered.iter().any(|own| *own > (to - from) * 0.95)
    }

    /// True if a line closes the wall at a place.
    pub(super) fn has_jamb(&self, along: f64) -> bool {
        let at = self.point(along);
        let reach = DVec2::splat((self.high - self.low) / 2.0 + 30.0);
        let thickness = self.high - self.low;
        let mut parts: Vec<(f64, f64)> = Vec::new();
        for line in self.field.lines_near(at - reach, at + reach) {
            if [line.from, line.to].iter().all(|end| (self.way.dot(*end) - along).abs() < 30.0) {
                let (a, b) = (self.way.perp_dot(line.from), self.way.perp_dot(line.to));
                parts.push((a.min(b).max(self.low), a.max(b).min(self.high)));
            }
        }
        parts.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (mut covered, mut reached) = (0.0, self.low);
        for (from, to) in parts {
            covered += (to - from.max(reached)).max(0.0);
            reached = reached.max(to);
        }
        covered > thickness * 0.7
    }
}
