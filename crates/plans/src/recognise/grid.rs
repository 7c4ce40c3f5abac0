//! A grid of squares by which things near a place are found.

use glam::DVec2;
use std::collections::HashMap;

/// Squares that one thing is put into at most.
const MOST: i64 = 4096;

/// Things that are found at most, about.
const MOST_FOUND: usize = 600;

/// Numbers of things by the squares that they touch.
pub(crate) struct Grid {
    size: f64,
    squares: HashMap<(i64, i64), Vec<u32>>,
}

impl Grid {
    pub(crate) fn new(size: f64) -> Self {
        Self { size, squares: HashMap::new() }
    }

    fn square(&self, point: DVec2) -> (i64, i64) {
        ((point.x / self.size).floor() as i64, (point.y / self.size).floor() as i64)
    }

    /// Puts a thing into the squares of a box.
    pub(crate) fn put(&mut self, number: usize, a: DVec2, b: DVec2) {
        let (least, most) = (self.square(a.min(b)), self.square(a.max(b)));
        if (most.0 - least.0 + 1).saturating_mul(most.1 - least.1 + 1) > MOST {
            return;
        }
        for x in least.0..=most.0 {
            for y in least.1..=most.1 {
                self.squares.entry((x, y)).or_default().push(number as u32);
            }
        }
    }

    /// The things in the squares of a box, each once.
    pub(crate) fn near(&self, a: DVec2, b: DVec2) -> Vec<usize> {
        let (least, most) = (self.square(a.min(b)), self.square(a.max(b)));
        let mut found = Vec::new();
        if (most.0 - least.0 + 1).saturating_mul(most.1 - least.1 + 1) > MOST {
            return found;
        }
        for x in least.0..=most.0 {
            for y in least.1..=most.1 {
                // where so much lies in one place, no more is looked at
                if found.len() > MOST_FOUND {
                    break;
                }
                found.extend(self.squares.get(&(x, y)).into_iter().flatten().map(|number| *number as usize));
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
                for number in self.squares.get(&(x, y)).into_iter().flatten() {
                    if left == 0 {
                        return None;
                    }
                    left -= 1;
                    if holds(*number as usize) {
                        return Some(*number as usize);
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
}
