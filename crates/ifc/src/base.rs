//! A file as it was opened: its bytes, mapped or in memory, and columns that say where each instance stands. It never
//! changes; edits lie over it ([`crate::Model`]).

use crate::Problem;
use crate::columns::{ClassCodes, Columns};
use crate::header::Header;
use crate::index::Indexes;
use crate::lookup::{Lookup, Shadowed};
use crate::schema::{Entity, Schema, SchemaVersion};
use crate::sections;
use crate::sidecar::Sidecar;
use crate::step::Cursor;
use crate::step::head::{self, Head};
use std::borrow::Cow;
use std::ops::RangeInclusive;
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

/// The habits of a file in writing what has more than one form.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    pub line_end: &'static str,
    /// Between id and class: `=`, `= ` or ` = `.
    pub equals: &'static str,
}

impl Style {
    /// Reads the habits of a file, those in writing ids from the place and length of its first instance.
    pub fn read(bytes: &[u8], first: Option<(usize, usize)>) -> Self {
        let line_end = match memchr::memchr2(b'\n', b'\r', bytes) {
            Some(at) if bytes.get(at..at + 2) == Some(b"\r\n") => "\r\n",
            Some(at) if bytes.get(at) == Some(&b'\r') => "\r",
            _ => "\n",
        };
        let head =
            first.and_then(|(start, length)| bytes.get(start..start + length.min(64))).unwrap_or_default();
        let equals = match head.iter().position(|b| *b == b'=') {
            Some(at) if at > 0 && head.get(at - 1..at + 2) == Some(b" = ") => " = ",
            Some(at) if head.get(at + 1) == Some(&b' ') => "= ",
            _ => "=",
        };
        Self { line_end, equals }
    }
}

/// A file as it was opened.
pub struct Base {
    pub(crate) bytes: Bytes,
    pub(crate) header: Header,
    pub(crate) version: SchemaVersion,
    /// The rows that a scan found; empty while a stored index serves.
    pub(crate) rows: Columns,
    /// Names of classes that the schema does not have, by code.
    pub(crate) unknown: Vec<Box<str>>,
    pub(crate) shadowed: Vec<Shadowed>,
    pub(crate) lookup: Lookup,
    /// The index of an earlier opening, used instead of a scan.
    pub(crate) stored: Option<Sidecar>,
    /// The rows of a scan that was made after the stored index had turned out to be wrong.
    pub(crate) rebuilt: OnceLock<(Columns, Lookup)>,
    /// The place at which new instances are written: the ENDSEC of the last data section.
    pub(crate) append_at: usize,
    pub(crate) style: Style,
    /// One more than the largest id.
    pub(crate) next_id: u32,
    pub(crate) indexes: Indexes,
    /// The problems found when the file was opened.
    pub(crate) problems: Vec<Problem>,
}

impl Base {
    /// The bytes of the file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Later instances with an id that was taken already, in file order.
    pub fn shadowed(&self) -> &[Shadowed] {
        &self.shadowed
    }

    /// Names of classes that the schema does not have, in capitals, by class code less [`ClassCodes::UNKNOWN`].
    pub fn unknown_classes(&self) -> &[Box<str>] {
        &self.unknown
    }

    /// Line and column of a byte, both from 1.
    pub fn place(&self, at: usize) -> (usize, usize) {
        self.indexes.lines(&self.bytes).place(&self.bytes, at)
    }

    /// The rows whose class code lies in `codes`, in no particular order.
    pub fn rows_of_class(&self, codes: RangeInclusive<u16>) -> Cow<'_, [u32]> {
        self.indexes.of_class(self, codes)
    }

    /// Hashes of GlobalIds ([`crate::parts::guid_hash`]) with their rows, sorted.
    pub fn guid_rows(&self) -> &[(u64, u32)] {
        self.indexes.guids(self).pairs()
    }

    /// Pairs of a row and an id that it refers to though no instance of the file has it.
    pub fn dangling(&self) -> Cow<'_, [(u32, u32)]> {
        self.indexes.dangling(self)
    }

    /// The schema's tables.
    pub fn schema(&self) -> &'static Schema {
        self.version.schema()
    }

    /// The stored index, as long as nothing contradicts it.
    pub(crate) fn stored(&self) -> Option<&Sidecar> {
        self.stored.as_ref().filter(|stored| !stored.is_damaged())
    }

    /// The columns of a scan, and the way from ids to them: made now, where a stored index has served so far.
    pub(crate) fn scanned(&self) -> (&Columns, &Lookup) {
        if self.stored.is_none() {
            return (&self.rows, &self.lookup);
        }
        let (columns, lookup) = self.rebuilt.get_or_init(|| sections::rescan(&self.bytes));
        (columns, lookup)
    }

    /// Makes ready for very many ids to be asked for.
    pub(crate) fn prepare_lookup(&self) {
        if self.stored().is_none() {
            let (columns, lookup) = self.scanned();
            lookup.prepare(columns);
        }
    }

    /// Instances of the file.
    #[expect(clippy::len_without_is_empty, reason = "a file is asked for its rows, not for being empty")]
    pub fn len(&self) -> usize {
        self.stored().map_or_else(|| self.scanned().0.len(), Sidecar::len)
    }

    /// The row of an id. A stored index that says something else of the instance than its text is dropped.
    #[inline]
    pub fn row(&self, id: u32) -> Option<usize> {
        if let Some(stored) = self.stored()
            && let Ok(found) = stored.row(id)
        {
            match found {
                Some(row) if !self.agrees(row, id) => stored.drop_trust(),
                found => return found,
            }
        }
        let (columns, lookup) = self.scanned();
        lookup.row(columns, id)
    }

    /// All ids, in file order.
    pub fn ids(&self) -> &[u32] {
        self.stored().and_then(Sidecar::ids).unwrap_or_else(|| &self.scanned().0.id)
    }

    /// All class codes, in file order.
    pub fn classes(&self) -> &[u16] {
        self.stored().and_then(Sidecar::classes).unwrap_or_else(|| &self.scanned().0.class)
    }

    /// The id of a row.
    pub fn id(&self, row: usize) -> Option<u32> {
        let stored = self.stored().and_then(|stored| stored.id(row));
        stored.or_else(|| self.scanned().0.id.get(row).copied())
    }

    /// The class code of a row.
    pub fn class(&self, row: usize) -> u16 {
        let stored = self.stored().and_then(|stored| stored.class(row));
        stored.or_else(|| self.scanned().0.class.get(row).copied()).unwrap_or(ClassCodes::OTHER)
    }

    /// The place of a row's `#`, and the bytes up to and with its `;`.
    #[inline]
    pub fn span(&self, row: usize) -> Option<(usize, usize)> {
        let stored = self.stored().and_then(|stored| stored.span(row));
        stored.or_else(|| self.scanned().0.span(row))
    }

    /// The entity of a row, if the schema has its class.
    pub fn entity(&self, row: usize) -> Option<&'static Entity> {
        self.schema().entity_at(ClassCodes::entity_id(self.class(row))?)
    }

    /// The instance's bytes, from its `#` to its `;`.
    pub fn text(&self, row: usize) -> &[u8] {
        let Some((start, length)) = self.span(row) else { return &[] };
        self.bytes.get(start..start.saturating_add(length)).unwrap_or_default()
    }

    /// The instance's head within its text.
    pub fn head(&self, row: usize) -> Option<Head<'_>> {
        head::read(self.text(row))
    }

    /// True if the text of a row is of this id and of the class that its column says.
    fn agrees(&self, row: usize, id: u32) -> bool {
        self.head(row).is_some_and(|head| {
            let same_class = match self.entity(row) {
                Some(entity) => head.class.eq_ignore_ascii_case(entity.name.as_bytes()),
                None => {
                    std::str::from_utf8(head.class).is_ok_and(|name| self.schema().entity(name).is_none())
                }
            };
            same_class && head.id == id
        })
    }

    /// A cursor before the first attribute, within [`Base::text`].
    pub fn attributes(&self, row: usize) -> Option<Cursor<'_>> {
        let text = self.text(row);
        // the class is known, and how long it is says where its list begins
        let near = self.entity(row).and_then(|entity| head::list(text, entity.name.len()));
        let open = match near {
            Some(open) => open,
            None => head::read(text)?.open,
        };
        Some(Cursor::new(text, open + 1))
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
