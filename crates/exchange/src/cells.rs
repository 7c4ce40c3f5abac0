//! Tables of texts and numbers, and how they are written as CSV (RFC 4180) so that no program takes a text for a formula.

use crate::ExchangeError;

/// A cell.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Cell {
    /// Nothing is said.
    Empty,
    /// A text.
    Text(String),
    /// A number.
    Number(f64),
}

impl From<Option<String>> for Cell {
    fn from(text: Option<String>) -> Cell {
        text.map_or(Cell::Empty, Cell::Text)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell::Text(text.to_owned())
    }
}

impl From<Option<f64>> for Cell {
    fn from(number: Option<f64>) -> Cell {
        number.filter(|n| n.is_finite()).map_or(Cell::Empty, Cell::Number)
    }
}

/// A column: its name, and whether it holds numbers.
pub(crate) type Column = (&'static str, bool);

/// A table, row by row.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Table {
    pub name: &'static str,
    pub columns: &'static [Column],
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    pub fn new(name: &'static str, columns: &'static [Column]) -> Table {
        Table { name, columns, rows: Vec::new() }
    }

    /// The table as CSV in UTF-8 with a byte order mark, by which spreadsheet programs know that.
    pub fn csv(&self) -> Result<Vec<u8>, ExchangeError> {
        let mut out = b"\xEF\xBB\xBF".to_vec();
        let mut writer = csv::Writer::from_writer(&mut out);
        let failed = |error: csv::Error| ExchangeError::Write(std::io::Error::other(error));
        writer.write_record(self.columns.iter().map(|(name, _)| *name)).map_err(failed)?;
        for row in &self.rows {
            let cells = row.iter().map(|cell| match cell {
                Cell::Empty => String::new(),
                Cell::Text(text) => harmless(text),
                Cell::Number(number) => number.to_string(),
            });
            writer.write_record(cells).map_err(failed)?;
        }
        writer.flush()?;
        drop(writer);
        Ok(out)
    }
}

/// A text that no spreadsheet program takes for a formula: where it would begin one, an apostrophe stands before it. A plain number is
/// none.
pub(crate) fn harmless(text: &str) -> String {
    const BEGINNINGS: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];
    let begins = text.trim_start_matches(' ').starts_with(BEGINNINGS);
    let is_number =
        text.chars().all(|c| c.is_ascii_digit() || "+-.eE".contains(c)) && text.parse::<f64>().is_ok();
    if begins && !is_number { format!("'{text}") } else { text.to_owned() }
}
