//! The room on a page: where words are, and where lines are.

use crate::drawing::words::Box2;
use glam::DVec2;
use paper::{Node, Page, Segment, Subpath};
use std::collections::HashMap;

/// The side of a cell, in mm.
const CELL: f64 = 1.5;
/// The most cells that one line is entered in.
const MOST: f64 = 20_000.0;

/// The room that is taken on a page.
pub(super) struct Space {
    /// Words.
    pub words: Vec<Box2>,
    /// Flags and labels that were laid over it.
    pub marks: Vec<Box2>,
    /// Leader lines.
    pub leaders: Vec<[DVec2; 2]>,
    lines: HashMap<(i64, i64), u32>,
}

impl Space {
    pub fn new(page: &Page) -> Space {
        let mut space =
            Space { words: Vec::new(), marks: Vec::new(), leaders: Vec::new(), lines: HashMap::new() };
        page.nodes.iter().for_each(|node| space.add(node));
        space
    }

    fn add(&mut self, node: &Node) {
        match node {
            Node::Group(group) => group.nodes.iter().for_each(|n| self.add(n)),
            Node::Text(text) => self.words.push(Box2::around(text)),
            Node::Path(path) => path.subpaths.iter().for_each(|s| self.add_line(s)),
            Node::Use(_) | Node::Picture(_) => {}
        }
    }

    fn add_line(&mut self, line: &Subpath) {
        let mut from = line.start;
        let close = line.is_closed.then_some(line.start);
        let ends = line.segments.iter().map(|segment| match segment {
            Segment::Line(to) | Segment::Arc { to, .. } => *to,
        });
        for to in ends.chain(close) {
            self.mark(from, to);
            from = to;
        }
    }

    /// Enters a line in the cells that it goes through.
    pub fn mark(&mut self, from: DVec2, to: DVec2) {
        let steps = (from.distance(to) / CELL).ceil();
        if !(0.0..=MOST).contains(&steps) {
            return;
        }
        for n in 0..=steps as usize {
            let p = from.lerp(to, n as f64 / steps.max(1.0));
            *self.lines.entry(cell(p)).or_default() += 1;
        }
    }

    /// The number of lines about a place, each counted by the cells of it.
    pub fn busy(&self, middle: DVec2, half: DVec2) -> u32 {
        let (low, high) = (cell(middle - half), cell(middle + half));
        let cells = (low.0..=high.0).flat_map(|x| (low.1..=high.1).map(move |y| (x, y)));
        cells.filter_map(|c| self.lines.get(&c)).map(|n| (*n).min(4)).sum()
    }

    /// True if no words and no other mark lie at a place.
    pub fn is_free(&self, room: &Box2) -> bool {
        !self.words.iter().chain(&self.marks).any(|other| other.meets(room))
    }

    /// True if a line crosses words or another mark, those aside that hold its beginning.
    pub fn is_crossed(&self, from: DVec2, to: DVec2) -> bool {
        let holds = |b: &Box2| b.meets(&Box2::between(from - 1e-3, from + 1e-3));
        self.words.iter().chain(&self.marks).any(|b| b.is_crossed(from, to) && !holds(b))
    }
}

fn cell(p: DVec2) -> (i64, i64) {
    ((p.x / CELL).floor() as i64, (p.y / CELL).floor() as i64)
}
