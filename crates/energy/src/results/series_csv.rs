//! Series as CSV: every point of what a query selects, a line for each time and a column for each key.

use super::database::{Results, real, whole};
use super::series::{Frequency, SeriesQuery, time};
use contract::{Fault, FaultCode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::io::Write;

/// The outcome of an export.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Exported {
    /// The variable, as the program writes it.
    pub variable_name: String,
    /// The interval at which it was recorded.
    pub frequency: Frequency,
    /// Lines, without the heading.
    pub rows: usize,
    /// Columns of values.
    pub columns: usize,
}

impl Results {
    /// Writes all points that a query asks for as CSV: a line for each time, a column for each key.
    pub fn write_csv(&self, query: &SeriesQuery, to: &mut dyn Write) -> Result<Exported, Fault> {
        let chosen = self.chosen(query)?;
        let mut written = Ok(());
        let mut heading = "environment,time".to_owned();
        for recorded in &chosen.recorded {
            let title = match recorded.key.as_str() {
                "" => format!("{} [{}]", recorded.name, recorded.units),
                key => format!("{key}:{} [{}]", recorded.name, recorded.units),
            };
            heading.push(',');
            heading.push_str(&field(&title));
        }
        heading.push_str("\r\n");
        let mut line = Line { environment: 0, index: -1, time: String::new(), values: Vec::new() };
        let mut rows = 0_usize;
        let width = chosen.recorded.len();
        let places: HashMap<i64, usize> =
            chosen.recorded.iter().enumerate().map(|(at, recorded)| (recorded.index, at)).collect();
        let mut put = |line: &Line, to: &mut dyn Write| -> std::io::Result<()> {
            if line.index < 0 {
                return Ok(());
            }
            rows += 1;
            let name = chosen.environments.get(&line.environment).map_or("", |known| known.name.as_str());
            let mut text = format!("{},{}", field(name), line.time);
            for value in &line.values {
                text.push(',');
                if let Some(value) = value {
                    text.push_str(&value.to_string());
                }
            }
            text.push_str("\r\n");
            to.write_all(text.as_bytes())
        };
        written = written.and_then(|()| to.write_all(heading.as_bytes()));
        self.points(&chosen, |row, series, environment| {
            let index = whole(row, 1)?;
            if index != line.index || environment != line.environment {
                if written.is_ok() {
                    written = put(&line, to);
                }
                line = Line {
                    environment,
                    index,
                    time: time(row, chosen.frequency)?,
                    values: vec![None; width],
                };
            }
            if let Some(place) = places.get(&series).and_then(|at| line.values.get_mut(*at)) {
                *place = real(row, 0)?;
            }
            Ok(())
        })?;
        written = written.and_then(|()| put(&line, to));
        written.map_err(|error| {
            Fault::new(FaultCode::StorageFailed, format!("The CSV could not be written: {error}"))
        })?;
        let name = chosen.recorded.first().map(|recorded| recorded.name.clone());
        Ok(Exported {
            variable_name: name.unwrap_or_default(),
            frequency: chosen.frequency,
            rows,
            columns: width,
        })
    }
}

/// A line of a CSV while it is filled.
struct Line {
    environment: i64,
    index: i64,
    time: String,
    values: Vec<Option<f64>>,
}

/// A field of a CSV line.
fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
