//! Series of a variable or a meter: statistics of each key in each environment, and some of the points.
//!
//! Design days and run periods are never mixed: every part belongs to one environment and says which. A point's time is
//! the end of its interval in the program's own way, without daylight saving: `2017-01-01 24:00` is the end of that day. A
//! design day has no year. Values are in the units that are given with them; a sum is only told of what is a sum over its
//! interval, such as energy, never of a temperature. Answers have the digits that say something (`digits`), files all of them.

use super::database::{Environment, EnvironmentKind, Results, real, text, whole};
use super::tables::near;
use crate::digits::rounded;
use crate::pattern::matches;
use contract::{Fault, FaultCode};
use rusqlite::Row;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};

/// The interval at which something is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub enum Frequency {
    /// Every step of the systems, of no fixed length.
    Detailed,
    /// Every time step.
    Timestep,
    /// Every hour.
    Hourly,
    /// Every day.
    Daily,
    /// Every month.
    Monthly,
    /// Once for an environment.
    RunPeriod,
    /// Every year.
    Annual,
}

impl Frequency {
    /// The frequency of the words in the database.
    pub(super) fn from_words(words: &str) -> Option<Self> {
        Some(match words {
            "HVAC System Timestep" | "Detailed HVAC" | "Each Call" => Self::Detailed,
            "Zone Timestep" | "Timestep" => Self::Timestep,
            "Hourly" => Self::Hourly,
            "Daily" => Self::Daily,
            "Monthly" => Self::Monthly,
            "Run Period" | "RunPeriod" => Self::RunPeriod,
            "Annual" => Self::Annual,
            _ => return None,
        })
    }
}

/// The intervals that points are told by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Interval {
    /// Months where a series has more points than a month has hours, else as they were recorded.
    #[default]
    Auto,
    /// As they were recorded.
    Recorded,
    /// Days.
    Day,
    /// Months.
    Month,
}

/// The most points of a series that is told as it was recorded, where its interval is chosen here: the hours of a month.
const LONG: usize = 744;

/// The selection of a series.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeriesQuery {
    /// The variable or meter, in any case.
    pub variable_name: String,
    /// The key, in any case; `*` stands for any text.
    pub key_value: String,
    /// The interval; the finest that was recorded, if none is given.
    pub frequency: Option<Frequency>,
    /// Only design days or only run periods.
    pub environment: Option<EnvironmentKind>,
    /// Leaves design days out where there is a run period, unless `environment` asks for them.
    pub periods_first: bool,
    /// The interval that points are told by.
    pub by: Interval,
    /// Points to skip in each part.
    pub offset: usize,
    /// Points to list in each part.
    pub limit: usize,
}

impl SeriesQuery {
    /// Everything of a variable, with the usual number of points.
    pub fn of_variable(variable_name: &str) -> Self {
        Self {
            variable_name: variable_name.to_owned(),
            key_value: "*".to_owned(),
            frequency: None,
            environment: None,
            periods_first: false,
            by: Interval::Recorded,
            offset: 0,
            limit: 24,
        }
    }
}

/// A value and when it was.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Extreme {
    /// The value.
    pub value: f64,
    /// The end of its interval.
    pub at: String,
}

/// A point of a series: the interval by its end, or by its day or month, with the value in it. Of several points it is their mean, or
/// the sum of what is a sum, with the smallest and largest of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// The time.
    pub at: String,
    /// The value.
    pub value: f64,
    /// Smallest and largest of the points that it is made of.
    pub range: Option<(f64, f64)>,
}

impl Serialize for Point {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.range {
            None => (&self.at, self.value).serialize(serializer),
            Some((least, most)) => (&self.at, self.value, least, most).serialize(serializer),
        }
    }
}

/// The series of one key in one environment.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Part {
    /// The key; empty for a meter.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub key: String,
    /// The environment's name.
    pub environment: String,
    /// The kind of period: a design day or a run period.
    pub kind: EnvironmentKind,
    /// The number of points.
    pub points: usize,
    /// The smallest.
    pub minimum: Extreme,
    /// The largest.
    pub maximum: Extreme,
    /// The mean of all points.
    pub mean: f64,
    /// The sum of all points, of what is a sum over its interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sum: Option<f64>,
    /// The sum in kWh, where the units are J.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sum_kwh: Option<f64>,
    /// Points: end of interval and value; of days and months the mean, or the sum of what is a sum, the smallest and the largest.
    #[schemars(with = "Vec<Vec<serde_json::Value>>")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<Point>,
}

/// The series of a variable.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SeriesAnswer {
    /// Its name, as the program writes it.
    pub variable_name: String,
    /// Its units.
    pub units: String,
    /// True for a meter.
    pub is_meter: bool,
    /// The interval at which it was recorded.
    pub frequency: Frequency,
    /// The interval that rows are told by, where it is not that: `day` or `month`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows_by: Option<Interval>,
    /// At which other frequencies it was recorded, too.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub other_frequencies: Vec<Frequency>,
    /// The series, by environment and key.
    pub parts: Vec<Part>,
    /// The number of parts that are not listed; narrow key_value or environment.
    #[serde(skip_serializing_if = "is_zero")]
    pub parts_left_out: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// The most parts of an answer, and points in all of them together.
const PARTS: usize = 40;
const POINTS: usize = 400;

/// An entry of the database's dictionary.
pub(super) struct Recorded {
    pub(super) index: i64,
    pub(super) name: String,
    pub(super) key: String,
    pub(super) units: String,
    is_meter: bool,
    is_sum: bool,
    frequency: Frequency,
}

/// The series that a query selects.
pub(super) struct Chosen {
    pub(super) recorded: Vec<Recorded>,
    pub(super) frequency: Frequency,
    others: Vec<Frequency>,
    pub(super) environments: HashMap<i64, Environment>,
}

/// The sums of a part while it is read.
struct Gathering {
    points: usize,
    minimum: Extreme,
    maximum: Extreme,
    sum: f64,
    rows: Vec<Point>,
    /// Days or months, all of them.
    bins: Vec<Bin>,
}

/// The points of a day or month while they are read.
struct Bin {
    /// Year, month and, of a day, day.
    date: (i64, i64, i64),
    points: usize,
    sum: f64,
    range: (f64, f64),
}

impl Bin {
    fn point(&self, is_sum: bool) -> Point {
        let (year, month, day) = self.date;
        let year = if year > 0 { format!("{year}-") } else { String::new() };
        let day = if day > 0 { format!("-{day:02}") } else { String::new() };
        let value = if is_sum { self.sum } else { self.sum / self.points.max(1) as f64 };
        Point { at: format!("{year}{month:02}{day}"), value, range: Some(self.range) }
    }
}

impl Gathering {
    fn bin(&mut self, date: (i64, i64, i64), value: f64) {
        if self.bins.last().is_none_or(|last| last.date != date) {
            self.bins.push(Bin { date, points: 0, sum: 0.0, range: (f64::INFINITY, f64::NEG_INFINITY) });
        }
        if let Some(last) = self.bins.last_mut() {
            last.points += 1;
            last.sum += value;
            last.range = (last.range.0.min(value), last.range.1.max(value));
        }
    }
}

impl Results {
    /// The series that a query asks for, bounded; a Fault with near names where there is none.
    pub fn series(&self, query: &SeriesQuery) -> Result<SeriesAnswer, Fault> {
        let chosen = self.chosen(query)?;
        let parts_at_most = (chosen.recorded.len() * chosen.environments.len()).clamp(1, PARTS);
        let limit = query.limit.min((POINTS / parts_at_most).max(1));
        let mut gathered: HashMap<(i64, i64), Gathering> = HashMap::new();
        self.points(&chosen, |row, series, environment| {
            let Some(value) = real(row, 0)? else { return Ok(()) };
            // the text of a time is only made where it is kept
            let part = gathered.entry((environment, series)).or_insert_with(|| Gathering {
                points: 0,
                minimum: Extreme { value: f64::INFINITY, at: String::new() },
                maximum: Extreme { value: f64::NEG_INFINITY, at: String::new() },
                sum: 0.0,
                rows: Vec::new(),
                bins: Vec::new(),
            });
            if value < part.minimum.value {
                part.minimum = Extreme { value, at: time(row, chosen.frequency)? };
            }
            if value > part.maximum.value {
                part.maximum = Extreme { value, at: time(row, chosen.frequency)? };
            }
            part.sum += value;
            if query.by != Interval::Recorded {
                let day = if query.by == Interval::Day { whole(row, 4)? } else { 0 };
                part.bin((whole(row, 2)?, whole(row, 3)?, day), value);
            }
            if part.points >= query.offset && part.rows.len() < limit {
                part.rows.push(Point { at: time(row, chosen.frequency)?, value, range: None });
            }
            part.points += 1;
            Ok(())
        })?;
        let is_long = gathered.values().any(|part| part.points > LONG);
        let by = match query.by {
            Interval::Auto if is_long => Interval::Month,
            Interval::Auto => Interval::Recorded,
            chosen => chosen,
        };
        let mut found: Vec<((i64, i64), Gathering)> = gathered.into_iter().collect();
        found.sort_by_key(|(at, _)| *at);
        let parts_left_out = found.len().saturating_sub(PARTS);
        found.truncate(PARTS);
        let parts = found
            .into_iter()
            .filter_map(|((environment, series), mut part)| {
                let environment = chosen.environments.get(&environment)?;
                let recorded = chosen.recorded.iter().find(|recorded| recorded.index == series)?;
                let told = |value: f64| rounded(value, &recorded.units);
                if by != Interval::Recorded {
                    let bins = part.bins.iter().skip(query.offset).take(limit);
                    part.rows = bins.map(|bin| bin.point(recorded.is_sum)).collect();
                }
                for point in &mut part.rows {
                    point.range = point.range.map(|(least, most)| (told(least), told(most)));
                }
                for value in [&mut part.minimum.value, &mut part.maximum.value]
                    .into_iter()
                    .chain(part.rows.iter_mut().map(|point| &mut point.value))
                {
                    *value = told(*value);
                }
                let sum = recorded.is_sum.then_some(part.sum);
                Some(Part {
                    key: recorded.key.clone(),
                    environment: environment.name.clone(),
                    kind: environment.kind,
                    points: part.points,
                    minimum: part.minimum,
                    maximum: part.maximum,
                    mean: told(part.sum / part.points as f64),
                    sum: sum.map(told),
                    sum_kwh: sum
                        .filter(|_| recorded.units == "J")
                        .map(|joules| rounded(joules / 3.6e6, "kWh")),
                    rows: part.rows,
                })
            })
            .collect();
        let first = chosen.recorded.first();
        Ok(SeriesAnswer {
            variable_name: first.map(|recorded| recorded.name.clone()).unwrap_or_default(),
            units: first.map(|recorded| recorded.units.clone()).unwrap_or_default(),
            is_meter: first.is_some_and(|recorded| recorded.is_meter),
            frequency: chosen.frequency,
            rows_by: Some(by).filter(|by| *by != Interval::Recorded),
            other_frequencies: chosen.others,
            parts,
            parts_left_out,
        })
    }

    /// Goes through the points of the chosen series, in the order of time within each environment.
    pub(super) fn points(
        &self,
        chosen: &Chosen,
        mut take: impl FnMut(&Row, i64, i64) -> rusqlite::Result<()>,
    ) -> Result<(), Fault> {
        let numbers: Vec<String> =
            chosen.recorded.iter().map(|recorded| recorded.index.to_string()).collect();
        // the large table is gone through once, in the order in which it was written; it has no index to use
        let sql = format!(
            "SELECT d.Value, d.TimeIndex, t.Year, t.Month, t.Day, t.Hour, t.Minute, d.ReportDataDictionaryIndex, \
             t.EnvironmentPeriodIndex FROM ReportData d CROSS JOIN Time t ON t.TimeIndex = d.TimeIndex \
             WHERE d.ReportDataDictionaryIndex IN ({}) AND coalesce(t.WarmupFlag, 0) <> 1",
            numbers.join(",")
        );
        self.each(&sql, &[], |row| {
            let environment = whole(row, 8)?;
            if chosen.environments.contains_key(&environment) {
                take(row, whole(row, 7)?, environment)?;
            }
            Ok(true)
        })
    }

    pub(super) fn chosen(&self, query: &SeriesQuery) -> Result<Chosen, Fault> {
        let of_name = self.recorded(&query.variable_name)?;
        let key = query.key_value.trim();
        let mut recorded: Vec<Recorded> = Vec::new();
        let mut keys: Vec<String> = Vec::new();
        for entry in of_name {
            if entry.is_meter || matches(key, &entry.key) {
                recorded.push(entry);
            } else {
                keys.push(entry.key);
            }
        }
        if recorded.is_empty() {
            let known: Vec<&str> = keys.iter().map(String::as_str).collect();
            let near = near(key, &known);
            keys.sort();
            keys.dedup();
            keys.truncate(60);
            return Err(Fault::new(
                FaultCode::NotFound,
                format!("{} was recorded, but not for the key {key}.", query.variable_name),
            )
            .with("field", "key_value")
            .with("near", near)
            .with("keys", keys));
        }
        let mut frequencies: Vec<Frequency> = recorded.iter().map(|entry| entry.frequency).collect();
        frequencies.sort();
        frequencies.dedup();
        let frequency = match query.frequency {
            Some(Frequency::Timestep) if !frequencies.contains(&Frequency::Timestep) => Frequency::Detailed,
            Some(frequency) => frequency,
            None => frequencies.first().copied().unwrap_or(Frequency::Hourly),
        };
        if !frequencies.contains(&frequency) {
            return Err(Fault::new(
                FaultCode::NotFound,
                format!("{} was recorded, but not at this frequency.", query.variable_name),
            )
            .with("field", "frequency")
            .with("recorded", frequencies));
        }
        recorded.retain(|entry| entry.frequency == frequency);
        // where there is a run period, it is what is asked for
        let has_period = || {
            self.environments().is_ok_and(|all| all.iter().any(|known| known.kind == EnvironmentKind::Annual))
        };
        let kind = query
            .environment
            .or_else(|| (query.periods_first && has_period()).then_some(EnvironmentKind::Annual));
        let environments: HashMap<i64, Environment> = self
            .environments()?
            .into_iter()
            .filter(|known| kind.is_none_or(|kind| known.kind == kind))
            .map(|known| (known.index, known))
            .collect();
        if environments.is_empty() {
            let words = match query.environment {
                Some(EnvironmentKind::Annual) => {
                    "This run simulated design days only; ask for environment=sizing."
                }
                Some(EnvironmentKind::Sizing) => {
                    "This run recorded no design days; ask for environment=annual, or run with design_day=true."
                }
                None => "This run simulated nothing.",
            };
            return Err(Fault::new(FaultCode::NotFound, words).with("field", "environment"));
        }
        frequencies.retain(|other| *other != frequency);
        Ok(Chosen { recorded, frequency, others: frequencies, environments })
    }

    /// The entries of a name.
    fn recorded(&self, name: &str) -> Result<Vec<Recorded>, Fault> {
        let name = name.trim();
        let found = self.rows(
            "SELECT ReportDataDictionaryIndex, Name, KeyValue, Units, IsMeter, Type, ReportingFrequency \
             FROM ReportDataDictionary WHERE Name = ?1 COLLATE NOCASE ORDER BY ReportDataDictionaryIndex LIMIT 100000",
            &[&name],
            |row| {
                let Some(frequency) = Frequency::from_words(&text(row, 6)?) else { return Ok(None) };
                Ok(Some(Recorded {
                    index: whole(row, 0)?,
                    name: text(row, 1)?,
                    key: text(row, 2)?,
                    units: text(row, 3)?,
                    is_meter: whole(row, 4)? != 0,
                    is_sum: text(row, 5)? == "Sum",
                    frequency,
                }))
            },
        )?;
        let found: Vec<Recorded> = found.into_iter().flatten().collect();
        if !found.is_empty() {
            return Ok(found);
        }
        let names =
            self.rows("SELECT DISTINCT Name FROM ReportDataDictionary LIMIT 10000", &[], |row| text(row, 0))?;
        let names: HashSet<&str> = names.iter().map(String::as_str).collect();
        let mut names: Vec<&str> = names.into_iter().collect();
        names.sort_unstable();
        Err(Fault::new(
            FaultCode::NotFound,
            format!(
                "The run did not record {name}. list_output_variables lists what it recorded; to record it, add an \
                 Output:Variable or Output:Meter to the model and run again."
            ),
        )
        .with("field", "variable_name")
        .with("near", near(name, &names)))
    }
}

/// The end of an interval; columns 2 to 6 of a point are year, month, day, hour and minute.
pub(super) fn time(row: &Row, frequency: Frequency) -> rusqlite::Result<String> {
    let [year, month, day, hour, minute] =
        [whole(row, 2)?, whole(row, 3)?, whole(row, 4)?, whole(row, 5)?, whole(row, 6)?];
    let year = if year > 0 { format!("{year}-") } else { String::new() };
    Ok(match frequency {
        Frequency::Detailed | Frequency::Timestep | Frequency::Hourly => {
            format!("{year}{month:02}-{day:02} {hour:02}:{minute:02}")
        }
        Frequency::Daily => format!("{year}{month:02}-{day:02}"),
        Frequency::Monthly => format!("{year}{month:02}"),
        Frequency::RunPeriod => "run period".to_owned(),
        Frequency::Annual => {
            let year = year.trim_end_matches('-');
            if year.is_empty() { "year".to_owned() } else { year.to_owned() }
        }
    })
}
