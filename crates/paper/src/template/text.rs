//! Words of an SVG file.

use super::Problem;
use super::fields::{Piece, pieces};
use super::number::{Scan, length};
use super::read::{Reader, is_svg};
use super::style::{Across, Style, TextAnchor};
use crate::page::{Anchor, Baseline, Layer, Node, Part, Subject, Text, Weight};
use crate::shape::is_near;
use crate::text::fonts::capitals;
use glam::{DAffine2, DVec2};
use xml::Element;

/// The most fields of a template.
const MANY: usize = 1000;

/// Words that stand together in one style.
struct Chunk {
    at: DVec2,
    style: Style,
    words: String,
}

impl Reader {
    pub(super) fn text(
        &mut self,
        element: &Element,
        map: DAffine2,
        style: &Style,
        nodes: &mut Vec<Node>,
    ) -> Result<(), Problem> {
        let at = self.place(element, DVec2::ZERO);
        let mut chunks = vec![Chunk { at, style: style.clone(), words: spaced(&element.text) }];
        self.spans(element, style, &mut chunks);
        let mixed = |element: &Element| !element.text.trim().is_empty() && !element.children.is_empty();
        if mixed(element) {
            self.note(element, "its words beside <tspan>s are drawn before those");
        }
        for chunk in chunks {
            let words = chunk.words.trim().to_owned();
            if words.is_empty() || chunk.style.is_left_out || chunk.style.is_hidden {
                continue;
            }
            self.fields(element, &words)?;
            if let Some(text) = self.drawn(element, chunk.at, &chunk.style, words, map) {
                nodes.push(Node::Text(text));
            }
        }
        Ok(())
    }

    /// Adds the words of spans: those with a place of their own begin a chunk, others go on.
    fn spans(&mut self, element: &Element, outer: &Style, chunks: &mut Vec<Chunk>) {
        for child in element.children.iter().filter(|child| is_svg(child)) {
            if matches!(child.name.as_str(), "title" | "desc") {
                continue;
            }
            if !matches!(child.name.as_str(), "tspan" | "a") {
                self.note(child, "this element is not understood within words");
                continue;
            }
            let style = self.styled(child, outer);
            let is_placed = ["x", "y", "dx", "dy"].iter().any(|name| child.attribute(name).is_some());
            let words = spaced(&child.text);
            match chunks.last_mut() {
                Some(last) if !is_placed && (last.style == style || last.words.trim().is_empty()) => {
                    last.words.push_str(&words);
                    last.style = style.clone();
                }
                Some(last) if !is_placed => {
                    last.words.push_str(&words);
                    self.note(child, "words in the middle of others are drawn in the style of those before");
                }
                last => {
                    let from = last.map_or(DVec2::ZERO, |last| last.at);
                    let at = self.place(child, from);
                    chunks.push(Chunk { at, style: style.clone(), words });
                }
            }
            self.spans(child, &style, chunks);
        }
    }

    /// The place of an element that words before it left at `from`.
    fn place(&mut self, element: &Element, from: DVec2) -> DVec2 {
        let mut own = |name: &str| {
            let text = element.attribute(name)?;
            let mut scan = Scan::new(text);
            let first = scan.number()?;
            if scan.number().is_some() {
                self.note(element, "its letters have places of their own, which are not understood");
                return Some(first);
            }
            length(text)
        };
        let base = DVec2::new(own("x").unwrap_or(from.x), own("y").unwrap_or(from.y));
        base + DVec2::new(own("dx").unwrap_or_default(), own("dy").unwrap_or_default())
    }

    /// Keeps the names of fields.
    fn fields(&mut self, element: &Element, words: &str) -> Result<(), Problem> {
        let fail = |reason: String| Problem { line: element.place.line, reason };
        for piece in pieces(words).map_err(fail)? {
            let Piece::Field(name) = piece else { continue };
            if self.known.insert(name.to_owned()) {
                self.template.fields.push(name.to_owned());
            }
            if self.known.len() > MANY {
                return Err(fail(format!("the template has more than {MANY} fields")));
            }
        }
        Ok(())
    }

    fn drawn(
        &mut self,
        element: &Element,
        at: DVec2,
        style: &Style,
        words: String,
        map: DAffine2,
    ) -> Option<Text> {
        let colour = style.resolved(&style.fill, style.fill_opacity)?;
        let (along, down) = (map.matrix2.x_axis, map.matrix2.y_axis);
        let (wide, tall) = (along.length(), map.matrix2.determinant() / along.length().max(1e-12));
        if tall <= 0.0 {
            self.note(element, "mirrored words are drawn as they are read");
        } else if (wide - tall).abs() > 0.01 * tall || along.dot(down).abs() > 0.01 * wide * tall {
            self.note(element, "words that are stretched or leaning are drawn upright");
        }
        let height = style.size * capitals() * tall.abs();
        let at = map.transform_point2(at);
        if !(is_near(at) && height > 0.0 && height < 5000.0) {
            self.note(element, "its words have no size or place, and are left out");
            return None;
        }
        let anchor = match style.anchor {
            TextAnchor::Start => Anchor::Left,
            TextAnchor::Middle => Anchor::Middle,
            TextAnchor::End => Anchor::Right,
        };
        let baseline = match style.across {
            Across::Foot => Baseline::Foot,
            Across::Middle => Baseline::Middle,
            Across::Top => Baseline::Top,
        };
        let weight = if style.is_bold { Weight::Bold } else { Weight::Regular };
        let angle = -along.y.atan2(along.x).to_degrees();
        let layer = Some(Layer { subject: Subject::TitleBlock, part: Part::Text });
        // no minus before a nought
        let angle = if angle == 0.0 { 0.0 } else { angle };
        Some(Text { at, words, height, weight, anchor, baseline, angle, colour, halo: 0.0, layer })
    }
}

/// Words with each row of white space as one space.
fn spaced(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        let is_space = char.is_ascii_whitespace();
        if !(is_space && out.ends_with(' ')) {
            out.push(if is_space { ' ' } else { char });
        }
    }
    out
}
