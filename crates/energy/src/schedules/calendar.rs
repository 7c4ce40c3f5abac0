//! The days of a year as EnergyPlus sees them: each has a date, a weekday, and perhaps a special day in its place.
//!
//! Special days come from the model (`RunPeriodControl:SpecialDays`); those of a weather file are not known here. Where a run
//! period asks for it, a holiday on a weekend is kept on the Monday after.

use crate::days::{days_before, days_in, is_leap, weekday};
use crate::idf::Document;

/// Kinds of days, in the order in which EnergyPlus counts them.
pub const DAY_TYPES: [&str; 12] = [
    "Sunday",
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Holiday",
    "SummerDesignDay",
    "WinterDesignDay",
    "CustomDay1",
    "CustomDay2",
];

/// The kind of a holiday.
pub const HOLIDAY: usize = 7;
/// The kind of a design day for cooling.
pub const SUMMER: usize = 8;
/// The kind of a design day for heating.
pub const WINTER: usize = 9;

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// One day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Day {
    /// Month, from 1.
    pub month: u32,
    /// Day of the month, from 1.
    pub day: u32,
    /// Its kind: a weekday, or what it is instead.
    pub kind: usize,
}

impl Day {
    /// Its place in a year that has a 29 February, from 1.
    pub fn ordinal(self) -> u32 {
        ordinal(self.month, self.day)
    }

    /// `07-21`.
    pub fn label(self) -> String {
        format!("{:02}-{:02}", self.month, self.day)
    }
}

/// A year.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Calendar {
    /// The year.
    pub year: i32,
    /// Its days.
    pub days: Vec<Day>,
    /// Special days whose dates are not understood, in sentences.
    pub problems: Vec<String>,
}

/// The place of a date in a year that has a 29 February, from 1.
pub fn ordinal(month: u32, day: u32) -> u32 {
    days_before(month, true) + day
}

/// A kind of day by its name in any case.
pub fn kind_of(name: &str) -> Option<usize> {
    DAY_TYPES.iter().position(|known| known.eq_ignore_ascii_case(name.trim()))
}

/// A date: `5/31`, `31 May`, `May 31`; with a year also `Last Monday in May`, `2nd Monday in October`.
pub fn date(text: &str, year: Option<i32>) -> Option<(u32, u32)> {
    let text = text.trim().to_ascii_lowercase();
    let valid = |month: u32, day: u32| (1..=days_in(month, true)).contains(&day).then_some((month, day));
    if text.contains('/') {
        let mut parts = text.split('/').map(|part| part.trim().parse::<u32>().ok());
        return valid(parts.next()??, parts.next()??);
    }
    let words: Vec<&str> =
        text.split([' ', ',', '-']).filter(|word| !word.is_empty() && *word != "in").collect();
    let month = |word: &str| {
        let at = MONTHS.iter().position(|known| word.len() >= 3 && word.starts_with(known))?;
        u32::try_from(at + 1).ok()
    };
    match words.as_slice() {
        [a, b] => {
            let (named, number) = match (month(a), month(b)) {
                (Some(named), _) => (named, b),
                (None, Some(named)) => (named, a),
                (None, None) => return None,
            };
            valid(named, digits(number)?)
        }
        [which, day, named] => {
            let (year, month) = (year?, month(named)?);
            let wanted = DAY_TYPES.iter().take(7).position(|known| known.eq_ignore_ascii_case(day))?;
            let length = days_in(month, is_leap(year));
            let mut matching = (1..=length).filter(|day| weekday(year, month, *day) == Some(wanted));
            let day = if *which == "last" {
                matching.next_back()
            } else {
                matching.nth(digits(which)?.checked_sub(1)? as usize)
            };
            Some((month, day?))
        }
        _ => None,
    }
}

fn digits(word: &str) -> Option<u32> {
    word.trim_end_matches(|c: char| c.is_ascii_alphabetic()).parse().ok()
}

impl Calendar {
    /// The year as a model has it.
    pub fn from_document(document: &Document, year: i32) -> Self {
        let mut days = Vec::new();
        for month in 1..=12 {
            for day in 1..=days_in(month, is_leap(year)) {
                days.push(Day { month, day, kind: weekday(year, month, day).unwrap_or_default() });
            }
        }
        let mut calendar = Self { year, days, problems: Vec::new() };
        let moves = document.of_type("RunPeriod").any(|period| {
            period.get("apply_weekend_holiday_rule").is_some_and(|word| word.eq_ignore_ascii_case("Yes"))
        });
        for special in document.of_type("RunPeriodControl:SpecialDays") {
            calendar.put(special, moves);
        }
        calendar
    }

    fn put(&mut self, special: crate::idf::Object<'_>, moves: bool) {
        let text = special.get("start_date").unwrap_or_default();
        let Some((month, day)) = date(text, Some(self.year)) else {
            let problem =
                format!("The special day `{}` has no date that is understood: {text:?}.", special.name());
            self.problems.push(problem);
            return;
        };
        let kind = match special.get("special_day_type").unwrap_or_default() {
            "" => Some(11),
            word => kind_of(word),
        };
        let Some(kind) = kind else {
            self.problems.push(format!("The special day `{}` is of no known kind.", special.name()));
            return;
        };
        let duration = special.number("duration").filter(|days| *days >= 1.0).unwrap_or(1.0) as usize;
        let Some(mut start) = self.days.iter().position(|known| (known.month, known.day) == (month, day))
        else {
            return;
        };
        if moves && kind == HOLIDAY && duration == 1 {
            start += match weekday(self.year, month, day) {
                Some(0) => 1,
                Some(6) => 2,
                _ => 0,
            };
        }
        for known in self.days.iter_mut().skip(start).take(duration) {
            known.kind = kind;
        }
    }
}
