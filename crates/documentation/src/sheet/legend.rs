//! The legend of a sheet: the hatches and colours of what its views cut, and the line types that they draw.

use super::draw::{TEXT, THIN, cut, pen, words};
use super::table::Laid;
use super::words::Words;
use crate::drawing::Drawing;
use crate::drawing::shapes;
use crate::drawing::words::extent;
use crate::style::Style;
use glam::DVec2;
use paper::{Fill, Layer, Node, Part, Path, Stroke, Subject, Weight};
use std::collections::BTreeMap;

/// Width and height of a sample in mm.
const SAMPLE: DVec2 = DVec2::new(14.0, 6.0);
/// From row to row.
const ROW: f64 = 8.0;
/// The room of the heading, its letters and those of rows.
const HEAD: f64 = 7.0;
const TITLE: f64 = 3.0;
const LETTER: f64 = 2.0;
/// The widest words.
const WIDEST: f64 = 60.0;
/// Rows below each other before the next column begins.
const ROWS: usize = 8;

/// The line types of the legend, by the keys of their words.
const LINES: [&str; 3] = ["hidden", "grid", "level"];

/// The line type that dashed lines of a layer are of, as its place in [`LINES`].
fn line_type(layer: Layer) -> Option<usize> {
    match layer {
        Layer { part: Part::Hidden, .. } => Some(0),
        Layer { subject: Subject::Grid, .. } => Some(1),
        Layer { subject: Subject::Level, .. } => Some(2),
        Layer { .. } => None,
    }
}

/// The things drawn that a legend tells.
#[derive(Default)]
struct Used {
    fills: BTreeMap<String, Fill>,
    lines: BTreeMap<usize, Stroke>,
}

impl Used {
    fn take(&mut self, node: &Node, outer: Option<Layer>, grounds: &BTreeMap<[u8; 4], String>) {
        match node {
            Node::Group(group) => {
                let layer = group.layer.or(outer);
                group.nodes.iter().for_each(|node| self.take(node, layer, grounds));
            }
            Node::Path(path) => self.path(path, path.layer.or(outer), grounds),
            Node::Text(_) | Node::Use(_) | Node::Picture(_) => {}
        }
    }

    fn path(&mut self, path: &Path, layer: Option<Layer>, grounds: &BTreeMap<[u8; 4], String>) {
        let Some(layer) = layer else { return };
        match &path.fill {
            Some(Fill::Hatch(hatch)) => {
                self.fills.entry(hatch.name.to_lowercase()).or_insert_with(|| Fill::Hatch(hatch.clone()));
            }
            Some(Fill::Solid(colour)) if layer.part == Part::Pattern => {
                if let Some(name) = grounds.get(colour) {
                    self.fills.entry(name.clone()).or_insert(Fill::Solid(*colour));
                }
            }
            _ => {}
        }
        if let Some(stroke) = path.stroke.as_ref().filter(|stroke| !stroke.dashes.is_empty())
            && let Some(at) = line_type(layer)
        {
            self.lines.entry(at).or_insert_with(|| stroke.clone());
        }
    }
}

/// The legend of drawings about its upper left corner; `None` where they use nothing that needs to be told.
pub(super) fn lay_out<'d>(
    drawings: impl Iterator<Item = &'d Drawing>,
    style: &Style,
    words_of: Words,
) -> Option<Laid> {
    // plain colours are told by the hatches of the style that are plain; white tells nothing
    let plain = style.hatches.iter().filter(|(_, hatch)| hatch.lines.is_empty());
    let ground = |name: &String| match style.fill(name, THIN) {
        Fill::Solid(colour) if colour != [255; 4] => Some((colour, name.clone())),
        _ => None,
    };
    let grounds: BTreeMap<[u8; 4], String> = plain.filter_map(|(name, _)| ground(name)).collect();
    let mut used = Used::default();
    for drawing in drawings {
        drawing.page.nodes.iter().for_each(|node| used.take(node, None, &grounds));
    }
    let fills = used.fills.into_iter().map(|(name, fill)| (words_of.get(&name), Ok(fill)));
    let lines =
        used.lines.into_iter().filter_map(|(at, stroke)| Some((words_of.get(LINES.get(at)?), Err(stroke))));
    let rows: Vec<(String, Result<Fill, Stroke>)> = fills.chain(lines).collect();
    if rows.is_empty() {
        return None;
    }
    let title = words_of.get("legend");
    let mut nodes = vec![Node::Text(words(DVec2::new(0.0, HEAD - 2.5), &title, TITLE, Weight::Bold))];
    let (mut left, mut size) = (0.0, DVec2::new(extent(&title, TITLE, Weight::Bold).x, HEAD));
    for column in rows.chunks(ROWS) {
        let mut wide = 0.0_f64;
        for (n, (name, sample)) in column.iter().enumerate() {
            let low = DVec2::new(left, HEAD + ROW * n as f64);
            nodes.push(sampled(low, sample));
            let name = cut(name, LETTER, Weight::Regular, WIDEST);
            let at = low + DVec2::new(SAMPLE.x + 3.0, f64::midpoint(SAMPLE.y, LETTER));
            wide = wide.max(extent(&name, LETTER, Weight::Regular).x);
            nodes.push(Node::Text(words(at, &name, LETTER, Weight::Regular)));
        }
        let right = left + SAMPLE.x + 3.0 + wide;
        size = size.max(DVec2::new(right, HEAD + ROW * column.len() as f64 - (ROW - SAMPLE.y)));
        left = right + 8.0;
    }
    Some(Laid { nodes, size, edges: Vec::new() })
}

fn sampled(low: DVec2, sample: &Result<Fill, Stroke>) -> Node {
    let high = low + SAMPLE;
    match sample {
        Ok(fill) => {
            let corners = [low, DVec2::new(high.x, low.y), high, DVec2::new(low.x, high.y)];
            Node::Path(Path {
                subpaths: vec![shapes::through(&corners, true)],
                stroke: Some(pen(2.0 * THIN)),
                fill: Some(fill.clone()),
                layer: Some(Layer { part: Part::Pattern, ..TEXT }),
            })
        }
        Err(stroke) => {
            let y = f64::midpoint(low.y, high.y);
            let line = shapes::through(&[DVec2::new(low.x, y), DVec2::new(high.x, y)], false);
            shapes::stroked(vec![line], stroke.clone(), Subject::TitleBlock, Part::Symbol)
        }
    }
}
