//! A document as headings and paragraphs, and those as parts: by heading or page, long ones cut at the ends of sentences.

use super::slug::slug;
use super::{LONGEST_DOCUMENT, MOST_PARTS, Problem};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};

/// Letters that a part has about.
const PART: usize = 1_500;
/// Letters beyond which a part is cut.
const LONGEST_PART: usize = 2_000;
/// Letters of a title.
const TITLE: usize = 200;

/// A piece of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// A heading of a level from one.
    Heading(u8, String),
    /// A paragraph, an item of a list, a row of a table.
    Paragraph(String),
    /// The beginning of a page.
    Page(u32),
}

/// A part of a document.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Its address within the document; empty for what stands before the first heading.
    pub anchor: String,
    /// Its heading; none before the first.
    pub title: Option<String>,
    /// The headings above it.
    pub path: Vec<String>,
    /// The page that it is on.
    pub page: Option<u32>,
    /// Its text.
    pub text: String,
}

/// Parts by heading, and by page where there are pages.
pub fn cut(blocks: &[Block]) -> Result<Vec<Part>, Problem> {
    let mut cutting = Cutting::default();
    for block in blocks {
        match block {
            Block::Heading(level, text) => cutting.heading(*level, text)?,
            Block::Page(number) => {
                cutting.close()?;
                cutting.page = Some(*number);
                cutting.open = Part {
                    anchor: format!("page={number}"),
                    title: Some(format!("Page {number}")),
                    page: Some(*number),
                    ..Part::default()
                };
            }
            Block::Paragraph(text) => {
                let open = &mut cutting.open.text;
                if !open.is_empty() && !text.is_empty() {
                    open.push('\n');
                }
                open.push_str(text.trim_end());
            }
        }
    }
    cutting.close()?;
    Ok(cutting.parts)
}

#[derive(Default)]
struct Cutting {
    parts: Vec<Part>,
    open: Part,
    page: Option<u32>,
    /// Levels and texts of the headings that are open.
    above: Vec<(u8, String)>,
    anchors: HashSet<String>,
    /// The last number behind each address that was wanted more than once.
    numbers: HashMap<String, usize>,
    read: usize,
}

impl Cutting {
    fn heading(&mut self, level: u8, text: &str) -> Result<(), Problem> {
        self.close()?;
        while self.above.last().is_some_and(|(above, _)| *above >= level) {
            self.above.pop();
        }
        let title: String =
            text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(TITLE).collect();
        let slug = Some(slug(&title)).filter(|slug| !slug.is_empty()).unwrap_or_else(|| "section".to_owned());
        self.open = Part {
            anchor: slug,
            title: Some(title.clone()),
            path: self.above.iter().map(|(_, title)| title.clone()).collect(),
            page: self.page,
            text: String::new(),
        };
        self.above.push((level, title));
        Ok(())
    }

    /// Takes the open part in; a heading with nothing under it stays, so that it is found.
    fn close(&mut self) -> Result<(), Problem> {
        let mut part = std::mem::take(&mut self.open);
        let titled = part.title.is_some() && !part.anchor.starts_with("page=");
        if part.text.trim().is_empty() && !titled {
            return Ok(());
        }
        self.read += part.text.len();
        if self.read > LONGEST_DOCUMENT {
            let limit = LONGEST_DOCUMENT >> 20;
            return Err(Problem::TooLarge(format!(
                "a document with more than {limit} MB of text is not read"
            )));
        }
        let first = self.free(&part.anchor);
        let whole = std::mem::take(&mut part.text);
        for (at, text) in pieces(&whole).into_iter().enumerate() {
            let anchor = match (at, first.as_str()) {
                (0, _) => first.clone(),
                (at, "") => self.free(&format!("part-{}", at + 1)),
                (at, page) if page.starts_with("page=") => format!("{page}&part={}", at + 1),
                (at, first) => self.free(&format!("{first}-part-{}", at + 1)),
            };
            if self.parts.len() >= MOST_PARTS {
                return Err(Problem::TooLarge(format!(
                    "a document of more than {MOST_PARTS} parts is not read"
                )));
            }
            self.parts.push(Part { anchor, text: text.trim().to_owned(), ..part.clone() });
        }
        Ok(())
    }

    /// An address that no part has: with a number behind where one has it already.
    fn free(&mut self, wanted: &str) -> String {
        let mut anchor = wanted.to_owned();
        // counted on from the last, or a thousand headings alike would be counted from the first each
        let mut number = self.numbers.get(wanted).copied().unwrap_or(1);
        while !self.anchors.insert(anchor.clone()) {
            number += 1;
            anchor = format!("{wanted}-{number}");
        }
        self.numbers.insert(wanted.to_owned(), number);
        anchor
    }
}

/// A text in pieces of a good length, each ending where a paragraph, a sentence or at least a word does.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((limit, _)) = rest.char_indices().nth(LONGEST_PART) {
        let within = rest.get(..limit).unwrap_or(rest);
        let good = within.char_indices().nth(PART).map_or(limit, |(at, _)| at);
        let at = end(within, good);
        let (piece, after) = rest.split_at_checked(at).unwrap_or((rest, ""));
        pieces.push(piece);
        rest = after;
    }
    if !rest.trim().is_empty() || pieces.is_empty() {
        pieces.push(rest);
    }
    pieces
}

/// Where a text is best cut near a place: behind a paragraph, else a sentence, else a word.
fn end(text: &str, good: usize) -> usize {
    let nearest = |places: &mut dyn Iterator<Item = usize>| {
        places.filter(|at| *at * 2 > good).min_by_key(|at| at.abs_diff(good))
    };
    let lines = nearest(
        &mut text.match_indices('\n').map(|(at, _)| at + 1).filter(|at| at.abs_diff(good) < good / 3),
    );
    let sentences = || {
        let ends = text.match_indices(['.', '!', '?']).map(|(at, _)| at + 1);
        nearest(
            &mut ends.filter(|at| text.get(*at..).is_some_and(|rest| rest.starts_with(char::is_whitespace))),
        )
    };
    let words = || nearest(&mut text.match_indices(char::is_whitespace).map(|(at, sign)| at + sign.len()));
    lines.or_else(sentences).or_else(words).filter(|at| *at > 0).unwrap_or(text.len())
}
