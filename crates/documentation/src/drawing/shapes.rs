//! Nodes of a page: how lines, areas and circles are put into them, moved, and measured.

use super::words::Box2;
use glam::DVec2;
use paper::{Colour, Fill, Layer, Node, Part, Path, Segment, Stroke, Subject, Subpath};

/// A layer by its subject and part.
pub(crate) fn layer(subject: Subject, part: Part) -> Layer {
    Layer { subject, part }
}

/// A path of lines.
pub(crate) fn stroked(subpaths: Vec<Subpath>, stroke: Stroke, subject: Subject, part: Part) -> Node {
    Node::Path(Path { subpaths, stroke: Some(stroke), fill: None, layer: Some(layer(subject, part)) })
}

/// A path of areas.
pub(crate) fn filled(subpaths: Vec<Subpath>, fill: Fill, subject: Subject, part: Part) -> Node {
    Node::Path(Path { subpaths, stroke: None, fill: Some(fill), layer: Some(layer(subject, part)) })
}

/// A white or coloured area with an outline.
pub(crate) fn outlined(subpaths: Vec<Subpath>, colour: Colour, stroke: Stroke, layer: Layer) -> Node {
    Node::Path(Path { subpaths, stroke: Some(stroke), fill: Some(Fill::Solid(colour)), layer: Some(layer) })
}

/// A circle on paper.
pub(crate) fn circle(middle: DVec2, radius: f64) -> Subpath {
    let side = DVec2::new(radius, 0.0);
    let half = |to: DVec2| Segment::Arc { to, centre: middle, is_clockwise: true };
    Subpath {
        start: middle + side,
        segments: vec![half(middle - side), half(middle + side)],
        is_closed: true,
    }
}

/// A line on paper through points.
pub(crate) fn through(points: &[DVec2], is_closed: bool) -> Subpath {
    let (start, rest) = points.split_first().map_or((DVec2::ZERO, points), |(first, rest)| (*first, rest));
    Subpath { start, segments: rest.iter().copied().map(Segment::Line).collect(), is_closed }
}

/// Moves all of a node.
pub(crate) fn move_by(node: &mut Node, by: DVec2) {
    match node {
        Node::Group(group) => {
            group.nodes.iter_mut().for_each(|n| move_by(n, by));
            group.clip.iter_mut().flatten().for_each(|s| move_subpath(s, by));
        }
        Node::Path(path) => path.subpaths.iter_mut().for_each(|s| move_subpath(s, by)),
        Node::Text(text) => text.at += by,
        Node::Use(used) => used.at += by,
        Node::Picture(picture) => picture.at += by,
    }
}

fn move_subpath(subpath: &mut Subpath, by: DVec2) {
    subpath.start += by;
    for segment in &mut subpath.segments {
        match segment {
            Segment::Line(to) => *to += by,
            Segment::Arc { to, centre, .. } => {
                *to += by;
                *centre += by;
            }
        }
    }
}

/// The extent of nodes.
#[derive(Clone, Copy)]
pub(crate) struct Reach([DVec2; 2]);

impl Default for Reach {
    fn default() -> Self {
        Reach([DVec2::INFINITY, DVec2::NEG_INFINITY])
    }
}

impl Reach {
    /// Takes in a point.
    pub fn point(&mut self, p: DVec2) {
        self.0[0] = self.0[0].min(p);
        self.0[1] = self.0[1].max(p);
    }

    /// Takes in all of a node.
    pub fn node(&mut self, node: &Node) {
        match node {
            Node::Group(group) => group.nodes.iter().for_each(|n| self.node(n)),
            Node::Path(path) => path.subpaths.iter().for_each(|s| {
                self.point(s.start);
                let mut from = s.start;
                for segment in &s.segments {
                    from = match *segment {
                        Segment::Line(to) => to,
                        Segment::Arc { to, centre, .. } => {
                            if s.is_closed {
                                let radius = DVec2::splat(from.distance(centre));
                                self.point(centre - radius);
                                self.point(centre + radius);
                            }
                            to
                        }
                    };
                    self.point(from);
                }
            }),
            Node::Text(text) => Box2::around(text).corners().into_iter().for_each(|p| self.point(p)),
            Node::Use(used) => self.point(used.at),
            Node::Picture(picture) => {
                self.point(picture.at);
                self.point(picture.at + picture.size);
            }
        }
    }

    /// The least and greatest places; `None` where there is none.
    pub fn bounds(self) -> Option<[DVec2; 2]> {
        (self.0[0].x <= self.0[1].x && self.0[0].is_finite() && self.0[1].is_finite()).then_some(self.0)
    }
}
