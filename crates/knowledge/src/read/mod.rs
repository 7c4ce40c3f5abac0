//! Documents of users: Markdown, HTML, plain text, DOCX and PDF become sections that are found and cited.
//!
//! Documents come from anybody. Reading is bounded in time and memory, fetches nothing, runs nothing, and ends in a document or in one
//! clear problem. What was not read of a document (pages that are pictures, footnotes) is said in its notes.

mod blocks;
mod docx;
mod html;
mod markdown;
mod pdf;
mod plain;
mod slug;
#[cfg(test)]
mod tests;

pub use blocks::Part;
pub use slug::slug;

pub(crate) use blocks::{Block, cut};
pub(crate) use markdown::blocks as markdown_blocks;

use crate::corpora::names::DOCUMENTS;
use crate::section::Section;
use serde::{Deserialize, Serialize};

/// Bytes that a file may have.
pub const LARGEST_FILE: usize = 64 << 20;
/// Bytes of text that are read of a document.
pub const LONGEST_DOCUMENT: usize = 32 << 20;
/// Parts that a document may have.
pub const MOST_PARTS: usize = 50_000;

/// The form of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Markdown.
    Markdown,
    /// HTML.
    Html,
    /// Text without marks.
    Plain,
    /// Office Open XML text (ECMA-376), as word processors write it.
    Docx,
    /// PDF (ISO 32000).
    Pdf,
}

/// A document that was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// The name of its file.
    pub file_name: String,
    /// Its form.
    pub format: Format,
    /// Its title, where it says one.
    pub title: Option<String>,
    /// The number of its pages, where it has pages.
    pub pages: Option<u32>,
    /// Its text in parts.
    pub parts: Vec<Part>,
    /// Notes on what was not read.
    pub notes: Vec<String>,
}

/// The reasons for which a document is not read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// A form that is not known.
    #[error("{0} is no Markdown, HTML, plain text, DOCX or PDF")]
    UnknownFormat(String),
    /// Too large, or larger unpacked than it may be.
    #[error("{0}")]
    TooLarge(String),
    /// Protected by a password.
    #[error("the document is encrypted; a copy without password can be read")]
    Encrypted,
    /// Damaged, or not what it says.
    #[error("the document cannot be read: {0}")]
    Malformed(String),
    /// Nothing to read in it, such as a scan without recognised text.
    #[error("the document has no text: {0}")]
    NoText(String),
}

/// Reads a document by what its bytes are, and by its name where they do not tell.
pub fn read(file_name: &str, bytes: &[u8]) -> Result<Document, Problem> {
    if bytes.len() > LARGEST_FILE {
        return Err(Problem::TooLarge(format!(
            "a document of more than {} MB is not read",
            LARGEST_FILE >> 20
        )));
    }
    let format = format(file_name, bytes)?;
    let found = match format {
        Format::Markdown => markdown::read(&plain::decode(bytes)),
        Format::Html => html::read(bytes),
        Format::Plain => plain::read(bytes),
        Format::Docx => docx::read(bytes)?,
        Format::Pdf => pdf::read(bytes)?,
    };
    let parts = cut(&found.blocks)?;
    if parts.iter().all(|part| part.text.trim().is_empty()) {
        let why = if format == Format::Pdf { "its pages are pictures, or empty" } else { "it is empty" };
        return Err(Problem::NoText(why.to_owned()));
    }
    Ok(Document {
        file_name: file_name.to_owned(),
        format,
        title: found.title,
        pages: found.pages,
        parts,
        notes: found.notes,
    })
}

/// The findings of a reader in a file.
#[derive(Debug, Default)]
struct Found {
    title: Option<String>,
    pages: Option<u32>,
    blocks: Vec<Block>,
    notes: Vec<String>,
}

fn format(file_name: &str, bytes: &[u8]) -> Result<Format, Problem> {
    let head = bytes.get(..bytes.len().min(1024)).unwrap_or_default();
    if head.windows(5).any(|window| window == b"%PDF-") {
        return Ok(Format::Pdf);
    }
    let unknown = || Err(Problem::UnknownFormat(file_name.to_owned()));
    if head.starts_with(b"PK\x03\x04") {
        return if docx::is_one(bytes) { Ok(Format::Docx) } else { unknown() };
    }
    let extension = file_name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    match extension.as_deref() {
        Some("md" | "markdown" | "mdx") => return Ok(Format::Markdown),
        Some("html" | "htm" | "xhtml") => return Ok(Format::Html),
        Some("docx" | "docm") => {
            return Err(Problem::Malformed("its name says DOCX, but it is no archive".to_owned()));
        }
        Some("pdf") => {
            return Err(Problem::Malformed("its name says PDF, but it does not begin as one".to_owned()));
        }
        _ => {}
    }
    if !plain::is_text(bytes) {
        return unknown();
    }
    let start = plain::decode(head).trim_start().to_ascii_lowercase();
    Ok(if start.starts_with("<!doctype html") || start.starts_with("<html") {
        Format::Html
    } else {
        Format::Plain
    })
}

impl Document {
    /// Its sections in a corpus, at `documents/CORPUS/FILE#…`.
    pub fn sections(&self, corpus: &str) -> Vec<Section> {
        let address = format!("{DOCUMENTS}/{corpus}/{}", self.file_name.replace('#', "-"));
        let named = self.title.clone().filter(|title| !title.trim().is_empty());
        let root = named.unwrap_or_else(|| self.file_name.clone());
        self.parts
            .iter()
            .map(|part| {
                let mut path = part.path.clone();
                let title = part.title.clone().unwrap_or_else(|| root.clone());
                if title != root && path.first() != Some(&root) {
                    path.insert(0, root.clone());
                }
                Section {
                    corpus: corpus.to_owned(),
                    location: match part.anchor.as_str() {
                        "" => address.clone(),
                        anchor => format!("{address}#{anchor}"),
                    },
                    title,
                    path,
                    page: part.page,
                    text: part.text.clone(),
                    ..Section::default()
                }
            })
            .collect()
    }
}
