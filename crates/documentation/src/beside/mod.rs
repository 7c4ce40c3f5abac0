//! Lists and legends beside a drawing: rows with a mark and words that are broken into lines, in as many columns as they need.

mod broken;

pub(crate) use broken::{broken, shortened};

use crate::drawing::shapes::{circle, layer, through};
use crate::style::{BLACK, Style};
use glam::DVec2;
use paper::{
    Anchor, Baseline, Colour, Fill, Layer, Node, Part, Path, Segment, Stroke, Subject, Subpath, Text, Weight,
};

/// The width of a column and the distance between two, in mm.
const WIDTH: f64 = 92.0;
const BETWEEN: f64 = 8.0;
/// The room of a mark, in mm.
const MARK: f64 = 11.0;
/// The distance from line to line, as a share of the height of letters.
const LEADING: f64 = 1.75;
/// Columns of a list; what is beyond is counted.
const MOST_COLUMNS: usize = 12;
/// The distance between a drawing and what stands beside it, in mm.
pub(crate) const GAP: f64 = 14.0;
/// The least height of a column, in mm.
const LEAST_HEIGHT: f64 = 140.0;

/// The mark before a row.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Mark {
    /// None.
    None,
    /// A triangle with a number.
    Triangle(String, Colour),
    /// A disc with a number.
    Disc(String, Colour),
    /// A piece of an area.
    Area(Option<Colour>, Option<Stroke>),
    /// A piece of a line.
    Line(Stroke),
    /// A piece of a cloud.
    Cloud(Stroke),
}

/// A row.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Row {
    pub mark: Mark,
    /// Its paragraphs.
    pub words: Vec<(String, Weight, Colour)>,
}

impl Row {
    /// A row of plain words.
    pub fn plain(mark: Mark, words: impl Into<String>) -> Row {
        Row { mark, words: vec![(words.into(), Weight::Regular, BLACK)] }
    }
}

/// Rows under a title.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Block {
    pub title: String,
    pub rows: Vec<Row>,
    pub layer: Subject,
}

/// Lists that are laid out, in mm.
#[derive(Debug, Default)]
pub(crate) struct Laid {
    pub nodes: Vec<Node>,
    /// The lower right corner of all.
    pub end: DVec2,
    /// The rows for which there was no room.
    pub left_out: usize,
}

/// Lays blocks out in columns from a place down, each as high as the drawing beside it.
pub(crate) fn lay(blocks: &[Block], at: DVec2, height: f64, style: &Style) -> Laid {
    let mut pen = Pen {
        at,
        top: at.y,
        bottom: at.y + height.max(LEAST_HEIGHT),
        left: at.x,
        columns: 1,
        letter: style.letters.room_note.0,
        laid: Laid { end: at, ..Laid::default() },
    };
    for block in blocks.iter().filter(|block| !block.rows.is_empty()) {
        pen.title(block);
        for row in &block.rows {
            pen.row(row, block.layer);
        }
        pen.at.y += pen.letter * 2.0;
    }
    pen.laid
}

/// The place where the next row begins.
struct Pen {
    at: DVec2,
    top: f64,
    bottom: f64,
    left: f64,
    columns: usize,
    letter: f64,
    laid: Laid,
}

impl Pen {
    /// Makes room for so many mm; false where there is no column left.
    fn make_room(&mut self, height: f64) -> bool {
        if self.at.y + height <= self.bottom || self.at.y <= self.top {
            return self.columns <= MOST_COLUMNS;
        }
        self.columns += 1;
        if self.columns > MOST_COLUMNS {
            return false;
        }
        self.left += WIDTH + BETWEEN;
        self.at = DVec2::new(self.left, self.top);
        true
    }

    fn text(&mut self, at: DVec2, words: &str, weight: Weight, colour: Colour, height: f64, of: Layer) {
        self.laid.nodes.push(line(at, words, weight, colour, height, of));
    }

    fn title(&mut self, block: &Block) {
        let height = self.letter * 1.35;
        if !self.make_room(height * 5.0) {
            return;
        }
        let at = DVec2::new(self.left, self.at.y + height);
        self.text(at, &block.title, Weight::Bold, BLACK, height, layer(block.layer, Part::Text));
        self.at.y += height * 2.2;
        self.laid.end = self.laid.end.max(DVec2::new(self.left + WIDTH, self.at.y));
    }

    fn row(&mut self, row: &Row, subject: Subject) {
        let step = self.letter * LEADING;
        let lines: Vec<(String, Weight, Colour)> = row
            .words
            .iter()
            .flat_map(|(words, weight, colour)| {
                let broken = broken(words, self.letter, *weight, WIDTH - MARK);
                broken.into_iter().map(|line| (line, *weight, *colour))
            })
            .collect();
        let height = (lines.len() as f64 * step).max(mark_height(&row.mark)) + self.letter * 0.7;
        if !self.make_room(height) {
            self.laid.left_out += 1;
            return;
        }
        let middle = DVec2::new(self.left + MARK / 2.0 - 1.0, self.at.y + self.letter * 0.5);
        self.laid.nodes.extend(drawn(&row.mark, middle, self.letter, subject));
        for (n, (words, weight, colour)) in lines.iter().enumerate() {
            let at = DVec2::new(self.left + MARK, self.at.y + self.letter + step * n as f64);
            self.text(at, words, *weight, *colour, self.letter, layer(subject, Part::Text));
        }
        self.at.y += height;
        self.laid.end = self.laid.end.max(DVec2::new(self.left + WIDTH, self.at.y));
    }
}

/// A line of words that begins at a place.
pub(crate) fn line(at: DVec2, words: &str, weight: Weight, colour: Colour, height: f64, of: Layer) -> Node {
    Node::Text(Text { weight, colour, layer: Some(of), ..Text::new(at, words, height) })
}

fn mark_height(mark: &Mark) -> f64 {
    match mark {
        Mark::None => 0.0,
        Mark::Line(_) => 3.6,
        Mark::Triangle(..) => 5.6,
        Mark::Disc(..) => 5.0,
        Mark::Area(..) | Mark::Cloud(_) => 4.6,
    }
}

fn drawn(mark: &Mark, middle: DVec2, letter: f64, subject: Subject) -> Vec<Node> {
    let half = DVec2::new(4.0, 1.7);
    let path = |subpaths: Vec<Subpath>, fill: Option<Colour>, stroke: Option<Stroke>| {
        let (fill, layer) = (fill.map(Fill::Solid), Some(layer(subject, Part::Symbol)));
        Node::Path(Path { subpaths, stroke, fill, layer })
    };
    match mark {
        Mark::None => Vec::new(),
        Mark::Triangle(number, colour) => triangle(middle + DVec2::Y * 0.3, number, *colour, subject),
        Mark::Disc(number, colour) => disc(middle, number, *colour, letter, subject),
        Mark::Area(fill, stroke) => {
            let (a, b) = (middle - half, middle + half);
            let corners = [a, DVec2::new(b.x, a.y), b, DVec2::new(a.x, b.y)];
            vec![path(vec![through(&corners, true)], *fill, stroke.clone())]
        }
        Mark::Line(stroke) => {
            let side = DVec2::new(half.x, 0.0);
            vec![path(vec![through(&[middle - side, middle + side], false)], None, Some(stroke.clone()))]
        }
        Mark::Cloud(stroke) => {
            let side = DVec2::new(half.x, -1.0);
            let start = middle + DVec2::new(-half.x, 1.0);
            let step = 2.0 * side.x / 3.0;
            let arc = |n: usize| {
                let to = start + DVec2::new(step * (n + 1) as f64, 0.0);
                let centre = to + DVec2::new(-step / 2.0, 0.5);
                Segment::Arc { to, centre, is_clockwise: true }
            };
            let line = Subpath { start, segments: (0..3).map(arc).collect(), is_closed: false };
            vec![path(vec![line], None, Some(stroke.clone()))]
        }
    }
}

/// The distance from the middle of a numbered triangle to its corners, in mm.
pub(crate) const TRIANGLE: f64 = 3.6;

/// A triangle with a number in it.
pub(crate) fn triangle(middle: DVec2, number: &str, colour: Colour, subject: Subject) -> Vec<Node> {
    let corner = |degrees: f64| middle + DVec2::from_angle(degrees.to_radians()) * TRIANGLE;
    let outline = through(&[corner(-90.0), corner(30.0), corner(150.0)], true);
    let stroke = Some(Stroke { width: 0.25, colour, dashes: Vec::new() });
    let (fill, of) = (Some(Fill::Solid([255; 4])), Some(layer(subject, Part::Symbol)));
    let shape = Node::Path(Path { subpaths: vec![outline], stroke, fill, layer: of });
    let height = if number.chars().count() > 2 { 1.3 } else { 1.7 };
    vec![shape, centred(middle + DVec2::Y * 0.5, number, height, colour, subject)]
}

/// The radius of a numbered disc, in mm.
pub(crate) const DISC: f64 = 2.4;

/// A disc with a number in it.
pub(crate) fn disc(middle: DVec2, number: &str, colour: Colour, letter: f64, subject: Subject) -> Vec<Node> {
    let (fill, of) = (Some(Fill::Solid(colour)), Some(layer(subject, Part::Symbol)));
    let stroke = Some(Stroke { width: 0.25, colour: [255; 4], dashes: Vec::new() });
    let shape = Node::Path(Path { subpaths: vec![circle(middle, DISC)], stroke, fill, layer: of });
    let height = if number.chars().count() > 2 { 1.3 } else { letter.min(1.8) };
    vec![shape, centred(middle, number, height, [255; 4], subject)]
}

/// Words in the middle of a place.
pub(crate) fn centred(at: DVec2, words: &str, height: f64, colour: Colour, subject: Subject) -> Node {
    let text = Text::new(at, words, height);
    let (anchor, baseline, of) = (Anchor::Middle, Baseline::Middle, Some(layer(subject, Part::Text)));
    Node::Text(Text { weight: Weight::Bold, anchor, baseline, colour, layer: of, ..text })
}
