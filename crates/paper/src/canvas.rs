//! Pages drawn in order: what the formats without named groups have in common.

use crate::error::Error;
use crate::hatch;
use crate::names::{DEEPEST, symbols};
use crate::page::{Colour, Fill, Group, Node, Page, Path, Picture, Segment, Stroke, Subpath, Text, Use};
use crate::shape::{Arc, is_near, is_stroke, sound, stroke};
use crate::text::line::Line;
use glam::{DAffine2, DVec2};
use std::collections::BTreeMap;

/// Something that a page is drawn on. Coordinates are mm of the page within the maps that are pushed.
pub(crate) trait Canvas {
    /// Draws all until the next [`Canvas::pop`] through a map.
    fn push_map(&mut self, map: DAffine2);
    /// Draws all until the next [`Canvas::pop`] within an area alone.
    fn push_clip(&mut self, area: &[Subpath]) -> Result<(), Error>;
    /// Ends what was pushed last.
    fn pop(&mut self);
    /// Fills the area that an odd number of subpaths surround, and draws their lines.
    fn path(&mut self, subpaths: &[&Subpath], fill: Option<Colour>, stroke: Option<&Stroke>);
    /// Draws the pieces of a hatch.
    fn pieces(&mut self, pieces: &[[DVec2; 2]], stroke: &Stroke);
    /// Draws words that are laid out.
    fn text(&mut self, text: &Text, line: &Line);
    /// Draws a picture.
    fn picture(&mut self, picture: &Picture) -> Result<(), Error>;
}

/// Nodes that are drawn of one page, each use of a symbol counted.
const MANY: usize = 5_000_000;

/// Draws a page.
pub(crate) fn draw(page: &Page, canvas: &mut impl Canvas) -> Result<(), Error> {
    let symbols = symbols(page).into_iter().collect();
    let mut drawing =
        Drawing { canvas, symbols, height: page.size.y, left: MANY, lines: Vec::new(), pen: None };
    drawing.nodes(&page.nodes, 0)?;
    drawing.flush();
    Ok(())
}

struct Drawing<'a, C> {
    canvas: &'a mut C,
    symbols: BTreeMap<&'a str, &'a [Node]>,
    height: f64,
    left: usize,
    /// Lines that wait for more of the same stroke: thousands of short ones cost less together.
    lines: Vec<&'a Subpath>,
    pen: Option<&'a Stroke>,
}

impl<'a, C: Canvas> Drawing<'a, C> {
    fn nodes(&mut self, nodes: &'a [Node], depth: usize) -> Result<(), Error> {
        for node in nodes {
            self.left = self.left.checked_sub(1).ok_or(Error::TooMuch { nodes: MANY })?;
            match node {
                Node::Group(group) if depth < DEEPEST => self.group(group, depth)?,
                Node::Use(own) if depth < DEEPEST => self.place(own, depth)?,
                Node::Group(_) | Node::Use(_) => {}
                Node::Path(path) => self.path(path),
                Node::Text(text) => {
                    if let Some(line) = text.line().filter(|line| line.width > 0.0 && is_near(text.at)) {
                        self.flush();
                        self.canvas.text(text, &line);
                    }
                }
                Node::Picture(picture) => {
                    if is_near(picture.at) && is_near(picture.size) && picture.size.min_element() > 0.0 {
                        self.flush();
                        self.canvas.picture(picture)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn group(&mut self, group: &'a Group, depth: usize) -> Result<(), Error> {
        let Some(clip) = &group.clip else { return self.nodes(&group.nodes, depth + 1) };
        self.flush();
        self.canvas.push_clip(clip)?;
        self.nodes(&group.nodes, depth + 1)?;
        self.flush();
        self.canvas.pop();
        Ok(())
    }

    fn place(&mut self, own: &'a Use, depth: usize) -> Result<(), Error> {
        let Some(nodes) = self.symbols.get(own.symbol.as_str()).copied() else { return Ok(()) };
        let Some(map) = map(own) else { return Ok(()) };
        let height = std::mem::replace(&mut self.height, 0.0);
        self.flush();
        self.canvas.push_map(map);
        self.nodes(nodes, depth + 1)?;
        self.flush();
        self.canvas.pop();
        self.height = height;
        Ok(())
    }

    fn path(&mut self, path: &'a Path) {
        let subpaths = sound(&path.subpaths);
        if subpaths.clone().next().is_none() {
            return;
        }
        let stroke = stroke(path);
        if let (None, Some(own)) = (&path.fill, stroke) {
            // what is seen through is darker where it crosses itself in two strokes than in one
            let [.., opacity] = own.colour;
            if self.pen.is_some_and(|pen| pen != own || opacity < 255) {
                self.flush();
            }
            self.pen = Some(own);
            self.lines.extend(subpaths);
            return;
        }
        self.flush();
        let subpaths: Vec<&Subpath> = subpaths.collect();
        match &path.fill {
            Some(Fill::Hatch(hatch)) => {
                if hatch.ground.is_some() {
                    self.canvas.path(&subpaths, hatch.ground, None);
                }
                if is_stroke(&hatch.stroke) {
                    let pieces = hatch::pieces(hatch, &path.subpaths, self.height);
                    if !pieces.is_empty() {
                        self.canvas.pieces(&pieces, &hatch.stroke);
                    }
                }
                if stroke.is_some() {
                    self.canvas.path(&subpaths, None, stroke);
                }
            }
            Some(Fill::Solid(colour)) => self.canvas.path(&subpaths, Some(*colour), stroke),
            None => {}
        }
    }

    /// Draws the lines that wait.
    fn flush(&mut self) {
        if let Some(pen) = self.pen.take() {
            self.canvas.path(&self.lines, None, Some(pen));
            self.lines.clear();
        }
    }
}

/// The map from a symbol to the page; none where its numbers are no places.
pub(crate) fn map(own: &Use) -> Option<DAffine2> {
    let is_sound = is_near(own.at)
        && own.angle.is_finite()
        && is_near(own.scale)
        && own.scale.x != 0.0
        && own.scale.y != 0.0;
    // counter-clockwise, where y goes down
    is_sound.then(|| DAffine2::from_scale_angle_translation(own.scale, -own.angle.to_radians(), own.at))
}

/// A step along an outline.
pub(crate) enum Step {
    /// To a new beginning.
    Move(DVec2),
    /// Straight.
    Line(DVec2),
    /// Along a cubic curve: two control points and the end.
    Curve([DVec2; 3]),
    /// Back to the beginning.
    Close,
}

/// The steps along subpaths that can be drawn, arcs as curves.
pub(crate) fn trace<'a>(
    subpaths: impl IntoIterator<Item = &'a Subpath>,
    are_areas: bool,
    mut step: impl FnMut(Step),
) {
    for subpath in subpaths {
        step(Step::Move(subpath.start));
        let mut last = subpath.start;
        for segment in &subpath.segments {
            match *segment {
                Segment::Line(to) => {
                    step(Step::Line(to));
                    last = to;
                }
                Segment::Arc { to, centre, is_clockwise } => {
                    match Arc::new(last, to, centre, is_clockwise) {
                        Some(arc) => arc.curves(to).for_each(|curve| step(Step::Curve(curve))),
                        None => step(Step::Line(to)),
                    }
                    last = to;
                }
            }
        }
        if subpath.is_closed || are_areas {
            step(Step::Close);
        }
    }
}
