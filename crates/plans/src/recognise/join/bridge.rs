//! Gaps between the pieces of a wall: what explains them, and whether the wall goes on.

use super::Joining;
use crate::recognise::parts::{Filling, Gap};
use crate::recognise::stacks::Strip;
use crate::recognise::windows;

/// The widest gap in mm that is bridged without a filling.
const WIDEST: f64 = 2700.0;

/// The outcome for the gap between two pieces of a wall.
pub(super) enum Bridge {
    None,
    Through,
    Opening(Gap),
}

impl Joining<'_, '_> {
    pub(super) fn gap(&self, from: f64, to: f64, strip: &Strip) -> Bridge {
        // wider than any window, and no wall either
        if to - from > 12_000.0 || !self.field.effort.goes_on(10) {
            return Bridge::None;
        }
        // walls that cross at its ends are no part of an opening
        let slack = 35.0;
        let (mut start, mut stop) = (from, to);
        let steps = ((to - from) / 25.0).ceil().min(80.0);
        let step = (to - from) / steps;
        let crosses = |along: f64| {
            let at = self.point(along);
            self.field.is_crossed(self.way, at, slack, self.high - self.low) || self.field.is_column(at)
        };
        let (is_met_start, is_met_end) = (crosses(from + 20.0), crosses(to - 20.0));
        if is_met_start {
            while start < to && crosses(start + 1.0) {
                start += step;
            }
        }
        if is_met_end {
            while stop > start && crosses(stop - 1.0) {
                stop -= step;
            }
        }
        let width = stop - start;
        if width < 100.0 {
            return Bridge::Through;
        }
        // without walls that cross the gap is as it was drawn
        let (start, stop) = (if is_met_start { start } else { from }, if is_met_end { stop } else { to });
        if let Some(gap) = self.door(start, stop) {
            return Bridge::Opening(gap);
        }
        let is_between = is_met_start && is_met_end;
        // between walls that cross lies a corridor, unless a swing or a window closes it
        let leaf = if is_between { None } else { self.leaf(start, stop) };
        if let Some(gap) = leaf.clone().filter(|gap| gap.hinge.is_some()) {
            return Bridge::Opening(gap);
        }
        if let Some(gap) = windows::in_gap(self.field, self.way, self.low, self.high, start, stop, is_between)
        {
            return Bridge::Opening(gap);
        }
        if let Some(gap) = leaf {
            return Bridge::Opening(gap);
        }
        if is_between {
            return Bridge::None;
        }
        // one face goes on: a niche, or where a wall meets it
        if width < 1000.0 && self.has_face(from, to) {
            return Bridge::Through;
        }
        if width > WIDEST || (is_met_start || is_met_end) && !(550.0..=1350.0).contains(&width) {
            return Bridge::None;
        }
        let jambs = usize::from(self.has_jamb(start)) + usize::from(self.has_jamb(stop));
        if strip.is_single && width > 1500.0 || width < 350.0 {
            return if width < 350.0 { Bridge::Through } else { Bridge::None };
        }
        let is_door = (580.0..=1350.0).contains(&width);
        let certain = [0.3, 0.4, 0.5].get(jambs).copied().unwrap_or(0.3);
        let evidence = if is_door { "a bare gap as wide as a door" } else { "a bare gap in the wall" };
        Bridge::Opening(Gap {
            from: start,
            to: stop,
            filling: if is_door { Filling::Door } else { Filling::None },
            confidence: if is_door { certain } else { certain + 0.1 },
            evidence: evidence.to_owned(),
            swings: Vec::new(),
            entities: Vec::new(),
            is_uncut: false,
            hinge: None,
            is_sliding: false,
        })
    }
}
