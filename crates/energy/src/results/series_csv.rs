//! Series as CSV: a line for each time and a column for each key, by RFC 4180.

use super::database::Results;
use super::series::SeriesQuery;
use super::series_rows::{Exported, SeriesRow, SeriesSink};
use contract::Fault;
use std::io::{self, Write};

impl Results {
    /// Writes all points that a query asks for as CSV.
    pub fn write_csv(&self, query: &SeriesQuery, to: &mut dyn Write) -> Result<Exported, Fault> {
        self.write_rows(query, &mut Lines(to))
    }
}

/// Rows as lines.
struct Lines<'a>(&'a mut dyn Write);

impl SeriesSink for Lines<'_> {
    fn begin(&mut self, titles: &[String]) -> io::Result<()> {
        let mut heading = "environment,time".to_owned();
        for title in titles {
            heading.push(',');
            heading.push_str(&field(title));
        }
        heading.push_str("\r\n");
        self.0.write_all(heading.as_bytes())
    }

    fn row(&mut self, row: &SeriesRow<'_>) -> io::Result<()> {
        let mut text = format!("{},{}", field(row.environment), row.time);
        for value in row.values {
            text.push(',');
            if let Some(value) = value {
                text.push_str(&value.to_string());
            }
        }
        text.push_str("\r\n");
        self.0.write_all(text.as_bytes())
    }
}

/// A field of a CSV line.
fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
