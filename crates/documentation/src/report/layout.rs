//! Reports on pages of A4: flowing from page to page, or on one page of two columns.

use super::table::{Columns, Laid};
use super::{Block, Document, Picture};
use crate::beside::{broken, line};
use crate::drawing::shapes::{filled, layer, move_by, stroked, through};
use crate::phrases::put;
use crate::style::BLACK;
use glam::DVec2;
use paper::{Colour, Fill, Group, Node, Page, Part, Stroke, Subject, Weight};

/// The size of A4 and its margins, in mm.
const SIZE: DVec2 = DVec2::new(210.0, 297.0);
const MARGIN: f64 = 14.0;
/// The distance between both columns.
const BETWEEN: f64 = 8.0;
/// The heights of letters: of pages that flow, and of one page.
const LETTER: f64 = 1.9;
const SMALL: f64 = 1.6;
/// The share of a column that one table may take where others follow.
const TABLE_SHARE: f64 = 0.3;
/// The most height of a picture: on one page, and on pages that flow.
const SMALL_PICTURE: f64 = 45.0;
const PICTURE: f64 = 75.0;
/// The most pages; what is beyond is counted.
const MOST_PAGES: usize = 500;
const GREEN: Colour = [7, 112, 47, 255];
const RED: Colour = [179, 21, 28, 255];

/// A column that is being filled.
struct Column {
    left: f64,
    width: f64,
    y: f64,
    bottom: f64,
    letter: f64,
    most_lines: usize,
    nodes: Vec<Node>,
}

impl Column {
    fn room(&self) -> f64 {
        self.bottom - self.y
    }

    fn put(&mut self, laid: Laid) {
        let by = DVec2::new(0.0, self.y);
        self.nodes.extend(laid.nodes.into_iter().map(|mut node| {
            move_by(&mut node, by);
            node
        }));
        self.y += laid.height;
    }

    fn columns<'a>(&self, shares: &'a [f64]) -> Columns<'a> {
        let (left, width, letter, most_lines) = (self.left, self.width, self.letter, self.most_lines);
        Columns { left, width, shares, letter, most_lines }
    }

    /// A paragraph in letters of a height.
    fn paragraph(&self, words: &str, letter: f64, weight: Weight) -> Laid {
        let step = letter * 1.7;
        let lines = broken(words, letter, weight, self.width);
        let of = layer(Subject::TitleBlock, Part::Text);
        let at = |n: usize| DVec2::new(self.left, letter * 1.6 + step * n as f64);
        let nodes = lines.iter().enumerate().map(|(n, words)| line(at(n), words, weight, BLACK, letter, of));
        Laid { nodes: nodes.collect(), height: step * lines.len() as f64 + letter * 0.9 }
    }

    fn heading(&self, words: &str) -> Laid {
        let letter = self.letter * 1.3;
        let mut laid = self.paragraph(words, letter, Weight::Bold);
        let gap = self.letter * 1.4;
        laid.nodes.iter_mut().for_each(|n| move_by(n, DVec2::new(0.0, gap)));
        laid.height += gap;
        let ends = [DVec2::new(self.left, laid.height), DVec2::new(self.left + self.width, laid.height)];
        let stroke = Stroke { width: 0.35, colour: BLACK, dashes: Vec::new() };
        laid.nodes.push(stroked(vec![through(&ends, false)], stroke, Subject::TitleBlock, Part::Symbol));
        laid.height += self.letter * 0.5;
        laid
    }

    fn mark(&self, is_fulfilled: bool, words: &str) -> Laid {
        let columns = Columns { left: self.left + 6.0, width: self.width - 6.0, ..self.columns(&[1.0]) };
        let mut laid = columns.row(&[words.to_owned()], |_| false, true);
        let middle = DVec2::new(self.left + 2.0, self.letter * 1.35);
        let points: Vec<Vec<DVec2>> = if is_fulfilled {
            vec![vec![DVec2::new(-1.3, 0.0), DVec2::new(-0.3, 1.0), DVec2::new(1.5, -1.2)]]
        } else {
            let (a, b) = (DVec2::new(1.1, 1.1), DVec2::new(1.1, -1.1));
            vec![vec![-a, a], vec![-b, b]]
        };
        let lines = points.iter().map(|l| through(&l.iter().map(|p| middle + *p).collect::<Vec<_>>(), false));
        let colour = if is_fulfilled { GREEN } else { RED };
        let stroke = Stroke { width: 0.45, colour, dashes: Vec::new() };
        laid.nodes.push(stroked(lines.collect(), stroke, Subject::TitleBlock, Part::Symbol));
        laid
    }

    /// Pictures, so many in a row, each no higher than a number of mm.
    fn pictures(&self, pictures: &[Picture], highest: f64) -> Laid {
        let each = (self.width - BETWEEN / 2.0 * (pictures.len().saturating_sub(1)) as f64)
            / pictures.len().max(1) as f64;
        let (mut nodes, mut height, mut left) = (Vec::new(), 0.0_f64, self.left);
        for picture in pictures {
            let [wide, high] = picture.pixels.map(|n| f64::from(n.max(1)));
            let ratio = (high / wide).clamp(0.05, 20.0);
            let size = if each * ratio > highest {
                DVec2::new(highest / ratio, highest)
            } else {
                DVec2::new(each, each * ratio)
            };
            let at = DVec2::new(left, 1.5);
            nodes.push(Node::Picture(paper::Picture { at, size, png: picture.png.clone() }));
            let caption = Column { left, width: each, nodes: Vec::new(), ..*self };
            let mut words = caption.paragraph(&picture.caption, self.letter, Weight::Regular);
            words.nodes.iter_mut().for_each(|n| move_by(n, DVec2::new(0.0, size.y + 2.5)));
            nodes.append(&mut words.nodes);
            height = height.max(size.y + 3.0 + words.height);
            left += each + BETWEEN / 2.0;
        }
        Laid { nodes, height }
    }

    /// A drawing at its scale, cut off where it is larger than there is room.
    fn drawing(&self, page: &Page) -> Laid {
        let mut nodes = page.nodes.clone();
        for node in &mut nodes {
            move_by(node, DVec2::new(self.left, 0.0));
        }
        let corner = page.size.min(DVec2::new(self.width, self.room()));
        let [a, b] = [DVec2::new(self.left, 0.0), DVec2::new(self.left, 0.0) + corner];
        let window = through(&[a, DVec2::new(b.x, a.y), b, DVec2::new(a.x, b.y)], true);
        let ground = filled(vec![window.clone()], Fill::Solid([255; 4]), Subject::TitleBlock, Part::Pattern);
        let clip = Some(vec![window]);
        let group = Group { clip, nodes, ..Group::default() };
        Laid { nodes: vec![ground, Node::Group(group)], height: corner.y }
    }
}

const FACTS: [f64; 2] = [0.34, 0.66];

/// One page of two columns; what has no room is counted.
pub(super) fn one_page(document: &Document) -> Page {
    let mut page = Page { size: SIZE, title: document.title.clone(), ..Page::default() };
    let width = (SIZE.x - 2.0 * MARGIN - BETWEEN) / 2.0;
    let mut top = head(document);
    let y = top.y + 1.0;
    page.nodes.append(&mut top.nodes);
    let (left, right) = document.blocks.split_at(document.split.min(document.blocks.len()));
    for (n, blocks) in [left, right].into_iter().enumerate() {
        let x = MARGIN + (width + BETWEEN) * n as f64;
        let bottom = SIZE.y - MARGIN;
        let mut column =
            Column { left: x, width, y, bottom, letter: SMALL, most_lines: 3, nodes: Vec::new() };
        for (k, block) in blocks.iter().enumerate() {
            let is_last = !blocks.iter().skip(k + 1).any(|b| matches!(b, Block::Table { .. }));
            fixed(&mut column, block, is_last, &document.more_words);
        }
        page.nodes.append(&mut column.nodes);
    }
    page
}

fn head(document: &Document) -> Column {
    let mut column = Column {
        left: MARGIN,
        width: SIZE.x - 2.0 * MARGIN,
        y: MARGIN,
        bottom: SIZE.y - MARGIN,
        letter: LETTER,
        most_lines: 40,
        nodes: Vec::new(),
    };
    let title = column.paragraph(&document.title, 4.2, Weight::Bold);
    column.put(title);
    if !document.subtitle.trim().is_empty() {
        let words = crate::beside::shortened(&document.subtitle, 2.8, Weight::Regular, column.width);
        let subtitle = column.paragraph(&words, 2.8, Weight::Regular);
        column.put(subtitle);
    }
    column
}

/// Puts a block into a column of a page that has no next one.
fn fixed(column: &mut Column, block: &Block, is_last: bool, more: &str) {
    let rows: Vec<Laid> = match block {
        Block::Heading(words) => vec![column.heading(words)],
        Block::Text(words) => vec![column.paragraph(words, column.letter, Weight::Regular)],
        Block::Pictures(pictures) => {
            pictures.iter().map(|p| column.pictures(std::slice::from_ref(p), SMALL_PICTURE)).collect()
        }
        Block::Drawing(page) => vec![column.drawing(page)],
        Block::Facts(rows) => {
            let row = |(a, b): &(String, String)| {
                column.columns(&FACTS).row(&[a.clone(), b.clone()], |n| n == 0, true)
            };
            rows.iter().map(row).collect()
        }
        Block::Table { head, shares, rows } => {
            let columns = column.columns(shares);
            let head = columns.row(head, |_| true, true);
            std::iter::once(head).chain(rows.iter().map(|row| columns.row(row, |_| false, true))).collect()
        }
        Block::Marks(marks) => marks.iter().map(|(ok, words)| column.mark(*ok, words)).collect(),
    };
    let is_list = matches!(block, Block::Table { .. } | Block::Marks(_) | Block::Facts(_));
    let share = if matches!(block, Block::Table { .. }) && !is_last { TABLE_SHARE } else { 1.0 };
    let end = (column.y + (SIZE.y - 2.0 * MARGIN) * share).min(column.bottom);
    // what says that there is more needs room itself
    let note = column.letter * 3.0;
    let whole: f64 = rows.iter().map(|row| row.height).sum();
    let limit = if column.y + whole <= end || !is_list { end } else { end - note };
    let mut left_out = 0;
    for row in rows {
        if left_out > 0 || column.y + row.height > limit {
            left_out += 1;
        } else {
            column.put(row);
        }
    }
    if left_out > 0 && is_list {
        let words = column.paragraph(&put(more, &[&left_out]), column.letter, Weight::Regular);
        column.put(words);
    }
}

/// Pages that flow.
struct Flow {
    pages: Vec<Vec<Node>>,
    column: Column,
    left_out: usize,
}

impl Flow {
    fn next(&mut self) {
        let nodes = std::mem::take(&mut self.column.nodes);
        self.pages.push(nodes);
        self.column.y = MARGIN;
    }

    /// Puts something on this page or the next; it is cut off where it is higher than a page.
    fn put(&mut self, laid: Laid, with_next: f64) -> bool {
        if self.pages.len() >= MOST_PAGES {
            self.left_out += 1;
            return false;
        }
        let is_broken = laid.height + with_next > self.column.room() && self.column.y > MARGIN;
        if is_broken {
            self.next();
        }
        self.column.put(laid);
        is_broken
    }
}

/// As many pages as a document has to have.
pub(super) fn flowing(document: &Document) -> Vec<Page> {
    let mut column = head(document);
    column.bottom = SIZE.y - MARGIN - 8.0;
    let mut flow = Flow { pages: Vec::new(), column, left_out: 0 };
    for block in &document.blocks {
        match block {
            Block::Heading(words) => {
                let laid = flow.column.heading(words);
                // a heading is not the last of its page
                flow.put(laid, 24.0);
            }
            Block::Text(words) => {
                let laid = flow.column.paragraph(words, LETTER * 1.1, Weight::Regular);
                flow.put(laid, 0.0);
            }
            Block::Facts(rows) => {
                for (a, b) in rows {
                    let laid = flow.column.columns(&FACTS).row(&[a.clone(), b.clone()], |n| n == 0, true);
                    flow.put(laid, 0.0);
                }
            }
            Block::Table { head, shares, rows } => {
                let over = flow.column.columns(shares).row(head, |_| true, true);
                flow.put(over, 10.0);
                for row in rows {
                    let own = flow.column.columns(shares).row(row, |n| n == 0, true);
                    if own.height > flow.column.room() && flow.pages.len() < MOST_PAGES {
                        flow.next();
                        let again = flow.column.columns(shares).row(head, |_| true, true);
                        flow.put(again, 0.0);
                    }
                    flow.put(own, 0.0);
                }
            }
            Block::Marks(marks) => {
                for (is_fulfilled, words) in marks {
                    let laid = flow.column.mark(*is_fulfilled, words);
                    flow.put(laid, 0.0);
                }
            }
            Block::Pictures(pictures) => {
                for pair in pictures.chunks(2) {
                    let laid = flow.column.pictures(pair, PICTURE);
                    flow.put(laid, 0.0);
                }
            }
            Block::Drawing(page) => {
                if page.size.y > flow.column.room() && flow.column.y > MARGIN {
                    flow.next();
                }
                let laid = flow.column.drawing(page);
                flow.put(laid, 0.0);
            }
        }
    }
    if flow.left_out > 0 {
        // the last page says that it is not all
        let words = put(&document.more_words, &[&flow.left_out]);
        let laid = flow.column.paragraph(&words, LETTER, Weight::Bold);
        flow.column.put(laid);
    }
    flow.next();
    let count = flow.pages.len();
    let paged = flow.pages.into_iter().enumerate().map(|(n, mut nodes)| {
        let words = put(&document.page_words, &[&(n + 1), &count]);
        let at = DVec2::new(MARGIN, SIZE.y - MARGIN);
        let of = layer(Subject::TitleBlock, Part::Text);
        nodes.push(line(at, &words, Weight::Regular, [100, 100, 100, 255], SMALL, of));
        Page { size: SIZE, title: document.title.clone(), nodes, ..Page::default() }
    });
    paged.collect()
}
