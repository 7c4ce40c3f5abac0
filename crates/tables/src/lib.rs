//! Tables of typed cells, and their formats: XLSX with formulas, CSV and HTML written, XLSX and CSV read. No building.

mod csv_file;
mod formula;
mod grouping;
mod html;
mod read;
mod table;
#[cfg(test)]
mod tests;
mod xlsx;

pub use csv_file::write as write_csv;
pub use formula::{BadFormula, Formula};
pub use grouping::{arranged, compare};
pub use html::write as write_html;
pub use read::{BadFile, MOST_BYTES, Sheet, read};
pub use table::{Cell, Column, Record, Row, Table, Total};
pub use xlsx::{BadTable, write as write_xlsx};
