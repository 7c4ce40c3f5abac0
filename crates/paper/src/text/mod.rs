//! Words on a page: laid out once, so that every format draws the same glyphs at the same places.

pub(crate) mod face;
pub(crate) mod fonts;
pub(crate) mod line;
#[cfg(test)]
mod tests;

use crate::names::DEEPEST;
use crate::page::{Anchor, Baseline, Node, Page, Text};
use fonts::{capitals, descenders};
use glam::{DAffine2, DMat2, DVec2};
use line::Line;

/// The size of a line of words, in mm, before it is turned.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Extent {
    /// From its left end to its right.
    pub width: f64,
    /// From the baseline up: the height of capitals, more where something in it is higher.
    pub above: f64,
    /// From the baseline down: the depth of descenders, more where something in it goes lower.
    pub below: f64,
}

/// The largest height of capitals that is drawn, in mm.
const TALLEST: f64 = 10_000.0;

impl Page {
    /// The number of characters that no font has, each drawn as a box; those of a symbol count once.
    pub fn missing_characters(&self) -> usize {
        let _fonts = self.fonts.enter();
        let symbols = self.symbols.values().map(|nodes| missing(nodes, 0)).sum::<usize>();
        missing(&self.nodes, 0) + symbols
    }
}

fn missing(nodes: &[Node], depth: usize) -> usize {
    let own = |node: &Node| match node {
        Node::Text(text) => text.missing(),
        Node::Group(group) if depth < DEEPEST => missing(&group.nodes, depth + 1),
        Node::Group(_) | Node::Path(_) | Node::Use(_) | Node::Picture(_) => 0,
    };
    nodes.iter().map(own).sum()
}

impl Text {
    /// The size of its words as they are drawn, without the halo; nothing where its numbers are no lengths.
    pub fn extent(&self) -> Extent {
        self.line().map(|line| self.extent_of(&line)).unwrap_or_default()
    }

    /// The corners of the box around its words, in mm of the page: lower left, lower right, upper right, upper left, as they are read.
    /// All lie at its place where nothing is drawn.
    pub fn corners(&self) -> [DVec2; 4] {
        let Some(line) = self.line() else { return [self.at; 4] };
        let (extent, ems) = (self.extent_of(&line), self.ems());
        let frame = self.frame(&line);
        let corner = |x: f64, y: f64| frame.transform_point2(DVec2::new(x, y) / ems);
        let (width, above, below) = (extent.width, extent.above, extent.below);
        [corner(0.0, -below), corner(width, -below), corner(width, above), corner(0.0, above)]
    }

    /// The number of its characters that no font has, each drawn as a box.
    pub fn missing(&self) -> usize {
        self.line().map_or(0, |line| line.missing)
    }

    fn extent_of(&self, line: &Line) -> Extent {
        let ems = self.ems();
        Extent {
            width: line.width * ems,
            above: line.reach.0.max(capitals()) * ems,
            below: (-line.reach.1).max(descenders()) * ems,
        }
    }

    /// Its words laid out; none where there are none, or where its numbers are no lengths.
    pub(crate) fn line(&self) -> Option<Line> {
        let is_sound =
            self.at.is_finite() && self.angle.is_finite() && self.height > 0.0 && self.height <= TALLEST;
        (is_sound && !self.words.is_empty()).then(|| line::line(&self.words, self.weight))
    }

    /// The size of its font: mm to an em.
    pub(crate) fn ems(&self) -> f64 {
        self.height / capitals()
    }

    /// The map from a line's ems, y up, to the page.
    pub(crate) fn frame(&self, line: &Line) -> DAffine2 {
        let (sin, cos) = self.angle.to_radians().sin_cos();
        let ems = self.ems();
        let (along, up) = (DVec2::new(cos, -sin) * ems, DVec2::new(-sin, -cos) * ems);
        let back = match self.anchor {
            Anchor::Left => 0.0,
            Anchor::Middle => line.width / 2.0,
            Anchor::Right => line.width,
        };
        let down = match self.baseline {
            Baseline::Foot => 0.0,
            Baseline::Middle => capitals() / 2.0,
            Baseline::Top => capitals(),
        };
        DAffine2 { matrix2: DMat2::from_cols(along, up), translation: self.at - along * back - up * down }
    }
}
