//! Doors in gaps: by their swing, or by a leaf alone.

use super::Joining;
use crate::recognise::doors::chord;
use crate::recognise::parts::{Filling, Gap};
use crate::recognise::roles::Role;

impl Joining<'_, '_> {
    /// The door whose swing closes in a gap.
    pub(super) fn door(&self, from: f64, to: f64) -> Option<Gap> {
        let (mut swings, mut entities) = (Vec::new(), Vec::new());
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        let mut hinge = None;
        let middle = self.point(f64::midpoint(from, to));
        for number in self.field.swing_grid.around(middle, (to - from) / 2.0 + self.high - self.low + 300.0) {
            let Some(symbol) = self.field.symbols.swings.get(number) else { continue };
            let fits = symbol.closings().into_iter().find_map(|(n, end)| {
                let (a, b, _) = chord(self.way, self.low, self.high, symbol, end)?;
                let overlap = b.min(to) - a.max(from);
                (overlap > (b - a) * 0.7 && a > from - 200.0 && b < to + 200.0).then_some((a, b, n))
            });
            if let Some((a, b, n)) = fits {
                hinge = hinge.or_else(|| symbol.opened(n));
                (least, most) = (least.min(a), most.max(b));
                swings.push(number);
                entities.extend(&symbol.entities);
            }
        }
        if swings.is_empty() {
            return None;
        }
        // a gap much wider than its leaves holds something else, too
        let width = most - least;
        let is_as_wide = (width * 0.97..=width * 1.3 + 100.0).contains(&(to - from));
        let (start, stop) = if is_as_wide { (from, to) } else { (least, most) };
        Some(Gap {
            from: start,
            to: stop,
            filling: Filling::Door,
            confidence: 0.95,
            evidence: "a swing in a gap of the wall".to_owned(),
            swings,
            entities,
            is_uncut: false,
            hinge,
            is_sliding: false,
        })
    }

    /// The door that has a leaf in a gap, but no swing.
    pub(super) fn leaf(&self, from: f64, to: f64) -> Option<Gap> {
        let width = to - from;
        if !(450.0..=6500.0).contains(&width) {
            return None;
        }
        let (a, b) = (self.point(from), self.point(to));
        let reach = self.way.perp() * (width + self.high - self.low);
        let mut best: Option<(Gap, f64)> = None;
        let mut is_named = Vec::new();
        let mut panels = 0;
        for (number, line) in self.field.lines_numbered(a.min(b) - reach.abs(), a.max(b) + reach.abs()) {
            // leaves with a swing are of doors that are found by it
            if self.field.symbols.is_leaf(number) {
                continue;
            }
            let middle = line.middle();
            let (along, off) = (self.way.dot(middle), self.way.perp_dot(middle));
            let is_at =
                along > from - 60.0 && along < to + 60.0 && off > self.low - 150.0 && off < self.high + 150.0;
            if line.role == Role::Door && is_at {
                is_named.push(line.entity);
            }
            let length = line.length();
            let share = length / width;
            let is_along = (line.to - line.from).perp_dot(self.way).abs() < length * 0.02;
            panels += usize::from(is_at && is_along && (0.35..0.75).contains(&share));
            let is_double = (0.44..0.56).contains(&share);
            if !((0.82..1.12).contains(&share) || is_double) || matches!(line.role, Role::Wall | Role::Window)
            {
                continue;
            }
            let way = (line.to - line.from) / length;
            if way.perp_dot(self.way).abs() < 0.3 {
                continue;
            }
            for (hinge, open) in [(line.from, line.to), (line.to, line.from)] {
                let (along, off) = (self.way.dot(hinge), self.way.perp_dot(hinge));
                let is_at_jamb = (along - from).abs() < 110.0 || (along - to).abs() < 110.0;
                let is_in = off > self.low - 110.0 && off < self.high + 110.0;
                let is_out = self.way.dot(open) > from - 110.0 && self.way.dot(open) < to + 110.0;
                if is_at_jamb && is_in && (is_out || way.perp_dot(self.way).abs() > 0.9) {
                    let far = (share - 1.0).abs();
                    let own = made(
                        from,
                        to,
                        0.8,
                        "a leaf at the jamb of a gap, without its swing",
                        vec![line.entity],
                    );
                    if best.as_ref().is_none_or(|(_, least)| far < *least) {
                        best = Some((Gap { hinge: Some((hinge, open)), ..own }, far));
                    }
                }
            }
        }
        if let Some((gap, _)) = best {
            return Some(gap);
        }
        is_named.dedup();
        let own = made(
            from,
            to,
            0.75,
            "lines in a gap of the wall on a layer, or in a block, of doors",
            is_named.clone(),
        );
        (!is_named.is_empty()).then_some(Gap { is_sliding: panels > 1, ..own })
    }
}

/// A door in a gap.
pub(super) fn made(from: f64, to: f64, confidence: f64, evidence: &str, entities: Vec<u32>) -> Gap {
    let (filling, evidence) = (Filling::Door, evidence.to_owned());
    Gap {
        from,
        to,
        filling,
        confidence,
        evidence,
        swings: Vec::new(),
        entities,
        is_uncut: false,
        hinge: None,
        is_sliding: false,
    }
}
