//! What a simulation wrote: its errors, its tables, its series; and how to ask EnergyPlus for them.
//!
//! A run leaves a folder. Three of its files are read here: `eplusout.err` says what the program thought of the model,
//! `eplusout.end` how it ended, and `eplusout.sql` holds every table and every series. [`plan`] says which programs to run
//! and in what order, [`progress`] follows their own words, [`outcome`] tells a finished run from a failed, killed or
//! crashed one. Nothing here starts a program.
//!
//! Every file is taken as foreign: a database that is absent, cut off, locked or made to hurt ends as a Fault, and
//! answers are bounded, with a count of what was left out and how to ask for it.

mod comfort;
pub mod compare;
pub mod database;
pub mod errors;
mod meters;
pub mod outcome;
pub mod peaks;
pub mod plan;
pub mod progress;
pub mod series;
mod series_csv;
mod series_rows;
pub mod summary;
pub mod tables;
pub mod variables;
pub mod zone_facts;
pub mod zones;

#[cfg(test)]
mod tests;

pub use comfort::{Comfort, Cost};
pub use compare::{Comparison, Pair, compare};
pub use database::{Environment, EnvironmentKind, Results};
pub use errors::{Ending, ErrorReport, ErrorSummary, Level};
pub use outcome::{Exit, RunOutcome, RunStatus, judge};
pub use plan::{ModelFormat, Plan, RunOptions, Span};
pub use progress::{Expected, ProgressReader};
pub use series::{Frequency, Interval, SeriesAnswer, SeriesQuery};
pub use series_rows::{Exported, Moment, SeriesRow, SeriesSink};
pub use tables::{TableAnswer, TableQuery};
pub use zone_facts::ZoneOfRun;
pub use zones::ZoneNumbers;
