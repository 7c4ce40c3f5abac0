//! Walls: strips in one line, joined across what explains the gap between them.

use super::doors::chord;
use super::grid::Grid;
use super::parts::{Field, Filling, Gap, Wall, wall_grid, widest_half};
use super::roles::Role;
use super::shapes::Primitives;
use super::stacks::Strip;
use super::symbols::Symbols;
use super::windows;
use crate::drawing::Drawing;
use crate::effort::Effort;
use crate::plan::{self, ArcAxis, DoorKind, Placement, Plan, Side};
use glam::DVec2;
use std::collections::HashSet;

/// Walls of a band that is being joined.
struct Joining<'a, 'f> {
    field: &'f Field<'a>,
    way: DVec2,
    low: f64,
    high: f64,
}

/// The widest gap in mm that is bridged without a filling.
const WIDEST: f64 = 2700.0;

/// Joins strips into walls.
pub(crate) fn walls(
    strips: &[Strip],
    symbols: &Symbols,
    found: &Primitives,
    effort: &Effort<'_>,
    plan: &mut Plan,
) -> Vec<Wall> {
    let field = Field::new(strips, found, symbols, effort);
    let mut walls = Vec::new();
    for band in bands(strips, effort) {
        let members: Vec<&Strip> = band.iter().filter_map(|number| strips.get(*number)).collect();
        if !effort.goes_on(10) {
            return walls;
        }
        if !members.iter().any(|strip| is_strong(strip)) {
            continue;
        }
        join_band(&members, &field, &mut walls);
    }
    walls.retain(|wall: &Wall| {
        let solid = wall.length() - wall.gaps.iter().map(|gap| gap.to - gap.from).sum::<f64>();
        solid > (wall.thickness() * 0.8).max(100.0) || wall.gaps.iter().any(|gap| !gap.swings.is_empty())
    });
    without_covered(&mut walls, effort);
    doors_alone(&mut walls, &field, plan);
    walls
}

fn is_strong(strip: &Strip) -> bool {
    strip.length() >= strip.thickness().max(80.0) * 0.98
}

/// Strips with the same faces, in order of their beginning.
fn bands(strips: &[Strip], effort: &Effort<'_>) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..strips.len()).collect();
    let key = |number: &usize| {
        strips.get(*number).map_or((0.0, 0.0, 0.0), |strip| (strip.way.x, strip.way.y, strip.low))
    };
    order.sort_by(|a, b| {
        let (a, b) = (key(a), key(b));
        a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.total_cmp(&b.2))
    });
    let mut bands: Vec<Vec<usize>> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for number in order {
        let Some(strip) = strips.get(number).filter(|_| effort.goes_on(10 + open.len() * 4)) else {
            continue;
        };
        open.retain(|band| {
            let first = bands.get(*band).and_then(|band| band.first()).and_then(|number| strips.get(*number));
            first.is_some_and(|first| first.way == strip.way && strip.low - first.low < SAME)
        });
        let own = open.iter().copied().find(|band| {
            let first = bands.get(*band).and_then(|band| band.first()).and_then(|number| strips.get(*number));
            first.is_some_and(|first| (first.high - strip.high).abs() < SAME)
        });
        if let Some(band) = own.and_then(|own| bands.get_mut(own)) {
            band.push(number);
        } else {
            open.push(bands.len());
            bands.push(vec![number]);
        }
    }
    for band in &mut bands {
        band.sort_by(|a, b| {
            let from = |number: &usize| strips.get(*number).map_or(0.0, |strip| strip.from);
            from(a).total_cmp(&from(b))
        });
    }
    bands
}

/// Faces that lie as near as this, in mm, are of one wall.
const SAME: f64 = 4.0;

fn join_band(members: &[&Strip], field: &Field<'_>, walls: &mut Vec<Wall>) {
    let Some(first) = members.first() else { return };
    let weight: f64 = members.iter().map(|strip| strip.length()).sum();
    let mean = |of: fn(&Strip) -> f64| {
        members.iter().map(|strip| of(strip) * strip.length()).sum::<f64>() / weight.max(1e-9)
    };
    let (low, high) = (mean(|strip| strip.low), mean(|strip| strip.high));
    let joining = Joining { field, way: first.way, low, high };
    let mut open: Option<Wall> = None;
    for strip in members {
        let joined = open.as_mut().is_some_and(|wall| joining.join(wall, strip));
        if !joined {
            walls.extend(open.take());
            open = Some(joining.begin(strip));
        }
    }
    walls.extend(open);
    // doors at the end of a wall, beside a wall that crosses
    for wall in walls
        .iter_mut()
        .rev()
        .take_while(|wall| wall.way == first.way && wall.low == low && wall.high == high)
    {
        wall.entities.sort_unstable();
        wall.entities.dedup();
        joining.extend(wall);
        joining.extend_by_window(wall);
        joining.inner_windows(wall);
    }
}

impl Joining<'_, '_> {
    fn point(&self, along: f64) -> DVec2 {
        self.way * along + self.way.perp() * f64::midpoint(self.low, self.high)
    }

    fn begin(&self, strip: &Strip) -> Wall {
        Wall {
            role: strip.role,
            way: self.way,
            low: self.low,
            high: self.high,
            start: self.point(strip.from),
            end: self.point(strip.to),
            arc: None,
            gaps: Vec::new(),
            inner: strip.inner.clone(),
            entities: strip.entities.clone(),
            is_single: strip.is_single,
            beyond: [0.0, 0.0],
            is_met: [false, false],
            confidence: 0.0,
        }
    }

    /// Makes a wall longer by a strip, if what lies between is explained.
    fn join(&self, wall: &mut Wall, strip: &Strip) -> bool {
        let (_, end) = wall.extent();
        let gap = strip.from - end;
        let mut found = None;
        if gap > 60.0 {
            match self.gap(end, strip.from, strip) {
                Bridge::None => return false,
                Bridge::Through => {}
                Bridge::Opening(own) => found = Some(own),
            }
        }
        wall.gaps.extend(found);
        if strip.to > end {
            wall.end = self.point(strip.to);
        }
        wall.inner.extend(strip.inner.iter().copied());
        wall.entities.extend(&strip.entities);
        true
    }

    fn gap(&self, from: f64, to: f64, strip: &Strip) -> Bridge {
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

    /// The door whose swing closes in a gap.
    fn door(&self, from: f64, to: f64) -> Option<Gap> {
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
    fn leaf(&self, from: f64, to: f64) -> Option<Gap> {
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
                    let own = self.made(
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
        let own = self.made(
            from,
            to,
            0.75,
            "lines in a gap of the wall on a layer, or in a block, of doors",
            is_named.clone(),
        );
        (!is_named.is_empty()).then_some(Gap { is_sliding: panels > 1, ..own })
    }

    #[allow(clippy::unused_self)]
    fn made(&self, from: f64, to: f64, confidence: f64, evidence: &str, entities: Vec<u32>) -> Gap {
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

    /// True if a line goes along one face all the way.
    fn has_face(&self, from: f64, to: f64) -> bool {
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
    fn has_jamb(&self, along: f64) -> bool {
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

    /// Makes a wall longer by a window that goes from its end to a wall that crosses.
    fn extend_by_window(&self, wall: &mut Wall) {
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

    /// Windows whose lines lie between faces that go on, with lines across at both ends.
    fn inner_windows(&self, wall: &mut Wall) {
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

    /// Makes a wall longer by a door that closes beyond its end.
    fn extend(&self, wall: &mut Wall) {
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
                self.made(from, to, 0.9, "a swing between the end of a wall and one that crosses", entities);
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
}

enum Bridge {
    None,
    Through,
    Opening(Gap),
}

/// Leaves out walls that lie within others of the same direction: lines of windows, doubled faces.
fn without_covered(walls: &mut Vec<Wall>, effort: &Effort<'_>) {
    let mut order: Vec<usize> = (0..walls.len()).collect();
    let size = |n: &usize| walls.get(*n).map_or(0.0, |wall| wall.length() * wall.thickness());
    order.sort_by(|a, b| size(b).total_cmp(&size(a)));
    let reach = widest_half(walls) + 20.0;
    let mut grid = Grid::new(2000.0);
    let mut is_out = vec![false; walls.len()];
    for number in order {
        let Some(wall) = walls.get(number) else { continue };
        let (from, to) = wall.extent();
        let near = grid.around((wall.start + wall.end) / 2.0, reach);
        if !effort.goes_on(10 + near.len()) {
            return;
        }
        let is_covered = near.into_iter().filter_map(|n| walls.get(n)).any(|other| {
            let (start, stop) = other.extent();
            let is_along = (other.way.perp_dot(wall.way)).abs() < 0.01 && other.way.dot(wall.way) > 0.0;
            is_along
                && wall.low > other.low - 20.0
                && wall.high < other.high + 20.0
                && from > start - 60.0
                && to < stop + 60.0
        });
        if is_covered {
            if let Some(is_out) = is_out.get_mut(number) {
                *is_out = true;
            }
        } else if !effort.goes_on(grid.put_along(number, wall.start, wall.end) * 8) {
            return;
        }
    }
    let mut flags = is_out.into_iter();
    walls.retain(|_| !flags.next().unwrap_or(false));
}

/// Doors that close between two walls that cross, with no piece of wall beside them: their wall is as long as they are.
fn doors_alone(walls: &mut Vec<Wall>, field: &Field<'_>, plan: &mut Plan) {
    let used: HashSet<usize> =
        walls.iter().flat_map(|wall| wall.gaps.iter().flat_map(|gap| gap.swings.iter().copied())).collect();
    let mut thin: Vec<f64> = walls.iter().map(Wall::thickness).collect();
    thin.sort_by(f64::total_cmp);
    let Some(thickness) = thin.get(thin.len() / 4).copied() else { return };
    let mut count = 0;
    let (grid, reach) = (wall_grid(walls, 2000.0, field.effort), widest_half(walls) + 200.0);
    let known = walls.len();
    for (number, symbol) in field.symbols.swings.iter().enumerate() {
        let (Some(leaf), false) = (symbol.leaf, used.contains(&number)) else { continue };
        let Some(end) = symbol.ends.get(1 - leaf).copied() else { continue };
        let own = end - symbol.hinge;
        let Some(way) = own.try_normalize() else { continue };
        let near = grid.around(symbol.hinge, reach);
        if !field.effort.goes_on(10 + near.len()) {
            return;
        }
        // those that were added here are short, and stand between others
        let near = near.iter().filter_map(|n| walls.get(*n)).chain(walls.iter().skip(known).rev().take(200));
        let is_on_wall = near.into_iter().any(|wall| {
            let (start, stop) = wall.extent();
            chord(wall.way, wall.low, wall.high, symbol, end)
                .is_some_and(|(a, b, _)| a > start - 60.0 && b < stop + 60.0)
        });
        let (before, after) = (symbol.hinge - way * 60.0, end + way * 60.0);
        let is_between = field.is_crossed(way, before, 60.0, 0.0) && field.is_crossed(way, after, 60.0, 0.0);
        if is_on_wall || !is_between {
            continue;
        }
        let way = super::lines::upper(way);
        let off = way.perp_dot((symbol.hinge + end) / 2.0);
        let (a, b) = (way.dot(symbol.hinge), way.dot(end));
        let (from, to) = (a.min(b), a.max(b));
        let joining = Joining { field, way, low: off - thickness / 2.0, high: off + thickness / 2.0 };
        let mut gap =
            joining.made(from, to, 0.7, "a swing between two walls that cross", symbol.entities.clone());
        gap.swings.push(number);
        gap.hinge = symbol.opened(1 - leaf);
        walls.push(Wall {
            role: Role::Unknown,
            way,
            low: joining.low,
            high: joining.high,
            start: joining.point(from),
            end: joining.point(to),
            arc: None,
            gaps: vec![gap],
            inner: Vec::new(),
            entities: Vec::new(),
            is_single: true,
            beyond: [0.0, 0.0],
            is_met: [true, true],
            confidence: 0.5,
        });
        count += 1;
    }
    if count > 0 {
        plan.assumptions.push(format!(
            "{count} doors stand between two walls with no piece of wall beside them; they got a wall {thickness:.0} mm thick"
        ));
    }
}

/// Writes walls and openings into the plan.
pub(crate) fn answer(walls: &[Wall], drawing: &Drawing, origin: DVec2, plan: &mut Plan) {
    let point = |at: DVec2| {
        let own = at - origin;
        [round(own.x), round(own.y)]
    };
    let sources = |entities: &[u32]| {
        let named = entities
            .iter()
            .filter_map(|number| drawing.entities.get(*number as usize))
            .map(|own| source(drawing, own.source));
        let mut named: Vec<String> = named.take(40).collect();
        named.dedup();
        named.truncate(12);
        named
    };
    for (number, wall) in walls.iter().enumerate() {
        let mut layers: Vec<String> = Vec::new();
        for entity in
            wall.entities.iter().filter_map(|number| drawing.entities.get(*number as usize)).take(200)
        {
            let name = drawing.layer(entity.layer);
            if layers.len() < 6 && !layers.iter().any(|own| own == name) {
                layers.push(name.to_owned());
            }
        }
        let arc = wall.arc.map(|(centre, radius, is_ccw)| ArcAxis {
            centre: point(centre),
            radius: round(radius),
            is_counter_clockwise: is_ccw,
        });
        plan.walls.push(plan::Wall {
            start: point(wall.start),
            end: point(wall.end),
            arc,
            thickness: round(wall.thickness()),
            confidence: (wall.confidence * 100.0).round() / 100.0,
            layers,
            sources: sources(&wall.entities),
            inner_lines: inner_count(wall),
            note: wall.is_single.then(|| "drawn as a single line: its thickness is assumed".to_owned()),
        });
        let mut gaps: Vec<&Gap> = wall.gaps.iter().collect();
        gaps.sort_by(|a, b| a.from.total_cmp(&b.from));
        for gap in gaps {
            let middle = f64::midpoint(gap.from, gap.to);
            let centre = wall.point(middle);
            let place = Placement {
                wall: number,
                position: round(middle - wall.extent().0),
                width: round(gap.to - gap.from),
                centre: point(centre),
                confidence: gap.confidence,
                evidence: gap.evidence.clone(),
                sources: sources(&gap.entities),
            };
            match gap.filling {
                Filling::Window => plan.windows.push(plan::Window { place }),
                Filling::None => plan.openings.push(plan::Opening { place }),
                Filling::Door => plan.doors.push(door(wall, gap, place, &point)),
            }
        }
    }
}

fn inner_count(wall: &Wall) -> usize {
    let half = wall.length() * 0.5;
    let mut offs: Vec<(f64, f64)> = Vec::new();
    for (off, from, to) in &wall.inner {
        match offs.iter_mut().find(|own| (own.0 - off).abs() < 2.0) {
            Some(own) => own.1 += to - from,
            None => offs.push((*off, to - from)),
        }
    }
    offs.iter().filter(|own| own.1 > half).count()
}

fn door(wall: &Wall, gap: &Gap, place: Placement, point: &impl Fn(DVec2) -> plan::Point) -> plan::Door {
    let (hinge, open) = match gap.hinge {
        Some((hinge, open)) => (Some(hinge), Some(open)),
        None => (None, None),
    };
    let kind = match gap.swings.len() {
        _ if gap.is_sliding => DoorKind::Sliding,
        0 if hinge.is_some() => DoorKind::SingleSwing,
        0 => DoorKind::Unknown,
        1 => DoorKind::SingleSwing,
        _ => DoorKind::DoubleSwing,
    };
    let axis = f64::midpoint(wall.low, wall.high);
    let swing = open.map(|open| if wall.way.perp_dot(open) > axis { Side::Left } else { Side::Right });
    let middle = f64::midpoint(gap.from, gap.to);
    let hinge_end = hinge.map(|own| if wall.way.dot(own) < middle { "start" } else { "end" });
    plan::Door { place, kind, hinge: hinge.map(point), hinge_end, swing }
}

/// A name for the place of an entity in its file.
pub(crate) fn source(drawing: &Drawing, own: u64) -> String {
    match drawing.format {
        crate::drawing::Format::Dxf => format!("{own:X}"),
        crate::drawing::Format::Svg => format!("line {own}"),
    }
}

/// Thousandths of a mm.
pub(crate) fn round(value: f64) -> f64 {
    let own = (value * 1000.0).round() / 1000.0;
    if own == 0.0 { 0.0 } else { own }
}
