//! The straight skeleton of a simple polygon: which part of it belongs to each side when all sides move inward, and when
//! they meet. A roof's planes over an outline are these parts.
//!
//! Sides move at speeds of their own: one that stands still has no part, and the parts beside it reach up to it (a gable).
//! Points are in the unit of whoever asks; times are distances of sides that move at speed one. Polygons with holes are
//! not taken.

mod front;
#[cfg(test)]
mod tests;

use front::Front;
use glam::DVec2;
use std::collections::BTreeMap;

/// The most corners that a polygon may have here; the work grows with their cube.
pub const MOST_CORNERS: usize = 400;

/// A point where sides meet, and when.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Node {
    /// The place.
    pub at: DVec2,
    /// The time.
    pub time: f64,
}

/// A part of the polygon that one side sweeps.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// The side, by the corner it starts from.
    pub side: usize,
    /// Its outline, counter-clockwise, as numbers of nodes.
    pub outline: Vec<usize>,
}

/// The polygons that were swept, and what is left of the polygon.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Skeleton {
    /// Where sides meet; the first are the polygon's corners, counter-clockwise.
    pub nodes: Vec<Node>,
    /// The parts of the sides.
    pub parts: Vec<Part>,
    /// The rest, where an end was set: loops of (node, the side that begins there).
    pub rest: Vec<Vec<(usize, usize)>>,
}

/// The reason why a polygon has no skeleton.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoSkeleton {
    /// Fewer than three corners, more than are taken, two in one place, or turning clockwise.
    #[error("is no simple polygon that turns counter-clockwise")]
    NoPolygon,
    /// Sides of one direction that move at different speeds came to lie in one line, or nothing moves.
    #[error("has sides that never meet at these speeds")]
    NeverMeet,
    /// Points lie so close together that it cannot be told which meets which.
    #[error("has corners too close together to be told apart")]
    TooClose,
}

impl Skeleton {
    /// Returns the skeleton of a polygon that turns counter-clockwise and does not meet itself. `speeds` are those of the
    /// sides, in the order of the corners that they start from; all move at speed one where it is empty. With `until` the
    /// sides stop at that time.
    pub fn new(polygon: &[DVec2], speeds: &[f64], until: Option<f64>) -> Result<Self, NoSkeleton> {
        Front::new(polygon, speeds)?.run(until)
    }

    /// The points of a part's outline with their times.
    pub fn outline<'s>(&'s self, part: &'s Part) -> impl Iterator<Item = Node> + 's {
        part.outline.iter().filter_map(|i| self.nodes.get(*i).copied())
    }

    /// The latest time at which something meets: how far the innermost point lies from the sides.
    pub fn depth(&self) -> f64 {
        self.nodes.iter().map(|n| n.time).fold(0.0, f64::max)
    }

    /// The sides whose parts are triangles: those that stand at an end, where a gable can be.
    pub fn ends(&self) -> Vec<usize> {
        self.parts
            .iter()
            .filter(|part| self.without_straight(part).len() == 3)
            .map(|part| part.side)
            .collect()
    }

    fn without_straight(&self, part: &Part) -> Vec<DVec2> {
        let points: Vec<DVec2> = self.outline(part).map(|n| n.at).collect();
        let n = points.len();
        let at = |i: usize| points.get(i % n.max(1)).copied().unwrap_or_default();
        (0..n)
            .filter(|i| {
                let (before, here, after) = (at(i + n - 1), at(*i), at(i + 1));
                let (u, v) = (here - before, after - here);
                u.perp_dot(v).abs() > 1e-6 * u.length() * v.length()
            })
            .map(at)
            .collect()
    }
}

/// Puts directed pieces of an outline together to closed loops. Where several lead on, the sharpest turn to the left is
/// taken, so that loops do not cross themselves.
fn loops(nodes: &[Node], pieces: &[(usize, usize)]) -> Option<Vec<Vec<usize>>> {
    let mut onward: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (from, to) in pieces.iter().filter(|(from, to)| from != to) {
        onward.entry(*from).or_default().push(*to);
    }
    let at = |i: usize| nodes.get(i).map(|n| n.at).unwrap_or_default();
    let mut found = Vec::new();
    while let Some(first) = onward.iter().find(|(_, to)| !to.is_empty()).map(|(from, _)| *from) {
        let (mut outline, mut here, mut way) = (Vec::new(), first, None::<DVec2>);
        loop {
            let ways = onward.get_mut(&here)?;
            let turn = |to: usize| way.map_or(0.0, |way| way.angle_to(at(to) - at(here)));
            let best = (0..ways.len()).max_by(|a, b| {
                let angle = |i: usize| ways.get(i).map_or(f64::MIN, |to| turn(*to));
                angle(*a).total_cmp(&angle(*b))
            })?;
            let next = ways.swap_remove(best);
            outline.push(here);
            way = Some(at(next) - at(here));
            here = next;
            if here == first {
                break;
            }
        }
        found.push(outline);
    }
    Some(found)
}
