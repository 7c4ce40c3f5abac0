//! A file as it was opened: its bytes, mapped or in memory, and columns that say where each instance stands. It never
//! changes; edits lie over it ([`crate::Model`]).

use crate::Problem;
use crate::columns::{ClassCodes, Columns, Pages};
use crate::header::Header;
use crate::index::Indexes;
use crate::schema::{Entity, Schema, SchemaVersion};
use crate::step::cursor::Cursor;
use crate::step::head::{self, Head};
use std::sync::OnceLock;

/// Bytes of a file.
pub(crate) enum Bytes {
    /// Mapped from disk.
    Mapped(memmap2::Mmap),
    /// Held in memory.
    Owned(Vec<u8>),
}

impl std::ops::Deref for Bytes {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Owned(bytes) => bytes,
        }
    }
}

/// How a file writes what has more than one form.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    pub line_end: &'static str,
    /// Between id and class: `=`, `= ` or ` = `.
    pub equals: &'static str,
}

/// A later instance with an id that was taken already.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shadowed {
    pub id: u32,
    pub start: usize,
    pub length: usize,
}

/// From id to row.
pub(crate) enum Lookup {
    /// Ids grow with the rows; a table is made when first asked, if it is worth it.
    Ascending(OnceLock<Option<Pages>>),
    /// A table.
    Paged(Pages),
    /// Sorted by id.
    Sorted(Vec<(u32, u32)>),
}

impl Lookup {
    /// Bytes of memory.
    pub fn weight(&self) -> u64 {
        match self {
            Self::Paged(pages) => pages.weight(),
            Self::Sorted(pairs) => pairs.len() as u64 * 8,
            Self::Ascending(pages) => pages.get().and_then(Option::as_ref).map_or(0, Pages::weight),
        }
    }
}

/// A file as it was opened.
pub(crate) struct Base {
    pub bytes: Bytes,
    pub header: Header,
    pub version: SchemaVersion,
    pub rows: Columns,
    /// Names of classes that the schema does not have, by code.
    pub unknown: Vec<Box<str>>,
    pub shadowed: Vec<Shadowed>,
    pub lookup: Lookup,
    /// Where new instances are written: at the ENDSEC of the last data section.
    pub append_at: usize,
    pub style: Style,
    /// One more than the largest id.
    pub next_id: u32,
    pub indexes: Indexes,
    /// What was wrong with the file when it was opened.
    pub problems: Vec<Problem>,
}

impl Base {
    pub fn schema(&self) -> &'static Schema {
        self.version.schema()
    }

    /// The row of an id.
    pub fn row(&self, id: u32) -> Option<usize> {
        match &self.lookup {
            Lookup::Paged(pages) => pages.row(id),
            Lookup::Sorted(pairs) => {
                let at = pairs.binary_search_by_key(&id, |(id, _)| *id).ok()?;
                pairs.get(at).map(|(_, row)| *row as usize)
            }
            Lookup::Ascending(pages) => {
                match pages.get_or_init(|| Pages::new(&self.rows.id).map(|(pages, _)| pages)) {
                    Some(pages) => pages.row(id),
                    None => self.rows.id.binary_search(&id).ok(),
                }
            }
        }
    }

    pub fn id(&self, row: usize) -> Option<u32> {
        self.rows.id.get(row).copied()
    }

    pub fn class(&self, row: usize) -> u16 {
        self.rows.class.get(row).copied().unwrap_or(ClassCodes::OTHER)
    }

    pub fn entity(&self, row: usize) -> Option<&'static Entity> {
        self.schema().entity_at(ClassCodes::entity_id(self.class(row))?)
    }

    /// The instance's bytes, from its `#` to its `;`.
    pub fn text(&self, row: usize) -> &[u8] {
        let Some((start, length)) = self.rows.span(row) else { return &[] };
        self.bytes.get(start..start + length).unwrap_or_default()
    }

    pub fn head(&self, row: usize) -> Option<Head<'_>> {
        head::read(self.text(row))
    }

    /// A cursor before the first attribute, within [`Base::text`].
    pub fn attributes(&self, row: usize) -> Option<Cursor<'_>> {
        let head = self.head(row)?;
        Some(Cursor::new(self.text(row), head.open + 1))
    }

    /// The class's name in the schema's spelling, or as the file has it in capitals.
    pub fn class_name(&self, row: usize) -> &str {
        let code = self.class(row);
        match self.entity(row) {
            Some(entity) => entity.name,
            None => match self.unknown.get(usize::from(code.saturating_sub(ClassCodes::UNKNOWN))) {
                Some(name) => name,
                None if code == ClassCodes::COMPLEX => "(complex)",
                // too many unknown names to keep: as it stands in the file
                None => self.head(row).and_then(|h| std::str::from_utf8(h.class).ok()).unwrap_or("(unknown)"),
            },
        }
    }

    /// Line of a place, from 1.
    pub fn line(&self, at: usize) -> usize {
        self.indexes.lines(&self.bytes).line(&self.bytes, at)
    }
}
