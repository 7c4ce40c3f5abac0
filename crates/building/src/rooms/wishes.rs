//! What is wished of rooms beside their areas: doors between them, outer walls, widths, shapes, wet rooms side by side; and how far a
//! layout meets it.
//!
//! The use of a room is taken from its usage or name, in English or German words; where neither says anything it may be walked through.

use super::layout::Plot;
use crate::measures::mm;
use crate::polygon::{area, bounds, direction, edges, signed_area};
use glam::DVec2;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeSet;

/// The cosine of the widest corner that counts as a nook: 70 degrees.
const SHARP: f64 = 0.342;
/// The least clear width of a hallway, in mm.
pub(super) const LEAST_HALL: f64 = 900.0;
/// The least length of outer wall that counts, in mm.
const OUTER: f64 = 800.0;
/// Wet rooms share at least so much wall, in mm.
const SHARED: f64 = 500.0;
/// Free partition beside a door on each side, in mm.
pub(super) const BESIDE: f64 = 50.0;

/// A wish that is not met.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Unmet {
    /// `connect`, `access`, `outer_wall`, `min_width`, `max_ratio`, `wet_together` or `hallway`.
    pub wish: &'static str,
    /// Names of the rooms.
    pub rooms: Vec<String>,
    /// The wishes that are not met.
    pub say: String,
}

/// The use of a room, as far as a layout asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// For getting about.
    Hall,
    /// A bedroom: nobody walks through it.
    Bedroom,
    /// A bathroom or the like: neither.
    Bath,
    /// A kitchen or laundry: wet, but may be walked through.
    Wet,
    /// Anything else.
    Other,
}

impl Use {
    /// The use that a name and a usage tell of.
    pub fn named(name: &str, usage: Option<&str>) -> Self {
        let text = format!("{} {}", usage.unwrap_or_default(), name).to_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
        if has(&["bath", "toilet", "restroom", "shower", "lavatory", "washroom", "badezimmer", "dusche"])
            || text.split(|c: char| !c.is_alphanumeric()).any(|word| matches!(word, "wc" | "bad" | "ensuite"))
        {
            Self::Bath
        } else if has(&["bedroom", "schlafzimmer", "kinderzimmer", "nursery", "guest room", "guest_room"]) {
            Self::Bedroom
        } else if has(&[
            "hall",
            "corridor",
            "flur",
            "diele",
            "circulation",
            "foyer",
            "lobby",
            "vestibule",
            "entrance",
            "landing",
        ]) {
            Self::Hall
        } else if has(&["kitchen", "laundry", "utility", "küche", "kueche", "pantry"]) {
            Self::Wet
        } else {
            Self::Other
        }
    }

    /// Returns true if no door may lead through it.
    pub fn is_private(self) -> bool {
        matches!(self, Self::Bedroom | Self::Bath)
    }
}

/// The wishes for one room.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Wish {
    pub name: String,
    pub used: Use,
    pub wet: bool,
    pub outer_wall: bool,
    pub min_width: Option<f64>,
    pub max_ratio: Option<f64>,
    /// Width of the doors to it.
    pub door: f64,
}

/// The wishes for all of them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Wishes {
    pub rooms: Vec<Wish>,
    pub connect: Vec<[usize; 2]>,
    pub wet_together: bool,
    /// Thickness of the partitions.
    pub partition: f64,
    /// The room from which all others are to be reached, such as the one with the stair; told by the uses where left out.
    pub entrance: Option<usize>,
}

impl Wishes {
    /// Returns true if a layout has to be looked for, rather than taken as it comes.
    pub fn is_search(&self) -> bool {
        let of_room = |r: &Wish| r.outer_wall || r.min_width.is_some() || r.max_ratio.is_some();
        !self.connect.is_empty() || self.wet_together || self.rooms.iter().any(of_room)
    }

    /// The use of a plot's room; what has none is the hallway.
    pub fn used(&self, plot: &Plot) -> Use {
        plot.room.and_then(|i| self.rooms.get(i)).map_or(Use::Hall, |wish| wish.used)
    }

    /// The width of a door between the rooms of two plots.
    pub fn door(&self, a: &Plot, b: &Plot) -> f64 {
        let own = |plot: &Plot| plot.room.and_then(|i| self.rooms.get(i)).map(|wish| wish.door);
        match (own(a), own(b)) {
            (Some(a), Some(b)) => a.min(b),
            (one, other) => one.or(other).unwrap_or(900.0),
        }
    }

    /// The name of a plot's room.
    pub fn name(&self, plot: &Plot) -> String {
        self.wish(plot).map_or_else(|| "corridor".to_owned(), |wish| wish.name.clone())
    }

    /// The distance of outlines that lie on both sides of one partition, at most.
    pub fn beside(&self) -> f64 {
        1.0 + self.partition * 1.5
    }

    /// Returns true if a door is wished between the rooms of two plots.
    pub fn connects(&self, a: &Plot, b: &Plot) -> bool {
        let (Some(a), Some(b)) = (a.room, b.room) else { return false };
        self.connect.iter().any(|pair| *pair == [a, b] || *pair == [b, a])
    }

    /// Returns true if one may go on from a plot's room to another's: never through a bedroom or bathroom, except where a door between
    /// the two was wished, or where there are only two rooms.
    pub fn leads(&self, plots: &[Plot], first: usize, from: usize, to: usize) -> bool {
        let (Some(here), Some(there)) = (plots.get(from), plots.get(to)) else { return false };
        let is_only_way = from == first && plots.len() < 3;
        is_only_way || !self.used(here).is_private() || self.connects(here, there)
    }

    /// The wish of a plot's room.
    fn wish(&self, plot: &Plot) -> Option<&Wish> {
        plot.room.and_then(|i| self.rooms.get(i))
    }
}

/// The longest stretch that two outlines share, in mm; edges no farther apart than `near` are one.
pub(super) fn shared(a: &[DVec2], b: &[DVec2], near: f64) -> f64 {
    let mut longest = 0.0_f64;
    for (p, q) in edges(a) {
        let Some(d) = direction(p, q) else { continue };
        for (r, s) in edges(b) {
            if d.perp_dot(r - p).abs() > near || d.perp_dot(s - p).abs() > near {
                continue;
            }
            let (x, y) = (d.dot(r - p), d.dot(s - p));
            longest = longest.max(x.max(y).min(p.distance(q)) - x.min(y).max(0.0));
        }
    }
    longest
}

/// The clear width of a room and its length by its width, between partitions. Of one that is no rectangle the width is what its area
/// leaves to its length.
pub(super) fn measures(outline: &[DVec2], partition: f64) -> (f64, f64) {
    let Some(d) = edges(outline)
        .max_by(|a, b| a.0.distance(a.1).total_cmp(&b.0.distance(b.1)))
        .and_then(|(a, b)| direction(a, b))
    else {
        return (0.0, f64::INFINITY);
    };
    let turned: Vec<DVec2> = outline.iter().map(|p| DVec2::new(d.dot(*p), d.perp_dot(*p))).collect();
    let (low, high) = bounds(&turned);
    let size = high - low;
    let length = size.max_element();
    let width = (area(outline) / length.max(1.0)).min(size.min_element()) - partition;
    (width, (length - partition) / width.max(1.0))
}

/// The nooks of a room that are too narrow for anything, as at a slanted wall: a number that grows as its corners become more acute.
fn nooks(outline: &[DVec2]) -> f64 {
    let (n, turn) = (outline.len(), signed_area(outline).signum());
    let corner = |i: usize| {
        let (a, b, c) = (outline.get(i)?, outline.get((i + 1) % n)?, outline.get((i + 2) % n)?);
        let (d, e) = (direction(*b, *a)?, direction(*b, *c)?);
        let is_inward = d.perp_dot(e) * turn > 0.0;
        (!is_inward && d.dot(e) > SHARP).then(|| d.dot(e) / d.perp_dot(e).abs().max(0.1))
    };
    (0..n).filter_map(corner).sum()
}

/// How a layout falls short: wishes that are not met by where rooms lie, and a number that is less for a better one.
pub(super) fn judge(wishes: &Wishes, outline: &[DVec2], plots: &[Plot]) -> (Vec<Unmet>, f64) {
    let mut unmet = Vec::new();
    let mut badness = 0.0;
    let mut miss = |wish: &'static str, rooms: Vec<String>, weight: f64, say: String| {
        badness += weight;
        unmet.push(Unmet { wish, rooms, say });
    };
    let mut soft = 0.0;
    for plot in plots {
        let (width, ratio) = measures(&plot.outline, wishes.partition);
        let Some(wish) = wishes.wish(plot) else {
            if width < LEAST_HALL {
                miss(
                    "hallway",
                    Vec::new(),
                    200.0,
                    format!("The corridor is only {} mm wide.", mm(width.round())),
                );
            }
            continue;
        };
        let name = || vec![wish.name.clone()];
        if wish.used == Use::Hall {
            if width < LEAST_HALL {
                let say = format!("{} is only {} mm wide.", wish.name, mm(width.round()));
                miss("hallway", name(), 200.0, say);
            }
        } else {
            soft += (ratio - 1.8).max(0.0) + (1_800.0 - width).max(0.0) / 300.0 + nooks(&plot.outline);
        }
        if wish.outer_wall && shared(&plot.outline, outline, 1.0) < OUTER {
            miss("outer_wall", name(), 100.0, format!("{} has no outer wall.", wish.name));
        }
        if let Some(least) = wish.min_width.filter(|least| width < least - 1.0) {
            let say = format!("{} is {} mm wide instead of {}.", wish.name, mm(width.round()), mm(least));
            miss("min_width", name(), 50.0 + (least - width).min(5e3) / 100.0, say);
        }
        if let Some(most) = wish.max_ratio.filter(|most| ratio > most + 0.005) {
            let say = format!("{} is {:.2} times as long as wide instead of {most}.", wish.name, ratio);
            miss("max_ratio", name(), 40.0 + (ratio - most).min(10.0), say);
        }
    }
    if wishes.wet_together {
        let wet: Vec<&Plot> =
            plots.iter().filter(|plot| wishes.wish(plot).is_some_and(|wish| wish.wet)).collect();
        let parts = clusters(&wet, wishes.beside());
        if parts > 1 {
            let rooms = wet.iter().filter_map(|plot| wishes.wish(plot)).map(|w| w.name.clone()).collect();
            let say = format!("The wet rooms lie in {parts} places.");
            miss("wet_together", rooms, 30.0 * (parts as f64 - 1.0), say);
        }
    }
    (unmet, badness + soft)
}

/// The number of groups of rooms that lie side by side.
fn clusters(plots: &[&Plot], near: f64) -> usize {
    let mut open: BTreeSet<usize> = (0..plots.len()).collect();
    let mut groups = 0;
    while let Some(first) = open.pop_first() {
        groups += 1;
        let mut at = vec![first];
        while let Some(i) = at.pop() {
            let near = |j: &usize| match (plots.get(i), plots.get(*j)) {
                (Some(a), Some(b)) => shared(&a.outline, &b.outline, near) >= SHARED,
                _ => false,
            };
            let found: Vec<usize> = open.iter().copied().filter(near).collect();
            for j in found {
                open.remove(&j);
                at.push(j);
            }
        }
    }
    groups
}

/// The plot from which all others are to be reached: the hallway, else the largest room that may be walked through, else the largest.
pub(super) fn entrance(wishes: &Wishes, plots: &[Plot]) -> Option<usize> {
    if let Some(at) = wishes.entrance.and_then(|room| plots.iter().position(|plot| plot.room == Some(room))) {
        return Some(at);
    }
    let rank = |plot: &Plot| match wishes.used(plot) {
        Use::Hall => 2,
        used if used.is_private() => 0,
        _ => 1,
    };
    (0..plots.len()).max_by(|i, j| match (plots.get(*i), plots.get(*j)) {
        (Some(a), Some(b)) => rank(a).cmp(&rank(b)).then(area(&a.outline).total_cmp(&area(&b.outline))),
        _ => std::cmp::Ordering::Equal,
    })
}

/// True if a door fits between two rooms.
pub(super) fn has_door(wishes: &Wishes, a: &Plot, b: &Plot) -> bool {
    shared(&a.outline, &b.outline, wishes.beside()) >= wishes.door(a, b) + 2.0 * BESIDE + wishes.partition
}

/// How a layout falls short in its doors: a number that is less for a better one.
pub(super) fn doors_missing(wishes: &Wishes, plots: &[Plot]) -> f64 {
    let has_door = |i: usize, j: usize| match (plots.get(i), plots.get(j)) {
        (Some(a), Some(b)) => has_door(wishes, a, b),
        _ => false,
    };
    let place = |room: usize| plots.iter().position(|plot| plot.room == Some(room));
    let missing = wishes
        .connect
        .iter()
        .filter(|[a, b]| !matches!((place(*a), place(*b)), (Some(i), Some(j)) if has_door(i, j)))
        .count();
    let Some(first) = entrance(wishes, plots) else { return 0.0 };
    let mut reached = vec![first];
    let mut at = 0;
    while let Some(i) = reached.get(at).copied() {
        at += 1;
        let next: Vec<usize> = (0..plots.len())
            .filter(|j| !reached.contains(j) && wishes.leads(plots, first, i, *j) && has_door(i, *j))
            .collect();
        reached.extend(next);
    }
    200.0 * missing as f64 + 1_000.0 * (plots.len() - reached.len()) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uses_are_told_by_name_and_usage() {
        for (name, usage, expected) in [
            ("bedroom_1", None, Use::Bedroom),
            ("Bathroom", None, Use::Bath),
            ("WC", None, Use::Bath),
            ("hallway_1", None, Use::Hall),
            ("Room 3", Some("Kitchen"), Use::Wet),
            ("living_room_1", None, Use::Other),
            ("Badminton", None, Use::Other),
            ("shop", None, Use::Other),
        ] {
            assert_eq!(Use::named(name, usage), expected, "{name}");
        }
    }
}
