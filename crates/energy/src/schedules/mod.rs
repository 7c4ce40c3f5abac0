//! What schedules say on each hour of a year, as EnergyPlus itself reads them.
//!
//! A schedule is either one value (`Schedule:Constant`), text that says everything at once (`Schedule:Compact`), or a chain of
//! year, weeks and days. Which day of the chain holds depends on the date and on the kind of day: a weekday, a holiday or
//! another special day of the model. Times that fall within a time step count as the program counts them. Hours are those of
//! the clock; daylight saving is not applied.
//!
//! What cannot be told is said with a reason: values in a file that is not at hand, or that another program gives while it runs.

mod calendar;
mod day;
mod read;

#[cfg(test)]
mod tests;

pub use calendar::{Calendar, DAY_TYPES, Day, SUMMER, WINTER};
pub use day::{DayProfile, Interpolation};
pub use read::ReadFile;

use crate::idf::{Document, Object};
use read::Rules;
use std::collections::HashMap;

/// Types of objects that are whole schedules; weeks and days are parts of one.
pub const TYPES: [&str; 8] = [
    "Schedule:Compact",
    "Schedule:Constant",
    "Schedule:Year",
    "Schedule:File",
    "Schedule:File:Shading",
    "ExternalInterface:Schedule",
    "ExternalInterface:FunctionalMockupUnitImport:To:Schedule",
    "ExternalInterface:FunctionalMockupUnitExport:To:Schedule",
];

/// A schedule laid on a year.
#[derive(Debug, Clone, PartialEq)]
pub struct YearOfHours {
    /// Days that differ, each as the means of its hours.
    pub profiles: Vec<[f64; 24]>,
    /// For every day of the year, which of the profiles.
    pub days: Vec<usize>,
    /// The day for sizing of cooling, on 21 July, and for heating, on 21 January.
    pub design_days: [Option<[f64; 24]>; 2],
    /// Kinds of days of which it says nothing in some part of the year; they count as zero.
    pub unsaid: Vec<&'static str>,
}

impl YearOfHours {
    /// Every hour of the year.
    pub fn hours(&self) -> impl Iterator<Item = f64> + '_ {
        self.days.iter().filter_map(|at| self.profiles.get(*at)).flatten().copied()
    }
}

/// The schedules of a document.
pub fn all(document: &Document) -> impl Iterator<Item = Object<'_>> {
    TYPES.into_iter().flat_map(|name| document.of_type(name))
}

/// Time steps in an hour.
pub fn steps_per_hour(document: &Document) -> usize {
    let steps =
        document.of_type("Timestep").next().and_then(|object| object.number("number_of_timesteps_per_hour"));
    steps.filter(|steps| (1.0..=60.0).contains(steps)).unwrap_or(6.0) as usize
}

/// Lays a schedule on a year; a reason where that cannot be done.
pub fn resolve(
    object: Object<'_>,
    calendar: &Calendar,
    read_file: ReadFile<'_>,
) -> Result<YearOfHours, String> {
    let steps = steps_per_hour(object.document());
    let rules = read::rules(object, read_file)?;
    let mut profiles: Vec<[f64; 24]> = Vec::new();
    let mut known: HashMap<[u64; 24], usize> = HashMap::new();
    let mut put = |hours: [f64; 24]| {
        *known.entry(hours.map(f64::to_bits)).or_insert_with(|| {
            profiles.push(hours);
            profiles.len() - 1
        })
    };
    if let Rules::Hours(hours) = &rules {
        let days = read::hours_on(&calendar.days, hours, calendar.year).into_iter().map(put).collect();
        return Ok(YearOfHours { profiles, days, design_days: [None, None], unsaid: Vec::new() });
    }
    let day = |day: Day, kind: usize| {
        let profile = rules.day(day, kind);
        profile
            .map(|profile| profile.hours(steps))
            .ok_or_else(|| format!("it says nothing of {}", day.label()))
    };
    let mut days = Vec::with_capacity(calendar.days.len());
    for at in &calendar.days {
        days.push(put(day(*at, at.kind)?));
    }
    let design = |month: u32, kind: usize| day(Day { month, day: 21, kind }, kind);
    let design_days = [Some(design(7, SUMMER)?), Some(design(1, WINTER)?)];
    Ok(YearOfHours { profiles, days, design_days, unsaid: rules.unsaid() })
}
