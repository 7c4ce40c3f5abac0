//! Tables that a person filled in, read back: workbooks and CSV, with the place of each line, and with what [`crate::write_xlsx`] left beside them.

mod text;
mod workbook;

use crate::Cell;
use std::collections::HashMap;

/// Bytes of a file at most.
pub const MOST_BYTES: usize = 64 << 20;
/// Lines, columns and cells at most.
const MOST_LINES: usize = 200_000;
const MOST_COLUMNS: usize = 1_000;
const MOST_CELLS: usize = 2_000_000;
/// Lines at the top among which the header is looked for.
const HEADER_WITHIN: usize = 20;

/// A file that is no table.
#[derive(Debug, thiserror::Error)]
pub enum BadFile {
    /// Neither a workbook nor text.
    #[error("it is neither an XLSX workbook nor CSV text: {0}")]
    Kind(String),
    /// A workbook that cannot be read.
    #[error("the workbook cannot be read: {0}")]
    Workbook(String),
    /// A line that cannot be read.
    #[error("line {line}: {problem}")]
    Line {
        /// From 1.
        line: u64,
        /// The fault.
        problem: String,
    },
    /// More than is read.
    #[error("it has more than {most} {what}, and nothing was read of it")]
    Size {
        /// The limit.
        most: usize,
        /// The things that are too many.
        what: &'static str,
    },
    /// No header.
    #[error("none of its first {within} lines has the heading `{heading}`, which says what each line is about", within = HEADER_WITHIN)]
    Header {
        /// The heading that is looked for.
        heading: String,
    },
    /// No line at all.
    #[error("it is empty")]
    Empty,
    /// A heading that stands twice.
    #[error("line {line}: the heading `{heading}` stands twice")]
    Twice {
        /// From 1.
        line: usize,
        /// The heading.
        heading: String,
    },
}

/// A line below the header.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Its number in the file, from 1.
    pub number: usize,
    /// A cell for each heading.
    pub cells: Vec<Cell>,
}

/// A column as an export wrote it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Written {
    /// Its key.
    pub key: String,
    /// Its heading with the unit.
    pub title: String,
    /// Its unit.
    pub unit: Option<String>,
    /// True of a column that may be filled in.
    pub is_editable: bool,
}

/// A table that was read.
#[derive(Debug, Clone, Default)]
pub struct Sheet {
    /// The headings, in their order; empty ones where a column has none.
    pub headings: Vec<String>,
    /// The position of the heading of ids.
    pub ids: usize,
    /// The lines that have an id.
    pub lines: Vec<Line>,
    /// The columns as they were written, where the file says.
    pub columns: Vec<Written>,
    /// The values as they were written, by id; a cell for each of `columns`.
    pub values: HashMap<String, Vec<Cell>>,
    /// True of text in which a comma parts decimals, since semicolons part cells.
    pub has_decimal_commas: bool,
}

/// Reads a workbook or CSV text whose column of ids has this heading; without one the first line is the header, and every line counts.
pub fn read(bytes: &[u8], id_heading: Option<&str>) -> Result<Sheet, BadFile> {
    if bytes.len() > MOST_BYTES {
        return Err(BadFile::Size { most: MOST_BYTES, what: "bytes" });
    }
    match bytes {
        [b'P', b'K', 3, 4, ..] => workbook::read(bytes, id_heading),
        // the older format of workbooks, a container of another kind
        [0xd0, 0xcf, 0x11, 0xe0, ..] => {
            Err(BadFile::Kind("it is a workbook of the format XLS; save it as XLSX".into()))
        }
        _ => text::read(bytes, id_heading),
    }
}

/// Lines that are gathered while a file is read, bounded.
#[derive(Default)]
struct Gathered {
    lines: Vec<Line>,
    cells: usize,
}

impl Gathered {
    /// Puts a cell into a line; lines come in their order, cells of a line too.
    fn put(&mut self, number: usize, column: usize, cell: Cell) -> Result<(), BadFile> {
        if cell.is_empty() {
            return Ok(());
        }
        if column >= MOST_COLUMNS {
            return Err(BadFile::Size { most: MOST_COLUMNS, what: "columns" });
        }
        if self.lines.last().is_none_or(|line| line.number != number) {
            if self.lines.len() >= MOST_LINES {
                return Err(BadFile::Size { most: MOST_LINES, what: "lines" });
            }
            self.lines.push(Line { number, cells: Vec::new() });
        }
        let Some(line) = self.lines.last_mut() else { return Ok(()) };
        let added = (column + 1).saturating_sub(line.cells.len());
        self.cells += added;
        if self.cells > MOST_CELLS {
            return Err(BadFile::Size { most: MOST_CELLS, what: "cells" });
        }
        if added > 0 {
            line.cells.resize(column + 1, Cell::Empty);
        }
        if let Some(place) = line.cells.get_mut(column) {
            *place = cell;
        }
        Ok(())
    }

    /// The lines below the header that have an id, each as wide as the header.
    fn headed(self, id_heading: Option<&str>) -> Result<Sheet, BadFile> {
        let is_id =
            |cell: &Cell| id_heading.is_none_or(|heading| cell.words().trim().eq_ignore_ascii_case(heading));
        let mut lines = self.lines.into_iter();
        let header = lines.by_ref().take(HEADER_WITHIN).find(|line| line.cells.iter().any(is_id));
        let Some(header) = header else {
            return Err(match id_heading {
                Some(heading) => BadFile::Header { heading: heading.to_owned() },
                None => BadFile::Empty,
            });
        };
        let headings: Vec<String> = header.cells.iter().map(|cell| cell.words().trim().to_owned()).collect();
        let named = headings.iter().enumerate().filter(|(_, heading)| !heading.is_empty());
        for (at, heading) in named {
            if headings.iter().take(at).any(|other| other == heading) {
                return Err(BadFile::Twice { line: header.number, heading: heading.clone() });
            }
        }
        let ids = header.cells.iter().position(is_id).unwrap_or_default();
        let width = headings.len();
        let has_id = |line: &Line| {
            let id = line.cells.get(ids).is_some_and(|cell| !cell.words().trim().is_empty());
            id || id_heading.is_none()
        };
        let lines = lines.filter(has_id).map(|mut line| {
            line.cells.resize(width, Cell::Empty);
            line
        });
        Ok(Sheet { headings, ids, lines: lines.collect(), ..Sheet::default() })
    }
}
