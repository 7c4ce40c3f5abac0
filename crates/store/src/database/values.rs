//! What goes into a statement and what comes out of a row, the same on both engines.
//!
//! Numbers are kept as signed 64 bits, flags as numbers or booleans (whatever the engine calls them), text as text, bytes
//! as bytes. Nothing else is used in a table.

use crate::error::StoreError;
use contract::{EventId, ModelId, OperationId, VersionId};

/// A parameter.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Value<'a> {
    Null,
    Integer(i64),
    Text(&'a str),
    Blob(&'a [u8]),
}

/// The parameters of a statement, `?1` first.
macro_rules! values {
    ($($value:expr),* $(,)?) => { &[$($crate::database::Value::from($value)),*][..] };
}
pub(crate) use values;

impl From<i64> for Value<'_> {
    fn from(number: i64) -> Self {
        Self::Integer(number)
    }
}

impl From<u64> for Value<'_> {
    fn from(number: u64) -> Self {
        Self::Integer(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<u32> for Value<'_> {
    fn from(number: u32) -> Self {
        Self::Integer(number.into())
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text)
    }
}

impl<'a> From<&'a String> for Value<'a> {
    fn from(text: &'a String) -> Self {
        Self::Text(text)
    }
}

impl<'a> From<&'a Vec<u8>> for Value<'a> {
    fn from(bytes: &'a Vec<u8>) -> Self {
        Self::Blob(bytes)
    }
}

impl<'a, T> From<Option<T>> for Value<'a>
where
    Value<'a>: From<T>,
{
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Self::from)
    }
}

impl<'a> From<&'a Option<String>> for Value<'a> {
    fn from(value: &'a Option<String>) -> Self {
        value.as_deref().into()
    }
}

impl<'a> From<&'a Cell> for Value<'a> {
    fn from(cell: &'a Cell) -> Self {
        match cell {
            Cell::Integer(number) => Self::Integer(*number),
            Cell::Text(text) => Self::Text(text),
            Cell::Blob(bytes) => Self::Blob(bytes),
            Cell::Null | Cell::Other => Self::Null,
        }
    }
}

macro_rules! ids {
    ($($id:ty),*) => { $(
        impl<'a> From<&'a $id> for Value<'a> {
            fn from(id: &'a $id) -> Self {
                Self::Text(id.as_str())
            }
        }

        impl Column for $id {
            fn from_cell(cell: Cell) -> Option<Self> {
                String::from_cell(cell).map(Self)
            }
        }
    )* };
}
ids!(ModelId, VersionId, EventId, OperationId);

/// One value of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Cell {
    Null,
    Integer(i64),
    Text(String),
    Blob(Vec<u8>),
    /// Something that no table of ours has.
    Other,
}

/// A type that values of rows are read as.
pub(crate) trait Column: Sized {
    /// The value, if it is one.
    fn from_cell(cell: Cell) -> Option<Self>;
}

impl Column for i64 {
    fn from_cell(cell: Cell) -> Option<Self> {
        if let Cell::Integer(number) = cell { Some(number) } else { None }
    }
}

/// Unsigned numbers are kept as signed ones; a negative one is none of ours.
impl Column for u64 {
    fn from_cell(cell: Cell) -> Option<Self> {
        i64::from_cell(cell).and_then(|number| number.try_into().ok())
    }
}

impl Column for u32 {
    fn from_cell(cell: Cell) -> Option<Self> {
        i64::from_cell(cell).and_then(|number| number.try_into().ok())
    }
}

impl Column for bool {
    fn from_cell(cell: Cell) -> Option<Self> {
        i64::from_cell(cell).map(|number| number != 0)
    }
}

impl Column for String {
    fn from_cell(cell: Cell) -> Option<Self> {
        if let Cell::Text(text) = cell { Some(text) } else { None }
    }
}

impl Column for Vec<u8> {
    fn from_cell(cell: Cell) -> Option<Self> {
        if let Cell::Blob(bytes) = cell { Some(bytes) } else { None }
    }
}

impl<T: Column> Column for Option<T> {
    fn from_cell(cell: Cell) -> Option<Self> {
        if matches!(cell, Cell::Null) { Some(None) } else { T::from_cell(cell).map(Some) }
    }
}

/// A row that a statement answered.
pub(crate) struct Row<'a>(pub(super) RowOf<'a>);

pub(super) enum RowOf<'a> {
    Sqlite(&'a rusqlite::Row<'a>),
    Postgres(&'a postgres::Row),
}

impl Row<'_> {
    /// The value of a column as it is kept, counted from 0.
    pub(crate) fn cell(&self, column: usize) -> Cell {
        match self.0 {
            RowOf::Sqlite(row) => super::sqlite::cell(row, column),
            RowOf::Postgres(row) => super::postgres::cell(row, column),
        }
    }

    /// The value of a column, counted from 0.
    pub(crate) fn get<T: Column>(&self, column: usize) -> Result<T, StoreError> {
        T::from_cell(self.cell(column))
            .ok_or_else(|| StoreError::Damaged(format!("column {column} of a row is not what it should be")))
    }
}
