//! Tables as Parquet: optional columns of texts and doubles. Numbers stay numbers, and texts are as they are: nothing reads formulas in
//! it.

use crate::cells::{Cell, Table};
use std::io;
use tables::{ParquetFile, ParquetKind, ParquetValue};

/// A table as the bytes of a Parquet file.
pub(crate) fn write(table: &Table) -> io::Result<Vec<u8>> {
    let kind = |is_number: bool| if is_number { ParquetKind::Number } else { ParquetKind::Text };
    let columns: Vec<(String, ParquetKind)> =
        table.columns.iter().map(|(name, is_number)| ((*name).to_owned(), kind(*is_number))).collect();
    let mut out = Vec::new();
    let mut file = ParquetFile::begin(&mut out, &columns)?;
    for row in &table.rows {
        file.row(row.iter().map(|cell| match cell {
            Cell::Empty => ParquetValue::Missing,
            Cell::Text(text) => ParquetValue::Text(text),
            Cell::Number(number) => ParquetValue::Number(*number),
        }))?;
    }
    file.end()?;
    Ok(out)
}
