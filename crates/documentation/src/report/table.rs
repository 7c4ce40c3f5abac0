//! Rows of words in columns, broken into lines.

use crate::beside::{broken, line};
use crate::drawing::shapes::{layer, stroked, through};
use crate::style::BLACK;
use glam::DVec2;
use paper::{Colour, Node, Part, Stroke, Subject, Weight};

/// The distance from line to line, as a share of the height of letters.
const LEADING: f64 = 1.7;
/// The room between columns, and over and under a row, in mm.
const BETWEEN: f64 = 2.0;
const AROUND: f64 = 0.9;
/// The colour of the lines between rows.
const RULE: Colour = [205, 205, 205, 255];

/// The columns of a table.
#[derive(Debug, Clone)]
pub(super) struct Columns<'a> {
    /// The left end.
    pub left: f64,
    /// The width of all.
    pub width: f64,
    /// The share of each column.
    pub shares: &'a [f64],
    /// The height of letters in mm.
    pub letter: f64,
    /// The most lines of a cell; the last ends in an ellipsis where there are more.
    pub most_lines: usize,
}

/// A row that is laid out at y 0.
pub(super) struct Laid {
    pub nodes: Vec<Node>,
    pub height: f64,
}

impl Columns<'_> {
    /// Lays a row out; the first column of a row of facts is bold.
    pub fn row(&self, cells: &[String], is_bold: impl Fn(usize) -> bool, with_rule: bool) -> Laid {
        let whole: f64 = self.shares.iter().sum::<f64>().max(1e-9);
        let step = self.letter * LEADING;
        let (mut nodes, mut lines_most, mut left) = (Vec::new(), 1, self.left);
        for (n, (cell, share)) in cells.iter().zip(self.shares).enumerate() {
            let width = self.width * share / whole;
            let weight = if is_bold(n) { Weight::Bold } else { Weight::Regular };
            let mut lines = broken(cell, self.letter, weight, width - BETWEEN);
            if lines.len() > self.most_lines {
                lines.truncate(self.most_lines);
                if let Some(last) = lines.last_mut() {
                    let cut = format!("{last}…");
                    *last = crate::beside::shortened(&cut, self.letter, weight, width - BETWEEN);
                }
            }
            lines_most = lines_most.max(lines.len());
            for (k, words) in lines.iter().enumerate().filter(|(_, words)| !words.is_empty()) {
                let at = DVec2::new(left, AROUND + self.letter * 1.25 + step * k as f64);
                let of = layer(Subject::TitleBlock, Part::Text);
                nodes.push(line(at, words, weight, BLACK, self.letter, of));
            }
            left += width;
        }
        let height = 2.0 * AROUND + step * lines_most as f64;
        if with_rule {
            let ends = [DVec2::new(self.left, height), DVec2::new(self.left + self.width, height)];
            let stroke = Stroke { width: 0.13, colour: RULE, dashes: Vec::new() };
            nodes.push(stroked(vec![through(&ends, false)], stroke, Subject::TitleBlock, Part::Symbol));
        }
        Laid { nodes, height }
    }
}
