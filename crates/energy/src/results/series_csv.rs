//! Series as CSV: a line for each time and a column for each key, by RFC 4180.

use super::database::Results;
use super::series::SeriesQuery;
use super::series_rows::{Exported, SeriesRow, SeriesSink, unwritten};
use contract::Fault;
use csv::{Terminator, Writer, WriterBuilder};
use std::io::{self, Write};

impl Results {
    /// Writes all points that a query asks for as CSV.
    pub fn write_csv(&self, query: &SeriesQuery, to: &mut dyn Write) -> Result<Exported, Fault> {
        let mut lines = Lines(WriterBuilder::new().terminator(Terminator::CRLF).from_writer(to));
        let exported = self.write_rows(query, &mut lines)?;
        lines.0.flush().map_err(|error| unwritten(&error))?;
        Ok(exported)
    }
}

/// Rows as lines.
struct Lines<'a>(Writer<&'a mut dyn Write>);

impl SeriesSink for Lines<'_> {
    fn begin(&mut self, titles: &[String]) -> io::Result<()> {
        let fixed = ["environment", "time"].into_iter();
        Ok(self.0.write_record(fixed.chain(titles.iter().map(String::as_str)))?)
    }

    fn row(&mut self, row: &SeriesRow<'_>) -> io::Result<()> {
        self.0.write_field(row.environment)?;
        self.0.write_field(row.time)?;
        for value in row.values {
            self.0.write_field(value.map_or_else(String::new, |value| value.to_string()))?;
        }
        // ends the line
        Ok(self.0.write_record(None::<&[u8]>)?)
    }
}
