//! Walls made longer by a door or a window that stands between their end and a wall that crosses.

use super::Joining;
use super::doors::made;
use crate::recognise::doors::chord;
use crate::recognise::parts::Wall;
use crate::recognise::roles::Role;
use crate::recognise::windows;
use glam::DVec2;

impl Joining<'_, '_> {
    /// Makes a wall longer by a door that closes beyond its end.
    pub(super) fn extend(&self, wall: &mut Wall) {
        if self.field.symbols.swings.is_empty() {
            return;
        }
        for is_start in [true, false] {
            let (from, to) = wall.extent();
            let end = if is_start { from } else { to };
            let at = self.point(end);
            let mut best: Option<(usize, f64, f64, usize)> = None;
            for number in self.field.swing_grid.around(at, 2800.0) {
                let Some(symbol) = self.field.symbols.swings.get(number).filter(|symbol| symbol.is_sure())
                else {
                    continue;
                };
                let [likely, other] = symbol.closings();
                let ends = if symbol.leaf.is_some() { vec![likely] } else { vec![likely, other] };
                for (n, closing) in ends {
                    let Some((a, b, _)) = chord(self.way, self.low, self.high, symbol, closing) else {
                        continue;
                    };
                    let near = if is_start { (b - end).abs() } else { (a - end).abs() };
                    let far = if is_start { a } else { b };
                    // only up to a wall that crosses
                    let beyond = if is_start { far - 60.0 } else { far + 60.0 };
                    let is_met =
                        self.field.is_crossed(self.way, self.point(beyond), 60.0, self.high - self.low);
                    if near < 130.0 && is_met && best.is_none_or(|(_, least, ..)| near < least) {
                        best = Some((number, near, far, n));
                    }
                }
            }
            let Some((number, _, far, n)) = best else { continue };
            let (from, to) = if is_start { (far.min(end), end) } else { (end, far.max(end)) };
            let entities = self
                .field
                .symbols
                .swings
                .get(number)
                .map(|symbol| symbol.entities.clone())
                .unwrap_or_default();
            let mut gap =
                made(from, to, 0.9, "a swing between the end of a wall and one that crosses", entities);
            gap.swings.push(number);
            gap.hinge = self.field.symbols.swings.get(number).and_then(|symbol| symbol.opened(n));
            wall.gaps.push(gap);
            if is_start {
                wall.start = self.point(far);
            } else {
                wall.end = self.point(far);
            }
        }
    }

    /// Makes a wall longer by a window that goes from its end to a wall that crosses.
    pub(super) fn extend_by_window(&self, wall: &mut Wall) {
        for is_start in [true, false] {
            let (from, to) = wall.extent();
            let end = if is_start { from } else { to };
            let at = self.point(end);
            let reach = DVec2::splat((self.high - self.low) / 2.0 + 200.0);
            let mut far: Option<f64> = None;
            for line in self.field.lines_near(at - reach, at + reach).filter(|line| line.role == Role::Window)
            {
                let offs = [self.way.perp_dot(line.from), self.way.perp_dot(line.to)];
                let along = [self.way.dot(line.from), self.way.dot(line.to)];
                let (near, own) = if is_start {
                    (along[0].max(along[1]), along[0].min(along[1]))
                } else {
                    (along[0].min(along[1]), along[0].max(along[1]))
                };
                let is_in = offs.iter().all(|off| *off > self.low - 60.0 && *off < self.high + 60.0);
                let is_out = if is_start { own < end - 200.0 } else { own > end + 200.0 };
                if is_in && is_out && (near - end).abs() < 150.0 {
                    far = Some(far.map_or(own, |far| if is_start { far.min(own) } else { far.max(own) }));
                }
            }
            let Some(far) = far else { continue };
            let beyond = if is_start { far - 60.0 } else { far + 60.0 };
            if !self.field.is_crossed(self.way, self.point(beyond), 60.0, self.high - self.low) {
                continue;
            }
            let (start, stop) = if is_start { (far, end) } else { (end, far) };
            if let Some(gap) = windows::in_gap(self.field, self.way, self.low, self.high, start, stop, false)
            {
                wall.gaps.push(gap);
                if is_start {
                    wall.start = self.point(far);
                } else {
                    wall.end = self.point(far);
                }
            }
        }
    }
}
