//! PDF: the text of each page (ISO 32000), by the encodings and the ToUnicode tables of its fonts, in the order in which a page says it.
//!
//! A file comes from anybody: streams are unpacked within bounds, each node of the tree of pages is met once, forms
//! within forms are followed to a depth, and what pages and forms may cost together is counted. Pages without text are told; pictures are not looked into.

mod fonts;
mod page;
mod unicode;

use super::blocks::Block;
use super::{Found, Problem};
use lopdf::{Document, Error, LoadOptions, Object, ObjectId};
use std::collections::HashSet;

/// Pages that are read.
const PAGES: usize = 10_000;
/// Bytes that all object streams of a file may have unpacked.
const STREAMS: usize = 512 << 20;
/// Bytes that one of them may have.
const LARGEST_STREAM: usize = 64 << 20;
/// Bytes of instructions that all pages may have unpacked.
const INSTRUCTIONS: usize = 128 << 20;

/// Reads a document, page by page.
pub fn read(bytes: &[u8]) -> Result<Found, Problem> {
    let streams = bytes.windows(7).filter(|window| window == b"/ObjStm").count().max(1);
    let limit = (STREAMS / streams).clamp(1 << 20, LARGEST_STREAM);
    if streams.saturating_mul(limit) > STREAMS * 4 {
        return Err(Problem::TooLarge(format!("a PDF of {streams} object streams is not read")));
    }
    let options = LoadOptions { max_decompressed_size: Some(limit), ..LoadOptions::default() };
    let document = Document::load_mem_with_options(bytes, options).map_err(|error| problem(&error))?;
    if document.is_encrypted() {
        return Err(Problem::Encrypted);
    }
    let mut found = Found { title: title(&document), ..Found::default() };
    let mut budget = page::Budget::new(INSTRUCTIONS);
    let (mut silent, mut damaged) = (Vec::new(), Vec::new());
    let pages = pages(&document);
    let mut number = 0;
    for id in pages.iter().take(PAGES) {
        number += 1;
        match page::text(&document, *id, &mut budget)? {
            Some(text) if text.trim().is_empty() => silent.push(number),
            Some(text) => {
                found.blocks.push(Block::Page(number));
                found.blocks.extend(text.split("\n\n").map(|text| Block::Paragraph(text.trim().to_owned())));
            }
            None => damaged.push(number),
        }
    }
    if number == 0 {
        return Err(Problem::Malformed("it has no pages".to_owned()));
    }
    found.pages = Some(number);
    if pages.len() > PAGES {
        found.notes.push(format!("pages after {PAGES} are not read"));
    }
    if !silent.is_empty() {
        found.notes.push(format!("pages without text, perhaps pictures: {}", ranges(&silent)));
    }
    if !damaged.is_empty() {
        found.notes.push(format!("pages that are damaged and were not read: {}", ranges(&damaged)));
    }
    Ok(found)
}

/// The pages in their order, each once, whatever the tree says of their number and of itself.
fn pages(document: &Document) -> Vec<ObjectId> {
    let root = document.catalog().and_then(|catalog| catalog.get(b"Pages")).and_then(Object::as_reference);
    let mut open: Vec<ObjectId> = root.into_iter().collect();
    let mut known: HashSet<ObjectId> = HashSet::new();
    let mut pages = Vec::new();
    while let Some(id) = open.pop() {
        if !known.insert(id) || pages.len() > PAGES {
            continue;
        }
        let Ok(node) = document.get_dictionary(id) else { continue };
        match node.get_deref(b"Kids", document).and_then(Object::as_array) {
            Ok(kids) => open.extend(kids.iter().rev().filter_map(|kid| kid.as_reference().ok())),
            Err(_) => pages.push(id),
        }
    }
    pages
}

fn problem(error: &Error) -> Problem {
    match error {
        Error::InvalidPassword | Error::Decryption(_) | Error::UnsupportedSecurityHandler(_) => {
            Problem::Encrypted
        }
        Error::Decompress(lopdf::DecompressError::MemoryLimitExceeded { .. }) => {
            Problem::TooLarge("a part of the PDF grows to more than is read".to_owned())
        }
        other => Problem::Malformed(other.to_string()),
    }
}

fn title(document: &Document) -> Option<String> {
    let info = document.trailer.get_deref(b"Info", document).and_then(Object::as_dict).ok()?;
    let title = lopdf::decode_text_string(info.get_deref(b"Title", document).ok()?).ok()?;
    let title: String = title.trim().chars().filter(|sign| !sign.is_control()).take(200).collect();
    Some(title).filter(|title| !title.is_empty())
}

/// `1-3, 7`.
fn ranges(pages: &[u32]) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for page in pages {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == *page => *last = *page,
            _ => ranges.push((*page, *page)),
        }
    }
    let shown = |(first, last): &(u32, u32)| {
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    };
    let mut text = ranges.iter().take(50).map(shown).collect::<Vec<_>>().join(", ");
    if ranges.len() > 50 {
        text.push_str(", …");
    }
    text
}
