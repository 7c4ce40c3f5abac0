//! Tables of typed cells, and their formats: XLSX with formulas, CSV, HTML and Parquet written, XLSX and CSV read. No building.

mod csv_file;
mod formula;
mod grouping;
mod html;
mod parquet_file;
mod read;
mod table;
#[cfg(test)]
mod tests;
mod xlsx;

pub use csv_file::write as write_csv;
pub use formula::{BadFormula, Formula};
pub use grouping::{arranged, compare};
pub use html::write as write_html;
pub use parquet_file::{ParquetFile, ParquetKind, ParquetValue};
pub use read::{BadFile, MOST_BYTES, Sheet, read};
pub use table::{Cell, Column, Record, Row, Table, Total};
pub use xlsx::{BadTable, write as write_xlsx};
