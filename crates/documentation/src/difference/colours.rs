//! Nodes of a drawing in one colour.

use paper::{Colour, Fill, Node, Stroke, Subject};
use std::sync::Arc;

/// The ink of what is of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ink {
    /// Of lines.
    pub line: Colour,
    /// Of hatches.
    pub hatch: Colour,
    /// Behind hatches.
    pub ground: Colour,
    /// Of words.
    pub words: Colour,
}

/// Only in the newer version.
pub(super) const GREEN: Ink = Ink {
    line: [0, 128, 60, 255],
    hatch: [60, 160, 100, 255],
    ground: [216, 240, 222, 255],
    words: [0, 105, 50, 255],
};
/// In both, and different.
pub(super) const AMBER: Ink = Ink {
    line: [214, 122, 0, 255],
    hatch: [224, 150, 50, 255],
    ground: [255, 238, 207, 255],
    words: [176, 98, 0, 255],
};
/// Only in the older version.
pub(super) const RED: Ink = Ink {
    line: [205, 32, 38, 255],
    hatch: [220, 100, 100, 255],
    ground: [251, 221, 220, 255],
    words: [175, 20, 28, 255],
};
/// The same.
pub(super) const GREY: Ink = Ink {
    line: [150, 152, 156, 255],
    hatch: [205, 207, 210, 255],
    ground: [255, 255, 255, 255],
    words: [120, 122, 126, 255],
};
/// Clouds and their numbers.
pub(super) const CLOUD: Colour = [24, 78, 170, 255];

/// Draws a node in another ink; title, scale and north stay as they are.
pub(super) fn ink(node: &mut Node, ink: &Ink) {
    match node {
        Node::Group(group) => group.nodes.iter_mut().for_each(|n| self::ink(n, ink)),
        Node::Path(path) if is_framing(path.layer.map(|l| l.subject)) => {}
        Node::Text(text) if is_framing(text.layer.map(|l| l.subject)) => {}
        Node::Path(path) => {
            if let Some(stroke) = &mut path.stroke {
                stroke.colour = ink.line;
            }
            match &mut path.fill {
                Some(Fill::Solid(colour)) if *colour != [255; 4] => {
                    // black faces of small scales
                    let is_dark = colour.iter().take(3).map(|c| u32::from(*c)).sum::<u32>() < 200;
                    *colour = if is_dark { ink.line } else { ink.ground };
                }
                Some(Fill::Hatch(hatch)) => {
                    let mut own = hatch.as_ref().clone();
                    own.stroke = Stroke { colour: ink.hatch, ..own.stroke };
                    own.ground = Some(ink.ground);
                    *hatch = Arc::new(own);
                }
                _ => {}
            }
        }
        Node::Text(text) => text.colour = ink.words,
        Node::Use(_) | Node::Picture(_) => {}
    }
}

/// True for what frames a drawing.
pub(super) fn is_framing(subject: Option<Subject>) -> bool {
    matches!(subject, Some(Subject::TitleBlock | Subject::Symbol))
}
