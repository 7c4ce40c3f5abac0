//! Windows whose lines lie between faces that go on.

use super::Joining;
use crate::recognise::parts::Wall;
use crate::recognise::windows;

impl Joining<'_, '_> {
    /// Windows whose lines lie between faces that go on, with lines across at both ends.
    pub(super) fn inner_windows(&self, wall: &mut Wall) {
        if self.field.has_windows {
            return;
        }
        let mut inner: Vec<(f64, f64, f64)> = wall.inner.clone();
        inner.sort_by(|a, b| (a.0 / 2.0).round().total_cmp(&(b.0 / 2.0).round()).then(a.1.total_cmp(&b.1)));
        let mut whole: Vec<(f64, f64, f64)> = Vec::new();
        for own in inner {
            match whole.last_mut() {
                Some(last) if (last.0 - own.0).abs() < 2.0 && own.1 < last.2 + 5.0 => {
                    last.2 = last.2.max(own.2);
                }
                _ => whole.push(own),
            }
        }
        let most = (wall.length() * 0.8).min(5000.0);
        for (off, from, to) in &whole {
            // lines that lie there all along, or go from opening to opening, are layers of the wall
            let along: f64 =
                whole.iter().filter(|own| (own.0 - off).abs() < 2.0).map(|own| own.2 - own.1).sum();
            let (from, to) = (*from, *to);
            let is_beside = wall
                .gaps
                .iter()
                .any(|gap| !gap.is_uncut && ((gap.from - to).abs() < 30.0 || (gap.to - from).abs() < 30.0));
            if along < wall.length() * 0.8
                && !is_beside
                && !self.field.is_crossed(
                    self.way,
                    self.point(f64::midpoint(from, to)),
                    20.0,
                    self.high - self.low,
                )
                && (300.0..most).contains(&(to - from))
            {
                let (start, stop) = wall.extent();
                let jambs = self.has_jamb(from) && self.has_jamb(to);
                if jambs || (from > start + 150.0 && to < stop - 150.0 && to - from < 3500.0) {
                    let evidence = if jambs {
                        "lines between the faces of the wall, with lines across at both ends"
                    } else {
                        "lines between the faces of the wall"
                    };
                    windows::put(wall, from, to, Vec::new(), if jambs { 0.6 } else { 0.5 }, evidence);
                }
            }
        }
    }
}
