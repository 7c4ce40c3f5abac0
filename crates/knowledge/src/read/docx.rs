//! DOCX: the text of a word processor's document in Office Open XML (ECMA-376): headings by style or outline level, lists, tables row by
//! row. Text that was deleted under revision is not read; headers, footers, notes and comments are not either, which is said.
//!
//! An archive comes from anybody: each file of it is unpacked within bounds, and its XML is read mark by mark, without entities
//! of its own.

use super::blocks::Block;
use super::{Found, Problem};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use std::collections::HashMap;
use std::io::{Cursor, Read};
use zip::ZipArchive;

/// Bytes that one file of the archive may have unpacked.
const LARGEST_PART: u64 = 96 << 20;
/// How many times its packed size a file may have, from [`SMALL`] on.
const RATIO: u64 = 150;
/// Below this size the ratio is not looked at.
const SMALL: u64 = 4 << 20;
/// Files that an archive may have.
const FILES: usize = 20_000;

type Archive<'a> = ZipArchive<Cursor<&'a [u8]>>;

/// True if an archive is a document of a word processor.
pub fn is_one(bytes: &[u8]) -> bool {
    ZipArchive::new(Cursor::new(bytes)).is_ok_and(|archive| has(&archive, |name| name == DOCUMENT))
}

fn has(archive: &Archive<'_>, wanted: impl Fn(&str) -> bool) -> bool {
    archive.file_names().any(|name| name.is_ok_and(|name| wanted(&name)))
}

/// The file of the text.
const DOCUMENT: &str = "word/document.xml";

fn malformed(error: impl std::fmt::Display) -> Problem {
    Problem::Malformed(error.to_string())
}

/// Reads a document.
pub fn read(bytes: &[u8]) -> Result<Found, Problem> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(malformed)?;
    if archive.len() > FILES {
        return Err(Problem::TooLarge(format!("the archive has more than {FILES} files")));
    }
    let styles = match part(&mut archive, "word/styles.xml")? {
        Some(text) => styles(&text)?,
        None => HashMap::new(),
    };
    let Some(text) = part(&mut archive, DOCUMENT)? else {
        return Err(Problem::Malformed(format!("the archive has no {DOCUMENT}")));
    };
    let blocks = body(&text, &styles)?;
    let title = part(&mut archive, "docProps/core.xml")?.and_then(|text| title(&text));
    let mut notes = Vec::new();
    let mut unread: Vec<&str> = Vec::new();
    for (start, what) in
        [("word/footnotes", "footnotes"), ("word/endnotes", "endnotes"), ("word/comments", "comments")]
    {
        if has(&archive, |name| name.starts_with(start)) {
            unread.push(what);
        }
    }
    if !unread.is_empty() {
        notes.push(format!("not read: {}", unread.join(", ")));
    }
    Ok(Found { title, blocks, notes, ..Found::default() })
}

/// A file of the archive as text, within bounds.
fn part(archive: &mut Archive<'_>, name: &str) -> Result<Option<String>, Problem> {
    if !has(archive, |known| known == name) {
        return Ok(None);
    }
    let file = archive.by_name(name).map_err(malformed)?;
    if file.encrypted() {
        return Err(Problem::Encrypted);
    }
    let most = file.compressed_size().saturating_mul(RATIO).clamp(SMALL, LARGEST_PART);
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes).map_err(malformed)?;
    if bytes.len() as u64 > most {
        return Err(Problem::TooLarge(format!(
            "{name} grows to more than is read, or to many times its packed size"
        )));
    }
    String::from_utf8(bytes).map(Some).map_err(|_| Problem::Malformed(format!("{name} is not UTF-8")))
}

/// The local name of an element.
fn local<'a>(tag: &'a BytesStart<'_>) -> &'a [u8] {
    tag.local_name().into_inner()
}

/// An attribute's value by its local name.
fn attribute(tag: &BytesStart<'_>, name: &[u8]) -> Option<String> {
    tag.attributes().flatten().find(|attribute| attribute.key.local_name().into_inner() == name).map(
        |attribute| {
            let raw = String::from_utf8_lossy(&attribute.value).into_owned();
            quick_xml::escape::unescape(&raw).map(std::borrow::Cow::into_owned).unwrap_or(raw)
        },
    )
}

/// Styles that are headings, by their ids: the level.
fn styles(text: &str) -> Result<HashMap<String, u8>, Problem> {
    let mut levels = HashMap::new();
    let mut reader = Reader::from_str(text);
    let mut current: Option<String> = None;
    loop {
        match reader.read_event().map_err(malformed)? {
            Event::Start(tag) | Event::Empty(tag) => match local(&tag) {
                b"style" => current = attribute(&tag, b"styleId"),
                b"name" => {
                    let level = attribute(&tag, b"val").and_then(|name| heading_level(&name));
                    if let (Some(style), Some(level)) = (&current, level) {
                        levels.insert(style.clone(), level);
                    }
                }
                b"outlineLvl" => {
                    if let (Some(style), Some(level)) = (&current, outline_level(&tag)) {
                        levels.entry(style.clone()).or_insert(level);
                    }
                }
                _ => {}
            },
            Event::Eof => return Ok(levels),
            _ => {}
        }
    }
}

/// `heading 2`, `Überschrift 2`, `Title`.
fn heading_level(name: &str) -> Option<u8> {
    let name = name.to_lowercase();
    if matches!(name.as_str(), "title" | "titel") {
        return Some(1);
    }
    let rest = ["heading", "überschrift", "berschrift", "titre"]
        .into_iter()
        .find_map(|word| name.strip_prefix(word))?;
    rest.trim().parse().ok().filter(|level| (1..=9).contains(level))
}

fn outline_level(tag: &BytesStart<'_>) -> Option<u8> {
    // nine means text
    attribute(tag, b"val")?.parse::<u8>().ok().filter(|level| *level < 9).map(|level| level + 1)
}

/// The body as far as it is read.
#[derive(Default)]
struct Body {
    blocks: Vec<Block>,
    paragraph: String,
    level: Option<u8>,
    listed: bool,
    /// Tables that are open, one within the other: the cells of the row.
    rows: Vec<Vec<String>>,
    /// Elements that are passed over, one within the other.
    skipped: usize,
    /// True within the text of a run.
    said: bool,
}

fn body(text: &str, styles: &HashMap<String, u8>) -> Result<Vec<Block>, Problem> {
    let mut reader = Reader::from_str(text);
    let mut body = Body::default();
    loop {
        match reader.read_event().map_err(malformed)? {
            Event::Start(tag) => body.start(&tag, styles, false),
            Event::Empty(tag) => body.start(&tag, styles, true),
            Event::End(tag) => body.end(tag.local_name().into_inner()),
            Event::Text(text) if body.said && body.skipped == 0 => {
                body.paragraph.push_str(&text.xml10_content().map_err(malformed)?);
            }
            Event::CData(text) if body.said && body.skipped == 0 => {
                body.paragraph.push_str(&text.xml10_content().map_err(malformed)?);
            }
            Event::GeneralRef(reference) if body.said && body.skipped == 0 => {
                if let Ok(Some(sign)) = reference.resolve_char_ref() {
                    body.paragraph.push(sign);
                } else if let Some(known) =
                    reference.decode().ok().and_then(|name| quick_xml::escape::resolve_xml_entity(&name))
                {
                    body.paragraph.push_str(known);
                }
            }
            Event::Eof => {
                body.close();
                return Ok(body.blocks);
            }
            _ => {}
        }
    }
}

/// Elements that are passed over with all within: what is shown a second time for older programs, and properties of earlier revisions.
const SKIPPED: [&[u8]; 3] = [b"Fallback", b"pPrChange", b"rPrChange"];

impl Body {
    fn start(&mut self, tag: &BytesStart<'_>, styles: &HashMap<String, u8>, empty: bool) {
        let name = local(tag);
        if self.skipped > 0 || SKIPPED.contains(&name) {
            self.skipped += usize::from(!empty && SKIPPED.contains(&name));
            return;
        }
        match name {
            b"t" => self.said = !empty,
            b"tab" => self.paragraph.push('\t'),
            b"br" | b"cr" => self.paragraph.push('\n'),
            b"noBreakHyphen" => self.paragraph.push('-'),
            b"pStyle" => {
                let style = attribute(tag, b"val").unwrap_or_default();
                let level = styles.get(&style).copied().or_else(|| heading_level(&style));
                self.level = self.level.or(level);
            }
            b"outlineLvl" => self.level = outline_level(tag).or(self.level),
            b"numPr" => self.listed = true,
            b"tbl" if !empty => {
                self.close();
                self.rows.push(Vec::new());
            }
            b"tc" => {
                if let Some(row) = self.rows.last_mut() {
                    row.push(String::new());
                }
            }
            _ => {}
        }
    }

    fn end(&mut self, name: &[u8]) {
        if self.skipped > 0 {
            self.skipped -= usize::from(SKIPPED.contains(&name));
            return;
        }
        match name {
            b"t" => self.said = false,
            b"p" => self.close(),
            b"tr" => {
                let Some(row) = self.rows.last_mut() else { return };
                let cells = std::mem::take(row);
                let line = cells.iter().map(|cell| cell.trim()).collect::<Vec<_>>().join(" | ");
                if cells.iter().all(|cell| cell.trim().is_empty()) {
                    return;
                }
                // a table within a cell is a part of it
                match self
                    .rows
                    .len()
                    .checked_sub(2)
                    .and_then(|outer| self.rows.get_mut(outer))
                    .and_then(|row| row.last_mut())
                {
                    Some(cell) => append(cell, &line),
                    None => self.blocks.push(Block::Paragraph(line)),
                }
            }
            b"tbl" => {
                self.rows.pop();
            }
            _ => {}
        }
    }

    /// Ends the paragraph.
    fn close(&mut self) {
        let text = std::mem::take(&mut self.paragraph);
        let text = text.trim();
        let (level, listed) = (self.level.take(), std::mem::take(&mut self.listed));
        if text.is_empty() {
            return;
        }
        if let Some(cell) = self.rows.last_mut().and_then(|row| row.last_mut()) {
            append(cell, text);
            return;
        }
        self.blocks.push(match level {
            Some(level) => Block::Heading(level, text.to_owned()),
            None if listed => Block::Paragraph(format!("- {text}")),
            None => Block::Paragraph(text.to_owned()),
        });
    }
}

fn append(cell: &mut String, text: &str) {
    if !cell.is_empty() {
        cell.push(' ');
    }
    cell.push_str(text);
}

/// The title that the properties of a document say.
fn title(text: &str) -> Option<String> {
    let mut reader = Reader::from_str(text);
    let mut inside = false;
    let mut title = String::new();
    loop {
        match reader.read_event().ok()? {
            Event::Start(tag) => inside = local(&tag) == b"title",
            Event::Text(text) if inside => title.push_str(&text.xml10_content().ok()?),
            Event::End(_) if inside => break,
            Event::Eof => break,
            _ => {}
        }
    }
    Some(title.trim().to_owned()).filter(|title| !title.is_empty())
}
