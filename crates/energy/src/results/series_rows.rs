//! Every point of what a query selects, a row for each time and a column for each key, one row after another: a table of any length in
//! the memory of one row.

use super::database::{Results, real, whole};
use super::series::{Frequency, SeriesQuery, time};
use contract::{Fault, FaultCode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::io;

/// The outcome of an export.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Exported {
    /// The variable, as the program writes it.
    pub variable_name: String,
    /// The interval at which it was recorded.
    pub frequency: Frequency,
    /// Rows, without the heading.
    pub rows: usize,
    /// Columns of values.
    pub columns: usize,
}

/// The end of an interval as numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// Year; none for design days and where the program records none.
    pub year: Option<i64>,
    /// Month, from 1.
    pub month: i64,
    /// Day of the month.
    pub day: i64,
    /// Hour, 0 to 24: 24 is the end of the day.
    pub hour: i64,
    /// Minute, 0 to 60.
    pub minute: i64,
}

/// The values of one time.
#[derive(Debug)]
pub struct SeriesRow<'a> {
    /// The design day or run period.
    pub environment: &'a str,
    /// The interval's end as text, as precise as the interval: `07-21 18:00`, `07-21`, `07`.
    pub time: &'a str,
    /// The interval's end; none for those longer than a day, which end at no hour.
    pub moment: Option<Moment>,
    /// A value for each column, in its unit; none where it was not recorded.
    pub values: &'a [Option<f64>],
}

/// A taker of rows.
pub trait SeriesSink {
    /// Takes the titles of the columns of values, once, before all rows.
    fn begin(&mut self, titles: &[String]) -> io::Result<()>;
    /// Takes a row.
    fn row(&mut self, row: &SeriesRow<'_>) -> io::Result<()>;
}

impl Results {
    /// Hands all points that a query asks for to a sink.
    pub fn write_rows(&self, query: &SeriesQuery, sink: &mut dyn SeriesSink) -> Result<Exported, Fault> {
        let chosen = self.chosen(query)?;
        let titles: Vec<String> = chosen
            .recorded
            .iter()
            .map(|recorded| match recorded.key.as_str() {
                "" => format!("{} [{}]", recorded.name, recorded.units),
                key => format!("{key}:{} [{}]", recorded.name, recorded.units),
            })
            .collect();
        let width = titles.len();
        let places: HashMap<i64, usize> =
            chosen.recorded.iter().enumerate().map(|(at, recorded)| (recorded.index, at)).collect();
        let mut line =
            Line { environment: 0, index: -1, time: String::new(), moment: None, values: Vec::new() };
        let mut rows = 0_usize;
        let mut put = |line: &Line, sink: &mut dyn SeriesSink| -> io::Result<()> {
            if line.index < 0 {
                return Ok(());
            }
            rows += 1;
            let environment =
                chosen.environments.get(&line.environment).map_or("", |known| known.name.as_str());
            sink.row(&SeriesRow { environment, time: &line.time, moment: line.moment, values: &line.values })
        };
        let mut written = sink.begin(&titles);
        self.points(&chosen, |row, series, environment| {
            let index = whole(row, 1)?;
            if index != line.index || environment != line.environment {
                if written.is_ok() {
                    written = put(&line, sink);
                }
                line = Line {
                    environment,
                    index,
                    time: time(row, chosen.frequency)?,
                    moment: moment(row, chosen.frequency)?,
                    values: vec![None; width],
                };
            }
            if let Some(place) = places.get(&series).and_then(|at| line.values.get_mut(*at)) {
                *place = real(row, 0)?;
            }
            Ok(())
        })?;
        written = written.and_then(|()| put(&line, sink));
        written.map_err(|error| unwritten(&error))?;
        let name = chosen.recorded.first().map(|recorded| recorded.name.clone());
        Ok(Exported {
            variable_name: name.unwrap_or_default(),
            frequency: chosen.frequency,
            rows,
            columns: width,
        })
    }
}

/// The fault of a series that could not be written.
pub(super) fn unwritten(error: &io::Error) -> Fault {
    Fault::new(FaultCode::StorageFailed, format!("The series could not be written: {error}"))
}

/// A row while it is filled.
struct Line {
    environment: i64,
    index: i64,
    time: String,
    moment: Option<Moment>,
    values: Vec<Option<f64>>,
}

fn moment(row: &rusqlite::Row<'_>, frequency: Frequency) -> rusqlite::Result<Option<Moment>> {
    Ok(match frequency {
        Frequency::Detailed | Frequency::Timestep | Frequency::Hourly | Frequency::Daily => Some(Moment {
            year: Some(whole(row, 2)?).filter(|year| *year > 0),
            month: whole(row, 3)?,
            day: whole(row, 4)?,
            // a day ends with its last hour
            hour: if frequency == Frequency::Daily { 24 } else { whole(row, 5)? },
            minute: if frequency == Frequency::Daily { 0 } else { whole(row, 6)? },
        }),
        Frequency::Monthly | Frequency::RunPeriod | Frequency::Annual => None,
    })
}
