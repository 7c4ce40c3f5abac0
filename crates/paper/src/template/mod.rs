//! Templates: title blocks and frames as SVG files with fields in their words, which become nodes of pages.
//!
//! Read are groups, paths, rectangles, circles, ellipses, lines, polylines, polygons, words and PNG pictures within the file, with maps, styles
//! and simple style sheets. What is not understood is told with its element and line, and left out. Nothing is fetched. Areas are filled
//! where an odd number of outlines surround them; words are drawn in the font of pages.

mod colour;
mod fields;
mod number;
mod outline;
mod read;
mod style;
mod text;

use crate::page::{Group, Layer, Node, Page, Part, Subject, Text};
use crate::text::fonts::capitals;
pub use fields::FieldError;
use glam::DVec2;
use std::collections::BTreeMap;

/// A template that is read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Template {
    /// Width and height in mm.
    pub size: DVec2,
    /// The names of its fields, in the order in which they stand.
    pub fields: Vec<String>,
    /// Notes on all that was left out, in the order of lines.
    pub notes: Vec<Note>,
    nodes: Vec<Node>,
}

/// Something of a template that is not drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The line in the file, from 1.
    pub line: usize,
    /// The name of the element.
    pub element: String,
    /// The reason, in words.
    pub reason: String,
}

/// The reason why a file is no template.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct Problem {
    /// The line in the file, from 1.
    pub line: usize,
    /// In words, without a full stop.
    pub reason: String,
}

impl Template {
    /// Reads an SVG file of at most 16 MiB.
    pub fn read(bytes: &[u8]) -> Result<Self, Problem> {
        read::read(bytes)
    }

    /// Its nodes with all fields filled, as one group on the layer of title blocks. Every field has to be given, and none else;
    /// a value of several lines is written below each other.
    pub fn fill(&self, values: &BTreeMap<String, String>) -> Result<Node, FieldError> {
        fields::check(&self.fields, values)?;
        let mut nodes = self.nodes.clone();
        fill(&mut nodes, values);
        let layer = Some(Layer { subject: Subject::TitleBlock, part: Part::Seen });
        Ok(Node::Group(Group { layer, nodes, ..Group::default() }))
    }

    /// A page of its size with nothing else on it.
    pub fn page(&self, title: &str, values: &BTreeMap<String, String>) -> Result<Page, FieldError> {
        let nodes = vec![self.fill(values)?];
        Ok(Page { size: self.size, title: title.to_owned(), nodes, ..Page::default() })
    }
}

/// The height of a line in sizes of its font.
const LINE: f64 = 1.25;

/// Fills the fields of words; a value of several lines becomes words below each other.
fn fill(nodes: &mut Vec<Node>, values: &BTreeMap<String, String>) {
    let mut filled = Vec::with_capacity(nodes.len());
    for mut node in nodes.drain(..) {
        match &mut node {
            Node::Group(group) => fill(&mut group.nodes, values),
            Node::Text(text) => {
                let words = fields::filled(&text.words, values);
                let mut lines = words.lines();
                lines.next().unwrap_or_default().clone_into(&mut text.words);
                let down =
                    DVec2::from_angle(-text.angle.to_radians()).perp() * text.height / capitals() * LINE;
                let below = lines.enumerate().map(|(n, line)| {
                    let at = text.at + down * (n + 1) as f64;
                    Node::Text(Text { at, words: line.to_owned(), ..text.clone() })
                });
                let below: Vec<Node> = below.collect();
                filled.push(node);
                filled.extend(below);
                continue;
            }
            Node::Path(_) | Node::Use(_) | Node::Picture(_) => {}
        }
        filled.push(node);
    }
    *nodes = filled;
}

#[cfg(test)]
mod tests;
