//! Squares by which things near a place are found.

use foldhash::HashMap;
use glam::DVec2;
use std::collections::BTreeMap;

/// Squares that one thing is put into at most.
const MOST: i64 = 4096;

/// Pieces that a line is put into squares by at most.
const MOST_PIECES: usize = 1000;

/// Things that are found at most, about.
const MOST_FOUND: usize = 600;

/// Numbers of things by square, in chains, since a list for each would be slow to make and to drop.
#[derive(Default)]
struct Squares {
    /// The link that was put last into a square.
    heads: HashMap<(i64, i64), u32>,
    /// A number, and the link before.
    links: Vec<(u32, u32)>,
}

impl Squares {
    /// Puts a number into a square; one that was put last stands there once.
    fn put(&mut self, square: (i64, i64), number: usize) {
        let (number, next) = (number as u32, self.links.len() as u32);
        let head = self.heads.entry(square).or_insert(u32::MAX);
        if self.links.get(*head as usize).is_none_or(|link| link.0 != number) {
            self.links.push((number, *head));
            *head = next;
        }
    }

    fn at(&self, square: (i64, i64)) -> impl Iterator<Item = usize> {
        self.chain(self.heads.get(&square).copied().unwrap_or(u32::MAX))
    }

    fn chain(&self, mut next: u32) -> impl Iterator<Item = usize> {
        std::iter::from_fn(move || {
            let (number, before) = *self.links.get(next as usize)?;
            next = before;
            Some(number as usize)
        })
    }
}

/// Numbers of things by the squares that they touch.
pub(crate) struct Grid {
    size: f64,
    squares: Squares,
}

impl Grid {
    pub(crate) fn new(size: f64) -> Self {
        Self { size, squares: Squares::default() }
    }

    fn square(&self, point: DVec2) -> (i64, i64) {
        ((point.x / self.size).floor() as i64, (point.y / self.size).floor() as i64)
    }

    /// Puts a thing into the squares of a box; answers how many they are.
    pub(crate) fn put(&mut self, number: usize, a: DVec2, b: DVec2) -> usize {
        let (least, most) = (self.square(a.min(b)), self.square(a.max(b)));
        let count = squares(least, most);
        if count > MOST {
            return 0;
        }
        for x in least.0..=most.0 {
            for y in least.1..=most.1 {
                self.squares.put((x, y), number);
            }
        }
        count as usize
    }

    /// Puts a thing into the squares along a line, so that one at an angle fills few; answers about how many they are.
    pub(crate) fn put_along(&mut self, number: usize, from: DVec2, to: DVec2) -> usize {
        let count = ((from.distance(to) / self.size).ceil() as usize).clamp(1, MOST_PIECES);
        let at = |n: usize| from.lerp(to, n as f64 / count as f64);
        (0..count).map(|n| self.put(number, at(n), at(n + 1))).sum()
    }

    /// The things in the squares of a box, each once.
    pub(crate) fn near(&self, a: DVec2, b: DVec2) -> Vec<usize> {
        let (least, most) = (self.square(a.min(b)), self.square(a.max(b)));
        let mut found = Vec::new();
        if squares(least, most) > MOST {
            return found;
        }
        for x in least.0..=most.0 {
            for y in least.1..=most.1 {
                // where so much lies in one place, no more is looked at
                if found.len() > MOST_FOUND {
                    break;
                }
                found.extend(self.squares.at((x, y)).take(MOST_FOUND));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The first thing in the squares about a place for which something holds; where very much lies there, not all is looked at.
    pub(crate) fn find(&self, at: DVec2, distance: f64, holds: impl Fn(usize) -> bool) -> Option<usize> {
        let (least, most) =
            (self.square(at - DVec2::splat(distance)), self.square(at + DVec2::splat(distance)));
        let mut left = MOST_FOUND;
        for x in least.0..=most.0 {
            for y in least.1..=most.1 {
                for number in self.squares.at((x, y)) {
                    if left == 0 {
                        return None;
                    }
                    left -= 1;
                    if holds(number) {
                        return Some(number);
                    }
                }
            }
        }
        None
    }

    /// The things within a distance of a place, by squares.
    pub(crate) fn around(&self, at: DVec2, distance: f64) -> Vec<usize> {
        self.near(at - DVec2::splat(distance), at + DVec2::splat(distance))
    }

    /// How many things each square has.
    pub(crate) fn counts(&self) -> impl Iterator<Item = usize> {
        self.squares.heads.values().map(|head| self.squares.chain(*head).count())
    }
}

fn squares(least: (i64, i64), most: (i64, i64)) -> i64 {
    let wide = most.0.saturating_sub(least.0).saturating_add(1);
    wide.saturating_mul(most.1.saturating_sub(least.1).saturating_add(1))
}

/// Boxes by squares of about their own size, so that each is in few and all that a place lies in are found.
#[derive(Default)]
pub(crate) struct Boxes(BTreeMap<i32, Squares>);

impl Boxes {
    fn square(level: i32, point: DVec2) -> (i64, i64) {
        let size = f64::from(level).exp2();
        ((point.x / size).floor() as i64, (point.y / size).floor() as i64)
    }

    pub(crate) fn put(&mut self, number: usize, a: DVec2, b: DVec2) {
        let (least, most) = (a.min(b), a.max(b));
        let size = (most - least).max_element();
        if !size.is_finite() {
            return;
        }
        let level = size.max(1.0).log2().ceil() as i32;
        let (least, most) = (Self::square(level, least), Self::square(level, most));
        let own = self.0.entry(level).or_default();
        for x in least.0..=most.0 {
            for y in least.1..=most.1 {
                own.put((x, y), number);
            }
        }
    }

    /// The boxes that a place may lie in, and some more.
    pub(crate) fn at(&self, point: DVec2) -> impl Iterator<Item = usize> {
        self.0.iter().flat_map(move |(level, squares)| squares.at(Self::square(*level, point)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_are_found_where_they_lie() {
        let mut grid = Grid::new(10.0);
        assert!((15..60).contains(&grid.put_along(7, DVec2::ZERO, DVec2::new(100.0, 100.0))));
        assert_eq!(grid.around(DVec2::splat(55.0), 1.0), [7]);
        assert_eq!(grid.around(DVec2::new(55.0, 15.0), 1.0), [0_usize; 0]);
        assert!(grid.counts().all(|count| count == 1), "each square holds it once");
        let mut boxes = Boxes::default();
        boxes.put(1, DVec2::ZERO, DVec2::new(1e9, 5.0));
        boxes.put(2, DVec2::splat(-3.0), DVec2::splat(3.0));
        let mut at = boxes.at(DVec2::splat(2.0)).collect::<Vec<_>>();
        at.sort_unstable();
        assert_eq!(at, [1, 2]);
        assert_eq!(boxes.at(DVec2::new(9e8, 1.0)).collect::<Vec<_>>(), [1]);
        assert_eq!(boxes.at(DVec2::splat(-1e12)).count(), 0);
    }
}
