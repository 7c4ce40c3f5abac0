//! The table itself: columns with units, records with cells, and the rows of groups and totals between them.

use crate::Formula;

/// A value.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Cell {
    /// Nothing.
    #[default]
    Empty,
    /// A text.
    Text(String),
    /// A number.
    Number(f64),
    /// Yes or no.
    Truth(bool),
}

impl Cell {
    /// Its number, if it is one.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// Its words: numbers to at most twelve digits, `TRUE` and `FALSE`.
    pub fn words(&self) -> String {
        match self {
            Self::Empty => String::new(),
            Self::Text(text) => text.clone(),
            Self::Number(number) => number_words(*number),
            Self::Truth(truth) => if *truth { "TRUE" } else { "FALSE" }.to_owned(),
        }
    }

    /// Its words with so many decimals, if it is a number.
    pub fn rounded_words(&self, decimals: Option<u8>) -> String {
        match (self, decimals) {
            (Self::Number(number), Some(decimals)) if number.is_finite() => {
                let words = format!("{number:.*}", usize::from(decimals));
                // no minus before nought
                if words.trim_matches(['-', '0', '.']).is_empty() {
                    words.trim_start_matches('-').to_owned()
                } else {
                    words
                }
            }
            _ => self.words(),
        }
    }

    /// True of [`Cell::Empty`].
    pub fn is_empty(&self) -> bool {
        *self == Self::Empty
    }
}

/// A number without the noise of binary fractions.
fn number_words(number: f64) -> String {
    let tidy: f64 = format!("{number:.11e}").parse().unwrap_or(number);
    // adding nought turns the negative one round
    (tidy + 0.0).to_string()
}

/// A value over the records of a group, or over all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Total {
    /// The sum of the numbers.
    Sum,
    /// Their mean.
    Average,
    /// The least.
    Min,
    /// The greatest.
    Max,
    /// How many records have a value.
    Count,
}

impl Total {
    /// Every total by its name.
    pub const ALL: [(&'static str, Self); 5] = [
        ("sum", Self::Sum),
        ("avg", Self::Average),
        ("min", Self::Min),
        ("max", Self::Max),
        ("count", Self::Count),
    ];

    /// The total of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(known, _)| *known == name).map(|(_, total)| total)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::ALL.into_iter().find(|(_, total)| *total == self).map_or("", |(name, _)| name)
    }

    /// The number of the function SUBTOTAL of spreadsheet programs (OpenFormula 1.2, 6.16.63), which leaves out other subtotals.
    pub(crate) fn function(self) -> u8 {
        match self {
            Self::Average => 1,
            Self::Count => 3,
            Self::Max => 4,
            Self::Min => 5,
            Self::Sum => 9,
        }
    }

    /// The value over these cells.
    pub fn over<'c>(self, cells: impl Iterator<Item = &'c Cell>) -> Cell {
        if self == Self::Count {
            return Cell::Number(cells.filter(|cell| !cell.is_empty()).count() as f64);
        }
        let numbers: Vec<f64> = cells.filter_map(Cell::number).collect();
        if numbers.is_empty() {
            return if self == Self::Sum { Cell::Number(0.0) } else { Cell::Empty };
        }
        Cell::Number(match self {
            Self::Average => numbers.iter().sum::<f64>() / numbers.len() as f64,
            Self::Min => numbers.iter().copied().fold(f64::INFINITY, f64::min),
            Self::Max => numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            Self::Sum | Self::Count => numbers.iter().sum(),
        })
    }
}

/// A column.
#[derive(Debug, Clone, Default)]
pub struct Column {
    /// The name that programs know it by; written to CSV, and beside the table in XLSX.
    pub key: String,
    /// The name that people read.
    pub heading: String,
    /// The unit of its numbers.
    pub unit: Option<String>,
    /// Decimals shown; the values keep all.
    pub decimals: Option<u8>,
    /// The value in rows of totals.
    pub total: Option<Total>,
    /// The formula over other columns that it is computed by; positions in it are those of columns.
    pub formula: Option<Formula>,
    /// True of values that a person may fill in and give back.
    pub is_editable: bool,
}

impl Column {
    /// The heading with the unit in brackets.
    pub fn title(&self) -> String {
        match &self.unit {
            Some(unit) => format!("{} ({unit})", self.heading),
            None => self.heading.clone(),
        }
    }

    /// The key with the unit in brackets.
    pub fn key_with_unit(&self) -> String {
        match &self.unit {
            Some(unit) => format!("{} ({unit})", self.key),
            None => self.key.clone(),
        }
    }
}

/// A line of values.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Record {
    /// The id of what it is about; several are parted by a space.
    pub id: String,
    /// A cell for each column.
    pub cells: Vec<Cell>,
}

/// A row as it stands in the table.
#[derive(Debug, Clone, PartialEq)]
pub enum Row {
    /// Values.
    Record(Record),
    /// The heading of a group, with how deep it lies and how many records it has.
    Group {
        /// Depth, from nought.
        level: usize,
        /// Its words.
        heading: String,
        /// Records below it.
        count: usize,
    },
    /// The totals of a group or, without a depth, of all.
    Total {
        /// Depth of the group, from nought.
        level: Option<usize>,
        /// Its words.
        heading: String,
        /// The rows that it is over, as positions in the table; rows of other totals among them do not count.
        over: std::ops::Range<usize>,
        /// A cell for each column.
        cells: Vec<Cell>,
    },
}

/// A table.
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// Its title.
    pub title: String,
    /// Lines below the title: of which model, version and time.
    pub subtitle: Vec<String>,
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows.
    pub rows: Vec<Row>,
    /// The heading of the column of ids; the column is written where it is given.
    pub id_heading: Option<String>,
}

impl Table {
    /// The records, in their order.
    pub fn records(&self) -> impl Iterator<Item = &Record> {
        self.rows.iter().filter_map(|row| match row {
            Row::Record(record) => Some(record),
            _ => None,
        })
    }
}
